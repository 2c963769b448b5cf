//! Games as they are, but for what a strict parser refuses: the library's [`Rewriter`](sgf_stream::write::Rewriter).

use sgf_stream::write::WriteError;
use sgf_stream::{Code, Severity};

use super::findings::{Findings, Found};
use super::games::{Fate, Game, Stays, Style};

/// What strict parsing refuses and this style keeps.
pub(super) const KEPT: &[Code] = &[Code::LowercaseInIdent, Code::DigitInIdent];

pub(super) struct Exact {
    pub(super) is_lossy: bool,
}

impl Style for Exact {
    fn repairs(&self, fate: Fate) -> bool {
        match fate {
            Fate::Repaired | Fate::Cut | Fate::HasDigits => true,
            Fate::Costs => self.is_lossy,
            Fate::TooMuch | Fate::Outside => false,
        }
    }

    fn keeps_text(&self) -> bool {
        !self.is_lossy
    }

    fn keeps_blanks(&self) -> bool {
        true
    }

    fn game(&mut self, game: &Game<'_>, found: &Found, _: &mut Findings) -> Result<Vec<u8>, Stays> {
        if found.is_empty() {
            return Ok(game.bytes.to_vec());
        }
        let closed = found.has(Fate::Cut).then(|| game.closed()).flatten();
        rewrite(closed.as_ref().unwrap_or(game), self.is_lossy)
    }
}

/// A game without what strict parsing refuses.
///
/// # Errors
///
/// Why it cannot be had.
pub(super) fn rewrite(game: &Game<'_>, is_lossy: bool) -> Result<Vec<u8>, Stays> {
    let stays = |error: WriteError| Stays { why: error.to_string(), is_error: true };
    let mut rewriter = game.parser().rewriter(Vec::with_capacity(game.bytes.len() + 16)).lossy(is_lossy);
    rewriter.read(&game.bytes);
    for (event, offset) in game.events() {
        rewriter.event(event, offset).map_err(stays)?;
    }
    if let Some(code) = rewriter.left().keys().find(|code| !KEPT.contains(code)) {
        let why = format!("expected {} [{code}]", code.expected());
        return Err(Stays { why, is_error: code.severity() == Severity::Error });
    }
    rewriter.finish().map_err(stays)
}
