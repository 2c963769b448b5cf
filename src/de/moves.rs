//! The moves of a list of nodes (`$line`, `$mainline`, `$nodes`) with their colors, for `#[serde(with)]`.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sgf_stream::value::{Color, go::Move};
//!
//! #[derive(Deserialize, Serialize, Debug, PartialEq)]
//! struct Game {
//!     #[serde(rename = "PB")]
//!     black: String,
//!     #[serde(rename = "$line", with = "sgf_stream::de::moves")]
//!     moves: Vec<(Color, Move)>,
//! }
//!
//! let sgf = "(;PB[Shusaku];B[qd];W[dc])\n";
//! let game: Game = sgf_stream::from_str(sgf)?;
//! assert_eq!(sgf_stream::to_string(&game)?, sgf);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each move is written as a node of its own. In `$line` they follow the root. In other formats they are a list of
//! [`Turn`]s.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::turns::{self, MOVES, Turn};
use crate::value::Color;

/// Reads moves with their colors, as [`moves()`](super::moves()) does.
///
/// # Errors
///
/// Fails if a move does not fit the type.
pub fn deserialize<'de, D, M>(deserializer: D) -> Result<Vec<(Color, M)>, D::Error>
where
    D: Deserializer<'de>,
    M: Deserialize<'de>,
{
    turns::moves(deserializer)
}

/// Writes moves as a list of nodes.
///
/// # Errors
///
/// Fails if a move cannot be written.
pub fn serialize<S: Serializer, M: Serialize>(moves: &[(Color, M)], serializer: S) -> Result<S::Ok, S::Error> {
    struct Turns<'a, M>(&'a [(Color, M)]);

    impl<M: Serialize> Serialize for Turns<'_, M> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.0.iter().map(|(color, play)| Turn { color: *color, play }))
        }
    }

    serializer.serialize_newtype_struct(MOVES, &Turns(moves))
}
