//! What the benches share: the data, the jobs, the peers, the clock. One makes tables, another
//! statistics, of the same work.

// Each bench compiles this as a module of its own.
#![allow(dead_code)]

use std::env;

pub(crate) mod clock;
pub(crate) mod codecs;
pub(crate) mod data;
pub(crate) mod jobs;
pub(crate) mod peers;
pub(crate) mod records;
pub(crate) mod scan;
pub(crate) mod turns;

/// Whether to measure. `cargo bench` asks for it with `--bench`; `cargo test --all-targets` does
/// not, and `--test` forbids it: then everything runs once, over little.
pub(crate) fn measuring() -> bool {
    let asked = |argument: &str| env::args().any(|given| given == argument);
    asked("--bench") && !asked("--test")
}

/// The size of a data set when nothing is measured, in bytes.
pub(crate) const TINY: usize = 256 * 1024;

/// The size of a data set that the user asks for, in MiB.
pub(crate) fn megabytes(default: usize) -> usize {
    let Ok(asked) = env::var("SGF_BENCH_MB") else { return default };
    asked.parse().ok().filter(|&mib| mib > 0).expect("SGF_BENCH_MB is a number of MiB")
}
