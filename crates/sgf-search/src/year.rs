//! Years that games can be of.

use std::time::SystemTime;

/// The first year of which games are known, and less: the records of Sun Ce and Lü Fan are said to be of 196.
const FIRST_YEAR: i32 = 100;

/// Returns whether a game may be of a year.
///
/// That is a year from 100 on, and not in the future. Reports, statistics and indexes leave out other years, which are mistakes.
///
/// ```
/// assert!(sgf_search::is_plausible_year(1846));
/// assert!(!sgf_search::is_plausible_year(19));
/// ```
pub fn is_plausible_year(year: i32) -> bool {
    (FIRST_YEAR..=last_year()).contains(&year)
}

/// Returns the year that it is now, or the next one in its last day: somewhere it has begun.
fn last_year() -> i32 {
    const DAY: u64 = 24 * 60 * 60;
    /// The mean length of a year in seconds.
    const YEAR: u64 = 31_556_952;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    // A clock that is wrong makes no game of today strange.
    i32::try_from(1970 + (now + DAY) / YEAR).unwrap_or(i32::MAX).max(2026)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_before_the_first_records_and_after_today_are_not_plausible() {
        for (year, expected) in [(-1, false), (0, false), (19, false), (196, true), (1094, true), (1653, true)] {
            assert_eq!(is_plausible_year(year), expected, "{year}");
        }
        assert!(
            is_plausible_year(2026)
                && is_plausible_year(last_year())
                && !is_plausible_year(last_year() + 1)
                && last_year() < 2200
        );
    }
}
