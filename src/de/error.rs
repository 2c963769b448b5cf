//! Errors with their location in the file: game, node, property and byte.

use std::fmt;
use std::io;
use std::sync::Arc;

use serde::de::{self, Expected, Unexpected};

use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::error::SyntaxError;
use crate::value::typed::serde_impl::place_of;

/// Error from deserializing games, with its location.
///
/// ```
/// use std::collections::BTreeMap;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "HA")]
///     handicap: u8,
/// }
///
/// let error = sgf_stream::from_str::<Vec<Game>>("(;HA[2])(;HA[two])").unwrap_err();
/// assert!(error.is_data());
/// assert_eq!((error.game(), error.node(), error.property(), error.offset()), (Some(1), Some(0), Some("HA"), Some(12)));
/// assert_eq!(error.to_string(), "game 2, root, HA (byte 12): expected u8, found \"two\"");
/// ```
///
/// The message counts games and nodes from 1, and calls the first node the root. [`game`](Self::game) and
/// [`node`](Self::node) count from 0.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    game: Option<u64>,
    node: Option<u64>,
    property: Option<Box<str>>,
    offset: Option<u64>,
    /// Line and column of `offset`, if lines are counted.
    position: Option<Position>,
    /// What counts as [absent](super::again), if anything.
    absent: Option<Absence>,
}

/// What counts as absent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absence {
    /// A property that does not fit.
    Property,
    /// The node as a whole, which has no move, or one that does not fit.
    Node,
}

#[derive(Clone)]
enum ErrorKind {
    Syntax(SyntaxError),
    /// Shared, because a failed stream returns it again.
    Io(Arc<io::Error>),
    Data(Box<str>),
    /// A property that the type requires is missing.
    Missing(&'static str),
    /// The node has no move. Unlike other messages, it is not formatted, since most such errors become `None`.
    NoMove,
    /// A value does not fit its type.
    Value {
        expected: Box<str>,
        found: Box<str>,
        /// The wrong byte of the raw value, unless it is at the error's offset.
        at: Option<usize>,
    },
    /// The number of items is not the expected one.
    Count {
        expected: Box<str>,
        found: usize,
        of: &'static str,
    },
}

/// Category of an error; see [`Error::category`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The bytes are not valid SGF.
    ///
    /// A syntax error in strict mode, data that ends inside a game, or no SGF at all. At most one game is lost.
    Syntax,
    /// Reading failed. No games follow.
    Io,
    /// The game does not fit the requested type. Only that game is lost.
    Data,
}

