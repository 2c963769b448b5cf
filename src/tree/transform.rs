//! Turns and mirrors a game.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::edit::EditError;
use super::swap::TransformReport;
use super::{GameTree, NodeId};
use crate::property::{self, Context, Property, ValueType};
use crate::raw::is_white_space;
use crate::value::game::Game;
use crate::value::{AnyMove, AnyPoint, GridPoint, RawValue, Size, Symmetry, go, hex, twixt};

impl GameTree {
    /// Turns or mirrors the board: every point of every property moves to its image.
    ///
    /// The [registry](crate::property) decides what is a point: moves, setup, marks, labels, arrows, lines, territory, and the
    /// point lists of programs. Rectangles stay rectangles, and passes stay passes. If the board is not square, a quarter turn
    /// also exchanges the numbers of `SZ`. All other values keep their bytes.
    ///
    /// A point keeps its notation: `R16` becomes `C4`, also in lower case or with white space. So to turn the board back
    /// returns the game. Values that cannot be read, points off the board, and points that their notation does not have
    /// (`R16` ends at 25 columns) are left unchanged and counted. Unknown properties and texts,
    /// such as comments and the output of engines, are left unchanged even if they name points.
    ///
    /// ```
    /// use sgf_stream::value::Symmetry;
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
    pub fn transform(&mut self, symmetry: Symmetry) -> Result<TransformReport, EditError> {
        let (root, game) = (self.context, self.context.game());
        if !symmetry.is_of(game) {
            return Err(EditError::Symmetry(game));
        }
        let board = root.board().ok_or(EditError::NoSize)?;
        let image = Image { symmetry, board };
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let mut done = TransformReport::default();
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

/// A part of a value, and the column and row that it names.
type Written<'v> = (&'v [u8], (u32, u32));

impl Image {
    fn of_grid(&self, (column, row): (u32, u32)) -> Option<(u32, u32)> {
        self.board.holds(column, row).then(|| self.symmetry.map((column, row), self.board))
    }

    /// Returns the size of the board, if it changes. An invalid value is left unchanged: the board is then the default one,
    /// which is square.
    fn of_size<'v>(&self, value: RawValue<'v>) -> Option<Cow<'v, [u8]>> {
        let size = self.symmetry.apply_to_size(self.board);
        let is_this = Size::parse_lenient(value).is_ok_and(|size| size == self.board);
        if !is_this || size == self.board {
            return None;
        }
        // The numbers change their places, and all else stays.
        let bytes = value.as_bytes();
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let exchanged = || {
            let first = bytes.iter().position(is_digit)?;
            let first_len = bytes[first..].iter().take_while(|byte| is_digit(byte)).count();
            let end = bytes.iter().rposition(is_digit)? + 1;
            let second_len = bytes[..end].iter().rev().take_while(|byte| is_digit(byte)).count();
            let (between, second) = (bytes.get(first + first_len..end - second_len)?, end - second_len);
            let (before, after) = (&bytes[..first], &bytes[end..]);
            Some([before, &bytes[second..end], between, &bytes[first..first + first_len], after].concat())
        };
        let is_read = |bytes: &Vec<u8>| Size::parse_lenient(bytes).is_ok_and(|other| other == size);
        Some(exchanged().filter(is_read).unwrap_or_else(|| size.to_string().into_bytes()).into())
    }

    /// Returns the image of a value with points; `None` if it cannot be read, or cannot be written as its author wrote it.
    fn of_value<'v>(&self, row: &Property, value: RawValue<'v>, context: &Context) -> Option<Cow<'v, [u8]>> {
        let image = match row.value_type() {
            ValueType::Move => return self.of_move(value, context),
            ValueType::Point | ValueType::Stone if row.is_point_list() => self.of_area(value, context)?,
            ValueType::Point | ValueType::Stone => self.of_point(value, context)?,
            ValueType::PointPair => {
                let (first, second) = value.compose()?;
                [self.of_point(first, context)?, self.of_point(second, context)?].join(&b':')
            }
            ValueType::PointText => {
                // The text keeps its bytes, which may be in any charset.
                let (point, text) = value.compose()?;
                [self.of_point(point, context)?.as_slice(), text.as_bytes()].join(&b':')
            }
            _ => return None,
        };
        Some(Cow::Owned(image))
    }

    fn of_point(&self, value: RawValue<'_>, context: &Context) -> Option<Vec<u8>> {
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let point =
            AnyPoint::parse(value, game, board).or_else(|_| AnyPoint::parse_lenient(value, game, board)).ok()?;
        let grid = point.grid()?;
        self.respelled((value.as_bytes(), grid), self.of_grid(grid)?, game)
    }

    /// Returns the image of a point or a rectangle.
    fn of_area(&self, value: RawValue<'_>, context: &Context) -> Option<Vec<u8>> {
        let Some((one, other)) = value.compose() else { return self.of_point(value, context) };
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let corner = |raw: RawValue<'_>| AnyPoint::parse_lenient(raw, game, board).ok()?.grid();
        let (from, to) = (corner(one)?, corner(other)?);
        let [first, last] = corners_like((from, to), self.of_grid(from)?, self.of_grid(to)?);
        let one = self.respelled((one.as_bytes(), from), first, game)?;
        Some([one, self.respelled((other.as_bytes(), to), last, game)?].join(&b':'))
    }

    /// Returns the image of a move. A word, and a pass however written, is its own image.
    fn of_move<'v>(&self, value: RawValue<'v>, context: &Context) -> Option<Cow<'v, [u8]>> {
        if context.leaves_points(value.as_bytes()) {
            return None;
        }
        let (game, board) = (context.game(), Some(self.board));
        let read = AnyMove::parse(value, game, board).or_else(|_| AnyMove::parse_lenient(value, game, board)).ok()?;
        let point = match read {
            AnyMove::Go(go::Move::Play(point)) => point.grid(),
            AnyMove::Hex(hex::Move::Play(point)) => point.grid(),
            AnyMove::Twixt(twixt::Move::Play(point)) => point.grid(),
            AnyMove::Go(_) | AnyMove::Hex(_) | AnyMove::Twixt(_) => return Some(Cow::Borrowed(value.as_bytes())),
            _ => return None,
        };
        self.respelled((value.as_bytes(), point), self.of_grid(point)?, game).map(Cow::Owned)
    }

    /// Returns another point in the notation of a written one, with the white space around it.
    ///
    /// `None` if the notation does not have the point: `R16` ends at 25 columns.
    fn respelled(&self, (old, from): Written<'_>, to: (u32, u32), game: Game) -> Option<Vec<u8>> {
        if from == to {
            return Some(old.to_vec());
        }
        // Nearly all points are two letters.
        if let Some(AnyPoint::Go(point)) = AnyPoint::from_grid(game, to.0, to.1)
            && go::Point::of_letters(old).is_some_and(|old| old.grid() == from)
        {
            return Some(point.letters().to_vec());
        }
        let text: Vec<u8> = old.iter().copied().filter(|byte| !is_white_space(*byte)).collect();
        let board = Some(self.board);
        let reads =
            |text: &Vec<u8>| AnyPoint::parse_lenient(text, game, board).is_ok_and(|point| point.grid() == Some(to));
        let new = NOTATIONS.iter().find_map(|notation| {
            let name = |(column, row)| notation(game, self.board, column, row);
            like(&text, &name(from)?, &name(to)?).filter(reads)
        })?;
        // White space keeps its place, even between the letters.
        let (mut image, mut rest, mut left) = (Vec::with_capacity(old.len()), &new[..], text.len());
        for &byte in old {
            if is_white_space(byte) {
                image.push(byte);
                continue;
            }
            left -= 1;
            let (now, later) = rest.split_at(if left == 0 { rest.len() } else { rest.len().min(1) });
            image.extend_from_slice(now);
            rest = later;
        }
        Some(image)
    }
}

