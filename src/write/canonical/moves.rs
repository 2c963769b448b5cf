//! Nodes of one move, such as `;B[dd]`: most nodes are, and canonical form leaves them unchanged.

use crate::Game;
use crate::node::{MOVE_WEIGHT, MoveBytes, MoveNode};
use crate::property::{self, Context, Successor, ValueType};
use crate::syntax::event::{Event, Ident};

/// The columns and rows of a board of Go that have lower-case letters. Every point there prints as it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    columns: u8,
    rows: u8,
}

impl Letters {
    pub(super) const NONE: Letters = Letters { columns: 0, rows: 0 };

    /// The letters of the board of a game; none if the game is not Go.
    #[inline]
    pub(super) fn of(context: &Context) -> Self {
        let letters = |lines: u32| lines.min(26) as u8;
        match context.board() {
            Some(board) if context.game() == Game::Go => {
                Letters { columns: letters(board.columns()), rows: letters(board.rows()) }
            }
            _ => Letters::NONE,
        }
    }

    /// Whether a value is a point by these letters.
    #[inline]
    pub(super) fn has(self, value: &[u8]) -> bool {
        matches!(*value, [column, row]
            if column.wrapping_sub(b'a') < self.columns && row.wrapping_sub(b'a') < self.rows)
    }
}

/// The open node, as long as it may be one of these.
#[derive(Debug)]
pub(super) struct OpenMove {
    /// The letters of moves that stay unchanged.
    letters: Letters,
    node: MoveBytes,
    state: MovePart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MovePart {
    /// It is another node, or none.
    #[default]
    Closed,
    Node,
    Property,
    Value,
}

impl OpenMove {
    pub(super) const NONE: OpenMove =
        OpenMove { letters: Letters::NONE, node: MoveBytes::BLANK, state: MovePart::Closed };

    /// The weight of such a node: see [`Parser::max_node_len`](crate::Parser::max_node_len).
    pub(super) const WEIGHT: usize = MOVE_WEIGHT;

    /// Starts a game, whose nodes after the root are read in one context and written in the other.
    pub(super) fn start_game(&mut self, from: &Context, to: &Context) {
        let is_move = |context, name: &[u8]| {
            let row = property::lookup(Ident::new(name), context);
            row.is_some_and(|row| row.value_type() == ValueType::Move && row.successor() == Successor::Itself)
        };
        let stays = |name| is_move(from, name) && is_move(to, name);
        self.letters = if stays(b"B") && stays(b"W") { Letters::of(to) } else { Letters::NONE };
        self.state = MovePart::Closed;
    }

    /// Starts a node, if it may be one of these.
    #[inline]
    pub(super) fn start(&mut self) -> bool {
        self.state = if self.letters.columns > 0 { MovePart::Node } else { MovePart::Closed };
        self.state == MovePart::Node
    }

    /// Takes the next event of the node, unless this makes it another node.
    #[inline]
    pub(super) fn take(&mut self, event: Event<'_>) -> bool {
        match (self.state, event) {
            (MovePart::Node, Event::Property(ident)) => {
                let [color @ (b'B' | b'W')] = *ident.as_bytes() else { return false };
                self.node.set_letter(color);
                self.state = MovePart::Property;
            }
            (MovePart::Property, Event::Value(value)) => {
                if !self.letters.has(value.as_bytes()) {
                    return false;
                }
                self.node.set_value(value.as_bytes());
                self.state = MovePart::Value;
            }
            _ => return false,
        }
        true
    }

    /// Whether all of these nodes stay unchanged.
    pub(super) fn are_plain(&self, nodes: &[u8]) -> bool {
        let is_plain = |node: &[u8; MoveNode::LEN]| {
            let node = MoveNode::alone(node);
            matches!(node.letter(), b'B' | b'W') && self.letters.has(node.value().as_bytes())
        };
        let (nodes, rest) = nodes.as_chunks();
        rest.is_empty() && nodes.iter().all(is_plain)
    }

    /// Starts a node, which is this one so far.
    pub(super) fn start_with(&mut self, node: &[u8]) {
        self.node.copy_from(node);
        self.state = MovePart::Value;
    }

    /// The node, if it is complete and the next event starts another one.
    #[inline]
    pub(super) fn before(&self, event: Event<'_>) -> Option<[u8; MoveNode::LEN]> {
        (self.state == MovePart::Value && matches!(event, Event::Node)).then_some(*self.node.as_bytes())
    }

    /// Whether the open node is still one of these.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.state != MovePart::Closed
    }

    /// Ends the node. Returns it, if it is one of these.
    #[inline]
    pub(super) fn end(&mut self) -> Option<[u8; MoveNode::LEN]> {
        (std::mem::take(&mut self.state) == MovePart::Value).then_some(*self.node.as_bytes())
    }

    /// Closes the node, which is another one, and returns the events that were taken of it.
    pub(super) fn close(&mut self) -> impl Iterator<Item = Event<'_>> {
        let state = std::mem::take(&mut self.state);
        let property = matches!(state, MovePart::Property | MovePart::Value);
        let property = property.then(|| Event::Property(self.node.node().ident()));
        let value = (state == MovePart::Value).then(|| Event::Value(self.node.node().value()));
        property.into_iter().chain(value)
    }
}
