//! Charsets, programs and kinds of games.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::top::{Sum, Top};
use crate::report::facts::Facts;

/// Maximum length of a name in bytes.
const LONGEST: usize = 100;

/// A program, or a version of one: number of games, and by year.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Program {
    pub(in crate::report) games: u64,
    pub(in crate::report) years: BTreeMap<i32, u64>,
}

impl Sum for Program {
    fn add(&mut self, later: Self) {
        self.games += later.games;
        later.years.into_iter().for_each(|(year, games)| *self.years.entry(year).or_default() += games);
    }

    fn weight(&self) -> u64 {
        self.games
    }
}

/// The sums of a kind of game.
#[derive(Debug, Default)]
pub(in crate::report) struct Kind {
    pub(in crate::report) games: u64,
    pub(in crate::report) nodes: u64,
    pub(in crate::report) moves: u64,
    pub(in crate::report) black: u64,
    pub(in crate::report) white: u64,
    pub(in crate::report) years: Option<(i32, i32)>,
    /// By square side, in Go and Hex; 0 stands for other boards.
    pub(in crate::report) sides: BTreeMap<u8, u64>,
}

impl Sum for Kind {
    fn add(&mut self, later: Self) {
        self.games += later.games;
        self.nodes += later.nodes;
        self.moves += later.moves;
        self.black += later.black;
        self.white += later.white;
        self.years = match (self.years, later.years) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
        later.sides.into_iter().for_each(|(side, games)| *self.sides.entry(side).or_default() += games);
    }

    fn weight(&self) -> u64 {
        self.games
    }
}

#[derive(Debug)]
pub(in crate::report) struct Kinds {
    /// Games by the charset that CA names, and the one in which texts were read.
    pub(in crate::report) charsets: Top<(String, String), u64>,
    pub(in crate::report) programs: Top<String, Program>,
    pub(in crate::report) versions: Top<(String, String), Program>,
    pub(in crate::report) games: Top<Game, Kind>,
}

impl Default for Kinds {
    fn default() -> Self {
        Kinds { charsets: Top::new(500), programs: Top::new(1000), versions: Top::new(4000), games: Top::new(200) }
    }
}

fn cut(text: &str) -> String {
    text.chars()
        .scan(0, |len, char| {
            *len += char.len_utf8();
            (*len <= LONGEST).then_some(char)
        })
        .collect()
}

impl Kinds {
    pub(in crate::report) fn game(&mut self, facts: &Facts) {
        let declared = facts.declared.as_deref().map(cut).unwrap_or_default();
        self.charsets.add((declared, facts.charset.clone()), 1);
        if let Some(application) = &facts.application {
            let (name, version) = application.split_once(':').unwrap_or((application, ""));
            let (name, version) = (cut(name.trim()), cut(version.trim()));
            let years = facts.year.map(|year| (year, 1)).into_iter().collect();
            let program = Program { games: 1, years };
            self.programs.add(name.clone(), program.clone());
            self.versions.add((name, version), program);
        }
        let won = |color| u64::from(facts.winner == Some(color));
        let kind = Kind {
            games: 1,
            nodes: facts.nodes,
            moves: facts.move_count,
            black: won(sgf_stream::value::Color::Black),
            white: won(sgf_stream::value::Color::White),
            years: facts.year.map(|year| (year, year)),
            sides: [(facts.ground.and_then(|ground| ground.side).unwrap_or(0), 1)].into(),
        };
        self.games.add(facts.game, kind);
    }

    pub(in crate::report) fn merge(&mut self, later: Kinds) {
        self.charsets.merge(later.charsets);
        self.programs.merge(later.programs);
        self.versions.merge(later.versions);
        self.games.merge(later.games);
    }
}
