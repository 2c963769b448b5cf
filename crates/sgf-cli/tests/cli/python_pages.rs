//! Runs the Python and DuckDB programs of the guide, and compares what they print with the outputs on the pages.
//!
//! `SGF_PYTHON` names the Python that has the modules; default: `python3`. A test says so where a module is missing.
//! `UPDATE_PAGES=1` renews the outputs. The blocks of a page run in one directory, with `crates/sgf-guide/src/games` as `games`; a block
//! in the language `sgf` is the file `game.sgf`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::directory;
use super::transcripts::{copy_games, store};

#[path = "../../../../tests/support/blocks.rs"]
mod blocks;

/// The modules that programs need, and nobody has to have.
const MODULES: [&str; 6] = ["duckdb", "numpy", "polars", "pyarrow", "sgf_stream", "sgfmill"];

/// The modules that the Python of this machine has.
fn available(python: &str) -> Vec<&'static str> {
    let has = |module: &&str| {
        let output = Command::new(python).args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    };
    MODULES.into_iter().filter(has).collect()
}

fn programs_print_what_the_page_shows(name: &str) {
    let python = std::env::var("SGF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let available = available(&python);
    let folder = directory(name);
    let guide = Path::new(crate::PROJECT).join("crates/sgf-guide/src");
    copy_games(&guide.join("games"), &folder.join("games"));
    // The programs find `sgf` in PATH.
    let sgf = Path::new(env!("CARGO_BIN_EXE_sgf")).parent().unwrap().to_str().unwrap();
    let path = format!("{sgf}:{}", std::env::var("PATH").unwrap());
    let output = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).current_dir(&folder).env("PATH", &path).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        // 1: there are broken games.
        let is_fine = matches!((program, output.status.code()), (_, Some(0)) | ("sh", Some(1)));
        assert!(is_fine, "{name}: {args:?}\n{stderr}");
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let file = guide.join(format!("{name}.md"));
    let page = fs::read_to_string(&file).unwrap();
    // Where a program has not run, those after it lack its files.
    let mut missing = None;
    let renewed = blocks::with_outputs(&page, |language, block| {
        let program = match language {
            "sgf" => {
                fs::write(folder.join("game.sgf"), block).unwrap();
                return None;
            }
            "sh" => return output("sh", &["-c", block]),
            "sql" => &format!("import duckdb\nduckdb.sql(\"\"\"{block}\"\"\").show()"),
            "python" => block,
            _ => return None,
        };
        let is_used = |module: &&str| {
            [format!("import {module}"), format!("from {module}")].iter().any(|line| program.contains(line))
        };
        missing = missing.or(MODULES.into_iter().filter(is_used).find(|module| !available.contains(module)));
        if missing.is_some() {
            return None;
        }
        output(&python, &["-c", program])
    });
    if let Some(module) = missing {
        eprintln!("skipped programs of {name}.md: {python} does not have {module} (SGF_PYTHON names another Python)");
    } else {
        store(&file, &page, &renewed).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn programs_on_tables_run() {
    programs_print_what_the_page_shows("tables");
}

#[cfg(unix)]
#[test]
fn programs_on_machine_learning_run() {
    programs_print_what_the_page_shows("machine-learning");
}

#[cfg(unix)]
#[test]
fn programs_on_migration_run() {
    programs_print_what_the_page_shows("migration");
}

#[cfg(unix)]
#[test]
fn programs_on_search_run() {
    programs_print_what_the_page_shows("search");
}

#[cfg(unix)]
#[test]
fn programs_on_python_run() {
    programs_print_what_the_page_shows("python");
}
