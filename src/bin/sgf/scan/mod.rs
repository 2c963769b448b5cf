//! `sgf scan`: the statistics of an archive.
//!
//! The files that the arguments stand for, and the members of archives, are read one after the other
//! in large chunks ([`input`](crate::input)), and pushed through a lenient parser. Its events are counted in [`statistics`], what
//! its listener hears in [`findings`]. At the end both become a [`report`], which is printed as
//! JSON or, by [`text`], for people. Everything that is kept is bounded, whatever the archive.

mod charsets;
mod findings;
mod report;
mod statistics;
mod tally;
mod text;

use std::convert::Infallible;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use sgf_stream::Parser;

use self::findings::{Fault, Faults, Findings};
use self::report::{Record, Report};
use self::statistics::Statistics;
use self::text::Text;
use crate::failure::{Failure, TROUBLE, complain};
use crate::input::{Found, Name, Opener, Paths};
use crate::progress::Progress;

/// Print the statistics of an archive.
///
/// Counts games, nodes, properties in root nodes and in other nodes, the values of FF, GM, CA, AP
/// and SZ, the charsets that games are in, and everything that had to be repaired. Files of any size are read in constant memory.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,

    /// How many faulty files to list, each with its first fault.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_errors: usize,

    /// Print whole tables.
    ///
    /// Without it, tables of properties end after 40 lines, others after 20. JSON is whole anyway.
    #[arg(long, conflicts_with = "json")]
    all: bool,
}

const MORE: &str = r#"What is counted:
  A game is a tree that is in no other; its first node is its root. Properties go by their
  upper-case letters and digits: `Black` is B. Moves are the properties B and W, those in
  variations included. Of FF, GM, CA, AP and SZ the first value in each game counts. The deepest
  nesting is the greatest number of trees open at once, the longest value is measured in bytes
  between its brackets, MB/s are millions of bytes a second. Tables hold at most 10,000 keys; what
  came after that is counted as dropped. Keys longer than 256 bytes are cut, and end in `…`.

Charsets:
  CA is what a game says, the charset what it is found to be in: ASCII, if no value has other
  bytes; else UTF-8, if the values are that; else what CA names, if the values can be decoded by
  it; else what they are most likely in, by their first 64 KiB. "Declared otherwise" are the games
  whose CA names another charset than the one found, or one that nobody knows; ASCII fits all.

JSON:
  files bytes games nodes properties values max_depth   numbers
  root other            properties in root nodes, in other nodes: name -> count
  ff gm ca ap sz        first value in each game -> count; "" where there is none
  charset               charset found in each game -> count
  charset_mismatch      games that declare another one
  diagnostics           code -> count
  errors                a list of {file, offset, line, column, message}: the first fault of each
                        faulty file, at most --max-errors of them. Offset, line and column are
                        null where a file or directory could not be read
  seconds               a number
  dropped               table -> count of what did not fit into it; left out if nothing was dropped
  Tables are ordered, most frequent first.

Exit codes:
  0  everything was read, whatever was found in it
  2  wrong usage, or something could not be read (that is said on standard error, and the rest is
     scanned all the same; `files` counts those that were read to their end)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // First, since it may have to look at all files.
    let progress = Progress::new(|| args.paths.total_size());
    let mut scan = Scan::new(args, &progress);
    let mut opener = Opener::new(args.paths.limits);
    for file in args.paths.walk() {
        match file {
            Ok(file) => {
                let Ok(()) = opener.each::<Infallible>(&file, &progress, |found| {
                    match found {
                        Found::Input(input) => scan.file(input.name, input.data),
                        Found::Unreadable(name, error) => scan.unreadable(name, &error),
                    }
                    Ok(())
                });
            }
            Err((name, error)) => scan.unreadable(&name, &error),
        }
    }
    let unreadable = scan.faults.unreadable() > 0;
    let report = scan.finish();
    print(&report, args).map_err(Failure::Output)?;
    Ok(ExitCode::from(if unreadable { TROUBLE } else { 0 }))
}

fn print(report: &Report, args: &Args) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    if args.json {
        serde_json::to_writer(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", Text { report, all: args.all })?;
    }
    out.flush()
}

/// A scan under way.
struct Scan<'p> {
    started: Instant,
    parser: Parser,
    findings: Findings,
    statistics: Statistics,
    files: u64,
    bytes: u64,
    deepest: Record,
    longest: Record,
    faults: Faults,
    progress: &'p Progress,
}

impl<'p> Scan<'p> {
    fn new(args: &Args, progress: &'p Progress) -> Self {
        let findings = Findings::default();
        Scan {
            started: Instant::now(),
            parser: findings.listen(Parser::new()),
            findings,
            statistics: Statistics::default(),
            files: 0,
            bytes: 0,
            deepest: Record::default(),
            longest: Record::default(),
            faults: Faults::new(args.max_errors),
            progress,
        }
    }

    fn file(&mut self, name: &Name, data: &mut dyn BufRead) {
        self.findings.begin_file();
        self.statistics.begin_file();
        match self.read(data) {
            Err(error) => self.unreadable(name, &error),
            Ok(()) => {
                self.files += 1;
                if let Some((position, message)) = self.findings.first() {
                    self.faults.add(|| Fault::at(name, position, message));
                }
            }
        }
        self.deepest.note(self.statistics.max_depth(), 0, name);
        let (len, offset) = self.statistics.longest_value();
        self.longest.note(len, offset, name);
    }

    /// Pushes a file through a parser of its own.
    fn read(&mut self, data: &mut dyn BufRead) -> io::Result<()> {
        let Scan { findings, statistics, .. } = self;
        let mut parser = self.parser.push();
        // A value under way has bytes that are not ASCII, for all that is known.
        let mut high = false;
        loop {
            let chunk = data.fill_buf()?;
            let len = chunk.len();
            self.bytes += len as u64;
            let (is_ascii, values) = (chunk.is_ascii(), statistics.values());
            high |= !is_ascii;
            let parsed = if chunk.is_empty() {
                parser.finish(|event, offset| statistics.event::<true>(event, offset))
            } else if high {
                parser.feed(chunk, |event, offset| statistics.event::<true>(event, offset))
            } else {
                parser.feed(chunk, |event, offset| statistics.event::<false>(event, offset))
            };
            // The first one may have come in earlier chunks, and the one that is under way has not.
            high &= !is_ascii || statistics.values() < values + 2;
            if let Err(error) = parsed {
                findings.fatal(&error);
                return Ok(());
            }
            if len == 0 {
                return Ok(());
            }
            data.consume(len);
        }
    }

    fn unreadable(&mut self, name: &Name, error: &io::Error) {
        self.progress.suspend(|| complain(format_args!("{name}: {error}")));
        self.faults.add_unreadable(|| Fault::unreadable(name, error));
    }

    fn finish(self) -> Report {
        self.progress.finish();
        Report {
            files: self.files,
            bytes: self.bytes,
            counts: self.statistics.finish(),
            deepest: self.deepest,
            longest: self.longest,
            diagnostics: self.findings.counts(),
            faults: self.faults,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}
