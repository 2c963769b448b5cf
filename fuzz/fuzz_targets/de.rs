//! Any bytes as Rust values of many types: slices, streams of any buffer and listeners give the same, a
//! game alone is the game, and borrowing changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::agree;

fuzz_target!(|bytes: &[u8]| {
    agree::all_agree(bytes);
});
