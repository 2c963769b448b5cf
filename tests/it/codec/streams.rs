//! Streams that wait and fail: `FramedRead` over sources of every kind.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::{FutureExt, SinkExt, StreamExt, stream};
use sgf_stream::codec::{EventCodec, FramedRead, GameCodec};
use sgf_stream::{Event, OwnedEvent, Parser};
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use tokio_util::codec::{Decoder, Framed};
use tokio_util::io::StreamReader;

use crate::support::codec::decode;
use crate::support::generate::{Chunks, Input};
use crate::support::{Rules, holds, parser};

/// What a source does next.
enum Turn {
    Bytes(Vec<u8>),
    Wait,
    Fail,
}

struct Source(VecDeque<Turn>);

impl AsyncRead for Source {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.0.pop_front() {
            Some(Turn::Wait) => Poll::Pending,
            Some(Turn::Fail) => Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
            Some(Turn::Bytes(mut bytes)) => {
                let rest = bytes.split_off(bytes.len().min(buffer.remaining()));
                buffer.put_slice(&bytes);
                if !rest.is_empty() {
                    self.0.push_front(Turn::Bytes(rest));
                }
                Poll::Ready(Ok(()))
            }
            None => Poll::Ready(Ok(())),
        }
    }
}

/// Chunks of these sizes; at each of 0 the source waits, and so it does between two.
fn hesitant(bytes: &[u8], sizes: &[usize]) -> Source {
    let (mut turns, mut rest) = (VecDeque::new(), bytes);
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        turns.push_back(Turn::Wait);
        if !chunk.is_empty() {
            turns.push_back(Turn::Bytes(chunk.to_vec()));
        }
    }
    Source(turns)
}

/// Every item, by futures that are polled once and dropped.
fn polled_once<D: Decoder<Error = io::Error>>(source: Source, codec: D) -> Vec<D::Item> {
    let mut items = FramedRead::with_capacity(source, codec, 16);
    let mut all = Vec::new();
    loop {
        match items.next().now_or_never() {
            None => {} // dropped, and another one is made
            Some(Some(item)) => all.push(item.expect("the source does not fail")),
            Some(None) => return all,
        }
    }
}

fn decoded<D: Decoder>(bytes: &[u8], mut codec: D) -> Vec<D::Item> {
    let mut all = Vec::new();
    decode(bytes, &[bytes.len().max(1)], &mut codec, |_, item, _| all.push(item));
    all
}

/// L8.
#[test]
fn futures_that_are_polled_once_and_dropped_lose_nothing() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        let parser = parser(&rules).max_game_len(200);
        let events = polled_once(hesitant(&bytes, &sizes), parser.event_codec());
        assert_eq!(events, decoded(&bytes, parser.event_codec()), "left: polled once, right: decoded");
        let games = polled_once(hesitant(&bytes, &sizes), parser.game_codec());
        assert_eq!(games, decoded(&bytes, parser.game_codec()), "left: polled once, right: decoded");
    }
    holds(2000, law as fn(Input, Rules, Chunks));
}

/// An I/O error ends a stream; who goes on after it finds everything in its place.
#[test]
fn an_io_error_is_an_end_and_loses_nothing() {
    let bytes = b"(;B[aa])(;C[in the middle of a value];W[bb])(;B[cc])";
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        let turns = [Turn::Bytes(head.to_vec()), Turn::Fail, Turn::Bytes(tail.to_vec())];
        let turns = turns.into_iter().filter(|turn| !matches!(turn, Turn::Bytes(bytes) if bytes.is_empty()));
        let mut games = FramedRead::new(Source(turns.collect()), GameCodec::new());
        let (mut all, mut errors) = (Vec::new(), 0);
        loop {
            match games.next().now_or_never().unwrap() {
                Some(Ok(game)) => all.push(game.unwrap().bytes().clone()),
                Some(Err(error)) => {
                    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
                    assert!(games.next().now_or_never().unwrap().is_none());
                    errors += 1;
                }
                None => break,
            }
        }
        assert_eq!((all.concat(), all.len(), errors), (bytes.to_vec(), 3, 1), "{cut}");
    }
}

/// Bodies that come as streams of `Bytes`, as those of HTTP do.
#[tokio::test]
async fn bodies_are_read_as_streams() {
    let body = || {
        let parts = ["(;FF[4]PB[Shu", "saku];B[q", "", "d])(;FF[4])"].map(|part| Ok::<_, io::Error>(Bytes::from(part)));
        StreamReader::new(stream::iter(parts))
    };
    let parser = Parser::new();
    let games: Vec<_> = parser.game_stream(body()).map(|game| game.unwrap().unwrap().into_bytes()).collect().await;
    assert_eq!(games, ["(;FF[4]PB[Shusaku];B[qd])", "(;FF[4])"]);
    let events = parser.event_stream(body()).map(|event| event.unwrap().unwrap()).collect::<Vec<_>>().await;
    assert_eq!(
        events,
        decoded(b"(;FF[4]PB[Shusaku];B[qd])(;FF[4])", EventCodec::new())
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .unwrap()
    );
}

/// Both directions of one connection, with one codec. A strict one: a lenient one sees whether a `]` or a `(` is one
/// by what follows.
#[tokio::test]
async fn events_go_both_ways() {
    let (near, far) = tokio::io::duplex(7);
    let echo = tokio::spawn(async move {
        let mut events = Framed::new(far, Parser::strict().event_codec());
        while let Some(event) = events.next().await {
            events.send(event.unwrap().unwrap()).await.unwrap();
        }
    });
    let mut events = Framed::new(near, Parser::strict().event_codec());
    for event in Parser::new().slice(b"(;FF[4]C[a\\]b];B[dd](;W[pp])(;W[dp]))") {
        let event = event.unwrap();
        events.send(event).await.unwrap();
        // The `(` goes out with its node, and an identifier with its value.
        if matches!(event, Event::Node) {
            let mut back = events.next().await.unwrap().unwrap().unwrap();
            while back != OwnedEvent::Node {
                back = events.next().await.unwrap().unwrap().unwrap();
            }
        }
    }
    events.get_mut().shutdown().await.unwrap();
    while let Some(event) = events.next().await {
        event.unwrap().unwrap();
    }
    assert_eq!(events.codec().depth(), 0);
    echo.await.unwrap();
}

/// Work is done for who asks: no item, no byte.
#[tokio::test]
async fn who_takes_nothing_makes_the_sender_wait() {
    let (mut to, from) = tokio::io::duplex(100);
    let sender = tokio::spawn(async move {
        let mut sent = 0_usize;
        while to.write_all(b"(;B[dd])").await.is_ok() {
            sent += 8;
        }
        sent
    });
    let mut games = FramedRead::with_capacity(from, GameCodec::new(), 100);
    for _ in 0..3 {
        games.next().await.unwrap().unwrap().unwrap();
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(games.read_buffer().capacity() <= 200);
    drop(games);
    assert!(sender.await.unwrap() <= 3 * 8 + 200, "the buffer, the pipe, and what was read");
}
