//! Games that are read several times: for what is looked for, and then for what is printed of those that have it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use sgf_stream::{Error, EventSink, PushParser, Reader};

use crate::jobs::Games;

/// Games whose bytes can be read several times.
pub(crate) struct Kept<'g> {
    /// The offset of their first byte in the input.
    start: u64,
    bytes: KeptBytes<'g>,
}

enum KeptBytes<'g> {
    Part(&'g [u8]),
    /// Those of a long game, in a file.
    Spool(File),
}

impl<'g> Kept<'g> {
    /// Keeps the bytes of games: those of a long game in a temporary file.
    pub(crate) fn new(games: Games<'g, '_>) -> io::Result<Self> {
        let start = games.position().offset;
        let bytes = match games {
            Games::Part(part) => KeptBytes::Part(part.bytes()),
            Games::Long(mut game) => {
                let mut spool = tempfile::tempfile()?;
                io::copy(&mut game, &mut spool)?;
                KeptBytes::Spool(spool)
            }
        };
        Ok(Kept { start, bytes })
    }

    /// Returns a reader of the bytes from their start.
    pub(crate) fn reader(&self, parser: PushParser) -> io::Result<Reader<Box<dyn BufRead + '_>>> {
        Ok(parser.into_reader(self.bytes()?))
    }

    /// Passes the events of the bytes to a sink.
    pub(crate) fn feed(&self, mut parser: PushParser, sink: &mut impl EventSink) -> Result<(), Error> {
        let mut bytes = self.bytes()?;
        loop {
            let chunk = bytes.fill_buf()?;
            let len = chunk.len();
            parser.chunk_into(chunk, sink)?;
            if len == 0 {
                return Ok(());
            }
            bytes.consume(len);
        }
    }

    fn bytes(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(match &self.bytes {
            KeptBytes::Part(bytes) => Box::new(*bytes),
            KeptBytes::Spool(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        })
    }
}

impl Kept<'_> {
    /// Returns a range of the bytes.
    pub(crate) fn content(&self, offset: u64, length: u64) -> io::Result<Content> {
        let from = offset.saturating_sub(self.start);
        let to = from.saturating_add(length);
        Ok(match &self.bytes {
            KeptBytes::Part(bytes) => {
                let to = bytes.len().min(to as usize);
                Content::Bytes(bytes.get(from as usize..to).unwrap_or_default().to_vec())
            }
            KeptBytes::Spool(file) => Content::Spooled(file.try_clone()?, from..to.min(file.metadata()?.len())),
        })
    }
}

/// The bytes of a game.
pub(crate) enum Content {
    Bytes(Vec<u8>),
    Spooled(File, Range<u64>),
}

impl Content {
    /// Writes them, with a line break.
    pub(crate) fn write(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Content::Bytes(bytes) => out.write_all(&bytes)?,
            Content::Spooled(mut file, range) => {
                file.seek(SeekFrom::Start(range.start))?;
                io::copy(&mut file.take(range.end - range.start), out)?;
            }
        }
        out.write_all(b"\n")
    }
}
