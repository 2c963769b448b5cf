//! SZ: board sizes.

use std::fmt;

use crate::value::game::Game;
use crate::value::typed::sgf_value;
use crate::value::{Number, ValueError};

/// *Size*: the number of columns and rows of a board, the value of `SZ`.
///
/// ```text
/// SZ = Number | Number ":" Number                 (FF[4], "SZ": columns, then rows)
/// ```
///
/// A square board is one number: strict parsing rejects `19:19`. Lenient parsing accepts it, including with `x`, `X`,
/// `*` or `×` for the colon (`19x19`, `13 * 9`), and white space around either number. Both sides are at least 1 and
/// fit in 32 bits; [`parse_for`] also checks the limit of a game. The default is 19, for Go.
///
/// ```
/// use sgf_stream::value::Size;
///
/// let size = Size::parse("17:3")?;
/// assert_eq!((size.columns(), size.rows()), (17, 3));
/// assert!(Size::parse("19:19").is_err());
/// assert_eq!(Size::parse_lenient("19x19")?.to_string(), "19");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
///
/// [`parse_for`]: Self::parse_for
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u32,
    rows: u32,
}

impl Size {
    const KIND: &'static str = "size";

    /// Creates a size. Returns `None` if a side is 0.
    pub const fn new(columns: u32, rows: u32) -> Option<Self> {
        if columns == 0 || rows == 0 { None } else { Some(Size { columns, rows }) }
    }

    /// Creates the size of a square board. Returns `None` if the side is 0.
    pub const fn square(side: u32) -> Option<Self> {
        Size::new(side, side)
    }

    /// Returns the default size of a game, or `None` if the specification has none.
    ///
    /// ```
    /// use sgf_stream::{Game, value::Size};
    ///
    /// assert_eq!(Size::default_for(Game::Hex), Size::square(11));
    /// assert_eq!(Size::default_for(Game::Othello), None);
    /// ```
    pub const fn default_for(game: Game) -> Option<Self> {
        match game {
            Game::Go => Size::square(19),
            Game::Chess | Game::LinesOfAction => Size::square(8),
            Game::Hex => Size::square(11),
            Game::Amazons => Size::square(10),
            Game::Gess => Size::square(20),
            Game::Twixt => Size::square(24),
            _ => None,
        }
    }

    /// Returns the number of columns.
    pub const fn columns(self) -> u32 {
        self.columns
    }

    /// Returns the number of rows.
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Returns whether the board has as many columns as rows.
    pub const fn is_square(self) -> bool {
        self.columns == self.rows
    }

    /// Returns whether a game allows boards of this size.
    ///
    /// Go allows at most 52 columns and rows, the number of letters. Other games have no limit.
    pub const fn fits(self, game: Game) -> bool {
        !matches!(game, Game::Go) || self.columns <= Self::GO && self.rows <= Self::GO
    }

    const GO: u32 = 52;

    /// Returns whether a 0-based column and row are on the board.
    ///
    /// ```
    /// use sgf_stream::value::{Size, go::Point};
    ///
    /// let point = Point::parse("qd")?;
    /// assert!(!Size::parse("9")?.holds(point.x().into(), point.y().into()));
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    pub const fn holds(self, column: u32, row: u32) -> bool {
        column < self.columns && row < self.rows
    }

