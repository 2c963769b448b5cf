//! Shared code of the fuzz targets: the conversion of inputs to cases, and the laws of the tests.

#[path = "../../tests/support/mod.rs"]
pub mod support;

use std::borrow::Cow;

use sgf_stream::Game;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::property::{self, Context};
use sgf_stream::value::Size;
use support::generate::Answers;
use support::{Given, Rules, charset, values};

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A case: the parser's options, the chunk sizes, the visitor's answers, and the bytes.
#[derive(Debug)]
pub struct Case<'a> {
    pub rules: Rules,
    pub sizes: [usize; 3],
    pub answers: Answers,
    pub bytes: Cow<'a, [u8]>,
}

/// Prefixes of an input: nothing, or the start of a game in a charset with brackets inside characters. A fuzzer
/// would need long to find a label.
const HEADS: [&[u8]; 4] = [b"", b"(;CA[Shift_JIS]C[", b"(;CA[GBK]C[", b"(;CA[Big5]"];

/// Makes a case from an input: six bytes of options, then the data. Zeros are the defaults.
pub fn case(input: &[u8]) -> Option<Case<'_>> {
    let ([mode, value, ident, depth, size, answer], bytes) = input.split_first_chunk()?;
    let limit = |byte: u8, usual: usize| if byte == 0 { usual } else { usize::from(byte) };
    Some(Case {
        rules: Rules {
            strict: mode & 1 == 1,
            max_value_len: limit(*value, 1 << 20),
            max_ident_len: limit(*ident, 256),
            // One value is reserved for the limit that drops every game.
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

/// A case of typed values: raw values and their context.
#[derive(Debug)]
pub struct ValueCase<'a> {
    pub game: Game,
    pub size: Size,
    /// The board size, if the file has one.
    pub board: Option<Size>,
    ff: u8,
    sgf2: bool,
    pub raw: &'a [u8],
}

/// Makes a case from an input: four bytes for game, board size and version, then values separated by `][`. Zeros
/// are the defaults.
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

    /// Returns the values of a property.
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

/// Takes an identifier from an input: the first byte selects one that FF[4] converts, or gives the length of
/// another one.
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

/// Makes a case from an input: four bytes for a charset, its detection and the chunk sizes, then the data. A game
/// that names the charset may come before them.
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
        decoding: if flags & 32 == 0 { decoding } else { decoding.known_labels_only(true) },
        is_strict: flags & 1 == 1,
        // Small buffers, since most inputs would fit into the usual 64 KiB.
        sizes: [1 + usize::from(*size), 1 + usize::from(*other)],
        bytes: if head.is_empty() { Cow::Borrowed(bytes) } else { Cow::Owned([head.as_bytes(), bytes].concat()) },
    })
}
