//! The sections of the page: each counts nothing, but chooses and names what was counted.

mod boards;
mod copies;
mod diagnostics;
mod figures;
mod kinds;
mod lengths;
mod openings;
mod overview;
mod players;
mod texts;
mod time;
mod wins;

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::gather::Gathered;
use super::stats::Share;
use super::view::{Section, Value};
use crate::tables::{counted, grouped};

/// The data for all sections.
pub(super) struct Report {
    pub(super) sums: Gathered,
    pub(super) seconds: f64,
}

/// The sections, in their order on the page.
const SECTIONS: [fn(&Report) -> Section; 13] = [
    overview::section,
    time::section,
    wins::by_komi,
    wins::results,
    lengths::section,
    boards::section,
    openings::section,
    players::section,
    texts::coverage,
    texts::charsets,
    diagnostics::section,
    copies::section,
    kinds::section,
];

/// Creates all sections.
pub(super) fn all(report: &Report) -> Vec<Section> {
    SECTIONS.iter().map(|section| section(report)).collect()
}

impl Report {
    /// The number of games of Go, and of all games.
    fn go(&self) -> (u64, u64) {
        let games = self.sums.kinds.games.sorted();
        let of_go = games.iter().filter(|(game, _)| **game == Game::Go).map(|(_, kind)| kind.games).sum();
        (of_go, games.iter().map(|(_, kind)| kind.games).sum())
    }

    /// Says that a section is about Go: `Go games only.`, and how many there are if there are others.
    fn only_go(&self) -> String {
        match self.go() {
            (0, 1..) => "Go games only; there are none.".to_owned(),
            (go, all) if go < all => format!("Go games only: {} of {}.", grouped(go), counted(all, "game")),
            _ => "Go games only.".to_owned(),
        }
    }
}

/// The number of sources and programs that have a color.
const COLORED: usize = 7;

/// The color of all others.
const OTHERS: usize = 7;

/// The cells of a share and its interval.
fn share_cells(part: u64, all: u64) -> [Value; 3] {
    let share = Share::of(part, all);
    [share.map(|share| share.share), share.map(|share| share.low), share.map(|share| share.high)]
        .map(|share| share.map_or(Value::Null, Value::Share))
}

/// The years of a sum by year, as cells: the first and the last one.
fn first_and_last(years: &BTreeMap<i32, u64>) -> [Value; 2] {
    [years.keys().next(), years.keys().next_back()].map(|year| year.map(|year| Value::Year(*year)).into())
}
