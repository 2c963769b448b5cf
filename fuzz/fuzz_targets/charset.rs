//! Any bytes in any charset: chunks change nothing.
//!
//! Strict decoding fails where lenient decoding reports, and parser and decoder agree on the brackets.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::{charset_case, support::charset};

fuzz_target!(|input: &[u8]| {
    if let Some(case) = charset_case(input) {
        charset::reader(&case.bytes, case.charset, &case.sizes);
        charset::detection(&case.bytes, case.decoding, &case.sizes);
        charset::events(&case.bytes, case.decoding, case.is_strict);
    }
});
