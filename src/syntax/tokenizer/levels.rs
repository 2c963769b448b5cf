//! The open trees.
//!
//! SGF has one kind of bracket, so a counter is enough for well-formed input. Two repairs need more: a tree without
//! nodes has a bracket but no tree (it is *promoted*), and a node after a variation opens a tree without a bracket
//! (it is *implied*). From the first such level on, and only while it is open, each level is stored in a byte.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// A bracket and a tree.
    Tree,
    /// A bracket without a tree.
    Promoted,
    /// A tree without a bracket, which ends with its enclosing tree.
    Implied,
}

#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// Ordinary trees below the first repair.
    plain: usize,
    /// Levels from the first repair on.
    repaired: Vec<Level>,
    /// Number of promoted levels among these. Counted, since it is needed at every bracket that is skipped.
    promoted: usize,
    implied: usize,
}

impl Levels {
    /// Returns the number of levels of any kind, to which the nesting limit applies.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.plain + self.repaired.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.plain == 0 // a repair stands in a tree
    }

    /// Returns the number of `StartTree` events without their `EndTree` so far.
    #[inline]
    pub(crate) fn trees(&self) -> usize {
        self.count() - self.promoted
    }

    /// Returns the number of `(` without their `)` so far.
    #[inline]
    pub(crate) fn brackets(&self) -> usize {
        self.count() - self.implied
    }

    #[inline]
    pub(crate) fn open(&mut self) {
        if self.repaired.is_empty() {
            self.plain += 1;
        } else {
            self.repaired.push(Level::Tree);
        }
    }

    pub(crate) fn open_promoted(&mut self) {
        self.repaired.push(Level::Promoted);
        self.promoted += 1;
    }

    pub(crate) fn open_implied(&mut self) {
        self.repaired.push(Level::Implied);
        self.implied += 1;
    }

    /// Returns whether the innermost bracket is a tree without nodes. A node here belongs to no open sequence.
    #[inline]
    pub(crate) fn in_promoted(&self) -> bool {
        self.repaired.last() == Some(&Level::Promoted)
    }

    /// Closes the innermost bracket at a `)`; returns how many trees end with it.
    #[inline]
    pub(crate) fn close(&mut self) -> usize {
        let mut ends = 0;
        while let Some(level) = self.pop_repaired() {
            match level {
                Level::Implied => ends += 1,
                Level::Tree => return ends + 1,
                Level::Promoted => return ends,
            }
        }
        debug_assert!(self.plain > 0);
        self.plain -= 1;
        ends + 1
    }

    /// Removes the innermost tree, which gets no more events. Returns whether it has no bracket of its own.
    pub(crate) fn forget_tree(&mut self) -> bool {
        match self.pop_repaired() {
            Some(level) => level == Level::Implied,
            None => {
                self.plain -= 1;
                false
            }
        }
    }

    #[inline]
    fn pop_repaired(&mut self) -> Option<Level> {
        let level = self.repaired.pop()?;
        match level {
            Level::Tree => {}
            Level::Promoted => self.promoted -= 1,
            Level::Implied => self.implied -= 1,
        }
        Some(level)
    }

    pub(crate) fn clear(&mut self) {
        (self.plain, self.promoted, self.implied) = (0, 0, 0);
        self.repaired.clear();
    }
}
