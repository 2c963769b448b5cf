//! Compares the output with the input on the way, for the commands that rewrite files: `fmt` and `check --fix`.
//!
//! Where they differ, the output replaces the file: see [`Replacement`](super::place::Replacement).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::rc::Rc;

pub(crate) use super::place::{Durability, NewFile, Replacement, refusal};
use crate::input;

/// Opens a file again that is to be rewritten.
pub(crate) fn open(path: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(input::CHUNK, File::open(path)?))
}

/// A reader and a writer that compare what is read with what is written. They keep the bytes that were read and not yet
/// written, which are few, since a style buffers no more than a game.
pub(crate) fn compare<R: BufRead>(original: R) -> (Original<R>, SameAs) {
    let ahead = Rc::new(RefCell::new(Some(VecDeque::new())));
    (Original { inner: original, seen: 0, ahead: Rc::clone(&ahead) }, SameAs { ahead })
}

/// The bytes that were read and not yet written. `None` if input and output are known to differ.
type Ahead = Rc<RefCell<Option<VecDeque<u8>>>>;

/// The highest number of bytes ahead of the output. There are more only if something was left out.
const MAX_AHEAD: usize = 64 << 20;

/// The reader of [`compare`].
pub(crate) struct Original<R> {
    inner: R,
    /// Number of bytes in the buffer of `inner` that were already compared.
    seen: usize,
    ahead: Ahead,
}

impl<R: BufRead> Read for Original<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R: BufRead> BufRead for Original<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let chunk = self.inner.fill_buf()?;
        let new = chunk.get(self.seen..).unwrap_or_default();
        self.seen = chunk.len();
        let mut ahead = self.ahead.borrow_mut();
        if let Some(bytes) = &mut *ahead {
            bytes.extend(new);
            if bytes.len() > MAX_AHEAD {
                *ahead = None;
            }
        }
        Ok(chunk)
    }

    fn consume(&mut self, len: usize) {
        self.seen = self.seen.saturating_sub(len);
        self.inner.consume(len);
    }
}

/// The writer of [`compare`].
pub(crate) struct SameAs {
    ahead: Ahead,
}

impl SameAs {
    /// Whether the bytes written are those read.
    pub(crate) fn finish(self) -> bool {
        self.ahead.borrow().as_ref().is_some_and(VecDeque::is_empty)
    }
}

impl Write for SameAs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut ahead = self.ahead.borrow_mut();
        if let Some(there) = &mut *ahead {
            let (front, back) = there.as_slices();
            let (a, b) = bytes.split_at(front.len().min(bytes.len()));
            match front.starts_with(a) && back.starts_with(b) {
                true => _ = there.drain(..bytes.len()),
                false => *ahead = None,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
