//! Events that are kept.

use super::token::Token;
use crate::syntax::event::Event;

/// Events that are kept, flat: their kinds, offsets and lengths in one buffer, their bytes in another.
///
/// Use it where the fate of events depends on later ones. Clearing a list keeps its memory, up to a limit, so a list
/// that is used again seldom allocates.
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
    events: Vec<Token>,
    /// Their bytes, one after the other.
    bytes: Vec<u8>,
}

impl EventList {
    /// A list without events.
    pub fn new() -> Self {
        EventList::default()
    }

    /// Adds an event, with the offset of its lexeme. Copies the bytes of the event.
    #[inline]
    pub fn push(&mut self, event: Event<'_>, offset: u64) {
        let (token, bytes) = Token::split(event, offset);
        self.bytes.extend_from_slice(bytes);
        self.events.push(token);
    }

    /// The events, each with the offset that it was added with.
    pub fn iter(&self) -> impl Iterator<Item = (Event<'_>, u64)> {
        let mut rest = &self.bytes[..];
        self.events.iter().map(move |&token| {
            let (bytes, after) = rest.split_at(token.len);
            rest = after;
            (token.event(bytes), token.at)
        })
    }

    /// Number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Number of bytes in identifiers and values, and 32 more for each event, as
    /// [`Parser::max_node_len`](crate::Parser::max_node_len) counts them.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.events.len() * super::batch::WEIGHT
    }

    /// Removes all events. Keeps at most 64 KiB of memory for bytes, and as many events as that is.
    pub fn clear(&mut self) {
        const KEPT: usize = 64 << 10;
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.events.clear();
        self.events.shrink_to(KEPT / size_of::<Token>());
    }
}
