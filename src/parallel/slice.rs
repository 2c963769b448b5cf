//! One slice, on all cores.

use std::borrow::Cow;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
#[cfg(feature = "serde")]
use serde::de::DeserializeOwned;

use super::part::Part;
use super::parts::PART_LEN;
#[cfg(feature = "serde")]
use crate::de;
use crate::read::parser::Parser;
use crate::syntax::lines::LineCounter;
use crate::syntax::tokenizer::Seam;
use crate::syntax::tokenizer::declared::Given;

/// Reads a slice on all cores. Made by [`Parser::par_slice`].
///
/// It is a parallel iterator of rayon's over [`Part`]s. Where they begin is found on all cores too
/// ([`Split`](super::Split)).
///
/// ```
/// use rayon::iter::{IntoParallelIterator, ParallelIterator};
/// use sgf_stream::{Event, Parser};
///
/// let archive = "(;FF[4];B[qd];W[dc])\n".repeat(10_000);
/// let parser = Parser::new();
/// let nodes: usize = parser
///     .par_slice(archive.as_bytes())
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
/// In strict mode parts are found in sequence: of a faulty game, the end depends on the fault.
#[derive(Clone, Debug)]
pub struct ParSlice<'a> {
    parser: Parser,
    bytes: &'a [u8],
    part_len: usize,
    #[cfg(feature = "serde")]
    lenient_fields: bool,
}

impl<'a> ParSlice<'a> {
    pub(crate) fn new(parser: &Parser, bytes: &'a [u8]) -> Self {
        ParSlice {
            parser: parser.clone(),
            bytes,
            part_len: PART_LEN,
            #[cfg(feature = "serde")]
            lenient_fields: false,
        }
    }

    /// A part has at least so many bytes, except for the last one. Default: 512 KiB.
    #[must_use]
    pub fn part_len(self, bytes: usize) -> Self {
        ParSlice { part_len: bytes, ..self }
    }

    /// For [`games`](Self::games): whether a field that does not fit is left out. See
    /// [`Games::lenient_fields`](de::Games::lenient_fields).
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn lenient_fields(self, on: bool) -> Self {
        ParSlice { lenient_fields: on, ..self }
    }

    /// The parts, in order.
    pub fn parts(&self) -> Vec<Part<'a>> {
        if self.parser.is_strict() {
            return self.parts_in_sequence();
        }
        // Where there are no heads, games are skipped.
        let split = self.parser.split(self.bytes);
        let cuts = split.every(self.part_len as u64).and_then(|spans| Ok((spans, split.given()?)));
        debug_assert!(cuts.is_ok(), "reading a slice does not fail");
        // The whole is a part too.
        let whole = 0..self.bytes.len() as u64;
        let (spans, given) = cuts.unwrap_or_else(|_| (vec![whole], Given::Nothing));
        let bom = self.bytes.starts_with(BOM);
        let cut = |span: &std::ops::Range<u64>| &self.bytes[span.start as usize..span.end as usize];
        let lines = self.lines(&spans.iter().map(cut).collect::<Vec<_>>());
        let part = |(span, lines): (std::ops::Range<u64>, LineCounter)| Part {
            bytes: Cow::Borrowed(cut(&span)),
            goes_on: span.end < self.bytes.len() as u64,
            seam: if span.start == 0 { Seam::start() } else { Seam::behind_games(span.start, lines, bom) }
                .with_given(given),
            first_game: None,
            games: None,
        };
        spans.into_iter().zip(lines).map(part).collect()
    }

    /// What ends a game in strict mode only a strict reader knows.
    fn parts_in_sequence(&self) -> Vec<Part<'a>> {
        let parts = self.parser.clone().max_game_len(usize::MAX).parts(self.bytes).part_len(self.part_len);
        let borrow = |part: Part<'static>| {
            let span = part.span();
            Part { bytes: Cow::Borrowed(&self.bytes[span.start as usize..span.end as usize]), ..part }
        };
        parts.filter_map(Result::ok).map(borrow).collect() // of these, none is too long
    }

    /// The lines in front of each part, if anybody may ask for them.
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
        let in_front = counted.iter().scan(LineCounter::default(), |lines, counted| {
            let behind = lines.then(counted);
            Some(std::mem::replace(lines, behind))
        });
        in_front.collect()
    }

    /// The games as Rust values, in order: see [`de`](crate::de). They are the same that
    /// [`SliceReader::games`](crate::SliceReader::games) gives.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sgf_stream::Parser;
    ///
    /// let archive = "(;PB[Shusaku];B[qd])(;PB[Shuei]PW[Yasui])".as_bytes();
    /// let games = Parser::new().par_slice(archive).games::<BTreeMap<String, String>>();
    /// assert_eq!(games[1].as_ref().unwrap()["PW"], "Yasui");
    /// ```
    #[cfg(feature = "serde")]
    pub fn games<T: DeserializeOwned + Send>(&self) -> Vec<de::Result<T>> {
        let read = |part: Part<'a>| {
            let mut games = part.reader(&self.parser).games::<T>().lenient_fields(self.lenient_fields);
            let all: Vec<_> = games.by_ref().collect();
            (all, games.game_index().map_or(0, |last| last + 1))
        };
        let parts: Vec<_> = self.parts().into_par_iter().map(read).collect();
        let mut games = Vec::with_capacity(parts.iter().map(|(games, _)| games.len()).sum());
        let mut before = 0;
        for (part, count) in parts {
            games.extend(part.into_iter().map(|game| game.map_err(|error| error.behind_games(before))));
            before += count;
        }
        games
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

impl<'a> IntoParallelIterator for ParSlice<'a> {
    type Item = Part<'a>;
    type Iter = rayon::vec::IntoIter<Part<'a>>;

    fn into_par_iter(self) -> Self::Iter {
        self.parts().into_par_iter()
    }
}
