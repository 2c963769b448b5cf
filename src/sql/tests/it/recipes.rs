//! The recipes of the guide: each runs.

use std::fs;
use std::process::Command;

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
    sgf_sql::register_format(&ctx, sgf_sql::Options::new(sgf_stream::table::Table::Games));
    let mut count = 0;
    for block in blocks("sql") {
        for query in
            block.replace("ARCHIVE", &format!("{path}/ARCHIVE")).split(";\n").filter(|query| !query.trim().is_empty())
        {
            ask(&ctx, query).await;
            count += 1;
        }
    }
    assert!(count >= 8, "{count}");
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
    for block in blocks("sh").into_iter().filter(|block| block.starts_with("sgf ") || block.starts_with("find ")) {
        let path_var = format!("{path}:{}", std::env::var("PATH").unwrap());
        let output =
            Command::new("sh").args(["-e", "-c", block]).current_dir(&path).env("PATH", path_var).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{block}\n{stderr}");
        count += 1;
    }
    assert!(count >= 3, "{count}");
}
