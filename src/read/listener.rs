//! Passing diagnostics to the callbacks of a [`Parser`](crate::Parser).
//!
//! The tokenizer sends diagnostics to its [`Sink`], in order with the events. [`Listening`] is the adapter that
//! passes them to the callback of the public API.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::syntax::diagnostic::{Code, Diagnostic};
use crate::syntax::event::{CutValue, Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// The callbacks of [`Parser::on_diagnostic`](crate::Parser::on_diagnostic) as one, if any.
#[derive(Clone, Default)]
pub(crate) struct Listener(Option<Arc<Callback>>);

type Callback = dyn Fn(&Diagnostic) + Send + Sync;

impl Listener {
    /// No callback.
    pub(crate) const NONE: Listener = Listener(None);

    pub(crate) fn new(callback: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        Listener(Some(Arc::new(callback)))
    }

    /// Calls this listener, and then `callback`.
    pub(crate) fn and(self, callback: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        match self.0 {
            None => Listener::new(callback),
            Some(first) => Listener::new(move |fault| {
                first(fault);
                callback(fault);
            }),
        }
    }

    /// Returns whether a callback is set.
    #[inline]
    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Calls the callback.
    #[inline]
    pub(crate) fn report(&self, fault: Diagnostic) {
        if let Some(callback) = &self.0 {
            callback(&fault);
        }
    }

    /// Returns a listener that passes on only the diagnostics that `wants` selects.
    #[cfg(feature = "codec")]
    pub(crate) fn filtered(&self, wants: fn(Code) -> bool) -> Listener {
        let Some(callback) = self.0.clone() else { return Listener::NONE };
        Listener::new(move |fault| {
            if wants(fault.code) {
                callback(fault);
            }
        })
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.is_some().fmt(f)
    }
}

/// A sink that sends events to another sink and diagnostics to a listener.
pub(crate) struct Listening<'l, S> {
    pub(crate) sink: S,
    pub(crate) listener: &'l Listener,
}

impl<S: Sink> Sink for Listening<'_, S> {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        self.sink.event(event, at)
    }

    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        self.sink.moves(bytes, lines, at)
    }

    #[inline(always)]
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.sink.held_property(ident, at)
    }

    #[inline(always)]
    fn game_skipped(&mut self) -> Flow {
        self.sink.game_skipped()
    }

    #[cold]
    fn diagnostic(&mut self, fault: Diagnostic) {
        self.listener.report(fault);
    }

    #[cold]
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        self.sink.skipped(code, range);
    }

    #[cold]
    fn cut_value(&mut self, cut: CutValue) {
        self.sink.cut_value(cut);
    }
}
