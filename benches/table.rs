//! Benchmarks for the first tables of `benches/README.md`: `cargo bench -p sgf-stream-benches --bench table`, about three
//! minutes.
//!
//! Speeds differ from machine to machine and from minute to minute; their ratio to a memcpy of the same bytes in
//! the same run does not. So all jobs take turns, in several rounds, and the best time of each counts.
//! `SGF_BENCH_MB` sets the size of a data set, 256 (MiB) by default.
//!
//! The tables go to standard output; the source of the data and the spread of the rounds go to standard error. The
//! first table compares the results with the [`goals`].
//!
//! `-- --job NAME [FILE]` runs one job once, for a profiler, over a file or over *archive*; without a NAME it lists
//! the jobs. To count the instructions of a job alone:
//!
//! ```sh
//! export SGF_BENCH_MB=4 CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --tool=callgrind --toggle-collect=*::once"
//! cargo bench -p sgf-stream-benches --bench table -- --job push
//! ```

mod support;

use std::env;
use std::fs;
use std::hint::black_box;

use sgf_stream::Parser;

use support::clock::Clock;
use support::codecs::Codec;
use support::data::{self, Data};
use support::jobs;
use support::peers::Games;
use support::records::{self, Format, Header, Line, Records, Tree};
use support::scan;
use support::turns::{Job, Speeds, digits, take_turns};
use support::{TINY, measuring, megabytes};

const ROUNDS: usize = 7;

/// Jobs that are columns, or terms of the ratios below the table.
const MEMCPY: &str = "memcpy";
const PUSH: &str = "all events: push, one slice";
const CHUNKS: &str = "all events: push, chunks of 64 KiB";
const READER: &str = "all events: `Reader`, buffer of 64 KiB";
const EACH: &str = "all events: `Reader::for_each_event`";
const SLICE: &str = "all events: `SliceReader`";
const SKIP: &str = "`skip_game` over all games";
const GAMES: &str = "`GameCodec` over a slice: games";
const LISTS: &str = "`EventListCodec` through adapters of streams: events";
const EVENTS: &str = "`EventCodec` over a slice: events";
const SGF_PARSE: &str = "`sgf-parse`, game by game †";
const HEADERS: &str = "headers: `Games<Header>`";
const LINES: &str = "main line: `Games<Line>`, a list of moves";
const TREES: &str = "tree: `Games<Tree>`, through `$variations`";
const TYPED: &str = "all events, each value read as its type";
const RULES: &str = "all events through the rules of `check`";
const BUILT: &str = "trees: `TreeBuilder`, game by game †";
const RECORDS: &str = "`RecordCodec` over a slice: headers";
const LINES_SGF_PARSE: &str = "main line: `sgf-parse`";

/// A job over all bytes of a data set: its name for `--job`, its name in the table, and its function.
type Whole = (&'static str, &'static str, fn(&Parser, &[u8]) -> usize);

const WHOLE: &[Whole] = &[
    ("memchr", "count `[` and `]` with memchr", |_, bytes| jobs::memchr_count(bytes)),
    ("memchr2", "stop at each `[` and `]` with memchr2", |_, bytes| jobs::memchr2_stops(bytes)),
    ("push", PUSH, |parser, bytes| nodes(jobs::push(parser, bytes))),
    ("chunks", CHUNKS, |parser, bytes| nodes(jobs::chunks(parser, bytes))),
    ("reader", READER, |parser, bytes| nodes(jobs::reader(parser, bytes))),
    ("reader-each", EACH, |parser, bytes| nodes(jobs::reader_each(parser, bytes))),
    ("slice", SLICE, |parser, bytes| nodes(jobs::slice(parser, bytes))),
    ("slice-each", "all events: `SliceReader`, `for_each`", |parser, bytes| nodes(jobs::slice_each(parser, bytes))),
    ("lookup", "all events, each property looked up in the registry", jobs::looked_up),
    ("typed", TYPED, jobs::typed),
    ("check", RULES, |_, bytes| jobs::check(bytes) as usize),
    ("visitor", "moves of the main line: `Visitor`", jobs::main_line),
    ("trees", "trees: `TreeBuilder`, each game", jobs::trees),
    ("skip", SKIP, jobs::skip_games),
    ("headers", HEADERS, jobs::values::<Header>),
    ("lines", LINES, jobs::values::<Line>),
    ("values", TREES, jobs::values::<Tree>),
    ("games", GAMES, |_, bytes| Codec::Games.drain_slice(bytes) as usize),
    ("records", RECORDS, |_, bytes| Codec::Records.drain_slice(bytes) as usize),
    ("events", EVENTS, |_, bytes| Codec::Events.drain_slice(bytes) as usize),
    ("event-adapters", "`EventCodec` through adapters of streams", |_, bytes| {
        Codec::EventAdapters.drain_slice(bytes) as usize
    }),
    ("event-lists", "`EventListCodec` over a slice: events", |_, bytes| Codec::EventLists.drain_slice(bytes) as usize),
    ("event-list-adapters", LISTS, |_, bytes| Codec::EventListAdapters.drain_slice(bytes) as usize),
];

