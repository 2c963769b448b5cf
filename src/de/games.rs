//! Games one by one, as values.

use std::fmt;
use std::io::BufRead;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};

use super::again::{Ask, Once};
use super::batch::Plan;
use super::error::Result;
use super::options::Options;
use super::stream::{Source, Stream};
use super::tree::Tree;
use crate::read::reader::Reader;
use crate::read::slice::SliceReader;
#[cfg(feature = "codec")]
use crate::syntax::tokenizer::Tokenizer;

impl<'de, S: Source<Input = &'de [u8]>> Stream<S> {
    /// Reads a game; returns `None` at the end.
    pub(super) fn game<T>(&mut self, read: impl FnOnce(Tree<'_, S>) -> Result<T>) -> Option<Result<T>> {
        if self.is_over() {
            return None;
        }
        let value = read(Tree { stream: self, is_game: true, root: None });
        self.end_game(value)
    }

    /// Reads a game as a type; returns `None` at the end.
    pub(super) fn game_of<A: Ask<'de>>(&mut self, seed: A) -> Option<Result<A::Value>> {
        self.game(|Tree { stream, .. }| {
            let read = |stream: &mut Self, seed: A| {
                let root = stream.root;
                seed.deserialize(Tree { stream, is_game: true, root })
            };
            let mut again = seed.again();
            stream.before_type::<A::Value>(again.is_some());
            let mut value = read(stream, seed);
            if stream.flat.ends_test(value.is_err())
                && let Some(seed) = again.take()
            {
                again = seed.again();
                stream.before_type::<A::Value>(true);
                value = read(stream, seed);
            }
            if stream.buffer.needs_stack() { stream.read_buffered(again, value, read) } else { value }
        })
    }

    /// Ends a game, given its value; returns `None` if no game was left.
    pub(super) fn end_game<T>(&mut self, value: Result<T>) -> Option<Result<T>> {
        if !self.is_begun() && self.begin_game(Plan::NOTHING).is_err() && self.is_over() {
            return None; // the type uses nothing of the game, and none is left
        }
        if self.is_over() {
            return None;
        }
        let value = value.map_err(|error| {
            let error = match self.blame {
                Some((number, offset)) => error.in_node(number, offset),
                None => error,
            };
            self.locate(error.in_game(self.game_index(), self.span().start))
        });
        let finished = self.finish_game();
        let dropped = self.take_dropped();
        match finished {
            // A type may have hidden it.
            Err(failure) => Some(Err(failure)),
            // What was dropped may be the property that is missing.
            Ok(()) => Some(match (value, dropped) {
                (Ok(_), Some(dropped)) => Err(dropped),
                (Err(error), Some(dropped)) if error.is_missing() => Err(dropped),
                (value, _) => value,
            }),
        }
    }
}

/// An iterator over the games of a slice or a stream, each as a `T`.
///
/// Created by [`SliceReader::games`] and [`Reader::games`]. At most one game is in memory, less if `T` uses only part
/// of it.
///
/// ```
/// use sgf_stream::Parser;
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "HA")]
///     handicap: Option<u8>,
/// }
///
/// let collection = &b"(;PB[Shusaku];B[qd])(;PB[Shuei]HA[many];B[dd])(;PB[Jowa]HA[2])"[..];
/// let mut games = Parser::new().reader(collection).games::<Game>();
/// let mut names = Vec::new();
/// while let Some(game) = games.next() {
///     match game {
///         Ok(game) => names.push(game.black),
///         Err(error) => names.push(format!("{} (bytes {:?})", error.message(), games.span())),
///     }
/// }
/// assert_eq!(names, ["Shusaku", "expected u8, found \"many\" (bytes 20..46)", "Jowa"]);
/// ```
///
/// An error affects only its game, and the iterator continues with the next one; only an I/O error ends it. A game
/// truncated by the end of the data is also an error (the last item), even in lenient mode, where event readers
/// silently close it; see [`Options::accept_truncated`].
pub struct Games<S: Source, T> {
    stream: Stream<S>,
    _type: PhantomData<fn() -> T>,
}

impl<'de, S: Source<Input = &'de [u8]>, T> Games<S, T> {
    pub(super) fn new(source: S, options: Options) -> Self {
        Games { stream: Stream::new(source, options), _type: PhantomData }
    }

    /// Returns the byte range of the last game, even if it was an error.
    ///
    /// The range is from `(` to after `)`. If the `)` is missing, it ends at the next game or the end of the data; if
    /// reading failed, at the last byte read.
    pub fn span(&self) -> Range<u64> {
        self.stream.span()
    }

    /// Returns the number of the last game, from 0; `None` before the first.
    pub fn game_index(&self) -> Option<u64> {
        self.stream.has_games().then(|| self.stream.game_index())
    }

