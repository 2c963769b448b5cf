//! Readers: a push parser, pull readers for slices and streams, visitors, and the index of a collection.

pub(crate) mod carry;
pub(crate) mod index;
pub(crate) mod listener;
pub(crate) mod parse;
pub(crate) mod parser;
pub mod parts;
pub(crate) mod pull;
pub(crate) mod push;
pub(crate) mod reader;
pub(crate) mod sink;
pub(crate) mod slice;
pub(crate) mod source;
pub(crate) mod spans;
pub(crate) mod visit;
