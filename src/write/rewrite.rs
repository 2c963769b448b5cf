//! Rewriting: the bytes of a stream, but for what a strict parser refuses.
//!
//! The lexemes of the events are copied from the stream, from where they stand, and of what is between
//! them the white space. A lexeme that the parser has supplied does not stand there, and is added; junk
//! is what belongs to no event. Values go by the exact writer, which escapes what has to be.

use std::io::{self, BufWriter, Write};

use super::{WriteError, Writer};
use crate::event::Event;

/// More than a property and a value within the parser's limits, and what it looks ahead.
const MOST: usize = (1 << 20) + (1 << 19);

/// So much of the white space between two lexemes is kept.
const MOST_WHITE: usize = 1 << 16;

/// The buffer in front of the underlying writer.
const BUFFER: usize = 1 << 16;

/// Writes a stream as it is, but for what a strict parser refuses.
///
/// It is given the bytes of a stream, piece by piece, and the events that a lenient parser has of them. A stream
/// without faults of syntax goes out byte for byte, white space too; otherwise missing brackets and
/// semicolons are added, brackets in texts escaped, and junk is left out. (Identifiers keep their
/// spelling, with lower-case letters and digits.)
///
/// ```
/// use sgf_stream::{Event, Parser};
/// use sgf_stream::write::Rewriter;
///
/// let (mut out, mut parser) = (Rewriter::new(Vec::new()), Parser::new().push());
/// let mut result = Ok(());
/// for piece in ["(;FF [4]\n x C[sic [", "!]]  (", "B[dd])"] {
///     out.read(piece.as_bytes());
///     parser.feed(piece.as_bytes(), |event, offset| result = out.event(event, offset))?;
/// }
/// parser.finish(|event, offset| result = out.event(event, offset))?;
/// result?;
/// assert_eq!(out.finish()?, b"(;FF [4]\n  C[sic [!\\]]  (;B[dd]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W: Write> {
    out: BufWriter<W>,
    /// A stretch of the stream; what is in front of `at` is done with …
    stretch: Vec<u8>,
    at: usize,
    /// The offset of `at`.
    from: u64,
    /// … but for this white space, behind the last lexeme.
    white: Vec<u8>,
    /// There was something else behind the last lexeme.
    junk: bool,
    /// The start of a variation on a line of its own, which does not go out before it is clear that there was
    /// no junk in it: without that, it may look like the start of a game.
    held: Option<Held>,
    /// It checks the events and escapes the values.
    writer: Writer<Vec<u8>>,
}

#[derive(Debug)]
struct Held {
    /// What stands in front of its `(`.
    white: Vec<u8>,
    start: Vec<u8>,
}

impl Held {
    /// It is not to be the first of its line, since that means something.
    fn stand_in_line(&mut self) {
        if memchr::memchr2(b'\r', b'\n', &self.white).is_some() {
            self.white.clear();
        }
    }
}

impl<W: Write> Rewriter<W> {
    /// Writes to `out`, through a buffer.
    pub fn new(out: W) -> Self {
        Rewriter {
            out: BufWriter::with_capacity(BUFFER, out),
            stretch: Vec::new(),
            at: 0,
            from: 0,
            white: Vec::new(),
            junk: false,
            held: None,
            writer: Writer::new(Vec::new()),
        }
    }

    /// The next piece of the stream, which the parser is given after it.
    pub fn read(&mut self, piece: &[u8]) {
        let len = self.stream().len();
        if len > MOST {
            self.pass(self.from + (len - MOST) as u64);
        }
        self.stretch.drain(..self.at);
        self.at = 0;
        self.stretch.extend_from_slice(piece);
    }

