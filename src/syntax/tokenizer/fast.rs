//! The fast path through nodes.
//!
//! Nine bytes in ten of a collection are `;B[dd]`: a node with one property of one letter and one value of two
//! letters. They are recognized in blocks, ten nodes at a time and several lines at once, independent of the sink.
//! Then their events are sent one after the other, and no byte is examined twice. A sink that takes runs of moves
//! receives the bytes and the ranges of the lines instead, which consist of complete nodes. A node that may have more
//! properties is sent as events. Between such runs, properties with upper-case identifiers and plain values are sent
//! one by one; for most, one compare of 16 bytes finds all brackets.
//!
//! Fast paths do not change results (law L9): the events, offsets and the state after each of them are the same as
//! through [`tree`](super::tree) and the nom lexemes. This path therefore consumes only what is certain in any mode
//! and charset, and leaves the rest to the slow path. The state does not change before the sink has returned: if the
//! sink stops or skips the game, the state is set to what the slow path would have set it to, and the slow path
//! continues from there. Skipped nodes, properties and values are handled here.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x64};

use super::blocks::BLOCK;
use super::emit::{After, Muted, Pending};
use super::grammar::{plain_property, plain_value};
use super::look_ahead::ends_plainly;
use super::{MachineState, Run, Sink, StepResult, Tokenizer};
use crate::raw::{RawValue, is_white_space};
use crate::syntax::event::{Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::simd::SimdLevel;

/// The length of `;B[dd]`.
pub(crate) const MOVE: usize = 6;

/// Returns whether these bytes start with `;`, a capital letter, `[`, two letters and `]`.
#[inline(always)]
fn is_move(bytes: &[u8; 8]) -> bool {
    const MASK: u64 = u64::from_le_bytes([0xFF, 0, 0xFF, 0, 0, 0xFF, 0, 0]);
    const FRAME: u64 = u64::from_le_bytes(*b";\0[\0\0]\0\0");
    u64::from_le_bytes(*bytes) & MASK == FRAME
        && bytes[1].is_ascii_uppercase()
        && bytes[3].is_ascii_alphabetic()
        && bytes[4].is_ascii_alphabetic()
}

/// Number of moves in a line, as most servers write them, and in a block.
pub(crate) const TEN: usize = 10;

/// The length of ten moves.
const LINE: usize = TEN * MOVE;

/// Returns the number of moves at the start of these bytes, at most ten.
#[inline(always)]
fn leading_moves<S: Simd>(simd: S, bytes: &[u8; BLOCK]) -> usize {
    /// Mask of the frame bytes and of the case bit of identifiers.
    const MASK: [u8; BLOCK] = repeat([0xFF, LOWER_CASE, 0xFF, 0, 0, 0xFF]);
    const FRAME: [u8; BLOCK] = repeat(*b";\0[\0\0]");
    /// Maximum distance of the bytes from `a`, in lower case; unlimited for the frame.
    const SPAN: [u8; BLOCK] = repeat([0xFF, 25, 0xFF, 25, 25, 0xFF]);
    const LOWER_CASE: u8 = 0x20;

    const fn repeat(one: [u8; MOVE]) -> [u8; BLOCK] {
        let mut all = [0; BLOCK];
        let mut at = 0;
        while at < BLOCK {
            all[at] = one[at % MOVE];
            at += 1;
        }
        all
    }

    let block = |bytes| u8x64::load_array_ref(simd, bytes);
    let bytes = block(bytes);
    let letters = ((bytes | LOWER_CASE) - b'a').simd_le(block(&SPAN));
    let fits = (letters & (bytes & block(&MASK)).simd_eq(block(&FRAME))).to_bitmask();
    const ALL: u64 = u64::MAX >> (BLOCK - LINE);
    // A branch, because it is well predicted: computing the count would add latency.
    if fits & ALL == ALL {
        return TEN;
    }
    fits.trailing_ones() as usize / MOVE
}

/// Returns the length of the line break before a `;`, or 0.
#[inline(always)]
fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n', b';', ..] => 1,
        [b'\r', b'\n', b';', ..] => 2,
        _ => 0,
    }
}

