//! Receivers of events: closures, and sinks that also receive diagnostics.

use std::ops::Range;

use crate::node::Moves;
use crate::syntax::diagnostic::{Code, Diagnostic};
use crate::syntax::event::{CutValue, Event};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// Adapts a closure to a [`Sink`].
pub(crate) struct Closure<F>(pub(crate) F);

impl<F, R> Sink for Closure<F>
where
    F: FnMut(Event<'_>, u64) -> R,
    R: Into<Flow>,
{
    #[inline]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        (self.0)(event, at).into()
    }
}

/// A receiver of events and diagnostics, in one order.
///
/// See [`PushParser::feed_into`](crate::PushParser::feed_into).
pub trait EventSink {
    /// Called for each event, with the byte offset of its lexeme. Returns how to continue.
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow;

    /// Called for each syntax error that lenient mode repairs, before the events of the repair.
    fn fault(&mut self, fault: Diagnostic);

    /// Called for bytes that a syntax error drops.
    ///
    /// These are the bytes that are neither part of an event nor white space between events. `code` is that of the
    /// syntax error, and `range` is in bytes of the stream. Adjacent bytes may come in several ranges, which do not
    /// overlap; those of a `(` or an identifier may come late, since they are dropped only when the bytes after them
    /// have been read. White space inside a range belongs to it. Content that the sink skips is not reported.
    /// Default: does nothing.
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let _ = (code, range);
    }

    /// Called for a value truncated by the end of the data or the next game.
    ///
    /// Default: does nothing.
    #[doc(hidden)]
    fn cut_value(&mut self, cut: CutValue) {
        let _ = cut;
    }

    // Called for a run of moves instead of its events; `None` refuses it. For sinks of this workspace that need the
    // speed.
    #[doc(hidden)]
    #[inline]
    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let _ = moves;
        None
    }

    // Called at the end of a game that the sink skipped.
    #[doc(hidden)]
    #[inline]
    fn game_skipped(&mut self) -> Flow {
        Flow::Continue
    }
}

/// Adapts a public sink to the tokenizer's.
pub(crate) struct Forward<'s, S>(pub(crate) &'s mut S);

impl<S: EventSink> Sink for Forward<'_, S> {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        self.0.event(event, at)
    }

    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        self.0.moves(Moves::new(bytes, lines, at))
    }

    #[inline(always)]
    fn game_skipped(&mut self) -> Flow {
        self.0.game_skipped()
    }

    #[cold]
    fn fault(&mut self, fault: Diagnostic) {
        self.0.fault(fault);
    }

    #[cold]
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        self.0.skipped(code, range);
    }

    #[cold]
    fn cut_value(&mut self, cut: CutValue) {
        self.0.cut_value(cut);
    }
}
