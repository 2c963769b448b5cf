//! A naive model of a game: rows of characters, and floods.

use sgf_training::Plane;

/// A move: a color and a point, or a pass.
pub(crate) type Move = (char, Option<(usize, usize)>);

type Points = Vec<(usize, usize)>;

/// A board: `X`, `O` and `.`, row by row from the top.
pub(crate) type Board = Vec<Vec<char>>;

/// A position with its history.
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) boards: Vec<Board>,
    pub(crate) moves: Vec<Move>,
    pub(crate) ko: Option<(char, (usize, usize))>,
}

fn other(color: char) -> char {
    if color == 'X' { 'O' } else { 'X' }
}

fn neighbors(board: &Board, (x, y): (usize, usize)) -> Vec<(usize, usize)> {
    let (columns, rows) = (board[0].len() as i64, board.len() as i64);
    let all = [(0, -1), (-1, 0), (1, 0), (0, 1)].map(|(dx, dy)| (x as i64 + dx, y as i64 + dy));
    let on_board = |&(x, y): &(i64, i64)| (0..columns).contains(&x) && (0..rows).contains(&y);
    all.into_iter().filter(on_board).map(|(x, y)| (x as usize, y as usize)).collect()
}

/// Returns the stones of a chain, and its liberties.
fn chain(board: &Board, start: (usize, usize)) -> (Points, Points) {
    let color = board[start.1][start.0];
    let (mut stones, mut liberties) = (vec![start], Vec::new());
    let mut next = 0;
    while next < stones.len() {
        for (x, y) in neighbors(board, stones[next]) {
            let list = match board[y][x] {
                '.' => &mut liberties,
                stone if stone == color => &mut stones,
                _ => continue,
            };
            if !list.contains(&(x, y)) {
                list.push((x, y));
            }
        }
        next += 1;
    }
    (stones, liberties)
}

impl Position {
    pub(crate) fn new(board: Board) -> Self {
        Position { boards: vec![board], moves: Vec::new(), ko: None }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// Plays a move. `None` if no rules allow it.
    pub(crate) fn play(&self, (color, at): Move) -> Option<Position> {
        let mut next = self.clone();
        next.moves.push((color, at));
        next.ko = None;
        let mut board = self.board().clone();
        if let Some((x, y)) = at {
            if board[y][x] != '.' {
                return None;
            }
            board[y][x] = color;
            let mut captured = Vec::new();
            for (x, y) in neighbors(&board, (x, y)) {
                if board[y][x] == other(color) {
                    let (stones, liberties) = chain(&board, (x, y));
                    if liberties.is_empty() {
                        stones.iter().for_each(|&(x, y)| board[y][x] = '.');
                        captured.extend(stones);
                    }
                }
            }
            let (stones, liberties) = chain(&board, (x, y));
            if liberties.is_empty() {
                if stones.len() == 1 {
                    return None;
                }
                stones.iter().for_each(|&(x, y)| board[y][x] = '.');
            }
            // The same position as before the opponent's last move.
            let is_answer = self.moves.last().is_some_and(|&(last, at)| last == other(color) && at.is_some());
            if captured.len() == 1 && is_answer && self.boards.len() > 1 && board == self.boards[self.boards.len() - 2]
            {
                return None;
            }
            if captured.len() == 1 && stones.len() == 1 && liberties.len() == 1 {
                next.ko = Some((other(color), captured[0]));
            }
        }
        next.boards.push(board);
        Some(next)
    }

    /// Returns the points of a plane, as 0 and 1, if a color is to move.
    pub(crate) fn plane(&self, plane: Plane, own: char) -> Vec<u8> {
        let board = self.board();
        let points = || (0..board.len()).flat_map(|y| (0..board[0].len()).map(move |x| (x, y)));
        let bits = |has: &dyn Fn((usize, usize)) -> bool| points().map(|point| u8::from(has(point))).collect();
        let stones = |color: char, ago: u8| -> Vec<u8> {
            match self.boards.len().checked_sub(1 + usize::from(ago)) {
                Some(at) => bits(&|(x, y)| self.boards[at][y][x] == color),
                None => bits(&|_| false),
            }
        };
        match plane {
            Plane::Board => bits(&|_| true),
            Plane::Own(ago) => stones(own, ago),
            Plane::Opponent(ago) => stones(other(own), ago),
            Plane::Black(ago) => stones('X', ago),
            Plane::White(ago) => stones('O', ago),
            Plane::Empty => bits(&|(x, y)| board[y][x] == '.'),
            Plane::Turn => bits(&|_| own == 'X'),
            Plane::Ko => bits(&|point| self.ko == Some((own, point))),
            Plane::Liberties(count) => {
                bits(&|(x, y)| board[y][x] != '.' && chain(board, (x, y)).1.len() == usize::from(count))
            }
            // As KataGo does: the k-th last move, if the players alternated since.
            Plane::Move(k) => {
                let mut expected = other(own);
                let mut point = None;
                for &(color, at) in self.moves.iter().rev().take(usize::from(k)) {
                    if color != expected {
                        return bits(&|_| false);
                    }
                    (expected, point) = (other(expected), at);
                }
                let is_there = self.moves.len() >= usize::from(k);
                bits(&|at| is_there && point == Some(at))
            }
            _ => unreachable!("a plane without a model"),
        }
    }
}
