//! The sections of the page: each counts nothing, but chooses and names what was counted.

mod boards;
mod copies;
mod findings;
mod kinds;
mod lengths;
mod openings;
mod overview;
mod players;
mod texts;
mod time;
mod wins;

use sgf_stream::Game;

use super::gather::Gathered;
use super::stats::Buckets;
use super::view::Section;
use crate::tables::{counted, grouped};

/// The data that sections are made from.
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
    findings::section,
    copies::section,
    kinds::section,
];

/// Makes all sections.
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

    /// Which games a section of Go is about: `Games of Go only.`, and how many there are if there are others.
    fn only_go(&self) -> String {
        match self.go() {
            (0, 1..) => "Games of Go only; there are none.".to_owned(),
            (go, all) if go < all => format!("Games of Go only: {} of {}.", grouped(go), counted(all, "game")),
            _ => "Games of Go only.".to_owned(),
        }
    }
}

/// The number of sources and programs that have a color.
const COLORED: usize = 7;

/// The color of all others.
const OTHERS: usize = 7;

/// Values by bucket, from values by year.
fn by_bucket(buckets: Buckets, years: impl Iterator<Item = (i32, u64)>) -> Vec<u64> {
    let mut values = vec![0; buckets.len];
    for (year, count) in years {
        if let Some(index) = buckets.index(year) {
            values[index] += count;
        }
    }
    values
}

/// The names of all buckets.
fn labels(buckets: Buckets) -> Vec<String> {
    (0..buckets.len).map(|index| buckets.name(index)).collect()
}
