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
    let mut sniffer = decoding.reader(Recorder { inner: file, read: Vec::new(), waiting: None, is_over: false });
    let charset = sniffer.charset()?;
    let mut recorder = sniffer.into_inner();
    if is_seven_bit(charset) {
        recorder.read_on(|new| is_plain_in(charset, new))?;
    }
    let Recorder { inner, read, waiting, is_over } = recorder;
    let is_bytes = charset.is_ascii_compatible() || is_over && is_plain_in(charset, &read);
    let bom = Charset::from_bom(&read).map(|(charset, _)| charset);
    let whole = Cursor::new(read).chain(Rest { inner, waiting });
    Ok(match is_bytes {
        true => Opened::Bytes(whole, bom),
        false => Opened::Text(Box::new(decoding.reader(whole))),
    })
}

/// Returns whether bytes can be parsed as they are although they are in HZ or ISO-2022-\*: they are ASCII, without the bytes
/// by which these charsets shift.
fn is_plain_in(charset: Charset, bytes: &[u8]) -> bool {
    is_seven_bit(charset) && bytes.iter().all(|byte| byte.is_ascii() && !matches!(byte, 0 | 0x0E | 0x0F | 0x1B | b'~'))
}

/// Returns whether a charset is HZ or ISO-2022-\*.
fn is_seven_bit(charset: Charset) -> bool {
    [Charset::HZ, Charset::ISO_2022_JP, Charset::ISO_2022_KR, Charset::ISO_2022_CN].contains(&charset)
}

/// Maximum number of bytes of a file that are looked through before it is parsed.
const MAX_LOOK: usize = 16 << 20;

/// Records the bytes that are read. An error is kept for later: the bytes before it have to be parsed too.
struct Recorder<R> {
    inner: R,
    read: Vec<u8>,
    waiting: Option<io::Error>,
    /// The file has ended.
    is_over: bool,
}

impl<R: Read> Recorder<R> {
    /// Reads on to the end, as long as `goes_on` holds for all bytes so far, and there are not too many of them.
    fn read_on(&mut self, goes_on: impl Fn(&[u8]) -> bool) -> io::Result<()> {
        let (mut buffer, mut seen) = (vec![0; 64 << 10], 0);
        while !self.is_over && self.waiting.is_none() && self.read.len() < MAX_LOOK && goes_on(&self.read[seen..]) {
            seen = self.read.len();
            match self.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => _ = read?,
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(len) => {
                self.is_over = len == 0 && !buffer.is_empty();
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
