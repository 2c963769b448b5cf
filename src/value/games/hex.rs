//! Points and moves of Hex (GM\[11\]).

use super::notation::{Labels, labeled_point, point_or_word};

/// *Point* of Hex: a column and a row from the upper left.
///
/// ```text
/// Point = Letter { Letter } Digit { Digit }       (FF[4], "Hex"; case-insensitive)
/// ```
///
/// Columns are `a` to `z`, then `aa`, `ab` and so on; rows count from 1. The specification has no limit; this crate
/// allows 65,536 of each. The canonical form is lower case.
///
/// Lenient parsing ignores white space and leading zeros of the row, and accepts two letters as column and row, as
/// on Little Golem (`cd` is `c4`), except `tt`, which marks the end of a game there.
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
    const LABELS: Labels = Labels {
        kind: "Hex point",
        columns: (1 << 16, "a column from a to crxp"),
        rows: (1 << 16, "a row from 1 to 65536"),
        one_letter: false,
        letter_pairs: true,
    };

    /// Creates a point from its 0-based column and row.
    pub const fn new(column: u16, row: u16) -> Self {
        Point { column, row }
    }
}

labeled_point!(Point(u16), "Hex point");

/// *Move* of Hex.
///
/// ```text
/// Move = Point | "swap-sides" | "swap-pieces" | "resign" | "forfeit" | "pass"
///                                                 (FF[4], "Hex"; case-insensitive; pass: 2021)
/// ```
///
/// The canonical form is lower case. Lenient parsing accepts points like [`Point`], the words without their dash
/// (`swap sides`), and `swap` for `swap-pieces`, as meant by Little Golem; both kinds of swap are equivalent in
/// play.
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
    /// The stones change color, and the board is reflected in its long diagonal.
    SwapPieces,
    /// The player resigns.
    Resign,
    /// The player forfeits, for example on time.
    Forfeit,
    /// The player passes.
    Pass,
}

impl Move {
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
}

point_or_word! {
    Move, "Hex move";

    /// Returns the point of the stone, or `None` for the special moves.
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

    printing_laws!(points: Point, moves: Move);

    #[test]
    fn columns_continue_after_z() {
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
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
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
        ]);
        let huge = format!("{}{}", "z".repeat(1000), "9".repeat(1000));
        assert!(Point::parse_lenient(huge).is_err());
        let size = Size::new(5, 30).unwrap();
        assert_eq!(Point::parse_on("f1", size).unwrap_err().at(), 0);
        assert_eq!(Move::parse_on("e31", size).unwrap_err().at(), 1);
        assert_eq!(Move::parse_on("pass", size), Ok(Move::Pass));
    }

    #[test]
    fn lenient_parsing_accepts_what_programs_write() {
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
        for raw in ["", "tt", "swap-colors", "a", "aaa", "4c", "a00"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
