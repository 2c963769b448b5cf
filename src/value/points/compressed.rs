//! Serializes a list of points as few rectangles, for `#[serde(with = "sgf_stream::value::compressed")]`.
//!
//! The field is a [`PointList`], a `Vec` of points, or any type that derefs to a slice of points and collects from
//! them. It deserializes as usual, and serializes as the rectangles of [`PointList::compress`]: every point once,
//! possibly in another order. [`Serializer::compress_points`](crate::ser::Serializer::compress_points) compresses all
//! fields.
//!
//! ```
//! use sgf_stream::value::{PointList, go};
//!
//! #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
//! struct Position {
//!     #[serde(rename = "AB", with = "sgf_stream::value::compressed")]
//!     black: PointList,
//!     #[serde(rename = "AW", with = "sgf_stream::value::compressed")]
//!     white: Vec<go::Point>,
//! }
//!
//! let position: Position = sgf_stream::from_str("(;AB[aa][ba][ab][bb]AW[cc][cd])")?;
//! let written = sgf_stream::to_string(&position)?;
//! assert_eq!(written, "(;AB[aa:bb]AW[cc:cd])\n");
//! assert_eq!(sgf_stream::from_str::<Position>(&written)?.white, position.white);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::de::{Deserialize, Deserializer};
use serde::ser::Serializer;

use super::{GridPoint, PointList};

/// Serializes points as rectangles.
///
/// # Errors
///
/// Fails if the serializer does.
pub fn serialize<L, P, S>(points: &L, serializer: S) -> Result<S::Ok, S::Error>
where
    L: AsRef<[P]>,
    P: GridPoint,
    S: Serializer,
{
    let list: PointList<P> = points.as_ref().iter().copied().collect();
    serializer.collect_seq(list.compress())
}

/// Deserializes points, expanding rectangles.
///
/// # Errors
///
/// Fails if a value is neither a point nor a rectangle.
pub fn deserialize<'de, L, P, D>(deserializer: D) -> Result<L, D::Error>
where
    L: AsRef<[P]> + FromIterator<P>,
    P: GridPoint,
    D: Deserializer<'de>,
{
    PointList::<P>::deserialize(deserializer).map(|list| list.iter().collect())
}
