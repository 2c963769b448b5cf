//! Cutting a stream into parts that can be read anywhere, in any order.
//!
//! Each part has some whole games and the bytes between them.
//!
//! A part ends before a head (`by_heads`). If none occurs for long, and in strict mode, the tokenizer skips from game
//! to game. The stream may be cut after the `)` of a game: a reader that continues there needs to know almost nothing
//! about what came before (a seam). A part ends with the first such game, once the part is long enough. A game
//! without `)` ends where the next one starts; the stream is cut there only if no other end has occurred within the
//! limits.

pub(crate) mod buffer;
mod by_heads;
mod long;
mod part;

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, mem};

use self::buffer::ReadBuffer;
pub use self::long::{LongBytes, LongGame};
#[doc(hidden)]
pub use self::part::Meets;
pub use self::part::Part;
use crate::node::GameBounds;
use crate::read::parser::Parser;
use crate::syntax::diagnostic::Code;
use crate::syntax::error::Error;
#[cfg(feature = "parallel")]
use crate::syntax::tokenizer::GoesOn;
use crate::syntax::tokenizer::{Outcome, Seam, Tokenizer};

/// Default of [`Parts::part_len`].
pub(crate) const PART_LEN: usize = 512 * 1024;

/// An iterator that cuts a stream into [`Part`]s of whole games. Created by [`Parser::parts`].
///
/// Cutting is the only sequential step, so it does as little as possible: most of the stream is not parsed. Parts can
/// be read anywhere; `Parser::par_reader` reads them on all cores.
///
/// ```
/// use std::thread;
/// use sgf_stream::{Event, Ident, Parser, parts::Part};
///
/// let collection = "(;FF[4]C[a (game\\]];B[qd])\n".repeat(1000);
/// let parser = Parser::new();
/// let count = |part: Part<'_>| {
///     let mut moves = 0;
///     part.parse(&parser, |event, _| moves += usize::from(event == Event::Property(Ident::new(b"B")))).unwrap();
///     moves
/// };
/// let moves: usize = thread::scope(|scope| {
///     let parts = parser.parts(collection.as_bytes()).part_len(10_000);
///     let threads: Vec<_> = parts.map(|part| scope.spawn(move || count(part.unwrap()))).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).sum()
/// });
/// assert_eq!(moves, 1000);
/// ```
///
/// If reading fails, the iterator returns all whole games, then the error, and ends. Instead of a game longer than
/// [`Parser::max_game_len`] it returns an error ([`Code::GameTooLong`]), and continues.
///
/// Memory is bounded by one part: the requested length plus one game of maximum length.
pub struct Parts<R> {
    inner: R,
    tokenizer: Tokenizer,
    /// Whether games follow the last byte.
    goes_on: bool,
    ends: GameBounds,
    part_len: usize,
    is_whole_pieces: bool,
    #[cfg(feature = "charset")]
    detected: Option<crate::charset::Charset>,
    buffer: ReadBuffer,
    /// Offset of the first byte of the buffer.
    base: u64,
    /// Offset to which heads were searched for: none begins between the least length of the part and here.
    searched: u64,
    /// Where the part or the long game starts.
    start: End,
    /// Where it could end if it must not be longer: after a `)` and before a game.
    closed: Option<End>,
    unclosed: Option<End>,
    /// In strict mode, the end of the search for the last syntax error. No part ends before it, or it would have
    /// another error.
    fault_end: u64,
    /// Set if a long game follows the last part and has been read whole: its end.
    long_next: Option<End>,
    /// Whether the reader is at its end.
    eof: bool,
    /// The error of the reader, which the iterator returns next.
    failure: Option<io::Error>,
    state: CutState,
}

#[derive(Clone, Debug)]
enum CutState {
    Cutting,
    /// In a game too long for a part, with its end if known.
    Long(Option<End>),
    Ended,
}

/// A place where parts may meet.
#[derive(Clone, Debug)]
struct End {
    seam: Seam,
    /// Whether a head follows, or nothing precedes it.
    is_at_head: bool,
}

impl End {
    fn offset(&self) -> u64 {
        self.seam.position.offset
    }
}

