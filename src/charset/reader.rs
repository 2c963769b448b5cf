//! Transcoding of whole streams.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;

use super::decoder::Decoder;
use super::detect::ENOUGH;
use super::sniff::Sniffer;
use super::{BadBytes, Charset, CharsetError, Decoding, Source, TreeCharset};

/// Transcodes a stream to UTF-8, so that anything that reads SGF can read files in UTF-16,
/// UTF-32, HZ or ISO-2022-\*, and any other file as if it were in UTF-8.
///
/// The whole stream is taken for one text in one charset (SGFC calls this mode E1), which is told
/// by the byte-order mark; else by the first `CA` that stands in the first 64 KiB; else by these
/// bytes themselves, where UTF-16 and UTF-32 show by their NULs: see [`Decoding`] for the order,
/// and [`Decoding::reader`] for other policies. A stream that names Shift_JIS, Big5, GBK or
/// GB18030 while its first 64 KiB are UTF-8 is in UTF-8.
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
/// stands is lent from the input without another copy. Where there is neither a byte-order mark
/// nor `CA`, nothing comes out before 64 KiB have come in, or the end.
///
/// I/O errors pass through (`Interrupted` is tried again), and reading may go on after them. By
/// policy, bad bytes and unknown charsets are errors of kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that hold a [`CharsetError`]; these stay.
///
/// [`RawValue::text`]: crate::RawValue::text
pub struct DecodingReader<R> {
    inner: R,
    decoding: Decoding,
    sniffer: Sniffer,
    chosen: Option<(TreeCharset, Decoder)>,
    /// Input. What lies in `at..end` is not decoded, and what lies in `at..plain` need not be.
    raw: Box<[u8]>,
    at: usize,
    plain: usize,
    end: usize,
    at_end: bool,
    /// Output, of which so many bytes are read.
    text: String,
    text_at: usize,
    /// The length of the byte-order mark.
    bom: u64,
    bad: Bad,
    /// Where in `text` each run of bad bytes begins, as U+FFFD.
    bad_in_text: Vec<usize>,
    state: State,
}

/// Bad bytes so far.
#[derive(Clone, Debug, Default)]
struct Bad {
    runs: u64,
    first: Option<Range<u64>>,
    /// Where the last run ended.
    end: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// Everything is decoded.
    Over,
    /// Nothing more comes out.
    Failed(CharsetError),
}

impl<R: Read> DecodingReader<R> {
    /// A reader that finds out the charset: [`Decoding::new`].
    pub fn new(inner: R) -> Self {
        Self::with(Decoding::new(), inner)
    }

    /// A reader of this charset, unless there is a byte-order mark of another. (Who knows better
    /// than the mark says [`Decoding::force`].)
    pub fn with_charset(inner: R, charset: Charset) -> Self {
        let decoding = Decoding::new();
        DecodingReader { sniffer: Sniffer::new(decoding, Some(charset)), ..Self::with(decoding, inner) }
    }

    pub(super) fn with(decoding: Decoding, inner: R) -> Self {
        DecodingReader {
            inner,
            decoding,
            sniffer: Sniffer::new(decoding, None),
            chosen: None,
            raw: vec![0; ENOUGH].into(),
            at: 0,
            plain: 0,
            end: 0,
            at_end: false,
            text: String::new(),
            text_at: 0,
            bom: 0,
            bad: Bad::default(),
            bad_in_text: Vec::new(),
            state: State::Reading,
        }
    }

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
    pub fn source(&mut self) -> io::Result<Source> {
        self.choose().map(|chosen| chosen.source)
    }

    /// How many runs of bad bytes were met so far. What is buffered counts.
    pub fn bad_runs(&self) -> u64 {
        self.bad.runs
    }

