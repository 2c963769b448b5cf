//! Facts about bytes that need no parser state: raw values, escapes, and charsets with two-byte characters.

pub(crate) mod two_byte;
pub(crate) mod unescape;
mod value;

pub use value::RawValue;
