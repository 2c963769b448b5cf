//! Prints events and diagnostics to memory, as lines.

use std::io;
use std::mem;

use sgf_stream::charset::Charset;
use sgf_stream::internal::Moves;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, PushParser, Severity, SyntaxError};

use super::digits::Digits;
use super::lines::{Output, write_event, write_finding, write_move};
use super::texts::Texts;

/// The lines of some games.
#[derive(Default)]
pub(super) struct Printed {
    pub(super) out: Output,
    /// The charset that was detected.
    pub(super) detected: Option<Charset>,
    /// The end of the file.
    pub(super) end: Option<io::Result<()>>,
}

/// Writes events and diagnostics as lines, at once or through [`Texts`].
pub(super) struct Lines {
    out: Output,
    texts: Option<Texts>,
}

impl Lines {
    /// Appends lines to these.
    pub(super) fn new(out: Output, texts: Option<Texts>) -> Self {
        Lines { out, texts }
    }

    /// Length of the lines in bytes.
    pub(super) fn len(&self) -> usize {
        self.out.lines.len()
    }

    /// Parses a chunk. An empty one is the end. Returns whether more lines can follow.
    pub(super) fn feed(&mut self, parser: &mut PushParser, chunk: &[u8]) -> bool {
        match parser.chunk_into(chunk, &mut InChunk { lines: self, chunk }) {
            Ok(_) => {
                if let Some(texts) = &mut self.texts {
                    texts.end_chunk(chunk);
                }
            }
            Err(error) => self.fatal(&error),
        }
        !self.out.is_over
    }

    /// Notes that transcoding replaced bad bytes by a U+FFFD at an offset.
    pub(super) fn bad_at(&mut self, at: u64) {
        if let Some(texts) = &mut self.texts {
            texts.bad_at(at);
        }
    }

    fn diagnostic(&mut self, found: &Diagnostic) {
        let fatal = match found.severity() {
            Severity::Error => Some(false),
            _ => None,
        };
        self.out.has_errors |= fatal.is_some();
        let line = |out: &mut Vec<u8>| write_finding(out, found.position, found.code, found.message(), fatal);
        match &mut self.texts {
            Some(texts) => texts.line(&mut self.out, line),
            None => self.out.write(line),
        }
    }

    fn fatal(&mut self, error: &SyntaxError) {
        self.release();
        self.out.fatal(error.position(), error.code(), &error.message());
    }

    /// Moves the lines to a result, all but those that are held back.
    pub(super) fn pass(&mut self, done: &mut Printed) {
        debug_assert!(done.out.lines.is_empty(), "they are here");
        mem::swap(&mut done.out, &mut self.out);
    }

    /// Moves all lines to a result.
    pub(super) fn finish(mut self, done: &mut Printed) {
        self.release();
        self.pass(done);
    }

    /// Writes the lines that are held back.
    fn release(&mut self) {
        if let Some(texts) = &mut self.texts {
            texts.release(&mut self.out);
        }
    }
}

/// Writes the events of a chunk.
struct InChunk<'c> {
    lines: &'c mut Lines,
    chunk: &'c [u8],
}

impl EventSink for InChunk<'_> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let Lines { out, texts } = &mut *self.lines;
        match texts {
            Some(texts) => texts.event(out, event, offset, self.chunk),
            None => out.write(|out| write_event(out, event, offset)),
        }
        if out.is_over { Flow::Break } else { Flow::Continue }
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.lines.diagnostic(&fault);
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        if self.lines.texts.is_some() {
            return None;
        }
        let mut offset = Digits::new(moves.offset());
        self.lines.out.write(|out| {
            moves.nodes().for_each(|node| write_move(out, &mut offset, node));
        });
        Some(Flow::Continue)
    }
}
