//! Heat maps on boards of Go, and of Hex.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use sgf_stream::value::{Size, go, hex};

use super::{number, percent};

/// How often something was on each point of a board, or (in Go) of its upper right quarter.
pub(in crate::report) struct Heat<'a> {
    pub(in crate::report) side: u8,
    /// The number of a point, by column and row from the upper left.
    pub(in crate::report) count: &'a dyn Fn(u8, u8) -> u64,
    /// Shares are those of this number.
    pub(in crate::report) all: u64,
    /// Draw only the upper right quarter.
    pub(in crate::report) is_quarter: bool,
    pub(in crate::report) title: String,
}

/// The name of a point of Go as people write it: `Q16`.
pub(in crate::report) fn name(x: u8, y: u8, side: u8) -> String {
    let point = go::Point::new(x, y).zip(Size::square(side.into()));
    point.and_then(|(point, board)| point.name_on(board)).unwrap_or_default()
}

/// The name of a point of Hex: `k11`.
pub(in crate::report) fn hex_name(x: u8, y: u8) -> String {
    hex::Point::new(x.into(), y.into()).to_string()
}

/// The columns and rows of the star points.
fn stars(side: u8) -> &'static [u8] {
    match side {
        19 => &[3, 9, 15],
        13 => &[3, 6, 9],
        9 => &[2, 4, 6],
        _ => &[],
    }
}

pub(in crate::report) fn heat(map: &Heat<'_>) -> Markup {
    let Heat { side, is_quarter, title, .. } = map;
    let side = *side;
    let first = if *is_quarter { side / 2 } else { 0 };
    let last_row = if *is_quarter { side / 2 } else { side - 1 };
    let (columns, rows) = (side - first, last_row + 1);
    let at = |x: u8| f64::from(x - first) + 0.5;
    let mut lines = String::new();
    let (right, bottom) = (at(side - 1), f64::from(rows) - 0.5);
    // Lines go on where the picture ends before the board does.
    let (left, low) = if *is_quarter { (0.0, f64::from(rows)) } else { (0.5, bottom) };
    for x in first..side {
        let _ = write!(lines, "M{} 0.5V{low}", at(x));
    }
    for y in 0..rows {
        let _ = write!(lines, "M{left} {}H{right}", f64::from(y) + 0.5);
    }
    let points = (0..rows).flat_map(|y| (first..side).map(move |x| (x, y)));
    let spots = spots(map, points, |x, y| (at(x), f64::from(y) + 0.5), |x, y| name(x, y, side));
    html! {
        svg .board viewBox=(format!("0 0 {columns} {rows}")) role="img" aria-label=(title) {
            rect .wood width=(columns) height=(rows) {}
            path .lines d=(lines) {}
            @for x in stars(side).iter().filter(|x| **x >= first) {
                @for y in stars(side).iter().filter(|y| **y < rows) {
                    circle .star cx=(at(*x)) cy=(f64::from(*y) + 0.5) r=".09" {}
                }
            }
            g .spots { (PreEscaped(spots)) }
        }
    }
}

/// The distance of two rows of hexagons, and from the center of one to its corners.
const ROW: f64 = 0.866;
const RADIUS: f64 = 0.577;

/// A heat map on a board of Hex: a rhombus, with rims of the colors of the players.
pub(in crate::report) fn hex_heat(map: &Heat<'_>) -> Markup {
    let side = map.side;
    let center = |x: u8, y: u8| (f64::from(x) + f64::from(y) / 2.0 + 0.6, f64::from(y) * ROW + 0.7);
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let corner = |(n, (x, y))| format!("{}{x:.2} {y:.2}", if n == 0 { 'M' } else { 'L' });
        points.enumerate().map(corner).collect::<String>()
    };
    let mut cells = String::new();
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let (x, y) = center(x, y);
        let corners = [(0.0, -1.0), (0.5, -0.5), (0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), (-0.5, -0.5)];
        cells += &path(&mut corners.into_iter().map(|(across, down)| (x + across, y + down * RADIUS)));
        cells.push('Z');
    }
    // Black connects top and bottom, White left and right.
    let rim = |row: u8, sign: f64| {
        path(&mut (0..side).flat_map(|column| {
            let (x, y) = center(column, row);
            [(x - 0.5, y + sign * RADIUS / 2.0), (x, y + sign * RADIUS), (x + 0.5, y + sign * RADIUS / 2.0)]
        }))
    };
    let flank = |column: u8, sign: f64| {
        path(&mut (0..side).flat_map(|row| {
            let (x, y) = center(column, row);
            [(x + sign * 0.5, y - RADIUS / 2.0), (x + sign * 0.5, y + RADIUS / 2.0)]
        }))
    };
    let points = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let spots = spots(map, points, center, hex_name);
    let (last_x, last_y) = center(side - 1, side - 1);
    html! {
        svg .board .hex viewBox=(format!("0 0 {:.2} {:.2}", last_x + 0.6, last_y + 0.7)) role="img" aria-label=(map.title) {
            path .cells d=(cells) {}
            @for (class, path) in [("black", rim(0, -1.0)), ("black", rim(side - 1, 1.0)), ("white", flank(0, -1.0)), ("white", flank(side - 1, 1.0))] {
                path .rim d=(path) {}
                path class=(class) d=(path) {}
            }
            g .spots { (PreEscaped(spots)) }
        }
    }
}

/// The spots of a map, where they are, and their names.
fn spots(
    map: &Heat<'_>,
    points: impl Iterator<Item = (u8, u8)> + Clone,
    center: impl Fn(u8, u8) -> (f64, f64),
    name: impl Fn(u8, u8) -> String,
) -> String {
    let most = points.clone().map(|(x, y)| (map.count)(x, y)).max().unwrap_or(0).max(1);
    let mut spots = String::new();
    for (x, y) in points {
        let value = (map.count)(x, y);
        if value == 0 {
            continue;
        }
        let share = value as f64 / map.all.max(1) as f64;
        // Areas are compared more truly than shades; both say it.
        let heat = value as f64 / most as f64;
        let (left, top) = center(x, y);
        let _ = write!(
            spots,
            r#"<circle cx="{}" cy="{}" r="{:.2}" fill-opacity="{:.2}"><title>{}: {} ({})</title></circle>"#,
            two(left),
            two(top),
            0.1 + 0.38 * heat.sqrt(),
            0.3 + 0.7 * heat,
            name(x, y),
            number(value as f64),
            percent(share),
        );
    }
    spots
}

/// A number with at most two decimals.
fn two(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
