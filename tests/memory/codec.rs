//! The codecs: the memory that they keep, and that their items keep alive.

use std::time::Duration;

use futures::{Stream, StreamExt};
use sgf_stream::{Code, Parser};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const KIB: usize = 1024;

/// Takes every so many items of a stream, and answers how many bytes these keep alive when all else is gone.
async fn kept<T>(mut items: impl Stream<Item = T> + Unpin, every: usize) -> (Vec<T>, usize) {
    let _profiler = dhat::Profiler::builder().testing().build();
    let (mut held, mut number) = (Vec::with_capacity(1000), 0);
    while let Some(item) = items.next().await {
        if number % every == 0 {
            held.push(item);
        }
        number += 1;
    }
    drop(items);
    let bytes = dhat::HeapStats::get().curr_bytes;
    (held, bytes)
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn codecs_and_what_they_give_keep_little() {
    let parser = Parser::new();
    let room = 1000 * 128; // of the list of what is held

    // A small item of each of 100 buffers of 64 KiB: moves, comments, games.
    let game = b"(;B[dd]C[a comment of some forty bytes, more or less])".as_slice();
    let archive = game.repeat(100 * 64 * KIB / game.len());
    let each_buffer = archive.len() / 100 / game.len();
    let (held, bytes) = kept(parser.event_stream(&archive[..]), 7 * each_buffer + 1).await;
    assert!((90..110).contains(&held.len()) && bytes < room + 32 * KIB, "{}: {bytes}", held.len());
    let (held, bytes) = kept(parser.game_stream(&archive[..]), each_buffer).await;
    assert!((90..110).contains(&held.len()) && bytes < room + 32 * KIB, "{}: {bytes}", held.len());

    // Of any length: no more than four times their own.
    for len in [100, KIB, 10 * KIB, 30 * KIB, 100 * KIB] {
        let game = [b"(;B[dd]C[", "x".repeat(len).as_bytes(), b"])"].concat();
        let archive = game.repeat(2000 * KIB / len);
        let (held, bytes) = kept(parser.game_stream(&archive[..]), 20).await;
        assert!(bytes < room + 4 * held.len() * game.len() + 200 * held.len(), "{len}: {} {bytes}", held.len());
        let (held, bytes) = kept(parser.event_stream(&archive[..]), 7 * 20 + 5).await;
        assert!(bytes < room + 4 * held.len() * game.len() + 200 * held.len(), "{len}: {} {bytes}", held.len());
    }

    // A game without end.
    let profiler = dhat::Profiler::builder().testing().build();
    let endless = (&b"(;C["[..]).chain(tokio::io::repeat(b'x').take(100 << 20)).chain(&b"])(;B[dd])"[..]);
    let mut games = Parser::new().max_game_len(100 * KIB).game_stream(endless);
    let error = games.next().await.unwrap().unwrap().unwrap_err();
    assert_eq!(error.code(), Code::GameTooLong);
    assert_eq!(games.next().await.unwrap().unwrap().unwrap().span().start, 6 + (100 << 20));
    let peak = dhat::HeapStats::get().max_bytes;
    assert!(peak < 500 * KIB, "{peak}");
    drop(profiler);

    // A sender that is faster than who reads.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let socket = listener.accept().await.unwrap().0;
    let archive = game.repeat(50_000);
    let expected = archive.len() / game.len();
    let _profiler = dhat::Profiler::builder().testing().build();
    let sender = tokio::spawn(async move { sender.write_all(&archive).await });
    let (mut games, mut count) = (parser.game_stream(socket), 0);
    while let Some(game) = games.next().await {
        game.unwrap().unwrap();
        count += 1;
        if count % 5000 == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    sender.await.unwrap().unwrap();
    assert_eq!(count, expected);
    let peak = dhat::HeapStats::get().max_bytes;
    assert!(peak < 100 * KIB, "{peak}");
}
