//! The parts of a stream, and of a slice, add up to the stream: bytes, events, offsets, diagnostics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::parallel};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = case(input) {
        let mut cut =
            parallel::Cut { part_len: case.sizes[0], max_game_len: case.sizes[1] * case.sizes[2], whole_pieces: false };
        parallel::parts(&case.bytes, &case.rules, &cut, &case.sizes);
        cut.whole_pieces = true;
        parallel::parts(&case.bytes, &case.rules, &cut, &case.sizes);
        parallel::slice(&case.bytes, &case.rules, &cut);
    }
});
