//! The memory that the crate uses, counted by an allocator of this binary. The allocator counts for the whole process,
//! the test harness and other tests included, so each test runs in a process of its own.
//!
//! `cargo test --release --test memory -- --nocapture` prints the tables too.

mod check;
#[cfg(feature = "codec")]
mod codec;
mod generated;
mod parser;
#[cfg(feature = "serde")]
mod serde;
#[path = "../support/shared.rs"]
#[allow(dead_code, unreachable_pub)] // the other binary uses all of it
mod shared;
mod tree;
mod write;

use std::env;
use std::process::Command;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Set for a process that has one test to run.
const CHILD: &str = "SGF_STREAM_MEMORY_TEST";

macro_rules! tests {
    ($($(#[$attribute:meta])* $topic:ident::$test:ident,)+) => {$(
        $(#[$attribute])*
        #[test]
        fn $test() {
            alone(stringify!($test), $topic::$test);
        }
    )+};
}

tests! {
    check::memory_grows_with_the_depth_alone,
    #[cfg(feature = "codec")]
    codec::codecs_and_what_they_give_keep_little,
    parser::hostile_input_is_survived_in_bounded_memory,
    #[cfg(feature = "serde")]
    serde::games_cost_the_strings_of_their_type,
    tree::a_tree_takes_a_fraction_of_what_others_take,
    write::a_writer_keeps_one_node,
}

/// Runs a test in a process of its own: this binary again, with this test alone. With a single thread for tests, the test
/// harness does nothing while the test runs; with several it may still allocate.
fn alone(name: &str, test: fn()) {
    if env::var_os(CHILD).is_some() {
        return test();
    }
    let mut child = Command::new(env::current_exe().unwrap());
    let output = child.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(CHILD, name).output().unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    print!("{stdout}");
    eprint!("{stderr}");
    assert!(output.status.success() && stdout.contains("1 passed"), "{name}: {}", output.status);
}
