use std::ops::Range;

use sgf_stream::{Code, Parser};

use super::{Document, MOST_ODD, Odd, OddKind};

fn read(source: &[u8]) -> Document<'_> {
    Document::read(&Parser::new(), source)
}

/// Returns the range of an odd place, its rule, and what is odd.
fn shown(Odd { range, code, kind }: &Odd) -> String {
    let kind = match kind {
        OddKind::Skipped => "skipped".to_owned(),
        OddKind::Supplied(byte) => format!("supplied {}", char::from(*byte)),
        OddKind::Escape(byte) => format!("escape {:?}", char::from(*byte)),
        OddKind::Cut(cut) => format!("cut {:?} {}", cut.ident, cut.closer.escape_ascii()),
        OddKind::CutEmpty => "cut, empty".to_owned(),
        OddKind::Misplaced => "misplaced".to_owned(),
        OddKind::Digits => "digits".to_owned(),
    };
    format!("{range:?} {} {kind}", code.as_str())
}

#[test]
fn odd_places_are_those_that_the_parser_mends() {
    for (source, games, odd) in ODD {
        let document = read(source);
        assert_eq!(document.games, *games, "{}", source.escape_ascii());
        assert_eq!(document.odd.iter().map(shown).collect::<Vec<_>>(), *odd, "{}", source.escape_ascii());
        assert!(document.refused.is_none() && document.cut().is_none_or(|(range, _)| source[range].starts_with(b"[")));
    }
}

/// A source, the ranges of its games, and its odd places.
type Case = (&'static [u8], &'static [Range<usize>], &'static [&'static str]);

#[expect(clippy::single_range_in_vec_init, reason = "most have one game")]
const ODD: &[Case] = &[
    (b"mail", &[], &["0..4 junk-outside-tree skipped"]),
    (b"(;B[aa])", &[0..8], &[]),
    (b"(;B[aa]", &[0..7], &["7..7 unclosed-tree supplied )"]),
    (b"(;B[aa] \n", &[0..7], &["7..7 unclosed-tree supplied )"]),
    (b"(;(;B[aa] ", &[0..9], &["9..9 unclosed-tree supplied )", "9..9 unclosed-tree supplied )"]),
    (
        b"(;a(;B[aa]);W[bb])",
        &[0..18],
        &[
            "2..3 junk-in-tree skipped",
            "11..11 node-after-variation supplied (",
            "18..18 node-after-variation supplied )",
        ],
    ),
    (
        b"(;(;B[aa]);W[bb] ",
        &[0..16],
        &[
            "10..10 node-after-variation supplied (",
            "16..16 node-after-variation supplied )",
            "16..16 unclosed-tree supplied )",
        ],
    ),
    (
        b"(;(;B[aa];(;B[cc]);W[bb]) )",
        &[0..27],
        &["18..18 node-after-variation supplied (", "25..25 node-after-variation supplied )"],
    ),
    (b"(B[aa])", &[0..7], &["1..1 missing-semicolon supplied ;"]),
    (
        b"(;B[aa](;W[bb])C[x])",
        &[0..20],
        &[
            "15..15 node-after-variation supplied (",
            "15..15 missing-semicolon supplied ;",
            "20..20 node-after-variation supplied )",
        ],
    ),
    (
        b"a b (;B[aa]) c\n d (;W[bb]) ",
        &[4..12, 18..26],
        &["0..3 junk-outside-tree skipped", "13..17 junk-outside-tree skipped"],
    ),
    (
        b"(;a b [x] c B[aa])",
        &[0..18],
        &["2..5 junk-in-tree skipped", "6..9 value-without-ident skipped", "10..11 junk-in-tree skipped"],
    ),
    (
        b"(;a b [x]  [y] KO)",
        &[0..18],
        &["2..5 junk-in-tree skipped", "6..14 value-without-ident skipped", "15..17 property-without-value skipped"],
    ),
    (
        b"(;())()B[aa]())))",
        &[0..5],
        &["2..3 tree-without-nodes skipped", "3..4 tree-without-nodes skipped", "5..17 junk-outside-tree skipped"],
    ),
    (
        b"(;B[aa]()())",
        &[0..12],
        &[
            "7..8 tree-without-nodes skipped",
            "8..9 tree-without-nodes skipped",
            "9..10 tree-without-nodes skipped",
            "10..11 tree-without-nodes skipped",
        ],
    ),
    (
        b"(;AB[aa]foo[bb][cc]AW[dd])",
        &[0..26],
        &["8..11 junk-in-tree skipped", "11..15 junk-in-tree misplaced", "15..19 junk-in-tree misplaced"],
    ),
    (
        b"(;AB[aa]foo \n[bb] [cc]",
        &[0..22],
        &[
            "8..11 junk-in-tree skipped",
            "13..17 junk-in-tree misplaced",
            "18..22 junk-in-tree misplaced",
            "22..22 unclosed-tree supplied )",
        ],
    ),
    (b"(;AB[aa]foo;B[bb])", &[0..18], &["8..11 junk-in-tree skipped"]),
    (b"(;AB[aa]foo C[bb])", &[0..18], &["8..11 junk-in-tree skipped"]),
    (b"(;AB[aa] = [bb])", &[0..16], &["9..10 junk-in-tree skipped"]),
    (b"(;AB[aa]foo = [bb])", &[0..19], &["8..13 junk-in-tree skipped"]),
    (b"(;P0[x][y]Q1[z]B[aa][bb])", &[0..25], &["2..10 digit-in-ident digits", "10..15 digit-in-ident digits"]),
    (
        b"(;P0[x]foo[y][z])",
        &[0..17],
        &[
            "2..7 digit-in-ident digits",
            "7..10 junk-in-tree skipped",
            "10..13 junk-in-tree misplaced",
            "13..16 junk-in-tree misplaced",
        ],
    ),
    (b"(;P0[x](;B[aa][bb]))", &[0..20], &["2..7 digit-in-ident digits"]),
    (b"(;C[a]b]B[cc])", &[0..14], &["5..5 unescaped-bracket escape '\\\\'"]),
    (b"(;[a]b]B[cc])", &[0..13], &["2..7 value-without-ident skipped"]),
    (b"(;C[a [3d]]PW[x])", &[0..17], &["9..9 unescaped-bracket escape '\\\\'"]),
    (b"(;C[cut", &[0..7], &["3..7 unterminated-value cut Some(2..3) ]", "7..7 unclosed-tree supplied )"]),
    (b"(;C[cut\\", &[0..8], &["3..8 unterminated-value cut Some(2..3) \\\\]", "8..8 unclosed-tree supplied )"]),
    (b"(;C[x][cut", &[0..10], &["6..10 unterminated-value cut None ]", "10..10 unclosed-tree supplied )"]),
    (b"(;B[", &[0..4], &["2..4 unterminated-value cut, empty", "4..4 unclosed-tree supplied )"]),
    (b"(;B[aa][ ", &[0..9], &["7..9 unterminated-value cut, empty", "9..9 unclosed-tree supplied )"]),
    (b"(;White[ ", &[0..9], &["2..9 unterminated-value cut, empty", "9..9 unclosed-tree supplied )"]),
    (b"(;AB[ \n", &[0..7], &["4..7 unterminated-value cut Some(2..4) ]", "7..7 unclosed-tree supplied )"]),
    (b"(;KO[", &[0..5], &["4..5 unterminated-value cut Some(2..4) ]", "5..5 unclosed-tree supplied )"]),
    (
        b"(;AB[aa]foo[cut",
        &[0..15],
        &["8..11 junk-in-tree skipped", "11..15 junk-in-tree misplaced", "15..15 unclosed-tree supplied )"],
    ),
    (
        b"(;foo[cut",
        &[0..2],
        &["2..5 junk-in-tree skipped", "5..9 value-without-ident skipped", "9..9 unclosed-tree supplied )"],
    ),
    (
        b"(;FOO P0[cut",
        &[0..12],
        &[
            "2..5 property-without-value skipped",
            "8..12 unterminated-value cut Some(6..8) ]",
            "12..12 unclosed-tree supplied )",
        ],
    ),
    (b"(;CA[GBK]C[a\xb9])", &[0..15], &["13..13 cut-character escape ' '"]),
    (b"(;C[x];)](A[y])", &[0..8, 9..15], &["8..9 junk-outside-tree skipped", "10..10 missing-semicolon supplied ;"]),
];

