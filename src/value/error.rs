//! What is wrong with a value.

use thiserror::Error;

/// A value that is not of its type: which type, what was expected, and where.
///
/// ```
/// use sgf_stream::value::Number;
///
/// let error = Number::parse("19x19").unwrap_err();
/// assert_eq!(error.to_string(), "Number: expected a digit at byte 2");
/// assert_eq!((error.kind(), error.expected(), error.at()), ("Number", "a digit", 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("{kind}: expected {expected} at byte {at}")]
pub struct ValueError {
    kind: &'static str,
    expected: &'static str,
    at: usize,
}

impl ValueError {
    #[cold]
    pub(crate) const fn new(kind: &'static str, expected: &'static str, at: usize) -> Self {
        ValueError { kind, expected, at }
    }

    /// The type, in the words of the specification: `Number`, `point`, `date`.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// What should stand there.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// The index of the first byte of the raw value that does not fit; its length, if it ends
    /// too early. Of a list, see the error that holds this one.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The same for a value that starts so many bytes into a longer one.
    pub(crate) const fn shifted(mut self, by: usize) -> Self {
        self.at += by;
        self
    }

    /// The same as the fault of a type that this one is a part of.
    pub(crate) const fn of(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }
}
