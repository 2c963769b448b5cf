//! The transcripts of the guide and of README are what the commands print. `UPDATE_PAGES=1 cargo test --test cli pages`
//! renews them. [`transcripts`](super::transcripts) says what a transcript is.

use std::path::Path;
use std::{env, fs};

use super::transcripts::{Run, renewed, store};
use super::{PROJECT, directory};

#[test]
fn transcripts_of_the_pages_are_what_the_commands_print() {
    let project = Path::new(PROJECT);
    let guide = fs::read_dir(project.join("crates/sgf-guide/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = guide.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    files.push(project.join("README.md"));
    files.sort();
    // `sgf` first, which also finds `sgf-sql` in its directory. Another `sgf-sql` of this machine may be any version.
    let programs = Path::new(env!("CARGO_BIN_EXE_sgf")).parent().unwrap();
    let path =
        env::join_paths([programs.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())));
    let path = path.unwrap().into_string().unwrap();
    let sql = programs.join("sgf-sql").exists();
    let which = |command: &str| {
        let missing = (command.contains("sgf sql") || command.contains("sgf filter")) && !sql
            || command.contains("parquet") && !cfg!(feature = "parquet")
            || command.contains(".png") && !cfg!(feature = "png")
            || command.starts_with("cargo "); // tests/it/guide.rs runs programs
        if missing { Run::Stop } else { Run::Yes }
    };
    let differences: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let page = fs::read_to_string(file).unwrap();
            let dir = directory(&format!("pages/{}", file.file_stem().unwrap().to_str().unwrap()));
            store(file, &page, &renewed(&page, &dir, &format!("PATH='{path}'"), which)).err()
        })
        .collect();
    assert!(differences.is_empty(), "{}\nUPDATE_PAGES=1 renews the pages", differences.join("\n"));
}