#[test]
fn a_piece_is_sound_where_a_strict_reader_takes_it() {
    for (source, is_sound, is_odd) in [
        (&b"(;B[aa])"[..], true, false),
        (b"(;P0[x])", true, false),
        (b"(;P0[x] foo)", false, true),
        (b"(;B[aa]", false, true),
        (b"(;B[aa]) foo", false, false),
        (b"(;C[a]b]W[x])", false, true),
    ] {
        let document = read(source);
        assert_eq!(
            (document.is_sound(), document.is_odd(&document.games[0])),
            (is_sound, is_odd),
            "{:?}",
            document.odd
        );
    }
    let refused = Document::read(&Parser::new().max_value_len(1), b"(;C[ab];B[cd])");
    assert!(!refused.is_sound() && refused.odd.iter().all(|odd| odd.kind == OddKind::Skipped));
    assert_eq!(refused.refused.map(|fault| (fault.code, fault.at)), Some((Code::ValueTooLong, 3)));
}

#[test]
fn an_odd_place_belongs_to_the_game_around_it() {
    let document = read(b"x (;a B[aa]) y (;B[aa]b C[cc]) d");
    assert_eq!(document.games, [2..12, 15..30]);
    let odd_in = |game: usize| document.odd_in(&document.games[game]).map(|odd| odd.range.clone()).collect::<Vec<_>>();
    assert_eq!([odd_in(0), odd_in(1)].concat(), [4..5, 22..23]);
    assert_eq!(odd_in(0).len(), 1);
    let games = [0, 1, 2, 3, 12, 14, 15, 16, 32].map(|at| document.game_at(at));
    let (first, second) = (Some(0), Some(1));
    assert_eq!(games, [None, None, first, first, first, first, second, second, second]);
}

#[test]
fn faults_are_counted_per_rule() {
    let counts = read(b"(;a B[aa]b(;c[x]P0[x]").counts();
    let counts: Vec<_> = counts.into_iter().map(|(code, count)| (code.as_str(), count)).collect();
    assert_eq!(counts, [("junk-in-tree", 3), ("digit-in-ident", 1), ("value-without-ident", 1), ("unclosed-tree", 1)]);
}

#[test]
fn a_piece_with_too_many_odd_places_is_refused() {
    // Each has two brackets that go.
    let source = |trees: usize, end: &[u8]| [b"(;", &b"()".repeat(trees)[..], end].concat();
    for (trees, end, is_refused, len) in [
        (MOST_ODD / 2, &b")"[..], false, MOST_ODD),
        (MOST_ODD / 2, b"x)", true, MOST_ODD + 1),
        (MOST_ODD / 2 + 9, b"x)", true, MOST_ODD + 1),
    ] {
        let source = source(trees, end);
        let document = read(&source);
        assert_eq!((document.has_too_many(), document.odd.len()), (is_refused, len));
        assert_eq!(document.refused.map(|fault| fault.code), is_refused.then_some(Code::GameTooLong));
        assert!(document.faults.len() <= MOST_ODD + 1);
    }
}
