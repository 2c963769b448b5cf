//! A codec of games as Rust values.

use std::fmt;
use std::io::{self, BufRead};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use tokio_util::codec::{Decoder, Encoder};

use super::frame::Frame;
use super::game::GameCodec;
use crate::de::{self, Games, Options};
use crate::read::parser::Parser;
use crate::read::reader::Reader;
use crate::ser;
use crate::syntax::error::SyntaxError;
use crate::syntax::tokenizer::Tokenizer;

/// A [`Decoder`] that deserializes each game into a `T`, and an [`Encoder`] for serializable games.
///
/// Created by [`Parser::record_codec`]; [`Parser::record_stream`] creates a stream of values directly. For the
/// mapping of types, see [`de`].
///
/// ```
/// use futures::StreamExt;
/// use sgf_stream::Parser;
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "HA")]
///     handicap: Option<u8>,
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let bytes = &b"(;PB[Shusaku];B[qd])(;PB[Shuei]HA[many];B[dd])(;PB[Jowa]HA[2])"[..];
/// let mut games = Parser::new().record_stream::<Game, _>(bytes);
/// let mut names = Vec::new();
/// while let Some(game) = games.next().await {
///     match game? {
///         Ok(game) => names.push(game.black),
///         Err(error) => names.push(format!("{error} (bytes {:?})", games.decoder().span())),
///     }
/// }
/// assert_eq!(
///     names,
///     ["Shusaku", "game 2, root, HA (byte 33): expected u8, found \"many\" (bytes 20..46)", "Jowa"],
/// );
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// An item is an error if the game does not fit the type, or if [`GameCodec`] would return an error. Values and
/// errors are those of [`Games`](de::Games), except that in strict mode the whole game is checked, including the
/// properties that the type skips.
///
/// # Encoding
///
/// It accepts any value that [`ser`] accepts, of any type: a game, or a sequence of games. A value that is an error
/// writes nothing.
///
/// ```
/// use std::collections::BTreeMap;
/// use futures::SinkExt;
/// use sgf_stream::codec::RecordCodec;
/// use tokio_util::codec::FramedWrite;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut games = FramedWrite::new(Vec::new(), RecordCodec::<()>::new());
/// games.send(BTreeMap::from([("PB", "Shusaku")])).await?;
/// assert!(games.send(BTreeMap::from([("PB", "tab\t")])).await.is_err());
/// games.send([BTreeMap::from([("HA", 2)]), BTreeMap::from([("HA", 3)])]).await?;
/// assert_eq!(games.get_ref(), b"(;PB[Shusaku])\n(;HA[2])\n(;HA[3])\n");
/// # Ok::<_, sgf_stream::ser::Error>(())
/// # })?;
/// # Ok::<_, sgf_stream::ser::Error>(())
/// ```
pub struct RecordCodec<T> {
    games: GameCodec,
    parser: Parser,
    /// A tokenizer with the settings of the parser.
    tokenizer: Tokenizer,
    options: Options,
    /// The reader of whole games, which is reused for each. (Never locked: threads share a codec only to ask for its
    /// position.)
    whole: Mutex<Option<Box<FrameGames<T>>>>,
    _type: PhantomData<fn() -> T>,
}

/// The reader of the games of frames.
type FrameGames<T> = Games<Reader<bytes::buf::Reader<Bytes>>, T>;

impl<T> RecordCodec<T> {
    /// Creates a lenient codec with the default limits. For others, use [`Parser::record_codec`].
    pub fn new() -> Self {
        Parser::new().record_codec()
    }

    pub(crate) fn with(parser: &Parser) -> Self {
        RecordCodec {
            games: parser.game_codec(),
            parser: parser.clone(),
            tokenizer: parser.tokenizer(),
            options: Options::new(),
            whole: Mutex::default(),
            _type: PhantomData,
        }
    }

