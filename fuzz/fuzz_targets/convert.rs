//! Conversion of any property to FF[4]: no panic, and a value of the right type stays of that type.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{support::convert, value_case};

fuzz_target!(|input: &[u8]| {
    if let Some((ident, case)) =
        sgf_stream_fuzz::ident(input).and_then(|(ident, rest)| Some((ident, value_case(rest)?)))
    {
        let values = case.values();
        convert::to_ff4(ident, &values, &case.context());
        if let [moves, length, ..] = *values {
            convert::overtime(moves, length);
        }
    }
});
