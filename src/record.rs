//! Node records: all properties of one node, in a buffer that is used again.
//!
//! Events come one by one; what a node says is known when it is over. A record is the node as a
//! whole, flat: a list of properties, a list of values, and the bytes of both, which are ranges
//! into the input where that is a slice, and otherwise in one buffer of the record's own. Reading
//! the next node into the same record allocates nothing, once the record has grown to the size of
//! the largest.
//!
//! A property that a node has twice is one property here, with the values of both.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::value::RawValue;

/// The properties of one node.
///
/// Filled by [`SliceReader::read_node`](crate::SliceReader::read_node), which makes it borrow from
/// the slice, and [`Reader::read_node`](crate::Reader::read_node), which copies; or by hand, from
/// events, with [`start`](Self::start) and [`push`](Self::push).
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
/// Where a node stands: [`depth`](Self::depth) says in how many trees, and
/// [`starts_tree`](Self::starts_tree) whether it is the first of the innermost. So a node that
/// starts a tree of depth 1 is the root of a game, and one that starts a deeper tree follows the
/// last node that was read of the tree around it.
#[derive(Clone, Default)]
pub struct NodeRecord<'a> {
    offset: u64,
    depth: usize,
    starts_tree: bool,
    nodes: Nodes<'a>,
}

/// The properties of one node after another, flat: a record has one node, and who reads ahead has
/// several. Properties and values can be added to the last of them.
#[derive(Clone, Default)]
pub(crate) struct Nodes<'a> {
    /// What spans are ranges of; if there is none, they are ranges of `own`.
    input: Option<&'a [u8]>,
    own: Vec<u8>,
    entries: Vec<Entry>,
    values: Vec<Value>,
    /// The first property of the last node.
    node: usize,
    /// The properties of the last node by name, if they are too many to go through.
    by_name: HashMap<Vec<u8>, usize>,
    open: Open,
    /// The last value is still coming, in parts.
    in_parts: bool,
    /// Of the last node: see [`take_up_to`](Self::take_up_to).
    weight: usize,
    full: bool,
}

/// Where the next value goes.
#[derive(Clone, Copy, Debug, Default)]
enum Open {
    #[default]
    Nothing,
    /// To a property that has no value yet, and that is none before it has.
    New { at: u64, ident: Span },
    /// To the values of this one.
    Property(usize),
}

/// A property: its identifier, and a chain of values.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    ident: Span,
    first: u32,
    last: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    at: u64,
    span: Span,
    /// The next value of the same property, which is not the next in the list if the node has the
    /// property twice. 0 for none: the first value of a list is nobody's next.
    next: u32,
}

/// A range of the bytes.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: u32,
}

impl Span {
    #[inline]
    fn range(self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }
}

/// Where numbers of 32 bits end: no node is heavier, whatever the limit.
const HEAVIEST: usize = u32::MAX as usize;

/// Up to so many properties are gone through to find one, as nearly all nodes have fewer.
const FEW: usize = 24;

/// What a property and a value weigh beside their bytes: about what their entries take.
const WEIGHT: usize = 32;

impl<'a> NodeRecord<'a> {
    /// A record of a node without properties.
    pub fn new() -> Self {
        NodeRecord::default()
    }

    /// The byte offset of the node's `;`.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many trees the node stands in: 1 in the game's own sequence of nodes.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it is the first node of its tree. If its depth is 1 too, it is the root of a game.
    pub fn starts_tree(&self) -> bool {
        self.starts_tree
    }

    /// How many properties it has; those with the same name are one.
    pub fn len(&self) -> usize {
        self.nodes.entries.len()
    }

    /// Whether it has no properties.
    pub fn is_empty(&self) -> bool {
        self.nodes.entries.is_empty()
    }

    /// The property of a name, as [`Ident::name`] gives it.
    pub fn get(&self, name: &str) -> Option<PropertyRef<'_>> {
        self.nodes.find(Ident::new(name.as_bytes())).map(|at| self.nodes.property(at))
    }

    /// Whether it has a property of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The properties, in the order of the file.
    pub fn iter(&self) -> Properties<'_> {
        self.node().iter()
    }

    /// Makes it the record of a node without properties, at a byte offset. Depth and start of tree
    /// are those of a root.
    pub fn start(&mut self, offset: u64) {
        self.begin(None, offset, 1, true);
    }

    /// Takes up an event that comes behind the `Node`: a property, or a value of the last
    /// property, with its offset. Copies the bytes. Other events, and values without a property,
    /// say nothing of a node and are left alone.
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

    /// Starts a node whose bytes are in `input`, if that is given.
    pub(crate) fn begin(&mut self, input: Option<&'a [u8]>, offset: u64, depth: usize, starts_tree: bool) {
        (self.offset, self.depth, self.starts_tree) = (offset, depth, starts_tree);
        self.nodes.input = input;
        self.nodes.clear();
    }

    /// See [`Nodes::take_up_to`].
    #[inline]
    pub(crate) fn take_up_to(&mut self, limit: usize, event: Event<'_>, at: u64) -> bool {
        self.nodes.take_up_to(limit, event, at)
    }

    /// The node alone.
    pub(crate) fn node(&self) -> NodeRef<'_> {
        NodeRef { nodes: &self.nodes, entries: &self.nodes.entries, offset: self.offset }
    }
}

