//! `--threads`: their number does not show.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{directory, run, str};

/// Some megabytes of games, some with faults, one of them longer than a part may be.
fn archive(games: usize) -> String {
    let mut archive = "From: somebody\n".to_owned();
    // Most of its length is in comments, since `check` reports each node, which takes long.
    let long = format!(";B[aa]C[{}]W[bb]", "a comment ".repeat(50)).repeat(2500);
    for n in 0..games {
        let moves = ";B[dd];W[pp];B[dp];W[pd]".repeat(n % 40);
        let (head, end) = match n % 97 {
            0 => ("(;FF[4]C[an unescaped ] here]", ")\n"),
            1 => ("(;GM[1]FF[4]Black[x]", "\n"), // its `)` is missing
            2 => ("junk (;FF[4]SZ[9]", "))\n"),
            3 => ("(;FF[4]CA[Shift_JIS]PB[\u{3042}]", ")\n"),
            _ => ("(;FF[4]GM[1]SZ[19]PB[Shusaku]KM[6.5]", ")\n"),
        };
        _ = write!(archive, "{head}N[game {n}]{moves}{end}");
        if n == games / 2 {
            _ = writeln!(archive, "(;FF[4]PB[long]C[first]{long})");
        }
    }
    archive + "(;FF[4]PB[cut off];B[dd"
}

#[test]
fn the_number_of_threads_does_not_show() {
    let dir = directory("threads");
    fs::write(dir.join("large.sgf"), archive(12_000)).unwrap();
    fs::write(dir.join("nothing.sgf"), "no game").unwrap();
    for n in 0..600 {
        let bad = if n % 7 == 0 { "x" } else { "" };
        fs::write(dir.join(format!("small {n}.sgf")), format!("{bad}(;FF[4]PB[small {n}]HA[{bad}2])")).unwrap();
    }
    let scan = |threads| {
        let mut json = run(&["scan", "--json", "--max-errors", "1000", "--threads", threads, str(&dir)]).json();
        json.as_object_mut().unwrap().remove("seconds");
        json
    };
    let one = scan("1");
    // What lacks its `)` ends where the next game starts: its head need not start a line.
    assert_eq!((&one["games"], &one["files"]), (&12_602.into(), &602.into()));
    let records = |threads, format| {
        let args =
            ["records", "--moves", "--fields", "file,game,offset,PB,HA", "--format", format, "--threads", threads];
        let run = run(&[&args[..], &[str(&dir)]].concat());
        (run.stdout, run.stderr, run.code)
    };
    let (jsonl, csv) = (records("1", "jsonl"), records("1", "csv"));
    // The game that the end of the data cuts off is a record too, with a warning, as `nothing.sgf` has one.
    assert_eq!((csv.2, jsonl.0.iter().filter(|&&byte| byte == b'\n').count()), (Some(0), 12_602));
    for threads in ["2", "5"] {
        assert_eq!(scan(threads), one, "{threads}");
        assert!(records(threads, "jsonl") == jsonl && records(threads, "csv") == csv, "{threads}");
    }
    fs::write(dir.join("large.sgf"), archive(800)).unwrap();
    same_with_threads(COMMANDS, str(&dir));
    same_with_threads(COMMANDS_FOR_ONE, str(&dir.join("large.sgf")));
    assert_eq!(run(&["scan", "--threads", "0", "-"]).code, Some(2));
}

/// Commands for any number of files.
const COMMANDS: &[&[&str]] = &[
    &["check", "--summary", "--json"],
    &["check"],
    &["check", "--json"],
    &["check", "--strict", "--summary"],
    &["check", "--max", "0", "--deny", "all"],
];

/// Commands for one file.
const COMMANDS_FOR_ONE: &[&[&str]] = &[&["events"], &["events", "--strict"]];

/// The number of threads shows neither in the output nor in messages, nor in the exit code.
fn same_with_threads(commands: &[&[&str]], path: &str) {
    for command in commands {
        let [one, two, five] =
            ["1", "2", "5"].map(|threads| run(&[command, &["--threads", threads, path][..]].concat()));
        for (threads, other) in [("2", two), ("5", five)] {
            assert!(one.stdout == other.stdout, "{command:?} --threads {threads} {path}");
            assert_eq!(one.stderr, other.stderr, "{command:?} --threads {threads} {path}");
            assert_eq!(one.code, other.code, "{command:?} --threads {threads} {path}");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show_in_the_samples() {
    for dir in ["tests/data", "../shared/corpus/permissive/gen+gnugo"]
        .iter()
        .filter(|dir| Path::new(crate::PROJECT).join(dir).is_dir())
    {
        same_with_threads(&COMMANDS[..2], dir);
    }
    for file in ["broken.sgf", "charsets.sgfs", "collection.sgf", "mail.SGF"] {
        same_with_threads(COMMANDS_FOR_ONE, &format!("tests/data/archive/{file}"));
    }
}
