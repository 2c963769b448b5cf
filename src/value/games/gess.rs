//! Moves of Gess (GM\[20\]). Points are [those of Go](super::go::Point).

use std::fmt;

use super::go::{self, Point};
use super::notation::{on_board, without_white_space};
use crate::value::typed::sgf_value;
use crate::value::{Size, ValueError};

/// *Move* of Gess: the center of a piece (3x3 points) before and after.
///
/// ```text
/// Move = Point ":" Point                          (FF[4], "Gess")
/// ```
///
/// A center on the edge of the board parses, although the move is illegal. Lenient parsing ignores white space, and
/// accepts an escaped colon.
///
/// ```
/// use sgf_stream::value::{gess::Move, go::Point};
///
/// let played = Move::parse("dd:de")?;
/// assert_eq!((played.from, played.to), (Point::parse("dd")?, Point::parse("de")?));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The center of the piece before the move.
    pub from: Point,
    /// The center of the piece after the move.
    pub to: Point,
}

impl Move {
    const KIND: &'static str = "Gess move";

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not two points joined by a colon.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), false)
    }

    /// Parses a value leniently, with white space or an escaped colon.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| Self::read(raw, true))
    }

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if a point is off the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let read = Self::parse(raw)?;
        for at in [0, 3] {
            Point::parse_on(&raw[at..at + 2], size).map_err(|error| error.of(Self::KIND).shifted(at))?;
        }
        Ok(read)
    }

    fn read(raw: &[u8], lenient: bool) -> Result<Self, ValueError> {
        let from = Point::read(Self::KIND, raw, 0)?;
        let at = match &raw[2..] {
            [b':', ..] => 3,
            [b'\\', b':', ..] if lenient => 4,
            _ => return Err(ValueError::new(Self::KIND, "a colon", 2)),
        };
        let to = Point::read(Self::KIND, raw, at)?;
        go::end(Self::KIND, raw, at + 2)?;
        Ok(Move { from, to })
    }
}

sgf_value!(Move, "Gess move" {
    on_board!();
});

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            Move { from: Point::arbitrary(g), to: Point::arbitrary(g) }
        }
    }

    printing_laws!(Move);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a letter", 0),
            ("dd", "a colon", 2),
            ("ddde", "a colon", 2),
            (r"dd\:de", "a colon", 2),
            ("dd:d", "a letter", 4),
            ("dd:de ", "the end of the value", 5),
        ]);
        let size = Size::square(20).unwrap();
        assert_eq!(Move::parse_on("dd:du", size).unwrap_err().at(), 4);
        assert_eq!(Move::parse_on("ud:du", size).unwrap_err().at(), 0);
    }

    #[test]
    fn lenient_parsing_accepts_white_space_and_an_escaped_colon() {
        for raw in [" dd:de", "dd : de", r"dd\:de"] {
            assert_eq!(Move::parse_lenient(raw), Move::parse("dd:de"), "{raw:?}");
        }
    }
}
