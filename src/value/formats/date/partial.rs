//! Dates of which a text says a part here and a part there: `May 16-18, 1842`.

use super::Date;

/// What one side of a range, or a whole text, says of a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Partial {
    pub(super) year: Option<u16>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
}

impl Partial {
    fn date(self) -> Option<Date> {
        // A year alone is for numbers to read, or says what it counts from.
        Date::new(self.year?, self.month, self.day)
    }

    /// With the year and the month of another date where it has none.
    fn or(self, other: Partial) -> Partial {
        Partial { year: self.year.or(other.year), month: self.month.or(other.month), day: self.day }
    }
}

/// The date that a text says, or the days of a range, or the two of a pair: `through` are the words
/// between the ends of a range, `and` those between two days.
pub(super) fn in_one_or_two(
    text: &str,
    through: &[&str],
    and: &[&str],
    read: impl Fn(&str) -> Option<Partial>,
) -> Option<Vec<Date>> {
    if let Some(date) = read(text).filter(|date| date.month.is_some()).and_then(Partial::date) {
        return Some(vec![date]);
    }
    let sides = |connector: &str| {
        let (first, last) = text.split_once(connector)?;
        let (first, last) = (read(first)?, read(last)?);
        let (first, last) = (first.or(last), last.or(first));
        (first.day.is_some() && last.day.is_some()).then_some((first.date()?, last.date()?))
    };
    let range = through.iter().find_map(|connector| sides(connector));
    match range {
        Some((first, last)) => days_between(first, last),
        None => {
            let (first, last) = and.iter().find_map(|connector| sides(connector))?;
            (first < last).then(|| vec![first, last])
        }
    }
}

/// How many days a range may have. A game of two or three days is played on each of them; a longer
/// one was adjourned, and its first and last day do not say when it went on.
const LONGEST: usize = 3;

/// The days of a range, if it is short enough to know them all.
pub(super) fn days_between(first: Date, last: Date) -> Option<Vec<Date>> {
    let days: Vec<Date> = std::iter::successors(Some(first), |day| day.next_day()).take(LONGEST).collect();
    let end = days.iter().position(|day| *day == last).filter(|&end| end > 0)?;
    Some(days[..=end].to_vec())
}
