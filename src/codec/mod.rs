//! Tokio codecs for events, games and Rust values.
//!
//! Four codecs for [`FramedRead`], [`Framed`](tokio_util::codec::Framed) and
//! [`FramedWrite`](tokio_util::codec::FramedWrite):
//!
//! | codec | item | memory | for |
//! |---|---|---|---|
//! | [`EventCodec`] | an event | one value | programs that process games as they arrive, and games of any length |
//! | [`EventListCodec`] | the events of one read, as a list | one read, one value | like `EventCodec`, but faster, even through adapters and channels |
//! | [`GameCodec`] | a whole game, as bytes | one game | storing and forwarding games; parsing them on other threads |
//! | `RecordCodec` (with `serde`) | a game as a Rust value | one game | everything else |
//!
//! A [`Parser`] creates them, and its mode, limits, charset and callbacks apply. Four methods create a stream
//! directly from any `AsyncRead`: [`event_stream`](crate::Parser::event_stream),
//! [`event_list_stream`](crate::Parser::event_list_stream), [`game_stream`](crate::Parser::game_stream),
//! `record_stream`.
//!
//! ```no_run
//! use futures::StreamExt;
//! use sgf_stream::Parser;
//! use tokio::net::TcpListener;
//!
//! #[derive(serde::Deserialize)]
//! struct Game {
//!     #[serde(rename = "PB", default)]
//!     black: String,
//! }
//!
//! # async fn serve() -> std::io::Result<()> {
//! let parser = Parser::new().max_game_len(1 << 20);
//! let (socket, peer) = TcpListener::bind("127.0.0.1:7777").await?.accept().await?;
//! let mut games = parser.record_stream::<Game, _>(socket);
//! while let Some(game) = games.next().await {
//!     match game? {
//!         Ok(game) => println!("{peer}: {}", game.black),
//!         Err(error) => eprintln!("{peer}: {error}"), // continue with the next game
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A body that is a stream of `Bytes` becomes an `AsyncRead` through `tokio_util::io::StreamReader`:
//!
//! ```
//! use futures::{StreamExt, stream};
//! use sgf_stream::Parser;
//! use tokio_util::io::StreamReader;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let body = stream::iter([&b"(;FF[4]PB[Shu"[..], b"saku];B[q", b"d])(;FF[4])"].map(Ok::<_, std::io::Error>));
//! let games = Parser::new().game_stream(StreamReader::new(body));
//! let lengths: Vec<usize> = games.map(|game| game.unwrap().unwrap().bytes().len()).collect().await;
//! assert_eq!(lengths, [25, 8]);
//! # });
//! # Ok::<_, std::io::Error>(())
//! ```
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.
//!
//! # Error handling
//!
//! A `FramedRead` ends after an error. An error in the data is therefore an item, `Some(Ok(Err(error)))`, and the
//! stream continues with the next game. `Some(Err(error))` is an I/O error, and the stream ends. With
//! `futures::TryStreamExt`, `while let Some(game) = games.try_next().await?` handles I/O errors, and yields the
//! others as items.
//!
//! For the position of an item use [`EventCodec::offset`], [`Frame::position`] or `RecordCodec::span`, available
//! through [`FramedRead::decoder`]; errors have their position.
//!
//! # Writing
//!
//! The codecs are also encoders for [`FramedWrite`](tokio_util::codec::FramedWrite): for events, for whole games as
//! bytes, and for any value that serde can serialize. Each accepts several types of items, so a call without an item,
//! such as `close`, must name an item type; any type that the codec accepts will do.
//!
//! ```
//! use std::collections::BTreeMap;
//! use futures::SinkExt;
//! use sgf_stream::codec::RecordCodec;
//! use tokio_util::codec::FramedWrite;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let mut games = FramedWrite::new(Vec::new(), RecordCodec::<()>::new());
//! games.send(BTreeMap::from([("PB", "Shusaku")])).await?;
//! SinkExt::<()>::close(&mut games).await?; // flushes, and shuts the connection down
//! assert_eq!(games.into_inner(), b"(;PB[Shusaku])\n");
//! # Ok::<_, sgf_stream::ser::Error>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cancel safety
//!
//! Futures hold no state. A codec keeps its own state, and unconsumed bytes are in the buffer of the `FramedRead`.
//! You can therefore use `next` in `select!` and with timeouts: dropping a future loses nothing, and the next one
//! continues. A codec also does not read ahead: if the caller takes no items, no bytes are read, and the peer must
//! wait.
//!
//! # Untrusted peers
//!
//! The memory that a peer can make a program use is limited. For any input, a codec keeps only the content in the
//! table above, and the `FramedRead` a buffer of at most twice that (at least 64 KiB with the calls above;
//! [`FramedRead::with_capacity`] creates smaller ones). For a server with many connections:
//!
//! * [`Parser::max_game_len`](crate::Parser::max_game_len) times the number of connections should fit into memory.
//!   The default, 16 MiB, is enough for every collection we know of; a game is rarely larger than 100 KB.
//! * [`Parser::max_value_len`](crate::Parser::max_value_len) limits `EventCodec` in this way. The whole games of
//!   a `GameCodec` may contain longer values, since it does not check them; parsing the frames drops those.
//! * Time limits are up to the program: wrap `next` in `tokio::time::timeout`. This stops peers that send nothing,
//!   and peers that send a game byte by byte. `examples/ingest.rs` uses such timeouts, and limits the number of
//!   connections.

