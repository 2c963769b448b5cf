//! The codecs: laws, limits, streams that fail or wait, real sockets.
#![cfg(feature = "codec")]

mod support;

#[path = "codec/laws.rs"]
mod laws;
