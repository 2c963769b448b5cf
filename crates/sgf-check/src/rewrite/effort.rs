//! The limit of reading in the repair of a piece.
//!
//! One repair can enable another, and each change is read again, so the number of readings is unknown beforehand.

use std::cell::Cell;

/// How often the bytes of a piece are read, at most. A piece that needs more is left unchanged.
///
/// Damaged real files take 59 at most, and the worst random one 161.
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

    /// Notes bytes that are about to be read.
    ///
    /// # Errors
    ///
    /// Fails if the limit is exceeded.
    pub(crate) fn spend(&self, bytes: usize) -> Result<(), TooManyReads> {
        self.0.set(self.0.get().checked_sub(bytes).ok_or(TooManyReads)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
