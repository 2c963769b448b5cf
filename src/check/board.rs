//! The position of a game of Go, as far as the rules need it.
//!
//! A move needs a check only on a point that has had a stone, and setup always does. All other moves are logged and
//! not played. Captures, the expensive part of following a game, are computed only when a check needs the position;
//! most games never do.

/// A board of up to 52 columns and rows.
#[derive(Debug, Default)]
pub(super) struct Board {
    columns: usize,
    rows: usize,
    /// The state of each point, without the moves in `log`.
    cells: Vec<Cell>,
    /// Moves that are not played yet, each on a different point.
    log: Vec<(u16, Cell)>,
    /// For each point, whether it has a stone or will get one from the log.
    taken: Vec<bool>,
    /// For each point, the number of the last search for a group that visited it.
    seen: Vec<u32>,
    search: u32,
    group: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Empty,
    Black,
    White,
}

impl Board {
    /// Starts with an empty board of this size.
    pub(super) fn start(&mut self, columns: usize, rows: usize) {
        let len = columns * rows;
        (self.columns, self.rows) = (columns, rows);
        self.cells.clear();
        self.cells.resize(len, Cell::Empty);
        self.taken.clear();
        self.taken.resize(len, false);
        self.seen.clear();
        self.seen.resize(len, 0);
        self.search = 0;
        self.log.clear();
    }

    /// Returns the index of a point, if it is on the board.
    pub(super) fn point(&self, column: u32, row: u32) -> Option<u16> {
        let (column, row) = (column as usize, row as usize);
        (column < self.columns && row < self.rows).then(|| (row * self.columns + column) as u16)
    }

    /// Plays a move. Returns false if the point had a stone, which is replaced.
    #[inline]
    pub(super) fn play(&mut self, at: u16, stone: Cell) -> bool {
        if self.taken[usize::from(at)] {
            return self.play_doubtful(at, stone);
        }
        self.taken[usize::from(at)] = true;
        self.log.push((at, stone));
        true
    }

    #[cold]
    fn play_doubtful(&mut self, at: u16, stone: Cell) -> bool {
        self.settle();
        let free = self.cells[usize::from(at)] == Cell::Empty;
        self.execute(at, stone);
        free
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
            let start = row as usize * self.columns;
            let range = start + left as usize..start + right as usize + 1;
            let (cells, taken) = (&mut self.cells[range.clone()], &mut self.taken[range]);
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
        to.extend_from_slice(&self.cells);
    }

    /// Pops the position from a stack of positions.
    pub(super) fn restore(&mut self, from: &mut Vec<Cell>) {
        let start = from.len() - self.cells.len();
        self.cells.copy_from_slice(&from[start..]);
        from.truncate(start);
        self.log.clear();
        self.taken.iter_mut().zip(&self.cells).for_each(|(taken, &cell)| *taken = cell != Cell::Empty);
    }

    /// Plays the moves of the log.
    fn settle(&mut self) {
        let log = std::mem::take(&mut self.log);
        for &(at, stone) in &log {
            self.execute(at, stone);
        }
        self.log = log;
        self.log.clear();
    }

    /// *Move execution* (FF\[4\], "Go"): places the stone on any point.
    ///
    /// Then it removes the opponent's neighboring groups without liberties, and then its own group if that has
    /// none.
    fn execute(&mut self, at: u16, stone: Cell) {
        let other = if stone == Cell::Black { Cell::White } else { Cell::Black };
        self.cells[usize::from(at)] = stone;
        self.taken[usize::from(at)] = true;
        for neighbour in self.neighbours(at).into_iter().flatten() {
            if self.cells[usize::from(neighbour)] == other {
                self.capture(neighbour);
            }
        }
        self.capture(at);
    }

    fn neighbours(&self, at: u16) -> [Option<u16>; 4] {
        let (column, width) = (usize::from(at) % self.columns, self.columns as u16);
        [
            (column > 0).then(|| at - 1),
            (column + 1 < self.columns).then(|| at + 1),
            at.checked_sub(width),
            Some(at + width).filter(|&below| usize::from(below) < self.cells.len()),
        ]
    }

    /// Removes a group if it has no liberties.
    fn capture(&mut self, at: u16) {
        let color = self.cells[usize::from(at)];
        self.search = match self.search.checked_add(1) {
            Some(search) => search,
            None => {
                self.seen.fill(0);
                1
            }
        };
        self.group.clear();
        self.group.push(at);
        self.seen[usize::from(at)] = self.search;
        let mut next = 0;
        while let Some(&at) = self.group.get(next) {
            next += 1;
            for neighbour in self.neighbours(at).into_iter().flatten() {
                let index = usize::from(neighbour);
                if self.cells[index] == Cell::Empty {
                    return;
                }
                if self.cells[index] == color && self.seen[index] != self.search {
                    self.seen[index] = self.search;
                    self.group.push(neighbour);
                }
            }
        }
        for &stone in &self.group {
            self.cells[usize::from(stone)] = Cell::Empty;
            self.taken[usize::from(stone)] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn board() -> Board {
        let mut board = Board::default();
        board.start(3, 3);
        board
    }

    #[test]
    fn a_captured_stone_leaves_its_point_free() {
        let mut board = board();
        for (at, stone) in [(0, Cell::White), (1, Cell::Black), (3, Cell::Black)] {
            assert!(board.play(at, stone));
        }
        assert!(board.play(0, Cell::White), "it was captured");
        assert!(board.play(0, Cell::White), "suicide");
        assert!(!board.play(1, Cell::White));
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
                set == in_vain
                    && board.cells == naive
                    && board.taken.iter().zip(&naive).all(|(&taken, &cell)| taken == (cell != Cell::Empty))
            })
        }

        /// Lazy execution gives the position of eager execution.
        fn a_logged_move_is_played_when_the_position_is_needed(moves: Vec<(u8, bool)>, sets: Vec<u8>) -> bool {
            let (mut lazy, mut eager, mut saved) = (board(), board(), Vec::new());
            for (n, &(at, black)) in moves.iter().enumerate() {
                let (at, stone) = (u16::from(at % 9), if black { Cell::Black } else { Cell::White });
                let is_free = eager.cells[usize::from(at)] == Cell::Empty;
                eager.execute(at, stone);
                if lazy.play(at, stone) != is_free {
                    return false;
                }
                if sets.contains(&(n as u8)) {
                    lazy.save(&mut saved);
                    if saved != eager.cells {
                        return false;
                    }
                    lazy.restore(&mut saved);
                }
            }
            lazy.settle();
            lazy.cells == eager.cells
                && lazy.taken.iter().zip(&lazy.cells).all(|(&taken, &cell)| taken == (cell != Cell::Empty))
        }
    }
}
