//! The bytes that are parsed: those of the file, or what they are in UTF-8.

use std::io::{self, BufRead, Read};
use std::path::Path;

use sgf_stream::charset::{Decoding, DecodingReader, TreeDecoder};

use crate::decoding::{self, Opened, Whole};
use crate::input;

pub(crate) enum Source {
    /// As it stands.
    Bytes { inner: Box<dyn Read>, buffer: Vec<u8> },
    /// Transcoded. So many bytes of the reader's buffer were given out.
    Text { inner: Box<DecodingReader<Whole<Box<dyn Read>>>>, given: usize },
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
        Ok(match decoding::open(file, decoding)? {
            Opened::Bytes(whole, bom) => {
                (Source::bytes(Box::new(whole)), Some(TreeDecoder::new(decoding).with_bom(bom)))
            }
            Opened::Text(inner) => (Source::Text { inner, given: 0 }, Some(TreeDecoder::new(Decoding::utf8()))),
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
