//! Laws of the search: it finds what a naive replay finds, which shares no code with it.

#[cfg(feature = "index")]
mod corpus;
mod games;
#[cfg(feature = "index")]
mod index;
mod naive;
mod openings;
mod search;
#[path = "../../../../tests/support/shared.rs"]
#[allow(dead_code, unreachable_pub)] // other tests use all of it
mod shared;
mod statistics;

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
