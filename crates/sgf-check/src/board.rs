//! The position of a Go game, as far as the rules need it.
//!
//! A move needs a check only on a point that has had a stone (it may still have it, or the move may retake a ko), and setup
//! always does. All other moves are logged and not played. Captures, the expensive part of following a game, are computed
//! only when a check needs the position; most games never do. Suicide can happen on any point, so that its rule, which is
//! off by default, needs every move to be played.

use sgf_board::internal::{Cell, Ko, Position};
use sgf_board::{IllegalMoveError, Played};
use sgf_stream::internal::{EIGHT, GROUP, MoveNode, SmallBoard, eight_times, move_of};
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};

/// A board of up to 52 columns and rows.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// The position without the moves in `log`.
    position: Position,
    /// Moves that are not played yet, each on a different point, and passes.
    log: Vec<[u8; MoveNode::LEN]>,
    taken: Taken,
    /// No move is logged.
    is_eager: bool,
}

/// A pass in the log.
const PASS: [u8; MoveNode::LEN] = move_of(b'B', *b"--");

/// The points that have a stone, will get one from the log, or are the point of a ko: a bit of a word for each, by the
/// letters of its row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Taken([u64; 64]);

impl Default for Taken {
    fn default() -> Self {
        Taken([0; 64])
    }
}

impl Taken {
    /// Returns a letter as the number of a bit and of a word: all letters differ.
    #[inline(always)]
    fn number(letter: u8) -> u8 {
        letter % 64
    }

    /// Sets the bit of a point. Returns whether it was set.
    #[inline(always)]
    fn insert(&mut self, [x, y]: [u8; 2]) -> bool {
        let (row, bit) = (&mut self.0[usize::from(Self::number(y))], 1 << Self::number(x));
        let was_set = *row & bit != 0;
        *row |= bit;
        was_set
    }

    fn set(&mut self, [x, y]: [u8; 2], is_taken: bool) {
        let (row, bit) = (&mut self.0[usize::from(Self::number(y))], 1 << Self::number(x));
        *row = if is_taken { *row | bit } else { *row & !bit };
    }
}

/// The look of eight moves of Go on a board, in lower-case letters.
#[derive(Debug)]
pub(super) struct PlainMoves {
    pub(super) board: SmallBoard,
    /// How far each byte may be above that of `;B[aa]`.
    span: [u8; GROUP],
}

impl PlainMoves {
    pub(super) fn new(board: SmallBoard) -> Self {
        let [x, y] = board.last_letters();
        PlainMoves { board, span: eight_times([0, 0, 0, x - b'a', y - b'a', 0]) }
    }

    #[inline(always)]
    fn are(&self, nodes: &[[u8; MoveNode::LEN]; EIGHT]) -> bool {
        const LEAST: [u8; GROUP] = eight_times(*b";B[aa]");
        const WHITE: [u8; GROUP] = eight_times([0, b'W' - b'B', 0, 0, 0, 0]);
        let bytes = nodes.as_flattened();
        let mut are_plain = true;
        for at in 0..GROUP {
            let above = bytes[at].wrapping_sub(LEAST[at]);
            are_plain &= above <= self.span[at] || above == WHITE[at];
        }
        are_plain
    }
}

/// Returns the number of moves at the front that are wanted, as `plain` ones are, and on points that are free.
#[inline(always)]
pub(super) fn leading_moves(
    nodes: &[[u8; MoveNode::LEN]],
    plain: Option<&PlainMoves>,
    mut wanted: impl FnMut(MoveNode<'_>) -> bool,
    mut is_free: impl FnMut([u8; 2]) -> bool,
) -> usize {
    let mut count = 0;
    while count < nodes.len() {
        let rest = &nodes[count..];
        let (group, are_plain) = match rest.first_chunk() {
            Some(eight) => (&eight[..], plain.is_some_and(|plain| plain.are(eight))),
            None => (rest, false),
        };
        for node in group.iter().map(MoveNode::alone) {
            if !(are_plain || wanted(node)) || !is_free(node.letters()) {
                return count;
            }
            count += 1;
        }
    }
    count
}

/// Returns the letters of a point on the board.
fn letters(column: u32, row: u32) -> [u8; 2] {
    let point = Point::new(column as u8, row as u8);
    debug_assert!(point.is_some(), "boards have at most 52 columns and rows");
    point.map_or(*b"aa", Point::letters)
}

/// Positions at the start of the open variations, one after the other.
#[derive(Debug, Default)]
pub(super) struct SavedPositions {
    cells: Vec<Cell>,
    rest: Vec<(Taken, Option<Ko>)>,
}

impl SavedPositions {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.rest.clear();
    }
}

