//! Shared code of notations: cells named with letters and a number, words, and insignificant white space.

use std::fmt;

use crate::raw::is_white_space;
use crate::value::typed::trim;
use crate::value::{Size, ValueError};

/// Defines the methods of `SgfValue` for a type with `parse_on`: `on_board!()`.
///
/// `on_board!(lenient)` also uses `parse_on_lenient`, as Go does: it needs the board for a point like `R16`. Lenient parsing
/// accepts points off the board, since some programs omit the size.
macro_rules! on_board {
    ($($lenient:ident)?) => {
        fn from_raw_on(
            raw: $crate::value::RawValue<'_>,
            board: Option<$crate::value::Size>,
        ) -> Result<Self, $crate::value::ValueError> {
            board.map_or_else(|| Self::parse(raw), |size| Self::parse_on(raw, size))
        }

        fn from_raw_on_lenient(
            raw: $crate::value::RawValue<'_>,
            board: Option<$crate::value::Size>,
        ) -> Result<Self, $crate::value::ValueError> {
            // Try strict parsing first: nearly all values are strict, and both modes agree on those.
            Self::from_raw_on(raw, board)
                $(.or_else(|error| board.map_or(Err(error), |size| $crate::value::games::notation::on_board!(@$lenient raw, size))))?
                .or_else(|_| Self::parse_lenient(raw))
        }
    };
    (@lenient $raw:ident, $size:ident) => {
        Self::parse_on_lenient($raw, $size)
    };
}

/// Defines the method of `SgfValue` for lists of points: `in_lists!()`.
macro_rules! in_lists {
    () => {
        fn points<'v>(
            values: impl Iterator<Item = $crate::value::RawValue<'v>> + Clone,
            board: Option<$crate::value::Size>,
        ) -> Option<Result<Vec<Self>, $crate::value::ListError>> {
            Some($crate::value::PointList::in_tree(values, board).map(|list| list.points().to_vec()))
        }
    };
}

