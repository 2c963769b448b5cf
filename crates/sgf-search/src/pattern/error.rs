//! Errors of patterns.

use sgf_stream::tree::TreeError;
use sgf_stream::value::Size;
use sgf_stream::value::go::Point;
use thiserror::Error;

/// The reason why a text is not a pattern.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The text is not SGF.
    #[error("the pattern is not SGF: {0}")]
    Sgf(#[from] TreeError),
    /// The game of the SGF is not Go, or its board is larger than 52x52.
    #[error("the pattern is not a Go board of at most 52x52")]
    NotGo,
    /// The value of a property is not a point.
    #[error("{ident}[{value}] of the pattern is not a point")]
    NotAPoint {
        /// The identifier.
        ident: &'static str,
        /// The value.
        value: String,
    },
    /// A point is not on the board of the pattern.
    #[error("point {point} is not on the board of the pattern, which has {} columns and {} rows", .board.columns(), .board.rows())]
    OffBoard {
        /// The point.
        point: Point,
        /// The board.
        board: Size,
    },
    /// Two properties want different things on a point.
    #[error("{first} and {second} of the pattern both name point {point}")]
    Twice {
        /// The point.
        point: Point,
        /// The identifier of one property.
        first: &'static str,
        /// The identifier of the other.
        second: &'static str,
    },
    /// There is neither a stone nor a continuation, so every game would match.
    #[error("the pattern has no stone and no move")]
    NoStone,
    /// A point is not in the region that `VW` names.
    #[error("point {0} is outside of the region of the pattern (VW)")]
    OutsideOfRegion(Point),
    /// A continuation has a pass.
    #[error("move {0} of the pattern is a pass; only moves on points can follow a pattern")]
    Pass(usize),
    /// A node after that of the pattern has setup.
    #[error("{0} comes after the moves of the pattern; only B and W may follow it")]
    LateSetup(&'static str),
    /// A pattern has variations.
    #[error("the pattern has variations; search for each line by itself")]
    Variations,
    /// A diagram has no rows.
    #[error("the diagram has no row")]
    NoRow,
    /// A diagram has a row of another length.
    #[error("row {row} of the diagram has {len} points, but row 1 has {expected}")]
    Ragged {
        /// The number of the row, from 1.
        row: usize,
        /// The number of its points.
        len: usize,
        /// The number of points of the first row.
        expected: usize,
    },
    /// A diagram has an unknown character.
    #[error("line {line}, column {column} of the diagram: expected X, O, '.', x, o, *, @ or a digit, found {found:?}")]
    Character {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the character, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A diagram has some rows with an edge and others without one.
    #[error("line {0} of the diagram: only some rows have an edge ('|') at this side")]
    Edge(usize),
    /// A diagram has moves with gaps between their numbers, or twice the same number.
    #[error("the moves of the diagram are not numbered from 1 on: move {0} is missing or occurs twice")]
    Moves(u32),
    /// A diagram has more than 52 columns or rows.
    #[error("the diagram has {columns} columns and {rows} rows; boards have at most 52")]
    TooLarge {
        /// The number of columns.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
}
