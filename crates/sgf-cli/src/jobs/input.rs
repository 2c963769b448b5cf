//! Inputs, opened: transcoded if they have to be, and with the parser for their games.
//!
//! A parser needs ASCII brackets, so a file in UTF-16, UTF-32, HZ or ISO-2022-\* is transcoded as a whole, unless it only
//! says so and is ASCII. All others are parsed unchanged, and their values decoded one by one: offsets stay those of the
//! file, and its games may be in several charsets.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sgf_check::StreamStart;
use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding, DecodingReader, OpenedReader, TreeDecoder};

use crate::input::{self, Name};

/// The reader that games are cut from.
pub(crate) type Bytes<'d> = Box<dyn Read + 'd>;

/// How a command reads its inputs.
pub(crate) struct Reading {
    /// The parser, with mode and limits. It has no listener and no charsets.
    pub(crate) parser: Parser,
    pub(crate) decoding: Decoding,
    pub(crate) transcoding: Transcoding,
    /// Approximate length of the parts of a large input in bytes, and of a task: less where results take more memory
    /// than the part.
    pub(crate) part_len: usize,
    /// Maximum length of a game in a part: parts are kept in memory, several for each thread.
    pub(crate) max_game_len: usize,
    /// Whether [`Input::stream_start`] is known, for a checker.
    pub(crate) notes_start: bool,
    /// Whether [`Input::games_before`] is called.
    pub(crate) counts_games: bool,
}

/// The treatment of files in charsets whose brackets are not ASCII.
#[derive(Clone, Copy)]
pub(crate) enum Transcoding {
    /// They are transcoded to UTF-8. Bad bytes become U+FFFD.
    Replace,
    /// They are transcoded up to the first bad bytes, which are this error.
    Sound(fn() -> io::Error),
    /// They are read as they are, and only decoded to count [bad bytes](Input::bad_runs).
    Unchanged,
    /// They are not read, for this reason.
    Refuse(&'static str),
}

impl Reading {
    /// Reads with the [limits](input::limited) of all tools.
    pub(crate) fn new(parser: Parser, decoding: Decoding) -> Self {
        Reading {
            parser: input::limited(parser),
            decoding,
            transcoding: Transcoding::Replace,
            part_len: 512 << 10,
            max_game_len: 1 << 20,
            notes_start: false,
            counts_games: false,
        }
    }

    /// Opens an input. Returns it with its bytes, which may be transcoded.
    pub(crate) fn open<'d>(
        &self,
        name: &Name,
        place: Option<&Path>,
        data: &'d mut dyn BufRead,
    ) -> io::Result<(Input, Bytes<'d>)> {
        let (name, place) = (name.clone(), place.map(ToOwned::to_owned));
        let counts = Arc::new(Counts::default());
        let data = Counted { inner: data, counts: Arc::clone(&counts) };
        let (mut decoding, mut bom, mut transcoded) = (self.decoding, None, None);
        let bytes: Bytes<'d> = match self.decoding.open(data)? {
            OpenedReader::Bytes(whole, mark) => {
                bom = mark;
                Box::new(whole)
            }
            OpenedReader::Text(text) => {
                let (charset, bytes) = self.transcode(*text, &counts)?;
                transcoded = Some(charset);
                decoding = Decoding::utf8().transcoded_from(charset);
                bytes
            }
        };
        let parser = self.parser.clone().charset(decoding);
        let (detected, start, games) = (OnceLock::new(), Mutex::default(), Mutex::default());
        Ok((Input { name, place, parser, decoding, bom, transcoded, detected, start, games, counts }, bytes))
    }

    /// Returns the charset of a file that has to be transcoded, and its bytes as they are read.
    fn transcode<'d, R: Read + 'd>(
        &self,
        mut text: DecodingReader<R>,
        counts: &Arc<Counts>,
    ) -> io::Result<(Charset, Bytes<'d>)> {
        let counts = Arc::clone(counts);
        let refusal = match self.transcoding {
            Transcoding::Replace => None,
            Transcoding::Sound(error) => Some(error),
            Transcoding::Unchanged => {
                let seen = Rc::default();
                let mut text = self.decoding.reader(Recorder { inner: text.into_inner(), seen: Rc::clone(&seen) });
                return Ok((text.charset()?, Box::new(Unchanged { text, seen, counts })));
            }
            Transcoding::Refuse(why) => return Err(io::Error::new(io::ErrorKind::InvalidData, why)),
        };
        let charset = text.charset()?;
        Ok((charset, Box::new(Transcoded { text, counts, refusal })))
    }
}

