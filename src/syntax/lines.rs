//! Lines and columns, counted apart from the tokenizer.
//!
//! No line number is needed before there is a fault, so the tokenizer works with offsets. This
//! counter follows in whole stretches, at the speed of memory, and only if lines may be asked for: in
//! strict mode, when diagnostics have a listener, or when the caller wants them.

use std::collections::VecDeque;

use fearless_simd::{Simd, dispatch};

use crate::syntax::diagnostic::Position;
use crate::syntax::simd::SimdLevel;
use crate::syntax::tokenizer::blocks::{BLOCK, Block};
use crate::work;

/// Number of line starts that are kept for [`LineCounter::recall`].
const MOST_STARTS: usize = 1 << 16;

/// Counts lines as the parser does, over a stream in pieces.
///
/// Turns offsets, from events or from [`GameIndex`](crate::GameIndex), into lines and columns.
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
    /// The bytes before this offset are counted.
    offset: u64,
    line: u64,
    /// Offset of the first byte of the line.
    line_start: u64,
    /// The last counted byte, if it is a CR or LF that the next one may pair with.
    half: Option<u8>,
    /// Where the last lines start, this one included, if somebody may ask for places before the end.
    starts: Option<VecDeque<u64>>,
    simd: SimdLevel,
}

impl LineCounter {
    /// Counts on from a position.
    pub fn new(Position { offset, line, column }: Position) -> Self {
        LineCounter {
            offset,
            line,
            line_start: offset.saturating_add(1).saturating_sub(column),
            half: None,
            starts: None,
            simd: SimdLevel::best(),
        }
    }

    /// This counter, with the vector instructions of a level.
    pub(crate) fn at_level(self, simd: SimdLevel) -> Self {
        LineCounter { simd, ..self }
    }

    /// Counts `bytes`, which follow what was counted before.
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

    /// Counts bytes without CR, whose lines are not kept; `at` is the distance from the offset to the first of them. Returns
    /// the number of bytes counted: one follows them.
    fn advance_by_lf(&mut self, bytes: &[u8], at: usize) -> usize {
        let counted = &bytes[..bytes.len() - 1];
        if let Some(last) = memchr::memrchr(b'\n', counted) {
            self.line += memchr::memchr_iter(b'\n', counted).count() as u64;
            self.line_start = self.offset + (at + last) as u64 + 1;
        }
        counted.len()
    }

