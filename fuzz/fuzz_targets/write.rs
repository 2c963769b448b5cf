//! L4: the output of the writer, in either style and from values in parts, reads as its input.
//!
//! Canonical style keeps the content, and is idempotent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::writer};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        writer::reads_back(&case.bytes, &case.rules);
        writer::is_canonical_of(&case.bytes, &case.rules);
        writer::parts_read_back(&case.bytes, &case.rules);
    }
});
