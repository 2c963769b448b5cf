//! The search for heads.

use std::io;
use std::ops::Range;

use super::source::{self, ReadAt};
use crate::syntax::tokenizer::head::{self, Follows};

/// Number of bytes examined in the first step; later steps are longer. Nearly all files have a head nearby.
const FIRST_CHUNK: u64 = 4 * 1024;
const LAST_CHUNK: u64 = 256 * 1024;

/// A search for heads in a source.
pub(super) struct Heads<'s, S: ?Sized> {
    source: &'s S,
    len: u64,
    buffer: Vec<u8>,
    /// The last search: its start, the head it found, and the end of its range. The range is known to contain no
    /// other head.
    last: Option<(u64, Option<u64>, u64)>,
    work: u64,
}

impl<'s, S: ReadAt + ?Sized> Heads<'s, S> {
    pub(super) fn new(source: &'s S, len: u64) -> Self {
        Heads { source, len, buffer: Vec::new(), last: None, work: 0 }
    }

    /// Returns the first head in a range.
    pub(super) fn first_in(&mut self, range: Range<u64>) -> io::Result<Option<u64>> {
        let mut from = range.start;
        if let Some((start, head, until)) = self.last
            && (start..=until).contains(&from)
        {
            match head {
                Some(head) if head >= from => return Ok((head < range.end).then_some(head)),
                _ => from = until,
            }
        }
        let head = self.search(from, range.end)?;
        let until = head.unwrap_or(range.end.min(self.len).max(from));
        self.last = Some((range.start, head, until));
        Ok(head)
    }

    /// Returns the last head in a range.
    pub(super) fn last_in(&mut self, range: Range<u64>) -> io::Result<Option<u64>> {
        let (mut last, mut from) = (None, range.start);
        while let Some(head) = self.search(from, range.end)? {
            (last, from) = (Some(head), head + 1);
        }
        Ok(last)
    }

    /// Returns the number of bytes examined since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn search(&mut self, mut from: u64, end: u64) -> io::Result<Option<u64>> {
        let end = end.min(self.len);
        let mut chunk = FIRST_CHUNK;
        while from < end {
            // A head is recognized by the bytes after it, in the range or not.
            let to = self.len.min(from.saturating_add(chunk));
            let bytes = source::bytes(self.source, from, to, &mut self.buffer)?;
            let follows = if to == self.len { Follows::End } else { Follows::More };
            let found = head::find(bytes, 0, follows);
            self.work += match found {
                Ok(Some(at)) | Err(at) => at as u64,
                Ok(None) => to - from,
            };
            match found {
                Ok(Some(at)) => return Ok(Some(from + at as u64).filter(|&head| head < end)),
                Ok(None) => from = to,
                Err(at) => from += at as u64,
            }
            chunk = LAST_CHUNK.min(chunk * 2);
        }
        Ok(None)
    }
}
