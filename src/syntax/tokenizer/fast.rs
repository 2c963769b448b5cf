//! The fast path for move nodes.
//!
//! Nine bytes in ten of an archive are `;B[dd]`: a node with one property of one letter, whose one
//! value is two letters. One load of eight bytes and one masked compare recognise it, and its three
//! events go out without a trip through the dispatch for each. A sink that has use for it is given a
//! whole run of them at once, bytes and all, of which ten are recognised by four lanes of 16 bytes.
//!
//! The path must not show (law L9): the same events, offsets and state behind each of them as
//! through [`tree`](super::tree) and the lexemes of nom. So it takes what is certain in any mode
//! and charset, between nodes behind a root, and leaves the rest where it is. Nothing is written
//! down before the sink has answered: when it wants something other than to go on, the state is
//! made what the long way would have made it, and the long way goes on from there.

use std::ops::ControlFlow::{self, Break, Continue};

use wide::u8x16;

use super::emit::{After, Muted, Pending};
use super::look_ahead::ends_plainly;
use super::{Place, Run, Sink, StepResult};
use crate::syntax::event::{Event, Ident};
use crate::syntax::flow::Flow;
use crate::value::RawValue;

/// The length of `;B[dd]`.
pub(crate) const MOVE: usize = 6;

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

/// Eight moves are three lanes of 16 bytes.
const EIGHT: usize = 8 * MOVE;

/// Which of these bytes are what moves have in the `n`th lane of 16 bytes; they repeat themselves after
/// three.
#[inline(always)]
fn fits(bytes: &[u8; 16], n: usize) -> u8x16 {
    /// What the bytes of the frame are, and that identifiers are upper-case.
    const MASK: [u8; EIGHT] = repeat([0xFF, LOWER_CASE, 0xFF, 0, 0, 0xFF]);
    const FRAME: [u8; EIGHT] = repeat(*b";\0[\0\0]");
    /// How far above `a` the bytes may be, in lower case: any number for the frame.
    const SPAN: [u8; EIGHT] = repeat([0xFF, 25, 0xFF, 25, 25, 0xFF]);
    const LOWER_CASE: u8 = 0x20;

    const fn repeat(one: [u8; MOVE]) -> [u8; EIGHT] {
        let mut all = [0; EIGHT];
        let mut at = 0;
        while at < EIGHT {
            all[at] = one[at % MOVE];
            at += 1;
        }
        all
    }

    let lane = |of: &[u8; EIGHT]| u8x16::new(of.as_chunks().0[n % 3]);
    let bytes = u8x16::new(*bytes);
    let above = (bytes | u8x16::splat(LOWER_CASE)) - u8x16::splat(b'a');
    let letters = above.min(lane(&SPAN)).simd_eq(above);
    letters & (bytes & lane(&MASK)).simd_eq(lane(&FRAME))
}

/// Whether these bytes are eight moves.
#[inline(always)]
fn are_moves(bytes: &[u8; EIGHT]) -> bool {
    let [a, b, c] = std::array::from_fn(|n| fits(&bytes.as_chunks().0[n], n));
    (a & b & c).to_bitmask() == 0xFFFF
}

/// A line of moves, as most servers write them, and what fits into a block of 64 bytes.
const TEN: usize = 10 * MOVE;
const BLOCK: usize = 64;

