//! Results of games of Go: how they ended, by how much, and who won under which komi and handicap.

use std::collections::BTreeMap;

use sgf_stream::value::Color;

use super::top::Top;
use crate::report::facts::{Facts, Side};

/// The least margin that the last bar of the histogram counts, in points.
pub(in crate::report) const MOST: usize = 60;

/// Games that Black won, that White won, and that nobody won.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::report) struct Wins {
    pub(in crate::report) black: u64,
    pub(in crate::report) white: u64,
    pub(in crate::report) draws: u64,
}

impl Wins {
    fn game(&mut self, facts: &Facts) {
        match facts.winner {
            Some(Color::Black) => self.black += 1,
            Some(Color::White) => self.white += 1,
            None => self.draws += u64::from(facts.result == Some("draw")),
        }
    }

    pub(in crate::report) fn merge(&mut self, later: Wins) {
        self.black += later.black;
        self.white += later.white;
        self.draws += later.draws;
    }

    /// Games that somebody won.
    pub(in crate::report) fn decided(&self) -> u64 {
        self.black + self.white
    }
}

/// Sums over games of Go.
#[derive(Debug)]
pub(in crate::report) struct Results {
    /// By the word of the column `result`; empty if only the winner is known.
    pub(in crate::report) kinds: BTreeMap<String, u64>,
    /// Games won by points, by the points: the last number counts all greater ones.
    pub(in crate::report) margins: Vec<u64>,
    /// Games without handicap on a board, by komi in hundredths: Black's wins, White's, and draws.
    pub(in crate::report) komi: Top<(Side, i32), [u64; 4]>,
    /// Games on 19x19, by handicap; 0 is an even game.
    pub(in crate::report) handicap: BTreeMap<u8, Wins>,
    /// Even games on 19x19, by year.
    pub(in crate::report) years: BTreeMap<i32, Wins>,
}

impl Default for Results {
    fn default() -> Self {
        Results {
            kinds: BTreeMap::new(),
            margins: vec![0; MOST + 1],
            komi: Top::new(1000),
            handicap: BTreeMap::new(),
            years: BTreeMap::new(),
        }
    }
}

impl Results {
    pub(in crate::report) fn game(&mut self, facts: &Facts) {
        if !facts.is_go {
            return;
        }
        let kind = match (facts.result, facts.winner) {
            (Some(kind), _) => kind,
            (None, Some(_)) => "winner only",
            (None, None) => "not given",
        };
        match self.kinds.get_mut(kind) {
            Some(count) => *count += 1,
            None => _ = self.kinds.insert(kind.to_owned(), 1),
        }
        if let (Some(margin), Some(_)) = (facts.margin, facts.winner) {
            self.margins[(margin.max(0) as usize / 100).min(MOST)] += 1;
        }
        let mut wins = Wins::default();
        wins.game(facts);
        if wins.decided() + wins.draws == 0 {
            return;
        }
        let is_even = facts.is_even();
        if let (true, Some(komi), Some(side)) = (is_even, facts.komi, facts.side) {
            self.komi.add((side, komi), [1, wins.black, wins.white, wins.draws]);
        }
        if facts.side == Some(19) {
            let handicap = if is_even { Some(0) } else { facts.handicap };
            if let Some(handicap @ 0..=9) = handicap {
                self.handicap.entry(handicap as u8).or_default().merge(wins);
            }
            if let (true, Some(year)) = (is_even, facts.year) {
                self.years.entry(year).or_default().merge(wins);
            }
        }
    }

    pub(in crate::report) fn merge(&mut self, later: Results) {
        later.kinds.into_iter().for_each(|(kind, count)| *self.kinds.entry(kind).or_default() += count);
        self.margins.iter_mut().zip(later.margins).for_each(|(sum, more)| *sum += more);
        self.komi.merge(later.komi);
        later.handicap.into_iter().for_each(|(stones, wins)| self.handicap.entry(stones).or_default().merge(wins));
        later.years.into_iter().for_each(|(year, wins)| self.years.entry(year).or_default().merge(wins));
    }
}
