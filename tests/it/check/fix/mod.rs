//! Repairs: tables of content that is repaired, and that is left unchanged. Every case also obeys the laws.

#[cfg(feature = "charset")]
mod charset;
mod laws;

use sgf_check::{Note, NoteKind, Rewriter, Rule, Rules, fix_slice};
use sgf_stream::Parser;

use self::laws::{content, laws};
use crate::support::generate::Input;
use crate::support::{holds, shared};

const TABLE: &[(&str, &str)] = &[
    // Values.
    ("(;FF[4];B[ d d ]DM[]KO[1])", "(;FF[4];B[dd]DM[1]KO[])"),
    ("(;SZ[13:13]KM[6.] PL[white]\n)", "(;SZ[13]KM[6] PL[W]\n)"),
    ("(;;LB[a a : text][bb:x])", "(;;LB[aa: text][bb:x])"),
    ("(;AB[cc:aa][ee:ee]TM[1h])", "(;AB[aa:cc][ee]TM[3600])"),
    ("(;FF[3];B[pass])", "(;FF[3];B[tt])"),
    ("(;FF[4];B[pass])", "(;FF[4];B[])"),
    ("(;GM[11];B[A 03])", "(;GM[11];B[a3])"),
    // The letters and digits of a point are those of a game.
    ("(;GM[1]SZ[11];B[g5]TR[Q16]AB[c3])", "(;GM[1]SZ[11];B[gg]TR[Q16]AB[ci])"),
    ("(;SZ[11];B[g5]AB[c3]LB[a1:x];W[ d d ])", "(;SZ[11];B[g5]AB[c3]LB[a1:x];W[dd])"),
    // Not what says less, nor what nobody can read.
    ("(;RE[b+r]DT[1999/1/2]AP[GoGui]BR[strong])", "(;RE[B+Resign]DT[1999-01-02]AP[GoGui]BR[strong])"),
    ("(;RE[흑불계승]DT[2003年5月1日]KM[6집 반])", "(;RE[B+Resign]DT[2003-05-01]KM[6.5])"),
    // What says more than the form stays.
    (
        "(;RE[207수 흑불계승]DT[2007-03-14 12:30];RE[B+Offline]DT[Summer 1857]BR[9p, Honinbo])",
        "(;RE[207수 흑불계승]DT[2007-03-14 12:30];RE[B+Offline]DT[Summer 1857]BR[9p, Honinbo])",
    ),
    // A value that tells another property.
    ("(;HA[호선 - 6집 반 공제] C[x])", "(;HA[0]KM[6.5] C[x])"),
    // The piece would begin without a head for once.
    ("(;KM[]HA[호선 - 6집 반 공제])", "(;HA[0]KM[6.5])"),
    ("(;C[x]KM[]HA[호선 - 6집 반 공제])", "(;C[x]HA[0]KM[6.5])"),
    ("(;KM[650]HA[호선 - 6집 반 공제]RU[Japanese])", "(;KM[6.5]HA[0]RU[Japanese])"),
    ("(;HA[호선 - 6집 반 공제]KM[0])", "(;HA[호선 - 6집 반 공제]KM[0])"),
    ("(;HA[호선 - 6집 반 공제][x])", "(;HA[호선 - 6집 반 공제][x])"),
    ("(;FF[4]KM[0];HA[호선 - 6집 반 공제])", "(;FF[4]KM[0];HA[호선 - 6집 반 공제])"),
    ("(;FF[4]OT[x];TM[10분40초3회])", "(;FF[4]OT[x];TM[10분40초3회])"),
    ("(;FF[4]RU[Japanese];KM[375])", "(;FF[4]RU[Japanese];KM[375])"),
    ("(;GM[2]HA[호선 - 6집 반 공제])", "(;GM[2]HA[호선 - 6집 반 공제])"),
    ("(;FF[4]TM[10분40초3회])", "(;FF[4]TM[600]OT[3x40 byo-yomi])"),
    ("(;FF[4]TM[10분40초3회]OT[3 x 40 byo-yomi])", "(;FF[4]TM[600]OT[3 x 40 byo-yomi])"),
    ("(;FF[4]TM[10분40초3회]OT[fast])", "(;FF[4]TM[10분40초3회]OT[fast])"),
    ("(;FF[3]TM[10분40초3회])", "(;FF[3]TM[10분40초3회])"), // FF[3] has no OT
    // Komi in hundredths, of which RU may follow.
    ("(;KM[375];KM[750]RU[Japanese])", "(;KM[7.5];KM[750]RU[Japanese])"),
    ("(;KM[450]RU[Korean])(;KM[450])(;KM[375]RU[Japanese])", "(;KM[4.5]RU[Korean])(;KM[450])(;KM[375]RU[Japanese])"),
    ("(;;B[zz]W[99]RE[x])", "(;;B[zz]W[99]RE[x])"),
    // Empty values and properties.
    ("(;PL[] AB[]C[x])", "(;C[x])"),
    ("(;C[x]\n  KM[]\n;VW[][aa] [])", "(;C[x]\n;VW[aa])"),
    ("(;C[]PB[])", "(;C[]PB[])"),
    ("(;DD[][])", "(;DD[])"),
    // Points that exist.
    ("(;;AB[aa][bb][aa])", "(;;AB[aa][bb])"),
    ("(;;AB[aa:cc] [bb] [dd][aa:bb])", "(;;AB[aa:cc] [dd])"),
    ("(;;AB[aa:cc][bb:dd]MA[aa]TR[aa])", "(;;AB[aa:cc][bb:dd]MA[aa]TR[aa])"),
    // A list that another one overlaps does not say what that one says.
    ("(;;TR[aa][aa:bb]MA[aa][aa:bb])", "(;;TR[aa][aa:bb]MA[aa][aa:bb])"),
    ("(;;AR[aa:bb][aa:bb]LB[aa:1][aa:2])", "(;;AR[aa:bb]LB[aa:1][aa:2])"),
    ("(;;AB[a a][aa])", "(;;AB[aa])"),
    // Lists in two pieces.
    ("(;;AB[aa]AW[cc]\nAB[bb] [dd]C[x])", "(;;AB[aa][bb][dd]AW[cc]C[x])"),
    ("(;;AB[aa]AB[bb]AB[cc])", "(;;AB[aa][bb][cc])"),
    ("(;;AB[aa]AW[bb]AB[aa])", "(;;AB[aa]AW[bb])"),
    ("(;AB[aa]AW[bb:aa]AB[aa]AB[bb])", "(;AB[aa]AW[aa:bb]AB[aa]AB[bb])"),
    ("(;;LB[aa:1]LB[bb:2])", "(;;LB[aa:1][bb:2])"),
    ("(;;LB[aa:1]AR[aa:bb]LB[bb:2])", "(;;LB[aa:1][bb:2]AR[aa:bb])"),
    ("(;;DD[aa]DD[bb])", "(;;DD[aa]DD[bb])"),
    // Values that say the same twice.
    ("(;SZ[19]SZ[19])", "(;SZ[19])"),
    ("(;SZ[19] SZ[ 19 ]\nGM[1]KM[6.5]SZ[19]KM[6.50])", "(;SZ[19]\nGM[1]KM[6.5])"),
    ("(;C[x]C[x];N[a\\]] N[a\\]] N[a\\]]B[aa])", "(;C[x];N[a\\]]B[aa])"),
    ("(;FF[4];C[a\tb]C[a b]C[a\\\n b]B[aa])", "(;FF[4];C[a\tb]B[aa])"),
    ("(;PB[\u{e9}]PB[\u{e9}]PB[e])", "(;PB[\u{e9}]PB[e])"),
    ("(;;B[aa]B[aa];W[bb]\nW[bb]W[bb])", "(;;B[aa];W[bb])"),
    ("(;SZ[19][19] [19]KM[6][7])", "(;SZ[19]KM[6][7])"),
    ("(;;B[aa][aa])", "(;;B[aa])"),
    ("(;SZ[19]SZ[19][19])", "(;SZ[19])"),
    ("(;C[]C[]PB[x] PB[x][x])", "(;C[]PB[x])"),
    // Not what may mean two things, or says more.
    ("(;SZ[19]SZ[13]KM[6]KM[x])", "(;SZ[19]SZ[13]KM[6]KM[x])"),
    ("(;SZ[19]SZ[19][13])", "(;SZ[19]SZ[19][13])"),
    ("(;;B[aa]W[bb]B[aa])", "(;;B[aa]W[bb]B[aa])"),
    ("(;TM[60]TM[60 (x)]RE[B+R]RE[b+r])", "(;TM[60]TM[60 (x)]RE[B+R])"),
    ("(;XX[a]XX[a])", "(;XX[a]XX[a])"),
    ("(;;C[a]C[b]W[aa]W[bb]AB[]AB[aa])", "(;;C[a]C[b]W[aa]W[bb]AB[aa])"),
    ("(;;LB[aa:\u{e9}]LB[bb:\u{e9}])", "(;;LB[aa:\u{e9}]LB[bb:\u{e9}])"),
    // Identifiers.
    ("(;FF[4]CoPyright[x])", "(;FF[4]CP[x])"),
    ("(;CoPyright[x])", "(;CoPyright[x])"),
    // `8GM[x]` would be junk, and `GM[x]`.
    ("(;FF[4]xutf8GM[x])", "(;FF[4]xutf8GM[x])"),
    ("(;FF[4]Zebra[x]CoPyright[y])", "(;FF[4]Zebra[x]CP[y])"),
    // Syntax, and what comes to light after it.
    ("(;FF[4] PL[]AB[aa][aa]", "(;FF[4]AB[aa])"),
    ("mail\n(;FF[4]C[sic [!]]B[a a])", "mail\n(;FF[4]C[sic [!\\]]B[aa])"),
    ("(FF[4];B[aa]))\n)(;W[bb]", "(;FF[4];B[aa])\n(;W[bb])"),
    ("(;FF[4];B[aa]))\n)x(;W[bb]", "(;FF[4];B[aa]))\n)x(;W[bb])"),
    ("(;C[x](;B[aa]);W[bb]()((;C[y])) )", "(;C[x](;B[aa])(;W[bb](;C[y]) ))"),
    // What is cut off is kept, and closed.
    (
        "(;B[aa]C[A very long comment of a file whose upload was cut o",
        "(;B[aa]C[A very long comment of a file whose upload was cut o])",
    ),
    ("(;B[aa](;C [sic [1] \\] a\\", "(;B[aa](;C [sic [1\\] \\] a\\\\]))"),
    ("(;AB[aa][bb", "(;AB[aa][bb])"),
    ("(;B[aa]\n;W[p", "(;B[aa]\n;W[p])"),
    ("(;C[", "(;C[])"),
    ("(FF[4]C[x", "(;FF[4]C[x])"),
    ("(;C[x](;B[aa])W[bb]N[cut\n", "(;C[x](;B[aa])(;W[bb]N[cut\n]))"),
    ("(;B[aa]C[cut off\n(;FF[4]GM[1];B[dd])", "(;B[aa]C[cut off\n])(;FF[4]GM[1];B[dd])"),
    // A pass or an empty list that nobody wrote is not made up.
    ("(;B[aa];W[", "(;B[aa];W["),
    ("(;B[aa];TB[aa]DD[", "(;B[aa];TB[aa]DD["),
    // Without GM the second would be no head.
    ("(;t\n(;GM[];B[a a]", "(;t)\n(;GM[];B[aa])"),
    // Text outside of games stays.
    ("From: a\n\n(;B[a a])\nregards ) (me\n", "From: a\n\n(;B[aa])\nregards ) (me\n"),
    // What no program reads stays where it is; the rest of its game is repaired, and in its node the insides of values.
    ("(;B[aa];[a precious comment];W[b b])(;B[a a])", "(;B[aa];[a precious comment];W[bb])(;B[aa])"),
    ("(;B[a a];W[bb]c[text]", "(;B[aa];W[bb]c[text])"),
    ("(;B[a a]KM[];W[b b]KM[]x[y]KM[];KM[]W[c c]", "(;B[aa];W[bb]KM[]x[y]KM[];W[cc])"),
    ("(;B[a a]KM[])\nregards, x", "(;B[aa])\nregards, x"),
    ("(;B[a a] junk", "(;B[aa] junk)"),
    ("(;B[a a]KO;W[b b])", "(;B[aa]KO;W[bb])"),
    ("(;FF[4]P0[x];B[a a])(;P0[x];B[a a])", "(;FF[4]P0[x];B[aa])(;P0[x];B[aa])"),
    (
        "(;C[a]\n<<<<<<< HEAD\n;B[a a])\n=======\n;B[b b])\n>>>>>>> x\n",
        "(;C[a]\n<<<<<<< HEAD\n;B[aa])\n=======\n;B[b b])\n>>>>>>> x\n",
    ),
    // Nothing moves past it.
    ("(;C[a](;B[aa])\n=======\n;B[b b])", "(;C[a](;B[aa])\n=======\n(;B[bb]))"),
    ("(;x(;B[aa]);W[b b])", "(;x(;B[aa])(;W[bb]))"),
    // A variation that starts with FF is a game anywhere; removing content must not turn another variation into a
    // game.
    ("(;C[x]\nPL[](;FF[4]))", "(;C[x])(;FF[4])"),
    ("(;C[x]\n(;PL[]FF[4]))", "(;C[x]\n(;PL[]FF[4]))"),
    ("(;AB[[][]F4[][t])", "(;AB[[][]F4[][t])"),
    // The version is the first that is a number, before an empty one goes and after; one that is cut off counts.
    ("(FF[]FF[4]F4[", "(;FF[4]F4[])"),
    ("(;FF[x]FF[4]P0[x];B[a a])", "(;FF[x]FF[4]P0[x];B[aa])"),
    ("(;P0[x]FF[4", "(;P0[x]FF[4])"),
    // With a `;` after its `(`, the second game would make the `]` before it the end of a value of the first; on a line of
    // its own it does not.
    ("(;[];)](A[", "(;[];)\n](;A[])"),
    ("(;C[x];)] (A[y])", "(;C[x];)\n] (;A[y])"),
    ("(;C[x];)] (FF[4]C[y])", "(;C[x];)\n] (;FF[4]C[y])"),
    ("(;C[x];)\n] (FF[4]C[y])", "(;C[x];)\n] (;FF[4]C[y])"),
    ("(;C[x];)](FF[", "(;C[x];)\n](;)"),
    ("(;[];) )\n)(;W[b b])", "(;[];) \n(;W[bb])"),
    ("(;C[x];) y (A[y])", "(;C[x];) y (;A[y])"),
    ("](A[y])", "](;A[y])"),
    ("(;C[x];)](A[y])", "(;C[x];)\n](;A[y])"),
    ("(;C[x];)](FF[4]C[y])", "(;C[x];)\n](;FF[4]C[y])"),
    ("(;x C[x];)](A[y])", "(;x C[x];)\n](;A[y])"),
    // Without the empty value, the text after the game would be a part of `P`.
    ("(P[];ST[])]", "(;P[];)\n]"),
    ("(P[];ST[]) ) x] y (;B[a a])", "(;P[];) ) x] y (;B[aa])"),
    ("(P[];ST[])\n]", "(;P[];)\n]"),
    ("(P[];KM[])]", "(;P[];)\n]"),
    ("(;C[x]\n(;!FF[4]))", "(;C[x]\n(;!FF[4]))"),
    // With a semicolon it would be the start of a game.
    ("(;C[x]\n(FF[4]))", "(;C[x]\n(FF[4]))"),
];

