//! L5: no input panics, and all events are well-formed, also with parts of values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::well_formed(&case.bytes, &case.rules);
        laws::parts(&case.bytes, &case.rules, &case.sizes);
    }
});
