//! The read buffer: its position in the stream, and its conversion to `Bytes`.
//!
//! A `Bytes` split off a buffer is not copied, but keeps the whole buffer alive. For a move of two bytes that would
//! waste memory, so bytes are split off only if they are a substantial part of the buffer; others are copied. One or
//! two letters, the payload of most events, are neither: they point into a static table.

use bytes::{Buf, Bytes, BytesMut};

/// Maximum memory that bytes split off may keep alive, as a multiple of their length.
const MAX_KEPT_RATIO: usize = 4;

/// Bookkeeping for the buffer that a codec is called with. Only the codec takes bytes from that buffer.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Stream offset of the buffer's first byte.
    at: u64,
    /// Size in bytes of the allocation whose tail is the buffer.
    allocated: usize,
    /// The buffer's capacity after the last call. If it differs, the buffer has been reallocated.
    capacity: usize,
}

impl Buffer {
    /// Updates the bookkeeping at the start of a call.
    pub(super) fn enter(&mut self, src: &BytesMut) {
        if src.capacity() != self.capacity {
            (self.allocated, self.capacity) = (src.capacity(), src.capacity());
        }
    }

    /// Returns the stream offset of the buffer's first byte.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the stream offset after the buffer's last byte.
    pub(super) fn end(&self, src: &BytesMut) -> u64 {
        self.at + src.len() as u64
    }

    /// Returns the bytes from an offset on, which must be in the buffer or at its end.
    pub(super) fn from<'s>(&self, src: &'s BytesMut, offset: u64) -> &'s [u8] {
        &src[(offset - self.at) as usize..]
    }

    /// Releases the bytes before an offset.
    pub(super) fn release(&mut self, src: &mut BytesMut, offset: u64) {
        if let Some(count) = offset.checked_sub(self.at) {
            src.advance(count as usize);
            self.took(src, count);
        }
    }

    /// Splits off `len` bytes from an offset on, and releases the bytes before them. The result may share
    /// the buffer's allocation.
    pub(super) fn split(&mut self, src: &mut BytesMut, offset: u64, len: usize) -> BytesMut {
        self.release(src, offset);
        let bytes = src.split_to(len);
        self.took(src, len as u64);
        bytes
    }

    /// Splits off `len` bytes as `Bytes` that keep little else alive: copied if they are small.
    pub(super) fn take(&mut self, src: &mut BytesMut, offset: u64, len: usize) -> Bytes {
        if len.saturating_mul(MAX_KEPT_RATIO) >= self.allocated {
            return self.split(src, offset, len).freeze();
        }
        let bytes = owned(&self.from(src, offset)[..len]);
        self.release(src, offset + len as u64);
        bytes
    }

    fn took(&mut self, src: &BytesMut, count: u64) {
        self.at += count;
        self.capacity = src.capacity();
    }
}

/// Returns every pair of letters, in order: `AAABAC…`.
const fn pairs(first: u8) -> [u8; 2 * 26 * 26] {
    let mut letters = [0; 2 * 26 * 26];
    let mut pair = 0;
    while pair < 26 * 26 {
        letters[2 * pair] = first + (pair / 26) as u8;
        letters[2 * pair + 1] = first + (pair % 26) as u8;
        pair += 1;
    }
    letters
}

static UPPER: [u8; 2 * 26 * 26] = pairs(b'A');
static LOWER: [u8; 2 * 26 * 26] = pairs(b'a');

/// Returns the bytes from a table, or a copy. Identifiers and moves have one or two letters of one case.
#[inline(always)]
pub(super) fn owned(bytes: &[u8]) -> Bytes {
    match word(bytes) {
        Some(word) => Bytes::from_static(word),
        None => Bytes::copy_from_slice(bytes),
    }
}

/// Returns the static copy of the bytes, if a table has one.
#[inline(always)]
pub(super) fn word(bytes: &[u8]) -> Option<&'static [u8]> {
    let (first, second) = match *bytes {
        [first] => (first, first),
        [first, second] => (first, second),
        _ => return None,
    };
    let (table, base) = if first < b'a' { (&UPPER, b'A') } else { (&LOWER, b'a') };
    let (row, column) = (usize::from(first.wrapping_sub(base)), usize::from(second.wrapping_sub(base)));
    if row >= 26 || column >= 26 {
        return None;
    }
    table[2 * (26 * row + column)..].get(..bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_table_are_the_words() {
        for a in 0..=u8::MAX {
            assert_eq!(owned(&[a]), [a][..]);
            for b in 0..=u8::MAX {
                assert_eq!(owned(&[a, b]), [a, b][..]);
            }
        }
        for bytes in [&b""[..], b"abc"] {
            assert_eq!(owned(bytes), bytes);
        }
    }

    /// Checks that the whole allocation counts, even if little of it is left in the buffer.
    #[test]
    fn bytes_are_split_off_only_if_they_are_a_good_part_of_the_buffer() {
        let (mut src, mut buffer) = (BytesMut::with_capacity(1000), Buffer::default());
        src.extend_from_slice(&[b'x'; 900]);
        buffer.enter(&src);
        let start = src.as_ptr();
        let bytes = buffer.take(&mut src, 0, 249);
        assert!(bytes.as_ptr() < start || bytes.as_ptr() >= start.wrapping_add(1000), "copied");
        let bytes = buffer.take(&mut src, 300, 250);
        assert_eq!(bytes.as_ptr(), start.wrapping_add(300), "split off");
        buffer.enter(&src);
        let bytes = buffer.take(&mut src, 600, 249);
        assert!(bytes.as_ptr() < start || bytes.as_ptr() >= start.wrapping_add(1000), "copied");
        assert_eq!((buffer.at(), src.len()), (849, 51));

        // A new one, since the old one is in use.
        src.reserve(200);
        buffer.enter(&src);
        assert_eq!(buffer.allocated, src.capacity());
    }
}
