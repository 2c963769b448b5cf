//! Streams that nobody has to keep.

use std::io::{self, Read};

/// A stream that is generated while it is read: a head, then a part many times, then a tail.
pub(crate) struct Generated {
    head: &'static [u8],
    /// The part, several times if it is short, since to copy a few bytes at once takes long.
    block: Vec<u8>,
    /// Position in the block.
    at: usize,
    /// Number of bytes to come before the tail.
    left: usize,
    tail: &'static [u8],
}

/// About the length of a block.
const BLOCK: usize = 4096;

impl Generated {
    pub(crate) fn new<B>(head: &'static B, part: &'static B, times: usize, tail: &'static B) -> Self
    where
        B: AsRef<[u8]> + ?Sized,
    {
        let part = part.as_ref();
        let block = part.repeat(BLOCK.div_ceil(part.len()));
        Generated { head: head.as_ref(), block, at: 0, left: times * part.len(), tail: tail.as_ref() }
    }
}

impl Read for Generated {
    /// Fills the buffer, unless the stream ends.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = self.head.read(buffer)?;
        while self.left > 0 && filled < buffer.len() {
            let rest = &self.block[self.at..];
            let len = (&rest[..rest.len().min(self.left)]).read(&mut buffer[filled..])?;
            filled += len;
            self.left -= len;
            self.at = (self.at + len) % self.block.len();
        }
        if self.left == 0 {
            filled += self.tail.read(&mut buffer[filled..])?;
        }
        Ok(filled)
    }
}
