//! The lines of the output.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use sgf_stream::{Code, Diagnostic, Event, Position, RawValue, Severity, SyntaxError};

use super::texts::Texts;
use crate::json;

/// Writes events and findings as lines, at once or through [`Texts`].
pub(super) struct Lines<W: Write> {
    out: Output<W>,
    texts: Option<Texts>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W, texts: Option<Texts>) -> Self {
        Lines { out: Output::new(out), texts }
    }

    /// Writes an event. Stops the parser when nothing more can be written. `chunk` is the one that the parser is
    /// reading.
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

    /// Ends a chunk of the parser.
    pub(super) fn end_chunk(&mut self, chunk: &[u8]) {
        if let Some(texts) = &mut self.texts {
            texts.end_chunk(chunk);
        }
    }

    /// Notes that transcoding replaced bad bytes by a U+FFFD at `at` in the next chunk.
    pub(super) fn bad_at(&mut self, at: usize) {
        if let Some(texts) = &mut self.texts {
            texts.bad_at(at);
        }
    }

    pub(super) fn fatal(&mut self, error: &SyntaxError) {
        self.release();
        self.out.fatal(error.position(), error.code(), &error.message());
    }

    /// Flushes the output. Returns whether there were errors.
    pub(super) fn finish(&mut self) -> io::Result<bool> {
        self.release();
        self.out.finish()
    }

    /// Writes the lines that are held back.
    fn release(&mut self) {
        if let Some(texts) = &mut self.texts {
            texts.release(&mut self.out);
        }
    }
}

/// The output and its state.
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    /// The first error of writing. Nothing is written after it.
    written: io::Result<()>,
    /// Whether some line is an error.
    errors: bool,
    /// Whether the last line has been written.
    over: bool,
}

impl<W: Write> Output<W> {
    fn new(out: W) -> Self {
        Output { out: BufWriter::with_capacity(64 * 1024, out), written: Ok(()), errors: false, over: false }
    }

    /// Returns whether more can be written.
    pub(super) fn is_open(&self) -> bool {
        self.written.is_ok() && !self.over
    }

    pub(super) fn write(&mut self, line: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) {
        if self.is_open() {
            self.written = line(&mut self.out);
        }
    }

    /// Writes a fatal error, the last line.
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

/// Writes an event that has no text.
pub(super) fn write_event(out: &mut (impl Write + ?Sized), event: Event<'_>, offset: u64) -> io::Result<()> {
    match event {
        Event::StartTree => writeln!(out, r#"{{"event":"start_tree","offset":{offset}}}"#),
        Event::Node => writeln!(out, r#"{{"event":"node","offset":{offset}}}"#),
        Event::EndTree => writeln!(out, r#"{{"event":"end_tree","offset":{offset}}}"#),
        Event::Property(ident) => {
            // Letters and digits only, so no escaping is necessary.
            writeln!(out, r#"{{"event":"property","offset":{offset},"ident":"{ident}"}}"#)
        }
        Event::Value(value) => {
            write_raw(out, value, offset)?;
            out.write_all(b"}\n")
        }
        // Parts of values are not enabled.
        _ => Ok(()),
    }
}

/// Writes a value and its text: one string, or the two parts of a composed one.
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

/// Writes a value without the closing brace.
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

/// Writes a diagnostic, or, with `fatal`, an error.
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
