//! Times of day and English dates, for lenient parsing. Only text with one possible meaning is accepted.

use super::Date;
use super::partial::{Partial, single_range_or_pair};

/// Returns the length of a time of day after a date, or 0 if missing.
///
/// The length includes the space or `T` before it. Accepts ` 17:29:36`, ` 17 29 36`, ` 5:29 PM`, ` [17:29]`,
/// `T17:29:36.5+09:00` and `T172936Z`.
pub(super) fn time_of_day(after: &[u8]) -> usize {
    let blanks = count_blanks(after);
    if let (1.., Some((&open @ (b'[' | b'('), inner))) = (blanks, after[blanks..].split_first()) {
        let clock = clock(inner);
        let close = if open == b'[' { b']' } else { b')' };
        return if clock > 0 && inner.get(clock) == Some(&close) { blanks + clock + 2 } else { 0 };
    }
    let (front, clock) = match after.first() {
        Some(b'T' | b't') => (1, clock(&after[1..]).max(basic_clock(&after[1..]))),
        _ => (blanks, clock(&after[blanks..])),
    };
    if front == 0 || clock == 0 {
        return 0;
    }
    let end = front + clock;
    let zone = &after[end..];
    let blanks = count_blanks(zone);
    let word = zone[blanks..].split(|&b| b == b' ' || b == b',').next().unwrap_or_default();
    if is_zone(word) { end + blanks + word.len() } else { end }
}

fn count_blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&b| b == b' ').count()
}

fn count_digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Returns the length of `HH:MM`, `HH:MM:SS` or `HH MM SS`, where seconds may have a fraction.
fn clock(text: &[u8]) -> usize {
    let digits = |at: usize| count_digits(&text[at.min(text.len())..]);
    let hours = digits(0);
    if !matches!(hours, 1 | 2) || number_of(&text[..hours]) > 23 {
        return 0;
    }
    let part = |at: usize, separator: u8, most: u32| {
        text.get(at) == Some(&separator) && digits(at + 1) == 2 && number_of(&text[at + 1..at + 3]) <= most
    };
    let Some(&separator @ (b':' | b' ')) = text.get(hours) else {
        return 0;
    };
    let minutes = hours + 3;
    match part(hours, separator, 59) {
        false => 0,
        true if part(minutes, separator, 60) => {
            let seconds = minutes + 3;
            let fraction = if text.get(seconds) == Some(&b'.') { digits(seconds + 1) } else { 0 };
            if fraction > 0 { seconds + 1 + fraction } else { seconds }
        }
        // Two bare numbers need not be a time.
        true if separator == b':' => minutes,
        true => 0,
    }
}

/// Returns the length of `HHMM` or `HHMMSS`, the basic format of ISO 8601 after a `T`.
fn basic_clock(text: &[u8]) -> usize {
    let len = count_digits(text);
    let is_time = |(at, most): (usize, u32)| number_of(&text[at..at + 2]) <= most;
    let parts = [(0, 23), (2, 59), (4, 60)];
    if matches!(len, 4 | 6) && parts.into_iter().take(len / 2).all(is_time) { len } else { 0 }
}

fn number_of(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |number, b| number * 10 + u32::from(b - b'0'))
}

/// Returns whether a word is a time zone, AM or PM: `Z`, `pm`, `CEST`, `GMT+09:00`, `-0500`.
fn is_zone(word: &[u8]) -> bool {
    let letters = word.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let offset = match &word[letters..] {
        [b'+' | b'-', a, b, b':', c, d] | [b'+' | b'-', a, b, c, d] => {
            [a, b, c, d].iter().all(|digit| digit.is_ascii_digit())
        }
        [] => letters > 0,
        _ => matches!(word, b"am" | b"pm" | b"z"),
    };
    letters <= 5 && offset
}

/// Parses a date in English: the name of a month and a four-digit year, in any order.
///
/// A day, a weekday and a time of day are optional. Also parses ranges of two or three days (`May 16-18, 1842`),
/// two days joined by `and`, decades (`1660s`), ranges of years (`1832-40`), and a year after a season (`Summer 1857`).
pub(super) fn in_english(text: &str) -> Option<Vec<Date>> {
    decade(text)
        .or_else(|| years(text))
        .or_else(|| Some(vec![after_season(text)?]))
        .or_else(|| single_range_or_pair(text, &["-", "–", "—", " to "], &[" and ", " & "], partly))
}

