//! L3: skipping ends where reading would end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::laws};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        laws::answers(&case.bytes, &case.rules, &case.sizes, &case.answers);
        laws::skipped_games(&case.bytes, &case.rules, &case.sizes, case.sizes[0]);
    }
});
