//! Tables of bounded size that keep what counts most.

use std::collections::HashMap;
use std::hash::Hash;

use super::sum::Sum;

/// A sum with a number by which it is kept.
pub(in crate::report) trait Weighted: Sum {
    /// Number of times that the key came.
    fn weight(&self) -> u64;
}

impl Weighted for u64 {
    fn weight(&self) -> u64 {
        *self
    }
}

impl<const N: usize> Weighted for [u64; N] {
    fn weight(&self) -> u64 {
        self[0]
    }
}

/// Sums by key. When there are too many keys, those with the least weight are dropped, whatever their order: so the table
/// does not depend on the hash. A sum that stays may lack what was dropped before it came again.
#[derive(Debug)]
pub(in crate::report) struct Top<K, V> {
    sums: HashMap<K, V>,
    max: usize,
    /// Number of keys that were dropped; one that came again counts again.
    dropped: u64,
    /// The greatest weight that a sum may lack.
    lacks: u64,
}

impl<K: Hash + Eq, V: Weighted> Top<K, V> {
    pub(in crate::report) fn new(max: usize) -> Self {
        Top { sums: HashMap::new(), max, dropped: 0, lacks: 0 }
    }

    /// Adds to the sum of a key.
    pub(in crate::report) fn count(&mut self, key: K, value: V) {
        match self.sums.get_mut(&key) {
            Some(sum) => sum.add(value),
            None => {
                self.sums.insert(key, value);
                self.prune();
            }
        }
    }

    /// The sum of a key that is known.
    pub(in crate::report) fn get_mut<Q: ?Sized + Hash + Eq>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.sums.get_mut(key)
    }

    fn prune(&mut self) {
        if self.sums.len() <= self.max {
            return;
        }
        let mut weights: Vec<u64> = self.sums.values().map(Weighted::weight).collect();
        let middle = weights.len() - self.max / 2;
        let (_, least, _) = weights.select_nth_unstable(middle.min(self.sums.len() - 1));
        let least = *least;
        let before = self.sums.len();
        self.sums.retain(|_, sum| sum.weight() > least);
        self.dropped += (before - self.sums.len()) as u64;
        self.lacks += least;
    }

    pub(in crate::report) fn len(&self) -> usize {
        self.sums.len()
    }

    pub(in crate::report) fn get<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.sums.get(key)
    }

    /// A sentence that says what is missing; nothing if the table is complete.
    pub(in crate::report) fn limit(&self, what: &str) -> Option<String> {
        (self.dropped > 0).then(|| {
            format!(
                "There are more {what} than the table of {} holds: the rarest were dropped, and a number may be up to {} too low.",
                self.max, self.lacks
            )
        })
    }

    pub(in crate::report) fn is_complete(&self) -> bool {
        self.dropped == 0
    }
}

impl<K: Hash + Eq, V: Weighted> Sum for Top<K, V> {
    fn add(&mut self, later: Self) {
        self.dropped += later.dropped;
        self.lacks += later.lacks;
        // All of it first, so that what is dropped does not depend on an order.
        for (key, value) in later.sums {
            match self.sums.get_mut(&key) {
                Some(sum) => sum.add(value),
                None => _ = self.sums.insert(key, value),
            }
        }
        self.prune();
    }
}

impl<K: Hash + Eq + Ord, V: Weighted> Top<K, V> {
    /// All sums, the greatest first; equal ones by key.
    pub(in crate::report) fn sorted(&self) -> Vec<(&K, &V)> {
        let mut all: Vec<_> = self.sums.iter().collect();
        all.sort_by(|one, other| other.1.weight().cmp(&one.1.weight()).then_with(|| one.0.cmp(other.0)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn sums_are_right_up_to_what_they_say(keys: Vec<u8>) -> bool {
            let mut top = Top::new(16);
            let mut exact = HashMap::<u8, u64>::new();
            for part in keys.chunks(7) {
                let mut of_part = Top::new(16);
                for key in part {
                    of_part.count(*key, 1);
                    *exact.entry(*key).or_default() += 1;
                }
                top.add(of_part);
            }
            top.len() <= 16 && exact.iter().all(|(key, count)| {
                let kept = top.get(key).copied().unwrap_or(0);
                kept <= *count && count - kept <= top.lacks
            })
        }
    }
}
