//! Points and moves of Hex (GM\[11\]).

use std::fmt;

use super::notation::{Labels, without_blanks, word, write_cell};
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;
use crate::value::{RawValue, Size, ValueError};

/// *Point* of Hex: a column and a row from the upper left.
///
/// ```text
/// Point = Letter { Letter } Digit { Digit }       (FF[4], "Hex"; case means nothing)
/// ```
///
/// Columns are `a` to `z`, then `aa`, `ab` and so on; rows count from 1. There is no limit in the
/// specification; here there are 65,536 of each. Canonical is lower case.
///
/// Lenient reading ignores white space and zeros in front of the row, and takes two letters for
/// column and row, as Little Golem writes them (`cd` is `c4`); but not `tt`, which is a word for
/// the end of a game there.
///
/// ```
/// use sgf_stream::value::hex::Point;
///
/// let point = Point::parse("aB28")?;
/// assert_eq!((point.column(), point.row()), (27, 27));
/// assert_eq!(point.to_string(), "ab28");
/// assert_eq!(Point::parse_lenient("cd")?, Point::parse("c4")?);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    column: u16,
    row: u16,
}

impl Point {
    const KIND: &'static str = "Hex point";
    const LABELS: Labels = Labels {
        kind: Self::KIND,
        columns: (1 << 16, "a column from a to crxp"),
        rows: (1 << 16, "a row from 1 to 65536"),
        one_letter: false,
    };

    /// A point by its column and row, both from 0.
    pub const fn new(column: u16, row: u16) -> Self {
        Point { column, row }
    }

    /// The column, from 0.
    pub const fn column(self) -> u16 {
        self.column
    }

    /// The row, from 0.
    pub const fn row(self) -> u16 {
        self.row
    }

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is not letters and a number from 1.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), false).map(|(point, _)| point)
    }

    /// Reads a value as programs write it: see [`Point`].
    ///
    /// # Errors
    ///
    /// If it is no point even so.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_blanks(raw.as_ref(), |raw| match two_letters(raw) {
            Some((column, row)) => Ok(Point::new(column, row)),
            None => Self::read(raw, true).map(|(point, _)| point),
        })
    }

    /// Reads a value by the letter of the specification, on a board.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and if the point is beside the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let (point, row_at) = Self::read(raw.as_ref(), false)?;
        if size.holds(point.column.into(), point.row.into()) {
            return Ok(point);
        }
        let at = if u32::from(point.column) < size.columns() { row_at } else { 0 };
        Err(ValueError::new(Self::KIND, "a point on the board", at))
    }

    /// The point, and where its row starts.
    fn read(raw: &[u8], lenient: bool) -> Result<(Self, usize), ValueError> {
        let cell = Self::LABELS.read_all(raw, lenient)?;
        // The labels end where 16 bits do.
        Ok((Point::new(cell.column as u16, cell.row as u16), cell.row_at))
    }
}

/// Column and row of a point as Little Golem writes it.
pub(super) fn two_letters(raw: &[u8]) -> Option<(u16, u16)> {
    match *raw {
        [b't' | b'T', b't' | b'T'] => None,
        [column, row] if column.is_ascii_alphabetic() && row.is_ascii_alphabetic() => {
            let number = |letter: u8| u16::from(letter.to_ascii_lowercase() - b'a');
            Some((number(column), number(row)))
        }
        _ => None,
    }
}

sgf_value!(Point, "Hex point");

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cell(f, self.column.into(), self.row.into())
    }
}

impl GridPoint for Point {
    fn from_grid(column: u32, row: u32) -> Option<Self> {
        Some(Point { column: column.try_into().ok()?, row: row.try_into().ok()? })
    }

    fn grid(self) -> (u32, u32) {
        (self.column.into(), self.row.into())
    }

    fn from_raw_on(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError> {
        Self::parse_on(raw, size)
    }
}

/// *Move* of Hex.
///
/// ```text
/// Move = Point | "swap-sides" | "swap-pieces" | "resign" | "forfeit" | "pass"
///                                                 (FF[4], "Hex"; case means nothing; pass: 2021)
/// ```
///
/// Canonical is lower case. Lenient reading takes points as [`Point`] does, the words without
/// their dash (`swap sides`), and a bare `swap` for `swap-pieces`: that is what Little Golem means
/// by it, and the two are the same in play.
///
/// ```
/// use sgf_stream::value::hex::{Move, Point};
///
/// assert_eq!(Move::parse("F9")?, Move::Play(Point::new(5, 8)));
/// assert_eq!(Move::parse("Swap-Sides")?, Move::SwapSides);
/// assert_eq!(Move::parse_lenient("SWAP")?.to_string(), "swap-pieces");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Move {
    /// A stone on a point.
    Play(Point),
    /// The player takes the opponent's side.
    SwapSides,
    /// The stones change their colours, and the board is reflected in its long diagonal.
    SwapPieces,
    /// The player resigns.
    Resign,
    /// The player loses by forfeit, on time perhaps.
    Forfeit,
    /// The player does nothing.
    Pass,
}

