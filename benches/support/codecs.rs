//! The codecs, each with a loop that consumes all items.

use std::future::ready;
use std::hint::black_box;

use futures::StreamExt;
use serde::Deserialize;
use sgf_stream::Parser;
use sgf_stream::node::EventList;
use tokio::io::AsyncRead;
use tokio::runtime::{Builder, Runtime};
use tokio_util::codec::{BytesCodec, Decoder, FramedRead, LinesCodec};

use super::jobs::Tally;

/// Size of the read buffer of every codec in bytes.
pub(crate) const BUFFER: usize = 64 * 1024;

#[derive(Clone, Copy)]
pub(crate) enum Codec {
    Games,
    /// `GameCodec` of a strict parser, which checks every game.
    StrictGames,
    /// `RecordCodec`: a header of three fields.
    Records,
    Events,
    /// `EventCodec` through adapters of streams, as a program may stack them.
    EventAdapters,
    /// `EventListCodec`: the events of each list are counted.
    EventLists,
    /// `EventListCodec` through the same adapters.
    EventListAdapters,
    Lines,
    Bytes,
}

#[derive(Deserialize)]
#[allow(dead_code)] // only deserialized
struct Header {
    #[serde(rename = "PB")]
    black: Option<String>,
    #[serde(rename = "PW")]
    white: Option<String>,
    #[serde(rename = "RE")]
    result: Option<String>,
}

/// Makes a runtime with everything on this thread.
pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

impl Codec {
    /// Consumes all items and counts them.
    pub(crate) async fn drain(self, io: impl AsyncRead + Unpin) -> u64 {
        match self {
            Codec::Games => count(io, Parser::new().game_codec()).await,
            Codec::StrictGames => count(io, Parser::strict().game_codec()).await,
            Codec::Records => count(io, Parser::new().record_codec::<Header>()).await,
            Codec::Events => count(io, Parser::new().event_codec()).await,
            Codec::EventAdapters => {
                let events = FramedRead::with_capacity(io, Parser::new().event_codec(), BUFFER);
                let events = events.map(|event| event.expect("a stream that can be read"));
                let events = events.filter_map(|event| ready(event.ok()));
                let count = |count, event| {
                    black_box(event);
                    ready(count + 1)
                };
                events.fold(0, count).await
            }
            Codec::EventLists => {
                let mut lists = FramedRead::with_capacity(io, Parser::new().event_list_codec(), BUFFER);
                let mut count = 0;
                while let Some(list) = lists.next().await {
                    let list = list.expect("a stream that can be read").expect("a lenient parse");
                    count += tally(&list).events();
                }
                count
            }
            Codec::EventListAdapters => {
                let lists = FramedRead::with_capacity(io, Parser::new().event_list_codec(), BUFFER);
                let lists = lists.map(|list| list.expect("a stream that can be read"));
                let lists = lists.filter_map(|list| ready(list.ok())).map(|list| tally(&list));
                lists.fold(0, |count, tally| ready(count + tally.events())).await
            }
            Codec::Lines => count(io, LinesCodec::new()).await,
            Codec::Bytes => count(io, BytesCodec::new()).await,
        }
    }

    /// Consumes all items of a slice and counts them.
    pub(crate) fn drain_slice(self, bytes: &[u8]) -> u64 {
        runtime().block_on(self.drain(bytes))
    }
}

fn tally(events: &EventList) -> Tally {
    let mut tally = Tally::default();
    events.iter().for_each(|(event, _)| tally.add(event));
    tally
}

async fn count<D: Decoder>(io: impl AsyncRead + Unpin, codec: D) -> u64 {
    let mut items = FramedRead::with_capacity(io, codec, BUFFER);
    let (mut count, mut failed) = (0, false);
    loop {
        match items.next().await {
            Some(item) => {
                count += 1;
                failed = item.is_err();
            }
            // After a line that is not UTF-8 the stream ends, and continues at the next poll.
            None if failed => failed = false,
            None => return count,
        }
    }
}
