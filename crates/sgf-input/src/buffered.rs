//! A buffered reader with look-ahead.

use std::io::{self, BufRead, Read};

/// A read of so many bytes bypasses the buffer: as many as a reader in parts (`sgf_stream::parts::Parts`) asks for, which
/// then gets them without a copy.
const DIRECT: usize = 64 * 1024;

/// A reader like the standard library's `BufReader`, but with look-ahead.
///
/// An error during look-ahead is returned after all bytes before it have been read.
pub(super) struct Buffered<'b, R> {
    buffer: &'b mut [u8],
    start: usize,
    end: usize,
    /// Number of bytes consumed.
    position: u64,
    waiting: Option<io::Error>,
    inner: R,
}

impl<'b, R: Read> Buffered<'b, R> {
    pub(super) fn new(inner: R, buffer: &'b mut [u8]) -> Self {
        Buffered { buffer, start: 0, end: 0, position: 0, waiting: None, inner }
    }

    pub(super) fn inner(&self) -> &R {
        &self.inner
    }
}

impl<'b, 'r, R: Read> Buffered<'b, &'r mut R> {
    /// Erases the type of the inner reader.
    pub(super) fn erased(self) -> Buffered<'b, &'r mut dyn Read> {
        let Buffered { buffer, start, end, position, waiting, inner } = self;
        Buffered { buffer, start, end, position, waiting, inner }
    }
}

impl<R: Read> Buffered<'_, R> {
    /// Returns the number of bytes consumed.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Fills the buffer until it has `want` bytes (at most its length) or `is_enough` of them, and returns them
    /// all. There are fewer at the end of input, or if an error is waiting.
    pub(super) fn ahead(&mut self, want: usize, is_enough: impl Fn(&[u8]) -> bool) -> &[u8] {
        let want = want.min(self.buffer.len());
        if self.buffer.len() - self.start < want {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < want && self.waiting.is_none() && !is_enough(&self.buffer[self.start..self.end]) {
            match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(len) => self.end += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.waiting = Some(error),
            }
        }
        &self.buffer[self.start..self.end]
    }

    /// Takes the error that occurred during look-ahead.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.waiting.take()
    }
}

impl<R: Read> Read for Buffered<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // A long read bypasses the buffer.
        if self.start == self.end && out.len() >= DIRECT.min(self.buffer.len()) && self.waiting.is_none() {
            let len = self.inner.read(out)?;
            self.position += len as u64;
            return Ok(len);
        }
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R: Read> BufRead for Buffered<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            if let Some(error) = self.waiting.take() {
                return Err(error);
            }
            (self.start, self.end) = (0, 0);
            self.end = loop {
                match self.inner.read(self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.position += len as u64;
    }
}
