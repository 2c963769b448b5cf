//! Diagrams: the content of a picture of a board.
//!
//! [`Painter`] creates diagrams of the nodes of a game; a [`Diagram`] can also be created from a [`Board`], or point by
//! point. [`Diagram::svg`] draws it.

mod crop;
mod marks;
mod painter;
mod svg;
#[cfg(test)]
mod tests;

use sgf_stream::internal::column_name;
use sgf_stream::value::{Color, GridPoint, Size};
use sgf_stream::{Game, work};

pub use self::painter::Painter;
pub use self::svg::Svg;
use super::Board;

/// The content of a picture of a board.
///
/// It has stones, with move numbers; marks, labels, arrows and lines; and the last move.
///
/// ```
/// use sgf_board::{Board, Diagram, Mark};
/// use sgf_stream::value::go::Point;
///
/// let board = Board::after(b"(;SZ[9]AB[cc][gg];W[ee];B[ec])", 2)?.unwrap();
/// let mut diagram = Diagram::of(&board);
/// diagram.mark(Point::parse("ee")?, Mark::Triangle);
/// let svg = diagram.svg().to_string();
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Points that are not on the board are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    shape: Shape,
    size: Size,
    /// Row by row from the upper left.
    points: Vec<PointState>,
    lines: Vec<Line>,
    last_move: Option<Spot>,
}

/// The grid of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Crossings of lines, as in Go.
    #[default]
    Grid,
    /// The hexagons of a rhombus, as in Hex.
    ///
    /// Each row begins half a hexagon further right than the one above it.
    Rhombus,
}

/// A point of a diagram: column and row, from 0 at the upper left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The column, counted from 0 at the left.
    pub column: u32,
    /// The row, counted from 0 at the top.
    pub row: u32,
}

impl<P: GridPoint> From<P> for Spot {
    fn from(point: P) -> Self {
        let (column, row) = point.grid();
        Spot { column, row }
    }
}

/// A mark on a point, with its SGF property in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// A circle (`CR`).
    Circle,
    /// A cross (`MA`).
    Cross,
    /// A square (`SQ`).
    Square,
    /// A triangle (`TR`).
    Triangle,
    /// A selected point (`SL`).
    Selected,
    /// Territory of a player (`TB`, `TW`).
    Territory(Color),
}

/// The content of a point in a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PointState {
    /// The stone.
    pub stone: Option<Color>,
    /// The mark.
    pub mark: Option<Mark>,
    /// The text on the point: a label (`LB`) or the number of a move.
    pub label: Option<String>,
    /// Whether the point is grayed out (`DD`).
    pub is_dim: bool,
    /// Whether the point is hidden (`VW`).
    pub is_hidden: bool,
}

/// A line or an arrow between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    from: Spot,
    to: Spot,
    has_head: bool,
}

/// Error for a board that cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// The game has no board here.
    #[error("cannot draw {} (GM[{}]); only Go and Hex boards are supported", .0.name(), .0.number())]
    Game(Game),
    /// The size of the board is unknown or too large.
    #[error("cannot draw the board; its size is unknown or exceeds {MAX_SIDE} columns or rows")]
    Size,
    /// The position is not known.
    #[error(
        "cannot draw the board; its setup exceeds 1,000,000 points, or its variations are nested more than 1,024 deep"
    )]
    Position,
}

/// Maximum number of columns or rows of a diagram.
const MAX_SIDE: u32 = 52;

impl Diagram {
    /// Creates a diagram of an empty board; `None` for more than 52 columns or rows.
    pub fn new(shape: Shape, size: Size) -> Option<Self> {
        if size.columns() > MAX_SIDE || size.rows() > MAX_SIDE {
            return None;
        }
        let points = vec![PointState::default(); (size.columns() * size.rows()) as usize];
        Some(Diagram { shape, size, points, lines: Vec::new(), last_move: None })
    }

    /// Creates a diagram with the stones of a board.
    pub fn of(board: &Board) -> Self {
        let size = board.size();
        work::note(board.as_slice().len());
        let stone = |point| PointState { stone: board.get(point), ..PointState::default() };
        Diagram {
            shape: Shape::Grid,
            size,
            points: board.points().map(stone).collect(),
            lines: Vec::new(),
            last_move: None,
        }
    }

