//! Positions of Go: stones, captures, hashes.
//!
//! A [`Board`] executes moves as FF\[4\] says: the stone is placed, whatever was there; groups of the opponent next
//! to it that have no liberties are removed; then its own group, if that has none. It does not judge: a move may
//! retake a ko, repeat a position, or be played twice by the same side.
//!
//! ```
//! use sgf_stream::board::Board;
//! use sgf_stream::value::{Color, Size, go::Point};
//!
//! let mut board = Board::new(Size::square(9).unwrap()).unwrap();
//! for (color, point) in [(Color::Black, "ba"), (Color::White, "aa"), (Color::Black, "ab")] {
//!     board.play(color, Point::parse(point)?);
//! }
//! assert_eq!(board.get(Point::parse("aa")?), None);
//! assert_eq!(board.captured(Color::White), 1);
//! # Ok::<(), sgf_stream::value::ValueError>(())
//! ```
//!
//! [`Replay`] follows the events of a game and has its board after each node, so any front end can ask for the stones
//! after a move. [`Board::after`] does that for a game that is in memory.
//!
//! Every board keeps its hashes along, one for each of the eight ways that a board can be turned and mirrored:
//! [`Board::canonical_hash`] is the least of them, and is the same for positions that only differ by that.
//! [`Fingerprint`] does the same for whole games.
//!
//! Boards have 1 to 52 columns and rows, as many as the letters of SGF can name.

mod fingerprint;
mod keys;
mod replay;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use self::keys::Keys;
use crate::Game;
use crate::value::go::Point;
use crate::value::{Color, Size};

pub use self::fingerprint::{Fingerprint, GameHash};
pub use self::keys::Symmetry;
pub use self::replay::Replay;

/// A position of Go.
///
/// See the [module](self) for what a move does. Two boards are equal if they have the same size and the same stones.
#[derive(Clone)]
pub struct Board {
    size: Size,
    /// The points, row by row, between edges: one row of edges above and below, one edge left of each row. The edge
    /// at the right of a row is the edge at the left of the next.
    cells: Vec<Cell>,
    chains: Chains,
    keys: Arc<Keys>,
    hashes: [u64; 8],
    captured: [u32; 2],
}

/// The index of a point in [`Board::cells`].
type Index = u16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Black,
    White,
    Edge,
}

impl From<Color> for Cell {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

impl Cell {
    #[inline]
    fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Edge => None,
        }
    }
}

/// A cell has changed.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: Index,
    before: Cell,
}

/// The effect of a move. Returned by [`Board::play`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// The stone that was on the point before.
    pub replaced: Option<Color>,
    /// Number of stones of the opponent that the move captured.
    pub captured: usize,
    /// Number of stones of its own side that the move removed, because they had no liberties: suicide.
    pub suicide: usize,
}

impl Board {
    /// An empty board; `None` if it has more than 52 columns or rows.
    ///
    /// The hash keys of square boards are computed once in a process.
    pub fn new(size: Size) -> Option<Self> {
        if !size.fits(Game::Go) {
            return None;
        }
        let (columns, rows) = (size.columns() as usize, size.rows() as usize);
        let stride = columns + 1;
        let mut cells = vec![Cell::Edge; stride * (rows + 2) + 1];
        for row in 1..=rows {
            cells[row * stride + 1..(row + 1) * stride].fill(Cell::Empty);
        }
        let keys = Keys::of(size);
        let (chains, hashes) = (Chains::new(cells.len()), keys.empty());
        Some(Board { size, cells, chains, keys, hashes, captured: [0; 2] })
    }

    /// Returns the position of a game after a number of moves of its main line, passes among them: the position in
    /// which the next move is played. The whole main line is played if it has fewer moves.
    ///
    /// ```
    /// use sgf_stream::board::Board;
    /// use sgf_stream::value::Color;
    ///
    /// let game = b"(;GM[1]SZ[9]AB[cc][gg];W[ee];B[ec];W[ge])";
    /// let board = Board::after(game, 2)?.unwrap();
    /// assert_eq!((board.stones(Color::Black).count(), board.stones(Color::White).count()), (3, 1));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// Returns `None` if the first game in the data is not Go on a board of up to 52x52. Faults are repaired, as
    /// everywhere in lenient mode.
    ///
    /// # Errors
    ///
    /// If the data hold no game.
    pub fn after(game: &[u8], moves: usize) -> Result<Option<Self>, crate::SyntaxError> {
        let mut line = replay::MainLine::new(moves);
        Ok(crate::Parser::new().slice(game).read_game(&mut line)?.flatten())
    }

