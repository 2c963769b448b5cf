//! Laws about decoding.

use quickcheck::{Arbitrary, Gen, TestResult};
use sgf_stream::charset::{Charset, CharsetError, Decoding, DecodingReader, TreeDecoder};
use sgf_stream::{Event, Ident, RawValue};

use super::{pieces, transcode};
use crate::support::holds;

/// Every charset that a name can ask for.
fn charsets() -> Vec<Charset> {
    let labels = [
        "UTF-8",
        "UTF-16LE",
        "UTF-16BE",
        "UTF-32LE",
        "UTF-32BE",
        "GBK",
        "gb18030",
        "HZ",
        "ISO-2022-CN",
        "Big5",
        "Shift_JIS",
        "EUC-JP",
        "ISO-2022-JP",
        "EUC-KR",
        "ISO-2022-KR",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "windows-874",
        "ISO-8859-2",
        "ISO-8859-3",
        "ISO-8859-4",
        "ISO-8859-5",
        "ISO-8859-6",
        "ISO-8859-7",
        "ISO-8859-8",
        "ISO-8859-8-I",
        "ISO-8859-10",
        "ISO-8859-13",
        "ISO-8859-14",
        "ISO-8859-15",
        "ISO-8859-16",
        "KOI8-R",
        "KOI8-U",
        "IBM866",
        "macintosh",
        "x-mac-cyrillic",
    ];
    labels.iter().map(|label| Charset::for_name(label.as_bytes()).unwrap_or_else(|| panic!("{label}"))).collect()
}

#[derive(Clone, Copy, Debug)]
struct AnyCharset(Charset);

impl Arbitrary for AnyCharset {
    fn arbitrary(g: &mut Gen) -> Self {
        AnyCharset(*g.choose(&charsets()).unwrap())
    }
}

/// Bytes that mean something to decoders more often than random ones do.
#[derive(Clone, Debug)]
struct Bytes(Vec<u8>);

impl Arbitrary for Bytes {
    fn arbitrary(g: &mut Gen) -> Self {
        let some: [&[u8]; 28] = [
            b"(;FF[4]",
            b"CA[GBK]",
            b"CA[UTF-8]",
            b"CA[Shift_JIS]",
            b"CA[foo]",
            b"CA[]",
            b"C[",
            b"]",
            b"\\",
            b"~{",
            b"~}",
            b"\x1B$)C",
            b"\x1B$)A",
            b"\x1B$B",
            b"\x1B(B",
            b"\x0E",
            b"\x0F",
            b"\n",
            b"\x90\x5C",
            b"\xA6\x5D",
            b"\xE5\x9B\xB2",
            b"\xE5\x9B",
            b"\xCE\xA7",
            b"\0",
            b"\xFF\xFE",
            b"\xEF\xBB\xBF",
            b"\xD8\x00",
            b"plain text",
        ];
        let mut bytes = Vec::new();
        for _ in 0..usize::arbitrary(g) % 24 {
            match u8::arbitrary(g) % 4 {
                0 => bytes.push(u8::arbitrary(g)),
                1 => bytes.push(0x80 | u8::arbitrary(g)),
                2 => bytes.push(u8::arbitrary(g) & 0x7F),
                _ => bytes.extend_from_slice(g.choose(&some).unwrap()),
            }
        }
        Bytes(bytes)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Bytes))
    }
}

#[test]
fn a_reader_gives_what_decoding_the_whole_gives_whatever_the_pieces() {
    fn law(Bytes(bytes): Bytes, AnyCharset(charset): AnyCharset, sizes: Vec<usize>) {
        let (charset, bom) = Charset::from_bom(&bytes).unwrap_or((charset, 0));
        let whole = charset.decode(&bytes[bom..]);
        let found = transcode(DecodingReader::with_charset(pieces(&bytes, &sizes), charset));
        assert_eq!((found.charset, found.text.as_str()), (charset, whole.text()));
        assert_eq!(found.bad_runs, whole.bad_runs().len() as u64);
        let first = whole.bad_runs().next().map(|run| (run.start + bom) as u64..(run.end + bom) as u64);
        assert_eq!(found.first_bad, first);
    }
    holds(5_000, law as fn(Bytes, AnyCharset, Vec<usize>));
}

#[test]
fn a_reader_finds_the_same_charset_whatever_the_pieces() {
    fn law(Bytes(bytes): Bytes, sizes: Vec<usize>) {
        assert_eq!(transcode(DecodingReader::new(pieces(&bytes, &sizes))), transcode(DecodingReader::new(&bytes[..])));
    }
    holds(3_000, law as fn(Bytes, Vec<usize>));
}

