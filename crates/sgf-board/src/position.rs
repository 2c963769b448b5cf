//! Stones on a board, and the effect of moves.

use sgf_stream::value::{Color, Size};
use sgf_stream::work;

use super::{IllegalMoveError, Played};

/// Stones on a board of up to 52 columns and rows. A [`Board`](super::Board) adds the hashes, which the checker does not need.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// Length of a row, with the edge at its left.
    stride: usize,
    rows: usize,
    /// The points, row by row, between edges: one row of edges above and below, one edge left of each row. The edge
    /// at the right of a row is the edge at the left of the next.
    cells: Vec<Cell>,
    chains: Chains,
    ko: Option<Ko>,
}

/// The index of a cell.
pub type Index = u16;

/// Maximum number of nested variations whose first positions are kept, to return to them.
pub const MAX_SAVED: usize = 1024;

/// A point where a player may not move, since that would retake a ko.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ko {
    /// The point.
    pub at: Index,
    /// The player who may not move there.
    pub color: Color,
}

/// The content of a point of a board that has a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// An empty point.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// The border.
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
    /// Returns the color of the stone.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Edge => None,
        }
    }
}

/// A stone that is placed on an empty point, or removed. If a stone replaces another one, these are two changes.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The point.
    pub at: Index,
    /// The color of the stone.
    pub color: Color,
    /// Whether the stone is placed.
    pub is_placed: bool,
}

impl Position {
    /// Creates an empty board.
    pub fn new(size: Size) -> Self {
        let mut position = Position::default();
        position.start(size);
        position
    }

    /// Empties the board, which gets this size. Keeps the memory.
    pub fn start(&mut self, size: Size) {
        self.ko = None;
        work::note(self.cells.len());
        let (stride, rows) = (size.columns() as usize + 1, size.rows() as usize);
        if (stride, rows) == (self.stride, self.rows) {
            // Every cell is written, so that compilers make vector code of this.
            self.cells.iter_mut().for_each(|cell| *cell = if *cell == Cell::Edge { Cell::Edge } else { Cell::Empty });
            self.chains.known = true;
            return;
        }
        (self.stride, self.rows) = (stride, rows);
        self.cells.clear();
        self.cells.resize(self.stride * (self.rows + 2) + 1, Cell::Edge);
        for row in self.cells[self.stride..].chunks_exact_mut(self.stride).take(self.rows) {
            row[1..].fill(Cell::Empty);
        }
        self.chains.start(self.cells.len());
    }

    /// Returns the index of a point; `None` if it is not on the board.
    #[inline]
    pub fn index(&self, x: u32, y: u32) -> Option<Index> {
        let (x, y) = (x as usize + 1, y as usize + 1);
        let is_on_board = x < self.stride && y <= self.rows;
        is_on_board.then(|| (y * self.stride + x) as Index)
    }

    /// Returns the column and row of a cell that is a point, given the [`stride`](Self::stride).
    #[inline]
    pub fn point(at: Index, stride: usize) -> (u32, u32) {
        let at = u32::from(at);
        (at % stride as u32 - 1, at / stride as u32 - 1)
    }

    /// Returns the length of a row, with the edge at its left.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the content of a point.
    #[inline]
    pub fn cell(&self, at: Index) -> Cell {
        self.cells[usize::from(at)]
    }

    /// Returns all cells, including edges, for [`restore`](Self::restore).
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Restores earlier cells of this board, with the ko of their position.
    pub fn restore(&mut self, cells: &[Cell], ko: Option<Ko>) {
        work::note(cells.len());
        self.cells.copy_from_slice(cells);
        self.chains.known = false;
        self.ko = ko;
    }

    /// Returns the ko that the last move has started.
    #[inline]
    pub fn ko(&self) -> Option<Ko> {
        self.ko
    }

    /// Ends a ko, or restores an earlier one of this position.
    #[inline]
    pub fn set_ko(&mut self, ko: Option<Ko>) {
        self.ko = ko;
    }

    /// Returns the points of a row.
    pub fn row(&self, y: u32) -> &[Cell] {
        let start = (y as usize + 1) * self.stride;
        &self.cells[start + 1..start + self.stride]
    }

    /// Returns the points of a row, for setup.
    pub fn row_mut(&mut self, y: u32) -> &mut [Cell] {
        let start = (y as usize + 1) * self.stride;
        self.chains.known = false;
        self.ko = None;
        &mut self.cells[start + 1..start + self.stride]
    }