/// Parses a date, or a side of a range.
fn partly(text: &str) -> Option<Partial> {
    let mut date = Partial::default();
    let (mut weekday, mut time) = (None, None);
    let mut zone_may_follow = false;
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let zone = std::mem::take(&mut zone_may_follow) && is_zone(word.as_bytes());
        let digits = count_digits(word.as_bytes());
        let twice = match (digits, &word[digits..]) {
            _ if zone => false,
            (4, "") => date.year.replace(word.parse().ok()?).is_some(),
            (1 | 2, "" | "st" | "nd" | "rd" | "th") => date.day.replace(word[..digits].parse().ok()?).is_some(),
            (1 | 2, _) if clock(word.as_bytes()) == word.len() => {
                zone_may_follow = true;
                time.replace(()).is_some()
            }
            (0, _) => match (named(&MONTHS, word), named(&WEEKDAYS, word)) {
                (Some(number), _) => date.month.replace(number).is_some(),
                (_, Some(_)) => weekday.replace(()).is_some(),
                _ => return None,
            },
            _ => return None,
        };
        if twice {
            return None;
        }
    }
    Some(date)
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Returns the 1-based index of a name, or of its first three letters.
fn named(names: &[&str], word: &str) -> Option<u8> {
    let word = word.strip_suffix('.').unwrap_or(word).to_ascii_lowercase();
    let word = if word == "sept" { "sep" } else { &word };
    (1..).zip(names).find_map(|(number, name)| (word == *name || word == &name[..3]).then_some(number))
}

/// Parses `1660s` as its ten years. `1600s` is rejected, since it may mean the century.
fn decade(text: &str) -> Option<Vec<Date>> {
    let year = text.strip_suffix("'s").or(text.strip_suffix('s'))?;
    let is_decade = year.len() == 4 && count_digits(year.as_bytes()) == 4 && year.ends_with('0');
    let first: u16 = year.parse().ok().filter(|_| is_decade && !year.ends_with("00"))?;
    (first..first + 10).map(|year| Date::new(year, None, None)).collect()
}

/// Maximum number of years in a range.
const MOST_YEARS: u16 = 100;

/// Parses `1832-40` or `1842-1843` as all years of the range.
///
/// Two digits are the end of a year only if they are not a month: `1832-10` is October.
fn years(text: &str) -> Option<Vec<Date>> {
    let (first, last) = ["..", "-", "–", "—", "~", " to "].iter().find_map(|connector| text.split_once(connector))?;
    let (first, last) = (first.trim_end_matches(' '), last.trim_start_matches(' '));
    let are_digits = [first, last].iter().all(|year| count_digits(year.as_bytes()) == year.len());
    let (from, to): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
    let to = match (first.len(), last.len()) {
        _ if !are_digits => return None,
        (4, 4) => to,
        (4, 2) if to > 12 => from - from % 100 + to,
        _ => return None,
    };
    let is_range = from < to && to - from < MOST_YEARS;
    if is_range { (from..=to).map(|year| Date::new(year, None, None)).collect() } else { None }
}

/// Parses `Summer 1857` or `Spring of 1940` as the year. The months of a season depend on the place.
fn after_season(text: &str) -> Option<Date> {
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let season = words.next()?;
    let is_season =
        ["spring", "summer", "autumn", "fall", "winter"].iter().any(|name| season.eq_ignore_ascii_case(name));
    let year = words.next().and_then(|word| if word == "of" { words.next() } else { Some(word) })?;
    let is_year = year.len() == 4 && count_digits(year.as_bytes()) == 4 && words.next().is_none();
    Date::new(year.parse().ok().filter(|_| is_season && is_year)?, None, None)
}

