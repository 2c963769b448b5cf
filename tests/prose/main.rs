//! The rules of English: `cargo test -p sgf-stream-prose` looks at each page, comment and message.
//!
//! `PROSE=src/de cargo test …` prints the hits below a path only, and `PROSE_ROOT=../other` looks at another checkout.

mod rules;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use regex::Regex;

use self::rules::RULES;
use self::texts::{Kind, Text};

/// Folders that are not ours, or without prose.
const LEFT_OUT: [&str; 6] = ["target", "corpus", "found", "artifacts", "coverage", "data"];

/// Hidden folders that are ours. Others are of tools, such as `.git` and `.venv`.
const HIDDEN: [&str; 2] = [".ci", ".github"];

fn is_ours(dir: &Path) -> bool {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    !LEFT_OUT.contains(&&*name) && (!name.starts_with('.') || HIDDEN.contains(&&*name))
}

fn files(dir: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if is_ours(&path) {
                self::files(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "md" || extension == "rs") {
            files.push(path);
        }
    }
}

/// A place where a rule is broken.
struct Hit {
    path: String,
    line: usize,
    rule: &'static str,
    says: &'static str,
    /// The words around it.
    around: String,
}

/// Looks at the texts of a file.
fn look(path: &str, texts: &[Text], patterns: &[(&'static rules::Rule, Regex)], hits: &mut Vec<Hit>) {
    let is_program = (path.starts_with("src/") || path.starts_with("crates/")) && !path.contains("tests");
    let mut sos = 0;
    for text in texts {
        if text.kind == Kind::Message && !is_program {
            continue;
        }
        let mut hit = |at: usize, rule, says| {
            let start = text.words[..at].char_indices().rev().nth(30).map_or(0, |(at, _)| at);
            let around = text.words[start..].chars().take(80).collect();
            hits.push(Hit { path: path.to_owned(), line: text.line(at), rule, says, around });
        };
        for (rule, pattern) in patterns {
            if rule.about.contains(&text.kind) {
                let found = pattern.captures_iter(&text.words).filter_map(|found| found.get(1));
                // `game by game` is fine.
                let is_pair = |words: &str| words.to_lowercase().split_once(" by ").is_some_and(|(a, b)| a == b);
                for found in found.filter(|found| !is_pair(found.as_str())) {
                    hit(found.start(), rule.name, rule.says);
                }
            }
        }
        if text.kind == Kind::Page {
            let starts = text.words.match_indices("So ").map(|(at, _)| at);
            for at in starts.filter(|at| *at == 0 || text.words[..*at].ends_with(". ")) {
                sos += 1;
                if sos > 1 {
                    hit(at, "so", "one sentence per page begins with `So`");
                }
            }
        }
        if let Some((rule, says)) = is_program.then(|| rules::first_sentence(text)).flatten() {
            hit(0, rule, says);
        }
    }
    for pair in texts.windows(2) {
        if pair[0].words == "# Errors" && !pair[1].words.starts_with("Fails if") {
            let around = pair[1].words.chars().take(80).collect();
            let says = "`# Errors` begins with `Fails if`";
            hits.push(Hit { path: path.to_owned(), line: pair[1].line(0), rule: "errors", says, around });
        }
    }
}

#[test]
fn the_rules_of_english_are_kept() {
    let root = env::var_os("PROSE_ROOT").map_or(PathBuf::from("../.."), PathBuf::from);
    let below = env::var("PROSE").unwrap_or_default();
    let patterns: Vec<_> = RULES.iter().map(|rule| (rule, Regex::new(rule.pattern).unwrap())).collect();
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut hits = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        if !name.starts_with("tests/prose/") {
            let is_page = name.ends_with(".md");
            let texts = if is_page { texts::of_page(&text) } else { texts::of_source(&text) };
            look(&name, &texts, &patterns, &mut hits);
        }
    }
    // Each line: path, rule, and words of the text; the lines before it give the reason.
    let exceptions = fs::read_to_string("exceptions.txt").unwrap();
    let exceptions = exceptions.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut exceptions: Vec<(&str, bool)> = exceptions.map(|line| (line, false)).collect();
    hits.retain(|hit| {
        let matches = |line: &str| {
            let mut parts = line.splitn(3, ' ');
            parts.next() == Some(&hit.path)
                && parts.next() == Some(hit.rule)
                && parts.next().is_some_and(|words| hit.around.contains(words))
        };
        let mut is_listed = false;
        for (_, is_used) in exceptions.iter_mut().filter(|(line, _)| matches(line)) {
            (*is_used, is_listed) = (true, true);
        }
        !is_listed
    });
    let mut counts = BTreeMap::<&str, u64>::new();
    for hit in &hits {
        *counts.entry(hit.rule).or_default() += 1;
        if hit.path.starts_with(&below) {
            println!("{}:{}: {}: …{}… ({})", hit.path, hit.line, hit.rule, hit.around, hit.says);
        }
    }
    let unused: Vec<_> = exceptions.iter().filter(|(_, is_used)| !is_used).map(|(line, _)| *line).collect();
    assert!(hits.is_empty(), "{} hits: {counts:?}", hits.len());
    assert!(unused.is_empty(), "exceptions that are not needed: {unused:?}");
}

/// Links of pages to files of the project. `tests/it/guide.rs` checks the links that only rustdoc resolves.
#[test]
fn links_to_files_lead_somewhere() {
    let root = env::var_os("PROSE_ROOT").map_or(PathBuf::from("../.."), PathBuf::from);
    let link = Regex::new(r"(?:\]\(|(?m:^\[[^\]]+\]: ))([\w./-]+\.\w+|[\w./-]+/?)(?:#[\w-]*)?(?:\)|$)").unwrap();
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut dead = Vec::new();
    let mut count = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        for target in link.captures_iter(&fs::read_to_string(path).unwrap()).filter_map(|found| found.get(1)) {
            count += 1;
            if !path.parent().unwrap().join(target.as_str()).exists() {
                dead.push(format!("{}: {}", path.display(), target.as_str()));
            }
        }
    }
    assert!(count > 10 && dead.is_empty(), "{count} links, and these are dead: {dead:#?}");
}
