//! Whole games in memory: trees of nodes, to walk and to edit.
//!
//! Most work on collections needs no tree: events, visitors and serde stream the games. A tree is for programs that move
//! back and forth in a game, or change it.
//!
//! ```
//! use sgf_stream::tree::{GameTree, Place};
//! use sgf_stream::value::{Color, go::Move};
//!
//! let mut game: GameTree = "(;FF[4]PB[Shusaku];B[qd];W[dc](;B[pq])(;B[oc]C[a variation]))".parse()?;
//!
//! // Nodes know their position, and lead to others.
//! let branch = game.main_line().find(|node| node.has_variations()).expect("there is one");
//! assert_eq!((branch.number(), branch.children().count()), (2, 2));
//! let variation = branch.child(1).unwrap();
//! assert_eq!(variation.get::<Move>("B")?, Some(Move::parse("oc")?));
//!
//! // Edits take node ids.
//! let variation = variation.id();
//! let answer = game.add(Place::LastChildOf(variation))?;
//! game.set(answer, "W", Move::parse("cp")?)?;
//! game.set(answer, "C", "a comment [with brackets]")?;
//! game.promote(variation)?;
//! assert_eq!(
//!     String::from_utf8(game.to_vec()?)?,
//!     "(;FF[4]PB[Shusaku];B[qd];W[dc](;B[oc]C[a variation];W[cp]C[a comment [with brackets\\]])(;B[pq]))\n",
//! );
//! # assert_eq!(game.root().get::<Color>("PL")?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.
//!
//! # Entry points
//!
//! | you have | use |
//! |---|---|
//! | one game, as a string or as bytes | `parse`, [`GameTree::from_slice`] |
//! | a collection, game by game, with the options of a [`Parser`](crate::Parser) | `read_game` of a reader, or [`PushGames`](crate::PushGames), with a [`TreeBuilder`] |
//! | a collection that fits in memory | [`Collection`] |
//! | nothing yet | [`GameTree::new`] |
//!
//! # Edits of whole games
//!
//! | to | use |
//! |---|---|
//! | turn or mirror the board | `transform` (with the feature `board`) |
//! | exchange the colors | [`swap_colors`](GameTree::swap_colors) |
//! | merge games with equal moves | [`merge`](GameTree::merge) |
//! | split a tree into games without variations | [`split`](GameTree::split) |
//! | keep one line | [`make_main_line`](GameTree::make_main_line), [`keep_main_line`](GameTree::keep_main_line) |
//! | drop comments, marks, private properties | [`retain_properties`](GameTree::retain_properties) |
//! | change values of a node, byte for byte | [`map_values`](GameTree::map_values), [`append_raw`](GameTree::append_raw) |
//! | convert older versions, or charsets | [`convert_to_ff4`](GameTree::convert_to_ff4), `convert_to_utf8` (with the feature `charset`) |
//!
//! # What a tree keeps
//!
//! A tree keeps everything that events contain: every node, the spelling of identifiers, raw values byte for byte,
//! unknown properties, repeated properties, parentheses around an only child. So
//! [`GameTree::events`] yields the events it was built from, and writing them as an
//! [exact copy](crate::write#exact-copy) returns the original bytes, except those between the lexemes. Offsets are not
//! kept either.
//!
//! [`Node::properties`], and all that reads or edits them, see a repeated property as one with all its values. An edit of
//! a node merges its repeated properties also in the events.
//!
//! # Numbers
//!
//! A [`NodeId`] identifies a node for as long as the tree lives, even if other nodes are edited. The id of a removed
//! node is never reused. In a tree that was not edited, ids are the numbers that the
//! specification gives to nodes: their positions in the file, from 0. After edits ids and positions differ:
//! [`Node::number`] and [`GameTree::nth`] use positions, and [`GameTree::renumber`] makes ids equal to positions
//! again.
//!
//! # Memory
//!
//! A node takes 24 bytes, and its properties their bytes and a few more, all in two vectors: about 30 bytes for a
//! move. The few nodes that repeat a property take twice as many bytes. No code recurses: trees of any shape are built, copied, compared, written, printed and dropped on a
//! small stack. [`TreeBuilder::max_len`] limits the memory of a game.
//!
//! # Charsets
//!
//! Texts are read as UTF-8, with replacement, unless `TreeBuilder::charset` (feature `charset`) is set: then they
//! are read, and written by [`set`](GameTree::set), in the charset of the game. `GameTree::convert_to_utf8` converts a whole game
//! to UTF-8, and setting `CA` to the charset that it names. A text is never written in a charset in which other programs
//! would misread it: see [`EditError::Charset`].
//!
//! # Serde
//!
//! A tree serializes as the list of its nodes in the order of the file, each with the number of its parent
//! and its raw values: `[{"parent":null,"properties":{"FF":["4"]}},{"parent":0,"properties":{"B":["dd"]}}]`. The
//! list is flat because formats and their readers recurse, and real games are thousands of nodes deep. Values that
//! are not UTF-8 are bytes.
//!
//! This is for formats such as JSON. The functions of this crate that read and write SGF with serde, such as
//! [`from_str`](crate::from_str) and [`to_string`](crate::to_string), refuse a [`GameTree`] and a [`Collection`], also as
//! part of another type. [`GameTree::deserialize`] and [`Node::deserialize`] read the properties as your types. To read SGF, use [`GameTree::from_slice`], or `read_game` with a [`TreeBuilder`]; to write it,
//! use [`GameTree::to_vec`].

