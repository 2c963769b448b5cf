//! Counting of lines and columns, separate from the tokenizer.
//!
//! Line numbers are needed only for diagnostics and errors, so the tokenizer works with offsets. This counter follows
//! it in large runs, at the speed of memory, and only if lines may be needed: in strict mode, if diagnostics have a
//! callback, or on request.

use std::collections::VecDeque;

use fearless_simd::{Simd, dispatch};

use crate::syntax::diagnostic::Position;
use crate::syntax::simd::SimdLevel;
use crate::syntax::tokenizer::blocks::{BLOCK, Block};
use crate::work;

/// Number of line starts that are kept for [`LineCounter::recall`].
const MOST_STARTS: usize = 1 << 16;

/// A counter of lines and columns that agrees with the parser.
///
/// It converts offsets, from events or from [`GameIndex`](crate::GameIndex), into lines and columns. The stream may
/// come in chunks.
///
/// ```
/// use sgf_stream::LineCounter;
///
/// let mut lines = LineCounter::default();
/// lines.advance(b"(;FF[4]\r"); // a line break may be split
/// lines.advance(b"\n;B[dd]");
/// assert_eq!(lines.position().to_string(), "line 2, column 7 (byte 15)");
/// ```
#[derive(Clone, Debug)]
pub struct LineCounter {
    /// Offset up to which bytes have been counted.
    offset: u64,
    line: u64,
    /// Offset of the first byte of the line.
    line_start: u64,
    /// The last counted byte, if it is a CR or LF that the next one may pair with.
    half: Option<u8>,
    /// The starts of the last lines, this one included, if positions before the end may be requested.
    starts: Option<VecDeque<u64>>,
    /// Maximum number of these.
    most_starts: usize,
    simd: SimdLevel,
}

impl LineCounter {
    /// Creates a counter that starts at a position.
    pub fn new(Position { offset, line, column }: Position) -> Self {
        LineCounter {
            offset,
            line,
            line_start: offset.saturating_add(1).saturating_sub(column),
            half: None,
            starts: None,
            most_starts: MOST_STARTS,
            simd: SimdLevel::best(),
        }
    }

    /// Returns this counter with another SIMD level.
    pub(crate) fn at_level(self, simd: SimdLevel) -> Self {
        LineCounter { simd, ..self }
    }

    /// Counts `bytes`, which follow the bytes counted before.
    pub fn advance(&mut self, bytes: &[u8]) {
        let Some(&first) = bytes.first() else { return };
        work::note(bytes.len());
        let mut at = 0;
        if self.half.take().is_some_and(|half| pairs(half, first)) {
            at = 1;
            self.line_start = self.offset + 1;
            self.keep_start(true);
        }
        if bytes.len() - at > BLOCK {
            let rest = &bytes[at..];
            at += match self.keeps_starts() || memchr::memchr(b'\r', rest).is_some() {
                true => dispatch!(self.simd.0, simd => self.advance_in_blocks(simd, rest, at)),
                false => self.advance_by_lf(rest, at),
            };
        }
        while let Some(found) = memchr::memchr2(b'\r', b'\n', &bytes[at..]) {
            at += found;
            let byte = bytes[at];
            at += 1;
            match bytes.get(at) {
                Some(&next) if pairs(byte, next) => at += 1,
                Some(_) => {}
                None => self.half = Some(byte),
            }
            self.start_line(at);
        }
        self.offset += bytes.len() as u64;
    }

    /// Counts bytes without CR, whose lines are not kept. `at` is the distance from the offset to the first of them.
    /// Returns the number of bytes counted; one byte is left.
    fn advance_by_lf(&mut self, bytes: &[u8], at: usize) -> usize {
        let counted = &bytes[..bytes.len() - 1];
        if let Some(last) = memchr::memrchr(b'\n', counted) {
            self.line += memchr::memchr_iter(b'\n', counted).count() as u64;
            self.line_start = self.offset + (at + last) as u64 + 1;
        }
        counted.len()
    }

