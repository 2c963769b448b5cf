//! Whole games, as bytes.
//!
//! The tokenizer looks for the end of each game: in lenient mode by skipping, in strict mode by
//! reading, since there a fault is to be found. It is always ahead of what is kept: bytes that it is
//! done with stay in the buffer as long as they belong to a game that may still come out whole, and are
//! not looked at again.
//!
//! The limit is judged the same however the bytes come. A strict game is never read further than the
//! limit goes. The end of a lenient one may be found some way behind it (at the start of the next
//! game, when its `)` is missing), so it is too long when it is known not to end within the limit.

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

/// A [`Decoder`] that gives one whole game after the other, as a [`Frame`] of bytes: for games that are
/// stored, passed on, or parsed elsewhere, perhaps on another thread.
///
/// Made by [`Parser::game_codec`]; [`Parser::game_stream`] makes a stream of games at once.
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
/// An item is an error, and the next one comes:
///
/// * if the game is longer than [`Parser::max_game_len`]. What has come of it is let go, and what
///   comes of it is passed over.
/// * if the end of the data cuts the game off: see [`keep_cut`](Self::keep_cut).
/// * in strict mode, if there is a fault in the game or in front of it. In lenient mode a game is not
///   looked at closely: parse the frame for events, and for diagnostics of what is inside; a listener of
///   the codec's parser hears of what is between games, and of ends that are missing.
/// * if there is no SGF data in the whole stream.
///
/// Memory is bounded by one game of the greatest length allowed, and what is read at once. The bytes of a game are split off the read buffer if they are a
/// good part of it, and otherwise copied: a frame keeps at most four times its own length alive.
///
/// # Encoding
///
/// A [`Frame`], or the [`Bytes`] of a game, goes out as it is, with a line break after it: to pass games on. What is
/// encoded shares nothing with what is decoded, so that one codec does both ways of a connection.
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
/// // A codec of several kinds of items has to be told which kind of sink is closed.
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
    state: State,
    keeps_cut: bool,
    /// Where the last item is from.
    span: Range<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// In the rest of a game that was an error.
    PassingOver,
    Ended,
}

impl GameCodec {
    /// A lenient codec with the default limits. [`Parser::game_codec`] makes others.
    pub fn new() -> Self {
        Parser::new().game_codec()
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener) -> Self {
        GameCodec {
            tokenizer,
            listener,
            buffer: Buffer::default(),
            bounds: GameBounds::STARTS_AND_ENDS,
            state: State::Reading,
            keeps_cut: false,
            span: 0..0,
        }
    }

    /// Whether a game that the end of the data cuts off is given as far as it goes, in lenient mode.
    /// Default: no, it is an error.
    #[must_use]
    pub fn keep_cut(mut self, on: bool) -> Self {
        self.keeps_cut = on;
        self
    }

