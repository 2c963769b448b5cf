//! Which lines may have a pattern, from the columns of its points.
//!
//! A column says when the first stone comes to a point, and its color. If the point never changes after that, a need of the
//! pattern is a bound on the time: a stone that is wanted must have come, one that is not wanted must not. A line is a
//! candidate if some time fulfills all bounds. A point that changes later bounds nothing, so no line with the pattern
//! is lost; candidates are replayed.

use crate::layout::Variant;
use crate::pattern::State;

/// The value of a point that changes later.
pub(super) const UNKNOWN: i16 = i16::MIN;

/// Number of lines that are compared together: a few cache lines of each column.
const BLOCK: usize = 512;

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

/// Marks the lines that may have the pattern. `column` returns the column of a point by its number.
pub(super) fn candidates<'c>(
    variants: &[Variant],
    columns: usize,
    column: impl Fn(usize) -> &'c [i16],
    lines: &mut [bool],
) {
    for (block, lines) in lines.chunks_mut(BLOCK).enumerate() {
        let range = block * BLOCK..block * BLOCK + lines.len();
        for variant in variants {
            for (x, y) in variant.corners() {
                let mut times = Times::new();
                let is_possible = variant.wanted.iter().enumerate().all(|(n, &((dx, dy), wanted))| {
                    let number = usize::from(y + dy) * columns + usize::from(x + dx);
                    times.bound(&column(number)[range.clone()], wanted);
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
