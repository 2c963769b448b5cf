//! Where games begin and end.

use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// A sink that stops the tokenizer where games begin, where they end, or at both.
///
/// Where the last game begins and ends, the tokenizer knows: `game_offset` and `game_end`.
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

    /// Forgets the open game: its end is not reported.
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
