//! Moves of Amazons (GM\[18\]). Points are [those of Go](super::go::Point).

use std::fmt;

use super::go::{self, Point};
use super::notation::{on_board, without_white_space};
use crate::value::typed::sgf_value;
use crate::value::{Size, ValueError};

/// *Move* of Amazons: an amazon moves to a point and shoots an arrow to another.
///
/// ```text
/// Move = Point Point Point                        (FF[4], "Amazons": from, to, arrow)
/// ```
///
/// Lenient parsing ignores all white space.
///
/// ```
/// use sgf_stream::value::{amazons::Move, go::Point};
///
/// let played = Move::parse("djddgd")?;
/// assert_eq!((played.from, played.arrow), (Point::parse("dj")?, Point::parse("gd")?));
/// assert_eq!(played.to_string(), "djddgd");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The point of the amazon before the move.
    pub from: Point,
    /// The point of the amazon after the move.
    pub to: Point,
    /// The point hit by the arrow.
    pub arrow: Point,
}

impl Move {
    const KIND: &'static str = "Amazons move";

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not six letters.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let point = |at| Point::read(Self::KIND, raw, at);
        let read = Move { from: point(0)?, to: point(2)?, arrow: point(4)? };
        go::end(Self::KIND, raw, 6)?;
        Ok(read)
    }

    /// Parses a value leniently, with white space.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| Self::parse(raw))
    }

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if a point is off the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let read = Self::parse(raw)?;
        for at in [0, 2, 4] {
            Point::parse_on(&raw[at..at + 2], size).map_err(|error| error.of(Self::KIND).shifted(at))?;
        }
        Ok(read)
    }
}

sgf_value!(Move, "Amazons move" {
    on_board!();
});

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, self.to, self.arrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            Move { from: Point::arbitrary(g), to: Point::arbitrary(g), arrow: Point::arbitrary(g) }
        }
    }

    printing_laws!(Move);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a letter", 0),
            ("dj", "a letter", 2),
            ("djddg", "a letter", 5),
            ("dj-ddgd", "a letter", 2),
            ("djddgdd", "the end of the value", 6),
        ]);
        let size = Size::square(10).unwrap();
        assert!(Move::parse_on("djddgd", size).is_ok());
        for (raw, at) in [("kaaaaa", 0), ("aaakaa", 3), ("aaaaka", 4)] {
            assert_eq!(Move::parse_on(raw, size).unwrap_err().at(), at, "{raw}");
        }
    }

    #[test]
    fn lenient_parsing_ignores_white_space() {
        assert_eq!(Move::parse_lenient(" dj dd\ngd "), Move::parse("djddgd"));
        assert_eq!(Move::parse_lenient("dj dd g").unwrap_err().at(), 7);
    }
}
