//! A server that takes games: SGF comes in over TCP, from many at once, and a line of JSON goes back for each
//! game: who played, or what is wrong with it and where.
//!
//! ```sh
//! cargo run --release --features codec --example ingest -- 127.0.0.1:7777
//! cargo run --release --features codec --example send -- 127.0.0.1:7777 tests/data
//! ```
//!
//! Nobody can make it hold more than a game of a megabyte, nor wait longer than half a minute for one. Where all seats
//! are taken, the peer that has been silent longest makes room for the next. Ctrl-C or SIGTERM stops it: it accepts
//! no more peers, and answers the games that have come.

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
use sgf_stream::value::{GameResult, go::Move};
use sgf_stream::{Parser, de};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until, timeout};
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
    /// How many peers are served at once. Others wait for a seat.
    pub(crate) peers: usize,
    /// While others wait, a peer that has sent no game for so long may lose its seat.
    pub(crate) grace: Duration,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on {}", listener.local_addr()?);
    let stop = CancellationToken::new();
    let asked = asked_to_stop()?;
    tokio::spawn({
        let stop = stop.clone();
        async move {
            asked.await;
            stop.cancel();
        }
    });
    let limits =
        Limits { game_len: 1 << 20, patience: Duration::from_secs(30), peers: 1000, grace: Duration::from_secs(1) };
    serve(listener, limits, stop).await;
    Ok(())
}

/// Ends with Ctrl-C, or with SIGTERM, by which systems stop their services. Signals count from this call on.
#[cfg(unix)]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ends with Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Accepts peers until `stop`; then waits for those who are there.
pub(crate) async fn serve(listener: TcpListener, limits: Limits, stop: CancellationToken) {
    let (peers, room) = (TaskTracker::new(), Room::new(limits));
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((socket, peer)) => {
                let Some(seat) = stop.run_until_cancelled(room.seat()).await else { break };
                let stop = stop.clone();
                peers.spawn(async move {
                    if let Err(error) = answer(socket, limits, stop, seat).await {
                        eprintln!("{peer}: {error}");
                    }
                });
            }
            // This one is gone, or there are too many files open: no reason to leave the others alone.
            Err(error) => {
                eprintln!("{error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    peers.close();
    peers.wait().await;
}

/// The seats, and who has them.
struct Room {
    seats: Arc<Semaphore>,
    guests: Arc<Mutex<Guests>>,
    grace: Duration,
}

/// By a number of their own.
type Guests = HashMap<u64, Guest>;

struct Guest {
    /// When its last game came, or when it came itself.
    since: Instant,
    /// It is to leave.
    leave: CancellationToken,
}

/// The seat of a peer. It is free when this is dropped.
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

    /// Waits for a seat. If there is none, whoever has been silent longest has to leave: a thousand peers that say
    /// nothing must not keep out one that does.
    async fn seat(&self) -> Seat {
        let permit = tokio::select! {
            biased;
            permit = Arc::clone(&self.seats).acquire_owned() => permit.expect("the room is never closed"),
            () = self.make_room() => unreachable!("it goes on until there is a seat"),
        };
        let (guests, leave) = (Arc::clone(&self.guests), CancellationToken::new());
        let number = {
            let mut guests = lock(&guests);
            let number = (0..).find(|number| !guests.contains_key(number)).expect("numbers do not end");
            guests.insert(number, Guest { since: Instant::now(), leave: leave.clone() });
            number
        };
        Seat { number, leave, guests, _permit: permit }
    }

    /// Asks one after the other to leave, and never ends.
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
                    // It leaves at once; nobody else has to until it is seen that this was not enough.
                    sleep(self.grace).await;
                }
                Some((since, _)) => sleep_until(since + self.grace).await,
                None => sleep(self.grace).await,
            }
        }
    }
}

impl Seat {
    /// A game has come.
    fn keep(&self) {
        if let Some(guest) = lock(&self.guests).get_mut(&self.number) {
            guest.since = Instant::now();
        }
    }

    /// Ends when the seat is wanted for somebody else.
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

/// How long a peer may take for the last words.
const FAREWELL: Duration = Duration::from_secs(1);

/// Answers the games of one peer, one by one: who does not take the answers is not asked for more games.
async fn answer(
    socket: TcpStream,
    limits: Limits,
    stop: CancellationToken,
    seat: Seat,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut from, to) = socket.into_split();
    let codec: RecordCodec<Game> = Parser::strict().max_game_len(limits.game_len).record_codec();
    let mut games = FramedRead::new(&mut from, codec);
    let mut answers = FramedWrite::new(to, LinesCodec::new());
    // Games that have come when the server is to stop are answered; one who never stops sending is not.
    let farewell = async {
        stop.cancelled().await;
        sleep(FAREWELL).await;
    };
    tokio::pin!(farewell);
    let is_too_slow = loop {
        // `next` may be dropped at any time, and loses nothing.
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
            () = seat.lost() => return Ok(()), // it does not read
            sent = timeout(limits.patience, answers.send(line.to_string())) => sent??,
        }
        seat.keep();
    };
    drop(seat);
    if is_too_slow {
        timeout(FAREWELL, answers.send(json!({ "error": "too-slow" }).to_string())).await??;
    }
    // It may still be sending: to close a socket with bytes in it would take the last answers with it.
    timeout(FAREWELL, answers.get_mut().shutdown()).await??;
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
