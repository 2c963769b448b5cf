use super::super::Rewriter;
use super::*;

type Told = (Fate, &'static str, Range<u64>);

fn notes(rewriter: &Rewriter, source: &str) -> Vec<Told> {
    let (_, rewritten) = rewriter.rewrite_slice(source.as_bytes());
    rewritten.notes().iter().map(|note| (note.fate, note.code, note.range.clone())).collect()
}

#[test]
fn each_repair_is_noted_once_at_its_first_byte() {
    use Fate::{Dropped, Left, Repaired};
    let exact = Parser::new().rewriter();
    for (source, expected) in [
        ("(;B[aa])", vec![]),
        ("(;B[aa]\n(;FF[4]", vec![(Repaired, "missing-close-paren", 8..9), (Repaired, "unclosed-tree", 15..16)]),
        (
            "(;C[a [b] c][d [e] f])",
            vec![(Repaired, "unescaped-bracket", 8..9), (Repaired, "unescaped-bracket", 17..18)],
        ),
        (
            "(B[aa](;W[bb]);W[cc])",
            vec![(Repaired, "missing-semicolon", 1..2), (Repaired, "node-after-variation", 14..15)],
        ),
        ("mail (;B[aa]", vec![(Left, "junk-outside-tree", 0..4), (Repaired, "unclosed-tree", 12..13)]),
        ("(;C[a\n(;FF[4]C[b", vec![]),
    ] {
        assert_eq!(notes(&exact, source), expected, "{source}");
    }
    let lossy = exact.lossy(true);
    for (source, expected) in [("mail (;B[aa]?;W[bb]", vec![(Dropped, "junk-outside-tree", 0..4)])] {
        assert_eq!(notes(&lossy, source), expected, "{source}");
    }
}

#[test]
fn a_piece_that_exceeds_a_limit_is_left_with_a_note_of_one_byte() {
    let rewriter = Parser::new().max_value_len(4).rewriter();
    assert_eq!(notes(&rewriter, "(;C[a long text]"), [(Fate::Left, "value-too-long", 3..4)]);
}
