//! Moves of Go on a board, ten at a time.

use super::moves::{MoveNode, Moves};

/// Number of nodes that are looked at together: a line, as most servers write them.
pub(crate) const TEN: usize = 10;

/// The bytes of these nodes, and as many more as make whole vectors.
const BLOCK: usize = 64;

/// What nodes like `;B[dd]` look like whose property is `B` or `W`, and whose value is a point in lower-case letters on a
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
        Some((ten.line_of_points(), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