    /// Counts whole blocks; `at` is the distance from the offset to the first byte. Returns the number of bytes
    /// counted; at least one byte is left.
    #[inline(always)]
    fn advance_in_blocks<S: Simd>(&mut self, simd: S, bytes: &[u8], at: usize) -> usize {
        let mut counted = 0;
        // Distance from the offset to the end of the last line break, if any.
        let mut last_end = None;
        while let Some((block, &[next, ..])) = bytes[counted..].split_first_chunk::<BLOCK>() {
            let bits = Block::of(simd, block);
            let (cr, lf) = (bits.equal_if_any(b'\r'), bits.equal(b'\n'));
            if cr | lf == 0 {
                counted += BLOCK;
                continue;
            }
            let (mut ends, is_split) = if cr == 0 && next != b'\r' { (lf, false) } else { ends(cr, lf, next) };
            if self.keeps_starts() {
                while ends != 0 {
                    let end = ends.trailing_zeros() as usize + 1;
                    self.start_line(at + counted + end + usize::from(is_split && end == BLOCK));
                    ends &= ends - 1;
                }
            } else {
                self.line += u64::from(ends.count_ones());
                last_end = Some((counted, ends, is_split));
            }
            counted += BLOCK + usize::from(is_split);
        }
        if let Some((block, ends, is_split)) = last_end {
            let len = BLOCK - ends.leading_zeros() as usize + usize::from(is_split);
            self.line_start = self.offset + (at + block + len) as u64;
        }
        counted
    }

    /// Starts a line `at` bytes after the offset.
    #[inline]
    fn start_line(&mut self, at: usize) {
        self.line += 1;
        self.line_start = self.offset + at as u64;
        self.keep_start(false);
    }

    /// Returns the sum of this counter and of another that counted the following bytes. A line break must not be
    /// split between them.
    #[cfg(feature = "parallel")]
    pub(crate) fn then(&self, next: &LineCounter) -> LineCounter {
        LineCounter {
            offset: self.offset + next.offset,
            line: self.line + next.line - 1,
            line_start: if next.line > 1 { self.offset + next.line_start } else { self.line_start },
            half: next.half,
            starts: None,
            most_starts: MOST_STARTS,
            simd: self.simd,
        }
    }

    /// Keeps the starts of the last 65,536 lines from here on, for [`recall`](Self::recall).
    pub(crate) fn keep_starts(&mut self) {
        self.starts.get_or_insert_with(|| VecDeque::from([self.line_start]));
    }

    /// Returns whether each line start is kept, instead of only their number.
    fn keeps_starts(&self) -> bool {
        self.starts.is_some()
    }

    /// Keeps the start of the line. It is a new line, or the same one, which turned out to start one byte later.
    #[inline]
    fn keep_start(&mut self, is_same_line: bool) {
        let Some(starts) = &mut self.starts else { return };
        if is_same_line || starts.len() == self.most_starts {
            _ = if is_same_line { starts.pop_back() } else { starts.pop_front() };
        }
        starts.push_back(self.line_start);
    }

    /// Returns the position of an offset, counted or not yet reached. `None` if its line is no longer kept.
    pub(crate) fn recall(&self, offset: u64) -> Option<Position> {
        let starts = self.starts.as_ref()?;
        let lines = starts.partition_point(|&start| start <= offset);
        let line_start = *starts.get(lines.checked_sub(1)?)?;
        let line = self.line - (starts.len() - lines) as u64;
        Some(Position { offset, line, column: offset - line_start + 1 })
    }

    /// Returns the offset after the bytes counted.
    #[doc(hidden)]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the position after the bytes counted.
    pub fn position(&self) -> Position {
        self.position_of(self.offset)
    }

    fn position_of(&self, offset: u64) -> Position {
        Position { offset, line: self.line, column: offset.saturating_sub(self.line_start) + 1 }
    }

    /// Returns the position of `offset`; `input` starts at the offset `base` of the stream. Offsets before an earlier
    /// one are not counted again: a token that is held back keeps its position.
    #[doc(hidden)]
    pub fn locate(&mut self, input: &[u8], base: u64, offset: u64) -> Position {
        debug_assert!(self.offset <= offset, "{} is after {}", offset, self.offset);
        self.catch_up(input, base, offset);
        self.position_of(offset)
    }

