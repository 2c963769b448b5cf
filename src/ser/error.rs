//! Errors of serialization: a value that SGF cannot represent, with its location, or failed output.

use std::any::type_name;
use std::fmt;
use std::io;

use crate::write::WriteError;

/// Error from serializing games, with its location.
///
/// The location consists of the game, the node in file order, and the field. The message counts games and nodes
/// from 1, and calls the first node the root. [`game`](Self::game) and [`node`](Self::node) count from 0.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let games = [BTreeMap::from([("PB", "Shusaku")]), BTreeMap::from([("PB", "Shu\tsaku")])];
/// let error = sgf_stream::to_string(&games).unwrap_err();
/// assert_eq!((error.game(), error.node(), error.property()), (Some(1), Some(0), Some("PB")));
/// assert_eq!(
///     error.to_string(),
///     "game 2, root, PB: the text has tabs (U+0009), which SGF cannot represent; see `Serializer::normalize`"
/// );
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    fault: Fault,
    game: Option<u64>,
    node: Option<u64>,
    property: Option<Box<str>>,
}

enum Fault {
    Io(io::Error),
    Data(String),
}

impl Error {
    #[cold]
    pub(super) fn new(message: impl Into<String>) -> Self {
        Error::of(Fault::Data(message.into()))
    }

    /// Creates the error `expected …, found …`.
    #[cold]
    pub(super) fn expected(expected: &str, found: &str) -> Self {
        Error::new(format!("expected {expected}, found {found}"))
    }

    fn of(fault: Fault) -> Self {
        Error(Box::new(Inner { fault, game: None, node: None, property: None }))
    }

    /// Sets the game, unless one is set.
    #[cold]
    pub(super) fn in_game(mut self, game: u64) -> Self {
        self.0.game.get_or_insert(game);
        self
    }

    /// Sets the node, unless one is set.
    #[cold]
    pub(super) fn in_node(mut self, node: usize) -> Self {
        self.0.node.get_or_insert(node as u64);
        self
    }

    /// Sets the field, unless one is set.
    #[cold]
    pub(super) fn in_property(mut self, name: &str) -> Self {
        self.0.property.get_or_insert_with(|| name.into());
        self
    }

    /// Returns the number of the game, counted from 0 in the order of writing.
    pub fn game(&self) -> Option<u64> {
        self.0.game
    }

    /// Returns the number of the node, counted from 0 in its game, in file order.
    pub fn node(&self) -> Option<u64> {
        self.0.node
    }

    /// Returns the field: a property, or a special key such as `$variations`.
    pub fn property(&self) -> Option<&str> {
        self.0.property.as_deref()
    }

    /// Returns whether writing failed. The data may be valid.
    pub fn is_io(&self) -> bool {
        matches!(self.0.fault, Fault::Io(_))
    }

    /// Returns whether the data is invalid. The game with the error is not written.
    pub fn is_data(&self) -> bool {
        !self.is_io()
    }

    /// Returns the message without the location.
    pub fn message(&self) -> String {
        match &self.0.fault {
            Fault::Io(error) => error.to_string(),
            Fault::Data(message) => message.clone(),
        }
    }
}

/// Displays as `game 3, node 12, LB: expected …`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match &self.0.fault {
            Fault::Io(error) => return error.fmt(f),
            Fault::Data(message) => message,
        };
        let mut separator = "";
        if let Some(game) = self.0.game {
            write!(f, "game {}", game + 1)?;
            separator = ", ";
        }
        if let Some(node) = self.0.node {
            match node {
                0 => write!(f, "{separator}root")?,
                node => write!(f, "{separator}node {}", node + 1)?,
            }
            separator = ", ";
        }
        if let Some(property) = &self.0.property {
            write!(f, "{separator}{property}")?;
            separator = ", ";
        }
        write!(f, "{}{message}", if separator.is_empty() { "" } else { ": " })
    }
}

/// Formats like `Display`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?})", self.to_string())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.fault {
            // Displays like the I/O error, so the next source is the cause of that.
            Fault::Io(error) => error.source(),
            Fault::Data(_) => None,
        }
    }
}

/// Returns whether a serializer with errors of type `E` writes SGF.
pub(crate) fn is_to_sgf<E>() -> bool {
    type_name::<E>() == type_name::<Error>()
}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::new(message.to_string())
    }
}

impl From<WriteError> for Error {
    #[cold]
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(error) => Error::of(Fault::Io(error)),
            fault => Error::new(fault.to_string()),
        }
    }
}

/// Converts an I/O error, for tokio's sinks.
impl From<io::Error> for Error {
    #[cold]
    fn from(error: io::Error) -> Self {
        Error::of(Fault::Io(error))
    }
}

/// Returns the I/O error unchanged; data errors become [`InvalidData`](io::ErrorKind::InvalidData).
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error.0.fault {
            Fault::Io(error) => error,
            Fault::Data(_) => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}
