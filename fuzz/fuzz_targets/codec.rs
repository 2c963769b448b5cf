//! The codecs: their events are those of the slice reader.
//!
//! Each frame gives the events of its game, and the limit on games holds for any chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{case, support::codec};

fuzz_target!(|input: &[u8]| {
    let Some(case) = case(input) else { return };
    codec::event_codec(&case.bytes, &case.rules, &case.sizes);
    codec::game_codec(&case.bytes, &case.rules, &case.sizes);
    codec::max_game_len(&case.bytes, &case.rules, &case.sizes, 8 * case.sizes[0]);
});
