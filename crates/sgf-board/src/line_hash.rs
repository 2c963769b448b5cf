//! The hash of a line: the one definition of a copy.

use sgf_stream::value::{Color, Symmetry};
use sgf_stream::{Game, RawValue, work};

use super::grid::Grid;
use super::keys::mix;

/// The hash of the line of a game, equal for copies of the game.
///
/// # What counts
///
/// * The game and the size of its board.
/// * The points of the stones that are played, in their order. Nothing is captured.
/// * Setup (`AB`, `AW`, `AE`), in the root and later, at its position between the stones. The order of setup between two
///   stones does not count, nor does the number of its nodes.
///
/// # What does not count
///
/// * The colors of the played stones. The two colors of setup are relative to the side that plays the first stone: a
///   problem remains the same if all its colors are exchanged, and a problem in which Black plays differs from the one in
///   which White plays at the same point. Before the first stone, `PL` determines that side; the default is Black.
/// * Passes, and unreadable moves.
/// * Game info, comments, marks and variations.
/// * Rotations and reflections of the board: a square Go board has eight symmetries, any other rectangle four. A Hex board
///   has two, because its sides belong to the players: unchanged, and rotated 180 degrees. Its reflections, which exchange
///   the colors, are different games.
///
/// Points of Go and Hex are read in every notation: `ge`, `G5` and `g5` are one point of Hex. In Hex, `swap-pieces` counts,
/// because it moves a stone; the other words do not. Other games, and boards with more than 52 columns or rows, are
/// compared as written.
///
/// # Cut short
///
/// The hashed line is the smallest, point by point, of the lines under all symmetries. The hash after some stones is
/// therefore the hash of the game truncated there.
///
/// # Collisions
///
/// Games with equal hashes are not always copies. Of the setup between two stones, the hash contains only a sum of keys, and
/// somebody can search for setup with an equal sum. Before you delete a game, compare the games, as `sgf dups` does.
///
/// # Other hashes
///
/// [`Board::canonical_hash`](super::Board::canonical_hash) compares positions: captures and colors count, but not
/// the order of the stones. [`Fingerprint::dyer`](super::Fingerprint::dyer) names the points of six moves, as other game
/// databases do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineHash {
    grid: Option<Grid>,
    /// The symmetries that produce the smallest line so far: bits in the order of [`Symmetry::ALL`].
    symmetries: u8,
    hash: [u64; 2],
    /// The color of the first stone.
    first: Option<Color>,
    /// The color that `PL` declares before it.
    to_play: Option<Color>,
    /// The setup after the last stone.
    setup: Setup,
    moves: usize,
    stones: usize,
    /// Number of stones of each color that were set up.
    set_up: [usize; 2],
}

/// The effect of setup on a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Change {
    #[default]
    None,
    Stone(Color),
    Empty,
}

/// The setup after the last stone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Setup {
    /// The changes of the points of a board, row by row; empty until there is one.
    changes: Vec<Change>,
    /// The points that were changed, each once.
    changed: Vec<u16>,
    /// The sums of the keys of values that were added as they are written, if Black plays first and if White does.
    raw: [u64; 2],
}

/// The kind of a key, so that no two kinds of keys are equal.
#[derive(Clone, Copy)]
enum KeyKind {
    Board = 1,
    Stone,
    Setup,
    Swap,
    Raw,
}

impl LineHash {
    /// Creates a line without stones.
    pub(super) fn new(game: Game, grid: Option<Grid>) -> Self {
        let mut line = LineHash {
            grid,
            symmetries: grid.map_or(1, Grid::symmetries),
            hash: [mix(game.number() as u64), 0],
            first: None,
            to_play: None,
            setup: Setup::default(),
            moves: 0,
            stones: 0,
            set_up: [0; 2],
        };
        if let Some(Grid { size, .. }) = grid {
            line.add(KeyKind::Board, |symmetry| {
                let size = symmetry.apply_to_size(size);
                u64::from(size.columns()) << 8 | u64::from(size.rows())
            });
        }
        line
    }

    /// Returns the number of readable moves so far, passes included.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Returns the number of moves so far that put a stone on the board.
    ///
    /// In games other than Go and Hex, every move counts.
    pub fn stone_count(&self) -> usize {
        self.stones
    }

    /// Returns the number of stones of a color that setup has placed so far.
    ///
    /// In games other than Go and Hex, every value counts.
    pub fn setup_count(&self, color: Color) -> usize {
        self.set_up[color as usize]
    }

    /// Returns the side that plays the first stone; before the first stone, that of `PL`.
    pub fn first_color(&self) -> Option<Color> {
        self.first.or(self.to_play)
    }

