//! Runs of moves: nodes like `;B[dd]`, which nine nodes in ten are.
//!
//! The tokenizer gives a run of them to its sink as bytes ([`Sink::moves`]): a letter and two in each node, and single
//! line breaks between nodes. Besides the tokenizer, only this file and [`plain`](super::plain) know that layout.
//! [`MoveRun`] goes through a run node by node, and [`MoveEvents`] event by event. Neither holds the bytes, which are in
//! the input or in a copy.
//!
//! [`Sink::moves`]: crate::syntax::tokenizer::Sink::moves

use std::array;
use std::iter;
use std::ops::Range;
use std::slice;

use super::token::Token;
use crate::raw::RawValue;
use crate::syntax::event::{Event, Ident};
use crate::syntax::tokenizer::fast::MOVE;

/// Where the identifier and the value are in `;B[dd]`.
const IDENT: Range<usize> = 1..2;
const VALUE: Range<usize> = 3..5;

/// Offsets of the identifier and of the value's `[` in a node.
const IDENT_AT: u64 = 1;
const VALUE_AT: u64 = 2;

/// Eight nodes, which are three vectors of 16 bytes.
const GROUP: usize = 8 * MOVE;

/// Six bytes with places for the letter and the value of a node.
pub(crate) struct MoveForm([u8; GROUP]);

impl MoveForm {
    /// The place of the letter is the second, and those of the value are the last two.
    pub(crate) const fn new(before: u8, between: [u8; 2]) -> Self {
        MoveForm(eight_times([before, 0, between[0], between[1], 0, 0]))
    }

    fn filled(&self, node: MoveNode<'_>) -> [u8; MOVE] {
        let (fixed, [x, y]) = (&self.0, node.letters());
        [fixed[0], node.letter(), fixed[2], fixed[3], x, y]
    }

    /// Fills the form for eight nodes, given the bytes from the one before them on, too: a value is a byte further on in the
    /// form than in a node.
    #[inline]
    fn fill(&self, nodes: &[u8; GROUP], before: &[u8; GROUP], filled: &mut [u8; GROUP]) {
        const LETTERS: [u8; GROUP] = eight_times([0, 0xFF, 0, 0, 0, 0]);
        const VALUES: [u8; GROUP] = eight_times([0, 0, 0, 0, 0xFF, 0xFF]);
        // Compilers make vector code of this.
        for at in 0..GROUP {
            filled[at] = self.0[at] | nodes[at] & LETTERS[at] | before[at] & VALUES[at];
        }
    }
}

const fn eight_times(node: [u8; MOVE]) -> [u8; GROUP] {
    let (mut group, mut at) = ([0; GROUP], 0);
    while at < GROUP {
        group[at] = node[at % MOVE];
        at += 1;
    }
    group
}

/// A node of a run of [`Moves`]: one property of one letter, with one value of two letters, as in `;B[dd]`.
#[derive(Clone, Copy, Debug)]
pub struct MoveNode<'r> {
    bytes: &'r [u8; MOVE],
    /// Offset of the `;`.
    pub(crate) at: u64,
}

impl<'r> MoveNode<'r> {
    /// Length of a node, in bytes.
    pub(crate) const LEN: usize = MOVE;

    /// The number of nodes in the bytes of a run.
    pub(super) fn count(run: &[u8]) -> usize {
        Moves::new(run, 0).node_count()
    }

    /// A node that is in no stream, and so has no offset.
    #[inline]
    pub(crate) fn alone(bytes: &'r [u8; MOVE]) -> Self {
        MoveNode { bytes, at: 0 }
    }

    /// The node at `pos` in some bytes, and at the offset `at`.
    #[inline]
    pub(crate) fn new(bytes: &'r [u8], pos: usize, at: u64) -> Self {
        MoveNode { bytes: bytes[pos..].first_chunk().expect("a run consists of whole nodes"), at }
    }

    /// The letter that is the identifier.
    #[inline]
    pub(crate) fn letter(self) -> u8 {
        self.bytes[IDENT.start]
    }

