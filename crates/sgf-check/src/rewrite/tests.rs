//! What becomes of odd streams in each mode, case by case.
//!
//! `cases.txt` has a stream per block, and below it what is written and noted. To add a case, add its stream, run the test
//! with `UPDATE_PAGES=1`, and read what it wrote.

use std::{env, fs};

use sgf_stream::Parser;
use sgf_stream::charset::Decoding;

use crate::{NoteKind, Rewriter, Rules};

const CASES: &str = include_str!("cases.txt");

/// The modes, by their names in the file.
fn modes() -> [(&'static str, Rewriter); 7] {
    let (parser, rules) = (Parser::new().charset(Decoding::new()), Rules::new());
    [
        ("exact", Rewriter::new(&parser)),
        ("exact-lossy", Rewriter::new(&parser).lossy(true)),
        ("rules", Rewriter::with_rules(&parser, rules.clone())),
        ("rules-lossy-guess", Rewriter::with_rules(&parser, rules).lossy(true).guess_charset(true)),
        ("canonical", Rewriter::new(&parser).canonical()),
        ("canonical-lossy", Rewriter::new(&parser).canonical().lossy(true)),
        ("canonical-guess", Rewriter::new(&parser).canonical().guess_charset(true)),
    ]
}

/// Reverts [`u8::escape_ascii`].
fn unescaped(line: &str) -> Vec<u8> {
    let (mut bytes, mut out) = (line.bytes(), Vec::new());
    while let Some(byte) = bytes.next() {
        out.push(match (byte, if byte == b'\\' { bytes.next() } else { None }) {
            (_, Some(b'n')) => b'\n',
            (_, Some(b'r')) => b'\r',
            (_, Some(b't')) => b'\t',
            (_, Some(b'x')) => {
                let digits = [bytes.next(), bytes.next()].map(Option::unwrap_or_default);
                u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            (byte, escaped) => escaped.unwrap_or(byte),
        });
    }
    out
}

/// Returns what a rewriter writes, `=` for the stream itself, and what it notes.
fn outcome(rewriter: &Rewriter, source: &[u8]) -> String {
    let (out, done) = rewriter.rewrite_slice(source);
    assert_eq!(done.has_changed(), out != source);
    let mut outcome = if out == source { "=".to_owned() } else { out.escape_ascii().to_string() };
    for note in done.notes() {
        let kind = match note.kind {
            NoteKind::Repaired => "repaired",
            NoteKind::Left => "left",
            NoteKind::Dropped => "dropped",
        };
        let (message, error) =
            (note.message.as_deref().unwrap_or_default(), if note.is_error { ", an error" } else { "" });
        outcome += format!("\n    {kind} {:?} {}{error} {message}", note.range, note.code).trim_end();
    }
    outcome
}

/// Returns the lines of a case. Modes with the same outcome share them.
fn block(source: &[u8]) -> String {
    let mut outcomes: Vec<(Vec<&str>, String)> = Vec::new();
    for (name, rewriter) in modes() {
        let outcome = outcome(&rewriter, source);
        match outcomes.iter_mut().find(|(_, known)| *known == outcome) {
            Some((names, _)) => names.push(name),
            None => outcomes.push((vec![name], outcome)),
        }
    }
    let lines = outcomes.iter().map(|(names, outcome)| format!("  {}: {outcome}\n", names.join(", ")));
    format!("{}\n{}", source.escape_ascii(), lines.collect::<String>())
}

#[test]
fn odd_streams_become_what_their_cases_say() {
    let sources = CASES.split("\n\n").filter_map(|case| case.trim().lines().next());
    let all: Vec<String> = sources.map(|source| block(&unescaped(source))).collect();
    let all = all.join("\n");
    if env::var_os("UPDATE_PAGES").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rewrite/cases.txt"), &all).unwrap();
    } else {
        assert_eq!(all, CASES, "UPDATE_PAGES=1 writes the file anew");
    }
}
