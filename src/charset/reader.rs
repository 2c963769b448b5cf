//! Transcoding of whole streams.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
#[cfg(feature = "codec")]
use std::pin::Pin;
#[cfg(feature = "codec")]
use std::task::{Context, Poll, ready};

#[cfg(feature = "codec")]
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

use super::transcoder::{Next, Transcoder};
use super::{Charset, CharsetSource, Decoding, TreeCharset};

/// Transcodes a stream to UTF-8, so that anything that reads SGF can read files in UTF-16,
/// UTF-32, HZ or ISO-2022-\*, and any other file as if it were in UTF-8.
///
/// The whole stream is taken for one text in one charset (SGFC calls this mode E1), which is told
/// by the byte-order mark; else by the first `CA` that stands in the first 64 KiB; else by these
/// bytes themselves, where UTF-16 and UTF-32 show by their NULs: see [`Decoding`] for the order,
/// and [`Decoding::reader`] for other policies. A stream that names another charset while its first 64 KiB are
/// UTF-8 is in UTF-8; and one that names ISO-2022-\* or HZ, has no shifts of these, and has high bytes, is in what
/// these bytes are most likely in.
///
/// What comes out has no byte-order mark, and its offsets are those of the UTF-8. `CA` still
/// names the charset that was, so read its values as UTF-8 ([`RawValue::text`], or
/// [`Decoding::utf8`]).
///
/// ```
/// use sgf_stream::charset::{Charset, DecodingReader};
/// use sgf_stream::{Event, Reader};
///
/// let file: Vec<u8> = "\u{FEFF}(;FF[4]CA[UTF-16]C[囲碁])".encode_utf16().flat_map(u16::to_le_bytes).collect();
/// let mut decoding = DecodingReader::new(&file[..]);
/// assert_eq!(decoding.charset()?, Charset::UTF_16LE);
///
/// let (mut reader, mut comment) = (Reader::new(decoding), String::new());
/// while let Some(event) = reader.next_event()? {
///     if let Event::Value(value) = event {
///         comment = value.text().into_owned();
///     }
/// }
/// assert_eq!(comment, "囲碁");
/// # Ok::<(), sgf_stream::Error>(())
/// ```
///
/// Memory is bounded: 64 KiB of input, and what these are in UTF-8. What is UTF-8 or ASCII as it
/// stands is lent from the input without another copy. Nothing comes out before it is known what the stream is in:
/// where there is neither a byte-order mark nor `CA`, or `CA` names what the bytes so far do not show to be true,
/// that takes 64 KiB, or the end.
///
/// Over an `AsyncRead` (feature `codec`) it is an `AsyncRead` and `AsyncBufRead` itself, by the same state machine. All
/// state is in the reader: a pending future that is dropped loses nothing, and the next one goes on.
///
/// ```
/// # #[cfg(feature = "codec")] {
/// use futures::StreamExt;
/// use sgf_stream::Parser;
/// use sgf_stream::charset::DecodingReader;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let socket = &b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E1\x388.\x0F])"[..]; // say
/// let mut games = Parser::new().game_stream(DecodingReader::new(socket));
/// let game = games.next().await.unwrap()?.unwrap();
/// assert_eq!(game.bytes(), "(;CA[ISO-2022-KR]PB[구리])".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// # })?;
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// I/O errors pass through (`Interrupted` is tried again), and reading may go on after them. By
/// policy, bad bytes and unknown charsets are errors of kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that hold a [`CharsetError`](super::CharsetError); these stay.
///
/// [`RawValue::text`]: crate::RawValue::text
pub struct DecodingReader<R> {
    inner: R,
    transcoder: Transcoder,
}

impl<R> DecodingReader<R> {
    /// A reader that finds out the charset: [`Decoding::new`].
    pub fn new(inner: R) -> Self {
        Self::with(Decoding::new(), inner)
    }

    /// A reader of this charset, unless there is a byte-order mark of another. (Who knows better
    /// than the mark says [`Decoding::force`].)
    pub fn with_charset(inner: R, charset: Charset) -> Self {
        DecodingReader { inner, transcoder: Transcoder::new(Decoding::new(), Some(charset)) }
    }

    pub(super) fn with(decoding: Decoding, inner: R) -> Self {
        DecodingReader { inner, transcoder: Transcoder::new(decoding, None) }
    }

    /// How many runs of bad bytes were met so far. What is buffered counts.
    pub fn bad_runs(&self) -> u64 {
        self.transcoder.bad().runs
    }

