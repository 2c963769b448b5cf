//! Blocks of 64 bytes as bit masks: which bytes are brackets, and which are inside a value.
//!
//! Bit `i` of a mask refers to byte `i` of the block. "Inside a value" is a latch: `[` sets it, an unescaped `]`
//! resets it, and setting it again has no effect. One addition computes it for a whole block. Read a carry into a bit
//! as "inside": `[` generates one, `]` stops one, and every other byte passes it on. Add the mask of bytes that pass
//! or generate a carry to the mask of those that generate one; wherever the sum differs from the sum without carries,
//! there was a carry. The carry out of the block is the carry into the next.
//!
//! Outside values a backslash is junk and escapes nothing; so `[` is never masked by escapes, and it does not matter
//! whether a `]` outside is escaped.

use fearless_simd::prelude::*;
use fearless_simd::{i8x64, u8x64};

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// A block of 64 bytes. Masks are computed on demand, since one mask costs about as much as everything else.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd>(u8x64<S>);

impl<S: Simd> Block<S> {
    #[inline(always)]
    pub(crate) fn of(simd: S, bytes: &[u8; BLOCK]) -> Self {
        Block(u8x64::load_array_ref(simd, bytes))
    }

    /// Returns the mask of a byte.
    #[inline(always)]
    pub(crate) fn equal(self, byte: u8) -> u64 {
        self.0.simd_eq(byte).to_bitmask()
    }

    /// Returns the mask of the bytes in a range.
    #[inline(always)]
    pub(crate) fn between(self, first: u8, last: u8) -> u64 {
        (self.0.simd_ge(first) & self.0.simd_le(last)).to_bitmask()
    }

    /// Returns the mask of a byte that most blocks do not contain. It branches, because the branch is well predicted.
    #[inline(always)]
    pub(crate) fn equal_if_any(self, byte: u8) -> u64 {
        let equal = self.0.simd_eq(byte);
        if equal.any_true() { equal.to_bitmask() } else { 0 }
    }

    /// Returns whether the block contains `(` or `)`, which differ in one bit.
    #[inline(always)]
    pub(crate) fn has_parens(self) -> bool {
        (self.0 | 1).simd_eq(b')').any_true()
    }

    /// Returns whether the block contains a backslash, `(` or `)`, which most blocks do not.
    #[inline(always)]
    pub(crate) fn has_rare(self) -> bool {
        ((self.0 | 1).simd_eq(b')') | self.0.simd_eq(b'\\')).any_true()
    }

    /// Returns the masks of `(` and `)`, which most blocks do not contain.
    #[inline(always)]
    pub(crate) fn parens(self) -> (u64, u64) {
        if self.has_parens() { (self.equal(b'('), self.equal(b')')) } else { (0, 0) }
    }

    /// Returns the mask of the non-ASCII bytes.
    #[inline(always)]
    pub(crate) fn high(self) -> u64 {
        self.0.bitcast::<i8x64<S>>().simd_lt(0).to_bitmask()
    }
}

/// The state at the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockCarry {
    /// Whether the next byte is inside a value: 0 or 1.
    pub(crate) inside: u64,
    /// Whether the next byte is escaped: 0 or 1. Meaningless outside values.
    pub(crate) hidden: u64,
}

impl BlockCarry {
    /// Processes a block without backslashes if `[` and `]` alternate in it, as they nearly always do. Otherwise
    /// returns false and changes nothing.
    ///
    /// If they alternate, the bytes from each `[` to before its `]` are a difference of masks: a `]` minus its `[`.
    /// If they do not, that difference has a bit at a `]`, or none at a `[`.
    #[inline(always)]
    pub(crate) fn pass_turns(&mut self, open: u64, close: u64) -> bool {
        let inside = close.wrapping_sub(open).wrapping_sub(self.inside);
        let takes_turns = ((inside & (open | close)) ^ open) | self.hidden == 0;
        if takes_turns {
            self.inside = inside >> 63;
        }
        takes_turns
    }

    /// Returns the mask of the next block's bytes that are inside a value. `open` and `close` are the masks of `[`
    /// and `]`. The `[` that opens a value is outside, the `]` that ends it is inside.
    #[inline(always)]
    pub(crate) fn inside<S: Simd>(&mut self, block: Block<S>, open: u64, close: u64) -> u64 {
        let stops = close & !self.hidden(block.equal_if_any(b'\\'));
        let passes = open | !stops;
        let (sum, one) = passes.overflowing_add(open);
        let (sum, other) = sum.overflowing_add(self.inside);
        self.inside = u64::from(one | other);
        sum ^ passes ^ open
    }

    /// Returns the mask of the escaped bytes, which follow an odd number of backslashes. In a run that starts at an
    /// even bit these are the odd bits, and vice versa; a subtraction carries through each run from its start and
    /// flips the bits of one parity.
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
    use quickcheck::holds;

    use super::*;
    use crate::syntax::simd::SimdLevel;

    /// Computes byte by byte which bytes are inside a value.
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
        holds(20_000, same as fn(Vec<u8>, usize) -> bool);
    }

    #[test]
    fn blocks_are_passed_where_brackets_take_turns() {
        fn same(bytes: Vec<u8>, inside: bool) -> bool {
            const ALPHABET: &[u8] = b"[]aaa";
            let byte = |n| bytes.get(n).map_or(b'a', |&byte| ALPHABET[usize::from(byte) % ALPHABET.len()]);
            let block: [u8; BLOCK] = std::array::from_fn(byte);
            let mask = |of| (0..BLOCK).filter(|&bit| block[bit] == of).map(|bit| 1 << bit).sum::<u64>();
            let (mut is_inside, mut takes_turns) = (inside, true);
            for byte in block {
                takes_turns &= byte != if is_inside { b'[' } else { b']' };
                is_inside = if byte == b'a' { is_inside } else { byte == b'[' };
            }
            let before = BlockCarry { inside: inside.into(), hidden: 0 };
            let (mut carry, mut hidden) = (before, BlockCarry { hidden: 1, ..before });
            let passed = carry.pass_turns(mask(b'['), mask(b']'));
            let after = BlockCarry { inside: is_inside.into(), hidden: 0 };
            passed == takes_turns
                && carry == if takes_turns { after } else { before }
                && !hidden.pass_turns(mask(b'['), mask(b']'))
        }
        holds(50_000, same as fn(Vec<u8>, bool) -> bool);
        for turns in [&b"[a]"[..], b"[]", b"[aaaa]aa", b"]a[aa"] {
            let bytes: Vec<u8> = turns.iter().copied().cycle().take(BLOCK).collect();
            let picks = bytes.iter().map(|byte| b"[]a".iter().position(|of| of == byte).unwrap_or(2) as u8).collect();
            assert!(same(picks, turns[0] == b']'));
        }
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
        assert_eq!([b'A', b'B', b'Z', b'['].map(|byte| block(byte).between(b'B', b'Z')), [0, 1 << bit, 1 << bit, 0]);
        assert!(block(b'(').has_rare() && block(b')').has_rare() && block(b'\\').has_rare() && !block(b'[').has_rare());
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
