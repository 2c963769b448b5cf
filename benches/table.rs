//! The table of the README: `cargo bench --features cli --bench table`.
//!
//! Speeds differ from machine to machine and from minute to minute; what holds is their ratio to
//! a memcpy of the same bytes in the same run. So all jobs take turns, several rounds, and the
//! best time of each counts. `SGF_BENCH_MB` changes the size of a data set, 256 (MiB).
//!
//! The table goes to standard output; where the data are from, and how far the rounds lie apart,
//! to standard error.

mod support;

use std::env;
use std::hint::black_box;
use std::time::Duration;

use sgf_stream::Parser;

use support::clock::Clock;
use support::data::{self, Data};
use support::jobs::{self, Tally};
use support::peers::Games;
use support::records::{self, Format, Header, Line, Records, Tree};
use support::{TINY, measuring};

const ROUNDS: usize = 9;

/// What makes the columns and the ratios below the table.
const MEMCPY: &str = "memcpy";
const PUSH: &str = "all events: push, one slice";
const CHUNKS: &str = "all events: push, chunks of 64 KiB";
const READER: &str = "all events: `Reader`, buffer of 64 KiB";
const SLICE: &str = "all events: `SliceReader`";
const SGF_PARSE: &str = "`sgf-parse`, game by game †";
const HEADERS: &str = "headers: `Games<Header>`";
const LINES: &str = "main line: `Games<Line>`, a list of moves";
const TREES: &str = "tree: `Games<Tree>`, through `$variations`";

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes() << 20, ROUNDS) } else { (TINY, 1) };
    eprintln!("measured: {}", Clock::kind());
    let sets = [data::archive(bytes), data::mixed(bytes)];
    let [archive, mixed] = sets.each_ref().map(|data| measure(data, rounds));
    print(&archive, &mixed);
    let [archive, mixed] = sets.each_ref().map(|data| measure_records(data, rounds));
    print_records(&archive, &mixed);
}

fn megabytes() -> usize {
    let Ok(asked) = env::var("SGF_BENCH_MB") else { return 256 };
    asked.parse().ok().filter(|&mib| mib > 0).expect("SGF_BENCH_MB is a number of MiB")
}

/// Something to do, and how long it took each time.
struct Job<'d> {
    name: &'static str,
    /// What it reads.
    bytes: usize,
    run: Box<dyn FnMut() + 'd>,
    times: Vec<Duration>,
}

impl<'d> Job<'d> {
    fn new(name: &'static str, bytes: usize, run: impl FnMut() + 'd) -> Self {
        Job { name, bytes, run: Box::new(run), times: Vec::new() }
    }
}

/// Bytes a nanosecond, by name.
struct Speeds(Vec<(&'static str, f64)>);

impl Speeds {
    fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|&&(job, _)| job == name).expect("a job of that name").1
    }
}

/// Runs all jobs in turn.
fn measure(data: &Data, rounds: usize) -> Speeds {
    let games = Games::of(&data.bytes);
    eprintln!("{}: {}, {} bytes; peers: {}", data.name, data.source, data.bytes.len(), games.describe());
    check(&data.bytes);
    take_turns(jobs_over(&data.bytes, &games), rounds)
}

/// The same for games as values.
fn measure_records(data: &Data, rounds: usize) -> Speeds {
    let records = Records::of(&data.bytes);
    let Records { headers, lines, trees } = &records;
    for (name, format) in [("headers", headers), ("main lines", lines), ("trees", trees)] {
        eprintln!("{}, {name}: {}", data.name, format.describe());
    }
    fn job<'d>(name: &'static str, format: &'d Format, run: impl Fn(&'d Format) + 'd) -> Job<'d> {
        Job::new(name, format.bytes(), move || run(format))
    }
    let jobs = vec![
        job(HEADERS, headers, Format::sgf_stream::<Header>),
        job("headers: all events of these games", headers, Format::events),
        job("headers: `sgf-parse`", headers, |format| format.sgf_parse(records::header)),
        job("headers: `serde_json`, from JSON", headers, Format::serde_json::<Header>),
        job("headers: `quick-xml`, from XML", headers, Format::quick_xml::<Header>),
        job(LINES, lines, Format::sgf_stream::<Line>),
        job("main line: all events of these games", lines, Format::events),
        job("main line: `sgf-parse`", lines, |format| format.sgf_parse(records::line)),
        job("main line: `serde_json`, from JSON", lines, Format::serde_json::<Line>),
        job("main line: `quick-xml`, from XML", lines, Format::quick_xml::<Line>),
        job(TREES, trees, Format::sgf_stream::<Tree>),
        job("tree: all events of these games", trees, Format::events),
        job("tree: `sgf-parse`", trees, |format| format.sgf_parse(records::tree)),
        job("tree: `serde_json`, from JSON", trees, Format::serde_json::<Tree>),
        job("tree: `quick-xml`, from XML", trees, Format::quick_xml::<Tree>),
    ];
    take_turns(jobs, rounds)
}

