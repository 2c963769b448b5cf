//! Random numbers that depend on a seed alone, so that a run can be repeated and resumed.

/// A generator of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
///
/// It is not for secrets.
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator. Different lists of numbers give independent generators.
    pub(crate) fn new(seeds: &[u64]) -> Self {
        Random(seeds.iter().fold(0x5347_4621, |state, &seed| mix(state ^ mix(seed))))
    }

    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below a bound, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The high half of the product; its bias is below 2^-32 for bounds of 32 bits.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Shuffles the first `count` places of a list: each gets one of the items from it on.
    pub(crate) fn shuffle_first<T>(&mut self, items: &mut [T], count: usize) {
        for at in 0..count.min(items.len()) {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
    }

    /// Shuffles a list.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.shuffle_first(items, items.len());
    }
}

/// Mixes the bits of a number, one to one.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Returns a hash of bytes: FNV-1a.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        // From the reference implementation, with the state 0.
        let mut random = Random(0);
        assert_eq!([random.next(), random.next()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        let mut items: Vec<usize> = (0..1000).collect();
        Random::new(&[1, 2]).shuffle(&mut items);
        let first = items.clone();
        items.sort_unstable();
        assert!(items.iter().enumerate().all(|(at, item)| at == *item) && first != items);
    }
}