    /// Changes a cell, and reports what changes. Captures nothing.
    pub fn set(&mut self, at: Index, cell: Cell, changed: &mut impl FnMut(Change)) {
        let before = self.cell(at);
        self.ko = None;
        if before == cell {
            return;
        }
        if let Some(color) = before.color() {
            self.cells[usize::from(at)] = Cell::Empty;
            self.chains.known = self.chains.known && self.chains.is_lone_stone(at);
            if self.chains.known {
                self.chains.free(&self.cells, self.stride, at, color.opponent().into());
            }
            changed(Change { at, color, is_placed: false });
        }
        self.cells[usize::from(at)] = cell;
        if let Some(color) = cell.color() {
            if self.chains.known {
                self.chains.add(&self.cells, self.stride, at);
            }
            changed(Change { at, color, is_placed: true });
        }
    }

    /// Executes a move (FF\[4\], "Go", *Move execution*), and reports every change.
    ///
    /// Places the stone, even on another stone; removes the opponent's adjacent groups without liberties; then its own group, if it has none.
    pub fn play(&mut self, color: Color, at: Index, changed: &mut impl FnMut(Change)) -> Played {
        let retakes_ko = self.ko.take() == Some(Ko { at, color });
        let mut played = Played { replaced: self.cell(at).color(), retakes_ko, ..Played::default() };
        if played.replaced.is_some() {
            self.set(at, Cell::Empty, changed);
        }
        let (stone, stride) = (Cell::from(color), self.stride);
        if !self.chains.known {
            self.chains.find(&self.cells, stride);
        }
        let other = color.opponent();
        self.cells[usize::from(at)] = stone;
        changed(Change { at, color, is_placed: true });
        self.chains.add(&self.cells, stride, at);
        let mut captured = at;
        for neighbor in neighbors(at, stride) {
            if self.cell(neighbor) == Cell::from(other) && self.chains.has_no_liberty(neighbor) {
                played.captured += self.remove_chain(neighbor, other, changed);
                captured = neighbor;
            }
        }
        if played.captured == 1 && played.replaced.is_none() && self.may_be_retaken(at, captured) {
            self.ko = Some(Ko { at: captured, color: other });
        }
        if self.chains.has_no_liberty(at) {
            played.suicide = self.remove_chain(at, color, changed);
        }
        played
    }

    /// Returns whether a move at `captured` would capture the stone `at`, and nothing else.
    #[cold]
    fn may_be_retaken(&self, at: Index, captured: Index) -> bool {
        let stone = self.cell(at);
        let is_kept = |neighbor: Index| {
            neighbor == at || self.cell(neighbor) != stone || !self.is_last_liberty(captured, neighbor)
        };
        self.chains.is_lone_stone(at)
            && self.is_last_liberty(captured, at)
            && neighbors(captured, self.stride).into_iter().all(is_kept)
    }

    /// Returns whether an empty point is the last liberty of the chain of an adjacent stone.
    fn is_last_liberty(&self, at: Index, stone: Index) -> bool {
        if !self.chains.known {
            return self.liberties(stone) == 1;
        }
        let Chains { head, liberties, .. } = &self.chains;
        let chain = head[usize::from(stone)];
        let is_of_chain =
            |neighbor: &Index| self.cell(*neighbor) == self.cell(stone) && head[usize::from(*neighbor)] == chain;
        let adjacent = neighbors(at, self.stride).iter().filter(|neighbor| is_of_chain(neighbor)).count();
        usize::from(liberties[usize::from(chain)]) == adjacent
    }

    /// Returns whether a move is legal.
    pub fn check(&self, color: Color, at: Index) -> Result<(), IllegalMoveError> {
        if self.cell(at) != Cell::Empty {
            return Err(IllegalMoveError::Occupied);
        }
        if self.ko == Some(Ko { at, color }) {
            return Err(IllegalMoveError::Ko);
        }
        let own = Cell::from(color);
        let leaves_no_liberty = |neighbor: Index| match self.cell(neighbor) {
            Cell::Empty => false,
            Cell::Edge => true,
            stone => (stone == own) == self.is_last_liberty(at, neighbor),
        };
        match neighbors(at, self.stride).into_iter().all(leaves_no_liberty) {
            true => Err(IllegalMoveError::Suicide),
            false => Ok(()),
        }
    }

    /// Removes the chain of a stone. Returns the number of its stones.
    fn remove_chain(&mut self, at: Index, color: Color, changed: &mut impl FnMut(Change)) -> usize {
        let (mut removed, mut stone) = (0, at);
        loop {
            self.cells[usize::from(stone)] = Cell::Empty;
            changed(Change { at: stone, color, is_placed: false });
            self.chains.free(&self.cells, self.stride, stone, color.opponent().into());
            removed += 1;
            work::note(1);
            stone = self.chains.next[usize::from(stone)];
            if stone == at {
                return removed;
            }
        }
    }