    /// Sets the [`Options`].
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::de::Options;
    ///
    /// let options = Options::new().accept_truncated(true);
    /// let codec = Parser::new().record_codec::<std::collections::BTreeMap<String, String>>().options(options);
    /// assert_eq!(codec.game_index(), None);
    /// ```
    #[must_use]
    pub fn options(self, options: Options) -> Self {
        let games = self.games.accept_truncated(options.accepts_truncated);
        RecordCodec { games, options, whole: Mutex::default(), ..self }
    }

    /// Returns the charset detected at the start of the stream, if [`Decoding::sniff`] is on.
    ///
    /// `None` before the first event, and if the first game is ASCII or has a byte-order mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.games.detected_charset()
    }

    /// Returns the byte range of the last item; see [`GameCodec::span`].
    pub fn span(&self) -> Range<u64> {
        self.games.span()
    }

    /// Returns the number of the last game, from 0; `None` before the first.
    pub fn game_index(&self) -> Option<u64> {
        self.games.game_count().checked_sub(1)
    }
}

impl<T: DeserializeOwned> RecordCodec<T> {
    fn next(&mut self, src: &mut BytesMut, eof: bool) -> Option<de::Result<T>> {
        Some(match self.games.next(src, eof)? {
            Ok(frame) => self.record(frame),
            Err(error) => Err(self.fault(error)),
        })
    }

    fn record(&mut self, frame: Frame) -> de::Result<T> {
        let number = self.games.game_count() - 1;
        let tokenizer = frame.tokenizer(&self.tokenizer);
        let game = if frame.is_cut() {
            // The codec of games has already reported the missing end.
            let parser = self.parser.clone().filtered(|code| !code.is_about_bounds());
            self.games_of(parser.reader_with(tokenizer, frame.into_bytes().reader())).next()
        } else {
            let whole = self.whole.get_mut().unwrap_or_else(PoisonError::into_inner).take();
            let mut games = match whole {
                Some(mut games) => {
                    games.restart_with(tokenizer, frame.into_bytes().reader());
                    games
                }
                None => {
                    let reader = self.parser.reader_with(tokenizer, frame.into_bytes().reader());
                    let mut games = Box::new(self.games_of(reader));
                    // The codec of games has already passed the end.
                    if !self.parser.listener.is_some() && !self.tokenizer.is_strict() {
                        games.leave_rest();
                    }
                    games
                }
            };
            let game = games.next();
            games.let_go(Bytes::new().reader());
            self.whole = Mutex::new(Some(games));
            game
        };
        let game = game.unwrap_or_else(|| Err(de::Error::data("expected a game, found none")));
        game.map_err(|error| error.with_game(number))
    }

    /// Returns the games of a reader, with the settings of the codec.
    fn games_of<R: BufRead>(&self, reader: Reader<R>) -> Games<Reader<R>, T> {
        reader.games_with(self.options.accept_truncated(true))
    }

    #[cold]
    fn fault(&self, error: SyntaxError) -> de::Error {
        // The codec of games always counts lines; errors have them only on request, as in iterators.
        let error = de::Error::syntax(error, self.parser.tracks_lines() || error.is_final());
        match self.game_index() {
            Some(number) if self.games.is_about_game() => error.with_game(number),
            _ => error,
        }
    }
}

impl<T> Default for RecordCodec<T> {
    fn default() -> Self {
        RecordCodec::new()
    }
}

impl<T> fmt::Debug for RecordCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordCodec").field("games", &self.games).finish_non_exhaustive()
    }
}

impl<T: DeserializeOwned> Decoder for RecordCodec<T> {
    type Item = de::Result<T>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, false))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, true))
    }
}

impl<T, U: Serialize> Encoder<U> for RecordCodec<T> {
    type Error = ser::Error;

    fn encode(&mut self, games: U, dst: &mut BytesMut) -> ser::Result<()> {
        let before = dst.len();
        let written = crate::to_writer(dst.writer(), &games);
        if written.is_err() {
            dst.truncate(before);
        }
        written
    }
}
