//! Real games: everything is counted, and the positions of each game are those of its moves.

use std::path::Path;

use sgf_stream::Parser;
use sgf_table::{Table, TableBuilder};
use sgf_training::Positions;

#[test]
fn all_games_of_the_corpus_are_used_or_counted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/copyleft");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    let mut reader = Positions::new([&folder]).shuffle(10_000).threads(2).read().unwrap();
    let mut positions = 0;
    while let Some(batch) = reader.next_batch() {
        positions += batch.len();
        assert!(batch.next_move.iter().all(|at| (0..=361).contains(at)));
    }
    let counts = *reader.skipped();
    eprintln!("{positions} positions, {counts:?}, {:?}", reader.errors());
    let mut games = 0;
    let table = TableBuilder::new(&Parser::new(), Table::Games).columns(["offset"]).unwrap();
    for path in reader.files() {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let mut rows = table.rows(Parser::new().charset(Default::default()).reader(&bytes[..]));
        while rows.next_game(|_| games += 1).unwrap_or(false) {}
    }
    // Files in UTF-16 are read by the reader alone.
    assert!(counts.games() >= games && counts.games() - games < 20, "{games}: {counts:?}");
    assert!(positions > 100 * counts.used as usize / 2);
}
