//! L7: the parser agrees with the naive model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::model(&case.bytes, &case.rules);
    }
});