impl Move {
    const KIND: &'static str = "Hex move";
    const WORDS: &[(&str, Self)] = &[
        ("swap-sides", Move::SwapSides),
        ("swap-pieces", Move::SwapPieces),
        ("resign", Move::Resign),
        ("forfeit", Move::Forfeit),
        ("pass", Move::Pass),
    ];
    const LENIENT_WORDS: &[(&str, Self)] = &[
        ("swap", Move::SwapPieces),
        ("swapsides", Move::SwapSides),
        ("swap_sides", Move::SwapSides),
        ("swappieces", Move::SwapPieces),
        ("swap_pieces", Move::SwapPieces),
    ];

    /// Where the stone is put; `None` for the special moves.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            _ => None,
        }
    }

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is neither a point nor one of the words.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        word(raw, Self::WORDS).map_or_else(|| Self::play(Point::parse(raw)), Ok)
    }

    /// Reads a value as programs write it: see [`Move`].
    ///
    /// # Errors
    ///
    /// If it is no move even so.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_blanks(raw.as_ref(), |raw| {
            let word = word(raw, Self::WORDS).or_else(|| word(raw, Self::LENIENT_WORDS));
            word.map_or_else(|| Self::play(Point::parse_lenient(raw)), Ok)
        })
    }

    /// Reads a value by the letter of the specification, on a board.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and if the point is beside the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        word(raw, Self::WORDS).map_or_else(|| Self::play(Point::parse_on(raw, size)), Ok)
    }

    fn play(point: Result<Point, ValueError>) -> Result<Self, ValueError> {
        point.map(Move::Play).map_err(|error| error.of(Self::KIND))
    }
}

sgf_value!(Move, "Hex move");

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, Self::WORDS.iter().find(|(_, meaning)| meaning == self)) {
            (Move::Play(point), _) => point.fmt(f),
            (_, word) => f.write_str(word.map_or("", |(word, _)| word)),
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Move::Play(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::printing_laws;
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Point {
        fn arbitrary(g: &mut Gen) -> Self {
            let limit = *g.choose(&[3, 26, 30, 800, u16::MAX]).unwrap();
            Point::new(u16::arbitrary(g) % limit, u16::arbitrary(g) % limit)
        }
    }

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            let word = g.choose(Move::WORDS).unwrap().1;
            if bool::arbitrary(g) { word } else { Move::Play(Point::arbitrary(g)) }
        }
    }

    mod points {
        use super::*;
        printing_laws!(Point);
    }

    mod moves {
        use super::*;
        printing_laws!(Move);
    }

    #[test]
    fn columns_go_on_after_z() {
        for (raw, column, row) in [
            ("a1", 0, 0),
            ("Z26", 25, 25),
            ("aa27", 26, 26),
            ("Az3", 51, 2),
            ("ba1", 52, 0),
            ("zz1", 701, 0),
            ("aaa1", 702, 0),
            ("crxp65536", 65535, 65535),
        ] {
            let point = Point::parse(raw).unwrap();
            assert_eq!((point.column(), point.row()), (column, row), "{raw}");
            assert_eq!(point.to_string(), raw.to_lowercase());
        }
    }

    #[test]
    fn faults_are_named_where_they_are() {
        for (raw, expected, at) in [
            ("", "a letter", 0),
            ("4", "a letter", 0),
            ("a", "a digit", 1),
            ("swap", "a column from a to crxp", 0),
            ("cd", "a digit", 2),
            ("a0", "a row from 1 to 65536", 1),
            ("a01", "a row from 1 to 65536", 1),
            ("ab65537", "a row from 1 to 65536", 2),
            ("crxq1", "a column from a to crxp", 0),
            ("a1 ", "the end of the value", 2),
            ("a1b", "the end of the value", 2),
            ("a-1", "a digit", 1),
        ] {
            let error = Move::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("Hex move", expected, at), "{raw:?}");
        }
        let huge = format!("{}{}", "z".repeat(1000), "9".repeat(1000));
        assert!(Point::parse_lenient(huge).is_err());
        let size = Size::new(5, 30).unwrap();
        assert_eq!(Point::parse_on("f1", size).unwrap_err().at(), 0);
        assert_eq!(Move::parse_on("e31", size).unwrap_err().at(), 1);
        assert_eq!(Move::parse_on("pass", size), Ok(Move::Pass));
    }

    #[test]
    fn lenient_takes_what_programs_write() {
        for (raw, canonical) in [
            ("swap", "swap-pieces"),
            ("SWAP", "swap-pieces"),
            ("swap sides", "swap-sides"),
            ("Swap_Pieces", "swap-pieces"),
            (" Resign\n", "resign"),
            ("a 10", "a10"),
            ("c04", "c4"),
            ("mf", "m6"),
        ] {
            assert_eq!(Move::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
        for raw in ["", "tt", "swap-colours", "a", "aaa", "4c", "a00"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
