//! The codecs: laws, limits, streams that fail or wait, real sockets.

mod corpus;
mod encode;
mod laws;
mod limits;
#[cfg(feature = "serde")]
mod records;
#[cfg(feature = "serde")]
mod sockets;
mod streams;
