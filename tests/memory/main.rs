//! The memory that the crate uses, counted by an allocator of this binary, and the stack. The allocator counts for the whole
//! process, the test harness and other tests included, so each test of it runs in a process of its own.
//!
//! `cargo test --release -p sgf-stream-memory -- --nocapture` prints the tables too.

mod amplification;
mod check;
mod codec;
mod depth;
mod generated;
#[path = "../support/hostile.rs"]
mod hostile;
mod parser;
mod serde;
#[path = "../support/shared.rs"]
#[allow(dead_code, unreachable_pub)] // `tests/it` uses all of it
mod shared;
mod tree;
mod write;

use std::env;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

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
    amplification::no_input_is_amplified,
    check::memory_grows_with_the_depth_alone,
    codec::codecs_and_what_they_give_keep_little,
    parser::hostile_input_is_survived_in_bounded_memory,
    serde::games_cost_the_strings_of_their_type,
    tree::a_tree_takes_a_fraction_of_what_others_take,
    write::a_writer_keeps_one_node,
}

/// Runs a test in a process of its own: this binary again, with this test alone. The test harness then has one thread more,
/// which waits for the test; the test gives it the time to get there, since it allocates on the way.
fn alone(name: &str, test: fn()) {
    if env::var_os(CHILD).is_some() {
        thread::sleep(Duration::from_millis(100));
        return test();
    }
    let mut child = Command::new(env::current_exe().unwrap());
    let output = child.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(CHILD, name).output().unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    print!("{stdout}");
    eprint!("{stderr}");
    assert!(output.status.success() && stdout.contains("1 passed"), "{name}: {}", output.status);
}
