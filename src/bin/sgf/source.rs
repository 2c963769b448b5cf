//! The bytes that are parsed: those of the file, or what they are in UTF-8.

use std::io::{self, BufRead};

use sgf_stream::charset::{Decoding, DecodingReader, TreeDecoder};

use crate::decoding::{self, Opened, Whole};

/// So many bytes of what the readers have there were given out.
pub(crate) enum Source<'a> {
    /// As it stands.
    Bytes { inner: &'a mut dyn BufRead, given: usize },
    /// As it stands, of which some was read to know how to read it.
    Whole { inner: Whole<&'a mut dyn BufRead>, given: usize },
    /// Transcoded.
    Text { inner: Box<DecodingReader<Whole<&'a mut dyn BufRead>>>, given: usize },
}

impl<'a> Source<'a> {
    /// If it is to be decoded, reads as much of it as it takes to know how, and answers with the
    /// decoder of what comes out.
    pub(crate) fn of(data: &'a mut dyn BufRead, decoding: Option<Decoding>) -> io::Result<(Self, Option<TreeDecoder>)> {
        let Some(decoding) = decoding else { return Ok((Source::Bytes { inner: data, given: 0 }, None)) };
        Ok(match decoding::open(data, decoding)? {
            Opened::Bytes(whole, bom) => {
                (Source::Whole { inner: whole, given: 0 }, Some(TreeDecoder::new(decoding).with_bom(bom)))
            }
            Opened::Text(inner) => (Source::Text { inner, given: 0 }, Some(TreeDecoder::new(Decoding::utf8()))),
        })
    }

    /// Whether it is transcoded, and so in UTF-8.
    pub(crate) fn is_transcoded(&self) -> bool {
        matches!(self, Source::Text { .. })
    }

    /// This, if it is not transcoded; otherwise the file, from its start. To be called before anything is read.
    pub(crate) fn into_untranscoded(self) -> Result<Self, Whole<&'a mut dyn BufRead>> {
        match self {
            Source::Text { inner, .. } => Err(inner.into_inner()),
            source => Ok(source),
        }
    }

    /// Reads the next chunk, which is empty at the end only. Calls back with the place in it of
    /// each U+FFFD that transcoding put in for a run of bad bytes.
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
