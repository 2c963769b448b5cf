//! `sgf records`: games as rows of a table, in JSON Lines, CSV, Arrow or Parquet.
//!
//! The library reads the rows ([`sgf_table`]). [`output`] formats them, [`sink`] writes them, and [`report`]
//! reports games with errors. [`work`] runs all of it on all cores ([`jobs`]), and the results are written in the order
//! of the games, which get their [`numbers`](crate::numbers) then.

mod append;
mod output;
mod range;
mod report;
mod sink;
mod work;

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::{RowFormat as Format, content_hash};
use sgf_stream::Parser;
use sgf_table::{Column, ColumnError, Names, Table, TableBuilder};

use self::append::Update;
pub(crate) use self::output::write_cell;
use self::report::{Reports, Style};
use self::sink::Sink;
use self::work::{Recorded, Recording};
use crate::catalog::Prune;
use crate::decoding::{Charsets, GameType};
use crate::failure::{Failure, TROUBLE};
use crate::input::Paths;
use crate::jobs::{self, Buffers, Threads};
use crate::names::{self, named};
use crate::numbers::GamesBefore;
use crate::people::NamesFile;
use crate::progress::Progress;
use crate::terminal::{self, Terminal, Writes};
use crate::{destination, json, near};

/// Columns of lines, if none are named.
const DEFAULT: &str = "file,game,offset,PB,BR,PW,WR,KM,KM_text,HA,HA_text,SZ,RU,RE,RE_text,DT,DT_text,EV,RO,PC,GN";

/// Print games as rows of a table: players, result, date, and any other property.
///
/// Files of any size are read in constant memory, and what no column needs is skipped. A game that is rejected is
/// reported on standard error, and has no row in JSON and CSV unless `error` is a column.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.required_unless_present("list_columns")),
)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// The kind of row.
    #[arg(long, value_enum, default_value_t = Rows::Games)]
    table: Rows,

    /// Output format. Default: according to the extension of FILE, or else `jsonl`.
    ///
    /// `arrow` and `parquet` need the features of these names.
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Omit the header line of CSV.
    #[arg(long)]
    no_header: bool,

    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Bring this file up to date: read only files that are new or changed.
    ///
    /// The rows of files that are gone from the directories of this run are dropped. What is not below a PATH, or cannot be
    /// read, keeps its rows. A file has changed if its size or time is another one, and its content is. FILE.files lists
    /// the files and their hashes. Rows have the full paths of their files, so a run may start in any directory. Use the
    /// same options each time; another table, format, columns or names are refused.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "range", "no_header"])]
    append: Option<PathBuf>,

    #[command(flatten)]
    prune: Prune,

    /// Columns, in order: names of --list-columns, and identifiers of root properties.
    ///
    /// Default for JSON and CSV: the most common properties. For Arrow and Parquet: all of --list-columns.
    #[arg(long, alias = "fields", value_name = "NAME,…", value_parser = named(Columns::parse, columns), hide_possible_values = true)]
    columns: Option<Columns>,

    /// Print the name, the type and the meaning of each column, and exit.
    #[arg(long)]
    list_columns: bool,

    /// Add the moves of the main line as the last column.
    #[arg(long)]
    moves: bool,

    /// Reject a game at its first syntax error, instead of repairing it.
    #[arg(long)]
    strict: bool,

    /// Read only the games that start in this byte range of PATH.
    ///
    /// Ranges that cover a file, such as those of `sgf split`, contain each of its games once, so programs and machines can
    /// share a file. PATH is an uncompressed file. `game` is null unless the range starts at 0, and line numbers in
    /// diagnostics count from the first game of the range.
    #[arg(long, value_name = "START..END", value_parser = range::parse)]
    range: Option<Range<u64>>,

    /// How to report diagnostics on standard error.
    ///
    /// `auto` prints a summary if standard error is a terminal, and every diagnostic otherwise. --quiet reports none.
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    diagnostics: Diagnostics,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    names: NamesFile,

    #[command(flatten)]
    threads: Threads,
}

/// The ways to report diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Diagnostics {
    #[default]
    Auto,
    /// One line per diagnostic.
    All,
    /// The count of each rule, with the first diagnostic.
    Summary,
}

impl Diagnostics {
    fn style(self, terminal: &Terminal) -> Style {
        match self {
            _ if terminal.is_quiet() => Style::Silent,
            Diagnostics::All => Style::Lines,
            Diagnostics::Summary => Style::Summary,
            Diagnostics::Auto if terminal.shows_messages() => Style::Summary,
            Diagnostics::Auto => Style::Lines,
        }
    }
}