/// Returns whether a node is complete, given the bytes after its last value. Then another node, a tree or the end of
/// its tree follows.
#[inline(always)]
fn ends_node(bytes: &[u8]) -> bool {
    matches!(bytes, [b';' | b'(' | b')', ..] | [b'\n', b';' | b'(' | b')', ..] | [b'\r', b'\n', b';' | b'(' | b')', ..])
}

/// Lines of move nodes, with single line breaks between them, at the front of some bytes.
#[derive(Default)]
struct Lines {
    /// The start and end of each line.
    spans: [(u16, u16); 32],
    len: usize,
}

impl Lines {
    #[inline(always)]
    fn spans(&self) -> &[(u16, u16)] {
        &self.spans[..self.len.min(self.spans.len())]
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.len == self.spans.len()
    }

    /// Adds a line, for which there must be room.
    #[inline(always)]
    fn push(&mut self, start: usize, end: usize) {
        if let Some(span) = self.spans.get_mut(self.len) {
            *span = (start as u16, end as u16); // at most the last look, and a line of ten
            self.len += 1;
        }
    }

    #[inline(always)]
    fn end(&self) -> usize {
        self.spans().last().map_or(0, |&(_, end)| end.into())
    }
}

/// Bytes that are examined before the first event of a run of moves is sent. The numbers are for the first run, after
/// the sink has stopped in a run, and at most. A sink that stops often has no use for more.
pub(super) const FIRST_LOOK: usize = LINE;
const LAST_LOOK: usize = 32 * BLOCK;

/// Maximum number of moves in a run.
pub(crate) const MOST_MOVES: usize = (LAST_LOOK + LINE).div_ceil(MOVE);

/// Finds the lines of moves that these bytes start with, up to a line that ends after `look`. With `repair`, the
/// value of the last one certainly ends there.
fn lines_of_moves(level: SimdLevel, bytes: &[u8], look: usize, repair: bool, lines: &mut Lines) {
    dispatch!(level.0, simd => lines_of_moves_by(simd, bytes, look, repair, lines));
}

#[inline(always)]
fn lines_of_moves_by<S: Simd>(simd: S, bytes: &[u8], look: usize, repair: bool, lines: &mut Lines) {
    lines.len = 0;
    // The last line, and the index where more moves may start.
    let (mut start, mut end, mut next) = (0, 0, 0);
    while next < look {
        let moves = match bytes[next..].first_chunk() {
            Some(block) => leading_moves(simd, block),
            None => usize::from(bytes[next..].first_chunk().is_some_and(is_move)),
        };
        if moves == 0 {
            break;
        }
        if next > end {
            lines.push(start, end);
            if lines.is_full() {
                return;
            }
            start = next;
        }
        end = next + moves * MOVE;
        next = end + line_break(&bytes[end..]);
    }
    if repair && end > start && !ends_plainly(&bytes[end..]) {
        end -= MOVE;
    }
    if end > start {
        lines.push(start, end);
    }
}

/// A flow of the sink that ends the fast path: `Break`, `SkipGame`, or `Skip` of a tree.
pub(crate) struct Stop {
    flow: Flow,
    after: After,
    /// Length of the value after the property that was sent, which comes next.
    value: Option<usize>,
}

/// The fast path over one input. Sink and input are copied out of [`Run`], so that the compiler can prove that they do not
/// alias.
pub(super) struct Nodes<'r, S: ?Sized> {
    pub(super) t: &'r mut Tokenizer,
    sink: &'r mut S,
    pub(super) input: &'r [u8],
    /// The index of the next byte, and whether another value of the last property may start there.
    pub(super) pos: usize,
    pub(super) is_in_list: bool,
    /// The item that the sink skips.
    pub(super) muted: Muted,
    repair: bool,
}

