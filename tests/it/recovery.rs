//! Every row of the recovery table: the repair and the diagnostic of lenient mode, and the error of strict mode.
//! Through every reader.

use sgf_stream::{Code, OwnedEvent, Parser};

use crate::support::table::{self, written};
use crate::support::{EachEvent, every_front_end, naive};

const BRACKETS: [char; 2] = ['[', ']'];

/// Input, what is read from it, and the findings: code and offset.
type Row<'a> = (&'a str, &'a str, &'a [(Code, u64)]);

fn check(rows: &[Row<'_>]) {
    for &(input, read, findings) in rows {
        let [strict, lenient] = [Parser::strict(), Parser::new()].map(|p| every_front_end(input.as_bytes(), &p));
        table::Row { input: input.as_bytes(), read, brackets: BRACKETS, findings }.check(&strict, &lenient);
    }
}

#[test]
fn text_outside_of_trees_is_skipped() {
    check(&[
        ("From: me\n\n(;A[b])", "(;A[b])", &[(Code::JunkOutsideTree, 0)]),
        ("Hi :) (and) so on [x] (;A[b])", "(;A[b])", &[(Code::JunkOutsideTree, 0)]),
        ("(;A[b]) and (;C[d]) bye", "(;A[b])(;C[d])", &[(Code::JunkOutsideTree, 8), (Code::JunkOutsideTree, 20)]),
        ("x(A[b])", "(;A[b])", &[(Code::JunkOutsideTree, 0), (Code::MissingSemicolon, 2)]),
        ("((;A[b]))", "(;A[b])", &[(Code::JunkOutsideTree, 0), (Code::ExtraCloseParen, 8)]),
        ("(;A[b])()", "(;A[b])", &[(Code::JunkOutsideTree, 7)]),
        // A byte-order mark that is not the first thing in the stream.
        ("\n\u{FEFF}(;A[b])", "(;A[b])", &[(Code::JunkOutsideTree, 1)]),
    ]);
}

#[test]
fn one_byte_order_mark_is_accepted_without_a_word() {
    check(&[("\u{FEFF}(;A[b])", "(;A[b])", &[])]);
}

#[test]
fn a_stream_without_a_tree_is_an_error() {
    for input in ["", " \n", "\u{FEFF}", "no game", "(", "()", ";", "(A", "(A)", "(a[b])", "\0\0\0", "[;]", "(()"] {
        let seen = every_front_end(input.as_bytes(), &Parser::new());
        assert_eq!(seen.error.map(|(code, at)| (code, at.offset)), Some((Code::NoSgfData, 0)), "{input:?}");
        assert_eq!(seen.events, [], "{input:?}");
        assert!(every_front_end(input.as_bytes(), &Parser::strict()).error.is_some(), "{input:?}");
    }
}

#[test]
fn junk_inside_a_tree_is_skipped_and_ends_no_value_list() {
    check(&[
        ("(;A[b] ?! [c];D[e])", "(;A[b][c];D[e])", &[(Code::JunkInTree, 7)]),
        ("(;AW ww[bb] cc[pp])", "(;AW[bb][pp])", &[(Code::JunkInTree, 5), (Code::JunkInTree, 12)]),
        ("(;a[b])", "(;)", &[(Code::JunkInTree, 2), (Code::ValueWithoutIdent, 3)]),
        // One run, one report.
        ("(;A[b]%z3_q%;)", "(;A[b];)", &[(Code::JunkInTree, 6)]),
        ("(;\0A[b]\x07)", "(;A[b])", &[(Code::JunkInTree, 2), (Code::JunkInTree, 7)]),
    ]);
}

#[test]
fn control_characters_are_kept_in_values() {
    check(&[("(;A[\0\x07])", "(;A[\\x00\\x07])", &[])]);
}

#[test]
fn lower_case_letters_and_digits_stay_in_the_spelling() {
    check(&[
        ("(;CoPyright[x])", "(;CoPyright[x])", &[(Code::LowercaseInIdent, 2)]),
        ("(;thisisaWhitemove[kk])", "(;thisisaWhitemove[kk])", &[(Code::LowercaseInIdent, 2)]),
        ("(;P0[a]P1[b])", "(;P0[a]P1[b])", &[(Code::DigitInIdent, 2), (Code::DigitInIdent, 7)]),
        ("(;Ab1[a])", "(;Ab1[a])", &[(Code::LowercaseInIdent, 2), (Code::DigitInIdent, 2)]),
        // An identifier starts with a letter.
        ("(;1A[b])", "(;A[b])", &[(Code::JunkInTree, 2)]),
    ]);
}

#[test]
fn identifiers_without_values_and_values_without_identifiers_are_dropped() {
    check(&[
        ("(;A;B[c]D)", "(;;B[c])", &[(Code::PropertyWithoutValue, 2), (Code::PropertyWithoutValue, 8)]),
        ("(;A B[c])", "(;B[c])", &[(Code::PropertyWithoutValue, 2)]),
        ("(;[a][b]C[d])", "(;C[d])", &[(Code::ValueWithoutIdent, 2), (Code::ValueWithoutIdent, 5)]),
        ("(;A[b]()[c])", "(;A[b])", &[(Code::TreeWithoutNodes, 6), (Code::ValueWithoutIdent, 8)]),
    ]);
}

#[test]
fn white_space_may_stand_before_a_value() {
    check(&[("(;A \n [b]\t[c])", "(;A[b][c])", &[])]);
}

#[test]
fn a_missing_semicolon_is_assumed() {
    check(&[
        ("(A[b])", "(;A[b])", &[(Code::MissingSemicolon, 1)]),
        ("(;A[b](C[d]))", "(;A[b](;C[d]))", &[(Code::MissingSemicolon, 7)]),
        (
            "(;A[b](;C[d])E[f])",
            "(;A[b](;C[d])(;E[f]))",
            &[(Code::MissingSemicolon, 13), (Code::NodeAfterVariation, 13)],
        ),
    ]);
}

#[test]
fn trees_without_nodes_are_replaced_by_their_children() {
    check(&[
        ("(;A[b]())", "(;A[b])", &[(Code::TreeWithoutNodes, 6)]),
        ("(;A[b]();C[d])", "(;A[b];C[d])", &[(Code::TreeWithoutNodes, 6)]),
        ("(;A[b]((;C[d])(;E[f])))", "(;A[b](;C[d])(;E[f]))", &[(Code::TreeWithoutNodes, 6)]),
        ("(;A[b](()))", "(;A[b])", &[(Code::TreeWithoutNodes, 6), (Code::TreeWithoutNodes, 7)]),
        ("(;A[b](C;))", "(;A[b](;))", &[(Code::PropertyWithoutValue, 7)]),
    ]);
}

#[test]
fn a_node_after_a_variation_becomes_the_next_variation() {
    let after = Code::NodeAfterVariation;
    check(&[
        ("(;a(;v);b)", "(;(;)(;))", &[(Code::JunkInTree, 2), (Code::JunkInTree, 5), (after, 7), (Code::JunkInTree, 8)]),
        ("(;A[a](;V[v]);B[b];C[c])", "(;A[a](;V[v])(;B[b];C[c]))", &[(after, 13)]),
        // Such trees nest, and end together.
        ("(;A[a](;V[v]);B[b](;W[w]);C[c])(;)", "(;A[a](;V[v])(;B[b](;W[w])(;C[c])))(;)", &[(after, 13), (after, 25)]),
        // In a tree without nodes.
        ("(;A[a]((;V[v]);B[b])(;C[c]))", "(;A[a](;V[v])(;B[b])(;C[c]))", &[(Code::TreeWithoutNodes, 6), (after, 14)]),
    ]);
}

#[test]
fn what_a_repair_supplies_has_the_offset_of_what_made_it_necessary() {
    let seen = every_front_end(b"(;A[a](;V[v]);B[b])", &Parser::new());
    let structure =
        |event: &OwnedEvent| matches!(event, OwnedEvent::StartTree | OwnedEvent::Node | OwnedEvent::EndTree);
    let offsets: Vec<u64> = seen.events.iter().filter(|(_, event)| structure(event)).map(|(at, _)| *at).collect();
    // The implied tree and its node start at the `;`, and both trees end at the last `)`.
    assert_eq!(offsets, [0, 1, 6, 7, 12, 13, 13, 18, 18]);
}

#[test]
fn extra_close_parens_are_ignored() {
    check(&[
        ("(;A[b])) )(;C[d])", "(;A[b])(;C[d])", &[(Code::ExtraCloseParen, 7), (Code::ExtraCloseParen, 9)]),
        ("(;A[b])x)", "(;A[b])", &[(Code::JunkOutsideTree, 7)]),
    ]);
}

#[test]
fn the_end_of_the_data_closes_what_is_open() {
    check(&[
        ("(;A[b](;C[d]", "(;A[b](;C[d]))", &[(Code::UnclosedTree, 12)]),
        ("(;A[b](", "(;A[b])", &[(Code::TreeWithoutNodes, 6), (Code::UnclosedTree, 7)]),
        ("(;A[b]C[d", "(;A[b])", &[(Code::UnterminatedValue, 7), (Code::UnclosedTree, 9)]),
        ("(;A[b][d\\", "(;A[b])", &[(Code::UnterminatedValue, 6), (Code::UnclosedTree, 9)]),
        ("(;A", "(;)", &[(Code::PropertyWithoutValue, 2), (Code::UnclosedTree, 3)]),
    ]);
}

/// Sections, each of which is read as if it were all of the data. The data is cut before heads.
#[test]
fn data_are_cut_before_every_head() {
    const WHOLE: &[&[&str]] = &[
        // The six, in any spelling, with white space where the grammar has it.
        &["(;A[b]", "(;FF[4]"],
        &["(;A[b]", "(;GM[1]", "(;CA[x]", "(;AP[]", "(;SZ[19:19]", "(;ST[2]"],
        &["x\n", "( \t;\r\n GaMe \x0B [1] x"],
        // For any bytes before it.
        &["(;C[x", "(;FF[4]"],
        &["(;C[x\\", "(;FF[4]"],
        &["(;C[x]A", "(;FF[4]"],
        &["(", "(;FF[4]"],
        &["(;FF[", "(;FF[4]"],
        &["(;PB[x]PW[", "(;PB[x]PW[y];"],
        // Almost the six.
        &["x(;FF"],
        &["x(;FF["],
        &["x(;FF[4"],
        &["x(;FF[4\\]]"],
        &["x(;FF[4\n]"],
        &["x(;FF[4\r]"],
        &["x(;FF[[4]]"],
        &["x(;FF1[4]"],
        &["x(;FFF[4]"],
        &["x(;ff[4]"],
        &["x(;1FF[4]"],
        &["x(;FF x[4]"],
        &["x(;;FF[4]"],
        &["x(FF[4]"],
        &["x((FF[4]"],
        &["x(;C[y]FF[4];"],
        // A node that is a root: two of game information, or one and one of the six.
        &["(;A[b]", "(;PB[x]PW[y];"],
        &["(;A[b]", "(;PB[x]PW[y]("],
        &["(;A[b]", "(;PB[x]PW[y])"],
        &["(;A[b]", "(;EV[x]GM[1];"],
        &["(;A[b]", "(;PB[x]PW[y]"],
        &["(;A[b]", "(;PB[x]PW[y] \n"],
        &["(;A[b]C[c", "(;PB[x]PW[y]", "(;PB[x]PW[y]"],
        &["(;A[b]", "(;N[x]TE[y];"],
        &["(;A[b]", "(;RD[x][y] [z]\nC[c]AB[dd][pp]ID[i] ;"],
        &["(;A[b]", "(;PlayerBlack[x]ON[y];"],
        &["(;A[b]", "(;PB[\\]\\[\n]PW[y];"],
        &["(;A[b]", "(;PB[x]PB[y];"],
        &["(;A[b]", "(;PB[x]GM[1\\]];"],
        // The first two properties of a problem.
        &["(;A[b]C[c", "(;GE[joseki]DI[7k]DP[1]SO[x]CO[2]AB[aa]C[d"],
        &["(;A[b]", "(\n; GEnre [best move]\nDI [", "(;GE[]DI[;FF[4]"],
        &["(;A[b]", "(;GE[x]SO[y];"],
        &["x(;GE[x]DP[1]DI[7k]C["],
        &["x(;GE[x][y]DI[7k]C["],
        &["x(;GE[x\n]DI[7k]C["],
        &["x(;GE[x]DI;"],
        // Dice.
        &["(;A[b](;DI[33]CO[b];A[b])"],
        // Almost such a node.
        &["x(;PB[x];"],
        &["x(;PB[x]C[y];"],
        &["x(;C[x]PB[y]PW[z];"],
        &["x(;PB[x]"],
        &["x(;PB[x]PW["],
        &["x(;PB[x]PW;"],
        &["x(;PB PW[x]EV[y];"],
        &["x(;PB[x]PW[y]B[aa];"],
        &["x(;PB[x]White[aa]PW[y];"],
        &["x(;PB[x],PW[y];"],
        &["x(;PB[x]1PW[y];"],
        &["x(;PB[x[]PW[y];"],
        &["x(;PB[x]]PW[y];"],
        &["x(;PB[x\\]PW[y];"],
    ];
    for &pieces in WHOLE {
        let input = pieces.concat();
        let found: Vec<String> =
            naive::pieces(input.as_bytes()).into_iter().map(|piece| String::from_utf8_lossy(piece).into()).collect();
        assert_eq!(found, pieces, "{input:?}");
    }
}

#[test]
fn heads_have_so_many_bytes_and_no_more() {
    let count = |start: &str, filler: &str, len: usize, end: &str| {
        naive::heads(format!("x{start}{}{end}", filler.repeat(len)).as_bytes()).len()
    };
    for (start, filler, end, most) in [
        // A value of 64 bytes; 256 bytes in all.
        ("(;FF[", "4", "]", 64),
        ("(", " ", ";FF[4]", 256 - 7),
        ("(;", "\n", "FF[4]", 256 - 7),
        ("(;FF", "\t", "[4]", 256 - 7),
        ("(;GE[", "4", "]DI[", 64),
        ("(;GE[x]", "\n", "DI[", 256 - 10),
        // 512 bytes after the `(`, and as many in a value.
        ("(;PB[", "x", "]PW[];", 512 - 10),
        ("(;PB[x]PW[y]", " ", ";", 512 - 12),
        ("(;PB[x]PW[y]", " ", "(", 512 - 12),
        ("(;PB[x]PW[y]", "[]", ")", (512 - 12) / 2),
    ] {
        assert_eq!(count(start, filler, most, end), 1, "{start}…{end}");
        assert_eq!(count(start, filler, most + 1, end), 0, "{start}…{end}");
    }
}

#[test]
fn a_head_inside_a_game_ends_it() {
    let missing = Code::MissingCloseParen;
    check(&[
        ("(;A[b]\n(;FF[4])", "(;A[b])(;FF[4])", &[(missing, 7)]),
        ("(;A[b](;FF[4])", "(;A[b])(;FF[4])", &[(missing, 6)]),
        ("(;A[b](;C[d]\r \t( ;\n GM [1])", "(;A[b](;C[d]))(;GM[1])", &[(missing, 15)]),
        ("(;A[b](;C[d]x( ;\n GM [1])", "(;A[b](;C[d]))(;GM[1])", &[(Code::JunkInTree, 12), (missing, 13)]),
        ("(;A[b](;PB[x]PW[y];C[d])", "(;A[b])(;PB[x]PW[y];C[d])", &[(missing, 6)]),
        ("(;A[b](;N[x]TE[y];C[d])", "(;A[b])(;N[x]TE[y];C[d])", &[(missing, 6)]),
        // It had no `)` too few.
        ("(;A[b](;FF[4]))", "(;A[b])(;FF[4])", &[(missing, 6), (Code::ExtraCloseParen, 14)]),
        // What is open ends as it does at the end of the data.
        ("(;A[b]C(;FF[4])", "(;A[b])(;FF[4])", &[(Code::PropertyWithoutValue, 6), (missing, 7)]),
        ("(;A[b]((;FF[4])", "(;A[b])(;FF[4])", &[(Code::TreeWithoutNodes, 6), (missing, 7)]),
        ("(;A[b](;V[v];C[d]\n(;FF[4])(;)", "(;A[b](;V[v];C[d]))(;FF[4])(;)", &[(missing, 18)]),
        // Another identifier; something in between; too little game information, or a move.
        ("(;A[b]\n(;B[cc]))", "(;A[b](;B[cc]))", &[]),
        ("(;A[b]\n(;;FF[4]))", "(;A[b](;;FF[4]))", &[]),
        ("(;A[b]\n(;FF x[4]))", "(;A[b](;FF[4]))", &[(Code::JunkInTree, 12)]),
        ("(;A[b]\n(;FF", "(;A[b](;))", &[(Code::PropertyWithoutValue, 9), (Code::UnclosedTree, 11)]),
        ("(;A[b](;N[x];C[d]))", "(;A[b](;N[x];C[d]))", &[]),
        ("(;A[b](;N[x]TE[1]B[cc];C[d]))", "(;A[b](;N[x]TE[1]B[cc];C[d]))", &[]),
    ]);
    for ident in ["FF", "GM", "CA", "AP", "SZ", "ST"] {
        let input = format!("(;A[b](;{ident}[4])");
        check(&[(&input, &format!("(;A[b])(;{ident}[4])"), &[(missing, 6)])]);
    }
}

#[test]
fn a_head_ends_what_is_too_deep_or_too_long() {
    for (input, read, findings) in [
        (
            "(;A[b](;B[c](;C[d\n(;FF[4])",
            "(;A[b])(;FF[4])",
            &[(Code::TreeTooDeep, 6), (Code::MissingCloseBracket, 15)][..],
        ),
        ("(;A[b](;B[c](;C[d](;FF[4])", "(;A[b])(;FF[4])", &[(Code::TreeTooDeep, 6), (Code::MissingCloseParen, 18)]),
        ("(;A[long cut(;FF[4])", "(;)(;FF[4])", &[(Code::ValueTooLong, 3), (Code::MissingCloseBracket, 3)]),
    ] {
        let seen = every_front_end(input.as_bytes(), &Parser::new().max_depth(1).max_value_len(3));
        let found: Vec<(Code, u64)> = seen.findings.iter().map(|(code, at)| (*code, at.offset)).collect();
        assert_eq!((written(&seen, BRACKETS).as_str(), &found[..]), (read, findings), "{input:?}");
    }
}

#[test]
fn a_value_that_a_head_cuts_off_is_dropped() {
    check(&[
        ("(;A[b]C[cut\n(;FF[4]GM[1])", "(;A[b])(;FF[4]GM[1])", &[(Code::MissingCloseBracket, 7)]),
        ("(;A[b]C[cut(;FF[4]GM[1])", "(;A[b])(;FF[4]GM[1])", &[(Code::MissingCloseBracket, 7)]),
        ("(;A[b]C[cut(;EV[x]PB[y];B[aa])", "(;A[b])(;EV[x]PB[y];B[aa])", &[(Code::MissingCloseBracket, 7)]),
        ("(;C[cut\r\n (;\nFF [4])", "(;)(;FF[4])", &[(Code::MissingCloseBracket, 3)]),
        ("(;C[cut \\(;FF[4])", "(;)(;FF[4])", &[(Code::MissingCloseBracket, 3)]),
        ("(;C[[cut (;FF[4])", "(;)(;FF[4])", &[(Code::MissingCloseBracket, 3)]),
        ("(;A[b][cut(;FF[4])", "(;A[b])(;FF[4])", &[(Code::MissingCloseBracket, 6)]),
        // A value that ends in time is none of these, nor is a text about files that is escaped.
        ("(;C[not cut](;FF[4])", "(;C[not cut])(;FF[4])", &[(Code::MissingCloseParen, 12)]),
        ("(;C[see (;FF[4\\]])", "(;C[see (;FF[4\\\\]])", &[]),
        ("(;C[see (;FF\\[4\\]])", "(;C[see (;FF\\\\[4\\\\]])", &[]),
    ]);
    // Neither is a head in charsets of two-byte characters, nor in one of their characters.
    for (input, read) in [
        (&b"(;CA[GBK]C[\x81(;FF[4])"[..], "(;CA[GBK])(;FF[4])"),
        (b"(;CA[Shift_JIS]C[\x83\x5C(;PB[x]PW[y];B[aa])", "(;CA[Shift_JIS])(;PB[x]PW[y];B[aa])"),
    ] {
        let seen = every_front_end(input, &Parser::new());
        assert_eq!(written(&seen, BRACKETS), read);
        assert_eq!(seen.findings[0].0, Code::MissingCloseBracket);
    }
}

#[test]
fn an_unescaped_bracket_is_text_where_no_sgf_follows() {
    check(&[
        ("(;PB[Foo [3d]]PW[x])", "(;PB[Foo [3d]]PW[x])", &[(Code::UnescapedBracket, 12)]),
        ("(;C[a [b] c [d] e])", "(;C[a [b] c [d] e])", &[(Code::UnescapedBracket, 8), (Code::UnescapedBracket, 14)]),
        // SGF follows: the grammar's rule.
        ("(;C[a [b];D[e])", "(;C[a [b];D[e])", &[]),
        ("(;C[a [b]\n)", "(;C[a [b])", &[]),
    ]);
}

#[test]
fn an_unescaped_bracket_is_text_where_the_text_goes_on() {
    check(&[
        ("(;C[ok] ;)];W[pp])", "(;C[ok] ;)];W[pp])", &[(Code::UnescapedBracket, 6)]),
        ("(;C[RIGHT so ] so! wirklich?])", "(;C[RIGHT so ] so! wirklich?])", &[(Code::UnescapedBracket, 13)]),
        ("(;C[a] b]PW[x])", "(;C[a] b]PW[x])", &[(Code::UnescapedBracket, 5)]),
        ("(;C[a] b\\] c\\\\]PW[x])", "(;C[a] b\\\\] c\\\\\\\\]PW[x])", &[(Code::UnescapedBracket, 5)]),
        ("(;C[a] b]", "(;C[a] b])", &[(Code::UnescapedBracket, 5), (Code::UnclosedTree, 9)]),
        (
            "(;C[a] b] ;) c];B[dd])",
            "(;C[a] b] ;) c];B[dd])",
            &[(Code::UnescapedBracket, 5), (Code::UnescapedBracket, 8)],
        ),
        // SGF follows at once, or there is another value.
        ("(;W[nq];B x];W[mq])", "(;W[nq];;W[mq])", &[(Code::JunkInTree, 10), (Code::PropertyWithoutValue, 8)]),
        ("(;C[a] ; b];W[mq])", "(;C[a];;W[mq])", &[(Code::JunkInTree, 9)]),
        ("(;C[a]) b])", "(;C[a])", &[(Code::JunkOutsideTree, 8)]),
        ("(;C[a]PB[b]x];W[mq])", "(;C[a]PB[b]x];W[mq])", &[(Code::UnescapedBracket, 10)]),
        ("(;A[b] ?! [c];D[e])", "(;A[b][c];D[e])", &[(Code::JunkInTree, 7)]),
        // No text; a line break; and no SGF after the next bracket.
        ("(;C[a]];B[dd])", "(;C[a];B[dd])", &[(Code::JunkInTree, 6)]),
        ("(;C[a] ];B[dd])", "(;C[a];B[dd])", &[(Code::JunkInTree, 7)]),
        ("(;C[a] b\n c];B[dd])", "(;C[a];B[dd])", &[(Code::JunkInTree, 7), (Code::JunkInTree, 10)]),
        ("(;C[a] b\\\nc];B[dd])", "(;C[a];B[dd])", &[(Code::JunkInTree, 7), (Code::JunkInTree, 10)]),
        ("(;C[a] b] c];B[dd])", "(;C[a];B[dd])", &[(Code::JunkInTree, 7), (Code::JunkInTree, 10)]),
        ("(;C[a] b", "(;C[a])", &[(Code::JunkInTree, 7), (Code::UnclosedTree, 8)]),
    ]);
    for (len, code) in [(256, Code::UnescapedBracket), (257, Code::JunkInTree)] {
        let seen = every_front_end(format!("(;C[a]{}];B[dd])", "x".repeat(len)).as_bytes(), &Parser::new());
        assert_eq!(seen.findings.iter().map(|found| found.0).collect::<Vec<_>>(), [code], "{len} bytes");
    }
    // Second bytes are neither brackets nor escapes.
    let seen = every_front_end(b"(;CA[GBK]C[\xB9\xC5] \x81]\x81[\x81\\];B[dd])", &Parser::new());
    assert_eq!(written(&seen, BRACKETS), r"(;CA[GBK]C[\xb9\xc5] \x81]\x81[\x81\\];B[dd])");
    assert_eq!(
        seen.findings.iter().map(|(code, at)| (*code, at.offset)).collect::<Vec<_>>(),
        [(Code::UnescapedBracket, 13)]
    );
}

/// As a program does that has so many bytes for a name. Strict parsing takes the charset at its word.
#[test]
fn a_text_that_is_cut_in_a_character_ends_where_sgf_goes_on() {
    for (input, read, at) in [
        (&b"(;CA[GBK]PB[\xB9\xC5\xC1];B[pd])"[..], r"(;CA[GBK]PB[\xb9\xc5\xc1];B[pd])", 14),
        (b"(;CA[GBK]PB[\xC1]PW[a])", r"(;CA[GBK]PB[\xc1]PW[a])", 12),
        (b"(;CA[Big5];C[\xB9])\n(;B[cc])", r"(;CA[Big5];C[\xb9])(;B[cc])", 13),
        (b"(;CA[GB2312]PB[\xE5\x9B\xB4\xE6\xA3]\nPW[a])", r"(;CA[GB2312]PB[\xe5\x9b\xb4\xe6\xa3]PW[a])", 19),
    ] {
        let seen = every_front_end(input, &Parser::new());
        let found: Vec<(Code, u64)> = seen.findings.iter().map(|(code, position)| (*code, position.offset)).collect();
        assert_eq!((written(&seen, BRACKETS).as_str(), found), (read, vec![(Code::CutCharacter, at)]));
    }
}

#[test]
fn what_exceeds_a_limit_is_dropped_and_the_game_goes_on() {
    let parser = |mode: fn() -> Parser| mode().max_value_len(3).max_ident_len(2).max_depth(2);
    for (input, read, code, at) in [
        ("(;A[abc]B[abcd]C[d])", "(;A[abc]C[d])", Code::ValueTooLong, 9),
        ("(;A[abcd][e])", "(;A[e])", Code::ValueTooLong, 3),
        ("(;AB[a]ABC[b]D[e])", "(;AB[a]D[e])", Code::IdentTooLong, 7),
        ("(;(;A[b](;C[d](;))E[f])G[h])", "", Code::TreeTooDeep, 8),
        ("(;(;A[b])(;C[d](;E[f])))", "(;(;A[b])(;C[d]))", Code::TreeTooDeep, 15),
    ] {
        let lenient = every_front_end(input.as_bytes(), &parser(Parser::new));
        assert!(lenient.findings.iter().any(|(c, p)| (*c, p.offset) == (code, at)), "{input:?}: {lenient:?}");
        if !read.is_empty() {
            assert_eq!(written(&lenient, BRACKETS), read, "{input:?}");
        }
        let strict = every_front_end(input.as_bytes(), &parser(Parser::strict));
        assert_eq!(strict.error.map(|(c, p)| (c, p.offset)), Some((code, at)), "{input:?}");
    }
}

#[test]
fn limits_hold_at_exactly_one_more() {
    const N: usize = 300;
    let value = |len| format!("(;C[{}];B[aa])", "x".repeat(len));
    let ident = |len| format!("(;{}[a];B[aa])", "X".repeat(len));
    let tree = |depth| format!("{}{}", "(;B[aa]".repeat(depth), ")".repeat(depth));
    let limits = |mode: fn() -> Parser| mode().max_value_len(N).max_ident_len(N).max_depth(N);
    for (make, code) in [
        (&value as &dyn Fn(usize) -> String, Code::ValueTooLong),
        (&ident, Code::IdentTooLong),
        (&tree, Code::TreeTooDeep),
    ] {
        let (n, one_more) = (make(N), make(N + 1));
        for mode in [Parser::new, Parser::strict] {
            let seen = every_front_end(n.as_bytes(), &limits(mode));
            assert_eq!((seen.findings.len(), seen.error), (0, None), "{code}");
            assert_eq!(written(&seen, BRACKETS), n, "{code}");
        }
        let lenient = every_front_end(one_more.as_bytes(), &limits(Parser::new));
        assert_eq!(lenient.findings.iter().map(|f| f.0).collect::<Vec<_>>(), [code]);
        let strict = every_front_end(one_more.as_bytes(), &limits(Parser::strict));
        assert_eq!(strict.error.map(|error| error.0), Some(code));
    }
}

#[test]
fn strict_errors_say_what_was_expected_and_where() {
    for (input, code, line, column) in [
        ("x(;)", Code::JunkOutsideTree, 1, 1),
        ("(;)\n)", Code::ExtraCloseParen, 2, 1),
        ("(;)\r\n()", Code::TreeWithoutNodes, 2, 1),
        ("((;A[b]))", Code::TreeWithoutNodes, 1, 1),
        ("(A[b])", Code::MissingSemicolon, 1, 2),
        ("(;A[b](C;))", Code::MissingSemicolon, 1, 8),
        ("(;A b[c])", Code::JunkInTree, 1, 5),
        ("(;PB[Foo [3d]])", Code::JunkInTree, 1, 14),
        ("(;Ab[c])", Code::LowercaseInIdent, 1, 3),
        ("(;A1[c])", Code::DigitInIdent, 1, 3),
        ("(;A\n\n;B[c])", Code::PropertyWithoutValue, 1, 3),
        ("(;\n[c])", Code::ValueWithoutIdent, 2, 1),
        ("(;(;)\n;A[b])", Code::NodeAfterVariation, 2, 1),
        ("(;A[b\n]C[d\n", Code::UnterminatedValue, 2, 3),
        ("(;A[b]\n", Code::UnclosedTree, 2, 1),
    ] {
        let (found, position) = every_front_end(input.as_bytes(), &Parser::strict()).error.unwrap();
        assert_eq!((found, position.line, position.column), (code, line, column), "{input:?}");
        let message = Parser::strict().each_event(input.as_bytes(), |_, _| {}).unwrap_err().to_string();
        let expected = code.expected().replace("the identifier", "`A`");
        assert!(message.contains(&expected) && message.contains(&position.to_string()), "{message}");
    }
}

#[test]
fn every_code_is_met_by_a_test_here() {
    // A code that is added wants a row above; this names them all once.
    // Code::UnknownCharset, Code::CharsetMismatch and Code::BadBytes are about texts: conformance/encoding.rs and
    // charset/mod.rs meet them. Code::NodeTooLong is about records: record.rs. Code::ExtraValues and
    // Code::InvalidField are about Rust values: serde_de/mapping.rs and serde_de/absent.rs. Code::GameTooLong is
    // about games that are kept whole: codec/limits.rs.
    for code in Code::ALL {
        let source = include_str!("recovery.rs");
        assert!(source.contains(&format!("Code::{code:?}")), "{code:?} has no row");
    }
}
