//! The fast path for move nodes.
//!
//! Nine bytes in ten of an archive are `;B[dd]`: a node with one property of one letter, whose one
//! value is two letters. One load of eight bytes and one masked compare recognise it, and its three
//! events go out without a trip through the dispatch for each.
//!
//! The path must not show (law L9): the same events, offsets and state behind each of them as
//! through [`tree`](super::tree) and the lexemes of nom. So it takes what is certain in any mode
//! and charset, between nodes behind a root, and leaves the rest where it is. Nothing is written
//! down before the sink has answered: when it wants something other than to go on, the state is
//! made what the long way would have made it, and the long way goes on from there.

use super::emit::{After, Hush};
use super::{Go, Place, Run, Sink};
use crate::event::{Event, Ident};
use crate::flow::Flow;
use crate::value::RawValue;

/// `;B[dd]`
const MOVE: usize = 6;

/// Whether these bytes start with `;`, a capital letter, `[`, two letters and `]`.
#[inline(always)]
fn is_move(bytes: &[u8; 8]) -> bool {
    const MASK: u64 = u64::from_le_bytes([0xFF, 0, 0xFF, 0, 0, 0xFF, 0, 0]);
    const FRAME: u64 = u64::from_le_bytes(*b";\0[\0\0]\0\0");
    u64::from_le_bytes(*bytes) & MASK == FRAME
        && bytes[1].is_ascii_uppercase()
        && bytes[3].is_ascii_alphabetic()
        && bytes[4].is_ascii_alphabetic()
}

impl<S: Sink> Run<'_, S> {
    /// Reads as many move nodes as follow one another, with single line breaks between them.
    /// Called at a `;` behind the properties of a node.
    #[inline(always)]
    pub(super) fn moves(&mut self) -> Go {
        debug_assert!(matches!(self.t.place, Place::Node | Place::List));
        if !self.t.takes_moves() {
            return Ok(());
        }
        let input = self.input;
        let mut pos = self.pos;
        while let Some(bytes) = input[pos..].first_chunk() {
            if !is_move(bytes) {
                if bytes[0] == b'\n' && pos > self.pos && bytes[1] == b';' {
                    pos += 1;
                    self.t.count(1);
                    continue;
                }
                break;
            }
            self.t.count(MOVE);
            let at = self.t.base + pos as u64;
            let ident = Ident::new(&input[pos + 1..pos + 2]);
            let value = RawValue::new(&input[pos + 3..pos + 5]);
            if self.sink.node_of_one(ident, value, at) {
                pos += MOVE;
                continue;
            }
            let flow = self.sink.event(Event::Node, at);
            if flow != Flow::Continue {
                return self.leave(pos + 1, Place::Node, None, flow, After::Node);
            }
            let flow = self.sink.event(Event::Property(ident), at + 1);
            if flow != Flow::Continue {
                return self.leave(pos + 2, Place::List, Some(2), flow, After::Property);
            }
            let flow = self.sink.event(Event::Value(value), at + 2);
            pos += MOVE;
            if flow != Flow::Continue {
                return self.leave(pos, Place::List, None, flow, After::Property);
            }
        }
        if pos > self.pos {
            self.behind_moves(pos, Place::List);
        }
        Ok(())
    }

    /// The state behind some events of move nodes.
    #[inline(always)]
    fn behind_moves(&mut self, pos: usize, place: Place) {
        self.pos = pos;
        self.t.place = place;
        self.t.after_child = false;
        self.t.hush = Hush::Nothing;
    }

    /// The sink has something else in mind than to go on.
    #[cold]
    fn leave(&mut self, pos: usize, place: Place, due: Option<usize>, flow: Flow, after: After) -> Go {
        self.behind_moves(pos, place);
        self.t.due.value = due;
        self.divert(flow, after)?;
        // It goes on without the value: the long way passes it over, or the game is being skipped.
        self.t.due.value = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_a_capital_letter_with_two_letters() {
        for bytes in [b";B[dd];W", b";W[AZ]\n)", b";Z[az]xx"] {
            assert!(is_move(bytes));
        }
        for bytes in
            [b";b[dd];W", b";B[d]];W", b";B[]];W[", b";B[\\]];W", b";B[[d];W", b" B[dd];W", b";B(dd];W", b";B[d1];W"]
        {
            assert!(!is_move(bytes), "{}", bytes.escape_ascii());
        }
    }
}
