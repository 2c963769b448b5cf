//! Keys of Zobrist hashes.

use std::sync::{Arc, OnceLock};

use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size, Symmetry};
use sgf_stream::work;

use super::position::{Change, Index};

/// The keys of a board, one per point, color and symmetry, and its points.
pub(super) struct Keys {
    /// By the index of a point in the cells of a board.
    stones: Vec<[[u64; 8]; 2]>,
    /// The numbers of the points, by the index of a point in the cells of a board.
    numbers: Vec<u16>,
    /// The points, row by row.
    points: Vec<Point>,
    empty: [u64; 8],
}

impl Keys {
    pub(super) fn of(size: Size) -> Arc<Self> {
        static SQUARE: [OnceLock<Arc<Keys>>; 53] = [const { OnceLock::new() }; 53];
        match SQUARE.get(size.columns() as usize) {
            Some(shared) if size.is_square() => Arc::clone(shared.get_or_init(|| Arc::new(Keys::new(size)))),
            _ => Arc::new(Keys::new(size)),
        }
    }

    fn new(size: Size) -> Self {
        let stride = size.columns() as usize + 1;
        let cells = stride * (size.rows() as usize + 2) + 1;
        work::note(cells);
        let (mut stones, mut numbers, mut points) = (vec![[[0; 8]; 2]; cells], vec![0; cells], Vec::new());
        let of_row = |y| (0..size.columns()).map(move |x| (x, y));
        for (x, y) in (0..size.rows()).flat_map(of_row) {
            let Some(point) = Point::new(x as u8, y as u8) else { continue }; // at most 52 of each
            let at = (y as usize + 1) * stride + x as usize + 1;
            numbers[at] = points.len() as u16;
            points.push(point);
            for (n, symmetry) in Symmetry::ALL.into_iter().enumerate() {
                let (x, y) = symmetry.map((x, y), size);
                for (color, keys) in [Color::Black, Color::White].into_iter().zip(&mut stones[at]) {
                    keys[n] = stone(x, y, color);
                }
            }
        }
        Keys { stones, numbers, points, empty: Symmetry::ALL.map(|symmetry| board(symmetry.apply_to_size(size))) }
    }

    /// Returns the points of the board, row by row.
    #[inline]
    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the point of a cell that is one.
    #[inline]
    pub(super) fn point(&self, at: Index) -> Point {
        self.points[usize::from(self.numbers[usize::from(at)])]
    }

    /// Returns the hashes of the empty board.
    pub(super) fn empty(&self) -> [u64; 8] {
        self.empty
    }

    /// Returns the keys of a stone, in the order of [`Symmetry::ALL`].
    #[inline]
    pub(super) fn stone(&self, at: Index, color: Color) -> &[u64; 8] {
        &self.stones[usize::from(at)][color as usize]
    }

    /// Adds a new stone to the hashes and the points, or removes one.
    #[inline(always)]
    pub(super) fn follow(&self, hashes: &mut [u64; 8], stones: &mut [Option<Color>], change: Change) {
        let Change { at, color, is_placed } = change;
        hashes.iter_mut().zip(self.stone(at, color)).for_each(|(hash, key)| *hash ^= key);
        if let Some(stone) = stones.get_mut(usize::from(self.numbers[usize::from(at)])) {
            *stone = is_placed.then_some(color);
        }
    }
}

/// Returns the key of a stone. It never changes, because hashes are stored in files.
pub(super) fn stone(x: u32, y: u32, color: Color) -> u64 {
    mix(u64::from(x) << 16 | u64::from(y) << 8 | (color as u64 + 1))
}

fn board(size: Size) -> u64 {
    mix(u64::from(size.columns()) << 16 | u64::from(size.rows()) << 8)
}

/// Returns a pseudorandom number for each number: SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
