//! Sets of points as bits, and their packed form.
//!
//! The first point is the highest bit of the first word, and of the first byte of a packed set, as in `numpy.packbits` and
//! KataGo's files.

use sgf_board::Symmetry;

use crate::grid::Grid;

/// Returns the word of a point, and its bit.
fn place(at: u16) -> (usize, u64) {
    (usize::from(at) / 64, 1 << 63 >> (at % 64))
}

/// Adds or removes a point.
pub(crate) fn put(words: &mut [u64], at: u16, on: bool) {
    let (word, bit) = place(at);
    if on { words[word] |= bit } else { words[word] &= !bit }
}

/// Returns whether a set has a point.
pub(crate) fn has(words: &[u64], at: u16) -> bool {
    is_in(words[usize::from(at) / 64], at)
}

/// Returns whether a set has a point, from the word with the bit of the point.
pub(crate) fn is_in(word: u64, at: u16) -> bool {
    word & place(at).1 != 0
}

/// Calls a function with each point of a word of a set.
pub(crate) fn each(n: usize, mut word: u64, mut call: impl FnMut(u16)) {
    while word != 0 {
        let first = word.leading_zeros();
        call((n * 64) as u16 + first as u16);
        word &= !(1 << 63 >> first);
    }
}

/// Packs a set into zeroed bytes. It writes whole words, so up to seven zeros may follow the set.
pub(crate) fn pack(words: impl Iterator<Item = u64>, grid: &Grid, symmetry: Symmetry, packed: &mut [u8]) {
    if symmetry != Symmetry::IDENTITY {
        for (n, word) in words.enumerate() {
            each(n, word, |at| pack_point(grid.transformed(at, symmetry), packed));
        }
        return;
    }
    for (packed, word) in packed.as_chunks_mut().0.iter_mut().zip(words) {
        *packed = word.to_be_bytes();
    }
}

/// Adds a point to a packed set.
pub(crate) fn pack_point(at: u16, packed: &mut [u8]) {
    packed[usize::from(at) / 8] |= 0x80 >> (at % 8);
}

/// Replaces a packed set by the set of all points that it does not have.
pub(crate) fn invert(grid: &Grid, packed: &mut [u8]) {
    let packed = &mut packed[..grid.bytes()];
    packed.iter_mut().for_each(|byte| *byte = !*byte);
    let beyond = packed.len() * 8 - usize::from(grid.points());
    if let Some(last) = packed.last_mut() {
        *last &= 0xff << beyond;
    }
}

/// For each byte, its bits from the highest one.
static BITS: [[u8; 8]; 256] = {
    let mut bits = [[0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        bits[at / 8][at % 8] = ((at / 8) >> (7 - at % 8)) as u8 & 1;
        at += 1;
    }
    bits
};

/// Appends packed bits as bytes of 0 and 1.
pub(crate) fn unpack(packed: &[u8], points: usize, out: &mut Vec<u8>) {
    let (whole, rest) = packed.split_at(points / 8);
    whole.iter().for_each(|&byte| out.extend_from_slice(&BITS[usize::from(byte)]));
    rest.iter().for_each(|&byte| out.extend_from_slice(&BITS[usize::from(byte)][..points % 8]));
}
