//! Reads the games of all files that are new or changed into an index.

use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::{io, mem};

use sgf_input::Seen;
use sgf_search::index::{
    IndexError, IndexOptions, IndexReader, IndexRowsBuilder, IndexWriter, IndexedGames, Stamp, Written,
};
use sgf_stream::{Parser, Severity, SyntaxError};
use sgf_table::Table;

use super::Args;
use crate::catalog;
use crate::decoding::{Charsets, note_detected};
use crate::failure::{Failure, TROUBLE, note, note_trouble, print_located, warn};
use crate::input::Name;
use crate::jobs::{self, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;
use crate::records::wrong_columns;
use crate::tables::{counted, grouped};
use crate::terminal::Writes;

/// The games and rows that a task collects before it passes them on: a row takes about a kilobyte.
const MOST_ROWS: usize = 4096;

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    catalog::expect_files("index", &args.paths, [])?;
    let (charset, default_charset) = args.charsets.names();
    let options = IndexOptions::new().variations(args.variations).rebuild(args.rebuild);
    let mut options = options.charsets(charset, default_charset);
    if let Some(columns) = &args.columns {
        let wrong = |error| wrong_columns(&error, Table::Games);
        options = options.columns(columns.iter().map(|name| name.trim())).map_err(wrong)?;
    }
    let mut writer = IndexWriter::open(&args.output, &options).map_err(failure)?;
    let before = writer.files().map(|(name, stamp)| (Name::of_bytes(name), seen_of(stamp)));
    let mut changes = catalog::changes(before, &args.paths, args.prune);
    // Without its old games, nothing would be left of what cannot be read.
    let replaces_all = if writer.is_new() { changes.read.is_empty() } else { args.rebuild };
    if replaces_all && !changes.unread.is_empty() {
        let what = if writer.is_new() { "not written" } else { "left unchanged" };
        warn(format_args!("{}: {what}, because not everything could be read", Name::of(&args.output)));
        return Ok(ExitCode::from(TROUBLE));
    }
    // The index does not depend on the order of the inputs.
    changes.read.sort_by_cached_key(|(name, _)| name.to_path());
    changes.removed.iter().for_each(|name| writer.remove_file(name.as_bytes()));
    let paths = args.paths.with_paths(changes.read.iter().map(|(name, _)| name.to_path()).collect());
    let progress = Arc::new(Progress::new(Writes::AtEnd, || paths.total_size()));
    let charsets = Charsets::of_names(writer.charsets());
    let work = Indexing { reader: writer.reader(), charsets };
    let mut all = Sums::default();
    let taken = jobs::run(work, &paths, &progress, |done: Indexed| {
        writer.write(done.rows.finish()?)?;
        progress.suspend(|| done.sums.lines.iter().for_each(|line| line.print()));
        all.add(done.sums);
        Ok(())
    });
    progress.finish();
    taken.map_err(failure)?;
    for (name, seen) in &changes.read {
        // What could not be read is tried again the next time.
        if !all.unread.contains(name.as_bytes()) {
            writer.set_file(name.as_bytes(), stamp_of(seen));
        }
    }
    let written = writer.finish().map_err(failure)?;
    catalog::print(&changes);
    print(&written, &all);
    let has_troubles = all.has_troubles || !changes.unread.is_empty();
    Ok(if has_troubles { ExitCode::from(TROUBLE) } else { ExitCode::SUCCESS })
}

pub(crate) fn failure(error: IndexError) -> Failure {
    Failure::Usage(error.to_string())
}

fn seen_of(Stamp { size, modified, hash }: &Stamp) -> Seen {
    Seen { size: *size, modified: *modified, hash: hash.clone() }
}

fn stamp_of(Seen { size, modified, hash }: &Seen) -> Stamp {
    Stamp { size: *size, modified: *modified, hash: hash.clone() }
}

/// Prints what the index has now.
fn print(written: &Written, all: &Sums) {
    let IndexedGames { games, without_board, too_large, .. } = written.games;
    note(format_args!(
        "{} in the index, {} bytes on disk",
        counted(games - without_board - too_large, "game"),
        grouped(written.bytes)
    ));
    if without_board > 0 {
        note(format_args!(
            "not indexed: {} other than Go, or on a board larger than 52x52",
            counted(without_board, "game")
        ));
    }
    if too_large + all.too_long > 0 {
        warn(format_args!("not indexed: {} that are too long", counted(too_large + all.too_long, "game")));
    }
}

/// Reads games into rows.
struct Indexing {
    reader: IndexReader,
    charsets: Charsets,
}

/// Rows of some games.
struct Indexed {
    rows: IndexRowsBuilder,
    sums: Sums,
}

/// What happened with some inputs.
#[derive(Default)]
struct Sums {
    lines: Vec<Line>,
    /// The bytes of the names of files on disk that could not be read.
    unread: HashSet<Vec<u8>>,
    too_long: u64,
    has_troubles: bool,
}

/// A message.
enum Line {
    Syntax(Name, SyntaxError),
    Failed(Name, io::Error),
}

impl Line {
    fn print(&self) {
        match self {
            Line::Syntax(name, error) => {
                print_located(name, error.position(), Severity::Warning, &error.message().to_string());
            }
            Line::Failed(name, error) => note_trouble(name, error),
        }
    }
}

impl Sums {
    fn add(&mut self, other: Sums) {
        let Sums { lines: _, unread, too_long, has_troubles } = other;
        self.unread.extend(unread);
        self.too_long += too_long;
        self.has_troubles |= has_troubles;
    }

    /// Notes that an input cannot be read, or only in part.
    fn fail(&mut self, name: &Name, error: io::Error) {
        self.has_troubles = true;
        self.unread.insert(name.as_bytes().to_vec());
        self.unread.extend(Name::archives_of_bytes(name.as_bytes()).map(<[u8]>::to_vec));
        self.lines.push(Line::Failed(name.clone(), error));
    }
}

impl Work for Indexing {
    type Done = Indexed;

    fn begin(&self) -> Indexed {
        Indexed { rows: self.reader.builder(), sums: Sums::default() }
    }

    fn reading(&self) -> Reading {
        Reading::new(Parser::new(), self.charsets.decoding())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Indexed>) {
        let parser = &input.parser;
        let name = input.name.as_bytes();
        let read = match games {
            Games::Part(part) => {
                let mut rows = mem::replace(&mut done.rows, self.reader.builder());
                let read = rows.read_in_steps(
                    parser,
                    name,
                    || part.reader(parser),
                    MOST_ROWS,
                    |rows| {
                        done.rows = rows;
                        done.pass_on(|done| mem::replace(done, self.begin()))
                    },
                );
                done.rows = rows;
                read.map(|()| true)
            }
            Games::Long(game) => done.rows.read_long(parser, name, game),
        };
        match read {
            Ok(is_read) => done.sums.too_long += u64::from(!is_read),
            Err(IndexError::Games(sgf_stream::Error::Syntax(error))) if error.is_final() => {} // no SGF data
            Err(IndexError::Games(sgf_stream::Error::Syntax(error))) => {
                done.sums.lines.push(Line::Syntax(input.name.clone(), error));
            }
            Err(error) => done.sums.fail(&input.name, io::Error::other(error.to_string())),
        }
        if done.rows.rows() >= MOST_ROWS {
            done.pass_on(|done| mem::replace(done, self.begin()));
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Indexed) {
        note_detected(name, input.and_then(|input| input.detected()));
        if let Err(error) = result {
            done.sums.fail(name, error);
        }
    }
}
