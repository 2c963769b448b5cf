//! Points, stones and moves of whichever game: for code that learns from the file which one it is.

use std::fmt;

use super::{amazons, backgammon, gess, go, hex, loa, octi, twixt};
use crate::Game;
#[cfg(feature = "serde")]
use crate::value::{GridPoint, PointList};
use crate::value::{RawValue, Rect, SgfValue, SimpleText, Size, ValueError};

/// A type that may want to know the board.
pub(crate) trait OnBoard: SgfValue {
    fn strict(raw: RawValue<'_>, _board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw(raw)
    }

    fn lenient(raw: RawValue<'_>, _board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw_lenient(raw)
    }
}

/// Types whose values lie on a board.
macro_rules! on_board {
    ($($type:ty)+) => { $(
        impl OnBoard for $type {
            fn strict(raw: RawValue<'_>, board: Option<Size>) -> Result<Self, ValueError> {
                board.map_or_else(|| Self::parse(raw), |size| Self::parse_on(raw, size))
            }
        }
    )+ };
}

on_board! {
    hex::Point hex::Move loa::Point amazons::Move octi::Point gess::Move twixt::Point twixt::Move
    Rect<hex::Point> Rect<loa::Point> Rect<octi::Point> Rect<twixt::Point>
}

/// In Go, a board tells a pass from a point, and what people call `R16`. A point beside it is a
/// point all the same when programs have forgotten to say how large it is.
macro_rules! go {
    ($($type:ty)+) => { $(
        impl OnBoard for $type {
            fn strict(raw: RawValue<'_>, board: Option<Size>) -> Result<Self, ValueError> {
                board.map_or_else(|| Self::parse(raw), |size| Self::parse_on(raw, size))
            }

            fn lenient(raw: RawValue<'_>, board: Option<Size>) -> Result<Self, ValueError> {
                // What nearly all are, and the same in both modes.
                if let Ok(value) = Self::strict(raw, board) {
                    return Ok(value);
                }
                let on_board = board.and_then(|size| Self::parse_on_lenient(raw, size).ok());
                on_board.map_or_else(|| Self::parse_lenient(raw), Ok)
            }
        }
    )+ };
}

go! { go::Point go::Move Rect<go::Point> }

impl OnBoard for backgammon::Point {}
impl OnBoard for backgammon::Move {}
impl OnBoard for Rect<backgammon::Point> {}
impl OnBoard for loa::Move {}
impl OnBoard for octi::Stone {}
impl OnBoard for octi::Move {}
impl OnBoard for SimpleText {}

/// Writes an enum with a type for each notation, and the games that have it. What has no notation
/// is text.
macro_rules! by_game {
    ($(#[$meta:meta])+ $name:ident { $( $(#[$doc:meta])+ $variant:ident($type:ty) $($game:ident)+; )+ }) => {
        $(#[$meta])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$doc])+ $variant($type), )+
            /// Of a game that has no notation: what stands there.
            Other(SimpleText),
        }

        impl $name {
            /// Reads a value of a game by the letter of the specification. Without a board, points
            /// may lie anywhere.
            ///
            /// # Errors
            ///
            /// If it is not in the notation of the game, or beside the board.
            pub fn parse(raw: impl AsRef<[u8]>, game: Game, board: Option<Size>) -> Result<Self, ValueError> {
                let raw = RawValue::new(raw.as_ref());
                match game {
                    $( $( Game::$game )|+ => OnBoard::strict(raw, board).map($name::$variant), )+
                    _ => OnBoard::strict(raw, board).map($name::Other),
                }
            }

            /// Reads a value of a game as programs write it.
            ///
            /// # Errors
            ///
            /// If it is not in the notation of the game even so.
            pub fn parse_lenient(raw: impl AsRef<[u8]>, game: Game, board: Option<Size>) -> Result<Self, ValueError> {
                let raw = RawValue::new(raw.as_ref());
                match game {
                    $( $( Game::$game )|+ => OnBoard::lenient(raw, board).map($name::$variant), )+
                    _ => OnBoard::lenient(raw, board).map($name::Other),
                }
            }
        }

        /// As it stands between the brackets.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $( $name::$variant(value) => value.fmt(f), )+
                    $name::Other(text) => text.fmt(f),
                }
            }
        }
    };
}

by_game! {
    /// A point, in the notation of whichever game.
    ///
    /// ```
    /// use sgf_stream::Game;
    /// use sgf_stream::value::{AnyPoint, go, hex};
    ///
    /// assert_eq!(AnyPoint::parse("dd", Game::Go, None)?, AnyPoint::Go(go::Point::parse("dd")?));
    /// assert_eq!(AnyPoint::parse("d4", Game::Hex, None)?, AnyPoint::Hex(hex::Point::parse("d4")?));
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    AnyPoint {
        /// Of Go, and of the games whose boards are written like that of Go.
        Go(go::Point) Go Othello Gomoku Ataxx Amazons Gess;
        /// Of Hex.
        Hex(hex::Point) Hex;
        /// Of backgammon.
        Backgammon(backgammon::Point) Backgammon;
        /// Of Lines of Action.
        LinesOfAction(loa::Point) LinesOfAction;
        /// Of Octi.
        Octi(octi::Point) Octi;
        /// Of Twixt.
        Twixt(twixt::Point) Twixt;
    }
}