mod buffer;
mod event;
mod event_list;
mod frame;
mod game;
#[cfg(feature = "serde")]
mod record;
#[cfg(test)]
mod tests;

use tokio::io::AsyncRead;
pub use tokio_util::codec::FramedRead;

pub use self::event::EventCodec;
pub use self::event_list::EventListCodec;
pub use self::frame::Frame;
pub use self::game::GameCodec;
#[cfg(feature = "serde")]
pub use self::record::RecordCodec;
use crate::read::parser::Parser;
use crate::syntax::fault::Code;

/// Size in bytes of the read buffer of streams created in one call.
pub(crate) const BUFFER: usize = 64 * 1024;

impl Parser {
    /// Creates a tokio decoder and encoder of events.
    pub fn event_codec(&self) -> EventCodec {
        EventCodec::with(self.tokenizer(), self.listener.clone())
    }

    /// Creates a tokio decoder and encoder of events in lists.
    pub fn event_list_codec(&self) -> EventListCodec {
        EventListCodec::with(self.tokenizer(), self.listener.clone(), self.event_codec())
    }

    /// Creates a tokio decoder and encoder of whole games as bytes.
    pub fn game_codec(&self) -> GameCodec {
        let tokenizer = self.clone().count_lines(true).tokenizer(); // the codec's errors have lines
        let listener = match self.config.max_depth {
            0 => self.listener.clone(),
            // The parser that reads its frame reports the other diagnostics of a game.
            _ => self.listener.filtered(Code::is_about_bounds),
        };
        GameCodec::with(tokenizer, listener)
    }

    /// Creates a tokio decoder and encoder of games as Rust values.
    #[cfg(feature = "serde")]
    pub fn record_codec<T>(&self) -> RecordCodec<T> {
        RecordCodec::with(self)
    }

    /// Returns a [`Stream`](FramedRead) of the events in a byte stream.
    ///
    /// It has a buffer of 64 KiB.
    pub fn event_stream<R: AsyncRead>(&self, io: R) -> FramedRead<R, EventCodec> {
        FramedRead::with_capacity(io, self.event_codec(), BUFFER)
    }

    /// Returns a [`Stream`](FramedRead) of lists of the events in a byte stream.
    ///
    /// It has a buffer of 64 KiB.
    pub fn event_list_stream<R: AsyncRead>(&self, io: R) -> FramedRead<R, EventListCodec> {
        FramedRead::with_capacity(io, self.event_list_codec(), BUFFER)
    }

    /// Returns a [`Stream`](FramedRead) of the games in a byte stream.
    pub fn game_stream<R: AsyncRead>(&self, io: R) -> FramedRead<R, GameCodec> {
        FramedRead::with_capacity(io, self.game_codec(), BUFFER)
    }

    /// Returns a [`Stream`](FramedRead) of the games in a byte stream, each as a `T`.
    #[cfg(feature = "serde")]
    pub fn record_stream<T, R>(&self, io: R) -> FramedRead<R, RecordCodec<T>>
    where
        T: serde::de::DeserializeOwned,
        R: AsyncRead,
    {
        FramedRead::with_capacity(io, self.record_codec(), BUFFER)
    }
}
