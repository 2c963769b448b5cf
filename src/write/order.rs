//! The order of events: which may follow which.

use super::WriteError;
use crate::syntax::event::{Event, Ident, PartEnd};

/// The kind of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
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

impl Place {
    /// The events that may follow, and why.
    fn expected(self) -> &'static str {
        match self {
            Place::Outside => "the start of a game (none is open)",
            Place::Tree => "a node (it is the start of a tree)",
            Place::Node | Place::Value => "a property, a node, a tree, or the end of this one",
            Place::Property => "a value (the property has none yet)",
            Place::Part => "the next part of the value",
            Place::Child => "another tree or the end of this one (after a child tree there are no nodes)",
        }
    }
}

/// The place in a stream of events.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) place: Place,
    /// Number of open trees.
    pub(super) depth: usize,
}

impl Order {
    pub(super) const START: Order = Order { place: Place::Outside, depth: 0 };

    /// The place after an event.
    ///
    /// ```text
    /// Collection = { GameTree }
    /// GameTree   = StartTree Node { Property } { Node { Property } } { GameTree } EndTree
    /// Property   = Property Value { Value }
    /// Value      = Value | { ValuePart(More) } ValuePart(Complete | Cut)
    /// ```
    #[inline]
    pub(super) fn after(&self, event: Event<'_>) -> Result<Place, WriteError> {
        match (event, self.place) {
            (Event::StartTree, Place::Outside | Place::Node | Place::Value | Place::Child) => Ok(Place::Tree),
            (Event::Node, Place::Tree | Place::Node | Place::Value) => Ok(Place::Node),
            (Event::Property(ident), Place::Node | Place::Value) => match is_ident(ident) {
                true => Ok(Place::Property),
                false => Err(WriteError::Ident(ident.spelling().into_owned())),
            },
            (Event::Value(_), Place::Property | Place::Value) => Ok(Place::Value),
            (Event::ValuePart(part), Place::Property | Place::Value | Place::Part) => match part.end {
                PartEnd::More => Ok(Place::Part),
                PartEnd::Complete | PartEnd::Cut => Ok(Place::Value),
            },
            (Event::EndTree, Place::Node | Place::Value | Place::Child) => match self.depth {
                0 | 1 => Ok(Place::Outside),
                _ => Ok(Place::Child),
            },
            (event, place) => Err(unexpected(place, name(event))),
        }
    }

    /// Whether the events may end here.
    pub(super) fn end(&self) -> Result<(), WriteError> {
        match self.place {
            Place::Outside => Ok(()),
            Place::Node | Place::Value | Place::Child => Err(WriteError::Order {
                expected: "the end of the trees that are open",
                found: "the end of the events".to_owned(),
            }),
            place => Err(unexpected(place, "the end of the events".to_owned())),
        }
    }
}

#[cold]
fn unexpected(place: Place, found: String) -> WriteError {
    WriteError::Order { expected: place.expected(), found }
}

/// The name of an event in an error.
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

/// Whether a lenient reader takes this for an identifier: `Letter { Letter | Digit }`, with an upper-case letter.
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
