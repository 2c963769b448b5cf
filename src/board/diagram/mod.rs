//! Diagrams: what a picture of a board shows.
//!
//! [`Painter`] makes diagrams of the nodes of a game; a [`Diagram`] can also be made from a [`Board`], or point by point.
//! [`Diagram::svg`] draws it.

mod crop;
mod marks;
mod painter;
mod svg;
#[cfg(test)]
mod tests;

use super::Board;
use crate::value::game::Game;
use crate::value::{Color, GridPoint, Size, go};

pub use self::painter::Painter;
pub use self::svg::Svg;

/// The content of a picture of a board: stones, with move numbers; marks, labels, arrows and lines; the last move.
///
/// ```
/// use sgf_stream::board::{Board, Diagram, Mark};
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

/// How the points of a board lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Crossings of lines, as in Go.
    #[default]
    Grid,
    /// The hexagons of a rhombus, as in Hex: each row begins half a hexagon further right than the one above it.
    Rhombus,
}

/// A point of a diagram: its column and row, counted from 0 at the upper left.
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

/// A mark on a point. The properties of SGF that make it are in brackets.
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
    /// Whether the point is left out of the picture (`VW`).
    pub is_hidden: bool,
}

/// A line or an arrow between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    from: Spot,
    to: Spot,
    has_head: bool,
}

/// Why a board cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoDiagram {
    /// No board of this game is known.
    #[error("{} (GM[{}]) has no board here yet; Go and Hex have", .0.name(), .0.number())]
    Game(Game),
    /// The size of the board, which is given, is not known or too large.
    #[error("a board has at most {MAX_SIDE} columns and rows")]
    Size,
}

/// The longest side of a diagram.
const MAX_SIDE: u32 = 52;

impl Diagram {
    /// A diagram of an empty board; `None` if it has more than 52 columns or rows.
    pub fn new(shape: Shape, size: Size) -> Option<Self> {
        if size.columns() > MAX_SIDE || size.rows() > MAX_SIDE {
            return None;
        }
        let points = vec![PointState::default(); (size.columns() * size.rows()) as usize];
        Some(Diagram { shape, size, points, lines: Vec::new(), last_move: None })
    }

    /// The stones of a board.
    pub fn of(board: &Board) -> Self {
        let size = board.size();
        let stone = |point| PointState { stone: board.get(point), ..PointState::default() };
        Diagram {
            shape: Shape::Grid,
            size,
            points: board.points().map(stone).collect(),
            lines: Vec::new(),
            last_move: None,
        }
    }

    /// How the points lie.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let is_on_board = spot.column < self.size.columns() && spot.row < self.size.rows();
        is_on_board.then(|| (spot.row * self.size.columns() + spot.column) as usize)
    }

    /// The content of a point; `None` if it is not on the board.
    pub fn get(&self, at: impl Into<Spot>) -> Option<&PointState> {
        self.index(at.into()).map(|index| &self.points[index])
    }

    /// The content of a point, to change it; `None` if it is not on the board.
    pub fn get_mut(&mut self, at: impl Into<Spot>) -> Option<&mut PointState> {
        self.index(at.into()).map(|index| &mut self.points[index])
    }

    /// All points, row by row from the upper left.
    pub fn points(&self) -> impl Iterator<Item = (Spot, &PointState)> {
        let columns = self.size.columns();
        let spot = move |at: usize| Spot { column: at as u32 % columns, row: at as u32 / columns };
        self.points.iter().enumerate().map(move |(at, point)| (spot(at), point))
    }

    /// Puts a stone on a point.
    pub fn stone(&mut self, at: impl Into<Spot>, color: Color) -> &mut Self {
        self.change(at, |point| point.stone = Some(color))
    }

    /// Puts a mark on a point, in place of the one that it had.
    pub fn mark(&mut self, at: impl Into<Spot>, mark: Mark) -> &mut Self {
        self.change(at, |point| point.mark = Some(mark))
    }

    /// Writes a text on a point, in place of the one that it had.
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

    /// Sets the last move, which gets a mark of its own.
    pub fn set_last_move(&mut self, at: Option<Spot>) -> &mut Self {
        self.last_move = at.filter(|&spot| self.index(spot).is_some());
        self
    }

    /// The last move, if it was played on the board.
    pub fn last_move(&self) -> Option<Spot> {
        self.last_move
    }

    /// The name of a column, as players say it: in Go letters without I, from AA on after 25 columns; in Hex all letters.
    pub fn column_name(&self, column: u32) -> String {
        let letter = |number: u32| char::from(b'A' + (number % 26) as u8);
        match (self.shape, column / 26) {
            (Shape::Grid, _) => go::column_name(column),
            (Shape::Rhombus, 0) => letter(column).to_string(),
            (Shape::Rhombus, times) => [letter(times - 1), letter(column)].iter().collect(),
        }
    }

    /// The name of a row, as players say it: in Go counted from the bottom, in Hex from the top.
    pub fn row_name(&self, row: u32) -> String {
        match self.shape {
            Shape::Grid => self.size.rows().saturating_sub(row).to_string(),
            Shape::Rhombus => (row + 1).to_string(),
        }
    }

    /// The name of a point, as players say it: `Q16`.
    pub fn name(&self, at: impl Into<Spot>) -> String {
        let spot = at.into();
        self.column_name(spot.column) + &self.row_name(spot.row)
    }

    /// The handicap points of a board of Go: those that players know on 19x19, 13x13 and 9x9, and kin; none on others.
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