    /// Counts up to `offset`, unless already done.
    #[doc(hidden)]
    pub fn catch_up(&mut self, input: &[u8], base: u64, offset: u64) {
        if offset > self.offset {
            self.advance(&input[(self.offset - base) as usize..(offset - base) as usize]);
        }
    }
}

/// The positions of all offsets of a text in memory, in any order.
///
/// It is created in one pass and holds 8 bytes per line. For a stream, or offsets in ascending order, a [`LineCounter`]
/// needs no memory.
///
/// ```
/// use sgf_stream::LineIndex;
///
/// let lines = LineIndex::new(b"(;FF[4]\r\n;B[dd])");
/// assert_eq!(lines.position(10).to_string(), "line 2, column 2 (byte 10)");
/// assert_eq!(lines.position(0).to_string(), "line 1, column 1 (byte 0)");
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex(LineCounter);

impl LineIndex {
    /// Indexes the lines of a text.
    pub fn new(bytes: &[u8]) -> Self {
        let mut lines = LineCounter { most_starts: usize::MAX, ..LineCounter::default() };
        lines.keep_starts();
        lines.advance(bytes);
        LineIndex(lines)
    }

    /// Returns the position of an offset.
    ///
    /// It takes a binary search. The second byte of a line break is on the line that it ends. An offset after the end is on the last line.
    pub fn position(&self, offset: u64) -> Position {
        // The start of the first line is always kept.
        self.0.recall(offset).unwrap_or(Position { offset, ..Position::START })
    }

    /// Returns the number of lines.
    ///
    /// A text that ends with a line break has an empty last line.
    pub fn line_count(&self) -> u64 {
        self.0.line
    }
}

/// Creates a counter at the start of a stream.
impl Default for LineCounter {
    fn default() -> Self {
        LineCounter::new(Position::START)
    }
}

/// Returns the mask of bytes that end a line break. The flag says whether the byte after the block ends the last one.
/// Takes bit masks of CR and LF in a block that does not start inside a pair, and the byte after it.
#[inline(always)]
fn ends(cr: u64, lf: u64, next: u8) -> (u64, bool) {
    let first_halves = if cr == 0 { 0 } else { first_halves(cr, lf) };
    let ends = (cr | lf) & !first_halves;
    // Not the byte itself: if a single one is read, the compiler loads the block in pieces.
    let last = if cr >> (BLOCK - 1) == 0 { b'\n' } else { b'\r' };
    let is_split = ends >> (BLOCK - 1) != 0 && first_halves >> (BLOCK - 2) == 0 && pairs(last, next);
    (ends, is_split)
}

/// Returns the bytes that are the first of a pair. Takes bit masks of CR and LF in a block that does not start inside
/// a pair.
///
/// A byte that may pair with the next one does, unless the previous one has paired with it. In a run of such bytes,
/// every other one therefore does, from the first: those at even positions if the run starts at an even one, and
/// otherwise those at odd ones. Adding the starts clears the runs that it carries through.
#[inline(always)]
fn first_halves(cr: u64, lf: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let may_pair = cr & lf >> 1 | lf & cr >> 1;
    let starts = may_pair & !(may_pair << 1);
    let from_even = may_pair & !may_pair.wrapping_add(starts & EVEN);
    from_even & EVEN | may_pair & !from_even & !EVEN
}

