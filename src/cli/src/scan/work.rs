//! Reads the parts of files, on any thread.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::node::Moves;
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, LineCounter, Parser, Position};

use super::findings::{Fault, Finding, Findings};
use super::report::Record;
use super::statistics::Statistics;
use crate::decoding::{self, Opened};
use crate::input::Name;
use crate::jobs::{Steps, Work};

/// The work of a scan.
#[derive(Default)]
pub(super) struct Scanning {
    /// Length of the longest value so far, in any part: the line is only counted for longer ones.
    longest: AtomicU64,
}

/// The way to read a file.
#[derive(Clone)]
pub(super) struct How {
    /// The charset of a file that is transcoded as a whole.
    transcoded: Option<Charset>,
    /// Number of bytes read from it, which differs from the length of its transcoded parts.
    read: Arc<AtomicU64>,
}

/// The results of consecutive parts and files.
pub(super) struct Scanned {
    pub(super) statistics: Statistics,
    pub(super) bytes: u64,
    pub(super) deepest: Record,
    pub(super) longest: Record,
    pub(super) findings: Findings,
    /// The files that have ended. Other results may have findings in the first of them.
    pub(super) ended: Vec<Ended>,
}

/// A file that was read to its end, or to an error.
pub(super) struct Ended {
    pub(super) name: Name,
    pub(super) finding: Option<Finding>,
    pub(super) result: Result<(), Fault>,
}

impl Work for Scanning {
    type How = How;
    type Done = Scanned;

    fn begin(&self) -> Scanned {
        Scanned {
            statistics: Statistics::default(),
            bytes: 0,
            deepest: Record::default(),
            longest: Record::default(),
            findings: Findings::default(),
            ended: Vec::new(),
        }
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(Decoding::new()).count_lines(true) // for the findings
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: data, read: Arc::clone(&read) };
        Ok(match decoding::open(counted, Decoding::new())? {
            Opened::Bytes(whole, _) => (How { transcoded: None, read }, Box::new(whole)),
            Opened::Text(mut text) => (How { transcoded: Some(text.charset()?), read }, text),
        })
    }

    fn part(&self, name: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Scanned>) {
        done.count(how, part.bytes().len());
        let done = &mut **done;
        let statistics = &mut done.statistics;
        let (longest, ..) = statistics.longest_value();
        let findings = &mut done.findings;
        // Lines are counted for the few findings that need them.
        let (parser, lines) = (self.parser().count_lines(false), Some(part));
        let is_plain = part.bytes().is_ascii() && memchr::memchr2(0x1B, b'~', part.bytes()).is_none();
        let parsed = match is_plain {
            true => part.parse_into(&parser, &mut Counting::<false> { statistics, findings, lines }),
            false => part.parse_into(&parser, &mut Counting::<true> { statistics, findings, lines }),
        };
        if let Err(error) = parsed {
            done.findings.fatal(error.code(), error.position());
        }
        let (len, offset, _) = done.statistics.longest_value();
        let line = (len > longest && self.is_longest(len)).then(|| position_in(part, offset).line);
        done.note(name, line.unwrap_or_default());
    }

    fn long(&self, name: &Name, how: &How, mut game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Steps<'_, Scanned>) {
        // If it cannot be read to its end, it is not a game. The caller gets the error again.
        let mut alone = self.begin();
        let mut parser = game.push(&self.parser());
        let (mut lines, mut line, mut longest) = (Lines::new(game.position()), 0, 0);
        loop {
            let Ok(chunk) = game.fill_buf() else { return };
            let len = chunk.len();
            alone.count(how, len);
            let mut sink =
                Counting::<true> { statistics: &mut alone.statistics, findings: &mut alone.findings, lines: None };
            let parsed = if len == 0 { parser.finish_into(&mut sink) } else { parser.feed_into(chunk, &mut sink) };
            if let Err(error) = parsed {
                alone.findings.fatal(error.code(), error.position());
            }
            let (value, offset, breaks) = alone.statistics.longest_value();
            if value > longest && self.is_longest(value) {
                // The end of the value was just read, its start may be far back.
                line = lines.line_of(offset + 1 + value, chunk).saturating_sub(breaks);
            }
            longest = value;
            if len == 0 {
                break;
            }
            lines.advance(chunk);
            game.consume(len);
        }
        alone.note(name, line);
        done.bytes += alone.bytes;
        done.statistics.add(alone.statistics);
        done.deepest.take(alone.deepest);
        done.longest.take(alone.longest);
        done.findings.add(alone.findings);
    }

    fn end(&self, name: &Name, how: Option<&How>, _: Option<Charset>, result: io::Result<()>, done: &mut Scanned) {
        if let Some(how) = how.filter(|how| how.transcoded.is_some()) {
            done.bytes += how.read.load(Ordering::Relaxed);
        }
        let result = result.map_err(|error| Fault::unreadable(name, &error));
        let finding = done.findings.take_first();
        done.ended.push(Ended { name: name.clone(), finding, result });
    }
}

/// Returns the position of an offset in a part.
fn position_in(part: &Part<'_>, offset: u64) -> Position {
    let before = usize::try_from(offset.saturating_sub(part.span().start)).unwrap_or(usize::MAX);
    let mut lines = LineCounter::new(part.position());
    lines.advance(&part.bytes()[..before.min(part.bytes().len())]);
    lines.position()
}

/// Counts events and faults. `HIGH` if values may tell their charset.
struct Counting<'d, const HIGH: bool> {
    statistics: &'d mut Statistics,
    findings: &'d mut Findings,
    /// The part, if the parser does not count lines.
    lines: Option<&'d Part<'d>>,
}

impl<const HIGH: bool> EventSink for Counting<'_, HIGH> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        self.statistics.event::<HIGH>(event, offset);
        Flow::Continue
    }

    fn fault(&mut self, fault: Diagnostic) {
        let position = fault.position;
        self.findings.fault(fault, || self.lines.map_or(position, |part| position_in(part, position.offset)));
    }

    #[inline]
    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        self.statistics.moves(moves).then_some(Flow::Continue)
    }
}

impl Scanned {
    /// Counts `len` more bytes of a file.
    fn count(&mut self, how: &How, len: usize) {
        self.statistics.set_charset(how.transcoded);
        if how.transcoded.is_none() {
            self.bytes += len as u64;
        }
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

/// A file that counts the bytes read.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}
