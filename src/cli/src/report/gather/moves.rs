//! Moves: how many there are, where they are, and how games of Go open.

use std::collections::BTreeMap;

use sgf_stream::Game;
use sgf_stream::value::Color;

use super::sum::{Sum, add_fields};
use super::symmetry;
use super::top::{Top, Weighted};
use crate::report::facts::{FORFEIT, Facts, GO_19, Ground, RESIGN, SWAP_PIECES, SWAP_SIDES, Side, WHITE};

/// The greatest number of moves that has a number of its own.
pub(in crate::report) const MOST_MOVES: usize = 600;

/// Moves of an opening.
pub(in crate::report) const DEPTH: usize = 6;

/// Maximum number of boards and years whose lengths are counted apart.
const MAX_LENGTHS: usize = 10_000;

/// Boards of Go that have maps.
pub(in crate::report) const SIDES: [Side; 3] = [19, 13, 9];

/// The first years of the eras, but for the first one.
pub(in crate::report) const ERAS: [(i32, &str); 6] = [
    (i32::MIN, "before 1900"),
    (1900, "1900–1949"),
    (1950, "1950–1979"),
    (1980, "1980–1999"),
    (2000, "2000–2015"),
    (2016, "from 2016"),
];

/// Games by their number of moves.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Lengths(Vec<u32>);

impl Lengths {
    /// A game with a number of moves.
    fn one(moves: u64) -> Self {
        let mut lengths = Lengths::default();
        lengths.count(moves);
        lengths
    }

    fn count(&mut self, moves: u64) {
        let moves = (moves as usize).min(MOST_MOVES);
        if self.0.len() <= moves {
            self.0.resize(moves + 1, 0);
        }
        self.0[moves] += 1;
    }

    pub(in crate::report) fn games(&self) -> u64 {
        self.0.iter().map(|count| u64::from(*count)).sum()
    }

    /// Games by number of moves.
    pub(in crate::report) fn counts(&self) -> Vec<u64> {
        self.0.iter().map(|count| u64::from(*count)).collect()
    }
}

impl Sum for Lengths {
    fn add(&mut self, later: Self) {
        self.0.add(later.0);
    }
}

impl Weighted for Lengths {
    fn weight(&self) -> u64 {
        self.games()
    }
}

/// Where moves were played on a board. Points are counted row by row.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Map {
    pub(in crate::report) games: u64,
    pub(in crate::report) first: Vec<u64>,
    pub(in crate::report) all: Vec<u64>,
    pub(in crate::report) last: Vec<u64>,
}

impl Map {
    fn new(side: Side) -> Self {
        let points = vec![0; usize::from(side) * usize::from(side)];
        Map { games: 0, first: points.clone(), all: points.clone(), last: points }
    }
}

add_fields! {
    Map { games, first, all, last }
    Played { lengths, maps, first, openings }
}

/// An opening of one of the [boards that have them](Opening::has): its moves as numbers, and how many there are. Of Go they are
/// [ranks](rank), of Hex codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::report) struct Opening {
    pub(in crate::report) ground: Ground,
    pub(in crate::report) len: u8,
    moves: [u16; DEPTH],
}

/// A move of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Step {
    /// The column and the row.
    Stone(Color, u8, u8),
    /// Swaps the sides, in Hex.
    SwapSides,
    SwapPieces,
}

/// Sums over moves.
#[derive(Debug)]
pub(in crate::report) struct Played {
    /// Games of Go with a result, and all other games that have moves; by board and year (`None`: undated).
    pub(in crate::report) lengths: Top<(Ground, Option<i32>), Lengths>,
    /// Of the boards of Go in [`SIDES`], and of all boards of other games whose points are known.
    pub(in crate::report) maps: BTreeMap<Ground, Map>,
    /// First moves of even games on 19x19, by era, folded by symmetry; by rank.
    pub(in crate::report) first: BTreeMap<Option<u8>, Vec<u64>>,
    /// Openings of even games of Go on 19x19, and of games of Hex, with all their beginnings: games, Black's wins, White's.
    pub(in crate::report) openings: Top<Opening, [u64; 3]>,
}

impl Default for Played {
    fn default() -> Self {
        Played {
            lengths: Top::new(MAX_LENGTHS),
            maps: BTreeMap::new(),
            first: BTreeMap::new(),
            openings: Top::new(60_000),
        }
    }
}

/// Beyond the end of an opening.
const NO_MOVE: u16 = u16::MAX;

