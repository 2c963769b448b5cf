//! The eight images of a board, by codes of moves.

use std::sync::OnceLock;

use sgf_stream::board::Symmetry;
use sgf_stream::value::{Size, go};

use crate::report::facts::{PASS, Side};

/// The images of each point of a square board, in the order of [`Symmetry::ALL`]: codes like those of moves.
pub(super) fn images(side: Side) -> &'static [[u16; 8]] {
    static BOARDS: [OnceLock<Vec<[u16; 8]>>; 53] = [const { OnceLock::new() }; 53];
    let Some(board) = BOARDS.get(usize::from(side)) else { return &[] };
    board.get_or_init(|| {
        let Some(size) = Size::square(side.into()) else { return Vec::new() };
        let image = |x: u8, y: u8, symmetry: Symmetry| {
            let point = go::Point::new(x, y).and_then(|point| symmetry.apply(point, size));
            point.map_or(PASS, |point| u16::from(point.y()) * u16::from(side) + u16::from(point.x()))
        };
        let points = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        points.map(|(x, y)| Symmetry::ALL.map(|symmetry| image(x, y, symmetry))).collect()
    })
}
