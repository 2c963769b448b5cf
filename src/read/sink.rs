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
    fn diagnostic(&mut self, diagnostic: Diagnostic);

    /// Called for bytes that a syntax error drops.
    ///
    /// These are the bytes that are neither part of an event nor white space between events. `code` is that of the
    /// syntax error, and `range` is in bytes of the stream. The bytes do not depend on the chunks of the input; adjacent
    /// ones come in several ranges if a chunk ends between them. Ranges do not overlap; those of a `(` or an identifier may
    /// come late, since they are dropped only when the bytes after them have been read. A text outside of games has the
    /// white space in it and after it. Content that the sink skips is not reported. Default: does nothing.
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let _ = (code, range);
    }

    /// Called for a value truncated by the end of the data or the next game.
    ///
    /// No event has it, so it is also lost. Default: calls [`skipped`](Self::skipped) with
    /// [`MissingCloseBracket`](Code::MissingCloseBracket), and with the value and its identifier as one range.
    ///
    /// ```
    /// use std::ops::Range;
    ///
    /// use sgf_stream::{Code, Diagnostic, Event, EventSink, Flow, Parser};
    ///
    /// #[derive(Default)]
    /// struct Lost(Vec<Range<u64>>);
    ///
    /// impl EventSink for Lost {
    ///     fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
    ///         Flow::Continue
    ///     }
    ///
    ///     fn diagnostic(&mut self, _: Diagnostic) {}
    ///
    ///     fn skipped(&mut self, _: Code, range: Range<u64>) {
    ///         self.0.push(range);
    ///     }
    /// }
    ///
    /// let mut lost = Lost::default();
    /// Parser::new().parse_into(b"a mail (;B[aa]C[half a comme", &mut lost)?;
    /// assert_eq!(lost.0, [0..7, 14..28]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    fn cut_value(&mut self, cut: CutValue) {
        let start = cut.ident.map_or(cut.value.start, |ident| ident.start);
        self.skipped(Code::MissingCloseBracket, start..cut.value.end);
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
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.0.diagnostic(diagnostic);
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