fn take_turns(mut jobs: Vec<Job<'_>>, rounds: usize) -> Speeds {
    for _ in 0..rounds {
        for job in &mut jobs {
            let clock = Clock::start();
            (job.run)();
            job.times.push(clock.elapsed());
        }
    }
    let speed = |job: &Job, time: Duration| job.bytes as f64 / time.as_nanos() as f64;
    let mut speeds = Vec::new();
    for job in &mut jobs {
        job.times.sort();
        let (best, middle) = (speed(job, job.times[0]), speed(job, job.times[rounds / 2]));
        eprintln!("  {:<50} best {best:7.3} GB/s, median {middle:7.3} of {rounds}", job.name);
        speeds.push((job.name, best));
    }
    Speeds(speeds)
}

/// All front ends come to the same, or there is nothing to compare.
fn check(bytes: &[u8]) {
    let parser = Parser::new();
    let tally = jobs::push(&parser, bytes);
    assert_eq!(jobs::chunks(&parser, bytes), tally);
    assert_eq!(jobs::reader(&parser, bytes), tally);
    assert_eq!(jobs::slice(&parser, bytes), tally);
    assert_eq!(jobs::skip_games(&parser, bytes), data::games(bytes).len());
    assert_eq!(jobs::trees(&parser, bytes) as u64, tally.nodes);
}

fn jobs_over<'d>(bytes: &'d [u8], games: &'d Games) -> Vec<Job<'d>> {
    let mut destination = vec![1; bytes.len()];
    let all = move |name, run: fn(&Parser, &[u8]) -> Tally| {
        Job::new(name, bytes.len(), move || _ = black_box(run(&Parser::new(), black_box(bytes))))
    };
    let count = move |name, run: fn(&Parser, &[u8]) -> usize| {
        Job::new(name, bytes.len(), move || _ = black_box(run(&Parser::new(), black_box(bytes))))
    };
    vec![
        Job::new(MEMCPY, bytes.len(), move || jobs::memcpy(bytes, &mut destination)),
        count("count `[` and `]` with memchr", |_, bytes| jobs::memchr_count(bytes)),
        count("stop at each `[` and `]` with memchr2", |_, bytes| jobs::memchr2_stops(bytes)),
        all(PUSH, jobs::push),
        all(CHUNKS, jobs::chunks),
        all(READER, jobs::reader),
        all(SLICE, jobs::slice),
        count("all events, each property looked up in the registry", jobs::looked_up),
        count("all events, each value read as its type", jobs::typed),
        count("moves of the main line: `Visitor`", jobs::main_line),
        count("trees: `TreeBuilder`, each game", jobs::trees),
        count("`skip_game` over all games", jobs::skip_games),
        Job::new("all events: push, game by game †", games.bytes, || games.sgf_stream()),
        Job::new("trees: `TreeBuilder`, game by game †", games.bytes, || games.sgf_stream_trees()),
        Job::new(SGF_PARSE, games.bytes, || games.sgf_parse()),
        Job::new("`sgf-parser`, game by game †", games.bytes, || games.sgf_parser()),
    ]
}

fn print(archive: &Speeds, mixed: &Speeds) {
    println!("| job | archive GB/s | × memcpy | × sgf-parse | mixed GB/s | × memcpy | × sgf-parse |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for &(name, _) in &archive.0 {
        let cells = [archive, mixed].map(|speeds| {
            let speed = speeds.of(name);
            [speed, speed / speeds.of(MEMCPY), speed / speeds.of(SGF_PARSE)].map(digits).join(" | ")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
    println!("† The same games, one text each; all three crates read the same nodes, properties and values of them.");
    println!("The peers build trees of owned, typed properties, we of raw values: see `benches/support/peers.rs`.");
    println!();
    println!("| of push, one slice | archive | mixed | floor |");
    println!("|---|--:|--:|--:|");
    for (name, floor) in [(CHUNKS, "0.9"), (READER, "0.4"), (SLICE, "")] {
        let [archive, mixed] = [archive, mixed].map(|speeds| digits(speeds.of(name) / speeds.of(PUSH)));
        println!("| {name} | {archive} | {mixed} | {floor} |");
    }
}

/// Each row against the first of its kind.
fn print_records(archive: &Speeds, mixed: &Speeds) {
    println!();
    println!("| games as values with serde | archive GB/s ‡ | we are faster | mixed GB/s ‡ | we are faster |");
    println!("|---|--:|--:|--:|--:|");
    let mut ours = HEADERS;
    for &(name, _) in &archive.0 {
        if [HEADERS, LINES, TREES].contains(&name) {
            ours = name;
        }
        let cells = [archive, mixed].map(|speeds| {
            let speed = speeds.of(name);
            [speed, speeds.of(ours) / speed].map(digits).join(" | ")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
    println!("‡ Of the SGF that the games are in. The structs are the same for all formats, and so are the");
    println!("values read: see `benches/support/records.rs`.");
}

/// Two or three that count.
fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}
