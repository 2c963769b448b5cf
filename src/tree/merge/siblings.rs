//! The children of a node, by what makes them the same as a node of another game.

use std::collections::HashMap;

use super::key::Key;

/// Children of a node, without the nodes that only say where a game ends.
#[derive(Default)]
pub(super) struct Siblings {
    /// The children with each key, in the order of the file.
    by_key: HashMap<Key, Vec<u32>>,
    /// Number of bytes that were read to know them.
    pub(super) cost: usize,
}

impl Siblings {
    /// Adds the last child.
    pub(super) fn add(&mut self, node: u32, key: Key) {
        self.cost += 32;
        self.by_key.entry(key).or_default().push(node);
    }

    /// Returns the nth child with some moves and setup.
    pub(super) fn nth(&self, key: &Key, n: usize) -> Option<u32> {
        self.by_key.get(key)?.get(n).copied()
    }
}