#[test]
fn what_can_be_repaired_is_and_nothing_else_changes() {
    let mut wrong = Vec::new();
    for (input, output) in TABLE {
        let (fixed, repairs) = fix_slice(&Rules::new(), input.as_bytes());
        let fixed = String::from_utf8(fixed).unwrap();
        if fixed != *output {
            wrong.push(format!("{input:?}\n  became {fixed:?}\n     not {output:?}"));
        }
        if (repairs.count() == 0) != (input == output) {
            wrong.push(format!("{input:?}: {} were counted", repairs.count()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_keeps_the_laws() {
    TABLE.iter().for_each(|(input, _)| laws(input.as_bytes()));
}

#[test]
fn empty_texts_go_if_the_rule_is_on() {
    let rules = Rules::new().warn(Rule::EmptyText);
    assert_eq!(fix_slice(&rules, b"(;C[]PB[]\nB[aa])").0, b"(;\nB[aa])");
}

#[test]
fn a_rule_that_is_off_leaves_its_faults_alone() {
    let rules = Rules::new().allow(Rule::SloppyValue);
    let (fixed, repairs) = fix_slice(&rules, b"(;FF[4];B[d d]AB[aa][aa])");
    assert_eq!(fixed, b"(;FF[4];B[d d]AB[aa])");
    assert_eq!(repairs.repairs().collect::<Vec<_>>(), [("duplicate-point", 1)]);
}

/// Until brackets like these are read as text, what follows the game stays all the same.
#[test]
fn what_follows_a_stray_bracket_is_not_lost() {
    let input = b"(;FF[4]PB[x]C[ok] ;)];W[pp];B[dd])";
    let (fixed, _) = fix_slice(&Rules::new(), input);
    let without = |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b'\\').collect::<Vec<_>>();
    assert_eq!(without(&fixed), input);
    laws(input);
}

#[test]
fn lossy_repairs_name_what_goes() {
    for (input, output, gone) in [
        (
            "mail (me)\n(;B[aa])  text\n more\n",
            "\n(;B[aa])  \n",
            &[("junk-outside-tree", "mail (me)"), ("junk-outside-tree", "text\n more")][..],
        ),
        ("(;B[aa];[a b] ;W[b b])", "(;B[aa]; ;W[bb])", &[("value-without-ident", "[a b]")]),
        ("(;W[bb]c[text]x[y z])", "(;W[bb])", &[("junk-in-tree", "c[text]x[y z]")]),
        ("(;W[bb]c [text", "(;W[bb] )", &[("junk-in-tree", "c"), ("junk-in-tree", "[text")]),
        ("(;AB[aa]foo [bb])", "(;AB[aa] )", &[("junk-in-tree", "foo"), ("junk-in-tree", "[bb]")]),
        ("(;AB[aa]foo\x0B[bb])", "(;AB[aa]\x0B)", &[("junk-in-tree", "foo"), ("junk-in-tree", "[bb]")]),
        (
            "(;KO;B[aa] what is this? ;W[b b])",
            "(;;B[aa]  ;W[bb])",
            &[("property-without-value", "KO"), ("junk-in-tree", "what is this?")],
        ),
        ("(;FF[4]P0[x] [y]C[z])", "(;FF[4]C[z])", &[("digit-in-ident", "P0[x] [y]")]),
        // Closed, it would be a pass.
        ("(;B[aa];W[", "(;B[aa];)", &[("unterminated-value", "W[")]),
    ] {
        let (fixed, lost) =
            Rewriter::with_rules(&Parser::new(), Rules::new()).lossy(true).rewrite_slice(input.as_bytes());
        assert_eq!(String::from_utf8(fixed).unwrap(), output, "{input}");
        let text = |range: &std::ops::Range<u64>| &input[range.start as usize..range.end as usize];
        // A word and the values after it are dropped one by one.
        let mut dropped: Vec<(&str, std::ops::Range<u64>)> = Vec::new();
        for note in lost.notes().iter().filter(|note| note.kind == NoteKind::Dropped) {
            match dropped.last_mut().filter(|(code, range)| *code == note.code && range.end == note.range.start) {
                Some((_, range)) => range.end = note.range.end,
                None => dropped.push((note.code, note.range.clone())),
            }
        }
        let noted: Vec<_> = dropped.iter().map(|(code, range)| (*code, text(range))).collect();
        assert_eq!(noted, gone, "{input}");
        assert!(gone.iter().all(|(code, _)| lost.dropped().any(|(dropped, _)| dropped == *code)), "{input}");
    }
}

#[test]
fn what_is_left_is_told_with_its_place() {
    let input = b"a mail\n(;B[aa]\n;[x] y [z];W[b b])\n(;B[a a])";
    let (_, fixed) = fix_slice(&Rules::new(), input);
    let place = |note: &Note| (note.code, note.position.line, note.position.column);
    let left = fixed.notes().iter().filter(|note| note.kind == NoteKind::Left);
    let expected = [
        ("junk-outside-tree", 1, 1),
        ("value-without-ident", 3, 2),
        ("junk-in-tree", 3, 6),
        ("value-without-ident", 3, 8),
    ];
    assert_eq!(left.map(place).collect::<Vec<_>>(), expected);
    assert_eq!(
        fixed.left().collect::<Vec<_>>(),
        [("junk-in-tree", 1), ("junk-outside-tree", 1), ("value-without-ident", 2)]
    );
    assert_eq!((fixed.count(), fixed.has_errors()), (2, false));
}

#[test]
fn a_value_that_is_not_made_up_is_told() {
    let (_, fixed) = fix_slice(&Rules::new(), b"(;B[aa];W[");
    assert_eq!(fixed.left().collect::<Vec<_>>(), [("unclosed-tree", 1), ("unterminated-value", 1)]);
}

#[test]
fn changes_are_those_of_the_output() {
    fn law(Input(bytes): Input, is_lossy: bool) {
        let (fixed, done) = Rewriter::with_rules(&Parser::new(), Rules::new()).lossy(is_lossy).rewrite_slice(&bytes);
        let (mut rebuilt, mut at) = (Vec::new(), 0);
        for change in done.changes() {
            let range = change.range.start as usize..change.range.end as usize;
            assert!(bytes[range.clone()] != change.with[..], "{change:?}");
            rebuilt.extend_from_slice(&bytes[at..range.start]);
            rebuilt.extend_from_slice(&change.with);
            at = range.end;
        }
        rebuilt.extend_from_slice(&bytes[at..]);
        assert_eq!(rebuilt, fixed);
        assert_eq!(done.has_changed(), fixed != bytes);
    }
    holds(2_000, law as fn(Input, bool));
}

/// A reader that gives so many bytes at a time.
struct InPieces<'b>(&'b [u8], usize);

impl std::io::Read for InPieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

#[test]
fn pieces_do_not_matter() {
    fn law(Input(bytes): Input, is_lossy: bool) {
        let with_bom = [b"\xEF\xBB\xBF", &bytes[..]].concat();
        for bytes in [&bytes, &with_bom] {
            let fixer = Rewriter::with_rules(&Parser::new(), Rules::new()).lossy(is_lossy);
            let (whole, done) = fixer.rewrite_slice(bytes);
            for size in [1, 3, 64] {
                let mut out = Vec::new();
                let counts = fixer.rewrite(InPieces(bytes, size), &mut out).unwrap();
                assert_eq!(out, whole);
                assert_eq!((counts.has_changed(), counts.has_errors()), (done.has_changed(), done.has_errors()));
                assert!(counts.repairs().eq(done.repairs()), "{counts:?}");
                assert!(counts.left().chain(counts.dropped()).eq(done.left().chain(done.dropped())), "{counts:?}");
            }
        }
    }
    holds(1_000, law as fn(Input, bool));
}

#[test]
fn every_prefix_of_a_game_is_kept_whole() {
    let game = "(;FF[4]CA[UTF-8]PB[a \\] b]PW [x [y\\]]\n;B[dd](;W[pp]C[text\\\nmore])(;W[]LB[aa:x][bb:y]))".as_bytes();
    let japanese = b"(;FF[4]CA[Shift_JIS]PB[\x83\x5c\x83\x5d]PW[\x83\x5d])";
    for game in [game, &japanese[..]] {
        for len in 2..game.len() {
            laws(&game[..len]);
            laws(&[&game[..len], b"\n(;FF[4]GM[1];B[dd])"].concat());
        }
    }
}

/// Two values without identifiers, one of them a list of points, are all that is left of some nodes.
#[test]
fn a_compressed_list_of_a_real_file_is_not_lost() {
    let mut files = 0;
    for path in shared::files("corpus").iter().filter(|path| path.to_string_lossy().contains("ff4_ex_saved")) {
        let bytes = std::fs::read(path).unwrap();
        let (fixed, counts) = fix_slice(&Rules::new(), &bytes);
        let list = b"[dedfdgdo:gqjejfjgkn:lqpn:pq]";
        let has_list = |bytes: &[u8]| bytes.windows(list.len()).any(|window| window == list);
        assert_eq!(has_list(&fixed), has_list(&bytes), "{}", path.display());
        assert!(!has_list(&bytes) || counts.left().any(|(code, _)| code == "value-without-ident"));
        files += usize::from(has_list(&bytes));
    }
    assert!(files > 0 || shared::path("corpus").is_none());
}

#[test]
fn evidence_of_conflicts_stays() {
    for path in shared::files("samples").iter().filter(|path| path.to_string_lossy().contains("conflict-markers")) {
        let bytes = std::fs::read(path).unwrap();
        let (fixed, _) = fix_slice(&Rules::new(), &bytes);
        let (syntax, _) = fix_slice(&Rules::none(), &bytes);
        assert_eq!(content(&syntax), content(&bytes), "{}", path.display());
        let is_marker = |line: &&[u8]| [&b"<<<<<<<"[..], b"=======", b">>>>>>>"].iter().any(|m| line.starts_with(m));
        let markers = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').filter(is_marker).count();
        assert!(markers(&fixed) == markers(&bytes) && markers(&bytes) >= 3);
    }
}

#[test]
fn what_is_beyond_a_limit_stays_and_is_an_error() {
    let long = |len: usize| [b"(;FF[4]C[", &vec![b'a'; len][..], b"];B[d d]"].concat();
    let deep = [b"(;FF[4];B[d d]", &b"(;".repeat(9)[..]].concat();
    for (parser, game, code) in [
        (Parser::new(), long(1 << 21), "value-too-long"),
        (Parser::new().max_depth(5), deep, "tree-too-deep"),
        (Parser::new().max_ident_len(9), b"(;FF[4]ABCDEFGHIJ[x];B[d d]".to_vec(), "ident-too-long"),
    ] {
        // The games around it are repaired.
        let sound = [&b"\n(;FF[4];B[dd])"[..], b"\n(;FF[4];B[d d])"];
        let stream = |sound: &[u8]| [b"(;FF[4];W[pp])", sound, b"\n", &game, sound].concat();
        for fixer in
            [Rewriter::with_rules(&parser, Rules::new()), Rewriter::with_rules(&parser, Rules::new()).lossy(true)]
        {
            let (fixed, done) = fixer.rewrite_slice(&stream(sound[1]));
            assert!(fixed == stream(sound[0]), "{code}: {}", fixed[..60].escape_ascii());
            assert!(done.has_errors() && done.left().eq([(code, 1)]), "{code}: {:?}", done.notes());
            assert_eq!(done.count(), 2, "{code}");
            // And it is alone.
            let (fixed, done) = fixer.rewrite_slice(&game);
            assert!(fixed == game && done.has_errors() && !done.has_changed(), "{code}");
        }
    }
    // It is longer than what is rewritten at once.
    let long = [&b"(;FF[4];B[d d])\n"[..], &long(17 << 20), b")\n(;FF[4];B[d d])"].concat();
    let (fixed, done) = fix_slice(&Rules::new(), &long);
    assert!(fixed.ends_with(b"];B[d d])\n(;FF[4];B[dd])") && done.has_errors());
    // The game before it has no head after it, so it stays too.
    assert!(done.left().eq([("game-too-long", 1), ("sloppy-value", 1)]), "{:?}", done.notes());
    let (fixed, done) = fix_slice(&Rules::new(), b"hello");
    assert_eq!((&fixed[..], done.has_errors(), done.has_changed()), (&b"hello"[..], true, false));
    assert!(done.left().eq([("no-sgf-data", 1)]));
}

#[test]
fn a_long_node_and_a_long_game_pass() {
    let node: String = (0..200_000).map(|n| format!("[{}{}]", char::from(b'a' + (n % 19) as u8), 'a')).collect();
    let long = format!("(;FF[4];MA{node};B[d d]){}", "(;FF[4];B[d d];W[])\n".repeat(20_000));
    let (fixed, _) = fix_slice(&Rules::new(), long.as_bytes());
    let names: String = (0..19).map(|n| format!("[{}a]", char::from(b'a' + n))).collect();
    let expected = format!("(;FF[4];MA{names};B[dd]){}", "(;FF[4];B[dd];W[])\n".repeat(20_000));
    assert!(fixed == expected.as_bytes());
}
