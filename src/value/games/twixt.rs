//! Points and moves of Twixt (GM\[21\]).

use super::notation::{Labels, labeled_point, point_or_word};

/// *Point* of Twixt: a hole, by its column and row from the upper left.
///
/// ```text
/// Point = Letter [ Letter ] Digit { Digit }       (FF[4], "Twixt", 2021; case-insensitive)
/// ```
///
/// Columns are `a` to `z`, then `aa` to `zz`; rows are 1 to 702. The canonical form is lower case. Lenient parsing
/// accepts what it accepts for [Hex](super::hex::Point): white space, leading zeros of the row, and two letters as
/// on Little Golem (`hd` is `h4`), but not `tt`.
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
    const LIMIT: u16 = 702;
    const LABELS: Labels = Labels {
        kind: "Twixt point",
        columns: (Self::LIMIT as u32, "a column from a to zz"),
        rows: (Self::LIMIT as u32, "a row from 1 to 702"),
        one_letter: false,
        letter_pairs: true,
    };

    /// Creates a point from its 0-based column and row. Returns `None` beyond 701.
    pub const fn new(column: u16, row: u16) -> Option<Self> {
        if column < Self::LIMIT && row < Self::LIMIT { Some(Point { column, row }) } else { None }
    }
}

labeled_point!(Point(u16), "Twixt point");

/// *Move* of Twixt: a peg with all possible links, or a word.
///
/// ```text
/// Move = Point | "swap" | "swap-sides" | "swap-pieces" | "resign" | "forfeit"
/// ```
///
/// The notation of a peg follows the specification, whose page is not fully available. The words are those of
/// [Hex](super::hex::Move), on which it is modeled, and `swap`, which Little Golem writes. The long moves of 2021,
/// which name links to add or remove, are errors; keep the raw value of such a move.
///
/// Moves are case-insensitive; the canonical form is lower case. Lenient parsing accepts points like [`Point`].
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
    /// The player swaps sides or pieces.
    Swap,
    /// The player takes the opponent's side.
    SwapSides,
    /// The pegs change color, and the board is reflected.
    SwapPieces,
    /// The player resigns.
    Resign,
    /// The player forfeits.
    Forfeit,
}

impl Move {
    const WORDS: &[(&str, Self)] = &[
        ("swap", Move::Swap),
        ("swap-sides", Move::SwapSides),
        ("swap-pieces", Move::SwapPieces),
        ("resign", Move::Resign),
        ("forfeit", Move::Forfeit),
    ];
    const LENIENT_WORDS: &[(&str, Self)] = &[];
}

point_or_word! {
    Move, "Twixt move";

    /// Returns the point of the peg, or `None` for the special moves.
    point;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Size;
    use crate::value::laws::{assert_faults, printing_laws};
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

    printing_laws!(points: Point, moves: Move);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a letter", 0),
            ("a", "a digit", 1),
            ("aaa1", "a column from a to zz", 0),
            ("zz703", "a row from 1 to 702", 2),
            ("b2/c2*", "the end of the value", 2),
            ("pass", "a column from a to zz", 0),
        ]);
        let size = Size::new(24, 12).unwrap();
        assert_eq!(Move::parse_on("y1", size).unwrap_err().at(), 0);
        assert_eq!(Point::parse_on("x13", size).unwrap_err().at(), 1);
        assert_eq!((Point::new(702, 0), Point::new(0, 702)), (None, None));
    }

    #[test]
    fn lenient_parsing_accepts_what_little_golem_writes() {
        for (raw, canonical) in [("hd", "h4"), ("SWAP", "swap"), (" h 4\n", "h4"), ("h04", "h4")] {
            assert_eq!(Move::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
        for raw in ["tt", "", "draw"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
