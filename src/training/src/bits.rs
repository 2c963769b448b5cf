//! Sets of points as bits, and their packed form.
//!
//! Points count row by row from the top, as in SGF. In words, the bit of a point has the value `1 << (point % 64)`; in packed
//! bytes, the first point is the highest bit, as in `numpy.packbits` and KataGo's files.

use sgf_stream::board::Symmetry;
use sgf_stream::value::Size;
use sgf_stream::value::go::Point;

use crate::line::point;

/// Sets or clears the bit of a point.
pub(crate) fn put(words: &mut [u64], at: u16, on: bool) {
    let (word, bit) = (usize::from(at) / 64, 1 << (at % 64));
    if on { words[word] |= bit } else { words[word] &= !bit }
}

/// Returns whether a set has a point.
pub(crate) fn has(words: &[u64], at: u16) -> bool {
    words[usize::from(at) / 64] & (1 << (at % 64)) != 0
}

/// Calls a function with each point of a set.
fn each(words: &[u64], mut call: impl FnMut(u16)) {
    for (n, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            call((n * 64) as u16 + left.trailing_zeros() as u16);
            left &= left - 1;
        }
    }
}

/// The points of a board: their numbers, neighbors and symmetries.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    columns: u16,
    points: u16,
    words: usize,
    /// For each symmetry that keeps the shape of the board, where each point goes; empty for the others.
    symmetries: [Vec<u16>; 8],
}

impl Grid {
    pub(crate) fn new(size: Size) -> Self {
        // Boards have 52 lines at most.
        let (columns, rows) = (size.columns() as u16, size.rows() as u16);
        let points = columns * rows;
        let symmetries = Symmetry::ALL.map(|symmetry| {
            let moved = |at: u16| {
                let moved = symmetry.apply(point(at, size)?, size)?;
                Some(u16::from(moved.y()) * columns + u16::from(moved.x()))
            };
            let keeps = symmetry.apply_to_size(size) == size;
            (0..points).filter(|_| keeps).filter_map(moved).collect()
        });
        Grid { columns, points, words: usize::from(points).div_ceil(64), symmetries }
    }

    pub(crate) fn points(&self) -> u16 {
        self.points
    }

    /// The number of words of a set.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The number of bytes of a packed set.
    pub(crate) fn bytes(&self) -> usize {
        usize::from(self.points).div_ceil(8)
    }

    /// Returns the symmetries that keep the shape of the board.
    pub(crate) fn symmetries(&self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter().filter(|symmetry| !self.symmetries[symmetry.index()].is_empty())
    }

    /// Returns the number of a point; `None` if it is off the board.
    pub(crate) fn index(&self, point: Point) -> Option<u16> {
        let (x, y) = (u16::from(point.x()), u16::from(point.y()));
        let at = y * self.columns + x;
        (x < self.columns && at < self.points).then_some(at)
    }

    /// Returns where a symmetry moves a point.
    pub(crate) fn transformed(&self, at: u16, symmetry: Symmetry) -> u16 {
        self.symmetries[symmetry.index()].get(usize::from(at)).copied().unwrap_or(at)
    }

    /// Returns the adjacent points.
    pub(crate) fn neighbors(&self, at: u16) -> impl Iterator<Item = u16> + use<> {
        let (columns, column, points) = (self.columns, at % self.columns, self.points);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < columns).then(|| at + 1);
        let below = (at + columns < points).then(|| at + columns);
        [at.checked_sub(columns), left, right, below].into_iter().flatten()
    }

    /// Appends a set, packed.
    pub(crate) fn pack(&self, words: &[u64], symmetry: Symmetry, out: &mut Vec<u8>) {
        let start = out.len();
        if symmetry == Symmetry::IDENTITY {
            words.iter().for_each(|word| out.extend_from_slice(&word.reverse_bits().to_be_bytes()));
            out.truncate(start + self.bytes());
            return;
        }
        out.resize(start + self.bytes(), 0);
        let (packed, moved) = (&mut out[start..], &self.symmetries[symmetry.index()]);
        each(words, |at| {
            let at = moved[usize::from(at)];
            packed[usize::from(at) / 8] |= 0x80 >> (at % 8);
        });
    }

    /// Appends the set of one point or none, packed.
    pub(crate) fn pack_point(&self, at: Option<u16>, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.bytes(), 0);
        if let Some(at) = at {
            out[start + usize::from(at) / 8] |= 0x80 >> (at % 8);
        }
    }

    /// Appends the set of all points, packed.
    pub(crate) fn pack_all(&self, out: &mut Vec<u8>) {
        out.resize(out.len() + self.bytes(), 0xff);
        self.clear_rest(out);
    }

    /// Appends the set of the points that two sets do not have, packed.
    pub(crate) fn pack_empty(&self, black: &[u64], white: &[u64], symmetry: Symmetry, out: &mut Vec<u8>) {
        let start = out.len();
        self.pack(black, symmetry, out);
        let end = out.len();
        self.pack(white, symmetry, out);
        let (first, second) = out[start..].split_at_mut(end - start);
        first.iter_mut().zip(second).for_each(|(black, white)| *black = !(*black | *white));
        out.truncate(end);
        self.clear_rest(out);
    }

    /// Clears the bits after the last point.
    fn clear_rest(&self, out: &mut [u8]) {
        let rest = self.bytes() * 8 - usize::from(self.points);
        if let Some(last) = out.last_mut() {
            *last &= 0xffu8 << rest;
        }
    }
}

