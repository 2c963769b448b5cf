//! Texts in charsets: the options that say how to decode them, and files opened for it.
//!
//! A parser finds brackets where they are those of ASCII. So a file in UTF-16, UTF-32, HZ or
//! ISO-2022-\* is transcoded as a whole. All others are parsed as they stand, and their values
//! decoded one by one: offsets stay those of the file, and its games may be in several charsets.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::{Charset, Decoding, DecodingReader};

use crate::failure::note;
use crate::input::Name;
use crate::tables::counted;
use crate::terminal;

/// What to believe about charsets.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Charsets {
    /// Decode everything in this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    charset: Option<Charset>,

    /// Decode games without CA in this charset. Default: the most likely one, by their texts.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    default_charset: Option<Charset>,
}

/// The charset of a name on the command line.
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

    /// The charset that the user insists on.
    pub(crate) fn forced(self) -> Option<Charset> {
        self.charset
    }
}

/// Whether its characters matter to a parser: their second bytes look like brackets.
pub(crate) fn has_two_bytes(charset: Charset) -> bool {
    [Charset::SHIFT_JIS, Charset::BIG5, Charset::GBK, Charset::GB18030].contains(&charset)
}

/// The note on a file whose values are told apart by a charset that was detected.
pub(crate) fn said_of(detected: Option<Charset>) -> Option<String> {
    let charset = detected.filter(|&charset| has_two_bytes(charset))?;
    Some(format!("its first game has no CA, and is read as {charset}, the most likely charset"))
}

/// Files of which [`tell_of`] had something to say.
static GUESSED: AtomicU64 = AtomicU64::new(0);

/// Prints that note on standard error. On a terminal only the first one is printed, and the others are counted.
pub(crate) fn tell_of(name: &Name, detected: Option<Charset>) {
    let Some(said) = said_of(detected) else { return };
    if GUESSED.fetch_add(1, Ordering::Relaxed) == 0 || !terminal::get().shows_messages() {
        note(format_args!("{name}: {said}"));
    }
}

/// Prints how many files more there were. Called at the end.
pub(crate) fn tell_rest() {
    let more = GUESSED.load(Ordering::Relaxed).saturating_sub(1);
    if more > 0 && terminal::get().shows_messages() {
        let files = counted(more, "more file");
        note(format_args!("no CA in the first game of {files} either; their charsets are the most likely ones"));
    }
}

/// A file of which as much has been read as it takes to know how to read it.
pub(crate) enum Opened<R> {
    /// To be parsed as it stands; the charset is that of its byte-order mark.
    Bytes(Whole<R>, Option<Charset>),
    /// Transcoded to UTF-8.
    Text(Box<DecodingReader<Whole<R>>>),
}

/// A file from its start again.
pub(crate) type Whole<R> = Chain<Cursor<Vec<u8>>, Rest<R>>;

/// Finds out how to read a file.
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

/// Remembers what was read. An error is the end for now: what stands in front of it is to be read too.
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

/// What is behind that, from the error on if there was one.
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
