//! `sgf records`: one typed record a game, as JSON Lines or CSV.
//!
//! [`fields`] says what is wanted, [`record`] takes it from the library's deserializer, [`output`]
//! writes it, [`report`] tells of the games that are faulty: all that is [`work`], and is done on all
//! cores ([`jobs`]). What comes of it is printed in the order of the games.

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

/// How much is written at a time, in bytes.
const BUFFER: usize = 64 * 1024;

/// The longest node, in bytes; no value is longer. It bounds the memory of a run.
const MAX_NODE: usize = 16 << 20;

/// Print one typed record a game: players, result, date, and whatever else you name.
///
/// Archives of any size are read in constant memory, and what no field asks for is skipped. A faulty game is
/// reported on standard error and left out, and the rest goes on.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// How to print records.
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,

    /// The fields of a record, in their order.
    ///
    /// Identifiers of properties, private ones too, of which the root of a game is asked; and file,
    /// game, offset, moves, RE_text and DT_text.
    #[arg(long, value_name = "NAME,…", value_parser = Fields::parse, default_value = fields::DEFAULT)]
    fields: Fields,

    /// Add the moves of the main line, as the last field.
    #[arg(long)]
    moves: bool,

    /// Take a game for faulty at its first fault, instead of repairing it.
    #[arg(long)]
    strict: bool,

    /// How to report what is wrong with games, on standard error.
    ///
    /// `auto` prints a summary where standard error is a terminal, and else every finding. --quiet reports none.
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    findings: Findings,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,
}

/// How findings are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Findings {
    #[default]
    Auto,
    /// A line for each.
    All,
    /// How many there are of each code, with the first of them.
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

/// How records are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values, with a line of names in front.
    Csv,
}

const MORE: &str = r#"Fields:
  file          the PATH, or what was found below it, `archive.zip!/dir/game.sgf` in an archive; `-` for
                standard input. Where it is not UTF-8, path_base64 after it has its bytes in JSON Lines
  game          the number of the game in the file, from 0; faulty games are counted too
  offset        the byte offset of its `(`
  PB, KM, …     a property of the root, by its upper-case letters (`PlayerBlack` is PB)
  RE, DT        the result and the date in the one form that FF[4] has for each (`B+Resign`,
                `1996-12-27,28`), also where they are written otherwise, if their meaning is clear;
                else as they are written. Where DT is missing or empty, the date is that of RD, as some
                servers write it, if it can be read
  KM            the komi in points: `KM[750]` and `KM[375]`, as one server writes them, are 7.5. Where KM is
                missing, the komi that HA names: `HA[호선 - 6집 반 공제]` is no handicap and a komi of 6.5
  RE_text, DT_text
                the same as they are written, where that is not as FF[4] allows: what was left out
                of them (`B+Offline` is read as `B+`) is there
  moves         the moves of the main line, those of the root included, as they stand between the
                brackets: a pass is empty, or `tt` in older files. Setup is no move: ask for AB, AW
                and PL, which the root has in nearly all games that have them

  Only the root is asked: nearly all files have there what they say of the game. A tree that merges
  several games may say it where they part; then its record goes without.

  Texts are printed in UTF-8. The charset of a game is that of the byte-order mark of the file; else
  the one that CA names; else the one that its values are most likely in.

JSON Lines:
    {"file":"a.sgf","game":0,"offset":0,"PB":"Shusaku","KM":0.0,"SZ":19,"RE":"B+2"}

  A property that the root does not have is left out; one that is there and empty is "", or [] for a
  list of points. Numbers are numbers, unless they are none (then they are the text that stands
  there); a board that is not square is [columns, rows]; lists are arrays, and those of points have
  each point of a rectangle; a property that is not known is an array of texts. Moves are pairs:
  [["B","qd"],["W","dc"],["B",""]].

CSV:
  As RFC 4180 has it, in UTF-8, with line breaks of Unix. Names stand in the first line; a property
  that is not there is empty. Lists of points have blanks between them. Of other lists a single text
  stands for itself, and several are a JSON array, as in JSON Lines (a single text that starts with
  `[` too). A board that is not square is `columns:rows`. Moves are `B[qd] W[dc] B[]`.

Faults:
  A game is faulty if its root (with moves, any node of its main line) is longer than 16 MiB, or all
  its moves are; with --strict, at any fault of what is read of it, and where its texts are not in
  their charset. It is reported, and is no record:

    a.sgf:12:7: error: the value is longer than the limit and was dropped (game 3, byte 512) [value-too-long]

  Warnings, in the same form, are about records that are there: a game that the end of the file
  cuts off, of which the record has what came; a property with several values where one is wanted,
  of which the record has the first; bytes that are not in the charset of the game, each run of which
  is U+FFFD; a CA that names no charset, for which Latin-1 is taken.

  Files in UTF-16, UTF-32, HZ or ISO-2022-* are transcoded before they are parsed: offsets and lines
  are those of the file in UTF-8, and what is not in the charset is told of the file as a whole.

Exit codes:
  0  every game is a record; also when the reader of the output has closed the pipe
  1  a game was faulty, or a file has no SGF data
  2  wrong usage, or something could not be read or written (that is said on standard error, and
     the rest is read all the same)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    // It may have to look at all files.
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
