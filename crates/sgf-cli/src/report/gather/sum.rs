//! Sums that add up.

use std::collections::BTreeMap;

/// Something that adds up.
pub(in crate::report) trait Sum {
    /// Adds the sum of later games.
    fn add(&mut self, later: Self);
}

/// Implements [`Sum`] for a struct: field by field, so that none is forgotten.
macro_rules! add_fields {
    ($($type:ident { $($field:ident),+ $(,)? })+) => {$(
        impl Sum for $type {
            fn add(&mut self, later: Self) {
                let $type { $($field),+ } = later;
                $(self.$field.add($field);)+
            }
        }
    )+};
}

pub(in crate::report) use add_fields;

macro_rules! add_numbers {
    ($($type:ty),+) => {$(
        impl Sum for $type {
            fn add(&mut self, later: Self) {
                *self += later;
            }
        }
    )+};
}

add_numbers!(u32, u64);

impl Sum for sgf_search::Openings {
    fn add(&mut self, later: Self) {
        self.merge(later);
    }
}

/// The sum of nothing is `None`.
impl<T: Sum> Sum for Option<T> {
    fn add(&mut self, later: Self) {
        match (&mut *self, later) {
            (Some(sum), Some(more)) => sum.add(more),
            (None, later) => *self = later,
            (Some(_), None) => {}
        }
    }
}

impl<T: Sum, const N: usize> Sum for [T; N] {
    fn add(&mut self, later: Self) {
        self.iter_mut().zip(later).for_each(|(sum, more)| sum.add(more));
    }
}

/// A list that is shorter than another lacks sums of 0.
impl<T: Sum + Default> Sum for Vec<T> {
    fn add(&mut self, later: Self) {
        if self.len() < later.len() {
            self.resize_with(later.len(), T::default);
        }
        self.iter_mut().zip(later).for_each(|(sum, more)| sum.add(more));
    }
}

impl<K: Ord, T: Sum + Default> Sum for BTreeMap<K, T> {
    fn add(&mut self, later: Self) {
        later.into_iter().for_each(|(key, more)| self.entry(key).or_default().add(more));
    }
}
