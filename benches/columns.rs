//! Benchmarks of tables, beside what they are to be compared with: `cargo bench --features cli,arrow --bench columns` prints
//! a table, in half a minute.
//!
//! All jobs take turns, and the best time of each counts. `SGF_BENCH_MB` sets the size of a data set, 64 (MiB) by default.

mod support;

use std::hint::black_box;
use std::ops::ControlFlow;

use sgf_stream::table::Table;
use sgf_stream::{Ident, Parser, RawValue, Skip, Visitor};

use support::data::{self, Data};
use support::records::Header;
use support::turns::{Job, digits, take_turns};
use support::{TINY, measuring, megabytes};

const ROUNDS: usize = 5;

const HEADERS: &str = "headers: `Games<Header>`";
const LINE: &str = "main line: `Visitor`";

/// The jobs of tables: the table, its columns (none: all), and the job that it is compared with.
const TABLES: &[(&str, Table, &[&str], &str)] = &[
    ("headers: four texts", Table::Games, &["black", "white", "result_text", "date_text"], HEADERS),
    ("headers: typed", Table::Games, &["file", "offset", "black", "white", "date", "winner", "komi"], HEADERS),
    ("headers: `offset`", Table::Games, &["offset"], HEADERS),
    ("`moves`", Table::Games, &["moves"], LINE),
    ("`sgf_moves`", Table::Games, &["sgf_moves"], LINE),
    ("`canonical`", Table::Games, &["canonical"], LINE),
    ("`node_count`", Table::Games, &["node_count"], LINE),
    ("all columns of `games`", Table::Games, &[], LINE),
    ("`moves`: ply, color, x, y", Table::Moves, &["ply", "color", "x", "y"], LINE),
    ("all columns of `moves`", Table::Moves, &[], LINE),
    ("all columns of `properties`", Table::Properties, &[], LINE),
];

fn main() {
    let (bytes, rounds) = if measuring() { (megabytes(64) << 20, ROUNDS) } else { (TINY, 1) };
    println!("| rows | compared with | archive MB/s | ratio | mixed MB/s | ratio |");
    println!("|---|---|--:|--:|--:|--:|");
    let speeds = [data::archive(bytes), data::mixed(bytes)].map(|data| measure(&data, rounds));
    for (name, _, _, peer) in TABLES {
        let cells = speeds.iter().map(|speeds| {
            let (speed, ratio) = (speeds.of(name), speeds.of(name) / speeds.of(peer));
            format!("{} | {}", digits(speed * 1000.0), digits(ratio))
        });
        println!("| {name} | {peer} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn measure(data: &Data, rounds: usize) -> support::turns::Speeds {
    eprintln!("{}: {}", data.name, data.source);
    let (bytes, parser) = (&data.bytes[..], Parser::new());
    let mut jobs = vec![
        Job::new(HEADERS, bytes.len(), || parser.slice(bytes).games::<Header>().for_each(|game| drop(black_box(game)))),
        Job::new(LINE, bytes.len(), || {
            let mut reader = parser.slice(bytes);
            while let Ok(Some(moves)) = reader.read_game(&mut Moves) {
                black_box(moves);
            }
        }),
    ];
    for &(name, table, columns, _) in TABLES {
        let mut table = parser.table(table);
        if !columns.is_empty() {
            table = table.columns(columns).expect("names of columns");
        }
        jobs.push(Job::new(name, bytes.len(), move || table.slice(bytes).for_each(|batch| drop(black_box(batch)))));
    }
    take_turns(jobs, rounds)
}

/// Counts the moves of the main line.
struct Moves;

impl Visitor for Moves {
    type Game = u64;
    type Output = u64;

    fn begin_game(&mut self, _: u64) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(0)
    }

    fn property(&mut self, _: &mut u64, ident: Ident<'_>, _: u64) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(if ident == "B" || ident == "W" { Skip::No } else { Skip::Yes })
    }

    fn value(&mut self, moves: &mut u64, value: RawValue<'_>, _: u64) -> ControlFlow<u64> {
        *moves += u64::from(!value.is_empty());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: u64) -> u64 {
        moves
    }
}
