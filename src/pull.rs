//! One event at a time: the sink of the pull readers.

use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::flow::Flow;
use crate::tokenizer::Sink;
use crate::value::RawValue;

/// An event without its bytes. The reader that pulled it knows where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    kind: Kind,
    /// Offset of the lexeme.
    pub(crate) at: u64,
    /// Offset of the event's bytes.
    pub(crate) bytes_at: u64,
    /// Their number.
    pub(crate) len: usize,
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

impl Token {
    /// The event, given its bytes.
    #[inline]
    pub(crate) fn event(self, bytes: &[u8]) -> Event<'_> {
        match self.kind {
            Kind::StartTree => Event::StartTree,
            Kind::Node => Event::Node,
            Kind::Property => Event::Property(Ident::new(bytes)),
            Kind::Value => Event::Value(RawValue::new(bytes)),
            Kind::ValuePart(end) => Event::ValuePart(ValuePart { bytes, end }),
            Kind::EndTree => Event::EndTree,
        }
    }

    pub(crate) fn is_property(self) -> bool {
        self.kind == Kind::Property
    }
}

/// Stops after one event, or behind a skipped game.
#[derive(Debug, Default)]
pub(crate) struct Pull {
    pub(crate) token: Option<Token>,
}

impl Sink for Pull {
    #[inline]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let (kind, shift, len) = match event {
            Event::StartTree => (Kind::StartTree, 0, 0),
            Event::Node => (Kind::Node, 0, 0),
            Event::Property(ident) => (Kind::Property, 0, ident.as_bytes().len()),
            Event::Value(value) => (Kind::Value, 1, value.as_bytes().len()),
            Event::ValuePart(part) => (Kind::ValuePart(part.end), 0, part.bytes.len()),
            Event::EndTree => (Kind::EndTree, 0, 0),
        };
        self.token = Some(Token { kind, at, bytes_at: at + shift, len });
        Flow::Break
    }

    fn game_skipped(&mut self) -> Flow {
        Flow::Break
    }
}