/// For each byte, its bits from the highest one.
static BITS: [[u8; 8]; 256] = {
    let mut bits = [[0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        bits[at / 8][at % 8] = ((at / 8) >> (7 - at % 8)) as u8 & 1;
        at += 1;
    }
    bits
};

/// Appends packed bits as bytes of 0 and 1.
pub(crate) fn unpack(packed: &[u8], points: usize, out: &mut Vec<u8>) {
    let (whole, rest) = packed.split_at(points / 8);
    whole.iter().for_each(|&byte| out.extend_from_slice(&BITS[usize::from(byte)]));
    rest.iter().for_each(|&byte| out.extend_from_slice(&BITS[usize::from(byte)][..points % 8]));
}

/// The stones of chains with one, two and three liberties.
///
/// From one position to the next, few chains change: those with a point that changed, or beside one. Only they are counted again.
pub(crate) struct Liberties {
    sets: [Vec<u64>; 3],
    /// The stones of the last position.
    black: Vec<u64>,
    white: Vec<u64>,
    /// For each point, the number of the last chain that was counted there: as a stone or as a liberty.
    seen: Vec<u64>,
    /// The number of chains that have been counted.
    counted: u64,
    chain: Vec<u16>,
}

impl Liberties {
    pub(crate) fn new(grid: &Grid) -> Self {
        let empty = || vec![0; grid.words()];
        let sets = [empty(), empty(), empty()];
        let seen = vec![0; usize::from(grid.points())];
        Liberties { sets, black: empty(), white: empty(), seen, counted: 0, chain: Vec::new() }
    }

    /// Finds the chains of a position and counts their liberties.
    pub(crate) fn find(&mut self, grid: &Grid, black: &[u64], white: &[u64]) {
        let before = self.counted;
        for n in 0..black.len() {
            let changed = (self.black[n] ^ black[n]) | (self.white[n] ^ white[n]);
            self.sets.iter_mut().for_each(|set| set[n] &= !changed);
        }
        for n in 0..black.len() {
            let changed = [(self.black[n] ^ black[n]) | (self.white[n] ^ white[n])];
            each(&changed, |bit| {
                let at = (n * 64) as u16 + bit;
                for stone in grid.neighbors(at).chain([at]) {
                    if self.seen[usize::from(stone)] > before && (has(black, stone) || has(white, stone)) {
                        continue; // its chain has been counted
                    }
                    if has(black, stone) {
                        self.count(grid, stone, black, white);
                    } else if has(white, stone) {
                        self.count(grid, stone, white, black);
                    }
                }
            });
        }
        self.black.copy_from_slice(black);
        self.white.copy_from_slice(white);
    }

    /// Counts the liberties of a chain.
    fn count(&mut self, grid: &Grid, start: u16, own: &[u64], other: &[u64]) {
        let Liberties { sets, seen, counted, chain, .. } = self;
        *counted += 1;
        let (mut liberties, mut at) = (0, 0);
        chain.clear();
        chain.push(start);
        seen[usize::from(start)] = *counted;
        while let Some(&stone) = chain.get(at) {
            at += 1;
            for neighbor in grid.neighbors(stone) {
                let mark = &mut seen[usize::from(neighbor)];
                if *mark == *counted || has(other, neighbor) {
                    continue;
                }
                *mark = *counted;
                if has(own, neighbor) { chain.push(neighbor) } else { liberties += 1 }
            }
        }
        for (n, set) in sets.iter_mut().enumerate() {
            chain.iter().for_each(|&stone| put(set, stone, liberties == n + 1));
        }
    }

    /// Returns the stones of chains with exactly `count` liberties, 1 to 3.
    pub(crate) fn of(&self, count: u8) -> &[u64] {
        &self.sets[usize::from(count) - 1]
    }
}
