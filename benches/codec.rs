//! Benchmarks of the codecs over streams: `cargo bench -p sgf-stream-benches --bench codec` prints a table, in about a
//! minute.
//!
//! One thread does all the work, at both ends of the stream, so the speed is that of one core. `BytesCodec` passes
//! on all bytes: its time is that of the stream alone. `LinesCodec` is tokio-util's own codec for the most similar
//! format, lines of text. All jobs take turns, and the best time of each counts. `SGF_BENCH_MB` sets the size of a
//! data set, 32 (MiB) by default.

mod support;

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use support::clock::Clock;
use support::codecs::{self, BUFFER, Codec};
use support::data::{self, Data};
use support::{TINY, measuring, megabytes};

const ROUNDS: usize = 5;

const CODECS: [(&str, Codec); 9] = [
    ("`GameCodec`", Codec::Games),
    ("`GameCodec`, strict: every game is checked", Codec::StrictGames),
    ("`RecordCodec`: a header of three fields", Codec::Records),
    ("`EventCodec`", Codec::Events),
    ("`EventCodec`, through `map`, `filter_map` and `fold`", Codec::EventAdapters),
    ("`EventListCodec`: their events", Codec::EventLists),
    ("`EventListCodec`, through `map`, `filter_map` and `fold`", Codec::EventListAdapters),
    ("`LinesCodec`", Codec::Lines),
    ("`BytesCodec`: the stream alone", Codec::Bytes),
];

#[derive(Clone, Copy)]
enum Stream {
    Slice,
    Duplex,
    Loopback,
}

const STREAMS: [(&str, Stream); 3] =
    [("a slice", Stream::Slice), ("a duplex", Stream::Duplex), ("loopback", Stream::Loopback)];

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes(32) << 20, ROUNDS) } else { (TINY, 1) };
    eprintln!("measured: {}", Clock::kind());
    println!("| codec, items of | over | archive items/s | MB/s | mixed items/s | MB/s |");
    println!("|---|---|--:|--:|--:|--:|");
    let [archive, mixed] = [data::archive(bytes), data::mixed(bytes)].map(|data| measure(data, rounds));
    for (archive, mixed) in archive.iter().zip(&mixed) {
        let (codec, stream) = (archive.codec.0, archive.stream.0);
        println!("| {codec} | {stream} | {} | {} |", archive.cells(), mixed.cells());
    }
}

struct Job {
    codec: (&'static str, Codec),
    stream: (&'static str, Stream),
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
    let runtime = codecs::runtime();
    let bytes: &'static [u8] = data.bytes.leak(); // for tasks
    let jobs = CODECS.into_iter().flat_map(|codec| STREAMS.map(|stream| (codec, stream)));
    let mut jobs: Vec<Job> =
        jobs.map(|(codec, stream)| Job { codec, stream, bytes: bytes.len(), items: 0, best: Duration::MAX }).collect();
    for _ in 0..rounds {
        for job in &mut jobs {
            let (codec, clock) = (job.codec.1, Clock::start());
            job.items = runtime.block_on(async {
                match job.stream.1 {
                    Stream::Slice => codec.drain(bytes).await,
                    Stream::Duplex => {
                        let (mut to, from) = tokio::io::duplex(BUFFER);
                        tokio::spawn(async move { to.write_all(bytes).await });
                        codec.drain(from).await
                    }
                    Stream::Loopback => codec.drain(loopback(bytes).await).await,
                }
            });
            job.best = job.best.min(clock.elapsed());
        }
    }
    jobs
}

/// Returns a socket that sends these bytes.
async fn loopback(bytes: &'static [u8]) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        socket.write_all(bytes).await.expect("somebody reads");
    });
    listener.accept().await.expect("a connection").0
}