    /// Removes all stones, and forgets what was captured.
    pub fn clear(&mut self) {
        self.cells.iter_mut().filter(|cell| **cell != Cell::Edge).for_each(|cell| *cell = Cell::Empty);
        self.chains.known = false;
        (self.hashes, self.captured) = (self.keys.empty(), [0; 2]);
    }

    /// Number of columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn stride(&self) -> usize {
        self.size.columns() as usize + 1
    }

    #[inline]
    fn index(&self, point: Point) -> Option<Index> {
        let (x, y) = (u32::from(point.x()), u32::from(point.y()));
        let is_on_board = x < self.size.columns() && y < self.size.rows();
        is_on_board.then(|| ((y as usize + 1) * self.stride() + x as usize + 1) as Index)
    }

    /// The stone on a point; `None` if it is empty, or not on the board.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        self.cells[usize::from(self.index(point)?)].color()
    }

    /// Puts a stone on a point or takes it away, as the setup properties do. Captures nothing.
    ///
    /// Returns false if the point is not on the board; then nothing changes.
    pub fn set(&mut self, point: Point, stone: Option<Color>) -> bool {
        let Some(at) = self.index(point) else { return false };
        self.set_cell(at, stone.map_or(Cell::Empty, Cell::from), &mut |_| {});
        true
    }

    /// Changes a cell, and reports the change.
    fn set_cell(&mut self, at: Index, cell: Cell, changed: &mut impl FnMut(Change)) {
        let before = std::mem::replace(&mut self.cells[usize::from(at)], cell);
        if before == cell {
            return;
        }
        changed(Change { at, before });
        self.chains.known = false;
        for color in [before.color(), cell.color()].into_iter().flatten() {
            self.keys.toggle(&mut self.hashes, at, color);
        }
    }

    /// Executes a move: see the [module](self).
    ///
    /// Returns `None` if the point is not on the board; then nothing changes. A pass changes nothing, so it has no
    /// method.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) -> Option<Played> {
        let at = self.index(point)?;
        Some(self.play_at(color, at, &mut |_| {}))
    }

    /// Executes a move, and reports every change.
    fn play_at(&mut self, color: Color, at: Index, changed: &mut impl FnMut(Change)) -> Played {
        let mut played = Played { replaced: self.cells[usize::from(at)].color(), ..Played::default() };
        if played.replaced.is_some() {
            self.set_cell(at, Cell::Empty, changed);
        }
        let (stone, stride) = (Cell::from(color), self.stride());
        if !self.chains.known {
            self.chains.find(&self.cells, stride);
        }
        let other = color.opponent();
        self.cells[usize::from(at)] = stone;
        changed(Change { at, before: Cell::Empty });
        self.keys.toggle(&mut self.hashes, at, color);
        self.chains.add(&self.cells, stride, at);
        for neighbour in neighbours(at, stride) {
            if self.cells[usize::from(neighbour)] == Cell::from(other) && self.chains.has_no_liberty(neighbour) {
                played.captured += self.remove_chain(neighbour, other, changed);
            }
        }
        if self.chains.has_no_liberty(at) {
            played.suicide = self.remove_chain(at, color, changed);
        }
        self.captured[other as usize] += played.captured as u32;
        self.captured[color as usize] += played.suicide as u32;
        played
    }

    fn take_back(&mut self, Change { at, before }: Change) {
        self.set_cell(at, before, &mut |_| {});
    }

    /// What the hashes of a game have of a stone, in the order of [`Symmetry::ALL`].
    fn keys_of(&self, point: Point, color: Color) -> [u64; 8] {
        self.index(point).map_or([0; 8], |at| *self.keys.stone(at, color))
    }

    /// Removes the chain of a stone. Returns the number of its stones.
    fn remove_chain(&mut self, at: Index, color: Color, changed: &mut impl FnMut(Change)) -> usize {
        let (mut removed, mut stone, stride) = (0, at, self.stride());
        loop {
            self.cells[usize::from(stone)] = Cell::Empty;
            changed(Change { at: stone, before: color.into() });
            self.keys.toggle(&mut self.hashes, stone, color);
            self.chains.free(&self.cells, stride, stone, color.opponent().into());
            removed += 1;
            stone = self.chains.next[usize::from(stone)];
            if stone == at {
                return removed;
            }
        }
    }

    /// The stones of one side, row by row from the upper left.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        let is_stone = move |point: &Point| self.get(*point) == Some(color);
        self.points().filter(is_stone)
    }

    /// All points of the board, row by row from the upper left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        // At most 52 of each.
        let (columns, rows) = (self.size.columns() as u8, self.size.rows() as u8);
        (0..rows).flat_map(move |y| (0..columns).filter_map(move |x| Point::new(x, y)))
    }

    /// Number of stones of a side that moves have removed so far, suicides among them. Setup counts for nothing.
    pub fn captured(&self, color: Color) -> u32 {
        self.captured[color as usize]
    }

    /// Number of liberties of the chain that a stone belongs to: empty points next to it. 0 where there is no stone.
    ///
    /// Takes as long as the chain is large.
    pub fn liberties(&self, point: Point) -> usize {
        let Some(at) = self.index(point) else { return 0 };
        let color = self.cells[usize::from(at)];
        if color.color().is_none() {
            return 0;
        }
        let mut seen = vec![false; self.cells.len()];
        let (mut left, mut liberties) = (vec![at], 0);
        seen[usize::from(at)] = true;
        while let Some(stone) = left.pop() {
            for neighbour in neighbours(stone, self.stride()) {
                let cell = self.cells[usize::from(neighbour)];
                if (cell == Cell::Empty || cell == color) && !std::mem::replace(&mut seen[usize::from(neighbour)], true)
                {
                    if cell == color { left.push(neighbour) } else { liberties += 1 }
                }
            }
        }
        liberties
    }

    /// The Zobrist hash of the position: its size and its stones.
    ///
    /// Hashes are the same on every machine and in every version of this crate with the same
    /// [`HASH_VERSION`](Self::HASH_VERSION).
    pub fn hash(&self) -> u64 {
        self.hashes[0]
    }

    /// The hashes of the position turned and mirrored, in the order of [`Symmetry::ALL`].
    pub fn hashes(&self) -> [u64; 8] {
        self.hashes
    }

    /// The least of the [`hashes`](Self::hashes): equal for positions that are equal when one is turned or mirrored.
    ///
    /// ```
    /// use sgf_stream::board::Board;
    /// use sgf_stream::value::{Color, Size, go::Point};
    ///
    /// let with_stone = |size: Size, point: &str| {
    ///     let mut board = Board::new(size).unwrap();
    ///     board.play(Color::Black, Point::parse(point).unwrap());
    ///     board
    /// };
    /// let size = Size::square(19).unwrap();
    /// let (one, other) = (with_stone(size, "qd"), with_stone(size, "cd"));
    /// assert_ne!(one.hash(), other.hash());
    /// assert_eq!(with_stone(size, "pd").canonical_hash(), with_stone(size, "dp").canonical_hash());
    /// ```
    pub fn canonical_hash(&self) -> u64 {
        self.hashes.into_iter().min().unwrap_or_default()
    }

    /// Changes when hashes of positions or fingerprints of games change. Stored ones of another version say nothing.
    pub const HASH_VERSION: u32 = 1;
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.cells == other.cells
    }
}

