//! The order of events: which may follow which.

use super::WriteError;
use crate::syntax::event::{Event, Ident, PartEnd};

/// The kind of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastEventKind {
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) place: LastEventKind,
    /// Number of open trees.
    pub(crate) depth: usize,
}

impl Order {
    pub(crate) const START: Order = Order { place: LastEventKind::Outside, depth: 0 };

    /// Moves to the position after an event. Returns false if the event does not belong here.
    ///
    /// ```text
    /// Collection = { GameTree }
    /// GameTree   = StartTree Node { Property } { Node { Property } } { GameTree } EndTree
    /// Property   = Property Value { Value }
    /// Value      = Value | { ValuePart(More) } ValuePart(Complete | Cut)
    /// ```
    #[inline]
    pub(crate) fn take(&mut self, event: Event<'_>) -> bool {
        use LastEventKind::{Child, Node, Outside, Part, Property, Tree, Value};
        self.place = match (event, self.place) {
            (Event::StartTree, Outside | Node | Value | Child) => Tree,
            (Event::Node, Tree | Node | Value) => Node,
            (Event::Property(_), Node | Value) => Property,
            (Event::Value(_), Property | Value) => Value,
            (Event::ValuePart(part), Property | Value | Part) if part.end == PartEnd::More => Part,
            (Event::ValuePart(_), Property | Value | Part) => Value,
            (Event::EndTree, Node | Value | Child) if self.depth <= 1 => Outside,
            (Event::EndTree, Node | Value | Child) => Child,
            _ => return false,
        };
        match event {
            Event::StartTree => self.depth += 1,
            Event::EndTree => self.depth -= 1,
            _ => {}
        }
        true
    }

    /// Fails if the events may not end here.
    pub(super) fn end(&self) -> Result<(), WriteError> {
        match self.place {
            LastEventKind::Outside => Ok(()),
            LastEventKind::Node | LastEventKind::Value | LastEventKind::Child => Err(WriteError::Order {
                expected: "the end of the open trees",
                found: "the end of the events".to_owned(),
            }),
            place => Err(WriteError::Order { expected: place.expected(), found: "the end of the events".to_owned() }),
        }
    }
}

/// Returns the error for an event that does not belong there.
#[cold]
pub(super) fn unexpected(place: LastEventKind, event: Event<'_>) -> WriteError {
    let found = match event {
        Event::StartTree => "the start of a tree".to_owned(),
        Event::Node => "a node".to_owned(),
        Event::Property(ident) => format!("the property {}", ident.spelling().escape_debug()),
        Event::Value(_) => "a value".to_owned(),
        Event::ValuePart(_) => "a part of a value".to_owned(),
        Event::EndTree => "the end of a tree".to_owned(),
    };
    WriteError::Order { expected: place.expected(), found }
}

/// Returns whether lenient mode reads this as an identifier: `Letter { Letter | Digit }`, with an upper-case letter.
pub(crate) fn is_ident(ident: Ident<'_>) -> bool {
    let spelling = ident.as_bytes();
    spelling.first().is_some_and(u8::is_ascii_alphabetic)
        && spelling.iter().all(u8::is_ascii_alphanumeric)
        && spelling.iter().any(u8::is_ascii_uppercase)
}

/// Refuses what is not an identifier, and with `is_ff4` those with digits, which FF\[4\] does not allow in any spelling.
#[inline]
pub(super) fn check_ident(ident: Ident<'_>, is_ff4: bool) -> Result<(), WriteError> {
    match is_ident(ident) && !(is_ff4 && ident.as_bytes().iter().any(u8::is_ascii_digit)) {
        true => Ok(()),
        false => Err(WriteError::Ident(ident.spelling().into_owned())),
    }
}
