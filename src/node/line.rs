//! How a line continues: with the first variation at a branch, or with the implied tree after it.
//!
//! In `(;a(;v);b)` the node `b` follows a variation, and the tokenizer sends it as an implied tree: the last child of
//! `a`. But `b` continues the line, and `v` does not. Events keep the order of the file, so code that builds a line
//! sees `b` only after `v`:
//!
//! * [`LineStates`] is for code that follows the main line: it undoes the effects of `v`.
//! * [`TreeOrder`] is for code that keeps a whole game: it puts the implied tree before the other trees of its
//!   branch, as in `(;a(;b)(;v))`.
//!
//! An implied tree ends with the bracket in which it starts, so it is nearly always the last of its branch. In a tree
//! without nodes it is not, like `b` in `(;a((;v);b)(;w))`. If a branch has several, the last one continues the line.

use std::ops::Range;

/// Maximum number of branches of a line that can be restored, which limits memory for very deep trees.
const MOST_STATES: usize = 1 << 12;

/// Maximum number of bytes of their states.
const MOST_BYTES: usize = 4 << 20;

/// The states of a main line at its open branches.
#[derive(Clone, Debug)]
pub(crate) struct LineStates<T> {
    /// Number of open trees on the line, including the game itself.
    open: usize,
    /// Number of open trees on the line in which a variation has started.
    branched: usize,
    /// For the first of these trees, the state at the start of that variation.
    states: Vec<T>,
    /// Number of bytes of a state, which is about the same for all states of a game.
    state_len: usize,
}

/// The relation of a tree to the line in which it starts.
#[derive(Debug)]
pub(crate) enum LineTree<T> {
    /// The tree continues the line.
    Next,
    /// The tree continues the line from this state, instead of the tree before it.
    Back(T),
    /// The tree is not on the line.
    Beside,
}

impl<T: Clone> LineStates<T> {
    /// Creates the states at the start of a game.
    pub(crate) fn new() -> Self {
        LineStates { open: 1, branched: 0, states: Vec::new(), state_len: size_of::<T>() }
    }

    /// Prepares for the next game.
    pub(crate) fn clear(&mut self) {
        (self.open, self.branched) = (1, 0);
        self.states.clear();
    }

    /// Sets the number of bytes of a state whose type has parts elsewhere.
    pub(crate) fn set_state_len(&mut self, len: usize) {
        self.state_len = len;
    }

    /// Starts a tree in the line. For a tree that is not on the line, do not call [`end`](Self::end).
    pub(crate) fn start(&mut self, is_implied: bool, state: impl FnOnce() -> T) -> LineTree<T> {
        if !self.has_branched() {
            if self.states.len() < MOST_STATES.min(MOST_BYTES / self.state_len.max(1)) {
                self.states.push(state());
            }
            self.branched += 1;
            self.open += 1;
            return LineTree::Next;
        }
        match self.states.get(self.open - 1) {
            Some(state) if is_implied => {
                self.open += 1;
                LineTree::Back(state.clone())
            }
            _ => LineTree::Beside,
        }
    }

    /// Returns whether a tree of the line has started at this branch.
    pub(crate) fn has_branched(&self) -> bool {
        self.branched >= self.open
    }

    /// Ends a tree of the line. The state of its branch is kept until the branch ends.
    pub(crate) fn end(&mut self) {
        self.open = self.open.saturating_sub(1);
        self.branched = self.branched.min(self.open);
        self.states.truncate(self.open);
    }

    /// Returns whether the line may still be restored to an earlier state.
    pub(crate) fn may_go_back(&self) -> bool {
        !self.states.is_empty()
    }
}

/// An order of the contents of a game in which each implied tree comes first at its branch.
///
/// Positions may be any numbers, such as offsets in a copy or indices of items.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeOrder {
    /// The open trees.
    trees: Vec<OpenTree>,
    moved: Vec<MovedTree>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OpenTree {
    /// The start of its first variation.
    first: Option<usize>,
    /// If it is implied, the start of the first tree of its branch, and its own start.
    goes_before: Option<(usize, usize)>,
}

/// An implied tree at `start..end`, and its new position.
#[derive(Clone, Copy, Debug)]
struct MovedTree {
    to: usize,
    start: usize,
    end: usize,
}

impl TreeOrder {
    /// Prepares for the next game.
    #[cfg(feature = "serde")]
    pub(crate) fn clear(&mut self) {
        self.trees.clear();
        self.moved.clear();
    }

    /// Starts a tree at a position. Returns the start of the first tree of its branch, if it moves there.
    pub(crate) fn start(&mut self, is_implied: bool, at: usize) -> Option<usize> {
        let mut first = None;
        if let Some(around) = self.trees.last_mut() {
            first = around.first.filter(|_| is_implied);
            around.first.get_or_insert(at);
        }
        self.trees.push(OpenTree { first: None, goes_before: first.map(|first| (first, at)) });
        first
    }

    /// Ends a tree before a position.
    pub(crate) fn end(&mut self, end: usize) {
        if let Some((to, start)) = self.trees.pop().and_then(|tree| tree.goes_before) {
            self.moved.push(MovedTree { to, start, end });
        }
    }

    /// Returns whether any tree that has ended moves.
    #[cfg(feature = "serde")]
    pub(crate) fn is_changed(&self) -> bool {
        !self.moved.is_empty()
    }

    /// Returns whether any open tree moves.
    #[cfg(feature = "serde")]
    pub(crate) fn will_change(&self) -> bool {
        self.trees.iter().any(|tree| tree.goes_before.is_some())
    }

