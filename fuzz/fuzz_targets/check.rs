//! The checker and the repairs: no panic; chunks change nothing; a repair is idempotent, loses no content and adds
//! no faults. (`tests/it/check` has more laws.)

#![no_main]

use std::collections::BTreeMap;
use std::io::BufReader;

use libfuzzer_sys::fuzz_target;
use sgf_stream::Code;
use sgf_stream::check::{Checker, Finding, Fixer, Rule, Rules, fix_slice};

fn found(rules: Rules, capacity: usize, bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut checker = Checker::with_rules(rules, |finding: &Finding| found.push(finding.clone()));
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

/// Returns the written content in order: everything but brackets, escapes and white space.
fn content(bytes: &[u8]) -> Vec<u8> {
    let is_content = |byte: &u8| !matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\\' | b' ' | 0x09..=0x0D);
    bytes.iter().copied().filter(is_content).collect()
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(found(Rules::strict(), 1 << 16, bytes), found(Rules::strict(), 3, bytes));
    let rules = Rules::new();
    let Ok((fixed, counts_of_fixed)) = fix_slice(&rules, bytes) else { return };
    assert_eq!(counts_of_fixed.has_changed(), fixed != bytes);
    let (again, nothing) = fix_slice(&rules, &fixed).expect("it was repaired before");
    assert_eq!((&again, nothing.count()), (&fixed, 0));
    // Syntax alone: no content is lost (law L13).
    let (syntax, _) = fix_slice(&Rules::none(), bytes).expect("it was repaired before");
    let (before, bare) = (counts(bytes), counts(&syntax));
    let (mut read, mut written) = (content(bytes), content(&syntax));
    if before.contains_key(&Rule::Syntax(Code::NodeAfterVariation)) {
        // What follows variations goes before them.
        read.sort_unstable();
        written.sort_unstable();
    }
    assert_eq!(written, read);
    // No new faults, except in values that were cut off.
    for (rule, count) in counts(&fixed) {
        let is_of_checker = match rule {
            Rule::Syntax(code) => matches!(code, Code::ExtraValues | Code::LowercaseInIdent),
            _ => true,
        };
        let before = if is_of_checker { &bare } else { &before };
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new");
    }
    // A lossy repair is idempotent too.
    let lossy = |bytes: &[u8]| Fixer::new(Rules::new()).lossy(true).fix_slice(bytes);
    let (lost, _) = lossy(bytes).expect("it was repaired before");
    assert_eq!(lossy(&lost).expect("it was repaired before").0, lost);
});
