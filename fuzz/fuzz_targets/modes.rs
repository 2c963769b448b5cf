//! L2: lenient mode agrees with strict mode on valid input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::modes(&case.bytes, &case.rules);
    }
});
