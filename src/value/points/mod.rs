//! Points that lie on a grid: rectangles and lists of them.

use std::fmt;
use std::hash::Hash;

use super::{RawValue, SgfValue, Size, ValueError};

mod compress;
#[cfg(feature = "serde")]
pub mod compressed;
mod list;
mod rect;
#[cfg(feature = "serde")]
mod serde_impls;

pub use list::{ListError, PointList};
pub use rect::Rect;

/// A point with a column and a row, so that two of them span a rectangle: the points of Go, Hex,
/// Twixt, Octi, Lines of Action and backgammon.
///
/// Code that is generic over games names it; only this crate implements it.
///
/// ```
/// use sgf_stream::value::{GridPoint, go, hex};
///
/// fn in_the_corner(point: impl GridPoint) -> bool {
///     point.grid() == (0, 0)
/// }
///
/// assert!(in_the_corner(go::Point::parse("aa")?));
/// assert!(in_the_corner(hex::Point::parse("a1")?));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
pub trait GridPoint: SgfValue + Copy + Ord + Hash + fmt::Debug + fmt::Display + sealed::Sealed {
    /// The point of a column and a row, both from 0 and from the upper left; `None` where the game
    /// has no name for it.
    fn from_grid(column: u32, row: u32) -> Option<Self>;

    /// Its column and row, both from 0 and from the upper left. Below 65,536 each.
    fn grid(self) -> (u32, u32);

    /// Whether several pieces may stand on one point, as checkers do in backgammon: then a list
    /// may have a point more than once.
    const STACKS: bool = false;

    /// Reads a value by the letter of the specification, on a board.
    ///
    /// # Errors
    ///
    /// If it is not a point, or beside the board.
    fn from_raw_on(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError>;

    /// Reads a value as programs write it, on a board, which may tell what is meant.
    ///
    /// # Errors
    ///
    /// If it is not a point even so.
    fn from_raw_on_lenient(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError> {
        let _ = size;
        Self::from_raw_lenient(raw)
    }
}

mod sealed {
    pub trait Sealed {}

    macro_rules! seal {
        (points: $($point:ty)+; others: $($other:ty)+;) => { $( impl Sealed for $point {} )+ };
    }

    crate::value::games::notation_types!(seal);
}
