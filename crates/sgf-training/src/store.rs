//! Positions in columns: those of a block, and batches of them.

use std::ops::Range;

use crate::bits;

/// Some positions, in columns.
///
/// Each column has a value per position. *The player* is the one to move.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// The planes, packed: position by position, plane by plane, [`Shape::plane_bytes`] bytes each.
    ///
    /// Points count row by row from the top. The first one is the highest bit, as in `numpy.packbits`.
    pub planes: Vec<u8>,
    /// 1 if Black is to move, -1 if White is.
    pub turn: Vec<i8>,
    /// The next move: `y * columns + x`, and the number of points for a pass.
    pub next_move: Vec<i32>,
    /// 1 if the player won, -1 if the player lost, 0 for a draw. NaN if the winner is unknown.
    pub result: Vec<f32>,
    /// The margin of the player in points, negative for a loss. NaN if the game was not counted.
    pub score: Vec<f32>,
    /// The komi in points. NaN if it is unknown.
    pub komi: Vec<f32>,
    /// The handicap in `HA`. NaN if there is none.
    pub handicap: Vec<f32>,
    /// The rank of Black: n for n dan, 1 - n for n kyu. NaN if it is unknown.
    pub black_rank: Vec<f32>,
    /// The rank of White.
    pub white_rank: Vec<f32>,
    /// The number of moves before the position.
    pub move_number: Vec<i32>,
    /// The key of the game: a hash of its first 30 stones.
    ///
    /// Copies of a game have the same one: see [`Positions::part`].
    ///
    /// [`Positions::part`]: crate::Positions::part
    pub key: Vec<u64>,
    /// The number of the game's file in [`Reader::files`](crate::Reader::files).
    pub file: Vec<u32>,
    /// The byte offset of the game in the file, after decompression.
    pub offset: Vec<u64>,
}

/// The shape of the planes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// The number of planes.
    pub planes: usize,
    /// The number of rows of the board.
    pub rows: usize,
    /// The number of columns of the board.
    pub columns: usize,
}

impl Shape {
    /// Returns the number of bytes of a packed plane.
    pub fn plane_bytes(self) -> usize {
        (self.rows * self.columns).div_ceil(8)
    }
}

/// Calls a macro with the names of all columns but the planes.
macro_rules! columns {
    ($each:ident) => {
        $each!(turn, next_move, result, score, komi, handicap, black_rank, white_rank, move_number, key, file, offset)
    };
}

impl Batch {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.turn.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.turn.is_empty()
    }

    /// Returns the planes as bytes of 0 and 1.
    ///
    /// They come position by position, plane by plane, row by row.
    pub fn dense_planes(&self, shape: Shape) -> Vec<u8> {
        let points = shape.rows * shape.columns;
        let mut dense = Vec::with_capacity(self.len() * shape.planes * points);
        self.planes.chunks(shape.plane_bytes()).for_each(|packed| bits::unpack(packed, points, &mut dense));
        dense
    }

    /// Appends some positions of another batch, whose rows of planes have so many bytes.
    pub(crate) fn take(&mut self, other: &Batch, rows: &[u32], bytes: usize) {
        self.planes.reserve(rows.len() * bytes);
        for &row in rows {
            self.planes.extend_from_slice(&other.planes[row as usize * bytes..][..bytes]);
        }
        macro_rules! push {
            ($($column:ident),*) => { $( self.$column.extend(rows.iter().map(|&row| other.$column[row as usize])); )* };
        }
        columns!(push);
    }

    /// Appends a range of the positions of another batch.
    pub(crate) fn take_range(&mut self, other: &Batch, rows: Range<usize>, bytes: usize) {
        self.planes.extend_from_slice(&other.planes[rows.start * bytes..rows.end * bytes]);
        macro_rules! push {
            ($($column:ident),*) => { $( self.$column.extend_from_slice(&other.$column[rows.clone()]); )* };
        }
        columns!(push);
    }

    /// Removes all positions, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.planes.clear();
        macro_rules! clear {
            ($($column:ident),*) => { $( self.$column.clear(); )* };
        }
        columns!(clear);
    }
}
