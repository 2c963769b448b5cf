//! A server that receives SGF over TCP from many peers at once, and replies to each game with a line of JSON: the
//! players, or the error and its location.
//!
//! ```sh
//! cargo run --release --features codec --example ingest -- 127.0.0.1:7777
//! cargo run --release --features codec --example send -- 127.0.0.1:7777 tests/data
//! ```
//!
//! It buffers at most one game of 1 MiB per peer, and waits at most 30 seconds for a game. At the connection limit, the
//! longest-idle peer is disconnected to admit a new one. On Ctrl-C or SIGTERM the server accepts no more peers, replies
//! to the games it has received, and stops.

use std::collections::HashMap;
use std::error::Error;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use sgf_stream::codec::RecordCodec;
use sgf_stream::value::{Color, GameResult, go::Move};
use sgf_stream::{Parser, de};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The properties that the server reads. A game with an invalid value among them is an error.
#[derive(Deserialize)]
struct Game {
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    moves: Vec<(Color, Move)>,
}

/// Limits for the peers.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum length of a game, in bytes.
    pub(crate) game_len: usize,
    /// Timeout for receiving a game, and for sending a reply.
    pub(crate) patience: Duration,
    /// Number of peers served at once. Others wait for a seat.
    pub(crate) peers: usize,
    /// Time without a game after which a peer may lose its seat to a waiting one.
    pub(crate) grace: Duration,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on {}", listener.local_addr()?);
    let stop = CancellationToken::new();
    let shutdown = shutdown_signal()?;
    tokio::spawn({
        let stop = stop.clone();
        async move {
            shutdown.await;
            stop.cancel();
        }
    });
    let limits =
        Limits { game_len: 1 << 20, patience: Duration::from_secs(30), peers: 1000, grace: Duration::from_secs(1) };
    serve(listener, limits, stop).await;
    Ok(())
}

/// Returns a future that completes on Ctrl-C or SIGTERM. Signals are caught from this call on.
#[cfg(unix)]
pub(crate) fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns a future that completes on Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Accepts peers until `stop`, then waits for the connected ones to finish.
pub(crate) async fn serve(listener: TcpListener, limits: Limits, stop: CancellationToken) {
    let (peers, room) = (TaskTracker::new(), Room::new(limits));
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((socket, peer)) => {
                let Some(seat) = stop.run_until_cancelled(room.seat()).await else { break };
                let stop = stop.clone();
                peers.spawn(async move {
                    if let Err(error) = serve_peer(socket, limits, stop, seat).await {
                        eprintln!("{peer}: {error}");
                    }
                });
            }
            // The peer is gone, or too many files are open: keep serving the others.
            Err(error) => {
                eprintln!("{error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    peers.close();
    peers.wait().await;
}

/// The seats, and the peers that occupy them.
struct Room {
    seats: Arc<Semaphore>,
    guests: Arc<Mutex<Guests>>,
    grace: Duration,
}

/// The seated peers, by a unique number.
type Guests = HashMap<u64, Guest>;

struct Guest {
    /// The time of its last game, or of its arrival.
    since: Instant,
    /// Asks the peer to leave.
    leave: CancellationToken,
}

/// The seat of a peer. Dropping it frees the seat.
struct Seat {
    number: u64,
    leave: CancellationToken,
    guests: Arc<Mutex<Guests>>,
    _permit: OwnedSemaphorePermit,
}

impl Room {
    fn new(limits: Limits) -> Self {
        Room { seats: Arc::new(Semaphore::new(limits.peers)), guests: Arc::default(), grace: limits.grace }
    }

    /// Waits for a seat. If none is free, the longest-idle peer is disconnected, so that idle peers cannot lock out active
    /// ones.
    async fn seat(&self) -> Seat {
        let permit = tokio::select! {
            biased;
            permit = Arc::clone(&self.seats).acquire_owned() => permit.expect("the room is never closed"),
            () = self.make_room() => unreachable!("`make_room` never returns"),
        };
        let (guests, leave) = (Arc::clone(&self.guests), CancellationToken::new());
        let number = {
            let mut guests = lock(&guests);
            let number = (0..).find(|number| !guests.contains_key(number)).expect("some number is free");
            guests.insert(number, Guest { since: Instant::now(), leave: leave.clone() });
            number
        };
        Seat { number, leave, guests, _permit: permit }
    }

    /// Asks one peer after another to leave. Never returns.
    async fn make_room(&self) {
        loop {
            let longest = {
                let guests = lock(&self.guests);
                let staying = guests.values().filter(|guest| !guest.leave.is_cancelled());
                staying.min_by_key(|guest| guest.since).map(|guest| (guest.since, guest.leave.clone()))
            };
            match longest {
                Some((since, leave)) if since.elapsed() >= self.grace => {
                    leave.cancel();
                    // The peer leaves at once. Ask the next one only if that was not enough.
                    sleep(self.grace).await;
                }
                Some((since, _)) => sleep_until(since + self.grace).await,
                None => sleep(self.grace).await,
            }
        }
    }
}

impl Seat {
    /// Notes that a game has arrived.
    fn keep(&self) {
        if let Some(guest) = lock(&self.guests).get_mut(&self.number) {
            guest.since = Instant::now();
        }
    }

    /// Completes when the peer has to give up its seat.
    async fn lost(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.guests).remove(&self.number);
    }
}

fn lock(guests: &Mutex<Guests>) -> MutexGuard<'_, Guests> {
    guests.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Timeout for each step of closing a connection.
const FAREWELL: Duration = Duration::from_secs(1);

/// Replies to the games of one peer, one by one. It reads no more games from a peer that does not read the replies.
async fn serve_peer(
    socket: TcpStream,
    limits: Limits,
    stop: CancellationToken,
    seat: Seat,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut from, to) = socket.into_split();
    let codec: RecordCodec<Game> = Parser::strict().max_game_len(limits.game_len).record_codec();
    let mut games = FramedRead::new(&mut from, codec);
    let mut replies = FramedWrite::new(to, LinesCodec::new());
    // When the server stops, it still replies to games already received, but not forever to a peer that keeps
    // sending.
    let farewell = async {
        stop.cancelled().await;
        sleep(FAREWELL).await;
    };
    tokio::pin!(farewell);
    let is_too_slow = loop {
        // `next` is cancel-safe.
        let next = tokio::select! {
            biased;
            () = seat.lost() => break true,
            () = &mut farewell => break false,
            next = timeout(limits.patience, games.next()) => next,
            () = stop.cancelled() => break false,
        };
        let game = match next {
            Ok(Some(game)) => game?,
            Ok(None) => return Ok(()),
            Err(_) => break true,
        };
        let line = describe(game, games.decoder());
        tokio::select! {
            () = seat.lost() => return Ok(()), // the peer does not read
            sent = timeout(limits.patience, replies.send(line.to_string())) => sent??,
        }
        seat.keep();
    };
    drop(seat);
    if is_too_slow {
        timeout(FAREWELL, replies.send(json!({ "error": "too-slow" }).to_string())).await??;
    }
    // The peer may still be sending: closing a socket with unread bytes would discard the last replies.
    timeout(FAREWELL, replies.get_mut().shutdown()).await??;
    let _ = timeout(FAREWELL, tokio::io::copy(&mut from, &mut tokio::io::sink())).await;
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
            "moves": game.moves.len(),
        }),
        Err(error) => json!({
            "game": error.game(), // null between games
            "bytes": bytes,
            "error": error.code().map_or("not-a-game-of-go", |code| code.as_str()),
            "at": error.offset(),
            "node": error.node(),
            "property": error.property(),
            "message": error.message(),
        }),
    }
}
