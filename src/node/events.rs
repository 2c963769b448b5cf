//! Events that are kept.

use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::value::RawValue;

/// Events that are kept, flat: their kinds, offsets and lengths in one buffer, their bytes in another.
///
/// For those who have to know more of a game before they can say what becomes of its events. Clearing a list keeps its
/// memory, up to a limit, so a list that is used again seldom allocates.
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
    events: Vec<Packed>,
    bytes: Vec<u8>,
}

/// An event without its bytes, which follow those of the event before it.
#[derive(Clone, Copy, Debug)]
struct Packed {
    at: u64,
    len: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    StartTree,
    Node,
    Property,
    Value,
    ValuePart(PartEnd),
    EndTree,
}

impl EventList {
    /// A list without events.
    pub fn new() -> Self {
        EventList::default()
    }

    /// Adds an event, with the offset of its lexeme. Copies the bytes of the event.
    #[inline]
    pub fn push(&mut self, event: Event<'_>, offset: u64) {
        let (kind, bytes) = match event {
            Event::StartTree => (Kind::StartTree, &[][..]),
            Event::Node => (Kind::Node, &[][..]),
            Event::Property(ident) => (Kind::Property, ident.as_bytes()),
            Event::Value(value) => (Kind::Value, value.as_bytes()),
            Event::ValuePart(part) => (Kind::ValuePart(part.end), part.bytes),
            Event::EndTree => (Kind::EndTree, &[][..]),
        };
        self.bytes.extend_from_slice(bytes);
        self.events.push(Packed { at: offset, len: bytes.len(), kind });
    }

    /// The events, each with the offset that it was added with.
    pub fn iter(&self) -> impl Iterator<Item = (Event<'_>, u64)> {
        let mut rest = &self.bytes[..];
        self.events.iter().map(move |&Packed { at, len, kind }| {
            let (bytes, after) = rest.split_at(len);
            rest = after;
            let event = match kind {
                Kind::StartTree => Event::StartTree,
                Kind::Node => Event::Node,
                Kind::Property => Event::Property(Ident::new(bytes)),
                Kind::Value => Event::Value(RawValue::new(bytes)),
                Kind::ValuePart(end) => Event::ValuePart(ValuePart { bytes, end }),
                Kind::EndTree => Event::EndTree,
            };
            (event, at)
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
        self.events.shrink_to(KEPT / size_of::<Packed>());
    }
}
