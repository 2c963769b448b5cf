//! Points and moves of Twixt (GM\[21\]).

use std::fmt;

use super::hex::two_letters;
use super::notation::{Labels, without_blanks, word, write_cell};
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;
use crate::value::{RawValue, Size, ValueError};

/// *Point* of Twixt, a hole: a column and a row from the upper left.
///
/// ```text
/// Point = Letter [ Letter ] Digit { Digit }       (FF[4], "Twixt", 2021; case means nothing)
/// ```
///
/// Columns are `a` to `z`, then `aa` to `zz`; rows are 1 to 702. Canonical is lower case. Lenient
/// reading is that of [Hex](super::hex::Point): white space, zeros in front of the row, and two
/// letters as Little Golem writes them (`hd` is `h4`), but not `tt`.
///
/// ```
/// use sgf_stream::value::twixt::Point;
///
/// let point = Point::parse("D11")?;
/// assert_eq!((point.column(), point.row(), point.to_string()), (3, 10, "d11".to_owned()));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    column: u16,
    row: u16,
}

impl Point {
    const KIND: &'static str = "Twixt point";
    const LIMIT: u16 = 702;
    const LABELS: Labels = Labels {
        kind: Self::KIND,
        columns: (Self::LIMIT as u32, "a column from a to zz"),
        rows: (Self::LIMIT as u32, "a row from 1 to 702"),
        one_letter: false,
    };

    /// A point by its column and row, both from 0; `None` beyond 701.
    pub const fn new(column: u16, row: u16) -> Option<Self> {
        if column < Self::LIMIT && row < Self::LIMIT { Some(Point { column, row }) } else { None }
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
            Some((column, row)) => Ok(Point { column, row }),
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
        Ok((Point { column: cell.column as u16, row: cell.row as u16 }, cell.row_at))
    }
}

sgf_value!(Point, "Twixt point");

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cell(f, self.column.into(), self.row.into())
    }
}

impl GridPoint for Point {
    fn from_grid(column: u32, row: u32) -> Option<Self> {
        Point::new(column.try_into().ok()?, row.try_into().ok()?)
    }

    fn grid(self) -> (u32, u32) {
        (self.column.into(), self.row.into())
    }

    fn from_raw_on(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError> {
        Self::parse_on(raw, size)
    }
}

/// *Move* of Twixt: a peg, with all the links that are possible; or a word.
///
/// ```text
/// Move = Point | "swap" | "swap-sides" | "swap-pieces" | "resign" | "forfeit"
/// ```
///
/// A peg is as the specification has it. Its page is not at hand in full: the words are those of
/// [Hex](super::hex::Move), after which it is made, and `swap`, which Little Golem writes. The
/// long moves of 2021, which name links to take away or to add, are not read; keep the raw value
/// of such a move.
///
/// Case means nothing; canonical is lower case. Lenient reading takes points as [`Point`] does.
///
/// ```
/// use sgf_stream::value::twixt::{Move, Point};
///
/// assert_eq!(Move::parse("G5")?.point(), Point::new(6, 4));
/// assert_eq!(Move::parse("swap")?, Move::Swap);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Move {
    /// A peg in a hole.
    Play(Point),
    /// The player swaps, sides or pieces.
    Swap,
    /// The player takes the opponent's side.
    SwapSides,
    /// The pegs change their colours, and the board is reflected.
    SwapPieces,
    /// The player resigns.
    Resign,
    /// The player loses by forfeit.
    Forfeit,
}

impl Move {
    const KIND: &'static str = "Twixt move";
    const WORDS: &[(&str, Self)] = &[
        ("swap", Move::Swap),
        ("swap-sides", Move::SwapSides),
        ("swap-pieces", Move::SwapPieces),
        ("resign", Move::Resign),
        ("forfeit", Move::Forfeit),
    ];

    /// Where the peg is put; `None` for the special moves.
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
            word(raw, Self::WORDS).map_or_else(|| Self::play(Point::parse_lenient(raw)), Ok)
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

sgf_value!(Move, "Twixt move");

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
            let limit = *g.choose(&[24, 702]).unwrap();
            Point { column: u16::arbitrary(g) % limit, row: u16::arbitrary(g) % limit }
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
    fn faults_are_named_where_they_are() {
        for (raw, expected, at) in [
            ("", "a letter", 0),
            ("a", "a digit", 1),
            ("aaa1", "a column from a to zz", 0),
            ("zz703", "a row from 1 to 702", 2),
            ("b2/c2*", "the end of the value", 2),
            ("pass", "a column from a to zz", 0),
        ] {
            let error = Move::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("Twixt move", expected, at), "{raw:?}");
        }
        let size = Size::new(24, 12).unwrap();
        assert_eq!(Move::parse_on("y1", size).unwrap_err().at(), 0);
        assert_eq!(Point::parse_on("x13", size).unwrap_err().at(), 1);
        assert_eq!((Point::new(702, 0), Point::new(0, 702)), (None, None));
    }

    #[test]
    fn lenient_takes_what_little_golem_writes() {
        for (raw, canonical) in [("hd", "h4"), ("SWAP", "swap"), (" h 4\n", "h4"), ("h04", "h4")] {
            assert_eq!(Move::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
        for raw in ["tt", "", "draw"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
