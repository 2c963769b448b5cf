//! A reader that transcodes a whole stream.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
#[cfg(feature = "codec")]
use std::pin::Pin;
#[cfg(feature = "codec")]
use std::task::{Context, Poll, ready};

#[cfg(feature = "codec")]
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

use super::transcoder::{Step, Transcoder};
use super::{Charset, CharsetSource, Decoding, TreeCharset};

/// A reader that transcodes a stream in any charset to UTF-8.
///
/// With it, any SGF reader can read any charset. It is needed for UTF-16, UTF-32, HZ and ISO-2022-\*, and also
/// accepts files in any other charset.
///
/// The whole stream is taken as one text in one charset (mode E1 of SGFC). The charset is found from the byte-order
/// mark, or else from the first `CA` within the first 64 KiB, or else with detection on these 64 KiB, where the NULs
/// reveal UTF-16 and UTF-32. See [`Decoding`] for the order, and [`Decoding::reader`] for other policies. A stream
/// that names another charset although its first 64 KiB are UTF-8 is read as UTF-8; one that names ISO-2022-\* or HZ,
/// has none of their shifts, and has high bytes is read in the detected charset.
///
/// The output has no byte-order mark, and its offsets are those of the UTF-8 text. `CA` still
/// names the original charset, so read values as UTF-8 ([`RawValue::text`], or [`Decoding::utf8`]).
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
/// Memory is bounded: 64 KiB of input, and its decoded text. Bytes that are already ASCII or UTF-8 are not copied.
/// Output starts once the charset is known: without a byte-order mark or `CA`, or while the bytes so far do not
/// confirm `CA`, this takes 64 KiB or the end of the stream.
///
/// Over an `AsyncRead` (feature `codec`) it implements `AsyncRead` and `AsyncBufRead` with the same state machine.
/// All state is in the reader: dropping a pending future loses nothing, and the next call continues.
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
/// I/O errors are passed on (`Interrupted` is retried), and reading may continue after them. Depending on the policy,
/// invalid bytes and unknown charsets are errors of kind [`InvalidData`](io::ErrorKind::InvalidData) with a
/// [`CharsetError`](super::CharsetError) inside; every later read returns the error again.
///
/// [`RawValue::text`]: crate::RawValue::text
pub struct DecodingReader<R> {
    inner: R,
    transcoder: Transcoder,
}

impl<R> DecodingReader<R> {
    /// Creates a reader with the default policy, [`Decoding::new`].
    pub fn new(inner: R) -> Self {
        Self::with(Decoding::new(), inner)
    }

    /// Creates a reader for this charset, unless a byte-order mark indicates another.
    ///
    /// To override the mark, use [`Decoding::force`].
    pub fn with_charset(inner: R, charset: Charset) -> Self {
        DecodingReader { inner, transcoder: Transcoder::new(Decoding::new(), Some(charset)) }
    }

    pub(super) fn with(decoding: Decoding, inner: R) -> Self {
        DecodingReader { inner, transcoder: Transcoder::new(decoding, None) }
    }

    /// Returns the number of runs of invalid bytes so far, including buffered ones.
    pub fn bad_runs(&self) -> u64 {
        self.transcoder.bad().runs
    }

    /// Returns the byte range of the first run of invalid bytes in the input stream.
    pub fn first_bad(&self) -> Option<Range<u64>> {
        self.transcoder.bad().first.clone()
    }

    /// Returns the starts of runs of invalid bytes in the last buffer of [`fill_buf`](BufRead::fill_buf).
    ///
    /// Each index is that of the run's first U+FFFD. A U+FFFD of the stream itself does not count.
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
    #[doc(hidden)]
    pub fn bad_in_buffer(&self) -> impl Iterator<Item = usize> + '_ {
        self.transcoder.bad_in_output()
    }

    /// Returns a reference to the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader, which is positioned after the buffered bytes.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> DecodingReader<R> {
    /// Returns the charset of the stream. If it is not known yet, reads enough to find it.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if the charset is unknown and the policy rejects that.
    pub fn charset(&mut self) -> io::Result<Charset> {
        self.choose().map(|chosen| chosen.charset)
    }

    /// Returns how the charset was found. It reads like [`charset`](Self::charset).
    ///
    /// # Errors
    ///
    /// Fails if [`charset`](Self::charset) fails.
    pub fn source(&mut self) -> io::Result<CharsetSource> {
        self.choose().map(|chosen| chosen.source)
    }

    /// Reads until the charset is known.
    fn choose(&mut self) -> io::Result<TreeCharset> {
        loop {
            match self.transcoder.choose()? {
                Step::Ready(charset) => return Ok(charset),
                Step::Input => self.read_more()?,
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
        while self.transcoder.advance()? == Step::Input {
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
    /// Returns the charset of the stream and its source.
    ///
    /// If it is not known yet, reads enough to find it. Dropping the future loses nothing.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if the charset is unknown and the policy rejects that.
    pub async fn find_charset(&mut self) -> io::Result<TreeCharset> {
        std::future::poll_fn(|context| {
            loop {
                match self.transcoder.choose()? {
                    Step::Ready(charset) => return Poll::Ready(Ok(charset)),
                    Step::Input => ready!(self.poll_more(context))?,
                }
            }
        })
        .await
    }

    /// Reads more input. Changes nothing while pending.
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

/// Reads asynchronously; cancel-safe, see [`DecodingReader`].
#[cfg(feature = "codec")]
impl<R: AsyncRead + Unpin> AsyncBufRead for DecodingReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let reader = self.get_mut();
        while reader.transcoder.advance()? == Step::Input {
            ready!(reader.poll_more(context))?;
        }
        Poll::Ready(Ok(reader.transcoder.output()))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.get_mut().transcoder.consume(amount);
    }
}

/// Reads asynchronously; cancel-safe, see [`DecodingReader`].
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