/// An input that was opened. All its games share it.
pub(crate) struct Input {
    pub(crate) name: Name,
    /// The path of the file on disk that has this content unchanged, if there is one.
    pub(crate) place: Option<PathBuf>,
    /// The parser, with charsets.
    pub(crate) parser: Parser,
    pub(crate) decoding: Decoding,
    /// The charset of its byte-order mark.
    pub(crate) bom: Option<Charset>,
    /// The charset of a file that has to be transcoded.
    pub(crate) transcoded: Option<Charset>,
    detected: OnceLock<Charset>,
    start: Mutex<StreamStart>,
    /// The number of games before some offsets.
    games: Mutex<BTreeMap<u64, u64>>,
    counts: Arc<Counts>,
}

/// Counts of bytes that are read.
#[derive(Default)]
struct Counts {
    /// Bytes before they are transcoded.
    read: AtomicU64,
    bad_runs: AtomicU64,
}

impl Input {
    /// Returns the charset that was detected, if any. It is known before the first games are read.
    pub(crate) fn detected(&self) -> Option<Charset> {
        self.detected.get().copied()
    }

    pub(super) fn set_detected(&self, detected: Option<Charset>) {
        if let Some(charset) = detected {
            self.detected.get_or_init(|| charset);
        }
    }

    /// Returns the number of games before the ones at an offset, with [`Reading::counts_games`].
    pub(crate) fn games_before(&self, offset: u64) -> u64 {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.range(..=offset).next_back().map_or(0, |(_, games)| *games)
    }

    pub(super) fn set_games_before(&self, offset: u64, games: u64) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).insert(offset, games);
    }

    /// Returns a decoder for its games.
    pub(crate) fn decoder(&self) -> TreeDecoder {
        TreeDecoder::new(self.decoding).with_bom(self.bom)
    }

    /// Returns the start of the stream up to the games that are being read.
    pub(crate) fn stream_start(&self) -> MutexGuard<'_, StreamStart> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of bytes read so far, before they are transcoded.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.counts.read.load(Ordering::Relaxed)
    }

    /// Returns the number of runs of bad bytes so far, in a file that is transcoded.
    pub(crate) fn bad_runs(&self) -> u64 {
        self.counts.bad_runs.load(Ordering::Relaxed)
    }
}

/// A file that counts the bytes read.
struct Counted<R> {
    inner: R,
    counts: Arc<Counts>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.counts.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// A file that is transcoded, and counts bad bytes.
struct Transcoded<R> {
    text: DecodingReader<R>,
    counts: Arc<Counts>,
    /// The error for bad bytes, if they are one.
    refusal: Option<fn() -> io::Error>,
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.text.fill_buf()?.read(buffer)?;
        self.text.consume(len);
        self.counts.bad_runs.store(self.text.bad_runs(), Ordering::Relaxed);
        match self.refusal {
            Some(error) if self.text.bad_runs() > 0 => Err(error()),
            _ => Ok(len),
        }
    }
}

/// A file that is read as it is: its bytes, which are decoded on the way.
struct Unchanged<R> {
    text: DecodingReader<Recorder<R>>,
    seen: Rc<RefCell<VecDeque<u8>>>,
    counts: Arc<Counts>,
}

impl<R: Read> Read for Unchanged<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut is_over = false;
        while !is_over && self.seen.borrow().is_empty() {
            let len = self.text.fill_buf()?.len();
            is_over = len == 0;
            self.text.consume(len);
            self.counts.bad_runs.store(self.text.bad_runs(), Ordering::Relaxed);
        }
        self.seen.borrow_mut().read(out)
    }
}

/// A reader that records what is read.
struct Recorder<R> {
    inner: R,
    seen: Rc<RefCell<VecDeque<u8>>>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.seen.borrow_mut().extend(&out[..len]);
        Ok(len)
    }
}