impl<S: Sink + ?Sized> Nodes<'_, S> {
    /// Reads nodes, properties and values up to one that needs care. In the root, reads properties and values up to
    /// its end.
    #[inline(always)]
    fn read<const IN_ROOT: bool>(&mut self) -> Result<(), Stop> {
        while let Some(&byte) = self.input.get(self.pos) {
            let before = self.pos;
            match byte {
                b';' if IN_ROOT => break,
                b';' => self.node()?,
                b'A'..=b'Z' => {
                    if IN_ROOT && self.at() >= self.t.root_blocks_from {
                        self.root_properties()?;
                    }
                    if self.pos == before {
                        self.property()?;
                    }
                }
                b'[' if self.is_in_list => self.value()?,
                _ if is_white_space(byte) => self.pos += 1,
                _ => break,
            }
            if self.pos == before {
                break;
            }
        }
        Ok(())
    }

    /// Reads a run of moves, or else the start of a node.
    #[inline(always)]
    fn node(&mut self) -> Result<(), Stop> {
        let before = self.pos;
        self.moves()?;
        if self.pos == before {
            let at = self.at();
            self.pos += 1;
            self.is_in_list = false;
            self.muted = Muted::Nothing;
            self.send(Event::Node, at, After::Node, None)?;
        }
        Ok(())
    }

    /// Reads consecutive move nodes with single line breaks between them.
    #[inline(always)]
    fn moves(&mut self) -> Result<(), Stop> {
        if !self.t.takes_moves() {
            return Ok(());
        }
        let mut lines = Lines::default();
        while let Some(bytes) = self.input[self.pos..].first_chunk().filter(|bytes| is_move(bytes)) {
            let (input, at) = (&self.input[self.pos..], self.at());
            let sent = match bytes[MOVE] {
                b';' | b'\r' | b'\n' => {
                    lines_of_moves(self.t.config.simd, input, self.t.look, self.repair, &mut lines);
                    if lines.len == 0 {
                        break;
                    }
                    send_lines(self.sink, input, &lines, at)
                }
                _ if self.ends_at(self.pos + MOVE - 1) => {
                    lines.len = 0;
                    lines.push(0, MOVE);
                    send_line(self.sink, input[..MOVE].as_chunks().0, 0, at)
                }
                _ => break,
            };
            self.t.count(lines.end());
            match sent {
                Ok(muted) => self.muted = muted,
                Err(stop) => return self.stop_in_moves(stop),
            }
            if lines.end() >= self.t.look {
                self.t.look = (4 * self.t.look).min(LAST_LOOK);
            }
            self.pos += lines.end();
            self.is_in_list = true;
            self.pos += line_break(&self.input[self.pos..]);
        }
        Ok(())
    }

    /// Handles a sink that stopped after an event of a move in the lines that start here.
    #[cold]
    fn stop_in_moves(&mut self, StopInMoves { node, event, flow }: StopInMoves) -> Result<(), Stop> {
        let (len, after, value) = match event {
            MoveEvent::Node => (1, After::Node, None),
            MoveEvent::Property => (2, After::Property, Some(2)),
            MoveEvent::Value => (MOVE, After::Property, None),
        };
        self.t.look = FIRST_LOOK;
        self.pos += node + len;
        self.is_in_list = !matches!(event, MoveEvent::Node);
        self.muted = Muted::Nothing;
        Err(Stop { flow, after, value })
    }

    /// Reads a property with an upper-case identifier and its first value, if that is plain.
    #[inline(always)]
    fn property(&mut self) -> Result<(), Stop> {
        let input = self.input;
        let Some((ident, raw)) = plain_property(&input[self.pos..]) else { return Ok(()) };
        let value_pos = self.pos + ident.len();
        let is_plain = ident.len() <= self.t.config.max_ident_len
            && self.is_within_limits(raw, value_pos)
            && (self.t.declared.is_nothing() || self.t.declared.note_property(ident, raw));
        if !is_plain {
            return Ok(());
        }
        self.t.count(ident.len() + raw.len() + 2);
        let at = self.at();
        self.pos = value_pos;
        self.is_in_list = true;
        if self.muted != Muted::Node {
            self.muted = Muted::Nothing;
            self.send(Event::Property(Ident::new(ident)), at, After::Property, Some(raw.len()))?;
        }
        self.pos += raw.len() + 2;
        self.send_value(raw, at + ident.len() as u64)
    }

    /// Reads another value of the last property, if it is plain.
    #[inline(always)]
    fn value(&mut self) -> Result<(), Stop> {
        let input = self.input;
        let Some(raw) = plain_value(&input[self.pos..]) else { return Ok(()) };
        if !self.is_within_limits(raw, self.pos) || !(self.t.declared.is_nothing() || raw.is_ascii()) {
            return Ok(());
        }
        self.t.count(raw.len() + 2);
        let at = self.at();
        self.pos += raw.len() + 2;
        self.send_value(raw, at)
    }

    /// Sends a value, unless the sink skips it.
    #[inline(always)]
    pub(super) fn send_value(&mut self, raw: &[u8], at: u64) -> Result<(), Stop> {
        match self.muted {
            Muted::Nothing => self.send(Event::Value(RawValue::new(raw)), at, After::Property, None),
            _ => Ok(()),
        }
    }

    /// Returns whether the value at an index is within the limits. It must also end for certain where it seems to
    /// end.
    #[inline(always)]
    fn is_within_limits(&self, raw: &[u8], bracket: usize) -> bool {
        raw.len() <= self.t.config.max_value_len && self.ends_at(bracket + raw.len() + 1)
    }

    /// Returns whether the `]` at an index obviously ends its value.
    #[inline(always)]
    pub(super) fn ends_at(&self, close: usize) -> bool {
        !self.repair || ends_plainly(&self.input[close + 1..])
    }

    #[inline(always)]
    pub(super) fn at(&self) -> u64 {
        self.t.base + self.pos as u64
    }

    #[inline(always)]
    pub(super) fn send(&mut self, event: Event<'_>, at: u64, after: After, value: Option<usize>) -> Result<(), Stop> {
        let flow = self.sink.event(event, at);
        self.go_on(flow, after, value)
    }

    #[inline(always)]
    fn go_on(&mut self, flow: Flow, after: After, value: Option<usize>) -> Result<(), Stop> {
        match flow {
            Flow::Continue => {}
            Flow::Skip => self.muted = if let After::Node = after { Muted::Node } else { Muted::Property },
            flow => return Err(Stop { flow, after, value }),
        }
        Ok(())
    }
}

