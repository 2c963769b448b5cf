//! Runs of moves: nodes like `;B[dd]`, nine nodes in ten.
//!
//! The tokenizer sends a run to its sink ([`Sink::moves`]): complete nodes with a one-letter property and a
//! two-letter value, with only single line breaks between them. [`Moves`] is a run. Sinks take it line by line
//! ([`MoveLine`]) if offsets matter, or as the bytes of all nodes without line breaks ([`Moves::joined`]).
//! [`MoveRun`] iterates over a line node by node, and [`MoveEvents`] event by event. These two do not hold the bytes,
//! which are in the input or in a copy.
//!
//! [`Sink::moves`]: crate::syntax::tokenizer::Sink::moves

use std::ops::Range;
use std::slice;

use crate::raw::RawValue;
use crate::syntax::event::{Event, Ident};
use crate::syntax::tokenizer::fast::{MOST_MOVES, MOVE, TEN};

/// Range of the identifier in `;B[dd]`.
const IDENT: Range<usize> = 1..2;
const VALUE: Range<usize> = 3..5;

/// Offsets of the identifier and of the value's `[` in a node.
const IDENT_AT: u64 = 1;
const VALUE_AT: u64 = 2;

/// Number of nodes that are checked together: three vectors of 16 bytes.
pub const EIGHT: usize = 8;

/// The bytes of eight nodes.
pub const GROUP: usize = EIGHT * MOVE;

/// Returns a group of eight equal nodes.
pub const fn eight_times(node: [u8; MOVE]) -> [u8; GROUP] {
    let (mut group, mut at) = ([0; GROUP], 0);
    while at < GROUP {
        group[at] = node[at % MOVE];
        at += 1;
    }
    group
}

/// Returns the bytes of a node like `;B[dd]`.
#[inline]
pub const fn move_of(letter: u8, [x, y]: [u8; 2]) -> [u8; MOVE] {
    [b';', letter, b'[', x, y, b']']
}

/// A node of a run of [`Moves`], such as `;B[dd]`.
///
/// It has one property with a one-letter identifier and one value of two letters.
#[derive(Clone, Copy, Debug)]
pub struct MoveNode<'r> {
    bytes: &'r [u8; MOVE],
    /// Offset of the `;`.
    pub(crate) at: u64,
}

impl<'r> MoveNode<'r> {
    /// Length of a node, in bytes.
    #[doc(hidden)]
    pub const LEN: usize = MOVE;

    /// Returns a node that is not part of a stream and has no offset.
    #[inline]
    #[doc(hidden)]
    pub fn alone(bytes: &'r [u8; MOVE]) -> Self {
        MoveNode { bytes, at: 0 }
    }

    /// Returns the node at index `pos` of `bytes`, with the stream offset `at`.
    #[inline]
    pub(crate) fn new(bytes: &'r [u8], pos: usize, at: u64) -> Self {
        MoveNode { bytes: bytes[pos..].first_chunk().expect("a run consists of whole nodes"), at }
    }

    /// Returns the letter that is the identifier.
    #[inline]
    pub fn letter(self) -> u8 {
        self.bytes[IDENT.start]
    }

    /// Returns the two letters that are the value.
    #[inline]
    pub fn letters(self) -> [u8; 2] {
        [self.bytes[VALUE.start], self.bytes[VALUE.start + 1]]
    }

    /// Returns the identifier of the property, an upper-case letter.
    #[inline]
    pub fn ident(self) -> Ident<'r> {
        Ident::new(&self.bytes[IDENT])
    }

    /// Returns the value, which is two letters.
    #[inline]
    pub fn value(self) -> RawValue<'r> {
        RawValue::new(&self.bytes[VALUE])
    }

    /// Returns the byte offset of the node's `;`.
    #[inline]
    pub fn offset(self) -> u64 {
        self.at
    }

    /// Returns the offset of the identifier.
    #[inline]
    #[doc(hidden)]
    pub fn ident_at(self) -> u64 {
        self.at + IDENT_AT
    }

    /// Returns the offset of the value's `[`.
    #[inline]
    #[doc(hidden)]
    pub fn value_at(self) -> u64 {
        self.at + VALUE_AT
    }

    /// Returns the events, each with the byte offset of its lexeme.
    #[inline]
    fn events(self) -> [(Event<'r>, u64); 3] {
        let property = (Event::Property(self.ident()), self.ident_at());
        [(Event::Node, self.at), property, (Event::Value(self.value()), self.value_at())]
    }
}

