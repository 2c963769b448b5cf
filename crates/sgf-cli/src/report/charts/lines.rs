//! Values with intervals, along an axis.

use maud::{Markup, html};

use super::axis::{Labels, Scale, Unit, names};
use super::{SIDE, number, only, percent, short};

/// Values with intervals, one for each label; a label may have none.
pub(in crate::report) struct Lines {
    pub(in crate::report) labels: Vec<String>,
    pub(in crate::report) points: Vec<Option<Point>>,
    /// Shares of 1, drawn around a half; otherwise numbers from 0.
    pub(in crate::report) is_share: bool,
    /// Whether labels are in an order that a line may follow. Otherwise none of them is left out.
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
    let text = |value: f64| if *is_share { percent(value) } else { number(value) };
    let words = |Point { value, low, high, games }: &Point| {
        let (low, high, games) = (text(*low), text(*high), number(*games as f64));
        format!("{} ({low} to {high}) of {games} games", text(*value))
    };
    let mut there = points.iter().zip(labels).filter_map(|(point, label)| Some((point.as_ref()?, label)));
    if let (Some((point, label)), None) = (there.next(), there.next()) {
        return only(label, &words(point));
    }
    // Intervals are on the axis from end to end.
    let (low, high) =
        points.iter().flatten().fold(if *is_share { (0.4, 0.6) } else { (0.0, 1.0) }, |(low, high), point| {
            (point.low.min(low), point.high.max(high))
        });
    let scale = Scale::of(low, high, if *is_share { Unit::Percent } else { Unit::Number });
    let width = SIDE / labels.len().max(1) as f64;
    let x = |n: usize| short((n as f64 + 0.5) * width);
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
                            title { (labels[n]) ": " (words(point)) }
                        }
                    }
                }
            }
            (names(labels, if *connects { Labels::Ordered } else { Labels::Each }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64, f64)], is_share: bool) -> String {
        let labels = (0..points.len()).map(|n| n.to_string()).collect();
        let points =
            points.iter().map(|(low, value, high)| Some(Point { value: *value, low: *low, high: *high, games: 9 }));
        lines(&Lines { labels, points: points.collect(), is_share, connects: false }).into_string()
    }

    #[test]
    fn intervals_are_on_the_axis_from_end_to_end() {
        // 0 at the top is 70 %; 1000 is 20 %.
        let chart = chart(&[(0.248, 0.45, 0.699), (0.49, 0.5, 0.51)], true);
        assert!(chart.contains(">70 %<") && chart.contains(">20 %<"), "{chart}");
        assert!(chart.contains(r#"d="M250 904V2""#), "{chart}");
    }

    quickcheck::quickcheck! {
        fn no_interval_is_cut(intervals: Vec<(u16, u16)>) -> bool {
            let of = |(one, other): &(u16, u16)| {
                let (one, other) = (f64::from(*one) / 65535.0, f64::from(*other) / 65535.0);
                (one.min(other), (one + other) / 2.0, one.max(other))
            };
            let intervals: Vec<_> = intervals.iter().map(of).collect();
            let low = intervals.iter().map(|(low, ..)| *low).fold(0.4, f64::min);
            let high = intervals.iter().map(|(.., high)| *high).fold(0.6, f64::max);
            let scale = Scale::of(low, high, Unit::Percent);
            intervals.iter().all(|(low, _, high)| *low >= scale.low - 1e-9 && *high <= scale.high + 1e-9)
                && scale.low > -1e-9 && scale.high < 1.0 + 1e-9
        }
    }

    #[test]
    fn one_value_is_a_sentence() {
        assert_eq!(
            chart(&[(0.2, 0.5, 0.8)], true),
            "<p class=\"only\"><b>0</b>: 50.0 % (20.0 % to 80.0 %) of 9 games</p>"
        );
    }
}
