//! The moves of a main line, as written.

use sgf_board::internal::{Grid, GridMove, is_word_of_hex};
use sgf_stream::RawValue;
use sgf_stream::internal::MoveNode;
use sgf_stream::value::Color;

/// The most moves that are kept of a game. It bounds the memory of a row.
const MAX_MOVES: usize = 1 << 22;

/// The most bytes that are kept of moves that are not two letters.
const MAX_OTHERS: usize = 16 << 20;

/// The codes of a pass, and of the words of Hex, in the column `moves`.
const PASS: u16 = 0x7FFF;
const SWAP_SIDES: u16 = 0x7FFE;
const SWAP_PIECES: u16 = 0x7FFD;
const RESIGN: u16 = 0x7FFC;
const FORFEIT: u16 = 0x7FFB;

/// The bit of white moves in the column `moves`.
const WHITE_BIT: u32 = 15;

/// Number of moves that become codes at a time.
const SOME: usize = 32;

/// The text of a move without a point in the column `sgf_moves`.
const PASS_TEXT: &str = "--";

/// The moves of a main line, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct MainLine {
    moves: Vec<Packed>,
    /// The bytes of moves that are not two letters, and the end of each.
    others: Vec<u8>,
    ends: Vec<u32>,
    /// The board of a game of Go or Hex.
    board: Option<Grid>,
}

/// Four bytes: `B[dd` or `W[dd` for a move of two letters; a lower-case letter and the number of another move.
///
/// The bytes of a run are kept as they are, so that taking a run is copying it.
#[derive(Clone, Copy, Debug)]
struct Packed(u32);

impl Packed {
    /// The bit that the letters of White have, and those of Black have not.
    const WHITE: u32 = 1;
    /// The bit of lower-case letters.
    const OTHER: u32 = 0x20;

    /// Returns the property and the value of a node, as in `B[dd`.
    #[inline(always)]
    fn written(content: [u8; 4]) -> Packed {
        Packed(u32::from_le_bytes(content))
    }

    #[inline(always)]
    fn letters(color: Color, [first, second]: [u8; 2]) -> Packed {
        Packed::written([Packed::letter(color), b'[', first, second])
    }

    /// Returns the move of a number below 2^24.
    fn other(color: Color, number: usize) -> Packed {
        Packed((number as u32) << 8 | u32::from(Packed::letter(color)) | Packed::OTHER)
    }

    #[inline(always)]
    fn letter(color: Color) -> u8 {
        if color == Color::White { b'W' } else { b'B' }
    }

    /// Returns whether the property is `B` or `W`.
    #[inline(always)]
    fn is_move(self) -> bool {
        let letter = self.0 & 0xFF;
        (letter == u32::from(b'B')) | (letter == u32::from(b'W'))
    }

    #[inline(always)]
    fn color(self) -> Color {
        if self.0 & Packed::WHITE == 0 { Color::Black } else { Color::White }
    }

    /// Returns the two letters, or the number of another move.
    #[inline(always)]
    fn content(self) -> Result<[u8; 2], usize> {
        let [_, _, first, second] = self.0.to_le_bytes();
        if self.0 & Packed::OTHER == 0 { Ok([first, second]) } else { Err((self.0 >> 8) as usize) }
    }

    /// Returns the code of a move at two lower-case letters, and 0 if it is one that is on the board.
    #[inline(always)]
    fn code(self, [columns, rows]: [u16; 2]) -> (u16, u16) {
        let (letters, low) = ((self.0 >> 16) as u16, self.0 as u16);
        let (x, y) = ((letters & 0xFF).wrapping_sub(b'a'.into()), (letters >> 8).wrapping_sub(b'a'.into()));
        let beyond = x.saturating_sub(columns - 1) | y.saturating_sub(rows - 1);
        (y.wrapping_mul(columns).wrapping_add(x) | low << WHITE_BIT, beyond | low & Packed::OTHER as u16)
    }
}

