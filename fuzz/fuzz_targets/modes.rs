//! L2: what strict mode accepts, lenient mode reads alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::modes(&case.bytes, &case.rules);
    }
});
