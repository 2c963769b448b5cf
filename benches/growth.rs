//! Benchmarks of the growth of time and memory: `cargo bench -p sgf-stream-benches --bench growth`, about three minutes.
//!
//! Prints three tables. Streams of 1 MB to 4 GB: time per byte and memory should stay constant. Chunks of 1 byte to
//! 1 MiB: small chunks should cost no more than the calls. Cores: more should help.
//!
//! All jobs use *archive*, 256 MB of it. Longer streams repeat it; shorter ones are taken from all parts of it, so
//! that no size fits better into a cache than another. Jobs take turns, and the best time of each counts.

mod support;

use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Read};
use std::thread;
use std::time::{Duration, Instant};

use memchr::memmem;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sgf_stream::parts::Part;
use sgf_stream::{Error, Parser, SyntaxError};

use support::clock::Clock;
use support::jobs;
use support::records::Header;
use support::turns::{Job, Speeds, digits, take_turns};
use support::{TINY, data, measuring, scan};

const ROUNDS: usize = 3;

/// Size of the data set in MB. A MB is 1,000,000 bytes when measuring.
const MEGABYTES: usize = 256;

/// Lengths of streams.
const SIZES: [usize; 7] = [1, 4, 16, 64, 256, 1_000, 4_000];

/// MB read for each chunk size.
const IN_CHUNKS: usize = 16;

fn main() {
    let (megabyte, rounds) = if measuring() { (1_000_000, ROUNDS) } else { (TINY / MEGABYTES, 1) };
    eprintln!("measured: {}", Clock::kind());
    let archive = data::archive(MEGABYTES * megabyte).bytes;
    sizes(&archive, megabyte, rounds);
    chunks(&archive[..IN_CHUNKS * megabyte], rounds);
    cores(&archive, rounds);
}

// --- Streams -----------------------------------------------------------------------------------

/// A stream of a given length: the data from some game on, repeated. It lends out 64 KiB at a time.
#[derive(Clone, Copy)]
struct Stream<'d> {
    data: &'d [u8],
    at: usize,
    left: usize,
}

impl<'d> Stream<'d> {
    /// Returns streams of one length that together are as long as the data, or a single longer one.
    fn all(data: &'d [u8], len: usize) -> Vec<Self> {
        let streams = starts(data, len).into_iter().map(|at| Stream { data, at, left: len });
        streams.take((data.len() / len).max(1)).collect()
    }
}

/// Returns the starts of games: the first at or after each multiple of `step`.
fn starts(data: &[u8], step: usize) -> Vec<usize> {
    let starts = (0..data.len()).step_by(step).map(|from| match from {
        0 => Some(0),
        _ => memmem::find(&data[from..], b"\n(;").map(|before| from + before + 1),
    });
    // No game starts after the last one.
    starts.flatten().collect()
}

