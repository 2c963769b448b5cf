//! The fuzz targets: functions of any bytes, which `fuzz/fuzz_targets` calls with what the fuzzer finds, and
//! `tests/it/replay.rs` with the inputs of `fuzz/corpus`. None may panic.

use std::borrow::Cow;

use sgf_stream::Game;
#[cfg(feature = "charset")]
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::property::{self, Context};
use sgf_stream::value::Size;

#[cfg(feature = "charset")]
use super::charset;
#[cfg(feature = "codec")]
use super::codec;
use super::generate::Answers;
use super::tree::Op;
use super::{Given, Rules, convert, fix, laws, search, tree, values, writer};
#[cfg(feature = "serde")]
use super::{de, json};
#[cfg(feature = "parallel")]
use super::{parallel, split};

/// A target: any bytes, and a law.
pub type Target = fn(&[u8]);

/// The targets, by name.
pub const TARGETS: &[(&str, Target)] = &[
    #[cfg(feature = "charset")]
    ("charset", charset),
    ("check", check),
    ("chunks", chunks),
    #[cfg(feature = "codec")]
    ("codec", codec),
    ("convert", convert),
    #[cfg(feature = "serde")]
    ("de", de),
    #[cfg(feature = "index")]
    ("index", index),
    ("limits", limits),
    ("model", model),
    ("modes", modes),
    #[cfg(feature = "parallel")]
    ("parts", parts),
    ("pattern", pattern),
    ("skip", skip),
    #[cfg(feature = "parallel")]
    ("split", split),
    ("tree", tree),
    #[cfg(feature = "serde")]
    ("values", values),
    ("write", write),
];

/// Any bytes in any charset: chunks change nothing. Strict decoding fails where lenient decoding reports, and parser and
/// decoder agree on the brackets.
#[cfg(feature = "charset")]
pub fn charset(input: &[u8]) {
    if let Some(case) = charset_case(input) {
        charset::reader(&case.bytes, case.charset, &case.sizes);
        charset::detection(&case.bytes, case.decoding, &case.sizes);
        charset::events(&case.bytes, case.decoding, case.is_strict);
    }
}

/// The checker and the repairs. (`tests/it/check` and `tests/it/write/rewrite.rs` have more laws.)
pub fn check(input: &[u8]) {
    fix::findings_do_not_depend_on_chunks(input);
    fix::rewriting_keeps_its_promises(input);
    fix::repairs_add_no_faults(input);
}

/// L1: chunks change nothing; all readers agree.
pub fn chunks(input: &[u8]) {
    if let Some(case) = case(input) {
        laws::chunks(&case.bytes, &case.rules, &case.sizes);
    }
}

/// The codecs: their events are those of the slice reader, each frame yields the events of its game, and the limit on
/// games holds for any chunks.
#[cfg(feature = "codec")]
pub fn codec(input: &[u8]) {
    if let Some(case) = case(input) {
        codec::event_codec(&case.bytes, &case.rules, &case.sizes);
        codec::game_codec(&case.bytes, &case.rules, &case.sizes);
        codec::max_game_len(&case.bytes, &case.rules, &case.sizes, 8 * case.sizes[0]);
    }
}

/// Conversion of any property to FF[4]: a value of the right type stays of that type.
pub fn convert(input: &[u8]) {
    if let Some((ident, case)) = ident(input).and_then(|(ident, rest)| Some((ident, value_case(rest)?))) {
        let values = case.values();
        convert::to_ff4(ident, &values, &case.context());
        if let [moves, length, ..] = *values {
            convert::overtime(moves, length);
        }
    }
}

/// Any bytes as many types: slices, streams with any buffer, and callbacks agree; a game alone equals the game in a
/// stream; and borrowing changes nothing.
#[cfg(feature = "serde")]
pub fn de(input: &[u8]) {
    de::all_agree(input);
}

/// A damaged index: an error, or the answers of the valid one.
#[cfg(feature = "index")]
pub fn index(input: &[u8]) {
    search::damaged(input);
}

/// L5: all events are well-formed, also with parts of values.
pub fn limits(input: &[u8]) {
    if let Some(case) = case(input) {
        laws::well_formed(&case.bytes, &case.rules);
        laws::parts(&case.bytes, &case.rules, &case.sizes);
    }
}

/// L7: the parser agrees with the naive model.
pub fn model(input: &[u8]) {
    if let Some(case) = case(input) {
        laws::model(&case.bytes, &case.rules);
    }
}

/// L2: lenient mode agrees with strict mode on valid input.
pub fn modes(input: &[u8]) {
    if let Some(case) = case(input) {
        laws::modes(&case.bytes, &case.rules);
    }
}

/// The parts of a stream, and of a slice, add up to the stream: bytes, events, offsets, diagnostics.
#[cfg(feature = "parallel")]
pub fn parts(input: &[u8]) {
    if let Some(case) = case(input) {
        let mut cut =
            parallel::Cut { part_len: case.sizes[0], max_game_len: case.sizes[1] * case.sizes[2], whole_pieces: false };
        parallel::parts(&case.bytes, &case.rules, &cut, &case.sizes);
        cut.whole_pieces = true;
        parallel::parts(&case.bytes, &case.rules, &cut, &case.sizes);
        parallel::slice(&case.bytes, &case.rules, &cut);
    }
}

/// Any bytes as a pattern: it displays as a diagram that is the same pattern, and both ways to search for it agree. The first
/// byte of the input has the settings of the search.
pub fn pattern(input: &[u8]) {
    if let Some((&settings, text)) = input.split_first() {
        search::pattern(settings, &String::from_utf8_lossy(text));
    }
}