    /// The place of the first bad bytes in the stream that was read, in bytes from its start.
    pub fn first_bad(&self) -> Option<Range<u64>> {
        self.bad.first.clone()
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
        self.bad_in_text.iter().filter_map(|at| at.checked_sub(self.text_at))
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. It stands behind whatever has been buffered.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Reads until the charset is known.
    fn choose(&mut self) -> io::Result<TreeCharset> {
        loop {
            if let State::Failed(error) = &self.state {
                return Err(error.clone().into());
            }
            if let Some((charset, _)) = &self.chosen {
                return Ok(*charset);
            }
            let full = self.at_end || self.end == self.raw.len();
            match self.sniffer.sniff(&self.raw[..self.end], full, self.at_end) {
                Ok(Some((charset, bom))) => {
                    self.chosen = Some((charset, Decoder::new(charset.charset)));
                    (self.at, self.plain, self.bom) = (bom, bom, bom as u64);
                }
                Ok(None) => self.read_more()?,
                Err(error) => self.state = State::Failed(error),
            }
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let read = loop {
            match self.inner.read(&mut self.raw[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.end += read;
        self.at_end = read == 0;
        Ok(())
    }

    fn has_output(&self) -> bool {
        self.text_at < self.text.len() || self.at < self.plain
    }

    /// Makes output, where there is none: reads if there is no input, passes what need not be
    /// decoded, or else decodes.
    fn advance(&mut self) -> io::Result<()> {
        self.choose()?;
        let Some((charset, decoder)) = &mut self.chosen else { return Ok(()) };
        if self.at == self.end && !self.at_end {
            (self.at, self.plain, self.end) = (0, 0, 0);
            return self.read_more();
        }
        let input = &self.raw[self.at..self.end];
        let plain = decoder.plain_up_to(input);
        if plain > 0 {
            decoder.pass(plain);
            self.plain = self.at + plain;
            return Ok(());
        }
        // In UTF-8 it is one character, across two readings or bad; behind it, it is plain again.
        let is_utf8 = charset.charset == Charset::UTF_8;
        let piece = &input[..if is_utf8 { input.len().min(8) } else { input.len() }];
        let last = self.at_end && piece.len() == input.len();
        self.text.clear();
        self.text_at = 0;
        self.bad_in_text.clear();
        let (bad, bad_in_text, bom) = (&mut self.bad, &mut self.bad_in_text, self.bom);
        let mut first = None;
        decoder.feed(piece, last, &mut self.text, |range, text_len| {
            let range = range.start + bom..range.end + bom;
            first.get_or_insert((range.start, text_len));
            if bad.push(range) {
                bad_in_text.push(text_len);
            }
        });
        self.at += piece.len();
        self.plain = self.at;
        if last {
            self.state = State::Over;
        }
        if let Some((offset, text_len)) = first.filter(|_| self.decoding.bad_bytes == BadBytes::Error) {
            self.text.truncate(text_len);
            self.bad_in_text.clear();
            self.state = State::Failed(CharsetError::BadBytes { charset: charset.charset, offset });
        }
        Ok(())
    }
}

impl Bad {
    /// Answers whether it is a new run.
    fn push(&mut self, range: Range<u64>) -> bool {
        let is_new = self.runs == 0 || self.end != range.start;
        self.runs += u64::from(is_new);
        let first = self.first.get_or_insert(range.clone());
        if self.runs == 1 {
            first.end = range.end;
        }
        self.end = range.end;
        is_new
    }
}

impl<R: Read> BufRead for DecodingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while !self.has_output() && self.state != State::Over {
            self.advance()?;
        }
        let text = &self.text.as_bytes()[self.text_at..];
        Ok(if text.is_empty() { &self.raw[self.at..self.plain] } else { text })
    }

    fn consume(&mut self, amount: usize) {
        if self.text_at < self.text.len() {
            self.text_at = self.text.len().min(self.text_at + amount);
        } else {
            self.at = self.plain.min(self.at + amount);
        }
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: fmt::Debug> fmt::Debug for DecodingReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodingReader")
            .field("inner", &self.inner)
            .field("charset", &self.chosen.as_ref().map(|chosen| chosen.0))
            .field("bad", &self.bad)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