    /// Returns the number of liberties of the chain of a stone. The time is proportional to the size of the chain.
    pub fn liberties(&self, at: Index) -> usize {
        let color = self.cell(at);
        if color.color().is_none() {
            return 0;
        }
        let mut seen = vec![false; self.cells.len()];
        let (mut left, mut liberties) = (vec![at], 0);
        seen[usize::from(at)] = true;
        work::note(seen.len());
        while let Some(stone) = left.pop() {
            work::note(1);
            for neighbor in neighbors(stone, self.stride) {
                let cell = self.cell(neighbor);
                if (cell == Cell::Empty || cell == color) && !std::mem::replace(&mut seen[usize::from(neighbor)], true)
                {
                    if cell == color { left.push(neighbor) } else { liberties += 1 }
                }
            }
        }
        liberties
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        (self.stride, &self.cells) == (other.stride, &other.cells)
    }
}

impl Eq for Position {}

#[inline]
fn neighbors(at: Index, stride: usize) -> [Index; 4] {
    let stride = stride as Index;
    [at - stride, at - 1, at + 1, at + stride]
}

/// The chains of connected stones, and the numbers of their liberties.
///
/// A chain is a circular list of stones with a head. It counts its *pseudo-liberties*, one per pair of a stone
/// and an adjacent empty point. Their number is zero exactly if the chain has no liberties, and they can be counted without
/// looking at the other stones. The numbers of cells without a stone have no meaning.
#[derive(Clone, Debug, Default)]
struct Chains {
    head: Vec<Index>,
    next: Vec<Index>,
    /// For each head: the pseudo-liberties and the stones of its chain.
    liberties: Vec<u16>,
    len: Vec<u16>,
    /// False after setup that splits chains: the chains have to be found again before the next move.
    known: bool,
}

impl Chains {
    /// Creates an empty set of chains, for a board with this number of cells.
    fn start(&mut self, cells: usize) {
        for numbers in [&mut self.head, &mut self.next, &mut self.liberties, &mut self.len] {
            numbers.clear();
            numbers.resize(cells, 0);
        }
        self.known = true;
    }

    /// Finds the chains of all stones.
    #[cold]
    fn find(&mut self, cells: &[Cell], stride: usize) {
        work::note(cells.len());
        self.head.fill(0);
        // A stone that has not been added yet must not be seen by its neighbors.
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

    /// Notes a stone on an empty point.
    #[inline]
    fn add(&mut self, cells: &[Cell], stride: usize, at: Index) {
        self.add_to(cells, stride, at, true);
    }

    /// Adds a stone; `was_empty` says whether its neighbors counted its point as a liberty.
    #[inline]
    fn add_to(&mut self, cells: &[Cell], stride: usize, at: Index, was_empty: bool) {
        let stone = cells[usize::from(at)];
        let mut liberties = 0;
        (self.head[usize::from(at)], self.next[usize::from(at)]) = (at, at);
        self.len[usize::from(at)] = 1;
        for neighbor in neighbors(at, stride) {
            match cells[usize::from(neighbor)] {
                Cell::Empty => liberties += 1,
                Cell::Edge => {}
                Cell::Black | Cell::White => {
                    self.liberties[usize::from(self.head[usize::from(neighbor)])] -= u16::from(was_empty);
                }
            }
        }
        self.liberties[usize::from(at)] = liberties;
        for neighbor in neighbors(at, stride) {
            if cells[usize::from(neighbor)] == stone {
                self.join(at, neighbor);
            }
        }
    }

    /// Joins two chains, which may be the same.
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
            work::note(1);
            stone = self.next[usize::from(stone)];
            if stone == gone {
                break;
            }
        }
        self.next.swap(usize::from(kept), usize::from(gone));
    }

    /// Returns whether a stone is not connected to another one.
    fn is_lone_stone(&self, at: Index) -> bool {
        self.len[usize::from(self.head[usize::from(at)])] == 1
    }

    #[inline]
    fn has_no_liberty(&self, at: Index) -> bool {
        self.liberties[usize::from(self.head[usize::from(at)])] == 0
    }

    /// Notes that a stone was removed with its whole chain, which is a liberty for adjacent stones of the other side.
    #[inline]
    fn free(&mut self, cells: &[Cell], stride: usize, at: Index, other: Cell) {
        for neighbor in neighbors(at, stride) {
            if cells[usize::from(neighbor)] == other {
                self.liberties[usize::from(self.head[usize::from(neighbor)])] += 1;
            }
        }
    }
}
