//! The laws of the checker and the repairs, for any bytes.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::ops::Range;

use sgf_check::{Checker, Diagnostic, NoteKind, Rewriter, Rule, Rules, fix_slice};
use sgf_stream::{Code, Event, Parser};

fn found(rules: Rules, capacity: usize, bytes: &[u8]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut checker = Checker::with_rules(rules, |finding: &Diagnostic| found.push(finding.clone()));
    checker.check(BufReader::with_capacity(capacity, bytes)).expect("memory can be read");
    drop(checker);
    found
}

fn counts(bytes: &[u8]) -> BTreeMap<Rule, usize> {
    let mut counts = BTreeMap::new();
    for finding in found(Rules::new(), 1 << 16, bytes) {
        *counts.entry(finding.rule()).or_default() += 1;
    }
    counts
}

/// The trees and nodes: no repair adds one or takes one away.
fn shape(bytes: &[u8]) -> [usize; 3] {
    let mut shape = [0; 3];
    let _ = Parser::new().parse(bytes, |event, _| match event {
        Event::StartTree => shape[0] += 1,
        Event::Node => shape[1] += 1,
        Event::EndTree => shape[2] += 1,
        _ => {}
    });
    shape
}

/// Returns the written content in order: everything but brackets, escapes and white space.
fn content(bytes: &[u8]) -> Vec<u8> {
    let is_content = |byte: &u8| !matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\\' | b' ' | 0x09..=0x0D);
    bytes.iter().copied().filter(is_content).collect()
}

/// L13. Returns the new bytes.
fn rewriting(rewriter: &Rewriter, is_exact: bool, bytes: &[u8]) -> Vec<u8> {
    let (out, done) = rewriter.rewrite_slice(bytes);
    assert_eq!(done.has_changed(), out != bytes);
    assert_eq!(shape(&out), shape(bytes));
    let (again, nothing) = rewriter.rewrite_slice(&out);
    assert_eq!((&again, nothing.count(), nothing.dropped().count()), (&out, 0, 0));
    assert!(nothing.left().eq(done.left()));
    let mut in_chunks = Vec::new();
    rewriter.rewrite(BufReader::with_capacity(3, bytes), &mut in_chunks).expect("memory can be read");
    assert_eq!(in_chunks, out);
    if is_exact {
        // What is missing is what the notes say.
        let mut kept = bytes.to_vec();
        for note in done.notes().iter().filter(|note| note.kind == NoteKind::Dropped) {
            let range: Range<usize> = note.range.start as usize..note.range.end as usize;
            kept[range].fill(b' ');
        }
        assert_eq!(content(&out), content(&kept));
    }
    out
}

/// The checker finds the same in chunks of three bytes.
pub fn findings_do_not_depend_on_chunks(bytes: &[u8]) {
    assert_eq!(found(Rules::strict(), 1 << 16, bytes), found(Rules::strict(), 3, bytes));
}

/// L13, with rules and without, with loss and without.
pub fn rewriting_keeps_its_promises(bytes: &[u8]) {
    let parser = Parser::new();
    for is_lossy in [false, true] {
        rewriting(&Rewriter::new(&parser).lossy(is_lossy), true, bytes);
        for rules in [Rules::new(), Rules::strict()] {
            rewriting(&Rewriter::with_rules(&parser, rules).lossy(is_lossy), false, bytes);
        }
    }
}

/// Repairs add no diagnostics, except in truncated values and in text that is not SGF.
pub fn repairs_add_no_faults(bytes: &[u8]) {
    let (fixed, done) = fix_slice(&Rules::new(), bytes);
    let (syntax, _) = fix_slice(&Rules::none(), bytes);
    let (before, bare) = (counts(bytes), counts(&syntax));
    for (rule, count) in counts(&fixed) {
        let is_of_checker = match rule {
            Rule::Syntax(code) => matches!(code, Code::ExtraValues | Code::LowercaseInIdent),
            _ => true,
        };
        let has_text = done.left().any(|(code, _)| code == Code::ValueWithoutIdent.as_str());
        if rule == Rule::Syntax(Code::UnescapedBracket) && has_text {
            continue;
        }
        let before = if is_of_checker { &bare } else { &before };
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new");
    }
}
