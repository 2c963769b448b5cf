//! The binary `sgf`, run as a user runs it: arguments and standard input in; standard output,
//! standard error and the exit code out.

mod append;
mod charsets;
mod check;
mod command_line;
mod counts;
mod diff;
mod dups;
#[path = "../../../../tests/support/each_event.rs"]
#[allow(unreachable_pub)] // it is public to the fuzz targets
mod each_event;
mod edit;
mod events;
mod exit_codes;
mod find;
mod fmt;
mod in_place;
#[cfg(feature = "index")]
mod index;
mod inputs;
#[cfg(target_os = "linux")]
mod memory;
mod node_moves;
mod openings;
mod outputs;
mod outside;
mod pack;
#[cfg(unix)]
mod pages;
mod people;
mod pictures;
#[cfg(all(feature = "parquet", unix))]
mod python_pages;
#[cfg(feature = "index")]
#[path = "../../../../tests/support/random.rs"]
mod random;
mod records;
mod report;
mod scan;
#[cfg(feature = "index")]
mod selection;
#[path = "../../../../tests/support/shared.rs"]
#[allow(dead_code, unreachable_pub)] // other tests use all of it
mod shared;
mod show;
mod split;
mod synth;
#[cfg(feature = "parquet")]
mod tables;
mod terminal;
mod texts;
mod threads;
#[cfg(unix)]
#[path = "../../../../tests/support/transcripts.rs"]
#[allow(dead_code)] // other tests use all of it
mod transcripts;
mod tree;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

/// The folder of the project.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The result of a run.
struct Run {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    fn lines(&self) -> Vec<&str> {
        self.text().lines().collect()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap()
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sgf"));
    command.args(args).current_dir(PROJECT);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run_with(input: &[u8], args: &[&str]) -> Run {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may stop reading before the end.
    let writer = thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run { code: output.status.code(), stdout: output.stdout, stderr: String::from_utf8(output.stderr).unwrap() }
}

fn run(args: &[&str]) -> Run {
    run_with(b"", args)
}

/// An empty directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn str(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs the program, reads `read` bytes of what it writes, and closes the pipe; then sends
/// `input`.
fn with_closed_pipe(args: &[&str], read: usize, input: &[u8]) -> (Option<i32>, String) {
    let mut child = command(args).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut vec![0; read]).unwrap();
    drop(stdout);
    child.stdin.take().unwrap().write_all(input).ok();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The most memory that a run had, in KiB: after it has read all of its input, and before it hears of the end. The pages of
/// the program file do not count: they are the system's cache, and depend on the features.
#[cfg(target_os = "linux")]
fn peak<'p>(args: &[&str], input: impl Iterator<Item = &'p [u8]>) -> u64 {
    // How much freed memory glibc keeps by default differs from run to run, and grows with the number of threads.
    let mut child = command(args).env("MALLOC_TRIM_THRESHOLD_", "65536").spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let drain = thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
    let mut stdin = std::io::BufWriter::new(child.stdin.take().unwrap());
    input.for_each(|piece| stdin.write_all(piece).unwrap());
    stdin.flush().unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)));
    drain.join().unwrap();
    let number = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    };
    number("VmHWM:") - number("RssFile:")
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let quietly = (Some(0), String::new());
    assert_eq!(with_closed_pipe(&["synth", "--bytes", "4G"], 100, b""), quietly);
    assert_eq!(with_closed_pipe(&["scan", "-"], 0, b"(;)"), quietly);
    assert_eq!(with_closed_pipe(&["scan", "--json", "-"], 0, b"(;)"), quietly);
    assert_eq!(with_closed_pipe(&["events", "-"], 0, &b"(;B[aa])".repeat(100_000)), quietly);
    assert_eq!(with_closed_pipe(&["events", "-"], 0, b"no game"), quietly);
    assert_eq!(with_closed_pipe(&["show", "--tree", "-"], 0, &b"(;B[aa])".repeat(100_000)), quietly);
    assert_eq!(with_closed_pipe(&["fmt", "-"], 0, &b"(;B[aa])".repeat(100_000)), quietly);
    assert_eq!(with_closed_pipe(&["fmt", "--exact", "-"], 0, &b"(;B[aa])".repeat(100_000)), quietly);
}

#[test]
fn the_program_explains_itself() {
    let version = run(&["--version"]);
    assert_eq!((version.text(), version.code), (concat!("sgf ", env!("CARGO_PKG_VERSION"), "\n"), Some(0)));
    let mut names = command_line::subcommands();
    names.push("synth".to_owned());
    let helps = names.iter().map(|name| vec![name, "--help"]).chain([vec!["--help"]]);
    for args in helps {
        let help = run(&args);
        assert!(help.text().contains("Usage: sgf") && help.text().contains("Exit codes:"), "{args:?}");
        assert_eq!(help.code, Some(0));
    }
    names.extend(["completions", "man"].map(str::to_owned));
    for name in &names {
        let (page, help) = (run(&["man", name]), run(&[name, "--help"]));
        assert!(page.text().contains(&format!(".TH sgf-{name} 1")), "{}", page.text());
        let unescaped = page.text().replace("\\-", "-").replace("\\e", "\\");
        // The page has the text after the options line by line; `--help` may wrap its lines.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = help.text().split_once("Exit codes:\n").map_or("", |(_, end)| end);
        // The page has the limits among its options.
        let (end, limits) = end.split_once("\nLimits of archives").unwrap_or((end, ""));
        assert!(words(&unescaped).contains(&words(end)), "{name}: {unescaped}");
        assert_eq!(page.text().contains("max\\-unpacked"), !limits.is_empty(), "{name}");
        // These lines are formatted by hand, and a narrower terminal would break them.
        let by_hand = page.text().split(".nf\n").skip(1).filter_map(|part| part.split_once(".fi\n"));
        for line in by_hand.flat_map(|(lines, _)| lines.lines()) {
            let line = line.replace("\\-", "-").replace("\\e", "\\");
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        let codes = help.text().contains("Exit codes:");
        assert_eq!((page.text().contains("\n.SH \"EXIT CODES\"\n"), page.code), (codes, Some(0)), "{name}");
    }
    assert!(run(&["man", "show"]).text().contains("\n  ├─ 4\\-8     W P17 P15 B D15 E16 [+5W \\-1] ◦ W pass\n"));
    let page = run(&["man"]);
    assert!(page.text().starts_with(".ie") || page.text().contains(".TH sgf 1"), "{}", page.text());
    for name in names {
        // A tool for tests is not listed, and neither is what programs use.
        let is_listed = page.text().contains(&format!("sgf\\-{name}(1)"));
        assert_eq!(is_listed, !["synth", "events"].contains(&&*name), "{name}: {}", page.text());
    }
    assert!(!run(&["--help"]).text().contains("synth"));
    assert_eq!(run(&["man", "nonsense"]).code, Some(2));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        assert!(script.text().contains("max-errors"), "{shell}");
        assert_eq!(script.code, Some(0));
    }
}