impl<'a> Nodes<'a> {
    /// No nodes, whose bytes are in `input`, if that is given.
    #[cfg(feature = "serde")]
    pub(crate) fn of(input: Option<&'a [u8]>) -> Self {
        Nodes { input, ..Nodes::default() }
    }

    /// Forgets all nodes, and starts one.
    pub(crate) fn clear(&mut self) {
        self.own.clear();
        self.entries.clear();
        self.values.clear();
        self.start_node();
    }

    /// Starts the next node. Answers how many properties there are in front of it.
    #[inline]
    pub(crate) fn start_node(&mut self) -> usize {
        self.node = self.entries.len();
        if !self.by_name.is_empty() {
            self.by_name.clear();
        }
        (self.open, self.in_parts) = (Open::Nothing, false);
        (self.weight, self.full) = (0, false);
        self.node
    }

    /// Forgets all nodes but the last, which becomes the first, and room for more than so many
    /// bytes.
    #[cfg(feature = "serde")]
    pub(crate) fn keep_last(&mut self, room: usize) {
        self.entries.drain(..self.node);
        let values = self.entries.iter().map(|entry| entry.first as usize).min().unwrap_or(self.values.len());
        self.values.drain(..values);
        let own = match self.input {
            Some(_) => 0,
            None => {
                let open = match self.open {
                    Open::New { ident, .. } => Some(ident.start),
                    _ => None,
                };
                self.entries.iter().map(|entry| entry.ident.start).chain(open).min().unwrap_or(self.own.len())
            }
        };
        self.own.drain(..own);
        self.own.shrink_to(room);
        self.values.shrink_to(room);
        for entry in &mut self.entries {
            entry.ident.start -= own;
            (entry.first, entry.last) = (entry.first - values as u32, entry.last - values as u32);
        }
        for value in &mut self.values {
            value.span.start -= own;
            value.next = value.next.saturating_sub(values as u32);
        }
        match &mut self.open {
            Open::New { ident, .. } => ident.start -= own,
            Open::Property(property) => *property -= self.node,
            Open::Nothing => {}
        }
        self.by_name.values_mut().for_each(|property| *property -= self.node);
        self.node = 0;
    }

