//! Lists of events.

use std::slice;

use super::batch::WEIGHT;
#[cfg(any(feature = "codec", test))]
use super::moves::Moves;
use super::moves::{LastEvent, MoveEvents, MoveLine, return_next_of_moves};
use super::token::{Token, TokenKind};
use crate::syntax::event::Event;

/// A list of events in flat buffers.
///
/// Use it to buffer events until later ones decide what to do with them, or to pass events on in batches. Clearing a
/// list keeps its memory, up to a limit, so a reused list seldom allocates.
///
/// ```
/// use sgf_stream::node::EventList;
/// use sgf_stream::{Event, Parser};
///
/// let mut game = EventList::new();
/// Parser::new().parse(b"(;FF[4];B[dd])", |event, offset| game.push(event, offset))?;
///
/// let mut offsets_of_nodes = game.iter().filter(|(event, _)| *event == Event::Node).map(|(_, offset)| offset);
/// assert_eq!(offsets_of_nodes.next(), Some(1));
/// assert_eq!(offsets_of_nodes.next(), Some(7));
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EventList {
    /// Events, and runs of moves.
    tokens: Vec<Token>,
    /// The bytes of the events.
    bytes: Vec<u8>,
    len: usize,
    weight: usize,
}

/// The memory that a list uses.
#[cfg(feature = "codec")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListSize {
    tokens: usize,
    bytes: usize,
}

/// Number of tokens in a list of half a megabyte.
#[cfg(feature = "codec")]
const MOST_TOKENS: usize = 1 << 14;

/// Bytes of memory that an empty list keeps, and the same amount for tokens.
const KEPT: usize = 64 << 10;

impl EventList {
    /// Creates an empty list.
    pub fn new() -> Self {
        EventList::default()
    }

    /// Creates a list with the capacity of another.
    #[cfg(feature = "codec")]
    pub(crate) fn with_size(size: ListSize) -> Self {
        let (tokens, bytes) = (Vec::with_capacity(size.tokens), Vec::with_capacity(size.bytes));
        EventList { tokens, bytes, len: 0, weight: 0 }
    }

    #[cfg(feature = "codec")]
    pub(crate) fn size(&self) -> ListSize {
        ListSize { tokens: self.tokens.len(), bytes: self.bytes.len().min(KEPT) }
    }

    /// Returns how many more bytes fit into a list of half a megabyte.
    #[cfg(feature = "codec")]
    #[inline]
    pub(crate) fn room(&self) -> usize {
        if self.tokens.len() < MOST_TOKENS { KEPT.saturating_sub(self.bytes.len()) } else { 0 }
    }

    /// Adds an event, with the offset of its lexeme. Copies the bytes of the event.
    #[inline]
    pub fn push(&mut self, event: Event<'_>, offset: u64) {
        let (token, bytes) = Token::split(event, offset);
        match *bytes {
            // Most identifiers are this short, and a call of `memcpy` would take longer.
            [first, second] => self.bytes.extend([first, second]),
            _ => self.bytes.extend_from_slice(bytes),
        }
        self.tokens.push(token);
        self.len += 1;
        self.weight += bytes.len() + WEIGHT;
    }

    /// Adds the events of a run of moves, in less time and memory than one by one.
    #[cfg(any(feature = "codec", test))]
    #[inline]
    pub(crate) fn push_moves(&mut self, moves: Moves<'_>) {
        for line in moves.lines() {
            self.tokens.push(Token::moves(line, Some(&mut self.bytes)));
        }
        let nodes = moves.len();
        self.len += 3 * nodes;
        self.weight += nodes * (3 + 3 * WEIGHT);
    }

    /// Iterates over the events with their offsets, as `for (event, offset) in &list` does.
    #[inline]
    pub fn iter(&self) -> EventListIter<'_> {
        EventListIter { tokens: self.tokens.iter(), bytes: &self.bytes, run: &[], moves: MoveEvents::NONE }
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the bytes of identifiers and values plus 32 per event.
    ///
    /// [`Parser::max_node_len`](crate::Parser::max_node_len) counts in the same way.
    #[doc(hidden)]
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// Removes all events. Keeps at most 64 KiB of memory for bytes, and the same amount for events.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.tokens.clear();
        self.tokens.shrink_to(KEPT / size_of::<Token>());
        (self.len, self.weight) = (0, 0);
    }
}