/// The location of a node like `;B[dd]`.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovePlace {
    /// Index in the bytes that hold the run.
    pos: usize,
    /// Offset of the `;`.
    pub(crate) at: u64,
}

#[cfg(feature = "serde")]
impl MovePlace {
    /// Returns the node, given the bytes that hold the run.
    #[inline]
    pub(crate) fn node(self, bytes: &[u8]) -> MoveNode<'_> {
        MoveNode::new(bytes, self.pos, self.at)
    }
}

/// The rest of a run of moves, from the start of a node on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveRun {
    /// Index of the next node in the bytes that hold the run.
    pos: usize,
    end: usize,
    /// Difference between offsets and indices.
    shift: u64,
}

impl MoveRun {
    const NONE: MoveRun = MoveRun { pos: 0, end: 0, shift: 0 };

    /// Returns a run of `len` bytes. It is at index `pos` of the bytes that hold it, and has the stream offset `at`.
    #[inline]
    pub(crate) fn new(pos: usize, len: usize, at: u64) -> Self {
        MoveRun { pos, end: pos + len, shift: at.wrapping_sub(pos as u64) }
    }

    /// Returns the next node.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn peek(&self) -> Option<MovePlace> {
        (self.pos < self.end).then(|| MovePlace { pos: self.pos, at: self.offset() })
    }

    /// Returns the number of nodes.
    #[cfg(feature = "serde")]
    pub(crate) fn count(&self) -> usize {
        (self.end - self.pos) / MOVE
    }

    /// Takes the next node.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn take(&mut self) -> Option<MovePlace> {
        let next = self.peek()?;
        self.pos += MOVE;
        Some(next)
    }

    #[inline(always)]
    fn offset(&self) -> u64 {
        self.shift.wrapping_add(self.pos as u64)
    }
}

/// A run of complete nodes like `;B[dd];W[pp]`.
///
/// Each node has one property with a one-letter identifier and one value of two letters. Only single line breaks may
/// separate the nodes.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    bytes: &'a [u8],
    /// The start and end of each line in the bytes. The last one may end beyond them.
    lines: &'a [(u16, u16)],
    offset: u64,
}

/// The nodes of a run without line breaks.
pub(crate) type Joined = Option<[[u8; MOVE]; MOST_MOVES]>;

impl<'a> Moves<'a> {
    /// Returns a run as the tokenizer sends it.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], lines: &'a [(u16, u16)], offset: u64) -> Self {
        Moves { bytes, lines, offset }
    }

    /// Returns the number of nodes.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // a run is never empty
    pub fn len(self) -> usize {
        self.lines().map(|line| line.nodes.len()).sum()
    }

    /// Returns the byte offset of the first node's `;`.
    #[inline]
    pub fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the lines, in the order of the stream.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = MoveLine<'a>> {
        self.lines.iter().map(move |&(start, end)| {
            let (start, end) = (usize::from(start), usize::from(end).min(self.bytes.len()));
            MoveLine::new(&self.bytes[start..end], self.offset + start as u64)
        })
    }

    /// Returns the bytes of all nodes without line breaks.
    ///
    /// They are those of the stream, or a copy.
    #[inline]
    #[doc(hidden)]
    pub fn joined<'j>(self, copy: &'j mut Joined) -> &'j [[u8; MOVE]]
    where
        'a: 'j,
    {
        if let [_] = self.lines {
            return self.bytes.as_chunks().0;
        }
        let copy = copy.insert([[0; MOVE]; MOST_MOVES]);
        let mut len = 0;
        for MoveLine { nodes, .. } in self.lines() {
            match (<&[_; TEN]>::try_from(nodes), copy[len..].first_chunk_mut()) {
                (Ok(ten), Some(copy)) => *copy = *ten, // a copy of known length does not need a call
                _ => copy[len..len + nodes.len()].copy_from_slice(nodes),
            }
            len += nodes.len();
        }
        &copy[..len]
    }

    /// Returns the nodes, in the order of the stream.
    #[inline]
    pub fn nodes(self) -> impl Iterator<Item = MoveNode<'a>> {
        self.lines().flat_map(MoveLine::nodes)
    }

    /// Returns the numbers of nodes with property `B` and with property `W`.
    #[inline]
    pub fn count(self) -> [u64; 2] {
        count_moves(self.joined(&mut None))
    }

    /// Returns the events, each with the byte offset of its lexeme.
    #[inline]
    pub fn events(self) -> impl Iterator<Item = (Event<'a>, u64)> {
        self.nodes().flat_map(MoveNode::events)
    }
}

