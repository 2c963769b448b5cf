//! Files with their charsets detected.

use std::io::{self, BufRead, Chain, Cursor, Read};

use sgf_stream::charset::{Charset, Decoding, DecodingReader};

/// A file with its charset detected.
pub(crate) enum Opened<R> {
    /// Not transcoded; with the charset of its byte-order mark, if it has one.
    Bytes(Whole<R>, Option<Charset>),
    /// Transcoded to UTF-8.
    Text(Box<DecodingReader<Whole<R>>>),
}

/// A file with the bytes that were read for detection put back.
pub(crate) type Whole<R> = Chain<Cursor<Vec<u8>>, Rest<R>>;

/// Detects the charset of a file.
pub(crate) fn open<R: Read>(file: R, decoding: Decoding) -> io::Result<Opened<R>> {
    let mut sniffer = decoding.reader(Recorder { inner: file, read: Vec::new(), waiting: None });
    let charset = sniffer.charset()?;
    let Recorder { inner, read, waiting } = sniffer.into_inner();
    let bom = Charset::from_bom(&read).map(|(charset, _)| charset);
    let whole = Cursor::new(read).chain(Rest { inner, waiting });
    Ok(match charset.is_ascii_compatible() {
        true => Opened::Bytes(whole, bom),
        false => Opened::Text(Box::new(decoding.reader(whole))),
    })
}

/// Records the bytes that are read. An error is kept for later: the bytes before it have to be parsed too.
struct Recorder<R> {
    inner: R,
    read: Vec<u8>,
    waiting: Option<io::Error>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(len) => {
                self.read.extend_from_slice(&buffer[..len]);
                Ok(len)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.waiting = Some(error);
                Ok(0)
            }
        }
    }
}

/// The rest of the file: first the error that was kept, if there was one.
pub(crate) struct Rest<R> {
    inner: R,
    waiting: Option<io::Error>,
}

impl<R: Read> Read for Rest<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.waiting.take().map_or(Ok(()), Err)?;
        self.inner.read(buffer)
    }
}

impl<R: BufRead> BufRead for Rest<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.waiting.take().map_or(Ok(()), Err)?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
    }
}
