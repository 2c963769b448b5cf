//! Sums that add up, so that all cores can count.
//!
//! Each part of an input has a [`Gathered`] of its own, and they are added up ([`Sum`]) in the order of the inputs.
//! Memory is bounded: tables with keys from files drop their rarest keys ([`Top`]), and the rest have few keys.

mod copies;
mod diagnostics;
mod kinds;
mod moves;
mod players;
mod results;
mod sources;
mod sum;
mod top;

use std::io;

pub(super) use self::copies::{Copies, Group};
pub(super) use self::diagnostics::{Example, Examples, Excerpt, GameBytes};
pub(super) use self::kinds::{Kind, Kinds, Program};
pub(super) use self::moves::{DEPTH, HexOpening, Lengths, MOST_MOVES, Map, Played, SIDES, Step};
pub(super) use self::players::Players;
pub(super) use self::results::{MOST as MOST_MARGIN, Others, Results, Wins};
pub(super) use self::sources::{Key, Naming, Source, Sources};
pub(super) use self::sum::Sum;
use self::sum::add_fields;
use super::facts::Facts;
use crate::input::Name;

/// Maximum number of inputs that could not be read that are named.
const MAX_UNREADABLE: usize = 100;

/// All sums.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) sources: Sources,
    pub(super) results: Results,
    pub(super) played: Played,
    pub(super) players: Players,
    pub(super) copies: Copies,
    pub(super) examples: Examples,
    pub(super) kinds: Kinds,
    pub(super) inputs: u64,
    /// Games that are too long for memory: only their syntax errors are known.
    pub(super) long_games: u64,
    /// Games without GM that look like Hex.
    pub(super) like_hex: u64,
    /// Number of inputs that could not be read, and the first of them with their errors.
    pub(super) unreadable: u64,
    pub(super) unreadable_names: Unreadable,
}

impl Gathered {
    /// Counts a game. `is_clean`: it has no diagnostic; `None` if it was not checked.
    pub(super) fn game(&mut self, source: &Key, name: &Name, facts: &Facts, is_clean: Option<bool>) {
        self.sources.get(source).game(facts, is_clean);
        self.results.game(facts);
        self.played.game(facts);
        self.players.game(facts);
        self.copies.game(name, facts);
        self.kinds.game(facts);
    }

    /// Notes an input that could not be read.
    pub(super) fn unreadable(&mut self, name: &Name, error: &io::Error) {
        self.unreadable += 1;
        self.unreadable_names.0.push((name.clone(), error.to_string()));
    }
}

add_fields! {
    Gathered {
        sources, results, played, players, copies, examples, kinds, inputs, long_games, like_hex, unreadable, unreadable_names,
    }
}

/// The first inputs that could not be read, with their errors.
#[derive(Debug, Default)]
pub(super) struct Unreadable(pub(super) Vec<(Name, String)>);

impl Sum for Unreadable {
    fn add(&mut self, later: Self) {
        self.0.extend(later.0);
        self.0.truncate(MAX_UNREADABLE);
    }
}
