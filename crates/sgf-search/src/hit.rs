//! Where a pattern was found.

use sgf_board::{Step, Symmetry};
use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

use crate::search::Orientation;

/// A place in a game where a pattern was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    start: NodePlace,
    end: usize,
    orientation: Orientation,
    corner: (u8, u8),
    next: Option<Next>,
    played: Option<(Color, Point)>,
}

/// A node of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodePlace {
    /// Not known in an index.
    pub(crate) offset: Option<u64>,
    pub(crate) number: usize,
    pub(crate) ply: usize,
    pub(crate) is_on_main_line: bool,
}

impl NodePlace {
    pub(crate) fn of(step: &Step<'_>) -> Self {
        NodePlace {
            offset: Some(step.offset()),
            number: step.number(),
            ply: step.move_number(),
            is_on_main_line: step.is_on_main_line(),
        }
    }
}

/// The next move in the region of a pattern, as the pattern names it.
///
/// If the pattern is symmetric, moves that its symmetries make equal have one name: the one with the first color, row and
/// column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Next {
    /// The color, exchanged if the pattern was found with exchanged colors.
    pub color: Color,
    /// The point of the pattern.
    pub point: Point,
    /// The number of the move in its line, from 1.
    pub ply: usize,
    /// The number of moves outside of the region before it, passes included.
    pub elsewhere: usize,
}

impl Next {
    pub(crate) fn order(&self) -> (u8, u8, u8) {
        (self.color as u8, self.point.y(), self.point.x())
    }
}

impl Hit {
    pub(crate) fn new(
        start: NodePlace,
        end: usize,
        orientation: Orientation,
        corner: (u8, u8),
        next: Option<(Next, (Color, Point))>,
    ) -> Self {
        let (next, played) = next.unzip();
        Hit { start, end, orientation, corner, next, played }
    }

    /// Returns the place among the hits of a game.
    pub(crate) fn order(&self) -> (usize, bool, usize, u8, u8) {
        let Orientation { symmetry, swapped } = self.orientation;
        (self.node(), swapped, symmetry.index(), self.corner.1, self.corner.0)
    }

    /// Returns the number of moves from the root to the position that matches, passes included.
    pub fn ply(&self) -> usize {
        self.start.ply
    }

    /// Returns the number of moves up to the last one of the [continuation](crate::Pattern::continuation).
    ///
    /// It is [`ply`](Self::ply) if the pattern has none.
    pub fn end_ply(&self) -> usize {
        self.end
    }

    /// Returns the number of the node with the position, in file order, from 0.
    ///
    /// In a search of main lines, variations do not count.
    pub fn node(&self) -> usize {
        self.start.number
    }

    /// Returns the byte offset of the node's `;`; `None` in hits of an index.
    pub fn node_offset(&self) -> Option<u64> {
        self.start.offset
    }

    /// Returns the hit without the offset of its node, as an index has it.
    #[must_use]
    pub fn without_node_offset(mut self) -> Self {
        self.start.offset = None;
        self
    }

    /// Returns whether the node is on the main line.
    pub fn is_on_main_line(&self) -> bool {
        self.start.is_on_main_line
    }

    /// Returns the orientation of the pattern on the board.
    ///
    /// A symmetric pattern has several there. This is the one whose [next move](Self::next) comes first.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Returns the symmetry that makes the pattern that of the game.
    pub fn symmetry(&self) -> Symmetry {
        self.orientation.symmetry
    }

    /// Returns whether black and white are exchanged.
    pub fn is_swapped(&self) -> bool {
        self.orientation.swapped
    }

    /// Returns the upper left point of the pattern's rectangle on the board of the game.
    pub fn corner(&self) -> Option<Point> {
        Point::new(self.corner.0, self.corner.1)
    }

    /// Returns the next move in the region; `None` if the line has none.
    ///
    /// A line goes on with the first variation at each branch.
    pub fn next(&self) -> Option<Next> {
        self.next
    }

    /// Returns the [next move](Self::next) as it was played in the game.
    pub fn played(&self) -> Option<(Color, Point)> {
        self.played
    }
}
