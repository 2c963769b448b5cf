//! Prints a line per game of the files and directories on the command line. All cores read them, archives and compressed
//! files included. What cannot be read goes to standard error, with the name of its file.
//!
//! ```text
//! cargo run --release -p sgf-input --features games --example directory -- games/ more.zip > games.tsv
//! ```

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use serde::Deserialize;
use sgf_input::Files;
use sgf_stream::de::{Options, Turn};
use sgf_stream::value::GameResult;
use sgf_stream::{Game, Parser};

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "GM")]
    game: Option<Game>,
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    /// The moves of any game, as texts.
    #[serde(rename = "$line")]
    line: Vec<Option<Turn<String>>>,
}

fn main() -> io::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut errors = 0;
    // A bad date or result is not worth a game; a bad move is.
    let files = Files::new(std::env::args_os().skip(1)).parser(Parser::new().count_lines(true));
    for game in files.games_with::<Record>(Options::new().lenient_header(true)) {
        match game {
            Ok(game) => {
                let Record { game: kind, black, white, result, line } = game.value;
                let kind = kind.unwrap_or_default();
                let (result, moves) = (result.map(|result| result.to_string()), line.iter().flatten().count());
                let result = result.as_deref().unwrap_or("?");
                writeln!(out, "{}\t{}\t{kind}\t{black}\t{white}\t{result}\t{moves}", game.file, game.index + 1)?;
            }
            Err(error) => {
                eprintln!("{error}");
                errors += 1;
            }
        }
    }
    out.flush()?;
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
