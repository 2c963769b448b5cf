//! The lines of the output.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use sgf_stream::{Code, Diagnostic, Event, Position, RawValue, Severity, SyntaxError};

use super::texts::Texts;
use crate::json;

/// What becomes of events and findings: lines of output, at once, or by way of [`Texts`].
pub(super) struct Lines<W: Write> {
    out: Output<W>,
    texts: Option<Texts>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W, texts: Option<Texts>) -> Self {
        Lines { out: Output::new(out), texts }
    }

    /// Stops the parser when nothing more is to be written. The chunk is the one that the parser
    /// is reading.
    pub(super) fn event(&mut self, event: Event<'_>, offset: u64, chunk: &[u8]) -> ControlFlow<()> {
        match &mut self.texts {
            Some(texts) => texts.event(&mut self.out, event, offset, chunk),
            None => self.out.write(|out| write_event(out, event, offset)),
        }
        if self.out.is_open() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    pub(super) fn finding(&mut self, found: &Diagnostic) {
        let fatal = match found.severity() {
            Severity::Error => Some(false),
            _ => None,
        };
        self.out.errors |= fatal.is_some();
        let line = |out: &mut dyn Write| write_finding(out, found.position, found.code, found.message(), fatal);
        match &mut self.texts {
            Some(texts) => texts.line(&mut self.out, line),
            None => self.out.write(|out| line(out)),
        }
    }

    /// The parser is done with a chunk.
    pub(super) fn end_chunk(&mut self, chunk: &[u8]) {
        if let Some(texts) = &mut self.texts {
            texts.end_chunk(chunk);
        }
    }

    /// In the chunk that is parsed next, a U+FFFD stands here for bad bytes.
    pub(super) fn bad_at(&mut self, at: usize) {
        if let Some(texts) = &mut self.texts {
            texts.bad_at(at);
        }
    }

    pub(super) fn fatal(&mut self, error: &SyntaxError) {
        self.release();
        self.out.fatal(error.position(), error.code(), &error.message());
    }

    /// Answers whether there were errors.
    pub(super) fn finish(&mut self) -> io::Result<bool> {
        self.release();
        self.out.finish()
    }

    /// Writes what is held back.
    fn release(&mut self) {
        if let Some(texts) = &mut self.texts {
            texts.release(&mut self.out);
        }
    }
}

/// The output, and what became of it.
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    /// The first failure to write. Nothing is written behind it.
    written: io::Result<()>,
    /// Some line is an error.
    errors: bool,
    /// The last line is written.
    over: bool,
}

impl<W: Write> Output<W> {
    fn new(out: W) -> Self {
        Output { out: BufWriter::with_capacity(64 * 1024, out), written: Ok(()), errors: false, over: false }
    }

    /// Whether more can be written.
    pub(super) fn is_open(&self) -> bool {
        self.written.is_ok() && !self.over
    }

    pub(super) fn write(&mut self, line: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) {
        if self.is_open() {
            self.written = line(&mut self.out);
        }
    }

    /// A fatal error, the last line.
    pub(super) fn fatal(&mut self, at: Position, code: Code, message: &str) {
        self.errors = true;
        self.write(|out| write_finding(out, at, code, message, Some(true)));
        self.over = true;
    }

    fn finish(&mut self) -> io::Result<bool> {
        if self.written.is_ok() {
            self.written = self.out.flush();
        }
        std::mem::replace(&mut self.written, Ok(()))?;
        Ok(self.errors)
    }
}

/// An event, without a text.
pub(super) fn write_event(out: &mut (impl Write + ?Sized), event: Event<'_>, offset: u64) -> io::Result<()> {
    match event {
        Event::StartTree => writeln!(out, r#"{{"event":"start_tree","offset":{offset}}}"#),
        Event::Node => writeln!(out, r#"{{"event":"node","offset":{offset}}}"#),
        Event::EndTree => writeln!(out, r#"{{"event":"end_tree","offset":{offset}}}"#),
        Event::Property(ident) => {
            // Letters and digits only: nothing to escape.
            writeln!(out, r#"{{"event":"property","offset":{offset},"ident":"{ident}"}}"#)
        }
        Event::Value(value) => {
            write_raw(out, value, offset)?;
            out.write_all(b"}\n")
        }
        // Parts of values are not asked for.
        _ => Ok(()),
    }
}

/// A value and its text: one string, or the two parts of a composed one.
pub(super) fn write_value(
    out: &mut (impl Write + ?Sized),
    value: RawValue<'_>,
    offset: u64,
    text: &[&str],
) -> io::Result<()> {
    write_raw(out, value, offset)?;
    out.write_all(br#","text":"#)?;
    match text {
        [text] => json::write(&mut *out, text)?,
        parts => json::write(&mut *out, parts)?,
    }
    out.write_all(b"}\n")
}

/// A value, but for the brace at its end.
fn write_raw(out: &mut (impl Write + ?Sized), value: RawValue<'_>, offset: u64) -> io::Result<()> {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(raw) => {
            write!(out, r#"{{"event":"value","offset":{offset},"raw":"#)?;
            json::write(out, raw)
        }
        Err(_) => {
            let raw = Base64Display::new(value.as_bytes(), &STANDARD);
            write!(out, r#"{{"event":"value","offset":{offset},"raw_base64":"{raw}""#)
        }
    }
}

/// A diagnostic; an error, if it is told whether it is fatal.
pub(super) fn write_finding(
    out: &mut (impl Write + ?Sized),
    at: Position,
    code: Code,
    message: &str,
    fatal: Option<bool>,
) -> io::Result<()> {
    let (event, severity) = match fatal {
        Some(_) => ("error", Severity::Error),
        None => ("diagnostic", Severity::Warning),
    };
    let Position { offset, line, column } = at;
    write!(out, r#"{{"event":"{event}","offset":{offset},"line":{line},"column":{column},"#)?;
    write!(out, r#""severity":"{severity}","code":"{code}","message":"#)?;
    json::write(&mut *out, message)?;
    match fatal {
        Some(fatal) => writeln!(out, r#","fatal":{fatal}}}"#),
        None => writeln!(out, "}}"),
    }
}
