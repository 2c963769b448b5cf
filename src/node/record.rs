//! Node records: all properties of one node, in a reusable buffer.
//!
//! Events arrive one at a time, so a node is complete only when it ends. A record is the complete node in flat form:
//! a list of properties, a list of values, and the bytes of both, which are ranges of the input if that is a slice,
//! or else in the record's own buffer. Reading the next node into the same record does not allocate once the record
//! has grown to the size of the largest node.
//!
//! A property that occurs twice in a node is one property here, with all values.

use std::fmt;
use std::ops::Range;

use super::batch::{Entry, NodeRef, Nodes};
use super::moves::MoveNode;
use crate::raw::RawValue;
use crate::syntax::event::{Event, Ident};

/// The properties of one node.
///
/// It is filled by [`SliceReader::read_node`](crate::SliceReader::read_node), which borrows from the slice, by
/// [`Reader::read_node`](crate::Reader::read_node), which copies, or manually from events, with
/// [`start`](Self::start) and [`push`](Self::push).
///
/// ```
/// use sgf_stream::{NodeRecord, Parser};
///
/// let mut reader = Parser::new().slice(b"(;FF[4]GM[1];B[dd]AB[aa]AB[bb][cc](;W[pp])(;W[qq]))");
/// let mut node = NodeRecord::new();
/// let mut comments = 0;
/// while reader.read_node(&mut node)? {
///     if let Some(stones) = node.get("AB") {
///         let stones: Vec<_> = stones.values().map(|value| value.simple_text()).collect();
///         assert_eq!(stones, ["aa", "bb", "cc"]);
///     }
///     comments += usize::from(node.contains("C"));
/// }
/// assert_eq!(comments, 0);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// [`depth`](Self::depth) is the number of enclosing trees; [`starts_tree`](Self::starts_tree) says whether the node
/// is the first of the innermost one. A node that starts a tree of depth 1 is the root of a game. A node that starts
/// a deeper tree follows the last node read of the enclosing tree.
#[derive(Clone, Default)]
pub struct NodeRecord<'a> {
    offset: u64,
    depth: usize,
    starts_tree: bool,
    nodes: Nodes<'a>,
}
impl<'a> NodeRecord<'a> {
    /// Creates a record of a node without properties.
    pub fn new() -> Self {
        NodeRecord::default()
    }

    /// Returns the byte offset of the node's `;`.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of enclosing trees: 1 in the game's own sequence of nodes.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns whether it is the first node of its tree.
    ///
    /// If its depth is 1, it is then the root of a game.
    pub fn starts_tree(&self) -> bool {
        self.starts_tree
    }

    /// Returns the number of properties; those with the same name count as one.
    pub fn len(&self) -> usize {
        self.nodes.entries.len()
    }

    /// Returns whether it has no properties.
    pub fn is_empty(&self) -> bool {
        self.nodes.entries.is_empty()
    }

    /// Returns the property with a name in the form of [`Ident::name`].
    pub fn get(&self, name: &str) -> Option<PropertyRef<'_>> {
        self.nodes.find(Ident::new(name.as_bytes())).map(|at| self.nodes.property(at))
    }

    /// Returns the property with a name whose [bit](Ident::name_bit) is known.
    #[inline]
    #[doc(hidden)]
    pub fn get_with_bit(&self, ident: Ident<'_>, bit: u64) -> Option<PropertyRef<'_>> {
        self.nodes.find_with_bit(ident, bit).map(|at| self.nodes.property(at))
    }

    /// Returns the bytes that the [ranges](PropertyRef::first_place) of its values refer to.
    #[doc(hidden)]
    pub fn bytes(&self) -> &[u8] {
        self.nodes.base()
    }

    /// Returns whether it has a property with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Iterates over the properties, in file order.
    pub fn iter(&self) -> RecordProperties<'_> {
        self.node().iter()
    }

    /// Starts a node without properties at a byte offset.
    ///
    /// Depth and start of tree are those of a root.
    pub fn start(&mut self, offset: u64) {
        self.begin(None, offset, 1, true);
    }

    /// Adds a property, or a value of the last property, with its offset. Copies the bytes.
    ///
    /// Other events, and values without a property, are ignored.
    ///
    /// ```
    /// use sgf_stream::{Event, NodeRecord, Parser};
    ///
    /// // Every node with its number of properties, however the bytes arrive.
    /// let (mut node, mut counts) = (NodeRecord::new(), Vec::new());
    /// let mut parser = Parser::new().push();
    /// let mut collect = |event: Event<'_>, offset| match event {
    ///     Event::Node => {
    ///         counts.push(node.len());
    ///         node.start(offset);
    ///     }
    ///     event => node.push(event, offset),
    /// };
    /// parser.feed(b"(;FF[4]G", &mut collect)?;
    /// parser.feed(b"M[1];B[aa])", &mut collect)?;
    /// parser.finish(&mut collect)?;
    /// assert_eq!((counts, node.len()), (vec![0, 2], 1));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn push(&mut self, event: Event<'_>, offset: u64) {
        debug_assert!(self.nodes.input.is_none() || self.is_empty(), "a record that borrows is filled by its reader");
        self.nodes.take(event, offset);
    }

    /// Starts a node whose bytes are in `input`, if given.
    pub(crate) fn begin(&mut self, input: Option<&'a [u8]>, offset: u64, depth: usize, starts_tree: bool) {
        (self.offset, self.depth, self.starts_tree) = (offset, depth, starts_tree);
        self.nodes.input = input;
        self.nodes.clear();
    }

    /// Adds an event within a limit; see [`Nodes::take_up_to`].
    #[inline(always)]
    #[doc(hidden)]
    pub fn take_up_to(&mut self, limit: usize, event: Event<'_>, at: u64) -> bool {
        self.nodes.take_up_to(limit, event, at)
    }

    /// Adds the weight of an event that is not kept; see [`Nodes::leave_out`].
    #[inline(always)]
    #[doc(hidden)]
    pub fn leave_out(&mut self, limit: usize, event: Event<'_>) -> bool {
        self.nodes.leave_out(limit, event)
    }

    /// Adds the property of a node like `;B[dd]` to a record without properties.
    #[inline]
    pub(crate) fn take_move(&mut self, node: MoveNode<'_>) {
        self.nodes.take_move(node);
    }

    /// Returns the identifier of the property that the next value belongs to.
    pub(crate) fn open_ident(&self) -> Option<Ident<'_>> {
        self.nodes.open_ident()
    }

    /// Returns the node without the record.
    pub(crate) fn node(&self) -> NodeRef<'_> {
        NodeRef { nodes: &self.nodes, entries: &self.nodes.entries }
    }
}
impl<'r> IntoIterator for &'r NodeRecord<'_> {
    type Item = PropertyRef<'r>;
    type IntoIter = RecordProperties<'r>;

    fn into_iter(self) -> RecordProperties<'r> {
        self.iter()
    }
}

