//! The two data sets.
//!
//! *archive*: games as servers write them, made by `sgf synth`; nine bytes in ten are `;B[dd]`.
//!
//! *mixed*: comments, variations, markup and syntax errors: the real files of `../shared/corpus`, repeated, or
//! `sgf synth --mixed` if that folder is missing.

use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::{fs, str};

use sgf_stream::{Event, Parser, SliceReader};
use walkdir::WalkDir;

use super::binary::SGF;

/// A data set to parse.
pub(crate) struct Data {
    /// `archive` or `mixed`.
    pub(crate) name: &'static str,
    /// Description of the source of the bytes.
    pub(crate) source: String,
    pub(crate) bytes: Vec<u8>,
}

/// Returns at least `bytes` bytes of *archive*.
pub(crate) fn archive(bytes: usize) -> Data {
    Data { name: "archive", source: "sgf synth".to_owned(), bytes: synth(bytes, &[]) }
}

/// Returns at least `bytes` bytes of *mixed*.
pub(crate) fn mixed(bytes: usize) -> Data {
    let corpus = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus"));
    let (source, bytes) = if corpus.is_dir() {
        ("the files of ../shared/corpus, repeated".to_owned(), repeat(corpus, bytes))
    } else {
        (format!("sgf synth --mixed ({} is not there)", corpus.display()), synth(bytes, &["--mixed"]))
    };
    Data { name: "mixed", source, bytes }
}

fn synth(bytes: usize, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(&*SGF)
        .args(["synth", "--bytes", &bytes.to_string()])
        .args(arguments)
        .output()
        .expect("`sgf synth` runs");
    assert!(output.status.success(), "{}", str::from_utf8(&output.stderr).unwrap_or("`sgf synth` failed"));
    output.stdout
}

/// Concatenates the SGF files of a folder, repeatedly. The last round is complete too, so that all files have equal
/// weight, unless less than one round is needed.
fn repeat(folder: &Path, bytes: usize) -> Vec<u8> {
    let mut round = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
        if round.len() >= bytes {
            break;
        }
        if entry.path().extension().is_some_and(|extension| extension == "sgf" || extension == "sgfs") {
            round.extend(fs::read(entry.path()).expect("a file of the corpus can be read"));
            round.push(b'\n');
        }
    }
    let rounds = bytes.div_ceil(round.len());
    round.repeat(rounds)
}

/// Returns the ranges of the games, from `(` to `)`.
pub(crate) fn games(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut reader = SliceReader::new(bytes);
    let mut games = Vec::new();
    while let Some(Ok(Event::StartTree)) = reader.next() {
        let start = reader.offset() as usize;
        let end = loop {
            match reader.next() {
                Some(Ok(Event::EndTree)) if reader.depth() == 0 => break reader.offset() as usize,
                Some(Ok(_)) => {}
                _ => unreachable!("events are well-formed, and in lenient mode there are no faults"),
            }
        };
        // Its `)` may be missing.
        games.push(start..end + usize::from(bytes.get(end) == Some(&b')')));
    }
    games
}

/// Concatenates the games without faults, which a strict parser reads to the end.
pub(crate) fn sound(bytes: &[u8]) -> Vec<u8> {
    let strict = Parser::strict();
    let mut sound = Vec::new();
    for game in games(bytes) {
        if strict.parse(&bytes[game.clone()], |_, _| {}).is_ok() {
            sound.extend(&bytes[game]);
            sound.push(b'\n');
        }
    }
    sound
}
