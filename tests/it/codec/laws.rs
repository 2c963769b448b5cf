//! What holds of any input, however it comes.

use crate::support::generate::{Chunks, Input};
use crate::support::{Rules, codec, holds};

/// L1, L7.
#[test]
fn events_are_those_of_the_slice_reader_in_any_chunks() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        codec::event_codec(&bytes, &rules, &sizes);
    }
    holds(5000, law as fn(Input, Rules, Chunks));
}

#[test]
fn a_frame_alone_gives_the_events_of_its_game_in_the_stream() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        codec::game_codec(&bytes, &rules, &sizes);
    }
    holds(5000, law as fn(Input, Rules, Chunks));
}

#[test]
fn a_game_is_too_long_or_not_however_it_comes() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, limit: u8) {
        codec::max_game_len(&bytes, &rules, &sizes, usize::from(limit));
    }
    holds(5000, law as fn(Input, Rules, Chunks, u8));
}
