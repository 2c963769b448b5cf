//! Texts in charsets: the options that say how to decode them, and files opened for it.
//!
//! A parser finds brackets where they are those of ASCII. So a file in UTF-16, UTF-32, HZ or
//! ISO-2022-\* is transcoded as a whole. All others are parsed as they stand, and their values
//! decoded one by one: offsets stay those of the file, and its games may be in several charsets.

use std::io::{self, Chain, Cursor, Read};

use sgf_stream::charset::{Charset, Decoding, DecodingReader};

/// What to believe about charsets.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Charsets {
    /// Decode everything by this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    charset: Option<Charset>,

    /// Decode games without CA by this charset, instead of by the most likely one.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    default_charset: Option<Charset>,
}

/// The charset of a name on the command line.
pub(crate) fn charset(name: &str) -> Result<Charset, String> {
    Charset::for_label(name.as_bytes()).ok_or_else(|| "no charset has this name".to_owned())
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

/// A file of which as much has been read as it takes to know how to read it.
pub(crate) enum Opened<R> {
    /// To be parsed as it stands; the charset is that of its byte-order mark.
    Bytes(Whole<R>, Option<Charset>),
    /// Transcoded to UTF-8.
    Text(Box<DecodingReader<Whole<R>>>),
}

/// A file from its start again.
pub(crate) type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

/// Finds out how to read a file.
pub(crate) fn open<R: Read>(file: R, decoding: Decoding) -> io::Result<Opened<R>> {
    let mut sniffer = decoding.reader(Recorder { inner: file, read: Vec::new() });
    let charset = sniffer.charset()?;
    let Recorder { inner, read } = sniffer.into_inner();
    let bom = Charset::from_bom(&read).map(|(charset, _)| charset);
    let whole = Cursor::new(read).chain(inner);
    Ok(match charset.is_ascii_compatible() {
        true => Opened::Bytes(whole, bom),
        false => Opened::Text(Box::new(decoding.reader(whole))),
    })
}

/// Remembers what was read.
struct Recorder<R> {
    inner: R,
    read: Vec<u8>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.read.extend_from_slice(&buffer[..len]);
        Ok(len)
    }
}
