//! Results: how games ended, by how much, and who won on which board, under which komi and handicap.

use std::collections::BTreeMap;

use sgf_stream::Game;
use sgf_stream::value::Color;

use super::top::Top;
use crate::report::facts::{Facts, Ground, Side, WHITE};

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

/// Sums over games. Those of which nothing else is said are of Go.
#[derive(Debug)]
pub(in crate::report) struct Results {
    /// By game, and by the word of the column `result`, or one that says that there is none.
    pub(in crate::report) kinds: BTreeMap<Game, BTreeMap<&'static str, u64>>,
    /// Games other than Go, by their boards.
    pub(in crate::report) others: BTreeMap<Ground, Others>,
    /// Games won by points, by the points: the last number counts all greater ones.
    pub(in crate::report) margins: Vec<u64>,
    /// Games without handicap on a board, by komi in hundredths: Black's wins, White's, and draws.
    pub(in crate::report) komi: Top<(Side, i32), [u64; 4]>,
    /// Games on 19x19, by handicap; 0 is an even game.
    pub(in crate::report) handicap: BTreeMap<u8, Wins>,
    /// Even games on 19x19, by year.
    pub(in crate::report) years: BTreeMap<i32, Wins>,
}

/// Sums over games other than Go on one board.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::report) struct Others {
    pub(in crate::report) games: u64,
    pub(in crate::report) wins: Wins,
    /// Games whose first move is known, and those of them in which White makes it.
    pub(in crate::report) begun: u64,
    pub(in crate::report) white_begins: u64,
}

impl Default for Results {
    fn default() -> Self {
        Results {
            kinds: BTreeMap::new(),
            others: BTreeMap::new(),
            margins: vec![0; MOST + 1],
            komi: Top::new(1000),
            handicap: BTreeMap::new(),
            years: BTreeMap::new(),
        }
    }
}

impl Others {
    pub(in crate::report) fn merge(&mut self, later: Others) {
        self.games += later.games;
        self.wins.merge(later.wins);
        self.begun += later.begun;
        self.white_begins += later.white_begins;
    }
}

impl Results {
    pub(in crate::report) fn game(&mut self, facts: &Facts) {
        let kind = match (facts.result, facts.winner) {
            (Some(kind), _) => kind,
            (None, Some(_)) => "winner only",
            (None, None) => "not given",
        };
        *self.kinds.entry(facts.game).or_default().entry(kind).or_default() += 1;
        let mut wins = Wins::default();
        wins.game(facts);
        if !facts.is_go {
            if let Some(ground) = facts.ground {
                let first = facts.moves.first();
                self.others.entry(ground).or_default().merge(Others {
                    games: 1,
                    wins,
                    begun: u64::from(first.is_some()),
                    white_begins: u64::from(first.is_some_and(|code| code & WHITE != 0)),
                });
            }
            return;
        }
        if let (Some(margin), Some(_)) = (facts.margin, facts.winner) {
            self.margins[(margin.max(0) as usize / 100).min(MOST)] += 1;
        }
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
        for (game, kinds) in later.kinds {
            let of_game = self.kinds.entry(game).or_default();
            kinds.into_iter().for_each(|(kind, count)| *of_game.entry(kind).or_default() += count);
        }
        later.others.into_iter().for_each(|(ground, sums)| self.others.entry(ground).or_default().merge(sums));
        self.margins.iter_mut().zip(later.margins).for_each(|(sum, more)| *sum += more);
        self.komi.merge(later.komi);
        later.handicap.into_iter().for_each(|(stones, wins)| self.handicap.entry(stones).or_default().merge(wins));
        later.years.into_iter().for_each(|(year, wins)| self.years.entry(year).or_default().merge(wins));
    }
}
