//! The tests of what the crate promises: one binary, a module a topic. What they share with the fuzz targets is in
//! `tests/support`; tests that measure the memory of their process are in `tests/memory`.
//!
//! `QUICKCHECK_TESTS=1000000 cargo test --test it laws` tries the laws harder.

#[cfg(feature = "charset")]
mod charset;
mod check;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "codec")]
mod codec;
mod conformance;
mod corpus;
#[cfg(feature = "serde")]
mod examples;
mod io_errors;
mod laws;
#[cfg(feature = "parallel")]
mod parallel;
mod record;
mod recovery;
mod registry;
#[cfg(feature = "serde")]
mod serde_de;
#[cfg(feature = "serde")]
mod serde_ser;
#[cfg(feature = "parallel")]
mod split;
mod strict_games;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod tree;
mod two_byte;
mod values;
mod visitor;
mod write;
