//! The shape of a tree: runs of nodes, in the order in which they are printed.
//!
//! A run ends where a line branches. Its variations come first, each one level deeper, and then the line goes on at
//! its own level. So the main line stays at the margin however often it branches, and only variations of variations
//! move to the right.

use sgf_stream::tree::Node;

/// The way a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It continues the run above it at the same level.
    Line,
    Variation,
}

/// Consecutive nodes.
pub(super) struct Run<'t> {
    pub(super) first: Node<'t>,
    pub(super) len: usize,
    /// Number of variations around it.
    pub(super) level: usize,
    pub(super) start: Start,
    /// Number of moves before it.
    pub(super) moves_before: u64,
    /// The variations at its last node that are not shown.
    pub(super) hidden: Hidden,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Hidden {
    pub(super) variations: usize,
    pub(super) nodes: usize,
}

impl<'t> Run<'t> {
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node<'t>> + Clone + use<'t> {
        self.first.line().take(self.len)
    }
}

/// Iterates over the runs of a game.
pub(super) struct Runs<'t> {
    /// The runs to come, the next one last.
    left: Vec<Next<'t>>,
    /// Variations deeper than this are not shown.
    depth: usize,
    /// Whether a comment ends a run.
    ends_at_comments: bool,
}

struct Next<'t> {
    node: Node<'t>,
    level: usize,
    start: Start,
    moves_before: u64,
}

impl<'t> Runs<'t> {
    pub(super) fn of(root: Node<'t>, depth: usize, ends_at_comments: bool) -> Self {
        let root = Next { node: root, level: 0, start: Start::Line, moves_before: 0 };
        Runs { left: vec![root], depth, ends_at_comments }
    }
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    fn next(&mut self) -> Option<Run<'t>> {
        let Next { node: first, level, start, moves_before } = self.left.pop()?;
        let (mut last, mut len, mut moves) = (first, 1, number(first, moves_before));
        while let Some(child) = last.first_child() {
            if last.has_variations() || self.ends_at_comments && last.contains("C") {
                self.left.push(Next { node: child, level, start: Start::Line, moves_before: moves });
                break;
            }
            (last, len, moves) = (child, len + 1, number(child, moves));
        }
        let mut hidden = Hidden::default();
        if last.has_variations() {
            for variation in
                last.children().rev().take_while(|child| Some(child.id()) != last.first_child().map(Node::id))
            {
                if level < self.depth {
                    let start = Start::Variation;
                    self.left.push(Next { node: variation, level: level + 1, start, moves_before: moves });
                } else {
                    hidden.variations += 1;
                    hidden.nodes += variation.descendants().count();
                }
            }
        }
        Some(Run { first, len, level, start, moves_before, hidden })
    }
}

/// Returns the number of moves, including those of this node. `MN` sets it.
pub(super) fn number(node: Node<'_>, before: u64) -> u64 {
    if !is_move(node) {
        return before;
    }
    let said = node.get::<i64>("MN").ok().flatten().and_then(|number| u64::try_from(number).ok());
    said.unwrap_or(before + node.moves().count() as u64)
}

/// Returns the number of the first move of a node that has moves.
pub(super) fn first_number(node: Node<'_>, before: u64) -> u64 {
    number(node, before).saturating_sub((node.moves().count() as u64).saturating_sub(1))
}

pub(super) fn is_move(node: Node<'_>) -> bool {
    node.contains("B") || node.contains("W")
}
