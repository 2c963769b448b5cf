//! `--range`: the games that start in a byte range of a file, for programs that share a file.
//!
//! The caller divides the file, so a range is read on one core, as a stream.

use std::fs::File;
use std::io::{self, BufReader, Seek};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use sgf_stream::Parser;

use super::work::{Recorded, Recording};
use crate::input::{self, Name};
use crate::jobs::{Input, Work};
use crate::numbers::NextGame;

/// Takes the results, in order.
pub(super) type Take<'t> = dyn FnMut(Recorded) -> io::Result<()> + 't;

/// Parses a range on the command line: `START..END`.
pub(super) fn parse(text: &str) -> Result<Range<u64>, String> {
    let expected = || "not a range; use START..END, two offsets in bytes".to_owned();
    let (start, end) = text.split_once("..").ok_or_else(expected)?;
    let offset = |text: &str| text.parse::<u64>().map_err(|_| expected());
    let range = offset(start)?..offset(end)?;
    match range.start <= range.end {
        true => Ok(range),
        false => Err(format!("start {} is greater than end {}", range.start, range.end)),
    }
}

/// Reads the games of a range. Fails if the results cannot be taken.
pub(super) fn run(work: &Recording, path: &Path, range: Range<u64>, take: &mut Take<'_>) -> io::Result<()> {
    let name = Name::of(path);
    let mut reading = Reading { work, name: &name, done: work.begin(), take, failure: None };
    let (input, read) = match reading.range(path, range) {
        Ok(input) => (Some(Arc::new(input)), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let Reading { mut done, failure, .. } = reading;
    if let Some(failure) = failure {
        return Err(failure);
    }
    work.end(&name, input.as_ref(), read, &mut done);
    take(done)
}

/// A range that is being read.
struct Reading<'r, 't> {
    work: &'r Recording,
    name: &'r Name,
    done: Recorded,
    take: &'r mut Take<'t>,
    /// The reason why the results are not taken.
    failure: Option<io::Error>,
}

impl Reading<'_, '_> {
    fn range(&mut self, path: &Path, range: Range<u64>) -> io::Result<Input> {
        let mut file = input::open_for_offsets(path)?;
        let len = file.metadata()?.len();
        if range.end > len {
            let Range { start, end } = range;
            let message = format!("--range {start}..{end} is beyond the end of the file ({len} bytes)");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        file.rewind()?;
        let mut start = BufReader::new(&file);
        let (input, whole) = self.work.reading().open(self.name, None, &mut start)?;
        let parser = self.work.parser_for(&input, &self.done);
        self.done.next_game = NextGame::OfFile((range.start == 0).then_some(0));
        if input.transcoded.is_none() {
            drop(whole);
            let games = parser.split::<File>(&file).range(range)?;
            self.games(&parser, games.reader(&parser))?;
        } else if range.start == 0 && !range.is_empty() {
            // It is transcoded from its start, by the reader of the first range.
            self.games(&parser, parser.reader(BufReader::new(whole)))?;
        }
        Ok(input)
    }

    fn games<R: io::BufRead>(&mut self, parser: &Parser, reader: sgf_stream::Reader<R>) -> io::Result<()> {
        let Reading { work, name, done, take, failure } = self;
        let read = work.games(name, parser, reader, &mut &mut *done, &mut |done| {
            *failure = take(done.split_off(work)).err();
            failure.is_none()
        });
        if failure.is_some() { Ok(()) } else { read }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn ranges_are_two_offsets() {
        assert_eq!(parse("0..12"), Ok(0..12));
        assert_eq!(parse("7..7"), Ok(7..7));
        for text in ["", "12", "..", "1..", "..1", "-1..3", "1...3", "a..b", "99999999999999999999..0"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("3..1"), Err("start 3 is greater than end 1".to_owned()));
    }
}
