//! Points and moves of Go (GM\[1\]), whose notation Amazons and Gess share.
//!
//! The specification has no notation for Gomoku and Renju, Othello and Ataxx; programs use this one.

use std::fmt;
use std::num::NonZeroU16;

use super::notation::{expect_on_board, grid_point, in_lists, on_board, without_white_space};
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;
use crate::value::{Size, ValueError};

/// *Point* of Go: a column and a row from the upper left, at most 52.
///
/// ```text
/// Point = Letter Letter                           (FF[4], "Go": a-z are 1-26, A-Z are 27-52)
/// ```
///
/// Lenient parsing ignores all white space.
///
/// ```
/// use sgf_stream::value::{Size, go::Point};
///
/// let point = Point::parse("cq")?;
/// assert_eq!((point.x(), point.y()), (2, 16));
/// assert_eq!(Point::new(26, 0).unwrap().to_string(), "Aa");
/// let error = Point::parse_on("cq", Size::square(9).unwrap()).unwrap_err();
/// assert_eq!(error.to_string(), "point: expected a point on the board at byte 1");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
// Column, row and a bit that is always set, packed into one integer: a move is then one integer, a step of a game
// two, and both stay in registers. Separate bytes were copied through memory one by one, which took longer than the
// rest of deserializing a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    const KIND: &'static str = "point";
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    /// Creates a point from its 0-based column and row, from the upper left. Returns `None` beyond 51.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < 52 && y < 52 { Self::pack(x, y) } else { None }
    }

    /// Packs numbers up to 127. Never returns `None`.
    #[inline(always)]
    const fn pack(x: u8, y: u8) -> Option<Self> {
        match NonZeroU16::new((x as u16) << 8 | (y as u16) << 1 | 1) {
            Some(packed) => Some(Point(packed)),
            None => None,
        }
    }

    /// Returns the column, 0-based.
    pub const fn x(self) -> u8 {
        (self.0.get() >> 8) as u8
    }

    /// Returns the row, 0-based, from the top.
    pub const fn y(self) -> u8 {
        (self.0.get() as u8) >> 1
    }

    /// Parses a value strictly, for a board of unknown size.
    ///
    /// # Errors
    ///
    /// Fails if the value is not two letters.
    #[inline]
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        match Self::of_letters(raw) {
            Some(point) => Ok(point),
            None => Err(Self::fault(raw)),
        }
    }

    /// Parses two letters.
    #[inline]
    #[doc(hidden)]
    pub fn of_letters(raw: &[u8]) -> Option<Self> {
        let &[x, y] = raw else { return None };
        let (x, y) = (NUMBERS[usize::from(x)], NUMBERS[usize::from(y)]);
        if x | y < NO_LETTER { Self::pack(x, y) } else { None }
    }

    /// Returns the two letters.
    #[inline]
    #[doc(hidden)]
    pub fn letters(self) -> [u8; 2] {
        [self.x(), self.y()].map(|number| Self::LETTERS[usize::from(number)])
    }

    /// Returns the error of a value that is not two letters.
    #[cold]
    fn fault(raw: &[u8]) -> ValueError {
        match Self::read(Self::KIND, raw, 0) {
            Ok(_) => ValueError::new(Self::KIND, "the end of the value", 2),
            Err(error) => error,
        }
    }

    /// Parses a value leniently, with white space.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| Self::parse(raw))
    }

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if the point is off the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let point = Self::parse(raw)?;
        expect_on_board(Self::KIND, size, point.grid(), 1)?;
        Ok(point)
    }

    /// Parses a value leniently, on a board of this size.
    ///
    /// It may contain white space, or be in the notation `R16`. That notation has letters without I from the left
    /// and numbers from the bottom, so it requires the size.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point even leniently, or is off the board.
    ///
    /// ```
    /// use sgf_stream::value::{Size, go::Point};
    ///
    /// assert_eq!(Point::parse_on_lenient("R16", Size::default())?, Point::parse("qd")?);
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    pub fn parse_on_lenient(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| match raw {
            [letter, number @ ..] if number.first().is_some_and(u8::is_ascii_digit) => {
                Self::read_human(*letter, number, size)
            }
            _ => Self::parse_on(raw, size),
        })
    }

    /// Returns the players' name for the point; `None` if off the board.
    ///
    /// The name has letters without I from the left (AA and so on after 25 columns) and numbers from the bottom.
    ///
    /// ```
    /// use sgf_stream::value::{Size, go::Point};
    ///
    /// assert_eq!(Point::parse("pd")?.name_on(Size::default()).as_deref(), Some("Q16"));
    /// assert_eq!(Point::parse("pd")?.name_on(Size::parse("9")?), None);
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    pub fn name_on(self, size: Size) -> Option<String> {
        let (x, y) = (u32::from(self.x()), u32::from(self.y()));
        size.holds(x, y).then(|| format!("{}{}", column_name(x), size.rows() - y))
    }

    fn read_human(letter: u8, number: &[u8], size: Size) -> Result<Self, ValueError> {
        let error = |expected, at| Err(ValueError::new(Self::KIND, expected, at));
        let x = match letter.to_ascii_uppercase() {
            letter @ b'A'..=b'H' => letter - b'A',
            letter @ b'J'..=b'Z' => letter - b'A' - 1,
            _ => return error("a letter other than I", 0),
        };
        if let Some(at) = number.iter().position(|b| !b.is_ascii_digit()) {
            return error("a digit", 1 + at);
        }
        if u32::from(x) >= size.columns() {
            return error("a point on the board", 0);
        }
        let row = number.iter().try_fold(0u32, |row, digit| {
            Some(row * 10 + u32::from(digit - b'0')).filter(|&row| row <= size.rows().min(999))
        });
        let y = row.filter(|&row| row > 0).and_then(|row| u8::try_from(size.rows() - row).ok());
        match y.and_then(|y| Point::new(x, y)) {
            Some(point) => Ok(point),
            None => error("a point on the board", 1),
        }
    }

    /// Parses the point at offset `at`. Errors name the type `kind`.
    pub(super) fn read(kind: &'static str, raw: &[u8], at: usize) -> Result<Self, ValueError> {
        let number = |at: usize| {
            let number = raw.get(at).map(|&letter| NUMBERS[usize::from(letter)]);
            let error = || ValueError::new(kind, "a letter", at.min(raw.len()));
            number.filter(|&number| number != NO_LETTER).ok_or_else(error)
        };
        let (x, y) = (number(at)?, number(at + 1)?);
        Self::pack(x, y).ok_or_else(|| ValueError::new(kind, "a letter", at))
    }
}

