//! Diagnostics of the checker, with an example of each rule.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sgf_check::{Diagnostic, Rule};

use super::sum::Sum;
use crate::input::Name;
use crate::points;

/// Number of bytes that an example has on each side.
const CONTEXT: usize = 60;

/// The first diagnostic of a rule.
#[derive(Debug)]
pub(in crate::report) struct Example {
    pub(in crate::report) file: String,
    pub(in crate::report) offset: u64,
    /// Line and column, from 1.
    pub(in crate::report) place: Option<(u64, u64)>,
    pub(in crate::report) message: String,
    /// The bytes around it and those that it is about, if they are known.
    pub(in crate::report) excerpt: Option<Excerpt>,
    /// For properties of boards: the game up to after the diagnostic.
    pub(in crate::report) game: Option<GameBytes>,
}

/// The start of a game, and the index of a diagnostic in it.
#[derive(Debug)]
pub(in crate::report) struct GameBytes {
    pub(in crate::report) bytes: Vec<u8>,
    pub(in crate::report) at: usize,
}

/// Maximum length of a game that is kept for its board.
const LONGEST_GAME: usize = 32 << 10;

#[derive(Debug)]
pub(in crate::report) struct Excerpt {
    pub(in crate::report) before: String,
    pub(in crate::report) marked: String,
    pub(in crate::report) after: String,
}

impl Excerpt {
    /// An excerpt of the bytes of a part, which start at an offset.
    pub(in crate::report) fn of(bytes: &[u8], start: u64, diagnostic: &Diagnostic) -> Option<Excerpt> {
        let span = diagnostic.span();
        let from = usize::try_from(span.start.checked_sub(start)?).ok().filter(|from| *from <= bytes.len())?;
        let to = usize::try_from(span.end.saturating_sub(start)).ok()?.clamp(from, bytes.len());
        let to = to.max((from + 1).min(bytes.len())).min(from + CONTEXT);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // Not from the middle of a character.
        let is_start = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        let first = (from.saturating_sub(CONTEXT)..=from).find(is_start).unwrap_or(from);
        let last = (to..=(to + CONTEXT).min(bytes.len())).rev().find(is_start).unwrap_or(to);
        Some(Excerpt {
            before: text(&bytes[first..from]),
            marked: text(&bytes[from..to]),
            after: text(&bytes[to..last]),
        })
    }
}

/// Examples by rule.
#[derive(Debug, Default)]
pub(in crate::report) struct Examples(pub(in crate::report) BTreeMap<Rule, Example>);

impl Examples {
    /// Takes a diagnostic as the example of its rule, if it is the first. Returns whether it wants the bytes of its
    /// [game](Self::add_game).
    pub(in crate::report) fn take(
        &mut self,
        name: &Name,
        diagnostic: &Diagnostic,
        excerpt: impl FnOnce() -> Option<Excerpt>,
    ) -> bool {
        let Entry::Vacant(place) = self.0.entry(diagnostic.rule()) else { return false };
        place.insert(Example {
            file: name.as_str().to_owned(),
            offset: diagnostic.offset(),
            place: diagnostic.position().map(|position| (position.line, position.column)),
            message: diagnostic.message().to_owned(),
            excerpt: excerpt(),
            game: None,
        });
        points::is_about_points(diagnostic)
    }

    /// Adds the bytes of its game to the example of a rule, unless they are many. The game starts at an offset.
    pub(in crate::report) fn add_game(&mut self, rule: Rule, game: &[u8], start: u64) {
        let Some(example) = self.0.get_mut(&rule) else { return };
        let Some(at) = example.offset.checked_sub(start).and_then(|at| usize::try_from(at).ok()) else { return };
        if at < game.len().min(LONGEST_GAME) {
            let bytes = game[..game.len().min(at + points::AFTER)].to_vec();
            example.game = Some(GameBytes { bytes, at });
        }
    }
}

/// The first example of a rule stays.
impl Sum for Examples {
    fn add(&mut self, later: Self) {
        later.0.into_iter().for_each(|(rule, example)| _ = self.0.entry(rule).or_insert(example));
    }
}
