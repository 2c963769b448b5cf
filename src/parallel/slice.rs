//! Processes the games of a slice on all cores.

#[cfg(feature = "serde")]
use std::{fmt, iter::FusedIterator, vec};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
#[cfg(feature = "serde")]
use serde::de::DeserializeOwned;

#[cfg(feature = "serde")]
use super::games::games_of;
#[cfg(feature = "serde")]
use crate::de;
#[cfg(feature = "serde")]
use crate::de::Options;
use crate::raw::BOM;
use crate::read::parser::Parser;
use crate::read::parts::buffer::PartBytes;
use crate::read::parts::{Meets, PART_LEN, Part};
use crate::syntax::lines::LineCounter;
use crate::syntax::tokenizer::Seam;
use crate::syntax::tokenizer::declared::Given;

/// A reader of a slice on all cores. Created by [`Parser::par_slice`].
///
/// It converts to a rayon parallel iterator over [`Part`]s, whose boundaries are also found on all cores
/// ([`Split`](super::Split)).
///
/// ```
/// use rayon::iter::{IntoParallelIterator, ParallelIterator};
/// use sgf_stream::{Event, Parser};
///
/// let collection = "(;FF[4];B[qd];W[dc])\n".repeat(10_000);
/// let parser = Parser::new();
/// let nodes: usize = parser
///     .par_slice(collection.as_bytes())
///     .into_par_iter()
///     .map(|part| {
///         let mut nodes = 0;
///         part.parse(&parser, |event, _| nodes += usize::from(event == Event::Node))?;
///         Ok(nodes)
///     })
///     .sum::<Result<_, sgf_stream::SyntaxError>>()?;
/// assert_eq!(nodes, 30_000);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// In strict mode parts are found in sequence, because the end of a game with a syntax error depends on the error.
#[derive(Clone, Debug)]
pub struct ParSlice<'a> {
    parser: Parser,
    bytes: &'a [u8],
    part_len: usize,
}

impl<'a> ParSlice<'a> {
    pub(crate) fn new(parser: &Parser, bytes: &'a [u8]) -> Self {
        ParSlice { parser: parser.clone(), bytes, part_len: PART_LEN }
    }

    /// Sets the minimum length of all parts but the last, in bytes. Default: 512 KiB.
    #[must_use]
    pub fn part_len(self, bytes: usize) -> Self {
        ParSlice { part_len: bytes, ..self }
    }

