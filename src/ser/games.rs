//! The top-level serializer, which writes a collection game by game.

use std::io;

use serde::ser::Serialize;

use super::compound::{AddElement, AddEntry, Elements, Keyed};
use super::draft::Draft;
use super::output::{Options, Output};
use super::refuse::{refuse, wrap};
use super::tree::{Fields, TreeOf};
use super::{Error, Result};
use crate::write::Writer;

/// A serializer with options, which writes games one after the other.
///
/// Each serialized value is a collection or a game, and is appended to the output. A game with an error writes
/// nothing, and the next can follow. [`to_writer`](crate::to_writer) is built on it.
///
/// ```
/// use serde::{Serialize, Serializer as _};
/// use sgf_stream::ser::Serializer;
///
/// #[derive(Serialize)]
/// struct Game {
///     #[serde(rename = "GM")]
///     game: u8,
///     #[serde(rename = "PB")]
///     black: String,
/// }
///
/// let mut serializer = Serializer::new(Vec::new()).normalize(true);
/// Game { game: 1, black: "Honinbo\tShusaku".into() }.serialize(&mut serializer)?;
/// // From an iterator, with one game in memory.
/// serializer.collect_seq((1..3).map(|n| Game { game: 11, black: format!("Player {n}") }))?;
/// let collection = serializer.finish()?;
/// assert_eq!(
///     String::from_utf8(collection)?,
///     "(;GM[1]PB[Honinbo Shusaku])\n(;GM[11]PB[Player 1])\n(;GM[11]PB[Player 2])\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Serializer<W: io::Write> {
    draft: Draft,
    out: Out<W>,
    /// Number of newtypes around the next value.
    wrappers: u8,
}

/// A writer of drafts.
struct Out<W: io::Write> {
    writer: Writer<W>,
    output: Output,
    options: Options,
    games: u64,
}

impl<W: io::Write> Serializer<W> {
    /// Creates a serializer that writes values unchanged, as an [exact copy](crate::write#exact-copy).
    ///
    /// Each game is one line, apart from line breaks in its texts.
    pub fn new(writer: W) -> Self {
        Serializer::from(Writer::new(writer))
    }

    /// Creates a serializer of [canonical form](crate::write#canonical-form).
    ///
    /// Lines have up to 80 bytes, as FF\[4\] recommends.
    ///
    /// The root gets `FF[4]` and a fixed order of properties. Values may read back in another form, such as
    /// `RE[B+Resign]` for the string `B+R`.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// use serde::Serialize;
    /// use sgf_stream::ser::Serializer;
    ///
    /// let mut serializer = Serializer::canonical(Vec::new());
    /// BTreeMap::from([("RE", "B+R"), ("SZ", "19")]).serialize(&mut serializer)?;
    /// assert_eq!(serializer.finish()?, b"(;FF[4]SZ[19]RE[B+Resign])\n");
    /// # Ok::<(), sgf_stream::ser::Error>(())
    /// ```
    ///
    /// A writer has more options; `Serializer::from(writer)` keeps them.
    pub fn canonical(writer: W) -> Self {
        // The game is in memory anyway, and a game with an error writes nothing.
        Serializer::from(Writer::canonical(writer).max_node_len(usize::MAX))
    }

    /// Sets whether white space that SGF cannot represent is converted instead of an error. Default: false.
    ///
    /// A tab becomes a space, every kind of line break one LF. In types other than Text a line break becomes a space.
    /// Reading and [`Text::new`](crate::value::Text::new) convert in the same way.
    #[must_use]
    pub fn normalize(mut self, yes: bool) -> Self {
        self.out.options.normalize = yes;
        self
    }

