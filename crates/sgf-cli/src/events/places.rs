//! Lines and columns of values.
//!
//! The parser reports offsets, and a value that spans several chunks only at its end. So lines are counted up to
//! the last event, and the bytes after it are kept.

use sgf_stream::{LineCounter, Position};

/// Maximum bytes kept: more than a value and the parser's look-ahead after it.
pub(super) const KEPT: usize = 2 << 20;

pub(super) struct Places {
    /// Lines up to an event.
    lines: LineCounter,
    /// The bytes from there to the current chunk; empty if lines are counted into the chunk.
    kept: Vec<u8>,
    /// Offset of the chunk.
    chunk_start: u64,
    last_event: u64,
}

impl Places {
    /// Starts at the position of the first byte.
    pub(super) fn new(start: Position) -> Self {
        Places { lines: LineCounter::new(start), kept: Vec::new(), chunk_start: start.offset, last_event: start.offset }
    }

    pub(super) fn event(&mut self, offset: u64) {
        self.last_event = self.last_event.max(offset);
    }

    /// Returns the position of the last event, which was found in this chunk or before it.
    pub(super) fn of_last_event(&mut self, chunk: &[u8]) -> Position {
        let counted = self.lines.position().offset;
        let behind = |start: u64, len| usize::try_from(self.last_event.saturating_sub(start)).unwrap_or(len).min(len);
        let in_kept = behind(counted, self.kept.len());
        self.lines.advance(&self.kept[..in_kept]);
        self.kept.drain(..in_kept);
        if self.kept.is_empty() {
            let from = self.lines.position().offset.saturating_sub(self.chunk_start) as usize;
            let to = behind(self.chunk_start, chunk.len());
            self.lines.advance(chunk.get(from..to).unwrap_or_default());
        }
        self.lines.position()
    }

    /// Ends a chunk of the parser.
    pub(super) fn end_chunk(&mut self, chunk: &[u8]) {
        let counted = self.of_last_event(chunk).offset;
        let from = counted.saturating_sub(self.chunk_start) as usize;
        self.kept.extend_from_slice(chunk.get(from..).unwrap_or_default());
        self.chunk_start += chunk.len() as u64;
        if self.kept.len() > 2 * KEPT {
            let too_old = self.kept.len() - KEPT;
            self.lines.advance(&self.kept[..too_old]);
            self.kept.drain(..too_old);
        }
    }
}