    /// Leaves all trees so far in place.
    #[cfg(feature = "serde")]
    pub(crate) fn forget_moves(&mut self) {
        self.moved.clear();
        self.trees.iter_mut().for_each(|tree| tree.goes_before = None);
    }

    /// Leaves the tree that started last in place.
    #[cfg(feature = "serde")]
    pub(crate) fn forget_last_move(&mut self) {
        if let Some(last) = self.trees.last_mut() {
            last.goes_before = None;
        }
    }

    /// Returns the ranges of `0..len` in the new order.
    pub(crate) fn ranges(&self, len: usize) -> Vec<Range<usize>> {
        let mut moved = self.moved.clone();
        moved.sort_by_key(|tree| (tree.to, tree.start));
        let mut ranges = Vec::with_capacity(3 * moved.len() + 1);
        // The ranges that remain, the next one last, each with the number of the first tree that may move into it.
        let mut parts = vec![(0..len, 0)];
        while let Some((part, next)) = parts.pop() {
            let next = next + moved[next..].partition_point(|tree| tree.to < part.start);
            let Some(to) = moved.get(next).map(|tree| tree.to).filter(|to| *to < part.end) else {
                ranges.push(part);
                continue;
            };
            ranges.push(part.start..to);
            // All trees that move there, the last one first; then the ranges between them.
            let of_branch = &moved[next..next + moved[next..].partition_point(|tree| tree.to == to)];
            let next = next + of_branch.len();
            let mut end = part.end;
            for tree in of_branch.iter().rev() {
                parts.push((tree.end..end, next));
                end = tree.start;
            }
            parts.push((to..end, next));
            parts.extend(of_branch.iter().map(|tree| (tree.start..tree.end, next)));
        }
        ranges.retain(|range| !range.is_empty());
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a game in the new order. In `game`, `(` starts a tree, `[` an implied one, and `)` ends both.
    fn in_order(game: &str) -> String {
        let mut order = TreeOrder::default();
        for (at, letter) in game.bytes().enumerate() {
            match letter {
                b'(' | b'[' => _ = order.start(letter == b'[', at),
                b')' => order.end(at + 1),
                _ => {}
            }
        }
        order.ranges(game.len()).into_iter().map(|range| &game[range]).collect()
    }

    #[test]
    fn implied_trees_come_first_at_their_branches() {
        for (game, expected) in [
            ("(a)", "(a)"),
            ("(a(v)(w))", "(a(v)(w))"),
            ("(a(v)[b))", "(a[b)(v))"),
            ("(a(v)(w)[b))", "(a[b)(v)(w))"),
            ("(a(v)[b(w)[c)))", "(a[b[c)(w))(v))"),
            ("(a(v(x)[y))(w)[b(z)))", "(a[b(z))(v[y)(x))(w))"),
            ("(a[b))", "(a[b))"),
            // In trees without nodes.
            ("(a(v)[b)(w))", "(a[b)(v)(w))"),
            ("(a(v)[b(x)[y))(w)[c(z))(u))", "(a[c(z))[b[y)(x))(v)(w)(u))"),
        ] {
            assert_eq!(in_order(game), expected);
        }
    }

    #[test]
    fn many_implied_trees_take_linear_work() {
        let nodes = 100_000;
        let game = format!("({}{}", "a(v)[".repeat(nodes), ")".repeat(nodes + 1));
        let expected = format!("({}){}", "a[".repeat(nodes), "(v))".repeat(nodes));
        assert_eq!(in_order(&game).len(), expected.len());
    }

    #[test]
    fn a_line_goes_back_to_its_first_branches_only() {
        let mut states = LineStates::new();
        let depth = 2 * MOST_STATES;
        (0..depth).for_each(|n| assert!(matches!(states.start(false, || n), LineTree::Next)));
        assert_eq!(states.states.len(), MOST_STATES);
        for n in (1..depth).rev() {
            states.end();
            match states.start(true, || n) {
                LineTree::Back(state) => {
                    assert!(state == n && n < MOST_STATES);
                    states.end();
                }
                LineTree::Beside => assert!(n >= MOST_STATES),
                LineTree::Next => panic!("the branch {n} has a tree"),
            }
        }
    }

    #[test]
    fn a_line_goes_back_to_the_branch_of_an_implied_tree() {
        // Returns the nodes of the line, by following events. A letter is a node.
        let line = |game: &str| {
            let (mut states, mut line, mut beside) = (LineStates::new(), String::new(), 0);
            for letter in game[1..game.len() - 1].chars() {
                match letter {
                    '(' | '[' if beside > 0 => beside += 1,
                    '(' | '[' => match states.start(letter == '[', || line.len()) {
                        LineTree::Next => {}
                        LineTree::Back(len) => line.truncate(len),
                        LineTree::Beside => beside = 1,
                    },
                    ')' if beside > 0 => beside -= 1,
                    ')' => states.end(),
                    node if beside == 0 => line.push(node),
                    _ => {}
                }
            }
            line
        };
        for (game, expected) in [
            ("(ab)", "ab"),
            ("(a(b(c)(d))(e))", "abc"),
            ("(a(v)[b))", "ab"),
            ("(a(v(w)(x))(y)[b))", "ab"),
            ("(a(v)[b(w)[c)))", "abc"),
            ("(a(b(v)[c))(w))", "abc"),
            ("(a(b)(v(w)[x)))", "ab"),
            ("(a(v)[b)(w)[c)(x))", "ac"),
        ] {
            assert_eq!(line(game), expected, "{game}");
        }
    }
}
