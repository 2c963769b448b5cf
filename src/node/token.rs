//! Events without their bytes.

#[cfg(feature = "codec")]
use bytes::Bytes;

use super::moves::{MoveLine, MoveRun};
use crate::raw::RawValue;
#[cfg(feature = "codec")]
use crate::syntax::event::OwnedEvent;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};

/// An event without its bytes, or a run of moves. Its holder knows where the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Offset of the lexeme.
    pub(crate) at: u64,
    /// Number of bytes, without brackets. For a run, the bytes of its nodes.
    pub(crate) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    StartTree,
    Node,
    Property,
    Value,
    ValuePart(PartEnd),
    EndTree,
    /// A run of nodes like `;B[dd]`.
    Moves {
        /// Index of its bytes in the copies, if runs are copied.
        copy: u32,
    },
}

impl Token {
    /// Splits an event into token and bytes.
    #[inline(always)]
    pub(crate) fn split(event: Event<'_>, at: u64) -> (Token, &[u8]) {
        let (kind, bytes) = match event {
            Event::StartTree => (TokenKind::StartTree, &[][..]),
            Event::Node => (TokenKind::Node, &[][..]),
            Event::Property(ident) => (TokenKind::Property, ident.as_bytes()),
            Event::Value(value) => (TokenKind::Value, value.as_bytes()),
            Event::ValuePart(part) => (TokenKind::ValuePart(part.end), part.bytes),
            Event::EndTree => (TokenKind::EndTree, &[][..]),
        };
        (Token { kind, at, len: bytes.len() }, bytes)
    }

    #[inline(always)]
    pub(crate) fn new(event: Event<'_>, at: u64) -> Token {
        Token::split(event, at).0
    }

    /// Creates the token of the moves in a line. Their bytes are appended to `copies`, if given.
    #[inline]
    pub(crate) fn moves(line: MoveLine<'_>, copies: Option<&mut Vec<u8>>) -> Token {
        let (run, mut copy) = (line.as_bytes(), 0);
        if let Some(copies) = copies {
            copy = copies.len() as u32;
            copies.extend_from_slice(run);
        }
        Token { kind: TokenKind::Moves { copy }, at: line.offset(), len: run.len() }
    }

    /// Returns the run of moves, with its index in the copies or in the input. `None` for an event.
    #[inline(always)]
    pub(crate) fn run(self, is_copied: bool) -> Option<MoveRun> {
        let TokenKind::Moves { copy } = self.kind else { return None };
        self.run_at(if is_copied { copy as usize } else { self.at as usize })
    }

    /// Returns the run of moves, given the index of its bytes; `None` for an event.
    #[inline(always)]
    pub(super) fn run_at(self, pos: usize) -> Option<MoveRun> {
        matches!(self.kind, TokenKind::Moves { .. }).then(|| MoveRun::new(pos, self.len, self.at))
    }

    /// Returns the offset of the event's bytes.
    #[inline]
    pub(crate) fn bytes_at(self) -> u64 {
        self.at + u64::from(matches!(self.kind, TokenKind::Value)) // after the `[`
    }

    /// Returns the offset of the end of the lexeme.
    pub(crate) fn end(self) -> u64 {
        let around = match self.kind {
            TokenKind::Value => "[]".len(),
            TokenKind::ValuePart(end) => usize::from(end == PartEnd::Complete),
            TokenKind::StartTree | TokenKind::Node | TokenKind::EndTree => 1,
            TokenKind::Property | TokenKind::Moves { .. } => 0,
        };
        self.at + (self.len + around) as u64
    }

    /// Returns whether the event has bytes.
    #[inline(always)]
    pub(crate) fn has_bytes(self) -> bool {
        matches!(self.kind, TokenKind::Property | TokenKind::Value | TokenKind::ValuePart(_))
    }

    /// Returns the event, given its bytes. For a run of moves, returns the `Node` that is its first event.
    #[inline(always)]
    pub(crate) fn event(self, bytes: &[u8]) -> Event<'_> {
        match self.kind {
            TokenKind::StartTree => Event::StartTree,
            TokenKind::Node | TokenKind::Moves { .. } => Event::Node,
            TokenKind::Property => Event::Property(Ident::new(bytes)),
            TokenKind::Value => Event::Value(RawValue::new(bytes)),
            TokenKind::ValuePart(end) => Event::ValuePart(ValuePart { bytes, end }),
            TokenKind::EndTree => Event::EndTree,
        }
    }

    /// Returns the event with owned bytes; otherwise like [`event`](Self::event).
    #[cfg(feature = "codec")]
    #[inline(always)]
    pub(crate) fn owned(self, bytes: Bytes) -> OwnedEvent {
        match self.kind {
            TokenKind::StartTree => OwnedEvent::StartTree,
            TokenKind::Node | TokenKind::Moves { .. } => OwnedEvent::Node,
            TokenKind::Property => OwnedEvent::Property(bytes),
            TokenKind::Value => OwnedEvent::Value(bytes),
            TokenKind::ValuePart(end) => OwnedEvent::ValuePart(bytes, end),
            TokenKind::EndTree => OwnedEvent::EndTree,
        }
    }
}