/// The cell names of a game: column letters, then a 1-based row number.
///
/// ```text
/// Cell = Letter { Letter } Digit { Digit }        (columns: a ... z, aa, ab ... zz, aaa ...)
/// ```
pub(super) struct Labels {
    /// The type named in errors.
    pub(super) kind: &'static str,
    /// The maximum number of columns, and what an error expects instead.
    pub(super) columns: (u32, &'static str),
    /// The maximum number of rows, and what an error expects instead.
    pub(super) rows: (u32, &'static str),
    /// Whether a column is always one letter.
    pub(super) one_letter: bool,
    /// Whether lenient parsing accepts two letters as column and row, as on Little Golem.
    ///
    /// `tt`, which marks the end of a game there, is not a point.
    pub(super) letter_pairs: bool,
}

/// A parsed cell: 0-based column and row. It also has the offsets of the row and the end in the value.
pub(super) struct Cell {
    pub(super) column: u32,
    pub(super) row: u32,
    pub(super) row_at: usize,
    pub(super) end: usize,
}

impl Labels {
    /// Parses a cell at `start`, consuming all letters and digits there. `lenient` accepts leading zeros of the
    /// row.
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

    /// Parses a value that is one cell, strictly.
    pub(super) fn parse(&self, raw: &[u8]) -> Result<Cell, ValueError> {
        self.read_all(raw, false)
    }

    /// Parses a value that is one cell leniently, with white space, leading zeros, or as two letters.
    pub(super) fn parse_lenient(&self, raw: &[u8]) -> Result<Cell, ValueError> {
        without_white_space(raw, |raw| match *raw {
            [column, row]
                if self.letter_pairs
                    && column.is_ascii_alphabetic()
                    && row.is_ascii_alphabetic()
                    && !raw.eq_ignore_ascii_case(b"tt") =>
            {
                let number = |letter: u8| u32::from(letter.to_ascii_lowercase() - b'a');
                Ok(Cell { column: number(column), row: number(row), row_at: 1, end: 2 })
            }
            _ => self.read_all(raw, true),
        })
    }

    /// Parses a value that is one cell, strictly, on a board.
    pub(super) fn parse_on(&self, raw: &[u8], size: Size) -> Result<Cell, ValueError> {
        let cell = self.read_all(raw, false)?;
        expect_on_board(self.kind, size, (cell.column, cell.row), cell.row_at)?;
        Ok(cell)
    }

    fn read_all(&self, raw: &[u8], lenient: bool) -> Result<Cell, ValueError> {
        let cell = self.read(raw, 0, lenient)?;
        match cell.end == raw.len() {
            true => Ok(cell),
            false => Err(ValueError::new(self.kind, "the end of the value", cell.end)),
        }
    }
}

/// Fails if a 0-based column and row are off the board. The column is at byte 0.
pub(super) fn expect_on_board(
    kind: &'static str,
    size: Size,
    (column, row): (u32, u32),
    row_at: usize,
) -> Result<(), ValueError> {
    if size.holds(column, row) {
        return Ok(());
    }
    let at = if column < size.columns() { row_at } else { 0 };
    Err(ValueError::new(kind, "a point on the board", at))
}

/// Implements `GridPoint` for a point with `new`: `grid_point!(Point: x, y)`.
macro_rules! grid_point {
    ($point:ident: $column:ident, $row:ident) => {
        impl $crate::value::GridPoint for $point {
            fn from_grid(column: u32, row: u32) -> Option<Self> {
                // `into` also accepts a `new` that returns a point instead of an option.
                $point::new(column.try_into().ok()?, row.try_into().ok()?).into()
            }

            fn grid(self) -> (u32, u32) {
                (self.$column().into(), self.$row().into())
            }
        }
    };
}

/// Implements a point with fields `column` and `row`, `new`, and its `LABELS`: `labeled_point!(Point(u16), "Hex
/// point")`.
///
/// A game with other docs passes them after these.
macro_rules! labeled_point {
    ($point:ident($number:ty), $kind:literal) => {
        $crate::value::games::notation::labeled_point! {
            $point($number), $kind;

            /// Returns the row, 0-based.
            row;

            /// Parses a value strictly.
            ///
            /// # Errors
            ///
            /// Fails if the value is not letters and a number from 1.
            parse;

            /// Parses a value leniently; see [`Point`].
            ///
            /// # Errors
            ///
            /// Fails if the value is not a point even leniently.
            parse_lenient;
        }
    };
    (
        $point:ident($number:ty), $kind:literal;
        $(#[$row:meta])+ row;
        $(#[$parse:meta])+ parse;
        $(#[$parse_lenient:meta])+ parse_lenient;
    ) => {
        impl $point {
            /// Returns the column, 0-based.
            pub const fn column(self) -> $number {
                self.column
            }

            $(#[$row])+
            pub const fn row(self) -> $number {
                self.row
            }

            $(#[$parse])+
            pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, $crate::value::ValueError> {
                Self::LABELS.parse(raw.as_ref()).map(Self::from_cell)
            }

            $(#[$parse_lenient])+
            pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, $crate::value::ValueError> {
                Self::LABELS.parse_lenient(raw.as_ref()).map(Self::from_cell)
            }

            /// Parses a value strictly, on a board of this size.
            ///
            /// # Errors
            ///
            /// Fails if [`parse`](Self::parse) would fail, or if the point is off the board.
            pub fn parse_on(
                raw: impl AsRef<[u8]>,
                size: $crate::value::Size,
            ) -> Result<Self, $crate::value::ValueError> {
                Self::LABELS.parse_on(raw.as_ref(), size).map(Self::from_cell)
            }

            // `LABELS` limits both numbers to the range of their type.
            fn from_cell(cell: $crate::value::games::notation::Cell) -> Self {
                $point { column: cell.column as $number, row: cell.row as $number }
            }
        }

        $crate::value::typed::sgf_value!($point, $kind {
            $crate::value::games::notation::on_board!();
            $crate::value::games::notation::in_lists!();
        });
        $crate::value::games::notation::grid_point!($point: column, row);

        impl std::fmt::Display for $point {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::value::games::notation::write_cell(f, self.column.into(), self.row.into())
            }
        }
    };
}

/// Implements a move that is `Play(Point)` or one of `WORDS`, or leniently one of `LENIENT_WORDS`.
///
/// `point_or_word! { Move, "Hex move"; /// Returns the point … point; }`
macro_rules! point_or_word {
    ($move:ident, $kind:literal; $(#[$point:meta])+ point;) => {
        impl $move {
            $(#[$point])+
            pub const fn point(self) -> Option<Point> {
                match self {
                    $move::Play(point) => Some(point),
                    _ => None,
                }
            }

            /// Parses a value strictly.
            ///
            /// # Errors
            ///
            /// Fails if the value is neither a point nor one of the words.
            pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, $crate::value::ValueError> {
                Self::read(raw.as_ref(), &[Self::WORDS], |raw| Point::parse(raw))
            }

            /// Parses a value leniently; see [`Move`].
            ///
            /// # Errors
            ///
            /// Fails if the value is not a move even leniently.
            pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, $crate::value::ValueError> {
                $crate::value::games::notation::without_white_space(raw.as_ref(), |raw| {
                    Self::read(raw, &[Self::WORDS, Self::LENIENT_WORDS], |raw| Point::parse_lenient(raw))
                })
            }

            /// Parses a value strictly, on a board of this size.
            ///
            /// # Errors
            ///
            /// Fails if [`parse`](Self::parse) would fail, or if the point is off the board.
            pub fn parse_on(
                raw: impl AsRef<[u8]>,
                size: $crate::value::Size,
            ) -> Result<Self, $crate::value::ValueError> {
                Self::read(raw.as_ref(), &[Self::WORDS], |raw| Point::parse_on(raw, size))
            }

            fn read(
                raw: &[u8],
                words: &[&[(&str, Self)]],
                point: impl FnOnce(&[u8]) -> Result<Point, $crate::value::ValueError>,
            ) -> Result<Self, $crate::value::ValueError> {
                match words.iter().find_map(|words| $crate::value::games::notation::word(raw, words)) {
                    Some(word) => Ok(word),
                    None => point(raw).map($move::Play).map_err(|error| error.of($kind)),
                }
            }
        }

        $crate::value::typed::sgf_value!($move, $kind {
            $crate::value::games::notation::on_board!();
        });

        impl std::fmt::Display for $move {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $move::Play(point) => point.fmt(f),
                    word => $crate::value::games::notation::write_word(f, word, Self::WORDS),
                }
            }
        }

        impl From<Point> for $move {
            fn from(point: Point) -> Self {
                $move::Play(point)
            }
        }
    };
}

pub(super) use {grid_point, in_lists, labeled_point, on_board, point_or_word};

/// Writes a cell with a 0-based column and row, in lower case.
pub(super) fn write_cell(f: &mut fmt::Formatter<'_>, column: u32, row: u32) -> fmt::Result {
    let (mut letters, mut rest) = (String::new(), column + 1);
    while rest > 0 {
        letters.insert(0, char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    write!(f, "{letters}{}", row + 1)
}

/// Parses a value with all white space removed, since old programs wrap lines anywhere.
///
/// Error offsets refer to the original value.
pub(super) fn without_white_space<T>(
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

/// Returns the meaning of a value that is one of `words`, in any case.
pub(super) fn word<T: Clone>(raw: &[u8], words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| raw.eq_ignore_ascii_case(word.as_bytes())).map(|(_, meaning)| meaning.clone())
}

/// Writes the word of a meaning.
pub(super) fn write_word<T: PartialEq>(f: &mut fmt::Formatter<'_>, meaning: &T, words: &[(&str, T)]) -> fmt::Result {
    let word = words.iter().find(|(_, of)| of == meaning);
    debug_assert!(word.is_some(), "every meaning has a word");
    f.write_str(word.ok_or(fmt::Error)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_offsets_count_removed_white_space() {
        let at = |raw: &[u8], at: usize| {
            without_white_space(raw, |_| Err::<(), _>(ValueError::new("test", "anything", at))).unwrap_err().at()
        };
        assert_eq!(at(b"ab", 1), 1);
        assert_eq!(at(b" ab ", 1), 2);
        assert_eq!(at(b" a\nb ", 1), 3);
        assert_eq!(at(b" a\nb ", 2), 4, "the end of the trimmed value");
        assert_eq!(at(b"  ", 0), 2);
    }
}
