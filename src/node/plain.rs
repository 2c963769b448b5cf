//! Moves of Go on a board, one by one and ten at a time.

use super::moves::{MoveNode, Moves};
use crate::value::{Color, Size, go};

impl MoveNode<'_> {
    /// The player and the move, in a game of Go on a board of this size.
    ///
    /// `None` if the property is not `B` or `W`, or the point is not on the board. What the value is then,
    /// [`property::lookup`](crate::property::lookup) and [`Property::parse`](crate::property::Property::parse) say, as for
    /// all values; for other nodes they say the same as this method, which takes less time.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sgf_stream::value::{Color, Size, go};
    /// use sgf_stream::{Moves, Parser, Skip, Visitor};
    ///
    /// /// The points of White's moves.
    /// struct White;
    ///
    /// impl Visitor for White {
    ///     type Game = Vec<go::Point>;
    ///     type Output = Vec<go::Point>;
    ///
    ///     fn begin_game(&mut self, _: u64) -> ControlFlow<Vec<go::Point>, Vec<go::Point>> {
    ///         ControlFlow::Continue(Vec::new())
    ///     }
    ///
    ///     fn takes_moves(&self, _: &Vec<go::Point>) -> bool {
    ///         true
    ///     }
    ///
    ///     fn moves(&mut self, points: &mut Vec<go::Point>, moves: Moves<'_>) -> ControlFlow<Vec<go::Point>, Option<Skip>> {
    ///         for (color, play) in moves.nodes().filter_map(|node| node.go_move(Size::default())) {
    ///             points.extend(play.point().filter(|_| color == Color::White));
    ///         }
    ///         ControlFlow::Continue(Some(Skip::No))
    ///     }
    ///
    ///     fn end_game(&mut self, points: Vec<go::Point>) -> Vec<go::Point> {
    ///         points
    ///     }
    /// }
    ///
    /// let mut reader = Parser::new().slice(b"(;FF[4];B[qd];W[dd];B[tt];W[pp];B[zz])");
    /// assert_eq!(reader.read_game(&mut White)?.unwrap(), [go::Point::parse("dd").unwrap(), go::Point::parse("pp").unwrap()]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[inline]
    pub fn go_move(self, board: Size) -> Option<(Color, go::Move)> {
        let color = match self.letter() {
            b'B' => Color::Black,
            b'W' => Color::White,
            _ => return None,
        };
        let play = go::Move::of_letters(self.letters(), board)?;
        Some((color, play))
    }
}

impl<'a> Moves<'a> {
    /// The run without a line break before its first node.
    #[inline]
    pub(crate) fn without_line_break(self) -> Moves<'a> {
        match self.as_bytes() {
            [b';', ..] => self,
            bytes => self.split_at(bytes.iter().take_while(|&&byte| byte != b';').count()).1,
        }
    }
}

/// Number of nodes that are looked at together: a line, as most servers write them.
pub(crate) const TEN: usize = 10;

/// The bytes of these nodes, and as many more as make whole vectors.
const BLOCK: usize = 64;

/// The look of nodes like `;B[dd]` whose property is `B` or `W`, and whose value is a point in lower-case letters on a
/// board.
#[derive(Clone, Debug)]
pub(crate) struct PlainMoves {
    size: (u8, u8),
    /// How far each byte of a block may be above [`LEAST`].
    span: [u8; BLOCK],
}

/// The least value of each byte of a block.
const LEAST: [u8; BLOCK] = repeat(*b";B[aa]");

/// The distance that each byte of a block may have from [`LEAST`], too.
const OTHER: [u8; BLOCK] = repeat([0, b'W' - b'B', 0, 0, 0, 0]);

const fn repeat(node: [u8; MoveNode::LEN]) -> [u8; BLOCK] {
    let (mut block, mut at) = ([0; BLOCK], 0);
    while at < TEN * MoveNode::LEN {
        block[at] = node[at % MoveNode::LEN];
        at += 1;
    }
    block
}