/// Points of 19x19.
const POINTS: usize = 361;

/// The place of a point among all, so that of the eight images of a game the least has its first move in the upper right
/// corner, nearer to the right side than to the upper one.
fn rank(x: u16, y: u16) -> u16 {
    (18 - x) * 19 + y
}

/// The point of a rank.
pub(in crate::report) fn point_of(rank: u16) -> (u32, u32) {
    (18 - u32::from(rank) / 19, u32::from(rank) % 19)
}

impl Opening {
    /// Whether openings are counted on a board.
    fn has(ground: Ground) -> bool {
        ground == GO_19 || ground.game == Game::Hex && ground.side.is_some()
    }

    /// The start of a game: of all its images the least. `None` if Black and White do not alternate.
    fn of(ground: Ground, codes: &[u16]) -> Option<Opening> {
        let len = codes.len().min(DEPTH);
        let moves = match ground {
            GO_19 => Opening::of_go(&codes[..len])?,
            Ground { game: Game::Hex, side: Some(side) } => Opening::of_hex(side, &codes[..len])?,
            _ => return None,
        };
        (len > 0).then_some(Opening { ground, len: len as u8, moves })
    }

    fn of_go(codes: &[u16]) -> Option<[u16; DEPTH]> {
        let mut images = [[NO_MOVE; DEPTH]; 8];
        for (n, code) in codes.iter().enumerate() {
            let is_white = code & WHITE != 0;
            let of_point = symmetry::images(19).get(usize::from(code & !WHITE))?;
            if is_white != (n % 2 == 1) {
                return None;
            }
            images.iter_mut().zip(of_point).for_each(|(image, code)| image[n] = rank(code % 19, code / 19));
        }
        images.into_iter().min()
    }

    /// Either color may begin, and again after a swap.
    fn of_hex(side: Side, codes: &[u16]) -> Option<[u16; DEPTH]> {
        let last = u16::from(side) * u16::from(side) - 1;
        let mut images = [[NO_MOVE; DEPTH]; 2];
        for (n, code) in codes.iter().enumerate() {
            let follows_swap = n == 2 && [SWAP_SIDES, SWAP_PIECES].contains(&(codes[1] & !WHITE));
            if n > 0 && !follows_swap && (codes[n - 1] ^ code) & WHITE == 0 {
                return None;
            }
            let turned = match code & !WHITE {
                point if point <= last => (last - point) | (code & WHITE),
                SWAP_SIDES | SWAP_PIECES if n == 1 => *code,
                _ => return None,
            };
            (images[0][n], images[1][n]) = (*code, turned);
        }
        images.into_iter().min_by_key(|image| image.map(|code| (code & !WHITE, code)))
    }

    /// Its first moves.
    pub(in crate::report) fn start(mut self, len: u8) -> Opening {
        self.moves[usize::from(len)..].fill(NO_MOVE);
        Opening { len, ..self }
    }

    /// Its moves, in order.
    pub(in crate::report) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let side = self.ground.side.map_or(19, u16::from);
        self.moves[..usize::from(self.len)].iter().enumerate().map(move |(n, number)| {
            if self.ground == GO_19 {
                let (x, y) = point_of(*number);
                let color = if n % 2 == 0 { Color::Black } else { Color::White };
                return Step::Stone(color, x as u8, y as u8);
            }
            match number & !WHITE {
                SWAP_SIDES => Step::SwapSides,
                SWAP_PIECES => Step::SwapPieces,
                code => {
                    let color = if number & WHITE == 0 { Color::Black } else { Color::White };
                    Step::Stone(color, (code % side) as u8, (code / side) as u8)
                }
            }
        })
    }
}

impl Played {
    pub(in crate::report) fn game(&mut self, facts: &Facts) {
        let Some(ground) = facts.ground else { return };
        // A problem of Go has moves, but no result. Files of other games rarely say the result.
        if facts.move_count > 0 && (facts.has_outcome() || !facts.is_go) {
            let key = (ground, facts.year);
            match self.lengths.get_mut(&key) {
                Some(lengths) => lengths.count(facts.move_count),
                None => self.lengths.count(key, Lengths::one(facts.move_count)),
            }
        }
        if let Some(side) = ground.side.filter(|side| !facts.is_go || SIDES.contains(side)) {
            self.map(ground, side, facts);
        }
        if !Opening::has(ground) || !facts.is_even() {
            return;
        }
        // A game that ends here has no more moves.
        let words = facts.moves.iter().position(|code| [RESIGN, FORFEIT].contains(&(code & !WHITE)));
        let moves = &facts.moves[..words.unwrap_or(facts.moves.len())];
        let Some(opening) = Opening::of(ground, moves) else { return };
        if ground == GO_19 {
            self.first_of_go(facts, opening);
        }
        let won = |color| u64::from(facts.winner == Some(color));
        for len in 1..=opening.len {
            self.openings.count(opening.start(len), [1, won(Color::Black), won(Color::White)]);
        }
    }

