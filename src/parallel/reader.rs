//! Processes the games of a stream on all cores.

use std::fmt;
use std::io::Read;
use std::sync::Arc;

#[cfg(feature = "serde")]
use serde::de::DeserializeOwned;

#[cfg(feature = "serde")]
use super::games::ParGames;
use super::tasks::Tasks;
#[cfg(feature = "serde")]
use crate::de::Options;
use crate::read::parser::Parser;
use crate::read::parts::{Part, Parts};
use crate::syntax::error::Error;

/// A reader of a stream on all cores, in constant memory. Created by [`Parser::par_reader`].
///
/// The thread that takes the results reads the stream and cuts it into [`Part`]s, which are processed on the threads
/// of rayon's pool (that of the caller, or else the global one). Reading is at most three parts per thread ahead of
/// the results that were taken.
///
/// ```
/// use sgf_stream::{Event, Parser};
///
/// let collection = "(;FF[4];B[qd];W[dc])\n".repeat(10_000);
/// let parser = Parser::new();
/// let moves = parser.par_reader(collection.as_bytes()).map({
///     let parser = parser.clone();
///     move |part| {
///         let mut moves = 0;
///         part.parse(&parser, |event, _| {
///             moves += usize::from(matches!(event, Event::Property(ident) if ident == "B" || ident == "W"));
///         })?;
///         Ok(moves)
///     }
/// });
/// assert_eq!(moves.sum::<Result<usize, sgf_stream::Error>>()?, 20_000);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
#[derive(Debug)]
pub struct ParReader<R> {
    parts: Parts<R>,
    #[cfg(feature = "serde")]
    parser: Parser,
    in_order: bool,
}

impl<R: Read> ParReader<R> {
    pub(crate) fn new(parser: &Parser, inner: R) -> Self {
        ParReader {
            parts: parser.parts(inner),
            #[cfg(feature = "serde")]
            parser: parser.clone(),
            in_order: true,
        }
    }

    /// Sets the minimum length of a part, in bytes; see [`Parts::part_len`].
    #[must_use]
    pub fn part_len(self, bytes: usize) -> Self {
        ParReader { parts: self.parts.part_len(bytes), ..self }
    }

    /// Yields results as parts are finished, instead of in stream order.
    ///
    /// Use it for counting, or if order does not matter for other reasons: a slow part then does not delay others.
    #[must_use]
    pub fn unordered(self) -> Self {
        ParReader { in_order: false, ..self }
    }

    /// Calls a function for each part, and returns an iterator over the results.
    ///
    /// An `Err` item is an error of the function, or a read error, which ends the iterator.
    ///
    /// Each part is in memory as a whole. A game longer than [`Parser::max_game_len`] (default: 16 MiB) yields an
    /// error, [`Code::GameTooLong`](crate::Code::GameTooLong), and the parts after it follow. Raise the limit to read
    /// such games.
    pub fn map<T, E, F>(self, f: F) -> Map<R, T, E, F>
    where
        F: Fn(Part<'static>) -> Result<T, E> + Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        Map { parts: self.parts, is_over: false, f: Arc::new(f), tasks: Tasks::ordered(self.in_order) }
    }

    /// Returns the games as Rust values; see [`de`](crate::de).
    ///
    /// They are the games of [`Reader::games`](crate::Reader::games), of any length: a game longer than
    /// [`Parser::max_game_len`] is read on the thread that takes the results, after the parts before it. Game numbers
    /// in errors refer to the stream.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "HA")]
    ///     handicap: Option<u8>,
    /// }
    ///
    /// let collection = "(;HA[2];B[dd])(;;B[dd])(;HA[many])".as_bytes();
    /// let games = Parser::new().par_reader(collection).games::<Game>();
    /// let handicaps: Vec<_> = games.map(|game| game.map(|game| game.handicap).map_err(|e| e.to_string())).collect();
    /// let error = "game 3, root, HA (byte 27): expected u8, found \"many\"".to_owned();
    /// assert_eq!(handicaps, [Ok(Some(2)), Ok(None), Err(error)]);
    /// ```
    #[cfg(feature = "serde")]
    pub fn games<T: DeserializeOwned + Send + 'static>(self) -> ParGames<R, T> {
        self.games_with(Options::new())
    }

    /// Returns the games like [`games`](Self::games), with [`Options`].
    #[cfg(feature = "serde")]
    pub fn games_with<T: DeserializeOwned + Send + 'static>(self, options: Options) -> ParGames<R, T> {
        ParGames::new(self.parts, self.parser, options, self.in_order)
    }
}

/// An iterator over the results of [`ParReader::map`].
pub struct Map<R, T, E, F> {
    parts: Parts<R>,
    is_over: bool,
    f: Arc<F>,
    tasks: Tasks<Result<T, E>>,
}

impl<R, T, E, F> Iterator for Map<R, T, E, F>
where
    R: Read,
    F: Fn(Part<'static>) -> Result<T, E> + Send + Sync + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    type Item = Result<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over && !self.tasks.is_full() {
            match self.parts.next() {
                Some(Ok(part)) => {
                    let f = Arc::clone(&self.f);
                    self.tasks.give(move || f(part));
                }
                Some(Err(error)) => self.tasks.give_done(Err(error.into())),
                None => self.is_over = true,
            }
        }
        self.tasks.next()
    }
}

impl<R: fmt::Debug, T, E, F> fmt::Debug for Map<R, T, E, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Map").field("parts", &self.parts).finish_non_exhaustive()
    }
}
