//! Partial dates: a range or pair of days that share a year or month, as in `May 16-18, 1842`.

use super::Date;

/// The year, month and day that a text, or one side of a range, contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Partial {
    pub(super) year: Option<u16>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
}

impl Partial {
    fn date(self) -> Option<Date> {
        Date::new(self.year?, self.month, self.day)
    }

    /// Fills in a missing year and month from another date.
    fn or(self, other: Partial) -> Partial {
        Partial { year: self.year.or(other.year), month: self.month.or(other.month), day: self.day }
    }
}

/// Parses a single date, a range of days, or a pair of days.
///
/// `through` are the separators of a range, `and` those of a pair.
pub(super) fn single_range_or_pair(
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

/// Maximum number of days in a range. A game of two or three days is played on each of them; a longer one was
/// adjourned, and its range does not say on which days it continued.
const LONGEST: usize = 3;

/// Returns the days of a range of at most [`LONGEST`] days.
pub(super) fn days_between(first: Date, last: Date) -> Option<Vec<Date>> {
    let days: Vec<Date> = std::iter::successors(Some(first), |day| day.next_day()).take(LONGEST).collect();
    let end = days.iter().position(|day| *day == last).filter(|&end| end > 0)?;
    Some(days[..=end].to_vec())
}
