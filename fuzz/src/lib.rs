//! What the fuzz targets share: how an input becomes a case, and the laws themselves, which are
//! those of `tests/laws.rs` and `tests/found_values.rs`.

// The files of the tests say `pub` for each other; here they are used from the targets.
#[path = "../../tests/serde_de/agree.rs"]
pub mod agree;
#[path = "../../tests/found_values/charset.rs"]
pub mod charset;
#[path = "../../tests/found_values/convert.rs"]
pub mod convert;
#[path = "../../tests/found_values/json.rs"]
pub mod json;
#[path = "../../tests/support/mod.rs"]
pub mod support;
#[path = "../../tests/tree/model.rs"]
pub mod tree;
#[path = "../../tests/found_values/values.rs"]
pub mod values;

use std::borrow::Cow;

use sgf_stream::Game;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::property::{self, Context};
use sgf_stream::value::Size;
use support::generate::Answers;
use support::{Given, Rules};

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
            given: Given::Nothing,
        },
        sizes: [1 + usize::from(size >> 4), usize::from(size & 15), 1 + usize::from(mode >> 1 & 31)],
        answers: Answers::new(1 + u64::from(answer & 7), u64::from(answer >> 3)),
        bytes: match HEADS[usize::from(mode >> 6)] {
            b"" => Cow::Borrowed(bytes),
            head => Cow::Owned([head, bytes].concat()),
        },
    })
}

/// A case of typed values: raw values, and where they are.
#[derive(Debug)]
pub struct ValueCase<'a> {
    pub game: Game,
    pub size: Size,
    /// The size, unless the file does not say.
    pub board: Option<Size>,
    ff: u8,
    sgf2: bool,
    pub raw: &'a [u8],
}

/// The first four bytes of an input say which game it is, how large its board is and which version;
/// the others are values with `][` between them. Zeros are the defaults.
pub fn value_case(input: &[u8]) -> Option<ValueCase<'_>> {
    let ([game, columns, rows, version], raw) = input.split_first_chunk()?;
    let side = |byte: u8, usual: u32| if byte == 0 { usual } else { u32::from(byte) };
    let columns = side(*columns, 19);
    let size = Size::new(columns, side(*rows, columns))?;
    Some(ValueCase {
        game: values::GAMES[usize::from(*game) % values::GAMES.len()],
        size,
        board: (version & 8 == 0).then_some(size),
        ff: version & 7,
        sgf2: version & 16 != 0,
        raw,
    })
}

impl<'a> ValueCase<'a> {
    pub fn context(&self) -> Context {
        let context = Context::new(self.game, self.ff).with_sgf2(self.sgf2);
        self.board.map_or(context, |size| context.with_size(size))
    }

    /// The values of a property.
    pub fn values(&self) -> Vec<&'a [u8]> {
        let mut values = Vec::new();
        let mut rest = self.raw;
        while let Some(at) = rest.windows(2).position(|pair| pair == b"][") {
            values.push(&rest[..at]);
            rest = &rest[at + 2..];
        }
        values.push(rest);
        values
    }
}

/// The first byte of an input chooses one of the identifiers that something becomes of in FF[4], or
/// says how long another one is.
pub fn ident(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&choice, rest) = input.split_first()?;
    let mut old = property::all().iter().filter(|row| row.successor() != property::Successor::Itself);
    match old.nth(choice.into()) {
        Some(row) => Some((row.ident().as_bytes(), rest)),
        None => rest.split_at_checked(usize::from(choice & 15)),
    }
}

/// A case of the charset layer.
#[derive(Debug)]
pub struct CharsetCase<'a> {
    pub charset: Charset,
    pub decoding: Decoding,
    pub is_strict: bool,
    pub sizes: [usize; 2],
    pub bytes: Cow<'a, [u8]>,
}

/// The first four bytes of an input name a charset, say how to find out which one it is, and in
/// which pieces to read. A game that names it may stand in front of the others.
pub fn charset_case(input: &[u8]) -> Option<CharsetCase<'_>> {
    let ([label, flags, size, other], bytes) = input.split_first_chunk()?;
    let label = charset::LABELS[usize::from(*label) % charset::LABELS.len()];
    let charset = Charset::for_label(label.as_bytes())?;
    let decoding = match flags >> 1 & 3 {
        1 => Decoding::new().default_charset(charset),
        2 => Decoding::new().force(charset),
        _ => Decoding::new(),
    };
    let head = match flags >> 3 & 3 {
        0 => String::new(),
        1 => format!("(;CA[{label}]"),
        2 => format!("(;CA[{label}]C["),
        _ => format!("(;CA[{label}foo]C["),
    };
    Some(CharsetCase {
        charset,
        decoding: if flags & 32 == 0 { decoding } else { decoding.strict(true) },
        is_strict: flags & 1 == 1,
        // In front of the end of a buffer of 64 KiB nothing much happens.
        sizes: [1 + usize::from(*size), 1 + usize::from(*other)],
        bytes: if head.is_empty() { Cow::Borrowed(bytes) } else { Cow::Owned([head.as_bytes(), bytes].concat()) },
    })
}
