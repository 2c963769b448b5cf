//! Opening files with detection of their charsets.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read};

use super::{Charset, Decoding, DecodingReader};

/// A file, or another stream, with its charset detected. Created by [`Decoding::open`].
#[derive(Debug)]
pub enum OpenedReader<R> {
    /// The stream as it is, to be parsed without transcoding.
    ///
    /// Its values must be decoded separately. The second field is the charset of its byte-order mark, if any.
    Bytes(TranscodedReader<R>, Option<Charset>),
    /// The stream transcoded to UTF-8, since a parser needs ASCII brackets.
    Text(Box<DecodingReader<TranscodedReader<R>>>),
}

impl Decoding {
    /// Detects the charset of a file, and transcodes it if necessary.
    ///
    /// A file in UTF-16, UTF-32, HZ or ISO-2022-\* is transcoded; any other is parsed as it is. (So are files that
    /// declare HZ or ISO-2022-\* but are ASCII.)
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::{Decoding, OpenedReader};
    ///
    /// let utf16: Vec<u8> = "\u{FEFF}(;PB[\u{9053}\u{7B56}])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    /// for file in [&b"(;CA[Shift_JIS]PB[Dosaku])"[..], &utf16] {
    ///     let games = match Decoding::new().open(file)? {
    ///         OpenedReader::Bytes(file, _) => Parser::new().charset(Decoding::new()).reader(file).skip_game()?,
    ///         OpenedReader::Text(file) => Parser::new().charset(Decoding::utf8()).reader(file).skip_game()?,
    ///     };
    ///     assert!(games);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the charset cannot be determined; see [`DecodingReader::charset`]. A read error is returned later, at
    /// the position where it occurred.
    pub fn open<R: Read>(self, file: R) -> io::Result<OpenedReader<R>> {
        let mut sniffer = self.reader(Recorder { inner: file, read: Vec::new(), waiting: None, is_over: false });
        let charset = sniffer.charset()?;
        let mut recorder = sniffer.into_inner();
        if is_seven_bit(charset) {
            recorder.read_on(|new| is_plain_in(charset, new))?;
        }
        let Recorder { inner, read, waiting, is_over } = recorder;
        let is_bytes = charset.is_ascii_compatible() || is_over && is_plain_in(charset, &read);
        let bom = Charset::from_bom(&read).map(|(charset, _)| charset);
        let whole = TranscodedReader { start: Cursor::new(read), waiting, inner };
        Ok(match is_bytes {
            true => OpenedReader::Bytes(whole, bom),
            false => OpenedReader::Text(Box::new(self.reader(whole))),
        })
    }
}

/// Returns whether bytes declared as HZ or ISO-2022-\* can be parsed as they are. They must be ASCII without the
/// shift bytes of these charsets.
fn is_plain_in(charset: Charset, bytes: &[u8]) -> bool {
    is_seven_bit(charset) && bytes.iter().all(|byte| byte.is_ascii() && !matches!(byte, 0 | 0x0E | 0x0F | 0x1B | b'~'))
}

/// Returns whether a charset is HZ or ISO-2022-\*.
fn is_seven_bit(charset: Charset) -> bool {
    [Charset::HZ, Charset::ISO_2022_JP, Charset::ISO_2022_KR, Charset::ISO_2022_CN].contains(&charset)
}

/// Maximum number of bytes of a file that are examined before it is parsed.
const MAX_LOOK: usize = 16 << 20;

/// A reader that records its bytes. An error is kept for later, since the bytes before it must be parsed.
struct Recorder<R> {
    inner: R,
    read: Vec<u8>,
    waiting: Option<io::Error>,
    /// Whether the file has ended.
    is_over: bool,
}

impl<R: Read> Recorder<R> {
    /// Reads while `goes_on` is true for all bytes so far. It stops at the end, or if there are too many.
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

/// A file from its start, including the bytes that were read for detection.
///
/// After these come the error that was kept, if any, and the rest of the file.
pub struct TranscodedReader<R> {
    start: Cursor<Vec<u8>>,
    waiting: Option<io::Error>,
    inner: R,
}

impl<R> TranscodedReader<R> {
    fn is_at_start(&self) -> bool {
        self.start.position() < self.start.get_ref().len() as u64
    }
}

impl<R: Read> Read for TranscodedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_at_start() {
            return self.start.read(buffer);
        }
        self.waiting.take().map_or(Ok(()), Err)?;
        self.inner.read(buffer)
    }
}

impl<R: BufRead> BufRead for TranscodedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_at_start() {
            return self.start.fill_buf();
        }
        self.waiting.take().map_or(Ok(()), Err)?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        match self.is_at_start() {
            true => self.start.consume(len),
            false => self.inner.consume(len),
        }
    }
}

impl<R: fmt::Debug> fmt::Debug for TranscodedReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscodedReader").field("inner", &self.inner).finish_non_exhaustive()
    }
}
