//! The errors of writing.

use std::io;

/// An error of a [`Writer`](super::Writer).
///
/// ```
/// use sgf_stream::write::{WriteError, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// let error = writer.start_tree()?.property("B").unwrap_err();
/// assert_eq!(error.to_string(), "expected a node (it is the start of a tree), found the property B");
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed. An unknown number of trailing bytes may be missing.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An event that cannot follow the previous one. It was not written; the same events may follow as before it.
    #[error("expected {expected}, found {found}")]
    Order {
        /// The events that may follow, and why.
        expected: &'static str,
        /// The event.
        found: String,
    },
    /// An invalid identifier, which was not written.
    ///
    /// It has characters other than letters and digits, does not start with a letter, or has no upper-case letter.
    #[error("expected an identifier of upper-case letters, found {0:?}")]
    Ident(String),
    /// In canonical form, a node longer than [`max_node_len`](super::Writer::max_node_len). Nothing of the node was
    /// written, and every later event is refused with this error.
    #[error("the node is longer than the limit of {limit} bytes (in property {property}); see `Writer::max_node_len`")]
    NodeTooLong {
        /// The longest node, in bytes.
        limit: usize,
        /// The name of the property that made it too long.
        property: String,
    },
}
