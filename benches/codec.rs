//! The codecs over streams: `cargo bench --features cli --bench codec` prints a table, in about a minute.
//!
//! One thread does all there is to do, at both ends of the stream, so what is told is what one core is worth.
//! `BytesCodec` hands on whatever comes: it is what the stream alone takes. `LinesCodec` is tokio-util's
//! own codec for the nearest thing, lines of text. All jobs take turns, and the best time of each counts.
//! `SGF_BENCH_MB` changes the size of a data set, 32 (MiB).

mod support;

use std::env;
use std::time::Duration;

use futures::StreamExt;
use serde::Deserialize;
use sgf_stream::Parser;
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::{BytesCodec, Decoder, FramedRead, LinesCodec};

use support::clock::Clock;
use support::data::{self, Data};
use support::{TINY, measuring};

const ROUNDS: usize = 5;

/// The read buffer of every codec, and what a duplex holds.
const BUFFER: usize = 64 * 1024;

const CODECS: [&str; 6] = [
    "`GameCodec`",
    "`GameCodec`, strict: every game is checked",
    "`RecordCodec`: a header of three fields",
    "`EventCodec`",
    "`LinesCodec`",
    "`BytesCodec`: the stream alone",
];

const STREAMS: [&str; 3] = ["a slice", "a duplex", "loopback"];

#[derive(Deserialize)]
#[allow(dead_code)] // to be read is enough
struct Header {
    #[serde(rename = "PB")]
    black: Option<String>,
    #[serde(rename = "PW")]
    white: Option<String>,
    #[serde(rename = "RE")]
    result: Option<String>,
}

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes() << 20, ROUNDS) } else { (TINY, 1) };
    eprintln!("measured: {}", Clock::kind());
    println!("| codec, items of | over | archive items/s | MB/s | mixed items/s | MB/s |");
    println!("|---|---|--:|--:|--:|--:|");
    let [archive, mixed] = [data::archive(bytes), data::mixed(bytes)].map(|data| measure(data, rounds));
    for (archive, mixed) in archive.iter().zip(&mixed) {
        println!(
            "| {} | {} | {} | {} |",
            CODECS[archive.codec],
            STREAMS[archive.stream],
            archive.cells(),
            mixed.cells()
        );
    }
}

fn megabytes() -> usize {
    let Ok(asked) = env::var("SGF_BENCH_MB") else { return 32 };
    asked.parse().ok().filter(|&mib| mib > 0).expect("SGF_BENCH_MB is a number of MiB")
}

struct Job {
    codec: usize,
    stream: usize,
    bytes: usize,
    items: u64,
    best: Duration,
}

impl Job {
    fn cells(&self) -> String {
        let seconds = self.best.as_secs_f64();
        let items = match self.items as f64 / seconds {
            many @ 1e6.. => format!("{:.1} M", many / 1e6),
            few => format!("{:.0} k", few / 1e3),
        };
        format!("{items} | {:.0}", self.bytes as f64 / 1e6 / seconds)
    }
}

fn measure(data: Data, rounds: usize) -> Vec<Job> {
    eprintln!("{}: {}, {} bytes", data.name, data.source, data.bytes.len());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let bytes: &'static [u8] = data.bytes.leak(); // for tasks
    let jobs = (0..CODECS.len()).flat_map(|codec| (0..STREAMS.len()).map(move |stream| (codec, stream)));
    let mut jobs: Vec<Job> =
        jobs.map(|(codec, stream)| Job { codec, stream, bytes: bytes.len(), items: 0, best: Duration::MAX }).collect();
    for _ in 0..rounds {
        for job in &mut jobs {
            let clock = Clock::start();
            job.items = runtime.block_on(async {
                match job.stream {
                    0 => drain(job.codec, bytes).await,
                    1 => {
                        let (mut to, from) = tokio::io::duplex(BUFFER);
                        tokio::spawn(async move { to.write_all(bytes).await });
                        drain(job.codec, from).await
                    }
                    _ => drain(job.codec, loopback(bytes).await).await,
                }
            });
            job.best = job.best.min(clock.elapsed());
        }
    }
    jobs
}

/// A socket that these bytes come from.
async fn loopback(bytes: &'static [u8]) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        socket.write_all(bytes).await.expect("somebody reads");
    });
    listener.accept().await.expect("a connection").0
}

/// Takes all items, and counts them.
async fn drain(codec: usize, io: impl AsyncRead + Unpin) -> u64 {
    match codec {
        0 => count(io, Parser::new().game_codec()).await,
        1 => count(io, Parser::strict().game_codec()).await,
        2 => count(io, Parser::new().record_codec::<Header>()).await,
        3 => count(io, Parser::new().event_codec()).await,
        4 => count(io, LinesCodec::new()).await,
        _ => count(io, BytesCodec::new()).await,
    }
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
            // A line that is not UTF-8: the stream ends behind it, and goes on if it is asked again.
            None if failed => failed = false,
            None => return count,
        }
    }
}
