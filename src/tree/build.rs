//! Builds trees from events.

use std::fmt;
use std::ops::ControlFlow;

use super::GameTree;
use super::arena::{Arena, MAX_BYTES, MAX_NODES, Slot};
use super::packed::{self, Opened};
#[cfg(feature = "charset")]
use crate::charset::Decoding;
use crate::node::Moves;
use crate::read::visit::{Skip, Variation, Visitor};
use crate::syntax::event::{Ident, PartEnd, ValuePart};
use crate::value::RawValue;

/// A [`Visitor`] that builds a [`GameTree`] from any reader.
///
/// A tree takes two allocations of exact size: the nodes, which are moved into it, and their properties, which are copied
/// from a buffer that the next game reuses (unless they are long).
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
///
/// # Long values
///
/// A parser drops values longer than [`Parser::max_value_len`](crate::Parser::max_value_len) (default: 1 MiB), which only
/// its callback reports. So that a tree lacks nothing, let the parser pass on long values
/// [in parts](crate::Parser::value_parts), as [`Collection::from_reader`](super::Collection::from_reader) does. The only
/// limit is then [`max_len`](Self::max_len).
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_stream::tree::TreeBuilder;
///
/// let game = format!("(;C[{}])", "long ".repeat(1_000_000));
/// let read = |parser: Parser| parser.reader(game.as_bytes()).read_game(&mut TreeBuilder::new());
/// assert_eq!(read(Parser::new())?.unwrap()?.root().raw("C"), None);
/// assert_eq!(read(Parser::new().value_parts(true))?.unwrap()?.root().raw("C").unwrap().as_bytes().len(), 5_000_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TreeBuilder {
    max_len: usize,
    #[cfg(feature = "charset")]
    decoding: Option<Decoding>,
    arena: Arena,
    /// The last node of the current line.
    node: u32,
    /// For each open variation, the node it branches off.
    branches: Vec<u32>,
    /// Whether the next node starts a variation.
    in_variation: bool,
    property: Option<Opened>,
    /// The parts of a value received so far.
    part: Vec<u8>,
}

/// Error for a game longer than [`TreeBuilder::max_len`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the game is too large: its tree would exceed {limit} bytes; see `TreeBuilder::max_len`")]
pub struct TooLongError {
    limit: usize,
}

impl TooLongError {
    /// Returns the limit, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }
}

/// Size of a node in bytes, without its properties.
const NODE_SIZE: usize = size_of::<Slot>();

impl TreeBuilder {
    /// Creates a builder with the default limit.
    pub fn new() -> Self {
        TreeBuilder {
            max_len: 1 << 30,
            #[cfg(feature = "charset")]
            decoding: None,
            arena: Arena::new(),
            node: 0,
            branches: Vec::new(),
            in_variation: false,
            property: None,
            part: Vec::new(),
        }
    }

    /// Sets the maximum memory for the tree of a game, in bytes.
    ///
    /// A node takes 24 bytes plus its properties: 6 bytes for a typical move, otherwise their length plus one to five
    /// bytes each. Default: 1 GiB, which is 35 million moves; the longest game of a corpus of 10,887 real files takes
    /// 1.3 MB. A longer game is the error [`TooLongError`], and the next game is read as usual. Properties never take more
    /// than 2 GiB, regardless of the limit.
    #[must_use]
    pub fn max_len(mut self, bytes: usize) -> Self {
        self.max_len = bytes;
        self
    }

    /// Sets how to find the charset of texts. Default: UTF-8 with replacement, as everywhere in this crate.
    /// [`Decoding::new`] finds the charset of each game from `CA`, or detects it. Use [`Decoding::force`] for a
    /// file that starts with a byte-order mark, which visitors do not see.
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
            packed::close(&mut self.arena.bytes, property);
        }
    }

    /// Ends the properties of the last node.
    #[inline]
    fn close_node(&mut self) {
        self.close_property();
        if let Some(last) = self.arena.slots.len().checked_sub(1) {
            self.arena.close(last as u32);
        }
    }

    /// Ends the game if it is too long.
    #[inline]
    fn check<C>(&self, then: C) -> ControlFlow<Result<GameTree, TooLongError>, C> {
        let bytes = self.arena.bytes.len() + self.part.len();
        let is_within = bytes + self.arena.spelled_len() + NODE_SIZE * self.arena.slots.len() <= self.max_len
            && bytes <= MAX_BYTES
            && self.arena.slots.len() <= MAX_NODES;
        if is_within {
            ControlFlow::Continue(then)
        } else {
            ControlFlow::Break(Err(TooLongError { limit: self.max_len }))
        }
    }
}

/// Formats the options.
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
    type Output = Result<GameTree, TooLongError>;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, ()> {
        self.arena.clear();
        self.branches.clear();
        self.part.clear();
        (self.node, self.in_variation, self.property) = (0, false, None);
        ControlFlow::Continue(())
    }

    fn start_tree(&mut self, _: &mut (), _: Variation) -> ControlFlow<Self::Output, Skip> {
        self.branches.push(self.node);
        self.in_variation = true;
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn node(&mut self, _: &mut (), _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.close_node();
        let node = match self.arena.slots.is_empty() {
            true => self.arena.push(),
            false => self.arena.push_child(self.node, self.in_variation),
        };
        (self.node, self.in_variation) = (node, false);
        self.check(Skip::No)
    }

    #[inline]
    fn property(&mut self, _: &mut (), ident: Ident<'_>, _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.close_property();
        self.property = Some(packed::open(&mut self.arena.bytes, ident.as_bytes()));
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn value(&mut self, _: &mut (), value: RawValue<'_>, _offset: u64) -> ControlFlow<Self::Output> {
        if self.property.is_some() {
            packed::put_value(&mut self.arena.bytes, value.as_bytes());
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

    /// Adds the nodes of a run. The first one is linked like any other, and those after it are a chain.
    fn moves(&mut self, game: &mut (), moves: Moves<'_>) -> ControlFlow<Self::Output, bool> {
        let mut copy = None;
        let run = moves.joined(&mut copy);
        let (added, nodes) = (run.len() * packed::MOVE, self.arena.slots.len() + run.len());
        let bytes = self.arena.bytes.len() + added;
        if bytes + self.arena.spelled_len() + NODE_SIZE * nodes > self.max_len || bytes > MAX_BYTES || nodes > MAX_NODES
        {
            return ControlFlow::Continue(false); // node by node, up to the limit
        }
        self.node(game, moves.offset())?;
        packed::put_moves(&mut self.arena.bytes, run);
        self.arena.push_chain(run.len() - 1, packed::MOVE as u32);
        self.node = self.arena.slots.len() as u32 - 1;
        ControlFlow::Continue(true)
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
            return Ok(GameTree::new()); // the visitor was called by hand
        }
        let arena = self.arena.take();
        #[cfg(feature = "charset")]
        return Ok(GameTree::of(arena, self.decoding));
        #[cfg(not(feature = "charset"))]
        Ok(GameTree::of(arena))
    }
}
