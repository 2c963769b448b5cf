//! Reads the parts of the file, on any thread.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read};
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::charset::{Charset, Decoding, DecodingReader, TreeDecoder};
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::{Parser, Position};

use super::lines::Output;
use super::print::{Lines, Printed};
use super::texts::Texts;
use crate::decoding::{self, Opened};
use crate::input::Name;
use crate::jobs::{Buffers, Bytes, InputStart, Steps, Work};

/// Bytes of output after which they are passed on.
const STEP: usize = 4 << 20;

/// Number of bytes of a part that are parsed at a time: their output is less than a step.
const CHUNK: usize = 128 << 10;

/// The work of `sgf events`.
pub(super) struct Printing {
    pub(super) strict: bool,
    /// How charsets are found.
    pub(super) decoding: Decoding,
    /// Whether values are printed as decoded texts too.
    pub(super) has_texts: bool,
    /// Buffers of lines that have been printed.
    pub(super) buffers: Buffers,
}

/// The way to read the file.
#[derive(Clone)]
pub(super) struct How {
    decoding: Decoding,
    /// The charset of its byte-order mark.
    bom: Option<Charset>,
    detected: Option<Charset>,
    bad: BadBytes,
}

/// The offsets at which transcoding replaced bad bytes by a U+FFFD.
#[derive(Clone, Default)]
struct BadBytes(Arc<Mutex<BTreeSet<u64>>>);

impl Printing {
    fn parser_with(&self, decoding: Decoding) -> Parser {
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        parser.count_lines(true).charset(decoding) // lines are for the findings
    }

    fn texts(&self, how: &How, position: Position) -> Option<Texts> {
        let decoder = || TreeDecoder::new(how.decoding).with_bom(how.bom);
        self.has_texts.then(|| Texts::new(decoder(), self.strict, position))
    }
}

impl Work for Printing {
    type How = How;
    type Done = Printed;

    // The lines take some twenty times the bytes of the game.
    const PART_LEN: usize = 64 << 10;

    fn begin(&self) -> Printed {
        Printed { out: Output { lines: self.buffers.take(), ..Output::default() }, ..Printed::default() }
    }

    fn parser(&self) -> Parser {
        self.parser_with(self.decoding)
    }

    fn parser_of(&self, how: &How) -> Parser {
        self.parser_with(how.decoding)
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let bad = BadBytes::default();
        Ok(match decoding::open(data, self.decoding)? {
            Opened::Bytes(whole, bom) => (How { decoding: self.decoding, bom, detected: None, bad }, Box::new(whole)),
            Opened::Text(text) => {
                let how = How { decoding: Decoding::utf8(), bom: None, detected: None, bad: bad.clone() };
                (how, Box::new(Transcoded { text, read: 0, bad }))
            }
        })
    }

    fn start(&self, _: &Name, how: &mut How, start: InputStart<'_>) {
        how.detected = start.detected;
    }

    fn part(&self, _: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Printed>) {
        if done.out.is_over {
            return;
        }
        let (before, bad) = (done.out.lines.len(), how.bad.take(part.span()));
        let mut lines = Lines::new(mem::take(&mut done.out), self.texts(how, part.position()));
        bad.iter().for_each(|&at| lines.bad_at(at));
        let mut parser = part.push(&self.parser_of(how));
        for chunk in part.bytes().chunks(CHUNK).chain([&[][..]]) {
            if !lines.feed(&mut parser, chunk) {
                break;
            }
            if lines.len() - before >= STEP {
                lines.pass(done);
                if !done.pass_on(|| self.begin()) {
                    how.bad.put_back(bad);
                    return done.out.lines.truncate(before);
                }
            }
        }
        lines.finish(done);
        done.detected = how.detected;
    }

    fn long(&self, _: &Name, how: &How, mut game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Printed>) {
        let mut parser = game.push(&self.parser_of(how));
        let mut lines = Lines::new(mem::take(&mut done.out), self.texts(how, game.position()));
        let mut read = game.position().offset;
        // The caller gets an error again.
        while let Ok(chunk) = game.fill_buf() {
            let chunk = &chunk[..chunk.len().min(CHUNK)];
            let len = chunk.len();
            how.bad.take(read..read + len as u64).iter().for_each(|&at| lines.bad_at(at));
            read += len as u64;
            if !lines.feed(&mut parser, chunk) || len == 0 {
                break;
            }
            game.consume(len);
            if lines.len() >= STEP {
                lines.pass(done);
                if !done.pass_on(|| self.begin()) {
                    return;
                }
            }
        }
        lines.finish(done);
        done.detected = how.detected;
    }

    fn end(&self, _: &Name, _: Option<&How>, detected: Option<Charset>, result: io::Result<()>, done: &mut Printed) {
        done.detected = detected;
        done.end = Some(result);
    }
}

impl BadBytes {
    /// Takes those in a span.
    fn take(&self, span: Range<u64>) -> BTreeSet<u64> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.is_empty() {
            return BTreeSet::new();
        }
        let mut taken = all.split_off(&span.start);
        all.append(&mut taken.split_off(&span.end));
        taken
    }

    fn put_back(&self, mut taken: BTreeSet<u64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).append(&mut taken);
    }
}

/// A file that is transcoded, and reports where bad bytes were.
struct Transcoded<R> {
    text: Box<DecodingReader<R>>,
    /// Number of bytes read.
    read: u64,
    bad: BadBytes,
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.text.fill_buf()?.read(buffer)?;
        let mut all = self.bad.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(self.text.bad_in_buffer().filter(|&at| at < len).map(|at| self.read + at as u64));
        self.text.consume(len);
        self.read += len as u64;
        Ok(len)
    }
}
