//! Turns and mirrors a game.

use std::borrow::Cow;

use super::edit::EditError;
use super::swap::Transformed;
use super::{GameTree, NodeId};
use crate::board::{Symmetry, symmetries_of};
use crate::property::{self, Context, Property, ValueType};
use crate::value::{AnyMove, AnyPoint, AnyRect, GridPoint, RawValue, Size, go, hex, twixt};

impl GameTree {
    /// Turns or mirrors the board: every point of every property moves to its image.
    ///
    /// The [registry](crate::property) decides what is a point: moves, setup, marks, labels, arrows, lines, territory, and the
    /// point lists of programs. Rectangles stay rectangles, passes stay passes, and the notation of the points becomes that
    /// of the specification. If the board is not square, a quarter turn also exchanges the numbers of `SZ`.
    ///
    /// Values that cannot be read, and points off the board, are left unchanged and counted. Unknown properties and texts,
    /// such as comments and the output of engines, are left unchanged even if they name points.
    ///
    /// ```
    /// use sgf_stream::board::Symmetry;
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;SZ[9:5]AB[aa:ca];B[ie]LB[ie:1][ea:aa];W[])".parse()?;
    /// game.transform(Symmetry::FLIP_HORIZONTAL)?;
    /// assert_eq!(game.to_vec()?, b"(;SZ[9:5]AB[ga:ia];B[ae]LB[ae:1][ea:aa];W[])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the size of the board is unknown, or if the result would not be the same game, which depends on the rules:
    ///
    /// | game | symmetries |
    /// |---|---|
    /// | Go, Gomoku, Renju | all |
    /// | Othello, Ataxx | those that keep the initial position: a half turn, and the reflections in both diagonals |
    /// | Hex, Twixt | a half turn, since the sides of the board belong to the players |
    /// | all others | none |
    pub fn transform(&mut self, symmetry: Symmetry) -> Result<Transformed, EditError> {
        let (root, game) = (self.context, self.context.game());
        let is_allowed = symmetries_of(game) >> symmetry.index() & 1 == 1;
        if !is_allowed {
            return Err(EditError::Symmetry(game));
        }
        let board = root.board().ok_or(EditError::NoSize)?;
        let image = Image { symmetry, board };
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let mut done = Transformed::default();
        for node in nodes {
            let context = if node == 0 { root } else { root.after_root() };
            let left = &mut done.left;
            let changed = self.map_values(NodeId(node), |ident, value| {
                let row = property::lookup(ident, &context)?;
                if row.value_type() == ValueType::Size {
                    return image.of_size(value);
                }
                if !row.value_type().has_points() || value.is_empty() {
                    return None;
                }
                let moved = image.of_value(row, value, &context);
                *left += usize::from(moved.is_none());
                moved
            })?;
            done.changed += usize::from(changed > 0);
        }
        Ok(done)
    }
}

/// The images of points and values.
struct Image {
    symmetry: Symmetry,
    board: Size,
}

impl Image {
    fn of_grid(&self, (column, row): (u32, u32)) -> Option<(u32, u32)> {
        self.board.holds(column, row).then(|| self.symmetry.map((column, row), self.board))
    }

    /// Returns the size of the board, if it changes. An invalid value is left unchanged: the board is then the default one,
    /// which is square.
    fn of_size<'v>(&self, value: RawValue<'v>) -> Option<Cow<'v, [u8]>> {
        let size = self.symmetry.apply_to_size(self.board);
        let is_this = Size::parse_lenient(value).is_ok_and(|size| size == self.board);
        (is_this && size != self.board).then(|| size.to_string().into_bytes().into())
    }

    /// Returns the image of a value with points; `None` if it cannot be read.
    fn of_value<'v>(&self, row: &Property, value: RawValue<'v>, context: &Context) -> Option<Cow<'v, [u8]>> {
        let image = match row.value_type() {
            ValueType::Move => self.of_move(value, context)?,
            ValueType::Point | ValueType::Stone if row.is_point_list() => self.of_area(value, context)?,
            ValueType::Point | ValueType::Stone => self.of_point(value, context)?,
            ValueType::PointPair => {
                let (first, second) = value.compose()?;
                format!("{}:{}", self.of_point(first, context)?, self.of_point(second, context)?)
            }
            ValueType::PointText => {
                // The text keeps its bytes, which may be in any charset.
                let (point, text) = value.compose()?;
                let point = self.of_point(point, context)?;
                return Some(Cow::Owned([point.as_bytes(), b":", text.as_bytes()].concat()));
            }
            _ => return None,
        };
        Some(Cow::Owned(image.into_bytes()))
    }

    fn of_point(&self, value: RawValue<'_>, context: &Context) -> Option<String> {
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let point =
            AnyPoint::parse(value, game, board).or_else(|_| AnyPoint::parse_lenient(value, game, board)).ok()?;
        let (column, row) = self.of_grid(point.grid()?)?;
        Some(AnyPoint::from_grid(game, column, row)?.to_string())
    }

    /// Returns the image of a point or a rectangle.
    fn of_area(&self, value: RawValue<'_>, context: &Context) -> Option<String> {
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let area = AnyRect::parse(value, game, board).or_else(|_| AnyRect::parse_lenient(value, game, board)).ok()?;
        let [left, top, right, bottom] = area.area()?;
        let (one, other) = (self.of_grid((left, top))?, self.of_grid((right, bottom))?);
        let first = area.point(one.0.min(other.0), one.1.min(other.1))?;
        let last = area.point(one.0.max(other.0), one.1.max(other.1))?;
        Some(if first == last { first.to_string() } else { format!("{first}:{last}") })
    }

    /// Returns the image of a move. A word, and a pass however written, is its own image.
    fn of_move(&self, value: RawValue<'_>, context: &Context) -> Option<String> {
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let read = AnyMove::parse(value, game, board).or_else(|_| AnyMove::parse_lenient(value, game, board)).ok()?;
        let point = match read {
            AnyMove::Go(go::Move::Play(point)) => point.grid(),
            AnyMove::Hex(hex::Move::Play(point)) => point.grid(),
            AnyMove::Twixt(twixt::Move::Play(point)) => point.grid(),
            AnyMove::Go(_) | AnyMove::Hex(_) | AnyMove::Twixt(_) => {
                return String::from_utf8(value.as_bytes().to_vec()).ok();
            }
            _ => return None,
        };
        let (column, row) = self.of_grid(point)?;
        Some(AnyPoint::from_grid(game, column, row)?.to_string())
    }
}