    /// The two letters that are the value.
    #[inline]
    pub(crate) fn letters(self) -> [u8; 2] {
        [self.bytes[VALUE.start], self.bytes[VALUE.start + 1]]
    }

    /// The identifier of the property: one upper-case letter.
    #[inline]
    pub fn ident(self) -> Ident<'r> {
        Ident::new(&self.bytes[IDENT])
    }

    /// The value: two letters.
    #[inline]
    pub fn value(self) -> RawValue<'r> {
        RawValue::new(&self.bytes[VALUE])
    }

    /// The byte offset of the node's `;`.
    #[inline]
    pub fn offset(self) -> u64 {
        self.at
    }

    /// Offset of the identifier.
    #[inline]
    pub(crate) fn ident_at(self) -> u64 {
        self.at + IDENT_AT
    }

    /// Offset of the value's `[`.
    #[inline]
    pub(crate) fn value_at(self) -> u64 {
        self.at + VALUE_AT
    }
}

/// The bytes of a node like `;B[dd]`, made from its identifier and value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveBytes([u8; MOVE]);

impl MoveBytes {
    /// A node whose identifier and value are yet to be set.
    pub(crate) const BLANK: MoveBytes = MoveBytes(*b";B[aa]");

    /// Copies a whole node.
    pub(crate) fn copy_from(&mut self, node: &[u8]) {
        self.0.copy_from_slice(node);
    }

    #[inline]
    pub(crate) fn set_letter(&mut self, letter: u8) {
        self.0[IDENT.start] = letter;
    }

    /// Sets the value, which has two bytes.
    #[inline]
    pub(crate) fn set_value(&mut self, value: &[u8]) {
        self.0[VALUE].copy_from_slice(value);
    }

    #[inline]
    pub(crate) fn node(&self) -> MoveNode<'_> {
        MoveNode::alone(&self.0)
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8; MOVE] {
        &self.0
    }
}

/// The place of a node like `;B[dd]`.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovePlace {
    /// Place in the bytes that hold the run.
    pos: usize,
    /// Offset of the `;`.
    pub(crate) at: u64,
}

#[cfg(feature = "serde")]
impl MovePlace {
    /// The node, given the bytes that hold the run.
    #[inline]
    pub(crate) fn node(self, bytes: &[u8]) -> MoveNode<'_> {
        MoveNode::new(bytes, self.pos, self.at)
    }
}

/// The rest of a run of moves, from the start of a node on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveRun {
    /// Place of the next node in the bytes that hold the run.
    pos: usize,
    end: usize,
    /// Difference between offsets and these places.
    shift: u64,
}

impl MoveRun {
    const NONE: MoveRun = MoveRun { pos: 0, end: 0, shift: 0 };

    /// A run that is `len` bytes long, at `pos` in the bytes that hold it and at the offset `at`.
    #[inline]
    pub(crate) fn new(pos: usize, len: usize, at: u64) -> Self {
        MoveRun { pos, end: pos + len, shift: at.wrapping_sub(pos as u64) }
    }

    /// Splits the last node off the bytes of a run.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn split_last(run: &[u8]) -> (&[u8], &[u8]) {
        run.split_at(run.len() - MOVE)
    }

    /// The next node.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn peek(&self) -> Option<MovePlace> {
        (self.pos < self.end).then(|| MovePlace { pos: self.pos, at: self.offset() })
    }

    /// Number of nodes, if there are no line breaks between them, or a few more.
    #[cfg(feature = "serde")]
    pub(crate) fn count(&self) -> usize {
        (self.end - self.pos).div_ceil(MOVE)
    }

    /// Takes the next node, given the bytes that hold the run.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Option<MovePlace> {
        let next = self.peek()?;
        if !self.advance(bytes) {
            self.pos = self.end;
        }
        Some(next)
    }

    #[inline(always)]
    fn offset(&self) -> u64 {
        self.shift.wrapping_add(self.pos as u64)
    }

    /// Goes to the next node, given the bytes that hold the run; false if there is none.
    #[inline(always)]
    fn advance(&mut self, bytes: &[u8]) -> bool {
        let next = self.pos + MOVE;
        if bytes.get(next) == Some(&b';') && next < self.end {
            self.pos = next;
            return true;
        }
        self.cross_line_break(bytes)
    }

    #[inline(never)]
    fn cross_line_break(&mut self, bytes: &[u8]) -> bool {
        let rest = bytes.get(self.pos + MOVE..self.end).unwrap_or_default();
        let Some(len) = rest.iter().position(|&byte| byte == b';') else { return false };
        self.pos += MOVE + len;
        true
    }
}

