//! Counts the syntax errors of a game, which decide between copies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sgf_stream::{Code, Reader};

use crate::jobs::{GameBytes, Games, Input};

/// The syntax errors that a parser reports.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    count: AtomicU64,
    outside: AtomicBool,
    drops: AtomicBool,
}

/// The syntax errors of one game, and of the text before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfGame {
    pub(super) count: u64,
    /// There is text outside of games.
    pub(super) outside: bool,
    /// The parser dropped content of the game.
    pub(super) drops: bool,
}

impl Faults {
    fn add(&self, code: Code) {
        self.count.fetch_add(1, Ordering::Relaxed);
        match code {
            Code::JunkOutsideTree => self.outside.store(true, Ordering::Relaxed),
            Code::JunkInTree
            | Code::IdentTooLong
            | Code::PropertyWithoutValue
            | Code::ValueWithoutIdent
            | Code::UnterminatedValue
            | Code::MissingCloseBracket
            | Code::ValueTooLong
            | Code::TreeTooDeep => self.drops.store(true, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Returns the syntax errors since the last call.
    pub(super) fn take(&self) -> OfGame {
        OfGame {
            count: self.count.swap(0, Ordering::Relaxed),
            outside: self.outside.swap(false, Ordering::Relaxed),
            drops: self.drops.swap(false, Ordering::Relaxed),
        }
    }
}

/// Returns a reader of games, and the syntax errors that it collects.
pub(super) fn counting<'g, 'd>(input: &Input, games: Games<'g, 'd>) -> (Reader<GameBytes<'g, 'd>>, Arc<Faults>) {
    let faults = Arc::new(Faults::default());
    let reported = Arc::clone(&faults);
    let parser = input.parser.clone().on_diagnostic(move |diagnostic| reported.add(diagnostic.code));
    (games.reader(&parser), faults)
}