    fn first_of_go(&mut self, facts: &Facts, opening: Opening) {
        let era = facts.year.map(|year| ERAS.iter().rposition(|(first, _)| year >= *first).unwrap_or(0) as u8);
        let of_era = self.first.entry(era).or_insert_with(|| vec![0; POINTS]);
        of_era[usize::from(opening.moves[0])] += 1;
    }

    fn map(&mut self, ground: Ground, side: Side, facts: &Facts) {
        let points = u16::from(side) * u16::from(side);
        let played = || facts.moves.iter().map(|code| code & !WHITE).filter(|code| *code < points).map(usize::from);
        let (Some(first), Some(last)) = (played().next(), played().next_back()) else { return };
        let map = self.maps.entry(ground).or_insert_with(|| Map::new(side));
        map.games += 1;
        map.first[first] += 1;
        map.last[last] += 1;
        played().for_each(|point| map.all[point] += 1);
    }
}

#[cfg(test)]
mod tests {
    use sgf_stream::board::Symmetry;
    use sgf_stream::value::{Size, go};

    use super::*;

    #[test]
    fn openings_that_are_turned_or_mirrored_are_one() {
        // R16 D17 Q3 and its image D3 ... as codes: y * 19 + x.
        let code = |n: usize, x: u16, y: u16| y * 19 + x + if n % 2 == 1 { WHITE } else { 0 };
        let game = [(16, 3), (3, 2), (15, 16)];
        let size = Size::square(19).unwrap();
        let openings: Vec<_> = Symmetry::ALL
            .into_iter()
            .map(|symmetry| {
                let codes = game.iter().enumerate().map(|(n, (x, y))| {
                    let point = symmetry.apply(go::Point::new(*x, *y).unwrap(), size).unwrap();
                    code(n, point.x().into(), point.y().into())
                });
                Opening::of(GO_19, &codes.collect::<Vec<_>>()).unwrap()
            })
            .collect();
        assert!(openings.iter().all(|opening| *opening == openings[0]));
        let stone = |color, x, y| Step::Stone(color, x, y);
        let steps = [stone(Color::Black, 16, 3), stone(Color::White, 3, 2), stone(Color::Black, 15, 16)];
        assert_eq!(openings[0].steps().collect::<Vec<_>>(), steps);
        // A beginning is the opening of the beginning.
        let beginning = Opening::of(GO_19, &[code(0, 2, 3), code(1, 15, 2)]).unwrap();
        assert_eq!(openings[0].start(2), beginning);
        assert_eq!(Opening::of(GO_19, &[code(1, 3, 3)]), None);
    }

    #[test]
    fn openings_of_hex_are_turned_and_may_be_swapped() {
        let ground = Ground { game: Game::Hex, side: Some(11) };
        let of = |codes: &[u16]| Opening::of(ground, codes);
        let black = of(&[1, 60 | WHITE, 3]).unwrap();
        assert_eq!(of(&[119, 60 | WHITE, 117]), Some(black));
        // It has no other images, and White may begin.
        assert_ne!(of(&[9, 60 | WHITE, 7]), Some(black));
        let white = of(&[119 | WHITE, 60, 117 | WHITE]).unwrap();
        assert_eq!(white.steps().next(), Some(Step::Stone(Color::White, 1, 0)));
        assert_eq!(of(&[1, 2]), None);
        for (swap, step) in [(SWAP_PIECES, Step::SwapPieces), (SWAP_SIDES, Step::SwapSides)] {
            for after in [5, 5 | WHITE] {
                let swapped = of(&[1, swap | WHITE, after]).unwrap();
                assert_eq!(of(&[119, swap | WHITE, 115 | (after & WHITE)]), Some(swapped));
                assert_eq!(swapped.steps().nth(1), Some(step));
            }
            assert_eq!(of(&[1, 5 | WHITE, swap]), None);
        }
        assert_eq!(of(&[121]), None);
        assert_eq!(Opening::of(Ground { game: Game::Hex, side: None }, &[1]), None);
    }
}
