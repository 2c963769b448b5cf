//! Legality of moves.

use super::position::Position;
use super::{Board, Index};
use crate::value::Color;
use crate::value::go::Point;

/// The reason why a move is illegal. Returned by [`Board::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The point is not on the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// The point has a stone.
    #[error("the point already has a stone")]
    Occupied,
    /// The move retakes a ko at once: it restores the position before the last move.
    #[error("the move retakes a ko at once")]
    Ko,
    /// The move captures nothing, and its own chain has no liberty. Some rules allow this.
    #[error("the move is suicide")]
    Suicide,
}

/// Legality.
impl Board {
    /// Checks a move without executing it.
    ///
    /// Nearly all rules of Go forbid the first three kinds of [`Illegal`] moves. Suicide is legal in New Zealand, and
    /// rules with *superko* also forbid repetitions of older positions: compare their [`hash`](Self::hash). Whose turn
    /// it is does not matter.
    ///
    /// ```
    /// use sgf_stream::board::{Board, Illegal};
    /// use sgf_stream::value::{Color, Size, go::Point};
    ///
    /// let mut board = Board::new(Size::square(5).unwrap()).unwrap();
    /// for (color, points) in [(Color::Black, ["ba", "ab", "bc"]), (Color::White, ["ca", "db", "cc"])] {
    ///     points.iter().for_each(|point| _ = board.set(Point::parse(point).unwrap(), Some(color)));
    /// }
    /// let [left, right, corner] = ["bb", "cb", "aa"].map(|point| Point::parse(point).unwrap());
    /// board.play(Color::White, left);
    /// board.play(Color::Black, right); // captures the stone on the left
    /// assert_eq!(board.check(Color::White, left), Err(Illegal::Ko));
    /// assert_eq!(board.check(Color::White, right), Err(Illegal::Occupied));
    /// assert_eq!(board.check(Color::White, corner), Err(Illegal::Suicide));
    /// assert_eq!(board.check(Color::Black, left), Ok(()));
    ///
    /// board.pass();
    /// assert_eq!(board.check(Color::White, left), Ok(()));
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal. If several reasons apply, returns the first one in the order of [`Illegal`].
    pub fn check(&self, color: Color, point: Point) -> Result<(), Illegal> {
        self.position.check(color, self.index(point).ok_or(Illegal::OffBoard)?)
    }

    /// Returns the player who may not retake a ko now, and the point.
    ///
    /// A ko starts when a move captures one stone, is itself a single stone, and can be captured at that point: this would
    /// restore the position before the move. It ends with the next move, a [`pass`](Self::pass), or setup.
    pub fn ko(&self) -> Option<(Color, Point)> {
        let ko = self.position.ko()?;
        Some((ko.color, self.point(ko.at)?))
    }

    /// Executes a pass, which only ends a ko.
    pub fn pass(&mut self) {
        self.position.set_ko(None);
    }

    fn point(&self, at: Index) -> Option<Point> {
        let (x, y) = Position::point(at, self.position.stride());
        Point::new(x as u8, y as u8)
    }
}
