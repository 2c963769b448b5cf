//! Benchmarks of searches: `cargo bench -p sgf-stream-benches --bench search`, about two minutes.
//!
//! Builds an index of 125,000 generated games on one core, and searches in it. The time of a search is that on the clock, with
//! all cores; *warm* is an index that is open and has been asked before, *cold* opens it anew (its files are in the
//! system's cache). The last column compares with the same search without an index, on one core. `SGF_BENCH_GAMES` sets
//! another number of games.
//!
//! If `SGF` names the command, the program also compares `sgf find` with `sgf records --moves` on the same games, with one thread.

mod support;

use std::fs;
use std::hint::black_box;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sgf_board::{Board, walk};
use sgf_search::index::{Index, IndexOptions, IndexWriter, Stamp, Written};
use sgf_search::{Pattern, Place, Search};
use sgf_stream::Parser;
use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

use support::clock::Clock;
use support::{data, measuring};

const ROUNDS: usize = 7;

/// The number of games that are read at a time.
const TOGETHER: usize = 1000;

fn main() {
    let wanted = std::env::var("SGF_BENCH_GAMES").ok().map(|games| games.parse().expect("SGF_BENCH_GAMES is a number"));
    let (wanted, rounds) = if measuring() { (wanted.unwrap_or(125_000), ROUNDS) } else { (200, 1) };
    let mut archive = data::archive(1400 * wanted).bytes;
    let mut games = data::games(&archive);
    games.truncate(wanted);
    archive.truncate(games.last().map_or(0, |game| game.end));
    let directory = Directory::new();
    let (written, time) = build(&directory.0, &archive, &games);
    let (count, seconds) = (games.len() as f64, time.as_secs_f64());
    println!("{} games, {} MB, {}", games.len(), archive.len() / 1_000_000, Clock::kind());
    println!(
        "build: {seconds:.2} s on one core, {:.0} games/s; {:.0} bytes a game",
        count / seconds,
        written.bytes as f64 / count
    );
    println!(
        "\n| search | games found | warm ms | cold ms | without an index ms | warm × |\n|---|--:|--:|--:|--:|--:|"
    );
    let index = Index::open_in_memory(&directory.0).expect("the index opens");
    // A game from the middle has the positions that are searched for.
    let game = &archive[games[games.len() / 2].clone()];
    for (name, search) in searches(game) {
        row(name, rounds, &directory.0, (&index, &archive), &search);
    }
    exact(rounds, (&directory.0, &index), &board_after(game, 12));
    if let Some(command) = std::env::var_os("SGF") {
        compare_commands(rounds, &PathBuf::from(command), &directory.0.join("archive.sgf"), &archive);
    }
}

/// A directory that is removed.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let directory = std::env::temp_dir().join(format!("sgf-bench-search-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory for the index");
        Directory(directory)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Builds an index of games on one core.
fn build(directory: &Path, archive: &[u8], games: &[Range<usize>]) -> (Written, Duration) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let clock = Clock::start();
        let mut writer = IndexWriter::open(directory, &IndexOptions::new()).expect("an index");
        let (parser, reader) = (Parser::new(), writer.reader());
        for some in games.chunks(TOGETHER) {
            let bytes = &archive[some[0].start..some[some.len() - 1].end];
            let rows = reader.read(&parser, "archive.sgf", || parser.reader(bytes)).expect("games");
            writer.write(rows).expect("rows are written");
        }
        writer.set_file("archive.sgf", Stamp { size: archive.len() as u64, modified: 0, hash: String::new() });
        let written = writer.finish().expect("the index is written");
        (written, clock.elapsed())
    })
}

/// Returns the position of a game after some nodes.
fn board_after(game: &[u8], nodes: usize) -> Board {
    let mut last = None;
    walk(&Parser::new(), game, |step| {
        if step.number() <= nodes {
            last = Some(step.board().clone());
        }
    })
    .expect("a game");
    last.expect("a board")
}

