//! Crops a diagram to the part of the board with content.

use super::{Diagram, Line, PointState, Shape, Spot};

/// Number of empty points around the content.
const MARGIN: u32 = 1;

/// The edge of the board is also shown if it is at most this many points away, because edges help to read a position.
const NEAR: u32 = 2;

impl Diagram {
    /// Hides the points that are far from all stones, marks, labels, arrows and lines.
    ///
    /// The rest is a rectangle, with one empty point around its content, that extends to each nearby edge of the board:
    /// the lines of the board end there, and continue elsewhere. An empty board is left unchanged, as is a Hex board, where
    /// all edges count. Hidden points remain hidden.
    ///
    /// ```
    /// use sgf_board::{Board, Diagram};
    /// use sgf_stream::value::go::Point;
    ///
    /// let board = Board::after(b"(;AB[qb][rc]AW[qc])", 0)?.unwrap();
    /// let mut diagram = Diagram::of(&board);
    /// diagram.crop();
    /// let is_hidden = |point| diagram.get(Point::parse(point).unwrap()).unwrap().is_hidden;
    /// assert!(!is_hidden("sa") && !is_hidden("pd") && is_hidden("od") && is_hidden("pe"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crop(&mut self) -> &mut Self {
        let Some((first, last)) = self.content().filter(|_| self.shape == Shape::Grid) else { return self };
        let range = |first: u32, last: u32, side: u32| {
            let (first, last) = (first.saturating_sub(MARGIN), (last + MARGIN).min(side - 1));
            let first = if first <= NEAR { 0 } else { first };
            let last = if side - 1 - last <= NEAR { side - 1 } else { last };
            first..=last
        };
        let columns = range(first.column, last.column, self.size.columns());
        let rows = range(first.row, last.row, self.size.rows());
        let width = self.size.columns();
        for (at, point) in self.points.iter_mut().enumerate() {
            let (column, row) = (at as u32 % width, at as u32 / width);
            point.is_hidden |= !columns.contains(&column) || !rows.contains(&row);
        }
        self
    }

    /// Returns the upper left and the lower right corner of the content.
    fn content(&self) -> Option<(Spot, Spot)> {
        let has_content = |point: &PointState| point.stone.is_some() || point.mark.is_some() || point.label.is_some();
        let shown = self.points().filter(|(_, point)| !point.is_hidden && has_content(point)).map(|(spot, _)| spot);
        let ends = self.lines.iter().flat_map(|&Line { from, to, .. }| [from, to]);
        let ends = ends.filter(|&spot| self.get(spot).is_some_and(|point| !point.is_hidden));
        shown.chain(ends).fold(None, |corners, spot| {
            let (first, last) = corners.unwrap_or((spot, spot));
            let first = Spot { column: first.column.min(spot.column), row: first.row.min(spot.row) };
            let last = Spot { column: last.column.max(spot.column), row: last.row.max(spot.row) };
            Some((first, last))
        })
    }
}
