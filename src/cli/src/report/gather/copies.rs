//! Copies: games of Go and Hex with equal [lines](sgf_stream::board::LineHash).
//!
//! The hashes of all games would not fit in memory. When there are too many, half of all hashes are left out of the
//! count, by their value: what stays is a fair sample, and does not depend on the order of the games.

use std::collections::HashMap;

use super::sum::Sum;
use super::top::{Top, Weighted};
use crate::dups::least_stones;
use crate::input::Name;
use crate::report::facts::{FORFEIT, Facts, Side, WHITE};

/// Maximum number of hashes.
const MAX_HASHES: usize = 400_000;

/// Maximum number of groups that are known by name.
const MAX_GROUPS: usize = 4096;

/// A game that may be a copy.
#[derive(Debug)]
struct Sighting {
    hash: u64,
    group: Group,
}

/// Games that are equal; as known from one of them.
#[derive(Clone, Debug)]
pub(in crate::report) struct Group {
    pub(in crate::report) games: u64,
    pub(in crate::report) file: String,
    pub(in crate::report) offset: u64,
    pub(in crate::report) players: [Option<String>; 2],
    pub(in crate::report) date: Option<String>,
    /// The side of the board, if it is one of Go that is drawn.
    pub(in crate::report) side: Option<Side>,
    pub(in crate::report) setup: Vec<u16>,
    pub(in crate::report) moves: Vec<u16>,
}

impl Sum for Group {
    fn add(&mut self, later: Self) {
        self.games += later.games;
    }
}

impl Weighted for Group {
    fn weight(&self) -> u64 {
        self.games
    }
}

/// Counts of equal games.
#[derive(Debug)]
pub(in crate::report) struct Copies {
    /// The games of a part, before they are counted.
    sightings: Vec<Sighting>,
    /// Games by hash.
    counts: HashMap<u64, u32>,
    /// Hashes with one of the highest so many bits are not counted.
    ignored_bits: u32,
    groups: Top<u64, Group>,
}

impl Default for Copies {
    fn default() -> Self {
        Copies { sightings: Vec::new(), counts: HashMap::new(), ignored_bits: 0, groups: Top::new(MAX_GROUPS) }
    }
}

impl Copies {
    pub(in crate::report) fn game(&mut self, name: &Name, facts: &Facts) {
        // As `sgf dups` compares games.
        let white = facts.setup.iter().filter(|code| **code & WHITE != 0).count();
        let setup = [facts.setup.len() - white, white];
        // Passes and words do not count.
        let moves = facts.moves.iter().filter(|code| **code & !WHITE < FORFEIT).count();
        if moves + facts.setup.len() < least_stones(setup) {
            return;
        }
        let group = Group {
            games: 1,
            file: name.as_str().to_owned(),
            offset: facts.offset,
            players: facts.players.clone(),
            date: facts.date.clone(),
            side: facts.side,
            setup: facts.setup.clone(),
            moves: facts.moves.clone(),
        };
        self.sightings.push(Sighting { hash: facts.line, group });
    }

    /// Counts the games of a part.
    fn count(&mut self, part: Copies) {
        for Sighting { hash, group } in part.sightings {
            if self.is_ignored(hash) {
                continue;
            }
            let count = self.counts.entry(hash).or_default();
            *count += 1;
            match *count {
                1 => {}
                2 => self.groups.count(hash, Group { games: 2, ..group }),
                games => match self.groups.get_mut(&hash) {
                    Some(known) => known.games += 1,
                    None => self.groups.count(hash, Group { games: games.into(), ..group }),
                },
            }
            if self.counts.len() > MAX_HASHES {
                self.ignored_bits += 1;
                let bits = self.ignored_bits;
                self.counts.retain(|hash, _| !is_ignored(*hash, bits));
            }
        }
    }

    fn is_ignored(&self, hash: u64) -> bool {
        is_ignored(hash, self.ignored_bits)
    }

    /// Games that were compared, and those of them that are copies of another; both of the sample.
    pub(in crate::report) fn compared(&self) -> (u64, u64) {
        let games: u64 = self.counts.values().map(|count| u64::from(*count)).sum();
        (games, games - self.counts.len() as u64)
    }

    /// Groups of equal games in the sample, and by their size.
    pub(in crate::report) fn sizes(&self) -> std::collections::BTreeMap<u64, u64> {
        let mut sizes = std::collections::BTreeMap::new();
        self.counts
            .values()
            .filter(|count| **count > 1)
            .for_each(|count| *sizes.entry(u64::from(*count)).or_default() += 1);
        sizes
    }

    /// The largest groups.
    pub(in crate::report) fn largest(&self, most: usize) -> Vec<&Group> {
        let all = self.groups.sorted();
        all.into_iter().filter(|(hash, _)| !self.is_ignored(**hash)).take(most).map(|(_, group)| group).collect()
    }

    /// A sentence that says what is missing.
    pub(in crate::report) fn limit(&self) -> Option<String> {
        (self.ignored_bits > 0).then(|| {
            format!(
                "There are more different games than the {MAX_HASHES} that fit in memory: the numbers are those of a sample of \
                 one game in {}. `sgf dups` compares all.",
                1_u64 << self.ignored_bits.min(63)
            )
        })
    }
}

impl Sum for Copies {
    fn add(&mut self, later: Self) {
        self.count(later);
    }
}

fn is_ignored(hash: u64, bits: u32) -> bool {
    bits > 0 && hash >> (64 - bits.min(63)) != 0
}
