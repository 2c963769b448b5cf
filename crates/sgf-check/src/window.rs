//! The bytes of the stream that diagnostics may still refer to, and their lines.
//!
//! Lines and columns are computed only for diagnostics, which are few. So the checker keeps the bytes from the start of
//! the open node on (of a root, while its game is not known), and counts lines over them on demand. Each byte is
//! counted once: the counter leaves a mark every [`STEP`] bytes, and an offset before it is counted from the last mark
//! before that offset. The bytes of finished nodes are counted once and forgotten.

use std::collections::VecDeque;

use sgf_stream::{LineCounter, Position};

/// Maximum number of bytes of one node that are kept.
const MOST: usize = 8 << 20;

/// Locating an offset costs at most counting this many bytes.
const STEP: u64 = 512;

#[derive(Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// The offset of the first of them.
    start: u64,
    /// Nothing before this offset will be requested.
    low: u64,
    /// The counter at `start` or after it.
    counted: LineCounter,
    /// The counter at earlier offsets, in the order of the stream.
    marks: VecDeque<LineCounter>,
}

impl Window {
    /// Creates a window whose first byte is at this position.
    pub(super) fn new(position: Position) -> Self {
        let Position { offset, .. } = position;
        let counted = LineCounter::new(position);
        Window { bytes: Vec::new(), start: offset, low: offset, marks: VecDeque::from([counted.clone()]), counted }
    }

    /// Adds the next bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let len = self.bytes.len();
        let keep_from = self.low.max(self.end().saturating_sub(MOST as u64)).min(self.end());
        // Half of what is kept at least, or many small pieces would move it again and again.
        if (keep_from - self.start) as usize * 2 >= len {
            self.forget_marks(keep_from);
            self.bytes.drain(..(keep_from - self.start) as usize);
            self.start = keep_from;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the offset after the last byte.
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Notes that nothing before this offset will be requested again.
    #[inline]
    pub(super) fn forget_up_to(&mut self, offset: u64) {
        self.low = offset;
    }

    /// Returns line and column of an offset, unless its bytes were forgotten.
    pub(super) fn locate(&mut self, offset: u64) -> Option<Position> {
        if offset > self.end() || offset < self.start {
            return None;
        }
        self.forget_marks(self.low.clamp(self.start, offset));
        self.count_to(offset);
        let before = self.marks.partition_point(|mark| mark.position().offset <= offset);
        let mut near = match before.checked_sub(1) {
            _ if self.counted.position().offset == offset => return Some(self.counted.position()),
            Some(last) => self.marks[last].clone(),
            None => return None,
        };
        Some(near.locate(&self.bytes, self.start, offset))
    }

    /// Drops the marks that offsets from `low` on do not need.
    fn forget_marks(&mut self, low: u64) {
        if self.counted.position().offset <= low {
            self.counted.catch_up(&self.bytes, self.start, low);
            self.marks.clear();
            self.marks.push_back(self.counted.clone());
        }
        while self.marks.get(1).is_some_and(|mark| mark.position().offset <= low) {
            self.marks.pop_front();
        }
        // The bytes between the mark and `low` may go.
        if let Some(first) = self.marks.front_mut()
            && first.position().offset < low
        {
            first.catch_up(&self.bytes, self.start, low);
        }
    }

    /// Counts up to an offset, and leaves marks.
    fn count_to(&mut self, offset: u64) {
        while self.counted.position().offset < offset {
            let next_mark = self.marks.back().map_or(0, |mark| mark.position().offset) + STEP;
            let to = offset.min(next_mark);
            self.counted.catch_up(&self.bytes, self.start, to);
            if to == next_mark {
                self.marks.push_back(self.counted.clone());
            }
        }
    }

    /// Returns the bytes of a span, unless they were forgotten.
    pub(super) fn get(&self, from: u64, to: u64) -> Option<&[u8]> {
        let from = usize::try_from(from.checked_sub(self.start)?).ok()?;
        let to = usize::try_from(to.checked_sub(self.start)?).ok()?;
        self.bytes.get(from..to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use sgf_stream::work;

    quickcheck! {
        /// Offsets after forgotten bytes have the position that they have in the whole stream.
        fn a_place_is_where_it_is(picks: Vec<u8>, sizes: Vec<u8>, asks: Vec<(u16, bool)>) -> bool {
            let text: Vec<u8> = picks.iter().map(|p| b"\r\nx"[usize::from(p % 3)]).collect();
            let position = |offset: u64| {
                let mut lines = LineCounter::default();
                lines.locate(&text, 0, offset)
            };
            let (mut window, mut at) = (Window::default(), 0);
            let mut asks = asks.into_iter();
            for size in sizes.into_iter().chain([255; 8]) {
                let len = usize::from(size).min(text.len() - at);
                window.push(&text[at..at + len]);
                at += len;
                for (pick, forget) in asks.by_ref().take(3) {
                    let low = window.low;
                    let offset = low + u64::from(pick) % (at as u64 - low + 1);
                    if window.locate(offset) != Some(position(offset)) {
                        return false;
                    }
                    if forget {
                        window.forget_up_to(offset);
                    }
                }
            }
            true
        }
    }

    /// Law L6: counted, not timed. Each diagnostic needs a position, and many need one before the last.
    #[test]
    fn places_in_one_node_cost_a_step_each() {
        let text = b"AB[aa]\n".repeat(1 << 14);
        let mut window = Window::default();
        text.chunks(1 << 16).for_each(|chunk| window.push(chunk));
        let (mut asked, end) = (0, text.len() as u64);
        let steps = work::count(|| {
            for at in (0..end).step_by(7) {
                for place in [at, at / 2, at.saturating_sub(7), end - at] {
                    let position = window.locate(place).unwrap();
                    assert_eq!((position.line, position.column), (place / 7 + 1, place % 7 + 1), "{place}");
                    asked += 1;
                }
            }
        });
        assert!(steps <= end + asked * STEP, "{steps} for {asked} places in {end} bytes");
    }

    #[test]
    fn a_long_node_is_forgotten_from_its_front() {
        let mut window = Window::default();
        for _ in 0..20 {
            window.push(&[b'\n'; 1 << 20]);
        }
        assert!(window.bytes.len() <= 2 * MOST + (1 << 20));
        assert_eq!(window.locate(3), None);
        assert_eq!(window.locate(20 << 20).unwrap().line, (20 << 20) + 1);
    }
}
