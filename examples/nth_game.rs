//! Prints the `n`th game of a file, counted from 1.
//!
//! The first run writes an index next to the file; later runs seek to the game.
//!
//! ```sh
//! cargo run --release --example nth_game -- games.sgf 1000
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;

use sgf_stream::{GameIndex, Parser};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(n)) = (args.next(), args.next()) else {
        return Err("usage: nth_game FILE N".into());
    };
    let n = n.parse::<usize>()?.checked_sub(1).ok_or("games are counted from 1")?;
    let index = index(Path::new(&path))?;
    let start = index.position(n).ok_or(format!("the file has {} games", index.len()))?;
    let end = index.position(n + 1).map_or(u64::MAX, |next| next.offset);

    let text = |field| index.value(n, field).map_or("?".into(), |value| value.simple_text());
    eprintln!("{} against {}, at {}", text("PB"), text("PW"), start);
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start.offset))?;
    io::copy(&mut file.take(end - start.offset), &mut io::stdout())?;
    Ok(())
}

/// Loads the index next to the file, or builds it if it does not exist.
fn index(games: &Path) -> Result<GameIndex, Box<dyn Error>> {
    let path = games.with_extension("sgf-index");
    if let Ok(file) = File::open(&path) {
        return Ok(GameIndex::load(BufReader::new(file))?);
    }
    let index = GameIndex::build(&Parser::new(), BufReader::new(File::open(games)?), &["PB", "PW"])?;
    index.save(BufWriter::new(File::create(&path)?))?;
    Ok(index)
}
