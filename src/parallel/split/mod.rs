//! Cuts one huge file into parts, and finds the games of any byte range.
//!
//! Lenient mode cuts the data before every [head](crate::syntax::tokenizer::head), regardless of the bytes before it.
//! The next cut is therefore the next head, and the games of a byte range are those whose heads are in it; nothing
//! before the range must be read. Only if no head occurs for long, games are skipped in [sequence](sequence) from the
//! last one.
//!
//! | file | content |
//! |---|---|
//! | `mod` | cuts |
//! | `range` | the games of a byte range |
//! | `heads` | the search for heads |
//! | `sequence` | the tokenizer, skipping from game to game |
//! | `source` | bytes at offsets |

mod heads;
mod range;
mod sequence;
mod source;

use std::io;
use std::ops::Range;
use std::sync::OnceLock;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

use self::heads::Heads;
pub use self::range::{ByteRange, RangeReader};
use self::sequence::Sequence;
pub use self::source::ReadAt;
use crate::raw::BOM;
use crate::syntax::lines::LineCounter;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::{Config, GoesOn, Seam, Tokenizer};

/// A splitter of a file into independent parts. Created by [`Parser::split`](crate::Parser::split).
///
/// It finds the offsets where the file can be cut. Each part can be read independently, for example on another thread
/// or machine.
///
/// ```
/// use std::fs::File;
/// use std::io::{BufReader, Read, Seek, SeekFrom};
/// use std::ops::Range;
/// use std::thread;
/// use sgf_stream::Parser;
///
/// # let path = std::env::temp_dir().join(format!("sgf-split-{}.sgf", std::process::id()));
/// # std::fs::write(&path, b"(;FF[4];B[qd](;W[dd])(;W[dp]C[a \")\" in a text]))\n".repeat(1000))?;
/// let parser = Parser::new();
/// let parts = parser.split(&File::open(&path)?).parts(4)?;
///
/// // Each thread reads one of them.
/// let count = |part: &Range<u64>| {
///     let mut file = File::open(&path)?;
///     file.seek(SeekFrom::Start(part.start))?;
///     let mut reader = parser.reader(BufReader::new(file.take(part.end - part.start)));
///     let mut games = 0;
///     while reader.skip_game()? {
///         games += 1;
///     }
///     Ok::<u32, sgf_stream::Error>(games)
/// };
/// let games: Vec<u32> = thread::scope(|scope| {
///     let threads: Vec<_> = parts.iter().map(|part| scope.spawn(|| count(part))).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Result<_, _>>()
/// })?;
/// assert_eq!(games, [250, 250, 250, 250]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), sgf_stream::Error>(())
/// ```
///
/// # Parts
///
/// A part starts at a game start, which is recognized from its own bytes. If none
/// occurs within 1 MiB after the requested offset, the part starts at the end of the first game after it. The first
/// part starts at 0, and the last one ends at the end of the file. Parts thus follow one another without gaps, and
/// each contains a game. A file without games is one part.
///
/// Each part, parsed alone, yields the events of its games in the file; their offsets count from the start of the
/// part. Other state of a reader starts anew: line numbers, and the byte-order mark, which makes texts UTF-8
/// regardless of `CA`. A game without `)` at the end of a part looks truncated if the part is read as a separate
/// stream. [`range`](Self::range) handles all of this.
///
/// Parts follow the rules of lenient mode, regardless of the parser's mode. A strict parser finds the same games in a
/// file without syntax errors.
///
/// # Cost
///
/// A few KiB are read per cut, if games have recognizable starts. Otherwise all games are skipped in sequence.
#[derive(Debug)]
pub struct Split<'s, S: ?Sized> {
    config: Config,
    source: &'s S,
    /// The start of the source, read once.
    start: OnceLock<Start>,
    #[cfg(test)]
    work: AtomicU64,
}

/// Facts about the source that all ranges need.
#[derive(Clone, Copy, Debug)]
struct Start {
    len: u64,
    has_bom: bool,
    is_utf16: bool,
    /// The charset of games, including a detected one if detection is on.
    given: Given,
}