/// A run of nodes with one property of one letter and one value of two letters each, such as `;B[dd];W[pp]`: see
/// [`EventSink::moves`](crate::EventSink::moves).
///
/// ```
/// use sgf_stream::{Event, EventSink, Flow, Diagnostic, Moves, Parser};
///
/// /// Counts nodes.
/// struct Count(usize);
///
/// impl EventSink for Count {
///     fn event(&mut self, event: Event<'_>, _offset: u64) -> Flow {
///         self.0 += usize::from(event == Event::Node);
///         Flow::Continue
///     }
///
///     fn fault(&mut self, _fault: Diagnostic) {}
///
///     fn takes_moves(&self) -> bool {
///         true
///     }
///
///     fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
///         self.0 += moves.events().filter(|(event, _offset)| *event == Event::Node).count();
///         Some(Flow::Continue)
///     }
/// }
///
/// let mut count = Count(0);
/// Parser::new().parse_into(b"(;FF[4];B[qd];W[dd];B[pp]C[a comment])", &mut count)?;
/// assert_eq!(count.0, 4);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    bytes: &'a [u8],
    offset: u64,
}

impl<'a> Moves<'a> {
    /// The most bytes of a run that a sink of the public API is sent, or a few more.
    pub(crate) const MOST: usize = 1 << 16;

