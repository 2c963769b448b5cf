//! Charts as SVG, and as lists with bars. They are as wide as the page lets them be; texts keep their size.
//!
//! Colours come from the style sheet of the page, so that charts fit light and dark pages and paper.

mod axis;
mod bars;
mod columns;
mod heat;
mod lines;

pub(super) use self::bars::{Bar, bars};
pub(super) use self::columns::{Columns, Series, columns};
pub(super) use self::heat::{Heat, heat, hex_heat, hex_name, name as point_name};
pub(super) use self::lines::{Lines, Point, lines};

use maud::{Markup, html};

use crate::tables::grouped;
use crate::visible::Visible;

/// The side of the picture of a plot, in its own units: it is stretched to the room there is.
const SIDE: f64 = 1000.0;

/// The number of colors for series; the last one is for what is left.
const COLORS: usize = 8;

/// Colors with a meaning: those of the stones, of a game that nobody won, of errors and of warnings.
pub(super) const BLACK: usize = 8;
pub(super) const WHITE: usize = 9;
pub(super) const DRAW: usize = 10;
pub(super) const ERROR: usize = 11;
pub(super) const WARNING: usize = 12;

/// The names of the classes of a color, for shapes of SVG and for others.
fn color(prefix: char, number: usize) -> String {
    match number {
        BLACK => format!("{prefix}b"),
        WHITE => format!("{prefix}w"),
        DRAW => format!("{prefix}d"),
        ERROR => format!("{prefix}e"),
        WARNING => format!("{prefix}o"),
        number => format!("{prefix}{}", number.min(COLORS - 1)),
    }
}

/// A chart with one thing to compare: a sentence says as much.
fn only(label: &str, text: &str) -> Markup {
    html! { p .only { b { (Visible(label)) } ": " (text) } }
}

/// A number with at most one decimal, for SVG.
pub(super) fn short(number: f64) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// `12.3 %`. Nearly none is not none, and nearly all is not all.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        part if part > 0.0 && part < 0.05 => "< 0.1 %".to_owned(),
        part if (99.95..100.0).contains(&part) => "> 99.9 %".to_owned(),
        part => format!("{part:.1} %"),
    }
}

/// A number for people: `1,234`, `12.5`.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    match rounded.fract() == 0.0 && (0.0..9e15).contains(&rounded) {
        true => grouped(rounded as u64),
        false => rounded.to_string(),
    }
}
