//! A collection as one value: [`Deserializer`], and the functions that use it.

use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer as SerdeDeserializer, SeqAccess, Visitor,
};

use super::again::Once;
use super::batch::Plan;
use super::buffer::is_tagged;
use super::error::{Error, Result};
use super::options::Options;
use super::stream::{Source, Stream};
use super::tree::Tree;
use crate::read::parser::Parser;
use crate::read::reader::Reader;
use crate::read::slice::SliceReader;
use crate::stack;

/// A deserializer of a collection, for code that is generic over formats.
///
/// A sequence type reads all games; any other type reads the next one.
///
/// ```
/// use std::collections::BTreeMap;
/// use serde::Deserialize;
/// use sgf_stream::de::Deserializer;
///
/// let mut deserializer = Deserializer::from_str("(;PB[Shusaku])(;PB[Shuei])");
/// let one = BTreeMap::<String, String>::deserialize(&mut deserializer)?;
/// let other = BTreeMap::<String, String>::deserialize(&mut deserializer)?;
/// assert_eq!((one["PB"].as_str(), other["PB"].as_str()), ("Shusaku", "Shuei"));
/// deserializer.end()?;
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
pub struct Deserializer<S: Source> {
    stream: Stream<S>,
    state: State,
}

/// What a type has received.
#[derive(Clone, Copy)]
enum State {
    /// Nothing, in a call of its `deserialize`, so that a game ends with its value.
    Direct,
    /// Nothing yet, in a call of [`read`](Deserializer::read).
    ///
    /// The call ends the game, since the type may be called again. The record of the root, if it is.
    Reading(Option<usize>),
    /// One game, which `read` must end.
    OneGame,
    /// The list of all games, since it accepts anything.
    AnyGames,
}

impl<'de> Deserializer<SliceReader<'de>> {
    /// Creates a deserializer of bytes.
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(SliceReader::new(bytes))
    }

    /// Creates a deserializer of a string, which ignores `CA`.
    #[allow(clippy::should_implement_trait)] // it borrows
    pub fn from_str(text: &'de str) -> Self {
        Deserializer::new(Parser::new().slice(text.as_bytes()))
    }
}

impl<R: BufRead> Deserializer<Reader<R>> {
    /// Creates a deserializer of a stream.
    pub fn from_reader(reader: R) -> Self {
        Deserializer::new(Reader::new(reader))
    }
}

impl<'de, S: Source<Input = &'de [u8]>> Deserializer<S> {
    /// Creates a deserializer from a reader, with the limits, mode and charset of its [`Parser`].
    pub fn new(source: S) -> Self {
        Deserializer { stream: Stream::new(source, Options::new()), state: State::Direct }
    }

    /// Sets the [`Options`].
    ///
    /// ```
    /// use sgf_stream::de::{Deserializer, Options};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "HA")]
    ///     handicap: Option<u8>,
    /// }
    ///
    /// let mut deserializer = Deserializer::from_str("(;HA[4])(;HA[four])").options(Options::new().lenient_fields(true));
    /// let games: (Game, Game) = deserializer.read()?;
    /// assert_eq!((games.0.handicap, games.1.handicap), (Some(4), None));
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.stream.env.options = options;
        self
    }

    /// Reads the next game as a `T`, or all games if `T` is a sequence.
    ///
    /// Unlike `T::deserialize`, it can call the type twice. A struct with `#[serde(flatten)]` is then told if its flattened
    /// field names a `$` key, and an untagged enum that contains itself gets a larger stack.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sgf_stream::de::Deserializer;
    ///
    /// let mut deserializer = Deserializer::from_str("(;HA[4])(;HA[5])(;HA[6])");
    /// let first: BTreeMap<String, u8> = deserializer.read()?;
    /// let others: Vec<BTreeMap<String, u8>> = deserializer.read()?;
    /// assert_eq!((first["HA"], others[1]["HA"]), (4, 6));
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if [`from_slice`] would fail, except that more data may follow; see [`end`](Self::end).
    pub fn read<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.read_any().0
    }

    /// Reads a `T`. Also returns whether it has received the list of all games because it accepts anything.
    fn read_any<T: Deserialize<'de>>(&mut self) -> (Result<T>, bool) {
        let mut value = self.call(None);
        if self.stream.flat.ends_test(value.is_err()) {
            value = self.call(self.stream.root);
        }
        if self.stream.buffer.needs_stack() {
            let size = self.stream.larger_stack::<T>();
            self.state = State::Reading(None);
            value = stack::larger(size, || T::deserialize(&mut *self));
        }
        match std::mem::replace(&mut self.state, State::Direct) {
            State::OneGame => (self.end_game(value), false),
            state => (value, matches!(state, State::AnyGames)),
        }
    }

    /// Calls a type, which may be called again.
    fn call<T: Deserialize<'de>>(&mut self, root: Option<usize>) -> Result<T> {
        self.state = State::Reading(root);
        self.stream.before_type::<T>(true);
        T::deserialize(self)
    }

    /// Checks that no game is left.
    ///
    /// # Errors
    ///
    /// Fails if another game follows.
    pub fn end(&mut self) -> Result<()> {
        self.expect_end("expected one game, found a second; deserialize a `Vec` or use `.games()`")
    }

    fn expect_end(&mut self, expected: &str) -> Result<()> {
        match self.stream.game(|tree| tree.stream.begin_game(Plan::NOTHING)) {
            None => Ok(()),
            Some(Err(error)) if !error.is_data() => Err(error),
            Some(_) => {
                let error = Error::data(expected);
                Err(self.stream.locate(error.in_game(self.stream.game_index(), self.stream.span().start)))
            }
        }
    }

    /// Reads the next game.
    fn one<T>(&mut self, read: impl FnOnce(Tree<'_, S>) -> Result<T>) -> Result<T> {
        if self.stream.is_over() {
            return Err(no_game());
        }
        let State::Reading(root) = self.state else {
            let value = read(Tree { stream: &mut self.stream, is_game: true, root: None });
            return self.end_game(value);
        };
        self.state = State::OneGame;
        read(Tree { stream: &mut self.stream, is_game: true, root })
    }

    fn end_game<T>(&mut self, value: Result<T>) -> Result<T> {
        self.stream.end_game(value).unwrap_or_else(|| Err(no_game()))
    }
}

