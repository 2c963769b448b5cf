//! The games of a stream as Rust values, deserialized on all cores.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::mem;
use std::vec;

use serde::de::DeserializeOwned;

use super::tasks::Tasks;
use crate::de::{self, Options};
use crate::read::parser::Parser;
use crate::read::parts::{LongBytes, Part, Parts, Piece};
use crate::read::reader::Reader;
use crate::syntax::error::Error;

/// An iterator over games, in stream order; see [`ParReader::games`](super::ParReader::games).
pub struct ParGames<R: Read, T> {
    parser: Parser,
    options: Options,
    source: Source<R, T>,
    tasks: Tasks<PartGames<T>>,
    /// Number of parts sent to the threads.
    given: u64,
    /// Number of parts before the first that is not finished.
    parts_before: u64,
    games_before: u64,
    /// Finished parts after one that is not, with their games that wait for their number.
    early: BTreeMap<u64, PartGames<T>>,
    ready: vec::IntoIter<de::Result<T>>,
}

/// The games of a part. Numbers of games in errors count from its start.
struct PartGames<T> {
    part: u64,
    games: Vec<de::Result<T>>,
    count: u64,
}

/// A reader of a long game, which owns the parts.
type LongReader<R> = Reader<LongBytes<R, Box<Parts<R>>>>;

/// The source of the next games.
enum Source<R: Read, T> {
    Parts(Box<Parts<R>>),
    /// A game too long for a part.
    Long(Box<de::Games<LongReader<R>, T>>),
    Over,
}

impl<R: Read, T: DeserializeOwned + Send + 'static> ParGames<R, T> {
    pub(super) fn new(parts: Parts<R>, parser: Parser, options: Options, in_order: bool) -> Self {
        ParGames {
            parser,
            options,
            source: Source::Parts(Box::new(parts)),
            tasks: Tasks::ordered(in_order),
            given: 0,
            parts_before: 0,
            games_before: 0,
            early: BTreeMap::new(),
            ready: Vec::new().into_iter(),
        }
    }

    /// Sends parts to the threads until they have enough to do, or a long game comes.
    fn give(&mut self) {
        while !self.tasks.is_full()
            && let Source::Parts(parts) = &mut self.source
        {
            let number = self.given;
            match parts.next_or_failure() {
                Some(Ok(Piece::Part(part))) => {
                    let (parser, options) = (self.parser.clone(), self.options);
                    self.tasks.give(move || {
                        let (games, count) = games_of(&part, &parser, options);
                        PartGames { part: number, games, count }
                    });
                    self.given += 1;
                }
                Some(Ok(Piece::Long)) => self.begin_long(),
                Some(Err(failure)) => {
                    self.tasks.give_done(PartGames {
                        part: number,
                        games: vec![Err(Error::from(failure).into())],
                        count: 0,
                    });
                    self.given += 1;
                }
                None => self.source = Source::Over,
            }
        }
    }

    /// Takes the games of a part. Errors wait until the preceding parts are finished, since errors have the number of
    /// a game.
    fn take(&mut self, mut part: PartGames<T>) {
        let mut ready = Vec::new();
        if part.part != self.parts_before {
            ready = part.games.extract_if(.., |game| game.is_ok()).collect();
        }
        self.early.insert(part.part, part);
        while let Some(part) = self.early.remove(&self.parts_before) {
            let before = self.games_before;
            ready.extend(part.games.into_iter().map(|game| game.map_err(|error| error.after_games(before))));
            self.games_before += part.count;
            self.parts_before += 1;
        }
        self.ready = ready.into_iter();
    }

    /// Starts reading the long game that comes next.
    fn begin_long(&mut self) {
        if let Source::Parts(parts) = mem::replace(&mut self.source, Source::Over) {
            let games = LongBytes::new(parts).reader(&self.parser).games_with(self.options);
            self.source = Source::Long(Box::new(games));
        }
    }

    /// Returns the next game of a long part. It has one game, or more if they have syntax errors.
    fn next_of_long(&mut self) -> Option<de::Result<T>> {
        let Source::Long(games) = &mut self.source else { return None };
        let game = games.next();
        match &game {
            None => self.end_long(),
            Some(Err(error)) if error.is_io() => self.source = Source::Over,
            Some(_) => {}
        }
        game.map(|game| game.map_err(|error| error.after_games(self.games_before)))
    }

    /// Continues with the parts after the long game.
    fn end_long(&mut self) {
        if let Source::Long(games) = mem::replace(&mut self.source, Source::Over) {
            self.games_before += games.game_index().map_or(0, |last| last + 1);
            self.source = Source::Parts(games.into_reader().into_inner().into_inner());
        }
    }
}

/// Reads the games of a part, and counts them. Numbers of games in errors count from the start of the part.
pub(super) fn games_of<T: DeserializeOwned>(
    part: &Part<'_>,
    parser: &Parser,
    options: Options,
) -> (Vec<de::Result<T>>, u64) {
    let mut games = part.reader(parser).games_with(options);
    let all = games.by_ref().collect();
    (all, games.game_index().map_or(0, |last| last + 1))
}

impl<R: Read, T: DeserializeOwned + Send + 'static> Iterator for ParGames<R, T> {
    type Item = de::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.next() {
                return Some(game);
            }
            self.give();
            // A long game waits until the parts before it are finished.
            if let Some(part) = self.tasks.next() {
                self.take(part);
            } else if let Some(game) = self.next_of_long() {
                return Some(game);
            } else if matches!(self.source, Source::Over) {
                return None;
            }
        }
    }
}

impl<R: Read + fmt::Debug, T> fmt::Debug for ParGames<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut games = f.debug_struct("Games");
        match &self.source {
            Source::Parts(parts) => _ = games.field("parts", parts),
            Source::Long(long) => _ = games.field("parts", long.reader().get_ref().get_ref()),
            Source::Over => {}
        }
        games.finish_non_exhaustive()
    }
}
