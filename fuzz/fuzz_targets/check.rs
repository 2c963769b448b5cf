//! The checker and the repairs: no panic; the same in pieces; a repair is done once and brings no new
//! faults. (`tests/check` has the laws with more.)

#![no_main]

use std::collections::BTreeMap;
use std::io::BufReader;

use libfuzzer_sys::fuzz_target;
use sgf_stream::check::{Checker, Finding, Rule, Rules, fix, fix_slice};

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

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(found(Rules::strict(), 1 << 16, bytes), found(Rules::strict(), 3, bytes));
    let rules = Rules::new();
    let Ok((fixed, _)) = fix_slice(&rules, bytes) else { return };
    let (again, nothing) = fix_slice(&rules, &fixed).expect("it was repaired before");
    assert_eq!((&again, nothing.count()), (&fixed, 0));
    // See `tests/check/fix.rs`: the junk that is left out may be what the end of a doubtful value was judged by.
    let (mut syntax, mut read_again) = (Vec::new(), Vec::new());
    fix(&Rules::none(), bytes, &mut syntax).expect("it was repaired before");
    fix(&Rules::none(), &syntax[..], &mut read_again).expect("it was repaired before");
    if syntax != read_again {
        return;
    }
    let before = counts(bytes);
    for (rule, count) in counts(&fixed) {
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new");
    }
});
