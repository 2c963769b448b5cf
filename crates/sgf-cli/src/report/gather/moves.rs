//! Moves: how many there are, where they are, and how games of Go and Hex open.

use std::collections::BTreeMap;

use sgf_search::{GameFacts, Openings, Way};
use sgf_stream::Game;
use sgf_stream::value::{Color, Size};

use super::sum::{Sum, add_fields};
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
const ERAS: [(i32, &str); 6] = [
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
    Played { lengths, maps, first, openings, hex }
}

/// An opening of Hex: its moves as codes, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::report) struct HexOpening {
    pub(in crate::report) ground: Ground,
    pub(in crate::report) len: u8,
    moves: [u16; DEPTH],
}

/// A move of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Step {
    /// The column and the row.
    Stone(Color, u8, u8),
    /// A pass, in Go.
    Pass(Color),
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
    /// First moves of even games of Go on 19x19, with the eras as groups; `None` without such games.
    pub(in crate::report) first: Option<Openings>,
    /// Openings of the same games.
    pub(in crate::report) openings: Option<Openings>,
    /// Openings of games of Hex, with all their beginnings: games, Black's wins, White's.
    pub(in crate::report) hex: Top<HexOpening, [u64; 3]>,
}

/// Maximum number of openings of each game that are counted.
const MAX_OPENINGS: usize = 60_000;

impl Default for Played {
    fn default() -> Self {
        Played {
            lengths: Top::new(MAX_LENGTHS),
            maps: BTreeMap::new(),
            first: None,
            openings: None,
            hex: Top::new(MAX_OPENINGS),
        }
    }
}

/// Adds an even game on 19x19 to the counts of the openings of such games.
fn add_opening(counts: &mut Option<Openings>, plies: usize, way: &Way, facts: &GameFacts<'_>) {
    if counts.is_none() {
        let empty = Openings::from_empty(Size::default()); // 19x19
        *counts = empty.map(|empty| empty.plies(plies as u16).max_positions(MAX_OPENINGS));
    }
    if let Some(counts) = counts {
        counts.add(way, facts);
    }
}

/// Beyond the end of an opening.
const NO_MOVE: u16 = u16::MAX;

impl HexOpening {
    /// The start of a game: the lesser of its two images. `None` if Black and White do not alternate, or if it is not of Hex.
    fn of(ground: Ground, codes: &[u16]) -> Option<HexOpening> {
        let Ground { game: Game::Hex, side: Some(side) } = ground else { return None };
        let len = codes.len().min(DEPTH);
        let moves = HexOpening::moves(side, &codes[..len])?;
        (len > 0).then_some(HexOpening { ground, len: len as u8, moves })
    }

    /// Either color may begin, and again after a swap.
    fn moves(side: Side, codes: &[u16]) -> Option<[u16; DEPTH]> {
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
    pub(in crate::report) fn start(mut self, len: u8) -> HexOpening {
        self.moves[usize::from(len)..].fill(NO_MOVE);
        HexOpening { len, ..self }
    }

    /// Its last move.
    pub(in crate::report) fn last(&self) -> Option<Step> {
        let (side, number) = (self.ground.side.map(u16::from)?, self.moves[usize::from(self.len).checked_sub(1)?]);
        Some(match number & !WHITE {
            SWAP_SIDES => Step::SwapSides,
            SWAP_PIECES => Step::SwapPieces,
            code => {
                let color = if number & WHITE == 0 { Color::Black } else { Color::White };
                Step::Stone(color, (code % side) as u8, (code / side) as u8)
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
        if !facts.is_even() {
            return;
        }
        match ground.game {
            Game::Go if ground == GO_19 => self.opening_of_go(facts),
            Game::Hex => self.opening_of_hex(ground, facts),
            _ => {}
        }
    }

    fn opening_of_go(&mut self, facts: &Facts) {
        let Some(way) = &facts.way else { return };
        let (outcome, year) = (facts.outcome(), facts.year);
        let era = year.and_then(|year| ERAS.iter().rposition(|(first, _)| year >= *first));
        let era = era.map_or((i64::MAX, "undated"), |era| (era as i64, ERAS[era].1));
        add_opening(&mut self.first, 1, way, &GameFacts { outcome, year, group: Some(era) });
        add_opening(&mut self.openings, DEPTH, way, &GameFacts { outcome, year, group: None });
    }

    fn opening_of_hex(&mut self, ground: Ground, facts: &Facts) {
        // A game that ends here has no more moves.
        let words = facts.moves.iter().position(|code| [RESIGN, FORFEIT].contains(&(code & !WHITE)));
        let moves = &facts.moves[..words.unwrap_or(facts.moves.len())];
        let Some(opening) = HexOpening::of(ground, moves) else { return };
        let won = |color| u64::from(facts.winner == Some(color));
        for len in 1..=opening.len {
            self.hex.count(opening.start(len), [1, won(Color::Black), won(Color::White)]);
        }
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
    use super::*;

    #[test]
    fn openings_of_hex_are_turned_and_may_be_swapped() {
        let ground = Ground { game: Game::Hex, side: Some(11) };
        let of = |codes: &[u16]| HexOpening::of(ground, codes);
        let black = of(&[1, 60 | WHITE, 3]).unwrap();
        assert_eq!(of(&[119, 60 | WHITE, 117]), Some(black));
        // It has no other images, and White may begin.
        assert_ne!(of(&[9, 60 | WHITE, 7]), Some(black));
        let white = of(&[119 | WHITE, 60, 117 | WHITE]).unwrap();
        assert_eq!(white.start(1).last(), Some(Step::Stone(Color::White, 1, 0)));
        assert_eq!(of(&[1, 2]), None);
        for (swap, step) in [(SWAP_PIECES, Step::SwapPieces), (SWAP_SIDES, Step::SwapSides)] {
            for after in [5, 5 | WHITE] {
                let swapped = of(&[1, swap | WHITE, after]).unwrap();
                assert_eq!(of(&[119, swap | WHITE, 115 | (after & WHITE)]), Some(swapped));
                assert_eq!(swapped.start(2).last(), Some(step));
            }
            assert_eq!(of(&[1, 5 | WHITE, swap]), None);
        }
        assert_eq!(of(&[121]), None);
        assert_eq!(HexOpening::of(GO_19, &[1]), None);
        assert_eq!(HexOpening::of(Ground { game: Game::Hex, side: None }, &[1]), None);
    }
}
