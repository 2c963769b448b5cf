//! The games of a stream as Rust values, deserialized on all cores.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::vec;

use serde::de::DeserializeOwned;

use super::tasks::Tasks;
use crate::de;
use crate::read::parser::Parser;
use crate::read::parts::{Part, Parts, Piece};
use crate::read::reader::Reader;
use crate::syntax::error::Error;
use crate::syntax::tokenizer::GoesOn;

/// The options of [`de::Games`], for the games of all parts. Those that are not set are the defaults.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameOptions {
    pub(super) lenient_fields: bool,
    pub(super) keep_cut: bool,
    pub(super) max_depth: Option<usize>,
}

impl GameOptions {
    pub(super) fn set<'de, S: de::Source<Input = &'de [u8]>, T>(self, games: de::Games<S, T>) -> de::Games<S, T> {
        let games = games.lenient_fields(self.lenient_fields).keep_cut(self.keep_cut);
        match self.max_depth {
            Some(trees) => games.max_depth(trees),
            None => games,
        }
    }
}

/// The methods of a builder that set its [`GameOptions`].
macro_rules! game_options {
    () => {
        /// Sets whether [`games`](Self::games) leaves out a field that does not fit. See
        /// [`Games::lenient_fields`](crate::de::Games::lenient_fields).
        #[must_use]
        pub fn lenient_fields(mut self, on: bool) -> Self {
            self.options.lenient_fields = on;
            self
        }

        /// Sets whether [`games`](Self::games) gives a last game that the end of the data cuts off. See
        /// [`Games::keep_cut`](crate::de::Games::keep_cut).
        #[must_use]
        pub fn keep_cut(mut self, on: bool) -> Self {
            self.options.keep_cut = on;
            self
        }

        /// Sets how deep trees of [`games`](Self::games) may nest. See
        /// [`Games::max_depth`](crate::de::Games::max_depth).
        #[must_use]
        pub fn max_depth(mut self, trees: usize) -> Self {
            self.options.max_depth = Some(trees);
            self
        }
    };
}

pub(super) use game_options;

/// Iterator over games, in the order of the stream: see [`ParReader::games`](super::ParReader::games).
pub struct ParGames<R: Read, T> {
    parser: Parser,
    options: GameOptions,
    source: Source<R, T>,
    tasks: Tasks<Vec<de::Result<T>>>,
    /// The games of the last finished part.
    part: vec::IntoIter<de::Result<T>>,
}

/// The source of the next games.
enum Source<R: Read, T> {
    Parts(Box<Parts<R>>),
    /// A game too long for a part, and the number of games before it.
    Long(Box<de::Games<Reader<LongBytes<R>>, T>>, u64),
    Over,
}

impl<R: Read, T: DeserializeOwned + Send + 'static> ParGames<R, T> {
    pub(super) fn new(parts: Parts<R>, parser: Parser, options: GameOptions, in_order: bool) -> Self {
        let source = Source::Parts(Box::new(parts));
        ParGames { parser, options, source, tasks: Tasks::ordered(in_order), part: Vec::new().into_iter() }
    }

    /// Gives parts to the threads until they have enough to do, or a long game comes.
    fn give(&mut self) {
        while !self.tasks.is_full()
            && let Source::Parts(parts) = &mut self.source
        {
            match parts.next_or_failure() {
                Some(Ok(Piece::Part(part))) => {
                    let (parser, options) = (self.parser.clone(), self.options);
                    self.tasks.give(move || games_of(&part, &parser, options));
                }
                Some(Ok(Piece::Long)) => self.begin_long(),
                Some(Err(failure)) => self.tasks.give_done(vec![Err(Error::from(failure).into())]),
                None => self.source = Source::Over,
            }
        }
    }

    /// Starts reading the long game that comes next.
    fn begin_long(&mut self) {
        if let Source::Parts(parts) = mem::replace(&mut self.source, Source::Over) {
            let before = parts.long_number().unwrap_or_default();
            let games = self.options.set(LongBytes::reader(parts, &self.parser).games());
            self.source = Source::Long(Box::new(games), before);
        }
    }

    /// Returns the next game of a long part: there is one, or more if they are faulty.
    fn next_of_long(&mut self) -> Option<de::Result<T>> {
        let Source::Long(games, before) = &mut self.source else { return None };
        let (game, before) = (games.next(), *before);
        match &game {
            None => self.end_long(),
            Some(Err(error)) if error.is_io() => self.source = Source::Over,
            Some(_) => {}
        }
        game.map(|game| game.map_err(|error| error.after_games(before)))
    }

    /// Continues with the parts after the long game.
    fn end_long(&mut self) {
        if let Source::Long(games, _) = mem::replace(&mut self.source, Source::Over) {
            self.source = Source::Parts(games.into_reader().into_inner().parts);
        }
    }
}

fn games_of<T: DeserializeOwned>(part: &Part<'_>, parser: &Parser, options: GameOptions) -> Vec<de::Result<T>> {
    debug_assert!(part.first_game().is_some(), "the parts of a reader are counted");
    let before = part.first_game().unwrap_or_default();
    let games = options.set(part.reader(parser).games());
    games.map(|game| game.map_err(|error| error.after_games(before))).collect()
}

impl<R: Read, T: DeserializeOwned + Send + 'static> Iterator for ParGames<R, T> {
    type Item = de::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.part.next() {
                return Some(game);
            }
            self.give();
            // A long game waits until the parts before it are finished.
            if let Some(part) = self.tasks.next() {
                self.part = part.into_iter();
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
            Source::Long(long, _) => _ = games.field("parts", &long.reader().get_ref().parts),
            Source::Over => {}
        }
        games.finish_non_exhaustive()
    }
}

/// The bytes of a long game, as [`LongGame`](crate::read::parts::LongGame) reads them, with the parts they come from.
struct LongBytes<R> {
    parts: Box<Parts<R>>,
    goes_on: Arc<AtomicBool>,
}

impl<R: Read> LongBytes<R> {
    fn reader(parts: Box<Parts<R>>, parser: &Parser) -> Reader<Self> {
        let goes_on = Arc::default();
        let tokenizer = parser.tokenizer().restart_at_seam(&parts.long_seam(), GoesOn::Told(Arc::clone(&goes_on)));
        parser.reader_with(tokenizer, LongBytes { parts, goes_on })
    }
}

impl<R: Read> BufRead for LongBytes<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.parts.long_bytes(&self.goes_on)
    }

    fn consume(&mut self, len: usize) {
        self.parts.take_long_bytes(len);
    }
}

impl<R: Read> Read for LongBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}
