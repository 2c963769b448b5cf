//! Where one huge archive may be cut, and the games of any byte range of it.
//!
//! Lenient reading cuts the data before every [head](crate::syntax::tokenizer::head), whatever stands before it. So a
//! place to cut is found by looking for the next head, and the games of a byte range are those whose heads lie in it;
//! nothing before the range has to be read. Only where no head comes for long, games are skipped in
//! [sequence](sequence) from the last one.
//!
//! | file | holds |
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
use crate::syntax::lines::LineCounter;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::{Config, GoesOn, Seam, Tokenizer};

/// Finds where an archive may be cut, so that each part can be read by itself: on other threads, by other
/// programs, on other machines. Made by [`Parser::split`](crate::Parser::split).
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
/// A part starts at a [head](crate::guide::repairs#heads): the start of a game, recognised by its own bytes. Where no
/// head comes within 1 MiB of the wanted place, the part starts at the end of the first game from there. The first part
/// starts at 0, and the last one ends at the end. So parts follow one another without gaps, and each holds a game,
/// unless the whole archive holds none: then it is one part.
///
/// Each part, parsed alone, gives the events of its games in the whole; their offsets count from its start.
/// What a reader knows of a stream beside its games starts anew: lines, and whether it began with a byte-order mark,
/// which says that texts are UTF-8 whatever `CA` says. A game without its `)` at the end of a part looks cut
/// off to who reads the part as a stream of its own. [`range`](Self::range) takes care of all that.
///
/// The rules are those of lenient mode, whatever the parser's. A strict one finds the same games in an archive
/// without a fault.
///
/// # Cost
///
/// A few KiB are read for each cut, where games have heads. Where they have none, all games are skipped over
/// in sequence.
#[derive(Debug)]
pub struct Split<'s, S: ?Sized> {
    config: Config,
    source: &'s S,
    /// What has been asked of the source.
    start: OnceLock<Start>,
    #[cfg(test)]
    work: AtomicU64,
}

/// What the source is, as far as all ranges have to know it.
#[derive(Clone, Copy, Debug)]
struct Start {
    len: u64,
    has_bom: bool,
    is_utf16: bool,
    /// The charset of games, with what was detected if that was asked for.
    given: Given,
}

impl Start {
    /// What a reader knows of the stream at the head of a game, or at its start.
    fn seam(&self, at: u64) -> Seam {
        let seam = match at {
            0 => Seam::start(),
            at => Seam::behind_games(at, LineCounter::default(), self.has_bom),
        };
        seam.with_given(self.given)
    }
}

/// How much of the start is read at first, in bytes. To detect the charset may take more.
const START: u64 = 4 * 1024;

/// How far the next head may be from where a cut is wanted, in bytes.
const FAR: u64 = 1 << 20;

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

    /// At most so many parts of about the same length; 0 is taken as 1. There are fewer if a game is
    /// longer than a part, or there are fewer games.
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn parts(&self, n: usize) -> io::Result<Vec<Range<u64>>> {
        let start = self.start()?;
        let (n, whole) = (n.max(1) as u128, u128::from(start.len.max(1)));
        self.cut(start, |start| {
            let i = ((u128::from(start) + 1) * n).div_ceil(whole);
            (i < n).then(|| (whole * i / n) as u64)
        })
    }

    /// Parts of at least so many bytes, and few more than that; 0 is taken as 1. The last one may be shorter.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let archive = b"mail: (;FF[4]) (;FF[4];B[dd]) (;FF[4]) ";
    /// assert_eq!(Parser::new().split(archive).every(0)?, [0..15, 15..30, 30..39]);
    /// assert_eq!(Parser::new().split(archive).every(16)?, [0..30, 30..39]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn every(&self, bytes: u64) -> io::Result<Vec<Range<u64>>> {
        self.cut(self.start()?, |start| start.checked_add(bytes.max(1)))
    }

    /// The first place at or after an offset where the archive may be cut: the head of a game or, where none comes
    /// within 1 MiB, the end of the first game from there. `None` if there is neither.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let archive = b"(;FF[4]C[:-)]) (;FF[4];B[dd]) (;B[dd]) ";
    /// let split = Parser::new();
    /// let split = split.split(archive);
    /// assert_eq!(split.boundary_at_or_after(3)?, Some(15));
    /// assert_eq!(split.boundary_at_or_after(16)?, Some(29));
    /// assert_eq!(split.boundary_at_or_after(30)?, Some(38));
    /// assert_eq!(split.boundary_at_or_after(39)?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn boundary_at_or_after(&self, offset: u64) -> io::Result<Option<u64>> {
        Search::new(self, self.start()?).boundary(offset)
    }

    /// Asked once: engines ask for many ranges, and a store answers each request slowly.
    fn start(&self) -> io::Result<Start> {
        if let Some(start) = self.start.get() {
            return Ok(*start);
        }
        let len = self.source.size()?;
        let (mut tokenizer, mut buffer, mut end) = (Tokenizer::new(self.config.clone()), Vec::new(), len.min(START));
        loop {
            let bytes = source::bytes(self.source, 0, end, &mut buffer)?;
            if tokenizer.detect(bytes, end == len) {
                let has_bom = bytes.starts_with(b"\xEF\xBB\xBF");
                let is_utf16 = bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE");
                let start = Start { len, has_bom, is_utf16, given: tokenizer.given() };
                return Ok(*self.start.get_or_init(|| start));
            }
            end = len.min(end * 4);
        }
    }

    /// The charset of games, as far as it matters to the tokenizer.
    pub(super) fn given(&self) -> io::Result<Given> {
        Ok(self.start()?.given)
    }

    /// Cuts at the first boundaries from what `next` makes of the start of each part.
    fn cut(&self, stream: Start, mut next: impl FnMut(u64) -> Option<u64>) -> io::Result<Vec<Range<u64>>> {
        let (mut parts, mut start) = (Vec::new(), 0);
        let mut search = Search::new(self, stream);
        // The first part has a game, too.
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

/// A search for boundaries, from one to the next.
struct Search<'a, 's, S: ?Sized> {
    split: &'a Split<'s, S>,
    start: Start,
    heads: Heads<'s, S>,
    /// The last boundary, and whether it is a head: a place outside of games, or where one begins.
    last: u64,
    is_head: bool,
    /// Skips on from there, where no heads come.
    sequence: Option<Sequence<'s, S>>,
}

impl<'a, 's, S: ReadAt + ?Sized> Search<'a, 's, S> {
    fn new(split: &'a Split<'s, S>, start: Start) -> Self {
        let heads = Heads::new(split.source, start.len);
        Search { split, start, heads, last: 0, is_head: false, sequence: None }
    }

    /// The first boundary at or after an offset; offsets grow from call to call.
    fn boundary(&mut self, target: u64) -> io::Result<Option<u64>> {
        if target > self.start.len {
            return Ok(None);
        }
        let head = self.heads.first_in(target..target.saturating_add(FAR))?;
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

    /// The first end of a game at or after an offset.
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
    use crate::Parser;

    /// A few KiB are looked at for each cut, wherever games have heads.
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