/// How many moves these bytes start with: ten at most.
#[inline(always)]
fn leading_moves(bytes: &[u8; BLOCK]) -> usize {
    let [a, b, c, d] = std::array::from_fn(|n| u64::from(fits(&bytes.as_chunks().0[n], n).to_bitmask()));
    let fits = a | b << 16 | c << 32 | d << 48;
    const ALL: u64 = u64::MAX >> (BLOCK - TEN);
    // Nearly always: said by a branch, which is foreseen, so that nobody waits for the count.
    if fits & ALL == ALL {
        return TEN / MOVE;
    }
    fits.trailing_ones() as usize / MOVE
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
/// them: it ends behind a move, and its last one starts in front of `most`. With `repair`, the value of the last one
/// ends for certain.
#[inline(always)]
fn run_of_moves(bytes: &[u8], most: usize, repair: bool) -> usize {
    // The end of the run, and what that would be without its last move.
    let (mut pos, mut end, mut before) = (0, 0, 0);
    while let Some(next) = bytes[pos..].first_chunk().filter(|_| pos < most) {
        if next[0] != b';' && pos > 0 {
            match line_break(next) {
                0 => break,
                len => pos += len,
            }
            continue;
        }
        let moves = match bytes[pos..].first_chunk() {
            Some(block) if pos + TEN <= most => leading_moves(block),
            _ => usize::from(is_move(next)),
        };
        if moves == 0 {
            break;
        }
        before = if moves == 1 { end } else { pos + (moves - 1) * MOVE };
        pos += moves * MOVE;
        end = pos;
    }
    if repair && !ends_plainly(&bytes[end..]) { before } else { end }
}

impl<S: Sink> Run<'_, S> {
    /// Reads as many move nodes as follow one another, with single line breaks between them.
    /// Called at a `;` behind the properties of a node.
    #[inline(always)]
    pub(super) fn moves(&mut self) -> StepResult {
        debug_assert!(matches!(self.t.place, Place::Node | Place::List));
        if !self.t.takes_moves() {
            return Ok(());
        }
        let input = self.input;
        let mut pos = self.pos;
        let repair = self.t.lenient();
        let room = self.sink.room_for_moves();
        if room > 0 {
            let len = run_of_moves(&input[pos..], room, repair);
            if len > 0 {
                self.t.count(len);
                let flow = self.sink.moves(&input[pos..pos + len], self.t.base + pos as u64);
                pos += len;
                if flow != Flow::Continue {
                    return self.leave(pos, Place::List, None, flow, After::Property);
                }
            }
        }
        while let Some(bytes) = input[pos..].first_chunk() {
            if let Some(eight) = input[pos..].first_chunk().filter(|eight| are_moves(eight))
                && (!repair || ends_plainly(&input[pos + EIGHT..]))
            {
                for node in eight.as_chunks().0 {
                    if let Break(left) = self.send_move(node, pos) {
                        return left;
                    }
                    pos += MOVE;
                }
            } else if is_move(bytes) {
                if repair && !ends_plainly(&input[pos + MOVE..]) {
                    break;
                }
                let [node @ .., _, _] = bytes;
                if let Break(left) = self.send_move(node, pos) {
                    return left;
                }
                pos += MOVE;
            } else {
                match line_break(bytes) {
                    0 => break,
                    _ if pos == self.pos => break,
                    len => pos += len,
                }
            }
        }
        if pos > self.pos {
            self.behind_moves(pos, Place::List);
        }
        Ok(())
    }

    /// Sends the events of one move.
    #[inline(always)]
    fn send_move(&mut self, node: &[u8; MOVE], pos: usize) -> ControlFlow<StepResult> {
        self.t.count(MOVE);
        let at = self.t.base + pos as u64;
        let flow = self.sink.event(Event::Node, at);
        if flow != Flow::Continue {
            return Break(self.leave(pos + 1, Place::Node, None, flow, After::Node));
        }
        let flow = self.sink.event(Event::Property(Ident::new(&node[1..2])), at + 1);
        if flow != Flow::Continue {
            return Break(self.leave(pos + 2, Place::List, Some(2), flow, After::Property));
        }
        let flow = self.sink.event(Event::Value(RawValue::new(&node[3..5])), at + 2);
        if flow != Flow::Continue {
            return Break(self.leave(pos + MOVE, Place::List, None, flow, After::Property));
        }
        Continue(())
    }

    /// The state behind some events of move nodes.
    #[inline(always)]
    fn behind_moves(&mut self, pos: usize, place: Place) {
        self.pos = pos;
        self.t.place = place;
        self.t.after_child = false;
        self.t.muted = Muted::Nothing;
    }

    /// The sink has something else in mind than to go on.
    #[cold]
    fn leave(&mut self, pos: usize, place: Place, value: Option<usize>, flow: Flow, after: After) -> StepResult {
        self.behind_moves(pos, place);
        // If it goes on, it is without the value: the long way passes it over, or the game is being skipped.
        self.divert(flow, after, Pending { value, ..Pending::NOTHING })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_moves_are_each_a_move() {
        let moves = *b";B[dd];W[AZ];Z[az];A[mn];B[pp];W[za];B[tt];W[Qq]";
        assert!(are_moves(&moves));
        for at in 0..EIGHT {
            for byte in 0..=u8::MAX {
                let mut bytes = moves;
                bytes[at] = byte;
                let each =
                    bytes.as_chunks::<MOVE>().0.iter().all(|&[a, b, c, d, e, f]| is_move(&[a, b, c, d, e, f, 0, 0]));
                assert_eq!(are_moves(&bytes), each, "{}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn moves_at_the_front_of_a_block_are_counted() {
        let moves = *b";B[dd];W[AZ];Z[az];A[mn];B[pp];W[za];B[tt];W[Qq];X[aZ];C[xY];B[d";
        assert_eq!(leading_moves(&moves), 10);
        for at in 0..BLOCK {
            for byte in 0..=u8::MAX {
                let mut bytes = moves;
                bytes[at] = byte;
                let each = |of: &[u8]| matches!(of, &[a, b, c, d, e, f] if is_move(&[a, b, c, d, e, f, 0, 0]));
                let count = bytes.chunks(MOVE).take_while(|of| each(of)).count();
                assert_eq!(leading_moves(&bytes), count, "{}", bytes.escape_ascii());
            }
        }
    }

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
            assert_eq!(run_of_moves(bytes, most, false), len, "{}", bytes.escape_ascii());
        }
        // Of whole blocks too, with and without line breaks between them.
        for line in [&b";B[dd]"[..], b";B[dd];W[pp];B[aa];W[bb];B[cc];W[ee];B[ff];W[gg];B[hh];W[ii]\r\n"] {
            let bytes = line.repeat(30);
            for most in 0..bytes.len() {
                let mut moves = (0..=bytes.len() - 8).filter(|&at| bytes[at] == b';' && at < most);
                let len = moves.next_back().map_or(0, |last| last + MOVE);
                assert_eq!(run_of_moves(&bytes, most, false), len, "{most}");
            }
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

    #[test]
    fn the_last_move_of_a_run_has_an_end_that_no_text_goes_on_after() {
        for (after, len) in
            [(&b";B["[..], 12), (b"))", 12), (b"[ee]", 12), (b"\nx", 12), (b"PL[B]", 12), (b" x]", 6), (b"xy", 6)]
        {
            assert_eq!(run_of_moves(&[b";B[dd];W[pp]", after].concat(), 100, true), len, "{}", after.escape_ascii());
        }
        assert_eq!(run_of_moves(b";B[dd]\n;W[pp] x]", 100, true), 6);
        let twelve = [&b";B[dd]".repeat(12)[..], b" x]"].concat();
        assert_eq!(run_of_moves(&twelve, 100, true), 66);
    }
}
