//! A buffer in front of anything that is read here.

use std::io::{self, BufRead, Read};

/// Like the standard library's `BufReader`, but for this: it looks ahead, and an error that comes while it does is
/// told when all that was in front of it has been read.
pub(super) struct Buffered<'b, R> {
    buffer: &'b mut [u8],
    start: usize,
    end: usize,
    /// How many bytes were read out of here.
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
    /// Of any reader.
    pub(super) fn erased(self) -> Buffered<'b, &'r mut dyn Read> {
        let Buffered { buffer, start, end, position, waiting, inner } = self;
        Buffered { buffer, start, end, position, waiting, inner }
    }
}

impl<R: Read> Buffered<'_, R> {
    /// How many bytes were consumed.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Reads on until so much is there (at most the length of the buffer) or `is_enough`. There is less at the end, or
    /// if an error is waiting.
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

    /// Takes the error that was met in reading ahead.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.waiting.take()
    }
}

impl<R: Read> Read for Buffered<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // What is as large as the buffer need not go through it.
        if self.start == self.end && out.len() >= self.buffer.len() && self.waiting.is_none() {
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
