//! The charset layer: where bad bytes are, what is believed of a game, and laws about all of it.

mod decision;
mod laws;
mod reader;

use std::io::{self, Read};
use std::ops::Range;

use sgf_stream::charset::{
    BadBytes, Charset, CharsetError, CharsetSource, Decoding, DecodingReader, TextDiagnostic, TreeDecoder,
};
use sgf_stream::{Code, Event, Ident, Parser, RawValue};

use crate::support::EachEvent;

/// Gives its bytes in pieces of these sizes, with interruptions between them.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: &'a [usize],
    turn: usize,
}

fn pieces<'a>(bytes: &'a [u8], sizes: &'a [usize]) -> Pieces<'a> {
    Pieces { bytes, sizes, turn: 0 }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let size = self.sizes.get(self.turn % self.sizes.len().max(1)).map_or(1, |size| size % 9 + 1);
        let len = size.min(buffer.len()).min(self.bytes.len());
        let (piece, rest) = self.bytes.split_at(len);
        buffer[..len].copy_from_slice(piece);
        self.bytes = rest;
        Ok(len)
    }
}

/// Everything a reader says.
#[derive(Debug, PartialEq)]
struct Transcoded {
    charset: Charset,
    source: CharsetSource,
    text: String,
    bad_runs: u64,
    first_bad: Option<Range<u64>>,
}

fn transcode<R: Read>(mut reader: DecodingReader<R>) -> Transcoded {
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    Transcoded {
        charset: reader.charset().unwrap(),
        source: reader.source().unwrap(),
        text,
        bad_runs: reader.bad_runs(),
        first_bad: reader.first_bad(),
    }
}

/// Found by the fuzz target: the decoder knew names in CA that the parser, which keeps 64 bytes, did not.
#[test]
fn a_value_that_is_longer_than_any_name_is_none_for_parser_and_decoder() {
    for blanks in [55, 56, 64, 65, 1000] {
        for name in ["GB18030", "\\GB18030", "foo", ""] {
            let game = [b"(;CA[", name.as_bytes(), &b" ".repeat(blanks), b"]C[\xA1]])"].concat();
            for decoding in [Decoding::new(), Decoding::new().default_charset(Charset::GBK)] {
                for is_strict in [false, true] {
                    crate::support::charset::events(&game, decoding, is_strict);
                }
            }
        }
    }
    let mut decoder = TreeDecoder::new(Decoding::new());
    let names = |blanks: usize| format!("(;CA[GBK{}])", " ".repeat(blanks));
    for (blanks, source) in [(61, CharsetSource::Declared), (62, CharsetSource::UnknownName)] {
        Parser::new().each_event(names(blanks).as_bytes(), |event, at| decoder.observe(event, at)).unwrap();
        assert_eq!(decoder.tree_charset().unwrap().source(), source, "{blanks} blanks");
    }
}

