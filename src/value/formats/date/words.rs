//! What surrounds dates outside the format of DT: times of day, names of months, the words of
//! other languages. Only for lenient reading, and only where one meaning is possible.

use super::Date;

/// The length of a time of day behind a date, with the blank or `T` in front of it: ` 17:29:36`,
/// `T17:29:36.5+09:00`, ` 17 29 36`, ` 5:29 PM`. 0 if there is none.
pub(super) fn time_of_day(behind: &[u8]) -> usize {
    let blanks = behind.iter().take_while(|&&b| b == b' ').count();
    let front = match behind.first() {
        Some(b'T') => 1,
        _ => blanks,
    };
    let clock = clock(&behind[front..]);
    if front == 0 || clock == 0 {
        return 0;
    }
    let end = front + clock;
    let zone = &behind[end..];
    let blanks = zone.iter().take_while(|&&b| b == b' ').count();
    let word = zone[blanks..].split(|&b| b == b' ' || b == b',').next().unwrap_or_default();
    if is_zone(word) { end + blanks + word.len() } else { end }
}

/// The length of `HH:MM`, `HH:MM:SS`, either with a fraction behind its seconds, or `HH MM SS`.
fn clock(text: &[u8]) -> usize {
    let digits = |at: usize| text[at.min(text.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
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
        // Two bare numbers are not surely a time.
        true if separator == b':' => minutes,
        true => 0,
    }
}

fn number_of(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |number, b| number * 10 + u32::from(b - b'0'))
}

/// `Z`, `PM`, `CEST`, `GMT+09:00`, `-0500`.
fn is_zone(word: &[u8]) -> bool {
    let letters = word.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let offset = match &word[letters..] {
        [b'+' | b'-', a, b, b':', c, d] | [b'+' | b'-', a, b, c, d] => {
            [a, b, c, d].iter().all(|digit| digit.is_ascii_digit())
        }
        [] => letters > 0,
        _ => false,
    };
    letters <= 5 && offset
}

/// A date in words: an English name of a month and a year of four digits, in any order, with a
/// day, a weekday and a time of day if they are there; or `2019年5月6日`.
pub(super) fn in_words(text: &[u8]) -> Option<Date> {
    let text = std::str::from_utf8(text).ok()?;
    in_english(text).or_else(|| in_east_asian(text))
}

fn in_english(text: &str) -> Option<Date> {
    let (mut year, mut month, mut day, mut weekday, mut time) = (None, None, None, None, None);
    let mut zone_may_follow = false;
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let zone = std::mem::take(&mut zone_may_follow) && is_zone(word.as_bytes());
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let twice = match (digits, &word[digits..]) {
            _ if zone => false,
            (4, "") => year.replace(word.parse().ok()?).is_some(),
            (1 | 2, "" | "st" | "nd" | "rd" | "th") => day.replace(word[..digits].parse().ok()?).is_some(),
            (1 | 2, _) if clock(word.as_bytes()) == word.len() => {
                zone_may_follow = true;
                time.replace(()).is_some()
            }
            (0, _) => match (named(&MONTHS, word), named(&WEEKDAYS, word)) {
                (Some(number), _) => month.replace(number).is_some(),
                (_, Some(_)) => weekday.replace(()).is_some(),
                _ => return None,
            },
            _ => return None,
        };
        if twice {
            return None;
        }
    }
    Date::new(year?, month?, day)
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

/// The number, from 1, of a name or of its first three letters.
fn named(names: &[&str], word: &str) -> Option<u8> {
    let word = word.strip_suffix('.').unwrap_or(word).to_ascii_lowercase();
    let word = if word == "sept" { "sep" } else { &word };
    (1..).zip(names).find_map(|(number, name)| (word == *name || word == &name[..3]).then_some(number))
}

/// `2019年5月6日`, `2019년 5월`: Chinese or Japanese, and Korean.
fn in_east_asian(text: &str) -> Option<Date> {
    let text: String = text.chars().filter(|&c| c != ' ').collect();
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { digits.parse::<u16>().ok() } else { None }
    };
    let (year, rest) = text.split_once(['年', '년'])?;
    let year = if year.len() == 4 { number(year)? } else { return None };
    let small = |digits: &str| u8::try_from(number(digits)?).ok();
    match rest.split_once(['月', '월']) {
        None if rest.is_empty() => Date::new(year, None, None),
        Some((month, "")) => Date::new(year, small(month)?, None),
        Some((month, day)) => Date::new(year, small(month)?, small(day.strip_suffix(['日', '일'])?)?),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        in_words(text.as_bytes()).map(|date| date.to_string())
    }

    #[test]
    fn names_of_months_make_dates() {
        for (text, date) in [
            ("Sat Jun 22 10:50:36 PDT 2019", "2019-06-22"),
            ("Sun Mar 16 16:12:48 GMT+09:00 2014", "2014-03-16"),
            ("Tue Mar 29 21:05 2016", "2016-03-29"),
            ("October 2, 2019", "2019-10-02"),
            ("29th September 2012", "2012-09-29"),
            ("3 nov. 2018", "2018-11-03"),
            ("Sept 2018", "2018-09"),
            ("2019年5月6日", "2019-05-06"),
            ("2019 年 5 月", "2019-05"),
            ("2019年", "2019"),
            ("2019년 12월 31일", "2019-12-31"),
        ] {
            assert_eq!(read(text).as_deref(), Some(date), "{text:?}");
        }
    }

    #[test]
    fn other_words_make_none() {
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
            "2019年13月",
            "2019年5月6",
            "年月日",
            "+019年5月",
            "19年5月6日",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn times_of_day_are_measured() {
        for (behind, length) in [
            (" 17:29:36", 9),
            ("T17:29:36.25Z,07", 13),
            ("  7:29 PM, 8", 9),
            (" 17 29 36", 9),
            (" 17:29 foo", 6),
            (" 17:29 +0900", 12),
            ("", 0),
            ("17:29", 0),
            (" 17 29", 0),
            (" 24:00", 0),
            (" 17:60", 0),
            (" 17:2", 0),
            (" 17", 0),
            ("T", 0),
        ] {
            assert_eq!(time_of_day(behind.as_bytes()), length, "{behind:?}");
        }
    }
}
