//! The markup of a node: the properties and their marks.

use sgf_stream::value::{Color, Size, go, hex};
use sgf_stream::{Game, Ident, RawValue};

use super::{Mark, Spot};

/// The marks that the values of a property draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    Mark(Mark),
    Label,
    /// Labels `a`, `b`, … in the order of the values (`L` of FF\[1\] to FF\[3\]).
    Letters,
    Line {
        has_head: bool,
    },
    /// Points that are grayed out from here on.
    Dim,
    /// The points that are shown from here on.
    View,
}

impl Markup {
    pub(super) fn of(ident: Ident<'_>) -> Option<Self> {
        Some(match &*ident.name() {
            "CR" => Markup::Mark(Mark::Circle),
            "MA" | "M" => Markup::Mark(Mark::Cross),
            "SQ" => Markup::Mark(Mark::Square),
            "TR" => Markup::Mark(Mark::Triangle),
            "SL" => Markup::Mark(Mark::Selected),
            "TB" => Markup::Mark(Mark::Territory(Color::Black)),
            "TW" => Markup::Mark(Mark::Territory(Color::White)),
            "LB" => Markup::Label,
            "L" => Markup::Letters,
            "AR" => Markup::Line { has_head: true },
            "LN" => Markup::Line { has_head: false },
            "DD" => Markup::Dim,
            "VW" => Markup::View,
            _ => return None,
        })
    }
}

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