by_game! {
    /// A value of a point list, in the notation of whichever game: a point, or a rectangle of them.
    AnyRect {
        /// Of Go, and of the games whose boards are written like that of Go.
        Go(Rect<go::Point>) Go Othello Gomoku Ataxx Amazons Gess;
        /// Of Hex.
        Hex(Rect<hex::Point>) Hex;
        /// Of backgammon.
        Backgammon(Rect<backgammon::Point>) Backgammon;
        /// Of Lines of Action.
        LinesOfAction(Rect<loa::Point>) LinesOfAction;
        /// Of Octi.
        Octi(Rect<octi::Point>) Octi;
        /// Of Twixt.
        Twixt(Rect<twixt::Point>) Twixt;
    }
}

#[cfg(feature = "serde")]
impl AnyRect {
    /// The values of a point list in fewer values, which stand for the same points; nothing where they are no
    /// list of points, have one twice, or cannot be fewer.
    pub(crate) fn compress(values: &[RawValue<'_>], game: Game) -> Option<Vec<String>> {
        fn of<P: GridPoint>(values: &[RawValue<'_>]) -> Option<Vec<String>> {
            let list = PointList::<P>::parse(values).ok().filter(|list| list.repeated().is_empty())?;
            let rects = list.compress();
            (rects.len() < values.len()).then(|| rects.iter().map(Rect::to_string).collect())
        }

        match AnyRect::parse(values.first()?, game, None).ok()? {
            AnyRect::Go(_) => of::<go::Point>(values),
            AnyRect::Hex(_) => of::<hex::Point>(values),
            AnyRect::Backgammon(_) => of::<backgammon::Point>(values),
            AnyRect::LinesOfAction(_) => of::<loa::Point>(values),
            AnyRect::Octi(_) => of::<octi::Point>(values),
            AnyRect::Twixt(_) => of::<twixt::Point>(values),
            AnyRect::Other(_) => None,
        }
    }
}

by_game! {
    /// A stone and where it is, in the notation of whichever game: in most games a point.
    AnyStone {
        /// Of Go, and of the games whose boards are written like that of Go.
        Go(go::Point) Go Othello Gomoku Ataxx Amazons Gess;
        /// Of Hex.
        Hex(hex::Point) Hex;
        /// Of backgammon.
        Backgammon(backgammon::Point) Backgammon;
        /// Of Lines of Action.
        LinesOfAction(loa::Point) LinesOfAction;
        /// Of Octi, with its prongs.
        Octi(octi::Stone) Octi;
        /// Of Twixt.
        Twixt(twixt::Point) Twixt;
    }
}

by_game! {
    /// A move, in the notation of whichever game.
    ///
    /// ```
    /// use sgf_stream::Game;
    /// use sgf_stream::value::{AnyMove, Size, go};
    ///
    /// let pass = AnyMove::parse("tt", Game::Go, Some(Size::default()))?;
    /// assert_eq!(pass, AnyMove::Go(go::Move::Pass));
    /// assert_eq!(AnyMove::parse("31hefe", Game::Backgammon, None)?.to_string(), "31hefe");
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    AnyMove {
        /// Of Go, and of the games that are written like Go.
        Go(go::Move) Go Othello Gomoku Ataxx;
        /// Of Hex.
        Hex(hex::Move) Hex;
        /// Of backgammon.
        Backgammon(backgammon::Move) Backgammon;
        /// Of Lines of Action.
        LinesOfAction(loa::Move) LinesOfAction;
        /// Of Amazons.
        Amazons(amazons::Move) Amazons;
        /// Of Octi.
        Octi(octi::Move) Octi;
        /// Of Gess.
        Gess(gess::Move) Gess;
        /// Of Twixt.
        Twixt(twixt::Move) Twixt;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_decides_what_a_value_is() {
        let hex = AnyMove::parse("swap-pieces", Game::Hex, None);
        assert_eq!(hex, Ok(AnyMove::Hex(hex::Move::SwapPieces)));
        assert!(AnyMove::parse("swap-pieces", Game::Go, None).is_err());
        assert_eq!(AnyMove::parse("e2e4", Game::Chess, None).map(|m| m.to_string()), Ok("e2e4".to_owned()));
        assert_eq!(AnyStone::parse("33AB", Game::Octi, None).map(|m| m.to_string()), Ok("33AB".to_owned()));
        assert_eq!(AnyRect::parse("aa:cc", Game::Go, None).map(|m| m.to_string()), Ok("aa:cc".to_owned()));
    }

    #[test]
    fn a_board_bounds_strict_reading_only() {
        let nine = Size::square(9);
        assert!(AnyPoint::parse("jj", Game::Go, nine).is_err());
        assert_eq!(AnyPoint::parse_lenient("jj", Game::Go, nine), AnyPoint::parse("jj", Game::Go, None));
        assert_eq!(AnyPoint::parse_lenient("C3", Game::Go, nine), AnyPoint::parse("cg", Game::Go, None));
        let large = Size::square(21);
        assert_eq!(AnyMove::parse("tt", Game::Go, None).map(|m| m.to_string()), Ok(String::new()));
        assert_eq!(AnyMove::parse("tt", Game::Go, large).map(|m| m.to_string()), Ok("tt".to_owned()));
        assert_eq!(AnyMove::parse_lenient("tt", Game::Go, large).map(|m| m.to_string()), Ok("tt".to_owned()));
    }
}