/// Returns the date that a word marks as approximate: `ca. 1665`, `circa May 1842`, `1600 approx.`.
///
/// A remark in parentheses or braces may follow the word: `1600 approx. (Keicho era)`.
pub(super) fn without_about(text: &str) -> Option<&str> {
    if let Some((date, remark)) = text.split_once(" approx") {
        let remark = remark.strip_prefix('.').unwrap_or(remark).trim_start_matches(' ');
        let is_remark = remark.is_empty()
            || [('(', ')'), ('{', '}')].iter().any(|&(open, close)| {
                remark.strip_prefix(open).is_some_and(|rest| rest.find(close) == Some(rest.len().saturating_sub(1)))
            });
        return is_remark.then_some(date.trim_end_matches(' '));
    }
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(letters);
    let is_about =
        ["c", "ca", "circa", "about", "around", "approx"].iter().any(|about| word.eq_ignore_ascii_case(about));
    let stop = rest.strip_prefix('.');
    // A `c` without a period may mean anything.
    let is_about = is_about && (stop.is_some() || word.len() > 1 && rest.starts_with(' '));
    is_about.then(|| stop.unwrap_or(rest).trim_start_matches(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Dates;

    fn read(text: &str) -> Option<String> {
        in_english(text).and_then(Dates::new).map(|dates| dates.to_string())
    }

    #[test]
    fn dates_contain_names_of_months() {
        for (text, date) in [
            ("Sat Jun 22 10:50:36 PDT 2019", "2019-06-22"),
            ("Sun Mar 16 16:12:48 GMT+09:00 2014", "2014-03-16"),
            ("Tue Mar 29 21:05 2016", "2016-03-29"),
            ("Wed, 14 Mar 2007 12:30:00 -0500", "2007-03-14"),
            ("May 6, 2019 5:29 pm", "2019-05-06"),
            ("October 2, 2019", "2019-10-02"),
            ("29th September 2012", "2012-09-29"),
            ("3 nov. 2018", "2018-11-03"),
            ("Sept 2018", "2018-09"),
        ] {
            assert_eq!(read(text).as_deref(), Some(date), "{text:?}");
        }
    }

    #[test]
    fn ranges_and_pairs_of_days_are_dates() {
        for (text, dates) in [
            ("May 16-18, 1842", "1842-05-16,17,18"),
            ("May 16–17, 1842", "1842-05-16,17"),
            ("May 16 - 18, 1842", "1842-05-16,17,18"),
            ("16-18 May 1842", "1842-05-16,17,18"),
            ("16th to 17th May 1842", "1842-05-16,17"),
            ("May 31 - June 1, 1842", "1842-05-31,06-01"),
            ("Dec 31, 1999 - Jan 1, 2000", "1999-12-31,2000-01-01"),
            ("12th and 14th March 1994", "1994-03-12,14"),
            ("May 3 & 9 1990", "1990-05-03,09"),
        ] {
            assert_eq!(read(text).as_deref(), Some(dates), "{text:?}");
        }
    }

    #[test]
    fn a_decade_is_ten_years() {
        assert_eq!(read("1660s").as_deref(), Some("1660,1661,1662,1663,1664,1665,1666,1667,1668,1669"));
        assert_eq!(read("1660's"), read("1660s"));
        for text in ["1600s", "1665s", "0s", "660s", "s", "0000s"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_range_of_years_is_all_of_them() {
        for (text, dates) in [
            ("1832-35", "1832,1833,1834,1835"),
            ("1842-1843", "1842,1843"),
            ("1842 – 1843", "1842,1843"),
            ("1899..1901", "1899,1900,1901"),
            ("1842 to 1843", "1842,1843"),
        ] {
            assert_eq!(read(text).as_deref(), Some(dates), "{text:?}");
        }
        assert_eq!(in_english("1800-1899").map(|dates| dates.len()), Some(100));
    }

    #[test]
    fn a_season_tells_the_year() {
        for (text, date) in
            [("Summer 1857", "1857"), ("summer of 1857", "1857"), ("Spring, 1940", "1940"), ("Winter 1701", "1701")]
        {
            assert_eq!(read(text).as_deref(), Some(date), "{text:?}");
        }
    }

    #[test]
    fn other_words_are_rejected() {
        for text in [
            "",
            "a sunny afternoon last summer",
            "12th and 13th march 94",
            "31 June 2019",
            "October 2 3 2019",
            "2018 October 2019",
            "October PDT 2019",
            "10:50 11:50 Jun 22 2019",
            "march",
            // The days of play within a longer range are unknown.
            "September 11-15, 1846",
            "May 18-16, 1842",
            "May 16-16, 1842",
            "May-June 1842",
            "May 1842-1843",
            "Summer 57",
            "Summer of May 1857",
            "Summer of",
            "Summer 1857 1858",
            "last summer 1857",
            "1832-10",
            "1832–05",
            "1832-32",
            "1840-1832",
            "1801-1901",
            "1832-1840-1850",
            "+832-1840",
            "832-840",
            "30-31 June 2019",
            "May 16-17-18, 1842",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn words_for_approximate_dates_are_skipped() {
        for (text, rest) in [
            ("ca. 1665", "1665"),
            ("ca 1665", "1665"),
            ("Ca.1665", "1665"),
            ("c. 1665", "1665"),
            ("circa May 1842", "May 1842"),
            ("about 1700", "1700"),
            ("approx. 1700", "1700"),
            ("1600 approx.", "1600"),
            ("0800 approx. {Tang dynasty}", "0800"),
            ("1600 approx. (Keicho era, 1596-1615)", "1600"),
        ] {
            assert_eq!(without_about(text), Some(rest), "{text:?}");
        }
        for text in [
            "",
            "1665",
            "c 1665",
            "c1665",
            "ca",
            "cat. 1665",
            "before 1665",
            "1600 approx. or later",
            "1600 approx. (a) 1602",
        ] {
            assert_eq!(without_about(text), None, "{text:?}");
        }
    }

    #[test]
    fn times_of_day_are_measured() {
        for (after, length) in [
            (" 17:29:36", 9),
            ("T17:29:36.25Z,07", 13),
            ("t17:29:36z", 10),
            ("T172936Z", 8),
            ("T1729+0900", 10),
            ("  7:29 PM, 8", 9),
            (" 7:29 pm", 8),
            (" 17 29 36", 9),
            (" 17:29 foo", 6),
            (" 17:29 +0900", 12),
            (" [14:43]", 8),
            (" (14:43:10)", 11),
            ("", 0),
            ("17:29", 0),
            (" 17 29", 0),
            (" 1729", 0),
            ("T17293", 0),
            ("T2529", 0),
            (" 24:00", 0),
            (" 17:60", 0),
            (" 17:2", 0),
            (" 17", 0),
            (" [14:43)", 0),
            (" [14]", 0),
            ("[14:43]", 0),
            ("T", 0),
        ] {
            assert_eq!(time_of_day(after.as_bytes()), length, "{after:?}");
        }
    }
}
