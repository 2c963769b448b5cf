//! Decisions of the styles of `sgf fmt`.

use std::borrow::Cow;

use sgf_stream::charset::Charset;

use super::findings::{Faults, Findings, Remedy, Unchanged};
use super::game::Game;

/// Decides about games and the text between them.
pub(super) trait Style {
    /// Called if the source begins with a byte-order mark.
    fn found_bom(&mut self, _: Charset) {}

    /// Whether a game with faults of this kind is rewritten. Otherwise it stays unchanged.
    fn accepts(&self, remedy: Remedy) -> bool;

    /// Whether text between games is copied.
    fn keeps_text(&self) -> bool;

    /// Whether white space between games, and the byte-order mark, are copied. Otherwise each game ends its line.
    fn keeps_blanks(&self) -> bool;

    /// Rewrites a game, all of whose faults are [accepted](Self::accepts).
    ///
    /// # Errors
    ///
    /// If it has to stay unchanged all the same.
    fn rewrite<'g>(
        &mut self,
        game: &'g Game<'_>,
        faults: &Faults,
        findings: &mut Findings,
    ) -> Result<Cow<'g, [u8]>, Unchanged>;

    /// The bytes of a game that stays unchanged, where its CA would not be true in the output, and the charset that CA names
    /// in them.
    fn relabeled(&self, _: &Game<'_>) -> Option<(Vec<u8>, &'static str)> {
        None
    }

    /// Whether games whose charset has to be detected name it in the output.
    fn names_charsets(&self) -> bool {
        false
    }

    /// Whether the start of a game may be written before its end was read.
    fn takes_long_games(&self) -> bool {
        true
    }
}
