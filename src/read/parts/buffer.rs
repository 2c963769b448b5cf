//! Buffers of a stream that is cut into parts, and of the parts.
//!
//! Bytes are read to their final location: a part takes the buffer that it was read into, and the bytes after it, which are
//! few, are copied into another. The part is copied instead if more bytes come after it, or if the buffer had to grow much
//! larger than the part: only small parts keep buffers many times their size. When a part is dropped, on any thread, its
//! buffer is reused, so that memory is allocated and zeroed only once.

use std::io::{self, Read};
use std::mem;
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Size of the first read, in bytes. Small, since many streams are small files; it doubles whenever a read fills it.
const FIRST_READ: usize = 4 * 1024;
const READ: usize = 256 * 1024;

/// Minimum size of a read, except in small files. Readers with their own buffer bypass it for reads of this size.
const DIRECT: usize = 64 * 1024;

/// Bytes that are first read beyond the length of a part: a few games.
const AHEAD: usize = 8 * 1024;

/// Minimum number of bytes by which the buffer then grows.
const LARGE: usize = 512 * 1024;

/// Maximum number of buffers kept for reuse.
const MOST_SPARES: usize = 64;

/// Bytes that have been read, and spare capacity.
pub(super) struct ReadBuffer {
    /// Discarded bytes, the bytes, and the spare capacity, which is initialized.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Maximum number of bytes to read next.
    wanted: usize,
    spares: Arc<Spares>,
}

/// Buffers of parts that were dropped.
type Spares = Mutex<Vec<Vec<u8>>>;

impl ReadBuffer {
    pub(super) fn new() -> Self {
        ReadBuffer { bytes: Vec::new(), start: 0, end: 0, wanted: FIRST_READ, spares: Arc::default() }
    }

    /// Reads some bytes and returns their number: 0 at the end of the stream. First it reads only a little more than
    /// the part needs, since the bytes after the part are copied.
    pub(super) fn read_from(&mut self, inner: &mut impl Read, part_len: usize) -> io::Result<usize> {
        let is_enough = part_len.saturating_add(AHEAD);
        let wanted = is_enough.saturating_sub(self.len()).clamp(self.wanted.min(DIRECT), self.wanted);
        self.make_room(wanted);
        let end = self.bytes.len().min(self.end + wanted);
        let room = &mut self.bytes[self.end..end];
        let read = loop {
            match inner.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        // Guards against a faulty reader that claims to have read more than fits.
        let read = read.min(room.len());
        self.end += read;
        if read == room.len() {
            self.wanted = READ.min(2 * self.wanted);
        }
        Ok(read)
    }

    /// Makes room for some bytes, if possible for as many as wanted.
    fn make_room(&mut self, wanted: usize) {
        let len = self.len();
        // No more bytes are moved than have been discarded.
        if self.bytes.len() - self.end < wanted && len <= self.start {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, len);
        }
        if self.end == self.bytes.len() {
            let more = len.max(if len < DIRECT { FIRST_READ } else { LARGE });
            // Operating systems hand out large zeroed allocations at no cost until they are used.
            let mut grown = vec![0; len + more];
            grown[..len].copy_from_slice(self);
            (self.bytes, self.start, self.end) = (grown, 0, len);
        }
    }

    /// Discards `count` bytes at the front.
    pub(super) fn drop_front(&mut self, count: usize) {
        self.start += count;
    }

    /// Takes `len` bytes at the front for a part, and keeps those after it. The next part is expected to be about as long,
    /// but not longer than `part_len`.
    pub(super) fn cut(&mut self, len: usize, part_len: usize) -> PartBytes<'static> {
        let (part, rest) = self.split_at(len);
        let is_moved = rest.len() <= len;
        let copied = if is_moved { rest } else { part };
        let room = copied.len() + part_len.min(self.len()) + AHEAD + DIRECT;
        let spare = self.spares.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut other = spare.filter(|spare| spare.len() > copied.len()).unwrap_or_else(|| vec![0; room]);
        other[..copied.len()].copy_from_slice(copied);
        let (bytes, range) = if is_moved {
            let part = self.start..self.start + len;
            (self.start, self.end) = (0, copied.len());
            (mem::replace(&mut self.bytes, other), part)
        } else {
            self.drop_front(len);
            (other, 0..len)
        };
        let keeps = bytes.len() <= 2 * room;
        let spares = if keeps { Arc::downgrade(&self.spares) } else { Weak::new() };
        let (bytes, range) = fitting(bytes, range, room);
        PartBytes::Owned(Box::new(PartBuffer { bytes, range, spares }))
    }

    /// Takes all bytes, which are the last ones of the stream.
    pub(super) fn take(&mut self) -> PartBytes<'static> {
        let range = mem::take(&mut self.start)..mem::take(&mut self.end);
        let (bytes, range) = fitting(mem::take(&mut self.bytes), range, LARGE);
        PartBytes::Owned(Box::new(PartBuffer { bytes, range, spares: Weak::new() }))
    }
}

/// Returns the buffer of a part, or a copy of the part if the buffer is larger than twice the part and `room` for others.
fn fitting(bytes: Vec<u8>, range: Range<usize>, room: usize) -> (Vec<u8>, Range<usize>) {
    if bytes.len() <= 2 * (range.len() + room) {
        return (bytes, range);
    }
    let len = range.len();
    (bytes[range].to_vec(), 0..len)
}

