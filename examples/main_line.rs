//! Reads the moves of an archive's games as Rust values: prints the most frequent first moves and the number of
//! stones. Variations are skipped.
//!
//! ```sh
//! cargo run --release --example main_line -- archive.sgf
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::Deserialize;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::{Parser, Reader};

/// A node, represented by the first of these properties in it.
#[derive(Deserialize)]
enum Step {
    B(Move),
    W(Move),
    /// A node without a move: the root, a setup, a comment.
    #[serde(other)]
    Other,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: main_line FILE")?;
    first_moves(Parser::new().open(path)?, io::stdout())
}

pub(crate) fn first_moves<R: BufRead>(archive: Reader<R>, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let (mut firsts, mut games, mut stones) = (BTreeMap::<Point, u64>::new(), 0, 0);
    for game in archive.games::<Vec<Step>>() {
        match game {
            Ok(game) => {
                games += 1;
                let is_stone = |step: &&Step| matches!(step, Step::B(at) | Step::W(at) if at.point().is_some());
                stones += game.iter().filter(is_stone).count();
                if let Some(Step::B(first)) = game.iter().find(|step| !matches!(step, Step::Other)) {
                    first.point().into_iter().for_each(|point| *firsts.entry(point).or_default() += 1);
                }
            }
            Err(error) if error.is_io() => return Err(error.into()),
            Err(error) => eprintln!("{error}"),
        }
    }
    writeln!(out, "{games} games, {stones} stones")?;
    let mut firsts: Vec<_> = firsts.into_iter().collect();
    firsts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (point, count) in firsts.iter().take(10) {
        writeln!(out, "{point}\t{count}")?;
    }
    Ok(())
}
