//! Random games, as text and as the naive model sees them.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::naive::{Move, Position};

/// Random numbers of the tests.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// A game: its text, and its positions with the moves after them.
pub(crate) struct Game {
    pub(crate) text: String,
    pub(crate) positions: Vec<(Position, Move)>,
}

fn name((x, y): (usize, usize)) -> String {
    [x, y].map(|n| char::from(b'a' + n as u8)).iter().collect()
}

/// Makes a game. Some have odd ends.
pub(crate) fn game(numbers: &mut Numbers, columns: usize, rows: usize, most: usize) -> Game {
    let mut board = vec![vec!['.'; columns]; rows];
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let result = ["B+3.5", "W+R", "0", "?", "B+T"][numbers.below(5)];
    let mut text = format!("(;GM[1]SZ[{size}]KM[6.5]RE[{result}]BR[3d]");
    if numbers.below(3) == 0 {
        let points: Vec<_> = (0..1 + numbers.below(4)).map(|_| (numbers.below(columns), numbers.below(rows))).collect();
        for &(x, y) in &points {
            if board[y][x] == '.' {
                board[y][x] = 'X';
                text += &format!("{}[{}]", if text.contains("AB") { "" } else { "AB" }, name((x, y)));
            }
        }
    }
    let (mut position, mut positions, mut color) = (Position::new(board), Vec::new(), 'X');
    for _ in 0..numbers.below(most) {
        let kind = numbers.below(40);
        let at = (kind > 0).then(|| (numbers.below(columns), numbers.below(rows)));
        if kind == 1 {
            color = if color == 'X' { 'O' } else { 'X' }; // twice in a row
        }
        if kind == 2 && numbers.below(4) == 0 {
            text += ";AE[aa]AB[bb]";
            if position.board()[1][1] != 'X' || position.board()[0][0] != '.' {
                if !positions.is_empty() {
                    break;
                }
                return game(numbers, columns, rows, most);
            }
        }
        let next = position.play((color, at));
        // IllegalMoveError moves are rare.
        if next.is_none() && numbers.below(20) > 0 {
            continue;
        }
        text += &format!(";{}[{}]", if color == 'X' { 'B' } else { 'W' }, at.map(name).unwrap_or_default());
        let Some(next) = next else { break };
        positions.push((position, (color, at)));
        (position, color) = (next, if color == 'X' { 'O' } else { 'X' });
    }
    Game { text: text + ")\n", positions }
}

/// A new directory, which is removed at the end.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sgf-training laws {} {n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    pub(crate) fn add(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}