    /// The place of the first bad bytes in the stream that was read, in bytes from its start.
    pub fn first_bad(&self) -> Option<Range<u64>> {
        self.transcoder.bad().first.clone()
    }

    /// Where in the buffer that [`fill_buf`](BufRead::fill_buf) gave last the runs of bad bytes
    /// begin, each with its first U+FFFD. A U+FFFD that the stream itself has is none of these.
    ///
    /// ```
    /// use std::io::BufRead;
    ///
    /// use sgf_stream::charset::{Charset, DecodingReader};
    ///
    /// let mut reader = DecodingReader::with_charset(&b"\0C\xDC\0\0D\xFF\xFD"[..], Charset::UTF_16BE);
    /// assert_eq!(reader.fill_buf()?, "C\u{FFFD}D\u{FFFD}".as_bytes());
    /// assert_eq!(reader.bad_in_buffer().collect::<Vec<_>>(), [1]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bad_in_buffer(&self) -> impl Iterator<Item = usize> + '_ {
        self.transcoder.bad_in_output()
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. It stands behind whatever has been buffered.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> DecodingReader<R> {
    /// The charset of the stream. Before the first read this reads as much as it takes to know.
    ///
    /// # Errors
    ///
    /// If reading fails, or by policy, if the charset is unknown.
    pub fn charset(&mut self) -> io::Result<Charset> {
        self.choose().map(|chosen| chosen.charset)
    }

    /// How the charset is known; reads as [`charset`](Self::charset) does.
    ///
    /// # Errors
    ///
    /// As [`charset`](Self::charset).
    pub fn source(&mut self) -> io::Result<CharsetSource> {
        self.choose().map(|chosen| chosen.source)
    }

    /// Reads until the charset is known.
    fn choose(&mut self) -> io::Result<TreeCharset> {
        loop {
            match self.transcoder.choose()? {
                Next::Ready(charset) => return Ok(charset),
                Next::Input => self.read_more()?,
            }
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let read = loop {
            match self.inner.read(self.transcoder.space()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.transcoder.read(read);
        Ok(())
    }
}

impl<R: Read> BufRead for DecodingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.transcoder.advance()? == Next::Input {
            self.read_more()?;
        }
        Ok(self.transcoder.output())
    }

    fn consume(&mut self, amount: usize) {
        self.transcoder.consume(amount);
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(feature = "codec")]
impl<R: AsyncRead + Unpin> DecodingReader<R> {
    /// The charset of the stream, and how it is known. Before the first read this reads as much as it takes to
    /// know; a future that is dropped loses nothing.
    ///
    /// # Errors
    ///
    /// If reading fails, or by policy, if the charset is unknown.
    pub async fn find_charset(&mut self) -> io::Result<TreeCharset> {
        std::future::poll_fn(|context| {
            loop {
                match self.transcoder.choose()? {
                    Next::Ready(charset) => return Poll::Ready(Ok(charset)),
                    Next::Input => ready!(self.poll_more(context))?,
                }
            }
        })
        .await
    }

    /// Reads more input. Nothing changes while it is pending.
    fn poll_more(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut buffer = ReadBuf::new(self.transcoder.space());
        let read = ready!(Pin::new(&mut self.inner).poll_read(context, &mut buffer));
        let len = buffer.filled().len();
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Poll::Ready(Ok(())),
            read => read?,
        }
        self.transcoder.read(len);
        Poll::Ready(Ok(()))
    }
}

/// Cancel-safe: see [`DecodingReader`].
#[cfg(feature = "codec")]
impl<R: AsyncRead + Unpin> AsyncBufRead for DecodingReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let reader = self.get_mut();
        while reader.transcoder.advance()? == Next::Input {
            ready!(reader.poll_more(context))?;
        }
        Poll::Ready(Ok(reader.transcoder.output()))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.get_mut().transcoder.consume(amount);
    }
}

/// Cancel-safe: see [`DecodingReader`].
#[cfg(feature = "codec")]
impl<R: AsyncRead + Unpin> AsyncRead for DecodingReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let output = ready!(self.as_mut().poll_fill_buf(context))?;
        let len = output.len().min(buffer.remaining());
        buffer.put_slice(&output[..len]);
        self.consume(len);
        Poll::Ready(Ok(()))
    }
}

impl<R: fmt::Debug> fmt::Debug for DecodingReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodingReader")
            .field("inner", &self.inner)
            .field("charset", &self.transcoder.chosen())
            .field("bad", self.transcoder.bad())
            .finish_non_exhaustive()
    }
}
