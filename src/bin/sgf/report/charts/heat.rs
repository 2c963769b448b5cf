//! Heat maps on boards of Go.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use sgf_stream::value::{Size, go};

use super::{number, percent, short};

/// How often something was on each point of a board, or of its upper right quarter.
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

/// The name of a point as people write it: `Q16`.
pub(in crate::report) fn name(x: u8, y: u8, side: u8) -> String {
    let point = go::Point::new(x, y).zip(Size::square(side.into()));
    point.and_then(|(point, board)| point.name_on(board)).unwrap_or_default()
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
    let Heat { side, count, all, is_quarter, title } = map;
    let side = *side;
    let first = if *is_quarter { side / 2 } else { 0 };
    let last_row = if *is_quarter { side / 2 } else { side - 1 };
    let (columns, rows) = (side - first, last_row + 1);
    let points = || (0..rows).flat_map(move |y| (first..side).map(move |x| (x, y)));
    let most = points().map(|(x, y)| count(x, y)).max().unwrap_or(0).max(1);
    let at = |x: u8| f64::from(x - first) + 0.5;
    let mut lines = String::new();
    let (right, bottom) = (at(side - 1), f64::from(rows) - 0.5);
    // Lines go on where the picture ends before the board does.
    let (left, low) = if *is_quarter { (0.0, f64::from(rows)) } else { (0.5, bottom) };
    for x in first..side {
        let _ = write!(lines, "M{} 0.5V{}", short(at(x)), short(low));
    }
    for y in 0..rows {
        let _ = write!(lines, "M{} {}H{}", short(left), short(f64::from(y) + 0.5), short(right));
    }
    let mut spots = String::new();
    for (x, y) in points() {
        let value = count(x, y);
        if value == 0 {
            continue;
        }
        let share = value as f64 / *all.max(&1) as f64;
        // Areas are compared more truly than shades; both say it.
        let heat = value as f64 / most as f64;
        let _ = write!(
            spots,
            r#"<circle cx="{}" cy="{}" r="{:.2}" fill-opacity="{:.2}"><title>{}: {} ({})</title></circle>"#,
            short(at(x)),
            short(f64::from(y) + 0.5),
            0.1 + 0.38 * heat.sqrt(),
            0.3 + 0.7 * heat,
            name(x, y, side),
            number(value as f64),
            percent(share),
        );
    }
    html! {
        svg .board viewBox=(format!("0 0 {columns} {rows}")) role="img" aria-label=(title) {
            rect .wood width=(columns) height=(rows) {}
            path .lines d=(lines) {}
            @for x in stars(side).iter().filter(|x| **x >= first) {
                @for y in stars(side).iter().filter(|y| **y < rows) {
                    circle .star cx=(short(at(*x))) cy=(short(f64::from(*y) + 0.5)) r=".09" {}
                }
            }
            g .spots { (PreEscaped(spots)) }
        }
    }
}
