//! Go positions: stones, captures, hashes.
//!
//! A [`Board`] executes moves as FF\[4\] specifies: the stone is placed, even on another stone; adjacent groups of the
//! opponent without liberties are removed; then its own group, if it has none. Legality is not required: a move may
//! retake a ko, repeat a position, or be played out of turn. [`Board::check`] tells whether a move is legal.
//!
//! ```
//! use sgf_board::Board;
//! use sgf_stream::value::{Color, Size, go::Point};
//!
//! let mut board = Board::new(Size::square(9).unwrap()).unwrap();
//! for (color, point) in [(Color::Black, "ba"), (Color::White, "aa"), (Color::Black, "ab")] {
//!     board.play(color, Point::parse(point)?);
//! }
//! assert_eq!(board.get(Point::parse("aa")?), None);
//! assert_eq!(board.captured(Color::White), 1);
//! # Ok::<(), sgf_stream::value::ValueError>(())
//! ```
//!
//! [`walk()`] calls a function with every node of a file and its board. [`Walk`] is the same for any reader, for the main
//! line alone, and for a loop over events. [`Board::after`] returns one position of a game that is in memory.
//!
//! A node with several moves has all of them executed, in the order of the file; [`Step::played`] is the first one. A move
//! off the board, like any that cannot be read, places no stone and counts in [`Step::unread`].
//!
//! A board maintains eight hashes, one per [`Symmetry`]. [`Board::canonical_hash`] is the smallest, so it is equal for
//! positions that are rotations or reflections of each other. [`Fingerprint`] does the same for whole games, with a
//! [`LineHash`]: the definition of a copy, without captures.
//!
//! [`Painter`] draws the board of any node of a game, with its marks and labels, as a [`Diagram`]; [`Diagram::svg`]
//! renders it as a picture.
//!
//! Boards have 1 to 52 columns and rows, as many as the letters of SGF can name.

mod canonical_line;
mod diagram;
mod fingerprint;
mod grid;
mod keys;
mod legal;
mod line;
mod line_hash;
mod moves;
mod position;
mod replay;
mod stones;
#[cfg(test)]
mod tests;
#[cfg(feature = "tree")]
mod tree;
mod turned;
mod walk;

use std::fmt;
use std::sync::Arc;

use sgf_stream::Game;
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};

use self::keys::Keys;
use self::line::MainLine;
use self::replay::UpTo;

#[doc(hidden)]
pub use self::canonical_line::CanonicalLine;
pub use self::diagram::{Diagram, DiagramError, Mark, Painter, PointState, Shape, Spot, Svg};
pub use self::fingerprint::Fingerprint;
pub use self::legal::IllegalMoveError;
pub use self::line_hash::{Likeness, LineHash, Orientation};
pub use self::moves::MoveText;
pub use self::replay::Replay;
#[cfg(feature = "tree")]
pub use self::tree::walk_tree;
pub use self::walk::{Step, StoneChange, Walk, walk};
pub use sgf_stream::value::Symmetry;

use self::position::{Cell, Change, Index, Position};

/// Items for the other packages of this project.
///
/// They may change in every version.
#[doc(hidden)]
pub mod internal {
    pub use crate::fingerprint::Draft as FingerprintDraft;
    pub use crate::grid::{Grid, GridMove, is_word_of_hex};
    pub use crate::position::{Cell, Index, Ko, MAX_SAVED, Position};
    pub use crate::replay::{Action, PositionHashes, Positions};
}

/// A Go position.
///
/// See the [module](self) for the effect of a move.
///
/// Two boards are equal if they have the same size and the same stones. Captures and a [`ko`](Self::ko) do not count, neither
/// here nor in the [`hash`](Self::hash).
#[derive(Clone)]
pub struct Board {
    size: Size,
    position: Position,
    /// The stones of the position, row by row.
    stones: Vec<Option<Color>>,
    keys: Arc<Keys>,
    hashes: [u64; 8],
    captured: [u32; 2],
}

/// The effect of a move. Returned by [`Board::play`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// The stone that the move replaced.
    pub replaced: Option<Color>,
    /// Number of stones of the opponent that the move captured.
    pub captured: usize,
    /// Number of stones of its own side that the move removed (suicide).
    pub suicide: usize,
    /// Whether the move retook a ko at once: see [`Board::ko`].
    pub retakes_ko: bool,
}

impl Board {
    /// Creates an empty board; `None` if it has more than 52 columns or rows.
    ///
    /// The hash keys of square boards are computed once per process.
    pub fn new(size: Size) -> Option<Self> {
        if !size.fits(Game::Go) {
            return None;
        }
        Some(Board::empty(size))
    }

    /// Creates an empty board of up to 52 columns and rows.
    fn empty(size: Size) -> Self {
        let keys = Keys::of(size);
        let (stones, hashes) = (vec![None; keys.points().len()], keys.empty());
        Board { size, position: Position::new(size), stones, keys, hashes, captured: [0; 2] }
    }

    /// Returns the position of a game after a number of moves of its main line.
    ///
    /// Passes count as moves. The whole main line is played if it has fewer moves.
    ///
    /// ```
    /// use sgf_board::Board;
    /// use sgf_stream::value::Color;
    ///
    /// let game = b"(;GM[1]SZ[9]AB[cc][gg];W[ee];B[ec];W[ge])";
    /// let board = Board::after(game, 2)?.unwrap();
    /// assert_eq!((board.stones(Color::Black).count(), board.stones(Color::White).count()), (3, 1));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// Returns `None` if the first game in the data is not Go on a board of up to 52x52. Syntax errors are
    /// repaired, as everywhere in lenient mode.
    ///
    /// # Errors
    ///
    /// Fails if the data has no game.
    pub fn after(game: &[u8], moves: usize) -> Result<Option<Self>, sgf_stream::SyntaxError> {
        let mut line = MainLine(UpTo(moves));
        Ok(sgf_stream::Parser::new().slice(game).read_game(&mut line)?.flatten())
    }

