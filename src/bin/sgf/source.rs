//! The bytes to parse: those of the file, or their transcoding to UTF-8.

use std::io::{self, BufRead};

use sgf_stream::charset::{Charset, Decoding, DecodingReader, TreeDecoder};

use crate::decoding::{self, Opened, Whole};

/// The bytes of an input. `given` bytes of the reader's buffer have been returned and are not consumed yet.
pub(crate) enum Source<'a> {
    /// Unchanged.
    Bytes { inner: &'a mut dyn BufRead, given: usize },
    /// Unchanged, with the bytes that were read to detect the charset put back.
    Whole { inner: Whole<&'a mut dyn BufRead>, given: usize },
    /// Transcoded to UTF-8.
    Text { inner: Box<DecodingReader<Whole<&'a mut dyn BufRead>>>, given: usize },
}

impl<'a> Source<'a> {
    /// Opens an input. If its values are to be decoded, detects the charset and returns a decoder for them.
    pub(crate) fn of(data: &'a mut dyn BufRead, decoding: Option<Decoding>) -> io::Result<(Self, Option<TreeDecoder>)> {
        let Some(decoding) = decoding else { return Ok((Source::Bytes { inner: data, given: 0 }, None)) };
        Ok(match decoding::open(data, decoding)? {
            Opened::Bytes(whole, bom) => {
                (Source::Whole { inner: whole, given: 0 }, Some(TreeDecoder::new(decoding).with_bom(bom)))
            }
            Opened::Text(inner) => (Source::Text { inner, given: 0 }, Some(TreeDecoder::new(Decoding::utf8()))),
        })
    }

    /// Makes a source of an input that is transcoded.
    pub(crate) fn of_text(inner: Box<DecodingReader<Whole<&'a mut dyn BufRead>>>) -> Self {
        Source::Text { inner, given: 0 }
    }

    /// Returns whether the input is transcoded, and so in UTF-8.
    pub(crate) fn is_transcoded(&self) -> bool {
        matches!(self, Source::Text { .. })
    }

    /// Returns the charset from which the input is transcoded.
    pub(crate) fn charset(&mut self) -> io::Result<Option<Charset>> {
        match self {
            Source::Text { inner, .. } => inner.charset().map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the source if it is not transcoded; otherwise the file, from its start. Call before reading.
    pub(crate) fn into_untranscoded(self) -> Result<Self, Whole<&'a mut dyn BufRead>> {
        match self {
            Source::Text { inner, .. } => Err(inner.into_inner()),
            source => Ok(source),
        }
    }

    /// Reads the next chunk, which is empty only at the end. Calls `bad` with the index in the chunk of each U+FFFD
    /// that replaces bad bytes.
    pub(crate) fn next_chunk(&mut self, bad: impl FnMut(usize)) -> io::Result<&[u8]> {
        match self {
            Source::Bytes { inner, given } => next_chunk(inner, given),
            Source::Whole { inner, given } => next_chunk(inner, given),
            Source::Text { inner, given } => {
                inner.consume(*given);
                *given = inner.fill_buf()?.len();
                inner.bad_in_buffer().for_each(bad);
                inner.fill_buf()
            }
        }
    }
}

fn next_chunk<'r>(inner: &'r mut impl BufRead, given: &mut usize) -> io::Result<&'r [u8]> {
    inner.consume(*given);
    *given = 0;
    let chunk = inner.fill_buf()?;
    *given = chunk.len();
    Ok(chunk)
}
