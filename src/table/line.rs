//! The moves of a main line, as written.

use crate::RawValue;
use crate::board::read_move;
use crate::node::Moves;
use crate::value::go::Move;
use crate::value::{Color, Size};

/// The most moves that are kept of a game. It bounds the memory of a row.
const MAX_MOVES: usize = 1 << 22;

/// The most bytes that are kept of moves that are not two letters.
const MAX_OTHERS: usize = 16 << 20;

/// The code of a pass in the column `moves`.
const PASS: u16 = 0x7FFF;

/// Added to the code of a white move.
const WHITE: u16 = 0x8000;

/// The text of a pass in the column `sgf_moves`.
const PASS_TEXT: &str = "--";

/// The moves of a main line, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct MainLine {
    moves: Vec<Packed>,
    /// The bytes of moves that are not two letters, and the end of each.
    others: Vec<u8>,
    ends: Vec<u32>,
}

/// A color, and two letters or the number of another move.
#[derive(Clone, Copy, Debug)]
struct Packed(u32);

impl Packed {
    const WHITE: u32 = 1 << 31;
    const OTHER: u32 = 1 << 30;

    #[inline(always)]
    fn letters(color: Color, letters: [u8; 2]) -> Packed {
        Packed(Packed::color_bit(color) | u32::from(u16::from_be_bytes(letters)))
    }

    /// The move of a node with this letter.
    #[inline(always)]
    fn of_node((letter, letters): (u8, [u8; 2])) -> Packed {
        Packed::letters(if letter == b'W' { Color::White } else { Color::Black }, letters)
    }

    #[inline(always)]
    fn color_bit(color: Color) -> u32 {
        if color == Color::White { Packed::WHITE } else { 0 }
    }

    #[inline(always)]
    fn color(self) -> Color {
        if self.0 & Packed::WHITE == 0 { Color::Black } else { Color::White }
    }

    /// The two letters, or the number of another move.
    #[inline(always)]
    fn content(self) -> Result<[u8; 2], usize> {
        match self.0 & Packed::OTHER {
            0 => Ok((self.0 as u16).to_be_bytes()),
            _ => Err((self.0 & (Packed::OTHER - 1)) as usize),
        }
    }
}

/// Whether a node of a run with this letter is that of a move.
#[inline(always)]
pub(super) fn is_move(letter: u8) -> bool {
    matches!(letter, b'B' | b'W')
}

impl MainLine {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.others.clear();
        self.ends.clear();
    }

    /// Adds a move; false if there is no room.
    #[inline]
    pub(super) fn push(&mut self, color: Color, raw: &[u8]) -> bool {
        if self.moves.len() >= MAX_MOVES {
            return false;
        }
        let packed = match *raw {
            [first, second] => Packed::letters(color, [first, second]),
            _ if self.others.len() + raw.len() > MAX_OTHERS => return false,
            _ => {
                let number = self.ends.len() as u32;
                self.others.extend_from_slice(raw);
                self.ends.push(self.others.len() as u32);
                Packed(Packed::color_bit(color) | Packed::OTHER | number)
            }
        };
        self.moves.push(packed);
        true
    }

    /// Adds the moves of a run of nodes, and returns their number; `None` if there is no room.
    pub(super) fn push_run(&mut self, run: Moves<'_>) -> Option<usize> {
        if self.moves.len() >= MAX_MOVES {
            return None;
        }
        let before = self.moves.len();
        for nodes in run.node_lines() {
            match nodes.clone().all(|(letter, _)| is_move(letter)) {
                true => self.moves.extend(nodes.map(Packed::of_node)), // their number is known
                false => self.moves.extend(nodes.filter(|&(letter, _)| is_move(letter)).map(Packed::of_node)),
            }
        }
        Some(self.moves.len() - before)
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    fn other(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.others[start as usize..self.ends[number] as usize]
    }

    /// Calls a function with the color and the raw value of each move.
    pub fn each_written(&self, mut call: impl FnMut(Color, RawValue<'_>)) {
        for &packed in &self.moves {
            match packed.content() {
                Ok(letters) => call(packed.color(), RawValue::new(&letters)),
                Err(number) => call(packed.color(), RawValue::new(self.other(number))),
            }
        }
    }

    /// Calls a function with each move of a game of Go that can be read, from a number on.
    #[inline]
    fn each_move(&self, from: usize, size: Size, mut call: impl FnMut(Color, Option<(u8, u8)>)) {
        let tt_is_pass = size.columns() <= 19 && size.rows() <= 19;
        for &packed in &self.moves[from..] {
            let color = packed.color();
            let read = match packed.content() {
                Ok(letters) => {
                    let (x, y) = (COORDINATES[usize::from(letters[0])], COORDINATES[usize::from(letters[1])]);
                    if u32::from(x) < size.columns() && u32::from(y) < size.rows() {
                        call(color, Some((x, y)));
                        continue;
                    }
                    if tt_is_pass && letters == *b"tt" {
                        call(color, None);
                        continue;
                    }
                    read_move(RawValue::new(&letters), size)
                }
                Err(number) => read_move(RawValue::new(self.other(number)), size),
            };
            match read {
                Some(Move::Play(point)) => call(color, Some((point.x(), point.y()))),
                Some(Move::Pass) => call(color, None),
                None => {}
            }
        }
    }

    /// The moves as codes: see the column `moves`.
    pub(super) fn codes(&self, size: Size, codes: &mut Vec<u16>) {
        codes.clear();
        codes.resize(self.moves.len(), 0);
        let (columns, rows) = (size.columns() as u16, size.rows() as u16);
        // Nearly all are points.
        let mut points = 0;
        for (code, packed) in codes.iter_mut().zip(&self.moves) {
            let Ok([x, y]) = packed.content() else { break };
            let (x, y) = (u16::from(COORDINATES[usize::from(x)]), u16::from(COORDINATES[usize::from(y)]));
            if x >= columns || y >= rows {
                break;
            }
            *code = (y * columns + x) | ((packed.0 >> 16) as u16 & WHITE);
            points += 1;
        }
        codes.truncate(points);
        self.each_move(points, size, |color, at| {
            let code = at.map_or(PASS, |(x, y)| u16::from(y) * columns + u16::from(x));
            codes.push(if color == Color::White { code | WHITE } else { code });
        });
    }

    /// The moves as letters: see the column `sgf_moves`.
    pub(super) fn letters(&self, size: Size) -> String {
        let mut text = String::with_capacity(2 * self.moves.len());
        self.each_move(0, size, |_, at| match at {
            Some((x, y)) => text.extend([LETTERS[usize::from(x)] as char, LETTERS[usize::from(y)] as char]),
            None => text.push_str(PASS_TEXT),
        });
        text
    }
}

const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The coordinate that a letter stands for; 255 for other bytes.
const COORDINATES: [u8; 256] = {
    let mut coordinates = [u8::MAX; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        coordinates[LETTERS[at] as usize] = at as u8;
        at += 1;
    }
    coordinates
};
