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
#[cfg(feature = "serde")]
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
    /// What spans are ranges of; if there is none, they are ranges of `own`.
    input: Option<&'a [u8]>,
    own: Vec<u8>,
    properties: Vec<Entry>,
    values: Vec<Value>,
    /// The properties by name, if they are too many to go through.
    by_name: HashMap<Vec<u8>, usize>,
    open: Open,
    /// The last value is still coming, in parts.
    in_parts: bool,
    /// See [`take_up_to`](Self::take_up_to).
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
    first: usize,
    last: usize,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    at: u64,
    span: Span,
    /// The next value of the same property, which is not the next in the list if the node has the
    /// property twice. 0 for none: the first value of a list is nobody's next.
    next: usize,
}

/// A range of the bytes.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: usize,
}

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
        self.properties.len()
    }

    /// Whether it has no properties.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// The property of a name, as [`Ident::name`] gives it.
    pub fn get(&self, name: &str) -> Option<PropertyRef<'_>> {
        self.find(Ident::new(name.as_bytes())).map(|at| self.property(at))
    }

    /// Whether it has a property of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The properties, in the order of the file.
    pub fn iter(&self) -> Properties<'_> {
        Properties { record: self, entries: self.properties.iter() }
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
        debug_assert!(self.input.is_none() || self.is_empty(), "a record that borrows is filled by its reader");
        self.take(event, offset);
    }

    /// Starts a node whose bytes are in `input`, if that is given.
    pub(crate) fn begin(&mut self, input: Option<&'a [u8]>, offset: u64, depth: usize, starts_tree: bool) {
        (self.offset, self.depth, self.starts_tree, self.input) = (offset, depth, starts_tree, input);
        self.own.clear();
        self.properties.clear();
        self.values.clear();
        if !self.by_name.is_empty() {
            self.by_name.clear();
        }
        (self.open, self.in_parts) = (Open::Nothing, false);
        (self.weight, self.full) = (0, false);
    }

    /// Takes an event up unless the record would become heavier than `limit`, which counts the
    /// bytes of identifiers and values, and 32 for each. False for the event for which there is no
    /// room; what follows is left out.
    #[inline]
    pub(crate) fn take_up_to(&mut self, limit: usize, event: Event<'_>, at: u64) -> bool {
        let bytes = match event {
            Event::Property(ident) => ident.as_bytes().len(),
            Event::Value(value) => value.as_bytes().len(),
            Event::ValuePart(part) => part.bytes.len(),
            Event::StartTree | Event::Node | Event::EndTree => return true,
        };
        if self.full {
            return true;
        }
        let weight = self.weight + bytes + WEIGHT;
        self.full = weight > limit;
        if !self.full {
            self.weight = weight;
            self.take(event, at);
        }
        !self.full
    }

    /// As [`push`](Self::push). If the record borrows, the event has to be of its input.
    pub(crate) fn take(&mut self, event: Event<'_>, at: u64) {
        match event {
            Event::Property(ident) => self.take_property(ident, at),
            Event::Value(value) => self.take_value(value.as_bytes(), at, at + 1),
            Event::ValuePart(part) => self.take_part(part, at),
            Event::StartTree | Event::Node | Event::EndTree => {}
        }
    }

    fn take_property(&mut self, ident: Ident<'_>, at: u64) {
        self.in_parts = false;
        self.open = match self.find(ident) {
            Some(same) => Open::Property(same),
            None => Open::New { at, ident: self.keep(ident.as_bytes(), at) },
        };
    }

    fn take_value(&mut self, raw: &[u8], at: u64, start: u64) {
        let span = self.keep(raw, start);
        let value = self.values.len();
        match self.open {
            Open::Nothing => return,
            Open::New { at, ident } => {
                let property = self.properties.len();
                self.properties.push(Entry { at, ident, first: value, last: value, count: 1 });
                self.open = Open::Property(property);
                self.enter(property);
            }
            Open::Property(property) => {
                let entry = &mut self.properties[property];
                self.values[entry.last].next = value;
                entry.last = value;
                entry.count += 1;
            }
        }
        self.values.push(Value { at, span, next: 0 });
    }

    /// Parts of a value follow one another, in the input as in the own buffer.
    fn take_part(&mut self, part: ValuePart<'_>, at: u64) {
        match self.values.last_mut() {
            Some(value) if self.in_parts => {
                value.span.len += part.bytes.len();
                if self.input.is_none() {
                    self.own.extend_from_slice(part.bytes);
                }
            }
            _ => self.take_value(part.bytes, at.saturating_sub(1), at),
        }
        self.in_parts = part.end == PartEnd::More;
    }

    /// Where some bytes of the stream are kept.
    fn keep(&mut self, bytes: &[u8], at: u64) -> Span {
        match self.input {
            Some(_) => Span { start: at as usize, len: bytes.len() },
            None => {
                let start = self.own.len();
                self.own.extend_from_slice(bytes);
                Span { start, len: bytes.len() }
            }
        }
    }

    /// Enters a new property among those that are looked up by name, if there are many.
    fn enter(&mut self, new: usize) {
        if self.properties.len() <= FEW {
            return;
        }
        let first = if self.by_name.is_empty() { 0 } else { new };
        for property in first..=new {
            let name = self.property(property).ident().name_bytes().collect();
            self.by_name.insert(name, property);
        }
    }

    fn find(&self, ident: Ident<'_>) -> Option<usize> {
        if self.by_name.is_empty() {
            return self.iter().position(|property| property.ident() == ident);
        }
        let spelling = ident.as_bytes();
        if spelling.iter().any(u8::is_ascii_lowercase) {
            self.by_name.get(&ident.name_bytes().collect::<Vec<_>>()).copied()
        } else {
            self.by_name.get(spelling).copied()
        }
    }

    fn property(&self, index: usize) -> PropertyRef<'_> {
        PropertyRef { record: self, entry: &self.properties[index] }
    }

    fn bytes(&self, span: Span) -> &[u8] {
        &self.input.unwrap_or(&self.own)[span.start..span.start + span.len]
    }

    /// What its bytes are ranges of, if it borrows: the offsets of values are places there.
    #[allow(dead_code)]
    pub(crate) fn input(&self) -> Option<&'a [u8]> {
        self.input
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
    record: &'r NodeRecord<'r>,
    entries: std::slice::Iter<'r, Entry>,
}

