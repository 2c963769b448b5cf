//! Byte ranges of parts of a file that hold whole games.

use std::io::{self, BufReader, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_stream::charset::Decoding;
use sgf_stream::{Error, Parser};

use crate::failure::{Failure, note_no_sgf};
use crate::input::{self, Name};
use crate::jobs::Reading;
use crate::json;

/// How to cut the file.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// Into this number of parts.
    Parts(usize),
    /// Into parts of this number of bytes.
    Bytes(u64),
}

pub(super) fn run(path: &Path, cut: Cut, json: bool) -> Result<ExitCode, Failure> {
    let name = Name::of(path);
    let parts = parts(path, cut).map_err(Failure::input(&name))?;
    print(&name, &parts, json).map_err(Failure::Output)?;
    if !has_game(path).map_err(Failure::input(&name))? {
        note_no_sgf(&name);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a file has a game. Reads no more than the start of the first one.
fn has_game(path: &Path) -> io::Result<bool> {
    let mut start = input::open_for_offsets(path)?;
    start.rewind()?;
    let reading = Reading::new(Parser::new(), Decoding::new());
    let mut file = BufReader::new(start);
    let (_, bytes) = reading.open(&Name::of(path), None, &mut file)?;
    match Parser::new().reader(BufReader::new(bytes)).next_event() {
        Ok(event) => Ok(event.is_some()),
        Err(Error::Io(error)) => Err(error),
        Err(_) => Ok(false), // no SGF data
    }
}

fn parts(file: &Path, cut: Cut) -> io::Result<Vec<Range<u64>>> {
    let file = input::open_for_offsets(file)?;
    let parser = Parser::new();
    let split = parser.split(&file);
    match cut {
        Cut::Parts(n) => split.parts(n),
        Cut::Bytes(bytes) => split.every(bytes),
    }
}

fn print(file: &Name, parts: &[Range<u64>], json: bool) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    if json {
        json::write(&mut out, &Json { file, parts })?;
        writeln!(out)?;
    } else {
        for part in parts {
            writeln!(out, "{}\t{}", part.start, part.end)?;
        }
    }
    out.flush()
}

/// The output of `--json`.
struct Json<'a> {
    file: &'a Name,
    parts: &'a [Range<u64>],
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("bytes", &self.parts.last().map_or(0, |part| part.end))?;
        self.file.serialize_as("file", &mut map)?;
        map.serialize_entry("parts", self.parts)?; // as `start` and `end`
        map.end()
    }
}
