//! Blocks of 64 bytes as bit masks: which bytes are brackets, and which lie inside a value.
//!
//! Bit `i` of a mask is about byte `i` of the block. "Inside a value" is a latch: `[` sets it, a
//! `]` that no backslash hides resets it, and setting it again changes nothing. One addition
//! computes it for a whole block. Read a carry into a bit as "inside": `[` generates one, `]` stops one,
//! and every other byte passes it on; so add a number with the bits that pass or generate to one
//! with those that generate, and where the sum differs from what it would be without carries, there
//! was one. The carry out of the block is the carry into the next.
//!
//! Outside of values a backslash is junk, and hides nothing; so `[` is never masked by escapes, and
//! whether a `]` outside is hidden does not matter.

use fearless_simd::prelude::*;
use fearless_simd::{i8x64, u8x64};

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// 64 bytes, of which masks are made as they are needed: a mask costs about as much as all the rest.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd>(u8x64<S>);

impl<S: Simd> Block<S> {
    #[inline(always)]
    pub(crate) fn of(simd: S, bytes: &[u8; BLOCK]) -> Self {
        Block(u8x64::load_array_ref(simd, bytes))
    }

    /// Where a byte is.
    #[inline(always)]
    pub(crate) fn equal(self, byte: u8) -> u64 {
        self.0.simd_eq(byte).to_bitmask()
    }

    /// Where a byte is that most blocks do not have. A branch, because it is well predicted.
    #[inline(always)]
    pub(crate) fn equal_if_any(self, byte: u8) -> u64 {
        let equal = self.0.simd_eq(byte);
        if equal.any_true() { equal.to_bitmask() } else { 0 }
    }

    /// Whether there is a `(` or a `)`: they differ in one bit.
    #[inline(always)]
    pub(crate) fn has_parens(self) -> bool {
        (self.0 | 1).simd_eq(b')').any_true()
    }

    /// Where `(` and `)` are, which most blocks do not have.
    #[inline(always)]
    pub(crate) fn parens(self) -> (u64, u64) {
        if self.has_parens() { (self.equal(b'('), self.equal(b')')) } else { (0, 0) }
    }

    /// Where bytes are not ASCII.
    #[inline(always)]
    pub(crate) fn high(self) -> u64 {
        self.0.bitcast::<i8x64<S>>().simd_lt(0).to_bitmask()
    }
}

/// The state at the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockCarry {
    /// The next byte lies inside a value: 0 or 1.
    pub(crate) inside: u64,
    /// The next byte is hidden by a backslash: 0 or 1. Outside of values that means nothing.
    pub(crate) hidden: u64,
}

impl BlockCarry {
    /// Which bytes of the next block lie inside a value, given where its `[` and `]` are; a `[` that opens
    /// one does not, the `]` that ends it does.
    #[inline(always)]
    pub(crate) fn inside<S: Simd>(&mut self, block: Block<S>, open: u64, close: u64) -> u64 {
        let stops = close & !self.hidden(block.equal_if_any(b'\\'));
        let passes = open | !stops;
        let (sum, one) = passes.overflowing_add(open);
        let (sum, other) = sum.overflowing_add(self.inside);
        self.inside = u64::from(one | other);
        sum ^ passes ^ open
    }

    /// Which bytes are hidden by a backslash: those after an odd number of them. In a run that
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
    use fearless_simd::dispatch;
    use quickcheck::QuickCheck;

    use super::*;
    use crate::syntax::simd::SimdLevel;

    /// Which bytes lie inside a value, one by one.
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

    #[inline(always)]
    fn insides<S: Simd>(simd: S, bytes: &[u8]) -> Vec<bool> {
        let mut carry = BlockCarry::default();
        (bytes.as_chunks::<BLOCK>().0.iter())
            .map(|bytes| Block::of(simd, bytes))
            .map(|block| carry.inside(block, block.equal(b'['), block.equal(b']')))
            .flat_map(|mask| (0..BLOCK).map(move |bit| mask >> bit & 1 == 1))
            .collect()
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
            let model = model(&bytes);
            SimdLevel::all().into_iter().all(|level| dispatch!(level.0, simd => insides(simd, &bytes)) == model)
        }
        QuickCheck::new().tests(20_000).quickcheck(same as fn(Vec<u8>, usize) -> bool);
    }

    #[inline(always)]
    fn check_bit<S: Simd>(simd: S, bit: usize) {
        let block = |byte| {
            let mut block = [b'a'; BLOCK];
            block[bit] = byte;
            Block::of(simd, &block)
        };
        assert_eq!(block(b'[').equal(b'['), 1 << bit);
        assert_eq!(block(b'\\').equal_if_any(b'\\'), 1 << bit);
        assert_eq!(block(b'\\').equal_if_any(b'['), 0);
        assert_eq!(block(b'(').parens(), (1 << bit, 0));
        assert_eq!(block(b')').parens(), (0, 1 << bit));
        assert_eq!(block(b'*').parens(), (0, 0));
        assert_eq!(block(0x80).high(), 1 << bit);
    }

    #[test]
    fn each_byte_has_its_bit_at_every_level() {
        for level in SimdLevel::all() {
            for bit in 0..BLOCK {
                dispatch!(level.0, simd => check_bit(simd, bit));
            }
        }
    }
}
