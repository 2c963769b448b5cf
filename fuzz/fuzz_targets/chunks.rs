//! L1: chunks change nothing; all front ends agree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::chunks(&case.bytes, &case.rules, &case.sizes);
    }
});
