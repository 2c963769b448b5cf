//! The transcoding reader.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use sgf_stream::charset::{Charset, CharsetSource, DecodingReader};
use sgf_stream::{Event, Reader};

use super::{pieces, transcode};

#[test]
fn streams_are_known_by_their_first_bytes() {
    let wide = |text: &str, big: bool| -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let utf8 = "(;CA[GB2312]C[围棋])".as_bytes().to_vec();
    let cut = [&utf8[..], &b" ".repeat(64 * 1024 - utf8.len() - 1), "围".as_bytes()].concat();
    for (bytes, charset, source) in [
        (wide("(;C[é])", false), Charset::UTF_16LE, CharsetSource::Detected),
        (wide("\n(;C[é])", true), Charset::UTF_16BE, CharsetSource::Detected),
        (wide("\u{FEFF}(;C[é])", true), Charset::UTF_16BE, CharsetSource::Bom),
        (b"(;C[\xC3\xA9])".to_vec(), Charset::UTF_8, CharsetSource::Detected),
        (b"(;C[\xE9t\xE9])".to_vec(), Charset::WINDOWS_1252, CharsetSource::Detected),
        (b"(;C[~{<:Ky~}])".to_vec(), Charset::HZ, CharsetSource::Detected),
        (b"(;CA[HZ]C[~{<:Ky~}])".to_vec(), Charset::HZ, CharsetSource::Declared),
        (b"\xEF\xBB\xBF(;CA[GBK])".to_vec(), Charset::UTF_8, CharsetSource::Bom),
        (b"(;CA[GBK]C[\xCE\xA7])".to_vec(), Charset::GBK, CharsetSource::Declared),
        (b"(;CA[GBK])".to_vec(), Charset::GBK, CharsetSource::Declared),
        (b"(;CA[GBK]PB[\xCA\xB1\xD4\xBD])".to_vec(), Charset::GBK, CharsetSource::Declared),
        (utf8, Charset::UTF_8, CharsetSource::Detected),
        (cut, Charset::UTF_8, CharsetSource::Detected),
        // It says so in ASCII.
        (b"(;CA[UTF-16]C[\xC3\xA9])".to_vec(), Charset::UTF_8, CharsetSource::Detected),
        (b"(;PB[\x94\\]CA[SJIS]C[\x90\\])".to_vec(), Charset::SHIFT_JIS, CharsetSource::Declared),
        (b"(;CA[foo]C[\xE9])".to_vec(), Charset::WINDOWS_1252, CharsetSource::UnknownName),
        (b"(;CA[foo]C[\xC3\xA9])".to_vec(), Charset::UTF_8, CharsetSource::Detected),
        // It is not what it says.
        ("(;CA[ISO-2022-KR]C[구리])".as_bytes().to_vec(), Charset::UTF_8, CharsetSource::Detected),
        ("(;CA[ISO-8859-1]C[구리])".as_bytes().to_vec(), Charset::UTF_8, CharsetSource::Detected),
        (
            b"(;CA[ISO-2022-KR]C[\xB9\xD9\xB5\xCF\xC0\xBA \xB5\xCE \xBB\xE7\xB6\xF7\xC0\xCC])".to_vec(),
            Charset::EUC_KR,
            CharsetSource::Detected,
        ),
        (b"(;CA[ISO-2022-KR]C[ascii])".to_vec(), Charset::ISO_2022_KR, CharsetSource::Declared),
        (b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E9Y\x0F]C[\xC3\xA9])".to_vec(), Charset::ISO_2022_KR, CharsetSource::Declared),
        (b"".to_vec(), Charset::UTF_8, CharsetSource::Detected),
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
    // A character across two readings is a piece of its own, and the first reading is a small one.
    assert_eq!(lent, bytes.len());
    assert!(pieces <= 2 * (1 + bytes.len().div_ceil(64 * 1024)), "{pieces}");
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

#[cfg(feature = "codec")]
mod waiting {
    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use futures::StreamExt;
    use sgf_stream::Parser;
    use sgf_stream::charset::{BadBytes, Charset, CharsetSource, Decoding, DecodingReader};
    use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};

    /// Bytes that come a few at a time; before each lot, nothing comes for once. At the end an error, or none.
    struct Slow<'a> {
        bytes: &'a [u8],
        size: usize,
        is_ready: bool,
        fails: Option<&'static str>,
    }

    impl AsyncRead for Slow<'_> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            self.is_ready = !self.is_ready;
            if self.is_ready {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if self.bytes.is_empty()
                && let Some(error) = self.fails.take()
            {
                return Poll::Ready(Err(io::Error::other(error)));
            }
            let (now, later) = self.bytes.split_at(self.size.min(self.bytes.len()).min(buffer.remaining()));
            buffer.put_slice(now);
            self.bytes = later;
            Poll::Ready(Ok(()))
        }
    }

    /// Polls a future once, and drops it.
    fn once<T>(future: impl Future<Output = T>) -> Option<T> {
        let mut future = std::pin::pin!(future);
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }

    /// Each future is polled once, and dropped.
    fn read(bytes: &[u8], decoding: Decoding, size: usize, asks_first: bool) -> (Vec<u8>, String, u64) {
        let mut reader = decoding.reader(Slow { bytes, size, is_ready: false, fails: None });
        if asks_first {
            let found = loop {
                if let Some(found) = once(reader.find_charset()) {
                    break found;
                }
            };
            let again = once(reader.find_charset()).expect("it is known now");
            assert_eq!(found.map_err(|error| error.to_string()), again.map_err(|error| error.to_string()));
        }
        let (mut text, mut buffer) = (Vec::new(), [0; 5]);
        let end = loop {
            match once(reader.read(&mut buffer)) {
                None => {}
                Some(Ok(0)) => break "the end".to_owned(),
                Some(Ok(len)) => text.extend_from_slice(&buffer[..len]),
                Some(Err(error)) => break error.to_string(),
            }
        };
        (text, end, reader.first_bad().map_or(0, |bad| bad.start))
    }

    #[test]
    fn a_reader_that_waits_reads_what_one_that_blocks_reads() {
        let wide: Vec<u8> = "\u{FEFF}(;C[囲碁]PB[é])".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let long = [b"(;CA[GBK]C[".to_vec(), b"\xCE\xA7\xC6\xE5".repeat(30_000), b"])".to_vec()].concat();
        for bytes in [
            &wide[..],
            b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E9Y\\]\x0F])",
            b"(;CA[HZ]C[~{<:Ky~}])",
            b"(;CA[Shift_JIS]PB[\x90\\]C[\x81])",
            b"(;CA[UTF-8]C[\xFF\xFEa\xFF])",
            b"(;CA[]C[caf\xE9])",
            b"(;CA[foo])",
            b"",
            &long,
        ] {
            let strict = Decoding::new().known_names_only(true).bad_bytes(BadBytes::Error);
            for decoding in [Decoding::new(), strict, Decoding::new().force(Charset::GBK)] {
                let mut blocking = decoding.reader(bytes);
                let mut text = Vec::new();
                let end = io::Read::read_to_end(&mut blocking, &mut text);
                let end = end.map_or_else(|error| error.to_string(), |_| "the end".to_owned());
                let expected = (text, end, blocking.first_bad().map_or(0, |bad| bad.start));
                for size in [1, 3, 1 << 20].into_iter().skip(usize::from(bytes.len() > 1000)) {
                    for asks_first in [false, true] {
                        let found = read(bytes, decoding, size, asks_first);
                        let shown = bytes[..bytes.len().min(40)].escape_ascii();
                        assert!(found == expected, "{shown}, {decoding:?}, {size}: {:?}", (found.1, found.2));
                    }
                }
            }
        }
    }

    #[test]
    fn reading_goes_on_after_an_error_of_the_stream() {
        let mut reader = DecodingReader::new(Slow {
            bytes: b"(;CA[HZ]C[~{<:Ky~}])",
            size: 4,
            is_ready: false,
            fails: Some("a hiccup"),
        });
        let (mut text, mut buffer, mut errors) = (Vec::new(), [0; 64], Vec::new());
        loop {
            match once(reader.read(&mut buffer)) {
                None => {}
                Some(Ok(0)) => break,
                Some(Ok(len)) => text.extend_from_slice(&buffer[..len]),
                Some(Err(error)) => errors.push(error.to_string()),
            }
        }
        assert_eq!((text, errors), ("(;CA[HZ]C[己所])".as_bytes().to_vec(), vec!["a hiccup".to_owned()]));
    }

    #[tokio::test]
    async fn games_come_off_a_socket_in_utf_16() {
        let wide: Vec<u8> = "\u{FEFF}(;C[囲碁])(;PB[é])".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let mut decoding = DecodingReader::new(Slow { bytes: &wide, size: 3, is_ready: false, fails: None });
        let found = decoding.find_charset().await.unwrap();
        assert_eq!((found.charset(), found.source()), (Charset::UTF_16BE, CharsetSource::Bom));
        let games = Parser::new().game_stream(decoding).map(|game| game.unwrap().unwrap().bytes().to_vec());
        let games: Vec<Vec<u8>> = games.collect().await;
        assert_eq!(games, ["(;C[囲碁])".as_bytes(), "(;PB[é])".as_bytes()]);
    }
}
