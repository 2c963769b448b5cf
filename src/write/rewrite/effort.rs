//! How much reading the repair of a piece may take.
//!
//! One repair can make room for another, and each change is read again, so nobody knows beforehand how often a piece is read.

use std::cell::Cell;

/// How often the bytes of a piece are read, at most. A piece that needs more stays as it is.
///
/// Damaged real files take 59 at most, and the worst that a search by chance has found 161.
pub(super) const MOST_READS: usize = 256;

/// The bytes that may still be read to repair a piece.
#[derive(Debug)]
pub(crate) struct Effort(Cell<usize>);

/// The repair of a piece takes more reading than is allowed.
#[derive(Debug)]
pub(crate) struct TooManyReads;

impl Effort {
    /// So many readings of a piece of this length.
    pub(crate) fn of(reads: usize, len: usize) -> Self {
        Effort(Cell::new(reads * len))
    }

    /// Takes note of bytes that are about to be read.
    ///
    /// # Errors
    ///
    /// Fails if they are too many.
    pub(crate) fn spend(&self, bytes: usize) -> Result<(), TooManyReads> {
        self.0.set(self.0.get().checked_sub(bytes).ok_or(TooManyReads)?);
        Ok(())
    }
}

#[cfg(all(test, feature = "check"))]
mod tests;
