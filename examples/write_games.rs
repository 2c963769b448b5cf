//! Converts lines `black, white, result, moves` into SGF games, with one game in memory at a time.
//!
//! ```sh
//! echo "Shusaku, Gennan, B+2, qd dc pq" | cargo run --example write_games > games.sgf
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::Serialize;
use sgf_stream::ser::Serializer;
use sgf_stream::value::{GameResult, go};

#[derive(Serialize)]
struct Game<'a> {
    #[serde(rename = "FF")]
    format: u8,
    #[serde(rename = "GM")]
    game: u8,
    #[serde(rename = "PB")]
    black: &'a str,
    #[serde(rename = "PW")]
    white: &'a str,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[derive(Serialize)]
enum Step {
    B(go::Move),
    W(go::Move),
}

fn main() -> Result<(), Box<dyn Error>> {
    write_games(io::stdin().lock(), io::stdout().lock())
}

pub(crate) fn write_games(lines: impl BufRead, out: impl Write) -> Result<(), Box<dyn Error>> {
    let mut serializer = Serializer::new(out).normalize(true);
    for line in lines.lines() {
        let line = line?;
        let fields: Vec<_> = line.split(',').map(str::trim).collect();
        let [black, white, result, moves] = fields[..] else {
            return Err(format!("expected four fields: {line}").into());
        };
        let mut is_black = false;
        let moves = moves.split_whitespace().map(|point| {
            is_black = !is_black;
            point.parse().map(if is_black { Step::B } else { Step::W })
        });
        let (moves, result) = (moves.collect::<Result<_, _>>()?, GameResult::parse_lenient(result).ok());
        Game { format: 4, game: 1, black, white, result, moves }.serialize(&mut serializer)?;
    }
    serializer.finish()?;
    Ok(())
}
