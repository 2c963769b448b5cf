//! The positions of nodes.

use sgf_stream::tree::{GameTree, Node};
use sgf_stream::{Event, Flow};

use crate::{Board, Step, Walk};

impl Board {
    /// Returns the position after the moves and setup of a node.
    ///
    /// `None` if the game is not Go on a board of up to 52x52. For the positions of many nodes of a tree, use
    /// [`walk_tree`].
    ///
    /// ```
    /// use sgf_board::Board;
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::Color;
    ///
    /// let game: GameTree = "(;SZ[9]AB[cc][gg];W[ee](;B[ec])(;B[ge];W[cg]))".parse()?;
    /// let leaf = game.leaves().last().unwrap();
    /// let board = Board::at(leaf).unwrap();
    /// assert_eq!([Color::Black, Color::White].map(|color| board.stones(color).count()), [3, 2]);
    /// assert_eq!(Board::at(game.root()).unwrap().stones(Color::Black).count(), 2);
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn at(node: Node<'_>) -> Option<Board> {
        let mut walk = Walk::new();
        walk.event(Event::StartTree, 0);
        for node in node.path() {
            walk.event(Event::Node, 0);
            for property in node.properties() {
                walk.event(Event::Property(property.ident()), 0);
                property.values().for_each(|value| _ = walk.event(Event::Value(value), 0));
            }
        }
        walk.event(Event::EndTree, 0);
        walk.into_board()
    }
}

/// Calls a function with every node and its board, in the order of [`GameTree::nodes`].
///
/// The function returns `()` or how to continue: [`Flow::Skip`] omits the nodes below this one, and the others end the
/// walk. Nothing is called if the game is not Go on a board of up to 52x52.
///
/// ```
/// use sgf_board::walk_tree;
/// use sgf_stream::tree::GameTree;
///
/// let game: GameTree = "(;SZ[9];B[ba];W[aa]C[in atari](;B[ab])(;B[ee]C[too slow]))".parse()?;
/// let mut captures = Vec::new();
/// walk_tree(&game, |node, step| {
///     if step.effect().is_some_and(|played| played.captured > 0) {
///         captures.push((node.number(), step.move_number()));
///     }
/// });
/// assert_eq!(captures, [(3, 3)]);
/// # Ok::<(), sgf_stream::tree::TreeError>(())
/// ```
pub fn walk_tree<F, R>(tree: &GameTree, mut on_step: F)
where
    F: FnMut(Node<'_>, &Step<'_>) -> R,
    R: Into<Flow>,
{
    let (mut walk, mut nodes, mut node) = (Walk::new(), tree.nodes(), tree.root());
    let mut skips_below = usize::MAX;
    for event in tree.events() {
        if let Some(step) = walk.event(event, 0).filter(|step| step.depth() <= skips_below) {
            skips_below = usize::MAX;
            match on_step(node, &step).into() {
                Flow::Continue => {}
                Flow::Skip => skips_below = step.depth(),
                _ => return,
            }
        }
        if event == Event::Node {
            node = nodes.next().unwrap_or(node);
        }
    }
}
