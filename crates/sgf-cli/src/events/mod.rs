//! `sgf events`: the events of one file, as JSON Lines.
//!
//! The file is cut into parts, whose lines are written on all cores ([`jobs`], [`work`]) and printed in order. Events
//! and diagnostics of a part come in order, and each becomes a line ([`lines`]) at once.

mod digits;
mod lines;
mod work;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use self::work::{Printed, Printing};
use crate::decoding::{self, Charsets};
use crate::failure::{Failure, complain};
use crate::input::{Found, IS_DIRECTORY, Input, Limits, Name, Opener};
use crate::jobs::{self, Buffers, Threads};
use crate::progress::Progress;

/// Print the events of a file as JSON Lines.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    /// Stop at the first syntax error, instead of repairing it.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    charsets: Charsets,

    /// File to read; `-` is standard input. It may be compressed, or an archive with one SGF file in it.
    file: PathBuf,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Output:
  One JSON object per line, in the order of the file:

    {"event":"start_tree","offset":0}
    {"event":"node","offset":1}
    {"event":"property","offset":2,"ident":"FF"}
    {"event":"value","offset":4,"raw":"4"}
    {"event":"end_tree","offset":7}

  Offsets are in bytes, from the start of the input. `ident` is spelled as in
  the file. `raw` is the text between the brackets, still escaped; if it is not
  UTF-8, it is replaced with `raw_base64`. For decoded values, use
  `sgf records --table properties`.

  A repair is reported with its location. Lines and columns count from 1;
  columns are in bytes. `code` is the name of the rule:

    {"event":"diagnostic","offset":7,"line":1,"column":8,"severity":"warning",
     "code":"missing-semicolon","message":"a missing \";\" was assumed"}

  Data beyond a limit is dropped with an error: the same fields, with
  "event":"error", "severity":"error" and "fatal":false. An error with
  "fatal":true is the last line; its message says what was expected.

Charsets:
  Where a value ends depends on the charset of its game, which is, in this
  order: that of the byte-order mark of the file; the one that CA in the root
  declares; the most likely one. For values before CA, and in games without CA,
  it is the most likely one of the first game.

  Files in UTF-16, UTF-32, HZ or ISO-2022-* are transcoded before they are
  parsed. They are recognized by their byte-order mark, their first CA or their
  first 64 KiB. Then `raw` is UTF-8, and offsets, lines and columns are those of
  the file in UTF-8, without a byte-order mark."#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    if args.file.is_dir() {
        return Err(failure(args, IS_DIRECTORY));
    }
    let mut done = None;
    let progress = Arc::new(Progress::none());
    Opener::new(args.limits).each(&args.file, &*Arc::clone(&progress), |found| match found {
        Found::Input(input) if done.is_none() => {
            done = Some(print(args, input, &progress)?);
            Ok(())
        }
        // Their offsets would be ambiguous.
        Found::Input(_) => Err(failure(args, "the archive contains several SGF files; extract one")),
        Found::Unreadable(name, error) => Err(Failure::Input(name.clone(), error)),
    })?;
    Ok(done.unwrap_or_else(|| {
        complain(format_args!("{}: the archive contains no SGF file", Name::of(&args.file)));
        ExitCode::from(1)
    }))
}

fn failure(args: &Args, what: &str) -> Failure {
    Failure::Input(Name::of(&args.file), io::Error::other(what))
}

/// The reason why no more lines are printed.
enum Stop {
    /// The last line has been.
    Over,
    Output(io::Error),
}

fn print(args: &Args, input: Input<'_>, progress: &Arc<Progress>) -> Result<ExitCode, Failure> {
    let name = input.name.clone();
    let buffers = Buffers::default();
    let decoding = args.charsets.decoding();
    let work = Printing { strict: args.strict, decoding, buffers: buffers.clone() };
    let (mut out, mut has_errors, mut detected, mut end) = (io::stdout().lock(), false, None, Ok(()));
    let printed = jobs::run_input(work, Found::Input(input), args.limits, progress, |mut done: Printed| {
        out.write_all(&done.out.lines).map_err(Stop::Output)?;
        buffers.give_back(&mut done.out.lines);
        has_errors |= done.out.has_errors;
        detected = detected.or(done.detected);
        if let Some(read) = done.end {
            end = read;
        }
        if done.out.is_over { Err(Stop::Over) } else { Ok(()) }
    });
    decoding::note_detected(&name, detected);
    match printed {
        Err(Stop::Output(error)) => return Err(Failure::Output(error)),
        Ok(()) | Err(Stop::Over) => out.flush().map_err(Failure::Output)?,
    }
    end.map_err(Failure::input(&name))?;
    Ok(ExitCode::from(u8::from(has_errors)))
}
