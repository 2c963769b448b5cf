//! The position of a game of Go, as far as the rules need it.
//!
//! A move needs a check only on a point that has had a stone, and setup always does. All other moves are logged and
//! not played. Captures, the expensive part of following a game, are computed only when a check needs the position;
//! most games never do.

use crate::board::{Cell, Index, Position};
use crate::value::{Color, Size};

/// A board of up to 52 columns and rows.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// The position without the moves in `log`.
    position: Position,
    /// Moves that are not played yet, each on a different point.
    log: Vec<(Index, Color)>,
    /// For each cell, whether it has a stone or will get one from the log.
    taken: Vec<bool>,
}

impl Board {
    /// Starts with an empty board of this size.
    pub(super) fn start(&mut self, size: Size) {
        self.position.start(size);
        self.taken.clear();
        self.taken.resize(self.position.cells().len(), false);
        self.log.clear();
    }

    /// Returns the index of a point, if it is on the board.
    #[inline]
    pub(super) fn point(&self, column: u32, row: u32) -> Option<Index> {
        self.position.index(column, row)
    }

    /// Plays a move. Returns false if the point had a stone, which is replaced.
    #[inline]
    pub(super) fn play(&mut self, at: Index, color: Color) -> bool {
        if self.taken[usize::from(at)] {
            return self.play_doubtful(at, color);
        }
        self.taken[usize::from(at)] = true;
        self.log.push((at, color));
        true
    }

    /// Plays a move, unless its point may have a stone.
    #[inline]
    pub(super) fn play_anew(&mut self, at: Index, color: Color) -> bool {
        match self.taken.get_mut(usize::from(at)) {
            Some(taken) if !*taken => *taken = true,
            _ => return false,
        }
        self.log.push((at, color));
        true
    }

    #[cold]
    fn play_doubtful(&mut self, at: Index, color: Color) -> bool {
        self.settle();
        let is_free = self.position.cell(at) == Cell::Empty;
        self.execute(at, color);
        is_free
    }

