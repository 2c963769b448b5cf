//! The part of the stream that findings may still speak of, and its lines.
//!
//! Findings have offsets; lines and columns are worked out for those few only. So the checker keeps the
//! bytes from the start of the open node on (of a root, while its game is not known), and counts lines
//! over them when it has to. What a node is done with is counted once and forgotten.

use crate::diagnostic::Position;
use crate::lines::LineCounter;

/// So much of one node is kept.
const MOST: usize = 8 << 20;

#[derive(Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// The offset of the first of them.
    start: u64,
    /// Nobody asks for what is in front of this.
    low: u64,
    /// Stands at `start`, or behind it.
    base: LineCounter,
    /// Stands at the place that was asked for last, or in front of it.
    cursor: LineCounter,
}

impl Window {
    /// The next bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let len = self.bytes.len();
        let keep_from = self.low.max(self.end().saturating_sub(MOST as u64)).min(self.end());
        // Half of what is kept at least, or many small pieces would move it again and again.
        if (keep_from - self.start) as usize * 2 >= len {
            self.base.catch_up(&self.bytes, self.start, keep_from);
            self.bytes.drain(..(keep_from - self.start) as usize);
            self.start = keep_from;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The offset behind the last byte.
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Nobody will ask for what is in front of this any more.
    #[inline]
    pub(super) fn forget_up_to(&mut self, offset: u64) {
        self.low = offset;
    }

    /// Line and column of an offset, if it is not forgotten.
    pub(super) fn locate(&mut self, offset: u64) -> Option<Position> {
        if offset > self.end() {
            return None;
        }
        if self.cursor.position().offset > offset || self.cursor.position().offset < self.start {
            let low = self.low.clamp(self.start, offset.max(self.start));
            self.base.catch_up(&self.bytes, self.start, low);
            if self.base.position().offset > offset {
                return None;
            }
            self.cursor = self.base.clone();
        }
        Some(self.cursor.locate(&self.bytes, self.start, offset))
    }

    /// The bytes of a span, if they are not forgotten.
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

    quickcheck! {
        /// Places behind what was forgotten are where they are in the whole stream.
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