    /// A run as the tokenizer sends it: whole nodes, with single line breaks between them.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], offset: u64) -> Self {
        Moves { bytes, offset }
    }

    /// The nodes, line by line.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = MoveLine<'a>> {
        let (mut rest, mut at) = (self.bytes, self.offset);
        iter::from_fn(move || {
            let start = rest.iter().position(|byte| *byte == b';')?;
            let end = memchr::memchr2(b'\r', b'\n', &rest[start..]).map_or(rest.len(), |len| start + len);
            let line = MoveLine { nodes: rest[start..end].as_chunks().0, at: at + start as u64 };
            rest = &rest[end..];
            at += end as u64;
            Some(line)
        })
    }

    /// Calls a function with the properties and values of a few nodes, as in `B[dd`, until all nodes have had their turn.
    #[inline]
    pub(crate) fn each_content(self, mut call: impl FnMut(&[[u8; 4]])) {
        let content = |&[_, ref content @ .., _]: &[u8; MOVE]| -> [u8; 4] { *content };
        let mut rest = self.bytes;
        // Lines are short, so the end of one is met sooner than searched for.
        while let Some((node, after)) = rest.split_first_chunk() {
            if let Some(nodes) = rest.as_chunks::<MOVE>().0.first_chunk::<4>()
                && nodes.iter().all(|node| node[0] == b';')
            {
                call(&array::from_fn::<_, 4, _>(|n| content(&nodes[n])));
                rest = &rest[4 * MOVE..];
            } else if node[0] == b';' {
                call(&[content(node)]);
                rest = after;
            } else {
                rest = &rest[1..];
            }
        }
    }

    /// Appends the six bytes of a form for each node, with its letter and its value filled in.
    pub(crate) fn put_each(self, out: &mut Vec<u8>, form: &MoveForm) {
        let (bytes, mut from, mut to) = (self.bytes, 0, out.len());
        out.resize(to + bytes.len(), 0); // line breaks are left out
        while from < bytes.len() {
            // The last group may begin in the one before.
            let start = from.min(bytes.len().saturating_sub(GROUP));
            if start > 0
                && let Some(nodes) = bytes[start..].first_chunk::<GROUP>()
                && nodes.iter().step_by(MOVE).all(|&byte| byte == b';')
            {
                let before = bytes[start - 1..].first_chunk().expect("there is room for as much a byte later");
                to -= from - start;
                form.fill(nodes, before, out[to..].first_chunk_mut().expect("room for all bytes"));
                (from, to) = (start + GROUP, to + GROUP);
            } else if bytes[from] == b';' {
                let node = MoveNode::new(bytes, from, 0);
                out[to..][..MOVE].copy_from_slice(&form.filled(node));
                (from, to) = (from + MOVE, to + MOVE);
            } else {
                from += 1;
            }
        }
        out.truncate(to);
    }

    /// The number of nodes.
    #[inline]
    pub(crate) fn node_count(self) -> usize {
        self.lines().map(|line| line.nodes.len()).sum()
    }

    /// The letter of the last node.
    #[inline]
    pub(crate) fn last_letter(self) -> u8 {
        self.bytes[self.bytes.len() - MOVE..][IDENT.start]
    }

    /// The bytes of the nodes and of the line breaks between them.
    #[inline]
    pub(crate) fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The first node, and the rest of the run.
    #[inline]
    pub(crate) fn split_first(self) -> Option<(MoveNode<'a>, Moves<'a>)> {
        let Moves { mut bytes, mut offset } = self;
        loop {
            match bytes.split_first_chunk() {
                Some((node, rest)) if node[0] == b';' => {
                    return Some((MoveNode { bytes: node, at: offset }, Moves::new(rest, offset + MOVE as u64)));
                }
                // A line break.
                _ => (bytes, offset) = (bytes.get(1..)?, offset + 1),
            }
        }
    }

    /// Splits off the last node, which may have more properties that follow the run.
    #[inline]
    pub(crate) fn split_last(self) -> (Moves<'a>, Moves<'a>) {
        self.split_at(self.bytes.len() - MOVE)
    }

    /// Splits the run after a number of bytes, where a node ends.
    #[inline]
    pub(crate) fn split_at(self, len: usize) -> (Moves<'a>, Moves<'a>) {
        let (front, rest) = self.bytes.split_at(len);
        (Moves::new(front, self.offset), Moves::new(rest, self.offset + len as u64))
    }

    /// The run as a token, whose bytes are appended to others.
    pub(super) fn token(self, bytes: &mut Vec<u8>) -> Token {
        Token::moves(self.bytes, self.offset, Some(bytes))
    }

    /// The byte offset of the first node's `;`.
    pub fn offset(self) -> u64 {
        self.offset
    }

    /// The nodes, in the order of the stream.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sgf_stream::{Ident, Moves, Parser, RawValue, Skip, Visitor};
    ///
    /// /// The points of all moves of the main line, as written.
    /// struct Points;
    ///
    /// impl Visitor for Points {
    ///     type Game = Vec<u8>;
    ///     type Output = Vec<u8>;
    ///
    ///     fn begin_game(&mut self, _: u64) -> ControlFlow<Vec<u8>, Vec<u8>> {
    ///         ControlFlow::Continue(Vec::new())
    ///     }
    ///
    ///     fn property(&mut self, _: &mut Vec<u8>, ident: Ident<'_>, _: u64) -> ControlFlow<Vec<u8>, Skip> {
    ///         ControlFlow::Continue(if ident.is_any(&["B", "W"]) { Skip::No } else { Skip::Yes })
    ///     }
    ///
    ///     fn value(&mut self, points: &mut Vec<u8>, value: RawValue<'_>, _: u64) -> ControlFlow<Vec<u8>> {
    ///         points.extend_from_slice(value.as_bytes());
    ///         ControlFlow::Continue(())
    ///     }
    ///
    ///     fn takes_moves(&self, _: &Vec<u8>) -> bool {
    ///         true
    ///     }
    ///
    ///     fn moves(&mut self, points: &mut Vec<u8>, moves: Moves<'_>) -> ControlFlow<Vec<u8>, Option<Skip>> {
    ///         for node in moves.nodes().filter(|node| node.ident().is_any(&["B", "W"])) {
    ///             points.extend_from_slice(node.value().as_bytes());
    ///         }
    ///         ControlFlow::Continue(Some(Skip::No))
    ///     }
    ///
    ///     fn end_game(&mut self, points: Vec<u8>) -> Vec<u8> {
    ///         points
    ///     }
    /// }
    ///
    /// let mut reader = Parser::new().slice(b"(;FF[4];B[qd];W[dd];B[pp]C[a comment])");
    /// assert_eq!(reader.read_game(&mut Points)?.unwrap(), b"qdddpp");
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[inline]
    pub fn nodes(self) -> impl Iterator<Item = MoveNode<'a>> {
        let mut rest = self;
        iter::from_fn(move || {
            let (node, after) = rest.split_first()?;
            rest = after;
            Some(node)
        })
    }

    /// Number of nodes, and of those whose property is `B` or `W`.
    ///
    /// ```
    /// use sgf_stream::{Diagnostic, Event, EventSink, Flow, Moves, Parser};
    ///
    /// struct Count([u64; 3]);
    ///
    /// impl EventSink for Count {
    ///     fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
    ///         match event {
    ///             Event::Node => self.0[0] += 1,
    ///             Event::Property(ident) if ident == "B" => self.0[1] += 1,
    ///             Event::Property(ident) if ident == "W" => self.0[2] += 1,
    ///             _ => {}
    ///         }
    ///         Flow::Continue
    ///     }
    ///
    ///     fn fault(&mut self, _: Diagnostic) {}
    ///
    ///     fn takes_moves(&self) -> bool {
    ///         true
    ///     }
    ///
    ///     fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
    ///         self.0.iter_mut().zip(moves.count()).for_each(|(sum, more)| *sum += more);
    ///         Some(Flow::Continue)
    ///     }
    /// }
    ///
    /// let mut count = Count([0; 3]);
    /// Parser::new().parse_into(b"(;FF[4];B[qd];W[dd];B[pp];N[no])", &mut count)?;
    /// assert_eq!(count.0, [5, 2, 1]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[inline]
    pub fn count(self) -> [u64; 3] {
        // A value consists of letters, so each `;` begins a node. Compilers make vector code of this.
        let len = self.bytes.len();
        let (nodes, idents) = (&self.bytes[..len.saturating_sub(1)], &self.bytes[len.min(1)..]);
        let ((nodes, last_nodes), (idents, last_idents)) = (nodes.as_chunks::<128>(), idents.as_chunks::<128>());
        let mut counts = [0; 3];
        let mut add = |some: [u8; 3]| counts.iter_mut().zip(some).for_each(|(count, some)| *count += u64::from(some));
        nodes.iter().zip(idents).for_each(|(nodes, idents)| add(count_in(nodes, idents)));
        add(count_in(last_nodes, last_idents));
        counts
    }

    /// The events, each with the byte offset of its lexeme.
    #[inline]
    pub fn events(self) -> impl Iterator<Item = (Event<'a>, u64)> {
        // Line by line: so what a closure counts stays in registers.
        self.lines().flat_map(MoveLine::nodes).flat_map(|node| {
            let property = (Event::Property(node.ident()), node.ident_at());
            [(Event::Node, node.at), property, (Event::Value(node.value()), node.value_at())]
        })
    }
}