/// Returns whether two bytes are one line break: CRLF or LFCR.
fn pairs(byte: u8, next: u8) -> bool {
    matches!((byte, next), (b'\r', b'\n') | (b'\n', b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn position(text: &[u8], offset: usize, chunk: usize) -> (u64, u64) {
        position_at(SimdLevel::best(), text, offset, chunk)
    }

    fn position_at(level: SimdLevel, text: &[u8], offset: usize, chunk: usize) -> (u64, u64) {
        let mut lines = LineCounter::default().at_level(level);
        text[..offset].chunks(chunk).for_each(|bytes| lines.advance(bytes));
        let position = lines.locate(text, 0, offset as u64);
        (position.line, position.column)
    }

    #[test]
    fn a_line_break_is_the_longest_pair_of_different_bytes() {
        for (text, expected) in [
            (&b"ab"[..], (1, 3)),
            (b"a\nb", (2, 2)),
            (b"a\r\nb", (2, 2)),
            (b"a\n\rb", (2, 2)),
            (b"a\r\rb", (3, 2)),
            (b"\r\n\rb", (3, 2)),
            (b"\n\r\nb", (3, 2)),
        ] {
            for chunk in 1..=4 {
                assert_eq!(position(text, text.len(), chunk), expected, "{text:?} by {chunk}");
            }
        }
    }

    /// Every SIMD level counts the same lines as the byte loop.
    #[test]
    fn blocks_do_not_matter() {
        fn same(picks: Vec<u8>, len: usize, alphabet: usize) -> bool {
            let alphabet = [&b"\n"[..], b"\r\n", b"\r\n\n", b"\r\nx", b"\nxxxxx", b"\r\n\n\nxx"][alphabet % 6];
            let pick = |n: usize| picks.get(n % picks.len().max(1)).map_or(n, |&pick| usize::from(pick));
            let text: Vec<u8> = (0..len % 700).map(|n| alphabet[pick(n) % alphabet.len()]).collect();
            let in_order: Vec<u8> = alphabet.iter().copied().cycle().take(text.len()).collect();
            [text, in_order].iter().all(|text| {
                let slow = position(text, text.len(), 1);
                [63, 65, 1 + text.len()].iter().all(|&chunk| {
                    let at_level = |level| position_at(level, text, text.len(), chunk);
                    SimdLevel::all().into_iter().all(|level| at_level(level) == slow)
                })
            })
        }
        quickcheck::holds(5_000, same as fn(Vec<u8>, usize, usize) -> bool);
    }

    #[test]
    fn kept_lines_are_those_that_were_counted() {
        fn law(picks: Vec<u8>, chunk: usize) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            let mut lines = LineCounter::default();
            lines.keep_starts();
            text.chunks(1 + chunk % 200).for_each(|bytes| lines.advance(bytes));
            // Inside a line break, only the counter itself knows that it is one.
            let is_inside = |at: usize| at > 0 && at < text.len() && pairs(text[at - 1], text[at]);
            (0..=text.len()).filter(|&at| !is_inside(at)).all(|at| {
                let recalled = lines.recall(at as u64).map(|place| (place.line, place.column));
                recalled == Some(position(&text, at, 7))
            })
        }
        quickcheck::holds_of(quickcheck::inputs(500), 1000, law as fn(Vec<u8>, usize) -> bool);
    }

    /// An index also finds the lines that a stream does not keep.
    #[test]
    fn an_index_has_the_positions_of_a_counter() {
        fn law(picks: Vec<u8>) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            let index = LineIndex::new(&text);
            let is_inside = |at: usize| at > 0 && at < text.len() && pairs(text[at - 1], text[at]);
            index.line_count() == position(&text, text.len(), 7).0
                && (0..=text.len()).rev().filter(|&at| !is_inside(at)).all(|at| {
                    let found = index.position(at as u64);
                    found.offset == at as u64 && (found.line, found.column) == position(&text, at, 7)
                })
        }
        quickcheck::holds_of(quickcheck::inputs(500), 1000, law as fn(Vec<u8>) -> bool);
        let text = b"ab\n".repeat(MOST_STARTS + 10);
        let index = LineIndex::new(&text);
        assert_eq!((index.position(1).line, index.position(4).line), (1, 2));
        assert_eq!(index.position(text.len() as u64 + 5).to_string(), "line 65547, column 6 (byte 196643)");
        assert_eq!(LineIndex::new(b"").position(0), Position::START);
        assert_eq!(LineIndex::new(b"\r\na").position(1).to_string(), "line 1, column 2 (byte 1)");
    }

    quickcheck! {
        fn chunks_do_not_matter(picks: Vec<u8>, chunk: usize) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            position(&text, text.len(), 1 + chunk % 5) == position(&text, text.len(), 1 + text.len())
        }
    }
}
