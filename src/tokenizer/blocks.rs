//! Blocks of 64 bytes as bit masks: which bytes are brackets, and which lie inside a value.
//!
//! Bit `i` of a mask is about byte `i` of the block. "Inside a value" is a latch: `[` sets it, a
//! `]` that no backslash hides resets it, and setting it again changes nothing. One addition works
//! it out for a whole block. Read a carry into a bit as "inside": `[` generates one, `]` stops one,
//! and every other byte passes it on; so add a number with the bits that pass or generate to one
//! with those that generate, and where the sum differs from what it would be without carries, there
//! was one. The carry out of the block is the carry into the next.
//!
//! Outside of values a backslash is junk, and hides nothing; so `[` is never masked by escapes, and
//! whether a `]` outside is hidden does not matter.

use wide::u8x16;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// Which bytes of a block are which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Masks {
    pub(super) open: u64,
    pub(super) close: u64,
    pub(super) backslash: u64,
    pub(super) open_paren: u64,
    pub(super) close_paren: u64,
    pub(super) semicolon: u64,
    /// Not ASCII.
    pub(super) high: u64,
}

impl Masks {
    #[inline(always)]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        let mut lanes = [u8x16::ZERO; 4];
        for (lane, bytes) in lanes.iter_mut().zip(block.as_chunks::<16>().0) {
            *lane = u8x16::new(*bytes);
        }
        let mask = |test: &dyn Fn(u8x16) -> u8x16| {
            lanes.iter().rev().fold(0, |mask, &lane| mask << 16 | u64::from(test(lane).to_bitmask()))
        };
        let equal = |byte: u8| mask(&|lane| lane.simd_eq(u8x16::splat(byte)));
        Masks {
            open: equal(b'['),
            close: equal(b']'),
            backslash: equal(b'\\'),
            open_paren: equal(b'('),
            close_paren: equal(b')'),
            semicolon: equal(b';'),
            high: mask(&|lane| lane), // the mask is made of the highest bits
        }
    }
}

/// What is known at the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Carry {
    /// The next byte lies inside a value: 0 or 1.
    pub(super) inside: u64,
    /// The next byte is hidden by a backslash: 0 or 1.
    hidden: u64,
}

impl Carry {
    /// Which bytes of the next block lie inside a value; a `[` that opens one does not, the `]` that
    /// ends it does.
    #[inline(always)]
    pub(super) fn inside(&mut self, masks: &Masks) -> u64 {
        let stops = masks.close & !self.hidden(masks.backslash);
        let passes = masks.open | !stops;
        let (sum, one) = passes.overflowing_add(masks.open);
        let (sum, other) = sum.overflowing_add(self.inside);
        self.inside = u64::from(one | other);
        sum ^ passes ^ masks.open
    }

    /// Which bytes are hidden by a backslash: those behind an odd number of them. In a run that
    /// starts at an even bit these are the odd bits, and the other way round; a subtraction carries
    /// through each run from its start, and flips the bits of one parity on the way.
    #[inline(always)]
    fn hidden(&mut self, backslash: u64) -> u64 {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        if backslash == 0 {
            return std::mem::take(&mut self.hidden);
        }
        let starts = backslash & !self.hidden;
        let ends = ((starts << 1 | ODD).wrapping_sub(starts)) ^ ODD;
        let hidden = ends ^ (backslash | self.hidden);
        self.hidden = (ends & backslash) >> 63;
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;

    /// Byte by byte.
    fn model(bytes: &[u8]) -> Vec<bool> {
        let (mut inside, mut hidden) = (false, false);
        let mut all = Vec::new();
        for &byte in bytes {
            all.push(inside);
            match byte {
                b'[' => (inside, hidden) = (true, false),
                b'\\' if inside => hidden = !hidden,
                b']' if !hidden => inside = false,
                _ => hidden = false,
            }
        }
        all
    }

    #[test]
    fn the_latch_is_what_reading_byte_by_byte_gives() {
        fn same(picks: Vec<u8>, blocks: usize) -> bool {
            const ALPHABET: &[u8] = b"[[[]]]\\\\\\\\()a\xFF";
            let len = BLOCK * (1 + blocks % 4);
            let pick = |n: usize| {
                picks.get(n % picks.len().max(1)).map_or(b'[', |&p| ALPHABET[usize::from(p) % ALPHABET.len()])
            };
            let bytes: Vec<u8> = (0..len).map(pick).collect();
            let mut carry = Carry::default();
            let inside: Vec<bool> = (bytes.as_chunks::<BLOCK>().0.iter())
                .map(|block| carry.inside(&Masks::of(block)))
                .flat_map(|mask| (0..BLOCK).map(move |bit| mask >> bit & 1 == 1))
                .collect();
            inside == model(&bytes)
        }
        QuickCheck::new().tests(20_000).quickcheck(same as fn(Vec<u8>, usize) -> bool);
    }

    #[test]
    fn each_byte_has_its_bit_in_each_mask() {
        for bit in 0..BLOCK {
            let masks = |byte| {
                let mut block = [b'a'; BLOCK];
                block[bit] = byte;
                Masks::of(&block)
            };
            let none = Masks { open: 0, close: 0, backslash: 0, open_paren: 0, close_paren: 0, semicolon: 0, high: 0 };
            assert_eq!(masks(b'['), Masks { open: 1 << bit, ..none });
            assert_eq!(masks(b']'), Masks { close: 1 << bit, ..none });
            assert_eq!(masks(b'\\'), Masks { backslash: 1 << bit, ..none });
            assert_eq!(masks(b'('), Masks { open_paren: 1 << bit, ..none });
            assert_eq!(masks(b')'), Masks { close_paren: 1 << bit, ..none });
            assert_eq!(masks(b';'), Masks { semicolon: 1 << bit, ..none });
            assert_eq!(masks(0x80), Masks { high: 1 << bit, ..none });
        }
    }
}