impl Start {
    /// Returns the state of a reader at a head, or at the start of the source.
    fn seam(&self, at: u64) -> Seam {
        let seam = match at {
            0 => Seam::start(),
            at => Seam::after_games(at, LineCounter::default(), self.has_bom),
        };
        seam.with_given(self.given)
    }
}

/// Number of bytes that are first read at the start. Detecting the charset may need more.
const FIRST_READ: u64 = 4 * 1024;

/// Maximum distance in bytes from a requested cut to the next head.
const MAX_DISTANCE: u64 = 1 << 20;

impl<'s, S: ReadAt + ?Sized> Split<'s, S> {
    pub(crate) fn with(config: Config, source: &'s S) -> Self {
        Split {
            config,
            source,
            start: OnceLock::new(),
            #[cfg(test)]
            work: AtomicU64::new(0),
        }
    }

    /// Returns at most `n` parts of about equal length; 0 means 1.
    ///
    /// The result has fewer parts if a game is longer than a part, or if the file has fewer games.
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn parts(&self, n: usize) -> io::Result<Vec<Range<u64>>> {
        let start = self.start()?;
        let (n, whole) = (n.max(1) as u128, u128::from(start.len.max(1)));
        self.cut(start, |start| {
            let i = ((u128::from(start) + 1) * n).div_ceil(whole);
            (i < n).then(|| (whole * i / n) as u64)
        })
    }

    /// Returns parts of at least `bytes` bytes, but little more; 0 means 1.
    ///
    /// The last one may be shorter.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let collection = b"mail: (;FF[4]) (;FF[4];B[dd]) (;FF[4]) ";
    /// assert_eq!(Parser::new().split(collection).every(0)?, [0..15, 15..30, 30..39]);
    /// assert_eq!(Parser::new().split(collection).every(16)?, [0..30, 30..39]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn every(&self, bytes: u64) -> io::Result<Vec<Range<u64>>> {
        self.cut(self.start()?, |start| start.checked_add(bytes.max(1)))
    }

    /// Returns the first possible cut at or after an offset.
    ///
    /// This is a game start or, if none occurs within 1 MiB, the end of the first game after the offset. `None` if
    /// neither exists.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let collection = b"(;FF[4]C[:-)]) (;FF[4];B[dd]) (;B[dd]) ";
    /// let split = Parser::new();
    /// let split = split.split(collection);
    /// assert_eq!(split.boundary_at_or_after(3)?, Some(15));
    /// assert_eq!(split.boundary_at_or_after(16)?, Some(29));
    /// assert_eq!(split.boundary_at_or_after(30)?, Some(38));
    /// assert_eq!(split.boundary_at_or_after(39)?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn boundary_at_or_after(&self, offset: u64) -> io::Result<Option<u64>> {
        Search::new(self, self.start()?).boundary(offset)
    }

    /// Reads the start once, since engines request many ranges, and each request to a store is slow.
    fn start(&self) -> io::Result<Start> {
        if let Some(start) = self.start.get() {
            return Ok(*start);
        }
        let len = self.source.size()?;
        let (mut tokenizer, mut buffer, mut end) =
            (Tokenizer::new(self.config.clone()), Vec::new(), len.min(FIRST_READ));
        loop {
            let bytes = source::bytes(self.source, 0, end, &mut buffer)?;
            if tokenizer.detect(bytes, end == len) {
                let has_bom = bytes.starts_with(BOM);
                let is_utf16 = bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE");
                let start = Start { len, has_bom, is_utf16, given: tokenizer.given() };
                return Ok(*self.start.get_or_init(|| start));
            }
            end = len.min(end * 4);
        }
    }

    /// Returns the charset of games, as far as the tokenizer needs it.
    pub(super) fn given(&self) -> io::Result<Given> {
        Ok(self.start()?.given)
    }

    /// Cuts at boundaries. `next` maps the start of each part to the offset at or after which it should end.
    fn cut(&self, stream: Start, mut next: impl FnMut(u64) -> Option<u64>) -> io::Result<Vec<Range<u64>>> {
        let (mut parts, mut start) = (Vec::new(), 0);
        let mut search = Search::new(self, stream);
        // The first part must also contain a game.
        let first_game = self.sequence(&stream, 0).next_start()?.unwrap_or(stream.len);
        while let Some(target) = next(start)
            && let Some(cut) = search.boundary(target.max(first_game.saturating_add(1)))?
            && (search.is_head || self.sequence(&stream, cut).next_start()?.is_some())
        {
            parts.push(start..cut);
            start = cut;
        }
        parts.push(start..stream.len);
        Ok(parts)
    }

    fn sequence(&self, start: &Start, at: u64) -> Sequence<'s, S> {
        let tokenizer = Tokenizer::new(self.config.clone().for_skipping());
        Sequence::new(tokenizer.restart_at_seam(&start.seam(at), GoesOn::No), self.source, start.len)
    }

    fn count(&self, _bytes: u64) {
        #[cfg(test)]
        self.work.fetch_add(_bytes, Ordering::Relaxed);
    }
}

