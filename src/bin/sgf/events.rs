//! `sgf events`: the events of one file, as JSON Lines.
//!
//! Events come from the parser's closure, findings from its listener. Both write to the same
//! [`Lines`], each as it happens: so the lines are in the order of the report, and nothing is
//! stored in between.

use std::io::{self, BufWriter, Stdout, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use sgf_stream::{Code, Diagnostic, Event, Flow, Parser, Position, Severity, SyntaxError};

use crate::failure::Failure;
use crate::input;

/// Print the events of a file as JSON Lines.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    /// Stop at the first fault, as a fatal error, instead of repairing it.
    #[arg(long)]
    strict: bool,

    /// The file to read; `-` is standard input.
    file: PathBuf,
}

const MORE: &str = r#"Output:
  One JSON object a line, in the order of the file:

    {"event":"start_tree","offset":0}
    {"event":"node","offset":1}
    {"event":"property","offset":2,"ident":"FF"}
    {"event":"value","offset":4,"raw":"4"}
    {"event":"end_tree","offset":7}

  Offsets are bytes from the start of the input. `ident` is spelled as in the file. `raw` is what
  stands between the brackets, still escaped; where that is not UTF-8, `raw_base64` is there
  instead.

  A repair is reported with line and column, which count from 1, columns in bytes:

    {"event":"diagnostic","offset":7,"line":1,"column":8,"severity":"warning",
     "code":"missing-semicolon","message":"a missing \";\" was assumed"}

  What had to be left out is an error: the same with "event":"error", "severity":"error" and
  "fatal":false. An error with "fatal":true is the last line; its message says what was expected.

Exit codes:
  0  no line is an error
  1  at least one line is an error
  2  wrong usage, or the file could not be read"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lines = Arc::new(Mutex::new(Lines::new(io::stdout())));
    let parser = if args.strict { Parser::strict() } else { Parser::new() };
    let mut parser = {
        let lines = Arc::clone(&lines);
        parser.on_diagnostic(move |found| lock(&lines).finding(found)).push()
    };
    let mut source = input::open(&args.file).map_err(Failure::input(&args.file))?;
    let mut buffer = vec![0; input::CHUNK];
    let read = loop {
        let chunk = match input::next_chunk(&mut *source, &mut buffer) {
            Ok(chunk) => chunk,
            Err(error) => break Err(Failure::Input(args.file.clone(), error)),
        };
        let handler = |event: Event<'_>, offset| lock(&lines).event(event, offset);
        let flow = if chunk.is_empty() { parser.finish(handler) } else { parser.feed(chunk, handler) };
        match flow {
            Ok(Flow::Continue) if !chunk.is_empty() => {}
            Ok(_) => break Ok(()),
            Err(error) => {
                lock(&lines).fatal(&error);
                break Ok(());
            }
        }
    };
    let errors = lock(&lines).finish().map_err(Failure::Output)?;
    read.map(|()| ExitCode::from(u8::from(errors)))
}

/// The output, and what became of it.
struct Lines<W: Write> {
    out: BufWriter<W>,
    /// The first failure to write. Nothing is written behind it.
    written: io::Result<()>,
    /// Some line is an error.
    errors: bool,
}

fn lock(lines: &Mutex<Lines<Stdout>>) -> MutexGuard<'_, Lines<Stdout>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write> Lines<W> {
    fn new(out: W) -> Self {
        Lines { out: BufWriter::with_capacity(64 * 1024, out), written: Ok(()), errors: false }
    }

    /// Stops the parser when nothing can be written any more.
    fn event(&mut self, event: Event<'_>, offset: u64) -> ControlFlow<()> {
        self.write(|out| write_event(out, event, offset));
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn finding(&mut self, found: &Diagnostic) {
        let fatal = match found.severity() {
            Severity::Error => Some(false),
            _ => None,
        };
        self.errors |= fatal.is_some();
        self.write(|out| write_finding(out, found.position, found.code, found.message(), fatal));
    }

    fn fatal(&mut self, error: &SyntaxError) {
        self.errors = true;
        self.write(|out| write_finding(out, error.position(), error.code(), &error.message(), Some(true)));
    }

    /// Answers whether there were errors.
    fn finish(&mut self) -> io::Result<bool> {
        self.write(BufWriter::flush);
        std::mem::replace(&mut self.written, Ok(()))?;
        Ok(self.errors)
    }

    fn write(&mut self, line: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = line(&mut self.out);
        }
    }
}

fn write_event(out: &mut impl Write, event: Event<'_>, offset: u64) -> io::Result<()> {
    match event {
        Event::StartTree => writeln!(out, r#"{{"event":"start_tree","offset":{offset}}}"#),
        Event::Node => writeln!(out, r#"{{"event":"node","offset":{offset}}}"#),
        Event::EndTree => writeln!(out, r#"{{"event":"end_tree","offset":{offset}}}"#),
        Event::Property(ident) => {
            // Letters and digits only: nothing to escape.
            writeln!(out, r#"{{"event":"property","offset":{offset},"ident":"{ident}"}}"#)
        }
        Event::Value(value) => match std::str::from_utf8(value.as_bytes()) {
            Ok(raw) => {
                write!(out, r#"{{"event":"value","offset":{offset},"raw":"#)?;
                serde_json::to_writer(&mut *out, raw)?;
                out.write_all(b"}\n")
            }
            Err(_) => {
                let raw = Base64Display::new(value.as_bytes(), &STANDARD);
                writeln!(out, r#"{{"event":"value","offset":{offset},"raw_base64":"{raw}"}}"#)
            }
        },
        // Parts of values are not asked for.
        _ => Ok(()),
    }
}

/// A diagnostic; an error, if it is told whether it is fatal.
fn write_finding(out: &mut impl Write, at: Position, code: Code, message: &str, fatal: Option<bool>) -> io::Result<()> {
    let (event, severity) = match fatal {
        Some(_) => ("error", Severity::Error),
        None => ("diagnostic", Severity::Warning),
    };
    let Position { offset, line, column } = at;
    write!(out, r#"{{"event":"{event}","offset":{offset},"line":{line},"column":{column},"#)?;
    write!(out, r#""severity":"{severity}","code":"{code}","message":"#)?;
    serde_json::to_writer(&mut *out, message)?;
    match fatal {
        Some(fatal) => writeln!(out, r#","fatal":{fatal}}}"#),
        None => writeln!(out, "}}"),
    }
}
