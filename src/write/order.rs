//! The order of events: which may follow which.

use super::WriteError;
use crate::syntax::event::{Event, Ident, PartEnd};

/// The kind of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastEventKind {
    /// No event yet, or the end of a game.
    Outside,
    /// The start of a tree without a node as yet.
    Tree,
    Node,
    /// A property without a value as yet.
    Property,
    Value,
    /// A part of a value, not the last one.
    Part,
    /// The end of a child tree.
    Child,
}

impl LastEventKind {
    /// Returns the events that may follow, and why.
    fn expected(self) -> &'static str {
        match self {
            LastEventKind::Outside => "the start of a game (none is open)",
            LastEventKind::Tree => "a node (it is the start of a tree)",
            LastEventKind::Node | LastEventKind::Value => "a property, a node, a tree, or the end of the current tree",
            LastEventKind::Property => "a value (the property has none yet)",
            LastEventKind::Part => "the next part of the value",
            LastEventKind::Child => "another tree, or the end of the current tree (no nodes may follow a child tree)",
        }
    }
}

/// The position in a stream of events.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) place: LastEventKind,
    /// Number of open trees.
    pub(super) depth: usize,
}

impl Order {
    pub(super) const START: Order = Order { place: LastEventKind::Outside, depth: 0 };

    /// Returns the position after an event.
    ///
    /// ```text
    /// Collection = { GameTree }
    /// GameTree   = StartTree Node { Property } { Node { Property } } { GameTree } EndTree
    /// Property   = Property Value { Value }
    /// Value      = Value | { ValuePart(More) } ValuePart(Complete | Cut)
    /// ```
    #[inline]
    pub(super) fn after(&self, event: Event<'_>) -> Result<LastEventKind, WriteError> {
        match (event, self.place) {
            (
                Event::StartTree,
                LastEventKind::Outside | LastEventKind::Node | LastEventKind::Value | LastEventKind::Child,
            ) => Ok(LastEventKind::Tree),
            (Event::Node, LastEventKind::Tree | LastEventKind::Node | LastEventKind::Value) => Ok(LastEventKind::Node),
            (Event::Property(ident), LastEventKind::Node | LastEventKind::Value) => match is_ident(ident) {
                true => Ok(LastEventKind::Property),
                false => Err(WriteError::Ident(ident.spelling().into_owned())),
            },
            (Event::Value(_), LastEventKind::Property | LastEventKind::Value) => Ok(LastEventKind::Value),
            (Event::ValuePart(part), LastEventKind::Property | LastEventKind::Value | LastEventKind::Part) => {
                match part.end {
                    PartEnd::More => Ok(LastEventKind::Part),
                    PartEnd::Complete | PartEnd::Cut => Ok(LastEventKind::Value),
                }
            }
            (Event::EndTree, LastEventKind::Node | LastEventKind::Value | LastEventKind::Child) => match self.depth {
                0 | 1 => Ok(LastEventKind::Outside),
                _ => Ok(LastEventKind::Child),
            },
            (event, place) => Err(unexpected(place, name(event))),
        }
    }

    /// Fails if the events may not end here.
    pub(super) fn end(&self) -> Result<(), WriteError> {
        match self.place {
            LastEventKind::Outside => Ok(()),
            LastEventKind::Node | LastEventKind::Value | LastEventKind::Child => Err(WriteError::Order {
                expected: "the end of the open trees",
                found: "the end of the events".to_owned(),
            }),
            place => Err(unexpected(place, "the end of the events".to_owned())),
        }
    }
}

#[cold]
fn unexpected(place: LastEventKind, found: String) -> WriteError {
    WriteError::Order { expected: place.expected(), found }
}

/// Returns the name of an event in an error.
fn name(event: Event<'_>) -> String {
    match event {
        Event::StartTree => "the start of a tree".to_owned(),
        Event::Node => "a node".to_owned(),
        Event::Property(ident) => format!("the property {}", ident.spelling().escape_debug()),
        Event::Value(_) => "a value".to_owned(),
        Event::ValuePart(_) => "a part of a value".to_owned(),
        Event::EndTree => "the end of a tree".to_owned(),
    }
}

/// Returns whether lenient mode reads this as an identifier: `Letter { Letter | Digit }`, with an upper-case letter.
pub(crate) fn is_ident(ident: Ident<'_>) -> bool {
    let spelling = ident.as_bytes();
    spelling.first().is_some_and(u8::is_ascii_alphabetic)
        && spelling.iter().all(u8::is_ascii_alphanumeric)
        && spelling.iter().any(u8::is_ascii_uppercase)
}

/// Refuses identifiers with digits, which FF\[4\] does not allow in any spelling.
pub(super) fn check_ff4(ident: Ident<'_>) -> Result<(), WriteError> {
    match ident.as_bytes().iter().any(u8::is_ascii_digit) {
        true => Err(WriteError::Ident(ident.spelling().into_owned())),
        false => Ok(()),
    }
}