#[test]
fn bad_bytes_are_where_they_are() {
    for (charset, bytes, text, runs) in [
        (
            Charset::UTF_8,
            &b"sim\xF0le t\xC0st w\xE2\x82h"[..],
            "sim\u{FFFD}le t\u{FFFD}st w\u{FFFD}h",
            &[(3, 4), (8, 9), (13, 15)][..],
        ),
        (Charset::UTF_8, b"a\xFF\xFF\xE5\x9Bb", "a\u{FFFD}\u{FFFD}\u{FFFD}b", &[(1, 5)]),
        (Charset::UTF_8, b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}", &[(0, 3)]),
        (Charset::UTF_8, b"a\xE5\x9B", "a\u{FFFD}", &[(1, 3)]),
        (Charset::SHIFT_JIS, b"\x90\x5C\x90", "申\u{FFFD}", &[(2, 3)]),
        (Charset::SHIFT_JIS, b"\x90\xFF.", "\u{FFFD}.", &[(0, 2)]),
        (Charset::BIG5, b"\xA6]\xA6 \xA6]", "因\u{FFFD} 因", &[(2, 3)]),
        (Charset::GBK, b"\xFF\xCE\xA7\xFF\xFF", "\u{FFFD}围\u{FFFD}\u{FFFD}", &[(0, 1), (3, 5)]),
        (Charset::GB18030, b"\x81\x30\x81 ", "\u{FFFD}0\u{FFFD} ", &[(0, 1), (2, 3)]),
        (Charset::EUC_KR, b"\xB9\xD9\xB5", "바\u{FFFD}", &[(2, 3)]),
        (Charset::UTF_16LE, b"a\0\x00\xD8b\0c", "a\u{FFFD}b\u{FFFD}", &[(2, 4), (6, 7)]),
        (Charset::UTF_32BE, b"\0\x11\0\0\0\0\0a\0", "\u{FFFD}a\u{FFFD}", &[(0, 4), (8, 9)]),
        (Charset::HZ, b"~{<:K\xFF", "己\u{FFFD}\u{FFFD}", &[(4, 6)]),
        (Charset::ISO_2022_JP, b"a\x1B!b", "a\u{FFFD}!b", &[(1, 2)]),
        (Charset::WINDOWS_1252, b"\x80\x81\xFF", "€\u{81}ÿ", &[]),
    ] {
        let decoded = charset.decode(bytes);
        assert_eq!(
            (decoded.text(), &decoded.bad_runs().map(|run| (run.start, run.end)).collect::<Vec<_>>()[..]),
            (text, runs),
            "{charset}"
        );
        // At the ends of pieces too, and after the end of a buffer.
        for front in [0, 64 * 1024 - 1, 64 * 1024 - 2] {
            let front = if charset.is_ascii_compatible() { front } else { 0 };
            let bytes = [&b"x".repeat(front)[..], bytes].concat();
            let sizes = (0..8).collect::<Vec<_>>();
            for found in [
                transcode(DecodingReader::with_charset(&bytes[..], charset)),
                transcode(DecodingReader::with_charset(pieces(&bytes, &sizes), charset)),
            ] {
                assert_eq!(&found.text[front..], text, "{charset}");
                let first = runs.first().map(|(start, end)| (start + front) as u64..(end + front) as u64);
                assert_eq!((found.bad_runs, found.first_bad), (runs.len() as u64, first), "{charset}");
            }
        }
    }
}

