//! Prints the most frequent first moves of the games of a file, and the number of stones.
//!
//! The moves are read as Rust values. Variations are skipped.
//!
//! ```sh
//! cargo run --release --example main_line -- games.sgf
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::Deserialize;
use sgf_stream::value::Color;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::{Parser, Reader};

#[derive(Deserialize)]
struct Game {
    #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    moves: Vec<(Color, Move)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: main_line FILE")?;
    first_moves(Parser::new().open(path)?, io::stdout())
}

pub(crate) fn first_moves<R: BufRead>(reader: Reader<R>, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let (mut firsts, mut games, mut stones) = (BTreeMap::<Point, u64>::new(), 0, 0);
    for game in reader.games::<Game>() {
        match game {
            Ok(Game { moves }) => {
                games += 1;
                stones += moves.iter().filter(|(_, at)| at.point().is_some()).count();
                if let Some((Color::Black, Move::Play(first))) = moves.first() {
                    *firsts.entry(*first).or_default() += 1;
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