    /// Counts whole blocks; `at` is the distance from the offset to the first byte. Returns the number of bytes counted:
    /// at least one follows them.
    #[inline(always)]
    fn advance_in_blocks<S: Simd>(&mut self, simd: S, bytes: &[u8], at: usize) -> usize {
        let mut counted = 0;
        // Distance from the offset to the end of the last line break, if there was one.
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

    /// A line starts, so many bytes after the offset.
    #[inline]
    fn start_line(&mut self, at: usize) {
        self.line += 1;
        self.line_start = self.offset + at as u64;
        self.keep_start(false);
    }

    /// The sum of this counter and of another, from the start of what follows. No line break may
    /// have a half in each.
    #[cfg(feature = "parallel")]
    pub(crate) fn then(&self, next: &LineCounter) -> LineCounter {
        LineCounter {
            offset: self.offset + next.offset,
            line: self.line + next.line - 1,
            line_start: if next.line > 1 { self.offset + next.line_start } else { self.line_start },
            half: next.half,
            starts: None,
            simd: self.simd,
        }
    }

    /// Keeps the starts of the last 65,536 lines from here on, for [`recall`](Self::recall).
    pub(crate) fn keep_starts(&mut self) {
        self.starts.get_or_insert_with(|| VecDeque::from([self.line_start]));
    }

    /// Whether each line start counts, and not only how many there are.
    fn keeps_starts(&self) -> bool {
        self.starts.is_some()
    }

    /// Keeps the start of the line, which is a new one, or has turned out to start one byte later.
    #[inline]
    fn keep_start(&mut self, is_same_line: bool) {
        let Some(starts) = &mut self.starts else { return };
        if is_same_line || starts.len() == MOST_STARTS {
            _ = if is_same_line { starts.pop_back() } else { starts.pop_front() };
        }
        starts.push_back(self.line_start);
    }

    /// The position of an offset that was counted, or was not reached yet; nothing where its line is not
    /// kept any more.
    pub(crate) fn recall(&self, offset: u64) -> Option<Position> {
        let starts = self.starts.as_ref()?;
        let lines = starts.partition_point(|&start| start <= offset);
        let line_start = *starts.get(lines.checked_sub(1)?)?;
        let line = self.line - (starts.len() - lines) as u64;
        Some(Position { offset, line, column: offset - line_start + 1 })
    }

    /// Offset after the bytes counted.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Position after the bytes counted.
    pub fn position(&self) -> Position {
        self.position_of(self.offset)
    }

    fn position_of(&self, offset: u64) -> Position {
        Position { offset, line: self.line, column: offset.saturating_sub(self.line_start) + 1 }
    }

    /// The position of `offset`; `input` starts at the offset `base` of the stream. Offsets
    /// before one asked for earlier are not counted again: a token that is held back keeps its
    /// position.
    pub(crate) fn locate(&mut self, input: &[u8], base: u64, offset: u64) -> Position {
        debug_assert!(self.offset <= offset, "{} is after {}", offset, self.offset);
        self.catch_up(input, base, offset);
        self.position_of(offset)
    }

    /// Counts up to `offset`, if that is not done.
    pub(crate) fn catch_up(&mut self, input: &[u8], base: u64, offset: u64) {
        if offset > self.offset {
            self.advance(&input[(self.offset - base) as usize..(offset - base) as usize]);
        }
    }
}

/// At the start of a stream.
impl Default for LineCounter {
    fn default() -> Self {
        LineCounter::new(Position::START)
    }
}

/// The bytes that end a line break, given where CR and LF are in a block that does not start inside a pair, and the byte after
/// it; and whether that byte ends the last of them.
#[inline(always)]
fn ends(cr: u64, lf: u64, next: u8) -> (u64, bool) {
    let first_halves = if cr == 0 { 0 } else { first_halves(cr, lf) };
    let ends = (cr | lf) & !first_halves;
    // Not the byte itself: where one is read alone, the compiler loads the block in pieces.
    let last = if cr >> (BLOCK - 1) == 0 { b'\n' } else { b'\r' };
    let is_split = ends >> (BLOCK - 1) != 0 && first_halves >> (BLOCK - 2) == 0 && pairs(last, next);
    (ends, is_split)
}

/// The bytes that are the first of a pair, given where CR and LF are in a block that does not start inside a pair.
///
/// A byte that may pair with the next one does, unless the one before has paired with it. So in a run of
/// such bytes every other one does, from the first: those at even places if the run starts at one, and
/// otherwise those at odd ones. An addition of the starts clears the runs that it carries through.
#[inline(always)]
fn first_halves(cr: u64, lf: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let may_pair = cr & lf >> 1 | lf & cr >> 1;
    let starts = may_pair & !(may_pair << 1);
    let from_even = may_pair & !may_pair.wrapping_add(starts & EVEN);
    from_even & EVEN | may_pair & !from_even & !EVEN
}

/// CRLF and LFCR are one line break.
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

    /// Blocks of every level count what is counted byte by byte.
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
        quickcheck::QuickCheck::new().tests(5_000).quickcheck(same as fn(Vec<u8>, usize, usize) -> bool);
    }

    #[test]
    fn kept_lines_are_those_that_were_counted() {
        fn law(picks: Vec<u8>, chunk: usize) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            let mut lines = LineCounter::default();
            lines.keep_starts();
            text.chunks(1 + chunk % 200).for_each(|bytes| lines.advance(bytes));
            // Inside of a line break only the counter itself knows that it is one.
            let is_inside = |at: usize| at > 0 && at < text.len() && pairs(text[at - 1], text[at]);
            (0..=text.len()).filter(|&at| !is_inside(at)).all(|at| {
                let recalled = lines.recall(at as u64).map(|place| (place.line, place.column));
                recalled == Some(position(&text, at, 7))
            })
        }
        quickcheck::QuickCheck::new().rng(quickcheck::Gen::new(500)).quickcheck(law as fn(Vec<u8>, usize) -> bool);
    }

    quickcheck! {
        fn chunks_do_not_matter(picks: Vec<u8>, chunk: usize) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            position(&text, text.len(), 1 + chunk % 5) == position(&text, text.len(), 1 + text.len())
        }
    }
}
