//! The error of parsing a value.

use thiserror::Error;

/// The error of a value that is not of its type.
///
/// It has the name of the type, what was expected, and where.
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
    /// Creates an error, for types of your own.
    ///
    /// See [`FromProperty`](crate::tree::FromProperty#reporting-what-was-expected) for an example.
    /// `kind` is the name of the type, `expected` says what should be at the byte offset `at` of the raw value.
    #[cold]
    pub const fn new(kind: &'static str, expected: &'static str, at: usize) -> Self {
        ValueError { kind, expected, at }
    }

    /// Returns the name of the type, as in the specification: `Number`, `point`, `date`.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns what was expected.
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// Returns the byte offset of the error in the raw value, 0-based.
    ///
    /// It is the length of the value if the value ends too early. For a list, the enclosing error has the index of
    /// the value.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Adds `by` bytes to the offset, for a value that is part of a longer one.
    pub(crate) const fn shifted(mut self, by: usize) -> Self {
        self.at += by;
        self
    }

    /// Replaces the type with the one that contains it.
    pub(crate) const fn of(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }
}
