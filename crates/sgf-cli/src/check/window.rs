//! The bytes around diagnostics, so that diagnostics can be shown with their lines, also from a pipe.
//!
//! A part of a file ends in the middle of a line as often as not. So an excerpt near the start of a part lacks bytes before
//! it, and one near the end bytes after it, which are added from the parts before and after.

/// Number of bytes on each side of a diagnostic: more than a drawing shows.
pub(super) const CONTEXT: usize = 256;

/// Minimum bytes of a long game that are kept. A node is checked when it ends; if it is longer, diagnostics near its start are
/// shown without their line.
const KEPT: usize = 4 << 20;

/// The bytes around a diagnostic.
pub(super) struct Excerpt {
    bytes: Vec<u8>,
    /// Index of the diagnostic in them.
    at: usize,
    lacks_front: bool,
    lacks_end: bool,
}

impl Excerpt {
    /// Makes an excerpt of bytes that start at the offset `start`. `None` if the diagnostic is not in them.
    fn of(bytes: &[u8], start: u64, offset: u64) -> Option<Self> {
        let at = usize::try_from(offset.checked_sub(start)?).ok().filter(|&at| at <= bytes.len())?;
        let (from, to) = (at.saturating_sub(CONTEXT), bytes.len().min(at.saturating_add(CONTEXT)));
        let (lacks_front, lacks_end) = (at < CONTEXT, bytes.len() - at < CONTEXT);
        Some(Excerpt { bytes: bytes[from..to].to_vec(), at: at - from, lacks_front, lacks_end })
    }

    /// Makes an excerpt of a part of a file, which may be its last.
    pub(super) fn of_part(bytes: &[u8], start: u64, is_last: bool, offset: u64) -> Option<Self> {
        let mut excerpt = Excerpt::of(bytes, start, offset)?;
        excerpt.lacks_front &= start > 0;
        excerpt.lacks_end &= !is_last;
        Some(excerpt)
    }

    /// Returns whether no bytes have to be added.
    pub(super) fn is_complete(&self) -> bool {
        !self.lacks_front && !self.lacks_end
    }

    /// Adds the bytes before the part.
    pub(super) fn add_front(&mut self, before: &[u8]) {
        if std::mem::take(&mut self.lacks_front) {
            let room = CONTEXT - self.at;
            let before = &before[before.len().saturating_sub(room)..];
            self.bytes.splice(..0, before.iter().copied());
            self.at += before.len();
        }
    }

    /// Adds the bytes that follow.
    pub(super) fn add_end(&mut self, after: &[u8]) {
        if self.lacks_end {
            let room = (self.at + CONTEXT).saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(&after[..after.len().min(room)]);
            self.lacks_end = after.len() < room;
        }
    }

    /// Returns the bytes, and the index of the diagnostic in them.
    pub(super) fn bytes(&self) -> (&[u8], usize) {
        (&self.bytes, self.at)
    }
}

/// The recent bytes of a long game.
pub(super) struct SourceWindow {
    bytes: Vec<u8>,
    start: u64,
    /// Whether the bytes before the game may be needed: none of it was forgotten.
    is_whole: bool,
}

impl SourceWindow {
    /// Makes an empty window. The game starts at this offset.
    pub(super) fn new(start: u64) -> Self {
        SourceWindow { bytes: Vec::new(), start, is_whole: start > 0 }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        if self.bytes.len() > 2 * KEPT {
            let excess = self.bytes.len() - KEPT;
            self.bytes.drain(..excess);
            self.start += excess as u64;
            self.is_whole = false;
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// Notes that results were passed on: who completes the next excerpts does not know the bytes before the game any more.
    pub(super) fn pass_on(&mut self) {
        self.is_whole = false;
    }

    pub(super) fn excerpt(&self, offset: u64) -> Option<Excerpt> {
        let mut excerpt = Excerpt::of(&self.bytes, self.start, offset)?;
        excerpt.lacks_front &= self.is_whole;
        Some(excerpt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_the_same_wherever_parts_end() {
        let file: Vec<u8> = (0..2000_u32).map(|n| (n % 251) as u8).collect();
        let whole = |offset| Excerpt::of_part(&file, 0, true, offset).unwrap();
        for (start, end) in [(0, 700), (300, 301), (300, 900), (100, 400), (1500, 2000), (1999, 2000)] {
            for offset in [start, start + 100, end - 1, end].into_iter().filter(|offset| (start..=end).contains(offset))
            {
                let part = &file[start..end];
                let mut excerpt = Excerpt::of_part(part, start as u64, end == file.len(), offset as u64).unwrap();
                excerpt.add_front(&file[start.saturating_sub(CONTEXT)..start]);
                file[end..].chunks(100).for_each(|chunk| excerpt.add_end(chunk));
                assert_eq!(excerpt.bytes(), whole(offset as u64).bytes(), "{start}..{end}, {offset}");
                assert!(excerpt.is_complete() || offset + CONTEXT > file.len());
            }
        }
    }
}
