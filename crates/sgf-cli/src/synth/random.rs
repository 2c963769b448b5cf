//! Random numbers that are equal on all machines: SplitMix64, by Sebastiano Vigna.

pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `n` - 1.
    #[inline]
    pub(super) fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// Returns a number from `least` to `most`.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// Returns true with a probability of `in_10_000` / 10,000.
    #[inline]
    pub(super) fn chance(&mut self, in_10_000: u32) -> bool {
        self.below(10_000) < in_10_000
    }

    /// Returns one of `items`, which must not be empty.
    #[inline]
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}
