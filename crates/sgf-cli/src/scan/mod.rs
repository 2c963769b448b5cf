//! `sgf scan`: statistics of games.
//!
//! The inputs are cut into parts, which are read on all cores ([`jobs`], [`work`]). [`statistics`] counts events,
//! [`diagnostics`] counts diagnostics. The results of the parts are added up in order. At the end they become a
//! [`report`], which is printed as JSON or, by [`text`], as tables. All data kept is bounded.

mod charsets;
mod diagnostics;
mod report;
mod statistics;
mod text;
mod work;

use std::convert::Infallible;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use self::diagnostics::{Diagnostics, Fault, Faults, Reported};
use self::report::{Record, Report};
use self::statistics::Statistics;
use self::text::Text;
use self::work::{Ended, Scanned, Scanning};
use crate::failure::{Failure, TROUBLE, note_trouble};
use crate::input::Paths;
use crate::jobs::{self, Threads};
use crate::json;
use crate::progress::Progress;
use crate::terminal::{self, Writes};

/// Print statistics: games, moves, properties, charsets and diagnostics.
///
/// Counts games, nodes, properties in root nodes and in other nodes, the values of FF, GM, CA, AP and SZ, charsets,
/// and repaired syntax errors. Files of any size are read in constant memory.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of tables.
    #[arg(long)]
    json: bool,

    /// Number of files with diagnostics to list, each with its first one.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_errors: usize,

    /// Print whole tables.
    ///
    /// Without it, tables of properties are cut after 40 lines, others after 20. JSON is always complete.
    #[arg(long, conflicts_with = "json")]
    all: bool,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"What is counted:
  Each member of an archive counts as a file. Bytes are counted after
  decompression. A game is a tree that is not inside another tree; its first
  node is its root. Properties are counted by their upper-case letters and
  digits: `Black` is B. Moves are the properties B and W, variations included.
  For FF, GM, CA, AP and SZ, the first value in each game counts. The deepest
  nesting is the maximum number of trees open at once. The longest value is
  measured in bytes between its brackets. MB/s are millions of bytes per second.
  Tables hold at most 10,000 keys; further keys are counted as dropped. Keys
  longer than 256 bytes are cut, and end in `…`.

Charsets:
  CA is the charset that a game declares. The charset is the one in which the
  game actually is: ASCII, if no value has other bytes; otherwise UTF-8, if the
  values are valid UTF-8; otherwise the one that CA declares, if some values are
  valid in it; otherwise the most likely one, according to the first 64 KiB. The
  values of the root decide; if they are ASCII, those of the other nodes do. A
  file in UTF-16, UTF-32, HZ or ISO-2022-* is transcoded as a whole: all its
  games are in that charset, and positions are those in UTF-8. Games "declared
  otherwise" have a CA with another charset, or an unknown one; ASCII fits every
  CA.

JSON:
  files bytes games nodes moves properties values max_depth
                    numbers
  longest_value     {bytes, file, offset, line} of the longest value; null if
                    there is none
  root other        properties in root nodes, and in other nodes: name -> count
  ff gm ca ap sz    first value in each game -> count; "" if there is none
  charset           charset of each game -> count
  charset_mismatch  the number of games that declare another charset
  diagnostics       rule -> count
  errors            a list of {file, offset, line, column, message}: the first
                    diagnostic of each file that has any, at most --max-errors
                    of them. Offset, line and column are null if a file or
                    directory could not be read. If a name is not UTF-8,
                    path_base64 has its bytes, here and in longest_value
  seconds           a number
  dropped           table -> count of keys that did not fit; missing if all did
  Tables are sorted by count, highest first."#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    // Before anything else, since it may have to examine all files.
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let mut scan = Scan::new(args.max_errors);
    let Ok(()) = jobs::run::<_, Infallible>(Scanning::default(), &args.paths, &progress, |done| {
        for fault in scan.take(done) {
            note_trouble(&fault.file, &fault.message);
        }
        Ok(())
    });
    progress.finish();
    let unreadable = scan.faults.unreadable() > 0;
    print(&scan.finish(), args).map_err(Failure::Output)?;
    Ok(ExitCode::from(if unreadable { TROUBLE } else { 0 }))
}

fn print(report: &Report, args: &Args) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    if args.json {
        json::write(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", Text { report, all: args.all, columns: terminal::get().columns() })?;
    }
    out.flush()
}

/// A scan in progress.
struct Scan {
    started: Instant,
    statistics: Statistics,
    files: u64,
    bytes: u64,
    deepest: Record,
    longest: Record,
    diagnostics: Diagnostics,
    faults: Faults,
}

impl Scan {
    fn new(max_errors: usize) -> Self {
        Scan {
            started: Instant::now(),
            statistics: Statistics::default(),
            files: 0,
            bytes: 0,
            deepest: Record::default(),
            longest: Record::default(),
            diagnostics: Diagnostics::default(),
            faults: Faults::new(max_errors),
        }
    }

    /// Adds the results of the next parts and files. Returns the files that could not be read.
    fn take(&mut self, done: Scanned) -> Vec<Fault> {
        self.bytes += done.bytes;
        self.deepest.take(done.deepest);
        self.longest.take(done.longest);
        self.statistics.add(done.statistics);
        let mut unreadable = Vec::new();
        for Ended { name, reported, result } in done.ended {
            let reported = Reported::more_severe(self.diagnostics.take_first(), reported);
            match result {
                Ok(()) => {
                    self.files += 1;
                    if let Some(reported) = reported {
                        self.faults.add(Fault::found(name, &reported));
                    }
                }
                Err(fault) => {
                    self.faults.add_unreadable(fault.clone());
                    unreadable.push(fault);
                }
            }
        }
        self.diagnostics.add(done.diagnostics);
        unreadable
    }

    fn finish(self) -> Report {
        Report {
            files: self.files,
            bytes: self.bytes,
            counts: self.statistics.finish(),
            deepest: self.deepest,
            longest: self.longest,
            diagnostics: self.diagnostics.counts(),
            faults: self.faults,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}
