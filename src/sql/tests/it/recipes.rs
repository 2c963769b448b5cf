//! The page on SQL: each query, command and program runs, and prints what the page shows.
//!
//! `UPDATE_PAGES=1` renews the outputs. The games are those of `src/guide/games`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::{archive, ask, context_of, directory};

#[path = "../../../../tests/support/blocks.rs"]
mod blocks;

/// The program in Rust on the page.
mod program {
    include!("recipes/program.rs");

    pub(super) fn run() -> datafusion::error::Result<()> {
        main()
    }
}

const PROGRAM: &str = include_str!("recipes/program.rs");

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../guide")
}

/// A directory with the games of the guide in `games`.
fn games() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("games")).unwrap();
    for file in fs::read_dir(guide().join("games")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), directory.path().join("games").join(file.file_name())).unwrap();
    }
    directory
}

/// Runs a program, which must succeed and print nothing on standard error; returns its output.
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
    let directory = games();
    // `sgf` passes these subcommands on.
    let sgf = directory.path().join("sgf");
    fs::write(&sgf, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_sgf-sql"))).unwrap();
    fs::set_permissions(&sgf, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", directory.path().display(), std::env::var("PATH").unwrap());
    let (mut queries, mut commands) = (0, 0);
    let page = fs::read_to_string(guide().join("sql.md")).unwrap();
    let renewed = blocks::with_outputs(&page, |language, block| {
        let mut command = match language {
            "sql" => {
                queries += 1;
                let mut command = Command::new(&sgf);
                command.args(["sql", block.trim(), "games/"]);
                command
            }
            "sh" => {
                commands += 1;
                let mut command = Command::new("sh");
                command.args(["-e", "-c", block]).env("PATH", &path);
                command
            }
            _ => return None,
        };
        Some(output(command.current_dir(directory.path())))
    });
    assert!(queries >= 11 && commands >= 6, "{queries} queries, {commands} commands");
    blocks::compare(&guide().join("sql.md"), &page, &renewed);
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
    let program = PROGRAM.replace("../guide/games/", "games/");
    assert!(page.contains(&format!("```rust,ignore\n{program}```\n")), "the page has another program than\n{program}");
    // It prints to standard output, where a test cannot see it.
    program::run().unwrap();
}