    /// Sets a rectangle that is on the board, except the points for which `named` returns nonzero in their row.
    /// Returns the first point that this does not change.
    pub(super) fn set<'n>(
        &mut self,
        [left, top, right, bottom]: [u32; 4],
        cell: Cell,
        named: impl Fn(u32) -> Option<&'n [u8]>,
    ) -> Option<(u32, u32)> {
        self.settle();
        let mut in_vain = None;
        for row in top..=bottom {
            let Some(start) = self.position.index(left, row).map(usize::from) else { continue };
            let cells = &mut self.position.row_mut(row)[left as usize..=right as usize];
            let taken = &mut self.taken[start..start + cells.len()];
            // A few bytes can name a whole board, so rows are handled as slices where possible.
            let named = named(row).unwrap_or_default();
            let (any, all) =
                named.iter().fold((false, !named.is_empty()), |(any, all), &n| (any | (n != 0), all & (n != 0)));
            if all {
                continue;
            }
            let is_new = |at: usize| named.get(at).is_none_or(|&owner| owner == 0);
            if in_vain.is_none() && cells.iter().fold(false, |any, &there| any | (there == cell)) {
                let first = (0..cells.len()).find(|&at| cells[at] == cell && is_new(at));
                in_vain = first.map(|at| (left + at as u32, row));
            }
            if !any {
                cells.fill(cell);
                taken.fill(cell != Cell::Empty);
                continue;
            }
            for at in (0..cells.len()).filter(|&at| is_new(at)) {
                (cells[at], taken[at]) = (cell, cell != Cell::Empty);
            }
        }
        in_vain
    }

    /// Appends the position to a stack of positions.
    pub(super) fn save(&mut self, to: &mut Vec<Cell>) {
        self.settle();
        to.extend_from_slice(self.position.cells());
    }

    /// Pops the position from a stack of positions.
    pub(super) fn restore(&mut self, from: &mut Vec<Cell>) {
        let start = from.len() - self.position.cells().len();
        self.position.restore(&from[start..]);
        from.truncate(start);
        self.log.clear();
        for (taken, cell) in self.taken.iter_mut().zip(self.position.cells()) {
            *taken = cell.color().is_some();
        }
    }

    /// Plays the moves of the log.
    fn settle(&mut self) {
        let log = std::mem::take(&mut self.log);
        for &(at, color) in &log {
            self.execute(at, color);
        }
        self.log = log;
        self.log.clear();
    }

    fn execute(&mut self, at: Index, color: Color) {
        let Board { position, taken, .. } = self;
        position.play(color, at, &mut |change| taken[usize::from(change.at)] = change.after != Cell::Empty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn board() -> Board {
        let mut board = Board::default();
        board.start(Size::square(3).unwrap());
        board
    }

    /// The index of the nth point.
    fn nth(at: u8) -> Index {
        board().point(u32::from(at % 3), u32::from(at / 3)).unwrap()
    }

    fn cells(board: &Board) -> Vec<Cell> {
        (0..9).map(|at| board.position.cell(nth(at))).collect()
    }

    fn taken_are_stones(board: &Board) -> bool {
        board.taken.iter().zip(board.position.cells()).all(|(&taken, cell)| taken == cell.color().is_some())
    }

    #[test]
    fn a_captured_stone_leaves_its_point_free() {
        let mut board = board();
        let mut play = |at, color| board.play(nth(at), color);
        for (at, color) in [(0, Color::White), (1, Color::Black), (3, Color::Black)] {
            assert!(play(at, color));
        }
        assert!(play(0, Color::White), "it was captured");
        assert!(play(0, Color::White), "suicide");
        assert!(!play(1, Color::White));
    }

    #[test]
    fn setup_captures_nothing() {
        let mut board = board();
        let mut set = |column, row, cell| board.set([column, row, column, row], cell, |_| None).is_none();
        assert!(set(0, 0, Cell::White) && set(1, 0, Cell::Black) && set(0, 1, Cell::Black));
        assert!(!set(0, 0, Cell::White) && !set(1, 1, Cell::Empty) && set(0, 0, Cell::Empty));
    }

    quickcheck! {
        /// A rectangle is set like its points one by one.
        fn a_rectangle_is_its_points(setups: Vec<([u8; 4], u8)>, named: Vec<u8>) -> bool {
            let (mut board, mut naive) = (board(), [Cell::Empty; 9]);
            let named: Vec<u8> = named.iter().copied().map(|n| n % 3).chain([0; 9]).take(9).collect();
            setups.into_iter().all(|([a, b, c, d], pick)| {
                let (a, b, c, d) = (a % 3, b % 3, c % 3, d % 3);
                let (left, top, right, bottom) = (a.min(c), b.min(d), a.max(c), b.max(d));
                let cell = [Cell::Empty, Cell::Black, Cell::White][usize::from(pick % 3)];
                let has_names = pick & 4 == 0;
                let mut in_vain = None;
                for (row, column) in (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column))) {
                    let at = usize::from(row * 3 + column);
                    if has_names && named[at] != 0 {
                        continue;
                    }
                    if std::mem::replace(&mut naive[at], cell) == cell {
                        in_vain = in_vain.or(Some((u32::from(column), u32::from(row))));
                    }
                }
                let row = |row: u32| {
                    let start = row as usize * 3;
                    has_names.then(|| &named[start + usize::from(left)..=start + usize::from(right)])
                };
                let set = board.set([left, top, right, bottom].map(u32::from), cell, row);
                set == in_vain && cells(&board) == naive && taken_are_stones(&board)
            })
        }

        /// Lazy execution gives the position of eager execution.
        fn a_logged_move_is_played_when_the_position_is_needed(moves: Vec<(u8, bool)>, sets: Vec<u8>) -> bool {
            let (mut lazy, mut eager, mut saved) = (board(), board(), Vec::new());
            for (n, &(at, black)) in moves.iter().enumerate() {
                let (at, color) = (nth(at % 9), if black { Color::Black } else { Color::White });
                let is_free = eager.position.cell(at) == Cell::Empty;
                eager.execute(at, color);
                if lazy.play(at, color) != is_free {
                    return false;
                }
                if sets.contains(&(n as u8)) {
                    lazy.save(&mut saved);
                    if saved != eager.position.cells() {
                        return false;
                    }
                    lazy.restore(&mut saved);
                }
            }
            lazy.settle();
            lazy.position == eager.position && taken_are_stones(&lazy)
        }
    }
}