    /// Returns the grid of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let is_on_board = spot.column < self.size.columns() && spot.row < self.size.rows();
        is_on_board.then(|| (spot.row * self.size.columns() + spot.column) as usize)
    }

    /// Returns the content of a point; `None` if it is not on the board.
    pub fn get(&self, at: impl Into<Spot>) -> Option<&PointState> {
        self.index(at.into()).map(|index| &self.points[index])
    }

    /// Returns the content of a point for changes; `None` if off the board.
    pub fn get_mut(&mut self, at: impl Into<Spot>) -> Option<&mut PointState> {
        self.index(at.into()).map(|index| &mut self.points[index])
    }

    /// Returns all points, row by row from the upper left.
    pub fn points(&self) -> impl Iterator<Item = (Spot, &PointState)> {
        let columns = self.size.columns();
        let spot = move |at: usize| Spot { column: at as u32 % columns, row: at as u32 / columns };
        self.points.iter().enumerate().map(move |(at, point)| (spot(at), point))
    }

    /// Sets the stone on a point.
    pub fn stone(&mut self, at: impl Into<Spot>, color: Color) -> &mut Self {
        self.change(at, |point| point.stone = Some(color))
    }

    /// Sets the mark on a point, replacing any other mark.
    pub fn mark(&mut self, at: impl Into<Spot>, mark: Mark) -> &mut Self {
        self.change(at, |point| point.mark = Some(mark))
    }

    /// Sets the text on a point, replacing any other text.
    pub fn label(&mut self, at: impl Into<Spot>, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        self.change(at, |point| point.label = Some(text))
    }

    fn change(&mut self, at: impl Into<Spot>, change: impl FnOnce(&mut PointState)) -> &mut Self {
        if let Some(point) = self.get_mut(at) {
            change(point);
        }
        self
    }

    /// Draws a line between two points.
    pub fn line(&mut self, from: impl Into<Spot>, to: impl Into<Spot>) -> &mut Self {
        self.connect(from.into(), to.into(), false)
    }

    /// Draws an arrow from a point to another.
    pub fn arrow(&mut self, from: impl Into<Spot>, to: impl Into<Spot>) -> &mut Self {
        self.connect(from.into(), to.into(), true)
    }

    fn connect(&mut self, from: Spot, to: Spot, has_head: bool) -> &mut Self {
        if from != to && self.index(from).is_some() && self.index(to).is_some() {
            self.lines.push(Line { from, to, has_head });
        }
        self
    }

    /// Sets the last move, which gets its own mark.
    pub fn set_last_move(&mut self, at: Option<Spot>) -> &mut Self {
        self.last_move = at.filter(|&spot| self.index(spot).is_some());
        self
    }

    /// Returns the last move, if it was played on the board.
    pub fn last_move(&self) -> Option<Spot> {
        self.last_move
    }

    /// Returns the name of a column, as players use it.
    ///
    /// In Go: letters without I, then AA and so on after 25 columns. In Hex: all letters.
    pub fn column_name(&self, column: u32) -> String {
        let letter = |number: u32| char::from(b'A' + (number % 26) as u8);
        match (self.shape, column / 26) {
            (Shape::Grid, _) => column_name(column),
            (Shape::Rhombus, 0) => letter(column).to_string(),
            (Shape::Rhombus, times) => [letter(times - 1), letter(column)].iter().collect(),
        }
    }

    /// Returns the name of a row, as players use it.
    ///
    /// Rows are counted from the bottom in Go, and from the top in Hex.
    pub fn row_name(&self, row: u32) -> String {
        match self.shape {
            Shape::Grid => self.size.rows().saturating_sub(row).to_string(),
            Shape::Rhombus => (row + 1).to_string(),
        }
    }

    /// Returns the name of a point, as players use it: `Q16`.
    pub fn name(&self, at: impl Into<Spot>) -> String {
        let spot = at.into();
        self.column_name(spot.column) + &self.row_name(spot.row)
    }

    /// Returns the handicap points of a Go board.
    ///
    /// They are the usual ones on 19x19, 13x13, 9x9 and similar boards; other boards have none.
    pub fn star_points(&self) -> Vec<Spot> {
        let side = self.size.columns();
        if self.shape != Shape::Grid || !self.size.is_square() || !(8..=MAX_SIDE).contains(&side) {
            return Vec::new();
        }
        let edge = if side < 12 { 2 } else { 3 };
        let (far, middle) = (side - 1 - edge, side / 2);
        let lines = match side {
            _ if side.is_multiple_of(2) => vec![edge, far],
            _ => vec![edge, middle, far],
        };
        let has_sides = side >= 15;
        let is_star = |&(column, row): &(u32, u32)| {
            let is_middle = (column == middle) != (row == middle);
            side.is_multiple_of(2) || has_sides || !is_middle
        };
        let all = lines.iter().flat_map(|&row| lines.iter().map(move |&column| (column, row)));
        all.filter(is_star).map(|(column, row)| Spot { column, row }).collect()
    }
}
