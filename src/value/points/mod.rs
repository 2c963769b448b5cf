//! Points on a grid: rectangles and lists of them.

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

/// A point with a column and a row, so that two points span a rectangle.
///
/// The points of Go, Hex, Twixt, Octi, Lines of Action and backgammon implement it. It is a bound for code that is
/// generic over games, and is sealed.
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
    /// Returns the point at a column and row, or `None` if there is none.
    ///
    /// Both are 0-based, from the upper left.
    fn from_grid(column: u32, row: u32) -> Option<Self>;

    /// Returns the column and row, 0-based, from the upper left. Both are less than 65,536.
    fn grid(self) -> (u32, u32);

    /// Whether pieces stack on a point, as in backgammon, so that a list may repeat it.
    const STACKS: bool = false;

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point, or is off the board.
    fn from_raw_on(raw: RawValue<'_>, size: Size) -> Result<Self, ValueError>;

    /// Parses a value leniently, on a board of this size, which some notations require.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point even leniently.
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
