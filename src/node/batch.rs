//! Flat storage of nodes: a record has one, and a reader that reads ahead has several.

use std::ops::Range;

use super::moves::MoveNode;
use super::names::{NameIndex, key};
use super::record::{PropertyRef, RecordProperties};
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::work;

/// Flat storage of the properties of several nodes. Properties and values can be added to the last node.
#[derive(Clone, Default)]
pub(crate) struct Nodes<'a> {
    /// The bytes that spans refer to. If `None`, they refer to `own`.
    pub(super) input: Option<&'a [u8]>,
    own: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    pub(super) values: Vec<Value>,
    /// The first property of the last node.
    node: usize,
    /// The names of the last node's properties.
    names: NameIndex,
    open: Open,
    /// Whether the last value is incomplete and arrives in fragments.
    in_parts: bool,
    /// Weight of the last node; see [`take_up_to`](Self::take_up_to).
    weight: usize,
    full: bool,
}

/// The destination of the next value.
#[derive(Clone, Copy, Debug, Default)]
enum Open {
    #[default]
    Nothing,
    /// A property with a two-letter identifier. It is looked up and copied when it has a value.
    Letters { at: u64, letters: [u8; 2] },
    /// A new property, which is added when it has a value.
    New { at: u64, ident: Span, name_bit: u64, key: u64 },
    /// The values of this property.
    Property(usize),
}

/// A property: its identifier and a chain of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) at: u64,
    pub(super) ident: Span,
    pub(super) first: u32,
    last: u32,
    pub(super) count: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) at: u64,
    pub(super) span: Span,
    /// Index of the next value of the same property. It is not adjacent if the node has the property twice. 0 means
    /// none, since the first value never follows another.
    pub(super) next: u32,
}

/// A range of the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: usize,
    len: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }
}

/// Maximum weight of a node regardless of the limit: the largest 32-bit number.
const HEAVIEST: usize = u32::MAX as usize;

/// Weight of a property or a value in addition to its bytes.
///
/// This is about the memory of its entry.
pub const WEIGHT: usize = 32;

/// Weight of a node like `;B[dd]`.
pub const MOVE_WEIGHT: usize = 3 + 2 * WEIGHT;

impl<'a> Nodes<'a> {
    /// Creates empty storage for nodes whose bytes are in `input`, if given.
    #[cfg(feature = "serde")]
    pub(crate) fn of(input: Option<&'a [u8]>) -> Self {
        Nodes { input, ..Nodes::default() }
    }

    /// Removes all nodes, and starts one.
    pub(crate) fn clear(&mut self) {
        self.own.clear();
        self.entries.clear();
        self.values.clear();
        self.start_node();
    }

    /// Starts the next node. Returns the number of properties before it.
    #[inline(always)]
    pub(crate) fn start_node(&mut self) -> usize {
        self.node = self.entries.len();
        self.names.clear();
        (self.open, self.in_parts) = (Open::Nothing, false);
        (self.weight, self.full) = (0, false);
        self.node
    }

