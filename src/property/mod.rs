//! The registry of properties: what an identifier means, and which type its values have.
//!
//! The grammar of SGF says where a value begins and ends, and nothing more. That `B[dd]` is a
//! move, `LB[dd:A]` a point with a label and `DT[1996-12-27,28]` two days is known from a table
//! of properties, and this is it: FF\[1\] to FF\[4\], the games that have properties of their own,
//! and what programs add.
//!
//! ```
//! use sgf_stream::property::{self, Context, List, PropertyType, ValueType};
//! use sgf_stream::Ident;
//!
//! let label = property::lookup(Ident::new(b"LB"), &Context::default()).unwrap();
//! assert_eq!(label.value_type(), ValueType::PointText);
//! assert_eq!(label.list(), List::List);
//! assert_eq!(label.property_type(), PropertyType::None);
//! assert_eq!(label.to_string(), "LB: label on a point (list of composed point ':' SimpleText)");
//!
//! // FF[1] to FF[3] allow lower-case letters in identifiers, which do not count.
//! let copyright = property::lookup(Ident::new(b"CoPyright"), &Context::default()).unwrap();
//! assert_eq!(copyright.ident(), "CP");
//!
//! assert_eq!(property::lookup(Ident::new(b"QQQ"), &Context::default()), None);
//! ```
//!
//! # One identifier, several properties
//!
//! `AS` is who sets up the stones in Lines of Action and an arrow in Octi. `LT` is "lose on time"
//! in FF\[3\] and the length of a byo-yomi period everywhere else. `TE` is a tesuji, except in the
//! dialect called SGF2, where it is the event. So the question is always asked in a [`Context`]:
//! game, version, dialect. Of the rows of an identifier, those of other games are out, and of the
//! rest this one answers:
//!
//! 1. the one of the dialect, if the file is written in it;
//! 2. the one of the game, before one of all games;
//! 3. the one that the file's version of FF defines, before a private one, before one that only
//!    other versions define.
//!
//! The last point is why an `L` of FF\[1\] is known in a file that says FF\[4\], as real ones do. A
//! row of the dialect answers in other files only if nothing else does.
//!
//! # Reading a file
//!
//! ```
//! use sgf_stream::node::RootFacts;
//! use sgf_stream::property::{self, ValueType};
//! use sgf_stream::{Event, Game, Parser};
//!
//! let game = b"(;FF[4]GM[11]SZ[11];B[a3];W[swap-pieces])";
//! let (mut facts, mut moves) = (RootFacts::new(), 0);
//! for event in Parser::new().slice(game) {
//!     let event = event?;
//!     facts.observe(event); // the root says which game it is
//!     if let Event::Property(name) = event {
//!         let property = property::lookup(name, &facts.context());
//!         moves += usize::from(property.is_some_and(|p| p.value_type() == ValueType::Move));
//!     }
//! }
//! assert_eq!((facts.context().game(), moves), (Game::Hex, 2));
//! # Ok::<(), sgf_stream::SyntaxError>(())
//! ```
//!
//! A look-up costs a few nanoseconds and no memory, so it can be done for every property of an archive. `GM` may come
//! late in a root: to be exact there, read the [whole root](crate::node::RootFacts::of_root) first.
//!
//! # Values
//!
//! [`Property::parse`] and [`Property::parse_lenient`] read a raw value as the type that the row
//! says, on the board and in the notation of the context, into a [`TypedValue`].
//!
//! # Older files
//!
//! [`convert::to_ff4`] gives a property of FF\[1\] to FF\[3\], or of a dialect, the form of FF\[4\]:
//! `L[fg][es]` becomes `LB[fg:A][es:B]`.
//!
//! # Sources
//!
//! The pages of red-bean.com/sgf on FF\[4\], its games and its predecessors; A. Brouwer's "updated
//! SGF", who counted what is in 1.6 million files; the programs themselves; and values seen in
//! files. Where a private property's values vary, its type is the one that loses nothing,
//! SimpleText.

mod context;
pub mod convert;
mod lookup;
mod table;
mod typed;
mod value_type;

pub use context::Context;
pub use lookup::{all, find, lookup};
pub use typed::TypedValue;
pub use value_type::{List, ValueType};

use std::fmt;

use crate::Game;

/// A property: a row of the registry.
///
/// Rows are made here only, and live for ever: everything deals in `&'static Property`.
///
/// ```
/// use sgf_stream::property::{self, Origin, Successor};
///
/// let letters = property::find("L").next().unwrap();
/// assert_eq!(letters.meaning(), "points lettered A, B, C in the order of the list");
/// assert_eq!(letters.versions().to_string(), "FF[1] FF[2]");
/// assert_eq!((letters.origin(), letters.successor()), (Origin::Older, Successor::Other("LB")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    ident: &'static str,
    meaning: &'static str,
    value: ValueType,
    list: List,
    property_type: PropertyType,
    inherits: bool,
    versions: Versions,
    game: Option<Game>,
    origin: Origin,
    successor: Successor,
}

