//! Legality of moves.

use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

use super::position::Position;
use super::{Board, Index};

/// The reason why a move is illegal. Returned by [`Board::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMoveError {
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
    /// Nearly all rules of Go forbid the first three kinds of illegal moves. Suicide is legal in New Zealand, and
    /// rules with *superko* also forbid repetitions of older positions: compare their [`hash`](Self::hash). Whose turn
    /// it is does not matter.
    ///
    /// ```
    /// use sgf_board::{Board, IllegalMoveError};
    /// use sgf_stream::value::{Color, Size, go::Point};
    ///
    /// let mut board = Board::new(Size::square(5).unwrap()).unwrap();
    /// for (color, points) in [(Color::Black, ["ba", "ab", "bc"]), (Color::White, ["ca", "db", "cc"])] {
    ///     points.iter().for_each(|point| _ = board.set(Point::parse(point).unwrap(), Some(color)));
    /// }
    /// let [left, right, corner] = ["bb", "cb", "aa"].map(|point| Point::parse(point).unwrap());
    /// board.play(Color::White, left);
    /// board.play(Color::Black, right); // captures the stone on the left
    /// assert_eq!(board.check(Color::White, left), Err(IllegalMoveError::Ko));
    /// assert_eq!(board.check(Color::White, right), Err(IllegalMoveError::Occupied));
    /// assert_eq!(board.check(Color::White, corner), Err(IllegalMoveError::Suicide));
    /// assert_eq!(board.check(Color::Black, left), Ok(()));
    ///
    /// board.pass();
    /// assert_eq!(board.check(Color::White, left), Ok(()));
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal. If several reasons apply, returns the first one in the order of [`IllegalMoveError`].
    pub fn check(&self, color: Color, point: Point) -> Result<(), IllegalMoveError> {
        self.position.check(color, self.index(point).ok_or(IllegalMoveError::OffBoard)?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use sgf_stream::value::Size;

    /// Returns the board of a diagram: `X`, `O` and `.`, in rows.
    fn board(rows: &[&str]) -> Board {
        let size = Size::new(rows[0].len() as u32, rows.len() as u32).unwrap();
        let mut board = Board::new(size).unwrap();
        for (y, row) in (0..).zip(rows) {
            for (x, stone) in (0..).zip(row.chars()) {
                let stone = [('X', Color::Black), ('O', Color::White)].iter().find(|(letter, _)| *letter == stone);
                board.set(Point::new(x, y).unwrap(), stone.map(|(_, color)| *color));
            }
        }
        board
    }

    fn point(text: &str) -> Point {
        Point::parse(text).unwrap()
    }

    #[test]
    fn a_ko_starts_with_a_move_that_could_be_taken_back() {
        use Color::{Black, White};
        for (rows, color, at, ko) in [
            (&[".XO.", "XO.O", ".XO.", "...."][..], Black, "cb", Some((White, "bb"))),
            (&["OX.X", ".OX.", "...."], White, "ca", Some((Black, "ba"))), // on the edge
            (&["X.OX.", "OOO..", "....."], White, "ba", None),             // the capturing stone is connected
            (&["XO.O", ".XO.", "...."], Black, "ca", Some((White, "ba"))),
            (&["XOO.", "XXXO", "...."], Black, "da", None), // two stones are captured
            (&["OX.O", "O.OX", "...."], White, "ca", None), // the capturing stone has another liberty or is connected
            // After the capture the other black stone has its only liberty there as well.
            (&["X.OX", "OXOO"], Black, "ba", None),
        ] {
            let mut board = board(rows);
            board.play(color, point(at));
            assert_eq!(board.ko(), ko.map(|(color, at)| (color, point(at))), "{color:?} {at} on {rows:?}\n{board}");
        }
    }

    #[test]
    fn a_ko_ends_with_the_next_move_pass_or_setup() {
        let ko = || {
            let mut board = board(&[".XO.", "XO.O", ".XO.", "...."]);
            board.play(Color::Black, point("cb"));
            board
        };
        let retaken = (Color::White, point("bb"));
        let check = |board: &Board| board.check(retaken.0, retaken.1);
        assert_eq!((ko().ko(), check(&ko())), (Some(retaken), Err(IllegalMoveError::Ko)));
        assert_eq!(ko().check(Color::Black, retaken.1), Ok(()), "the other player may fill the ko");
        let endings: [fn(&mut Board); 5] = [
            |board| _ = board.play(Color::White, point("dd")),
            |board| _ = board.play(Color::Black, point("dd")),
            |board| board.pass(),
            |board| _ = board.set(point("dd"), Some(Color::White)),
            |board| _ = board.set(point("dd"), None), // changes nothing, but it is setup
        ];
        for (n, end) in endings.into_iter().enumerate() {
            let mut board = ko();
            end(&mut board);
            assert_eq!((board.ko(), check(&board)), (None, Ok(())), "{n}");
        }
        let mut board = ko();
        board.clear();
        assert_eq!(board.ko(), None);
        let mut board = ko();
        assert!(board.play(retaken.0, retaken.1).unwrap().retakes_ko);
        assert_eq!(board.ko(), Some((Color::Black, point("cb"))), "the ko goes on");
    }

    #[test]
    fn points_off_the_board_and_suicide_are_illegal() {
        let board = board(&[".X.", "X.X", ".XO"]);
        for (color, at, expected) in [
            (Color::White, "aa", Err(IllegalMoveError::Suicide)),
            (Color::White, "bb", Err(IllegalMoveError::Suicide)),
            (Color::Black, "aa", Ok(())),
            (Color::Black, "bb", Ok(())),
            (Color::Black, "ba", Err(IllegalMoveError::Occupied)),
            (Color::Black, "da", Err(IllegalMoveError::OffBoard)),
            (Color::Black, "ad", Err(IllegalMoveError::OffBoard)),
        ] {
            assert_eq!(board.check(color, point(at)), expected, "{color:?} {at}");
        }
    }
}
