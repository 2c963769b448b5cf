//! What the two benches share: the data, the jobs and the peers. One makes tables, the other
//! statistics, of the same work.

// Each bench compiles this as a module of its own.
#![allow(dead_code)]

pub(crate) mod clock;
pub(crate) mod data;
pub(crate) mod jobs;
pub(crate) mod peers;
pub(crate) mod records;

/// Whether to measure. `cargo bench` asks for it with `--bench`; `cargo test --all-targets` does
/// not, and `--test` forbids it: then everything runs once, over little.
pub(crate) fn measuring() -> bool {
    let asked = |argument: &str| std::env::args().any(|given| given == argument);
    asked("--bench") && !asked("--test")
}

/// The size of a data set when nothing is measured, in bytes.
pub(crate) const TINY: usize = 256 * 1024;