impl<S: ?Sized> Clone for Split<'_, S> {
    fn clone(&self) -> Self {
        Split {
            config: self.config.clone(),
            source: self.source,
            start: self.start.clone(),
            #[cfg(test)]
            work: AtomicU64::new(0),
        }
    }
}

/// A search for consecutive boundaries.
struct Search<'a, 's, S: ?Sized> {
    split: &'a Split<'s, S>,
    start: Start,
    heads: Heads<'s, S>,
    /// The last boundary.
    last: u64,
    is_head: bool,
    /// Skips games from there, if heads are missing.
    sequence: Option<Sequence<'s, S>>,
}

impl<'a, 's, S: ReadAt + ?Sized> Search<'a, 's, S> {
    fn new(split: &'a Split<'s, S>, start: Start) -> Self {
        let heads = Heads::new(split.source, start.len);
        Search { split, start, heads, last: 0, is_head: false, sequence: None }
    }

    /// Returns the first boundary at or after an offset; offsets increase from call to call.
    fn boundary(&mut self, target: u64) -> io::Result<Option<u64>> {
        if target > self.start.len {
            return Ok(None);
        }
        let head = self.heads.first_in(target..target.saturating_add(MAX_DISTANCE))?;
        self.is_head = head.is_some();
        let boundary = match head {
            Some(head) => {
                self.sequence = None;
                Some(head)
            }
            None => self.end_of_game(target)?,
        };
        self.split.count(self.heads.take_work());
        self.last = boundary.unwrap_or(self.start.len);
        Ok(boundary)
    }

    /// Returns the first end of a game at or after an offset.
    fn end_of_game(&mut self, target: u64) -> io::Result<Option<u64>> {
        let from = Heads::new(self.split.source, self.start.len).last_in(self.last..target)?;
        if let Some(head) = from {
            self.sequence = Some(self.split.sequence(&self.start, head));
        }
        let sequence = self.sequence.get_or_insert_with(|| self.split.sequence(&self.start, self.last));
        let mut end = sequence.next_end()?;
        while end.is_some_and(|end| end < target) {
            end = sequence.next_end()?;
        }
        Ok(end)
    }
}

#[cfg(test)]
mod tests {
    use crate::read::parser::Parser;

    /// Checks that each cut examines only a few KiB, if games have heads.
    #[test]
    fn cuts_cost_little() {
        let archive = b"(;FF[4]GM[1]SZ[19];B[aa](;W[bb])(;W[cc]))\n".repeat(200_000);
        let parser = Parser::new();
        let split = parser.split(&archive);
        assert_eq!(split.parts(100).unwrap().len(), 100);
        let work = split.work.load(super::Ordering::Relaxed);
        assert!(work <= 100 * 16 * 1024, "{work}");
    }
}
