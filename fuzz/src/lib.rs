//! What the fuzz targets share: how an input becomes a case, and the laws themselves, which are
//! those of `tests/laws.rs`.

// The support files say `pub` for each other; here they are used from the targets.
#[path = "../../tests/support/mod.rs"]
pub mod support;

use std::borrow::Cow;

use support::Rules;
use support::generate::Answers;

/// A case: how to read, in what pieces, what to leave out, and the bytes.
#[derive(Debug)]
pub struct Case<'a> {
    pub rules: Rules,
    pub sizes: [usize; 3],
    pub answers: Answers,
    pub bytes: Cow<'a, [u8]>,
}

/// What is put in front of an input: nothing, or the start of a game in a charset that has brackets
/// inside characters. A fuzzer would be long in finding a label.
const HEADS: [&[u8]; 4] = [b"", b"(;CA[Shift_JIS]C[", b"(;CA[GBK]C[", b"(;CA[Big5]"];

/// The first six bytes of an input say how to read the others. Zeros are the defaults.
pub fn case(input: &[u8]) -> Option<Case<'_>> {
    let ([mode, value, ident, depth, size, answer], bytes) = input.split_first_chunk()?;
    let limit = |byte: u8, usual: usize| if byte == 0 { usual } else { usize::from(byte) };
    Some(Case {
        rules: Rules {
            strict: mode & 1 == 1,
            max_value_len: limit(*value, 1 << 20),
            max_ident_len: limit(*ident, 256),
            // One byte is left for the limit that drops every game.
            max_depth: if *depth == u8::MAX { 0 } else { limit(*depth, 1 << 20) },
        },
        sizes: [1 + usize::from(size >> 4), usize::from(size & 15), 1 + usize::from(mode >> 1 & 31)],
        answers: Answers::new(1 + u64::from(answer & 7), u64::from(answer >> 3)),
        bytes: match HEADS[usize::from(mode >> 6)] {
            b"" => Cow::Borrowed(bytes),
            head => Cow::Owned([head, bytes].concat()),
        },
    })
}
