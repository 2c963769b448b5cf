//! A tree is built, edited in step with a plain model, written and read again. The first byte of the input is the
//! number of edits, of four bytes each; the game follows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgf_stream_fuzz::support::tree::{Op, edits_do_what_a_plain_model_does};

fuzz_target!(|input: &[u8]| {
    let Some((&edits, rest)) = input.split_first() else { return };
    let (ops, bytes) = rest.split_at(rest.len().min(4 * usize::from(edits % 32)));
    let ops: Vec<Op> = ops.chunks_exact(4).map(|op| Op::of([op[0], op[1], op[2], op[3]])).collect();
    edits_do_what_a_plain_model_does(bytes, &ops);
});