#[cold]
fn no_game() -> Error {
    Error::data("expected a game, found the end of the data")
}

impl<S: Source + fmt::Debug> fmt::Debug for Deserializer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer").field("reader", &self.stream.source).finish_non_exhaustive()
    }
}

macro_rules! one_game {
    ($($method:ident($($name:ident: $type:ty),*);)+) => { $(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            self.one(|tree| tree.$method($($name,)* visitor))
        }
    )+ };
}

impl<'de, S: Source<Input = &'de [u8]>> SerdeDeserializer<'de> for &mut Deserializer<S> {
    type Error = Error;

    /// Reads all games, or one as an internally tagged enum, whose tag is a property.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if is_tagged::<V::Value>() {
            return self.one(|tree| tree.deserialize_any(visitor));
        }
        self.state = State::AnyGames;
        self.stream.visit_any(|stream| visitor.visit_seq(Collection { stream }))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(Collection { stream: &mut self.stream })
    }

    /// Reads all games; there must be `len` of them.
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let games = visitor.visit_seq(Collection { stream: &mut self.stream });
        let games = games.map_err(|error| error.counting(len, "game"))?;
        self.expect_end(&format!("expected {len} games, found more")).map(|()| games)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    one_game! {
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_map();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_bool();
        deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64();
        deserialize_f32(); deserialize_f64();
        deserialize_char(); deserialize_str(); deserialize_string();
        deserialize_bytes(); deserialize_byte_buf(); deserialize_identifier();
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == super::properties::PROPERTIES {
            return self.one(|tree| tree.deserialize_newtype_struct(name, visitor));
        }
        visitor.visit_newtype_struct(self)
    }

    /// Skips all remaining games.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        while let Some(game) = self.stream.game(|_| Ok(())) {
            game?;
        }
        visitor.visit_unit()
    }
}

/// All games, as a sequence.
struct Collection<'x, S: Source> {
    stream: &'x mut Stream<S>,
}

impl<'de, S: Source<Input = &'de [u8]>> SeqAccess<'de> for Collection<'_, S> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.stream.game_of(Once(seed)).transpose()
    }

    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.stream.game_of(PhantomData::<T>).transpose()
    }
}

/// Deserializes one game from bytes, or all games if `T` is a sequence.
///
/// Texts are UTF-8; strings may borrow from the slice.
///
/// ```
/// let moves: Vec<Vec<std::collections::BTreeMap<String, Vec<String>>>> =
///     sgf_stream::from_slice(b"(;FF[4];B[dd]C[here];W[pp](;B[dp])(;B[pd]))")?;
/// assert_eq!(moves[0].len(), 4);
/// assert_eq!(moves[0][1]["C"], ["here"]);
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the bytes contain no game, or several and `T` is not a sequence. Fails if a game does not fit the type, is
/// truncated, or has a value that exceeds a [limit](Parser::max_value_len); a [`Deserializer`] and iterators of games drop such
/// a value, and report it as a diagnostic.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    whole(Deserializer::from_slice(bytes), || Some(Deserializer::from_slice(bytes)))
}

/// Deserializes one game from a string, or all games; see [`from_slice`].
///
/// `CA` is ignored.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Game<'a> {
///     #[serde(rename = "PB")]
///     black: &'a str,
/// }
///
/// let game: Game = sgf_stream::from_str("(;FF[4]PB[吳清源])")?;
/// assert_eq!(game.black, "吳清源");
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// # Errors
///
/// Fails if [`from_slice`] would fail.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T> {
    whole(Deserializer::from_str(text), || Some(Deserializer::from_str(text)))
}

/// Deserializes one game from a stream, or all games; see [`from_slice`].
///
/// Wrap an unbuffered stream in a [`BufReader`](std::io::BufReader).
///
/// # Errors
///
/// Fails if [`from_slice`] would fail, or if reading fails.
pub fn from_reader<R: BufRead, T: DeserializeOwned>(reader: R) -> Result<T> {
    whole(Deserializer::from_reader(reader), || None)
}

/// Reads a type. An untagged enum does not say whether it is a game or a list of games: it receives the list, and if no
/// variant fits, one game from another deserializer of the same data.
fn whole<'de, S: Source<Input = &'de [u8]>, T: Deserialize<'de>>(
    mut deserializer: Deserializer<S>,
    again: impl FnOnce() -> Option<Deserializer<S>>,
) -> Result<T> {
    deserializer.stream.needs_all = true;
    let (mut value, is_list) = deserializer.read_any::<T>();
    // An error from the buffer of an untagged enum has no offset.
    let is_buffered = |error: &Error| error.is_data() && error.offset().is_none();
    if is_list && value.as_ref().is_err_and(is_buffered) {
        let Some(again) = again() else {
            const HINT: &str =
                "a stream gives such a type the list of games; deserialize a `Vec`, or use `.games()` or `from_slice`";
            return value.map_err(|error| error.hint(HINT));
        };
        deserializer = again;
        deserializer.stream.needs_all = true;
        value = deserializer.stream.game_of(PhantomData::<T>).unwrap_or_else(|| Err(no_game()));
    }
    let value = value?;
    deserializer.end()?;
    Ok(value)
}
