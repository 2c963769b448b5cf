//! `sgf records`: one typed record a game, as JSON Lines or CSV.
//!
//! [`fields`] parses the wanted fields, [`record`] deserializes them, [`output`] writes them, and [`report`]
//! reports faulty games. [`work`] runs all of it on all cores ([`jobs`]), and the results are printed in the order
//! of the games.

mod fields;
mod output;
mod record;
mod report;
mod work;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use self::fields::Fields;
use self::output::Output;
use self::report::{Reports, Style};
use self::work::{Recorded, Recording};
use crate::decoding::Charsets;
use crate::failure::{Failure, TROUBLE};
use crate::input::Paths;
use crate::jobs::{self, Threads};
use crate::progress::Progress;
use crate::terminal::{self, Terminal, Writes};

/// Number of bytes written at a time.
const BUFFER: usize = 64 * 1024;

/// Maximum length of a node, and so of a value, in bytes. It bounds the memory of a run.
const MAX_NODE: usize = 16 << 20;

/// Print one record for each game: players, result, date, and any other property.
///
/// Archives of any size are read in constant memory, and properties that no field needs are skipped. A faulty game
/// is reported on standard error and left out; all others are printed.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,

    /// Fields of a record, in order.
    ///
    /// Identifiers of root properties, private ones included; and file, game, offset, moves, RE_text and DT_text.
    #[arg(long, value_name = "NAME,…", value_parser = Fields::parse, default_value = fields::DEFAULT)]
    fields: Fields,

    /// Add the moves of the main line as the last field.
    #[arg(long)]
    moves: bool,

    /// Reject a game at its first fault, instead of repairing it.
    #[arg(long)]
    strict: bool,

    /// How to report faulty games on standard error.
    ///
    /// `auto` prints a summary if standard error is a terminal, and every finding otherwise. --quiet reports none.
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    findings: Findings,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,
}

/// The ways to report findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Findings {
    #[default]
    Auto,
    /// One line for each finding.
    All,
    /// The count of each code, with the first finding.
    Summary,
}

impl Findings {
    fn style(self, terminal: &Terminal) -> Style {
        match self {
            _ if terminal.is_quiet() => Style::Silent,
            Findings::All => Style::Lines,
            Findings::Summary => Style::Summary,
            Findings::Auto if terminal.shows_messages() => Style::Summary,
            Findings::Auto => Style::Lines,
        }
    }
}

/// The output formats.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object for each line.
    Jsonl,
    /// Comma-separated values, with a header line.
    Csv,
}

const MORE: &str = r#"Fields:
  file         the PATH; in an archive, `archive.zip!/dir/game.sgf`; for standard
               input, `-`. If it is not UTF-8, JSON Lines have its bytes as
               path_base64
  game         the number of the game in the file, from 0; faulty games count
  offset       the byte offset of its `(`
  PB, KM, …    a property of the root, by its upper-case letters (`PlayerBlack`
               is PB)
  RE, DT       the result and the date in the form of FF[4] (`B+Resign`,
               `1996-12-27,28`), if their meaning is clear; otherwise as
               written. If DT is missing or empty, the date is that of RD,
               which some servers write
  KM           the komi in points: `KM[750]` and `KM[375]`, which one server
               writes, are 7.5. If KM is missing, the komi that HA names:
               `HA[호선 - 6집 반 공제]` is handicap 0, komi 6.5
  RE_text, DT_text
               the original text, if it is not in the form of FF[4]. It has what
               RE and DT omit: `B+Offline` is read as `B+`
  moves        the moves of the main line, including those of the root, as
               written: a pass is empty, or `tt` in older files. Setup stones
               are not moves: they are in AB, AW and PL, nearly always in the
               root

  Fields are read from the root only, where nearly all files have their game
  information. A file that merges several games may have it further down; then
  its record lacks it.

  Texts are printed in UTF-8. The charset of a game is, in this order: that of
  the byte-order mark of the file; the one that CA names; the most likely one.

JSON Lines:
    {"file":"a.sgf","game":0,"offset":0,"PB":"Shusaku","SZ":19,"RE":"B+2"}

  A property that the root does not have is missing; an empty one is "", or []
  for a list of points. Numbers are JSON numbers; a value that is not a number
  is a string. A board that is not square is [columns, rows]. Lists are arrays;
  in lists of points, rectangles are expanded. An unknown property is an array
  of strings. Moves are pairs: [["B","qd"],["W","dc"],["B",""]].

CSV:
  As in RFC 4180, in UTF-8, with LF line breaks. The first line has the names; a
  missing property is empty. Points of a list are separated by spaces. Any other
  list is its only text, or a JSON array if it has several (or if its only text
  starts with `[`). A board that is not square is `columns:rows`. Moves are
  `B[qd] W[dc] B[]`.

Faults:
  A game is faulty if its root (with --moves: any node of its main line) is
  longer than 16 MiB, or all its moves together are; with --strict, also if the
  part that is read has a fault, or bytes that are not in its charset. A faulty
  game is reported, and has no record:

    a.sgf:12:7: error: MESSAGE (game 3, byte 512) [value-too-long]

  Warnings have the same form. Their games have records: a game that is cut off
  by the end of the file has the fields read so far; a property with several
  values where one is expected has the first; bytes that are not in the charset
  of the game become U+FFFD; if CA names an unknown charset, the game is read as
  Latin-1.

  Files in UTF-16, UTF-32, HZ or ISO-2022-* are transcoded before they are
  parsed: offsets and lines are those of the file in UTF-8, and bad bytes are
  reported once for the whole file.

Exit codes:
  0  every game has a record; also if the reader of the output closes the pipe
  1  a game was faulty, or a file has no SGF data
  2  wrong usage, or something could not be read or written (reported on
     standard error; everything else is still read)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    // It may have to examine all files.
    let progress = Arc::new(Progress::new(Writes::Lines, || args.paths.total_size()));
    let fields = if args.moves { args.fields.clone().with_moves() } else { args.fields.clone() };
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout());
    out.write_all(&Output::head(args.format, &fields)).map_err(Failure::Output)?;
    let (strict, charsets) = (args.strict, args.charsets);
    let reports = args.findings.style(terminal::get());
    let (mut all, mut has_troubles) = (Reports::new(reports), false);
    let work = Recording { fields, format: args.format, strict, charsets, reports };
    let written = jobs::run(work, &args.paths, &progress, |done: Recorded| {
        has_troubles |= done.has_troubles;
        out.write_all(&done.output.into_bytes())?;
        if !done.reports.lines().is_empty() {
            out.flush()?;
            progress.suspend(|| _ = io::stderr().write_all(done.reports.lines().as_bytes()));
        }
        all.add(done.reports);
        Ok(())
    });
    progress.finish();
    written.and_then(|()| out.flush()).map_err(Failure::Output)?;
    _ = io::stderr().write_all(all.summary().as_bytes());
    Ok(ExitCode::from(match (has_troubles, all.has_errors()) {
        (true, _) => TROUBLE,
        (false, has_errors) => has_errors.into(),
    }))
}
