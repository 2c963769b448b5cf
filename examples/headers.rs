//! Prints the date, players, komi and result of every game of a file, one line per game.
//!
//! Properties that the struct does not name are skipped, and memory holds one root at a time.
//!
//! ```sh
//! cargo run --release --example headers -- games.sgf
//! ```

use std::error::Error;
use std::io::{self, BufRead, BufWriter, Write};

use serde::Deserialize;
use sgf_stream::value::{Dates, GameResult};
use sgf_stream::{Parser, Reader};

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "KM", default, deserialize_with = "sgf_stream::de::invalid_option")]
    komi: Option<f32>,
    #[serde(rename = "DT", default, deserialize_with = "sgf_stream::de::invalid_option")]
    played: Option<Dates>,
    #[serde(rename = "RE", default, deserialize_with = "sgf_stream::de::invalid_option")]
    result: Option<GameResult>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: headers FILE")?;
    let games = headers(Parser::new().open(path)?, BufWriter::new(io::stdout().lock()))?;
    eprintln!("{games} games");
    Ok(())
}

/// Prints a line per game and returns the number of games. If a game is broken, it is reported, and the next one follows.
pub(crate) fn headers<R: BufRead>(reader: Reader<R>, mut out: impl Write) -> Result<u64, Box<dyn Error>> {
    let mut count = 0;
    for game in reader.games::<Header>() {
        match game {
            Ok(Header { black, white, komi, played, result }) => {
                let played = played.map_or("?".into(), |dates| dates.to_string());
                let result = result.map_or("?".into(), |result| result.to_string());
                writeln!(out, "{played}\t{black}\t{white}\t{}\t{result}", komi.unwrap_or_default())?;
                count += 1;
            }
            Err(error) if error.is_io() => return Err(error.into()),
            Err(error) => eprintln!("{error}"),
        }
    }
    out.flush()?;
    Ok(count)
}
