//! Splits a tree into games of one line each.

use super::arena::Arena;
use super::merge::is_info;
use super::{GameTree, Node, packed};
use crate::value::RawValue;

impl GameTree {
    /// Splits the tree into games without variations, one for each leaf.
    ///
    /// They have the order of the leaves in the file. A game has copies of all nodes from the root to the leaf, with setup,
    /// comments and marks. Its game info moves to the root, where most programs look for it. If that leaves nothing of the
    /// last node, the node is removed.
    ///
    /// The iterator creates one game at a time. All games together may be much longer than the tree.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let tree: GameTree = "(;GM[1];B[qd](;W[dc]PB[Shusaku])(;W[oc]PB[Shuwa];B[]))".parse()?;
    /// let games: Vec<String> = tree.split().map(|game| format!("{game:?}")).collect();
    /// assert_eq!(games, ["(;GM[1]PB[Shusaku];B[qd];W[dc])", "(;GM[1]PB[Shuwa];B[qd];W[oc];B[])"]);
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn split(&self) -> impl Iterator<Item = GameTree> + '_ {
        self.leaves().map(|leaf| self.line_to(leaf))
    }

    fn line_to(&self, leaf: Node<'_>) -> GameTree {
        let context = self.context.after_root();
        let is_info = |property: &super::NodeProperty<'_>| is_info(property.ident(), &context);
        let path: Vec<u32> = leaf.path().map(|node| node.id).collect();
        let (root, below) = path.split_first().map_or((0, &[][..]), |(root, below)| (*root, below));
        let has_info = |node: u32| self.arena.properties(node).any(|property| is_info(&property));
        let mut arena = Arena::new();
        let mut at = arena.copy(&self.arena, root);
        let mut info = Vec::new();
        for &node in below {
            let copy = arena.push_child(at, false);
            if has_info(node) {
                let mut rest = Vec::new();
                for property in self.arena.properties(node) {
                    let to = if is_info(&property) { &mut info } else { &mut rest };
                    packed::put_property(to, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
                }
                if rest.is_empty() && node == leaf.id {
                    arena.pop_child();
                    break;
                }
                arena.bytes.extend_from_slice(&rest);
            } else {
                arena.bytes.extend_from_slice(self.arena.packed(node));
            }
            arena.close(copy);
            at = copy;
        }
        let mut game = GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            self.decoding,
        );
        if !info.is_empty() {
            let all = [game.arena.packed(0), &info].concat();
            // The properties fit: the tree has all of them.
            let set = game.set_packed(0, &packed::merged(&all));
            debug_assert!(set.is_ok());
        }
        game
    }
}
