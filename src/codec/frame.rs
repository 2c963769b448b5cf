//! The bytes of one game.

use std::ops::Range;

use bytes::Bytes;

use crate::read::parser::Parser;
use crate::read::reader::Reader;
use crate::syntax::diagnostic::Position;
use crate::syntax::tokenizer::Tokenizer;
use crate::syntax::tokenizer::declared::Given;

/// The bytes of one game in a stream, from `(` to `)`; see [`GameCodec`](super::GameCodec).
///
/// Parsed alone, it yields the same events as in the stream, even if it has syntax errors. (If the next game
/// truncates a value, [`Parser::value_parts`] yields fewer fragments.)
///
/// ```
/// use futures::StreamExt;
/// use sgf_stream::{Event, Parser};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let parser = Parser::new();
/// let mut games = parser.game_stream(&b"(;FF[4];B[qd])\n(;FF[4];B[dd];W[pp])"[..]);
/// let mut moves = Vec::new();
/// while let Some(game) = games.next().await {
///     let game = game??; // an I/O error ends the stream, another error only its game
///     let mut reader = game.reader(&parser);
///     while let Some(event) = reader.next_event()? {
///         if matches!(event, Event::Property(ident) if ident == "B" || ident == "W") {
///             moves.push(reader.offset());
///         }
///     }
/// }
/// assert_eq!(moves, [8, 23, 29]);
/// # Ok::<_, sgf_stream::Error>(())
/// # })?;
/// # Ok::<_, sgf_stream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    pub(super) bytes: Bytes,
    pub(super) position: Position,
    /// Whether its closing `)` is missing.
    pub(super) is_cut: bool,
    /// Whether the stream starts with a byte-order mark.
    pub(super) bom: bool,
    pub(super) given: Given,
}

impl Frame {
    /// Returns the bytes of the game.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the bytes of the game, consuming the frame.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Returns the position of its start in the stream.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns its byte range in the stream.
    pub fn span(&self) -> Range<u64> {
        self.position.offset..self.position.offset + self.bytes.len() as u64
    }

    /// Returns whether its `)` is missing.
    ///
    /// The next game or the end of the data then came before it. Parsing closes the game.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns a reader of the game whose offsets, lines and errors refer to the stream.
    pub fn reader(&self, parser: &Parser) -> Reader<&[u8]> {
        parser.reader_with(self.tokenizer(&parser.tokenizer()), &self.bytes)
    }

    /// Returns a tokenizer of the game with the settings of another.
    pub(super) fn tokenizer(&self, settings: &Tokenizer) -> Tokenizer {
        settings.restart_at_game(self.position, self.bom, self.given)
    }
}

impl AsRef<[u8]> for Frame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Frame> for Bytes {
    fn from(frame: Frame) -> Bytes {
        frame.bytes
    }
}
