//! Where one huge archive may be cut.
//!
//! Where a game ends is known to who has read everything in front of it: whether a `)` ends one depends
//! on how many are open, and whether it stands in a text. But what a block of bytes does to that state
//! can be told without knowing the state ([`path`]): then blocks are read by all threads at once, in any
//! order, and what they come to is put together in the order of the archive. A repair of the tokenizer
//! may upset that. Its places are told too ([`near`]); such a piece of a block the tokenizer itself reads
//! ([`sequence`]), from the start of the open game to the end of one behind the piece, where the state is
//! known again.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | the search for ends of games, piece by piece |
//! | `path` | what a stretch of bytes does to the state: the monoid |
//! | `walk` | from bytes to that |
//! | `near` | where a repair may strike |
//! | `sequence` | the tokenizer, skipping from game to game |
//! | `source` | bytes at offsets |
//!
//! If the tokenizer gets another repair that moves a bracket, `near` and `path` have to know of it. The
//! laws in `tests/split.rs` would find that out.

mod near;
mod path;
mod sequence;
mod source;
#[cfg(test)]
mod tests;
mod walk;

use std::io;
use std::ops::Range;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::near::{NEAR, Text};
use self::path::{Mode, Path, State, Summary};
use self::sequence::Sequence;
pub use self::source::ReadAt;
use crate::tokenizer::Config;

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
/// assert_eq!(games, [251, 250, 250, 249]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), sgf_stream::Error>(())
/// ```
///
/// # Parts
///
/// A part ends where a game ends: behind its `)`, or where the repairs of lenient mode end it. What
/// stands between two games belongs to the part of the second one; the first part starts at 0, and the
/// last one ends at the end. So parts follow one another without gaps, and each holds a game, unless
/// the whole archive holds none: then it is one part.
///
/// Each part, parsed alone, gives the events of its games in the whole; their offsets count from its
/// start. What a reader knows of a stream beside its games starts anew: lines, and whether it began with a byte-order
/// mark, which says that texts are UTF-8 whatever `CA` says. Where the first part starts with one,
/// decode the others as UTF-8 too.
///
/// The rules are those of lenient mode, whatever the parser's. A strict one finds the same ends in an
/// archive without a fault, but for texts that hold what looks like the head of a game at the start of a
/// line. Limits on values and depth do not matter, and nobody hears of diagnostics.
///
/// # Cost
///
/// The archive is read once, up to the last cut, by all threads of the current rayon pool; by one thread
/// in sequence, if the pool has no more. The neighbourhood of what has to be repaired is read in sequence: a
/// missing `)` or `]`, an extra `)`, an unescaped `]`, brackets between games. Where an archive is full of that,
/// and where games are in Shift_JIS, Big5, GBK or GB18030, a game of each block is. Memory: for each thread a
/// [block](Self::block_len), if the source is no memory; and 24 bytes for each cut. Around a cut some 16 KiB
/// are looked at once more: where cuts are closer than that, one thread does most of the work.
#[derive(Debug)]
pub struct Split<'s, S: ?Sized> {
    config: Config,
    source: &'s S,
    block_len: u64,
    #[cfg(test)]
    work: AtomicU64,
}

/// Bytes in a block.
const BLOCK_LEN: u64 = 1 << 20;

/// Blocks that a thread summarises before they are put together.
const BLOCKS_A_THREAD: usize = 8;

/// A block is summarised in so many pieces: where one has to be read in sequence, the others need not.
const PIECES: u64 = 64;

/// If more than one piece in so many is lost, the block is read as if a game began in it, instead.
const MOST_LOST: usize = 8;

/// How many blocks more the tokenizer reads at most, where summaries were in vain.
const MOST_AHEAD: u64 = 64;

impl<'s, S: ReadAt + ?Sized> Split<'s, S> {
    pub(crate) fn with(config: Config, source: &'s S) -> Self {
        let config = Config {
            strict: false,
            value_parts: false,
            count_lines: false,
            // What is too deep is skipped, bracket by bracket, and that is all that is done here.
            max_depth: config.max_depth.max(1),
            listener: None,
            ..config
        };
        Split {
            config,
            source,
            block_len: BLOCK_LEN,
            #[cfg(test)]
            work: AtomicU64::new(0),
        }
    }

    /// How many bytes a thread looks at before what it found is put together with the rest. Default:
    /// 1 MiB. It does not show in the parts.
    #[must_use]
    pub fn block_len(self, bytes: usize) -> Self {
        Split { block_len: (bytes as u64).clamp(1, 1 << 30), ..self }
    }

