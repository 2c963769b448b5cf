//! Events for closures, with one copy of the tokenizer.

use sgf_stream::{Event, Flow, Parser, SyntaxError};

/// A handler of events, as a pointer: the tokenizer is compiled once for all of them, and not for each closure.
pub type Handler<'h> = &'h mut dyn FnMut(Event<'_>, u64) -> Flow;

/// [`Parser::parse`] with a [`Handler`].
pub trait EachEvent {
    fn each_event(&self, bytes: &[u8], handler: impl FnMut(Event<'_>, u64)) -> Result<Flow, SyntaxError>;
}

impl EachEvent for Parser {
    fn each_event(&self, bytes: &[u8], mut handler: impl FnMut(Event<'_>, u64)) -> Result<Flow, SyntaxError> {
        let handler: Handler<'_> = &mut |event, at| {
            handler(event, at);
            Flow::Continue
        };
        self.parse(bytes, handler)
    }
}
