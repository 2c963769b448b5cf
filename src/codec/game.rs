//! A codec of whole games as bytes.
//!
//! The tokenizer searches for the end of each game: in lenient mode it skips, in strict mode it reads, since syntax
//! errors must be found. It is always ahead of the bytes that are kept: consumed bytes stay in the buffer as long as
//! they belong to a game that may still be returned, and are not scanned again.
//!
//! The length limit does not depend on the chunks. A strict game is never read beyond the limit. The end of a lenient
//! one may be found only later (at the start of the next game, if its `)` is missing), so the game is too long once
//! it is certain that it does not end within the limit.

use std::io;
use std::ops::Range;

use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::buffer::Buffer;
use super::frame::Frame;
use crate::node::GameBounds;
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::error::SyntaxError;
use crate::syntax::tokenizer::{Outcome, Tokenizer};

/// A [`Decoder`] of whole games as [`Frame`]s of bytes, and an [`Encoder`] for them.
///
/// For programs that store or forward games, or parse them elsewhere, perhaps on another thread.
///
/// Created by [`Parser::game_codec`]; [`Parser::game_stream`] creates a stream of games directly.
///
/// ```
/// use futures::StreamExt;
/// use sgf_stream::{Code, Parser};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let parser = Parser::new().max_game_len(20);
/// let bytes = &b"(;B[qd];W[dc]) From: mail (;C[longer than it may be]) (;B[dd]) (;B[cut"[..];
/// let mut games = parser.game_stream(bytes);
///
/// assert_eq!(games.next().await.unwrap()??.bytes(), "(;B[qd];W[dc])");
/// let error = games.next().await.unwrap()?.unwrap_err();
/// assert_eq!((error.code(), error.position().offset), (Code::GameTooLong, 26));
/// let game = games.next().await.unwrap()??;
/// assert_eq!((&game.bytes()[..], game.span()), (&b"(;B[dd])"[..], 54..62));
/// let error = games.next().await.unwrap()?.unwrap_err();
/// assert_eq!((error.code(), error.position().offset), (Code::UnclosedTree, 70));
/// assert!(games.next().await.is_none());
/// # Ok::<_, sgf_stream::Error>(())
/// # })?;
/// # Ok::<_, sgf_stream::Error>(())
/// ```
///
/// An item is an error in these cases, and the stream continues with the next game:
///
/// * The game is longer than [`Parser::max_game_len`]. The bytes received so far are dropped, and the rest is
///   skipped.
/// * The end of the data truncates the game; see [`accept_truncated`](Self::accept_truncated).
/// * In strict mode, the game has a syntax error, or one precedes it. In lenient mode the inside of a game is not
///   checked: parse the frame for events and diagnostics. The callback of the codec's parser receives only
///   diagnostics about bytes between games and about missing ends.
/// * The whole stream has no SGF data.
///
/// Memory is limited to one game of the maximum length, and one read. The bytes of a game are split off the read
/// buffer if they are a substantial part of it, and otherwise copied: a frame keeps at most four times its own length
/// alive.
///
/// # Encoding
///
/// A [`Frame`] or the [`Bytes`] of a game are written unchanged, followed by a line break. Encoding shares no state
/// with decoding, so one codec serves both directions of a connection.
///
/// ```
/// use futures::{SinkExt, StreamExt};
/// use sgf_stream::codec::{Frame, GameCodec};
/// use sgf_stream::Parser;
/// use tokio_util::codec::FramedWrite;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut games = Parser::new().game_stream(&b"(;B[qd]) mail (;B[dd])"[..]);
/// let mut passed_on = FramedWrite::new(Vec::new(), GameCodec::new());
/// while let Some(game) = games.next().await {
///     passed_on.send(game??).await?;
/// }
/// // This codec encodes several types of items, so `close` must name one of them.
/// SinkExt::<Frame>::close(&mut passed_on).await?;
/// assert_eq!(passed_on.get_ref(), b"(;B[qd])\n(;B[dd])\n");
/// # Ok::<_, sgf_stream::Error>(())
/// # })?;
/// # Ok::<_, sgf_stream::Error>(())
/// ```
#[derive(Debug)]
pub struct GameCodec {
    tokenizer: Tokenizer,
    listener: Listener,
    buffer: Buffer,
    bounds: GameBounds,
    state: Stage,
    accepts_truncated: bool,
    /// Byte range of the last item.
    span: Range<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Reading,
    /// Skipping the rest of a game that was an error.
    Discarding,
    Ended,
}

