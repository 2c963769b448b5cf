//! Games one by one, as values.

use std::fmt;
use std::io::BufRead;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};

use super::again::{Again, Ask, Once};
use super::batch::Plan;
use super::error::Result;
use super::stream::{Source, Stream};
#[cfg(any(feature = "codec", feature = "parallel"))]
use super::texts::Lenience;
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
                Tree { stream, is_game: true, root }.ask(seed)
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
            Ok(()) => Some(value.and_then(|value| dropped.map_or(Ok(value), Err))),
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
/// silently close it; see [`keep_cut`](Self::keep_cut).
pub struct Games<S: Source, T> {
    stream: Stream<S>,
    _type: PhantomData<fn() -> T>,
}

impl<'de, S: Source<Input = &'de [u8]>, T> Games<S, T> {
    fn new(source: S) -> Self {
        Games { stream: Stream::new(source), _type: PhantomData }
    }

    /// Sets the maximum nesting depth of trees that the type follows through `$variations`.
    ///
    /// A game without variations has depth 1. A deeper game is an error. Default: 512; real files reach 343. Any stack
    /// is large enough, since a further one is used if it is nearly used up. Untagged and internally tagged enums that
    /// contain themselves get one of up to 512 MiB at once (16 MiB if pointers have 32 bits). Only the used part takes
    /// memory. A game that is too deep for it is an error.
    #[must_use]
    pub fn max_depth(mut self, trees: usize) -> Self {
        self.stream.max_depth = trees;
        self
    }

    /// Sets whether a truncated last game is returned as far as it goes.
    ///
    /// Only in lenient mode. Default: false; it is an error.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "PB")]
    ///     black: String,
    ///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    ///     moves: Vec<(sgf_stream::value::Color, String)>,
    /// }
    ///
    /// // The last `)` is missing, and a value is truncated.
    /// let collection = b"(;PB[Shusaku];B[qd];W[dc])(;PB[Shuei];B[dd];W[p";
    /// let mut games = Parser::new().slice(collection).games::<Game>();
    /// assert!(games.next().unwrap().is_ok());
    /// assert!(games.next().unwrap().is_err_and(|error| error.is_syntax()));
    ///
    /// let mut games = Parser::new().slice(collection).games::<Game>().keep_cut(true);
    /// let last = games.nth(1).unwrap()?;
    /// assert_eq!((last.black.as_str(), last.moves.len()), ("Shuei", 1));
    /// assert!(games.next().is_none());
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    #[must_use]
    pub fn keep_cut(mut self, on: bool) -> Self {
        self.stream.keeps_cut = on;
        self
    }

    /// Sets whether a field that does not fit counts as absent.
    ///
    /// Default: false.
    ///
    /// Such a field becomes `None` or its `#[serde(default)]`, as if its property were missing. If the field is
    /// required, the game is still an error, which names the value that did not fit. Each such field is reported to
    /// the callback ([`Code::InvalidField`](crate::Code::InvalidField), at the byte that does not fit).
    ///
    /// ```
    /// use sgf_stream::{DiagnosticLog, Parser};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "PB")]
    ///     black: String,
    ///     #[serde(rename = "KM")]
    ///     komi: Option<f64>,
    ///     #[serde(rename = "HA", default)]
    ///     handicap: u8,
    /// }
    ///
    /// let log = DiagnosticLog::new(10);
    /// let games = Parser::new().log_to(&log).slice(b"(;PB[Shusaku]KM[none]HA[two])").games::<Game>();
    /// let game = games.lenient_fields(true).next().unwrap()?;
    /// assert_eq!((game.black.as_str(), game.komi, game.handicap), ("Shusaku", None, 0));
    /// let found: Vec<_> = log.take().iter().map(|found| found.position.offset).collect();
    /// assert_eq!(found, [15, 23]);
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    ///
    /// A field is a property of a struct, an entry of a map, or the variant of an enum: a node whose `B` does not fit
    /// is `Other`, if the enum has that. A field is kept or dropped as a whole: one invalid point drops the entire
    /// list. Inside a flattened struct, serde handles `Option`s and defaults itself, so values that do not fit remain
    /// errors. With [`next_seed`](Self::next_seed), only `Option`s take a default in the outermost struct, since a
    /// seed can be used only once.
    ///
    /// It also covers moves: a move that does not fit is left out of the [`moves`](mod@super::moves) of a game. To keep
    /// these exact, use [`lenient_header`](Self::lenient_header).
    #[must_use]
    pub fn lenient_fields(mut self, on: bool) -> Self {
        self.stream.env.lenience.fields = on;
        self
    }

    /// Sets whether header fields that do not fit count as absent.
    ///
    /// Moves stay exact. Default: false.
    ///
    /// It is [`lenient_fields`](Self::lenient_fields) for root and game-info properties only, in every node: `SZ`,
    /// `DT`, `BR`, `RE` and the like. The [registry](crate::property::PropertyType) decides, for the game in `GM`. A
    /// move, a setup stone, a mark or a private property that does not fit is an error of its game. With both options,
    /// all fields are lenient.
    ///
    /// ```
    /// use sgf_stream::value::{Color, Rank, go::Move};
    /// use sgf_stream::{DiagnosticLog, Parser};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "BR")]
    ///     rank: Option<Rank>,
    ///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    ///     moves: Vec<(Color, Move)>,
    /// }
    ///
    /// let log = DiagnosticLog::new(10);
    /// let games = Parser::new().log_to(&log).slice(b"(;BR[201];B[qd];W[dc])(;BR[9d];B[qd];W[re sign])");
    /// let games: Vec<_> = games.games::<Game>().lenient_header(true).collect();
    /// assert!(games[0].as_ref().is_ok_and(|game| game.rank.is_none() && game.moves.len() == 2));
    /// let error = games[1].as_ref().err().unwrap();
    /// assert_eq!((error.node(), error.property()), (Some(2), Some("W")));
    /// // The diagnostic says which property, what was expected, and the value.
    /// let found = log.take();
    /// assert_eq!(found[0].detail(), Some("BR: rank: expected k, d or p, found \"201\""));
    /// ```
    #[must_use]
    pub fn lenient_header(mut self, on: bool) -> Self {
        self.stream.env.lenience.header = on;
        self
    }

    /// Sets both options of lenience.
    #[cfg(any(feature = "codec", feature = "parallel"))]
    pub(crate) fn lenience(mut self, lenience: Lenience) -> Self {
        self.stream.env.lenience = lenience;
        self
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
        Games::new(self)
    }
}

impl<R: BufRead> Reader<R> {
    /// Deserializes the remaining games into Rust values; see [`de`](crate::de).
    ///
    /// The rest of an open game is skipped first.
    pub fn games<T: DeserializeOwned>(self) -> Games<Reader<R>, T> {
        Games::new(self)
    }
}