    /// Returns a reference to the reader of the games.
    pub fn reader(&self) -> &S {
        &self.stream.source
    }

    /// Returns the reader of the games, which continues after the last game.
    pub fn into_reader(self) -> S {
        self.stream.source
    }

    /// Deserializes the next game with a [`DeserializeSeed`].
    ///
    /// Use it for types known only at run time, or to reuse an existing value.
    ///
    /// ```
    /// use std::fmt;
    /// use serde::de::{Deserializer, DeserializeSeed, IgnoredAny, MapAccess, Visitor};
    /// use sgf_stream::Parser;
    ///
    /// /// The text of one property, in a buffer that is used again.
    /// struct Field<'a>(&'static [&'static str], &'a mut String);
    ///
    /// impl<'de> DeserializeSeed<'de> for Field<'_> {
    ///     type Value = ();
    ///
    ///     fn deserialize<D: Deserializer<'de>>(self, game: D) -> Result<(), D::Error> {
    ///         self.1.clear();
    ///         game.deserialize_struct("Game", self.0, self)
    ///     }
    /// }
    ///
    /// impl<'de> Visitor<'de> for Field<'_> {
    ///     type Value = ();
    ///
    ///     fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    ///         f.write_str("a game")
    ///     }
    ///
    ///     fn visit_map<A: MapAccess<'de>>(self, mut game: A) -> Result<(), A::Error> {
    ///         while game.next_key::<IgnoredAny>()?.is_some() {
    ///             self.1.push_str(&game.next_value::<String>()?);
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut games = Parser::new().slice(b"(;PB[Shusaku];B[qd])(;PW[Gennan])").games::<IgnoredAny>();
    /// let (mut text, mut texts) = (String::new(), Vec::new());
    /// while let Some(game) = games.next_seed(Field(&["PB"], &mut text)) {
    ///     game?;
    ///     texts.push((games.span().start, text.clone()));
    /// }
    /// assert_eq!(texts, [(0, "Shusaku".to_owned()), (20, String::new())]);
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the iterator would return an error. The next call continues with the next game.
    pub fn next_seed<D: DeserializeSeed<'de>>(&mut self, seed: D) -> Option<Result<D::Value>> {
        self.stream.game_of(Once(seed))
    }

    /// Returns an iterator over the remaining games as another type.
    pub fn with_type<U>(self) -> Games<S, U> {
        Games { stream: self.stream, _type: PhantomData }
    }
}

#[cfg(feature = "codec")]
impl<R: BufRead, T> Games<Reader<R>, T> {
    /// Restarts with other data and a tokenizer for it. Allocations are reused.
    pub(crate) fn restart_with(&mut self, tokenizer: Tokenizer, inner: R) {
        self.stream.restart_with(tokenizer, inner);
    }

    /// Replaces data that has been read with none, to free its memory.
    pub(crate) fn let_go(&mut self, nothing: R) {
        self.stream.source.let_go(nothing);
    }

    /// Leaves the parts that the type does not use unread. For data that is one game whose end is already known.
    pub(crate) fn leave_rest(&mut self) {
        self.stream.leave_rest();
    }
}

impl<'de, S: Source<Input = &'de [u8]>, T: Deserialize<'de>> Iterator for Games<S, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.stream.game_of(PhantomData::<T>)
    }
}

impl<'de, S: Source<Input = &'de [u8]>, T: Deserialize<'de>> FusedIterator for Games<S, T> {}

impl<S: Source + fmt::Debug, T> fmt::Debug for Games<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("reader", &self.stream.source).finish_non_exhaustive()
    }
}

impl<'de> SliceReader<'de> {
    /// Deserializes the remaining games into Rust values; see [`de`](crate::de).
    ///
    /// The rest of an open game is skipped first. Strings may borrow from the slice.
    pub fn games<T: Deserialize<'de>>(self) -> Games<SliceReader<'de>, T> {
        self.games_with(Options::new())
    }

    /// Deserializes the remaining games like [`games`](Self::games), with [`Options`].
    pub fn games_with<T: Deserialize<'de>>(self, options: Options) -> Games<SliceReader<'de>, T> {
        Games::new(self, options)
    }
}

impl<R: BufRead> Reader<R> {
    /// Deserializes the remaining games into Rust values; see [`de`](crate::de).
    ///
    /// The rest of an open game is skipped first.
    pub fn games<T: DeserializeOwned>(self) -> Games<Reader<R>, T> {
        self.games_with(Options::new())
    }

    /// Deserializes the remaining games like [`games`](Self::games), with [`Options`].
    pub fn games_with<T: DeserializeOwned>(self, options: Options) -> Games<Reader<R>, T> {
        Games::new(self, options)
    }
}
