//! A server that takes games: SGF comes in over TCP, from many at once, and a line of JSON goes back for each
//! game: who played, or what is wrong with it and where.
//!
//! ```sh
//! cargo run --release --features codec --example ingest -- 127.0.0.1:7777
//! cargo run --release --features codec --example send -- 127.0.0.1:7777 tests/data
//! ```
//!
//! Nobody can make it hold more than a game of a megabyte, nor wait longer than half a minute for one.
//! Ctrl-C stops it: it accepts nobody, and says what it has to say to those who are there.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use sgf_stream::codec::RecordCodec;
use sgf_stream::value::{GameResult, go::Move};
use sgf_stream::{Parser, de};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the server wants to know of a game. A game that says something else here is at fault.
#[derive(Deserialize)]
struct Game {
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[derive(Deserialize)]
#[allow(dead_code)] // that a move is one is enough
enum Step {
    B(Move),
    W(Move),
    #[serde(other)]
    Other,
}

/// What a peer may ask of the server.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The longest game, in bytes.
    pub(crate) game_len: usize,
    /// How long a peer may take for a game, and for an answer.
    pub(crate) patience: Duration,
    /// So many peers at once. Others wait.
    pub(crate) peers: usize,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on {}", listener.local_addr()?);
    let stop = CancellationToken::new();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                stop.cancel();
            }
        }
    });
    serve(listener, Limits { game_len: 1 << 20, patience: Duration::from_secs(30), peers: 1000 }, stop).await;
    Ok(())
}

/// Accepts peers until `stop`; then waits for those who are there.
pub(crate) async fn serve(listener: TcpListener, limits: Limits, stop: CancellationToken) {
    let (peers, room) = (TaskTracker::new(), Arc::new(Semaphore::new(limits.peers)));
    let accept = async || {
        let seat = Arc::clone(&room).acquire_owned().await.expect("the room is never closed");
        (seat, listener.accept().await)
    };
    while let Some((seat, accepted)) = stop.run_until_cancelled(accept()).await {
        match accepted {
            Ok((socket, peer)) => {
                let stop = stop.clone();
                peers.spawn(async move {
                    if let Err(error) = answer(socket, limits, stop).await {
                        eprintln!("{peer}: {error}");
                    }
                    drop(seat);
                });
            }
            // This one is gone, or there are too many files open: no reason to leave the others alone.
            Err(error) => {
                eprintln!("{error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    peers.close();
    peers.wait().await;
}

/// Answers the games of one peer, one by one: who does not take the answers is not asked for more games.
async fn answer(
    socket: TcpStream,
    limits: Limits,
    stop: CancellationToken,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut from, to) = socket.into_split();
    let codec: RecordCodec<Game> = Parser::strict().max_game_len(limits.game_len).record_codec();
    let mut games = FramedRead::new(&mut from, codec);
    let mut answers = FramedWrite::new(to, LinesCodec::new());
    // `next` may be dropped at any time, and loses nothing.
    while let Some(next) = stop.run_until_cancelled(timeout(limits.patience, games.next())).await {
        let (line, is_last) = match next {
            Ok(Some(game)) => (describe(game?, games.decoder()), false),
            Ok(None) => return Ok(()),
            Err(_) => (json!({ "error": "too-slow" }), true),
        };
        timeout(limits.patience, answers.send(line.to_string())).await??;
        if is_last {
            break;
        }
    }
    // It may still be sending: to close a socket with bytes in it would take the last answers with it.
    answers.get_mut().shutdown().await?;
    let _ = timeout(Duration::from_secs(1), tokio::io::copy(&mut from, &mut tokio::io::sink())).await;
    Ok(())
}

fn describe(game: Result<Game, de::Error>, codec: &RecordCodec<Game>) -> Value {
    let bytes = [codec.span().start, codec.span().end];
    match game {
        Ok(game) => json!({
            "game": codec.game_index(),
            "bytes": bytes,
            "black": game.black,
            "white": game.white,
            "result": game.result.map(|result| result.to_string()),
            "moves": game.moves.iter().filter(|step| !matches!(step, Step::Other)).count(),
        }),
        Err(error) => json!({
            "game": error.game(), // none, if it is between games
            "bytes": bytes,
            "error": error.code().map_or("not-a-game-of-go", |code| code.as_str()),
            "at": error.offset(),
            "node": error.node(),
            "property": error.property(),
            "message": error.message(),
        }),
    }
}
