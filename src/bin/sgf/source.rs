//! The bytes that are parsed: those of the file, or what they are in UTF-8.
//!
//! A parser finds brackets where they are those of ASCII. So a file in UTF-16, UTF-32, HZ or
//! ISO-2022-\* is transcoded as a whole. All others are parsed as they stand, and their values
//! decoded one by one: offsets stay those of the file, and its games may be in several charsets.

use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

use sgf_stream::charset::{Charset, Decoding, DecodingReader, TreeDecoder};

use crate::input;

pub(crate) enum Source {
    /// As it stands.
    Bytes { inner: Box<dyn Read>, buffer: Vec<u8> },
    /// Transcoded. So many bytes of the reader's buffer were given out.
    Text { inner: Box<DecodingReader<Box<dyn Read>>>, given: usize },
}

impl Source {
    /// Opens a file. If it is to be decoded, reads as much of it as it takes to know how, and
    /// answers with the decoder of what comes out.
    pub(crate) fn open(path: &Path, decoding: Option<Decoding>) -> io::Result<(Self, Option<TreeDecoder>)> {
        Source::of(input::open(path)?, decoding)
    }

    /// The same of something that is open.
    pub(crate) fn of(file: Box<dyn Read>, decoding: Option<Decoding>) -> io::Result<(Self, Option<TreeDecoder>)> {
        let Some(decoding) = decoding else { return Ok((Source::bytes(file), None)) };
        let mut sniffer = decoding.reader(Recorder { inner: file, read: Vec::new() });
        let charset = sniffer.charset()?;
        let Recorder { inner, read } = sniffer.into_inner();
        let bom = Charset::from_bom(&read).map(|(charset, _)| charset);
        let file: Box<dyn Read> = Box::new(Cursor::new(read).chain(inner));
        Ok(if charset.is_ascii_compatible() {
            (Source::bytes(file), Some(TreeDecoder::new(decoding).with_bom(bom)))
        } else {
            let inner = Box::new(decoding.reader(file));
            (Source::Text { inner, given: 0 }, Some(TreeDecoder::new(Decoding::utf8())))
        })
    }

    fn bytes(inner: Box<dyn Read>) -> Self {
        Source::Bytes { inner, buffer: vec![0; input::CHUNK] }
    }

    /// Whether it is transcoded, and so in UTF-8.
    pub(crate) fn is_transcoded(&self) -> bool {
        matches!(self, Source::Text { .. })
    }

    /// Reads the next chunk, which is empty at the end only. Calls back with the place in it of
    /// each U+FFFD that transcoding put in for a run of bad bytes.
    pub(crate) fn next_chunk(&mut self, bad: impl FnMut(usize)) -> io::Result<&[u8]> {
        match self {
            Source::Bytes { inner, buffer } => input::next_chunk(&mut **inner, buffer),
            Source::Text { inner, given } => {
                inner.consume(*given);
                *given = inner.fill_buf()?.len();
                inner.bad_in_buffer().for_each(bad);
                inner.fill_buf()
            }
        }
    }
}

/// Remembers what was read.
struct Recorder<R> {
    inner: R,
    read: Vec<u8>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.read.extend_from_slice(&buffer[..len]);
        Ok(len)
    }
}
