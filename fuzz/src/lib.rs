//! What the fuzz targets share: how an input becomes a case, and the laws themselves, which are
//! those of `tests/laws.rs`.

// The support files say `pub` for each other; here they are used from the targets.
#[path = "../../tests/support/mod.rs"]
pub mod support;

use support::Rules;
use support::generate::Answers;

/// A case: how to read, in what pieces, what to leave out, and the bytes.
#[derive(Debug)]
pub struct Case<'a> {
    pub rules: Rules,
    pub sizes: [usize; 3],
    pub answers: Answers,
    pub bytes: &'a [u8],
}

/// The first six bytes of an input say how to read the others. Zeros are the defaults.
pub fn case(input: &[u8]) -> Option<Case<'_>> {
    let ([mode, value, ident, depth, size, answer], bytes) = input.split_first_chunk()?;
    let limit = |byte: u8, usual: usize| if byte == 0 { usual } else { usize::from(byte) };
    Some(Case {
        rules: Rules {
            strict: mode & 1 == 1,
            max_value_len: limit(*value, 1 << 20),
            max_ident_len: limit(*ident, 256),
            max_depth: limit(*depth, 1 << 20),
        },
        sizes: [1 + usize::from(size >> 4), usize::from(size & 15), 1 + usize::from(mode >> 1)],
        answers: Answers::new(1 + u64::from(answer & 7), u64::from(answer >> 3)),
        bytes,
    })
}