/// The number of each letter, indexed by byte.
static NUMBERS: [u8; 256] = {
    let mut numbers = [NO_LETTER; 256];
    let mut number = 0;
    while number < Point::LETTERS.len() {
        numbers[Point::LETTERS[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// Returns the name that players use for a column; see [`Point::name_on`].
pub fn column_name(column: u32) -> String {
    const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let letter = char::from(LETTERS[column as usize % LETTERS.len()]);
    letter.to_string().repeat(column as usize / LETTERS.len() + 1)
}

/// Marks bytes that are not letters; no number has this bit.
const NO_LETTER: u8 = 0x80;

pub(super) fn end(kind: &'static str, raw: &[u8], at: usize) -> Result<(), ValueError> {
    if raw.len() > at { Err(ValueError::new(kind, "the end of the value", at)) } else { Ok(()) }
}

sgf_value!(Point, "point", read by board {
    on_board!(lenient);
    in_lists!();
});
grid_point!(Point: x, y);

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Point").field("x", &self.x()).field("y", &self.y()).finish()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.letters().map(char::from);
        write!(f, "{x}{y}")
    }
}

/// *Move* of Go: a point, or a pass.
///
/// ```text
/// Move = [ Point ]                                (FF[4], "Go": an empty value is a pass)
/// ```
///
/// `[tt]` is a pass on boards up to 19x19, as in FF\[3\], and a point on boards with more than 19 columns or rows.
/// [`parse`](Self::parse), which has no board, treats `tt` as a pass; [`parse_on`](Self::parse_on) depends on the
/// board. The point `tt` is thus the only move that does not round-trip through `parse`. A pass prints as an empty
/// value.
///
/// Lenient parsing ignores white space, and accepts the word `pass` in any case.
///
/// ```
/// use sgf_stream::value::{Size, go::Move};
///
/// assert_eq!(Move::parse("")?, Move::Pass);
/// assert_eq!(Move::parse_on("tt", Size::square(19).unwrap())?, Move::Pass);
/// assert_eq!(Move::parse_on("tt", Size::square(21).unwrap())?.point().unwrap().x(), 19);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A pass.
    Pass,
    /// A stone on a point.
    Play(Point),
}

impl Move {
    const KIND: &'static str = "move";

    /// Returns the point of the stone, or `None` for a pass.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Pass => None,
            Move::Play(point) => Some(point),
        }
    }

    /// Parses a value strictly, for a board of unknown size.
    ///
    /// `tt` is a pass, as on boards up to 19x19.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither empty nor two letters.
    #[inline]
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        match Point::of_letters(raw) {
            point if point == Point::new(19, 19) => Ok(Move::Pass), // `tt`
            Some(point) => Ok(Move::Play(point)),
            None if raw.is_empty() => Ok(Move::Pass),
            None => Err(Point::fault(raw).of(Self::KIND)),
        }
    }

    /// Parses a value leniently, with white space or as the word `pass`.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| if is_pass(raw) { Ok(Move::Pass) } else { Self::parse(raw) })
    }

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if the point is off the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        match raw.as_ref() {
            b"" => Ok(Move::Pass),
            b"tt" if size.columns() <= 19 && size.rows() <= 19 => Ok(Move::Pass),
            raw => Point::parse_on(raw, size).map(Move::Play).map_err(|error| error.of(Self::KIND)),
        }
    }

    /// Parses a value leniently, on a board of this size.
    ///
    /// It may contain white space, and be the word `pass` or a point like `R16`; see [`Point::parse_on_lenient`].
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently, or is off the board.
    pub fn parse_on_lenient(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| match Self::parse_on(raw, size) {
            Err(_) if is_pass(raw) => Ok(Move::Pass),
            Err(_) => Point::parse_on_lenient(raw, size).map(Move::Play).map_err(|error| error.of(Self::KIND)),
            read => read,
        })
    }
}

