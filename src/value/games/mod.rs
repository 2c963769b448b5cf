//! Points, moves and stones in the notation of each game that has one.
//!
//! One file a game; what several notations share is in `notation`. Othello, Gomoku, Renju and
//! Ataxx have no notation of their own, and programs write that of [`go`].
//!
//! # To add a notation
//!
//! 1. Write its file, as [`twixt`] is written: a `Move` with [`OnBoard`], and, if the game has points of its own, a
//!    `Point` with `GridPoint`. The macros of `notation` write most of both. The tests belong into the same file.
//! 2. Declare the file here with `pub mod`, and add its row to `notations!`.
//!
//! The row gives the game its variants of [`AnyMove`], [`AnyPoint`], [`AnyStone`] and [`AnyRect`]. Everything else (the
//! registry's typed values, serde, trees, the checker, the writer) works on those, or on the lists of types that are
//! made from the rows.

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

pub use any::{AnyMove, AnyPoint, AnyRect, AnyStone};
pub(crate) use notation::OnBoard;

/// The notations, one row each, for a macro that makes something of them.
///
/// * doc comment, name and module: the variants of `AnyMove` and the other types of any game
/// * `moves`: the type of its moves, and the games that have them
/// * `points`: the type of its points, and the games that have them; a game without it has the points of another
/// * `stones`: the type of its stones, where a stone is more than its point
macro_rules! notations {
    ([$($make:tt)+] $([$($argument:tt)+])?) => {
        $($make)+! {
            $([$($argument)+])?
            /// Of Go, and of the games that are written like it.
            Go: go {
                moves: Move for [Go Othello Gomoku Ataxx],
                points: Point for [Go Othello Gomoku Ataxx Amazons Gess],
            }
            /// Of Hex.
            Hex: hex { moves: Move for [Hex], points: Point for [Hex] }
            /// Of backgammon.
            Backgammon: backgammon { moves: Move for [Backgammon], points: Point for [Backgammon] }
            /// Of Lines of Action.
            LinesOfAction: loa { moves: Move for [LinesOfAction], points: Point for [LinesOfAction] }
            /// Of Amazons.
            Amazons: amazons { moves: Move for [Amazons] }
            /// Of Octi.
            Octi: octi { moves: Move for [Octi], points: Point for [Octi], stones: Stone }
            /// Of Gess.
            Gess: gess { moves: Move for [Gess] }
            /// Of Twixt.
            Twixt: twixt { moves: Move for [Twixt], points: Point for [Twixt] }
        }
    };
}

/// The types of all notations, for a macro that makes something of them: points, and moves and stones.
macro_rules! notation_types {
    ($make:ident) => {
        $crate::value::games::notations!([$crate::value::games::notation_types] [$make]);
    };
    ([$make:ident] $(
        $(#[$doc:meta])+
        $name:ident: $module:ident {
            moves: $move:ident for [$($mover:ident)+]
            $(, points: $point:ident for [$($board:ident)+])?
            $(, stones: $stone:ident)?
            $(,)?
        }
    )+) => {
        $make! {
            points: $($($crate::value::$module::$point)?)+;
            others: $($crate::value::$module::$move $($crate::value::$module::$stone)?)+;
        }
    };
}

pub(crate) use {notation_types, notations};
