//! The cases, by hand.

use sgf_stream::Code::{
    self, CutCharacter, DigitInIdent, JunkInTree, JunkOutsideTree, LowercaseInIdent, MissingCloseBracket,
    MissingCloseParen, MissingSemicolon, NodeAfterVariation, PropertyWithoutValue, TreeWithoutNodes, UnclosedTree,
    UnescapedBracket, UnterminatedValue, ValueWithoutIdent,
};

/// Input; what is read from it, with `<` and `>` around values; the findings in the order of the
/// input: code and offset.
pub(crate) type Row = (&'static [u8], &'static [u8], &'static [(Code, u64)]);

/// Characters whose second byte neither ends a value, nor hides the byte after it, nor opens a bracket.
pub(crate) const CHARACTERS: &[Row] = &[
    // 申ソ, 因, and characters of GBK. One node each, if read without the charset.
    (b"(;CA[Shift_JIS]C[\x90\x5C\x83\x5C];B[aa])", b"(;CA<Shift_JIS>C<\x90\\\x83\\>;B<aa>)", &[]),
    (b"(;CA[Shift_JIS]C[\x90\x5C];B[aa])", b"(;CA<Shift_JIS>C<\x90\\>;B<aa>)", &[]),
    (b"(;CA[Shift_JIS]C[\x83\x5C];B[aa])", b"(;CA<Shift_JIS>C<\x83\\>;B<aa>)", &[]),
    (b"(;CA[Big5]C[\xA6\x5D];B[aa])", b"(;CA<Big5>C<\xA6]>;B<aa>)", &[]),
    (b"(;CA[Big5]C[\xA5\x5C\xA6\x5D];B[aa])", b"(;CA<Big5>C<\xA5\\\xA6]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\x5C\x85\x5D];B[aa])", b"(;CA<GBK>C<\x81\\\x85]>;B<aa>)", &[]),
    (b"(;CA[GB18030]C[\x81\x5C\x85\x5D];B[aa])", b"(;CA<GB18030>C<\x81\\\x85]>;B<aa>)", &[]),
    (b"(;FF[4]CA[Big5]C[\xA6\x5D])", b"(;FF<4>CA<Big5>C<\xA6]>)", &[]),
    (b"(;FF[4]CA[SJIS]C[\x90\x5C])", b"(;FF<4>CA<SJIS>C<\x90\\>)", &[]),
    // The mark of UTF-8 at the start of a stream overrules CA in all games. Elsewhere it says nothing.
    (b"\xEF\xBB\xBF(;CA[GBK]C[\x85\x5D];B[aa])", b"(;CA<GBK>C<\x85>;B<aa>)", &[(JunkInTree, 16)]),
    (b"\xEF\xBB\xBF(;B[aa])(;CA[GBK]C[\x85])", b"(;B<aa>)(;CA<GBK>C<\x85>)", &[]),
    (b"(;B[aa])\xEF\xBB\xBF(;CA[GBK]C[\x85\x5D];B[aa])", b"(;B<aa>)(;CA<GBK>C<\x85]>;B<aa>)", &[(JunkOutsideTree, 8)]),
    // Two of them before the end, and of another value.
    (b"(;CA[GBK]C[\x85\x5D\x85\x5D][\x81\x5C]N[])", b"(;CA<GBK>C<\x85]\x85]><\x81\\>N<>)", &[]),
    // No `[` is open that would make a `]` doubtful …
    (b"(;CA[GBK]C[\x81[]\nx];B[aa])", b"(;CA<GBK>C<\x81[>;B<aa>)", &[(JunkInTree, 15)]),
    (b"(;CA[GBK]C[\x81[](;B[aa])(;W[bb]))", b"(;CA<GBK>C<\x81[>(;B<aa>)(;W<bb>))", &[]),
    // … unless it is a real one; and a `\` that is half of a character escapes no `]` of a pair.
    (b"(;CA[GBK]C[\x81[a [3d]];B[aa])", b"(;CA<GBK>C<\x81[a [3d]>;B<aa>)", &[(UnescapedBracket, 18)]),
    (b"(;CA[GBK]C[[\x81\\]];B[aa])", b"(;CA<GBK>C<[\x81\\]>;B<aa>)", &[(UnescapedBracket, 14)]),
    (b"(;CA[GBK]C[[\\]]\nx];B[aa])", b"(;CA<GBK>C<[\\]>;B<aa>)", &[(JunkInTree, 16)]),
    // The four bytes of a character of GB18030 are two steps.
    (b"(;CA[GB18030]C[\x81\x30\x81\x30];B[aa])", b"(;CA<GB18030>C<\x810\x810>;B<aa>)", &[]),
    (b"(;CA[GB18030]C[\x81\x30\x85\x5D];B[aa])", b"(;CA<GB18030>C<\x810\x85]>;B<aa>)", &[]),
    // The end in the middle.
    (b"(;CA[GBK]C[\x85", b"(;CA<GBK>)", &[(UnterminatedValue, 10), (UnclosedTree, 12)]),
    (b"(;CA[GBK]C[\x85]", b"(;CA<GBK>C<\x85>)", &[(CutCharacter, 11), (UnclosedTree, 13)]),
    (b"(;CA[GBK]C[\x85\\", b"(;CA<GBK>)", &[(UnterminatedValue, 10), (UnclosedTree, 13)]),
];

/// How a value is split into characters.
pub(crate) const SPLIT: &[Row] = &[
    // A lead byte with something else after it is a character of its own.
    (b"(;CA[GBK]C[\x81 ];B[aa])", b"(;CA<GBK>C<\x81 >;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\x7F];B[aa])", b"(;CA<GBK>C<\x81\x7F>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\xFF];B[aa])", b"(;CA<GBK>C<\x81\xFF>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81 \x81]];B[aa])", b"(;CA<GBK>C<\x81 \x81]>;B<aa>)", &[]),
    // A lead byte may be a second byte.
    (b"(;CA[GBK]C[\x81\x81];B[aa])", b"(;CA<GBK>C<\x81\x81>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\x81\x81]];B[aa])", b"(;CA<GBK>C<\x81\x81\x81]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[a\x81\x81];B[aa])", b"(;CA<GBK>C<a\x81\x81>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\xFE];B[aa])", b"(;CA<GBK>C<\x81\xFE>;B<aa>)", &[]),
    // Half-width katakana of Shift_JIS are lead bytes elsewhere.
    (b"(;CA[sjis]C[\xB1];B[aa])", b"(;CA<sjis>C<\xB1>;B<aa>)", &[]),
    (b"(;CA[sjis]C[\xB1\x83\\];B[aa])", b"(;CA<sjis>C<\xB1\x83\\>;B<aa>)", &[]),
    (b"(;CA[Big5]C[\xB1]];B[aa])", b"(;CA<Big5>C<\xB1]>;B<aa>)", &[]),
    // A backslash hides a lead byte, but not what that leads.
    (b"(;CA[GBK]C[\\\x81]];B[aa])", b"(;CA<GBK>C<\\\x81]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\\\x81\\];B[aa])", b"(;CA<GBK>C<\\\x81\\>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\\\\\x81]];B[aa])", b"(;CA<GBK>C<\\\\\x81]>;B<aa>)", &[]),
    // The second of two backslashes is one.
    (b"(;CA[GBK]C[\x81\\\\]];B[aa])", b"(;CA<GBK>C<\x81\\\\]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\\\\\\];B[aa])", b"(;CA<GBK>C<\x81\\\\\\>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\x81\\\\\x81]];B[aa])", b"(;CA<GBK>C<\x81\\\\\x81]>;B<aa>)", &[]),
    // Every value is split from its own start.
    (b"(;CA[GBK]C[\x81 ][\x81]][a])", b"(;CA<GBK>C<\x81 ><\x81]><a>)", &[]),
];

/// Text in UTF-8 that is said to be something else. 字 is `E5 AD 97`: a character of two bytes, and
/// a lead byte.
pub(crate) const UTF8: &[Row] = &[
    (b"(;CA[GB2312]C[\xE5\xAD\x97];B[aa])", b"(;CA<GB2312>C<\xE5\xAD\x97>;B<aa>)", &[]),
    (b"(;CA[Shift_JIS]C[\xE5\xAD\x97];B[aa])", b"(;CA<Shift_JIS>C<\xE5\xAD\x97>;B<aa>)", &[]),
    (b"(;CA[Big5]C[\xE5\x9B\xB2\xE7\xA2\x81];B[aa])", b"(;CA<Big5>C<\xE5\x9B\xB2\xE7\xA2\x81>;B<aa>)", &[]),
    (b"(;CA[GBK]C[a\xF0\xA0\x80\x80a\xE5\xAD\x97];B[aa])", b"(;CA<GBK>C<a\xF0\xA0\x80\x80a\xE5\xAD\x97>;B<aa>)", &[]),
    (b"(;CA[GB2312]C[\xE5\xAD\x97\\]];B[aa])", b"(;CA<GB2312>C<\xE5\xAD\x97\\]>;B<aa>)", &[]),
    (b"(;CA[GB2312]C[\xE5\xAD\x97[3d]];B[aa])", b"(;CA<GB2312>C<\xE5\xAD\x97[3d]>;B<aa>)", &[(UnescapedBracket, 20)]),
    // It is UTF-8 up to where it is not.
    (b"(;CA[GBK]C[\xE5\xAD\x97\\]\x85]];B[aa])", b"(;CA<GBK>C<\xE5\xAD\x97\\]\x85]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xE5\xAD\x97\\\x85]];B[aa])", b"(;CA<GBK>C<\xE5\xAD\x97\\\x85]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xC3\xA9\x85]];B[aa])", b"(;CA<GBK>C<\xC3\xA9\x85]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xFF\xE5\xAD\x97]];B[aa])", b"(;CA<GBK>C<\xFF\xE5\xAD\x97]>;B<aa>)", &[]),
    // A character that is not complete is none.
    (b"(;CA[GBK]C[\xC3\xA9\xE5]];B[aa])", b"(;CA<GBK>C<\xC3\xA9\xE5]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xE5\xAD\xE5]];B[aa])", b"(;CA<GBK>C<\xE5\xAD\xE5]>;B<aa>)", &[]),
    // Overlong, a surrogate, after the last character: not UTF-8.
    (b"(;CA[GBK]C[\xC0]];B[aa])", b"(;CA<GBK>C<\xC0]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xE0\x80\x80]];B[aa])", b"(;CA<GBK>C<\xE0\x80\x80>;B<aa>)", &[(JunkInTree, 15)]),
    (b"(;CA[GBK]C[\xE0\x81\x81]];B[aa])", b"(;CA<GBK>C<\xE0\x81\x81]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xED\xA1\x81]];B[aa])", b"(;CA<GBK>C<\xED\xA1\x81]>;B<aa>)", &[]),
    (b"(;CA[GBK]C[\xED\x9F\x81]];B[aa])", b"(;CA<GBK>C<\xED\x9F\x81>;B<aa>)", &[(JunkInTree, 15)]),
    (b"(;CA[GBK]C[a\xF4\x90\x81\x81\x81]];B[aa])", b"(;CA<GBK>C<a\xF4\x90\x81\x81\x81]>;B<aa>)", &[]),
    // Each value says for itself whether it is UTF-8.
    (b"(;CA[GBK]C[\x85]][\xE5\xAD\x97][\x85]])", b"(;CA<GBK>C<\x85]><\xE5\xAD\x97><\x85]>)", &[]),
];

/// Which games are written in such a charset, and from where on. `85 5D` is a character there, and
/// the end of a value elsewhere.
pub(crate) const ROOTS: &[Row] = &[
    // From the end of the first value on, to the end of the game.
    (b"(;C[\x85]CA[GBK]N[\x85]][\x85]])", b"(;C<\x85>CA<GBK>N<\x85]><\x85]>)", &[]),
    (b"(;CA[GBK][\x85]][a];C[\x85]])", b"(;CA<GBK><\x85]><a>;C<\x85]>)", &[]),
    (
        b"(;CA[GBK](;C[\x85]](;N[\x85]])(;B[aa]))(;C[\x85]]))",
        b"(;CA<GBK>(;C<\x85]>(;N<\x85]>)(;B<aa>))(;C<\x85]>))",
        &[],
    ),
    (b"(;CA[GBK]C[\x85]])(;C[\x85])(;CA[sjis]C[\x85]])", b"(;CA<GBK>C<\x85]>)(;C<\x85>)(;CA<sjis>C<\x85]>)", &[]),
    (b"(;CA[Big5]C[\xB1]])(;CA[sjis]C[\xB1])", b"(;CA<Big5>C<\xB1]>)(;CA<sjis>C<\xB1>)", &[]),
    // Only the first counts.
    (b"(;CA[UTF-8]CA[GBK]C[\x85])", b"(;CA<UTF-8>CA<GBK>C<\x85>)", &[]),
    (b"(;CA[GBK]CA[UTF-8]C[\x85]])", b"(;CA<GBK>CA<UTF-8>C<\x85]>)", &[]),
    (b"(;CA[Big5]CA[sjis]C[\xB1]])", b"(;CA<Big5>CA<sjis>C<\xB1]>)", &[]),
    (b"(;CA[UTF-8][GBK]C[\x85])", b"(;CA<UTF-8><GBK>C<\x85>)", &[]),
    (b"(;CA[][GBK]C[\x85])", b"(;CA<><GBK>C<\x85>)", &[]),
    (b"(;CA[GBK][UTF-8]C[\x85]])", b"(;CA<GBK><UTF-8>C<\x85]>)", &[]),
    // Wherever in the root, however written.
    (b"( ;\nFF[4]GM[1] CA\r\n[GBK]C[\x85]])", b"(;FF<4>GM<1>CA<GBK>C<\x85]>)", &[]),
    (b"(CA[GBK]C[\x85]])", b"(;CA<GBK>C<\x85]>)", &[(MissingSemicolon, 1)]),
    (b"(;CoolA[GBK]C[\x85]])", b"(;CoolA<GBK>C<\x85]>)", &[(LowercaseInIdent, 2)]),
    (b"(;CA x [GBK]C[\x85]])", b"(;CA<GBK>C<\x85]>)", &[(JunkInTree, 5)]),
    (b"(;[a]xCA[GBK]C[\x85]])", b"(;xCA<GBK>C<\x85]>)", &[(ValueWithoutIdent, 2), (LowercaseInIdent, 5)]),
    (b"(;CA FF[4]CA[GBK]C[\x85]])", b"(;FF<4>CA<GBK>C<\x85]>)", &[(PropertyWithoutValue, 2)]),
    (b"(;CA1[GBK]C[\x85])", b"(;CA1<GBK>C<\x85>)", &[(DigitInIdent, 2)]),
    (b"(;CAB[GBK]C[\x85])", b"(;CAB<GBK>C<\x85>)", &[]),
    (b"(;ca[GBK]C[\x85])", b"(;C<\x85>)", &[(JunkInTree, 2), (ValueWithoutIdent, 4)]),
    // In no other node, and no other tree.
    (b"(;FF[4];CA[GBK]C[\x85])", b"(;FF<4>;CA<GBK>C<\x85>)", &[]),
    (b"(;;CA[GBK]C[\x85])", b"(;;CA<GBK>C<\x85>)", &[]),
    (b"(;FF[4](;B[]CA[GBK]C[\x85])(;C[\x85]))", b"(;FF<4>(;B<>CA<GBK>C<\x85>)(;C<\x85>))", &[]),
    (
        b"(;FF[4](;B[aa])CA[GBK]C[\x85])",
        b"(;FF<4>(;B<aa>)(;CA<GBK>C<\x85>))",
        &[(MissingSemicolon, 15), (NodeAfterVariation, 15)],
    ),
    (b"(;FF[4](CA[GBK]C[\x85]))", b"(;FF<4>(;CA<GBK>C<\x85>))", &[(MissingSemicolon, 8)]),
    (
        b"(;FF[4](B[aa])CA[GBK]C[\x85])",
        b"(;FF<4>(;B<aa>)(;CA<GBK>C<\x85>))",
        &[(MissingSemicolon, 8), (MissingSemicolon, 14), (NodeAfterVariation, 14)],
    ),
    (
        b"(;FF[4](()CA[GBK]C[\x85]))",
        b"(;FF<4>(;CA<GBK>C<\x85>))",
        &[(TreeWithoutNodes, 7), (TreeWithoutNodes, 8), (MissingSemicolon, 10), (NodeAfterVariation, 10)],
    ),
    // A dropped tree does not count.
    (b"(;FF[4]()CA[GBK]C[\x85]])", b"(;FF<4>CA<GBK>C<\x85]>)", &[(TreeWithoutNodes, 7)]),
    (
        b"(;FF[4](())()CA[GBK]C[\x85]])",
        b"(;FF<4>CA<GBK>C<\x85]>)",
        &[(TreeWithoutNodes, 7), (TreeWithoutNodes, 8), (TreeWithoutNodes, 11)],
    ),
    (
        b"(;FF[4](CA x[GBK])CA[sjis]C[\x85])",
        b"(;FF<4>(;CA<GBK>)(;CA<sjis>C<\x85>))",
        &[(MissingSemicolon, 8), (JunkInTree, 11), (MissingSemicolon, 18), (NodeAfterVariation, 18)],
    ),
    (
        b"(;FF[4](x[GBK])CA[sjis]C[\x85]])",
        b"(;FF<4>CA<sjis>C<\x85]>)",
        &[(TreeWithoutNodes, 7), (JunkInTree, 8), (ValueWithoutIdent, 9)],
    ),
    (
        b"(;(CA)[GBK]C[\x85])",
        b"(;C<\x85>)",
        &[(TreeWithoutNodes, 2), (PropertyWithoutValue, 3), (ValueWithoutIdent, 6)],
    ),
    (
        b"(;CA()[GBK]C[\x85])",
        b"(;C<\x85>)",
        &[(PropertyWithoutValue, 2), (TreeWithoutNodes, 4), (ValueWithoutIdent, 6)],
    ),
];

/// Games and values that run into others.
pub(crate) const CUTS: &[Row] = &[
    // The charset of a game ends where the game does.
    (b"(;CA[GBK]B[aa]\n(;FF[4]C[\x85])", b"(;CA<GBK>B<aa>)(;FF<4>C<\x85>)", &[(MissingCloseParen, 15)]),
    (b"(;FF[4]\n(;CA[GBK]C[\x85]])", b"(;FF<4>)(;CA<GBK>C<\x85]>)", &[(MissingCloseParen, 8)]),
    // A label that runs into the next game is not a label, and without an end it is not a value.
    (b"(;CA[GBK\n(;FF[4]C[\x85])", b"(;)(;FF<4>C<\x85>)", &[(MissingCloseBracket, 4)]),
    (b"(;FF[4]CA[GBK", b"(;FF<4>)", &[(UnterminatedValue, 9), (UnclosedTree, 13)]),
    // A text that is cut in a character does not take the next game with it.
    (
        b"(;CA[GBK]C[\x85]\n(;FF[4]C[\x85])",
        b"(;CA<GBK>C<\x85>)(;FF<4>C<\x85>)",
        &[(CutCharacter, 11), (MissingCloseParen, 14)],
    ),
    // Where a value runs into the next game is a matter of plain bytes.
    (
        b"(;CA[GBK]C[\x85]]a\n(;FF[4]C[\x85])",
        b"(;CA<GBK>C<\x85]>)(;FF<4>C<\x85>)",
        &[(JunkInTree, 14), (MissingCloseParen, 16)],
    ),
    (b"(;CA[GBK]C[a\n(;AP[\x81\\];B[aa])", b"(;CA<GBK>C<a\n(;AP[\x81\\>;B<aa>)", &[]),
];
