//! The tests of `sgf-sql`, in one binary.

mod bad_input;
mod binary;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod codec;
mod counts;
mod dates;
mod find;
#[cfg(feature = "http")]
mod http;
mod laws;
mod moves;
mod packed;
#[path = "../../../../tests/support/random.rs"]
mod random;
mod recipes;
mod scans;
mod selection;
mod stores;
mod support;
mod tables;