#[test]
fn a_value_that_is_utf_8_is_believed_where_the_scanner_believes_it() {
    let text = |ca: &[u8], raw: &[u8]| {
        let game = Decoding::new().decide(None, Some(RawValue::new(ca)), []).unwrap();
        game.text(RawValue::new(raw)).into_text().into_owned()
    };
    for (ca, raw, expected) in [
        ("GB2312", "围棋".as_bytes(), "围棋"),
        ("Big5", "圍棋".as_bytes(), "圍棋"),
        ("Shift_JIS", "囲碁".as_bytes(), "囲碁"),
        ("GB18030", "Müller".as_bytes(), "Müller"),
        ("GBK", "Müller [3d\\] 6·5".as_bytes(), "Müller [3d] 6·5"),
        // In charsets that have everything, and in those that have none of it.
        ("ISO-8859-1", "ä".as_bytes(), "ä"),
        ("ISO-8859-1", b"\xE4", "ä"),
        ("ISO-8859-1", b"\xC3\xA4\xE4", "Ã¤ä"),
        ("windows-1251", "Müller".as_bytes(), "Müller"),
        ("windows-1251", b"\xD0\xE0\xF3\xED\xE4", "Раунд"),
        ("foo", "구리".as_bytes(), "구리"),
        ("ISO-2022-KR", "구리".as_bytes(), "구리"),
        ("ISO-2022-KR", b"\x1B$)C\x0E1\x38\x0F", "구"),
        ("ISO-2022-KR", b"\xB1\xB8", "\u{FFFD}\u{FFFD}"),
        ("ISO-2022-JP", "囲碁".as_bytes(), "囲碁"),
        ("HZ", "围棋".as_bytes(), "围棋"),
        ("EUC-KR", "구리".as_bytes(), "구리"),
        ("EUC-KR", "호선 - 6집 반 공제".as_bytes(), "호선 - 6집 반 공제"),
        ("EUC-KR", b"\xB1\xB8\xB8\xAE", "구리"),
        ("EUC-JP", "囲碁".as_bytes(), "囲碁"),
        // What is both: 时越 in GBK.
        ("GBK", b"\xCA\xB1\xD4\xBD", "时越"),
        ("GBK", b"\xCA\xB1\xD4\xBD 9p", "时越 9p"),
        // Another value is not UTF-8.
        ("GBK", b"\xCE\xA7\xC6\xE5", "围棋"),
        ("Big5", b"\xA6]", "因"),
        // Nothing that is read byte by byte is UTF-16, but single values may be.
        ("UTF-16LE", b"Honinbo", "Honinbo"),
        ("UTF-16LE", "本因坊".as_bytes(), "本因坊"),
        ("UTF-16LE", b"H\0o\0", "Ho"),
        ("UTF-16LE", b"\x2C\x67\xE0\x56\x4A\x57", "本因坊"),
    ] {
        assert_eq!(text(ca.as_bytes(), raw), expected, "{ca}");
    }
    // Not where somebody else chose the charset.
    for decoding in [Decoding::new().force(Charset::GBK), Decoding::new().default_charset(Charset::GBK)] {
        let game = decoding.decide(None, None, []).unwrap();
        assert_eq!(game.text(RawValue::new("围".as_bytes())).text(), "鍥\u{FFFD}");
        assert!(!game.is_contradicted_by(RawValue::new("围".as_bytes())));
    }
    // Nor where CA is taken at its word.
    for (ca, raw, expected) in
        [("ISO-8859-1", "ä", "Ã¤"), ("GBK", "围", "鍥\u{FFFD}"), ("ISO-2022-KR", "구", "\u{FFFD}\u{FFFD}\u{FFFD}")]
    {
        let game = Decoding::new().trust_ca(true).decide(None, Some(RawValue::new(ca.as_bytes())), []).unwrap();
        assert_eq!(game.text(RawValue::new(raw.as_bytes())).text(), expected, "{ca}");
    }
}

#[test]
fn that_ca_is_not_true_is_reported_once_a_game() {
    let archive = "(;PB[é]CA[ISO-2022-KR]PB[구리]PW[x];C[바둑])(;CA[UTF-8]PB[é])(;CA[latin1]PB[x];C[é])".as_bytes();
    for (decoding, expected) in [
        (Decoding::new(), &[(23, 6), (75, 2)][..]),
        (Decoding::new().trust_ca(true), &[]),
        (Decoding::new().force(Charset::ISO_2022_KR), &[]),
    ] {
        let mut decoder = TreeDecoder::new(decoding);
        let mut found = Vec::new();
        Parser::new()
            .each_event(archive, |event, offset| {
                decoder.observe(event, offset);
                if let Event::Value(value) = event {
                    decoder.text(value, offset).unwrap();
                    decoder.simple_text(value, offset).unwrap();
                }
                found
                    .extend(decoder.take_diagnostics().into_iter().filter(|found| found.code == Code::CharsetMismatch));
            })
            .unwrap();
        let places: Vec<_> = found.iter().map(|found| (found.offset, found.len)).collect();
        let at = |text: &str| archive.windows(text.len()).position(|w| w == text.as_bytes()).unwrap() as u64;
        let expected: Vec<_> = expected
            .iter()
            .map(|&(_, len)| (if len == 6 { at("구리") } else { archive.len() as u64 - 4 }, len))
            .collect();
        assert_eq!(places, expected, "{decoding:?}");
    }
}

