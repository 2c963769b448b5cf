//! Which lines may have a pattern, from the columns of its points.
//!
//! A column says when the first stone comes to a point, and its color. If the point never changes after that, a need of the
//! pattern is a bound on the time: a stone that is wanted must have come, one that is not wanted must not. A line is a
//! candidate if some time fulfills all bounds. A point that changes later bounds nothing, so no line with the pattern
//! is lost; candidates are replayed.
//!
//! Most places of a pattern fail in all lines of a block, since the first stones have other colors. Therefore the colors are
//! compared first, as sets of lines ([`Colors`]), and the times ([`Times`]) only where a line is left.

use crate::layout::Variant;
use crate::pattern::State;

/// The value of a point that changes later.
pub(super) const UNKNOWN: i16 = i16::MIN;

/// Number of lines that are compared together: a few cache lines of each column.
const BLOCK: usize = 512;

/// A set of the lines of a block.
type Set = [u64; BLOCK / 64];

/// The lines of a block whose first stone on a point has a color, or may have it. Found when they are asked.
struct Colors {
    /// By point and color; with the number of the block that a set is of.
    sets: Vec<[(usize, Set); 2]>,
}

impl Colors {
    fn new(points: usize) -> Self {
        Colors { sets: vec![[(usize::MAX, [0; BLOCK / 64]); 2]; points] }
    }

    /// Returns the lines that may have a stone of this color. `column` returns the lines of the block.
    fn of<'c>(&mut self, block: usize, point: usize, is_black: bool, column: impl Fn(usize) -> &'c [i16]) -> &Set {
        let (of, set) = &mut self.sets[point][usize::from(is_black)];
        if *of != block {
            *of = block;
            match is_black {
                true => fill(set, column(point), |first| first > 0 || first == UNKNOWN),
                false => fill(set, column(point), |first| first < 0),
            }
        }
        set
    }
}

/// Finds the lines that have something.
#[inline]
fn fill(set: &mut Set, column: &[i16], has: impl Fn(i16) -> bool) {
    // Bytes first, then eight of them become eight bits: compilers make vector code of both.
    let mut bytes = [0; BLOCK];
    bytes.iter_mut().zip(column).for_each(|(byte, first)| *byte = u8::from(has(*first)));
    for (word, bytes) in set.iter_mut().zip(bytes.as_chunks::<64>().0) {
        let bits = bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56);
        *word = bits.enumerate().fold(0, |word, (n, bits)| word | bits << (8 * n));
    }
}

/// Moves the lowest bits of eight bytes into the highest byte, the first byte into its lowest bit.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The first moment and the moment after the last one at which the bounds so far are fulfilled, for each line.
struct Times {
    from: [i16; BLOCK],
    to: [i16; BLOCK],
}

impl Times {
    fn new() -> Self {
        Times { from: [1; BLOCK], to: [i16::MAX; BLOCK] }
    }

    /// Adds the bounds of a point.
    #[inline]
    fn bound(&mut self, column: &[i16], wanted: State) {
        let (may_be_empty, black, white) =
            (wanted.contains(State::EMPTY), wanted.contains(State::BLACK), wanted.contains(State::WHITE));
        let Times { from, to } = self;
        match (may_be_empty, black, white) {
            (false, true, false) => raise(from, column, |first| if first > 0 { first } else { never(first) }),
            (false, false, true) => {
                raise(from, column, |first| if first < 0 && first != UNKNOWN { -first } else { never(first) })
            }
            (false, ..) => raise(from, column, |first| if first == 0 { i16::MAX } else { time(first) }),
            (true, false, false) => {
                lower(to, column, |first| if first == 0 || first == UNKNOWN { i16::MAX } else { first.wrapping_abs() })
            }
            (true, true, false) => {
                lower(to, column, |first| if first < 0 && first != UNKNOWN { -first } else { i16::MAX })
            }
            (true, false, true) => lower(to, column, |first| if first > 0 { first } else { i16::MAX }),
            (true, true, true) => {}
        }
    }

    /// Returns whether a line is left.
    #[inline]
    fn has_some(&self, len: usize) -> bool {
        self.from[..len].iter().zip(&self.to[..len]).fold(false, |some, (from, to)| some | (from < to))
    }
}

/// Returns when a stone comes that is not the first one: never, or at any time.
#[inline]
fn never(first: i16) -> i16 {
    if first == UNKNOWN { 1 } else { i16::MAX }
}

/// Returns when some stone comes.
#[inline]
fn time(first: i16) -> i16 {
    if first == UNKNOWN { 1 } else { first.wrapping_abs() }
}

#[inline]
fn raise(from: &mut [i16; BLOCK], column: &[i16], bound: impl Fn(i16) -> i16) {
    from.iter_mut().zip(column).for_each(|(from, first)| *from = (*from).max(bound(*first)));
}

#[inline]
fn lower(to: &mut [i16; BLOCK], column: &[i16], bound: impl Fn(i16) -> i16) {
    to.iter_mut().zip(column).for_each(|(to, first)| *to = (*to).min(bound(*first)));
}

/// Marks the lines that may have the pattern, on a board with these numbers of columns and points. `column` returns the lines of a
/// point by its number.
pub(super) fn candidates<'c>(
    variants: &[Variant],
    (columns, points): (usize, usize),
    column: impl Fn(usize) -> &'c [i16],
    lines: &mut [bool],
) {
    let mut colors = Colors::new(points);
    for (block, lines) in lines.chunks_mut(BLOCK).enumerate() {
        let range = block * BLOCK..block * BLOCK + lines.len();
        let of_block = |number: usize| &column(number)[range.clone()];
        for variant in variants {
            for (x, y) in variant.corners() {
                let number = |(dx, dy): (u8, u8)| usize::from(y + dy) * columns + usize::from(x + dx);
                let mut left = [u64::MAX; BLOCK / 64];
                // Stones of one color come first.
                let mut stones = variant.wanted.iter().take_while(|(_, wanted)| !wanted.contains(State::EMPTY));
                let has_colors = stones.all(|&(at, wanted)| {
                    if wanted.contains(State::BLACK) && wanted.contains(State::WHITE) {
                        return true;
                    }
                    let set = colors.of(block, number(at), wanted.contains(State::BLACK), of_block);
                    left.iter_mut().zip(set).for_each(|(left, set)| *left &= set);
                    left != [0; BLOCK / 64]
                });
                if !has_colors {
                    continue;
                }
                let mut times = Times::new();
                let is_possible = variant.wanted.iter().enumerate().all(|(n, &(at, wanted))| {
                    times.bound(of_block(number(at)), wanted);
                    // Stones come first; after them few lines are left.
                    let is_checked = !wanted.contains(State::EMPTY) || n % 8 == 7;
                    !is_checked || times.has_some(lines.len())
                });
                if is_possible {
                    let found = times.from.iter().zip(&times.to).map(|(from, to)| from < to);
                    lines.iter_mut().zip(found).for_each(|(line, found)| *line |= found);
                }
            }
        }
    }
}