mod arena;
mod build;
mod charset;
mod collection;
mod convert;
mod edit;
mod events;
mod merge;
mod node;
mod packed;
mod print;
mod read;
#[cfg(feature = "serde")]
mod serde_impls;
mod set;
mod split;
mod swap;
mod texts;
mod transform;
#[cfg(feature = "serde")]
mod typed;

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use self::arena::Arena;
pub use self::build::{TooLongError, TreeBuilder};
pub use self::collection::{Collection, TreeError};
pub use self::convert::Ff4Report;
pub use self::edit::{EditError, Place};
pub use self::events::Events;
pub use self::merge::{Conflict, Merged, Merger};
pub use self::node::{Children, Descendants, Node};
pub use self::packed::{NodeProperties, NodeProperty, NodeValues};
pub use self::read::{FromProperty, PropertyError, PropertyValues, Value};
pub use self::swap::TransformReport;
use self::texts::Texts;
#[cfg(feature = "charset")]
use crate::charset::{Decoding, GameCharset, GameTexts, TreeCharset, tells_charset};
use crate::node::RootFacts;
use crate::property::Context;
use crate::syntax::event::Event;
pub use crate::value::print::ToProperty;
use crate::write::{WriteError, Writer};

/// Identifies a node in its tree: see the [module](self#numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the id as a number. In a tree that was not edited, this is the position in the file.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Creates the id with this number. The tree may or may not have such a node.
    pub const fn new(index: usize) -> Option<Self> {
        if index < arena::MAX_NODES { Some(NodeId(index as u32)) } else { None }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game: a tree of nodes, which always has a root.
///
/// Create it with a [`TreeBuilder`], [`parse`](str::parse), or [`new`](Self::new). See the [module](self) for how to read
/// and change it.
///
/// Two trees are equal if they have the same shape and [equal nodes](Node#impl-PartialEq<Node<'_>>-for-Node<'_>).
/// Parentheses around an only child, which mean nothing, make no difference.
#[derive(Clone)]
pub struct GameTree {
    arena: Arena,
    /// The facts that the root states: `GM`, `FF`, `SZ`.
    context: Context,
    texts: Texts,
    #[cfg(feature = "charset")]
    decoding: Option<Decoding>,
}

impl GameTree {
    /// Creates a game of one node without properties.
    pub fn new() -> Self {
        let mut arena = Arena::new();
        arena.push();
        GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            None,
        )
    }

    fn of(arena: Arena, #[cfg(feature = "charset")] decoding: Option<Decoding>) -> Self {
        let mut tree = GameTree {
            arena,
            context: Context::default(),
            texts: Texts::default(),
            #[cfg(feature = "charset")]
            decoding,
        };
        tree.read_context();
        tree.read_charset();
        tree
    }

    /// Reads the only game of a slice leniently. For several games, or options, use a [`TreeBuilder`].
    ///
    /// Values may have any length, as long as the tree has [room](TreeBuilder::max_len).
    ///
    /// # Errors
    ///
    /// Fails if there is no game or more than one, or if the game is too long.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, TreeError> {
        collection::only_game(bytes)
    }

    /// Reads the facts of the root, and the charset.
    fn read_context(&mut self) {
        let mut facts = RootFacts::new();
        self.arena.properties(0).for_each(|property| facts.note_all(property.ident(), property.values()));
        self.context = facts.root_context();
    }

    /// Finds the charset of the game.
    #[cfg(feature = "charset")]
    fn read_charset(&mut self) {
        self.texts.charset = self.decoding.and_then(|decoding| self.find_charset(decoding));
    }

    #[cfg(not(feature = "charset"))]
    fn read_charset(&mut self) {}

    /// Returns the charset of the game under a policy; `None` if the policy rejects the `CA` of the game.
    #[cfg(feature = "charset")]
    fn find_charset(&self, decoding: Decoding) -> Option<TreeCharset> {
        let mut texts = GameTexts::new();
        let is_plain = !tells_charset(&self.arena.bytes);
        for node in self.arena.preorder(0) {
            self.arena.properties(node).flat_map(NodeProperty::values).for_each(|value| texts.add(value));
            if node == 0 {
                texts.end_root(self.root().raw("CA"));
            }
            if is_plain || texts.is_decided() {
                break; // the other texts change nothing
            }
        }
        decoding.game_charset(None, &texts).ok().map(GameCharset::tree)
    }

    /// Returns the charset of the game, and how it was found.
    ///
    /// `None` if texts are read as UTF-8 with replacement, because [no policy](TreeBuilder::charset) was set, or
    /// because the policy rejects the `CA` of the game.
    #[cfg(feature = "charset")]
    pub fn charset(&self) -> Option<TreeCharset> {
        self.texts.charset
    }

    /// Returns the game, version and board size of the root: `GM`, `FF`, `SZ`.
    pub fn context(&self) -> Context {
        self.context
    }

    fn context_at(&self, node: u32) -> Context {
        if node == 0 { self.context } else { self.context.after_root() }
    }

    /// Returns the number of nodes, at least one.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Returns the root.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// Returns the node with an id; `None` if it was removed or never existed.
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.arena.is_there(id.0).then_some(Node { tree: self, id: id.0 })
    }

    /// Returns the node at a position in the file, from 0: see [`Node::number`].
    pub fn nth(&self, number: usize) -> Option<Node<'_>> {
        if self.arena.in_order {
            return NodeId::new(number).and_then(|id| self.node(id));
        }
        self.nodes().nth(number)
    }

    /// Returns all nodes depth first, which is the order of the file.
    pub fn nodes(&self) -> Descendants<'_> {
        self.root().descendants()
    }

    /// Returns the main line: the root, then first children down to a leaf.
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        self.root().line()
    }

    /// Returns the nodes without children, which end the lines, in file order.
    pub fn leaves(&self) -> impl Iterator<Item = Node<'_>> {
        self.nodes().filter(|node| node.is_leaf())
    }

    /// Returns the game as events. A tree that was not edited yields the events it was built from, in the order of the
    /// [tree](self#what-a-tree-keeps).
    ///
    /// ```
    /// use sgf_stream::{Event, tree::GameTree};
    ///
    /// let game: GameTree = "(;B[aa](;W[bb]))".parse()?;
    /// assert_eq!(game.events().filter(|event| *event == Event::StartTree).count(), 2);
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn events(&self) -> Events<'_> {
        self.root().events()
    }

    /// Writes the game, in the form of the writer.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written, or if the writer rejects the game: because another game is open, or, in
    /// canonical form, because an identifier has digits.
    ///
    /// ```
    /// use sgf_stream::{tree::GameTree, write::Writer};
    ///
    /// let game: GameTree = "(;GaMe[1]PlayerBlack[Shusaku];B[tt]L[dd])".parse()?;
    /// let mut writer = Writer::canonical(Vec::new());
    /// game.write(&mut writer)?;
    /// assert_eq!(writer.finish()?, b"(;FF[4]GM[1]PB[Shusaku]\n;B[]LB[dd:A])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), WriteError> {
        self.events().try_for_each(|event| writer.write(event))
    }

    /// Returns the game as SGF, as an [exact copy](crate::write#exact-copy).
    ///
    /// # Errors
    ///
    /// Fails if an identifier is invalid, which neither the parser nor edits allow.
    pub fn to_vec(&self) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(Vec::new());
        self.write(&mut writer)?;
        writer.finish()
    }

    /// Returns the memory that the tree takes, in bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        let nodes = self.arena.slots.capacity() * size_of::<arena::Slot>();
        size_of::<Self>() + nodes + self.arena.bytes.capacity() + self.arena.spelled_len()
    }
}

impl Default for GameTree {
    fn default() -> Self {
        GameTree::new()
    }
}

impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let (mut a, mut b) = (0, 0);
        loop {
            let is_same = Node { tree: self, id: a } == Node { tree: other, id: b };
            match (is_same, self.arena.successor(a, 0), other.arena.successor(b, 0)) {
                (true, Some((next_a, up_a)), Some((next_b, up_b))) if up_a == up_b => (a, b) = (next_a, next_b),
                (is_same, next_a, next_b) => return is_same && next_a.is_none() && next_b.is_none(),
            }
        }
    }
}

impl Eq for GameTree {}

/// Formats the game as SGF, on one line.
impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in self.events() {
            match event {
                Event::StartTree => f.write_str("(")?,
                Event::Node => f.write_str(";")?,
                Event::Property(ident) => write!(f, "{ident:?}")?,
                Event::Value(value) => write!(f, "{value:?}")?,
                Event::EndTree => f.write_str(")")?,
                Event::ValuePart(_) => {}
            }
        }
        Ok(())
    }
}

/// Reads the only game of a text leniently: see [`GameTree::from_slice`].
impl FromStr for GameTree {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<Self, TreeError> {
        GameTree::from_slice(text.as_bytes())
    }
}
