//! A parser of numeric dates, strict and lenient.

use super::east_asian::in_east_asian;
use super::partial::days_between;
use super::words::{in_english, time_of_day, without_about};
use super::{Date, Dates};
use crate::value::ValueError;
use crate::value::texts::in_simple_text;
use crate::value::typed::trim;

const KIND: &str = "date";

/// Parses a value leniently: as numbers, or else as words.
pub(super) fn leniently<T>(
    raw: &[u8],
    read: fn(Reader<'_>) -> Result<T, ValueError>,
    from_words: fn(Vec<Date>) -> Option<T>,
) -> Result<T, ValueError> {
    in_simple_text(raw, |text| {
        let (text, front) = trim(text);
        read(Reader::lenient(text)).or_else(|error| in_words(text).and_then(from_words).ok_or(error.shifted(front)))
    })
}

fn in_words(text: &[u8]) -> Option<Vec<Date>> {
    let text = str::from_utf8(text).ok()?;
    let Some(guessed) = without_about(text) else {
        return in_english(text).or_else(|| in_east_asian(text));
    };
    let date = Reader::lenient(guessed.as_bytes()).one().map(|date| vec![date]);
    date.ok().or_else(|| in_english(guessed).filter(|dates| dates.len() == 1))
}

/// A number of up to four digits, and its index.
#[derive(Clone, Copy)]
struct Group {
    at: usize,
    length: usize,
    number: u16,
}

/// A parser of numeric dates.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    lenient: bool,
    /// The separator within the last date.
    separator: Option<u8>,
}

impl<'a> Reader<'a> {
    pub(super) fn strict(text: &'a [u8]) -> Self {
        Reader { text, at: 0, lenient: false, separator: None }
    }

    fn lenient(text: &'a [u8]) -> Self {
        Reader { lenient: true, ..Reader::strict(text) }
    }
}