fn is_pass(raw: &[u8]) -> bool {
    raw.eq_ignore_ascii_case(b"pass")
}

// The board determines whether `tt` is a pass, and the point `R16`.
sgf_value!(Move, "move", read by board {
    on_board!(lenient);
});

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.point().map_or(Ok(()), |point| point.fmt(f))
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Move::Play(point)
    }
}

/// The columns and rows of a board with lower-case letters, which contain nearly all moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmallBoard {
    columns: u8,
    rows: u8,
}

impl SmallBoard {
    /// A board without points.
    #[doc(hidden)]
    pub const NONE: SmallBoard = SmallBoard { columns: 0, rows: 0 };

    /// Returns the columns and rows of a board of this size.
    #[doc(hidden)]
    pub fn new(size: Size) -> Self {
        let letters = |lines: u32| lines.min(26) as u8;
        SmallBoard { columns: letters(size.columns()), rows: letters(size.rows()) }
    }

    /// Returns the letters of the last column and row.
    ///
    /// The board must not be empty.
    #[doc(hidden)]
    pub fn last_letters(self) -> [u8; 2] {
        [b'a' + self.columns - 1, b'a' + self.rows - 1]
    }

    /// Returns the column and row of two letters, if they are on this board.
    #[inline(always)]
    #[doc(hidden)]
    pub fn point(self, [x, y]: [u8; 2]) -> Option<(u8, u8)> {
        let (x, y) = (x.wrapping_sub(b'a'), y.wrapping_sub(b'a'));
        (x < self.columns && y < self.rows).then_some((x, y))
    }

