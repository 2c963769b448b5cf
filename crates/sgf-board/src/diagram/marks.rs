//! The points of the markup of a node.

use sgf_stream::value::{Size, go, hex};
use sgf_stream::{Game, RawValue};

use super::Spot;

/// Reads a point, or the points of a rectangle. Unreadable points and points off the board are skipped.
pub(super) fn spots(game: Game, size: Size, raw: RawValue<'_>) -> Vec<Spot> {
    match game {
        Game::Go => {
            let area = super::super::replay::read_area(raw, size);
            area.into_iter().flat_map(|area| area.points()).map(Spot::from).collect()
        }
        _ => {
            let (first, last) = match raw.compose() {
                Some((first, last)) => (first, last),
                None => (raw, raw),
            };
            let (Some(first), Some(last)) = (hex_spot(first), hex_spot(last)) else { return Vec::new() };
            if last.column >= size.columns() || last.row >= size.rows() {
                return Vec::new();
            }
            let rows = first.row..=last.row;
            rows.flat_map(|row| (first.column..=last.column).map(move |column| Spot { column, row })).collect()
        }
    }
}

/// Reads a single point.
pub(super) fn spot(game: Game, raw: RawValue<'_>) -> Option<Spot> {
    match game {
        Game::Go => go::Point::parse(raw).or_else(|_| go::Point::parse_lenient(raw)).ok().map(Spot::from),
        _ => hex_spot(raw),
    }
}

fn hex_spot(raw: RawValue<'_>) -> Option<Spot> {
    hex::Point::parse(raw).or_else(|_| hex::Point::parse_lenient(raw)).ok().map(Spot::from)
}