    /// Sets whether a root `CA` with another charset is written as `CA[UTF-8]`. Default: false.
    ///
    /// The output is UTF-8. A game that was read from a Latin-1 file still has `CA[ISO-8859-1]` in its field, which
    /// without this option is an error if the game has non-ASCII texts.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// use serde::Serialize;
    /// use sgf_stream::ser::Serializer;
    ///
    /// let game = BTreeMap::from([("CA", "ISO-8859-1"), ("PB", "J\u{F6}rg")]);
    /// assert!(sgf_stream::to_string(&game).is_err());
    /// let mut serializer = Serializer::new(Vec::new()).replace_charset(true);
    /// game.serialize(&mut serializer)?;
    /// assert_eq!(String::from_utf8(serializer.finish()?)?, "(;CA[UTF-8]PB[J\u{F6}rg])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// `CA` is replaced even if all texts are ASCII. Raw bytes, such as those of
    /// [`Properties`](crate::de::Properties), are not decoded on reading: if they are not UTF-8, the game is an
    /// error.
    #[must_use]
    pub fn replace_charset(mut self, yes: bool) -> Self {
        self.out.options.replace_charset = yes;
        self
    }

    /// Sets whether point lists (`AB`, `TR`, `DD` …) are compressed to rectangles.
    ///
    /// Default: false, one value per point.
    ///
    /// A compressed list has the same points, perhaps in another order; a list that repeats a point is left
    /// unchanged. [`value::compressed`](crate::value::compressed) compresses one field.
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// use serde::Serialize;
    /// use sgf_stream::ser::Serializer;
    ///
    /// let mut serializer = Serializer::new(Vec::new()).compress_points(true);
    /// BTreeMap::from([("AB", ["aa", "ba", "ab", "bb", "dd"])]).serialize(&mut serializer)?;
    /// assert_eq!(serializer.finish()?, b"(;AB[aa:bb][dd])\n");
    /// # Ok::<(), sgf_stream::ser::Error>(())
    /// ```
    #[must_use]
    pub fn compress_points(mut self, yes: bool) -> Self {
        self.out.options.compress_points = yes;
        self
    }

    /// Sets the maximum nesting depth of trees; a game without variations has depth 1.
    ///
    /// Default: 512, as for [reading](crate::de::Options::max_depth).
    #[must_use]
    pub fn max_depth(mut self, trees: usize) -> Self {
        self.draft.max_depth = trees;
        self
    }

    /// Returns the number of games written.
    pub fn game_count(&self) -> u64 {
        self.out.games
    }

    /// Flushes the output and returns the underlying writer.
    ///
    /// Without this call, an error in writing the last bytes goes unnoticed.
    ///
    /// # Errors
    ///
    /// Fails if no game was written (a collection has at least one), or if the output cannot be written.
    pub fn finish(self) -> Result<W> {
        if self.out.games == 0 {
            return Err(Error::new("an SGF file needs at least one game"));
        }
        Ok(self.out.writer.finish()?)
    }

    #[cold]
    fn refuse(&self, found: &str) -> Error {
        let hint = match found {
            _ if found.starts_with("an enum") => {
                "; an enum is a node, so write a game as a `Vec` of them, and a collection as a `Vec` of `Vec`s"
            }
            _ => "",
        };
        Error::expected("a game, as a struct or a map, or a sequence of games", &format!("{found}{hint}"))
    }

    fn wrapped<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.wrappers = wrap(self.wrappers)?;
        let serialized = value.serialize(&mut *self);
        self.wrappers -= 1;
        serialized
    }
}

/// Keeps the form and the options of a writer, even one that has already written something.
impl<W: io::Write> From<Writer<W>> for Serializer<W> {
    fn from(writer: Writer<W>) -> Self {
        let out = Out { writer, output: Output::default(), options: Options::default(), games: 0 };
        Serializer { draft: Draft::new(), out, wrappers: 0 }
    }
}

impl<W: io::Write> Out<W> {
    /// Writes a draft, unless it has an error.
    fn game(&mut self, draft: &Draft, drafted: Result<()>) -> Result<()> {
        let filled = drafted.and_then(|()| self.output.fill(draft, self.options));
        filled.map_err(|error| error.in_game(self.games))?;
        self.games += 1;
        Ok(self.output.write(&mut self.writer)?)
    }
}

