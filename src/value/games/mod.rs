//! Points, moves and stones in the notation of each game that has one.
//!
//! One file a game; what several notations share is in `notation`. Othello, Gomoku, Renju and
//! Ataxx have no notation of their own, and programs write that of [`go`].

pub mod amazons;
mod any;
pub mod backgammon;
pub mod gess;
pub mod go;
pub mod hex;
pub mod loa;
mod notation;
pub mod octi;
pub mod twixt;

pub(crate) use any::OnBoard;
pub use any::{AnyMove, AnyPoint, AnyRect, AnyStone};
