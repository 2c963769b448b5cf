//! Points, stones and moves of Octi (GM\[19\]).

use std::fmt;

use super::notation::{expect_on_board, in_lists, on_board, without_white_space};
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;
use crate::value::{Size, ValueError};

mod play;
pub use play::{Move, Part, Step, Walk};

/// *Point* of Octi: a column and a row from the south-west, 1 to 9.
///
/// ```text
/// Point = "1" ... "9" "1" ... "9"                 (FF[4], "Octi": horizontal, then vertical)
/// ```
///
/// In a list of points, the upper left corner of a rectangle is its north-west corner: `13:31`. Lenient parsing
/// ignores white space.
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

    /// Creates a point from its 1-based column and row, from the south-west. Returns `None` if one is not 1 to 9.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x >= 1 && x <= 9 && y >= 1 && y <= 9 { Some(Point { x, y }) } else { None }
    }

    /// Returns the column, 1-based, from the west.
    pub const fn x(self) -> u8 {
        self.x
    }

    /// Returns the row, 1-based, from the south.
    pub const fn y(self) -> u8 {
        self.y
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not two digits from 1 to 9.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Cursor::whole(Self::KIND, raw.as_ref(), Cursor::point)
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
        expect_on_board(Self::KIND, size, (u32::from(point.x) - 1, u32::from(point.y) - 1), 1)?;
        Ok(point)
    }
}

sgf_value!(Point, "Octi point" {
    on_board!();
    in_lists!();
});

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.x, self.y)
    }
}

/// Counts rows from the top of the largest board, which has 9.
impl GridPoint for Point {
    fn from_grid(column: u32, row: u32) -> Option<Self> {
        Point::new(u8::try_from(column).ok()?.checked_add(1)?, 9u8.checked_sub(row.try_into().ok()?)?)
    }

    fn grid(self) -> (u32, u32) {
        (u32::from(self.x) - 1, 9 - u32::from(self.y))
    }
}

/// The direction of a prong.
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
    /// All eight directions, clockwise from the north.
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

    /// Returns the letter of the direction, `A` to `H`.
    pub const fn letter(self) -> char {
        (b'A' + self as u8) as char
    }
}

/// A prong of a pod: `B`, or `B!` for a superprong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prong {
    /// The direction of the prong.
    pub direction: Direction,
    /// Whether it is a superprong.
    pub superprong: bool,
}

impl fmt::Display for Prong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.direction.letter(), if self.superprong { "!" } else { "" })
    }
}

/// The prongs of a pod, at most one in each direction. They print clockwise from the north.
///
/// An empty set may also mean that the prongs are omitted, which is allowed if the pods of a stack do not differ.
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
    /// One bit per direction.
    all: u8,
    superprongs: u8,
}

impl Prongs {
    /// The empty set: no prongs, or omitted ones.
    pub const NONE: Prongs = Prongs { all: 0, superprongs: 0 };

    /// Returns whether the set is empty: no prongs, or omitted ones.
    pub const fn is_empty(self) -> bool {
        self.all == 0
    }

    /// Returns the number of prongs.
    pub const fn len(self) -> usize {
        self.all.count_ones() as usize
    }

    /// Returns whether the pod has a prong in this direction.
    pub const fn contains(self, direction: Direction) -> bool {
        self.all & 1 << direction as u8 != 0
    }

    /// Iterates over the prongs, clockwise from the north.
    pub fn iter(self) -> impl Iterator<Item = Prong> {
        let superprong = move |direction: Direction| self.superprongs & 1 << direction as u8 != 0;
        let present = Direction::ALL.into_iter().filter(move |&direction| self.contains(direction));
        present.map(move |direction| Prong { direction, superprong: superprong(direction) })
    }

    /// Adds a prong, replacing any in its direction.
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

/// Collects prongs, keeping the last of several in one direction.
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
/// Prongs parse in any order, and print in the order of their letters. Lenient parsing ignores white space and
/// case.
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
    /// The point of the pod.
    pub point: Point,
    /// The prongs of the pod.
    pub prongs: Prongs,
}

impl Stone {
    const KIND: &'static str = "Octi stone";

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point and distinct prongs.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Cursor::whole(Self::KIND, raw.as_ref(), Cursor::stone)
    }

    /// Parses a value leniently, with white space and in any case.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a stone even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| Self::parse(raw.to_ascii_uppercase()))
    }
}

sgf_value!(Stone, "Octi stone");

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.point, self.prongs)
    }
}

/// Creates a pod whose prongs are empty or omitted.
impl From<Point> for Stone {
    fn from(point: Point) -> Self {
        Stone { point, prongs: Prongs::NONE }
    }
}

/// A parser that consumes a value from its start.
struct Cursor<'a> {
    kind: &'static str,
    raw: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Parses a whole value with `read`.
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

    /// Parses all prongs that follow.
    fn prongs(&mut self) -> Result<Prongs, ValueError> {
        let mut prongs = Prongs::NONE;
        while let Some(b'A'..=b'H') = self.peek() {
            let at = self.at;
            let prong = self.prong()?;
            if prongs.contains(prong.direction) {
                return Err(ValueError::new(self.kind, "a prong in another direction", at));
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
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Stone>(&[
            ("", "a digit from 1 to 9", 0),
            ("4", "a digit from 1 to 9", 1),
            ("40", "a digit from 1 to 9", 1),
            ("46I", "the end of the value", 2),
            ("46c", "the end of the value", 2),
            ("46CDC", "a prong in another direction", 4),
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
    fn the_grid_starts_in_the_north_west() {
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
