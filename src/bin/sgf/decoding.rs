//! Charsets: the options for decoding texts, and files opened accordingly.
//!
//! A parser needs ASCII brackets, so a file in UTF-16, UTF-32, HZ or ISO-2022-\* is transcoded as a whole. All
//! others are parsed unchanged, and their values decoded one by one: offsets stay those of the file, and its games
//! may be in several charsets.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::{Charset, Decoding, DecodingReader};

use crate::failure::note;
use crate::input::Name;
use crate::tables::counted;
use crate::terminal;

/// The charset options.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Charsets {
    /// Decode everything in this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    charset: Option<Charset>,

    /// Decode games without CA in this charset. Default: the most likely one, by their texts.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    default_charset: Option<Charset>,
}

/// Parses the name of a charset on the command line.
pub(crate) fn charset(name: &str) -> Result<Charset, String> {
    Charset::for_label(name.as_bytes()).ok_or_else(|| "unknown charset".to_owned())
}

impl Charsets {
    pub(crate) fn decoding(self) -> Decoding {
        let mut decoding = Decoding::new();
        if let Some(charset) = self.charset {
            decoding = decoding.force(charset);
        }
        if let Some(charset) = self.default_charset {
            decoding = decoding.default_charset(charset);
        }
        decoding
    }

    /// Returns the charset of `--charset`.
    pub(crate) fn forced(self) -> Option<Charset> {
        self.charset
    }
}

/// Returns whether a charset has two-byte characters whose second byte may look like a bracket.
pub(crate) fn has_two_bytes(charset: Charset) -> bool {
    [Charset::SHIFT_JIS, Charset::BIG5, Charset::GBK, Charset::GB18030].contains(&charset)
}

/// Returns a note if the file was parsed with a detected two-byte charset.
pub(crate) fn detection_note(detected: Option<Charset>) -> Option<String> {
    let charset = detected.filter(|&charset| has_two_bytes(charset))?;
    Some(format!("its first game has no CA, and is read as {charset}, the most likely charset"))
}

/// Number of files for which [`note_detected`] had a note.
static GUESSED: AtomicU64 = AtomicU64::new(0);

/// Prints that note on standard error. On a terminal only the first one is printed, and the others are counted.
pub(crate) fn note_detected(name: &Name, detected: Option<Charset>) {
    let Some(said) = detection_note(detected) else { return };
    if GUESSED.fetch_add(1, Ordering::Relaxed) == 0 || !terminal::get().shows_messages() {
        note(format_args!("{name}: {said}"));
    }
}

/// Prints the number of further notes. Called at the end.
pub(crate) fn note_more_detected() {
    let more = GUESSED.load(Ordering::Relaxed).saturating_sub(1);
    if more > 0 && terminal::get().shows_messages() {
        let files = counted(more, "more file");
        note(format_args!("no CA in the first game of {files} either; the most likely charset is used"));
    }
}

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
