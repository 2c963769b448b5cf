//! A member's bytes in an archive: so many, and no end before.

use std::io::{self, Read};

use super::limits::Fault;

pub(super) struct Part<R> {
    inner: R,
    left: u64,
    /// The archive could not be read here. Then there is nothing behind it either.
    failed: bool,
}

impl<R: Read> Part<R> {
    pub(super) fn new(inner: R, len: u64) -> Self {
        Part { inner, left: len, failed: false }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Reads what nobody wanted.
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
