//! Dates in Chinese, Japanese and Korean, with years of the common era or of an era with the Gregorian calendar.

use super::Date;
use super::partial::{Partial, single_range_or_pair};
use super::words::time_of_day;

/// An era that counts years from 1.
struct Era {
    names: &'static [&'static str],
    /// Its first and last day; `last` is `None` if the era continues.
    first: (u16, u8, u8),
    last: Option<(u16, u8, u8)>,
}

/// The eras of Japan since 1868, and that of the Republic of China.
///
/// If one era ends on the day on which the next starts, both contain it. Dates of older eras are in lunar calendars.
const ERAS: [Era; 6] = [
    Era { names: &["明治", "㍾"], first: (1868, 1, 25), last: Some((1912, 7, 30)) },
    Era { names: &["大正", "㍽"], first: (1912, 7, 30), last: Some((1926, 12, 25)) },
    Era { names: &["昭和", "㍼"], first: (1926, 12, 25), last: Some((1989, 1, 7)) },
    Era { names: &["平成", "㍻"], first: (1989, 1, 8), last: Some((2019, 4, 30)) },
    Era { names: &["令和", "㋿"], first: (2019, 5, 1), last: None },
    Era { names: &["民国", "民國"], first: (1912, 1, 1), last: None },
];

/// Japan's first year with the Gregorian calendar; earlier days and months are lunar.
const GREGORIAN: u16 = 1873;

/// Parses `2019年5月6日`, `2019년 5월`, `昭和52年3月14日`, `昭和52.3.14`, `二〇〇三年五月一日`.
///
/// Also parses two or three consecutive days (`5月1日-2日`), or two separate days (`5月1日、8日`).
pub(super) fn in_east_asian(text: &str) -> Option<Vec<Date>> {
    let text = text.strip_suffix(|c: char| c == '。').unwrap_or(text);
    // Strip a time of day after the day.
    let text = match text.rfind(DAYS).map(|at| text.split_at(at + DAY_LEN)) {
        Some((date, time)) if !time.is_empty() && time_of_day(time.as_bytes()) == time.len() => date,
        _ => text,
    };
    let text: String = text.chars().filter(|&c| !matches!(c, ' ' | '\u{3000}')).map(narrow).collect();
    let (text, noted_year) = without_notes(&text)?;
    let dates = single_range_or_pair(&text, &["-", "~", "〜", "–", "—", "至"], &["、", "・", ","], partly)
        .or_else(|| Some(vec![year_alone(&text)?]))?;
    let agrees = noted_year.is_none_or(|year| dates.iter().all(|date| date.year() == year));
    agrees.then_some(dates)
}

const YEARS: [char; 2] = ['年', '년'];
const MONTHS: [char; 2] = ['月', '월'];
const DAYS: [char; 4] = ['日', '일', '号', '號'];
/// The length of each of [`DAYS`] in UTF-8.
const DAY_LEN: usize = '日'.len_utf8();

/// Converts full-width digits and signs of dates to half-width.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' | '（' | '）' | '－' | '．' | '／' | '～' | '，' => {
            char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c)
        }
        c => c,
    }
}

/// Removes parentheses, which may contain a weekday, a remark, or the year in another era. Also returns that year.
fn without_notes(text: &str) -> Option<(String, Option<u16>)> {
    let (mut rest, mut text, mut year) = (text, String::new(), None);
    while let Some((front, after)) = rest.split_once('(') {
        let (note, after) = after.split_once(')')?;
        text.push_str(front);
        rest = after;
        if is_weekday(note) {
            continue;
        }
        let bare = if is_common_year(note) { number(note) } else { None };
        match bare.or_else(|| year_alone(note).map(Date::year)) {
            Some(known) if year.replace(known).is_some() => return None,
            // A year outside its era contradicts the date; a remark says nothing about it.
            None if ERAS.iter().any(|era| era.names.iter().any(|name| note.starts_with(name))) => return None,
            _ => {}
        }
    }
    text.push_str(rest);
    Some((text, year))
}

fn is_weekday(note: &str) -> bool {
    let day = ["曜日", "曜", "요일"].iter().find_map(|end| note.strip_suffix(end)).unwrap_or(note);
    let day = ["星期", "周", "週"].iter().find_map(|start| day.strip_prefix(start)).unwrap_or(day);
    let mut chars = day.chars();
    matches!((chars.next(), chars.next()), (Some(day), None) if "月火水木金土日월화수목금토일一二三四五六天".contains(day))
}