/// Returns the numbers of nodes with property `B` and with property `W`.
#[inline]
pub fn count_moves(nodes: &[[u8; MOVE]]) -> [u64; 2] {
    const BLACK: [u8; GROUP] = eight_times([0, b'B', 0, 0, 0, 0]);
    const WHITE: [u8; GROUP] = eight_times([0, b'W', 0, 0, 0, 0]);
    let (groups, rest) = nodes.as_chunks::<EIGHT>();
    let mut counts = [0; 2];
    for group in groups {
        // Compilers vectorize this: no byte of a node is 0.
        let group = group.as_flattened();
        let (mut black, mut white) = (0_u8, 0_u8);
        for at in 0..GROUP {
            black += u8::from(group[at] == BLACK[at]);
            white += u8::from(group[at] == WHITE[at]);
        }
        counts[0] += u64::from(black);
        counts[1] += u64::from(white);
    }
    for node in rest {
        counts[0] += u64::from(node[IDENT.start] == b'B');
        counts[1] += u64::from(node[IDENT.start] == b'W');
    }
    counts
}

/// The adjacent nodes of a run in one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLine<'a> {
    nodes: &'a [[u8; MOVE]],
    offset: u64,
}

impl<'a> MoveLine<'a> {
    /// Returns the nodes that consist of these bytes.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], offset: u64) -> Self {
        MoveLine { nodes: bytes.as_chunks().0, offset }
    }

    /// Returns the bytes of the nodes.
    #[inline]
    pub(crate) fn as_bytes(self) -> &'a [u8] {
        self.nodes.as_flattened()
    }

    /// Returns the byte offset of the first node's `;`.
    #[inline]
    pub(crate) fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the nodes, in the order of the stream.
    #[inline]
    fn nodes(self) -> impl Iterator<Item = MoveNode<'a>> {
        self.nodes.iter().enumerate().map(move |(n, bytes)| MoveNode { bytes, at: self.offset + (n * MOVE) as u64 })
    }

    /// Returns the events, each with the byte offset of its lexeme.
    #[inline]
    pub(crate) fn events(self) -> impl Iterator<Item = (Event<'a>, u64)> {
        self.nodes().flat_map(MoveNode::events)
    }
}

/// The events of a run of moves, one after the other.
///
/// It stores the last event instead of the next one: an event changes one byte, a node also changes the index, and
/// the offset of the last event need not be kept. The byte is always a constant, so that no event has to wait for the
/// previous one.
#[derive(Debug)]
pub(crate) struct MoveEvents {
    pub(crate) last: LastEvent,
    /// The rest of the run, from the node of the last event on.
    run: MoveRun,
}

/// The last event of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LastEvent {
    /// An event that is not part of a run of moves.
    Other = 0,
    Node = 1,
    Property = 2,
    Value = 4,
}

impl LastEvent {
    /// Tests one bit, because compilers turn equality tests into an indirect jump, which predicts worse.
    #[inline(always)]
    pub(crate) fn is(self, other: LastEvent) -> bool {
        self as u8 & other as u8 != 0
    }
}

impl MoveEvents {
    pub(crate) const NONE: MoveEvents = MoveEvents { last: LastEvent::Other, run: MoveRun::NONE };

    /// Returns the events of a run after its first `Node`.
    #[inline(always)]
    pub(crate) fn after_first_node(run: MoveRun) -> Self {
        MoveEvents { last: LastEvent::Node, run }
    }

    /// Returns whether another event follows.
    pub(crate) fn has_next(&self) -> bool {
        match self.last {
            LastEvent::Node | LastEvent::Property => true,
            LastEvent::Value => self.run.pos + MOVE < self.run.end,
            LastEvent::Other => false,
        }
    }

    /// Returns the offset of the last event, if it belongs to a move.
    #[inline(always)]
    pub(crate) fn offset(&self) -> Option<u64> {
        let into_node = match self.last {
            LastEvent::Node => 0,
            LastEvent::Property => IDENT_AT,
            LastEvent::Value => VALUE_AT,
            LastEvent::Other => return None,
        };
        Some(self.run.offset().wrapping_add(into_node))
    }

