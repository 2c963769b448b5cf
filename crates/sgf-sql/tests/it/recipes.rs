//! The page on SQL: each query, command and program runs, and prints what the page shows.
//!
//! `UPDATE_PAGES=1` renews the outputs. The games are those of `crates/sgf-guide/src/games`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{archive, ask, context_of, directory};

#[path = "../../../../tests/support/blocks.rs"]
mod blocks;
#[path = "../../../../tests/support/transcripts.rs"]
#[allow(dead_code)] // other tests use all of it
mod transcripts;

/// The program in Rust on the page.
mod program {
    include!("recipes/program.rs");

    pub(super) fn run() -> datafusion::error::Result<()> {
        main()
    }
}

const PROGRAM: &str = include_str!("recipes/program.rs");

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sgf-guide/src")
}

/// Runs a program, which must succeed and print nothing on standard error; returns its output.
#[cfg(unix)]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{command:?}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn the_page_shows_what_queries_and_commands_print() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    // `sgf` passes these subcommands on.
    let sgf = directory.path().join("sgf");
    fs::write(&sgf, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_sgf-sql"))).unwrap();
    fs::set_permissions(&sgf, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", directory.path().display(), std::env::var("PATH").unwrap());
    let work = directory.path().join("work");
    fs::create_dir(&work).unwrap();
    let file = guide().join("sql.md");
    let page = fs::read_to_string(&file).unwrap();
    // The commands; then the queries, in the same directory.
    let renewed = transcripts::renewed(&page, &work, &format!("PATH='{path}'"), |_| transcripts::Run::Yes);
    let mut queries = 0;
    let renewed = blocks::with_outputs(&renewed, |language, query| {
        (language == "sql").then(|| {
            queries += 1;
            output(Command::new(&sgf).args(["sql", query.trim(), "games/"]).current_dir(&work))
        })
    });
    assert!(queries >= 11, "{queries}");
    transcripts::store(&file, &page, &renewed).unwrap();
}

/// The queries in the table of times.
#[tokio::test]
async fn queries_with_times_run() {
    let (_directory, path) = directory(&[("a.sgf", archive(500).as_bytes())]);
    let ctx = context_of(&path, 2);
    let page = fs::read_to_string(guide().join("sql.md")).unwrap();
    let timed: Vec<&str> = page.split('`').filter(|code| code.starts_with("SELECT ") && !code.contains('…')).collect();
    assert!(timed.len() >= 4, "{timed:?}");
    for query in timed {
        ask(&ctx, query).await;
    }
}

#[test]
fn the_program_on_the_page_runs() {
    let page = fs::read_to_string(guide().join("sql.md")).unwrap();
    let program = PROGRAM.replace("../sgf-guide/src/games/", "games/");
    assert!(page.contains(&format!("```rust,ignore\n{program}```\n")), "the page has another program than\n{program}");
    // It prints to standard output, where a test cannot see it.
    program::run().unwrap();
}
