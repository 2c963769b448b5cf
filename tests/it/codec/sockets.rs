//! Real sockets on loopback.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use futures::StreamExt;
use serde::Deserialize;
use sgf_stream::codec::RecordCodec;
use sgf_stream::{Code, Parser};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::codec::FramedRead;

#[derive(Deserialize)]
struct Game {
    #[serde(rename = "GN")]
    name: String,
    #[serde(rename = "$mainline")]
    moves: Vec<BTreeMap<String, String>>,
}

const MAX_GAME_LEN: usize = 4000;

/// Answers each game with its name and number of moves, or the fault, until the peer has said all.
async fn serve(listener: TcpListener) {
    let mut peers = JoinSet::new();
    loop {
        let (mut socket, _) = listener.accept().await.unwrap();
        peers.spawn(async move {
            let (from, mut to) = socket.split();
            let codec: RecordCodec<Game> = Parser::strict().max_game_len(MAX_GAME_LEN).record_codec();
            let mut games = FramedRead::with_capacity(from, codec, 4096);
            loop {
                let answer = match timeout(Duration::from_secs(20), games.next()).await {
                    Err(_) => "idle\n".to_owned(),
                    Ok(None) => break,
                    Ok(Some(Err(error))) => panic!("{error}"),
                    Ok(Some(Ok(Ok(game)))) => format!("ok {} {}\n", game.name, game.moves.len()),
                    Ok(Some(Ok(Err(error)))) => {
                        let code = error.code().map_or("data", Code::as_str);
                        format!("{code} {}\n", error.game().map_or_else(|| "-".to_owned(), |game| game.to_string()))
                    }
                };
                // A game that is refused leaves no more than what is read at once, and one of its size.
                assert!(games.read_buffer().capacity() <= 4 * MAX_GAME_LEN);
                to.write_all(answer.as_bytes()).await.unwrap();
            }
        });
    }
}

async fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener));
    address
}

/// What one of many sends, and what it should be told.
fn script(peer: usize) -> (Vec<u8>, Vec<String>) {
    let (mut bytes, mut answers) = (Vec::new(), Vec::new());
    for number in 0..20 {
        let moves = (peer * 7 + number) % 40;
        let good = format!("(;GN[{peer}.{number}]{})", ";B[dd]".repeat(moves));
        match (peer + number) % 5 {
            // Broken in every way.
            1 if peer % 4 == 1 => {
                let (text, code) = match number % 4 {
                    0 => ("(;GN[x];B)\n".to_owned(), "property-without-value"),
                    1 => ("(;KM[no name])\n".to_owned(), "data"),
                    2 => ("(;GN[x]~~~;B[dd])\n".to_owned(), "junk-in-tree"),
                    _ => ("(;GN[x](GN[y]))\n".to_owned(), "missing-semicolon"),
                };
                bytes.extend(text.bytes());
                answers.push(format!("{code} {number}"));
            }
            // Too long.
            2 if peer % 4 == 2 => {
                bytes.extend(format!("(;GN[x]C[{}])\n", "long ".repeat(5000)).bytes());
                answers.push(format!("game-too-long {number}"));
            }
            _ => {
                bytes.extend(good.bytes());
                answers.push(format!("ok {peer}.{number} {moves}"));
            }
        }
    }
    // Some do not come to an end.
    if peer % 10 == 3 {
        bytes.extend(b"(;GN[cut");
        answers.push("unterminated-value 20".to_owned());
    }
    (bytes, answers)
}

/// 200 at once: good, broken, oversized, slow and cut. Each hears of its own games, all of them, in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_peers_do_not_harm_each_other() {
    let address = server().await;
    let mut peers = JoinSet::new();
    for peer in 0..200 {
        peers.spawn(async move {
            let (bytes, expected) = script(peer);
            let (from, mut to) = TcpStream::connect(address).await.unwrap().into_split();
            let sender = tokio::spawn(async move {
                // Slow ones send a few bytes, and wait.
                let (size, pause) = if peer % 4 == 3 { (97, 2) } else { (1 << 16, 0) };
                for chunk in bytes.chunks(size) {
                    to.write_all(chunk).await.unwrap();
                    if pause > 0 {
                        tokio::time::sleep(Duration::from_millis(pause)).await;
                    }
                }
            });
            let (mut answers, mut lines) = (Vec::new(), BufReader::new(from).lines());
            while let Some(line) = lines.next_line().await.unwrap() {
                answers.push(line);
            }
            sender.await.unwrap();
            assert_eq!(answers, expected, "peer {peer}");
        });
    }
    while let Some(peer) = peers.join_next().await {
        peer.unwrap();
    }
}

/// It stops in the middle of a value, and says nothing more. What came before is answered, and nobody waits
/// for it longer than they want to.
#[tokio::test]
async fn a_sender_that_stops_in_the_middle_of_a_value_is_waited_for_as_long_as_one_wants() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let socket = listener.accept().await.unwrap().0;
    sender.write_all(b"(;GN[a];B[dd])(;GN[b];C[in the mid").await.unwrap();

    let mut games = Parser::new().record_stream::<Game, _>(socket);
    assert_eq!(games.next().await.unwrap().unwrap().unwrap().name, "a");
    for _ in 0..3 {
        assert!(timeout(Duration::from_millis(20), games.next()).await.is_err());
    }
    // It was only slow, and nothing is lost.
    sender.write_all(b"dle of a value])(;GN[c").await.unwrap();
    assert_eq!(games.next().await.unwrap().unwrap().unwrap().moves[0]["C"], "in the middle of a value");
    assert!(timeout(Duration::from_millis(20), games.next()).await.is_err());
    // It is gone.
    drop(sender);
    let error = games.next().await.unwrap().unwrap().err().unwrap();
    assert_eq!((error.code(), error.game(), error.offset()), (Some(Code::UnclosedTree), Some(2), Some(56)));
    assert!(games.next().await.is_none());
}
