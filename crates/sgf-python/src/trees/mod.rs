//! Games as trees: reading, walking, editing, writing. The names are those of sgfmill where it has one.

mod node;
mod tree;
mod value;

pub(crate) use self::node::Node;
pub(crate) use self::tree::{Tree, parse, read};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sgf_board::Board;
use sgf_stream::value::{Color, Size, go};
use sgf_stream::{RawValue, tree as sgf};

use crate::error::value_error;

/// The rows of a board, from the bottom; each point is `"b"`, `"w"` or `None`.
type Rows = Vec<Vec<Option<&'static str>>>;

/// A move in Python: the point as row and column, `None` for a pass.
type PyMove = Option<(u32, u32)>;

fn letter(color: Color) -> &'static str {
    if color == Color::Black { "b" } else { "w" }
}

/// Returns the color with a letter.
fn color(letter: &str) -> PyResult<Color> {
    match letter {
        "b" | "B" => Ok(Color::Black),
        "w" | "W" => Ok(Color::White),
        other => Err(PyValueError::new_err(format!("unknown colour '{other}'; use 'b' or 'w'"))),
    }
}

/// The properties that set up stones.
const SETUP: [&str; 3] = ["AB", "AW", "AE"];

/// Returns the color and the raw value of the move of a node. Of two moves, Black's counts, as in sgfmill.
fn raw_move(node: sgf::Node<'_>) -> Option<(Color, RawValue<'_>)> {
    [Color::Black, Color::White].into_iter().find_map(|color| Some((color, node.raw(color.as_str())?)))
}

/// Returns the move of a node, with its point on the board.
fn played(node: sgf::Node<'_>) -> PyResult<Option<(&'static str, PyMove)>> {
    let Some((color, _)) = raw_move(node) else { return Ok(None) };
    let played = node.get::<go::Move>(color.as_str()).map_err(value_error)?;
    let point = match played {
        Some(go::Move::Play(at)) => Some(value::point(color.as_str(), at, board_size(node.tree()))?),
        _ => None,
    };
    Ok(Some((letter(color), point)))
}

fn board_size(game: &sgf::GameTree) -> Size {
    game.context().board().unwrap_or_default()
}

fn rows_of(board: &Board) -> Rows {
    let columns = board.size().columns() as usize;
    let rows = board.as_slice().chunks(columns).rev();
    rows.map(|row| row.iter().map(|stone| stone.map(letter)).collect()).collect()
}

/// Returns the size of a board: a number if it is square.
fn size_object(py: Python<'_>, size: Size) -> PyResult<Bound<'_, PyAny>> {
    match size.is_square() {
        true => Ok(size.rows().into_pyobject(py)?.into_any()),
        false => Ok((size.columns(), size.rows()).into_pyobject(py)?.into_any()),
    }
}

/// Returns the size that a Python object means.
pub(crate) fn size_from(object: &Bound<'_, PyAny>) -> PyResult<Size> {
    let (columns, rows) = match object.extract::<u32>() {
        Ok(side) => (side, side),
        Err(_) => object.extract()?,
    };
    Size::new(columns, rows)
        .ok_or_else(|| PyValueError::new_err(format!("size: {columns}x{rows}: boards have 1 to 52 lines in Go")))
}
