//! Cuts are at heads and at ends of games, and parts and byte ranges give all games of the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support, support::split};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        // A game before and one after the input, so that there is something to cut.
        let bytes = [b"(;B[aa])", &case.bytes[..], b"\n(;FF[4])"].concat();
        split::cuts_are_at_heads_and_ends(&bytes, &case.rules);
        split::parts_are_parsed_alone(&bytes, &case.rules);
        let rules = support::Rules { strict: false, ..case.rules };
        split::ranges_are_the_whole(&bytes, &rules, &case.sizes);
    }
});
