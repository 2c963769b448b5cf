//! Instructions per byte of each subcommand: `cargo bench -p sgf-stream-benches --bench binary`.
//!
//! Counted by `valgrind --tool=callgrind`, so the load of the machine does not matter; the SIMD level does, and is named.
//! `SGF_SIMD=Sse2` (or another level of this machine) chooses one, for this bench and for `sgf` itself. Arguments select
//! subcommands (`-- check events`), and `SGF_BENCH_MB` sets the size of a data set in MiB (4).
//!
//! All threads count together, so the number of cores does not matter either: it is how the work is divided that costs.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sgf_stream::internal::SimdLevel;

use support::binary::SGF;
use support::data::{self, Data};
use support::{measuring, megabytes};

/// A subcommand, and the aim for *archive*.
struct Row {
    name: &'static str,
    args: &'static [&'static str],
    aim: Option<u32>,
}

const ROWS: [Row; 7] = [
    Row { name: "scan", args: &["scan", "--json"], aim: Some(8) },
    Row { name: "records", args: &["records"], aim: Some(15) },
    Row { name: "records --moves", args: &["records", "--moves"], aim: Some(50) },
    Row { name: "check", args: &["check"], aim: Some(30) },
    Row { name: "events", args: &["events"], aim: Some(100) },
    Row { name: "fmt --exact", args: &["fmt", "--exact"], aim: Some(25) },
    Row { name: "fmt", args: &["fmt"], aim: Some(100) },
];

fn main() {
    if !measuring() {
        return; // each subcommand has tests of its own
    }
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        println!("valgrind is not installed, so no instructions are counted");
        return;
    }
    let level = std::env::var("SGF_SIMD").unwrap_or_else(|_| level_in_valgrind());
    println!("SIMD level: {level} (this machine has {})", levels());
    let size = megabytes(4) << 20;
    let files = [data::archive(size), data::mixed(size)].map(|data| Input::new(&data));
    let selected: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("\n{:<16}{:>10}{:>10}{:>8}", "instructions a byte", files[0].name, files[1].name, "aim");
    for row in ROWS.iter().filter(|row| selected.is_empty() || selected.iter().any(|name| row.name.contains(&**name))) {
        let [archive, mixed] = [0, 1].map(|n| files[n].instructions_a_byte(row.args));
        let aim = row.aim.map_or_else(|| "-".to_owned(), |aim| aim.to_string());
        println!("{:<19}{archive:>10.1}{mixed:>10.1}{aim:>8}", row.name);
    }
}

/// Valgrind does not have all instructions of the machine: the best level that it has is the one that is measured.
fn level_in_valgrind() -> String {
    let mut command = Command::new("valgrind");
    command.arg("-q").arg(&*SGF).args(["scan", "--help"]).env("SGF_SIMD", "?"); // it answers with a list
    let output = command.output().expect("valgrind runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let known = said.lines().find_map(|line| line.split("SGF_SIMD: ").nth(1)).unwrap_or("unknown");
    known.rsplit(", ").next().unwrap_or(known).to_owned()
}

fn levels() -> String {
    SimdLevel::all().into_iter().map(SimdLevel::name).collect::<Vec<_>>().join(", ")
}

/// A data set in a file.
struct Input {
    name: &'static str,
    path: PathBuf,
    len: u64,
}

impl Input {
    fn new(data: &Data) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("binary {}.sgf", data.name));
        fs::write(&path, &data.bytes).expect("the data can be written");
        println!("{}: {}, {} bytes", data.name, data.source, data.bytes.len());
        Input { name: data.name, path, len: data.bytes.len() as u64 }
    }

    fn instructions_a_byte(&self, args: &[&str]) -> f64 {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&*SGF)
            .args(args)
            .arg(&self.path)
            .stdout(Stdio::null())
            .output()
            .expect("valgrind runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let count = said.lines().find_map(|line| line.split("Collected : ").nth(1));
        let count: u64 =
            count.and_then(|count| count.trim().parse().ok()).expect("callgrind says how many it collected");
        count as f64 / self.len as f64
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