impl Reader<'_> {
    /// Parses a single date, without shortcuts.
    pub(super) fn one(mut self) -> Result<Date, ValueError> {
        let date = self.item(None)?;
        if self.at == self.text.len() { Ok(date) } else { Err(fault("the end of the value", self.at)) }
    }

    /// Parses a list of dates.
    pub(super) fn all(mut self) -> Result<Dates, ValueError> {
        let mut dates: Vec<Date> = Vec::new();
        loop {
            let date = self.item(dates.last().copied())?;
            dates.push(date);
            if let Some(at) = self.connector(date) {
                let last = self.item(Some(date))?;
                let days = days_between(date, last).ok_or(fault("the second or third day of a range", at))?;
                dates.extend_from_slice(&days[1..]);
            }
            match self.peek() {
                None => return Ok(Dates(dates)),
                Some(b',') => self.at += 1,
                Some(_) => return Err(fault("a comma or the end of the value", self.at)),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        if self.lenient {
            self.at += trim(&self.text[self.at..]).1;
        }
    }

    /// Skips the separator of a range in lenient mode, and returns its index.
    ///
    /// It is `..`, `~`, a dash, or a hyphen if the date contains none or a space precedes it.
    fn connector(&mut self, first: Date) -> Option<usize> {
        if !self.lenient || first.day().is_none() {
            return None;
        }
        let rest = &self.text[self.at..];
        let follows_space = self.text[..self.at].ends_with(b" ");
        let has_hyphens = self.separator.is_none_or(|separator| separator == b'-');
        let connectors =
            ["..", "~", "–", "—", "～", "〜"].into_iter().chain((follows_space || !has_hyphens).then_some("-"));
        let len = connectors.map(str::as_bytes).find(|known| rest.starts_with(known))?.len();
        let at = self.at;
        self.at += len;
        Some(at)
    }

    /// Parses a date, or a shortcut that may follow `previous`.
    ///
    /// In lenient mode, spaces around it and a time of day are skipped.
    fn item(&mut self, previous: Option<Date>) -> Result<Date, ValueError> {
        self.skip_blanks();
        self.separator = None;
        if self.lenient && self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count() == 8 {
            let date = self.without_separators()?;
            self.end_day();
            return Ok(date);
        }
        let first = self.group("a date", 4)?;
        let date = match first.length {
            4 => self.after_year(first),
            _ => self.after_short(first, previous.filter(|date| date.month().is_some())),
        }?;
        match date.day() {
            Some(_) => self.end_day(),
            None => self.skip_blanks(),
        }
        Ok(date)
    }

    /// Skips a time of day and spaces, in lenient mode, and a period after numbers that periods separate (`2009. 10. 11.`).
    fn end_day(&mut self) {
        if self.separator == Some(b'.') && self.peek() == Some(b'.') && !self.text[self.at..].starts_with(b"..") {
            self.at += 1;
        }
        if self.lenient {
            self.at += time_of_day(&self.text[self.at..]);
        }
        self.skip_blanks();
    }

    /// Parses `YYYYMMDD`.
    ///
    /// As `DDMMYYYY` or `MMDDYYYY`, such a value would have a year before 1232, from which no dated games exist.
    /// Such years are rejected, so the value is unambiguous.
    fn without_separators(&mut self) -> Result<Date, ValueError> {
        let mut next = |length: usize| {
            let (at, digits) = (self.at, &self.text[self.at..self.at + length]);
            self.at += length;
            Group { at, length, number: number_of(digits) }
        };
        let (year, month, day) = (next(4), next(2), next(2));
        let date = date(year, Some(month), Some(day))?;
        if date.year() <= 1231 { Err(fault("a year from 1232", year.at)) } else { Ok(date) }
    }

    /// Parses `[ "-" MM [ "-" DD ] ]` after a year.
    fn after_year(&mut self, year: Group) -> Result<Date, ValueError> {
        let Some(separator) = self.separator(None) else {
            return date(year, None, None);
        };
        if self.ends_early() {
            return date(year, None, None);
        }
        let month = self.group("a digit", 2)?;
        if self.separator(Some(separator)).is_none() || self.ends_early() {
            return date(year, Some(month), None);
        }
        let day = self.group("a digit", 2)?;
        date(year, Some(month), Some(day))
    }

    /// Parses the rest of a date after a number of two digits. It is `[ "-" DD ]`, or leniently `"-" MM "-" YYYY` or
    /// `"-" DD "-" YYYY`.
    fn after_short(&mut self, first: Group, previous: Option<Date>) -> Result<Date, ValueError> {
        if previous.is_none() && !self.lenient {
            return Err(fault("a year", first.at));
        }
        // Numbers taken from the previous date are valid, so their index does not matter.
        let taken = |number| Group { number, ..first };
        let Some(separator) = self.separator(None) else {
            let previous = previous.ok_or(fault("a year", first.at))?;
            return match previous.day() {
                Some(_) => date(taken(previous.year), Some(taken(previous.month.into())), Some(first)),
                None => date(taken(previous.year), Some(first), None),
            };
        };
        let second = self.group("a digit", 2)?;
        if self.lenient && self.separator(Some(separator)).is_some() {
            let year = self.group("a digit", 4)?;
            if year.length < 4 {
                return Err(fault("a digit", year.at + year.length));
            }
            let day_first = date(year, Some(second), Some(first));
            let month_first = date(year, Some(first), Some(second));
            return match (day_first, month_first) {
                (Ok(date), Ok(same)) if date == same => Ok(date),
                (Ok(_), Ok(_)) => Err(fault("a year", first.at)),
                (day_first, month_first) => day_first.or(month_first),
            };
        }
        let previous = previous.ok_or(fault("a year", first.at))?;
        date(taken(previous.year), Some(first), Some(second))
    }

    /// Skips a hyphen, or leniently `/` or `.`, which must equal the separator before. Spaces may follow a period.
    fn separator(&mut self, before: Option<u8>) -> Option<u8> {
        let byte = self.peek()?;
        let separates = match self.lenient {
            true => matches!(byte, b'-' | b'/' | b'.') && before.is_none_or(|before| before == byte),
            false => byte == b'-',
        };
        self.at += usize::from(separates);
        if separates {
            self.separator = Some(byte);
        }
        if separates && byte == b'.' {
            self.skip_blanks(); // `2009. 10. 11`
        }
        separates.then_some(byte)
    }

    /// Returns whether nothing follows a separator, which lenient parsing accepts.
    fn ends_early(&self) -> bool {
        self.lenient && trim(&self.text[self.at..]).0.first().is_none_or(|&byte| byte == b',')
    }

    /// Parses a number of `widest` or of two digits, or leniently of one.
    fn group(&mut self, missing: &'static str, widest: usize) -> Result<Group, ValueError> {
        let at = self.at;
        let digits = self.text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        match digits {
            0 => return Err(fault(missing, at)),
            1 if !self.lenient => return Err(fault("a digit", at + 1)),
            3 if widest == 4 => return Err(fault("a digit", at + 3)),
            _ if digits > widest => return Err(fault("the end of the number", at + widest)),
            _ => {}
        }
        self.at += digits;
        Ok(Group { at, length: digits, number: number_of(&self.text[at..self.at]) })
    }
}

/// Converts at most four digits into a number.
fn number_of(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |number, byte| number * 10 + u16::from(byte - b'0'))
}

fn fault(expected: &'static str, at: usize) -> ValueError {
    ValueError::new(KIND, expected, at)
}

/// Creates a date from its numbers, if it is in the calendar.
fn date(year: Group, month: Option<Group>, day: Option<Group>) -> Result<Date, ValueError> {
    // Months and days have two digits, or come from a date, so they fit in `u8`.
    let number = |group: Option<Group>| group.and_then(|group| u8::try_from(group.number).ok());
    match (month, day) {
        _ if year.number == 0 => Err(fault("a year from 0001 to 9999", year.at)),
        (Some(month), _) if !matches!(month.number, 1..=12) => Err(fault("a month from 01 to 12", month.at)),
        (_, day) => {
            let at = day.map_or(year.at, |day| day.at);
            Date::new(year.number, number(month), number(day)).ok_or(fault("a day of that month", at))
        }
    }
}
