//! Every real file of `../shared/corpus`, in several sizes of chunks.

use std::fs;

use crate::support::{Rules, codec, shared};

#[test]
fn real_files_are_the_same_in_all_codecs() {
    for path in shared::corpus() {
        let bytes = fs::read(&path).unwrap();
        let rules = Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20 };
        let strict = Rules { strict: true, ..rules.clone() };
        for (rules, size) in [(&rules, 1), (&rules, 1000), (&rules, 64 * 1024), (&strict, 300)] {
            if size > 1 || bytes.len() < 3000 {
                codec::event_codec(&bytes, rules, &[size]);
                codec::game_codec(&bytes, rules, &[size]);
            }
        }
    }
}
