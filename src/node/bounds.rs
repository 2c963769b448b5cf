//! Starts and ends of games.

use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// A sink that stops the tokenizer at the start or the end of each game, or at both.
///
/// The tokenizer knows their offsets: `game_offset` and `game_end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameBounds {
    depth: usize,
    stops_at_start: bool,
}

impl GameBounds {
    /// Stops after the end of each game.
    pub(crate) const ENDS: GameBounds = GameBounds { depth: 0, stops_at_start: false };
    /// Stops after the `StartTree` of each game, and after its end.
    #[cfg(any(feature = "codec", feature = "parallel"))]
    pub(crate) const STARTS_AND_ENDS: GameBounds = GameBounds { depth: 0, stops_at_start: true };

    /// Discards the open game, so that its end is not reported.
    pub(crate) fn forget_game(&mut self) {
        self.depth = 0;
    }
}

impl Sink for &mut GameBounds {
    #[inline]
    fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
        match event {
            Event::StartTree => {
                self.depth += 1;
                if self.depth == 1 && self.stops_at_start { Flow::Break } else { Flow::Continue }
            }
            Event::EndTree => {
                self.depth -= 1;
                if self.depth == 0 { Flow::Break } else { Flow::Continue }
            }
            _ => Flow::Continue,
        }
    }

    fn game_skipped(&mut self) -> Flow {
        self.depth = 0;
        Flow::Break
    }
}
