//! Columns, stacked if there are several series; histograms are columns without gaps.

use maud::{Markup, html};

use super::axis::{Labels, Scale, Unit, names};
use super::{SIDE, color, number, only, percent, short};
use crate::visible::Visible;

/// Columns beside each other, one for each label.
pub(in crate::report) struct Columns {
    pub(in crate::report) labels: Vec<String>,
    pub(in crate::report) series: Vec<Series>,
    /// Without gaps.
    pub(in crate::report) is_histogram: bool,
    /// The things that the numbers count.
    pub(in crate::report) what: &'static str,
    /// Draw shares of each column's sum instead of numbers.
    pub(in crate::report) is_relative: bool,
}

impl Columns {
    /// A histogram of games.
    pub(in crate::report) fn histogram(labels: Vec<String>, games: Vec<u64>) -> Self {
        let series = vec![Series { name: "games".to_owned(), color: 0, values: games }];
        Columns { labels, series, is_histogram: true, what: "games", is_relative: false }
    }
}

/// The values of one color, one for each label.
pub(in crate::report) struct Series {
    pub(in crate::report) name: String,
    /// The number of its color.
    pub(in crate::report) color: usize,
    pub(in crate::report) values: Vec<u64>,
}

pub(in crate::report) fn columns(chart: &Columns) -> Markup {
    let Columns { labels, series, is_histogram, what, is_relative } = chart;
    let sum = |n: usize| series.iter().map(|series| series.values.get(n).copied().unwrap_or(0)).sum::<u64>();
    if let [label] = &labels[..] {
        return only(label, &in_words(chart, sum(0)));
    }
    let most = (0..labels.len()).map(sum).max().unwrap_or(0);
    let scale = match is_relative {
        true => Scale::of(0.0, 1.0, Unit::Percent),
        false => Scale::of(0.0, most as f64, Unit::Number),
    };
    let width = SIDE / labels.len().max(1) as f64;
    // A few columns are not as wide as the plot.
    let gap = if *is_histogram { width * 0.04 } else { (width * 0.14).max((width - SIDE / 14.0) / 2.0) };
    // The height of the first series of a column together.
    let height = |n: usize, end: usize| {
        let values = series[..end].iter().map(|series| series.values.get(n).copied().unwrap_or(0));
        let height = values.sum::<u64>() as f64;
        if *is_relative { height / sum(n).max(1) as f64 } else { height }
    };
    html! {
        div .plot {
            (scale.names())
            svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(what) {
                (scale.grid())
                g .stack[series.len() > 1] {
                  @for n in 0..labels.len() {
                    @for (place, series) in series.iter().enumerate() {
                        @let value = series.values.get(n).copied().unwrap_or(0);
                        @if value > 0 {
                            @let (top, bottom) = (scale.y(height(n, place + 1)), scale.y(height(n, place)));
                            rect class=(color('s', series.color)) x=(short(n as f64 * width + gap)) y=(short(top))
                                width=(short(width - 2.0 * gap)) height=(short((bottom - top).max(1.0))) {
                                title {
                                    (labels[n]) ": " (number(value as f64)) " " (what)
                                    @if chart.series.len() > 1 {
                                        ", " (Visible(&series.name)) " (" (percent(value as f64 / sum(n).max(1) as f64)) ")"
                                    }
                                }
                            }
                        }
                    }
                  }
                }
            }
            (names(labels, Labels::Ordered))
        }
        @if series.len() > 1 { (legend(series)) }
    }
}

/// The only column: `12 games: 5 a (41.7 %), 7 b (58.3 %)`.
fn in_words(chart: &Columns, all: u64) -> String {
    let parts = chart.series.iter().filter_map(|series| {
        let value = series.values.first().copied().filter(|value| *value > 0)?;
        let share = percent(value as f64 / all.max(1) as f64);
        Some(format!("{} {} ({share})", Visible(&series.name), number(value as f64)))
    });
    let parts: Vec<_> = parts.collect();
    let all = format!("{} {}", number(all as f64), chart.what);
    if chart.series.len() > 1 { format!("{all}: {}", parts.join(", ")) } else { all }
}

/// The names of series beside their colors.
fn legend(all: &[Series]) -> Markup {
    html! {
        ul .legend {
            @for series in all { li { i class=(color('k', series.color)) {} (Visible(&series.name)) } }
        }
    }
}