#[test]
fn a_strict_policy_refuses_a_blank_ca() {
    for ca in ["", " ", "\n"] {
        let ca = Some(RawValue::new(ca.as_bytes()));
        let error = Decoding::new().known_names_only(true).decide(None, ca, []).unwrap_err();
        assert_eq!(error.to_string(), "unknown charset name \"\" [unknown-charset]");
        assert_eq!(Decoding::new().decide(None, ca, []).unwrap().source(), CharsetSource::Detected);
        let forced = Decoding::new().known_names_only(true).force(Charset::GBK).decide(None, ca, []);
        assert_eq!(forced.unwrap().source(), CharsetSource::Forced);
    }
    assert!(Decoding::new().known_names_only(true).decide(None, None, []).is_ok());
}

#[test]
fn the_order_is_force_mark_name_default_detection() {
    let ca = Some(RawValue::new(b"EUC-KR"));
    let values = [RawValue::new("é".as_bytes())];
    let auto = Decoding::new();
    let default = auto.default_charset(Charset::BIG5);
    let forced = default.force(Charset::GBK);
    for (decoding, bom, ca, charset, source) in [
        (forced, Some(Charset::UTF_8), ca, Charset::GBK, CharsetSource::Forced),
        (default, Some(Charset::UTF_8), ca, Charset::UTF_8, CharsetSource::Bom),
        (default, None, ca, Charset::EUC_KR, CharsetSource::Declared),
        (default, None, Some(RawValue::new(b"foo")), Charset::WINDOWS_1252, CharsetSource::UnknownName),
        (default, None, Some(RawValue::new(b" ")), Charset::BIG5, CharsetSource::Default),
        (default, None, None, Charset::BIG5, CharsetSource::Default),
        (auto, None, None, Charset::UTF_8, CharsetSource::Detected),
        (Decoding::utf8(), None, ca, Charset::UTF_8, CharsetSource::Forced),
    ] {
        let decided = decoding.decide(bom, ca, values).unwrap();
        assert_eq!((decided.charset(), decided.source()), (charset, source), "{decoding:?} {bom:?} {ca:?}");
    }
    let error = auto.known_names_only(true).decide(None, Some(RawValue::new(b"foo")), values).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (Code::UnknownCharset, "unknown charset name \"foo\" [unknown-charset]")
    );
}

/// The texts of some properties of a stream, and what was found, with a decoder beside the parser.
fn texts(bytes: &[u8], decoding: Decoding) -> (Vec<Result<String, CharsetError>>, Vec<TextDiagnostic>) {
    let (mut decoder, mut texts, mut wanted) = (TreeDecoder::new(decoding), Vec::new(), false);
    Parser::new()
        .each_event(bytes, |event, offset| {
            decoder.observe(event, offset);
            match event {
                Event::Property(ident) => wanted = ident == "C" || ident == "PB",
                Event::Value(value) if wanted => {
                    let text = decoder.text(value, offset).map(|text| text.into_owned());
                    // Asking again finds nothing more.
                    assert_eq!(text, decoder.text(value, offset).map(|text| text.into_owned()));
                    texts.push(text);
                }
                _ => {}
            }
        })
        .unwrap();
    (texts, decoder.take_diagnostics())
}

#[test]
fn each_game_has_its_own_charset() {
    let archive = b"(;CA[GBK]C[\xCE\xA7](;C[\xC6\xE5])(;B[]CA[UTF-8]C[\xCE\xA7]))(;CA[EUC-KR]C[\xB9\xD9];C[\xB5\xCF])(;C[\xE9t\xE9])(;CA[foo]C[\xE9])";
    let (texts, findings) = texts(archive, Decoding::new());
    let texts: Vec<_> = texts.into_iter().map(Result::unwrap).collect();
    assert_eq!(texts, ["围", "棋", "围", "바", "둑", "été", "é"], "CA outside the root says nothing");
    let found: Vec<_> = findings.iter().map(|found| (found.code, found.offset, found.len)).collect();
    assert_eq!(found, [(Code::UnknownCharset, archive.len() as u64 - 9, 3)]);
}