/// Returns the number of nodes of a tally.
fn nodes(tally: jobs::Tally) -> usize {
    black_box(tally).nodes as usize
}

fn main() {
    let mut asked = env::args().skip_while(|argument| argument != "--job");
    if asked.next().is_some() {
        // cargo appends `--bench` to the user's arguments.
        let mut given = asked.filter(|argument| !argument.starts_with("--"));
        return one_job(&given.next().unwrap_or_default(), given.next());
    }
    let (bytes, rounds) = if measuring() { (megabytes(256) << 20, ROUNDS) } else { (TINY, 1) };
    eprintln!("measured: {}", Clock::kind());
    let sets = [data::archive(bytes), data::mixed(bytes)];
    let wholes = sets.each_ref().map(|data| measure(data, rounds));
    let values = sets.each_ref().map(|data| measure_records(data, rounds));
    let peaks = sets.each_ref().map(|data| scan::peak_memory(data.bytes.as_slice()).expect("a pipe to `sgf scan`"));
    print_goals(&goals(&wholes[0], &values[0], peaks[0].max(peaks[1])));
    print(&wholes);
    print_records(&values);
}

// --- One job -----------------------------------------------------------------------------------

fn one_job(name: &str, file: Option<String>) {
    let Some((_, _, run)) = WHOLE.iter().find(|(job, ..)| *job == name) else {
        let names: Vec<_> = WHOLE.iter().map(|&(job, ..)| job).collect();
        return eprintln!("jobs: {}", names.join(" "));
    };
    let bytes = match file {
        Some(file) => fs::read(file).expect("a file to read"),
        None => data::archive(megabytes(256) << 20).bytes,
    };
    let tally = jobs::push(&Parser::new(), &bytes);
    once(*run, &bytes);
    println!("{name}: {} bytes, {} nodes", bytes.len(), tally.nodes);
}

/// Runs a job. A profiler finds the function by its name.
#[inline(never)]
fn once(run: fn(&Parser, &[u8]) -> usize, bytes: &[u8]) {
    black_box(run(&Parser::new(), black_box(bytes)));
}

// --- Measuring ---------------------------------------------------------------------------------

/// Measures whole data sets, and the peers.
fn measure(data: &Data, rounds: usize) -> Speeds {
    let games = Games::of(&data.bytes);
    eprintln!("{}: {}, {} bytes; peers: {}", data.name, data.source, data.bytes.len(), games.describe());
    check(&data.bytes);
    let bytes = data.bytes.as_slice();
    let mut destination = vec![1; bytes.len()];
    let mut all = vec![Job::new(MEMCPY, bytes.len(), move || jobs::memcpy(bytes, &mut destination))];
    all.extend(WHOLE.iter().map(|&(_, name, run)| Job::new(name, bytes.len(), move || once(run, bytes))));
    all.extend([
        Job::new("all events: push, game by game †", games.bytes, || games.sgf_stream()),
        Job::new(BUILT, games.bytes, || games.sgf_stream_trees()),
        Job::new(SGF_PARSE, games.bytes, || games.sgf_parse()),
        Job::new("`sgf-parser`, game by game †", games.bytes, || games.sgf_parser()),
    ]);
    take_turns(all, rounds)
}

/// Checks that all front ends give the same result.
fn check(bytes: &[u8]) {
    let parser = Parser::new();
    let (tally, games) = (jobs::push(&parser, bytes), data::games(bytes).len());
    assert_eq!(jobs::chunks(&parser, bytes), tally);
    assert_eq!(jobs::reader(&parser, bytes), tally);
    assert_eq!(jobs::slice(&parser, bytes), tally);
    assert_eq!(jobs::slice_each(&parser, bytes), tally);
    assert_eq!(jobs::reader_each(&parser, bytes), tally);
    for codec in [Codec::Events, Codec::EventAdapters, Codec::EventLists, Codec::EventListAdapters] {
        assert_eq!(codec.drain_slice(bytes), tally.events());
    }
    assert_eq!(jobs::skip_games(&parser, bytes), games);
    assert_eq!(Codec::Games.drain_slice(bytes), games as u64);
    assert_eq!(jobs::trees(&parser, bytes) as u64, tally.nodes);
}

/// Measures games as values, in several formats.
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
        job("headers: `csv`, a row a game", headers, |format| format.csv(records::csv_headers)),
        job(LINES, lines, Format::sgf_stream::<Line>),
        job("main line: all events of these games", lines, Format::events),
        job(LINES_SGF_PARSE, lines, |format| format.sgf_parse(records::line)),
        job("main line: `serde_json`, from JSON", lines, Format::serde_json::<Line>),
        job("main line: `quick-xml`, from XML", lines, Format::quick_xml::<Line>),
        job("main line: `csv`, a row a node", lines, |format| format.csv(records::csv_lines)),
        job(TREES, trees, Format::sgf_stream::<Tree>),
        job("tree: all events of these games", trees, Format::events),
        job("tree: `sgf-parse`", trees, |format| format.sgf_parse(records::tree)),
        job("tree: `serde_json`, from JSON", trees, Format::serde_json::<Tree>),
        job("tree: `quick-xml`, from XML", trees, Format::quick_xml::<Tree>),
    ];
    take_turns(jobs, rounds)
}