    /// Returns the hash.
    pub fn canonical(&self) -> [u8; 16] {
        if self.setup.is_empty() {
            return self.whole();
        }
        let mut line = self.clone();
        line.add_setup();
        line.whole()
    }

    /// Returns the orientation of the board, for comparison with copies of the game.
    #[doc(hidden)]
    pub fn orientation(&self) -> Orientation {
        if self.setup.is_empty() {
            return Orientation(self.symmetries);
        }
        let mut line = self.clone();
        line.add_setup();
        Orientation(line.symmetries)
    }

    fn whole(&self) -> [u8; 16] {
        let [first, second] = self.hash;
        (u128::from(mix(first ^ second >> 32)) << 64 | u128::from(mix(second))).to_be_bytes()
    }

    /// Adds the smallest of the keys under the symmetries.
    #[inline]
    fn add(&mut self, kind: KeyKind, key: impl Fn(Symmetry) -> u64) {
        let Some(least) = self.keep_least(key) else { return };
        let key = mix(least ^ (kind as u64) << 56);
        let [first, second] = &mut self.hash;
        *first = (first.rotate_left(23) ^ key).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        *second = (second.rotate_left(41) ^ key.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }

    /// Keeps the symmetries with the smallest key, and returns this key. There is always a symmetry.
    #[inline]
    fn keep_least<K: Ord>(&mut self, key: impl Fn(Symmetry) -> K) -> Option<K> {
        let (mut least, mut kept) = (None, 0);
        let mut rest = self.symmetries;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            let key = key(Symmetry::ALL[bit.trailing_zeros() as usize]);
            match &least {
                Some(least) if key > *least => {}
                Some(least) if key == *least => kept |= bit,
                _ => (least, kept) = (Some(key), bit),
            }
            rest ^= bit;
        }
        self.symmetries = kept;
        least
    }

    /// Prepares for a stone of this color.
    #[inline]
    fn before_stone(&mut self, color: Color) {
        if self.first.is_none() {
            self.first = Some(color);
        }
        if !self.setup.is_empty() {
            self.add_setup();
        }
        self.moves += 1;
        self.stones += 1;
    }

    /// Adds a stone that is played on the board.
    #[inline]
    pub(super) fn play(&mut self, color: Color, x: u8, y: u8) {
        self.before_stone(color);
        let Some(Grid { size, .. }) = self.grid else { return };
        self.add(KeyKind::Stone, |symmetry| of_point(symmetry.map((x.into(), y.into()), size)));
    }

    /// Adds a move without a stone.
    pub(super) fn pass(&mut self) {
        self.moves += 1;
    }

    /// Adds `swap-pieces` of Hex.
    pub(super) fn swap_pieces(&mut self) {
        self.moves += 1;
        self.add(KeyKind::Swap, |_| 0);
    }

    /// Adds setup of a point on the board.
    pub(super) fn set(&mut self, stone: Option<Color>, x: u8, y: u8) {
        let Some(Grid { size, .. }) = self.grid else { return };
        let Setup { changes, changed, .. } = &mut self.setup;
        if changes.is_empty() {
            changes.resize(size.columns() as usize * size.rows() as usize, Change::None);
            work::note(changes.len());
        }
        let at = usize::from(y) * size.columns() as usize + usize::from(x);
        if changes[at] == Change::None {
            changed.push(at as u16); // at most 52 * 52
        }
        let change = stone.map_or(Change::Empty, Change::Stone);
        if let (Some(color), true) = (stone, changes[at] != change) {
            self.set_up[color as usize] += 1;
        }
        changes[at] = change;
    }

    /// Adds a move as it is written, in other games.
    pub(super) fn play_raw(&mut self, color: Color, value: RawValue<'_>) {
        self.before_stone(color);
        let key = of_text(value);
        self.add(KeyKind::Raw, |_| key);
    }

    /// Adds setup as it is written: in other games, and if rectangles name too many points.
    pub(super) fn set_raw(&mut self, stone: Option<Color>, value: RawValue<'_>) {
        if let Some(color) = stone {
            self.set_up[color as usize] += 1;
        }
        let key = of_text(value);
        for (sum, first) in self.setup.raw.iter_mut().zip([Color::Black, Color::White]) {
            *sum = sum.wrapping_add(mix(key ^ role(stone, first)) | 1);
        }
    }

    /// `PL` says which side is to play.
    pub(super) fn set_to_play(&mut self, color: Color) {
        self.to_play = Some(color);
    }

