//! Any bytes deserialized as many types: slices, streams with any buffer, and listeners agree.
//!
//! A game alone equals the game in a stream, and borrowing changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::support::de;

fuzz_target!(|bytes: &[u8]| {
    de::all_agree(bytes);
});
