//! Splits a tree into games of one line each.

use super::arena::Arena;
use super::merge::is_info;
use super::{GameTree, Node, NodeId, packed};
use crate::value::RawValue;

impl GameTree {
    /// Splits the tree into games without variations, one for each leaf.
    ///
    /// They have the order of the leaves in the file. A game has copies of all nodes from the root to the leaf, with setup,
    /// comments and marks. Its game info moves to the root, where most programs look for it; a root that has another value gets
    /// both. If that leaves nothing of the last node, the node is removed.
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
        let path: Vec<u32> = leaf.path().map(|node| node.id).collect();
        let (root, below) = path.split_first().map_or((0, &[][..]), |(root, below)| (*root, below));
        let mut arena = Arena::new();
        let mut at = arena.copy(&self.arena, root);
        for &node in below {
            let copy = arena.push_child(at, false);
            arena.bytes.extend_from_slice(self.arena.packed(node));
            arena.close(copy);
            at = copy;
        }
        let mut game = GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            self.decoding,
        );
        game.move_game_info_to_root();
        game
    }

    /// Sets game info that holds for the whole game in the root.
    ///
    /// It moves there, where most programs look for it. It is that of the nodes before the first variation. A root that has another value gets both. If that leaves nothing of
    /// the last node of a game, the node is removed. Returns the number of nodes removed. [`split`](Self::split) does the same
    /// with each line.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;GM[1];B[qd](;W[dc]PB[Shusaku])(;W[oc]PB[Shuwa];B[]))".parse()?;
    /// game.keep_main_line();
    /// game.move_game_info_to_root();
    /// assert_eq!(format!("{game:?}"), "(;GM[1]PB[Shusaku];B[qd];W[dc])");
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn move_game_info_to_root(&mut self) -> usize {
        let context = self.context.after_root();
        let has_info = |node: u32| {
            let is_info = |property: super::NodeProperty<'_>| is_info(property.ident(), &context);
            self.arena.properties(node).any(is_info)
        };
        let only_child = |node: &u32| self.arena.first(*node).filter(|_| !self.arena.branches(*node));
        let line = std::iter::successors(only_child(&0), only_child);
        let nodes: Vec<u32> = line.filter(|&node| has_info(node)).collect();
        let (mut info, mut removed) = (Vec::new(), 0);
        for node in nodes {
            let mut rest = Vec::new();
            for property in self.arena.properties(node) {
                let to = if is_info(property.ident(), &context) { &mut info } else { &mut rest };
                packed::put_property(to, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
            }
            if rest.is_empty() && self.arena.first(node).is_none() {
                removed += self.remove(NodeId(node)).unwrap_or_default(); // it is not the root
            } else {
                let set = self.set_packed(node, &rest);
                debug_assert!(set.is_ok());
            }
        }
        if !info.is_empty() {
            let all = [self.arena.packed(0), &info].concat();
            // The properties fit: the tree has all of them.
            let set = self.set_packed(0, &packed::merged(&all));
            debug_assert!(set.is_ok());
        }
        removed
    }
}