impl<'l> IntoIterator for &'l EventList {
    type Item = (Event<'l>, u64);
    type IntoIter = EventListIter<'l>;

    fn into_iter(self) -> EventListIter<'l> {
        self.iter()
    }
}

/// An iterator over the events of an [`EventList`] with their offsets.
#[derive(Debug)]
pub struct EventListIter<'l> {
    tokens: slice::Iter<'l, Token>,
    /// The bytes of the remaining tokens.
    bytes: &'l [u8],
    /// The run whose events are being returned, and the last of them.
    run: &'l [u8],
    moves: MoveEvents,
}

impl<'l> EventListIter<'l> {
    #[inline(always)]
    fn take_bytes(&mut self, len: usize) -> &'l [u8] {
        let (bytes, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        bytes
    }
}

impl<'l> Iterator for EventListIter<'l> {
    type Item = (Event<'l>, u64);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        return_next_of_moves!(self.moves, self.run, event => Some((event, self.moves.offset().unwrap_or(0))));
        let token = *self.tokens.next()?;
        let bytes = self.take_bytes(token.len);
        self.moves.last = LastEvent::Other;
        if let Some(run) = token.run_at(0) {
            (self.run, self.moves) = (bytes, MoveEvents::after_first_node(run));
        }
        Some((token.event(bytes), token.at))
    }

    #[inline]
    fn fold<T, F: FnMut(T, Self::Item) -> T>(mut self, init: T, mut f: F) -> T {
        let mut folded = init;
        while self.moves.has_next() {
            let Some(event) = self.next() else { return folded };
            folded = f(folded, event);
        }
        while let Some(&token) = self.tokens.next() {
            let bytes = self.take_bytes(token.len);
            folded = match token.kind {
                TokenKind::Moves { .. } => MoveLine::new(bytes, token.at).events().fold(folded, &mut f),
                _ => f(folded, (token.event(bytes), token.at)),
            };
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parser::Parser;
    use crate::read::sink::EventSink;
    use crate::syntax::diagnostic::Diagnostic;
    use crate::syntax::flow::Flow;
    use quickcheck::quickcheck;

    /// A sink that keeps events, and whole runs of moves if the flag is set.
    struct Keep(EventList, bool);

    impl EventSink for Keep {
        fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
            self.0.push(event, offset);
            Flow::Continue
        }

        fn diagnostic(&mut self, _: Diagnostic) {}

        fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
            self.1.then(|| self.0.push_moves(moves)).map(|()| Flow::Continue)
        }
    }

    quickcheck! {
        fn runs_of_moves_are_kept_as_their_events(nodes: Vec<u8>, taken: u8) -> bool {
            let nodes = nodes.iter().flat_map(|pick| match pick % 8 {
                0 => &b";B[dd]C[text]"[..],
                1 => b"(;W[pp])",
                2 => b";B[dd]\r\n",
                3 => b";AB[aa][bb]",
                _ => b";W[pq]",
            });
            let sgf = [b"(;FF[4]".to_vec(), nodes.copied().collect(), b")".to_vec()].concat();
            let [mut runs, mut single] = [true, false].map(|takes_moves| Keep(EventList::new(), takes_moves));
            let kept = |keep: &mut Keep| Parser::new().parse_into(&sgf, keep).is_ok();
            let are_kept = kept(&mut runs) && kept(&mut single);
            let (runs, single) = (runs.0, single.0);
            // Uses an iterator in both ways: one by one, and the rest at once.
            let mut iter = runs.iter();
            let mut events: Vec<_> = iter.by_ref().take(taken.into()).collect();
            iter.for_each(|event| events.push(event));
            are_kept
                && events == single.iter().collect::<Vec<_>>()
                && runs.iter().eq(single.iter())
                && (runs.len(), runs.weight()) == (single.len(), single.weight())
        }
    }
}
