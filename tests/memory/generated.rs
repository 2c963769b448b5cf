//! Streams that nobody has to keep.

use std::io::{self, Read};

/// A stream that is generated while it is read: a head, then a part many times, then a tail.
pub(crate) struct Generated {
    head: &'static [u8],
    part: &'static [u8],
    times: usize,
    tail: &'static [u8],
    /// Position in the part.
    at: usize,
}

impl Generated {
    pub(crate) fn new<B>(head: &'static B, part: &'static B, times: usize, tail: &'static B) -> Self
    where
        B: AsRef<[u8]> + ?Sized,
    {
        Generated { head: head.as_ref(), part: part.as_ref(), times, tail: tail.as_ref(), at: 0 }
    }
}

impl Read for Generated {
    /// Fills the buffer, unless the stream ends.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = self.head.read(buffer)?;
        while self.times > 0 && filled < buffer.len() {
            let len = (&self.part[self.at..]).read(&mut buffer[filled..])?;
            filled += len;
            self.at += len;
            if self.at == self.part.len() {
                (self.at, self.times) = (0, self.times - 1);
            }
        }
        if self.times == 0 {
            filled += self.tail.read(&mut buffer[filled..])?;
        }
        Ok(filled)
    }
}
