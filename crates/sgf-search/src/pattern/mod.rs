//! Patterns: what is wanted on some points of a board.

mod diagram;
mod error;
mod need;
mod sgf;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use sgf_board::Symmetry;
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Rect, Size};

pub use self::error::PatternError;
pub use self::need::Need;
pub(crate) use self::need::State;

/// A part of a board: wanted stones and empty points, and moves after it.
///
/// | text | read by |
/// |---|---|
/// | SGF: `(;AB[pd]AW[qc]VW[mg:sa];B[qd])` | [`Pattern::from_sgf`] |
/// | a diagram: rows of `X`, `O`, `.` and others | [`Pattern::from_diagram`] |
/// | either | [`Pattern::parse`], [`FromStr`] |
///
/// A pattern has a *region*, a rectangle of its points. Points outside of it do not count. The sides of the board that the
/// region touches decide [where it may lie](crate::Place).
///
/// It displays as a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The board whose points the pattern names.
    board: Size,
    region: Rect,
    /// The needs of the region, row by row.
    needs: Box<[Need]>,
    /// Whether a point is in the region, row by row: `VW` need not be a rectangle.
    inside: Box<[bool]>,
    sides: Sides,
    continuation: Vec<(Color, Point)>,
}

/// The sides of the board that a region touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    pub(crate) left: bool,
    pub(crate) right: bool,
    pub(crate) top: bool,
    pub(crate) bottom: bool,
}

impl Sides {
    /// Returns the sides that a region of a board touches.
    fn of(region: Rect, board: Size) -> Self {
        let (first, last) = (region.upper_left(), region.lower_right());
        Sides {
            left: first.x() == 0,
            right: u32::from(last.x()) + 1 == board.columns(),
            top: first.y() == 0,
            bottom: u32::from(last.y()) + 1 == board.rows(),
        }
    }

    /// Returns the sides after a rotation or reflection.
    pub(crate) fn transformed(self, symmetry: Symmetry) -> Self {
        let mut sides = Sides::default();
        // The middles of the sides of a board of 3x3.
        for (is_touched, x, y) in [(self.left, 0, 1), (self.right, 2, 1), (self.top, 1, 0), (self.bottom, 1, 2)] {
            let middle = Size::square(3).zip(Point::new(x, y)).and_then(|(size, point)| symmetry.apply(point, size));
            match middle.map(|point| (point.x(), point.y())) {
                Some((0, _)) => sides.left |= is_touched,
                Some((2, _)) => sides.right |= is_touched,
                Some((_, 0)) => sides.top |= is_touched,
                _ => sides.bottom |= is_touched,
            }
        }
        sides
    }
}

impl Pattern {
    /// Parses SGF if the text begins with `(`, and else a diagram.
    ///
    /// # Errors
    ///
    /// Fails if [`from_sgf`](Self::from_sgf) or [`from_diagram`](Self::from_diagram) does.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        match text.trim_start_matches('\u{FEFF}').trim_start().starts_with(['(', ';']) {
            true => Self::from_sgf(text.as_bytes()),
            false => Self::from_diagram(text),
        }
    }

    /// Returns the pattern if it makes sense.
    fn checked(self) -> Result<Self, PatternError> {
        let wants_stone = |need: &Need| matches!(need, Need::Black | Need::White | Need::NotEmpty);
        match self.continuation.is_empty() && !self.needs.iter().any(wants_stone) {
            true => Err(PatternError::NoStone),
            false => Ok(self),
        }
    }

    /// Makes every point of the region empty on which anything is allowed.
    ///
    /// ```
    /// use sgf_search::Pattern;
    ///
    /// let pattern = Pattern::parse("(;AB[qc]VW[qb:sd])")?;
    /// assert_eq!(pattern.to_string(), "* * *|\nX * *|\n* * *|\n");
    /// assert_eq!(pattern.with_empty_rest().to_string(), ". . .|\nX . .|\n. . .|\n");
    /// # Ok::<(), sgf_search::PatternError>(())
    /// ```
    #[must_use]
    pub fn with_empty_rest(mut self) -> Self {
        for (need, is_inside) in self.needs.iter_mut().zip(&self.inside) {
            if *need == Need::Any && *is_inside {
                *need = Need::Empty;
            }
        }
        self
    }

    /// Returns the size of the board whose points the pattern names.
    ///
    /// For a diagram, it is the size of the diagram.
    pub fn board(&self) -> Size {
        self.board
    }

    /// Returns the smallest rectangle that has the region.
    pub fn region(&self) -> Rect {
        self.region
    }

    /// Returns what is wanted on a point. [`Need::Any`] outside of the region.
    pub fn need(&self, point: Point) -> Need {
        self.index(point).map_or(Need::Any, |at| self.needs[at])
    }

    /// Returns whether the region has a point.
    pub fn contains(&self, point: Point) -> bool {
        self.index(point).is_some_and(|at| self.inside[at])
    }

    /// Returns the index of a point of the rectangle.
    fn index(&self, point: Point) -> Option<usize> {
        let first = self.region.upper_left();
        let at =
            || usize::from(point.y() - first.y()) * self.region.columns() as usize + usize::from(point.x() - first.x());
        self.region.contains(point).then(at)
    }

    /// Returns the moves that must follow, in order.
    ///
    /// Between them, moves outside of the region are allowed.
    pub fn continuation(&self) -> &[(Color, Point)] {
        &self.continuation
    }

    /// Returns whether the points are those of a board: of SGF, and of a diagram with all four sides.
    pub(crate) fn names_points_of_a_board(&self) -> bool {
        Sides::of(self.region, self.board) == self.sides
    }

    pub(crate) fn sides(&self) -> Sides {
        self.sides
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        Self::parse(text)
    }
}

/// Formats a diagram, which [`Pattern::from_diagram`] reads again. Moves of the continuation are not shown.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sides { left, right, top, bottom } = self.sides;
        let edge = |is_touched: bool, sign: &'static str| if is_touched { sign } else { "" };
        let columns = self.region.columns() as usize;
        let line = format!("{}{}{}", edge(left, "+"), "-".repeat(2 * columns - 1), edge(right, "+"));
        if top {
            writeln!(f, "{line}")?;
        }
        for row in self.needs.chunks(columns) {
            let row: Vec<String> = row.iter().map(|need| need.sign().to_string()).collect();
            writeln!(f, "{}{}{}", edge(left, "|"), row.join(" "), edge(right, "|"))?;
        }
        if bottom {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
