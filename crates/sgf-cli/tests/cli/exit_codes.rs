//! The table of exit codes is what the commands do, and what the help and the guide say.

use std::path::Path;
use std::{env, fs};

use super::{command_line, directory, run, str};

#[path = "../../src/exit_codes.rs"]
#[allow(dead_code)] // help uses all of it
mod table;

use table::{NO_SGF_IS_NEGATIVE, TABLE};

/// A game in the layout of `sgf fmt`.
const GOOD: &str = "(;FF[4]GM[1]SZ[9]\n;B[aa];W[bb])\n";

/// A game with errors.
const BROKEN: &str = "(;FF[4]GM[1]SZ[9]B[zz!];W[bb]x[";

/// A command that reads a path, and how it comes to a negative answer: other arguments, and the file that it reads. Commands
/// that never exit with 1 read a broken file.
type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static str);

/// `TO` is a new directory or file.
const CASES: &[Case] = &[
    ("scan", &[], &[], "broken.sgf"),
    ("events", &[], &["--strict"], "broken.sgf"),
    ("records", &[], &["--strict"], "broken.sgf"),
    ("find", &["X"], &["X", "--where", "PB = 'Nobody'"], "good.sgf"),
    ("openings", &["--size", "9"], &["--size", "9", "--where", "PB = 'Nobody'"], "good.sgf"),
    ("check", &[], &[], "broken.sgf"),
    ("fmt", &["--check"], &["--check"], "odd.sgf"),
    ("edit", &["--mirror", "--write"], &["--mirror", "--write"], "broken.sgf"),
    ("show", &["--print"], &["--print", "--game", "9"], "good.sgf"),
    ("dups", &[], &[], "broken.sgf"),
    ("diff", &["good"], &["good"], "broken.sgf"),
    ("index", &["-o", "TO"], &["-o", "TO"], "broken.sgf"),
    ("names", &[], &[], "broken.sgf"),
    ("report", &["--json", "-"], &["--json", "-"], "broken.sgf"),
    ("sql", &["SELECT count(*) FROM games"], &["SELECT count(*) FROM games"], "broken.sgf"),
    ("filter", &["SZ = '9'"], &["PB = 'Nobody'"], "good.sgf"),
    ("split", &["--games", "--to", "TO"], &["--games", "--to", "TO"], "broken.sgf"),
];

/// Commands that read no SGF.
const WRITERS: [(&str, &str); 3] = [("synth", "--bytes=1K"), ("completions", "bash"), ("man", "scan")];

/// Runs a command in a new folder, on one of the paths in it.
fn code(command: &str, args: &[&str], path: &str) -> (Option<i32>, String) {
    let top = directory(&format!("exit_codes/{command}"));
    for (folder, file, text) in [("good", "a.sgf", GOOD), ("mixed", "a.sgf", GOOD), ("mixed", "b.sgf", "no game")] {
        fs::create_dir_all(top.join(folder)).unwrap();
        fs::write(top.join(folder).join(file), text).unwrap();
    }
    for (file, text) in [("good.sgf", GOOD), ("broken.sgf", BROKEN), ("odd.sgf", "(;SZ[9])"), ("none.sgf", "no game")] {
        fs::write(top.join(file), text).unwrap();
    }
    let [to, good, path] = ["to", "good", path].map(|name| top.join(name));
    let args = args.iter().map(|arg| match *arg {
        "TO" => str(&to),
        "good" => str(&good),
        arg => arg,
    });
    let run = run(&[command].into_iter().chain(args).chain([str(&path)]).collect::<Vec<_>>());
    (run.code, run.stderr)
}

#[test]
fn each_command_exits_with_the_codes_of_the_table() {
    let sql = Path::new(env!("CARGO_BIN_EXE_sgf")).parent().unwrap().join("sgf-sql").exists();
    let mut wrong = Vec::new();
    for codes in &TABLE {
        let command = codes.command;
        if let Some((_, arg)) = WRITERS.iter().find(|(writer, _)| *writer == command) {
            assert_eq!((run(&[command, arg]).code, codes.negative), (Some(0), None), "{command}");
            assert_eq!(run(&[command, "--no-such-option"]).code, Some(2), "{command}");
            continue;
        }
        let (_, args, negative, file) = *CASES.iter().find(|case| case.0 == command).expect(command);
        if ["sql", "filter"].contains(&command) && !sql || command == "index" && !cfg!(feature = "index") {
            eprintln!("skipped: {command}");
            continue;
        }
        let no_sgf = i32::from(NO_SGF_IS_NEGATIVE.contains(&command));
        // `events` reads no folders, and a file of many without SGF data is all of it.
        let (good, mixed) = if command == "events" { ("good.sgf", "none.sgf") } else { ("good", "mixed") };
        let args_of_mixed = if command == "diff" { &["good"] } else { args };
        for (what, args, path, expected) in [
            ("good", args, good, 0),
            ("negative", negative, file, i32::from(codes.negative.is_some())),
            ("without SGF", args_of_mixed, mixed, no_sgf),
            ("missing", args, "missing.sgf", 2),
            ("wrong usage", &[args, &["--no-such-option"]].concat(), good, 2),
        ] {
            let (code, said) = code(command, args, path);
            if code != Some(expected) {
                wrong.push(format!("{command}: {what}: {code:?}, not {expected}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Help says what is in the table, and the table has each command.
#[test]
fn help_has_the_exit_codes_of_the_table() {
    let help = run(&["--help"]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.text().contains(&table::section_of_all()), "{}", help.text());
    let others = ["sql", "filter", "synth", "completions", "man"].map(str::to_owned);
    let commands: Vec<String> = command_line::subcommands().into_iter().chain(others).collect();
    for command in &commands {
        let section = table::section(command).unwrap_or_else(|| panic!("the table lacks {command}"));
        assert!(section.lines().all(|line| line.chars().count() <= 80), "{section}");
        if !["sql", "filter"].contains(&&**command) {
            let help = run(&[command, "--help"]);
            assert!(words(help.text()).contains(&words(&section)), "{command}: {}", help.text());
        }
    }
    assert_eq!(commands.len(), TABLE.len());
}

#[test]
#[cfg(unix)]
fn the_guide_has_the_table_of_exit_codes() {
    let file = Path::new(super::PROJECT).join("crates/sgf-guide/src/stability.md");
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once("\n# Exit codes\n\n").unwrap();
    let (_, after) = rest.split_once("\n# ").unwrap();
    let new = format!("{before}\n# Exit codes\n\n{}\n# {after}", table::page());
    super::transcripts::store(&file, &page, &new).unwrap();
}