    /// Adds a node with one property that has one value. Answers how many properties there are in
    /// front of it.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn add_node_of_one(&mut self, ident: Ident<'_>, value: RawValue<'_>, at: u64) -> usize {
        let before = self.start_node();
        let ident_span = self.keep(ident.as_bytes(), at + 1);
        let first = self.values.len() as u32;
        self.entries.push(Entry { at: at + 1, ident: ident_span, first, last: first, count: 1 });
        let value_at = at + 1 + ident.as_bytes().len() as u64;
        let span = self.keep(value.as_bytes(), value_at + 1);
        self.values.push(Value { at: value_at, span, next: 0 });
        self.open = Open::Property(before);
        self.weight = ident.as_bytes().len() + value.as_bytes().len() + 2 * WEIGHT;
        before
    }

    /// How many properties there are, of all nodes.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How much the last node holds: see [`take_up_to`](Self::take_up_to).
    #[cfg(feature = "serde")]
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    /// Whether the last node has no properties.
    #[cfg(feature = "serde")]
    pub(crate) fn is_last_empty(&self) -> bool {
        self.entries.len() == self.node
    }

    /// A node whose first property is this one.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn node(&self, offset: u64, first: usize, next: Option<usize>) -> NodeRef<'_> {
        NodeRef { nodes: self, entries: &self.entries[first..next.unwrap_or(self.entries.len())], offset }
    }

    /// Takes an event up unless the node would become heavier than `limit`, which counts the
    /// bytes of identifiers and values, and 32 for each. False for the event for which there is no
    /// room; what follows is left out.
    #[inline(always)]
    pub(crate) fn take_up_to(&mut self, limit: usize, event: Event<'_>, at: u64) -> bool {
        let bytes = match event {
            Event::Property(ident) => ident.as_bytes().len(),
            Event::Value(value) => value.as_bytes().len(),
            Event::ValuePart(part) => part.bytes.len(),
            Event::StartTree | Event::Node | Event::EndTree => return true,
        };
        let weight = self.weight + bytes + WEIGHT;
        if weight > limit.min(HEAVIEST) || self.full {
            return std::mem::replace(&mut self.full, true);
        }
        self.weight = weight;
        self.take(event, at);
        true
    }

    /// Takes an event up. If the bytes are in the input, it has to be of that.
    #[inline(always)]
    fn take(&mut self, event: Event<'_>, at: u64) {
        match event {
            Event::Property(ident) => self.take_property(ident, at),
            Event::Value(value) => self.take_value(value.as_bytes(), at, at + 1),
            Event::ValuePart(part) => self.take_part(part, at),
            Event::StartTree | Event::Node | Event::EndTree => {}
        }
    }

    #[inline(always)]
    fn take_property(&mut self, ident: Ident<'_>, at: u64) {
        self.in_parts = false;
        let same = if self.entries.len() > self.node { self.find(ident) } else { None };
        self.open = match same {
            Some(same) => Open::Property(same),
            None => Open::New { at, ident: self.keep(ident.as_bytes(), at) },
        };
    }

    #[inline(always)]
    fn take_value(&mut self, raw: &[u8], at: u64, start: u64) {
        let span = self.keep(raw, start);
        let value = self.values.len();
        match self.open {
            Open::Nothing => return,
            Open::New { at, ident } => {
                let property = self.entries.len();
                self.entries.push(Entry { at, ident, first: value as u32, last: value as u32, count: 1 });
                self.open = Open::Property(property);
                if property - self.node >= FEW {
                    self.enter(property);
                }
            }
            Open::Property(property) => {
                let entry = &mut self.entries[property];
                self.values[entry.last as usize].next = value as u32;
                entry.last = value as u32;
                entry.count += 1;
            }
        }
        self.values.push(Value { at, span, next: 0 });
    }

    /// Parts of a value follow one another, in the input as in the own buffer.
    fn take_part(&mut self, part: ValuePart<'_>, at: u64) {
        match self.values.last_mut() {
            Some(value) if self.in_parts => {
                value.span.len += part.bytes.len() as u32;
                if self.input.is_none() {
                    self.own.extend_from_slice(part.bytes);
                }
            }
            _ => self.take_value(part.bytes, at.saturating_sub(1), at),
        }
        self.in_parts = part.end == PartEnd::More;
    }

    /// Where some bytes of the stream are kept.
    #[inline(always)]
    fn keep(&mut self, bytes: &[u8], at: u64) -> Span {
        match self.input {
            Some(_) => Span { start: at as usize, len: bytes.len() as u32 },
            None => {
                let start = self.own.len();
                self.own.extend_from_slice(bytes);
                Span { start, len: bytes.len() as u32 }
            }
        }
    }

    /// Enters a new property among those that are looked up by name: there are many.
    #[cold]
    fn enter(&mut self, new: usize) {
        let first = if self.by_name.is_empty() { self.node } else { new };
        for property in first..=new {
            let name = self.property(property).ident().name_bytes().collect();
            self.by_name.insert(name, property);
        }
    }

    /// A property of the last node.
    fn find(&self, ident: Ident<'_>) -> Option<usize> {
        if self.by_name.is_empty() {
            return (self.node..self.entries.len()).find(|&property| self.property(property).ident() == ident);
        }
        let spelling = ident.as_bytes();
        if spelling.iter().any(u8::is_ascii_lowercase) {
            self.by_name.get(&ident.name_bytes().collect::<Vec<_>>()).copied()
        } else {
            self.by_name.get(spelling).copied()
        }
    }

    fn property(&self, index: usize) -> PropertyRef<'_> {
        PropertyRef { nodes: self, entry: &self.entries[index] }
    }

    #[inline]
    fn bytes(&self, span: Span) -> &[u8] {
        &self.base()[span.range()]
    }

    /// What spans are ranges of.
    #[inline]
    pub(crate) fn base(&self) -> &[u8] {
        self.input.unwrap_or(&self.own)
    }
}

/// One of the nodes.
#[derive(Clone, Copy)]
pub(crate) struct NodeRef<'r> {
    nodes: &'r Nodes<'r>,
    entries: &'r [Entry],
    offset: u64,
}

