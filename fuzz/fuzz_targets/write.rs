//! L4: what the writer writes, in either style and from values in parts, reads as what it wrote; and
//! canonical style says the same as its input, and stays as it is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::written};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        written::reads_back(&case.bytes, &case.rules);
        written::is_canonical_of(&case.bytes, &case.rules);
        written::parts_read_back(&case.bytes, &case.rules);
    }
});
