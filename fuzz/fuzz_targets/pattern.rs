#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| sgf_stream_fuzz::targets::pattern(input));