/// The name of a column and row in a notation; `None` if it has none.
type Notation = fn(Game, Size, u32, u32) -> Option<String>;

/// The notations of points: that of the specification, that of players (`R16`), and two letters in Hex and Twixt.
const NOTATIONS: [Notation; 3] = [
    |game, _, column, row| Some(AnyPoint::from_grid(game, column, row)?.to_string()),
    |_, board, column, row| go::Point::from_grid(column, row)?.name_on(board),
    |_, _, column, row| {
        let letter = |number: u32| char::from_digit(number.checked_add(10)?, 36);
        Some([letter(column)?, letter(row)?].iter().collect())
    },
];

/// Returns a new name with the case of an old one and its zeros before the number; `None` if the old one is another name.
fn like(text: &[u8], old: &str, new: &str) -> Option<Vec<u8>> {
    if text == old.as_bytes() {
        return Some(new.as_bytes().to_vec());
    }
    let parts = |name: &[u8]| {
        let (letters, number) = name.split_at(name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
        (letters.to_vec(), number.to_vec())
    };
    let [(letters, number), (old_letters, old_number), (mut new_letters, new_number)] =
        [text, old.as_bytes(), new.as_bytes()].map(parts);
    let zeros = number.len().checked_sub(old_number.len())?;
    let is_same = letters.eq_ignore_ascii_case(&old_letters)
        && number[zeros..] == old_number
        && number[..zeros].iter().all(|byte| *byte == b'0');
    if !is_same {
        return None;
    }
    match letters.iter().all(u8::is_ascii_uppercase) {
        true => new_letters.make_ascii_uppercase(),
        false => new_letters.make_ascii_lowercase(),
    }
    let zeros = if zeros == 0 { 0 } else { number.len().saturating_sub(new_number.len()) };
    Some([new_letters, vec![b'0'; zeros], new_number].concat())
}

/// Returns the corners of the image of a rectangle. The first one is at the same side, left or right, upper or lower, as the
/// first one of the rectangle.
fn corners_like((first, last): ((u32, u32), (u32, u32)), one: (u32, u32), other: (u32, u32)) -> [(u32, u32); 2] {
    let (mut columns, mut rows) = (first.0.cmp(&last.0), first.1.cmp(&last.1));
    (columns, rows) = (columns.then(rows), rows.then(columns));
    let ends = |one: u32, other: u32, order: Ordering| match order {
        Ordering::Greater => (one.max(other), one.min(other)),
        _ => (one.min(other), one.max(other)),
    };
    let ((left, right), (top, bottom)) = (ends(one.0, other.0, columns), ends(one.1, other.1, rows));
    [(left, top), (right, bottom)]
}
