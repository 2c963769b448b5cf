//! Values with intervals, along an axis.

use maud::{Markup, html};

use super::axis::{Scale, Unit, names};
use super::{SIDE, number, percent, short};

/// Values with intervals, one for each label; a label may have none.
pub(in crate::report) struct Lines {
    pub(in crate::report) labels: Vec<String>,
    pub(in crate::report) points: Vec<Option<Point>>,
    /// Shares of 1, drawn around a half; otherwise numbers from 0.
    pub(in crate::report) is_share: bool,
    /// Whether labels are in an order that a line may follow.
    pub(in crate::report) connects: bool,
}

#[derive(Clone, Copy)]
pub(in crate::report) struct Point {
    pub(in crate::report) value: f64,
    pub(in crate::report) low: f64,
    pub(in crate::report) high: f64,
    /// Number of games that it stands for.
    pub(in crate::report) games: u64,
}

pub(in crate::report) fn lines(chart: &Lines) -> Markup {
    let Lines { labels, points, is_share, connects } = chart;
    let there = || points.iter().flatten();
    let (low, high) = match is_share {
        // A wide interval of few games does not squeeze the others.
        true => (
            there().map(|point| point.value - 0.05).fold(0.4, f64::min).max(0.0),
            there().map(|point| point.value + 0.05).fold(0.6, f64::max).min(1.0),
        ),
        false => (0.0, there().map(|point| point.high).fold(1.0, f64::max)),
    };
    let scale = Scale::of(low, high, if *is_share { Unit::Percent } else { Unit::Number });
    let width = SIDE / labels.len().max(1) as f64;
    let x = |n: usize| short((n as f64 + 0.5) * width);
    let text = |value: f64| if *is_share { percent(value) } else { number(value) };
    // A line ends where a label has no value.
    let mut path = String::new();
    for (n, point) in points.iter().enumerate() {
        if let Some(point) = point {
            let continues = n > 0 && points[n - 1].is_some();
            path += &format!("{}{} {}", if continues { 'L' } else { 'M' }, x(n), short(scale.y(point.value)));
        }
    }
    html! {
        div .plot {
            (scale.names())
            svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" {
                (scale.grid())
                @if *is_share { path .half d=(format!("M0 {}H{SIDE}", short(scale.y(0.5)))) {} }
                @for (n, point) in points.iter().enumerate() {
                    @if let Some(point) = point {
                        path .range d=(format!("M{} {}V{}", x(n), short(scale.y(point.low)), short(scale.y(point.high)))) {}
                    }
                }
                @if *connects { path .line d=(path) {} }
                @for (n, point) in points.iter().enumerate() {
                    @if let Some(point) = point {
                        path .dot d=(format!("M{} {}h0", x(n), short(scale.y(point.value)))) {}
                        rect .hit x=(short(n as f64 * width)) y="0" width=(short(width)) height="1000" {
                            title {
                                (labels[n]) ": " (text(point.value)) " (" (text(point.low)) " to " (text(point.high)) ") of "
                                (number(point.games as f64)) " games"
                            }
                        }
                    }
                }
            }
            (names(labels))
        }
    }
}