    /// The next event that the parser gives.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written; if the event cannot follow the one before it, as events of a
    /// parser always can.
    pub fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), WriteError> {
        if !matches!(event, Event::Value(_)) {
            self.writer.written()?.clear();
        }
        self.writer.write(event)?;
        self.pass(offset);
        // The start of a variation goes on to the first value, if that comes at once.
        match (event, &mut self.held) {
            (Event::Node, Some(held)) if !held.start.contains(&b';') => {}
            (Event::Property(_), Some(held)) if held.start.ends_with(b";") => {
                if self.junk {
                    held.stand_in_line();
                }
            }
            _ => self.release(self.junk)?,
        }
        match event {
            Event::StartTree => self.bracket(b'(', offset)?,
            Event::Node => self.bracket(b';', offset)?,
            Event::EndTree => self.bracket(b')', offset)?,
            Event::Property(ident) => self.lexeme(ident.as_bytes(), ident.as_bytes().len())?,
            Event::Value(value) => {
                let mut written = std::mem::take(self.writer.written()?);
                // With the identifier in front, if it is the first.
                let value_at = memchr::memchr(b'[', &written).unwrap_or(0);
                self.lexeme(&written[value_at..], value.as_bytes().len() + "[]".len())?;
                written.clear();
                *self.writer.written()? = written;
            }
            Event::ValuePart(_) => {}
        }
        Ok(())
    }

    /// The stream has ended. Answers the underlying writer.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.pass(u64::MAX);
        self.release(false)?;
        self.write_white()?;
        Ok(self.out.into_inner().map_err(io::IntoInnerError::into_error)?)
    }

    /// Writes the start of a variation that was held back.
    fn release(&mut self, is_doubtful: bool) -> io::Result<()> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        if is_doubtful {
            held.stand_in_line();
        }
        self.out.write_all(&held.white)?;
        self.out.write_all(&held.start)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.held {
            Some(held) => {
                held.start.extend_from_slice(bytes);
                Ok(())
            }
            None => self.out.write_all(bytes),
        }
    }

    /// What is not done with.
    fn stream(&self) -> &[u8] {
        &self.stretch[self.at..]
    }

    /// Done with the stream up to an offset: white space is kept, everything else is not.
    fn pass(&mut self, to: u64) {
        let Ok(len) = usize::try_from(to.saturating_sub(self.from)) else { return };
        let len = len.min(self.stream().len());
        let mark = b"\xEF\xBB\xBF";
        if self.from == 0 && len >= mark.len() && self.stream().starts_with(mark) {
            self.white.extend_from_slice(mark);
            self.skip(mark.len());
            return self.pass(to);
        }
        for &byte in &self.stretch[self.at..self.at + len] {
            match byte {
                b' ' | 0x09..=0x0D if self.white.len() < MOST_WHITE => self.white.push(byte),
                b' ' | 0x09..=0x0D => {}
                _ => self.junk = true,
            }
        }
        self.skip(len);
    }

    fn skip(&mut self, len: usize) {
        let len = len.min(self.stream().len());
        self.at += len;
        self.from += len as u64;
    }

    fn write_white(&mut self) -> io::Result<()> {
        match &mut self.held {
            Some(held) => held.start.append(&mut self.white),
            None => self.out.write_all(&self.white)?,
        }
        self.white.clear();
        self.junk = false;
        Ok(())
    }

    /// A lexeme, which is so long in the stream.
    fn lexeme(&mut self, lexeme: &[u8], len_in_stream: usize) -> io::Result<()> {
        self.write_white()?;
        self.put(lexeme)?;
        self.skip(len_in_stream);
        Ok(())
    }

    fn bracket(&mut self, bracket: u8, offset: u64) -> io::Result<()> {
        let is_there = offset >= self.from && self.stream().first() == Some(&bracket);
        match (bracket, &mut self.held) {
            _ if !is_there && bracket != b';' => return self.put(&[bracket]), // in front of white space
            (b'(', _) if self.writer.depth() > 1 => {
                let mut held = Held { white: std::mem::take(&mut self.white), start: Vec::new() };
                if self.junk {
                    held.stand_in_line();
                }
                self.held = Some(held);
            }
            (b';', Some(held)) if !is_there || self.junk => held.stand_in_line(),
            _ => {}
        }
        self.lexeme(&[bracket], usize::from(is_there))
    }
}
