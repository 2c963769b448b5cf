//! Points on a grid: rectangles and lists of them.

use std::fmt;
use std::hash::Hash;

use super::SgfValue;

pub(crate) mod budget;
mod compress;
#[cfg(feature = "serde")]
pub mod compressed;
mod list;
mod rect;
#[cfg(feature = "serde")]
mod serde_impls;

pub(crate) use budget::Budget;
pub use list::{ListError, PointList};
pub use rect::Rect;

/// A point with a column and a row, so that two points span a rectangle.
///
/// It is a bound for generic code. The trait is sealed.
///
/// The points of Go, Hex, Twixt, Octi, Lines of Action and backgammon implement it.
///
/// ```
/// use sgf_stream::value::{GridPoint, ListError, PointList, go, hex};
///
/// fn count<P: GridPoint>(values: &[&str]) -> Result<usize, ListError> {
///     PointList::<P>::parse(values).map(|points| points.len())
/// }
///
/// assert_eq!(count::<go::Point>(&["aa:cc", "dd"])?, 10);
/// assert_eq!(count::<hex::Point>(&["a1:b2"])?, 4);
/// # Ok::<(), ListError>(())
/// ```
pub trait GridPoint: SgfValue + Copy + Ord + Hash + fmt::Debug {
    /// Returns the point at a column and row, if it exists. Both are 0-based, from the upper left.
    #[doc(hidden)]
    fn from_grid(column: u32, row: u32) -> Option<Self>;

    /// Returns the column and row, 0-based, from the upper left. Both are less than 65,536.
    #[doc(hidden)]
    fn grid(self) -> (u32, u32);

    /// Whether pieces stack on a point, as in backgammon, so that a list may repeat it.
    #[doc(hidden)]
    const STACKS: bool = false;
}
