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
pub(crate) const BLOCK: usize = 64;

/// 64 bytes, of which masks are made as they are needed: a mask costs about as much as all the rest.
#[derive(Clone, Copy)]
pub(crate) struct Block([u8x16; 4]);

impl Block {
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8; BLOCK]) -> Self {
        let mut lanes = [u8x16::ZERO; 4];
        for (lane, bytes) in lanes.iter_mut().zip(bytes.as_chunks::<16>().0) {
            *lane = u8x16::new(*bytes);
        }
        Block(lanes)
    }

    /// Where a byte is.
    #[inline(always)]
    pub(crate) fn equal(self, byte: u8) -> u64 {
        Block(self.0.map(|lane| lane.simd_eq(u8x16::splat(byte)))).high()
    }

    /// The same for a byte that most blocks do not have.
    #[inline(always)]
    pub(crate) fn equal_if_any(self, byte: u8) -> u64 {
        let [a, b, c, d] = self.0.map(|lane| lane.simd_eq(u8x16::splat(byte)));
        if (a | b | c | d).to_bitmask() == 0 { 0 } else { self.equal(byte) }
    }

    /// Where `(` and `)` are, which most blocks do not have: they differ in one bit.
    #[inline(always)]
    pub(crate) fn parens(self) -> (u64, u64) {
        let [a, b, c, d] = self.0.map(|lane| (lane | u8x16::splat(1)).simd_eq(u8x16::splat(b')')));
        if (a | b | c | d).to_bitmask() == 0 { (0, 0) } else { (self.equal(b'('), self.equal(b')')) }
    }

    /// Where bytes are not ASCII: a mask is made of the highest bits.
    #[inline(always)]
    pub(crate) fn high(self) -> u64 {
        let [a, b, c, d] = self.0.map(|lane| u64::from(lane.to_bitmask()));
        a | b << 16 | c << 32 | d << 48
    }
}

/// What is known at the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Carry {
    /// The next byte lies inside a value: 0 or 1.
    pub(crate) inside: u64,
    /// The next byte is hidden by a backslash: 0 or 1. Outside of values that means nothing.
    pub(crate) hidden: u64,
}

impl Carry {
    /// Which bytes of the next block lie inside a value, given where its `[` and `]` are; a `[` that opens
    /// one does not, the `]` that ends it does.
    #[inline(always)]
    pub(crate) fn inside(&mut self, block: Block, open: u64, close: u64) -> u64 {
        let stops = close & !self.hidden(block.equal_if_any(b'\\'));
        let passes = open | !stops;
        let (sum, one) = passes.overflowing_add(open);
        let (sum, other) = sum.overflowing_add(self.inside);
        self.inside = u64::from(one | other);
        sum ^ passes ^ open
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
                .map(Block::of)
                .map(|block| carry.inside(block, block.equal(b'['), block.equal(b']')))
                .flat_map(|mask| (0..BLOCK).map(move |bit| mask >> bit & 1 == 1))
                .collect();
            inside == model(&bytes)
        }
        QuickCheck::new().tests(20_000).quickcheck(same as fn(Vec<u8>, usize) -> bool);
    }

    #[test]
    fn each_byte_has_its_bit() {
        for bit in 0..BLOCK {
            let block = |byte| {
                let mut block = [b'a'; BLOCK];
                block[bit] = byte;
                Block::of(&block)
            };
            assert_eq!(block(b'[').equal(b'['), 1 << bit);
            assert_eq!(block(b'\\').equal_if_any(b'\\'), 1 << bit);
            assert_eq!(block(b'\\').equal_if_any(b'['), 0);
            assert_eq!(block(b'(').parens(), (1 << bit, 0));
            assert_eq!(block(b')').parens(), (0, 1 << bit));
            assert_eq!(block(b'*').parens(), (0, 0));
            assert_eq!(block(0x80).high(), 1 << bit);
        }
    }
}
