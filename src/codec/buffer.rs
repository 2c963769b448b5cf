//! The read buffer: where it stands in the stream, and how pieces of it become `Bytes`.
//!
//! A `Bytes` that is split off a buffer copies nothing, and keeps the whole buffer alive as long as it
//! lives. For a move of two bytes that would be a bad bargain, so a piece is split off only if it is
//! a good part of the buffer; other pieces are copied. Those that most events are made of, one or two
//! letters, are neither: they point into a table.

use bytes::{Buf, Bytes, BytesMut};

/// A piece that is split off keeps at most so many times its own length alive.
const MOST_KEPT: usize = 4;

/// What a codec knows of the buffer that it is called with. Nobody else takes bytes from it.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Offset in the stream of the buffer's first byte.
    at: u64,
    /// How many bytes the allocation has that the buffer is the end of.
    allocated: usize,
    /// The buffer's capacity when we were done with it. Another one says that it has moved.
    capacity: usize,
}

impl Buffer {
    /// To be called first, with the buffer as it comes.
    pub(super) fn enter(&mut self, src: &BytesMut) {
        if src.capacity() != self.capacity {
            (self.allocated, self.capacity) = (src.capacity(), src.capacity());
        }
    }

    /// Offset in the stream of the buffer's first byte.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Offset behind the buffer's last byte.
    pub(super) fn end(&self, src: &BytesMut) -> u64 {
        self.at + src.len() as u64
    }

    /// The bytes from an offset on, which is in the buffer or at its end.
    pub(super) fn from<'s>(&self, src: &'s BytesMut, offset: u64) -> &'s [u8] {
        &src[(offset - self.at) as usize..]
    }

    /// Lets go of what is in front of an offset.
    pub(super) fn release(&mut self, src: &mut BytesMut, offset: u64) {
        if let Some(count) = offset.checked_sub(self.at) {
            src.advance(count as usize);
            self.took(src, count);
        }
    }

    /// Takes the bytes from an offset on, and lets go of what is in front of them. They may go on
    /// living with the buffer.
    pub(super) fn split(&mut self, src: &mut BytesMut, offset: u64, len: usize) -> BytesMut {
        self.release(src, offset);
        let piece = src.split_to(len);
        self.took(src, len as u64);
        piece
    }

    /// The same as `Bytes` that keep little else alive.
    pub(super) fn take(&mut self, src: &mut BytesMut, offset: u64, len: usize) -> Bytes {
        if len.saturating_mul(MOST_KEPT) >= self.allocated {
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

/// Every pair of letters, in order: `AAABAC…`.
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

/// A copy, or a piece of a table: identifiers and moves have one or two letters of one case.
#[inline(always)]
pub(super) fn owned(bytes: &[u8]) -> Bytes {
    match word(bytes) {
        Some(word) => Bytes::from_static(word),
        None => Bytes::copy_from_slice(bytes),
    }
}

/// The same bytes in a table, if they are in one.
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

    /// An allocation counts whole, however little of it is left to the buffer.
    #[test]
    fn a_piece_is_split_off_only_if_it_is_a_good_part_of_the_buffer() {
        let (mut src, mut buffer) = (BytesMut::with_capacity(1000), Buffer::default());
        src.extend_from_slice(&[b'x'; 900]);
        buffer.enter(&src);
        let start = src.as_ptr();
        let piece = buffer.take(&mut src, 0, 249);
        assert!(piece.as_ptr() < start || piece.as_ptr() >= start.wrapping_add(1000), "copied");
        let piece = buffer.take(&mut src, 300, 250);
        assert_eq!(piece.as_ptr(), start.wrapping_add(300), "split off");
        buffer.enter(&src);
        let piece = buffer.take(&mut src, 600, 249);
        assert!(piece.as_ptr() < start || piece.as_ptr() >= start.wrapping_add(1000), "copied");
        assert_eq!((buffer.at(), src.len()), (849, 51));

        // A new one, since the old one is in use.
        src.reserve(200);
        buffer.enter(&src);
        assert_eq!(buffer.allocated, src.capacity());
    }
}