/// Parses a bare year.
fn year_alone(text: &str) -> Option<Date> {
    partly(text)
        .filter(|date| date.month.is_none() && date.day.is_none())
        .and_then(|date| Date::new(date.year?, None, None))
}

/// Parses `[year] [month] [day]`, each followed by its character, or, after an era, separated by points.
fn partly(text: &str) -> Option<Partial> {
    let of_era = |era: &'static Era| Some((era, era.names.iter().find_map(|name| text.strip_prefix(name))?));
    let (era, rest) = ERAS.iter().find_map(of_era).map_or((None, text), |(era, rest)| (Some(era), rest));
    let [year, month, day] = match era {
        Some(_) if !rest.contains(YEARS) => in_points(rest)?,
        _ => in_characters(rest)?,
    };
    let small = |text: &str| number(text).and_then(|number| u8::try_from(number).ok());
    let month = month.map(|month| small(month).ok_or(())).transpose().ok()?;
    let day = day.map(|day| small(day).ok_or(())).transpose().ok()?;
    let year = match (era, year) {
        (Some(era), Some(year)) => Some(era.year(number(year)?, month, day)?),
        (Some(_), None) => return None,
        // Four digits, as in the strict format: `19年` may be a year of some era.
        (None, Some(year)) => Some(number(year).filter(|_| is_common_year(year))?),
        (None, None) => None,
    };
    Some(Partial { year, month, day })
}

type Parts<'a> = [Option<&'a str>; 3];

fn in_characters(text: &str) -> Option<Parts<'_>> {
    let mut rest = text;
    let mut next = |ends: &[char]| match rest.split_once(ends) {
        Some((part, after)) => {
            rest = after;
            Some(part)
        }
        None => None,
    };
    let parts = [next(&YEARS), next(&MONTHS), next(&DAYS)];
    let is_some = !text.is_empty() && rest.is_empty();
    is_some.then_some(parts)
}

/// Splits `52.3.14`, with a point, a hyphen or a slash as the separator.
fn in_points(text: &str) -> Option<Parts<'_>> {
    let separator = text.chars().find(|c| matches!(c, '.' | '-' | '/'))?;
    let mut parts = text.split(separator);
    let found = [parts.next(), parts.next(), parts.next()];
    parts.next().is_none().then_some(found)
}

impl Era {
    /// Converts a year of this era to the common era. Returns `None` if the date is outside the era.
    fn year(&self, number: u16, month: Option<u8>, day: Option<u8>) -> Option<u16> {
        let year = (self.first.0 - 1).checked_add(number).filter(|_| number > 0)?;
        let is_lunar = year < GREGORIAN && month.is_some();
        // A date without a day or a month is in the era if any of its days is.
        let last = (year, month.unwrap_or(12), day.unwrap_or(31));
        let first = (year, month.unwrap_or(1), day.unwrap_or(1));
        let is_in_it = last >= self.first && self.last.is_none_or(|end| first <= end);
        (is_in_it && !is_lunar).then_some(year)
    }
}

/// Returns whether a text is four digits, a year of the common era.
fn is_common_year(text: &str) -> bool {
    text.chars().count() == 4 && text.chars().all(|c| digit(c).is_some())
}

/// Parses `52`, `五十二`, `二〇〇三`, or `元` (the first year of an era).
fn number(text: &str) -> Option<u16> {
    if text == "元" {
        return Some(1);
    }
    let count = text.chars().count();
    if !(1..=4).contains(&count) {
        return None;
    }
    if text.chars().all(|c| digit(c).is_some()) {
        return text
            .chars()
            .filter_map(digit)
            .try_fold(0u16, |number, digit| number.checked_mul(10)?.checked_add(digit));
    }
    let (tens, ones) = text.split_once('十')?;
    let one = |text: &str, missing| match text {
        "" => Some(missing),
        text => {
            let mut chars = text.chars();
            chars
                .next()
                .filter(|c| !c.is_ascii_digit())
                .and_then(digit)
                .filter(|&digit| digit > 0 && chars.next().is_none())
        }
    };
    Some(one(tens, 1)? * 10 + one(ones, 0)?)
}

