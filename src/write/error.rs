//! The errors of writing.

use std::fmt;
use std::io;

/// An error of a [`Writer`](super::Writer).
///
/// ```
/// use sgf_stream::write::{WriteError, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// let error = writer.start_tree()?.property("B").unwrap_err();
/// assert_eq!(error.to_string(), "expected a node (it is the start of a tree), not the property B");
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output could not be written. It is not known how many of the last bytes were.
    Io(io::Error),
    /// An event that cannot follow the previous one. It was not written, and the same events as before may follow.
    Order {
        /// The events that may follow, and why.
        expected: &'static str,
        /// The event.
        found: String,
    },
    /// An invalid identifier: it has other characters than letters and digits, does not start with a letter, or has no
    /// upper-case letter. It was not written.
    Ident(String),
    /// In canonical style, a node longer than [`max_node_len`](super::Writer::max_node_len). Nothing of the node was
    /// written, and every later event is refused with this error.
    NodeTooLong {
        /// The longest node, in bytes.
        limit: usize,
        /// The name of the property that made it too long.
        property: String,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Io(error) => error.fmt(f),
            WriteError::Order { expected, found } => write!(f, "expected {expected}, not {found}"),
            WriteError::Ident(ident) => write!(f, "expected an identifier of upper-case letters, not {ident:?}"),
            WriteError::NodeTooLong { limit, property } => write!(
                f,
                "expected a node of at most {limit} bytes (32 more for each identifier and value), not more in its property {property}"
            ),
        }
    }
}

/// The message is that of the error inside, and so is the source.
impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            WriteError::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Io(error)
    }
}