/// Result with an [`Error`] of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    #[cold]
    fn new(kind: ErrorKind) -> Self {
        Error(Box::new(Inner {
            kind,
            game: None,
            node: None,
            property: None,
            offset: None,
            position: None,
            absent: None,
        }))
    }

    #[cold]
    pub(crate) fn data(message: impl fmt::Display) -> Self {
        Error::new(ErrorKind::Data(message.to_string().into()))
    }

    /// Creates a syntax error. `has_lines` says whether its position has line and column.
    #[cold]
    pub(crate) fn syntax(error: SyntaxError, has_lines: bool) -> Self {
        let position = error.position();
        let mut this = Error::new(ErrorKind::Syntax(error));
        (this.0.offset, this.0.position) = (Some(position.offset), has_lines.then_some(position));
        this
    }

    #[cold]
    pub(super) fn io(error: io::Error) -> Self {
        Error::new(ErrorKind::Io(Arc::new(error)))
    }

    #[cold]
    pub(super) fn count(expected: usize, found: usize, of: &'static str) -> Self {
        Error::new(ErrorKind::Count { expected: counted(expected, of).into(), found, of })
    }

    /// Sets what is counted, if the error is only a wrong count.
    #[cold]
    pub(super) fn counting(self, expected: usize, of: &'static str) -> Self {
        match &self.0.kind {
            ErrorKind::Count { found, .. } if self.is_count() => Error::count(expected, *found, of),
            _ => self,
        }
    }

    /// Returns whether the error is only a wrong count.
    pub(super) fn is_count(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Count { .. }) && self.0.offset.is_none()
    }

    /// Adds a hint after the message.
    #[cold]
    pub(super) fn hint(mut self, hint: &str) -> Self {
        let message = format!("{}; {hint}", self.message());
        self.0.kind = ErrorKind::Data(message.into());
        self
    }

    /// Sets the offset, if none is set yet, to a value's `[` or the byte before a component. The wrong byte may come
    /// well after it.
    #[cold]
    pub(super) fn at(mut self, offset: u64) -> Self {
        if self.0.offset.is_none() {
            let inside = match &mut self.0.kind {
                ErrorKind::Value { at, .. } => at.take().map(|at| at as u64 + 1),
                _ => None,
            };
            self.0.offset = Some(offset + inside.unwrap_or(0));
        }
        self
    }

    /// Sets the approximate offset, if none is set yet. It is for a value in another charset, or for a node.
    #[cold]
    pub(super) fn near(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    #[cold]
    pub(super) fn in_property(mut self, name: &str, offset: u64) -> Self {
        if self.is_data() && self.0.node.is_none() {
            self.0.property.get_or_insert_with(|| name.into());
            self.0.offset.get_or_insert(offset);
        }
        self
    }

    #[cold]
    pub(super) fn in_node(mut self, number: u64, offset: u64) -> Self {
        if self.is_data() {
            self.0.node.get_or_insert(number);
            self.0.offset.get_or_insert(offset);
        }
        self
    }

    #[cold]
    pub(super) fn in_game(mut self, number: u64, offset: u64) -> Self {
        self.0.game.get_or_insert(number);
        if self.is_data() {
            self.0.offset.get_or_insert(offset);
        }
        self
    }

    /// Sets the game number. Used by callers that read games one by one.
    #[cfg(feature = "codec")]
    #[cold]
    pub(crate) fn with_game(mut self, number: u64) -> Self {
        self.0.game = Some(number);
        self
    }

    /// Adds the number of games before the part that was read to the game number.
    #[cfg(feature = "parallel")]
    #[cold]
    pub(crate) fn after_games(mut self, games: u64) -> Self {
        if let Some(number) = &mut self.0.game {
            *number += games;
        }
        self
    }

    /// Removes game and offset, which a tree does not have.
    #[cfg(feature = "tree")]
    #[cold]
    pub(crate) fn without_place(mut self) -> Self {
        (self.0.game, self.0.offset, self.0.position) = (None, None, None);
        self
    }

    /// Adds line and column, from a function that maps offsets to positions.
    #[cold]
    pub(super) fn locate(mut self, position: impl FnOnce(u64) -> Option<Position>) -> Self {
        if let (None, Some(offset)) = (self.0.position, self.0.offset) {
            self.0.position = position(offset);
        }
        self
    }

    /// Marks the error of a property that counts as absent.
    pub(super) fn mark_absent(mut self) -> Self {
        self.0.absent = Some(Absence::Property);
        self
    }

    /// Creates the error of a node that must have a move.
    #[cold]
    pub(super) fn no_move() -> Self {
        Error::new(ErrorKind::NoMove)
    }

    /// Marks the error of a node that counts as absent as a whole.
    pub(super) fn mark_absent_node(mut self) -> Self {
        self.0.absent = Some(Absence::Node);
        self
    }

    /// Marks the error of a node whose variant this is, if the variant counts as absent.
    pub(super) fn of_variant(self) -> Self {
        if self.is_absent() { self.mark_absent_node() } else { self }
    }

    /// Returns whether the property counts as absent.
    pub(super) fn is_absent(&self) -> bool {
        self.0.absent == Some(Absence::Property)
    }

    /// Returns whether the node counts as absent.
    pub(super) fn is_absent_node(&self) -> bool {
        self.0.absent == Some(Absence::Node)
    }

    pub(super) fn without_mark(mut self) -> Self {
        self.0.absent = None;
        self
    }

    /// Returns whether the game lacks a property.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Missing(_))
    }

    /// Returns the category of the error.
    pub fn category(&self) -> Category {
        match self.0.kind {
            ErrorKind::Syntax(..) => Category::Syntax,
            ErrorKind::Io(_) => Category::Io,
            ErrorKind::Data(_)
            | ErrorKind::Missing(_)
            | ErrorKind::NoMove
            | ErrorKind::Value { .. }
            | ErrorKind::Count { .. } => Category::Data,
        }
    }

    /// Returns whether the bytes are not SGF.
    pub fn is_syntax(&self) -> bool {
        self.category() == Category::Syntax
    }

    /// Returns whether reading failed.
    pub fn is_io(&self) -> bool {
        self.category() == Category::Io
    }

    /// Returns whether a game does not fit the requested type.
    pub fn is_data(&self) -> bool {
        self.category() == Category::Data
    }

    /// Returns the code of a syntax error.
    pub fn code(&self) -> Option<Code> {
        match &self.0.kind {
            ErrorKind::Syntax(error) => Some(error.code()),
            _ => None,
        }
    }

    /// Returns line and column of [`offset`](Self::offset), if lines are counted.
    ///
    /// Lines are counted in strict mode, with a callback, and with
    /// [`Parser::count_lines`](crate::Parser::count_lines). `None` otherwise, and for locations more than 65,535
    /// lines before the point where the error is found.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sgf_stream::Parser;
    ///
    /// let parser = Parser::new().count_lines(true);
    /// let mut games = parser.slice(b"(;HA[2])\n(;HA[two])").games::<BTreeMap<String, u8>>();
    /// let error = games.nth(1).unwrap().unwrap_err();
    /// assert_eq!(error.position().map(|place| (place.line, place.column)), Some((2, 5)));
    /// assert_eq!(error.to_string(), "game 2, root, HA at line 2, column 5 (byte 13): expected u8, found \"two\"");
    /// ```
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the number of the game, counted from 0; `None` outside games.
    ///
    /// Counting starts where the reader started.
    pub fn game(&self) -> Option<u64> {
        self.0.game
    }

    /// Returns the number of the node in its game, counted from 0 in file order.
    ///
    /// Only nodes that were read count; nodes that the type skips do not.
    pub fn node(&self) -> Option<u64> {
        self.0.node
    }

    /// Returns the name of the property.
    pub fn property(&self) -> Option<&str> {
        self.0.property.as_deref()
    }

    /// Returns the byte offset of the error.
    ///
    /// This is the first byte that does not fit, if a typed value or the syntax is wrong; otherwise a value's `[`
    /// (for the second component of a composed value, the `:`), an identifier, a node's `;` or a game's `(`.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the message without the location.
    pub fn message(&self) -> String {
        match &self.0.kind {
            ErrorKind::Syntax(error) => error.message(),
            ErrorKind::Io(error) => error.to_string(),
            ErrorKind::Missing(field) => format!("missing property `{field}`"),
            ErrorKind::NoMove => "expected a node with B or W; for nodes without a move use an `Option`".into(),
            ErrorKind::Data(message) => message.to_string(),
            ErrorKind::Value { expected, found, at: None } => format!("{expected}, found {found}"),
            ErrorKind::Value { expected, found, at: Some(at) } => format!("{expected} at byte {at} of {found}"),
            ErrorKind::Count { expected, found, of } => format!("expected {expected}, found {}", counted(*found, of)),
        }
    }
}