impl<'a, W: io::Write> serde::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<SerializeGames<'a, W>>;
    type SerializeMap = Keyed<Game<'a, W>>;

    refuse!(sequences_are_alike structs_are_maps scalars units none variants);

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.wrapped(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        self.wrapped(value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        Ok(Elements(SerializeGames { draft: &mut self.draft, out: &mut self.out }))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        let tree = self.draft.begin()?;
        Ok(Keyed::new(Game { fields: Fields::new(&mut self.draft, tree), out: &mut self.out }))
    }
}

/// A sequence at the top level: a collection. Each game is written before the next is taken.
#[doc(hidden)]
pub struct SerializeGames<'a, W: io::Write> {
    draft: &'a mut Draft,
    out: &'a mut Out<W>,
}

impl<W: io::Write> AddElement for SerializeGames<'_, W> {
    fn add<T: Serialize + ?Sized>(&mut self, game: &T) -> Result<()> {
        let tree = self.draft.begin()?;
        let drafted = game.serialize(TreeOf::new(self.draft, tree));
        self.out.game(self.draft, drafted)
    }

    fn finish(self) -> Result<()> {
        Ok(())
    }
}

/// A struct or a map at the top level: a game.
#[doc(hidden)]
pub struct Game<'a, W: io::Write> {
    fields: Fields<'a>,
    out: &'a mut Out<W>,
}

impl<W: io::Write> AddEntry for Game<'_, W> {
    fn key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<String> {
        self.fields.key(key).map_err(|error| error.in_game(self.out.games))
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<()> {
        self.fields.field(key, value).map_err(|error| error.in_game(self.out.games))
    }

    fn skip(&mut self, key: &str) -> Result<()> {
        self.fields.skip(key).map_err(|error| error.in_game(self.out.games))
    }

    fn finish(self) -> Result<()> {
        self.out.game(self.fields.into_draft(), Ok(()))
    }
}

/// Writes a collection, or one game, as a string.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let game = BTreeMap::from([("GN", "囲碁"), ("PB", r"\o/")]);
/// assert_eq!(sgf_stream::to_string(&game)?, "(;CA[UTF-8]GN[囲碁]PB[\\\\o/])\n");
/// # Ok::<(), sgf_stream::ser::Error>(())
/// ```
///
/// # Errors
///
/// Fails if SGF cannot represent a value, or if raw bytes are not UTF-8.
pub fn to_string<T: Serialize + ?Sized>(games: &T) -> Result<String> {
    let bytes = to_vec(games)?;
    String::from_utf8(bytes).map_err(|_| Error::expected("UTF-8 only", "raw bytes in another charset; see `to_vec`"))
}

/// Writes a collection, or one game, as bytes.
///
/// # Errors
///
/// Fails if SGF cannot represent a value.
pub fn to_vec<T: Serialize + ?Sized>(games: &T) -> Result<Vec<u8>> {
    let mut serializer = Serializer::new(Vec::new());
    games.serialize(&mut serializer)?;
    serializer.finish()
}

/// Writes a collection, or one game, to a writer, which needs no buffering.
///
/// ```
/// # use std::collections::BTreeMap;
/// let mut file = Vec::new();
/// sgf_stream::to_writer(&mut file, &[BTreeMap::from([("HA", 2)]), BTreeMap::from([("HA", 3)])])?;
/// assert_eq!(file, b"(;HA[2])\n(;HA[3])\n");
/// # Ok::<(), sgf_stream::ser::Error>(())
/// ```
///
/// # Errors
///
/// Fails if SGF cannot represent a value, or if writing fails.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, games: &T) -> Result<()> {
    let mut serializer = Serializer::new(writer);
    games.serialize(&mut serializer)?;
    serializer.finish().map(drop)
}
