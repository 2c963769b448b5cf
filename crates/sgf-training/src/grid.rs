//! The points of a board: their numbers, neighbors and symmetries.
//!
//! Points count row by row from the top, as in SGF.

use sgf_board::Symmetry;
use sgf_stream::value::Size;
use sgf_stream::value::go::Point;

/// Returns the point with a number.
fn point(at: u16, columns: u16) -> Option<Point> {
    Point::new(u8::try_from(at % columns).ok()?, u8::try_from(at / columns).ok()?)
}

/// The points of a board.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    columns: u16,
    points: u16,
    words: usize,
    /// For each symmetry that keeps the shape of the board, where each point goes; empty for the others.
    symmetries: [Vec<u16>; 8],
}

impl Grid {
    pub(crate) fn new(size: Size) -> Self {
        // Boards have 52 lines at most.
        let (columns, rows) = (size.columns() as u16, size.rows() as u16);
        let points = columns * rows;
        let symmetries = Symmetry::ALL.map(|symmetry| {
            let moved = |at: u16| {
                let moved = symmetry.apply(point(at, columns)?, size)?;
                Some(u16::from(moved.y()) * columns + u16::from(moved.x()))
            };
            let keeps = symmetry.apply_to_size(size) == size;
            (0..points).filter(|_| keeps).filter_map(moved).collect()
        });
        Grid { columns, points, words: usize::from(points).div_ceil(64), symmetries }
    }

    pub(crate) fn columns(&self) -> u16 {
        self.columns
    }

    pub(crate) fn points(&self) -> u16 {
        self.points
    }

    /// The number of words of a set.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The number of bytes of a packed set.
    pub(crate) fn bytes(&self) -> usize {
        usize::from(self.points).div_ceil(8)
    }

    /// Returns the symmetries that keep the shape of the board.
    pub(crate) fn symmetries(&self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter().filter(|symmetry| !self.symmetries[symmetry.index()].is_empty())
    }

    /// Returns the number of a point; `None` if it is off the board.
    pub(crate) fn index(&self, point: Point) -> Option<u16> {
        let (x, y) = (u16::from(point.x()), u16::from(point.y()));
        let at = y * self.columns + x;
        (x < self.columns && at < self.points).then_some(at)
    }

    /// Returns where a symmetry moves a point.
    pub(crate) fn transformed(&self, at: u16, symmetry: Symmetry) -> u16 {
        self.symmetries[symmetry.index()].get(usize::from(at)).copied().unwrap_or(at)
    }

    /// Returns the adjacent points.
    pub(crate) fn neighbors(&self, at: u16) -> impl Iterator<Item = u16> + use<> {
        let (columns, column, points) = (self.columns, at % self.columns, self.points);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < columns).then(|| at + 1);
        let below = (at + columns < points).then(|| at + columns);
        [at.checked_sub(columns), left, right, below].into_iter().flatten()
    }
}
