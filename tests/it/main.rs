//! The tests of what the library promises: one binary, a module a topic. What they share with the fuzz targets is in
//! `tests/support`; tests that measure the memory of their process are in `tests/memory`, those of the binary `sgf` in
//! `crates/sgf-cli/tests/cli`.
//!
//! They are a package of their own, since a package is optimized as a whole: without optimization, these generic functions
//! and types compile in a fifth of the time, and most of the work is in the library, which is optimized.
//!
//! How many inputs a law is tried on is said in `tests/quickcheck`: `SGF_LONG=1 cargo test --test it laws` tries it on ten
//! times as many.

mod analysis;
#[cfg(feature = "charset")]
mod charset;
mod check;
#[cfg(feature = "codec")]
mod codec;
mod conformance;
mod corpus;
#[cfg(feature = "serde")]
mod examples;
mod facts;
mod guide;
#[path = "../support/hostile.rs"]
mod hostile;
mod house;
mod io_errors;
mod laws;
#[cfg(feature = "parallel")]
mod parallel;
mod record;
mod recovery;
mod registry;
mod replay;
#[cfg(feature = "serde")]
mod serde_de;
#[cfg(feature = "serde")]
mod serde_ser;
mod sink;
#[cfg(feature = "parallel")]
mod split;
mod strict_games;
#[path = "../support/mod.rs"]
mod support;
mod table;
#[cfg(all(unix, feature = "serde", feature = "parallel"))]
#[path = "../support/transcripts.rs"]
mod transcripts;
mod tree;
mod two_byte;
mod values;
mod visitor;
mod write;

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