/// Returns the codes of moves, if all are at two lower-case letters that are on the board. Compilers make vector code
/// of this.
#[inline(always)]
fn point_codes(moves: &[Packed], board: [u16; 2], codes: &mut [u16]) -> bool {
    let mut others = 0;
    for (code, packed) in codes.iter_mut().zip(moves) {
        let other;
        (*code, other) = packed.code(board);
        others |= other;
    }
    others == 0
}

impl MainLine {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.others.clear();
        self.ends.clear();
        self.board = None;
    }

    /// Sets the board that the moves are on.
    pub(super) fn set_board(&mut self, board: Option<Grid>) {
        self.board = board;
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
                self.others.extend_from_slice(raw);
                self.ends.push(self.others.len() as u32);
                Packed::other(color, self.ends.len() - 1) // fewer than MAX_MOVES
            }
        };
        self.moves.push(packed);
        true
    }

    /// Adds the moves of a run of nodes, which has so many; false if there is no room.
    pub(super) fn push_run(&mut self, run: &[[u8; MoveNode::LEN]], moves: u64) -> bool {
        if self.moves.len() >= MAX_MOVES {
            return false;
        }
        let packed = |&[_, ref content @ .., _]: &[u8; MoveNode::LEN]| Packed::written(*content);
        match moves == run.len() as u64 {
            true => self.moves.extend(run.iter().map(packed)),
            false => self.moves.extend(run.iter().map(packed).filter(|packed| packed.is_move())),
        }
        true
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    fn other(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.others[start as usize..self.ends[number] as usize]
    }

    /// Returns the colors of the moves.
    pub(super) fn colors(&self) -> impl Iterator<Item = Color> {
        self.moves.iter().map(|packed| packed.color())
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

    /// Calls a function with each of some moves of a game of Go or Hex that can be read.
    #[inline]
    fn each_move(&self, moves: &[Packed], board: Grid, mut call: impl FnMut(Color, GridMove)) {
        let size = board.size;
        let tt_is_pass = size.columns() <= 19 && size.rows() <= 19;
        for &packed in moves {
            let color = packed.color();
            let read = match packed.content() {
                // Hex has other letters for the columns and rows after 26, and points of two other letters.
                Ok(letters) if !board.is_hex => {
                    let (x, y) = (COORDINATES[usize::from(letters[0])], COORDINATES[usize::from(letters[1])]);
                    if u32::from(x) < size.columns() && u32::from(y) < size.rows() {
                        call(color, GridMove::At(x, y));
                        continue;
                    }
                    if tt_is_pass && letters == *b"tt" {
                        call(color, GridMove::Pass);
                        continue;
                    }
                    board.read_move(RawValue::new(&letters))
                }
                Ok(letters) => board.read_move(RawValue::new(&letters)),
                Err(number) => board.read_move(RawValue::new(self.other(number))),
            };
            if let Some(read) = read {
                call(color, read);
            }
        }
    }

    /// Replaces the content of a list with the moves as codes.
    ///
    /// The codes are those of the column `moves`. Returns false if the game is neither Go nor Hex.
    pub fn codes(&self, codes: &mut Vec<u16>) -> bool {
        codes.clear();
        let Some(board) = self.board else { return false };
        if board.is_hex {
            self.each_code(&self.moves, board, codes);
            return true;
        }
        let sides = [board.size.columns() as u16, board.size.rows() as u16];
        let (whole, rest) = self.moves.as_chunks::<SOME>();
        for some in whole {
            let mut some_codes = [0; SOME];
            match point_codes(some, sides, &mut some_codes) {
                true => codes.extend_from_slice(&some_codes),
                false => self.each_code(some, board, codes),
            }
        }
        let mut some_codes = [0; SOME];
        match point_codes(rest, sides, &mut some_codes) {
            true => codes.extend_from_slice(&some_codes[..rest.len()]),
            false => self.each_code(rest, board, codes),
        }
        true
    }

    /// Adds the codes of some moves, each by itself.
    fn each_code(&self, moves: &[Packed], board: Grid, codes: &mut Vec<u16>) {
        let columns = board.size.columns() as u16;
        self.each_move(moves, board, |color, read| {
            let code = match read {
                GridMove::At(x, y) => u16::from(y) * columns + u16::from(x),
                GridMove::Pass => PASS,
                GridMove::SwapSides => SWAP_SIDES,
                GridMove::SwapPieces => SWAP_PIECES,
                GridMove::Resign => RESIGN,
                GridMove::Forfeit => FORFEIT,
            };
            codes.push(code | u16::from(color == Color::White) << WHITE_BIT);
        });
    }

    /// Returns whether the board is a Go board, but a move can only be a Hex move.
    pub(super) fn has_words_of_hex(&self) -> bool {
        let is_word = |number: usize| is_word_of_hex(RawValue::new(self.other(number)));
        self.board.is_some_and(|board| !board.is_hex) && (0..self.ends.len()).any(is_word)
    }

    /// Returns the moves as letters: see the column `sgf_moves`. `None` if the game is neither Go nor Hex.
    pub(super) fn letters(&self) -> Option<String> {
        let mut text = String::with_capacity(2 * self.moves.len());
        self.each_move(&self.moves, self.board?, |_, read| match read {
            GridMove::At(x, y) => text.extend([LETTERS[usize::from(x)] as char, LETTERS[usize::from(y)] as char]),
            _ => text.push_str(PASS_TEXT),
        });
        Some(text)
    }
}

const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Returns the coordinate of a letter; 255 for other bytes.
const COORDINATES: [u8; 256] = {
    let mut coordinates = [u8::MAX; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        coordinates[LETTERS[at] as usize] = at as u8;
        at += 1;
    }
    coordinates
};

#[cfg(test)]
mod tests {
    use super::*;
    use sgf_stream::internal::move_of;
    use sgf_stream::value::Size;

    #[test]
    fn moves_together_have_the_codes_that_they_have_alone() {
        let moves: [&[u8]; 9] = [b"qd", b"tt", b"", b"AZ", b"sa", b"ta", b"at", b"q\\d", b"[]"];
        for size in ["19", "9", "52", "20:3"] {
            let size = Size::parse_lenient(size).expect("a size");
            for odd in moves {
                // One move of another kind at each place among points.
                for at in 0..3 * SOME {
                    let mut line = MainLine::default();
                    for n in 0..3 * SOME - 5 {
                        let color = if n % 3 == 0 { Color::White } else { Color::Black };
                        assert!(line.push(color, if n == at { odd } else { b"cb" }));
                    }
                    let (mut codes, mut alone) = (Vec::new(), Vec::new());
                    let board = Grid { size, is_hex: false };
                    line.set_board(Some(board));
                    assert!(line.codes(&mut codes));
                    line.each_code(&line.moves, board, &mut alone);
                    assert_eq!(codes, alone, "{} at {at}", odd.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn a_run_gives_the_moves_of_its_nodes() {
        let written = |line: &MainLine| {
            let mut moves = Vec::new();
            line.each_written(|color, value| moves.push((color, value.as_bytes().to_vec())));
            moves
        };
        for nodes in 0..20_usize {
            for others in 0..7 {
                let (mut run, mut pushed, mut count) = (Vec::new(), MainLine::default(), 0);
                for n in 0..nodes {
                    let letter = if n % 7 == others { b'C' } else { [b'B', b'W'][n % 2] };
                    let letters = [b'a' + n as u8, b'A' + n as u8];
                    run.push(move_of(letter, letters));
                    if letter != b'C' {
                        assert!(pushed.push([Color::Black, Color::White][n % 2], &letters));
                        count += 1;
                    }
                }
                let mut line = MainLine::default();
                assert!(line.push_run(&run, count));
                assert_eq!(written(&line), written(&pushed));
            }
        }
    }
}
