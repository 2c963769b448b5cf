//! Points, stones and moves of Octi (GM\[19\]).

use std::fmt;

use super::notation::{OnBoard, expect_on_board, without_blanks};
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;
use crate::value::{RawValue, Size, ValueError};

mod play;
pub use play::{Move, Part, Step, Walk};

/// *Point* of Octi: a column and a row from the south-west, 1 to 9.
///
/// ```text
/// Point = "1" ... "9" "1" ... "9"                 (FF[4], "Octi": horizontal, then vertical)
/// ```
///
/// In a list of points, the upper left corner of a rectangle is its north-west: `13:31`. Lenient
/// reading ignores white space.
///
/// ```
/// use sgf_stream::value::octi::Point;
///
/// let point = Point::parse("73")?;
/// assert_eq!((point.x(), point.y()), (7, 3));
/// assert_eq!(Point::new(0, 1), None);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    x: u8,
    y: u8,
}

impl Point {
    const KIND: &'static str = "Octi point";

    /// A point by its column and row, both from 1 and from the south-west; `None` beyond 9.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x >= 1 && x <= 9 && y >= 1 && y <= 9 { Some(Point { x, y }) } else { None }
    }

    /// The column, from 1, from the west.
    pub const fn x(self) -> u8 {
        self.x
    }

    /// The row, from 1, from the south.
    pub const fn y(self) -> u8 {
        self.y
    }

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is not two digits from 1 to 9.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Cursor::whole(Self::KIND, raw.as_ref(), Cursor::point)
    }

    /// Reads a value with white space in it.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_blanks(raw.as_ref(), |raw| Self::parse(raw))
    }

    /// Reads a value by the letter of the specification, on a board.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and if the point is beside the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let point = Self::parse(raw)?;
        expect_on_board(Self::KIND, size, (u32::from(point.x) - 1, u32::from(point.y) - 1), 1)?;
        Ok(point)
    }
}

sgf_value!(Point, "Octi point");

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.x, self.y)
    }
}

/// Rows count from the top of the largest board, 9 high.
impl GridPoint for Point {
    fn from_grid(column: u32, row: u32) -> Option<Self> {
        Point::new(u8::try_from(column).ok()?.checked_add(1)?, 9u8.checked_sub(row.try_into().ok()?)?)
    }

    fn grid(self) -> (u32, u32) {
        (u32::from(self.x) - 1, 9 - u32::from(self.y))
    }

    fn from_raw_on(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError> {
        Self::parse_on(raw, size)
    }
}

/// Where a prong points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `A`
    North,
    /// `B`
    NorthEast,
    /// `C`
    East,
    /// `D`
    SouthEast,
    /// `E`
    South,
    /// `F`
    SouthWest,
    /// `G`
    West,
    /// `H`
    NorthWest,
}

impl Direction {
    /// All eight, from the north, clockwise.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// Its letter, `A` to `H`.
    pub const fn letter(self) -> char {
        (b'A' + self as u8) as char
    }
}

/// A prong of a pod: `B`, or as a superprong `B!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prong {
    /// Where it points to.
    pub direction: Direction,
    /// Whether it is a superprong.
    pub superprong: bool,
}

impl fmt::Display for Prong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.direction.letter(), if self.superprong { "!" } else { "" })
    }
}

/// The prongs of a pod, at most one in a direction; printed from the north, clockwise.
///
/// None may also mean that they are not told, which is allowed where the pods of a stack do not
/// differ.
///
/// ```
/// use sgf_stream::value::octi::{Direction, Stone};
///
/// let stone = Stone::parse("46DC")?;
/// assert!(stone.prongs.contains(Direction::East));
/// assert_eq!(stone.prongs.to_string(), "CD");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prongs {
    /// A bit a direction.
    all: u8,
    superprongs: u8,
}

impl Prongs {
    /// None, or not told.
    pub const NONE: Prongs = Prongs { all: 0, superprongs: 0 };

    /// Whether there are none, or they are not told.
    pub const fn is_empty(self) -> bool {
        self.all == 0
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.all.count_ones() as usize
    }

    /// Whether one points there.
    pub const fn contains(self, direction: Direction) -> bool {
        self.all & 1 << direction as u8 != 0
    }

    /// From the north, clockwise.
    pub fn iter(self) -> impl Iterator<Item = Prong> {
        let superprong = move |direction: Direction| self.superprongs & 1 << direction as u8 != 0;
        let present = Direction::ALL.into_iter().filter(move |&direction| self.contains(direction));
        present.map(move |direction| Prong { direction, superprong: superprong(direction) })
    }

    /// The same with this one, in place of another in its direction.
    #[must_use]
    pub const fn with(mut self, prong: Prong) -> Self {
        let bit = 1 << prong.direction as u8;
        self.all |= bit;
        self.superprongs &= !bit;
        if prong.superprong {
            self.superprongs |= bit;
        }
        self
    }
}

/// Of several in one direction the last stays.
impl FromIterator<Prong> for Prongs {
    fn from_iter<I: IntoIterator<Item = Prong>>(prongs: I) -> Self {
        prongs.into_iter().fold(Prongs::NONE, Prongs::with)
    }
}

impl fmt::Display for Prongs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|prong| prong.fmt(f))
    }
}

