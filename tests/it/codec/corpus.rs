//! Every real file of `../shared/corpus`, in several sizes of chunks.

use std::fs;

use crate::support::{Given, Rules, codec, shared};

#[test]
fn real_files_are_the_same_in_all_codecs() {
    let lenient =
        Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };
    let strict = Rules { strict: true, ..lenient.clone() };
    for (number, path) in shared::corpus().into_iter().enumerate() {
        let bytes = fs::read(&path).unwrap();
        // Each file in two ways, all files in all ways.
        let smallest = if bytes.len() < 10_000 { 1 } else { 13 };
        let other = [(&lenient, smallest), (&lenient, 64 * 1024), (&strict, 300)][number % 3];
        for (rules, size) in [(&lenient, 1000), other] {
            codec::event_codec(&bytes, rules, &[size]);
            codec::game_codec(&bytes, rules, &[size]);
        }
    }
}
