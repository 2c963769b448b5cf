//! Lines and columns, counted behind the tokenizer's back.
//!
//! Nobody needs a line number before there is a fault, so the tokenizer works with offsets. This
//! counter follows in whole stretches, at the speed of memory, and only if someone may ask: in
//! strict mode, when diagnostics have a listener, or when the caller wants lines.

use crate::diagnostic::Position;

/// Counts lines as the parser does, over a stream in pieces.
///
/// For those who have offsets, from events or from [`GameIndex`](crate::GameIndex), and want lines
/// and columns.
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
    /// The bytes in front of this offset are counted.
    offset: u64,
    line: u64,
    /// Offset of the first byte of the line.
    line_start: u64,
    /// The last counted byte, if it is a CR or LF that the next one may pair with.
    half: Option<u8>,
}

impl LineCounter {
    /// Counts on from a position.
    pub fn new(Position { offset, line, column }: Position) -> Self {
        LineCounter { offset, line, line_start: offset.saturating_add(1).saturating_sub(column), half: None }
    }

    /// Counts `bytes`, which follow what was counted before.
    pub fn advance(&mut self, bytes: &[u8]) {
        let Some(&first) = bytes.first() else { return };
        let mut at = 0;
        if self.half.take().is_some_and(|half| pairs(half, first)) {
            at = 1;
            self.line_start = self.offset + 1;
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
            self.line += 1;
            self.line_start = self.offset + at as u64;
        }
        self.offset += bytes.len() as u64;
    }

    /// What this one has counted, and then another, from the start of what follows. No line break may
    /// have a half in each.
    #[cfg(feature = "parallel")]
    pub(crate) fn then(&self, next: &LineCounter) -> LineCounter {
        LineCounter {
            offset: self.offset + next.offset,
            line: self.line + next.line - 1,
            line_start: if next.line > 1 { self.offset + next.line_start } else { self.line_start },
            half: next.half,
        }
    }

    /// Offset behind what was counted.
    #[cfg(feature = "parallel")]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The position behind what was counted.
    pub fn position(&self) -> Position {
        self.position_of(self.offset)
    }

    fn position_of(&self, offset: u64) -> Position {
        Position { offset, line: self.line, column: offset.saturating_sub(self.line_start) + 1 }
    }

    /// The position of `offset`; `input` starts at the offset `base` of the stream. Offsets in
    /// front of one asked for before are not counted again: whoever holds a token back keeps its
    /// position with it.
    pub(crate) fn locate(&mut self, input: &[u8], base: u64, offset: u64) -> Position {
        debug_assert!(self.offset <= offset, "{} is behind {}", offset, self.offset);
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

/// CRLF and LFCR are one line break.
fn pairs(byte: u8, next: u8) -> bool {
    matches!((byte, next), (b'\r', b'\n') | (b'\n', b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn position(text: &[u8], offset: usize, chunk: usize) -> (u64, u64) {
        let mut lines = LineCounter::default();
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

    quickcheck! {
        fn chunks_do_not_matter(picks: Vec<u8>, chunk: usize) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            position(&text, text.len(), 1 + chunk % 5) == position(&text, text.len(), 1 + text.len())
        }
    }
}