    /// Adds the setup so far, which a stone or the end follows.
    #[cold]
    fn add_setup(&mut self) {
        let Setup { changes, changed, raw } = std::mem::take(&mut self.setup);
        work::note(changed.len());
        let first = self.first.or(self.to_play).unwrap_or(Color::Black);
        if raw != [0; 2] {
            self.add(KeyKind::Setup, |_| raw[first as usize] >> 8);
        }
        let Some(Grid { size, .. }) = self.grid else { return };
        // Before the first stone every point is empty anyway.
        let is_start = self.stones == 0;
        let columns = size.columns();
        let stones = changed.iter().filter_map(|&at| match changes[usize::from(at)] {
            Change::Stone(color) => Some((u32::from(at), Some(color))),
            Change::Empty if !is_start => Some((u32::from(at), None)),
            Change::Empty | Change::None => None,
        });
        let stones: Vec<_> = stones.collect();
        if !stones.is_empty() {
            self.add(KeyKind::Setup, |symmetry| {
                let key = |&(at, stone): &(u32, Option<Color>)| {
                    mix(of_point(symmetry.map((at % columns, at / columns), size)) << 8 | role(stone, first))
                };
                stones.iter().map(key).fold(0, u64::wrapping_add) >> 8
            });
            // Different setup can have equal sums, and the orientation must be exact.
            let list = |symmetry: Symmetry| {
                let item = |&(at, stone): &(u32, Option<Color>)| {
                    of_point(symmetry.map((at % columns, at / columns), size)) << 2 | role(stone, first)
                };
                let mut list: Vec<u64> = stones.iter().map(item).collect();
                list.sort_unstable();
                list
            };
            if self.symmetries.count_ones() > 1 {
                self.keep_least(list);
            }
        }
    }
}

impl Setup {
    #[inline]
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.raw == [0; 2]
    }
}

#[inline]
fn of_point((x, y): (u32, u32)) -> u64 {
    u64::from(y << 8 | x)
}

/// Returns the effect of setup on a point: a stone of the side that plays first, one of the other side, or nothing.
pub(super) fn role(stone: Option<Color>, first: Color) -> u64 {
    match stone {
        Some(color) => 1 + u64::from(color != first),
        None => 3,
    }
}

fn of_text(value: RawValue<'_>) -> u64 {
    let text = value.as_bytes().trim_ascii();
    work::note(text.len());
    let key = text.chunks(8).fold(mix(text.len() as u64), |key, chunk| {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        mix(key ^ u64::from_le_bytes(bytes))
    });
    key >> 8
}

/// The orientation of the board of a game, for comparison with copies.
///
/// Returned by [`LineHash::orientation`].
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::{Fingerprint, Likeness};
///
/// let games = b"(;B[qd];W[dc])(;GM[1];B[qd];W[dc])(;B[dc];W[cp])(;B[cd];W[pc])";
/// let mut reader = Parser::new().slice(games);
/// let mut orientations = Vec::new();
/// while let Some(print) = reader.read_game(&mut Fingerprint::visitor())? {
///     orientations.push(print.line().orientation());
/// }
/// let likeness = |n: usize| orientations[0].likeness(orientations[n]);
/// assert_eq!([1, 2, 3].map(likeness), [Likeness::Same, Likeness::Turned, Likeness::Mirrored]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct Orientation(u8);

/// The transformation between two copies of a game: see [`Orientation::likeness`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(hidden)]
pub enum Likeness {
    /// None: the boards are equal.
    Same,
    /// A rotation.
    Turned,
    /// A reflection, possibly with a rotation.
    Mirrored,
}

impl Orientation {
    /// Compares two copies of a game. Returns the first possible [`Likeness`] in their order.
    pub fn likeness(self, other: Orientation) -> Likeness {
        // Those of ALL that mirror the board have an odd number of bits: of two flips and a transposition.
        const MIRRORS: u8 = 0b1001_0110;
        let kinds = |orientation: Orientation| [orientation.0 & !MIRRORS != 0, orientation.0 & MIRRORS != 0];
        let (one, two) = (kinds(self), kinds(other));
        match () {
            () if self.0 & other.0 != 0 => Likeness::Same,
            () if one[0] && two[0] || one[1] && two[1] => Likeness::Turned,
            () => Likeness::Mirrored,
        }
    }

    /// Returns the first symmetry that turns the board to its canonical orientation.
    pub(super) fn symmetry(self) -> Symmetry {
        let first = self.0.trailing_zeros() as usize;
        Symmetry::ALL.get(first).copied().unwrap_or(Symmetry::ALL[0])
    }

    /// Returns the orientation as a number.
    pub fn to_bits(self) -> u8 {
        self.0
    }

    /// Returns the orientation of a number from [`to_bits`](Self::to_bits).
    pub fn from_bits(bits: u8) -> Self {
        Orientation(bits)
    }
}