/// L3: skipping ends where reading would end.
pub fn skip(input: &[u8]) {
    if let Some(case) = case(input) {
        laws::answers(&case.bytes, &case.rules, &case.sizes, &case.answers);
        laws::skipped_games(&case.bytes, &case.rules, &case.sizes, case.sizes[0]);
    }
}

/// L11: cuts are at heads and at ends of games, and parts and byte ranges have all games of the input.
#[cfg(feature = "parallel")]
pub fn split(input: &[u8]) {
    if let Some(case) = case(input) {
        // A game before and one after the input, so that there is something to cut.
        let bytes = [b"(;B[aa])", &case.bytes[..], b"\n(;FF[4])"].concat();
        split::cuts_are_at_heads_and_ends(&bytes, &case.rules);
        split::parts_are_parsed_alone(&bytes, &case.rules);
        let rules = Rules { strict: false, ..case.rules };
        split::ranges_are_the_whole(&bytes, &rules, &case.sizes);
    }
}

/// A tree is built, edited in step with a plain model, written and read again. The first byte of the input is the number of
/// edits, of four bytes each; the game follows.
pub fn tree(input: &[u8]) {
    if let Some((&edits, rest)) = input.split_first() {
        let (ops, bytes) = rest.split_at(rest.len().min(4 * usize::from(edits % 32)));
        let ops: Vec<Op> = ops.chunks_exact(4).map(|op| Op::of([op[0], op[1], op[2], op[3]])).collect();
        tree::edits_do_what_a_plain_model_does(bytes, &ops);
    }
}

/// Any bytes as every typed value, and as every property of the registry. Lenient reading agrees with strict reading on valid
/// values, and printed values read back.
#[cfg(feature = "serde")]
pub fn values(input: &[u8]) {
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
}

/// L4: the output of the writer, in either style and from values in parts, reads as its input. Canonical style keeps the
/// content, and is idempotent.
pub fn write(input: &[u8]) {
    if let Some(case) = case(input) {
        writer::reads_back(&case.bytes, &case.rules);
        writer::is_canonical_of(&case.bytes, &case.rules);
        writer::parts_read_back(&case.bytes, &case.rules);
    }
}

/// A case: the parser's options, the chunk sizes, the visitor's answers, and the bytes.
#[derive(Debug)]
struct Case<'a> {
    rules: Rules,
    sizes: [usize; 3],
    answers: Answers,
    bytes: Cow<'a, [u8]>,
}

/// Prefixes of an input: nothing, or the start of a game in a charset with brackets inside characters. A fuzzer
/// would need long to find a label.
const HEADS: [&[u8]; 4] = [b"", b"(;CA[Shift_JIS]C[", b"(;CA[GBK]C[", b"(;CA[Big5]"];

/// Makes a case from an input: six bytes of options, then the data. Zeros are the defaults.
fn case(input: &[u8]) -> Option<Case<'_>> {
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
struct ValueCase<'a> {
    game: Game,
    #[cfg(feature = "serde")]
    size: Size,
    /// The board size, if the file has one.
    board: Option<Size>,
    ff: u8,
    sgf2: bool,
    raw: &'a [u8],
}

/// Makes a case from an input: four bytes for game, board size and version, then values separated by `][`. Zeros
/// are the defaults.
fn value_case(input: &[u8]) -> Option<ValueCase<'_>> {
    let ([game, columns, rows, version], raw) = input.split_first_chunk()?;
    let side = |byte: u8, usual: u32| if byte == 0 { usual } else { u32::from(byte) };
    let columns = side(*columns, 19);
    let size = Size::new(columns, side(*rows, columns))?;
    Some(ValueCase {
        game: values::GAMES[usize::from(*game) % values::GAMES.len()],
        #[cfg(feature = "serde")]
        size,
        board: (version & 8 == 0).then_some(size),
        ff: version & 7,
        sgf2: version & 16 != 0,
        raw,
    })
}

impl<'a> ValueCase<'a> {
    fn context(&self) -> Context {
        let context = Context::new(self.game, self.ff).with_sgf2(self.sgf2);
        self.board.map_or(context, |size| context.with_size(size))
    }

    /// Returns the values of a property.
    fn values(&self) -> Vec<&'a [u8]> {
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
fn ident(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&choice, rest) = input.split_first()?;
    let mut old = property::all().iter().filter(|row| row.successor() != property::Successor::Itself);
    match old.nth(choice.into()) {
        Some(row) => Some((row.ident().as_bytes(), rest)),
        None => rest.split_at_checked(usize::from(choice & 15)),
    }
}

/// A case of the charset layer.
#[cfg(feature = "charset")]
#[derive(Debug)]
struct CharsetCase<'a> {
    charset: Charset,
    decoding: Decoding,
    is_strict: bool,
    sizes: [usize; 2],
    bytes: Cow<'a, [u8]>,
}

/// Makes a case from an input: four bytes for a charset, its detection and the chunk sizes, then the data. A game
/// that names the charset may come before them.
#[cfg(feature = "charset")]
fn charset_case(input: &[u8]) -> Option<CharsetCase<'_>> {
    let ([label, flags, size, other], bytes) = input.split_first_chunk()?;
    let label = charset::LABELS[usize::from(*label) % charset::LABELS.len()];
    let charset = Charset::for_name(label.as_bytes())?;
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
        decoding: if flags & 32 == 0 { decoding } else { decoding.known_names_only(true) },
        is_strict: flags & 1 == 1,
        // Small buffers, since most inputs would fit into the usual 64 KiB.
        sizes: [1 + usize::from(*size), 1 + usize::from(*other)],
        bytes: if head.is_empty() { Cow::Borrowed(bytes) } else { Cow::Owned([head.as_bytes(), bytes].concat()) },
    })
}
