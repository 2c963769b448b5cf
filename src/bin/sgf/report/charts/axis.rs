//! Axes: marks at round numbers, and names that do not run into each other.

use maud::{Markup, html};

use super::{SIDE, short};

/// How the numbers of an axis are written.
#[derive(Clone, Copy)]
pub(in crate::report) enum Unit {
    Number,
    Percent,
}

impl Unit {
    pub(in crate::report) fn text(self, value: f64) -> String {
        match self {
            Unit::Number => super::number(value),
            Unit::Percent => format!("{} %", short(value * 100.0)),
        }
    }
}

/// The vertical axis.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    step: f64,
    unit: Unit,
}

impl Scale {
    /// A scale of round numbers that has all values from `low` to `high`.
    pub(super) fn of(low: f64, high: f64, unit: Unit) -> Scale {
        let span = if high > low { high - low } else { 1.0 };
        let power = 10_f64.powf((span / 4.0).log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|digit| digit * power);
        let step = step.into_iter().find(|step| span / step <= 5.0).unwrap_or(span);
        let step = if matches!(unit, Unit::Number) { step.max(1.0) } else { step };
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale { low, high: if high > low { high } else { low + step }, step, unit }
    }

    /// The place of a value, from the top.
    pub(super) fn y(self, value: f64) -> f64 {
        SIDE * (1.0 - (value.clamp(self.low, self.high) - self.low) / (self.high - self.low))
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(move |n| self.low + f64::from(n) * self.step)
    }

    /// The lines of the grid.
    pub(super) fn grid(self) -> Markup {
        html! {
            @for tick in self.ticks() {
                @let y = short(self.y(tick));
                path .grid .zero[tick == 0.0] d=(format!("M0 {y}H{SIDE}")) {}
            }
        }
    }

    /// The numbers beside it.
    pub(super) fn names(self) -> Markup {
        html! {
            div .y aria-hidden="true" {
                @for tick in self.ticks() {
                    span style=(format!("top:{}%", short(self.y(tick) / 10.0))) { (self.unit.text(tick)) }
                }
            }
        }
    }
}

/// The names below a plot: as many as fit, and more where the page is wide.
pub(super) fn names(labels: &[String]) -> Markup {
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(1).max(3);
    let every = |room: usize| labels.len().div_ceil((room / longest).max(1)).max(1);
    let (narrow, wide) = (every(32), every(90));
    html! {
        div .x aria-hidden="true" {
            @for (n, label) in labels.iter().enumerate() {
                @let (is_narrow, is_wide) = (n % narrow == 0, n % wide == 0);
                @if is_narrow || is_wide {
                    span .narrow[is_narrow && !is_wide] .wide[is_wide && !is_narrow]
                        style=(format!("left:{}%", short((n as f64 + 0.5) * 100.0 / labels.len() as f64))) { (label) }
                }
            }
        }
    }
}
