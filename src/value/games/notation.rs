//! What the notations of several games share: cells named by letters and a number, words, and
//! white space that means nothing.

use std::fmt;

use crate::tokenizer::grammar::is_white_space;
use crate::value::ValueError;
use crate::value::typed::trim;

/// How a game names its cells: column letters, then a row number from 1.
///
/// ```text
/// Cell = Letter { Letter } Digit { Digit }        (columns: a ... z, aa, ab ... zz, aaa ...)
/// ```
pub(super) struct Labels {
    /// The type that the errors name.
    pub(super) kind: &'static str,
    /// How many columns there may be, and an error's words for it.
    pub(super) columns: (u32, &'static str),
    /// How many rows there may be, and an error's words for it.
    pub(super) rows: (u32, &'static str),
    /// Whether a column is always one letter.
    pub(super) one_letter: bool,
}

/// A cell that was read: zero-based, and where in the value its row and its end are.
pub(super) struct Cell {
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) row_at: usize,
    pub(super) end: usize,
}

impl Labels {
    /// Reads a cell that starts at `start` and takes all letters and digits that follow. Lenient
    /// takes zeros in front of the row.
    pub(super) fn read(&self, raw: &[u8], start: usize, lenient: bool) -> Result<Cell, ValueError> {
        let error = |expected, at| ValueError::new(self.kind, expected, at);
        let count = |from: usize, is: fn(&u8) -> bool| raw[from..].iter().take_while(|&b| is(b)).count();
        let letters = match count(start, u8::is_ascii_alphabetic) {
            0 => return Err(error("a letter", start)),
            _ if self.one_letter => 1,
            letters => letters,
        };
        let row_at = start + letters;
        let end = row_at + count(row_at, u8::is_ascii_digit);
        let column = raw[start..row_at].iter().try_fold(0u32, |column, letter| {
            let letter = u32::from(letter.to_ascii_lowercase() - b'a') + 1;
            Some(column * 26 + letter).filter(|&column| column <= self.columns.0)
        });
        let Some(column) = column else { return Err(error(self.columns.1, start)) };
        if row_at == end {
            return Err(error("a digit", end));
        }
        let row = raw[row_at..end].iter().try_fold(0u32, |row, digit| {
            let row = row * 10 + u32::from(digit - b'0');
            Some(row).filter(|&row| row <= self.rows.0 && (row > 0 || lenient))
        });
        match row {
            Some(row @ 1..) => Ok(Cell { column: column - 1, row: row - 1, row_at, end }),
            _ => Err(error(self.rows.1, row_at)),
        }
    }

    /// Reads a value that is one cell.
    pub(super) fn read_all(&self, raw: &[u8], lenient: bool) -> Result<Cell, ValueError> {
        let cell = self.read(raw, 0, lenient)?;
        match cell.end == raw.len() {
            true => Ok(cell),
            false => Err(ValueError::new(self.kind, "the end of the value", cell.end)),
        }
    }
}

/// Writes a cell of zero-based column and row, in lower case.
pub(super) fn write_cell(f: &mut fmt::Formatter<'_>, column: u32, row: u32) -> fmt::Result {
    let (mut letters, mut rest) = (String::new(), column + 1);
    while rest > 0 {
        letters.insert(0, char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    write!(f, "{letters}{}", row + 1)
}

/// Reads a value in which white space means nothing, wherever it stands: old programs wrap lines
/// anywhere.
pub(super) fn without_blanks<T>(
    raw: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, ValueError>,
) -> Result<T, ValueError> {
    let (trimmed, front) = trim(raw);
    if !trimmed.iter().any(|&b| is_white_space(b)) {
        return read(trimmed).map_err(|error| error.shifted(front));
    }
    let (places, bytes): (Vec<usize>, Vec<u8>) =
        raw.iter().copied().enumerate().filter(|&(_, b)| !is_white_space(b)).unzip();
    let end = front + trimmed.len();
    read(&bytes).map_err(|error| error.shifted(places.get(error.at()).unwrap_or(&end) - error.at()))
}

/// The meaning of a value that is one of some words, in any case.
pub(super) fn word<T: Clone>(raw: &[u8], words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| raw.eq_ignore_ascii_case(word.as_bytes())).map(|(_, meaning)| meaning.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_behind_white_space_is_where_the_byte_is() {
        let at = |raw: &[u8], at: usize| {
            without_blanks(raw, |_| Err::<(), _>(ValueError::new("test", "anything", at))).unwrap_err().at()
        };
        assert_eq!(at(b"ab", 1), 1);
        assert_eq!(at(b" ab ", 1), 2);
        assert_eq!(at(b" a\nb ", 1), 3);
        assert_eq!(at(b" a\nb ", 2), 4, "the end of what is there");
        assert_eq!(at(b"  ", 0), 2);
    }
}
