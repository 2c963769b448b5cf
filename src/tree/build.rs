//! From events to a tree.

use std::fmt;
use std::ops::ControlFlow;

use super::GameTree;
use super::arena::{Arena, MOST_BYTES, MOST_NODES, Slot};
use super::blob::{self, Opened};
#[cfg(feature = "charset")]
use crate::charset::Decoding;
use crate::read::visit::{Skip, Variation, Visitor};
use crate::syntax::event::{Ident, PartEnd, ValuePart};
use crate::value::RawValue;

/// Makes trees of games: a [`Visitor`], for every front end.
///
/// It reads one game after the other into buffers that are used again, so a game of usual size costs two
/// allocations of its exact size, and a long one its buffers.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_stream::tree::TreeBuilder;
///
/// let archive = b"(;PB[Shusaku];B[qd];W[dc](;B[pq])(;B[oc]))(;PB[Shuei])";
/// let mut reader = Parser::new().reader(&archive[..]);
/// let mut builder = TreeBuilder::new();
/// let mut sizes = Vec::new();
/// while let Some(game) = reader.read_game(&mut builder)? {
///     sizes.push(game?.len());
/// }
/// assert_eq!(sizes, [5, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TreeBuilder {
    max_len: usize,
    #[cfg(feature = "charset")]
    decoding: Option<Decoding>,
    arena: Arena,
    /// The last node of the line that is being read.
    node: u32,
    /// For each open variation, the node that it branches off from.
    branches: Vec<u32>,
    starts_tree: bool,
    property: Option<Opened>,
    /// A value that comes in parts, as far as it has come.
    part: Vec<u8>,
}

/// A game that is longer than [`TreeBuilder::max_len`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("expected a game that takes at most {limit} bytes as a tree")]
pub struct TooLong {
    limit: usize,
}

impl TooLong {
    /// The limit, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }
}

/// What a node weighs, besides its properties.
const NODE: usize = size_of::<Slot>();

/// Buffers of more bytes than these go with their game.
const KEPT: usize = 1 << 20;

impl TreeBuilder {
    /// A builder with the default limit.
    pub fn new() -> Self {
        TreeBuilder {
            max_len: 1 << 30,
            #[cfg(feature = "charset")]
            decoding: None,
            arena: Arena::new(),
            node: 0,
            branches: Vec::new(),
            starts_tree: false,
            property: None,
            part: Vec::new(),
        }
    }

    /// How much memory the tree of a game may take, in bytes: 24 a node, 6 for a usual move, and for each
    /// other property and value their bytes and one to five more. Default: 1 GiB, which is 35 million moves; the
    /// longest game of a corpus of 10,887 real files takes 1.3 MB. A longer one is [`TooLong`]; the next one is
    /// read all the same. Whatever the limit, properties take no more than 2 GiB.
    #[must_use]
    pub fn max_len(mut self, bytes: usize) -> Self {
        self.max_len = bytes;
        self
    }

    /// In which charset texts are read. Default: UTF-8 with replacement, as everywhere in this crate.
    /// [`Decoding::new`] finds the charset of each game by `CA`, or by detection; a file that starts with a
    /// byte-order mark is for [`Decoding::force`], since visitors are not told.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_stream::tree::TreeBuilder;
    ///
    /// let mut reader = Parser::new().slice(b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])");
    /// let mut builder = TreeBuilder::new().charset(Decoding::new());
    /// let game = reader.read_game(&mut builder)?.expect("a game")?;
    /// assert_eq!(game.root().text("PB").unwrap(), "吳清源");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub fn charset(mut self, decoding: Decoding) -> Self {
        self.decoding = Some(decoding);
        self
    }

    #[inline]
    fn close_property(&mut self) {
        if let Some(property) = self.property.take() {
            blob::close(&mut self.arena.bytes, property);
        }
    }

    /// The properties of the last node are all there.
    #[inline]
    fn close_node(&mut self) {
        self.close_property();
        if let Some(last) = self.arena.slots.len().checked_sub(1) {
            self.arena.close(last as u32);
        }
    }

    /// Ends the game if it has become too long.
    #[inline]
    fn check<C>(&self, then: C) -> ControlFlow<Result<GameTree, TooLong>, C> {
        let bytes = self.arena.bytes.len() + self.part.len();
        let is_within = bytes + NODE * self.arena.slots.len() <= self.max_len
            && bytes <= MOST_BYTES
            && self.arena.slots.len() <= MOST_NODES;
        if is_within { ControlFlow::Continue(then) } else { ControlFlow::Break(Err(TooLong { limit: self.max_len })) }
    }

    fn take_arena(&mut self) -> Arena {
        if self.arena.bytes.len() + NODE * self.arena.slots.len() > KEPT {
            let mut arena = std::mem::replace(&mut self.arena, Arena::new());
            arena.slots.shrink_to_fit();
            arena.bytes.shrink_to_fit();
            return arena;
        }
        self.arena.clone() // which has no room for more
    }
}

/// Its options.
impl fmt::Debug for TreeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = f.debug_struct("TreeBuilder");
        options.field("max_len", &self.max_len);
        #[cfg(feature = "charset")]
        options.field("decoding", &self.decoding);
        options.finish_non_exhaustive()
    }
}

impl Default for TreeBuilder {
    fn default() -> Self {
        TreeBuilder::new()
    }
}

impl Visitor for TreeBuilder {
    type Game = ();
    type Output = Result<GameTree, TooLong>;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, ()> {
        self.arena.clear();
        self.branches.clear();
        self.part.clear();
        (self.node, self.starts_tree, self.property) = (0, false, None);
        ControlFlow::Continue(())
    }

    fn start_tree(&mut self, _: &mut (), _: Variation) -> ControlFlow<Self::Output, Skip> {
        self.branches.push(self.node);
        self.starts_tree = true;
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn node(&mut self, _: &mut (), _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.close_node();
        let node = match self.arena.slots.is_empty() {
            true => self.arena.push(),
            false => self.arena.push_child(self.node, self.starts_tree),
        };
        (self.node, self.starts_tree) = (node, false);
        self.check(Skip::No)
    }

    #[inline]
    fn property(&mut self, _: &mut (), ident: Ident<'_>, _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.close_property();
        self.property = Some(blob::open(&mut self.arena.bytes, ident.as_bytes()));
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn value(&mut self, _: &mut (), value: RawValue<'_>, _offset: u64) -> ControlFlow<Self::Output> {
        if self.property.is_some() {
            blob::put_value(&mut self.arena.bytes, value.as_bytes());
        }
        self.check(())
    }

    fn value_part(&mut self, game: &mut (), part: ValuePart<'_>, offset: u64) -> ControlFlow<Self::Output> {
        self.part.extend_from_slice(part.bytes);
        if part.end == PartEnd::More {
            return self.check(());
        }
        let value = std::mem::take(&mut self.part);
        self.value(game, RawValue::new(&value), offset)
    }

    fn end_tree(&mut self, _: &mut (), _offset: u64) -> ControlFlow<Self::Output> {
        let branch = self.branches.pop();
        debug_assert!(branch.is_some(), "a tree that ends has begun");
        self.node = branch.unwrap_or(self.node);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> Self::Output {
        self.close_node();
        if self.arena.slots.is_empty() {
            return Ok(GameTree::new()); // a visitor driven by hand
        }
        let arena = self.take_arena();
        #[cfg(feature = "charset")]
        return Ok(GameTree::of(arena, self.decoding));
        #[cfg(not(feature = "charset"))]
        Ok(GameTree::of(arena))
    }
}
