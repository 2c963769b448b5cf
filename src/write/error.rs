//! The errors of writing.

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
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output could not be written. It is not known how many of the last bytes were.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An event that cannot follow the previous one. It was not written, and the same events as before may follow.
    #[error("expected {expected}, not {found}")]
    Order {
        /// The events that may follow, and why.
        expected: &'static str,
        /// The event.
        found: String,
    },
    /// An invalid identifier: it has other characters than letters and digits, does not start with a letter, or has no
    /// upper-case letter. It was not written.
    #[error("expected an identifier of upper-case letters, not {0:?}")]
    Ident(String),
    /// In canonical style, a node longer than [`max_node_len`](super::Writer::max_node_len). Nothing of the node was
    /// written, and every later event is refused with this error.
    #[error(
        "expected a node of at most {limit} bytes (32 more for each identifier and value), not more in its property {property}"
    )]
    NodeTooLong {
        /// The longest node, in bytes.
        limit: usize,
        /// The name of the property that made it too long.
        property: String,
    },
}
