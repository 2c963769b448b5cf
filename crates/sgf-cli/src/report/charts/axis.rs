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
            @let longest = self.ticks().map(|tick| self.unit.text(tick).chars().count()).max().unwrap_or(0);
            div .y aria-hidden="true" style=(format!("--chars:{longest}")) {
                @for tick in self.ticks() {
                    span style=(format!("top:{}%", short(self.y(tick) / 10.0))) { (self.unit.text(tick)) }
                }
            }
        }
    }
}

/// The kind of names below a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// Steps along an axis: what is between two of them is clear. Those at its ends that consist of words, such as
    /// `before 1600`, are not.
    Ordered,
    /// Names that must all be shown.
    Each,
}

/// The widths of a plot, in characters: from the least that a figure has on phones and paper to one as wide as the page. The
/// style sheet has the limits, and a class for each.
const ROOMS: [f64; 5] = [24.0, 33.0, 55.0, 76.0, 110.0];

/// The names below a plot. At each of its widths they do not run into each other: steps are left out, and other names turned.
pub(super) fn names(labels: &[String], kind: Labels) -> Markup {
    let left = |n: usize| (n as f64 + 0.5) * 100.0 / labels.len() as f64;
    let fits = |room: &f64| labels.iter().all(|label| width(label) <= room / labels.len() as f64);
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let shown = ROOMS.map(|room| match kind {
        Labels::Ordered => steps(labels, room),
        Labels::Each => vec![true; labels.len()],
    });
    let is_turned = ROOMS.map(|room| kind == Labels::Each && !fits(&room));
    // `r0 r2` and `t0 t1`: the rooms in which a name is shown, and in which all are turned.
    let classes = |prefix: char, of: [bool; ROOMS.len()]| -> String {
        let rooms = of.into_iter().enumerate().filter(|(_, is_so)| *is_so);
        rooms.map(|(room, _)| format!(" {prefix}{room}")).collect()
    };
    html! {
        div class=(format!("x{}", classes('t', is_turned))) aria-hidden="true" style=(format!("--chars:{longest}")) {
            @for (n, label) in labels.iter().enumerate() {
                @let rooms = std::array::from_fn(|room| shown[room][n]);
                @if rooms.contains(&true) {
                    // Only words at the end may be too long for their place.
                    @let last = if n + 1 == labels.len() && is_words(label) && kind == Labels::Ordered { " last" } else { "" };
                    span class=(format!("{}{last}", classes('r', rooms).trim_start()))
                        style=(format!("left:{}%", short(left(n)))) { (label) }
                }
            }
        }
    }
}

/// The room that a name takes, with a gap.
fn width(label: &str) -> f64 {
    label.chars().count() as f64 + 1.5
}

fn is_words(label: &str) -> bool {
    label.contains(' ')
}

/// Which of the names of steps are shown: the words at the ends, and every n-th of the others, with the roundest numbers.
fn steps(labels: &[String], room: f64) -> Vec<bool> {
    let middle = |n: usize| {
        let middle = (n as f64 + 0.5) * room / labels.len() as f64;
        // The style sheet keeps the last name inside.
        if n + 1 == labels.len() && is_words(&labels[n]) { room - width(&labels[n]) / 2.0 } else { middle }
    };
    let is_free = |one: usize, other: usize| {
        (middle(one) - middle(other)).abs() >= (width(&labels[one]) + width(&labels[other])) / 2.0
    };
    let (ends, others): (Vec<usize>, Vec<usize>) = (0..labels.len()).partition(|n| is_words(&labels[*n]));
    let roundness = |n: &usize| {
        let digits = labels[*n].trim_end_matches(|char: char| !char.is_ascii_digit());
        digits.len() - digits.trim_end_matches('0').len()
    };
    let every = |step: usize| {
        let of = |start: usize| others.iter().skip(start).step_by(step).copied().collect::<Vec<_>>();
        let starts = (0..step.min(others.len().max(1))).map(of);
        // The first one of equal ones.
        starts
            .rev()
            .max_by_key(|shown| shown.iter().map(&roundness).sum::<usize>() * 100 / shown.len().max(1))
            .unwrap_or_default()
    };
    let lengths = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let shown =
        lengths.map(every).find(|shown| shown.windows(2).all(|pair| is_free(pair[0], pair[1]))).unwrap_or_default();
    (0..labels.len())
        .map(|n| ends.contains(&n) || shown.contains(&n) && ends.iter().all(|end| is_free(n, *end)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(labels: &[String], room: f64) -> Vec<&str> {
        labels.iter().zip(steps(labels, room)).filter(|(_, is_shown)| *is_shown).map(|(label, _)| &**label).collect()
    }

    #[test]
    fn steps_that_fit_are_shown_with_round_numbers_and_the_words_at_the_ends() {
        let decades = |first: i32, count: i32| (0..count).map(move |n| format!("{}s", first + n * 10));
        let words = |word: &str| std::iter::once(word.to_owned());
        let all: Vec<_> = words("before 1590").chain(decades(1590, 44)).collect();
        assert_eq!(
            shown(&all, 76.0),
            ["before 1590", "1650s", "1700s", "1750s", "1800s", "1850s", "1900s", "1950s", "2000s"]
        );
        assert_eq!(shown(&all, 24.0), ["before 1590", "1800s", "2000s"]);
        let both: Vec<_> =
            words("before 1990").chain((1990..2020).map(|year| year.to_string())).chain(words("from 2020")).collect();
        assert_eq!(shown(&both, 33.0), ["before 1990", "2000", "from 2020"]);
        assert_eq!(shown(&decades(1960, 7).collect::<Vec<_>>(), 76.0).len(), 7);
    }

    quickcheck::quickcheck! {
        fn shown_steps_do_not_touch(first: u16, count: u8, factor: u8) -> bool {
            let labels: Vec<_> = (0..count).map(|n| (usize::from(first) + usize::from(n) * usize::from(factor)).to_string()).collect();
            ROOMS.into_iter().all(|room| {
                let middle = |n: usize| (n as f64 + 0.5) * room / labels.len() as f64;
                let shown = steps(&labels, room);
                let places: Vec<_> = (0..labels.len()).filter(|n| shown[*n]).collect();
                (labels.is_empty() || !places.is_empty()) && places.windows(2).all(|pair| {
                    let half = |n: usize| labels[n].len() as f64 / 2.0;
                    middle(pair[0]) + half(pair[0]) < middle(pair[1]) - half(pair[1])
                })
            })
        }
    }
}
