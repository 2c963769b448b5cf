//! Benchmarks of the board: `cargo bench -p sgf-stream-benches --bench board` prints a table, in some seconds.
//!
//! All jobs take turns, and the best time of each counts. `SGF_BENCH_MB` sets the size of a data set, 16 (MiB) by default.

mod support;

use std::hint::black_box;
use std::ops::ControlFlow;

use sgf_board::{Board, Fingerprint, Replay, Walk};
use sgf_stream::value::{Color, Size, go};
use sgf_stream::{Event, Ident, Parser, RawValue, Skip, Visitor};

use support::data::{self, Data};
use support::turns::{Job, Speeds, digits, take_turns};
use support::{TINY, measuring, megabytes};

const ROUNDS: usize = 5;

const PLAY: &str = "`Board::play`: moves that were read before";
const REPLAY: &str = "`Replay`: all events, variations among them";
const WALK: &str = "`Walk::line_visitor`: the stones before each move, from the bytes";
const FINGERPRINT: &str = "`Fingerprint::visitor`: from the bytes";

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes(16) << 20, ROUNDS) } else { (TINY, 1) };
    let speeds = [data::archive(bytes), data::mixed(bytes)].map(|data| measure(&data, rounds));
    println!("| job | archive, million moves/s | mixed, million moves/s |");
    println!("|---|--:|--:|");
    for job in [PLAY, REPLAY, WALK, FINGERPRINT] {
        let cells = speeds.iter().map(|speeds| digits(speeds.of(job) * 1000.0));
        println!("| {job} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn measure(data: &Data, rounds: usize) -> Speeds {
    eprintln!("{}: {}; read GB/s below as billions of moves a second", data.name, data.source);
    let (bytes, parser) = (&data.bytes[..], Parser::new());
    let lines = main_lines(bytes);
    let in_lines = lines.iter().map(Vec::len).sum();
    let mut in_all = 0;
    for event in parser.slice(bytes).map_while(Result::ok) {
        in_all += usize::from(matches!(event, Event::Property(ident) if ident == "B" || ident == "W"));
    }
    let jobs = vec![
        Job::new(PLAY, in_lines, || {
            let mut board = Board::new(Size::square(19).expect("a size")).expect("a size of boards");
            for line in &lines {
                board.clear();
                for &(color, point) in line {
                    board.play(color, point);
                }
                black_box(board.canonical_hash());
            }
        }),
        Job::new(REPLAY, in_all, || {
            let mut replay = Replay::new();
            let _ = parser.parse(bytes, |event, _| replay.event(event));
            black_box(replay.move_number());
        }),
        Job::new(WALK, in_lines, || {
            let (mut reader, mut before) = (parser.slice(bytes), Vec::new());
            let mut visitor = Walk::line_visitor(|step| {
                black_box((&before, step.played()));
                before.clear();
                before.extend_from_slice(step.board().as_slice());
            });
            while let Ok(Some(())) = reader.read_game(&mut visitor) {}
        }),
        Job::new(FINGERPRINT, in_lines, || {
            let mut reader = parser.slice(bytes);
            while let Ok(Some(fingerprint)) = reader.read_game(&mut Fingerprint::visitor()) {
                black_box(fingerprint);
            }
        }),
    ];
    take_turns(jobs, rounds)
}

/// Returns the moves of the main line of each game, without those that are not points of a board.
fn main_lines(bytes: &[u8]) -> Vec<Vec<(Color, go::Point)>> {
    let (mut reader, mut lines) = (Parser::new().slice(bytes), Vec::new());
    while let Ok(Some(line)) = reader.read_game(&mut MainLine::default()) {
        lines.push(line);
    }
    lines
}

/// Collects moves.
#[derive(Default)]
struct MainLine {
    color: Option<Color>,
}

impl Visitor for MainLine {
    type Game = Vec<(Color, go::Point)>;
    type Output = Self::Game;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Self::Output, Self::Game> {
        ControlFlow::Continue(Vec::new())
    }

    fn property(&mut self, _: &mut Self::Game, ident: Ident<'_>, _: u64) -> ControlFlow<Self::Output, Skip> {
        self.color = match ident.as_bytes() {
            b"B" => Some(Color::Black),
            b"W" => Some(Color::White),
            _ => None,
        };
        ControlFlow::Continue(if self.color.is_some() { Skip::No } else { Skip::Yes })
    }

    fn value(&mut self, line: &mut Self::Game, value: RawValue<'_>, _: u64) -> ControlFlow<Self::Output> {
        line.extend(self.color.zip(go::Point::parse(value).ok()));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: Self::Game) -> Self::Output {
        line
    }
}
