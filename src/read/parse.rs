//! Parsing of whole slices.

use crate::read::listener::Listening;
use crate::read::parser::Parser;
use crate::read::sink::{Closure, EventSink, Forward};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

impl Parser {
    /// Parses a whole slice, calling `handler` with every event and its byte offset.
    ///
    /// The offset is that of the event's lexeme. Returns [`Flow::Break`] if the handler did.
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at the first syntax error.
    pub fn parse<F, R>(&self, bytes: &[u8], handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.parse_with(self.tokenizer(), bytes, handler)
    }

    /// Parses a whole slice, but sends events and diagnostics to one sink.
    ///
    /// See [`PushParser::feed_into`](crate::PushParser::feed_into).
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) fails.
    pub fn parse_into(&self, bytes: &[u8], sink: &mut impl EventSink) -> Result<Flow, SyntaxError> {
        self.drive(bytes, &mut Forward(sink))
    }

    /// Parses a whole slice, starting with the state of `tokenizer`.
    pub(crate) fn parse_with<F, R>(
        &self,
        mut tokenizer: Tokenizer,
        bytes: &[u8],
        handler: F,
    ) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        run(&mut tokenizer, bytes, &mut Listening { sink: Closure(handler), listener: &self.listener })
    }

    /// Parses a whole slice. Diagnostics go to the sink, not to the callback.
    pub(crate) fn drive(&self, bytes: &[u8], sink: &mut impl Sink) -> Result<Flow, SyntaxError> {
        run(&mut self.tokenizer(), bytes, sink)
    }
}

/// Parses a whole slice, continuing from the state of a tokenizer.
pub(crate) fn run(tokenizer: &mut Tokenizer, bytes: &[u8], sink: &mut impl Sink) -> Result<Flow, SyntaxError> {
    match tokenizer.run(bytes, true, sink).outcome {
        Outcome::Failed => Err(tokenizer.error()),
        Outcome::Stopped => Ok(Flow::Break),
        Outcome::End | Outcome::NeedMore => Ok(Flow::Continue),
    }
}
