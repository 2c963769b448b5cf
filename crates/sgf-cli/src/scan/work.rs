//! Reads the parts of files, on any thread.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::Decoding;
use sgf_stream::internal::Moves;
use sgf_stream::parts::Part;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, LineCounter, Parser, Position};

use super::diagnostics::{Diagnostics, Fault, Reported};
use super::report::Record;
use super::statistics::Statistics;
use crate::input::Name;
use crate::jobs::{Games, Input, Reading, Steps, Work};

/// The work of a scan.
#[derive(Default)]
pub(super) struct Scanning {
    /// Length of the longest value so far, in any part: the line is only counted for longer ones.
    longest: AtomicU64,
}

/// The results of consecutive parts and files.
pub(super) struct Scanned {
    pub(super) statistics: Statistics,
    /// Bytes of the inputs that have ended.
    pub(super) bytes: u64,
    pub(super) deepest: Record,
    pub(super) longest: Record,
    pub(super) diagnostics: Diagnostics,
    /// The files that have ended. Other results may have diagnostics in the first of them.
    pub(super) ended: Vec<Ended>,
}

/// A file that was read to its end, or to an error.
pub(super) struct Ended {
    pub(super) name: Name,
    pub(super) reported: Option<Reported>,
    pub(super) result: Result<(), Fault>,
}

impl Work for Scanning {
    type Done = Scanned;

    fn begin(&self) -> Scanned {
        Scanned {
            statistics: Statistics::default(),
            bytes: 0,
            deepest: Record::default(),
            longest: Record::default(),
            diagnostics: Diagnostics::default(),
            ended: Vec::new(),
        }
    }

    fn reading(&self) -> Reading {
        Reading::new(Parser::new(), Decoding::new())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Scanned>) {
        // Lines of a part are counted for the few diagnostics that need them.
        let part = games.part();
        let is_plain = part.is_some_and(|part| is_plain(part.bytes()));
        let mut parser = games.push(&input.parser.clone().count_lines(part.is_none()));
        // A long game that cannot be read to its end is not a game.
        let mut long = part.is_none().then(|| self.begin());
        let sums = long.as_mut().unwrap_or(done);
        let (mut lines, mut line, (mut longest, ..)) =
            (Lines::new(games.position()), 0, sums.statistics.longest_value());
        let mut bytes = games.into_bytes();
        loop {
            let Ok(chunk) = bytes.fill_buf() else { return };
            let len = chunk.len();
            sums.statistics.set_charset(input.transcoded);
            let Scanned { statistics, diagnostics, .. } = &mut *sums;
            let parsed = match is_plain {
                true => parser.chunk_into(chunk, &mut Counting::<false> { statistics, diagnostics, part }),
                false => parser.chunk_into(chunk, &mut Counting::<true> { statistics, diagnostics, part }),
            };
            if let Err(error) = parsed {
                diagnostics.fatal(error.code(), error.position());
            }
            let (value, offset, breaks) = statistics.longest_value();
            if value > longest && self.is_longest(value) {
                line = match part {
                    Some(part) => position_in(part, offset).line,
                    // The end of the value was just read, its start may be far back.
                    None => lines.line_of(offset + 1 + value, chunk).saturating_sub(breaks),
                };
            }
            longest = value;
            if len == 0 {
                break;
            }
            if part.is_none() {
                lines.advance(chunk);
            }
            bytes.consume(len);
        }
        sums.note(&input.name, line);
        if let Some(long) = long {
            done.add(long);
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Scanned) {
        done.bytes += input.map_or(0, |input| input.bytes_read());
        let result = result.map_err(|error| Fault::unreadable(name, &error));
        let reported = done.diagnostics.take_first();
        done.ended.push(Ended { name: name.clone(), reported, result });
    }
}

/// Returns whether no value can tell its charset.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr2(0x1B, b'~', bytes).is_none()
}

/// Returns the position of an offset in a part.
fn position_in(part: &Part<'_>, offset: u64) -> Position {
    let before = usize::try_from(offset.saturating_sub(part.span().start)).unwrap_or(usize::MAX);
    let mut lines = LineCounter::new(part.position());
    lines.advance(&part.bytes()[..before.min(part.bytes().len())]);
    lines.position()
}

/// Counts events and diagnostics. `HIGH` if the charset of values may be detected.
struct Counting<'d, const HIGH: bool> {
    statistics: &'d mut Statistics,
    diagnostics: &'d mut Diagnostics,
    /// The part, if the parser does not count lines.
    part: Option<&'d Part<'static>>,
}

impl<const HIGH: bool> EventSink for Counting<'_, HIGH> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        self.statistics.event::<HIGH>(event, offset);
        Flow::Continue
    }

    fn diagnostic(&mut self, fault: Diagnostic) {
        let position = fault.position;
        self.diagnostics.fault(fault, || self.part.map_or(position, |part| position_in(part, position.offset)));
    }

    #[inline]
    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        self.statistics.moves(moves).then_some(Flow::Continue)
    }
}

impl Scanned {
    /// Adds the sums of a game.
    fn add(&mut self, game: Scanned) {
        self.statistics.add(game.statistics);
        self.deepest.take(game.deepest);
        self.longest.take(game.longest);
        self.diagnostics.add(game.diagnostics);
    }

    /// Updates the maxima with those in this file.
    fn note(&mut self, name: &Name, line_of_longest: u64) {
        self.deepest.note(self.statistics.max_depth(), 0, 0, name);
        let (len, offset, _) = self.statistics.longest_value();
        self.longest.note(len, offset, line_of_longest, name);
    }
}

impl Scanning {
    /// Returns whether a value may be the longest of all.
    fn is_longest(&self, len: u64) -> bool {
        // Of two longest values the first one counts, which may be found later.
        self.longest.fetch_max(len, Ordering::Relaxed) <= len
    }
}

/// Counts lines in a game that is read in chunks.
struct Lines {
    /// The last bytes before the current chunk, and the number of lines up to their start.
    bytes: Vec<u8>,
    counted: LineCounter,
}

/// Bytes kept before a chunk: the parser may look ahead this far before it ends a value.
const KEPT: usize = 4096;

impl Lines {
    fn new(position: Position) -> Self {
        Lines { bytes: Vec::new(), counted: LineCounter::new(position) }
    }

    /// Returns the line of an offset in these bytes, or in the next chunk.
    fn line_of(&self, offset: u64, chunk: &[u8]) -> u64 {
        let mut lines = self.counted.clone();
        for bytes in [&self.bytes, chunk] {
            let left = usize::try_from(offset.saturating_sub(lines.position().offset)).unwrap_or(usize::MAX);
            lines.advance(&bytes[..bytes.len().min(left)]);
        }
        lines.position().line
    }

    /// Ends a chunk.
    fn advance(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(&chunk[chunk.len().saturating_sub(KEPT)..]);
        if chunk.len() > KEPT {
            let (before, _) = chunk.split_at(chunk.len() - KEPT);
            self.counted.advance(&self.bytes[..self.bytes.len() - KEPT]);
            self.counted.advance(before);
            self.bytes.drain(..self.bytes.len() - KEPT);
        } else if self.bytes.len() > 2 * KEPT {
            let gone = self.bytes.len() - KEPT;
            self.counted.advance(&self.bytes[..gone]);
            self.bytes.drain(..gone);
        }
    }
}
