//! The file as it is, but for what a strict parser refuses.
//!
//! The lexemes of the events are copied from the file, from where they stand, and of what is between
//! them the white space. A lexeme that the parser has supplied does not stand there, and is added; junk
//! is what belongs to no event. Values go by the library's writer, which escapes what has to be.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use sgf_stream::Event;
use sgf_stream::write::Writer;

use super::{Stop, Style};
use crate::input;

/// More than a property and a value within the parser's limits, and what it looks ahead.
const MOST: usize = (1 << 20) + 2 * input::CHUNK;

/// So much of the white space between two lexemes is kept.
const MOST_WHITE: usize = 1 << 16;

pub(super) struct Exact<W: Write> {
    out: io::BufWriter<W>,
    /// A stretch of the file; what is in front of `at` is done with …
    stretch: Vec<u8>,
    at: usize,
    /// The offset of `at`.
    from: u64,
    /// … but for this white space, behind the last lexeme.
    white: Vec<u8>,
    /// There was something else behind the last lexeme.
    junk: bool,
    /// It checks the events and escapes the values.
    writer: Writer<Shared>,
    written: Shared,
}

impl<W: Write> Exact<W> {
    pub(super) fn new(out: W) -> Self {
        let written = Shared::default();
        Exact {
            out: io::BufWriter::with_capacity(input::CHUNK, out),
            stretch: Vec::new(),
            at: 0,
            from: 0,
            white: Vec::new(),
            junk: false,
            writer: Writer::new(written.clone()),
            written,
        }
    }

    /// What is not done with.
    fn file(&self) -> &[u8] {
        &self.stretch[self.at..]
    }

    /// Done with the file up to an offset: white space is kept, everything else is not.
    fn pass(&mut self, to: u64) {
        let Ok(len) = usize::try_from(to.saturating_sub(self.from)) else { return };
        let len = len.min(self.file().len());
        let mark = b"\xEF\xBB\xBF";
        if self.from == 0 && len >= mark.len() && self.file().starts_with(mark) {
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
        let len = len.min(self.file().len());
        self.at += len;
        self.from += len as u64;
    }

    fn write_white(&mut self) -> io::Result<()> {
        self.out.write_all(&self.white)?;
        self.white.clear();
        self.junk = false;
        Ok(())
    }

    /// A lexeme, which is so long in the file.
    fn lexeme(&mut self, lexeme: &[u8], len_in_file: usize) -> io::Result<()> {
        self.write_white()?;
        self.out.write_all(lexeme)?;
        self.skip(len_in_file);
        Ok(())
    }

    fn bracket(&mut self, bracket: u8, offset: u64) -> io::Result<()> {
        let is_there = offset >= self.from && self.file().first() == Some(&bracket);
        match bracket {
            _ if !is_there && bracket != b';' => return self.out.write_all(&[bracket]), // in front of white space
            // Without the junk it may be the first of its line, and that means something.
            b'(' if self.junk && self.writer.depth() > 1 => self.white.clear(),
            _ => {}
        }
        self.lexeme(&[bracket], usize::from(is_there))
    }
}

impl<W: Write> Style for Exact<W> {
    fn chunk(&mut self, chunk: &[u8]) {
        let len = self.file().len();
        if len > MOST {
            self.pass(self.from + (len - MOST) as u64);
        }
        self.stretch.drain(..self.at);
        self.at = 0;
        self.stretch.extend_from_slice(chunk);
    }

    fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), Stop> {
        self.writer
            .write(event)
            .and_then(|()| self.writer.flush())
            .map_err(|error| Stop::Refused(error.to_string()))?;
        if !matches!(event, Event::Value(_)) {
            self.written.0.borrow_mut().clear();
        }
        self.pass(offset);
        match event {
            Event::StartTree => self.bracket(b'(', offset),
            Event::Node => self.bracket(b';', offset),
            Event::EndTree => self.bracket(b')', offset),
            Event::Property(ident) => self.lexeme(ident.as_bytes(), ident.as_bytes().len()),
            Event::Value(value) => {
                // With the identifier in front, if it is the first.
                let written = self.written.take();
                let value_at = memchr::memchr(b'[', &written).unwrap_or(0);
                let done = self.lexeme(&written[value_at..], value.as_bytes().len() + "[]".len());
                self.written.give_back(written);
                done
            }
            _ => Ok(()),
        }
        .map_err(Stop::Output)
    }

    fn end(&mut self) -> Result<(), Stop> {
        self.pass(u64::MAX);
        self.write_white().and_then(|()| self.out.flush()).map_err(Stop::Output)
    }
}

/// What a writer has written.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        self.0.take()
    }

    /// The room that it takes, for what comes next.
    fn give_back(&self, mut room: Vec<u8>) {
        room.clear();
        self.0.replace(room);
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
