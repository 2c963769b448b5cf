//! Searches the parts of files, on any thread.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_search::{Continuations, Counts, GameHits, Hit, Matcher, Search};
use sgf_stream::{Error, Parser, Position, PushParser};
use sgf_table::{Cell, Row, TableBuilder};

use super::Args;
use super::facts::{self, Facts, Header, cell};
use super::output::{Format, Line, Output};
use super::paths::PathsOf;
use crate::decoding::{self, Charsets};
use crate::input::Name;
use crate::jobs::{Games, Input, Reading, Steps, Transcoding, Work};
use crate::kept::{Content, Kept};
use crate::numbers::{NextGame, Numbers};

/// The work of a run of `sgf find`.
pub(super) struct Finding {
    search: Search,
    facts: Facts,
    /// What is read of games that match, if anything is.
    table: Option<TableBuilder>,
    output: Output,
    charsets: Charsets,
    counts_continuations: bool,
    writes: bool,
    /// Matchers that are not in use: they have the layouts of the pattern on boards.
    matchers: Mutex<Vec<Matcher>>,
}

/// The results of consecutive parts.
#[derive(Default)]
pub(super) struct Found {
    pub(super) lines: Vec<u8>,
    pub(super) numbers: Numbers,
    /// The games that match.
    pub(super) games: Vec<FoundGame>,
    pub(super) continuations: Continuations,
    pub(super) counts: Counts,
    pub(super) like_hex: u64,
    pub(super) next_game: NextGame,
    pub(super) troubles: Vec<(Name, io::Error)>,
    /// Files in which something is wrong.
    pub(super) faults: Vec<(Name, Position, String)>,
    /// An error of a temporary file, in the file that is being read.
    spool_error: Option<io::Error>,
}

/// A game that matches.
pub(super) struct FoundGame {
    /// Where its lines end.
    end: usize,
    /// Number of games that were read before it and with it, in this result.
    pub(super) read: u64,
    /// Its bytes, if they are wanted.
    pub(super) content: Option<Content>,
}

impl Found {
    /// Drops all games but the first ones.
    pub(super) fn cut(&mut self, games: usize) {
        if self.games.len() > games {
            self.games.truncate(games);
            let end = self.games.last().map_or(0, |game| game.end);
            self.lines.truncate(end);
            self.numbers.cut(end);
        }
    }
}

/// A game with hits.
struct Match {
    /// The number of the game among those that are read.
    number: u64,
    offset: u64,
    hits: Vec<Hit>,
    /// The paths of the hits that are not on the main line.
    paths: Vec<Option<String>>,
}

impl Finding {
    pub(super) fn new(search: Search, facts: Facts, format: Format, args: &Args) -> Self {
        let table = facts.table(format, args.statistics, args.write.is_some());
        let output = Output::new(format, &facts.printed(format));
        Finding {
            search,
            facts,
            table,
            output,
            charsets: args.charsets,
            counts_continuations: args.statistics,
            writes: args.write.is_some(),
            matchers: Mutex::default(),
        }
    }

    /// Returns the lines before all hits.
    pub(super) fn head(&self) -> Vec<u8> {
        self.output.head()
    }