    /// Removes all stones, and resets the captures.
    pub fn clear(&mut self) {
        self.position.start(self.size);
        self.stones.fill(None);
        (self.hashes, self.captured) = (self.keys.empty(), [0; 2]);
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn index(&self, point: Point) -> Option<Index> {
        self.position.index(u32::from(point.x()), u32::from(point.y()))
    }

    /// Returns the stone on a point; `None` if empty or off the board.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        self.position.cell(self.index(point)?).color()
    }

    /// Sets or removes a stone, as the setup properties do. Captures nothing, and ends a ko.
    ///
    /// Returns false if the point is not on the board; then nothing changes.
    pub fn set(&mut self, point: Point, stone: Option<Color>) -> bool {
        let Some(at) = self.index(point) else { return false };
        self.set_cell(at, stone.map_or(Cell::Empty, Cell::from), &mut |_| {});
        true
    }

    /// Changes a cell, and reports the change.
    fn set_cell(&mut self, at: Index, cell: Cell, changed: &mut impl FnMut(Change)) {
        let Board { position, stones, keys, hashes, .. } = self;
        position.set(at, cell, &mut |change| {
            keys.follow(hashes, stones, change);
            changed(change);
        });
    }

    /// Executes a move: see the [module](self).
    ///
    /// Returns `None` if the point is not on the board; then nothing changes.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) -> Option<Played> {
        let at = self.index(point)?;
        Some(self.play_at(color, at, &mut |_| {}))
    }

    /// Executes a move, and reports every change.
    fn play_at(&mut self, color: Color, at: Index, changed: &mut impl FnMut(Change)) -> Played {
        let Board { position, stones, keys, hashes, .. } = self;
        let played = position.play(color, at, &mut |change| {
            keys.follow(hashes, stones, change);
            changed(change);
        });
        self.captured[color.opponent() as usize] += played.captured as u32;
        self.captured[color as usize] += played.suicide as u32;
        played
    }

    fn take_back(&mut self, Change { at, color, is_placed }: Change) {
        self.set_cell(at, if is_placed { Cell::Empty } else { color.into() }, &mut |_| {});
    }

    /// Returns the number of stones of a side that moves have removed, suicides included. Setup does not count.
    pub fn captured(&self, color: Color) -> u32 {
        self.captured[color as usize]
    }

    /// Returns the number of liberties (adjacent empty points) of a chain. 0 for an empty point.
    ///
    /// The time is proportional to the size of the chain.
    pub fn liberties(&self, point: Point) -> usize {
        self.index(point).map_or(0, |at| self.position.liberties(at))
    }

    /// Returns the Zobrist hash of the position: its size and its stones.
    ///
    /// Hashes are the same on every machine and in every version of this crate with the same
    /// [`HASH_VERSION`](Self::HASH_VERSION). Equal hashes of 64 bits do not prove that the positions are equal: positions
    /// with equal hashes are easy to construct.
    pub fn hash(&self) -> u64 {
        self.hashes[0]
    }

    /// Returns the hashes of the position under each symmetry, in the order of [`Symmetry::ALL`].
    pub fn hashes(&self) -> [u64; 8] {
        self.hashes
    }

    /// Returns the smallest of the [`hashes`](Self::hashes).
    ///
    /// It is equal for positions that are rotations or reflections of each other. [`canonical`](Self::canonical) also has
    /// the symmetries that lead to it.
    ///
    /// ```
    /// use sgf_board::Board;
    /// use sgf_stream::value::{Color, Size, go::Point};
    ///
    /// let with_stone = |size: Size, point: &str| {
    ///     let mut board = Board::new(size).unwrap();
    ///     board.play(Color::Black, Point::parse(point).unwrap());
    ///     board
    /// };
    /// let size = Size::square(19).unwrap();
    /// let (one, other) = (with_stone(size, "qd"), with_stone(size, "cd"));
    /// assert_ne!(one.hash(), other.hash());
    /// assert_eq!(with_stone(size, "pd").canonical_hash(), with_stone(size, "dp").canonical_hash());
    /// ```
    pub fn canonical_hash(&self) -> u64 {
        self.hashes.into_iter().min().unwrap_or_default()
    }

    /// The version of position hashes and fingerprints.
    ///
    /// It changes when they change. Stored hashes of different versions must not be compared.
    pub const HASH_VERSION: u32 = 2;
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl Eq for Board {}

/// Formats a diagram: `X` for Black, `O` for White, `.` for an empty point, rows from the top.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.size.rows() {
            for (column, cell) in self.position.row(y).iter().enumerate() {
                let drawn = match cell {
                    Cell::Black => "X",
                    Cell::White => "O",
                    Cell::Empty | Cell::Edge => ".",
                };
                write!(f, "{}{drawn}", if column == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {{ {}, ", self.size)?;
        for (name, color) in [("black", Color::Black), ("white", Color::White)] {
            write!(f, "{name}: {:?}, ", self.stones(color).map(|point| point.to_string()).collect::<Vec<_>>())?;
        }
        write!(f, "captured: {:?} }}", self.captured)
    }
}
