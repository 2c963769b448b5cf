//! Reads the games of all files that are new or changed into an index.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::mem;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::{Changes, Seen};
use sgf_search::index::{IndexError, IndexOptions, IndexReader, IndexRows, IndexWriter, IndexedGames, Stamp, Written};
use sgf_stream::{Parser, SyntaxError};

use super::Args;
use crate::catalog;
use crate::decoding::{Charsets, note_detected};
use crate::failure::{Failure, TROUBLE, complain, located, note, warn};
use crate::input::Name;
use crate::jobs::{self, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::terminal::Writes;

/// Maximum length of a node, as in `records`.
const MAX_NODE: usize = 16 << 20;

/// Maximum length of a game. It is in memory while it is read.
const MAX_GAME: u64 = 64 << 20;

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    catalog::expect_files("index", &args.paths, [])?;
    let mut options = IndexOptions::new().variations(args.variations).rebuild(args.rebuild);
    if let Some(columns) = &args.columns {
        let wrong = |error| Failure::Usage(format!("--columns: {error}"));
        options = options.columns(columns.iter().map(|name| name.trim())).map_err(wrong)?;
    }
    let mut writer = IndexWriter::open(&args.output, &options).map_err(failure)?;
    if args.variations && !writer.has_variations() {
        return Err(failure(IndexError::NoVariations));
    }
    let before: HashMap<String, Seen> = writer.files().map(|(name, stamp)| (name.to_owned(), seen_of(stamp))).collect();
    let changes = Changes::since(before, catalog::files(&args.paths));
    for name in &changes.stale {
        writer.remove_file(name);
    }
    let paths = args.paths.with_paths(changes.paths.clone());
    let progress = Arc::new(Progress::new(Writes::AtEnd, || paths.total_size()));
    let work = Indexing { reader: writer.reader(), charsets: args.charsets };
    let mut all = Sums::default();
    let taken = jobs::run(work, &paths, &progress, |done: Indexed| {
        for rows in done.rows {
            writer.write(rows)?;
        }
        progress.suspend(|| done.sums.lines.iter().for_each(|line| line.print()));
        all.add(done.sums);
        Ok(())
    });
    progress.finish();
    taken.map_err(failure)?;
    let read: HashSet<&String> = changes.stale.iter().collect();
    for (name, seen) in &changes.seen {
        // What could not be read is tried again the next time.
        if read.contains(name) && !all.unread.contains(name) {
            writer.set_file(name, stamp_of(seen));
        }
    }
    let written = writer.finish().map_err(failure)?;
    catalog::print(&changes);
    print(&written, &all);
    Ok(match (all.has_troubles, all.has_no_sgf) {
        (true, _) => ExitCode::from(TROUBLE),
        (false, has_no_sgf) => ExitCode::from(u8::from(has_no_sgf)),
    })
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
#[derive(Default)]
struct Indexed {
    rows: Vec<IndexRows>,
    sums: Sums,
}

/// What happened with some inputs.
#[derive(Default)]
struct Sums {
    lines: Vec<Line>,
    /// The names of files on disk that could not be read.
    unread: HashSet<String>,
    too_long: u64,
    has_troubles: bool,
    has_no_sgf: bool,
}

/// A message.
enum Line {
    Located(String),
    Failed(Name, io::Error),
}

impl Line {
    fn print(&self) {
        match self {
            Line::Located(line) => eprintln!("{line}"),
            Line::Failed(name, error) => complain(format_args!("{name}: {error}")),
        }
    }
}

impl Sums {
    fn add(&mut self, other: Sums) {
        let Sums { lines: _, unread, too_long, has_troubles, has_no_sgf } = other;
        self.unread.extend(unread);
        self.too_long += too_long;
        self.has_troubles |= has_troubles;
        self.has_no_sgf |= has_no_sgf;
    }

    fn syntax(&mut self, name: &Name, error: &SyntaxError) {
        self.has_no_sgf = true;
        let line = located(name, error.position(), sgf_stream::Severity::Error, &error.message().to_string());
        self.lines.push(Line::Located(line));
    }
}

impl Work for Indexing {
    type Done = Indexed;

    fn begin(&self) -> Indexed {
        Indexed::default()
    }

    fn reading(&self) -> Reading {
        let parser = Parser::new().max_value_len(MAX_NODE).max_node_len(MAX_NODE);
        Reading::new(parser, self.charsets.decoding())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Indexed>) {
        let parser = &input.parser;
        let name = input.name.as_str();
        let read = match games.part() {
            Some(part) => self.reader.read(parser, name, || part.reader(parser)),
            None => {
                // A reader opens it up to three times.
                let pushes = RefCell::new([(); 3].map(|()| games.push(parser)).into_iter().collect::<Vec<_>>());
                let mut bytes = Vec::new();
                // An error of reading comes again when the input ends.
                let len = games.into_bytes().take(MAX_GAME + 1).read_to_end(&mut bytes).unwrap_or_default();
                if len as u64 > MAX_GAME {
                    done.sums.too_long += 1;
                    return;
                }
                self.reader.read(parser, name, || {
                    let push = pushes.borrow_mut().pop().unwrap_or_else(|| parser.push());
                    push.into_reader(&bytes[..])
                })
            }
        };
        match read {
            Ok(rows) => done.rows.push(rows),
            Err(IndexError::Games(sgf_stream::Error::Syntax(error))) => done.sums.syntax(&input.name, &error),
            Err(error) => {
                done.sums.has_troubles = true;
                done.sums.lines.push(Line::Failed(input.name.clone(), io::Error::other(error.to_string())));
            }
        }
        if done.rows.len() >= 64 {
            done.pass_on(mem::take);
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Indexed) {
        note_detected(name, input.and_then(|input| input.detected()));
        if let Err(error) = result {
            done.sums.has_troubles = true;
            let file = name.as_str();
            done.sums.unread.insert(file.to_owned());
            done.sums.unread.extend(Name::archives_of(file).map(str::to_owned));
            done.sums.lines.push(Line::Failed(name.clone(), error));
        }
    }
}
