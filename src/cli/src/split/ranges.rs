//! Byte ranges of parts of a file that hold whole games.

use std::io::{self, BufReader, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_stream::charset::Decoding;
use sgf_stream::{Code, Error, Parser};

use crate::decoding::{self, Opened};
use crate::failure::{Failure, complain};
use crate::input::{self, Name};
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
    if has_game(path).map_err(Failure::input(&name))? {
        return Ok(ExitCode::SUCCESS);
    }
    complain(format_args!("{name}: {}", Code::NoSgfData.message()));
    Ok(ExitCode::from(1))
}

/// Returns whether a file has a game. Reads no more than the start of the first one.
fn has_game(path: &Path) -> io::Result<bool> {
    let mut file = input::open_for_offsets(path)?;
    file.rewind()?;
    let first = match decoding::open(BufReader::new(file), Decoding::new())? {
        Opened::Bytes(whole, _) => Parser::new().reader(whole).next_event().map(|event| event.is_some()),
        Opened::Text(text) => Parser::new().reader(*text).next_event().map(|event| event.is_some()),
    };
    match first {
        Ok(has_game) => Ok(has_game),
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
