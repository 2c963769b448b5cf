//! Cutting a stream before heads.
//!
//! A head starts a game regardless of what precedes it. A part therefore ends before the first head after its minimum
//! length, and nothing before that head is parsed. If no head occurs within twice that length, the end of the part is
//! found game by game instead.

use std::io::{self, Read};

use super::{CutState, End, Part, Parts};
use crate::node::GameBounds;
use crate::raw::BOM;
use crate::syntax::tokenizer::head::{self, Follows};
use crate::syntax::tokenizer::{GoesOn, Seam};

/// Minimum number of bytes that are searched for a head, even if parts may be shorter.
const LEAST_SEARCH: usize = 1024;

impl<R: Read> Parts<R> {
    /// Returns the next part, which ends before a head or with the stream. `None` if no such part has only games that
    /// are short enough.
    pub(super) fn part_by_heads(&mut self) -> io::Result<Option<Part<'static>>> {
        let mut most = usize::try_from(self.tokenizer.max_game_len()).unwrap_or(usize::MAX);
        self.restart();
        let least = self.part_len.max(1);
        let mut from = least.max(usize::try_from(self.searched.saturating_sub(self.base)).unwrap_or(usize::MAX));
        if !self.is_whole_pieces {
            most = most.min(least.saturating_mul(2).max(LEAST_SEARCH));
        }
        while from <= most {
            let bytes = &self.buffer[..];
            let follows = if self.eof { Follows::End } else { Follows::More };
            match head::find(bytes, from.min(bytes.len()), follows) {
                Ok(Some(at)) if at <= most => {
                    let end = self.end_before(at);
                    let part = self.cut(end);
                    self.restart();
                    return Ok(Some(part));
                }
                Ok(Some(at)) => {
                    self.searched = self.base + at as u64;
                    break;
                }
                Ok(None) if self.eof => {
                    if bytes.len() > most {
                        self.searched = self.base + bytes.len() as u64;
                        break;
                    }
                    self.state = CutState::Ended;
                    return Ok(self.rest());
                }
                Ok(None) => from = from.max(bytes.len()),
                Err(at) => from = at,
            }
            self.searched = self.base + from as u64;
            self.read()?;
        }
        Ok(None)
    }

    /// Moves the tokenizer to the start of the next part. It may be past it, after finding the end of the last part,
    /// or before it.
    fn restart(&mut self) {
        if self.tokenizer.offset() != self.start.offset() {
            self.tokenizer = self.tokenizer.restart_at_seam(&self.start.seam, GoesOn::No);
            (self.closed, self.unclosed, self.ends) = (None, None, GameBounds::ENDS);
        }
    }

    /// Returns the end before a head that is `head` bytes after the start of the part.
    fn end_before(&self, head: usize) -> End {
        let before = &self.buffer[..head];
        let seam = &self.start.seam;
        let mut lines = seam.lines().clone();
        lines.advance(before);
        let bom = seam.has_bom() || self.start.offset() == 0 && before.starts_with(BOM);
        let offset = self.start.offset() + head as u64;
        End { seam: Seam::after_games(offset, lines, bom).with_given(seam.given), is_at_head: true }
    }
}