/// *Stone* of Octi: a pod and its prongs.
///
/// ```text
/// Stone = Point { Prong }
/// Prong = "A" ... "H" [ "!" ]                     (FF[4], "Octi"; A is north, clockwise)
/// ```
///
/// Prongs are read in any order, and printed in that of the letters. Lenient reading ignores white
/// space and case.
///
/// ```
/// use sgf_stream::value::octi::Stone;
///
/// let stone = Stone::parse("46CD")?;
/// assert_eq!((stone.point.to_string(), stone.prongs.len()), ("46".to_owned(), 2));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stone {
    /// Where the pod is.
    pub point: Point,
    /// Its prongs.
    pub prongs: Prongs,
}

impl Stone {
    const KIND: &'static str = "Octi stone";

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is not a point and different prongs.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Cursor::whole(Self::KIND, raw.as_ref(), Cursor::stone)
    }

    /// Reads a value with white space in it, in any case.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_blanks(raw.as_ref(), |raw| Self::parse(raw.to_ascii_uppercase()))
    }
}

sgf_value!(Stone, "Octi stone");
impl OnBoard for Stone {}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.point, self.prongs)
    }
}

/// A pod whose prongs are none, or not told.
impl From<Point> for Stone {
    fn from(point: Point) -> Self {
        Stone { point, prongs: Prongs::NONE }
    }
}

/// Reads a value from its front.
struct Cursor<'a> {
    kind: &'static str,
    raw: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads a value that is one thing.
    fn whole<T>(
        kind: &'static str,
        raw: &'a [u8],
        read: impl FnOnce(&mut Self) -> Result<T, ValueError>,
    ) -> Result<T, ValueError> {
        let mut cursor = Cursor { kind, raw, at: 0 };
        let read = read(&mut cursor)?;
        if cursor.at < raw.len() { Err(cursor.error("the end of the value")) } else { Ok(read) }
    }

    const fn error(&self, expected: &'static str) -> ValueError {
        ValueError::new(self.kind, expected, self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.raw.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn point(&mut self) -> Result<Point, ValueError> {
        let mut digit = || match self.peek() {
            Some(digit @ b'1'..=b'9') => {
                self.at += 1;
                Ok(digit - b'0')
            }
            _ => Err(self.error("a digit from 1 to 9")),
        };
        Ok(Point { x: digit()?, y: digit()? })
    }

    fn prong(&mut self) -> Result<Prong, ValueError> {
        let direction = match self.peek() {
            Some(letter @ b'A'..=b'H') => Direction::ALL[usize::from(letter - b'A')],
            _ => return Err(self.error("a prong from A to H")),
        };
        self.at += 1;
        Ok(Prong { direction, superprong: self.eat(b'!') })
    }

    /// All prongs that follow.
    fn prongs(&mut self) -> Result<Prongs, ValueError> {
        let mut prongs = Prongs::NONE;
        while let Some(b'A'..=b'H') = self.peek() {
            let at = self.at;
            let prong = self.prong()?;
            if prongs.contains(prong.direction) {
                return Err(ValueError::new(self.kind, "a prong that is not named yet", at));
            }
            prongs = prongs.with(prong);
        }
        Ok(prongs)
    }

    fn stone(&mut self) -> Result<Stone, ValueError> {
        Ok(Stone { point: self.point()?, prongs: self.prongs()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Point {
        fn arbitrary(g: &mut Gen) -> Self {
            Point { x: 1 + u8::arbitrary(g) % 9, y: 1 + u8::arbitrary(g) % 9 }
        }
    }

    impl Arbitrary for Prong {
        fn arbitrary(g: &mut Gen) -> Self {
            Prong { direction: *g.choose(&Direction::ALL).unwrap(), superprong: bool::arbitrary(g) }
        }
    }

    impl Arbitrary for Stone {
        fn arbitrary(g: &mut Gen) -> Self {
            let count = usize::arbitrary(g) % 4;
            Stone { point: Point::arbitrary(g), prongs: (0..count).map(|_| Prong::arbitrary(g)).collect() }
        }
    }

    printing_laws!(points: Point, stones: Stone);

    #[test]
    fn faults_are_named_where_they_are() {
        assert_faults::<Stone>(&[
            ("", "a digit from 1 to 9", 0),
            ("4", "a digit from 1 to 9", 1),
            ("40", "a digit from 1 to 9", 1),
            ("46I", "the end of the value", 2),
            ("46c", "the end of the value", 2),
            ("46CDC", "a prong that is not named yet", 4),
            ("46C!!", "the end of the value", 4),
        ]);
        let size = Size::new(7, 6).unwrap();
        assert!(Point::parse_on("76", size).is_ok());
        assert_eq!(Point::parse_on("86", size).unwrap_err().at(), 0);
        assert_eq!(Point::parse_on("77", size).unwrap_err().at(), 1);
    }

    #[test]
    fn prongs_are_printed_clockwise() {
        let stone = Stone::parse("11H!BA").unwrap();
        assert_eq!(stone.to_string(), "11ABH!");
        assert_eq!(Stone::parse_lenient(" 11 h!ba"), Ok(stone));
        let letters: String = Direction::ALL.into_iter().map(Direction::letter).collect();
        assert_eq!(letters, "ABCDEFGH");
    }

    #[test]
    fn the_grid_is_seen_from_the_north_west() {
        for (raw, grid) in [("19", (0, 0)), ("99", (8, 0)), ("11", (0, 8)), ("91", (8, 8))] {
            let point = Point::parse(raw).unwrap();
            assert_eq!(point.grid(), grid);
            assert_eq!(Point::from_grid(grid.0, grid.1), Some(point));
        }
        for (column, row) in [(9, 0), (0, 9), (255, 0), (0, u32::MAX)] {
            assert_eq!(Point::from_grid(column, row), None);
        }
    }
}
