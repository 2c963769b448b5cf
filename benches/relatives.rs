//! Benchmarks beside the fastest parsers of related formats: `cargo bench -p sgf-stream-benches --bench relatives` prints
//! a table, in some seconds.
//!
//! `pgn-reader` reads games of chess, and `simd-csv` and `csv` read rows. The games are those of *archive*, in three
//! notations: SGF; PGN, with the same tags and number of moves, each written as a move of chess; and CSV, with a row for
//! each move (game, number, color, point). No reader judges the moves, and all stream from memory. The formats differ in
//! size, so bytes per second tell how a reader works, and moves per second what its user gets.
//!
//! All jobs take turns, and the best time of each counts. `SGF_BENCH_MB` sets the size of the SGF, 16 (MiB) by default.

mod support;

use std::fmt::Write;
use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::SanPlus;
use serde::Deserialize;
use sgf_stream::Parser;
use sgf_stream::value::{Color, go};

use support::turns::{Job, digits, take_turns};
use support::{TINY, data, jobs, measuring, megabytes};

const ROUNDS: usize = 7;

/// A game of the archive.
#[derive(Deserialize)]
struct Game {
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "DT", default)]
    date: String,
    #[serde(rename = "RE", default)]
    result: String,
    #[serde(rename = "$mainline", default, deserialize_with = "sgf_stream::de::moves")]
    moves: Vec<(Color, go::Move)>,
}

impl Game {
    /// The moves that are points.
    fn stones(&self) -> impl Iterator<Item = (Color, go::Point)> {
        self.moves.iter().filter_map(|(color, at)| Some((*color, at.point()?)))
    }

    fn write_pgn(&self, pgn: &mut String) {
        let Game { black, white, date, result, .. } = self;
        let tags =
            [("Event", "?"), ("Date", date), ("White", white), ("Black", black), ("Result", "*"), ("Note", result)];
        for (name, value) in tags {
            let value: String = value.chars().filter(|c| !matches!(c, '"' | '\\' | '\n' | '\r')).take(100).collect();
            pgn.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        pgn.push('\n');
        for (n, (_, point)) in self.stones().enumerate() {
            let (file, rank) = (char::from(b'a' + point.x() % 8), point.y() % 6 + 2);
            let number = if n % 2 == 0 { format!("{}. ", n / 2 + 1) } else { String::new() };
            let piece = ["", "N", "", "B", "", "R", "Q"][n % 7];
            pgn.push_str(&format!("{number}{piece}{file}{rank} "));
        }
        pgn.push_str("*\n\n");
    }

    fn write_csv(&self, game: usize, csv: &mut String) {
        for (n, (color, point)) in self.stones().enumerate() {
            writeln!(csv, "{game},{n},{color},{point}").expect("a string takes everything");
        }
    }
}

/// Counts the moves of all games.
struct CountMoves;

impl pgn_reader::Visitor for CountMoves {
    type Tags = ();
    type Movetext = usize;
    type Output = usize;

    fn begin_tags(&mut self) -> ControlFlow<usize, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<usize, usize> {
        ControlFlow::Continue(0)
    }

    fn san(&mut self, moves: &mut usize, san: SanPlus) -> ControlFlow<usize> {
        black_box(san);
        *moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: usize) -> usize {
        moves
    }
}

fn pgn_reader(pgn: &[u8]) -> usize {
    pgn_reader::Reader::new(Cursor::new(pgn)).read_games(&mut CountMoves).map(|moves| moves.expect("a game")).sum()
}

/// Reads all rows, cells told apart. Returns their number.
fn simd_csv(table: &[u8]) -> usize {
    let (mut rows, mut row, mut count) = (simd_csv::Reader::from_reader(table), simd_csv::ByteRecord::new(), 0);
    while rows.read_byte_record(&mut row).expect("rows") {
        black_box(&row);
        count += 1;
    }
    count
}

/// Reads all rows without copying them. Returns their number.
fn simd_csv_zero_copy(table: &[u8]) -> usize {
    let (mut rows, mut count) = (simd_csv::ZeroCopyReader::from_reader(table), 0);
    while let Some(row) = rows.read_byte_record().expect("rows") {
        black_box(row);
        count += 1;
    }
    count
}

fn csv(table: &[u8]) -> usize {
    let (mut rows, mut row, mut count) = (csv::Reader::from_reader(table), csv::ByteRecord::new(), 0);
    while rows.read_byte_record(&mut row).expect("rows") {
        black_box(&row);
        count += 1;
    }
    count
}

/// A reader: its name, the bytes that it reads, and its function.
type Row<'d> = (&'static str, &'d [u8], fn(&[u8]) -> usize);

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes(16) << 20, ROUNDS) } else { (TINY, 1) };
    let sgf = data::archive(bytes).bytes;
    let games: Vec<Game> = Parser::new().slice(&sgf).games().map_while(Result::ok).collect();
    let (mut pgn, mut table) = (String::new(), "game,number,color,point\n".to_owned());
    for (n, game) in games.iter().enumerate() {
        game.write_pgn(&mut pgn);
        game.write_csv(n, &mut table);
    }
    let moves: usize = games.iter().map(|game| game.stones().count()).sum();
    let (pgn, table) = (pgn.as_bytes(), table.as_bytes());
    for read in [pgn_reader(pgn), simd_csv(table), simd_csv_zero_copy(table), csv(table)] {
        assert_eq!(read, moves);
    }
    eprintln!(
        "{} games, {moves} moves; bytes of SGF {}, PGN {}, CSV {}",
        games.len(),
        sgf.len(),
        pgn.len(),
        table.len()
    );

    let rows: [Row<'_>; 8] = [
        ("SGF: `Parser::parse`, all events", &sgf, |sgf| jobs::push(&Parser::new(), sgf).nodes as usize),
        ("SGF: `for_each_event` of `Reader`", &sgf, |sgf| jobs::reader_each(&Parser::new(), sgf).nodes as usize),
        ("SGF: `next_event` of `Reader`", &sgf, |sgf| jobs::reader(&Parser::new(), sgf).nodes as usize),
        ("SGF: `Visitor`, a vector of moves per game", &sgf, |sgf| jobs::main_line(&Parser::new(), sgf)),
        ("PGN: `pgn-reader`", pgn, pgn_reader),
        ("CSV: `simd-csv`", table, simd_csv),
        ("CSV: `simd-csv`, no copy", table, simd_csv_zero_copy),
        ("CSV: `csv`", table, csv),
    ];
    let jobs = rows.map(|(name, bytes, read)| Job::new(name, bytes.len(), move || _ = black_box(read(bytes))));
    let speeds = take_turns(jobs.into(), rounds);
    println!("| reader | MB/s | million moves/s |");
    println!("|---|--:|--:|");
    for (name, bytes, _) in rows {
        let speed = speeds.of(name) * 1000.0;
        println!("| {name} | {} | {} |", digits(speed), digits(speed * moves as f64 / bytes.len() as f64));
    }
}
