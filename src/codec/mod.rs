//! Events, games and records from tokio's streams of bytes, and back.
//!
//! Three codecs for [`FramedRead`], [`Framed`](tokio_util::codec::Framed) and
//! [`FramedWrite`](tokio_util::codec::FramedWrite):
//!
//! | codec | an item is | memory | for |
//! |---|---|---|---|
//! | [`EventCodec`] | an event | one value | programs that look at games as they arrive, and games of any length |
//! | [`GameCodec`] | a whole game, as bytes | one game | storing and passing on games; parsing them on other threads |
//! | `RecordCodec` (with `serde`) | a game as a Rust value | one game | everything else |
//!
//! A [`Parser`] makes them, and obeys: its mode, limits, charset and listener hold here as
//! everywhere. In one call, from anything that is `AsyncRead`:
//! [`event_stream`](crate::Parser::event_stream), [`game_stream`](crate::Parser::game_stream),
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
//!         Err(error) => eprintln!("{peer}: {error}"), // and the next game comes
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A body that comes as a stream of `Bytes` is `AsyncRead` by
//! [`StreamReader`](https://docs.rs/tokio-util/latest/tokio_util/io/struct.StreamReader.html):
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
//! The [cookbook](crate::guide::cookbook) has programs to copy.
//!
//! # Errors
//!
//! A `FramedRead` ends behind an error. So what is wrong with the data is an item, and the stream goes on
//! with the next game: `Some(Ok(Err(fault)))`. `Some(Err(error))` is an I/O error, and the end. With
//! [`TryStreamExt`](https://docs.rs/futures/latest/futures/stream/trait.TryStreamExt.html),
//! `while let Some(game) = games.try_next().await?` deals with these, and leaves the faults.
//!
//! The place of an item is known: [`EventCodec::offset`], [`Frame::position`], `RecordCodec::span`, each by
//! [`FramedRead::decoder`] where it is the codec's; errors carry theirs.
//!
//! # Writing
//!
//! The codecs are encoders too, for [`FramedWrite`](tokio_util::codec::FramedWrite): of events, of whole games as
//! bytes, and of whatever serde can serialize. Each takes several types of items, so a call that names no item, as
//! `close`, has to say which sink is meant; any type that the codec takes will do.
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
//! Nothing is kept in futures. A codec's state is in the codec, bytes that it is not done with are in the
//! buffer of the `FramedRead`. So `next` may be used in `select!` and with timeouts: a future that is dropped
//! loses nothing, and the next one goes on. Nor does a codec read ahead of what is asked for: who takes no
//! items takes no bytes, and the peer has to wait.
//!
//! # Peers that nobody trusts
//!
//! What a peer can make a program hold is bounded: whatever it sends, a codec keeps what the table above
//! says, and the `FramedRead` a buffer of no more than twice that (64 KiB at least, from the calls above;
//! [`FramedRead::with_capacity`] makes smaller ones). For a server of many connections:
//!
//! * [`Parser::max_game_len`](crate::Parser::max_game_len) times the number of connections should fit into
//!   memory. The default, 16 MiB, is for the archives of the world; a single game has rarely more than
//!   100 KB.
//! * [`Parser::max_value_len`](crate::Parser::max_value_len) does the same for `EventCodec`. The whole games of
//!   a `GameCodec` may hold longer values, since it does not look at them; who parses the frames drops them.
//! * Time is up to you: put `tokio::time::timeout` around `next`. It ends those who send nothing, and
//!   those who send a game byte by byte. `examples/ingest.rs` does, and bounds the number of connections.

mod buffer;
mod event;
mod frame;
mod game;
#[cfg(feature = "serde")]
mod record;
#[cfg(test)]
mod tests;

use tokio::io::AsyncRead;
pub use tokio_util::codec::FramedRead;

pub use self::event::EventCodec;
pub use self::frame::Frame;
pub use self::game::GameCodec;
#[cfg(feature = "serde")]
pub use self::record::RecordCodec;
use crate::read::parser::Parser;
use crate::syntax::fault::Code;

/// The read buffer of streams that are made in one call, in bytes.
pub(crate) const BUFFER: usize = 64 * 1024;

impl Parser {
    /// A decoder of tokio's that gives events, and an encoder that takes them.
    pub fn event_codec(&self) -> EventCodec {
        EventCodec::with(self.tokenizer(), self.listener.clone())
    }

    /// A decoder of tokio's that gives whole games, as bytes.
    pub fn game_codec(&self) -> GameCodec {
        let tokenizer = self.clone().count_lines(true).tokenizer(); // its errors name lines
        let listener = match self.config.max_depth {
            0 => self.listener.clone(),
            // The other faults of a game are reported by the parser that reads its frame.
            _ => self.listener.filtered(Code::is_about_bounds),
        };
        GameCodec::with(tokenizer, listener)
    }

    /// A decoder of tokio's that gives games as Rust values, and an encoder that takes them.
    #[cfg(feature = "serde")]
    pub fn record_codec<T>(&self) -> RecordCodec<T> {
        RecordCodec::with(self)
    }

    /// The events of a stream of bytes, as they come: a [`Stream`](FramedRead) with a buffer of
    /// 64 KiB.
    pub fn event_stream<R: AsyncRead>(&self, io: R) -> FramedRead<R, EventCodec> {
        FramedRead::with_capacity(io, self.event_codec(), BUFFER)
    }

    /// The games of a stream of bytes, as they come.
    pub fn game_stream<R: AsyncRead>(&self, io: R) -> FramedRead<R, GameCodec> {
        FramedRead::with_capacity(io, self.game_codec(), BUFFER)
    }

    /// The games of a stream of bytes, each as a `T`, as they come.
    #[cfg(feature = "serde")]
    pub fn record_stream<T, R>(&self, io: R) -> FramedRead<R, RecordCodec<T>>
    where
        T: serde::de::DeserializeOwned,
        R: AsyncRead,
    {
        FramedRead::with_capacity(io, self.record_codec(), BUFFER)
    }
}