impl PlainMoves {
    /// Moves on a board of this number of columns and rows, from 1 to 26.
    pub(crate) fn new(size: (u8, u8)) -> Self {
        debug_assert!((1..=26).contains(&size.0) && (1..=26).contains(&size.1));
        let mut span = repeat([0, 0, 0, size.0 - 1, size.1 - 1, 0]);
        span[TEN * MoveNode::LEN..].fill(0xFF);
        PlainMoves { size, span }
    }

    /// Takes another size of the board, if it is another.
    #[inline]
    pub(crate) fn fit(&mut self, size: (u8, u8)) {
        if self.size != size {
            *self = PlainMoves::new(size);
        }
    }

    /// The letters of the first ten points, and the rest of the run, if the run starts with ten such moves and a few bytes
    /// more.
    #[inline(always)]
    pub(crate) fn split_ten<'a>(
        &self,
        moves: Moves<'a>,
    ) -> Option<(impl ExactSizeIterator<Item = [u8; 2]> + use<'a>, Moves<'a>)> {
        let block: &[u8; BLOCK] = moves.as_bytes().first_chunk()?;
        // Compilers make vector code of this.
        let mut fits = true;
        for at in 0..BLOCK {
            let above = block[at].wrapping_sub(LEAST[at]);
            fits &= above <= self.span[at] || above == OTHER[at];
        }
        if !fits {
            return None;
        }
        let (ten, rest) = moves.split_at(TEN * MoveNode::LEN);
        let nodes = ten.as_bytes().as_chunks::<{ MoveNode::LEN }>().0;
        Some((nodes.iter().map(|node| MoveNode::alone(node).letters()), rest))
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::super::moves::MoveBytes;
    use super::*;
    use crate::RawValue;
    use crate::property::{self, Context, TypedValue};
    use crate::value::AnyMove;

    quickcheck! {
        /// The move of a node is the typed value of its property.
        fn a_move_of_go_is_what_the_registry_says(letter: u8, value: (u8, u8), size: (u8, u8)) -> bool {
            let side = |side: u8| u32::from(side % 52) + 1;
            let board = Size::new(side(size.0), side(size.1)).unwrap();
            let letter_of = |pick: u8| b"abcsttzATZ"[usize::from(pick % 10)];
            let (letter, value) = (b"BWBWCA"[usize::from(letter % 6)], [value.0, value.1].map(letter_of));
            let mut bytes = MoveBytes::BLANK;
            bytes.set_letter(letter);
            bytes.set_value(&value);
            let context = Context::default().with_size(board);
            let row = property::lookup(bytes.node().ident(), &context);
            let read = row.filter(|_| letter != b'C').and_then(|row| row.parse(RawValue::new(&value), &context).ok());
            let expected = match (letter, read) {
                (b'B', Some(TypedValue::Move(AnyMove::Go(play)))) => Some((Color::Black, play)),
                (b'W', Some(TypedValue::Move(AnyMove::Go(play)))) => Some((Color::White, play)),
                _ => None,
            };
            bytes.node().go_move(board) == expected
        }
    }

    fn points(plain: &PlainMoves, run: &[u8]) -> Option<(Vec<u8>, usize)> {
        let (points, rest) = plain.split_ten(Moves::new(run, 0))?;
        Some((points.flatten().collect(), rest.as_bytes().len()))
    }

    #[test]
    fn ten_moves_on_the_board_are_plain() {
        let run = *b";B[aa];W[is];B[bb];W[cc];B[dd];W[ee];B[ff];W[gg];B[hh];W[ij]\n;B[";
        let plain = PlainMoves::new((9, 19));
        assert_eq!(points(&plain, &run[..64]), Some((b"aaisbbccddeeffgghhij".to_vec(), 4)));
        assert_eq!(points(&plain, &run[..63]), None);
        for (at, other) in (0..60).flat_map(|at| (0..=u8::MAX).map(move |other| (at, other))) {
            let mut changed = run;
            changed[at] = other;
            let is_plain = match at % 6 {
                1 => matches!(other, b'B' | b'W'),
                3 => (b'a'..=b'i').contains(&other),
                4 => (b'a'..=b's').contains(&other),
                _ => other == run[at],
            };
            assert_eq!(points(&plain, &changed).is_some(), is_plain, "{}", changed.escape_ascii());
        }
    }
}