    /// Returns whether two letters are a point of this board, and in lower case.
    #[inline(always)]
    #[doc(hidden)]
    pub fn has(self, letters: [u8; 2]) -> bool {
        self.point(letters).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Point {
        fn arbitrary(g: &mut Gen) -> Self {
            Point::new(u8::arbitrary(g) % 52, u8::arbitrary(g) % 52).unwrap()
        }
    }

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            let point = Some(Point::arbitrary(g)).filter(|point| point.to_string() != "tt" && u8::arbitrary(g) > 20);
            point.map_or(Move::Pass, Move::Play)
        }
    }

    printing_laws!(points: Point, moves: Move);

    #[test]
    fn every_pair_of_letters_is_a_point() {
        for (at, letter) in Point::LETTERS.iter().enumerate() {
            let point = Point::parse([*letter, b'a']).unwrap();
            assert_eq!((point.x(), point.y()), (at as u8, 0));
        }
        assert_eq!((Point::new(52, 0), Point::new(0, 52)), (None, None));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Point>(&[
            ("", "a letter", 0),
            ("a", "a letter", 1),
            ("1a", "a letter", 0),
            ("a1", "a letter", 1),
            ("a ", "a letter", 1),
            ("aaa", "the end of the value", 2),
            ("aa ", "the end of the value", 2),
        ]);
        assert_eq!(Point::parse_lenient(" a\n1").unwrap_err().at(), 3);
        assert_eq!(Move::parse("a1").unwrap_err().to_string(), "move: expected a letter at byte 1");
    }

    #[test]
    fn a_point_must_be_on_the_board() {
        let size = Size::new(7, 3).unwrap();
        assert!(Point::parse_on("gc", size).is_ok());
        for (raw, at) in [("hc", 0), ("gd", 1), ("hd", 0)] {
            let error = Point::parse_on(raw, size).unwrap_err();
            assert_eq!((error.expected(), error.at()), ("a point on the board", at), "{raw}");
        }
    }

    #[test]
    fn tt_is_a_pass_only_where_both_sides_are_at_most_19() {
        for (columns, rows, pass) in [(19, 19, true), (1, 1, true), (20, 20, false), (19, 20, false), (52, 52, false)] {
            let read = Move::parse_on("tt", Size::new(columns, rows).unwrap());
            assert_eq!(read == Ok(Move::Pass), pass, "{columns}x{rows}");
            assert_eq!(read.is_err(), columns.min(rows) == 19 && columns.max(rows) == 20, "{columns}x{rows}");
        }
        assert_eq!(Move::parse_on("", Size::square(52).unwrap()), Ok(Move::Pass));
    }

    #[test]
    fn lenient_parsing_accepts_white_space_and_the_word_pass() {
        let point = Point::parse("pd").unwrap();
        for raw in ["pd", " pd\n", "p d", "p\r\nd"] {
            assert_eq!(Point::parse_lenient(raw), Ok(point), "{raw:?}");
            assert_eq!(Move::parse_lenient(raw), Ok(Move::Play(point)), "{raw:?}");
        }
        for raw in ["", " ", "tt", "pass", "Pass", " PASS "] {
            assert_eq!(Move::parse_lenient(raw), Ok(Move::Pass), "{raw:?}");
        }
        for raw in ["R16", "resign", "p", "pdd", "?"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn points_like_r16_require_a_board() {
        let size = Size::default();
        for (raw, letters) in [("A1", "as"), ("T19", "sa"), ("H5", "ho"), ("j5", "io"), ("R16", "qd"), (" D 4 ", "dp")]
        {
            assert_eq!(Move::parse_on_lenient(raw, size), Move::parse(letters), "{raw}");
        }
        for (raw, at) in [("I1", 0), ("U1", 0), ("A0", 1), ("A20", 1), ("A1x", 2), ("$1", 0), ("A99999999999", 1)] {
            assert_eq!(Point::parse_on_lenient(raw, size).unwrap_err().at(), at, "{raw}");
            assert!(Point::parse_on(raw, size).is_err());
        }
        assert!(Point::parse_on_lenient("A1", Size::square(1000).unwrap()).is_err(), "no letters for row 1000");
        for raw in ["", "pass", "tt"] {
            assert_eq!(Move::parse_on_lenient(raw, size), Ok(Move::Pass), "{raw}");
        }
    }

    quickcheck! {
        fn a_move_on_a_large_board_round_trips(point: Point) -> bool {
            let size = Size::square(52).unwrap();
            let read = |play: Move| Move::parse_on(play.to_string(), size) == Ok(play)
                && Move::parse_on_lenient(play.to_string(), size) == Ok(play);
            read(Move::Play(point)) && read(Move::Pass)
        }
    }
}
