//! Points, stones and moves of a game that is known only at run time.

use std::fmt;

#[cfg(feature = "serde")]
use crate::value::PointList;
use crate::value::game::Game;
use crate::value::{GridPoint, RawValue, Rect, SgfValue, SimpleText, Size, ValueError};

/// Defines an enum with a variant for each notation. Values of games without a notation are text.
macro_rules! by_game {
    ($(#[$meta:meta])+ $name:ident { $( #[doc = $doc:literal] $variant:ident($type:ty) $($game:ident)+; )+ }) => {
        $(#[$meta])+
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( #[doc = $doc] $variant($type), )+
            /// The text of a value of a game without a notation.
            Other(SimpleText),
        }

        impl $name {
            /// Parses a value of a game strictly. Without a board size, any point is valid.
            ///
            /// # Errors
            ///
            /// Fails if the value is not in the notation of the game, or is off the board.
            pub fn parse(raw: impl AsRef<[u8]>, game: Game, board: Option<Size>) -> Result<Self, ValueError> {
                let raw = RawValue::new(raw.as_ref());
                match game {
                    $( $( Game::$game )|+ => SgfValue::from_raw_on(raw, board).map($name::$variant), )+
                    _ => SgfValue::from_raw_on(raw, board).map($name::Other),
                }
            }

            /// Parses a value of a game leniently.
            ///
            /// # Errors
            ///
            /// Fails if the value is not in the notation of the game even leniently.
            pub fn parse_lenient(raw: impl AsRef<[u8]>, game: Game, board: Option<Size>) -> Result<Self, ValueError> {
                let raw = RawValue::new(raw.as_ref());
                match game {
                    $( $( Game::$game )|+ => SgfValue::from_raw_on_lenient(raw, board).map($name::$variant), )+
                    _ => SgfValue::from_raw_on_lenient(raw, board).map($name::Other),
                }
            }
        }

        /// Prints the raw form between the brackets.
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

/// Expands to the last of its types: the stone, if a stone is more than its point.
macro_rules! last_type {
    ($type:ty) => {
        $type
    };
    ($type:ty, $last:ty) => {
        $last
    };
}

macro_rules! any_types {
    ($(
        #[doc = $doc:literal]
        $name:ident: $module:ident {
            moves: $move:ident for [$($mover:ident)+]
            $(, points: $point:ident for [$($board:ident)+] $(, stones: $stone:ident)?)?
            $(,)?
        }
    )+) => {
        by_game! {
            /// A point of any game.
            ///
            /// ```
            /// use sgf_stream::Game;
            /// use sgf_stream::value::{AnyPoint, go, hex};
            ///
            /// assert_eq!(AnyPoint::parse("dd", Game::Go, None)?, AnyPoint::Go(go::Point::parse("dd")?));
            /// assert_eq!(AnyPoint::parse("d4", Game::Hex, None)?, AnyPoint::Hex(hex::Point::parse("d4")?));
            /// # Ok::<(), sgf_stream::value::ValueError>(())
            /// ```
            AnyPoint { $($( #[doc = $doc] $name(super::$module::$point) $($board)+; )?)+ }
        }

        by_game! {
            /// A value of a point list of any game: a point or a rectangle.
            AnyRect { $($( #[doc = $doc] $name(Rect<super::$module::$point>) $($board)+; )?)+ }
        }

        by_game! {
            /// A stone of any game and its point; in most games just the point.
            AnyStone {
                $($(
                    #[doc = $doc]
                    $name(last_type!(super::$module::$point $(, super::$module::$stone)?)) $($board)+;
                )?)+
            }
        }

        by_game! {
            /// A move of any game.
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
            AnyMove { $( #[doc = $doc] $name(super::$module::$move) $($mover)+; )+ }
        }

        impl AnyPoint {
            /// Returns whether the points of a game have a notation.
            #[doc(hidden)]
            pub const fn has_notation(game: Game) -> bool {
                match game {
                    $($( $(Game::$board)|+ => true, )?)+
                    _ => false,
                }
            }

            /// Returns whether pieces of a game stack on a point.
            #[doc(hidden)]
            pub const fn stacks(game: Game) -> bool {
                match game {
                    $($( $(Game::$board)|+ => super::$module::$point::STACKS, )?)+
                    _ => false,
                }
            }

            /// Returns the point at a column and row, if the game's notation has it.
            #[doc(hidden)]
            pub fn from_grid(game: Game, column: u32, row: u32) -> Option<Self> {
                match game {
                    $($( $(Game::$board)|+ => GridPoint::from_grid(column, row).map(AnyPoint::$name), )?)+
                    _ => None,
                }
            }

            /// Returns the column and row like [`GridPoint::grid`], or `None` without a notation.
            #[doc(hidden)]
            pub fn grid(&self) -> Option<(u32, u32)> {
                match self {
                    $($( AnyPoint::$name(point) => { let point: &super::$module::$point = point; Some(point.grid()) } )?)+
                    AnyPoint::Other(_) => None,
                }
            }
        }

        impl AnyRect {
            /// Returns the name of the type, as used in errors.
            pub(crate) const fn kind(&self) -> &'static str {

                match self {
                    $($( AnyRect::$name(_) => super::$module::$point::KIND, )?)+
                    AnyRect::Other(_) => SimpleText::KIND,
                }
            }

            /// Returns the bounds `[left, top, right, bottom]`, or `None` without a notation.
            #[doc(hidden)]
            pub fn area(&self) -> Option<[u32; 4]> {
                fn of<P: GridPoint>(rect: &Rect<P>) -> [u32; 4] {
                    let ((left, top), (right, bottom)) = (rect.upper_left().grid(), rect.lower_right().grid());
                    [left, top, right, bottom]
                }

                match self {
                    $($( AnyRect::$name(rect) => { let rect: &Rect<super::$module::$point> = rect; Some(of(rect)) } )?)+
                    AnyRect::Other(_) => None,
                }
            }

            /// Returns a point in the notation of this value.
            pub(crate) fn point(&self, column: u32, row: u32) -> Option<AnyPoint> {
                match self {
                    $($( AnyRect::$name(_) => {
                        <super::$module::$point>::from_grid(column, row).map(AnyPoint::$name)
                    } )?)+
                    AnyRect::Other(_) => None,
                }
            }

            /// Compresses the values of a point list into fewer values with the same points.
            ///
            /// Returns `None` if the values are not a list of points, repeat a point, or cannot be fewer.
            #[cfg(feature = "serde")]
            pub(crate) fn compress(values: &[RawValue<'_>], game: Game) -> Option<Vec<String>> {
                fn of<P: GridPoint>(values: &[RawValue<'_>]) -> Option<Vec<String>> {
                    let list = PointList::<P>::parse(values).ok().filter(|list| list.repeated().is_empty())?;
                    let rects = list.compress();
                    (rects.len() < values.len()).then(|| rects.iter().map(Rect::to_string).collect())
                }

                match AnyRect::parse(values.first()?, game, None).ok()? {
                    $($( AnyRect::$name(_) => of::<super::$module::$point>(values), )?)+
                    AnyRect::Other(_) => None,
                }
            }
        }
    };
}

super::notations!([any_types]);

impl AnyRect {
    /// Returns the number of points, or `None` without a notation.
    #[doc(hidden)]
    pub fn count(&self) -> Option<u64> {
        let [left, top, right, bottom] = self.area()?;
        Some((u64::from(right - left) + 1) * (u64::from(bottom - top) + 1))
    }

    /// Returns the point at an index, counting row by row.
    #[doc(hidden)]
    pub fn nth(&self, index: u64) -> Option<AnyPoint> {
        let [left, top, right, _] = self.area()?;
        let columns = u64::from(right - left) + 1;
        let point = self.point(left + (index % columns) as u32, top + (index / columns) as u32);
        debug_assert!(point.is_some(), "all points between two valid points are valid");
        point
    }
}

#[cfg(test)]
mod tests {
    use super::super::hex;
    use super::*;

    #[test]
    fn the_game_determines_the_notation() {
        let hex = AnyMove::parse("swap-pieces", Game::Hex, None);
        assert_eq!(hex, Ok(AnyMove::Hex(hex::Move::SwapPieces)));
        assert!(AnyMove::parse("swap-pieces", Game::Go, None).is_err());
        assert_eq!(AnyMove::parse("e2e4", Game::Chess, None).map(|m| m.to_string()), Ok("e2e4".to_owned()));
        assert_eq!(AnyStone::parse("33AB", Game::Octi, None).map(|m| m.to_string()), Ok("33AB".to_owned()));
        assert_eq!(AnyRect::parse("aa:cc", Game::Go, None).map(|m| m.to_string()), Ok("aa:cc".to_owned()));
    }

    #[test]
    fn only_strict_parsing_rejects_points_off_the_board() {
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
