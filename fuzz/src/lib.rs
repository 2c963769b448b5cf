//! The bodies of the fuzz targets, which the tests run too.

#[path = "../../tests/support/mod.rs"]
pub mod support;

pub use support::targets;

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
