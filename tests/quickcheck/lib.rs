//! `quickcheck`, with inputs that are the same in every run: a test that fails has its reason in the change before it.
//!
//! Three variables ask for more, in all packages:
//!
//! | variable | what it asks for |
//! |---|---|
//! | `SGF_LONG=1` | the long run: each law on all its inputs (a tenth of them without, and of all short ones not the longest), and the real files of `../shared` |
//! | `QUICKCHECK_TESTS=100000` | so many inputs for each law |
//! | `QUICKCHECK_SEED=random` | other inputs in each run; or a number: those of this seed |

use std::env;

pub use upstream::*;

/// Whether the long run is asked for.
pub fn is_long() -> bool {
    env::var_os("SGF_LONG").is_some_and(|long| long != "0" && !long.is_empty())
}

/// Tries a law on inputs of the usual size: so many in the long run, a tenth of them otherwise.
pub fn holds(times: u64, law: impl Testable) {
    holds_of(inputs(100), times, law);
}

/// Tries a law on these inputs.
pub fn holds_of(inputs: Gen, times: u64, law: impl Testable) {
    let asked = env::var("QUICKCHECK_TESTS").ok().and_then(|asked| asked.parse().ok());
    let times = asked.unwrap_or(if is_long() { times } else { times.div_ceil(10) });
    QuickCheck::new().rng(inputs).tests(times).max_tests(times * 20).min_tests_passed(times).quickcheck(law);
}

/// Inputs, with a maximum length of their lists (approximate).
pub fn inputs(size: usize) -> Gen {
    match env::var("QUICKCHECK_SEED") {
        Err(_) => Gen::from_size_and_seed(size, 1987),
        Ok(seed) if seed == "random" => Gen::new(size),
        Ok(seed) => Gen::from_size_and_seed(size, seed.parse().expect("QUICKCHECK_SEED: a number, or `random`")),
    }
}

/// Tries a law on a hundred inputs, in any run.
pub fn quickcheck(law: impl Testable) {
    QuickCheck::new().rng(inputs(100)).quickcheck(law);
}

/// Makes a test of each function: [`quickcheck()`].
#[macro_export]
macro_rules! quickcheck {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $law:block)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            fn law($($argument: $type),*) -> $result $law
            $crate::quickcheck(law as fn($($type),*) -> $result);
        }
    )*};
}