/// Returns an error if `sgf` was built without the format.
fn expect_feature(format: Format) -> Result<(), Failure> {
    let is_built_in = match format {
        Format::Jsonl | Format::Csv => true,
        Format::Arrow => cfg!(feature = "arrow"),
        Format::Parquet => cfg!(feature = "parquet"),
    };
    match is_built_in {
        true => Ok(()),
        false => {
            let format = format.to_string();
            Err(Failure::Usage(Failure::without_feature(&format, &format)))
        }
    }
}

/// The tables.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rows {
    /// A game.
    Games,
    /// A move of a main line.
    Moves,
    /// A property of any node.
    Properties,
}

impl Rows {
    fn table(self) -> Table {
        match self {
            Rows::Games => Table::Games,
            Rows::Moves => Table::Moves,
            Rows::Properties => Table::Properties,
        }
    }
}

/// The names in `--columns`.
#[derive(Clone)]
struct Columns(Vec<String>);

impl Columns {
    fn parse(list: &str) -> Result<Self, Infallible> {
        Ok(Columns(list.split(',').map(|name| name.trim().to_owned()).collect()))
    }
}

/// The names that shells complete: columns, and the properties of lines of JSON and CSV.
fn columns() -> Vec<&'static str> {
    let mut names = names::columns();
    for name in DEFAULT.split(',') {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Args {
    /// Returns the file that is written, if that is not standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().or(self.append.as_deref())
    }

    /// Returns the format: that of the option, or else of the extension.
    fn format(&self) -> Format {
        self.format.or_else(|| Format::of(self.output()?)).unwrap_or(Format::Jsonl)
    }

    /// The table with its columns.
    fn table(&self) -> Result<TableBuilder, Failure> {
        let kind = self.table.table();
        if self.moves && kind != Table::Games {
            return Err(Failure::Usage(format!("--moves cannot be used with --table {}", kind.name())));
        }
        let table = TableBuilder::new(&Parser::new(), kind);
        let mut names = match &self.columns {
            Some(Columns(names)) => names.clone(),
            None if kind == Table::Games && !self.format().is_binary() => {
                DEFAULT.split(',').map(str::to_owned).collect()
            }
            None => Column::all(kind).iter().map(|column| column.name().to_owned()).collect(),
        };
        if self.moves && !names.iter().any(|name| name == MOVES) {
            names.push(MOVES.to_owned());
        }
        table.columns(names).map_err(|error| wrong_columns(&error, kind))
    }

    /// Returns the options that a file of `--append` keeps.
    ///
    /// Of the names, these are the pairs that replace others: `sgf names` may have counted more games since.
    fn settings(&self, table: &TableBuilder, names: &Names) -> serde_json::Value {
        let columns: Vec<&str> = table.column_list().iter().map(Column::name).collect();
        let (format, table) = (self.format().to_string(), table.table().name());
        let (charset, default_charset) = self.charsets.names();
        let mut settings = serde_json::json!({
            "sgf_records": append::VERSION,
            "table": table,
            "format": format,
            "columns": columns,
            "charset": charset,
            "default_charset": default_charset,
            "game_type": self.game_type.name(),
            "strict": self.strict,
        });
        if !names.is_empty() {
            let pairs: BTreeMap<&str, &str> = names.iter().collect();
            settings["names"] = content_hash(json::string(&pairs).as_bytes()).into();
        }
        settings
    }

    /// The path, if there is one.
    fn one_path(&self) -> Result<&Path, Failure> {
        match &self.paths.paths[..] {
            [path] => Ok(path),
            _ => Err(Failure::Usage("--range takes exactly one PATH".to_owned())),
        }
    }
}

/// Returns the failure of a list of columns. A table has some 60, so those that may have been meant are named.
pub(crate) fn wrong_columns(error: &ColumnError, kind: Table) -> Failure {
    let message = match error {
        ColumnError::Unknown { name, table, .. } => {
            let hint = near::column_hint(name, kind);
            let option = if kind == Table::Games { String::new() } else { format!("--table {table} ") };
            format!("unknown column '{name}'{hint} (`sgf records {option}--list-columns` lists all)")
        }
        error => error.to_string(),
    };
    Failure::Usage(format!("--columns: {message}"))
}

