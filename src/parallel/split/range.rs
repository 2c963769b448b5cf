//! The games of a byte range.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;

use super::heads::Heads;
use super::source::{self, ReadAt};
use super::{Split, Start};
use crate::read::parser::Parser;
use crate::read::parts::buffer::PartBytes;
use crate::read::parts::{Meets, Part, Parts};
use crate::read::reader::Reader;
use crate::syntax::tokenizer::{GoesOn, Seam};

/// Number of bytes read at a time.
const CHUNK: u64 = 64 * 1024;

impl<'s, S: ReadAt + ?Sized> Split<'s, S> {
    /// Returns the games that start in a byte range.
    ///
    /// For engines that plan work in byte ranges.
    ///
    /// If each byte of the source is in exactly one range, each game is read exactly once.
    ///
    /// The range that starts at 0 also includes the bytes before the first game start.
    /// A game whose start is not recognized belongs to the range of the last recognized one before it. In strict
    /// mode, and for UTF-16, in which game starts cannot be found, all games belong to the range that starts at 0.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let collection = b"(;FF[4];B[dd])(;FF[4];B[cc](;FF[4]PB[a])";
    /// let parser = Parser::new();
    /// let split = parser.split(collection);
    /// let mut spans = Vec::new();
    /// for start in (0..collection.len() as u64).step_by(10) {
    ///     let range = split.range(start..start + 10)?;
    ///     let mut reader = range.reader(&parser);
    ///     while reader.skip_game()? {
    ///         spans.push((range.span(), reader.game_offset()));
    ///     }
    /// }
    /// assert_eq!(spans, [(0..14, Some(0)), (14..27, Some(14)), (27..40, Some(27))]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn range(&self, range: Range<u64>) -> io::Result<ByteRange<'s, S>> {
        let stream = self.start()?;
        let Start { len, is_utf16, .. } = stream;
        let is_one_range = self.config.strict || is_utf16;
        let mut heads = Heads::new(self.source, len);
        let mut first_head = |from: u64| match from {
            0 => Ok(0),
            _ if is_one_range => Ok(len),
            _ => heads.first_in(from..len).map(|head| head.unwrap_or(len)),
        };
        let start = first_head(range.start)?;
        // If the range has no head, a search for one after it is not needed.
        let end = if start >= range.end.min(len) { start } else { first_head(range.end)? };
        self.count(heads.take_work());
        Ok(ByteRange { source: self.source, span: start..end, goes_on: end < len, seam: stream.seam(start) })
    }
}

/// The games of a byte range, readable on any thread. Created by [`Split::range`].
pub struct ByteRange<'s, S: ?Sized> {
    source: &'s S,
    span: Range<u64>,
    /// Whether a head follows.
    goes_on: bool,
    /// The state of the stream at its start.
    seam: Seam,
}

impl<'s, S: ReadAt + ?Sized> ByteRange<'s, S> {
    /// Returns the byte range of its games.
    ///
    /// It extends from a game start to another, or to the end of the source.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// Returns whether no game belongs to the range.
    pub fn is_empty(&self) -> bool {
        self.span.is_empty()
    }

    /// Returns a reader of its games, in constant memory.
    ///
    /// Offsets refer to the source; lines count from the start of the [span](Self::span). `parser` must be the one
    /// that created the [`Split`], or at least have the same mode.
    pub fn reader(&self, parser: &Parser) -> Reader<RangeReader<'s, S>> {
        let goes_on = GoesOn::new(self.goes_on());
        parser.reader_with(parser.tokenizer().restart_at_seam(&self.seam, goes_on), self.window())
    }

    /// Only a range that covers the whole source may report that it has no games.
    fn goes_on(&self) -> bool {
        self.goes_on || self.is_empty() && self.span.start > 0
    }

    fn window(&self) -> RangeReader<'s, S> {
        let Range { start: at, end } = self.span();
        RangeReader { source: self.source, at, end, buffer: Vec::new(), read: 0 }
    }

    /// Cuts its games into [`Part`]s, as [`Parser::parts`] does.
    ///
    /// Memory is bounded by one part. `parser` must be the one that created the [`Split`], or at least have the same mode.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let collection = b"(;FF[4];B[dd])(;FF[4];B[cc])(;FF[4]PB[a])";
    /// let parser = Parser::new();
    /// let range = parser.split(collection).range(1..41)?;
    /// let mut spans = Vec::new();
    /// for part in range.parts(&parser).part_len(1) {
    ///     spans.push(part?.span());
    /// }
    /// assert_eq!(spans, [14..28, 28..41]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    pub fn parts(&self, parser: &Parser) -> Parts<RangeReader<'s, S>> {
        Parts::at(parser, self.seam.clone(), self.goes_on(), self.window())
    }

    /// Returns its games as one [`Part`].
    ///
    /// It is read into memory, unless the source is in memory.
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn part(&self) -> io::Result<Part<'s>> {
        let bytes = match self.source.as_bytes() {
            Some(bytes) => PartBytes::Borrowed(source::slice(bytes, self.span.start, self.span.end)?),
            None => {
                let mut buffer = Vec::new();
                source::bytes(self.source, self.span.start, self.span.end, &mut buffer)?;
                PartBytes::from(buffer)
            }
        };
        let meets = Meets { before: self.span.start == 0, after: !self.goes_on };
        Ok(Part { bytes, seam: self.seam.clone(), goes_on: self.goes_on, meets })
    }
}

impl<S: ?Sized> Clone for ByteRange<'_, S> {
    fn clone(&self) -> Self {
        ByteRange { source: self.source, span: self.span.clone(), goes_on: self.goes_on, seam: self.seam.clone() }
    }
}

impl<S: ?Sized> fmt::Debug for ByteRange<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteRange").field("span", &self.span).finish_non_exhaustive()
    }
}

/// A reader of the bytes of a [`ByteRange`].
pub struct RangeReader<'s, S: ?Sized> {
    source: &'s S,
    /// Start of the unread bytes.
    at: u64,
    end: u64,
    /// The last chunk, unless the source is in memory, and how much of it has been consumed.
    buffer: Vec<u8>,
    read: usize,
}

impl<S: ReadAt + ?Sized> BufRead for RangeReader<'_, S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(bytes) = self.source.as_bytes() {
            return source::slice(bytes, self.at, self.end);
        }
        if self.read == self.buffer.len() {
            self.read = 0;
            let end = self.end.min(self.at.saturating_add(CHUNK));
            let filled = source::bytes(self.source, self.at, end, &mut self.buffer).map(|_| ());
            if filled.is_err() {
                self.buffer.clear();
            }
            filled?;
        }
        Ok(&self.buffer[self.read..])
    }

    fn consume(&mut self, len: usize) {
        self.at += len as u64;
        if self.source.as_bytes().is_none() {
            self.read += len;
        }
    }
}

impl<S: ReadAt + ?Sized> Read for RangeReader<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

impl<S: ?Sized> fmt::Debug for RangeReader<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeReader").field("span", &(self.at..self.end)).finish_non_exhaustive()
    }
}