impl fmt::Debug for NodeRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Compares properties in file order. Records are equal if they have the same names with the same raw values. The
/// position of the nodes is ignored.
impl PartialEq for NodeRecord<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for NodeRecord<'_> {}

/// An iterator over the properties of a node; see [`NodeRecord::iter`].
#[derive(Clone)]
pub struct RecordProperties<'r> {
    pub(super) nodes: &'r Nodes<'r>,
    pub(super) entries: std::slice::Iter<'r, Entry>,
}

impl<'r> Iterator for RecordProperties<'r> {
    type Item = PropertyRef<'r>;

    fn next(&mut self) -> Option<PropertyRef<'r>> {
        self.entries.next().map(|entry| PropertyRef { nodes: self.nodes, entry })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl ExactSizeIterator for RecordProperties<'_> {}

/// A property of a node, with its identifier and at least one value.
///
/// Two properties are equal if they have the same name and the same raw values.
#[derive(Clone, Copy)]
pub struct PropertyRef<'r> {
    pub(super) nodes: &'r Nodes<'r>,
    pub(super) entry: &'r Entry,
}

impl<'r> PropertyRef<'r> {
    /// Returns the identifier; if the property occurs twice, the first one.
    pub fn ident(self) -> Ident<'r> {
        Ident::new(self.nodes.bytes(self.entry.ident))
    }

    /// Returns the byte offset of the identifier.
    pub fn offset(self) -> u64 {
        self.entry.at
    }

    /// Returns the number of values, which is at least one.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(self) -> usize {
        self.entry.count as usize
    }

    /// Returns the first value.
    pub fn first(self) -> RawValue<'r> {
        RawValue::new(self.nodes.bytes(self.nodes.values[self.entry.first as usize].span))
    }

    /// Returns the offset of the first value, and its range in [`Nodes::base`].
    #[inline]
    #[doc(hidden)]
    pub fn first_place(self) -> (u64, Range<usize>) {
        let value = self.nodes.values[self.entry.first as usize];
        (value.at, value.span.range())
    }

    /// Iterates over the values.
    pub fn values(self) -> impl ExactSizeIterator<Item = RawValue<'r>> {
        self.values_with_offsets().map(|(value, _)| value)
    }

    /// Iterates over the values, each with the byte offset of its `[`.
    pub fn values_with_offsets(self) -> impl ExactSizeIterator<Item = (RawValue<'r>, u64)> + Clone {
        self.record_values()
    }

    pub(crate) fn record_values(self) -> RecordValues<'r> {
        RecordValues { nodes: self.nodes, next: self.entry.first, left: self.entry.count as usize }
    }
}

impl PartialEq for PropertyRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.ident() == other.ident() && self.values().eq(other.values())
    }
}

impl Eq for PropertyRef<'_> {}

impl fmt::Debug for PropertyRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ident().fmt(f)?;
        self.values().try_for_each(|value| value.fmt(f))
    }
}

#[cfg(feature = "serde")]
impl RecordValues<'_> {
    /// Returns the offset of the next value, and its range in [`Nodes::base`].
    pub(crate) fn next_place(&mut self) -> Option<(u64, Range<usize>)> {
        self.left = self.left.checked_sub(1)?;
        let value = self.nodes.values[self.next as usize];
        self.next = value.next;
        Some((value.at, value.span.range()))
    }
}

#[cfg(feature = "serde")]
impl<'r> PropertyRef<'r> {
    /// Returns the first of the nodes that are in memory with this one. `len` is its number of properties.
    pub(crate) fn first_node(self, len: usize) -> NodeRef<'r> {
        self.nodes.node(0, Some(len))
    }

    /// Returns the range of the identifier in [`Nodes::base`].
    pub(crate) fn ident_place(self) -> Range<usize> {
        self.entry.ident.range()
    }
}

/// An iterator over the values of a property; see [`PropertyRef::values_with_offsets`].
#[derive(Clone)]
pub(crate) struct RecordValues<'r> {
    pub(super) nodes: &'r Nodes<'r>,
    next: u32,
    left: usize,
}

impl<'r> Iterator for RecordValues<'r> {
    type Item = (RawValue<'r>, u64);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let value = self.nodes.values[self.next as usize];
        self.next = value.next;
        Some((RawValue::new(self.nodes.bytes(value.span)), value.at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for RecordValues<'_> {}