/// The event after which a sink stopped in lines of moves. It belongs to the move at an index of the input.
struct StopInMoves {
    node: usize,
    event: MoveEvent,
    flow: Flow,
}

enum MoveEvent {
    Node,
    Property,
    Value,
}

/// Sends lines of moves at the front of the input. They are sent as a run if the sink accepts it, or as events.
/// Returns the rest of the last node if the sink skips it.
#[inline]
fn send_lines<S: Sink + ?Sized>(sink: &mut S, input: &[u8], lines: &Lines, at: u64) -> Result<Muted, StopInMoves> {
    // The last node may have more properties.
    let end = lines.end();
    let complete = if ends_node(&input[end..]) { end } else { end - MOVE };
    let (mut spans, mut sent) = (lines.spans(), 0);
    let run =
        spans.split_last().filter(|(last, _)| usize::from(last.0) == complete).map_or(spans, |(_, others)| others);
    if let Some(&(_, line_end)) = run.last() {
        let run_end = usize::from(line_end).min(complete);
        if let Some(flow) = sink.moves(&input[..run_end], run, at) {
            if let Flow::Break | Flow::SkipGame = flow {
                return Err(StopInMoves { node: run_end - MOVE, event: MoveEvent::Value, flow });
            }
            (spans, sent) = (&spans[spans.len() - 1..], run_end);
        }
    }
    let mut muted = Muted::Nothing;
    for &(start, end) in spans {
        let (start, end) = (usize::from(start).max(sent), end.into());
        muted = send_line(sink, input[start..end].as_chunks().0, start, at)?;
    }
    Ok(muted)
}

