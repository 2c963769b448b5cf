//! Sequential reading: the tokenizer, skipping games from an offset between games.

use std::io;

use super::source::{self, ReadAt};
use crate::node::GameBounds;
use crate::read::carry::ChunkCarry;
use crate::syntax::tokenizer::{Outcome, Tokenizer};

/// Number of bytes of the first read; later ones are longer. Often only one game is needed.
const FIRST_CHUNK: u64 = 16 * 1024;
const LAST_CHUNK: u64 = 256 * 1024;

/// A reader that skips from game to game.
pub(super) struct Sequence<'s, S: ?Sized> {
    source: &'s S,
    len: u64,
    tokenizer: Tokenizer,
    carry: ChunkCarry,
    /// The last chunk, unless the source is in memory.
    buffer: Vec<u8>,
    /// Offset up to which the source has been read.
    at: u64,
    /// Offset where the source ends.
    end: u64,
    /// Length of the next chunk.
    chunk: u64,
}

impl<'s, S: ReadAt + ?Sized> Sequence<'s, S> {
    /// Starts at the tokenizer's position.
    pub(super) fn new(tokenizer: Tokenizer, source: &'s S, len: u64) -> Self {
        let at = tokenizer.offset();
        Sequence {
            source,
            len,
            tokenizer,
            carry: ChunkCarry::default(),
            buffer: Vec::new(),
            at,
            end: at,
            chunk: FIRST_CHUNK,
        }
    }

    /// Returns the offset after the next game; `None` at the end.
    pub(super) fn next_end(&mut self) -> io::Result<Option<u64>> {
        self.tokenizer.skip_game();
        Ok(self.run(GameBounds::ENDS)?.then(|| self.tokenizer.game_end()))
    }

    /// Returns the offset of the next game; `None` at the end.
    pub(super) fn next_start(&mut self) -> io::Result<Option<u64>> {
        Ok(self.run(GameBounds::STARTS_AND_ENDS)?.then(|| self.tokenizer.game_offset()).flatten())
    }

    /// Runs the tokenizer to the next bound; returns false if the data ends first.
    fn run(&mut self, mut bounds: GameBounds) -> io::Result<bool> {
        loop {
            let eof = self.end == self.len;
            let chunk = match self.source.as_bytes() {
                Some(bytes) => source::slice(bytes, self.at, self.end)?,
                None => &self.buffer[self.buffer.len() - (self.end - self.at) as usize..],
            };
            let (taken, outcome) = self.carry.run(&mut self.tokenizer, chunk, eof, &mut &mut bounds);
            self.at += taken as u64;
            match outcome {
                Outcome::Stopped => return Ok(true),
                Outcome::NeedMore if !eof => {
                    self.end = self.len.min(self.at + self.chunk);
                    self.chunk = LAST_CHUNK.min(self.chunk * 2);
                    source::bytes(self.source, self.at, self.end, &mut self.buffer)?;
                }
                Outcome::NeedMore | Outcome::End | Outcome::Failed => return Ok(false),
            }
        }
    }
}
