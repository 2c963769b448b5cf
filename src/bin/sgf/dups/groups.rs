//! Groups of copies.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::cut_short::Beginnings;
use super::games::{Game, Games};

/// The groups, in the order of their first games.
pub(super) struct Groups {
    /// Games of a group, in the order of the inputs, one group after the other.
    games: Vec<Game>,
    /// Where each group ends.
    ends: Vec<usize>,
}

/// Games that are copies of each other.
#[derive(Clone, Copy)]
pub(super) struct Group<'g> {
    pub(super) games: &'g [Game],
    /// Which of them is best.
    pub(super) best: usize,
    pub(super) reason: Reason,
}

/// Why a copy is the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    MostStones,
    MostProperties,
    FewestFaults,
    First,
}

impl Reason {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Reason::MostStones => "most stones",
            Reason::MostProperties => "most properties",
            Reason::FewestFaults => "fewest faults",
            Reason::First => "first",
        }
    }
}

impl Groups {
    /// Makes groups of the games, and subtracts those that have a better copy in a file from the number of games in each
    /// file. What comes from standard input is gone afterwards, and is no reason to remove a file.
    pub(super) fn new(games: &mut Games, beginnings: &Beginnings) -> Self {
        let longer: HashSet<u64> = beginnings.values().copied().collect();
        let mut by_line: HashMap<u64, Vec<Game>> = HashMap::new();
        for same_line in games.all.chunk_by(|a, b| a.opening == b.opening && a.line == b.line) {
            let whole = whole_line(same_line[0].line, beginnings);
            if same_line.len() > 1 || whole != same_line[0].line || longer.contains(&whole) {
                by_line.entry(whole).or_default().extend(same_line);
            }
        }
        let mut groups: Vec<Vec<Game>> = by_line.into_values().filter(|games| games.len() > 1).collect();
        groups.iter_mut().for_each(|games| games.sort_by_key(|game| (game.file, game.offset)));
        groups.sort_by_key(|games| (games[0].file, games[0].offset));
        let ends = groups.iter().scan(0, |end, games| {
            *end += games.len();
            Some(*end)
        });
        let all = Groups { ends: ends.collect(), games: groups.concat() };
        for group in all.iter() {
            let kept = group.best_of(|game| !games.files[game.file as usize].is_stdin);
            for (number, game) in group.games.iter().enumerate() {
                let file = &mut games.files[game.file as usize];
                file.games = file.games.saturating_sub(u32::from(kept.is_some_and(|kept| number != kept)));
            }
        }
        all
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Group<'_>> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| Group::new(&self.games[start..end]))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of games that have a better copy.
    pub(super) fn copies(&self) -> usize {
        self.games.len() - self.ends.len()
    }
}

/// The longest line that begins with this one.
fn whole_line(line: u64, beginnings: &Beginnings) -> u64 {
    // Each is longer than the one before, so this ends.
    std::iter::successors(Some(line), |line| beginnings.get(line).copied()).last().unwrap_or(line)
}

/// The stones, properties and faults of a game. Those of a better game are greater.
fn quality(game: &Game) -> (u16, u16, Reverse<u16>) {
    (game.stones, game.quality().properties(), Reverse(game.quality().faults()))
}

impl<'g> Group<'g> {
    fn new(games: &'g [Game]) -> Self {
        let group = Group { games, best: 0, reason: Reason::First };
        let best = group.best_of(|_| true).unwrap_or_default();
        let second = (0..games.len()).filter(|&n| n != best).map(|n| quality(&games[n])).max();
        let (first, second) = (quality(&games[best]), second.unwrap_or_default());
        let reason = match () {
            () if first.0 != second.0 => Reason::MostStones,
            () if first.1 != second.1 => Reason::MostProperties,
            () if first.2 != second.2 => Reason::FewestFaults,
            () => Reason::First,
        };
        Group { best, reason, ..group }
    }

    /// The best of the games of some kind.
    fn best_of(&self, is_of_kind: impl Fn(&Game) -> bool) -> Option<usize> {
        let of_kind = (0..self.games.len()).filter(|&n| is_of_kind(&self.games[n]));
        of_kind.max_by_key(|&n| (quality(&self.games[n]), Reverse(n)))
    }

    /// Number of stones in the longest of them.
    pub(super) fn stones(&self) -> u16 {
        self.games[self.best].stones
    }
}