impl Eq for Board {}

/// A diagram: `X` for Black, `O` for White, `.` for an empty point, rows from the top.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stride = self.stride();
        for row in self.cells[stride..].chunks_exact(stride).take(self.size.rows() as usize) {
            for (column, cell) in row[1..].iter().enumerate() {
                let drawn = match cell {
                    Cell::Black => "X",
                    Cell::White => "O",
                    Cell::Empty | Cell::Edge => ".",
                };
                write!(f, "{}{drawn}", if column == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {{ {}, ", self.size)?;
        for (name, color) in [("black", Color::Black), ("white", Color::White)] {
            write!(f, "{name}: {:?}, ", self.stones(color).map(|point| point.to_string()).collect::<Vec<_>>())?;
        }
        write!(f, "captured: {:?} }}", self.captured)
    }
}

#[inline]
fn neighbours(at: Index, stride: usize) -> [Index; 4] {
    let stride = stride as Index;
    [at - stride, at - 1, at + 1, at + stride]
}

/// Which stones are connected, and how many liberties they have.
///
/// A chain is a circular list of stones with a head. It counts its *pseudo-liberties*, one for each pair of a stone
/// and an empty point next to it: there are none exactly if the chain has no liberties, and they can be counted without
/// looking at the other stones.
#[derive(Clone)]
struct Chains {
    head: Vec<Index>,
    next: Vec<Index>,
    /// For each head: the pseudo-liberties and the stones of its chain.
    liberties: Vec<u16>,
    len: Vec<u16>,
    /// False after setup: the chains have to be found again before the next move.
    known: bool,
}

impl Chains {
    /// For a board of so many cells.
    fn new(cells: usize) -> Self {
        let none = || vec![0; cells];
        Chains { head: none(), next: none(), liberties: none(), len: none(), known: true }
    }

    /// Finds the chains of all stones.
    #[cold]
    fn find(&mut self, cells: &[Cell], stride: usize) {
        self.head.fill(0);
        // A stone that has not been added yet must not be seen by its neighbours.
        let mut added = vec![Cell::Edge; cells.len()];
        for (at, &cell) in cells.iter().enumerate() {
            if cell == Cell::Empty {
                added[at] = Cell::Empty;
            }
        }
        for (at, &cell) in cells.iter().enumerate() {
            if cell.color().is_some() {
                added[at] = cell;
                self.add_to(&added, stride, at as Index, false);
            }
        }
        self.known = true;
    }

    /// A stone was placed on an empty point.
    #[inline]
    fn add(&mut self, cells: &[Cell], stride: usize, at: Index) {
        self.add_to(cells, stride, at, true);
    }

    /// Adds a stone; `was_empty` says whether its neighbours counted its point as a liberty.
    #[inline]
    fn add_to(&mut self, cells: &[Cell], stride: usize, at: Index, was_empty: bool) {
        let stone = cells[usize::from(at)];
        let mut liberties = 0;
        (self.head[usize::from(at)], self.next[usize::from(at)]) = (at, at);
        self.len[usize::from(at)] = 1;
        for neighbour in neighbours(at, stride) {
            match cells[usize::from(neighbour)] {
                Cell::Empty => liberties += 1,
                Cell::Edge => {}
                Cell::Black | Cell::White => {
                    self.liberties[usize::from(self.head[usize::from(neighbour)])] -= u16::from(was_empty);
                }
            }
        }
        self.liberties[usize::from(at)] = liberties;
        for neighbour in neighbours(at, stride) {
            if cells[usize::from(neighbour)] == stone {
                self.join(at, neighbour);
            }
        }
    }

    /// Makes one chain of two, or of one that is met twice.
    #[inline]
    fn join(&mut self, one: Index, other: Index) {
        let (one, other) = (self.head[usize::from(one)], self.head[usize::from(other)]);
        if one == other {
            return;
        }
        let is_longer = self.len[usize::from(one)] >= self.len[usize::from(other)];
        let (kept, gone) = if is_longer { (one, other) } else { (other, one) };
        self.liberties[usize::from(kept)] += self.liberties[usize::from(gone)];
        self.len[usize::from(kept)] += self.len[usize::from(gone)];
        let mut stone = gone;
        loop {
            self.head[usize::from(stone)] = kept;
            stone = self.next[usize::from(stone)];
            if stone == gone {
                break;
            }
        }
        self.next.swap(usize::from(kept), usize::from(gone));
    }

    #[inline]
    fn has_no_liberty(&self, at: Index) -> bool {
        self.liberties[usize::from(self.head[usize::from(at)])] == 0
    }

    /// A stone was removed with its whole chain: a liberty for the stones of the other side next to it.
    #[inline]
    fn free(&mut self, cells: &[Cell], stride: usize, at: Index, other: Cell) {
        for neighbour in neighbours(at, stride) {
            if cells[usize::from(neighbour)] == other {
                self.liberties[usize::from(self.head[usize::from(neighbour)])] += 1;
            }
        }
    }
}