impl Property {
    /// The identifier: upper-case letters, and digits in a few private ones.
    pub const fn ident(&self) -> &'static str {
        self.ident
    }

    /// What it means, in a few words.
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// The type of its value, or of each if it has a list.
    pub const fn value_type(&self) -> ValueType {
        self.value
    }

    /// Whether it has one value or a list.
    pub const fn list(&self) -> List {
        self.list
    }

    /// True for lists of points, and of stones, in which `ul:lr` may stand for a rectangle. (In
    /// Octi a stone is more than a point, and there are no rectangles of stones.)
    pub const fn is_point_list(&self) -> bool {
        !matches!(self.list, List::Single) && matches!(self.value, ValueType::Point | ValueType::Stone)
    }

    /// In which nodes it may stand, and with what.
    pub const fn property_type(&self) -> PropertyType {
        self.property_type
    }

    /// True if it holds for all nodes below too, until it is set again: `DD`, `PM`, `VW`.
    pub const fn inherits(&self) -> bool {
        self.inherits
    }

    /// The versions that define it; none for a private property.
    pub const fn versions(&self) -> Versions {
        self.versions
    }

    /// The only game it belongs to; `None` if it is the same in all.
    pub const fn game(&self) -> Option<Game> {
        self.game
    }

    /// Who made it.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// What FF\[4\] has in its place. [`convert::to_ff4`] does the work.
    pub const fn successor(&self) -> Successor {
        self.successor
    }

    /// The value as the tables of the specification describe it.
    ///
    /// ```
    /// use sgf_stream::property;
    ///
    /// let value = |ident| property::find(ident).next().unwrap().value().to_string();
    /// assert_eq!(value("DD"), "elist of point");
    /// assert_eq!(value("AP"), "composed SimpleText ':' SimpleText");
    /// assert_eq!(value("DT"), "SimpleText");
    /// ```
    pub const fn value(&self) -> impl fmt::Display + Copy + use<> {
        Value { list: self.list, value: self.value }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.ident, self.meaning, self.value())
    }
}

/// What [`Property::value`] prints.
#[derive(Clone, Copy)]
struct Value {
    list: List,
    value: ValueType,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.list {
            List::Single => self.value.fmt(f),
            List::List => write!(f, "list of {}", self.value),
            List::EList => write!(f, "elist of {}", self.value),
        }
    }
}

/// FF\[4\]'s *property type*: in which nodes a property may stand, and with what.
///
/// It prints as the specification has it: `move`, `setup`, `root`, `game-info`, `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyType {
    /// About the move made. Not in a node with setup properties.
    Move,
    /// About the position. Not in a node with move properties.
    Setup,
    /// Only in the root of a game.
    Root,
    /// About the game played. In one node at most on any path from the root to a leaf.
    GameInfo,
    /// Anywhere.
    None,
}

impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PropertyType::Move => "move",
            PropertyType::Setup => "setup",
            PropertyType::Root => "root",
            PropertyType::GameInfo => "game-info",
            PropertyType::None => "-",
        })
    }
}

/// A set of versions of the format, of FF\[1\] to FF\[4\].
///
/// ```
/// use sgf_stream::property;
///
/// let versions = property::find("CH").next().unwrap().versions();
/// assert!(versions.contains(3) && !versions.contains(4));
/// assert_eq!(versions.iter().collect::<Vec<_>>(), [1, 2, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Versions(u8);

impl Versions {
    /// Whether a version is in it.
    pub const fn contains(self, version: u8) -> bool {
        matches!(version, 1..=4) && self.0 >> version & 1 == 1
    }

    /// True if none is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The versions, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=4).filter(move |&version| self.contains(version))
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, version) in self.iter().enumerate() {
            write!(f, "{}FF[{version}]", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Who made a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The current specification, and most of them its predecessors.
    Ff4,
    /// FF\[1\], FF\[2\] or FF\[3\], and dropped since.
    Older,
    /// The drafts of FF\[5\], of 1999, which were never adopted.
    Draft,
    /// A. Brouwer's "updated SGF", which adds what is usual for Go, and reports what it met.
    Brouwer,
    /// SGF2: the dialect of the Nihon Ki-in and of the server oro.
    Sgf2,
    /// A program, or a site, by its name.
    Private(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Ff4 => "FF[4]",
            Origin::Older => "FF[1] to FF[3]",
            Origin::Draft => "FF[5] draft",
            Origin::Brouwer => "Brouwer",
            Origin::Sgf2 => "SGF2",
            Origin::Private(program) => program,
        })
    }
}

/// What FF\[4\] has in the place of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Successor {
    /// The property itself: it is FF\[4\]'s, or a private one, which FF\[4\] allows.
    Itself,
    /// Another property.
    Other(&'static str),
    /// Nothing.
    None,
}