impl Board {
    /// Creates a board that finds suicide, or one that does not.
    pub(super) fn new(is_eager: bool) -> Self {
        Board { is_eager, ..Board::default() }
    }

    /// Starts with an empty board of this size.
    pub(super) fn start(&mut self, size: Size) {
        self.position.start(size);
        self.taken = Taken::default();
        self.log.clear();
    }

    /// Returns whether a point is on the board.
    #[inline]
    pub(super) fn holds(&self, column: u32, row: u32) -> bool {
        self.position.index(column, row).is_some()
    }

    /// Plays a move on the board. Returns why it is illegal; suicide only if the board finds that.
    #[inline]
    pub(super) fn play(&mut self, column: u32, row: u32, color: Color) -> Option<IllegalMoveError> {
        let letters = letters(column, row);
        if self.taken.insert(letters) || self.is_eager {
            return self.play_doubtful(letters, color);
        }
        self.log.push(move_of(if color == Color::Black { b'B' } else { b'W' }, letters));
        None
    }

    /// Notes a pass, which ends a ko.
    pub(super) fn pass(&mut self) {
        match self.log.is_empty() {
            true => self.position.set_ko(None),
            false => self.log.push(PASS),
        }
    }

    /// Plays moves up to the first whose point may have a stone, or that is not `wanted`. Moves that are wanted are on the
    /// board, and those that are `plain` are wanted. Returns their number.
    #[inline]
    pub(super) fn play_anew(
        &mut self,
        nodes: &[[u8; MoveNode::LEN]],
        plain: Option<&PlainMoves>,
        wanted: impl FnMut(MoveNode<'_>) -> bool,
    ) -> usize {
        if self.is_eager {
            return 0;
        }
        let played = leading_moves(nodes, plain, wanted, |point| !self.taken.insert(point));
        self.log.extend_from_slice(&nodes[..played]);
        played
    }

    #[cold]
    fn play_doubtful(&mut self, letters: [u8; 2], color: Color) -> Option<IllegalMoveError> {
        self.settle();
        self.execute(letters, color)
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
            let cells = &mut self.position.row_mut(row)[left as usize..=right as usize];
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
                (left..=right).for_each(|column| self.taken.set(letters(column, row), cell != Cell::Empty));
                continue;
            }
            for at in (0..cells.len()).filter(|&at| is_new(at)) {
                cells[at] = cell;
                self.taken.set(letters(left + at as u32, row), cell != Cell::Empty);
            }
        }
        in_vain
    }

    /// Saves the position.
    pub(super) fn save(&mut self, to: &mut SavedPositions) {
        self.settle();
        to.cells.extend_from_slice(self.position.cells());
        to.rest.push((self.taken, self.position.ko()));
    }

    /// Restores the position that was saved last.
    pub(super) fn restore(&mut self, from: &mut SavedPositions) {
        let start = from.cells.len() - self.position.cells().len();
        let (taken, ko) = from.rest.pop().unwrap_or_default();
        self.position.restore(&from.cells[start..], ko);
        from.cells.truncate(start);
        self.taken = taken;
        self.log.clear();
    }

    /// Plays the moves of the log.
    fn settle(&mut self) {
        let log = std::mem::take(&mut self.log);
        for node in log.iter().map(MoveNode::alone) {
            self.execute(node.letters(), if node.letter() == b'B' { Color::Black } else { Color::White });
        }
        self.log = log;
        self.log.clear();
    }

    /// Plays a move on the board, or passes. Returns why the move is illegal.
    fn execute(&mut self, point: [u8; 2], color: Color) -> Option<IllegalMoveError> {
        let Board { position, taken, .. } = self;
        let at = Point::of_letters(&point).and_then(|point| position.index(point.x().into(), point.y().into()));
        let Some(at) = at else {
            position.set_ko(None);
            return None;
        };
        let stride = position.stride();
        let played = position.play(color, at, &mut |change| {
            let (column, row) = Position::point(change.at, stride);
            let changed = if change.at == at { point } else { letters(column, row) };
            taken.set(changed, change.is_placed);
        });
        if let Some(ko) = position.ko() {
            let (column, row) = Position::point(ko.at, stride);
            taken.set(letters(column, row), true);
        }
        match played {
            Played { replaced: Some(_), .. } => Some(IllegalMoveError::Occupied),
            Played { retakes_ko: true, .. } => Some(IllegalMoveError::Ko),
            Played { suicide: 1.., .. } => Some(IllegalMoveError::Suicide),
            _ => None,
        }
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

    /// Returns the column and row of the nth point.
    fn nth(at: u8) -> (u32, u32) {
        (u32::from(at % 3), u32::from(at / 3))
    }

    fn cell(board: &Board, at: u8) -> Cell {
        let (column, row) = nth(at);
        board.position.cell(board.position.index(column, row).unwrap())
    }

    fn cells(board: &Board) -> Vec<Cell> {
        (0..9).map(|at| cell(board, at)).collect()
    }

    /// The points that are taken have a stone, or had the stone of a ko.
    fn taken_are_stones(board: &Board) -> bool {
        let Taken(taken) = board.taken;
        let is_taken = |at: u8| {
            let [x, y] = letters(nth(at).0, nth(at).1);
            taken[usize::from(Taken::number(y))] >> Taken::number(x) & 1 == 1
        };
        let ko = board.position.ko().map(|ko| Position::point(ko.at, board.position.stride()));
        (0..9).all(|at| is_taken(at) || cell(board, at).color().is_none())
            && (0..9).all(|at| is_taken(at) || ko != Some(nth(at)))
    }

    #[test]
    fn a_captured_stone_leaves_its_point_free() {
        let mut board = board();
        let mut play = |at, color| play(&mut board, at, color);
        for (at, color) in [(0, Color::White), (1, Color::Black), (3, Color::Black)] {
            assert_eq!(play(at, color), None);
        }
        assert_eq!(play(0, Color::White), Some(IllegalMoveError::Suicide), "it was captured");
        assert_eq!(play(0, Color::White), None, "suicide is found only where a stone has been");
        assert_eq!(play(1, Color::White), Some(IllegalMoveError::Occupied));
    }

    fn play(board: &mut Board, at: u8, color: Color) -> Option<IllegalMoveError> {
        let (column, row) = nth(at);
        board.play(column, row, color)
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

        /// Moves are played up to a point that may have a stone, or a move that is not wanted.
        fn moves_are_played_together_as_alone(played: Vec<u8>, picks: Vec<u8>, plain: bool) -> bool {
            let small = SmallBoard::new(Size::square(19).unwrap());
            let wanted = |node: MoveNode<'_>| matches!(node.letter(), b'B' | b'W') && small.has(node.letters());
            let run: Vec<_> = picks.iter().map(|pick| match pick {
                0..4 => *b";N[aa]",
                4..8 => *b";B[zz]",
                _ => move_of(b"BW"[usize::from(pick % 2)], [b'a' + pick % 19, b'a' + pick / 19]),
            }).collect();
            let mut board = Board::default();
            board.start(Size::square(19).unwrap());
            for pick in played.iter().map(|pick| pick % 247) {
                board.play(u32::from(pick % 19), u32::from(pick / 19), Color::Black);
            }
            let mut taken = board.taken;
            let log = board.log.len();
            let nodes = run.iter().map(MoveNode::alone);
            let expected = nodes.take_while(|node| wanted(*node) && !taken.insert(node.letters())).count();
            let plain = plain.then(|| PlainMoves::new(small));
            let played = board.play_anew(&run, plain.as_ref(), wanted);
            played == expected && board.taken == taken && board.log[log..] == run[..played]
        }

        /// Lazy execution gives the position of eager execution.
        fn a_logged_move_is_played_when_the_position_is_needed(moves: Vec<(u8, bool)>, sets: Vec<u8>) -> bool {
            let (mut lazy, mut eager, mut saved) = (board(), board(), SavedPositions::default());
            let mut always = Board::new(true);
            always.start(Size::square(3).unwrap());
            for (n, &(at, black)) in moves.iter().enumerate() {
                let (at, color) = (at % 10, if black { Color::Black } else { Color::White });
                if at == 9 {
                    [&mut lazy, &mut eager, &mut always].into_iter().for_each(Board::pass);
                    continue;
                }
                let expected = eager.execute(letters(nth(at).0, nth(at).1), color);
                let found = play(&mut lazy, at, color);
                let is_missed = expected == Some(IllegalMoveError::Suicide) && found.is_none();
                if found != expected && !is_missed || play(&mut always, at, color) != expected {
                    return false;
                }
                if sets.contains(&(n as u8)) {
                    lazy.save(&mut saved);
                    if saved.cells != eager.position.cells() {
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