#[test]
fn before_ca_a_value_is_read_by_what_is_known() {
    let (found, _) =
        texts(b"(;PB[\xCE\xA7]CA[GBK]CA[Big5]C[\xCE\xA7])", Decoding::new().default_charset(Charset::EUC_KR));
    let found: Vec<_> = found.into_iter().map(Result::unwrap).collect();
    assert_eq!(found, ["鍋", "围"], "and the first CA counts");
}

#[test]
fn a_byte_order_mark_outdoes_ca_and_a_skipped_game_is_forgotten() {
    let mut decoder = TreeDecoder::new(Decoding::new()).with_bom(Some(Charset::UTF_8));
    let root = [Event::StartTree, Event::Node, Event::Property(Ident::new(b"CA")), Event::Value(RawValue::new(b"GBK"))];
    root.iter().for_each(|event| decoder.observe(*event, 0));
    assert_eq!(decoder.tree_charset().unwrap().source(), CharsetSource::Bom);

    let mut decoder = TreeDecoder::new(Decoding::new());
    root.iter().for_each(|event| decoder.observe(*event, 0));
    assert_eq!(decoder.tree_charset().unwrap().charset(), Charset::GBK);
    decoder.next_game();
    [Event::StartTree, Event::Node].iter().for_each(|event| decoder.observe(*event, 0));
    assert_eq!(decoder.tree_charset().unwrap().source(), CharsetSource::Detected);
    root[2..].iter().for_each(|event| decoder.observe(*event, 0));
    assert_eq!(decoder.tree_charset().unwrap().charset(), Charset::GBK);
}

#[test]
fn findings_tell_where_and_are_bounded() {
    let (_, findings) = texts(b"(;CA[UTF-8]PB[a\xFF\xFEb\xE5]\n;C[\xFF])", Decoding::new());
    let found: Vec<_> = findings.iter().map(|found| (found.code, found.offset, found.len)).collect();
    assert_eq!(found, [(Code::BadBytes, 15, 2), (Code::BadBytes, 18, 1), (Code::BadBytes, 24, 1)]);

    let mut decoder = TreeDecoder::new(Decoding::utf8());
    let bad = b"\xFF.".repeat(TreeDecoder::MAX_DIAGNOSTICS + 3);
    decoder.text(RawValue::new(&bad), 0).unwrap();
    assert_eq!(decoder.dropped_diagnostics(), 3);
    assert_eq!(decoder.take_diagnostics().len(), TreeDecoder::MAX_DIAGNOSTICS);
    assert_eq!((decoder.dropped_diagnostics(), decoder.take_diagnostics().len()), (0, 0));
}

#[test]
fn bad_bytes_and_unknown_names_are_errors_by_policy() {
    let policy = Decoding::new().bad_bytes(BadBytes::Error).known_names_only(true);
    let (texts, findings) = texts(b"(;CA[GBK]C[\xCE\xA7]C[.\xFF])(;CA[foo]C[a])", policy);
    let shown: Vec<_> = texts.iter().map(|text| text.as_ref().map_err(ToString::to_string)).collect();
    let errors = [
        "byte 17: bytes that are invalid in GBK [bad-bytes]",
        "byte 25: unknown charset name \"foo\" [unknown-charset]",
    ];
    assert_eq!(shown[0], Ok(&"围".to_owned()));
    assert_eq!(shown[1..], [Err(errors[0].to_owned()), Err(errors[1].to_owned())]);
    assert!(findings.is_empty());

    // A stream gives what is before the fault, and then the error, again and again.
    let mut reader = policy.reader(&b"(;CA[EUC-KR]C[\xB9\xD9\xFF.])"[..]);
    let mut text = Vec::new();
    for _ in 0..2 {
        let error = reader.read_to_end(&mut text).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "byte 16: bytes that are invalid in EUC-KR [bad-bytes]");
    }
    assert_eq!(text, "(;CA[EUC-KR]C[바".as_bytes());
    assert_eq!(reader.first_bad(), Some(16..17));
}
