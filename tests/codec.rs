//! The codecs: laws, limits, streams that fail or wait, real sockets.
#![cfg(feature = "codec")]

mod support;

#[path = "codec/corpus.rs"]
mod corpus;
#[path = "codec/encode.rs"]
mod encode;
#[path = "codec/laws.rs"]
mod laws;
#[path = "codec/limits.rs"]
mod limits;
#[cfg(feature = "serde")]
#[path = "codec/records.rs"]
mod records;
#[cfg(feature = "serde")]
#[path = "codec/sockets.rs"]
mod sockets;
#[path = "codec/streams.rs"]
mod streams;