    /// Advances to the next node; returns false at the end of the run.
    #[inline(always)]
    pub(crate) fn next_node(&mut self) -> bool {
        let next = self.run.pos + MOVE;
        let has_next = next < self.run.end;
        if has_next {
            (self.run.pos, self.last) = (next, LastEvent::Node);
        }
        has_next
    }

    /// Advances to the value of the node that the last event started. The node ends there.
    #[inline]
    pub(crate) fn rest_of_node<'r>(&mut self, bytes: &'r [u8]) -> Option<MoveNode<'r>> {
        if self.last != LastEvent::Node {
            return None;
        }
        self.last = LastEvent::Value;
        Some(MoveNode::new(bytes, self.run.pos, self.run.offset()))
    }

    /// Advances to the property of the node.
    #[inline(always)]
    pub(crate) fn next_ident<'r>(&mut self, bytes: &'r [u8]) -> Ident<'r> {
        self.last = LastEvent::Property;
        // Not a range: this takes one test instead of two.
        Ident::new(slice::from_ref(&bytes[self.run.pos + IDENT.start]))
    }

    /// Advances to the value of the property.
    #[inline(always)]
    pub(crate) fn next_value<'r>(&mut self, bytes: &'r [u8]) -> RawValue<'r> {
        self.last = LastEvent::Value;
        RawValue::new(&bytes[self.run.pos + VALUE.start..][..VALUE.end - VALUE.start])
    }
}

/// Returns from the caller with the next of [`MoveEvents`], unless the run has ended. Takes the bytes that hold the
/// run.
///
/// It is a macro so that each kind of event has its own `return`. From a function, compilers would merge the returns,
/// and the caller would have to test the kind again.
macro_rules! return_next_of_moves {
    ($moves:expr, $bytes:expr, $event:ident => $returned:expr) => {
        if $moves.last.is($crate::node::LastEvent::Node) {
            let $event = $crate::syntax::event::Event::Property($moves.next_ident(&$bytes));
            return $returned;
        }
        if $moves.last.is($crate::node::LastEvent::Property) {
            let $event = $crate::syntax::event::Event::Value($moves.next_value(&$bytes));
            return $returned;
        }
        if $moves.last.is($crate::node::LastEvent::Value) && $moves.next_node() {
            let $event = $crate::syntax::event::Event::Node;
            return $returned;
        }
    };
}
pub(crate) use return_next_of_moves;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_lines_are_joined_and_keep_their_offsets() {
        for (len, breaks) in
            [1, 2, 9, 10, 11, 40].into_iter().flat_map(|len| ["", "\n", "\r\n"].map(|breaks| (len, breaks)))
        {
            for count in (1..=16).filter(|count| count * len <= MOST_MOVES) {
                let (mut bytes, mut lines, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
                for n in 0..count {
                    let line: Vec<_> =
                        (0..len).map(|m| move_of(b"BWC"[m % 3], [b'a' + n as u8, b'a' + m as u8 % 26])).collect();
                    lines.push((bytes.len() as u16, (bytes.len() + line.len() * MOVE) as u16));
                    bytes.extend_from_slice(line.as_flattened());
                    bytes.extend_from_slice(breaks.as_bytes());
                    nodes.extend(line);
                }
                // The last line may continue after the run.
                bytes.truncate(usize::from(lines[count - 1].1));
                for left_out in (0..2).filter(|left_out| *left_out < len) {
                    bytes.truncate(bytes.len() - left_out * MOVE);
                    nodes.truncate(count * len - left_out);
                    let moves = Moves::new(&bytes, &lines, 1000);
                    assert_eq!(moves.joined(&mut None), nodes);
                    assert_eq!((moves.len(), moves.nodes().count()), (nodes.len(), nodes.len()));
                    for (node, bytes_of) in moves.nodes().zip(&nodes) {
                        assert_eq!(bytes[node.at as usize - 1000..].first_chunk(), Some(bytes_of));
                    }
                    let of = |letter| nodes.iter().filter(|node| node[IDENT.start] == letter).count() as u64;
                    assert_eq!(moves.count(), [of(b'B'), of(b'W')]);
                }
            }
        }
    }
}
