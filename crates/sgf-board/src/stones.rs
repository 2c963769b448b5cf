//! The stones and the points of a board, row by row.

use std::slice;
use std::sync::Arc;

use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

use super::Board;

/// The stones and the points.
impl Board {
    /// Returns the stones of all points, row by row from the upper left.
    ///
    /// The point in column `x` and row `y` has the index `y * columns + x`. The slice has the order of
    /// [`points`](Self::points).
    ///
    /// This is the fastest way to read a whole board. Here it fills the planes of a model:
    ///
    /// ```
    /// use sgf_board::Board;
    /// use sgf_stream::value::Color;
    ///
    /// let board = Board::after(b"(;SZ[3]AB[aa][cb];W[bc])", 1)?.unwrap();
    /// let mut planes = [[0.0; 9]; 2];
    /// for (plane, color) in planes.iter_mut().zip([Color::Black, Color::White]) {
    ///     for (point, stone) in plane.iter_mut().zip(board.as_slice()) {
    ///         *point = if *stone == Some(color) { 1.0 } else { 0.0 };
    ///     }
    /// }
    /// assert_eq!(planes[0], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    /// assert_eq!(planes[1], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[inline]
    pub fn as_slice(&self) -> &[Option<Color>] {
        &self.stones
    }

    /// Returns the stones of one side, row by row from the upper left.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        Stones { color, points: self.keys.points(), stones: self.stones.chunks(BLOCK), start: 0, next: 0, found: 0 }
    }

    /// Returns all points of the board, row by row from the upper left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let keys = Arc::clone(&self.keys);
        (0..keys.points().len()).map(move |number| keys.points()[number])
    }
}

/// Number of points that are compared together.
const BLOCK: usize = 64;

/// Iterates over the stones of one side: an unpredictable branch per point would take most of the time.
#[derive(Clone)]
struct Stones<'b> {
    color: Color,
    points: &'b [Point],
    stones: slice::Chunks<'b, Option<Color>>,
    /// The number of the first point of the block, and of that of the next.
    start: usize,
    next: usize,
    /// The stones of the block that are left, one bit each.
    found: u64,
}

impl Iterator for Stones<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.found == 0 {
            self.found = find(self.stones.next()?, self.color);
            (self.start, self.next) = (self.next, self.next + BLOCK);
        }
        let number = self.start + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(self.points[number])
    }
}

/// Returns a bit per stone of this color, among up to 64.
#[inline]
fn find(stones: &[Option<Color>], color: Color) -> u64 {
    let mut are_equal = [0; BLOCK];
    for (is_equal, stone) in are_equal.iter_mut().zip(stones) {
        *is_equal = u8::from(*stone == Some(color));
    }
    // The product has the eight lowest bits of eight bytes in its highest byte.
    let bits = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let bytes = are_equal.as_chunks().0;
    (0..).zip(bytes).fold(0, |found, (n, bytes)| found | bits(bytes) << (8 * n))
}
