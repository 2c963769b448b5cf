//! Boards of Go and Hex, and their points.

use sgf_stream::property::Context;
use sgf_stream::value::{Color, GridPoint, Rect, Size, Symmetry, go, hex};
use sgf_stream::{Game, RawValue, work};

use super::keys::{mix, stone};
use super::replay::{read_area, read_move};

/// A board of Go or of Hex, with up to 52 columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Its size.
    pub size: Size,
    /// Whether it is a board of Hex.
    pub is_hex: bool,
}

/// The point or the word of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridMove {
    /// The column and the row.
    At(u8, u8),
    /// A pass.
    Pass,
    /// In Hex: the players swap sides.
    SwapSides,
    /// In Hex: the stone changes its color, and is reflected in the long diagonal.
    SwapPieces,
    /// In Hex: the player resigns.
    Resign,
    /// In Hex: the player forfeits.
    Forfeit,
}

impl Grid {
    /// Returns the board of a game.
    ///
    /// `None` if the game is neither Go nor Hex, or if its board is too large.
    pub fn of(context: &Context) -> Option<Grid> {
        let is_hex = match context.game() {
            Game::Go => false,
            Game::Hex => true,
            _ => return None,
        };
        // Boards of Hex have the limit of those of Go, so that points have one representation.
        let size = context.board().filter(|size| size.fits(Game::Go))?;
        Some(Grid { size, is_hex })
    }

    /// Returns the symmetries of the board, as bits in the order of [`Symmetry::ALL`].
    pub fn symmetries(self) -> u8 {
        let game = if self.is_hex { Game::Hex } else { Game::Go };
        Symmetry::ALL
            .into_iter()
            .filter(|symmetry| symmetry.is_of(game))
            .fold(0, |bits, symmetry| bits | 1 << symmetry.index())
    }

    /// Reads a move, leniently if necessary.
    #[inline]
    pub fn read_move(self, value: RawValue<'_>) -> Option<GridMove> {
        if self.is_hex {
            return self.read_hex(value);
        }
        Some(match read_move(value, self.size)? {
            go::Move::Play(point) => {
                let (x, y) = (point.x(), point.y());
                self.size.holds(x.into(), y.into()).then_some(GridMove::At(x, y))?
            }
            go::Move::Pass => GridMove::Pass,
        })
    }

    fn read_hex(self, value: RawValue<'_>) -> Option<GridMove> {
        Some(match hex::Move::parse(value).or_else(|_| hex::Move::parse_lenient(value)).ok()? {
            hex::Move::Play(point) => {
                let (x, y) = point.grid();
                self.size.holds(x, y).then_some(GridMove::At(x as u8, y as u8))?
            }
            hex::Move::SwapSides => GridMove::SwapSides,
            hex::Move::SwapPieces => GridMove::SwapPieces,
            hex::Move::Resign => GridMove::Resign,
            hex::Move::Forfeit => GridMove::Forfeit,
            _ => GridMove::Pass,
        })
    }

    /// Calls a function with each point of a setup value that is on the board.
    pub fn each_point(self, value: RawValue<'_>, mut call: impl FnMut(u8, u8)) {
        // Lenient parsing accepts points that are not on the board.
        let Some([(left, top), (right, bottom)]) = self.corners(value) else { return };
        for y in top..=bottom.min(self.size.rows() - 1) {
            for x in left..=right.min(self.size.columns() - 1) {
                work::note(1);
                call(x as u8, y as u8); // less than 52
            }
        }
    }

    /// Returns the number of points in a value of a setup property.
    pub fn area(self, value: RawValue<'_>) -> u64 {
        self.corners(value)
            .map_or(0, |[(left, top), (right, bottom)]| u64::from(right - left + 1) * u64::from(bottom - top + 1))
    }

    /// Returns the upper left and the lower right corner of a point or a rectangle.
    fn corners(self, value: RawValue<'_>) -> Option<[(u32, u32); 2]> {
        fn of<P: GridPoint>(area: Rect<P>) -> [(u32, u32); 2] {
            [area.upper_left().grid(), area.lower_right().grid()]
        }
        if !self.is_hex {
            return read_area(value, self.size).map(of);
        }
        let lenient = |_| Rect::<hex::Point>::parse_on_lenient(value, self.size);
        Rect::parse_on(value, self.size).or_else(lenient).ok().map(of)
    }
}

/// Returns whether a move can only be a Hex move: `swap`, `resign` and so on. Go also has passes, and points of a letter
/// and a number.
pub fn is_word_of_hex(value: RawValue<'_>) -> bool {
    let is_word = |read| !matches!(read, hex::Move::Play(_) | hex::Move::Pass);
    hex::Move::parse_lenient(value).is_ok_and(is_word)
}

/// The stones on a Hex board, where nothing is captured.
#[derive(Clone, Debug)]
pub(super) struct HexStones {
    size: Size,
    stones: Vec<Option<Color>>,
}

impl HexStones {
    pub(super) fn new(size: Size) -> Self {
        HexStones { size, stones: vec![None; size.columns() as usize * size.rows() as usize] }
    }

    fn index(&self, x: u8, y: u8) -> usize {
        usize::from(y) * self.size.columns() as usize + usize::from(x)
    }

    pub(super) fn set(&mut self, x: u8, y: u8, stone: Option<Color>) {
        let at = self.index(x, y);
        self.stones[at] = stone;
    }

    /// Returns the columns, rows and colors of all stones.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u32, Color)> + '_ {
        let columns = self.size.columns();
        let stones = (0..).zip(&self.stones);
        stones.filter_map(move |(at, stone)| stone.map(|color| (at % columns, at / columns, color)))
    }

    /// Sets a point, if it is on the board. Returns the stone that it replaces.
    pub(super) fn replace(&mut self, (x, y): (u32, u32), stone: Option<Color>) -> Option<Color> {
        let is_on_board = self.size.holds(x, y);
        is_on_board.then(|| self.index(x as u8, y as u8)).and_then(|at| std::mem::replace(&mut self.stones[at], stone))
    }

    /// Returns the stones that have no point when they are reflected in the long diagonal.
    pub(super) fn lost_if_swapped(&self) -> impl Iterator<Item = (u32, u32, Color)> + '_ {
        self.all().filter(|&(x, y, _)| !self.size.holds(y, x))
    }

    /// Changes the colors of the stones, and reflects them in the long diagonal.
    pub(super) fn swap_pieces(&mut self) {
        let mut swapped = HexStones::new(self.size);
        work::note(self.stones.len());
        for (x, y, color) in self.all().filter(|&(x, y, _)| self.size.holds(y, x)) {
            swapped.set(y as u8, x as u8, Some(color.opponent()));
        }
        *self = swapped;
    }

    /// Returns the smaller hash of the position and the position rotated 180 degrees.
    pub(super) fn canonical_hash(&self) -> u64 {
        let (columns, rows) = (self.size.columns(), self.size.rows());
        let empty = mix(Game::Hex.number() as u64) ^ mix(u64::from(columns) << 16 | u64::from(rows) << 8);
        let turned = Symmetry::ROTATE_180;
        let of = |turns: bool| {
            self.all().fold(empty, |hash, (x, y, color)| {
                let (x, y) = if turns { turned.map((x, y), self.size) } else { (x, y) };
                hash ^ stone(x, y, color)
            })
        };
        of(false).min(of(true))
    }
}
