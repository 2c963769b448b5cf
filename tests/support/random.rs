//! Random choices from a seed, for the laws about archives of the command and of SQL.

/// Numbers from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// Returns an item of a list.
    pub(crate) fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}
