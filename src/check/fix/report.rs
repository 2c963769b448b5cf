//! Reports of a repair: counts, notes, changes, errors.

use std::collections::BTreeMap;
use std::io;

use crate::check::Rule;
use crate::syntax::diagnostic::{Diagnostic, Position};

/// The counts of a repair: what was repaired, and what was not.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fixed {
    pub(super) repairs: BTreeMap<Rule, u64>,
    pub(super) left: BTreeMap<Rule, u64>,
    pub(super) left_games: u64,
    pub(super) dropped: BTreeMap<Rule, u64>,
    pub(super) has_changed: bool,
}

impl Fixed {
    /// Number of findings of each rule that were repaired without loss.
    pub fn repairs(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.repairs.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Number of findings that were repaired without loss.
    pub fn count(&self) -> u64 {
        self.repairs.values().sum()
    }

    /// Number of faults of each rule that were not repaired, since the repair would cost content: text outside of games,
    /// which stays, and faults of [games that stay unchanged](Self::left_games). Findings that have no repair at all are not
    /// counted: check the output for those.
    pub fn left(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.left.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Number of games with faults that stay unchanged, byte for byte, but for `CA` where its charset was
    /// guessed (`Fixer::guess_charset`).
    pub fn left_games(&self) -> u64 {
        self.left_games
    }

    /// Number of stretches of the stream that were left out, by the rule that they break. Only a
    /// [lossy](super::Fixer::lossy) repair leaves anything out.
    pub fn dropped(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.dropped.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Whether the output differs from the input.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }
}

/// Adds the counts of another stream.
impl std::ops::AddAssign for Fixed {
    fn add_assign(&mut self, other: Self) {
        let Fixed { repairs, left, left_games, dropped, has_changed } = other;
        for (to, from) in [(&mut self.repairs, repairs), (&mut self.left, left), (&mut self.dropped, dropped)] {
            for (rule, count) in from {
                *to.entry(rule).or_default() += count;
            }
        }
        self.left_games += left_games;
        self.has_changed |= has_changed;
    }
}

/// The reason why a stream was not repaired.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// The input could not be read.
    #[error(transparent)]
    Read(io::Error),
    /// The output could not be written.
    #[error(transparent)]
    Write(io::Error),
    /// The input exceeds a limit of the parser, or is not SGF.
    #[error("{0}")]
    Refused(Diagnostic),
}

/// The report of a [`Fixer`](super::Fixer) about something that it did not repair, or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note<'a> {
    /// Whether it stays or was left out.
    pub fate: Fate,
    /// The rule that it breaks.
    pub rule: Rule,
    /// Its position in the stream.
    pub position: Position,
    /// The first bytes of the text that was left out, or that stays.
    pub shown: &'a [u8],
    /// Length of that text, in bytes.
    pub len: u64,
}

/// The outcome for something that cannot be repaired without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// A text outside of games, which stays.
    Stays,
    /// A fault because of which its game stays unchanged. There is one report for each code and game.
    Left,
    /// A stretch of the stream that was left out.
    Dropped,
}

/// A replacement of some bytes of the stream: of a game as a whole, or of text outside of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The offset of the bytes that are replaced.
    pub offset: u64,
    /// The bytes of the input.
    pub before: &'a [u8],
    /// The bytes of the output.
    pub after: &'a [u8],
}
