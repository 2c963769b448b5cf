//! Points, moves and stones in the notations of the games.
//!
//! Each notation has its own file; `notation` contains shared code. Othello, Gomoku, Renju and Ataxx have no own
//! notation; programs use that of [`go`].
//!
//! # To add a notation
//!
//! 1. Write its file, following [`twixt`] if a move is a point or a word, or [`amazons`] if it has several points: a `Move` that implements `SgfValue` and, if the game has its own
//!    points, a `Point` that implements `GridPoint`. The macros of `notation` generate most of both. Put the tests
//!    into that file.
//! 2. Declare the file here with `pub mod`, and add its row to `notations!`. A notation that uses the points of another
//!    one adds its game to the `points` of that row.
//! 3. Add its types to the lists in `tests/support/values.rs`: the laws run over those types only.
//!
//! The row adds the variants of [`AnyMove`], [`AnyPoint`], [`AnyStone`] and [`AnyRect`]. All other code (the typed
//! values of the registry, serde, trees, the checker, the writer) uses these types, or lists of types generated
//! from the rows.

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

/// Passes the table of notations to another macro.
///
/// * doc comment, name and module: the variants of `AnyMove` and its siblings
/// * `moves`: the type of its moves, and the games that use it
/// * `points`: the type of its points, and the games that use it; a notation without it uses the points of another
/// * `stones`: the type of its stones, if a stone is more than its point
macro_rules! notations {
    ([$($make:tt)+] $([$($argument:tt)+])?) => {
        $($make)+! {
            $([$($argument)+])?
            /// The notation of Go, also used for other games.
            Go: go {
                moves: Move for [Go Othello Gomoku Ataxx],
                points: Point for [Go Othello Gomoku Ataxx Amazons Gess],
            }
            /// The notation of Hex.
            Hex: hex { moves: Move for [Hex], points: Point for [Hex] }
            /// The notation of backgammon.
            Backgammon: backgammon { moves: Move for [Backgammon], points: Point for [Backgammon] }
            /// The notation of Lines of Action.
            LinesOfAction: loa { moves: Move for [LinesOfAction], points: Point for [LinesOfAction] }
            /// The notation of Amazons.
            Amazons: amazons { moves: Move for [Amazons] }
            /// The notation of Octi.
            Octi: octi { moves: Move for [Octi], points: Point for [Octi], stones: Stone }
            /// The notation of Gess.
            Gess: gess { moves: Move for [Gess] }
            /// The notation of Twixt.
            Twixt: twixt { moves: Move for [Twixt], points: Point for [Twixt] }
        }
    };
}

pub(crate) use notations;
