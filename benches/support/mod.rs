//! Shared code of the benches: the data, the jobs, the peers, the clock. One bench makes tables of the jobs,
//! another one statistics.

// Each bench compiles this as its own module.
#![allow(dead_code)]

use std::env;

pub(crate) mod binary;
pub(crate) mod clock;
pub(crate) mod codecs;
pub(crate) mod data;
pub(crate) mod jobs;
pub(crate) mod peers;
pub(crate) mod records;
pub(crate) mod scan;
pub(crate) mod turns;

/// Returns whether to measure. `cargo bench` passes `--bench`; `cargo test --all-targets` does not, and `--test`
/// overrides it: then everything runs once, over little data.
pub(crate) fn measuring() -> bool {
    let asked = |argument: &str| env::args().any(|given| given == argument);
    asked("--bench") && !asked("--test")
}

/// Size of a data set in bytes if nothing is measured.
pub(crate) const TINY: usize = 256 * 1024;

/// Returns the size of a data set in MiB, as set by the user.
pub(crate) fn megabytes(default: usize) -> usize {
    let Ok(asked) = env::var("SGF_BENCH_MB") else { return default };
    asked.parse().ok().filter(|&mib| mib > 0).expect("SGF_BENCH_MB is a number of MiB")
}