    /// The charset that was detected at the start of the stream, where [`Decoding::sniff`] asks for it: of a
    /// first game without byte-order mark and `CA` that is not in ASCII. `None` before the first event.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.tokenizer.detected()
    }

    /// The byte range of the last item: of a game, from its `(` to behind its `)`; of one with a fault,
    /// to the fault; of one that is too long, so much as may be read of it.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// How many games have begun, those that were errors too.
    pub fn game_count(&self) -> u64 {
        self.tokenizer.games()
    }

    /// Whether the last item was about a game, and not about what is between games.
    #[cfg(feature = "serde")]
    pub(super) fn is_about_game(&self) -> bool {
        self.tokenizer.game_offset() == Some(self.span.start)
    }

    pub(super) fn next(&mut self, src: &mut BytesMut, eof: bool) -> Option<Result<Frame, SyntaxError>> {
        self.buffer.enter(src);
        while self.state != State::Ended {
            let item = match self.run(src, eof) {
                Outcome::NeedMore => {
                    let item = self.is_too_long(src).then(|| Err(self.too_long()));
                    self.release(src);
                    return item;
                }
                Outcome::Stopped if self.tokenizer.is_in_game() => None,
                Outcome::Stopped => self.game_over(src),
                Outcome::Failed => Some(Err(self.fault())),
                Outcome::End => {
                    self.state = State::Ended;
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

    /// Bytes looked at so far.
    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.tokenizer.work()
    }

    /// To the next start or end of a game.
    fn run(&mut self, src: &BytesMut, eof: bool) -> Outcome {
        let in_game = self.tokenizer.is_in_game();
        let (mut input, mut eof) = (self.buffer.from(src, self.tokenizer.offset()), eof);
        if self.state == State::Reading {
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

    /// Where the last game begins.
    fn start(&self) -> u64 {
        self.tokenizer.game_offset().unwrap_or(0)
    }

    /// The last game may not reach beyond this offset.
    fn limit(&self) -> u64 {
        self.start().saturating_add(self.tokenizer.max_game_len())
    }

    /// What has come of the open game says that it is too long.
    fn is_too_long(&self, src: &BytesMut) -> bool {
        if self.state != State::Reading || !self.tokenizer.is_in_game() {
            return false;
        }
        let reaches = if self.tokenizer.is_strict() { self.buffer.end(src) } else { self.tokenizer.offset() };
        reaches > self.limit() || self.is_lost()
    }

    /// The last game was let go when only its `(` was known, and that it would be too long.
    fn is_lost(&self) -> bool {
        self.start() < self.buffer.at()
    }

    /// Leaves the last game, which is too long.
    #[cold]
    fn too_long(&mut self) -> SyntaxError {
        self.span = self.start()..self.limit();
        let position = self.position();
        if self.tokenizer.is_in_game() {
            self.pass_over();
        }
        SyntaxError::new(Code::GameTooLong, position)
    }

    /// Goes on behind the open game, or where it stands if none is open.
    fn pass_over(&mut self) {
        self.bounds.forget_game();
        let has_rest = match self.tokenizer.is_strict() {
            true => self.tokenizer.resync(),
            false => true, // that is what it does anyway
        };
        self.state = if has_rest { State::PassingOver } else { State::Reading };
    }

    fn position(&self) -> Position {
        let position = self.tokenizer.game_position();
        debug_assert!(position.is_some(), "a game has begun, and lines are counted");
        position.unwrap_or(Position::START)
    }

    /// A game has ended.
    fn game_over(&mut self, src: &mut BytesMut) -> Option<Result<Frame, SyntaxError>> {
        let (start, end) = (self.start(), self.tokenizer.game_end());
        if std::mem::replace(&mut self.state, State::Reading) == State::PassingOver {
            return None;
        }
        if end > self.limit() || self.is_lost() {
            return Some(Err(self.too_long()));
        }
        self.span = start..end;
        let cut = self.tokenizer.cut();
        if let (Some(cut), false) = (cut, self.keeps_cut) {
            return Some(Err(cut));
        }
        let bytes = self.buffer.take(src, start, (end - start) as usize);
        let is_cut = cut.is_some() || bytes.last() != Some(&b')');
        let (bom, given) = (self.tokenizer.has_bom(), self.tokenizer.given());
        Some(Ok(Frame { bytes, position: self.position(), is_cut, bom, given }))
    }

    /// A fault of strict mode, or no data in either.
    #[cold]
    fn fault(&mut self) -> SyntaxError {
        let error = self.tokenizer.error();
        let at = error.position().offset;
        self.span = if self.tokenizer.is_in_game() { self.start()..at } else { at..at };
        if error.is_final() {
            self.state = State::Ended;
        } else {
            self.pass_over();
        }
        error
    }

    /// Lets go of what is not needed any more.
    fn release(&mut self, src: &mut BytesMut) {
        let (done, most) = (self.tokenizer.offset(), self.tokenizer.max_game_len());
        let Some(open) = self.tokenizer.open_game() else { return self.buffer.release(src, done) };
        let is_kept = match self.tokenizer.is_in_game() {
            true => self.state == State::Reading,
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

/// A game that was read, byte for byte, and a line break. One that is [cut](Frame::is_cut) is not closed.
impl Encoder<Frame> for GameCodec {
    type Error = io::Error;

    fn encode(&mut self, game: Frame, dst: &mut BytesMut) -> io::Result<()> {
        self.encode(game.bytes, dst)
    }
}

/// The bytes of a game, which are not looked at, and a line break.
impl Encoder<Bytes> for GameCodec {
    type Error = io::Error;

    fn encode(&mut self, game: Bytes, dst: &mut BytesMut) -> io::Result<()> {
        dst.reserve(game.len() + 1);
        dst.extend_from_slice(&game);
        dst.extend_from_slice(b"\n");
        Ok(())
    }
}
