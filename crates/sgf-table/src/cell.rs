//! The content of a row in a column.

use std::borrow::Cow;
use std::fmt::{self, Write};

use sgf_stream::RawValue;

use super::line::MainLine;

/// The content of a row in a column.
///
/// The [`ColumnType`](super::ColumnType) determines the variants. It prints as a CSV field.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cell<'r> {
    /// Missing or invalid.
    Null,
    /// A text.
    Text(Cow<'r, str>),
    /// A whole number.
    Integer(i64),
    /// A number in hundredths.
    Decimal(i32),
    /// A number.
    Real(f64),
    /// A day, by its number since 1970-01-01.
    Date(i32),
    /// Days, by their numbers since 1970-01-01.
    Dates(Vec<i32>),
    /// The main line.
    Moves(&'r MainLine),
    /// A hash.
    Hash(Cow<'r, [u8]>),
    /// Raw values.
    Raw(Vec<RawValue<'r>>),
    /// A property of the root.
    Property(PropertyValue<'r>),
}

/// The value of a root property, according to its type in the registry.
///
/// All values of a column have one variant, except that lists may also be points.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PropertyValue<'r> {
    /// A whole number.
    Number(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(Cow<'r, str>),
    /// The values of a list, or of an unknown property.
    List(Vec<String>),
    /// The points of a point list.
    Points(Vec<String>),
}

impl Cell<'_> {
    /// Returns whether the cell is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Cell::Null)
    }

    /// Returns the moves as in the column `moves`, if the game is Go or Hex.
    pub fn move_codes(&self) -> Option<Vec<u16>> {
        let Cell::Moves(line) = self else { return None };
        let mut codes = Vec::new();
        line.codes(&mut codes).then_some(codes)
    }
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => Ok(()),
            Cell::Text(text) => f.write_str(text),
            Cell::Integer(number) => number.fmt(f),
            Cell::Decimal(hundredths) => Hundredths(*hundredths).fmt(f),
            Cell::Real(number) => write!(f, "{number:?}"),
            Cell::Date(day) => Day(*day).fmt(f),
            Cell::Dates(days) => separated(f, days.iter().map(|day| Day(*day))),
            Cell::Moves(line) => line.fmt(f),
            Cell::Hash(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Cell::Raw(values) => {
                values.iter().try_for_each(|value| write!(f, "[{}]", String::from_utf8_lossy(value.as_bytes())))
            }
            Cell::Property(value) => value.fmt(f),
        }
    }
}

/// `B[dd] W[pp]`
impl fmt::Display for MainLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut is_first, mut written) = (true, Ok(()));
        self.each_written(|color, value| {
            let blank = if std::mem::take(&mut is_first) { "" } else { " " };
            let value = String::from_utf8_lossy(value.as_bytes());
            written = written.and_then(|()| write!(f, "{blank}{color}[{value}]"));
        });
        written
    }
}

/// Formats a CSV field. Points are separated by spaces. In other lists, a single text is left unchanged unless it looks
/// like a list; several texts become a JSON list.
impl fmt::Display for PropertyValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyValue::Number(number) => number.fmt(f),
            PropertyValue::Real(number) => write!(f, "{number:?}"),
            PropertyValue::Text(text) => f.write_str(text),
            PropertyValue::List(list) | PropertyValue::Points(list) => match &list[..] {
                [text] if !text.starts_with('[') => f.write_str(text),
                points if matches!(self, PropertyValue::Points(_)) => separated(f, points),
                list => {
                    f.write_char('[')?;
                    for (n, text) in list.iter().enumerate() {
                        f.write_str(if n == 0 { "\"" } else { ",\"" })?;
                        text.chars().try_for_each(|char| json_char(f, char))?;
                        f.write_char('"')?;
                    }
                    f.write_char(']')
                }
            },
        }
    }
}

fn json_char(f: &mut fmt::Formatter<'_>, char: char) -> fmt::Result {
    match char {
        '"' | '\\' => write!(f, "\\{char}"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\u{8}' => f.write_str("\\b"),
        '\u{C}' => f.write_str("\\f"),
        '\0'..='\u{1F}' => write!(f, "\\u{:04x}", u32::from(char)),
        _ => f.write_char(char),
    }
}

fn separated<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (n, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if n == 0 { "" } else { " " })?;
    }
    Ok(())
}

/// A number in hundredths, with only the necessary decimals.
struct Hundredths(i32);

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        match rest {
            0 => write!(f, "{sign}{whole}"),
            rest if rest % 10 == 0 => write!(f, "{sign}{whole}.{}", rest / 10),
            rest => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}

/// A day, by its number since 1970-01-01. Prints as `1846-09-11`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(pub(super) i32);

impl Day {
    /// Returns the day of a date of the Gregorian calendar.
    ///
    /// The algorithm counts years from March, so that a leap day is the last of its year.
    pub(super) fn of(year: u16, month: u8, day: u8) -> Day {
        let (month, day) = (i32::from(month), i32::from(day));
        let year = i32::from(year) - i32::from(month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Day(era * 146_097 + day_of_era - 719_468)
    }

    /// Returns year, month and day.
    fn parts(self) -> (i32, i32, i32) {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        (era * 400 + year_of_era + i32::from(month <= 2), month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(Day::of(1970, 1, 1).0, 0);
        assert_eq!(Day::of(2000, 3, 1).0, 11_017);
        assert_eq!(Day::of(1846, 9, 11).0, -45_037);
        let mut day = Day::of(1, 1, 1);
        for year in 1..=9999_u16 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (month, len) in (1..).zip([31, 28 + u8::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for of_month in [1, len] {
                    let this = Day::of(year, month, of_month);
                    assert_eq!(this.parts(), (year.into(), month.into(), of_month.into()));
                }
                assert_eq!(Day::of(year, month, 1), day);
                day = Day(day.0 + i32::from(len));
            }
        }
    }

    #[test]
    fn decimals_print_without_zeros_at_the_end() {
        let texts = [650, -750, 0, 375, 5, -25].map(|hundredths| Hundredths(hundredths).to_string());
        assert_eq!(texts, ["6.5", "-7.5", "0", "3.75", "0.05", "-0.25"]);
    }
}
