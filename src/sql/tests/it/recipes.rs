//! The guide to SQL: each program there runs.

use std::fs;
use std::process::Command;

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use sgf_sql::Options;
use sgf_stream::table::Table;

use crate::support::{archive, ask, context_of, directory};

const GUIDE: &str = include_str!("../../../guide/sql.md");

/// The blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let starts = GUIDE.match_indices("```").step_by(2);
    let blocks = starts.filter_map(|(at, _)| GUIDE[at + 3..].split_once('\n'));
    blocks.filter(|(name, _)| *name == language).filter_map(|(_, rest)| rest.split("```").next()).collect()
}

#[tokio::test]
async fn queries_run() {
    let (_directory, path) = directory(&[("ARCHIVE/a.sgf", archive(500).as_bytes())]);
    let ctx = context_of(&path, 2);
    sgf_sql::register_format(&ctx, Options::new(Table::Games));
    let recipes =
        blocks("sql").into_iter().flat_map(|block| block.split(";\n")).filter(|query| !query.trim().is_empty());
    // In the tables of times.
    let timed = GUIDE.split('`').filter(|code| code.starts_with("SELECT ") && !code.contains('…'));
    let mut count = 0;
    for query in recipes.chain(timed) {
        ask(&ctx, &query.replace("ARCHIVE", &format!("{path}/ARCHIVE"))).await;
        count += 1;
    }
    assert!(count >= 16, "{count}");
}

/// The program in Rust is this one, line by line.
#[tokio::test]
async fn the_program_runs() -> Result<()> {
    let (_directory, path) = directory(&[("ARCHIVE/a.sgf", archive(500).as_bytes())]);
    // In the guide:
    let ctx = SessionContext::new();
    sgf_sql::register(&ctx, "games", &path, Options::new(Table::Games))?;
    let frame = ctx.sql("SELECT black, count(*) FROM games GROUP BY black").await?;
    // Beyond the guide:
    assert_eq!(frame.count().await?, 500);
    let (_, here) = include_str!("recipes.rs").split_once("// In the guide:\n").unwrap();
    let (here, _) = here.split_once("// Beyond").unwrap();
    let lines = |text: &str| text.trim().lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let [program] = blocks("text")[..] else { panic!("a program in Rust") };
    assert_eq!(lines(program), lines(&here.replace("&path", "\"s3://bucket/archive/\"")));
    Ok(())
}

#[cfg(unix)]
#[test]
fn commands_run() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, path) = directory(&[("ARCHIVE/a.sgf", archive(500).as_bytes())]);
    // `sgf` passes these subcommands on.
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_sgf-sql"));
    fs::write(format!("{path}/sgf"), script).unwrap();
    fs::set_permissions(format!("{path}/sgf"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut count = 0;
    for block in blocks("sh") {
        let path_var = format!("{path}:{}", std::env::var("PATH").unwrap());
        let output =
            Command::new("sh").args(["-e", "-c", block]).current_dir(&path).env("PATH", path_var).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{block}\n{stderr}");
        count += 1;
    }
    assert!(count >= 5, "{count}");
}
