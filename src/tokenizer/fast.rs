//! The fast path for move nodes.
//!
//! Nine bytes in ten of an archive are `;B[dd]`: a node with one property of one letter, whose one
//! value is two letters. One load of eight bytes and one masked compare recognise it, and its three
//! events go out without a trip through the dispatch for each. A sink that has use for it is given a
//! whole run of them at once, bytes and all.
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

/// The length of `;B[dd]`.
pub(crate) const MOVE: usize = 6;

/// Eight bytes of move nodes: which of them are the frame `;?[??]`, and which the letters.
#[derive(Clone, Copy)]
struct Word {
    /// What the bytes of the frame are, bit by bit; that letters are ASCII, and identifiers upper-case.
    mask: u64,
    frame: u64,
    /// The high bit of each letter.
    letters: u64,
}

impl Word {
    /// The part of a line of moves that starts so many bytes into a move; the last `rest` bytes may
    /// be anything.
    const fn new(start: usize, rest: usize) -> Self {
        const HIGH: u8 = 0x80;
        const LOWER_CASE: u8 = 0x20;
        let (mut mask, mut frame, mut letters) = ([0; 8], [0; 8], [0; 8]);
        let mut at = 0;
        while at < 8 - rest {
            let byte = b";A[aa]"[(start + at) % MOVE];
            if byte.is_ascii_alphabetic() {
                mask[at] = if byte == b'A' { HIGH | LOWER_CASE } else { HIGH };
                letters[at] = HIGH;
            } else {
                (mask[at], frame[at]) = (0xFF, byte);
            }
            at += 1;
        }
        Word { mask: u64::from_le_bytes(mask), frame: u64::from_le_bytes(frame), letters: u64::from_le_bytes(letters) }
    }

    /// Some bit, if the bytes are not that.
    #[inline(always)]
    const fn differs(self, bytes: &[u8; 8]) -> u64 {
        const EACH: u64 = u64::from_le_bytes([1; 8]);
        let word = u64::from_le_bytes(*bytes);
        // Sums stay within their bytes as long as these are ASCII; if they are not, that is a bit too.
        let lower = word | 0x20 * EACH;
        let from_a = lower.wrapping_add((0x80 - b'a' as u64) * EACH);
        let behind_z = lower.wrapping_add((0x80 - b'z' as u64 - 1) * EACH);
        (word & self.mask ^ self.frame) | (!from_a | behind_z) & self.letters
    }
}

/// Whether these bytes start with `;`, a capital letter, `[`, two letters and `]`.
#[inline(always)]
const fn is_move(bytes: &[u8; 8]) -> bool {
    const FIRST: Word = Word::new(0, 2);
    FIRST.differs(bytes) == 0
}

/// Four moves are three words.
const FOUR: usize = 4 * MOVE;

/// Whether these bytes are four moves.
#[inline(always)]
fn are_moves(bytes: &[u8; FOUR]) -> bool {
    const WORDS: [Word; 3] = [Word::new(0, 0), Word::new(8, 0), Word::new(16, 0)];
    let (words, _) = bytes.as_chunks();
    WORDS.iter().zip(words).fold(0, |differs, (word, bytes)| differs | word.differs(bytes)) == 0
}

/// How long the line break in front of a `;` is: 0 if there is none.
#[inline(always)]
fn line_break(bytes: &[u8; 8]) -> usize {
    match bytes {
        [b'\n', b';', ..] => 1,
        [b'\r', b'\n', b';', ..] => 2,
        _ => 0,
    }
}

/// How long the run of move nodes is that these bytes start with, with single line breaks between
/// them: it ends behind a move, and is not longer than about `most`.
#[inline(always)]
fn run_of_moves(bytes: &[u8], most: usize) -> usize {
    let (mut pos, mut end) = (0, 0);
    loop {
        while pos + FOUR <= most
            && let Some(next) = bytes[pos..].first_chunk()
            && are_moves(next)
        {
            pos += FOUR;
            end = pos;
        }
        let Some(next) = bytes[pos..].first_chunk().filter(|_| pos < most) else { break };
        if is_move(next) {
            pos += MOVE;
            end = pos;
            continue;
        }
        match line_break(next) {
            len if len > 0 && pos > 0 => pos += len,
            _ => break,
        }
    }
    end
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
        let room = self.sink.room_for_moves();
        if room > 0 {
            let len = run_of_moves(&input[pos..], room);
            if len > 0 {
                self.t.count(len);
                self.sink.moves(&input[pos..pos + len], self.t.base + pos as u64);
                pos += len;
            }
        }
        while let Some(bytes) = input[pos..].first_chunk() {
            if !is_move(bytes) {
                match line_break(bytes) {
                    0 => break,
                    _ if pos == self.pos => break,
                    len => pos += len,
                }
                self.t.count(1);
                continue;
            }
            self.t.count(MOVE);
            let at = self.t.base + pos as u64;
            let flow = self.sink.event(Event::Node, at);
            if flow != Flow::Continue {
                return self.leave(pos + 1, Place::Node, None, flow, After::Node);
            }
            let flow = self.sink.event(Event::Property(Ident::new(&input[pos + 1..pos + 2])), at + 1);
            if flow != Flow::Continue {
                return self.leave(pos + 2, Place::List, Some(2), flow, After::Property);
            }
            let flow = self.sink.event(Event::Value(RawValue::new(&input[pos + 3..pos + 5])), at + 2);
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
    fn a_run_of_moves_ends_behind_a_move() {
        for (bytes, most, len) in [
            (&b";B[dd];W[pp]\n;B[aa](;W[bb])"[..], 100, 19),
            (b";B[dd];W[pp]\r\n;B[aa]\n\n;W[bb];", 100, 20),
            (b";B[dd]\n;BL[9]  ", 100, 6),
            (b";B[dd];W[pp];B[aa];", 7, 12),
            (b";B[dd];W[pp]", 100, 6), // eight bytes are looked at
            (b"\n;B[dd];W[pp]", 100, 0),
        ] {
            assert_eq!(run_of_moves(bytes, most), len, "{}", bytes.escape_ascii());
        }
    }

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