/// The column that `--moves` adds.
const MOVES: &str = "moves";

/// Prints all columns.
fn list_columns(table: Table, out: &mut impl Write) -> io::Result<()> {
    for column in Column::all(table) {
        writeln!(out, "{:<18} {:<11} {}", column.name(), column.column_type().name(), column.meaning())?;
    }
    if table != Table::Games {
        return Ok(());
    }
    writeln!(out, "{:<18} {:<11} Any root property, in canonical form if it can be parsed.", "PB, KM, XX, …", "text")?;
    writeln!(out, "{:<18} {:<11} The raw values of any root property.", "PB_raw, …", "raw values")?;
    writeln!(
        out,
        "{:<18} {:<11} RE, DT, SZ or a number as written, if that is not in the form of FF[4].",
        "RE_text, KM_text, …", "text"
    )
}

const MORE: &str = r#"Columns (--list-columns prints all, with their types):
  file         the PATH; in an archive, `archive.zip!/dir/game.sgf`; `-` for
               standard input. If it is not UTF-8, JSON Lines have its bytes as
               path_base64
  game         the number of the game in the file, from 0; games with errors
               count
  offset       the byte offset of its `(`
  PB, KM, …    a root property, named by its upper-case letters (`PlayerBlack`
               is PB)
  RE, DT       the result and the date in the form of FF[4] (`B+Resign`,
               `1996-12-27,28`), if their meaning is clear; otherwise as
               written. If DT is missing or empty, the date comes from RD,
               which some servers write
  KM           the komi in points: `KM[750]` and `KM[375]`, which one server
               writes, are 7.5. RU decides between points and stones; an
               ambiguous komi is missing, as in the column komi. If KM is
               missing, the komi contained in HA:
               `HA[호선 - 6집 반 공제]` is handicap 0, komi 6.5
  RE_text, DT_text, KM_text, HA_text, …
               the original text of a result, a date, a size or a number, if it
               is not in the form of FF[4]. It preserves detail that RE and DT
               drop: `B+Offline` becomes `B+`; and a komi whose points are
               unknown, which KM drops
  moves        the moves of the main line, including those of the root, as
               written: a pass is empty, or `tt` in older files. Setup stones
               are not moves: they are in AB, AW and PL, nearly always in the
               root

  date, winner, …
               typed values, parsed leniently, each with a column for the
               original text: date_text, result_text, komi_text

  Properties are read from the root only, where nearly all files have their game
  information. A file that merges several games may have it in later nodes; then
  it is missing from the row.

  Texts are printed in UTF-8. The charset of a game is, in this order: that of
  the byte-order mark of the file; the one that CA declares; the most likely
  one.

JSON Lines:
    {"file":"a.sgf","game":0,"offset":0,"PB":"Shusaku","SZ":"19","RE":"B+2"}

  A key has one type in all rows, so that data frames can read them. A property
  that the root does not have is missing; an empty one is "", or [] for a list
  of points. A number (KM, HA, TM, …) is a JSON number, and missing if it cannot
  be parsed. SZ is a string, "19" or "19:13": the columns size_x and size_y are
  numbers. Lists are arrays of strings; in lists of points, rectangles are
  expanded. A property that is a list in any kind of game, or that is not in the
  specification, is an array of strings. Moves are pairs:
  [["B","qd"],["W","dc"],["B",""]].

CSV:
  As in RFC 4180, in UTF-8, with LF line breaks. The first line has the names; a
  missing property is empty. Points of a list are separated by spaces. Any other
  list is its text, or a JSON array if it has several texts (or if its only text
  starts with `[`). Moves are `B[qd] W[dc] B[]`.

Arrow and Parquet:
  Arrow is the stream format, which can be piped. Parquet is written in row
  groups of up to 100,000 games, compressed with zstd. `moves` is a list of
  numbers there: y * size_x + x from the top left corner, 0x7FFF for a pass, and
  0x8000 more for white. The metadata has the versions of the columns and of
  `sgf`.