impl GameCodec {
    /// Creates a lenient codec with the default limits. For others, use [`Parser::game_codec`].
    pub fn new() -> Self {
        Parser::new().game_codec()
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener) -> Self {
        GameCodec {
            tokenizer,
            listener,
            buffer: Buffer::default(),
            bounds: GameBounds::STARTS_AND_ENDS,
            state: Stage::Reading,
            accepts_truncated: false,
            span: 0..0,
        }
    }

    /// Sets whether lenient mode returns a game truncated by the end of the data.
    ///
    /// Default: false; it is an error.
    #[must_use]
    pub fn accept_truncated(mut self, on: bool) -> Self {
        self.accepts_truncated = on;
        self
    }

    /// Returns the charset detected at the start of the stream, if [`Decoding::sniff`] is on.
    ///
    /// `None` before the first event, and if the first game is ASCII or has a byte-order mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.tokenizer.detected()
    }

    /// Returns the byte range of the last item.
    ///
    /// A game's range is from its `(` to its `)`. It ends at the error for a game with a syntax error, and at the
    /// limit for one that is too long.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// Returns the number of games that have started, including errors.
    pub fn game_count(&self) -> u64 {
        self.tokenizer.games()
    }

    /// Returns whether the last item was about a game, not about bytes between games.
    #[cfg(feature = "serde")]
    pub(super) fn is_about_game(&self) -> bool {
        self.tokenizer.game_offset() == Some(self.span.start)
    }

    pub(super) fn next(&mut self, src: &mut BytesMut, eof: bool) -> Option<Result<Frame, SyntaxError>> {
        self.buffer.enter(src);
        while self.state != Stage::Ended {
            let item = match self.run(src, eof) {
                Outcome::NeedMore => {
                    let item = self.is_too_long(src).then(|| Err(self.too_long()));
                    self.release(src);
                    return item;
                }
                Outcome::Stopped if self.tokenizer.is_in_game() => None,
                Outcome::Stopped => self.finish_game(src),
                Outcome::Failed => Some(Err(self.fault())),
                Outcome::End => {
                    self.state = Stage::Ended;
                    None
                }
            };
            if item.is_some() {
                return item;
            }
        }
        self.buffer.release(src, self.buffer.end(src));
        None
    }

    /// Returns the number of bytes scanned so far.
    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.tokenizer.work()
    }

    /// Runs to the next start or end of a game.
    fn run(&mut self, src: &BytesMut, eof: bool) -> Outcome {
        let in_game = self.tokenizer.is_in_game();
        let (mut input, mut eof) = (self.buffer.from(src, self.tokenizer.offset()), eof);
        if self.state == Stage::Reading {
            match (self.tokenizer.is_strict(), in_game) {
                (false, false) => _ = self.tokenizer.skip_game(),
                (true, true) => {
                    let room = self.limit().saturating_sub(self.tokenizer.offset());
                    if room < input.len() as u64 {
                        (input, eof) = (&input[..room as usize], false);
                    }
                }
                _ => {}
            }
        }
        let mut sink = Listening { sink: &mut self.bounds, listener: &self.listener };
        self.tokenizer.run(input, eof, &mut sink).outcome
    }

    /// Returns the offset where the last game starts.
    fn start(&self) -> u64 {
        self.tokenizer.game_offset().unwrap_or(0)
    }

    /// Returns the offset that the last game may not exceed.
    fn limit(&self) -> u64 {
        self.start().saturating_add(self.tokenizer.max_game_len())
    }

    /// Returns whether the bytes of the open game so far show that it is too long.
    fn is_too_long(&self, src: &BytesMut) -> bool {
        if self.state != Stage::Reading || !self.tokenizer.is_in_game() {
            return false;
        }
        let reaches = if self.tokenizer.is_strict() { self.buffer.end(src) } else { self.tokenizer.offset() };
        reaches > self.limit() || self.is_lost()
    }

    /// Returns whether the last game was dropped after only its `(` because it would be too long.
    fn is_lost(&self) -> bool {
        self.start() < self.buffer.at()
    }

    /// Drops the last game because it is too long.
    #[cold]
    fn too_long(&mut self) -> SyntaxError {
        self.span = self.start()..self.limit();
        let position = self.position();
        if self.tokenizer.is_in_game() {
            self.discard_rest();
        }
        self.tokenizer.error_of(Code::GameTooLong, position)
    }

    /// Skips the rest of the open game, or continues if none is open.
    fn discard_rest(&mut self) {
        self.bounds.forget_game();
        let has_rest = match self.tokenizer.is_strict() {
            true => self.tokenizer.resync(),
            false => true, // lenient mode skips anyway
        };
        self.state = if has_rest { Stage::Discarding } else { Stage::Reading };
    }

    fn position(&self) -> Position {
        let position = self.tokenizer.game_position();
        debug_assert!(position.is_some(), "a game has begun, and lines are counted");
        position.unwrap_or(Position::START)
    }

    /// Returns a game that has ended.
    fn finish_game(&mut self, src: &mut BytesMut) -> Option<Result<Frame, SyntaxError>> {
        let (start, end) = (self.start(), self.tokenizer.game_end());
        if std::mem::replace(&mut self.state, Stage::Reading) == Stage::Discarding {
            return None;
        }
        if end > self.limit() || self.is_lost() {
            return Some(Err(self.too_long()));
        }
        self.span = start..end;
        let cut = self.tokenizer.cut();
        if let (Some(cut), false) = (cut, self.accepts_truncated) {
            return Some(Err(cut));
        }
        let bytes = self.buffer.take(src, start, (end - start) as usize);
        let is_cut = cut.is_some() || bytes.last() != Some(&b')');
        let (bom, given) = (self.tokenizer.has_bom(), self.tokenizer.given());
        Some(Ok(Frame { bytes, position: self.position(), is_cut, bom, given }))
    }

    /// Returns a syntax error of strict mode, or the error of a stream without SGF data.
    #[cold]
    fn fault(&mut self) -> SyntaxError {
        let error = self.tokenizer.error();
        let at = error.position().offset;
        self.span = if self.tokenizer.is_in_game() { self.start()..at } else { at..at };
        if error.is_final() {
            self.state = Stage::Ended;
        } else {
            self.discard_rest();
        }
        error
    }

    /// Releases bytes that are no longer needed.
    fn release(&mut self, src: &mut BytesMut) {
        let (done, most) = (self.tokenizer.offset(), self.tokenizer.max_game_len());
        let Some(open) = self.tokenizer.open_game() else { return self.buffer.release(src, done) };
        let is_kept = match self.tokenizer.is_in_game() {
            true => self.state == Stage::Reading,
            false => done - open <= most, // a `(` that may start a game
        };
        self.buffer.release(src, if is_kept { open } else { done });
    }
}

impl Default for GameCodec {
    fn default() -> Self {
        GameCodec::new()
    }
}

impl Decoder for GameCodec {
    type Item = Result<Frame, SyntaxError>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, false))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, true))
    }
}

/// Writes a game byte for byte, and a line break. A [truncated](Frame::is_cut) game is not closed.
impl Encoder<Frame> for GameCodec {
    type Error = io::Error;

    fn encode(&mut self, game: Frame, dst: &mut BytesMut) -> io::Result<()> {
        self.encode(game.bytes, dst)
    }
}

/// Writes the bytes of a game unchecked, and a line break.
impl Encoder<Bytes> for GameCodec {
    type Error = io::Error;

    fn encode(&mut self, game: Bytes, dst: &mut BytesMut) -> io::Result<()> {
        dst.reserve(game.len() + 1);
        dst.extend_from_slice(&game);
        dst.extend_from_slice(b"\n");
        Ok(())
    }
}
