//! Benchmarks of tables, beside what they are to be compared with: `cargo bench -p sgf-stream-benches --bench columns` prints
//! a table, in half a minute.
//!
//! All jobs take turns, and the best time of each counts. `SGF_BENCH_MB` sets the size of a data set, 64 (MiB) by default.

mod support;

use std::hint::black_box;

use sgf_arrow::ArrowTable;
use sgf_stream::Parser;
use sgf_table::{Table, TableBuilder};

use support::data::{self, Data};
use support::records::Header;
use support::turns::{Job, digits, take_turns};
use support::{TINY, jobs, measuring, megabytes};

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
        Job::new(LINE, bytes.len(), || _ = black_box(jobs::main_line(&parser, bytes))),
    ];
    for &(name, table, columns, _) in TABLES {
        let mut table = TableBuilder::new(&parser, table);
        if !columns.is_empty() {
            table = table.columns(columns).expect("names of columns");
        }
        let table = ArrowTable::new(table);
        jobs.push(Job::new(name, bytes.len(), move || table.slice(bytes).for_each(|batch| drop(black_box(batch)))));
    }
    take_turns(jobs, rounds)
}
