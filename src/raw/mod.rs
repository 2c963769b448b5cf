//! Facts about bytes that need no parser state: raw values, escapes, and charsets with two-byte characters.

pub(crate) mod two_byte;
pub(crate) mod unescape;
mod value;
pub(crate) mod words;

pub use value::RawValue;

/// The byte-order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";