/// Number of `;` in at most 255 bytes, and of those before a `B` or `W` in the bytes that are shifted by one.
#[inline(always)]
fn count_in(bytes: &[u8], shifted: &[u8]) -> [u8; 3] {
    let (mut all, mut black, mut white) = (0, 0, 0);
    for (&byte, &next) in bytes.iter().zip(shifted) {
        let begins = u8::from(byte == b';');
        all += begins;
        black += begins & u8::from(next == b'B');
        white += begins & u8::from(next == b'W');
    }
    [all, black, white]
}

/// Nodes of a run of moves without a line break between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLine<'a> {
    nodes: &'a [[u8; MOVE]],
    /// Offset of the first `;`.
    at: u64,
}

impl<'a> MoveLine<'a> {
    /// The bytes of the nodes.
    pub(crate) fn as_bytes(self) -> &'a [u8] {
        self.nodes.as_flattened()
    }

    #[inline]
    pub(crate) fn nodes(self) -> impl ExactSizeIterator<Item = MoveNode<'a>> {
        let at = self.at;
        self.nodes.iter().enumerate().map(move |(n, bytes)| MoveNode { bytes, at: at + (n * MOVE) as u64 })
    }
}

/// The events of a run of moves, each after the last.
///
/// It knows the last event instead of the next one: so an event changes one byte, a node the place too, and the offset of
/// the last event need not be kept. The byte is always a constant, so that no event has to wait for the one before it.
#[derive(Debug)]
pub(crate) struct MoveEvents {
    pub(crate) last: LastEvent,
    /// From the node of the last event on.
    run: MoveRun,
}