    /// Parses a value strictly, for any game.
    ///
    /// # Errors
    ///
    /// Fails if the value is not one number, or two different numbers, from 1.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), Game::Other(0), false)
    }

    /// Parses a value strictly, for one game; see [`fits`](Self::fits).
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if the game does not allow the size.
    ///
    /// ```
    /// use sgf_stream::{Game, value::Size};
    ///
    /// let error = Size::parse_for("53", Game::Go).unwrap_err();
    /// assert_eq!(error.to_string(), "size: expected a number from 1 to 52 at byte 0");
    /// assert!(Size::parse_for("53", Game::Hex).is_ok());
    /// ```
    pub fn parse_for(raw: impl AsRef<[u8]>, game: Game) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), game, false)
    }

    /// Parses a value leniently; see [`Size`].
    ///
    /// # Errors
    ///
    /// Fails if the value is not one or two numbers from 1.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), Game::Other(0), true)
    }

    fn read(raw: &[u8], game: Game, lenient: bool) -> Result<Self, ValueError> {
        let error = |expected, at| ValueError::new(Self::KIND, expected, at);
        let side = |from: usize, to: usize| {
            let raw = &raw[from..to];
            let number = if lenient { Number::parse_lenient(raw) } else { Number::parse(raw) };
            let number = number.map_err(|error| error.of(Self::KIND).shifted(from))?.get();
            match u32::try_from(number) {
                Ok(side @ 1..) if side <= Self::GO || game != Game::Go => Ok(side),
                _ if game == Game::Go => Err(error("a number from 1 to 52", from)),
                _ if number < 1 => Err(error("a number from 1", from)),
                _ => Err(error("a number that fits in 32 bits", from)),
            }
        };
        let Some((colon, len)) = separator(raw, lenient) else {
            return side(0, raw.len()).map(|side| Size { columns: side, rows: side });
        };
        let size = Size { columns: side(0, colon)?, rows: side(colon + len, raw.len())? };
        match size.is_square() && !lenient {
            true => Err(error("one number, since the board is square", colon)),
            false => Ok(size),
        }
    }
}

sgf_value!(Size, "size");

/// Returns the index and length of the separator between two numbers.
fn separator(raw: &[u8], lenient: bool) -> Option<(usize, usize)> {
    if let Some(colon) = memchr::memchr(b':', raw) {
        return Some((colon, 1));
    }
    let at = raw.iter().position(|byte| matches!(byte, b'x' | b'X' | b'*' | 0xC3)).filter(|_| lenient)?;
    match &raw[at..] {
        [0xC3, 0x97, ..] => Some((at, "×".len())),
        [0xC3, ..] => None,
        _ => Some((at, 1)),
    }
}

/// Returns 19 x 19, the default of Go.
impl Default for Size {
    fn default() -> Self {
        Size { columns: 19, rows: 19 }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_square() {
            true => self.columns.fmt(f),
            false => write!(f, "{}:{}", self.columns, self.rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::printing_laws;
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Size {
        fn arbitrary(g: &mut Gen) -> Self {
            let mut side = || if bool::arbitrary(g) { u32::arbitrary(g).max(1) } else { 1 + u32::arbitrary(g) % 52 };
            Size { columns: side(), rows: side() }
        }
    }

    printing_laws!(Size);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "a digit", 0),
            ("x", "a digit", 0),
            ("19x19", "a digit", 2),
            ("0", "a number from 1", 0),
            ("-1", "a number from 1", 0),
            ("4294967296", "a number that fits in 32 bits", 0),
            (":", "a digit", 0),
            ("9:", "a digit", 2),
            ("9:x", "a digit", 2),
            ("9:0", "a number from 1", 2),
            ("9:8:7", "a digit", 3),
            ("9:9", "one number, since the board is square", 1),
            ("9 :8", "a digit", 1),
        ] {
            let error = Size::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("size", expected, at), "{raw:?}");
        }
        assert_eq!(Size::parse_for("19:53", Game::Go).unwrap_err().at(), 3);
    }

    #[test]
    fn lenient_parsing_accepts_squares_as_two_numbers_and_white_space() {
        for (raw, columns, rows) in [
            (" 19\n", 19, 19),
            ("9:9", 9, 9),
            (" 9 : 8 ", 9, 8),
            ("+09", 9, 9),
            ("19x19", 19, 19),
            ("13X13", 13, 13),
            ("19*19", 19, 19),
            ("19×19", 19, 19),
            (" 9 x 7 ", 9, 7),
            ("9 × 7", 9, 7),
        ] {
            assert_eq!(Size::parse_lenient(raw).ok(), Size::new(columns, rows), "{raw:?}");
            assert!(Size::parse(raw).is_err() || raw == "+09", "{raw:?}");
        }
        for raw in ["", "0:0", "9 9", "x", "19x", "x19", "19x19x19", "19x0", "19:19x19", "19xx19", "19÷19", "19-19"] {
            assert!(Size::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn a_board_has_columns_and_rows() {
        assert_eq!((Size::new(0, 1), Size::new(1, 0), Size::square(0)), (None, None, None));
        assert_eq!(Some(Size::default()), Size::default_for(Game::Go));
        assert!(Size::new(52, 1).unwrap().fits(Game::Go) && !Size::new(1, 53).unwrap().fits(Game::Go));
    }
}
