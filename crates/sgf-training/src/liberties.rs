//! The liberties of chains.

use crate::bits;
use crate::grid::Grid;

/// The stones of chains with one, two and three liberties.
///
/// From one position to the next, few chains change: those with a point that changed, or beside one. Only they are counted again.
pub(crate) struct Liberties {
    sets: [Vec<u64>; 3],
    /// The stones of the last position.
    stones: [Vec<u64>; 2],
    /// The points of the last position, row by row, with cells off the board before and after each row.
    cells: Vec<Cell>,
    /// The cell of each point.
    cell_of: Vec<u16>,
    /// The number of cells of a row.
    width: u16,
    /// The number of chains that have been counted.
    counted: u64,
    changed: Vec<u16>,
    chain: Vec<u16>,
}

/// A point, or a place beside the board.
#[derive(Clone, Copy)]
struct Cell {
    has: Content,
    /// The liberties of its chain, 4 for more than three; 0 if they were not counted.
    liberties: u8,
    point: u16,
    /// The number of the last chain that was counted here: as a stone or as a liberty.
    seen: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Content {
    OffBoard,
    Empty,
    Black,
    White,
}

impl Content {
    fn is_stone(self) -> bool {
        matches!(self, Content::Black | Content::White)
    }
}

impl Liberties {
    pub(crate) fn new(grid: &Grid) -> Self {
        let empty = || vec![0; grid.words()];
        let width = grid.columns() + 1;
        // A row before the first one, and one after the last one.
        let rows = grid.points() / grid.columns() + 2;
        let off_board = Cell { has: Content::OffBoard, liberties: 0, point: 0, seen: 0 };
        let mut cells = vec![off_board; usize::from(width * rows) + 1];
        let cell_of = |point: u16| width * (point / grid.columns() + 1) + point % grid.columns() + 1;
        let cell_of: Vec<u16> = (0..grid.points()).map(cell_of).collect();
        for (point, &cell) in (0..).zip(&cell_of) {
            cells[usize::from(cell)] = Cell { has: Content::Empty, point, ..off_board };
        }
        Liberties {
            sets: [empty(), empty(), empty()],
            stones: [empty(), empty()],
            cells,
            cell_of,
            width,
            counted: 0,
            changed: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// Finds the chains of a position and counts their liberties.
    pub(crate) fn find(&mut self, black: &[u64], white: &[u64]) {
        let before = self.counted;
        self.changed.clear();
        for (n, (&black, &white)) in black.iter().zip(white).enumerate() {
            let changed = (self.stones[0][n] ^ black) | (self.stones[1][n] ^ white);
            if changed == 0 {
                continue;
            }
            self.sets.iter_mut().for_each(|set| set[n] &= !changed);
            (self.stones[0][n], self.stones[1][n]) = (black, white);
            bits::each(n, changed, |point| {
                let has = match (bits::is_in(black, point), bits::is_in(white, point)) {
                    (true, _) => Content::Black,
                    (_, true) => Content::White,
                    _ => Content::Empty,
                };
                let cell = self.cell_of[usize::from(point)];
                let place = &mut self.cells[usize::from(cell)];
                (place.has, place.liberties) = (has, 0);
                self.changed.push(cell);
            });
        }
        for n in 0..self.changed.len() {
            let cell = self.changed[n];
            for at in around(cell, self.width).into_iter().chain([cell]) {
                let Cell { has, seen, .. } = self.cells[usize::from(at)];
                if has.is_stone() && seen <= before {
                    self.count(at);
                }
            }
        }
    }

    /// Counts the liberties of a chain.
    fn count(&mut self, start: u16) {
        let Liberties { sets, cells, counted, chain, .. } = self;
        *counted += 1;
        let own = cells[usize::from(start)].has;
        cells[usize::from(start)].seen = *counted;
        chain.clear();
        chain.push(start);
        let (mut liberties, mut at) = (0_u16, 0);
        while let Some(&stone) = chain.get(at) {
            at += 1;
            for neighbor in around(stone, self.width) {
                let cell = &mut cells[usize::from(neighbor)];
                if cell.seen == *counted {
                    continue;
                }
                match cell.has {
                    Content::Empty => liberties += 1,
                    has if has == own => chain.push(neighbor),
                    _ => continue,
                }
                cell.seen = *counted;
            }
        }
        let liberties = liberties.min(4) as u8;
        for &stone in chain.iter() {
            let cell = &mut cells[usize::from(stone)];
            if cell.liberties != liberties {
                cell.liberties = liberties;
                (1..).zip(&mut *sets).for_each(|(count, set)| bits::put(set, cell.point, liberties == count));
            }
        }
    }

    /// Returns the stones of chains with exactly `count` liberties, 1 to 3.
    pub(crate) fn of(&self, count: u8) -> &[u64] {
        &self.sets[usize::from(count) - 1]
    }
}

/// The cells beside a cell.
fn around(cell: u16, width: u16) -> [u16; 4] {
    [cell - width, cell - 1, cell + 1, cell + width]
}

#[cfg(test)]
mod tests {
    use sgf_stream::value::Size;

    use super::*;

    /// A comb: the first column, and every third row.
    #[test]
    fn chains_may_have_hundreds_of_liberties() {
        let grid = Grid::new(Size::new(52, 52).unwrap());
        let (mut black, white) = (vec![0; grid.words()], vec![0; grid.words()]);
        let mut liberties = Liberties::new(&grid);
        let rows = (0..52).step_by(3).flat_map(|y| (1..52).map(move |x| y * 52 + x));
        for (n, point) in (0..52).map(|y| y * 52).chain(rows).enumerate() {
            bits::put(&mut black, point, true);
            liberties.find(&black, &white);
            let has_few = (1..=3).any(|count| liberties.of(count).iter().any(|word| *word != 0));
            assert_eq!(has_few, n < 2, "{n} stones before the last one");
        }
    }
}
