//! Byte ranges of parts of a file that hold whole games.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_stream::Parser;

use crate::failure::Failure;
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

pub(super) fn run(file: &Path, cut: Cut, json: bool) -> Result<(), Failure> {
    let name = Name::of(file);
    let parts = parts(file, cut).map_err(Failure::input(&name))?;
    print(&name, &parts, json).map_err(Failure::Output)
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
