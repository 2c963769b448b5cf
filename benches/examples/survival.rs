//! Prints how many files of a directory each Rust crate reads, and how many games it finds in the concatenated files:
//!
//! ```sh
//! cargo run -p sgf-stream-benches --example survival -- DIR
//! ```
//!
//! A file counts as read if the crate finds a game and returns no error. `sgf-parse` and `sgf-parser` take text: files
//! that are not UTF-8 are passed to them as Latin-1. `benches/compare.py DIR` does the same with Python and JavaScript.

use std::error::Error;
use std::io::Read;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use sgf_stream::charset::{Decoding, OpenedReader};
use sgf_stream::{Event, Parser};
use walkdir::WalkDir;

/// Returns the number of complete games, and whether there was no error.
type Count = fn(&[u8]) -> (usize, bool);

const READERS: [(&str, Count); 4] = [
    ("sgf-stream", |bytes| sgf_stream(Parser::new(), bytes)),
    ("sgf-stream, strict mode", |bytes| sgf_stream(Parser::strict(), bytes)),
    ("sgf-parse", |bytes| peer(bytes, |text| sgf_parse::parse(text).ok().map(|games| games.len()))),
    // It reads the first game.
    ("sgf-parser", |bytes| peer(bytes, |text| sgf_parser::parse(text).ok().map(|_| 1))),
];

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).ok_or("usage: survival DIR")?;
    std::panic::set_hook(Box::new(|_| {}));
    let (mut totals, mut all) = ([(0, 0); READERS.len()], Vec::new());
    let paths = files(Path::new(&directory))?;
    for path in &paths {
        let bytes = std::fs::read(path)?;
        for ((files, games), (_, count)) in totals.iter_mut().zip(READERS) {
            let (found, ok) = count(&bytes);
            *files += usize::from(ok && found > 0);
            *games += found;
        }
        all.extend_from_slice(&bytes);
    }
    println!("| reader | files read, of {} | games in them | games in the concatenated files | |", paths.len());
    println!("|---|--:|--:|--:|---|");
    for ((files, games), (name, count)) in totals.into_iter().zip(READERS) {
        let (found, ok) = count(&all);
        println!("| {name} | {files} | {games} | {found} | {} |", if ok { "" } else { "error" });
    }
    Ok(())
}

/// Returns the SGF files of a directory in the order of their names.
fn files(directory: &Path) -> Result<Vec<PathBuf>, walkdir::Error> {
    let mut files = Vec::new();
    for entry in WalkDir::new(directory).sort_by_file_name() {
        let path = entry?.into_path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            files.push(path);
        }
    }
    Ok(files)
}

fn sgf_stream(parser: Parser, bytes: &[u8]) -> (usize, bool) {
    match Decoding::new().open(bytes) {
        Ok(OpenedReader::Bytes(file, _)) => events(&parser.charset(Decoding::new()), file),
        Ok(OpenedReader::Text(file)) => events(&parser.charset(Decoding::utf8()), file),
        Err(_) => (0, false),
    }
}

fn events(parser: &Parser, file: impl Read) -> (usize, bool) {
    let mut reader = parser.reader(std::io::BufReader::new(file));
    let (mut games, mut depth) = (0, 0_usize);
    loop {
        match reader.next_event() {
            Ok(Some(Event::StartTree)) => depth += 1,
            Ok(Some(Event::EndTree)) => {
                depth -= 1;
                games += usize::from(depth == 0);
            }
            Ok(Some(_)) => {}
            end => return (games, end.is_ok()),
        }
    }
}

fn peer(bytes: &[u8], games: impl Fn(&str) -> Option<usize> + std::panic::RefUnwindSafe) -> (usize, bool) {
    let text =
        String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect());
    let found = catch_unwind(|| games(&text)).unwrap_or(None);
    (found.unwrap_or(0), found.is_some())
}