/// Sends the events of adjacent moves that start at an index of the input.
///
/// The loop has no condition of its own, so a closure's counters stay in registers.
#[inline(always)]
fn send_line<S: Sink + ?Sized>(sink: &mut S, line: &[[u8; MOVE]], start: usize, at: u64) -> Result<Muted, StopInMoves> {
    let mut muted = Muted::Nothing;
    for (n, node) in line.iter().enumerate() {
        let pos = start + n * MOVE;
        let at = at + pos as u64;
        let stop = |event, flow| Err(StopInMoves { node: pos, event, flow });
        match sink.event(Event::Node, at) {
            Flow::Continue => {}
            Flow::Skip => {
                muted = Muted::Node;
                continue;
            }
            flow => return stop(MoveEvent::Node, flow),
        }
        match sink.event(Event::Property(Ident::new(&node[1..2])), at + 1) {
            Flow::Continue => {}
            Flow::Skip => {
                muted = Muted::Property;
                continue;
            }
            flow => return stop(MoveEvent::Property, flow),
        }
        match sink.event(Event::Value(RawValue::new(&node[3..5])), at + 2) {
            Flow::Continue => muted = Muted::Nothing,
            Flow::Skip => muted = Muted::Property,
            flow => return stop(MoveEvent::Value, flow),
        }
    }
    Ok(muted)
}

/// Reads nodes, properties and values up to one that needs care. It starts in a node, at a `;` or an identifier.
/// Returns the index reached, and the sink's flow that ended the path.
#[inline(always)]
pub(super) fn plain_nodes<S: Sink + ?Sized>(
    t: &mut Tokenizer,
    sink: &mut S,
    input: &[u8],
    pos: usize,
) -> (usize, Result<(), Stop>) {
    if t.declared.is_in_root() {
        return plain_root(t, sink, input, pos);
    }
    plain(t, sink, input, pos, Nodes::read::<false>)
}

/// Reads properties and values of the root up to one that needs care. (Not inlined: the loop over nodes is the hot one.)
#[inline(never)]
fn plain_root<S: Sink + ?Sized>(
    t: &mut Tokenizer,
    sink: &mut S,
    input: &[u8],
    pos: usize,
) -> (usize, Result<(), Stop>) {
    plain(t, sink, input, pos, Nodes::read::<true>)
}

#[inline(always)]
fn plain<'r, S: Sink + ?Sized>(
    t: &'r mut Tokenizer,
    sink: &'r mut S,
    input: &'r [u8],
    start: usize,
    read: impl FnOnce(&mut Nodes<'r, S>) -> Result<(), Stop>,
) -> (usize, Result<(), Stop>) {
    debug_assert!(matches!(t.place, MachineState::Node | MachineState::List));
    let (is_in_list, repair) = (t.place == MachineState::List, t.lenient());
    let mut nodes = Nodes { t, sink, input, pos: start, is_in_list, muted: Muted::Nothing, repair };
    let read = read(&mut nodes);
    let Nodes { t, pos, is_in_list, muted, .. } = nodes;
    if pos > start {
        t.place = if is_in_list { MachineState::List } else { MachineState::Node };
        t.after_child = false;
        t.muted = muted;
    }
    (pos, read)
}

