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
/// assert_eq!(error.to_string(), "line 2, column 2 (byte 9): expected `[` after `W`, found `)` [property-without-value]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    code: Code,
    position: Position,
    more: More,
}

/// The facts that a message adds to its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum More {
    Nothing,
    /// The limit that was exceeded.
    Limit(usize),
    Found(Found),
}

/// The token that the grammar does not expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    /// The byte, or `None` for the end of the data.
    byte: Option<u8>,
    ident: ShortIdent,
}

/// The first bytes of an identifier, and its length, if that is below 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ShortIdent {
    front: [u8; 11],
    len: u8,
}

impl Found {
    /// Describes a byte, or the end of the data.
    #[cold]
    pub(crate) fn byte(byte: Option<u8>) -> Self {
        Found { byte, ident: ShortIdent::new(b"") }
    }

    /// Describes an identifier, and the byte after it.
    #[cold]
    pub(crate) fn ident(ident: &[u8], next: Option<u8>) -> Self {
        Found { byte: next, ident: ShortIdent::new(ident) }
    }
}

impl ShortIdent {
    fn new(ident: &[u8]) -> Self {
        let mut front = [0; 11];
        let len = ident.len().min(front.len());
        front[..len].copy_from_slice(&ident[..len]);
        ShortIdent { front, len: ident.len().min(255) as u8 }
    }
}

impl fmt::Display for ShortIdent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (front, more) = match self.front.get(..self.len.into()) {
            Some(front) => (front, ""),
            None => (&self.front[..], "…"),
        };
        write!(f, "`{}{more}`", front.escape_ascii())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.byte {
            None => f.write_str("the end of the data"),
            Some(byte @ 0x21..=0x7E) => write!(f, "`{}`", byte as char),
            Some(byte) => write!(f, "byte 0x{byte:02X}"),
        }
    }
}

impl SyntaxError {
    #[cold]
    pub(crate) fn new(code: Code, position: Position) -> Self {
        SyntaxError { code, position, more: More::Nothing }
    }

    /// Creates an error that names the limit of its code, if it has one.
    #[cold]
    pub(crate) fn with_limit(code: Code, position: Position, limit: Option<usize>) -> Self {
        SyntaxError { code, position, more: limit.map_or(More::Nothing, More::Limit) }
    }

    /// Adds what was found, unless a limit was exceeded.
    #[cold]
    pub(crate) fn with_found(mut self, found: Option<Found>) -> Self {
        if !matches!(self.more, More::Limit(_)) {
            self.more = found.map_or(More::Nothing, More::Found);
        }
        self
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
        if let More::Limit(limit) = self.more {
            let what = match self.code {
                Code::IdentTooLong => "the identifier is longer",
                Code::ValueTooLong => "the value is longer",
                Code::NodeTooLong => "the node is longer",
                Code::TreeTooDeep => return format!("trees are nested deeper than the limit of {limit}"),
                _ => "the game is longer",
            };
            return format!("{what} than the limit of {limit} bytes");
        }
        let expected = self.code.expected();
        match (self.code, self.more) {
            (Code::NoSgfData, _) => format!("no SGF data: expected {expected}"),
            (Code::PropertyWithoutValue, More::Found(found)) => {
                format!("expected `[` after {}, found {found}", found.ident)
            }
            (Code::LowercaseInIdent | Code::DigitInIdent, More::Found(found)) => {
                format!("expected {expected}, found {}", found.ident)
            }
            (_, More::Found(found)) => format!("expected {expected}, found {found}"),
            _ => format!("expected {expected}"),
        }
    }

    /// Returns what the grammar expects at the position.
    pub fn expected(&self) -> &'static str {
        self.code.expected()
    }

    /// Returns the method that sets the limit, if one was exceeded.
    fn method(&self) -> Option<&'static str> {
        matches!(self.more, More::Limit(_)).then_some(match self.code {
            Code::IdentTooLong => "max_ident_len",
            Code::ValueTooLong => "max_value_len",
            Code::NodeTooLong => "max_node_len",
            Code::TreeTooDeep => "max_depth",
            _ => "max_game_len",
        })
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message())?;
        if let Some(method) = self.method() {
            write!(f, "; see `Parser::{method}`")?;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_error_is_small() {
        assert_eq!(size_of::<SyntaxError>(), 48);
    }

    #[test]
    fn messages_say_what_was_found() {
        let message = |data: &[u8]| {
            let error = crate::Parser::strict().max_value_len(8).max_ident_len(16).parse(data, |_, _| {});
            error.map_or_else(|error| error.message(), |_| "sound".to_owned())
        };
        assert_eq!(message(b"(;W)"), "expected `[` after `W`, found `)`");
        assert_eq!(message(b"(;W;B[aa])"), "expected `[` after `W`, found `;`");
        assert_eq!(message(b"(;VERYLONGIDENT)"), "expected `[` after `VERYLONGIDE…`, found `)`");
        assert_eq!(message(b"(;W THISISALONGIDENTIFIER[])"), "expected `[` after the identifier");
        assert_eq!(message(b"(;W "), "expected `[` after `W`, found the end of the data");
        assert_eq!(message(b"(;Black[aa])"), "expected an identifier of upper-case letters, found `Black`");
        assert_eq!(message(b"(;A1[aa])"), "expected an identifier of upper-case letters, found `A1`");
        assert_eq!(message(b"(;[aa])"), "expected an identifier, found `[`");
        assert_eq!(message(b"(B[aa])"), "expected `;`, found `B`");
        assert_eq!(message(b"(;B[aa]())"), "expected `;` after `(`, found `)`");
        assert_eq!(message(b"(((;B[aa])))"), "expected `;` after `(`, found `(`");
        assert_eq!(message(b"(;a(;b);c)"), "expected `(`, `)`, `;` or a property, found `a`");
        assert_eq!(message(b"(;(;);)"), "expected `(` or `)` after a child tree, found `;`");
        assert_eq!(message(b"(;B[aa]\xE9)"), "expected `(`, `)`, `;` or a property, found byte 0xE9");
        assert_eq!(message(b"(;B[aa]"), "expected `)`, found the end of the data");
        assert_eq!(message(b"(;B[aa"), "expected `]`, found the end of the data");
        assert_eq!(message(b"x(;B[aa])"), "expected `(` at the start of a game, found `x`");
        assert_eq!(message(b"(;B[aa]))"), "expected `(` or the end of the data, found `)`");
        assert_eq!(message(b"x"), "expected `(` at the start of a game, found `x`");
        assert_eq!(message(b""), "no SGF data: expected `(` followed by `;`");
        assert_eq!(message(b"(;C[a long comment])"), "the value is longer than the limit of 8 bytes");
        let error = crate::Parser::strict().max_depth(1).parse(b"(;(;))", |_, _| {}).unwrap_err();
        let shown = "line 1, column 3 (byte 2): trees are nested deeper than the limit of 1; \
                     see `Parser::max_depth` [tree-too-deep]";
        assert_eq!(error.to_string(), shown);
    }
}
