//! Errors.

use std::fmt;
use std::io;

use crate::syntax::diagnostic::{Code, Position};

/// The first fault of a stream in strict mode, or a stream without SGF data in either mode.
///
/// ```
/// use sgf_stream::Parser;
///
/// let error = Parser::strict().parse(b"(;B[aa]\n;W)", |_, _| {}).unwrap_err();
/// assert_eq!(error.code().as_str(), "property-without-value");
/// assert_eq!((error.position().line, error.position().column), (2, 2));
/// assert_eq!(error.to_string(), "line 2, column 2 (byte 9): expected \"[\" after the identifier [property-without-value]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    code: Code,
    position: Position,
}

impl SyntaxError {
    #[cold]
    pub(crate) fn new(code: Code, position: Position) -> Self {
        SyntaxError { code, position }
    }

    /// What is wrong.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Where.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Whether no game can follow: there is no SGF data in the whole stream.
    pub fn is_final(&self) -> bool {
        self.code == Code::NoSgfData
    }

    /// What is wrong, without the place: `expected …`.
    pub fn message(&self) -> String {
        let no_data = if self.is_final() { "no SGF data: " } else { "" };
        format!("{no_data}expected {}", self.expected())
    }

    /// What the grammar wants there.
    pub fn expected(&self) -> &'static str {
        self.code.expected()
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message())?;
        // Without any SGF there is nothing that the code could add.
        if self.is_final() { Ok(()) } else { write!(f, " [{}]", self.code) }
    }
}

impl std::error::Error for SyntaxError {}

/// What can go wrong where bytes come from outside.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are at fault.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// Reading them failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// The syntax error, if it is one.
    pub fn as_syntax(&self) -> Option<&SyntaxError> {
        match self {
            Error::Syntax(error) => Some(error),
            Error::Io(_) => None,
        }
    }
}
