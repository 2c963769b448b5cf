//! The byte ranges of the lexemes of events.
//!
//! An event has an offset, and the bytes say where its lexeme ends. The exception is a bracket or semicolon that the
//! parser supplies: its lexeme does not exist, and its span is empty.

use std::ops::Range;

use crate::node::Token;
use crate::syntax::event::Event;

/// Finds the spans of the events of a slice, which come in order.
pub(crate) struct Spans<'a> {
    source: &'a [u8],
    /// The open trees: whether the `(` of each was supplied.
    trees: Vec<bool>,
    /// The end of the last lexeme.
    end: usize,
}

impl<'a> Spans<'a> {
    pub(crate) fn new(source: &'a [u8]) -> Self {
        Spans { source, trees: Vec::new(), end: 0 }
    }

    /// Returns the span of the next event, which is at this offset.
    pub(crate) fn next(&mut self, event: Event<'_>, at: u64) -> Range<usize> {
        let start = at as usize;
        let end = match event {
            Event::StartTree => {
                let end = self.end_of(b'(', start);
                self.trees.push(end == start);
                end
            }
            Event::Node => self.end_of(b';', start),
            // A supplied `(` has no `)`: the one where its tree ends belongs to the tree around it.
            Event::EndTree if self.trees.pop() == Some(true) => start,
            Event::EndTree => self.end_of(b')', start),
            Event::Property(_) | Event::Value(_) | Event::ValuePart(_) => Token::new(event, at).end() as usize,
        };
        self.end = end;
        start..end
    }

    /// Returns the end of a bracket or semicolon; its start if it does not exist.
    fn end_of(&self, bracket: u8, start: usize) -> usize {
        let exists = start >= self.end && self.source.get(start) == Some(&bracket);
        start + usize::from(exists)
    }
}