#[test]
fn bad_runs_are_in_order_and_do_not_touch() {
    fn law(Bytes(bytes): Bytes) {
        for charset in charsets() {
            let decoded = charset.decode(&bytes);
            let mut end = None;
            for run in decoded.bad_runs() {
                assert!(end < Some(run.start) && run.start < run.end && run.end <= bytes.len(), "{charset} {run:?}");
                // The bad bytes, and they alone, make the replacements.
                end = Some(run.end);
            }
            assert!(decoded.is_sound() || decoded.text().contains('\u{FFFD}'), "{charset}");
            let value = RawValue::new(&bytes);
            assert_eq!(charset.text(value).bad_runs().collect::<Vec<_>>(), decoded.bad_runs().collect::<Vec<_>>());
        }
    }
    holds(1_000, law as fn(Bytes));
}

#[test]
fn utf_8_is_read_as_raw_values_read_it() {
    fn law(Bytes(bytes): Bytes, text: String) {
        assert_eq!(Charset::UTF_8.decode(&bytes).text(), String::from_utf8_lossy(&bytes));
        let value = RawValue::new(text.as_bytes());
        assert_eq!(Charset::UTF_8.text(value).text(), value.text());
        assert_eq!(Charset::UTF_8.simple_text(value).text(), value.simple_text());
    }
    holds(2_000, law as fn(Bytes, String));
}

#[test]
fn what_was_encoded_is_decoded() {
    fn is_rewritten(c: &char) -> bool {
        "¥‾−".contains(*c) || ('｡'..='ﾟ').contains(c) || ('\u{E000}'..='\u{F8FF}').contains(c)
    }
    fn law(text: String, Bytes(bytes): Bytes, AnyCharset(charset): AnyCharset) -> TestResult {
        // Characters that the charset surely has, beside random ones.
        let sound = charset.decode(&bytes).text().replace('\u{FFFD}', "");
        for text in [text, sound] {
            // Japanese charsets write some with other characters, GB18030 private ones.
            let text: String = text.chars().filter(|c| !is_rewritten(c)).collect();
            let utf16 = text.encode_utf16();
            let utf32 = text.chars().map(u32::from);
            let bytes: Vec<u8> = match charset.name() {
                "UTF-16LE" => utf16.flat_map(u16::to_le_bytes).collect(),
                "UTF-16BE" => utf16.flat_map(u16::to_be_bytes).collect(),
                "UTF-32LE" => utf32.flat_map(u32::to_le_bytes).collect(),
                "UTF-32BE" => utf32.flat_map(u32::to_be_bytes).collect(),
                _ => match charset.encoding().map(|encoding| encoding.encode(&text)) {
                    Some((bytes, _, false)) => bytes.into_owned(),
                    _ => return TestResult::discard(),
                },
            };
            let decoded = charset.decode(&bytes);
            assert!(decoded.is_sound(), "{charset}");
            assert_eq!(decoded.text(), text, "{charset}");
        }
        TestResult::passed()
    }
    holds(3_000, law as fn(String, Bytes, AnyCharset) -> TestResult);
}

#[test]
fn the_decoder_of_a_stream_decides_as_one_who_has_the_whole_root() {
    fn law(
        label: Option<usize>,
        values: Vec<Bytes>,
        strict: bool,
        default: Option<AnyCharset>,
        bom: Option<AnyCharset>,
    ) {
        let labels: [&[u8]; 7] = [b"GB2312", b"UTF-8", b" shift_jis ", b"foo", b"", b"UTF-16LE", b"\xFF"];
        let ca = label.map(|label| RawValue::new(labels[label % labels.len()]));
        let mut decoding = Decoding::new().known_names_only(strict);
        if let Some(AnyCharset(charset)) = default {
            decoding = decoding.default_charset(charset);
        }
        let bom = bom.map(|charset| charset.0);
        let values: Vec<_> = values.iter().map(|value| RawValue::new(&value.0)).collect();
        let decided = decoding.decide(bom, ca, values.iter().copied());

        let mut decoder = TreeDecoder::new(decoding).with_bom(bom);
        decoder.observe(Event::StartTree, 0);
        decoder.observe(Event::Node, 1);
        if let Some(ca) = ca {
            decoder.observe(Event::Property(Ident::new(b"CA")), 2);
            decoder.observe(Event::Value(ca), 4);
        }
        decoder.observe(Event::Property(Ident::new(b"C")), 100);
        values.iter().for_each(|value| decoder.observe(Event::Value(*value), 101));
        match (decided, decoder.tree_charset()) {
            (Ok(decided), found) => {
                assert_eq!(found, Ok(decided));
                for value in values {
                    assert_eq!(decoder.text(value, 101).unwrap(), decided.text(value).text());
                }
            }
            (Err(CharsetError::UnknownName { name, .. }), found) => {
                assert_eq!(found, Err(CharsetError::UnknownName { name, offset: Some(5) }));
            }
            (Err(error), _) => panic!("{error}"),
        }
    }
    holds(1_000, law as fn(Option<usize>, Vec<Bytes>, bool, Option<AnyCharset>, Option<AnyCharset>));
}