Errors and warnings:
  A game is rejected if its root, one of its values, or all its moves together
  exceed 16 MiB. With --strict it is also rejected if the part that is read has
  a syntax error, or if its root has bytes that are invalid in its charset. (The
  size of a root is its bytes, and 32 more per property and value.) With
  --strict, an unterminated game also loses the games after it. A game that is
  rejected is reported. In JSON and CSV it has no row, unless `error` is a
  column; in Arrow and Parquet it has a row:

    a.sgf:12:7: error: MESSAGE (game 3, byte 512) [value-too-long]

  The column `error` also names repairs that lost data; such a game has its row,
  and does not change the exit code.

  Games are counted from 1 in messages. Warnings have the same form. Their games
  have rows: a truncated game has the properties read so far; a property with
  several values where one is allowed has the first; bytes that are invalid in
  the charset of the game become U+FFFD; if CA declares an unknown charset, the
  game is decoded as Latin-1. If none of the texts is valid in the charset of
  CA, and all are valid in the most likely one, they are decoded in that, unless
  it is a single-byte charset.

  Files in UTF-16, UTF-32, HZ or ISO-2022-* are transcoded before they are
  parsed: offsets and lines are those of the file in UTF-8, and invalid bytes
  are reported once for the whole file."#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.list_columns {
        return list_columns(args.table.table(), &mut io::stdout())
            .map(|()| ExitCode::SUCCESS)
            .map_err(Failure::Output);
    }
    args.threads.set()?;
    let (format, strict, charsets) = (args.format(), args.strict, args.charsets);
    if args.no_header && format != Format::Csv {
        return Err(Failure::Usage("only CSV has a header line; use --format csv".to_owned()));
    }
    let names = args.names.read()?;
    let table = args.table()?.default_game(args.game_type.default_game()).names(Arc::clone(&names));
    let output = args.output();
    let failure = destination::failure(output);
    let update = match &args.append {
        Some(file) => Some(Update::new(file, format, args.settings(&table, &names), (&args.paths, args.prune))?),
        None if args.prune.is_given() => return Err(Failure::Usage("--prune needs --append FILE".to_owned())),
        None => None,
    };
    if let Some(update) = &update
        && update.has_nothing_to_do()
    {
        update.finish(&HashSet::new()).map_err(&failure)?;
        return Ok(ExitCode::from(if update.has_unread() { TROUBLE } else { 0 }));
    }
    let paths = update.as_ref().map_or_else(|| args.paths.clone(), |update| args.paths.with_paths(update.paths()));
    let mut out = destination::open(output, &args.paths.inputs().and(args.names.path()))?;
    let is_pending = out.is_pending();
    let has_rows = match &update {
        Some(update) => update.copy_rows(format, &mut out).map_err(&failure)?,
        None => false,
    };
    let mut sink = Sink::open(format, out, &table, !args.no_header && !has_rows)?;
    // It may have to examine all files.
    let progress = Arc::new(Progress::new(Writes::Lines, || paths.total_size()));
    let reports = args.diagnostics.style(terminal::get());
    let (mut all, mut games) = (Reports::new(reports), GamesBefore::default());
    let mut has_troubles = update.as_ref().is_some_and(Update::has_unread);
    let (mut unread, mut has_games, mut like_hex) = (HashSet::new(), false, 0);
    let buffers = Buffers::default();
    let rows = args.table.table();
    let work = Recording { rows, table, format, strict, charsets, reports, buffers: buffers.clone() };
    let mut take = |mut done: Recorded| {
        has_troubles |= !done.unread.is_empty();
        unread.extend(done.unread);
        has_games |= done.output.len() > 0;
        like_hex += done.like_hex;
        let before = games.take(done.next_game);
        sink.write(done.output, before, &buffers)?;
        let lines = done.reports.take_lines(before);
        if !lines.is_empty() {
            sink.flush()?;
            progress.suspend(|| _ = io::stderr().write_all(lines.as_bytes()));
        }
        all.add(done.reports, before);
        Ok(())
    };
    let written = match &args.range {
        Some(range) => range::run(&work, args.one_path()?, range.clone(), &mut take),
        None => jobs::run(work, &paths, &progress, take),
    };
    progress.finish();
    written.map_err(&failure)?;
    match output {
        Some(path) if has_troubles && !has_games && is_pending && update.is_none() => destination::warn_unwritten(path),
        _ => sink.close().map_err(&failure)?,
    }
    if let Some(update) = update {
        update.finish(&unread).map_err(&failure)?;
    }
    _ = io::stderr().write_all(all.summary().as_bytes());
    args.game_type.note_like_hex(like_hex);
    Ok(ExitCode::from(match (has_troubles, all.has_errors()) {
        (true, _) => TROUBLE,
        (false, has_errors) => has_errors.into(),
    }))
}