    /// At most so many parts of about the same length; 0 is taken as 1. There are fewer if a game is
    /// longer than a part, or there are fewer games.
    ///
    /// Cuts are at the first end of a game at or behind each `n`th of the archive.
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn parts(&self, n: usize) -> io::Result<Vec<Range<u64>>> {
        let len = self.source.size()?;
        let (n, whole) = (n.max(1) as u128, u128::from(len));
        let nth = |i: u128| (whole * i / n) as u64;
        self.cut(len, nth(n - 1), |end| {
            let behind = (u128::from(end) + 1) * n;
            let i = if whole == 0 { n } else { behind.div_ceil(whole) };
            (i < n).then(|| nth(i))
        })
    }

    /// Parts of at least so many bytes, and no game more than that takes; the last one may be shorter. 0
    /// is taken as 1: a part for each game.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let archive = b"mail: (;FF[4]) (;B[dd];W[pp]) (;B[cc]) ";
    /// assert_eq!(Parser::new().split(archive).every(0)?, [0..14, 14..29, 29..39]);
    /// assert_eq!(Parser::new().split(archive).every(16)?, [0..29, 29..39]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn every(&self, bytes: u64) -> io::Result<Vec<Range<u64>>> {
        let len = self.source.size()?;
        self.cut(len, len, |end| end.checked_add(bytes.max(1)))
    }

    /// The first end of a game at or behind an offset: the offset behind its `)`. `None` if no game ends
    /// there. Everything in front has to be read for that, so ask for many at once where there are many.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let archive = b"(;C[:-)]) (;B[dd]) ";
    /// let split = Parser::new();
    /// let split = split.split(archive);
    /// assert_eq!(split.boundary_at_or_after(7)?, Some(9));
    /// assert_eq!(split.boundary_at_or_after(9)?, Some(9));
    /// assert_eq!(split.boundary_at_or_after(10)?, Some(18));
    /// assert_eq!(split.boundary_at_or_after(19)?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub fn boundary_at_or_after(&self, offset: u64) -> io::Result<Option<u64>> {
        let ends = self.search(self.source.size()?, offset, Some(offset), |_| None)?;
        Ok(ends.first().copied())
    }

    /// Cuts at ends of games, each the first one at or behind what `next` makes of the one before.
    fn cut(&self, len: u64, reach: u64, mut next: impl FnMut(u64) -> Option<u64>) -> io::Result<Vec<Range<u64>>> {
        let first = next(0);
        let mut ends = self.search(len, reach, first, next)?;
        // The others have a game behind them.
        if let Some(&last) = ends.last()
            && !Sequence::new(&self.config, self.source, len, last).has_game()?
        {
            ends.pop();
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        Ok(starts.zip(ends.iter().copied().chain([len])).map(|(start, end)| start..end).collect())
    }

    /// Searches for the first end of a game at or behind `target`, then at or behind what `next` makes
    /// of it, which must be behind it, and so on. It will not go on much further than `reach`.
    fn search(
        &self,
        len: u64,
        reach: u64,
        target: Option<u64>,
        next: impl FnMut(u64) -> Option<u64>,
    ) -> io::Result<Vec<u64>> {
        let threads = rayon::current_num_threads();
        let state = State::outside(0);
        let mut search = Search { split: self, len, target, next, ends: Vec::new(), state, ahead: 0 };
        if threads == 1 {
            search.read_on(len)?;
        } else {
            search.run(threads, reach)?;
        }
        Ok(search.ends)
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
            block_len: self.block_len,
            #[cfg(test)]
            work: AtomicU64::new(0),
        }
    }
}

/// A search under way.
struct Search<'a, 's, S: ?Sized, F> {
    split: &'a Split<'s, S>,
    len: u64,
    /// An end of a game at or behind this offset is wanted.
    target: Option<u64>,
    next: F,
    ends: Vec<u64>,
    /// What is known, and where. The target is behind it, or no end has come since.
    state: State,
    /// So far the tokenizer reads beyond a piece that it had to read: the further, the more of them there
    /// were. An archive that is full of them is read once.
    ahead: u64,
}

