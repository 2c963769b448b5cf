//! Splitting gives the parts that the sequential reader would give, and each part, parsed alone, the
//! events of its games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::split};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        let block_len = case.sizes[0] * case.sizes[2];
        // A game in front and one behind, so that there is something to cut.
        let bytes = [b"(;B[aa])", &case.bytes[..], b"\n(;FF[4])"].concat();
        split::same_as_in_sequence(&bytes, &case.rules, block_len);
        split::parts_are_parsed_alone(&bytes, &case.rules, block_len);
    }
});
