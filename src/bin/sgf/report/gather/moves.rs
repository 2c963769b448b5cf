//! Moves: how many there are, where they are, and how games of Go open.

use std::collections::BTreeMap;

use sgf_stream::value::Color;

use super::symmetry;
use super::top::{Sum, Top};
use crate::report::facts::{Facts, GO_19, Ground, Side, WHITE};

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

    pub(in crate::report) fn merge(&mut self, later: &Lengths) {
        if self.0.len() < later.0.len() {
            self.0.resize(later.0.len(), 0);
        }
        self.0.iter_mut().zip(&later.0).for_each(|(sum, more)| *sum += more);
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
        self.merge(&later);
    }

    fn weight(&self) -> u64 {
        self.games()
    }
}

/// Where moves were played on a board. Points are counted row by row.
#[derive(Clone, Debug)]
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

    fn add(&mut self, later: &Map) {
        self.games += later.games;
        for (sum, more) in [(&mut self.first, &later.first), (&mut self.all, &later.all), (&mut self.last, &later.last)]
        {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

/// An opening: the ranks of its moves ([`rank`]), and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::report) struct Opening {
    pub(in crate::report) len: u8,
    ranks: [u16; DEPTH],
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
    /// Openings of even games on 19x19, with all their beginnings: games, Black's wins, White's.
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
    /// The start of a game on 19x19: of its eight images the least. `None` if Black and White do not alternate.
    fn of(moves: &[u16]) -> Option<Opening> {
        let len = moves.len().min(DEPTH);
        let mut images = [[u16::MAX; DEPTH]; 8];
        for (n, code) in moves[..len].iter().enumerate() {
            let is_white = code & WHITE != 0;
            let of_point = symmetry::images(19).get(usize::from(code & !WHITE))?;
            if is_white != (n % 2 == 1) {
                return None;
            }
            images.iter_mut().zip(of_point).for_each(|(image, code)| image[n] = rank(code % 19, code / 19));
        }
        let ranks = images.into_iter().min()?;
        (len > 0).then_some(Opening { len: len as u8, ranks })
    }

    /// Its first moves.
    pub(in crate::report) fn start(mut self, len: u8) -> Opening {
        self.ranks[usize::from(len)..].fill(u16::MAX);
        Opening { len, ranks: self.ranks }
    }

    /// Its points, in order.
    pub(in crate::report) fn points(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ranks[..usize::from(self.len)].iter().map(|rank| point_of(*rank))
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
                None => self.lengths.add(key, Lengths::one(facts.move_count)),
            }
        }
        if let Some(side) = ground.side.filter(|side| !facts.is_go || SIDES.contains(side)) {
            self.map(ground, side, facts);
        }
        if ground != GO_19 || !facts.is_even() {
            return;
        }
        let Some(opening) = Opening::of(&facts.moves) else { return };
        let era = facts.year.map(|year| ERAS.iter().rposition(|(first, _)| year >= *first).unwrap_or(0) as u8);
        let of_era = self.first.entry(era).or_insert_with(|| vec![0; POINTS]);
        of_era[usize::from(opening.ranks[0])] += 1;
        let won = |color| u64::from(facts.winner == Some(color));
        for len in 1..=opening.len {
            self.openings.add(opening.start(len), [1, won(Color::Black), won(Color::White)]);
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

    pub(in crate::report) fn merge(&mut self, later: Played) {
        self.lengths.merge(later.lengths);
        for (ground, map) in later.maps {
            match self.maps.get_mut(&ground) {
                Some(sum) => sum.add(&map),
                None => _ = self.maps.insert(ground, map),
            }
        }
        for (era, counts) in later.first {
            let of_era = self.first.entry(era).or_insert_with(|| vec![0; POINTS]);
            of_era.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
        }
        self.openings.merge(later.openings);
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
                Opening::of(&codes.collect::<Vec<_>>()).unwrap()
            })
            .collect();
        assert!(openings.iter().all(|opening| *opening == openings[0]));
        assert_eq!(openings[0].points().collect::<Vec<_>>(), [(16, 3), (3, 2), (15, 16)]);
        // A beginning is the opening of the beginning.
        let beginning = Opening::of(&[code(0, 2, 3), code(1, 15, 2)]).unwrap();
        assert_eq!(openings[0].start(2), beginning);
        assert_eq!(Opening::of(&[code(1, 3, 3)]), None);
    }
}
