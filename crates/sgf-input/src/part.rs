//! A reader of an exact number of bytes: those of a member in an archive.

use std::io::{self, Read};

use super::fault::Fault;

pub(super) struct Part<R> {
    inner: R,
    left: u64,
    /// Whether reading the archive failed. Then the members after this one cannot be read either.
    failed: bool,
}

impl<R: Read> Part<R> {
    pub(super) fn new(inner: R, len: u64) -> Self {
        Part { inner, left: len, failed: false }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Skips the bytes that were not read.
    pub(super) fn skip(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            match self.read(buffer) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => _ = read?,
            }
        }
    }
}

impl<R: Read> Read for Part<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        if most == 0 {
            return Ok(0);
        }
        match self.inner.read(&mut out[..most]) {
            Ok(0) => {
                self.failed = true;
                Err(Fault::new("the archive ends in the middle of this member").into())
            }
            Ok(len) => {
                self.left -= len as u64;
                Ok(len)
            }
            Err(error) => {
                self.failed |= error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }
}
