//! Positions under the symmetries of the board.

use sgf_stream::value::Color;

use super::position::Ko;
use super::{Board, Symmetry};

/// Rotations and reflections.
impl Board {
    /// Returns the rotated or reflected position, with its captures and its ko.
    ///
    /// ```
    /// use sgf_board::{Board, Symmetry};
    ///
    /// let board = Board::after(b"(;SZ[3:2];B[aa];W[ca])", 2)?.unwrap();
    /// assert_eq!(board.to_string(), "X . O\n. . .\n");
    /// assert_eq!(board.transformed(Symmetry::ROTATE_CLOCKWISE).to_string(), ". X\n. .\n. O\n");
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Board {
        let mut board = Board::empty(symmetry.apply_to_size(self.size));
        for color in [Color::Black, Color::White] {
            for point in self.stones(color).filter_map(|point| symmetry.apply(point, self.size)) {
                board.set(point, Some(color));
            }
        }
        let ko = self.ko().and_then(|(color, point)| Some((color, symmetry.apply(point, self.size)?)));
        let ko = ko.and_then(|(color, point)| Some(Ko { at: board.index(point)?, color }));
        board.position.set_ko(ko);
        board.captured = self.captured;
        board
    }

    /// Returns the [`canonical_hash`](Self::canonical_hash), and the symmetries that lead to the position with this hash.
    ///
    /// There is at least one, and there are several if the position is symmetric. To compare next moves as well, apply all
    /// of them and use the smallest result:
    ///
    /// ```
    /// use sgf_board::Board;
    /// use sgf_stream::value::go::Point;
    ///
    /// let key = |game: &[u8], next: &str| {
    ///     let (board, next) = (Board::after(game, 1).unwrap().unwrap(), Point::parse(next).unwrap());
    ///     let (hash, symmetries) = board.canonical();
    ///     (hash, symmetries.filter_map(|symmetry| symmetry.apply(next, board.size())).min())
    /// };
    /// assert_eq!(key(b"(;B[dd])", "dp"), key(b"(;B[pp])", "pd"));
    /// assert_eq!(key(b"(;B[dd])", "dp"), key(b"(;B[dd])", "pd"));
    /// assert_ne!(key(b"(;B[dd])", "dp"), key(b"(;B[dd])", "pp"));
    /// ```
    pub fn canonical(&self) -> (u64, impl Iterator<Item = Symmetry> + use<>) {
        let (hash, hashes) = (self.canonical_hash(), self.hashes);
        (hash, Symmetry::ALL.into_iter().filter(move |symmetry| hashes[symmetry.index()] == hash))
    }
}
