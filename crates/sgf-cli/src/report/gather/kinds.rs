//! Charsets, programs and kinds of games.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::sum::{Sum, add_fields};
use super::top::{Top, Weighted};
use crate::report::facts::Facts;

/// Maximum length of a name in bytes.
const LONGEST: usize = 100;

/// A program, or a version of one: number of games, and by year.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Program {
    pub(in crate::report) games: u64,
    pub(in crate::report) years: BTreeMap<i32, u64>,
}

impl Weighted for Program {
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
    pub(in crate::report) years: BTreeMap<i32, u64>,
    /// By square side, in Go and Hex; 0 stands for other boards.
    pub(in crate::report) sides: BTreeMap<u8, u64>,
}

impl Weighted for Kind {
    fn weight(&self) -> u64 {
        self.games
    }
}

add_fields! {
    Program { games, years }
    Kind { games, nodes, moves, black, white, years, sides }
    Kinds { charsets, programs, versions, games }
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
        self.charsets.count((declared, facts.charset.clone()), 1);
        if let Some(application) = &facts.application {
            let (name, version) = application.split_once(':').unwrap_or((application, ""));
            let (name, version) = (cut(name.trim()), cut(version.trim()));
            let program = Program { games: 1, years: facts.years() };
            self.programs.count(name.clone(), program.clone());
            self.versions.count((name, version), program);
        }
        let won = |color| u64::from(facts.winner == Some(color));
        let kind = Kind {
            games: 1,
            nodes: facts.nodes,
            moves: facts.move_count,
            black: won(sgf_stream::value::Color::Black),
            white: won(sgf_stream::value::Color::White),
            years: facts.years(),
            sides: [(facts.ground.and_then(|ground| ground.side).unwrap_or(0), 1)].into(),
        };
        self.games.count(facts.game, kind);
    }
}