    /// Removes all nodes but the last, which becomes the first, and frees memory beyond `room` bytes.
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
        work::note(self.own.len() + self.values.len() + self.entries.len());
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
            Open::Letters { .. } | Open::Nothing => {}
        }
        self.node = 0;
    }

    /// Adds a node like `;B[dd]`. Returns the number of properties before it.
    #[cfg(feature = "serde")]
    pub(crate) fn add_move(&mut self, node: MoveNode<'_>) -> usize {
        let before = self.start_node();
        self.take_move(node);
        before
    }

    /// Adds the property of a node like `;B[dd]` to the last node, which has none.
    #[inline]
    pub(super) fn take_move(&mut self, node: MoveNode<'_>) {
        self.take_property(node.ident(), node.ident_at());
        self.take_value(node.value().as_bytes(), node.value_at(), node.value_at() + 1);
        self.weight = MOVE_WEIGHT;
    }

    /// Returns the number of properties of all nodes.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the weight of the last node; see [`take_up_to`](Self::take_up_to).
    #[cfg(feature = "serde")]
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    /// Returns the node whose properties start at `first` and end before `next`.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn node(&self, first: usize, next: Option<usize>) -> NodeRef<'_> {
        NodeRef { nodes: self, entries: &self.entries[first..next.unwrap_or(self.entries.len())] }
    }

    /// Returns the identifier of the property that the next value belongs to.
    pub(super) fn open_ident(&self) -> Option<Ident<'_>> {
        match &self.open {
            Open::Nothing => None,
            Open::Letters { letters, .. } => Some(Ident::new(letters)),
            Open::New { ident, .. } => Some(Ident::new(self.bytes(*ident))),
            Open::Property(property) => Some(self.property(*property).ident()),
        }
    }

    /// Adds an event unless the node's weight would exceed `limit`. The weight is the bytes of identifiers and values
    /// plus 32 for each. Returns false for the event that exceeds the limit; later events are dropped.
    #[inline(always)]
    pub(crate) fn take_up_to(&mut self, limit: usize, event: Event<'_>, at: u64) -> bool {
        let has_room = self.leave_out(limit, event);
        if has_room && !self.full {
            self.take(event, at);
        }
        has_room
    }

    /// Adds the weight of an event that is not kept. Returns false for the event that exceeds the limit.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, limit: usize, event: Event<'_>) -> bool {
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
        true
    }

    /// Adds an event. If `input` is set, the event must borrow from it.
    #[inline(always)]
    pub(super) fn take(&mut self, event: Event<'_>, at: u64) {
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
        self.open = match ident.as_bytes().try_into() {
            Ok(letters) if self.input.is_none() => Open::Letters { at, letters },
            _ => self.look_up(ident, at),
        };
    }

    /// Returns the destination of the values of a property.
    #[inline(always)]
    fn look_up(&mut self, ident: Ident<'_>, at: u64) -> Open {
        let (name_bit, key) = (ident.name_bit(), key(ident));
        match self.find_with_bit(ident, name_bit) {
            Some(same) => Open::Property(same),
            None => Open::New { at, ident: self.keep_ident(ident, at), name_bit, key },
        }
    }

    #[inline(always)]
    fn take_value(&mut self, raw: &[u8], at: u64, start: u64) {
        let value = self.values.len();
        if let Open::Letters { at, letters } = self.open {
            self.open = self.look_up(Ident::new(&letters), at);
        }
        match self.open {
            Open::Nothing | Open::Letters { .. } => return,
            Open::New { at, ident, name_bit, key } => {
                let property = self.entries.len();
                self.entries.push(Entry { at, ident, first: value as u32, last: value as u32, count: 1 });
                self.open = Open::Property(property);
                let base = self.input.unwrap_or(&self.own);
                self.names.add(key, name_bit, || Ident::new(&base[ident.range()]));
            }
            Open::Property(property) => {
                let entry = &mut self.entries[property];
                self.values[entry.last as usize].next = value as u32;
                entry.last = value as u32;
                entry.count += 1;
            }
        }
        let span = self.keep(raw, start);
        self.values.push(Value { at, span, next: 0 });
    }

    /// Adds a fragment of a value. Fragments are adjacent, both in the input and in the own buffer.
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

    /// Keeps some bytes of the stream. Returns their span.
    #[inline(always)]
    fn keep(&mut self, bytes: &[u8], at: u64) -> Span {
        work::note(bytes.len());
        match self.input {
            Some(_) => Span { start: at as usize, len: bytes.len() as u32 },
            None => {
                let start = self.own.len();
                self.own.extend_from_slice(bytes);
                Span { start, len: bytes.len() as u32 }
            }
        }
    }

    /// Keeps an identifier. Returns its span.
    #[inline(always)]
    fn keep_ident(&mut self, ident: Ident<'_>, at: u64) -> Span {
        match *ident.as_bytes() {
            // A copy of a known length needs no call.
            [first, second] if self.input.is_none() => {
                work::note(2);
                let start = self.own.len();
                self.own.extend_from_slice(&[first, second]);
                Span { start, len: 2 }
            }
            _ => self.keep(ident.as_bytes(), at),
        }
    }

    /// Finds a property of the last node.
    #[inline]
    pub(super) fn find(&self, ident: Ident<'_>) -> Option<usize> {
        self.find_with_bit(ident, ident.name_bit())
    }

    /// Finds a property of the last node, given its identifier and the identifier's bit.
    #[inline(always)]
    pub(super) fn find_with_bit(&self, ident: Ident<'_>, bit: u64) -> Option<usize> {
        self.names.find(ident, bit).map(|number| self.node + number)
    }

    pub(super) fn property(&self, index: usize) -> PropertyRef<'_> {
        PropertyRef { nodes: self, entry: &self.entries[index] }
    }

    #[inline]
    pub(super) fn bytes(&self, span: Span) -> &[u8] {
        &self.base()[span.range()]
    }

    /// Returns the bytes that spans refer to.
    #[inline]
    pub(crate) fn base(&self) -> &[u8] {
        self.input.unwrap_or(&self.own)
    }
}

/// One of the nodes.
#[derive(Clone, Copy)]
pub(crate) struct NodeRef<'r> {
    pub(super) nodes: &'r Nodes<'r>,
    pub(super) entries: &'r [Entry],
}

impl<'r> NodeRef<'r> {
    #[inline]
    pub(crate) fn iter(self) -> RecordProperties<'r> {
        RecordProperties { nodes: self.nodes, entries: self.entries.iter() }
    }
}

#[cfg(feature = "serde")]
impl<'r> NodeRef<'r> {
    pub(crate) fn len(self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn nth(self, n: usize) -> Option<PropertyRef<'r>> {
        self.entries.get(n).map(|entry| PropertyRef { nodes: self.nodes, entry })
    }

    /// Returns the identifiers of its properties from the nth on, with their numbers.
    #[inline]
    pub(crate) fn idents(self, from: usize) -> impl Iterator<Item = (usize, Ident<'r>)> {
        let (base, entries) = (self.nodes.base(), self.entries.get(from..).unwrap_or_default());
        entries.iter().zip(from..).map(|(entry, n)| (n, Ident::new(&base[entry.ident.range()])))
    }

    /// Returns the bytes that its spans refer to.
    #[inline]
    pub(crate) fn base(self) -> &'r [u8] {
        self.nodes.base()
    }
}