/// [`Next`], before a long game borrows the parts.
pub(crate) enum Piece {
    Part(Part<'static>),
    Long,
}

/// The result of [`Parts::next_part`].
#[doc(hidden)]
#[derive(Debug)]
pub enum Next<'p, R> {
    /// A part with some whole games.
    Part(Part<'static>),
    /// A game that is too long for a part.
    Long(LongGame<'p, R>),
}

impl Parser {
    /// Returns an iterator that cuts a stream into parts of whole games.
    pub fn parts<R: Read>(&self, inner: R) -> Parts<R> {
        Parts::new(cutting(self), Seam::start(), false, inner)
    }
}

/// Returns a tokenizer whose errors name lines.
fn cutting(parser: &Parser) -> Tokenizer {
    parser.clone().count_lines(true).tokenizer()
}

impl<R: Read> Parts<R> {
    /// Cuts the bytes of a stream from a seam on; `goes_on` tells whether games follow them.
    #[cfg(feature = "parallel")]
    pub(crate) fn at(parser: &Parser, seam: Seam, goes_on: bool, inner: R) -> Self {
        Parts::new(cutting(parser).restart_at_seam(&seam, GoesOn::new(goes_on)), seam, goes_on, inner)
    }

    fn new(tokenizer: Tokenizer, seam: Seam, goes_on: bool, inner: R) -> Self {
        let start = seam.position.offset;
        Parts {
            inner,
            tokenizer,
            goes_on,
            ends: GameBounds::ENDS,
            part_len: PART_LEN,
            is_whole_pieces: false,
            #[cfg(feature = "charset")]
            detected: None,
            buffer: ReadBuffer::new(),
            base: start,
            searched: start,
            start: End { seam, is_at_head: start == 0 },
            closed: None,
            unclosed: None,
            fault_end: 0,
            long_next: None,
            eof: false,
            failure: None,
            state: CutState::Cutting,
        }
    }

    /// Sets the minimum number of bytes per part. Default: 512 KiB.
    ///
    /// The last part and those before long games may be shorter.
    #[must_use]
    pub fn part_len(mut self, bytes: usize) -> Self {
        self.part_len = bytes;
        self
    }

    /// Lets parts end between heads only if no head occurs within the maximum game length. The default is twice the
    /// [length of a part](Self::part_len). For rewriting, which changes games depending on their neighbors in the
    /// part.
    #[doc(hidden)]
    #[must_use]
    pub fn whole_pieces(mut self) -> Self {
        self.is_whole_pieces = true;
        self
    }

    /// Returns the charset that was detected at the start of the stream.
    ///
    /// See [`Reader::detected_charset`](crate::Reader::detected_charset). `None` before the first part.
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.detected
    }

    /// Returns a reference to the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the next part or long game; `None` at the end of the stream.
    ///
    /// A game longer than [`Parser::max_game_len`] must be read in sequence. The next call skips any unread rest of
    /// it.
    ///
    /// ```
    /// use sgf_stream::{Parser, parts::Next};
    ///
    /// let parser = Parser::new().max_game_len(16);
    /// let mut parts = parser.parts(&b"(;FF[4])(;C[much longer than that])(;FF[3])"[..]);
    /// let mut games = Vec::new();
    /// while let Some(next) = parts.next_part()? {
    ///     match next {
    ///         Next::Part(part) => games.push(format!("{:?}", part.span())),
    ///         Next::Long(game) => {
    ///             let mut reader = game.reader(&parser);
    ///             while let Some(_) = reader.next_event()? {}
    ///             games.push(format!("long, at {:?}", reader.game_offset()));
    ///         }
    ///     }
    /// }
    /// assert_eq!(games, ["0..8", "long, at Some(8)", "35..43"]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails. The call may be repeated; reading resumes where it stopped.
    #[doc(hidden)]
    pub fn next_part(&mut self) -> io::Result<Option<Next<'_, R>>> {
        Ok(self.next_piece()?.map(|piece| match piece {
            Piece::Part(part) => Next::Part(part),
            Piece::Long => Next::Long(LongGame::new(self)),
        }))
    }

    fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        if matches!(self.state, CutState::Cutting) && self.tokenizer.offset() == 0 {
            self.detect()?;
            if let Some(part) = self.all_at_once()? {
                return Ok(Some(Piece::Part(part)));
            }
        }
        self.pass_long()?;
        if let Some(end) = self.long_next.take() {
            return Ok(Some(self.long(Some(end))));
        }
        if !self.tokenizer.is_strict()
            && matches!(self.state, CutState::Cutting)
            && let Some(part) = self.part_by_heads()?
        {
            return Ok(Some(Piece::Part(part)));
        }
        while matches!(self.state, CutState::Cutting) {
            match self.run() {
                Outcome::Stopped => match self.game_end() {
                    Some((end, _)) if self.is_too_long(&end) => {
                        let Some(before) = self.last_end() else { return Ok(Some(self.long(Some(end)))) };
                        self.long_next = Some(end);
                        return Ok(Some(Piece::Part(self.cut(before))));
                    }
                    end => self.note(end),
                },
                Outcome::NeedMore if self.must_end() => match self.best_end() {
                    Some(end) => return Ok(Some(Piece::Part(self.cut(end)))),
                    None => return Ok(Some(self.long(None))),
                },
                Outcome::NeedMore => self.read()?,
                Outcome::Failed if !self.tokenizer.error().is_final() => self.pass_fault(),
                Outcome::Failed | Outcome::End => {
                    self.state = CutState::Ended;
                    return Ok(self.rest().map(Piece::Part));
                }
            }
            let wanted = self.start.offset().saturating_add(self.part_len as u64);
            if let Some(end) = self.closed.take_if(|end| end.offset() >= wanted) {
                return Ok(Some(Piece::Part(self.cut(end))));
            }
        }
        Ok(None)
    }

    /// Returns the complete games that were read but not yet returned, if any.
    ///
    /// For use after a read error.
    #[doc(hidden)]
    pub fn into_rest(mut self) -> Option<Part<'static>> {
        self.whole_games()
    }

    fn whole_games(&mut self) -> Option<Part<'static>> {
        while matches!(self.state, CutState::Cutting) {
            match self.run() {
                Outcome::Stopped => self.note(self.game_end()),
                Outcome::Failed if !self.tokenizer.error().is_final() => self.pass_fault(),
                _ => break,
            }
        }
        let end = self.last_end()?;
        Some(self.cut(end))
    }

    /// Reads enough bytes to detect the charset, if detection is on.
    fn detect(&mut self) -> io::Result<()> {
        while !self.tokenizer.detect(&self.buffer, self.eof) {
            self.read()?;
        }
        self.start.seam.given = self.tokenizer.given();
        #[cfg(feature = "charset")]
        {
            self.detected = self.tokenizer.detected();
        }
        Ok(())
    }

    /// Returns the whole stream as one part if it is short. A file of one game is then not scanned twice.
    fn all_at_once(&mut self) -> io::Result<Option<Part<'static>>> {
        let most = self.part_len.min(usize::try_from(self.tokenizer.max_game_len()).unwrap_or(usize::MAX));
        while !self.eof && self.buffer.len() <= most {
            self.read()?;
        }
        if self.buffer.len() > most {
            return Ok(None);
        }
        self.state = CutState::Ended;
        Ok(self.rest())
    }

    /// Runs the tokenizer to the end of a game, or to the end of the buffer.
    fn run(&mut self) -> Outcome {
        let from = self.index(self.tokenizer.offset());
        if !self.tokenizer.is_strict() {
            self.tokenizer.skip_game();
        }
        self.tokenizer.run(&self.buffer[from..], self.eof, &mut &mut self.ends).outcome
    }

    /// Returns the index in the buffer of an offset.
    fn index(&self, offset: u64) -> usize {
        (offset - self.base) as usize
    }

    /// Returns the offset of the end of the buffer.
    fn buffer_end(&self) -> u64 {
        self.base + self.buffer.len() as u64
    }

    fn read(&mut self) -> io::Result<()> {
        self.eof = self.buffer.read_from(&mut self.inner, self.part_len)? == 0;
        Ok(())
    }

    /// Continues after a syntax error of strict mode.
    fn pass_fault(&mut self) {
        self.ends.forget_game();
        let error = self.tokenizer.error();
        if error.code() == Code::ValueTooLong {
            // The brackets, and half of a character.
            self.fault_end = error.position().offset.saturating_add(self.tokenizer.max_value_len()).saturating_add(3);
        }
        self.tokenizer.resync();
    }

    /// Returns the position of the tokenizer, between games.
    fn here(&self) -> End {
        End { seam: self.tokenizer.seam(), is_at_head: false }
    }

    /// Returns where a game has ended, and whether with a `)`. `None` if no part may end there: if the stream ended
    /// in the game, and in strict mode if the next game did, or before the end of the bytes that were searched for a
    /// syntax error, because there the error depends on the bytes after the end.
    fn game_end(&self) -> Option<(End, bool)> {
        let end = self.here();
        let in_front = &self.buffer[..self.index(end.offset())];
        let is_at_end = end.offset() == self.tokenizer.offset() && !self.tokenizer.is_at_head();
        let is_closed = is_at_end && in_front.ends_with(b")");
        let is_end = self.tokenizer.cut().is_none()
            && end.offset() >= self.fault_end
            && (is_closed || !self.tokenizer.is_strict());
        is_end.then_some((end, is_closed))
    }

    /// Returns whether the game that ends there exceeds the maximum length.
    fn is_too_long(&self, end: &End) -> bool {
        let start = self.tokenizer.game_offset();
        debug_assert!(start.is_some(), "a game that ends has begun");
        start.is_some_and(|start| end.offset() - start > self.tokenizer.max_game_len())
    }

    /// Returns the last known end.
    fn last_end(&mut self) -> Option<End> {
        let ends = [self.closed.take(), self.unclosed.take()];
        ends.into_iter().flatten().max_by_key(End::offset)
    }

    fn note(&mut self, end: Option<(End, bool)>) {
        match end {
            Some((end, true)) => self.closed = Some(end),
            Some((end, false)) => self.unclosed = Some(end),
            None => {}
        }
    }

    /// Returns whether too many bytes have been read to wait for a good end.
    fn must_end(&self) -> bool {
        let (most, end) = (self.tokenizer.max_game_len(), self.buffer_end());
        let is_game_too_long = self.tokenizer.open_game().is_some_and(|open| {
            let is_skipped = self.tokenizer.is_in_game() && !self.tokenizer.is_strict();
            let reaches = if is_skipped { self.tokenizer.offset() } else { end };
            reaches - open > most
        });
        is_game_too_long || end - self.base > most.saturating_add(self.part_len as u64)
    }

    /// Returns the best end of the part, if it must end.
    fn best_end(&mut self) -> Option<End> {
        let is_junk = self.tokenizer.is_outside() && self.tokenizer.offset() > self.start.offset();
        self.closed.take().or_else(|| self.unclosed.take()).or_else(|| is_junk.then(|| self.here()))
    }

    /// Returns the part up to an end that is not that of the stream. The bytes after it start the next one.
    fn cut(&mut self, end: End) -> Part<'static> {
        let index = self.index(end.offset());
        let bytes = self.buffer.cut(index, self.part_len);
        let start = mem::replace(&mut self.start, end);
        self.base = self.start.offset();
        for other in [&mut self.closed, &mut self.unclosed] {
            other.take_if(|other| other.offset() <= self.base);
        }
        Part {
            bytes,
            meets: Meets { before: start.is_at_head, after: self.start.is_at_head },
            seam: start.seam,
            goes_on: true,
        }
    }

    /// Returns the next part or long game; if reading fails, all whole games, then the error, then `None`.
    pub(crate) fn next_or_failure(&mut self) -> Option<io::Result<Piece>> {
        if let Some(failure) = self.failure.take() {
            return Some(Err(failure));
        }
        match self.next_piece() {
            Ok(piece) => piece.map(Ok),
            Err(failure) => Some(self.fail(failure).map(Piece::Part)),
        }
    }

    /// Ends after a read failure, with the whole games that have been read, if any.
    fn fail(&mut self, failure: io::Error) -> io::Result<Part<'static>> {
        let part = self.whole_games();
        self.state = CutState::Ended;
        let Some(part) = part else { return Err(failure) };
        self.failure = Some(failure);
        Ok(part)
    }

    /// Returns the last part at the end of the stream. `None` if no bytes are left, unless the part must report that
    /// the stream has no games.
    fn rest(&mut self) -> Option<Part<'static>> {
        let bytes = self.buffer.take();
        if bytes.is_empty() && (self.goes_on || self.tokenizer.has_games()) {
            return None;
        }
        let meets = Meets { before: self.start.is_at_head, after: true };
        Some(Part { bytes, seam: self.start.seam.clone(), goes_on: self.goes_on, meets })
    }

    // --- Games that are too long for a part -----------------------------------------------------

    /// Starts a long game after the last part; `end` is its end, if known.
    fn long(&mut self, end: Option<End>) -> Piece {
        self.state = CutState::Long(end);
        Piece::Long
    }

    /// Returns the bytes of the long game that have not been taken. They are empty only at its end. Sets `goes_on` if
    /// the long game has ended and others follow.
    fn long_bytes(&mut self, goes_on: &AtomicBool) -> io::Result<&[u8]> {
        while matches!(self.state, CutState::Long(None)) && self.long_reaches() == self.base {
            match self.run() {
                Outcome::Stopped => self.state = CutState::Long(self.game_end().map(|(end, _)| end)),
                Outcome::NeedMore => self.read()?,
                Outcome::Failed if !self.tokenizer.error().is_final() => self.pass_fault(),
                Outcome::Failed | Outcome::End => self.state = CutState::Ended,
            }
        }
        if matches!(self.state, CutState::Long(Some(_))) {
            goes_on.store(true, Ordering::Relaxed);
        }
        Ok(&self.buffer[..self.index(self.long_reaches())])
    }

    /// Consumes `len` bytes of the long game.
    fn take_long_bytes(&mut self, len: usize) {
        self.buffer.drop_front(len);
        self.base += len as u64;
    }

    /// Returns an offset before which the long game does not end.
    fn long_reaches(&self) -> u64 {
        match &self.state {
            CutState::Long(Some(end)) => end.offset(),
            CutState::Long(None) => self.tokenizer.offset(),
            CutState::Cutting | CutState::Ended => self.buffer_end(),
        }
    }

    /// Skips the rest of a long game.
    fn pass_long(&mut self) -> io::Result<()> {
        while let CutState::Long(end) = &mut self.state {
            if let Some(end) = end.take_if(|end| end.offset() == self.base) {
                self.start = end;
                self.state = CutState::Cutting;
                break;
            }
            let len = self.long_bytes(&AtomicBool::default())?.len();
            self.take_long_bytes(len);
        }
        Ok(())
    }

    /// Skips a long game. Fails with `GameTooLong` if it contained a game.
    #[cold]
    fn refuse_long(&mut self) -> Result<(), Error> {
        let start = self.start.offset();
        self.pass_long()?;
        match self.tokenizer.game_position() {
            Some(position) if position.offset >= start => {
                Err(self.tokenizer.error_of(Code::GameTooLong, position).into())
            }
            _ if matches!(self.state, CutState::Ended) && !self.tokenizer.has_games() => {
                Err(self.tokenizer.error().into())
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Iterator for Parts<R> {
    type Item = Result<Part<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_or_failure()? {
                Ok(Piece::Part(part)) => return Some(Ok(part)),
                Ok(Piece::Long) => match self.refuse_long() {
                    Ok(()) => {}
                    Err(Error::Io(failure)) => return Some(self.fail(failure).map_err(Error::from)),
                    Err(error) => return Some(Err(error)),
                },
                Err(failure) => return Some(Err(failure.into())),
            }
        }
    }
}

impl<R: fmt::Debug> fmt::Debug for Parts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("inner", &self.inner).field("base", &self.base).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