fn digit(c: char) -> Option<u16> {
    match c {
        '0'..='9' => c.to_digit(10).and_then(|digit| u16::try_from(digit).ok()),
        '零' => Some(0),
        c => "〇一二三四五六七八九".chars().position(|known| known == c).and_then(|digit| u16::try_from(digit).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Dates;

    fn read(text: &str) -> Option<String> {
        in_east_asian(text).and_then(Dates::new).map(|dates| dates.to_string())
    }

    #[test]
    fn years_months_and_days_are_followed_by_their_characters() {
        for (text, dates) in [
            ("2019年5月6日", "2019-05-06"),
            ("2003年5月1日", "2003-05-01"),
            ("2003년 5월 1일", "2003-05-01"),
            ("2003年5月1号", "2003-05-01"),
            ("2019 年 5 月", "2019-05"),
            ("2019年", "2019"),
            ("2019년 12월 31일", "2019-12-31"),
            ("２００３年５月１日", "2003-05-01"),
            ("二〇〇三年五月一日", "2003-05-01"),
            ("一九七七年十二月三十一日", "1977-12-31"),
            ("2003年5月1日 12:30:00", "2003-05-01"),
            ("2003年5月1日(木)", "2003-05-01"),
            ("2003年5月1日（星期四）", "2003-05-01"),
            ("2003년 5월 1일(목요일)", "2003-05-01"),
            ("2003年5月1日-2日", "2003-05-01,02"),
            ("2003年5月1日～3日", "2003-05-01,02,03"),
            ("2003年5月31日至6月1日", "2003-05-31,06-01"),
            ("2003년 5월 1일~2일", "2003-05-01,02"),
            ("2003年5月1日、8日", "2003-05-01,08"),
            ("1940年(庚辰)", "1940"),
            ("1940年（推定）", "1940"),
            ("1940年(第3局)5月", "1940-05"),
        ] {
            assert_eq!(read(text).as_deref(), Some(dates), "{text:?}");
        }
    }

    #[test]
    fn years_of_eras_are_converted() {
        for (text, dates) in [
            ("昭和52年", "1977"),
            ("昭和52年3月14日", "1977-03-14"),
            ("昭和五十二年三月十四日", "1977-03-14"),
            ("昭和52.3.14", "1977-03-14"),
            ("昭和 52 年 3 月", "1977-03"),
            ("㍼52年", "1977"),
            ("昭和64年1月7日", "1989-01-07"),
            ("平成元年1月8日", "1989-01-08"),
            ("平成31年4月30日", "2019-04-30"),
            ("令和元年5月1日", "2019-05-01"),
            ("大正15年12月25日", "1926-12-25"),
            ("昭和元年12月25日", "1926-12-25"),
            ("明治元年", "1868"),
            ("明治45年7月30日", "1912-07-30"),
            ("明治6年1月1日", "1873-01-01"),
            ("民國24年5月", "1935-05"),
            ("1977年(昭和52年)3月14日", "1977-03-14"),
            ("昭和52年（1977）3月14日", "1977-03-14"),
            ("昭和10年1月2日、4日", "1935-01-02,04"),
            ("昭和10年12月31日-昭和11年1月1日", "1935-12-31,1936-01-01"),
        ] {
            assert_eq!(read(text).as_deref(), Some(dates), "{text:?}");
        }
    }

    #[test]
    fn ambiguous_dates_are_rejected() {
        for text in [
            "",
            "2019年13月",
            "2019年5月6",
            "2019年2月30日",
            "年月日",
            "+019年5月",
            "19年5月6日",
            "5月6日",
            "5日",
            "月",
            // Dates of lunar calendars.
            "明治5年11月3日",
            "日本天保六年(1835)七月十九日至二十七日",
            "天保六年",
            // Dates outside their eras.
            "昭和64年1月8日",
            "昭和65年",
            "昭和平成元年",
            "明治大正昭和3年",
            "昭和0年",
            "昭和元年12月24日",
            "平成元年1月7日",
            "明治46年",
            "平成31年5月1日",
            "令和99999年",
            "昭和",
            "昭和年",
            "1978年(昭和52年)3月14日",
            "昭和52年(1977)(1977)3月14日",
            "1978年(昭和65年)",
            "天保六年(春)",
            "昭和52年(",
            "2003年5月1日-9日",
            "2003年5月2日-1日",
            "2003年5月-6月",
            "2003年十十月",
            "2003年1十月",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