    fn matchers(&self) -> impl std::ops::DerefMut<Target = Vec<Matcher>> {
        self.matchers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with a matcher that is not in use.
    fn with_matcher<T>(&self, use_it: impl FnOnce(&mut Matcher) -> T) -> T {
        let taken = self.matchers().pop();
        let mut matcher = taken.unwrap_or_else(|| self.search.matcher());
        let result = use_it(&mut matcher);
        self.matchers().push(matcher);
        result
    }

    /// Searches games, and reads those again that are not simple. Returns those with hits, and the numbers of all; they
    /// are right up to an error.
    fn search(&self, kept: &Kept<'_>, [first, again]: [PushParser; 2]) -> (Vec<Match>, Counts, Result<(), Error>) {
        self.with_matcher(|matcher| {
            let mut quick = matcher.quick();
            let read = kept.feed(first, &mut quick);
            let (found, left) = quick.finish();
            let mut matches: Vec<Match> =
                found.iter().map(|found| Match::new(found.number, found.offset, &found.hits)).collect();
            let read = read.and_then(|()| match left.is_empty() {
                true => Ok(()),
                false => {
                    let on_game =
                        |game: &GameHits<'_>| matches.push(Match::new(game.number(), game.offset(), game.hits()));
                    matcher.read_some(&mut kept.reader(again)?, &left, on_game)
                }
            });
            matches.sort_by_key(|found| found.number);
            (matches, matcher.counts(), read)
        })
    }

    /// Finds the paths of the hits in variations.
    fn find_paths(&self, kept: &Kept<'_>, parser: PushParser, matches: &mut [Match]) -> Result<(), Error> {
        let mut matches = matches.iter_mut().filter(|found| found.beside().next().is_some()).peekable();
        if matches.peek().is_none() {
            return Ok(());
        }
        let (mut reader, mut next) = (kept.reader(parser)?, 0);
        for found in matches {
            let mut wanted: Vec<usize> = found.beside().map(Hit::node).collect();
            wanted.sort_unstable();
            wanted.dedup();
            while next < found.number && reader.skip_game()? {
                next += 1;
            }
            next += 1;
            let Some(paths) = reader.read_game(&mut PathsOf { wanted: &wanted })? else { return Ok(()) };
            for (hit, path) in found.hits.iter().zip(&mut found.paths).filter(|(hit, _)| !hit.is_on_main_line()) {
                *path = wanted.binary_search(&hit.node()).ok().and_then(|at| paths.get(at).cloned());
            }
        }
        Ok(())
    }

    /// Reads the rows of games with hits.
    fn read_rows(
        &self,
        table: &TableBuilder,
        (input, kept, parser): (&Input, &Kept<'_>, PushParser),
        matches: &[Match],
        done: &mut Found,
    ) -> Result<(), Error> {
        let table = table.with_parser(&input.parser).file(input.name.as_str());
        let (mut rows, mut next) = (table.rows(kept.reader(parser)?), 0);
        for found in matches {
            while next < found.number && rows.skip_game()? {
                next += 1;
            }
            next += 1;
            let mut content = Ok(None);
            rows.next_game(|row| {
                if !self.fits(row) {
                    return;
                }
                if self.writes
                    && let Cell::Integer(length) = cell(row, "length")
                {
                    content = kept.content(row.offset(), length.cast_unsigned()).map(Some);
                }
                done.like_hex += u64::from(row.looks_like_hex());
                self.add(found, Some(row.into()), input, done);
            })?;
            if let (Some(game), Some(content)) = (done.games.last_mut(), content?) {
                game.content = Some(content);
            }
        }
        Ok(())
    }

    /// Returns whether a game that matches is wanted.
    fn fits(&self, row: &Row<'_>) -> bool {
        let is_go = !self.facts.game_type.is_given() || cell(row, "game_type").to_string() == "Go";
        is_go && self.facts.conditions.hold_in(row)
    }

    /// Adds a game that matches.
    fn add(&self, found: &Match, row: Option<Header<'_>>, input: &Input, done: &mut Found) {
        let mut game = done.next_game;
        game.advance_by(found.number);
        for (hit, path) in found.hits.iter().zip(&found.paths) {
            let line = Line { file: &input.name, game, offset: found.offset, hit, path: path.as_deref(), row };
            self.output.write(&line, &mut done.lines, &mut done.numbers);
        }
        if let Some(row) = row.filter(|_| self.counts_continuations) {
            let group = self.facts.by.as_ref().map(|by| by.group(row));
            let facts = facts::game_facts(row, &group);
            found.hits.iter().for_each(|hit| done.continuations.add(hit, &facts));
        }
        let read = done.counts.games + found.number + 1;
        done.games.push(FoundGame { end: done.lines.len(), read, content: None });
    }

    /// Searches games, and reads those again that match.
    fn find(&self, input: &Input, games: Games<'_, '_>, done: &mut Found) -> Result<(), Error> {
        let parser = &input.parser;
        let [first, again, for_paths, for_rows] = [(); 4].map(|()| games.push(parser));
        let kept = Kept::new(games)?;
        let (mut matches, counts, read) = self.search(&kept, [first, again]);
        self.find_paths(&kept, for_paths, &mut matches)?;
        match &self.table {
            Some(table) if !matches.is_empty() => {
                self.read_rows(table, (input, &kept, for_rows), &matches, done)?;
            }
            _ => matches.iter().for_each(|found| self.add(found, None, input, done)),
        }
        done.count(counts);
        read
    }
}

impl Found {
    fn count(&mut self, counts: Counts) {
        self.counts.add(counts);
        self.next_game.advance_by(counts.games);
    }
}

impl Match {
    fn new(number: u64, offset: u64, hits: &[Hit]) -> Self {
        Match { number, offset, hits: hits.to_vec(), paths: vec![None; hits.len()] }
    }

    /// Returns the hits in variations.
    fn beside(&self) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(|hit| !hit.is_on_main_line())
    }
}

impl Work for Finding {
    type Done = Found;

    fn begin(&self) -> Found {
        Found { next_game: NextGame::OfResult(0), ..Found::default() }
    }

    fn reading(&self) -> Reading {
        let reading = Reading::new(Parser::new(), self.charsets.decoding());
        match self.writes {
            true => Reading { transcoding: Transcoding::Refuse(NO_BYTES), ..reading },
            false => reading,
        }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Found>) {
        match self.find(input, games, done) {
            // Errors of reading the input come again at its end; this one may be that of a temporary file.
            Err(Error::Syntax(error)) if error.is_final() => {} // no SGF data
            Err(Error::Syntax(error)) => {
                done.faults.push((input.name.clone(), error.position(), error.message().to_string()))
            }
            Err(Error::Io(error)) => done.spool_error = Some(error),
            Err(error) => done.troubles.push((input.name.clone(), io::Error::other(error))),
            Ok(()) => {}
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Found) {
        decoding::note_detected(name, input.and_then(|input| input.detected()));
        let error = result.err().or(done.spool_error.take());
        done.troubles.extend(error.map(|error| (name.clone(), error)));
        done.next_game = NextGame::OfFile(Some(0));
    }
}

/// Why a file cannot be read with `--write`.
const NO_BYTES: &str = "games of UTF-16, UTF-32, HZ and ISO-2022 files cannot be written byte for byte; convert to UTF-8 first (`sgf fmt`)";