/// The last event of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LastEvent {
    /// Not one of a run of moves.
    Other = 0,
    Node = 1,
    Property = 2,
    Value = 4,
}

impl LastEvent {
    /// A test of one bit: of tests for equality compilers make an indirect jump, which processors foresee less often.
    #[inline(always)]
    pub(crate) fn is(self, other: LastEvent) -> bool {
        self as u8 & other as u8 != 0
    }
}

impl MoveEvents {
    pub(crate) const NONE: MoveEvents = MoveEvents { last: LastEvent::Other, run: MoveRun::NONE };

    /// The run's events after its first `Node`.
    #[inline(always)]
    pub(crate) fn after_first_node(run: MoveRun) -> Self {
        MoveEvents { last: LastEvent::Node, run }
    }

    /// Whether there is another event.
    pub(crate) fn has_next(&self) -> bool {
        match self.last {
            LastEvent::Node | LastEvent::Property => true,
            LastEvent::Value => self.run.pos + MOVE < self.run.end,
            LastEvent::Other => false,
        }
    }

    /// Offset of the last event, if it is one of a move.
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

    /// Goes to the next node, given the bytes that hold the run; false if the run is over.
    #[inline(always)]
    pub(crate) fn next_node(&mut self, bytes: &[u8]) -> bool {
        let has_next = self.run.advance(bytes);
        if has_next {
            self.last = LastEvent::Node;
        }
        has_next
    }

    /// Goes to the value of the node that the last event began, which is the rest of it as far as the run goes.
    #[inline]
    pub(crate) fn rest_of_node<'r>(&mut self, bytes: &'r [u8]) -> Option<MoveNode<'r>> {
        if self.last != LastEvent::Node {
            return None;
        }
        self.last = LastEvent::Value;
        Some(MoveNode::new(bytes, self.run.pos, self.run.offset()))
    }

    /// Goes to the property of the node.
    #[inline(always)]
    pub(crate) fn next_ident<'r>(&mut self, bytes: &'r [u8]) -> Ident<'r> {
        self.last = LastEvent::Property;
        // Not a range: this takes one test instead of two.
        Ident::new(slice::from_ref(&bytes[self.run.pos + IDENT.start]))
    }

    /// Goes to the value of the property.
    #[inline(always)]
    pub(crate) fn next_value<'r>(&mut self, bytes: &'r [u8]) -> RawValue<'r> {
        self.last = LastEvent::Value;
        RawValue::new(&bytes[self.run.pos + VALUE.start..][..VALUE.end - VALUE.start])
    }
}

/// Returns with the next of [`MoveEvents`], given the bytes that hold the run, unless the run is over.
///
/// A macro, so that each kind of event has a `return` of its own. From a function that returns the event
/// compilers make one place for all kinds, after which the caller has to test the kind again.
macro_rules! return_next_of_moves {
    ($moves:expr, $bytes:expr, $event:ident => $returned:expr) => {
        if $moves.last.is($crate::node::LastEvent::Node) {
            let $event = $crate::Event::Property($moves.next_ident(&$bytes));
            return $returned;
        }
        if $moves.last.is($crate::node::LastEvent::Property) {
            let $event = $crate::Event::Value($moves.next_value(&$bytes));
            return $returned;
        }
        if $moves.last.is($crate::node::LastEvent::Value) && $moves.next_node(&$bytes) {
            let $event = $crate::Event::Node;
            return $returned;
        }
    };
}
pub(crate) use return_next_of_moves;