impl<'r> Iterator for Properties<'r> {
    type Item = PropertyRef<'r>;

    fn next(&mut self) -> Option<PropertyRef<'r>> {
        self.entries.next().map(|entry| PropertyRef { record: self.record, entry })
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
    record: &'r NodeRecord<'r>,
    entry: &'r Entry,
}

impl<'r> PropertyRef<'r> {
    /// The identifier; if the node has it twice, the first.
    pub fn ident(self) -> Ident<'r> {
        Ident::new(self.record.bytes(self.entry.ident))
    }

    /// The byte offset of the identifier.
    pub fn offset(self) -> u64 {
        self.entry.at
    }

    /// How many values it has: at least one.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(self) -> usize {
        self.entry.count
    }

    /// The first value.
    pub fn first(self) -> RawValue<'r> {
        RawValue::new(self.record.bytes(self.record.values[self.entry.first].span))
    }

    /// The values.
    pub fn values(self) -> impl ExactSizeIterator<Item = RawValue<'r>> {
        self.values_with_offsets().map(|(_, value)| value)
    }

    /// The values, each with the byte offset of its `[`.
    pub fn values_with_offsets(self) -> Values<'r> {
        Values { record: self.record, next: self.entry.first, left: self.entry.count }
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
impl<'a> NodeRecord<'a> {
    /// What its bytes are in.
    pub(crate) fn base(&self) -> &[u8] {
        self.input.unwrap_or(&self.own)
    }

    /// How much it holds: see [`take_up_to`](Self::take_up_to).
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }
}

#[cfg(feature = "serde")]
impl Values<'_> {
    /// The next value: its offset, and its place in [`NodeRecord::base`].
    pub(crate) fn next_place(&mut self) -> Option<(u64, Range<usize>)> {
        self.left = self.left.checked_sub(1)?;
        let Value { at, span, next } = self.record.values[self.next];
        self.next = next;
        Some((at, span.start..span.start + span.len))
    }
}

#[cfg(feature = "serde")]
impl PropertyRef<'_> {
    /// The place of the identifier in [`NodeRecord::base`].
    pub(crate) fn ident_place(self) -> Range<usize> {
        self.entry.ident.start..self.entry.ident.start + self.entry.ident.len
    }
}

/// The values of a property: see [`PropertyRef::values_with_offsets`].
#[derive(Clone)]
pub struct Values<'r> {
    record: &'r NodeRecord<'r>,
    next: usize,
    left: usize,
}

impl<'r> Iterator for Values<'r> {
    type Item = (u64, RawValue<'r>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let value = self.record.values[self.next];
        self.next = value.next;
        Some((value.at, RawValue::new(self.record.bytes(value.span))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Values<'_> {}