impl<S: ReadAt + ?Sized, F: FnMut(u64) -> Option<u64>> Search<'_, '_, S, F> {
    fn run(&mut self, threads: usize, reach: u64) -> io::Result<()> {
        while self.state.at < self.len && self.target.is_some_and(|target| target <= self.len) {
            let blocks = self.blocks(threads, reach);
            let looked = blocks.par_iter().map_init(Vec::new, |buffer, block| self.split.look(block, self.len, buffer));
            for (block, Looked { summaries, ends }) in blocks.iter().zip(looked.collect::<io::Result<Vec<_>>>()?) {
                if !ends.is_empty() {
                    self.join(block, &ends)?;
                }
                for (piece, summary) in self.split.pieces(block).zip(&summaries) {
                    self.go(&piece, summary)?;
                }
            }
        }
        if self.state.is_in_game() && self.target.is_some_and(|target| target <= self.len) {
            self.found(self.len); // the end of the data closes it
        }
        Ok(())
    }

    /// The blocks that come next.
    fn blocks(&self, threads: usize, reach: u64) -> Vec<Range<u64>> {
        let block_len = self.split.block_len;
        let mut blocks = Vec::new();
        let mut start = self.state.at;
        while start < self.len && blocks.len() < threads * BLOCKS_A_THREAD {
            if start > reach && blocks.len() >= threads {
                break;
            }
            let end = self.len.min((start / block_len + 1) * block_len);
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    /// Reads in sequence, to the first end of a game that is one of `ends` too, and from there on believes them.
    fn join(&mut self, block: &Range<u64>, ends: &[u64]) -> io::Result<()> {
        let Search { split, len, .. } = *self;
        let mut sequence = Sequence::new(&split.config, split.source, len, self.state.safe_start());
        let mut is_joined = !self.state.is_in_game() && ends.binary_search(&self.state.at).is_ok();
        while !is_joined && self.state.at < block.end && self.target.is_some() {
            let Some(end) = sequence.next_end()? else {
                self.state = State::outside(len);
                break;
            };
            self.state = State::outside(end);
            if self.target.is_some_and(|target| target <= end) {
                self.found(end);
            }
            is_joined = ends.binary_search(&end).is_ok();
        }
        #[cfg(test)]
        split.count(sequence.work());
        if is_joined && let Some(&last) = ends.last() {
            while let Some(target) = self.target
                && let Some(&end) = ends.get(ends.partition_point(|&end| end < target))
            {
                self.found(end);
            }
            self.state = State::outside(last);
        }
        Ok(())
    }

    /// Goes on to the end of a piece, or further.
    fn go(&mut self, piece: &Range<u64>, summary: &Summary) -> io::Result<()> {
        if self.target.is_none() || self.state.at >= piece.end {
            return Ok(());
        }
        let is_whole = self.state.at == piece.start;
        let path = if is_whole { *summary.path(self.state.mode) } else { self.path_to(piece.end)? };
        let Some(state) = self.state.after(&path, piece.end) else {
            self.read_on(piece.end + self.ahead)?;
            self.ahead = (self.ahead * 2).clamp(self.split.piece_len(), MOST_AHEAD * self.split.block_len);
            return Ok(());
        };
        if self.state.depth + path.low == 0 {
            self.find_ends(piece.end)?;
        }
        self.state = state;
        if is_whole {
            self.ahead = 0;
        }
        Ok(())
    }

    /// The path from here on.
    fn path_to(&self, end: u64) -> io::Result<Path> {
        let mut buffer = Vec::new();
        let text = self.split.text(&(self.state.at..end), self.len, &mut buffer)?;
        Ok(Path::of(text, self.state.mode, text.index(self.state.at), text.index(end)))
    }

    /// Finds what is wanted up to the end of a piece in which nothing is repaired.
    fn find_ends(&mut self, piece_end: u64) -> io::Result<()> {
        if self.target.is_none_or(|target| target > piece_end) {
            return Ok(());
        }
        let mut buffer = Vec::new();
        let mut state = self.state;
        let text = self.split.text(&(state.at..piece_end), self.len, &mut buffer)?;
        while let Some(target) = self.target.filter(|&target| target <= piece_end) {
            // That of the `)`, which is the byte in front of the end.
            let from = target.saturating_sub(1).max(state.at);
            let path = Path::of(text, state.mode, text.index(state.at), text.index(from));
            let Some(there) = state.after(&path, from) else { break };
            let Some(end) = text.first_end(&there, piece_end) else { break };
            self.found(end);
            state = State::outside(end);
        }
        Ok(())
    }

    /// Reads in sequence, to the first end of a game at or behind an offset.
    fn read_on(&mut self, goal: u64) -> io::Result<()> {
        let Search { split, len, .. } = *self;
        let mut sequence = Sequence::new(&split.config, split.source, len, self.state.safe_start());
        while let Some(end) = sequence.next_end()? {
            self.state = State::outside(end);
            if self.target.is_some_and(|target| target <= end) {
                self.found(end);
            }
            if end >= goal || self.target.is_none() {
                #[cfg(test)]
                split.count(sequence.work());
                return Ok(());
            }
        }
        #[cfg(test)]
        split.count(sequence.work());
        self.state = State::outside(len);
        Ok(())
    }

    /// What was wanted is here.
    fn found(&mut self, end: u64) {
        self.ends.push(end);
        self.target = (self.next)(end);
    }
}

impl<S: ReadAt + ?Sized> Split<'_, S> {
    fn piece_len(&self) -> u64 {
        self.block_len.div_ceil(PIECES)
    }

    fn pieces(&self, block: &Range<u64>) -> impl Iterator<Item = Range<u64>> + use<S> {
        let (len, end) = (self.piece_len(), block.end);
        (block.start..end).step_by(len as usize).map(move |start| start..end.min(start + len))
    }

    fn look(&self, block: &Range<u64>, len: u64, buffer: &mut Vec<u8>) -> io::Result<Looked> {
        let text = self.text(block, len, buffer)?;
        let start = text.likely_start(block);
        let (mut summaries, mut lost) = (Vec::new(), 0);
        let pieces = self.pieces(block);
        let most = pieces.size_hint().0 / MOST_LOST;
        for piece in pieces {
            let is_hopeless = lost > most && start.is_some();
            summaries.push(match is_hopeless {
                true => Summary::LOST,
                false => Summary::of(text, text.index(piece.start), text.index(piece.end)),
            });
            lost += usize::from(summaries.last().is_some_and(Summary::is_lost));
        }
        let start = start.filter(|_| lost > most);
        let ends = start.map_or(Ok(Vec::new()), |start| self.ends_from(start, block, len))?;
        Ok(Looked { summaries, ends })
    }

    /// The ends of games as the tokenizer finds them from an offset on, to the first one behind the block. A game
    /// that goes on far behind it is not followed.
    fn ends_from(&self, start: u64, block: &Range<u64>, len: u64) -> io::Result<Vec<u64>> {
        let mut sequence = Sequence::new(&self.config, self.source, len, start).up_to(block.end + self.block_len);
        let mut ends = Vec::new();
        while ends.last().is_none_or(|&end| end < block.end)
            && let Some(end) = sequence.next_end()?
        {
            ends.push(end);
        }
        #[cfg(test)]
        self.count(sequence.work());
        Ok(ends)
    }

    /// A block, with what is near it.
    fn text<'b>(&'b self, block: &Range<u64>, len: u64, buffer: &'b mut Vec<u8>) -> io::Result<Text<'b>> {
        self.count(block.end - block.start);
        let from = block.start.saturating_sub(NEAR as u64);
        let to = len.min(block.end + NEAR as u64);
        let bytes = source::bytes(self.source, from, to, buffer)?;
        Ok(Text { bytes, at: from, eof: to == len })
    }
}

/// What a thread finds in a block.
struct Looked {
    /// Of its pieces. Behind too many that are lost, the others are not looked at.
    summaries: Vec<Summary>,
    /// Where most pieces are lost: the ends of games, if a game begins where one seems to. Outside of games
    /// there is no other state than that, so behind the first of them that is an end indeed, all are.
    ends: Vec<u64>,
}

impl Text<'_> {
    /// Where in a block a game may begin.
    fn likely_start(self, block: &Range<u64>) -> Option<u64> {
        let bytes = &self.bytes[self.index(block.start)..self.index(block.end)];
        let is_likely = |&at: &usize| at == 0 || matches!(bytes[at - 1], b'\n' | b'\r' | b')');
        memchr::memmem::find_iter(bytes, b"(;").find(is_likely).map(|at| block.start + at as u64)
    }

    /// The index of an offset.
    fn index(self, at: u64) -> usize {
        (at - self.at) as usize
    }

    /// The first end of a game from a state on, where nothing is repaired.
    fn first_end(self, from: &State, to: u64) -> Option<u64> {
        let State { at, mut mode, mut depth, .. } = *from;
        for (&byte, at) in self.bytes[self.index(at)..self.index(to)].iter().zip(at..) {
            mode = match (mode, byte) {
                (Mode::Plain, b'[') | (Mode::Hidden, _) => Mode::Inside,
                (Mode::Inside, b'\\') => Mode::Hidden,
                (Mode::Inside, b']') => Mode::Plain,
                _ => mode,
            };
            if mode == Mode::Plain && byte == b'(' {
                depth += 1;
            } else if mode == Mode::Plain && byte == b')' {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
        }
        None
    }
}
