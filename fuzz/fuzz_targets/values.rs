//! Any bytes as every typed value, and as every property of the registry: no panic.
//!
//! Lenient reading agrees with strict reading on valid values, and printed values read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{
    support::{json, values},
    value_case,
};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = value_case(input) {
        let raw = case.raw;
        values::types(raw);
        values::on_board(raw, case.size);
        values::any(raw, case.game, case.board);
        values::properties(raw, &case.context());
        values::lists(&case.values(), case.size);
        json::types(raw);
        json::list(&case.values());
    }
});