/// Returns a number with a noun: `1 value`, `2 values`.
fn counted(n: usize, of: &str) -> String {
    format!("{n} {of}{}", if n == 1 { "" } else { "s" })
}

/// Displays as `game 12, node 34, LB (byte 1048611): expected a tuple of 2`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, game, node, property, offset, position, .. } = &*self.0;
        let mut separator = "";
        if let Some(game) = game {
            write!(f, "game {}", game + 1)?;
            separator = ", ";
        }
        if let Some(node) = node {
            match node {
                0 => write!(f, "{separator}root")?,
                node => write!(f, "{separator}node {}", node + 1)?,
            }
            separator = ", ";
        }
        if let Some(property) = property {
            write!(f, "{separator}{property}")?;
            separator = ", ";
        }
        // Data errors are inside their game, syntax errors may be next to it.
        let at = match kind {
            ErrorKind::Syntax(_) if position.is_some() => separator,
            _ if separator.is_empty() => "",
            _ => " at ",
        };
        let place = match (position, offset) {
            (Some(position), _) => {
                write!(f, "{at}{position}")?;
                true
            }
            (None, Some(offset)) if separator.is_empty() => {
                write!(f, "byte {offset}")?;
                true
            }
            (None, Some(offset)) => {
                write!(f, " (byte {offset})")?;
                true
            }
            (None, None) => !separator.is_empty(),
        };
        write!(f, "{}{}", if place { ": " } else { "" }, self.message())?;
        match kind {
            ErrorKind::Syntax(error) if !error.is_final() => write!(f, " [{}]", error.code()),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}, {:?})", self.category(), self.to_string())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => error.source(), // it prints as itself
            _ => None,
        }
    }
}

/// Returns the original I/O error, or at least its kind; other errors become `InvalidData`.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error.0.kind {
            ErrorKind::Io(inner) => Arc::try_unwrap(inner).unwrap_or_else(|inner| io::Error::new(inner.kind(), inner)),
            _ => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// Formats a name for a message.
