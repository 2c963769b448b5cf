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
    /// In strict mode, returns the first fault. In either mode, fails if there is no SGF data.
    pub fn parse<F, R>(&self, bytes: &[u8], handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.parse_with(self.tokenizer(), bytes, handler)
    }

    /// Like [`parse`](Self::parse), but sends the events and the faults to one sink, as
    /// [`PushParser::feed_into`](crate::PushParser::feed_into).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`parse`](Self::parse).
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

    /// Parses a whole slice. The sink gets the faults, and not the listener.
    pub(crate) fn drive(&self, bytes: &[u8], sink: &mut impl Sink) -> Result<Flow, SyntaxError> {
        run(&mut self.tokenizer(), bytes, sink)
    }
}

/// Parses a whole slice from where a tokenizer stands.
pub(crate) fn run(tokenizer: &mut Tokenizer, bytes: &[u8], sink: &mut impl Sink) -> Result<Flow, SyntaxError> {
    match tokenizer.run(bytes, true, sink).outcome {
        Outcome::Failed => Err(tokenizer.error()),
        Outcome::Stopped => Ok(Flow::Break),
        Outcome::End | Outcome::NeedMore => Ok(Flow::Continue),
    }
}
