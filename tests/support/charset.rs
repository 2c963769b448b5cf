//! The laws of the charset layer, for any bytes.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Mutex};

use sgf_stream::charset::{
    BadBytes, Charset, CharsetError, CharsetSource, Decoded, Decoding, DecodingReader, TreeDecoder,
};
use sgf_stream::{Code, Diagnostic, Event, Parser, RawValue};

use super::EachEvent;

/// Names of all kinds of charsets.
pub const LABELS: [&str; 24] = [
    "UTF-8",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "GBK",
    "gb18030",
    "Big5",
    "Shift_JIS",
    "HZ",
    "ISO-2022-CN",
    "ISO-2022-JP",
    "ISO-2022-KR",
    "EUC-JP",
    "EUC-KR",
    "windows-1252",
    "windows-1251",
    "windows-1255",
    "windows-874",
    "ISO-8859-3",
    "ISO-8859-15",
    "KOI8-U",
    "macintosh",
    "IBM866",
];

/// Gives its bytes in pieces of these sizes.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: &'a [usize],
    turn: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        let size = self.sizes[self.turn % self.sizes.len()].max(1);
        let (piece, rest) = self.rest.split_at(size.min(buffer.len()).min(self.rest.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}

fn pieces<'a>(bytes: &'a [u8], sizes: &'a [usize]) -> Pieces<'a> {
    Pieces { rest: bytes, sizes, turn: 0 }
}

/// The output of a reader, taken in whole buffers, and its findings of bad bytes.
fn transcode<R: Read>(reader: &mut DecodingReader<R>, amounts: &[usize]) -> (Vec<u8>, io::Result<()>) {
    let (mut text, mut turn) = (Vec::new(), 0);
    loop {
        turn += 1;
        let amount = amounts[turn % amounts.len()].max(1);
        match reader.fill_buf() {
            Ok([]) => return (text, Ok(())),
            Ok(buffer) => {
                let amount = amount.min(buffer.len());
                text.extend_from_slice(&buffer[..amount]);
                reader.consume(amount);
            }
            Err(error) => return (text, Err(error)),
        }
    }
}

/// A reader returns the same text as decoding the whole, for any chunks; a strict one returns the text before invalid
/// bytes.
pub fn reader(bytes: &[u8], charset: Charset, sizes: &[usize]) {
    let (charset, bom) = Charset::from_bom(bytes).unwrap_or((charset, 0));
    let whole = charset.decode(&bytes[bom..]);
    sound(&bytes[bom..], charset, &whole);
    let first = whole.bad_runs().next().map(|run| (run.start + bom) as u64..(run.end + bom) as u64);

    let mut reader = DecodingReader::with_charset(pieces(bytes, sizes), charset);
    let (text, end) = transcode(&mut reader, sizes);
    assert!(end.is_ok());
    assert_eq!(reader.charset().expect("it is known"), charset);
    assert_eq!(String::from_utf8(text).as_deref(), Ok(whole.text()), "left: the reader, right: the whole");
    assert_eq!(reader.bad_runs(), whole.bad_runs().len() as u64);
    assert_eq!(reader.first_bad(), first);

    let strict = Decoding::new().force(charset).bad_bytes(BadBytes::Error);
    let (text, end) = transcode(&mut strict.reader(pieces(bytes, sizes)), sizes);
    assert_eq!(bad_offset(end), first.map(|run| run.start));
    let before = whole.bad_runs().next().map_or(bytes.len() - bom, |run| run.start);
    assert!(whole.text().as_bytes().starts_with(&text));
    assert_eq!(text, charset.decode(&bytes[bom..bom + before]).text().as_bytes(), "what is before bad bytes");
}

fn bad_offset(end: io::Result<()>) -> Option<u64> {
    let error = end.err()?;
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    match error.downcast::<CharsetError>() {
        Ok(CharsetError::BadBytes { offset, .. }) => Some(offset),
        other => panic!("{other:?}"),
    }
}

/// Bad runs are in order and apart. What has none is written as it was, where that is one way only.
fn sound(bytes: &[u8], charset: Charset, decoded: &Decoded<'_>) {
    let mut end = None;
    for run in decoded.bad_runs() {
        assert!(end < Some(run.start) && run.start < run.end && run.end <= bytes.len(), "{charset} {run:?}");
        end = Some(run.end);
    }
    assert!(decoded.is_sound() || decoded.text().contains('\u{FFFD}'));
    let encoding = charset.encoding().filter(|e| e.is_single_byte() || charset == Charset::UTF_8);
    if let Some(encoding) = encoding.filter(|_| decoded.is_sound()) {
        let (again, _, unmappable) = encoding.encode(decoded.text());
        assert!(!unmappable && *again == *bytes, "{charset}");
    }
}

/// A reader that finds out the charset finds the same in any pieces.
pub fn detection(bytes: &[u8], decoding: Decoding, sizes: &[usize]) {
    let read = |sizes: &[usize]| {
        let mut reader = decoding.reader(pieces(bytes, sizes));
        let (text, end) = transcode(&mut reader, sizes);
        let known = (reader.charset().ok(), reader.source().ok());
        (text, end.map_err(|error| error.to_string()), known, reader.bad_runs(), reader.first_bad())
    };
    assert_eq!(read(sizes), read(&[usize::MAX]), "left: pieces, right: the whole");
}

/// The texts of a stream of events: diagnostics are inside their values and not too many; a strict decoder fails
/// where a lenient one reports something; and the parser's brackets and backslashes are also brackets and backslashes
/// in the text.
pub fn events(bytes: &[u8], decoding: Decoding, is_strict: bool) {
    let repaired: Arc<Mutex<Vec<(Code, u64)>>> = Arc::default();
    let heard = Arc::clone(&repaired);
    let parser = if is_strict { Parser::strict() } else { Parser::new() };
    let parser = parser.on_diagnostic(move |found: &Diagnostic| {
        if matches!(found.code, Code::UnescapedBracket | Code::CutCharacter) {
            heard.lock().unwrap().push((found.code, found.position.offset));
        }
    });
    let mark = Charset::from_bom(bytes).map(|(charset, _)| charset);
    let mark = mark.filter(|charset| *charset == Charset::UTF_8); // the parser knows no other
    let lenient = TreeDecoder::new(decoding.bad_bytes(BadBytes::Replace).known_names_only(false));
    let lenient = RefCell::new(lenient.with_bom(mark));
    let mut strict = TreeDecoder::new(decoding.bad_bytes(BadBytes::Error).known_names_only(true)).with_bom(mark);
    let (mut unknown, mut is_euc_cn, mut has_mismatch, mut depth) = (0, false, false, 0_u64);
    let _ = parser.each_event(bytes, |event, at| {
        let mut lenient = lenient.borrow_mut();
        lenient.observe(event, at);
        strict.observe(event, at);
        match event {
            Event::StartTree => {
                has_mismatch &= depth > 0;
                depth += 1;
            }
            Event::EndTree => depth -= 1,
            _ => {}
        }
        let names = lenient.take_diagnostics();
        assert!(names.iter().all(|found| found.code == Code::UnknownCharset), "{names:?}");
        unknown += names.len();
        let Event::Value(value) = event else { return };
        let raw = value.as_bytes();
        assert!(names.iter().all(|name| name.offset == at + 1 && name.len == raw.len()), "{names:?}");
        is_euc_cn |= is_name_of_euc_cn(raw);

        let text = lenient.text(value, at).expect("lenient decoders do not fail").into_owned();
        let mut findings = lenient.take_diagnostics();
        let is_contradicted = lenient.tree_charset().is_ok_and(|tree| tree.is_contradicted_by(value));
        let mismatches = findings.extract_if(.., |found| found.code == Code::CharsetMismatch).collect::<Vec<_>>();
        assert_eq!(mismatches.len(), usize::from(is_contradicted && !has_mismatch), "once a game");
        assert!(mismatches.iter().all(|found| (found.offset, found.len) == (at + 1, raw.len())), "{mismatches:?}");
        has_mismatch |= is_contradicted;
        let simple = lenient.simple_text(value, at).expect("lenient decoders do not fail").into_owned();
        assert!(lenient.take_diagnostics().is_empty(), "once is enough");
        assert!(!simple.contains('\n') && !text.contains('\r') && !simple.contains('\r'));
        let tree = lenient.tree_charset().expect("lenient decoders do not fail");
        let decoded = tree.text(value);
        assert_eq!(decoded.text(), text);
        let runs = decoded.bad_runs().map(|run| (at + 1 + run.start as u64, run.len()));
        let found = findings.iter().map(|found| (found.offset, found.len));
        assert!(runs.take(TreeDecoder::MAX_DIAGNOSTICS).eq(found), "{findings:?}");
        match strict.text(value, at) {
            Ok(same) => assert!(findings.is_empty() && same == text),
            Err(CharsetError::BadBytes { charset, offset }) => {
                assert_eq!((charset, offset), (tree.charset_of(value), findings[0].offset));
            }
            Err(CharsetError::UnknownName { name, .. }) => {
                assert!(name.is_empty() || tree.source() == CharsetSource::UnknownName);
            }
            Err(other) => panic!("{other}"),
        }
        assert!(strict.take_diagnostics().iter().all(|found| found.code == Code::CharsetMismatch));
        if tree.source() == CharsetSource::Declared && !is_euc_cn {
            let inside = at + 1..at + 1 + raw.len() as u64;
            let repaired = repaired.lock().unwrap();
            let in_value = |code| repaired.iter().filter(|found| found.0 == code && inside.contains(&found.1)).count();
            // A value that ends inside a character, and was reported as such, ends where no decoder would end it.
            if in_value(Code::CutCharacter) == 0 {
                brackets(value, tree.charset_of(value), in_value(Code::UnescapedBracket));
            }
        }
    });
    let mut lenient = lenient.into_inner();
    assert!(unknown <= bytes.len());
    assert_eq!((lenient.take_diagnostics().len(), lenient.dropped_diagnostics()), (0, 0));
}

/// EUC-CN is decoded as GBK, which has all of it. It has no second bytes like brackets itself, so the
/// parser steps over none.
fn is_name_of_euc_cn(raw: &[u8]) -> bool {
    let name: String = raw.iter().filter(|b| b.is_ascii_alphanumeric()).map(|&b| char::from(b)).collect();
    ["euccn", "20936", "51936"].iter().any(|euc_cn| name.to_ascii_lowercase().contains(euc_cn))
}

/// The parser ends a value where one ends who decodes first: at the first `]` that is a character
/// and has no backslash in front that is one. But for those `]` that it took for text, and said so.
///
/// It cannot know better where the text before a second byte is UTF-8, and takes that for a
/// sign that all of it is. (Then it splits one value into two, or the other way round.)
fn brackets(value: RawValue<'_>, charset: Charset, repaired: usize) {
    let raw = value.as_bytes();
    let is_special = |byte: u8| matches!(byte, b'[' | b'\\' | b']');
    let utf8 = raw.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
    let seems_utf8 = |at: usize| at <= utf8 && !raw[..at].is_ascii();
    let may_mislead = |at: usize| raw.get(at).is_none_or(|&byte| is_special(byte)) && seems_utf8(at);
    let is_two_byte = ["GBK", "gb18030", "Big5", "Shift_JIS"].contains(&charset.name());
    if !charset.is_ascii_compatible() || is_two_byte && (0..=raw.len()).any(may_mislead) {
        return;
    }
    let after = charset.decode(&[raw, b"]"].concat()).into_text().into_owned();
    assert!(after.ends_with(']'), "{charset}: {value:?} ends inside a character");
    let decoded = charset.decode(raw);
    if !decoded.is_sound() {
        return;
    }
    let (mut bare, mut hidden) = (0, false);
    for char in decoded.text().chars() {
        bare += usize::from(!hidden && char == ']');
        hidden = !hidden && char == '\\';
    }
    assert!(!hidden, "{charset}: {value:?} ends with a backslash that hides its end");
    assert_eq!(bare, repaired, "{charset}: left: bare brackets in {value:?}, right: those reported");
}