impl Run<'_> {
    /// Follows the [fast path](self) as far as it goes.
    pub(super) fn plain_nodes(&mut self) -> StepResult {
        let (pos, read) = self.sink.plain_nodes(self.t, self.input, self.pos);
        self.pos = pos;
        match read {
            Ok(()) => Ok(()),
            Err(stop) => self.stop_after_event(stop),
        }
    }

    /// Applies a flow other than `Continue`. If parsing continues, it does so without the value: the slow path skips
    /// it, or the game is being skipped.
    #[cold]
    fn stop_after_event(&mut self, Stop { flow, after, value }: Stop) -> StepResult {
        self.divert(flow, after, Pending { value, ..Pending::NOTHING })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, LAST_LOOK, LINE, MOST_MOVES, MOVE, SimdLevel, dispatch, is_move};

    /// Returns the result of every level, which must be the same.
    fn at_every_level<T: PartialEq + std::fmt::Debug>(of: impl Fn(SimdLevel) -> T) -> T {
        let levels = SimdLevel::all();
        let first = of(levels[0]);
        for level in levels {
            assert_eq!(of(level), first, "{}", level.name());
        }
        first
    }

    fn leading_moves(bytes: &[u8; BLOCK]) -> usize {
        at_every_level(|level| dispatch!(level.0, simd => super::leading_moves(simd, bytes)))
    }

    /// Returns the ranges of the lines of moves.
    fn lines_of_moves(bytes: &[u8], look: usize, repair: bool) -> Vec<(u16, u16)> {
        at_every_level(|level| {
            let mut lines = super::Lines::default();
            super::lines_of_moves(level, bytes, look, repair, &mut lines);
            lines.spans().to_vec()
        })
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
    fn a_run_of_moves_ends_after_a_move() {
        for (bytes, look, lines) in [
            (&b";B[dd];W[pp]\n;B[aa](;W[bb])"[..], 100, &[(0, 12), (13, 19)][..]),
            (b";B[dd];W[pp]\r\n;B[aa]\n\n;W[bb];", 100, &[(0, 12), (14, 20)]),
            (b";B[dd]\n;BL[9]  ", 100, &[(0, 6)]),
            (b";B[dd];W[pp];B[aa];", 7, &[(0, 12)]),
            (b";B[dd];W[pp]", 100, &[(0, 6)]), // eight bytes are examined
            (b"\n;B[dd];W[pp]", 100, &[]),
        ] {
            assert_eq!(lines_of_moves(bytes, look, false), lines, "{}", bytes.escape_ascii());
        }
        // Including whole blocks, with and without line breaks between them.
        for line in [&b";B[dd]"[..], b";B[dd];W[pp];B[aa];W[bb];B[cc];W[ee];B[ff];W[gg];B[hh];W[ii]\r\n"] {
            let bytes = line.repeat(LAST_LOOK / line.len() + 15);
            for look in (0..bytes.len()).filter(|look| look % 7 < 3) {
                let lines = lines_of_moves(&bytes, look, false);
                let starts = lines.iter().flat_map(|&(start, end)| (start..end).step_by(MOVE)).map(usize::from);
                let starts: Vec<_> = starts.collect();
                let moves = (0..=bytes.len() - 8).filter(|&at| bytes[at] == b';');
                assert!(moves.clone().zip(&starts).all(|(at, start)| at == *start), "{look}");
                let least = moves.filter(|at| *at < look && (at / line.len() < 32 || line.len() == MOVE)).count();
                assert!(least <= starts.len() && starts.iter().all(|at| *at < look + LINE), "{look}");
                assert!(look > LAST_LOOK || starts.len() <= MOST_MOVES);
                assert!(
                    lines.iter().all(|&(start, end)| bytes[start.into()..end.into()].iter().all(|byte| *byte > b' '))
                );
            }
        }
    }

    #[test]
    fn a_run_is_of_complete_nodes() {
        for (after, is_complete) in [
            (&b";"[..], true),
            (b"(;", true),
            (b")", true),
            (b"\n)", true),
            (b"\r\n;", true),
            (b"", false),
            (b"\n", false),
            (b"\r", false),
            (b"\n\n;", false),
            (b"[aa];", false),
            (b"C[x];", false),
            (b"\nC[x];", false),
        ] {
            assert_eq!(super::ends_node(after), is_complete, "{}", after.escape_ascii());
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
        let end = |bytes: &[u8]| lines_of_moves(bytes, 100, true).last().map_or(0, |&(_, end)| end);
        for (after, len) in
            [(&b";B["[..], 12), (b"))", 12), (b"[ee]", 12), (b"\nx", 12), (b"PL[B]", 12), (b" x]", 6), (b"xy", 6)]
        {
            assert_eq!(end(&[b";B[dd];W[pp]", after].concat()), len, "{}", after.escape_ascii());
        }
        assert_eq!(lines_of_moves(b";B[dd]\n;W[pp] x]", 100, true), [(0, 6)]);
        let twelve = [&b";B[dd]".repeat(12)[..], b" x]"].concat();
        assert_eq!(end(&twelve), 66);
    }
}
