use super::*;

fn odd(range: Range<usize>, code: Code, kind: OddKind) -> Odd {
    Odd { range, code, kind }
}

fn document(source: &[u8], odd: Vec<Odd>, games: Vec<Range<usize>>) -> Document<'_> {
    Document { source, odd, games, faults: Vec::new(), refused: None }
}

/// Returns the odd places of a piece.
fn read(source: &[u8]) -> Vec<(Range<usize>, Code, OddKind)> {
    let odd = Document::read(&Parser::new(), source).odd;
    odd.into_iter().map(|odd| (odd.range, odd.code, odd.kind)).collect()
}

#[test]
fn a_game_has_the_odd_places_from_its_start_to_its_end() {
    let junk = |range| odd(range, Code::JunkInTree, OddKind::Skipped);
    let places = vec![
        junk(0..3),
        odd(3..3, Code::MissingSemicolon, OddKind::Supplied(b';')),
        junk(5..8),
        odd(8..8, Code::UnclosedTree, OddKind::Supplied(b')')),
        junk(8..9),
        odd(10..12, Code::DigitInIdent, OddKind::Digits),
    ];
    let (first, second) = (3..8, 10..12);
    let document = document(b"", places.clone(), vec![first.clone(), second.clone()]);
    assert!(document.odd_in(&first).eq(&places[1..4]));
    assert!(document.odd_in(&second).eq(&places[5..]));
    assert!(document.is_odd(&first));
    assert!(!document.is_odd(&second), "a spelling");
    let at: Vec<_> = [2, 3, 9, 10, 20].into_iter().map(|at| document.game_at(at)).collect();
    assert_eq!(at, [None, Some(0), Some(0), Some(1), Some(1)]);
}

#[test]
fn a_text_goes_with_its_white_space_and_brackets_do_not() {
    let skipped = |range, code| odd(range, code, OddKind::Skipped);
    let (junk, paren, empty) = (Code::JunkInTree, Code::ExtraCloseParen, Code::TreeWithoutNodes);
    let escape = |at| odd(at..at, Code::UnescapedBracket, OddKind::Escape(b'\\'));
    let mut document = document(
        b"aa bb c)) ()",
        vec![
            skipped(6..7, junk),
            skipped(0..2, junk),
            skipped(3..5, junk),
            escape(4),
            escape(7),
            skipped(7..8, paren),
            skipped(8..9, paren),
            skipped(10..11, empty),
            skipped(11..12, empty),
        ],
        Vec::new(),
    );
    document.settle();
    let expected = [
        skipped(0..7, junk),
        escape(7),
        skipped(7..8, paren),
        skipped(8..9, paren),
        skipped(10..11, empty),
        skipped(11..12, empty),
    ];
    assert_eq!(document.odd, expected);
}

#[test]
fn odd_places_say_what_is_missing_and_what_is_dropped() {
    use OddKind::{Digits, Escape, Misplaced, Skipped, Supplied};
    for (source, expected) in [
        (&b"(;B[aa])"[..], vec![]),
        (b"(B[aa])", vec![(1..1, Code::MissingSemicolon, Supplied(b';'))]),
        (b"(;B[aa] \n", vec![(7..7, Code::UnclosedTree, Supplied(b')'))]),
        (b"(;C[a [b] c])", vec![(8..8, Code::UnescapedBracket, Escape(b'\\'))]),
        (b"(;CA[GBK]C[\xB9])", vec![(12..12, Code::CutCharacter, Escape(b' '))]),
        (
            b"(;B[aa](;W[bb]);W[cc])",
            vec![
                (15..15, Code::NodeAfterVariation, Supplied(b'(')),
                (22..22, Code::NodeAfterVariation, Supplied(b')')),
            ],
        ),
        (b"(;P0[x][y])", vec![(2..10, Code::DigitInIdent, Digits)]),
        (b"(;AB[aa]?[bb])", vec![(8..9, Code::JunkInTree, Skipped)]),
        (
            b"(;AB[aa]foo [bb] [cc])",
            vec![
                (8..11, Code::JunkInTree, Skipped),
                (12..16, Code::JunkInTree, Misplaced),
                (17..21, Code::JunkInTree, Misplaced),
            ],
        ),
        (b"(;AB[aa]foo;AW[bb])", vec![(8..11, Code::JunkInTree, Skipped)]),
        (
            b"mail \n (;B[aa])) x",
            vec![
                (0..4, Code::JunkOutsideTree, Skipped),
                (15..16, Code::ExtraCloseParen, Skipped),
                (17..18, Code::JunkOutsideTree, Skipped),
            ],
        ),
    ] {
        assert_eq!(read(source), expected, "{}", source.escape_ascii());
    }
}

#[test]
fn a_piece_with_more_odd_places_than_are_repaired_is_refused() {
    let source = [&b"(;B[aa])"[..], &vec![b')'; MOST_ODD + 1]].concat();
    let document = Document::read(&Parser::new(), &source[..source.len() - 1]);
    assert_eq!((document.odd.len(), document.has_too_many(), document.refused), (MOST_ODD, false, None));
    let document = Document::read(&Parser::new(), &source);
    assert!(document.has_too_many());
    assert_eq!(document.refused.map(|fault| fault.code), Some(Code::GameTooLong));
}