    /// Returns the parts, in order.
    pub fn parts(&self) -> Vec<Part<'a>> {
        if self.parser.is_strict() {
            return self.parts_in_sequence();
        }
        // Without heads, games are skipped.
        let split = self.parser.split(self.bytes);
        let cuts = split.every(self.part_len as u64).and_then(|spans| Ok((spans, split.given()?)));
        debug_assert!(cuts.is_ok(), "reading a slice does not fail");
        // If it fails nevertheless, the whole slice is one part.
        let whole = 0..self.bytes.len() as u64;
        let (spans, given) = cuts.unwrap_or_else(|_| (vec![whole], Given::Nothing));
        let bom = self.bytes.starts_with(BOM);
        let cut = |span: &std::ops::Range<u64>| &self.bytes[span.start as usize..span.end as usize];
        let lines = self.lines(&spans.iter().map(cut).collect::<Vec<_>>());
        let part = |(span, lines): (std::ops::Range<u64>, LineCounter)| Part {
            bytes: PartBytes::Borrowed(cut(&span)),
            goes_on: span.end < self.bytes.len() as u64,
            meets: Meets { before: span.start == 0, after: span.end == self.bytes.len() as u64 },
            seam: if span.start == 0 { Seam::start() } else { Seam::after_games(span.start, lines, bom) }
                .with_given(given),
        };
        spans.into_iter().zip(lines).map(part).collect()
    }

    /// Finds the parts in strict mode, in which only a strict reader finds the ends of games.
    fn parts_in_sequence(&self) -> Vec<Part<'a>> {
        let parts = self.parser.clone().max_game_len(usize::MAX).parts(self.bytes).part_len(self.part_len);
        let borrow = |part: Part<'static>| {
            let span = part.span();
            Part { bytes: PartBytes::Borrowed(&self.bytes[span.start as usize..span.end as usize]), ..part }
        };
        parts.filter_map(Result::ok).map(borrow).collect() // none of them is too long
    }

    /// Counts the lines before each part, if they may be needed.
    fn lines(&self, parts: &[&[u8]]) -> Vec<LineCounter> {
        if !self.parser.tracks_lines() {
            return vec![LineCounter::default(); parts.len()];
        }
        let count = |part: &&[u8]| {
            let mut lines = LineCounter::default();
            lines.advance(part);
            lines
        };
        let counted: Vec<LineCounter> = parts.into_par_iter().map(count).collect();
        let before_each = counted.iter().scan(LineCounter::default(), |lines, counted| {
            let after = lines.then(counted);
            Some(std::mem::replace(lines, after))
        });
        before_each.collect()
    }

    /// Reads the games as Rust values, in order; see [`de`](crate::de).
    ///
    /// They are the games of [`SliceReader::games`](crate::SliceReader::games).
    ///
    /// The games of 32 parts per thread are in memory, since these are read at a time.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sgf_stream::Parser;
    ///
    /// let collection = "(;PB[Shusaku];B[qd])(;PB[Shuei]PW[Yasui])".as_bytes();
    /// let parser = Parser::new();
    /// let mut games = parser.par_slice(collection).games::<BTreeMap<String, String>>();
    /// assert_eq!(games.nth(1).unwrap()?["PW"], "Yasui");
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn games<T: DeserializeOwned + Send>(&self) -> ParSliceGames<'a, T> {
        self.games_with(Options::new())
    }

    /// Reads the games like [`games`](Self::games), with [`Options`].
    #[cfg(feature = "serde")]
    pub fn games_with<T: DeserializeOwned + Send>(&self, options: Options) -> ParSliceGames<'a, T> {
        ParSliceGames {
            parser: self.parser.clone(),
            options,
            parts: self.parts().into_iter(),
            games_before: 0,
            games: Vec::new().into_iter(),
        }
    }
}

/// An iterator over the games of a slice, read on all cores. Created by [`ParSlice::games`].
#[cfg(feature = "serde")]
pub struct ParSliceGames<'a, T> {
    parser: Parser,
    options: Options,
    parts: vec::IntoIter<Part<'a>>,
    /// Number of games in the parts that have been read.
    games_before: u64,
    /// The games of these parts that have not been returned.
    games: vec::IntoIter<de::Result<T>>,
}

#[cfg(feature = "serde")]
impl<T: DeserializeOwned + Send> ParSliceGames<'_, T> {
    /// Reads the next parts in parallel.
    fn read_parts(&mut self) {
        let read = |part: Part<'_>| games_of(&part, &self.parser, self.options);
        let batch: Vec<_> = self.parts.by_ref().take(PARTS_PER_THREAD * rayon::current_num_threads()).collect();
        let read: Vec<_> = batch.into_par_iter().map(read).collect();
        let mut all = Vec::with_capacity(read.iter().map(|(games, _)| games.len()).sum());
        for (games, count) in read {
            let before = self.games_before;
            all.extend(games.into_iter().map(|game| game.map_err(|error| error.after_games(before))));
            self.games_before += count;
        }
        self.games = all.into_iter();
    }
}

/// Number of parts per thread that are read before the first of their games is returned. It is large enough that
/// threads seldom wait for the slowest.
#[cfg(feature = "serde")]
const PARTS_PER_THREAD: usize = 32;

#[cfg(feature = "serde")]
impl<T: DeserializeOwned + Send> Iterator for ParSliceGames<'_, T> {
    type Item = de::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(game);
            }
            if self.parts.len() == 0 {
                return None;
            }
            self.read_parts();
        }
    }
}

#[cfg(feature = "serde")]
impl<T> FusedIterator for ParSliceGames<'_, T> where Self: Iterator {}

#[cfg(feature = "serde")]
impl<T> fmt::Debug for ParSliceGames<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParSliceGames").field("parts_left", &self.parts.len()).finish_non_exhaustive()
    }
}

impl<'a> IntoParallelIterator for ParSlice<'a> {
    type Item = Part<'a>;
    type Iter = rayon::vec::IntoIter<Part<'a>>;

    fn into_par_iter(self) -> Self::Iter {
        self.parts().into_par_iter()
    }
}