impl Deref for ReadBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }
}

/// The bytes of a part.
#[derive(Clone)]
pub(crate) enum PartBytes<'a> {
    #[cfg_attr(not(feature = "parallel"), expect(dead_code))] // parts of slices
    Borrowed(&'a [u8]),
    Owned(Box<PartBuffer>),
}

impl Deref for PartBytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            PartBytes::Borrowed(bytes) => bytes,
            PartBytes::Owned(buffer) => &buffer.bytes[buffer.range.clone()],
        }
    }
}

impl From<Vec<u8>> for PartBytes<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        PartBytes::Owned(Box::new(PartBuffer { range: 0..bytes.len(), bytes, spares: Weak::new() }))
    }
}

/// A buffer with the bytes of a part.
pub(crate) struct PartBuffer {
    bytes: Vec<u8>,
    range: Range<usize>,
    /// Receives the buffer for reuse.
    spares: Weak<Spares>,
}

impl Clone for PartBuffer {
    fn clone(&self) -> Self {
        let bytes = self.bytes[self.range.clone()].to_vec();
        PartBuffer { range: 0..bytes.len(), bytes, spares: Weak::new() }
    }
}

impl Drop for PartBuffer {
    fn drop(&mut self) {
        let Some(spares) = self.spares.upgrade() else { return };
        let mut spares = spares.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < MOST_SPARES {
            spares.push(mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// A reader that returns the given numbers of bytes, and an error for each 0.
    struct Slow<'a>(&'a [u8], Vec<u8>);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = match self.1.pop() {
                Some(0) => return Err(io::ErrorKind::Interrupted.into()),
                Some(len) => usize::from(len).min(out.len()),
                None => out.len(),
            };
            self.0.read(&mut out[..len])
        }
    }

    quickcheck! {
        fn parts_have_the_bytes_that_were_read(input: Vec<u8>, sizes: Vec<u8>, cuts: Vec<(u8, u8)>) -> bool {
            let mut inner = Slow(&input, sizes);
            let (mut buffer, mut read, mut kept) = (ReadBuffer::new(), Vec::new(), Vec::new());
            for (front, end) in cuts {
                buffer.read_from(&mut inner, 10).unwrap();
                let front = usize::from(front) % (buffer.len() + 1);
                read.extend_from_slice(&buffer[..front]);
                buffer.drop_front(front);
                let end = usize::from(end) % (buffer.len() + 1);
                let part = buffer.cut(end, 10);
                read.extend_from_slice(&part);
                // Some parts are dropped, so that their buffers are reused; others live on.
                kept.push((end % 2 == 0).then(|| (part.to_vec(), part.clone(), part)));
            }
            while buffer.read_from(&mut inner, 10).unwrap() > 0 {}
            read.extend_from_slice(&buffer.take());
            read == input && kept.iter().flatten().all(|(bytes, clone, part)| **bytes == **clone && **bytes == **part)
        }
    }

    /// Reads until there are `len` bytes.
    fn fill(buffer: &mut ReadBuffer, inner: &mut impl Read, (len, part_len): (usize, usize)) {
        while buffer.len() < len {
            buffer.read_from(inner, part_len).unwrap();
        }
    }

    #[test]
    fn a_buffer_of_a_dropped_part_is_used_again() {
        let input = vec![b'a'; 1 << 20];
        let (mut buffer, mut inner, mut places) = (ReadBuffer::new(), &input[..], Vec::new());
        for _ in 0..8 {
            fill(&mut buffer, &mut inner, (100_000, 100_000));
            assert!(buffer.len() < 100_000 + AHEAD + DIRECT);
            let part = buffer.cut(100_000, 100_000);
            places.push(part.as_ptr());
        }
        places.sort_unstable();
        places.dedup();
        assert!(places.len() <= 3, "{}", places.len());
    }

    #[test]
    fn parts_before_many_bytes_are_copied() {
        let input = vec![b'a'; 1 << 22];
        let (mut buffer, mut inner, mut parts) = (ReadBuffer::new(), &input[..], Vec::new());
        for _ in 0..32 {
            fill(&mut buffer, &mut inner, (900_000, 900_000));
            let PartBytes::Owned(part) = buffer.cut(100_000, 100_000) else { panic!("it owns its bytes") };
            parts.push(part);
        }
        assert!(parts.iter().all(|part| part.bytes.len() <= 2 * (100_000 + AHEAD + DIRECT)));
        assert!(buffer.bytes.len() < 3 << 20, "{}", buffer.bytes.len());
    }

    #[test]
    fn parts_after_a_long_game_have_buffers_of_their_size() {
        let input = vec![b'a'; 1 << 24];
        let (mut buffer, mut inner) = (ReadBuffer::new(), &input[..]);
        fill(&mut buffer, &mut inner, (1 << 23, 100_000));
        buffer.drop_front(buffer.len() - 120_000);
        let most = 2 * (220_000 + AHEAD + DIRECT);
        for _ in 0..4 {
            fill(&mut buffer, &mut inner, (120_000, 100_000));
            let PartBytes::Owned(part) = buffer.cut(100_000, 100_000) else { panic!("it owns its bytes") };
            assert!(part.bytes.len() <= most && buffer.bytes.len() <= most, "{}", part.bytes.len());
        }
    }
}
