//! Serializing.

mod draft;
mod error;
mod name;
mod node;
mod output;
mod refuse;
mod tree;
mod value;
mod values;

pub use error::Error;

use std::io;

use serde::ser::{Serialize, SerializeMap, SerializeStruct};

use crate::write::Writer;
use draft::Draft;
use output::Output;
use refuse::{elements, refuse, wrap};
use tree::{Fields, TreeOf};

/// Writes a collection, or one game, as a string.
pub fn to_string<T: Serialize + ?Sized>(games: &T) -> Result<String, Error> {
    let bytes = to_vec(games)?;
    String::from_utf8(bytes).map_err(|_| Error::expected("UTF-8 only", "raw bytes in another charset; see `to_vec`"))
}

/// Writes a collection, or one game, as bytes.
pub fn to_vec<T: Serialize + ?Sized>(games: &T) -> Result<Vec<u8>, Error> {
    let mut serializer = Serializer::new(Vec::new());
    games.serialize(&mut serializer)?;
    serializer.finish()
}

/// Writes a collection, or one game.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, games: &T) -> Result<(), Error> {
    let mut serializer = Serializer::new(writer);
    games.serialize(&mut serializer)?;
    serializer.finish().map(drop)
}

/// Writes games, one after the other.
pub struct Serializer<W: io::Write> {
    draft: Draft,
    out: Out<W>,
    wrappers: u8,
}

/// Where drafts go.
struct Out<W: io::Write> {
    writer: Writer<W>,
    output: Output,
    normalise: bool,
    games: u64,
}

impl<W: io::Write> Serializer<W> {
    /// One game a line.
    pub fn new(writer: W) -> Self {
        Serializer::from(Writer::new(writer))
    }

    /// Canonical.
    pub fn canonical(writer: W) -> Self {
        Serializer::from(Writer::canonical(writer))
    }

    /// Converts.
    pub fn normalise(mut self, yes: bool) -> Self {
        self.out.normalise = yes;
        self
    }

    /// How many trees may be in one another: a game has depth 1.
    pub fn max_depth(mut self, trees: usize) -> Self {
        self.draft.max_depth = trees;
        self
    }

    /// Ends.
    pub fn finish(self) -> Result<W, Error> {
        if self.out.games == 0 {
            return Err(Error::new("expected at least one game"));
        }
        Ok(self.out.writer.finish()?)
    }

    #[cold]
    fn refuse(&self, found: &str) -> Error {
        let hint = match found {
            "an enum" => "; an enum is a node, so a game of them is a `Vec`, and a collection a `Vec` of `Vec`s",
            _ => "",
        };
        Error::expected("a game, as a struct or a map, or a sequence of games", &format!("{found}{hint}"))
    }

    fn wrapped<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.wrappers = wrap(self.wrappers)?;
        let serialized = value.serialize(&mut *self);
        self.wrappers -= 1;
        serialized
    }

    fn fields(&mut self) -> Result<Game<'_, W>, Error> {
        let tree = self.draft.begin()?;
        Ok(Game { fields: Fields::new(&mut self.draft, tree), out: &mut self.out })
    }
}

/// With the style and the options of a writer, which may have written something already.
impl<W: io::Write> From<Writer<W>> for Serializer<W> {
    fn from(writer: Writer<W>) -> Self {
        let out = Out { writer, output: Output::default(), normalise: false, games: 0 };
        Serializer { draft: Draft::new(), out, wrappers: 0 }
    }
}

impl<W: io::Write> Out<W> {
    /// Writes a draft, unless something is wrong with it.
    fn game(&mut self, draft: &Draft, drafted: Result<(), Error>) -> Result<(), Error> {
        let filled = drafted.and_then(|()| self.output.fill(draft, self.normalise));
        filled.map_err(|error| error.in_game(self.games))?;
        self.games += 1;
        Ok(self.output.write(&mut self.writer)?)
    }
}

impl<'a, W: io::Write> serde::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Games<'a, W>;
    type SerializeTuple = Games<'a, W>;
    type SerializeTupleStruct = Games<'a, W>;
    type SerializeMap = Game<'a, W>;
    type SerializeStruct = Game<'a, W>;

    refuse!(scalars units none variants);

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.wrapped(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        self.wrapped(value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Games<'a, W>, Error> {
        Ok(Games { draft: &mut self.draft, out: &mut self.out })
    }

    fn serialize_tuple(self, len: usize) -> Result<Games<'a, W>, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Games<'a, W>, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Game<'a, W>, Error> {
        self.fields()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Game<'a, W>, Error> {
        self.fields()
    }
}

/// A sequence at the top: a collection. Each game is written before the next is taken.
#[doc(hidden)]
pub struct Games<'a, W: io::Write> {
    draft: &'a mut Draft,
    out: &'a mut Out<W>,
}

impl<W: io::Write> Games<'_, W> {
    fn add<T: Serialize + ?Sized>(&mut self, game: &T) -> Result<(), Error> {
        let tree = self.draft.begin()?;
        let drafted = game.serialize(TreeOf::new(self.draft, tree));
        self.out.game(self.draft, drafted)
    }

    fn finish(self) -> Result<(), Error> {
        Ok(())
    }
}

elements!(Games<'a, W>, 'a, W: io::Write);

/// A struct or a map at the top: a game.
#[doc(hidden)]
pub struct Game<'a, W: io::Write> {
    fields: Fields<'a>,
    out: &'a mut Out<W>,
}

impl<W: io::Write> SerializeStruct for Game<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.fields.serialize_field(key, value).map_err(|error| error.in_game(self.out.games))
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Error> {
        SerializeStruct::skip_field(&mut self.fields, key).map_err(|error| error.in_game(self.out.games))
    }

    fn end(self) -> Result<(), Error> {
        self.out.game(self.fields.into_draft(), Ok(()))
    }
}

impl<W: io::Write> SerializeMap for Game<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.fields.serialize_key(key).map_err(|error| error.in_game(self.out.games))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.fields.serialize_value(value).map_err(|error| error.in_game(self.out.games))
    }

    fn end(self) -> Result<(), Error> {
        self.out.game(self.fields.into_draft(), Ok(()))
    }
}
