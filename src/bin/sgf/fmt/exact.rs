//! The style that changes only what a strict parser refuses, by the library's
//! [`Rewriter`](sgf_stream::write::Rewriter).

use std::borrow::Cow;

use sgf_stream::write::WriteError;
use sgf_stream::{Code, Severity};

use super::findings::{Faults, Findings, Remedy, Topic, Unchanged};
use super::game::Game;
use super::style::Style;

/// Faults that a strict parser refuses and this style keeps.
pub(super) const KEPT: &[Code] = &[Code::LowercaseInIdent, Code::DigitInIdent];

pub(super) struct Exact {
    pub(super) is_lossy: bool,
}

impl Style for Exact {
    fn accepts(&self, remedy: Remedy) -> bool {
        match remedy {
            Remedy::Repair | Remedy::CloseValue | Remedy::DropDigits => true,
            Remedy::Drop => self.is_lossy,
            Remedy::None | Remedy::Outside => false,
        }
    }

    fn keeps_text(&self) -> bool {
        !self.is_lossy
    }

    fn keeps_blanks(&self) -> bool {
        true
    }

    fn rewrite<'g>(
        &mut self,
        game: &'g Game<'_>,
        faults: &Faults,
        _: &mut Findings,
    ) -> Result<Cow<'g, [u8]>, Unchanged> {
        if faults.is_empty() {
            return Ok(Cow::Borrowed(&game.bytes));
        }
        let closed = faults.has(Remedy::CloseValue).then(|| game.closed()).flatten();
        repair(closed.as_ref().unwrap_or(game), faults, self.is_lossy).map(Cow::Owned)
    }
}

/// A game without the faults that a strict parser refuses. `faults` are all that it has.
///
/// # Errors
///
/// If the game has to stay unchanged.
pub(super) fn repair(game: &Game<'_>, faults: &Faults, is_lossy: bool) -> Result<Vec<u8>, Unchanged> {
    let kind = Topic::Unchanged("not-written");
    let unchanged = |error: WriteError| Unchanged { kind, reason: error.to_string(), is_error: true };
    let mut rewriter = game.parser().rewriter(Vec::with_capacity(game.bytes.len() + 16)).lossy(is_lossy);
    rewriter.read(&game.bytes);
    for (offset, event) in game.events() {
        rewriter.event(event, offset).map_err(unchanged)?;
    }
    if let Some(code) = rewriter.left().keys().find(|code| !KEPT.contains(code)) {
        let place = faults.place_of(*code).map_or(String::new(), |position| format!("{position}: "));
        let reason = format!("{place}repaired, it would be read differently: expected {} [{code}]", code.expected());
        let kind = Topic::Unchanged(code.as_str());
        return Err(Unchanged { kind, reason, is_error: code.severity() == Severity::Error });
    }
    rewriter.finish().map_err(unchanged)
}