fn known(name: &str) -> String {
    match name {
        "" => "nothing".into(),
        name if name.starts_with('$') => format!("`{name}`"),
        name => name.into(),
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::data(message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        super::flat::note_refused(found);
        Error::data(format_args!("expected {expected}, found {}", Found(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        super::flat::note_refused(found);
        if let Some((expected, at)) = place_of(&format!("{expected:#}")) {
            // The start of the value may be valid: `resign` starts with the move `re`. The error therefore says where
            // it should have ended.
            let is_end = expected.ends_with("the end of the value");
            let (expected, found) = match split(found, at).filter(|_| is_end) {
                Some((front, rest)) => (format!("{expected} after {}", Found(front)), Found(rest)),
                None => (expected.into(), Found(found)),
            };
            let found = found.to_string().into();
            return Error::new(ErrorKind::Value { expected: expected.into(), found, at: Some(at) });
        }
        Error::data(format_args!("expected {expected}, found {}", Found(found)))
    }

    fn invalid_length(len: usize, expected: &dyn Expected) -> Self {
        Error::new(ErrorKind::Count { expected: expected.to_string().into(), found: len, of: "value" })
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::data(format_args!("expected {}, found {variant:?}", OneOf(expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Error::data(format_args!("expected {}, found {}", OneOf(expected), known(field)))
    }

    fn missing_field(field: &'static str) -> Self {
        match field.strip_prefix('$') {
            Some("root" | "line" | "mainline" | "nodes" | "variations" | "rest") => Error::data(format_args!(
                "missing `{field}`: a flattened struct receives no `$` keys, nor does a variant of an untagged or \
                 internally tagged enum; move the field into the struct around it"
            )),
            _ => Error::new(ErrorKind::Missing(field)),
        }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Error::data(format_args!("{} occurs twice", known(field)))
    }
}

/// Splits a string or bytes, unless one half would be empty.
fn split(found: Unexpected<'_>, at: usize) -> Option<(Unexpected<'_>, Unexpected<'_>)> {
    match found {
        Unexpected::Str(text) if (1..text.len()).contains(&at) => {
            let (front, rest) = text.split_at_checked(at)?;
            Some((Unexpected::Str(front), Unexpected::Str(rest)))
        }
        Unexpected::Bytes(bytes) if (1..bytes.len()).contains(&at) => {
            let (front, rest) = bytes.split_at(at);
            Some((Unexpected::Bytes(front), Unexpected::Bytes(rest)))
        }
        _ => None,
    }
}

/// Shows a found value, shortened, since a string may be as long as a value.
struct Found<'a>(Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_LEN: usize = 60;
        match self.0 {
            Unexpected::Str(text) => match text.char_indices().nth(MAX_LEN) {
                Some((end, _)) => write!(f, "{:?}…", &text[..end]),
                None => write!(f, "{text:?}"),
            },
            Unexpected::Signed(number) => number.fmt(f),
            Unexpected::Unsigned(number) => number.fmt(f),
            Unexpected::Float(number) => number.fmt(f),
            Unexpected::Bytes(bytes) => match bytes.get(..MAX_LEN) {
                Some(start) if start.len() < bytes.len() => write!(f, "\"{}\"…", start.escape_ascii()),
                _ => write!(f, "\"{}\"", bytes.escape_ascii()),
            },
            Unexpected::Seq => f.write_str("a list"),
            Unexpected::Unit => f.write_str("nothing"),
            other => other.fmt(f),
        }
    }
}

/// A list of names, displayed as `PB`, `PB or PW` or `one of B, W, AB`.
pub(super) struct OneOf(pub(super) &'static [&'static str]);

impl fmt::Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("nothing"),
            [one] => f.write_str(one),
            [one, other] => write!(f, "{one} or {other}"),
            many => {
                f.write_str("one of ")?;
                many.iter().enumerate().try_for_each(|(n, name)| write!(f, "{}{name}", if n == 0 { "" } else { ", " }))
            }
        }
    }
}

impl From<crate::syntax::error::Error> for Error {
    fn from(error: crate::syntax::error::Error) -> Self {
        match error {
            crate::syntax::error::Error::Syntax(error) => error.into(),
            crate::syntax::error::Error::Io(error) => Error::io(error),
        }
    }
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Self {
        Error::syntax(error, true)
    }
}