impl BufRead for Stream<'_> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let rest = &self.data[self.at..];
        Ok(&rest[..rest.len().min(self.left).min(jobs::CHUNK)])
    }

    #[inline]
    fn consume(&mut self, len: usize) {
        self.at += len;
        self.left -= len;
        if self.at == self.data.len() {
            self.at = 0;
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

// --- Sizes -------------------------------------------------------------------------------------

/// A job on a stream.
type OfStream = fn(Stream<'_>) -> u64;

const JOBS: [(&str, OfStream); 5] = [
    ("copy to another buffer", copy),
    ("push", push),
    ("`Reader`", |stream| jobs::pull(&Parser::new(), stream).nodes),
    ("`skip_game`", skip),
    ("`Games<Header>`", headers),
];

fn sizes(archive: &[u8], megabyte: usize, rounds: usize) {
    let jobs = SIZES.iter().flat_map(|&size| {
        let streams = Stream::all(archive, size * megabyte);
        JOBS.map(|(name, job)| {
            let (name, streams) = (format!("{name}, streams of {}", shown(size)), streams.clone());
            let bytes = streams.iter().map(|stream| stream.left).sum();
            Job::new(name, bytes, move || streams.iter().for_each(|&stream| _ = black_box(job(black_box(stream)))))
        })
    });
    let Speeds(speeds) = take_turns(jobs.collect(), rounds);
    println!("| ns a byte, streams of | {} | memory of `sgf scan`, MiB |", JOBS.map(|(name, _)| name).join(" | "));
    println!("|--:|{}--:|", "--:|".repeat(JOBS.len()));
    for (&size, speeds) in SIZES.iter().zip(speeds.chunks(JOBS.len())) {
        let times: Vec<_> = speeds.iter().map(|(_, speed)| digits(1.0 / speed)).collect();
        let stream = Stream { data: archive, at: 0, left: size * megabyte };
        let peak = scan::peak_memory(stream).expect("a pipe to `sgf scan`");
        let peak = peak.map_or("?".to_owned(), |bytes| digits(bytes as f64 / f64::from(1 << 20)));
        println!("| {} | {} | {peak} |", shown(size), times.join(" | "));
    }
    println!();
}

fn shown(megabytes: usize) -> String {
    if megabytes < 1_000 { format!("{megabytes} MB") } else { format!("{} GB", megabytes / 1_000) }
}

/// Copies the bytes: the minimum cost.
fn copy(mut stream: Stream<'_>) -> u64 {
    let (mut buffer, mut len) = (vec![1; jobs::CHUNK], 0);
    loop {
        match stream.read(black_box(&mut buffer)) {
            Ok(0) | Err(_) => return len,
            Ok(more) => len += more as u64,
        }
    }
}

fn push(mut stream: Stream<'_>) -> u64 {
    let (mut parser, mut tally) = (Parser::new().push(), jobs::Tally::default());
    while let Ok(chunk @ [_, ..]) = stream.fill_buf() {
        let len = chunk.len();
        parser.feed(chunk, |event, _| tally.add(event)).expect("a lenient parse");
        stream.consume(len);
    }
    parser.finish(|event, _| tally.add(event)).expect("a lenient parse");
    black_box(tally).nodes
}

fn skip(stream: Stream<'_>) -> u64 {
    let (mut reader, mut games) = (Parser::new().reader(stream), 0);
    while reader.skip_game().expect("a lenient parse") {
        games += 1;
    }
    games
}

fn headers(stream: Stream<'_>) -> u64 {
    Parser::new().reader(stream).games::<Header>().filter(|game| black_box(game).is_ok()).count() as u64
}

// --- Chunks ------------------------------------------------------------------------------------

/// Chunk sizes in bytes.
const CHUNKS: [usize; 11] = [1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

/// A job on a slice in chunks of a given size.
type InChunks = fn(&[u8], usize) -> u64;

fn chunks(archive: &[u8], rounds: usize) {
    const WAYS: [(&str, InChunks); 3] = [
        ("push", |bytes, len| black_box(jobs::chunks_of(len, &Parser::new(), bytes)).nodes),
        ("`Reader`, `BufReader`", |bytes, len| {
            black_box(jobs::pull(&Parser::new(), BufReader::with_capacity(len, bytes))).nodes
        }),
        ("`skip_game`, `BufReader`", |bytes, len| {
            let mut reader = Parser::new().reader(BufReader::with_capacity(len, bytes));
            std::iter::from_fn(|| reader.skip_game().expect("a lenient parse").then_some(())).count() as u64
        }),
    ];
    let jobs = CHUNKS.iter().flat_map(|&len| {
        WAYS.map(|(name, way)| {
            Job::new(format!("{name}, chunks of {len}"), archive.len(), move || {
                _ = black_box(way(black_box(archive), len))
            })
        })
    });
    let Speeds(speeds) = take_turns(jobs.collect(), rounds);
    println!("| ns a byte, chunks of | {} |", WAYS.map(|(name, _)| name).join(" | "));
    println!("|--:|{}", "--:|".repeat(WAYS.len()));
    for (&len, speeds) in CHUNKS.iter().zip(speeds.chunks(WAYS.len())) {
        let times: Vec<_> = speeds.iter().map(|(_, speed)| digits(1.0 / speed)).collect();
        println!("| {len} bytes | {} |", times.join(" | "));
    }
    println!();
}

// --- Cores -------------------------------------------------------------------------------------

/// A job on a slice with a number of threads.
type OnCores = fn(&[u8], usize);

/// Slices cut by hand are the limit: their threads never wait.
const ON_CORES: [(&str, OnCores); 6] = [
    ("push, slices cut by hand", |bytes, threads| {
        by_hand(bytes, threads, |part| _ = black_box(jobs::push(&Parser::new(), part)))
    }),
    ("push, a slice: `ParSlice`", |bytes, threads| in_pool(threads, || par_push_slice(bytes))),
    ("push, a stream: `ParReader`", |bytes, threads| in_pool(threads, || par_push(bytes))),
    ("`Games<Header>`, slices cut by hand", |bytes, threads| {
        by_hand(bytes, threads, |part| _ = black_box(jobs::values::<Header>(&Parser::new(), part)))
    }),
    ("`Games<Header>`, a slice: `ParSlice`", |bytes, threads| {
        in_pool(threads, || Parser::new().par_slice(bytes).games::<Header>().count())
    }),
    ("`Games<Header>`, a stream: `ParReader`", |bytes, threads| {
        in_pool(threads, || {
            Parser::new().par_reader(bytes).games::<Header>().filter(|game| black_box(game).is_ok()).count()
        })
    }),
];

/// Runs a job in a rayon pool with this many threads.
fn in_pool<T: Send>(threads: usize, job: impl FnOnce() -> T + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    black_box(pool.install(job));
}

fn par_push_slice(bytes: &[u8]) -> u64 {
    let parser = Parser::new();
    let parts = parser.par_slice(bytes).into_par_iter().map(|part| push_part(&part, &parser));
    parts.map(|nodes| nodes.expect("a lenient parse")).sum()
}

fn par_push(bytes: &[u8]) -> u64 {
    let parser = Parser::new();
    let parts = parser.par_reader(bytes).unordered().map({
        let parser = parser.clone();
        move |part| Ok::<_, Error>(push_part(&part, &parser)?)
    });
    parts.map(|nodes| nodes.expect("a lenient parse")).sum()
}

fn push_part(part: &Part<'_>, parser: &Parser) -> Result<u64, SyntaxError> {
    let mut tally = jobs::Tally::default();
    part.parse(parser, |event, _| tally.add(event))?;
    Ok(black_box(tally).nodes)
}

/// Measures wall-clock time, so other load on the cores shows.
fn cores(archive: &[u8], rounds: usize) {
    let most = thread::available_parallelism().map_or(1, usize::from);
    let counts: Vec<_> = [1, 2].into_iter().chain((4..).step_by(2)).take_while(|&cores| cores <= most).collect();
    let mut best = vec![[Duration::MAX; ON_CORES.len()]; counts.len()];
    for _ in 0..rounds {
        for (&threads, best) in counts.iter().zip(&mut best) {
            for ((_, job), best) in ON_CORES.iter().zip(best) {
                let started = Instant::now();
                job(black_box(archive), threads);
                *best = started.elapsed().min(*best);
            }
        }
    }
    let columns: Vec<_> = counts.iter().map(|threads| format!("{threads} threads GB/s | × 1 thread")).collect();
    println!("| on cores | {} |", columns.join(" | "));
    println!("|---|{}", "--:|--:|".repeat(counts.len()));
    for (which, (name, _)) in ON_CORES.iter().enumerate() {
        let speed = |times: &[Duration; ON_CORES.len()]| archive.len() as f64 / times[which].as_nanos() as f64;
        let cells = best.iter().map(|times| [speed(times), speed(times) / speed(&best[0])].map(digits).join(" | "));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

/// Runs one thread for each of several parts, which end where games end.
fn by_hand(bytes: &[u8], threads: usize, job: fn(&[u8])) {
    thread::scope(|scope| {
        let mut end = bytes.len();
        for start in starts(bytes, bytes.len().div_ceil(threads)).into_iter().rev() {
            let part = &bytes[start..end];
            end = start;
            scope.spawn(move || job(part));
        }
    });
}
