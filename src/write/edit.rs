//! Edits of bytes: those of a [`Splicer`](super::Splicer), and the repairs of the package `sgf-check`.

use std::ops::Range;

/// A replacement of some bytes of a source; an insertion if the range is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new bytes.
    pub with: Vec<u8>,
}

impl Edit {
    /// Creates an insertion.
    pub fn insert(at: usize, with: impl Into<Vec<u8>>) -> Self {
        Edit { range: at..at, with: with.into() }
    }

    /// Returns a key for putting edits in the order of the source.
    ///
    /// An insertion comes before a removal at the same place. The sort must be stable.
    pub fn place(&self) -> (usize, usize) {
        (self.range.start, self.range.end)
    }
}

/// Returns a copy of the source with these edits.
///
/// They are in order and do not overlap.
pub fn apply<'e>(source: &[u8], edits: impl Iterator<Item = &'e Edit>) -> Vec<u8> {
    let (mut bytes, mut at) = (Vec::with_capacity(source.len() + 16), 0);
    for edit in edits {
        bytes.extend_from_slice(&source[at..edit.range.start]);
        bytes.extend_from_slice(&edit.with);
        at = edit.range.end;
    }
    bytes.extend_from_slice(&source[at..]);
    bytes
}
