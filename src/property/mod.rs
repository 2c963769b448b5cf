//! The registry of properties: the meaning of identifiers, and the types of their values.
//!
//! The grammar of SGF only defines where a value starts and ends. A table of properties defines that `B[dd]` is a
//! move, `LB[dd:A]` a point with a label, and `DT[1996-12-27,28]` two days. This table covers FF\[1\] to FF\[4\], the
//! games with their own properties, and the additions of programs.
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
//! // FF[1] to FF[3] allow lower-case letters in identifiers, which are ignored.
//! let copyright = property::lookup(Ident::new(b"CoPyright"), &Context::default()).unwrap();
//! assert_eq!(copyright.ident(), "CP");
//!
//! assert_eq!(property::lookup(Ident::new(b"QQQ"), &Context::default()), None);
//! ```
//!
//! # One identifier, several properties
//!
//! `AS` is the player who sets up stones in Lines of Action, and an arrow in Octi. `LT` is "lose on time" in FF\[3\],
//! and the length of a byo-yomi period elsewhere. `TE` is a tesuji, except in the dialect SGF2, where it is the
//! event. A lookup therefore takes a [`Context`]: game, version, dialect. Rows of other games are ignored; of the
//! others, it returns the first one in this order:
//!
//! 1. rows of the dialect, if the file is in it;
//! 2. rows of the game, before rows of all games;
//! 3. rows that the file's version of FF defines, before private ones, before rows of other versions.
//!
//! The last rule makes an `L` of FF\[1\] known in a file that declares FF\[4\], which occurs in real files. In
//! files not in the dialect, its rows come last.
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
//!     facts.observe(event); // the root determines the game
//!     if let Event::Property(name) = event {
//!         let property = property::lookup(name, &facts.context());
//!         moves += usize::from(property.is_some_and(|p| p.value_type() == ValueType::Move));
//!     }
//! }
//! assert_eq!((facts.context().game(), moves), (Game::Hex, 2));
//! # Ok::<(), sgf_stream::SyntaxError>(())
//! ```
//!
//! A lookup takes a few nanoseconds and does not allocate, so it can be done for every property of a collection. `GM`
//! may occur late in a root: for exact results there, read the [whole root](crate::node::RootFacts::of_root) first.
//!
//! # Values
//!
//! [`Property::parse`] and [`Property::parse_lenient`] parse a raw value into a [`TypedValue`] of the row's type,
//! using the board size and the notation of the context.
//!
//! # Older files
//!
//! A property of FF\[1\] to FF\[3\], or of a dialect, may have a [successor](Property::successor) in FF\[4\]. The
//! [canonical form](crate::write) and `tree::GameTree::convert_to_ff4` convert to it: `L[fg][es]` becomes `LB[fg:A][es:B]`.
//!
//! # Sources
//!
//! The table is based on the pages of red-bean.com/sgf on FF\[4\], its games and its predecessors; on "updated SGF"
//! by A. Brouwer, who counted the properties of 1.6 million files; on the source code of programs; and on values in
//! files. A private property whose values vary has the type SimpleText, which preserves any value.

pub(crate) mod canonical;
mod colors;
mod context;
#[doc(hidden)]
pub mod convert;
pub(crate) mod facts;
mod group;
mod lookup;
mod table;
pub(crate) mod text_rule;
mod typed;
mod value_type;

pub use context::Context;
pub use group::Group;
pub use lookup::{all, find, lookup};
pub(crate) use text_rule::TextRule;
pub use typed::TypedValue;
pub use value_type::{List, ValueType};

use std::fmt;

use crate::value::game::Game;

/// A property: a row of the registry.
///
/// Only the registry creates rows, and they are static: all functions use `&'static Property`.
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
    group: Group,
    inherits: bool,
    counterpart: Option<&'static str>,
    exclusion: Option<facts::OneOf>,
    drawing: Option<facts::Drawing>,
    swap: Option<facts::Swap>,
    versions: Versions,
    game: Option<Game>,
    origin: Origin,
    successor: Successor,
}

impl Property {
    /// Returns the identifier: upper-case letters, and digits in a few private ones.
    pub const fn ident(&self) -> &'static str {
        self.ident
    }

    /// Returns the meaning of the property, in a few words.
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// Returns the type of the value, or of each value of a list.
    pub const fn value_type(&self) -> ValueType {
        self.value
    }

    /// Returns whether the property has a single value or a list.
    pub const fn list(&self) -> List {
        self.list
    }

    /// Returns whether the values are a list of points or stones, with rectangles.
    ///
    /// In such a list, `ul:lr` denotes a rectangle. (In Octi a stone is more than a point, and rectangles of stones
    /// do not exist.)
    pub const fn is_point_list(&self) -> bool {
        !matches!(self.list, List::Single) && matches!(self.value, ValueType::Point | ValueType::Stone)
    }

    /// Returns the property type, which restricts the nodes that may contain the property.
    pub const fn property_type(&self) -> PropertyType {
        self.property_type
    }

    /// Returns whether the property also applies to descendant nodes, until set again: `DD`, `PM`, `VW`.
    pub const fn inherits(&self) -> bool {
        self.inherits
    }

    /// Returns the versions that define the property; none for a private one.
    pub const fn versions(&self) -> Versions {
        self.versions
    }

    /// Returns the only game with this property, or `None` if all games have it.
    pub const fn game(&self) -> Option<Game> {
        self.game
    }

    /// Returns the origin of the property.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the replacement of the property in FF\[4\].
    pub const fn successor(&self) -> Successor {
        self.successor
    }

    /// Returns the description of the value, as in the specification.
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

/// The return type of [`Property::value`].
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

/// *Property type* of FF\[4\]: the nodes in which a property may occur.
///
/// It prints as in the specification: `move`, `setup`, `root`, `game-info`, `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyType {
    /// A property of the move. Not allowed in a node with setup properties.
    Move,
    /// A property of the position. Not allowed in a node with move properties.
    Setup,
    /// A property of the file, allowed only in the root of a game.
    Root,
    /// A property of the game. Allowed in at most one node on any path from the root to a leaf.
    GameInfo,
    /// A property that is allowed in every node.
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

/// A set of versions of the format, from FF\[1\] to FF\[4\].
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
    /// Returns whether the set contains a version.
    pub const fn contains(self, version: u8) -> bool {
        matches!(version, 1..=4) && self.0 >> version & 1 == 1
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the versions, in ascending order.
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

/// The origin of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// FF\[4\], and in most cases its predecessors.
    Ff4,
    /// FF\[1\], FF\[2\] or FF\[3\], but not FF\[4\].
    Older,
    /// The drafts of FF\[5\] from 1999, which were never adopted.
    Draft,
    /// "Updated SGF" by A. Brouwer, which adds properties of Go and lists others found in files.
    Brouwer,
    /// SGF2, the dialect of the Nihon Ki-in and the server oro.
    Sgf2,
    /// The program or site with this name.
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

/// The replacement of a property in FF\[4\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Successor {
    /// The property itself: it belongs to FF\[4\], or is private, which FF\[4\] allows.
    Itself,
    /// Another property.
    Other(&'static str),
    /// No property.
    None,
}
