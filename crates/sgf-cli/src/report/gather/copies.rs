//! Copies: games with equal [lines](sgf_board::CanonicalLine), as `sgf dups` compares them.
//!
//! The lines of all games would not fit in memory. A line is known by a hash with a key of the process, which nobody can
//! forge. When there are too many, half of all lines are left out of the count, by their
//! [`LineHash`](sgf_board::LineHash): what stays is a fair sample, and does not depend on the order of the games.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::sum::Sum;
use super::top::{Top, Weighted};
use crate::input::Name;
use crate::report::facts::{Facts, Side};

/// The key of the hashes.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Maximum number of lines.
const MAX_LINES: usize = 400_000;

/// Maximum number of groups that are known by name.
const MAX_GROUPS: usize = 4096;

/// A line: its [`LineHash`](sgf_board::LineHash), and the hash with the key of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Line {
    hash: u64,
    keyed: u64,
}

/// A game that may be a copy.
#[derive(Debug)]
struct Sighting {
    line: Line,
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
    pub(in crate::report) move_count: u64,
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
    /// Games by line.
    counts: HashMap<Line, u32>,
    /// Number of highest bits of a hash. A line is counted only if these bits of its hash are zero.
    ignored_bits: u32,
    groups: Top<Line, Group>,
}

impl Default for Copies {
    fn default() -> Self {
        Copies { sightings: Vec::new(), counts: HashMap::new(), ignored_bits: 0, groups: Top::new(MAX_GROUPS) }
    }
}

impl Copies {
    pub(in crate::report) fn game(&mut self, name: &Name, facts: &Facts) {
        let Some((line, hash)) = &facts.line else { return };
        let line = Line { hash: *hash, keyed: KEY.hash_one(line) };
        let group = Group {
            games: 1,
            file: name.as_str().to_owned(),
            offset: facts.offset,
            players: facts.players.clone(),
            date: facts.date.clone(),
            side: facts.side,
            setup: facts.setup.clone(),
            moves: facts.moves.clone(),
            move_count: facts.move_count,
        };
        self.sightings.push(Sighting { line, group });
    }

    /// Counts the games of a part.
    fn count(&mut self, part: Copies) {
        for Sighting { line, group } in part.sightings {
            if self.is_ignored(line) {
                continue;
            }
            let count = self.counts.entry(line).or_default();
            *count += 1;
            match *count {
                1 => {}
                2 => self.groups.count(line, Group { games: 2, ..group }),
                games => match self.groups.get_mut(&line) {
                    Some(known) => known.games += 1,
                    None => self.groups.count(line, Group { games: games.into(), ..group }),
                },
            }
            if self.counts.len() > MAX_LINES {
                self.ignored_bits += 1;
                let bits = self.ignored_bits;
                self.counts.retain(|line, _| !is_ignored(*line, bits));
            }
        }
    }

    fn is_ignored(&self, line: Line) -> bool {
        is_ignored(line, self.ignored_bits)
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
        all.into_iter().filter(|(line, _)| !self.is_ignored(**line)).take(most).map(|(_, group)| group).collect()
    }

    /// A sentence that says what is missing.
    pub(in crate::report) fn limit(&self) -> Option<String> {
        (self.ignored_bits > 0).then(|| {
            format!(
                "There are more different games than the {MAX_LINES} that fit in memory: the numbers are those of a sample of \
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

fn is_ignored(line: Line, bits: u32) -> bool {
    bits > 0 && line.hash >> (64 - bits.min(63)) != 0
}
