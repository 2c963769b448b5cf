//! The errors of parsing.

use std::fmt;
use std::io;

use crate::syntax::diagnostic::{Code, Position};

/// A violation of the grammar that ends parsing.
///
/// In strict mode this is the first syntax error. In both modes it is a stream without SGF data, or an exceeded limit
/// of a game.
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
    /// The limit that was exceeded.
    limit: Option<usize>,
}

impl SyntaxError {
    #[cold]
    pub(crate) fn new(code: Code, position: Position) -> Self {
        SyntaxError { code, position, limit: None }
    }

    /// Creates an error that names the limit of its code, if it has one.
    #[cold]
    pub(crate) fn with_limit(code: Code, position: Position, limit: Option<usize>) -> Self {
        SyntaxError { code, position, limit }
    }

    /// Returns the kind of syntax error (its rule).
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the position of the syntax error.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns whether no game can follow, because the stream has no SGF data.
    pub fn is_final(&self) -> bool {
        self.code == Code::NoSgfData
    }

    /// Describes the syntax error or the exceeded limit, without the position.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let error = Parser::strict().max_value_len(8).parse(b"(;C[a long comment])", |_, _| {}).unwrap_err();
    /// assert_eq!(error.message(), "the value is longer than the limit of 8 bytes");
    /// ```
    pub fn message(&self) -> String {
        if let Some(limit) = self.limit {
            let what = match self.code {
                Code::IdentTooLong => "the identifier is longer",
                Code::ValueTooLong => "the value is longer",
                Code::NodeTooLong => "the node is longer",
                Code::TreeTooDeep => return format!("trees are nested deeper than the limit of {limit}"),
                _ => "the game is longer",
            };
            return format!("{what} than the limit of {limit} bytes");
        }
        let no_data = if self.is_final() { "no SGF data: " } else { "" };
        format!("{no_data}expected {}", self.expected())
    }

    /// Returns what the grammar expects at the position.
    pub fn expected(&self) -> &'static str {
        self.code.expected()
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message())?;
        // The message already says `no SGF data`; the code would repeat it.
        if self.is_final() { Ok(()) } else { write!(f, " [{}]", self.code) }
    }
}

impl std::error::Error for SyntaxError {}

/// An error of reading or parsing a stream.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input is not valid SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// Reading the input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// Returns the syntax error, or `None` for an I/O error.
    pub fn as_syntax(&self) -> Option<&SyntaxError> {
        match self {
            Error::Syntax(error) => Some(error),
            Error::Io(_) => None,
        }
    }
}