/// Returns a pattern of a part of a position.
fn part(board: &Board, (from, to): (Point, Point)) -> Pattern {
    let mut text = format!("(;SZ[19]VW[{from}:{to}]");
    for (color, ident) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let is_inside =
            |point: &Point| (from.x()..=to.x()).contains(&point.x()) && (from.y()..=to.y()).contains(&point.y());
        let points: String = board.stones(color).filter(is_inside).map(|point| format!("[{point}]")).collect();
        if !points.is_empty() {
            text += ident;
            text += &points;
        }
    }
    Pattern::parse(&(text + ")")).expect("a pattern").with_empty_rest()
}

fn searches(game: &[u8]) -> Vec<(&'static str, Search)> {
    let square = |from, to| (Point::new(from, from).expect("a point"), Point::new(to, to).expect("a point"));
    let (opening, middle) = (board_after(game, 40), board_after(game, 120));
    vec![
        ("the whole board after 12 moves", Search::new(part(&board_after(game, 12), square(0, 18)))),
        ("7×7 corner, 16 variants", Search::new(part(&opening, square(0, 6)))),
        ("5×5 anywhere", Search::new(part(&middle, square(5, 9))).place(Place::Anywhere)),
        (
            "three stones in a corner, then a move",
            Search::new(Pattern::parse("(;SZ[19]AB[pd]AW[qf][nc]VW[la:sh];B[qc])").expect("a pattern")),
        ),
    ]
}

/// Measures a search.
fn row(name: &str, rounds: usize, directory: &Path, (index, archive): (&Index, &[u8]), search: &Search) {
    let find = |index: &Index| {
        let mut games = 0_u64;
        index.find(search, &[], |_| games += 1).expect("the index is searched");
        games
    };
    let games = find(index);
    let warm = best(rounds, || find(index));
    let cold = best(rounds, || find(&Index::open(directory).expect("the index opens")));
    let mut streamed = 0;
    let stream = best(1, || {
        search.find(&Parser::new(), archive, |_| streamed += 1).expect("the archive is searched");
    });
    assert_eq!(games, streamed, "{name}");
    println!(
        "| {name} | {games} | {} | {} | {} | {:.0} |",
        milliseconds(warm),
        milliseconds(cold),
        milliseconds(stream),
        stream.as_secs_f64() / warm.as_secs_f64()
    );
}

/// Measures what the index knows of a position.
fn exact(rounds: usize, (directory, index): (&Path, &Index), board: &Board) {
    let find = |index: &Index| index.position(board).expect("positions").map_or(0, |position| position.games);
    let games = find(index);
    let warm = best(rounds, || find(index));
    let cold = best(rounds, || find(&Index::open(directory).expect("the index opens")));
    println!("| exact position, with next moves | {games} | {} | {} | | |", milliseconds(warm), milliseconds(cold));
}

/// Measures searches of the command without an index, compared with reading all moves.
fn compare_commands(rounds: usize, command: &Path, file: &Path, archive: &[u8]) {
    fs::write(file, archive).expect("the archive is written");
    let time = |arguments: &[&str]| {
        best(rounds, || {
            let mut run = Command::new(command);
            run.args(arguments)
                .arg(file)
                .args(["--threads", "1", "--quiet"])
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            // Code 1 says that nothing was found.
            assert!(run.status().expect("the command runs").code().is_some_and(|code| code < 2), "{arguments:?}");
        })
    };
    let moves = time(&["records", "--moves"]);
    println!(
        "\n| command | ms | of `records --moves` |\n|---|--:|--:|\n| `sgf records --moves` | {} | |",
        milliseconds(moves)
    );
    let joseki = "(;SZ[19]AB[pd]AW[qf][nc]VW[la:sh];B[qc])";
    for (name, arguments) in [
        ("`sgf find JOSEKI`", &["find", "--count", joseki][..]),
        ("`sgf find --anywhere 2×2`", &["find", "--count", "--anywhere", "XO/OX"]),
    ] {
        let found = time(arguments);
        println!("| {name} | {} | {:.2} |", milliseconds(found), found.as_secs_f64() / moves.as_secs_f64());
    }
}

/// Returns the least time of some rounds.
fn best<T>(rounds: usize, mut run: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    support::turns::digits(time.as_secs_f64() * 1e3)
}