// --- What was wanted ---------------------------------------------------------------------------

/// The goal of a job on *archive*: a floor that must be reached, and an aim.
struct Goal {
    job: &'static str,
    /// The unit of the figures, often a multiple of another job.
    unit: &'static str,
    floor: f64,
    aim: f64,
    is: f64,
}

const MIB: &str = "MiB at most";

fn goals(whole: &Speeds, values: &Speeds, peak: Option<u64>) -> Vec<Goal> {
    let goal = |job, unit, floor, aim, is| Goal { job, unit, floor, aim, is };
    let to_memcpy = |job, floor, aim| goal(job, "× memcpy", floor, aim, whole.of(job) / whole.of(MEMCPY));
    let to_push = |job, floor, aim| goal(job, "× push", floor, aim, whole.of(job) / whole.of(PUSH));
    let mut goals = vec![
        to_memcpy(PUSH, 0.1, 0.28),
        to_push(CHUNKS, 0.9, 1.0),
        to_push(READER, 0.4, 0.9),
        to_push(EACH, 0.4, 0.9),
        to_memcpy(SKIP, 0.3, 0.75),
        to_memcpy(HEADERS, 0.1, 0.25),
        goal(LINES, "× sgf-parse ‡", 30.0, 100.0, values.of(LINES) / values.of(LINES_SGF_PARSE)),
        goal(BUILT, "× sgf-parse †", 15.0, 50.0, whole.of(BUILT) / whole.of(SGF_PARSE)),
        to_push(TYPED, 0.1, 0.4),
        to_push(RULES, 0.1, 0.4),
        goal(GAMES, "GB/s", 1.0, 4.0, whole.of(GAMES)),
        goal(RECORDS, "GB/s", 0.5, 1.2, whole.of(RECORDS)),
        goal(EVENTS, "MB/s", 100.0, 600.0, whole.of(EVENTS) * 1e3),
        goal(LISTS, "GB/s", 0.3, 0.6, whole.of(LISTS)),
    ];
    goals.extend(peak.map(|peak| goal("memory of `sgf scan`", MIB, 32.0, 16.0, peak as f64 / f64::from(1 << 20))));
    goals
}

impl Goal {
    /// Returns how much of the goal is reached. Chunks may be slightly slower than one slice in one run and
    /// slightly faster in the next, which counts as reached.
    fn verdict(&self) -> String {
        let share = |wanted: f64| if self.unit == MIB { wanted / self.is } else { self.is / wanted };
        match (share(self.floor), share(self.aim)) {
            (_, 0.995..) => "aim met".to_owned(),
            (1.0.., aim) => format!("floor met, {:.0} % of the aim", aim * 100.0),
            (floor, aim) => format!("{:.0} % of the floor, {:.0} % of the aim", floor * 100.0, aim * 100.0),
        }
    }
}

// --- Printing ----------------------------------------------------------------------------------

fn print_goals(goals: &[Goal]) {
    println!("| goals on *archive*, one core | unit | floor | aim | result | |");
    println!("|---|---|--:|--:|--:|---|");
    for goal in goals {
        let Goal { job, unit, floor, aim, is } = goal;
        println!("| {job} | {unit} | {floor} | {aim} | {} | {} |", digits(*is), goal.verdict());
    }
    println!();
}

fn print([archive, mixed]: &[Speeds; 2]) {
    println!("| job | archive GB/s | × memcpy | × sgf-parse | mixed GB/s | × memcpy | × sgf-parse |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (name, _) in &archive.0 {
        let cells = [archive, mixed].map(|speeds| {
            let speed = speeds.of(name);
            [speed, speed / speeds.of(MEMCPY), speed / speeds.of(SGF_PARSE)].map(digits).join(" | ")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
    println!("† One text for each game; all three crates read the same nodes, properties and values.");
    println!(
        "The peers build trees of owned, typed properties, this crate trees of raw values: see `benches/support/peers.rs`."
    );
}

/// Prints each row relative to the first of its kind.
fn print_records([archive, mixed]: &[Speeds; 2]) {
    println!();
    println!("| games as values with serde | archive GB/s ‡ | speedup | mixed GB/s ‡ | speedup |");
    println!("|---|--:|--:|--:|--:|");
    let mut ours = HEADERS;
    for (name, _) in &archive.0 {
        ours = [HEADERS, LINES, TREES].into_iter().find(|first| first == name).unwrap_or(ours);
        let cells = [archive, mixed].map(|speeds| {
            let speed = speeds.of(name);
            [speed, speeds.of(ours) / speed].map(digits).join(" | ")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
    println!("‡ Bytes of SGF, whatever the format. The structs are the same for all formats, and so are the");
    println!("values read: see `benches/support/records.rs`. Comments and variations are in SGF and in trees only.");
}
