//! Results: how games ended, by how much, and who won on which board, under which komi and handicap.

use std::collections::BTreeMap;

use sgf_search::Outcome;
use sgf_stream::Game;
use sgf_stream::value::Color;

use super::sum::{Sum, add_fields};
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
        match facts.outcome() {
            Outcome::Win(Color::Black) => self.black += 1,
            Outcome::Win(Color::White) => self.white += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Unknown => {}
        }
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

add_fields! {
    Wins { black, white, draws }
    Others { games, wins, begun, white_begins }
    Results { kinds, others, margins, komi, handicap, years }
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
                self.others.entry(ground).or_default().add(Others {
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
            self.komi.count((side, komi), [1, wins.black, wins.white, wins.draws]);
        }
        if facts.side == Some(19) {
            let handicap = if is_even { Some(0) } else { facts.handicap.filter(|stones| *stones > 0) };
            if let Some(handicap @ 0..=9) = handicap {
                self.handicap.entry(handicap as u8).or_default().add(wins);
            }
            if let (true, Some(year)) = (is_even, facts.year) {
                self.years.entry(year).or_default().add(wins);
            }
        }
    }
}
