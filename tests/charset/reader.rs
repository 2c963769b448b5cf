//! The transcoding reader.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use sgf_stream::charset::{Charset, DecodingReader, Source};
use sgf_stream::{Event, Reader};

use crate::{pieces, transcode};

#[test]
fn streams_are_known_by_their_first_bytes() {
    let wide = |text: &str, big: bool| -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let utf8 = "(;CA[GB2312]C[围棋])".as_bytes().to_vec();
    let cut = [&utf8[..], &b" ".repeat(64 * 1024 - utf8.len() - 1), "围".as_bytes()].concat();
    for (bytes, charset, source) in [
        (wide("(;C[é])", false), Charset::UTF_16LE, Source::Detected),
        (wide("\n(;C[é])", true), Charset::UTF_16BE, Source::Detected),
        (wide("\u{FEFF}(;C[é])", true), Charset::UTF_16BE, Source::Bom),
        (b"(;C[\xC3\xA9])".to_vec(), Charset::UTF_8, Source::Detected),
        (b"(;C[\xE9t\xE9])".to_vec(), Charset::WINDOWS_1252, Source::Detected),
        (b"(;C[~{<:Ky~}])".to_vec(), Charset::HZ, Source::Detected),
        (b"(;CA[HZ]C[~{<:Ky~}])".to_vec(), Charset::HZ, Source::Declared),
        (b"\xEF\xBB\xBF(;CA[GBK])".to_vec(), Charset::UTF_8, Source::Bom),
        (b"(;CA[GBK]C[\xCE\xA7])".to_vec(), Charset::GBK, Source::Declared),
        (b"(;CA[GBK])".to_vec(), Charset::GBK, Source::Declared),
        (b"(;CA[GBK]PB[\xCA\xB1\xD4\xBD])".to_vec(), Charset::GBK, Source::Declared),
        (utf8, Charset::UTF_8, Source::Detected),
        (cut, Charset::UTF_8, Source::Detected),
        // It says so in ASCII.
        (b"(;CA[UTF-16]C[\xC3\xA9])".to_vec(), Charset::UTF_8, Source::Detected),
        (b"(;PB[\x94\\]CA[SJIS]C[\x90\\])".to_vec(), Charset::SHIFT_JIS, Source::Declared),
        (b"(;CA[foo]C[\xC3\xA9])".to_vec(), Charset::WINDOWS_1252, Source::UnknownLabel),
        (b"".to_vec(), Charset::UTF_8, Source::Detected),
    ] {
        for found in [transcode(DecodingReader::new(&bytes[..])), transcode(DecodingReader::new(pieces(&bytes, &[0])))]
        {
            assert_eq!(
                (found.charset, found.source),
                (charset, source),
                "{}",
                bytes[..bytes.len().min(40)].escape_ascii()
            );
            assert!(!found.text.contains('\u{FEFF}'));
        }
    }
}

#[test]
fn seven_bit_files_are_read_through_the_transcoding_reader() {
    for (bytes, text) in [
        (&b"(;CA[HZ-GB-2312]PB[~{;[[W~}]C[~{ND2f~}])"[..], ["慧圩", "文叉"]),
        (b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E9Y\\]\x0F]C[\x0E5O\x0F])", ["바覆", "둑"]),
    ] {
        let mut reader = Reader::new(DecodingReader::new(bytes));
        let mut texts = Vec::new();
        while let Some(event) = reader.next_event().unwrap() {
            if let Event::Value(value) = event {
                texts.push(value.text().into_owned());
            }
        }
        assert_eq!(texts[1..], text);
    }
}

#[test]
fn plain_text_is_lent_in_pieces_as_large_as_they_come() {
    let bytes = "(;C[囲碁])".repeat(20_000).into_bytes();
    let mut reader = DecodingReader::with_charset(&bytes[..], Charset::UTF_8);
    let (mut lent, mut pieces) = (0, 0);
    loop {
        let len = reader.fill_buf().unwrap().len();
        if len == 0 {
            break;
        }
        lent += len;
        pieces += 1;
        reader.consume(len);
    }
    // A character across two readings is a piece of its own.
    assert_eq!(lent, bytes.len());
    assert!(pieces <= 2 * bytes.len().div_ceil(64 * 1024), "{pieces}");
}

#[test]
fn an_error_of_the_source_passes_through_and_reading_goes_on() {
    struct Faulty<'a>(&'a [u8], Cell<u32>);
    impl Read for Faulty<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.set(self.1.get() + 1);
            if self.1.get().is_multiple_of(2) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.0.read(&mut buffer[..1])
        }
    }
    let bytes = b"(;CA[Big5]C[\xA6]])";
    let mut reader = DecodingReader::new(Faulty(bytes, Cell::new(0)));
    let (mut text, mut errors) = (Vec::new(), 0);
    while let Err(error) = reader.read_to_end(&mut text) {
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        errors += 1;
    }
    assert_eq!(text, "(;CA[Big5]C[因])".as_bytes());
    assert!(errors > 10);
}
