//! Writes the positions of strong games with the moves that were played there, to train a model.
//!
//! ```sh
//! cargo run --release -p sgf-board --example positions -- games.sgf > positions.bin
//! ```
//!
//! A record is two planes of 19x19 bytes, 1 for a stone of the player to move and for one of the opponent, and the index of
//! the move in 16 bits. They are read in Python with
//! `np.fromfile("positions.bin", [("planes", "u1", (2, 19, 19)), ("next", "<u2")])`.

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};

use serde::Deserialize;
use sgf_board::{Step, Walk};
use sgf_stream::value::go::Move;
use sgf_stream::value::{Color, Grade, Rank};
use sgf_stream::{Flow, Parser};

#[derive(Deserialize)]
struct Players {
    #[serde(rename = "BR", default, deserialize_with = "sgf_stream::de::invalid_option")]
    black: Option<Rank>,
    #[serde(rename = "WR", default, deserialize_with = "sgf_stream::de::invalid_option")]
    white: Option<Rank>,
}

impl Players {
    fn are_strong(&self) -> bool {
        let least = Rank::new(5, Grade::Dan);
        [&self.black, &self.white].into_iter().all(|rank| rank.is_some_and(|rank| rank >= least))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: positions FILE")?;
    let count = positions(&fs::read(path)?, BufWriter::new(io::stdout().lock()))?;
    eprintln!("{count} positions");
    Ok(())
}

/// Writes the positions of all strong games, and returns their number.
pub(crate) fn positions(games: &[u8], mut out: impl Write) -> Result<usize, Box<dyn Error>> {
    let (parser, mut count) = (Parser::new(), 0);
    let mut reader = parser.slice(games);
    // One reader has the players, and the other follows it.
    for players in parser.slice(games).games::<Players>() {
        let are_strong = players.is_ok_and(|players| players.are_strong());
        let (mut before, mut records) = (Vec::new(), Vec::new());
        reader.read_game(&mut Walk::line_visitor(|step| {
            if !are_strong || step.board().as_slice().len() != 19 * 19 || !is_legal(step) {
                return Flow::SkipGame; // the rest is doubtful
            }
            if let (false, Some((color, Move::Play(point)))) = (before.is_empty(), step.played()) {
                for player in [color, color.opponent()] {
                    records.extend(before.iter().map(|stone: &Option<Color>| u8::from(*stone == Some(player))));
                }
                let next = 19 * u16::from(point.y()) + u16::from(point.x());
                records.extend(next.to_le_bytes());
                count += 1;
            }
            before.clear();
            before.extend_from_slice(step.board().as_slice());
            Flow::Continue
        }))?;
        out.write_all(&records)?;
    }
    out.flush()?;
    Ok(count)
}

fn is_legal(step: &Step<'_>) -> bool {
    step.effect().is_none_or(|played| played.replaced.is_none() && played.suicide == 0 && !played.retakes_ko)
}