impl<'r> NodeRef<'r> {
    #[inline]
    pub(crate) fn iter(self) -> Properties<'r> {
        Properties { nodes: self.nodes, entries: self.entries.iter() }
    }
}

#[cfg(feature = "serde")]
impl<'r> NodeRef<'r> {
    /// The byte offset of the node's `;`.
    pub(crate) fn offset(self) -> u64 {
        self.offset
    }

    pub(crate) fn len(self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn nth(self, n: usize) -> Option<PropertyRef<'r>> {
        self.entries.get(n).map(|entry| PropertyRef { nodes: self.nodes, entry })
    }

    /// The identifier of its nth property.
    #[inline]
    pub(crate) fn ident(self, n: usize) -> Ident<'r> {
        Ident::new(self.nodes.bytes(self.entries[n].ident))
    }

    /// What the places of its bytes are in.
    #[inline]
    pub(crate) fn base(self) -> &'r [u8] {
        self.nodes.base()
    }
}

impl<'r> IntoIterator for &'r NodeRecord<'_> {
    type Item = PropertyRef<'r>;
    type IntoIter = Properties<'r>;

    fn into_iter(self) -> Properties<'r> {
        self.iter()
    }
}

impl fmt::Debug for NodeRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Equal if the properties are, in the order of the file: the same names with the same raw values.
/// Where the nodes stand does not count.
impl PartialEq for NodeRecord<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for NodeRecord<'_> {}

/// The properties of a node: see [`NodeRecord::iter`].
#[derive(Clone)]
pub struct Properties<'r> {
    nodes: &'r Nodes<'r>,
    entries: std::slice::Iter<'r, Entry>,
}

impl<'r> Iterator for Properties<'r> {
    type Item = PropertyRef<'r>;

    fn next(&mut self) -> Option<PropertyRef<'r>> {
        self.entries.next().map(|entry| PropertyRef { nodes: self.nodes, entry })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl ExactSizeIterator for Properties<'_> {}

/// A property of a node: its identifier and its values, of which there is at least one.
///
/// Equal to another with the same name and the same raw values.
#[derive(Clone, Copy)]
pub struct PropertyRef<'r> {
    nodes: &'r Nodes<'r>,
    entry: &'r Entry,
}

impl<'r> PropertyRef<'r> {
    /// The identifier; if the node has it twice, the first.
    pub fn ident(self) -> Ident<'r> {
        Ident::new(self.nodes.bytes(self.entry.ident))
    }

    /// The byte offset of the identifier.
    pub fn offset(self) -> u64 {
        self.entry.at
    }

    /// How many values it has: at least one.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(self) -> usize {
        self.entry.count as usize
    }

    /// The first value.
    pub fn first(self) -> RawValue<'r> {
        RawValue::new(self.nodes.bytes(self.nodes.values[self.entry.first as usize].span))
    }

    /// The values.
    pub fn values(self) -> impl ExactSizeIterator<Item = RawValue<'r>> {
        self.values_with_offsets().map(|(_, value)| value)
    }

    /// The values, each with the byte offset of its `[`.
    pub fn values_with_offsets(self) -> Values<'r> {
        Values { nodes: self.nodes, next: self.entry.first, left: self.entry.count as usize }
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
impl Values<'_> {
    /// The next value: its offset, and its place in [`Nodes::base`].
    pub(crate) fn next_place(&mut self) -> Option<(u64, Range<usize>)> {
        self.left = self.left.checked_sub(1)?;
        let Value { at, span, next } = self.nodes.values[self.next as usize];
        self.next = next;
        Some((at, span.range()))
    }
}

#[cfg(feature = "serde")]
impl PropertyRef<'_> {
    /// The first value: its offset, and its place in [`Nodes::base`].
    #[inline]
    pub(crate) fn first_place(self) -> (u64, Range<usize>) {
        let value = self.nodes.values[self.entry.first as usize];
        (value.at, value.span.range())
    }

    /// The place of the identifier in [`Nodes::base`].
    pub(crate) fn ident_place(self) -> Range<usize> {
        self.entry.ident.range()
    }
}

/// The values of a property: see [`PropertyRef::values_with_offsets`].
#[derive(Clone)]
pub struct Values<'r> {
    nodes: &'r Nodes<'r>,
    next: u32,
    left: usize,
}

impl<'r> Iterator for Values<'r> {
    type Item = (u64, RawValue<'r>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let value = self.nodes.values[self.next as usize];
        self.next = value.next;
        Some((value.at, RawValue::new(self.nodes.bytes(value.span))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Values<'_> {}
