//! The checker: each rule by a table, the laws, and what a hostile file costs. The last tests go through
//! `../shared/corpus`, where it is there.

#[path = "check/fix.rs"]
mod fix;
#[path = "check/laws.rs"]
mod laws;
#[path = "check/page.rs"]
mod page;
#[path = "check/table.rs"]
mod table;

#[path = "support/mod.rs"]
mod support;

use sgf_stream::check::{self, Finding, Rule, Rules};

/// What is found: rules as words, and offsets.
fn found(rules: &Rules, bytes: &[u8]) -> Vec<(String, u64)> {
    let report = check::check_slice_with(rules.clone(), bytes);
    report.findings().iter().map(|finding| (finding.rule().to_string(), finding.offset())).collect()
}

/// Only this rule.
fn only(rule: Rule) -> Rules {
    Rules::none().warn(rule)
}

fn messages(bytes: &[u8]) -> Vec<String> {
    check::check_slice(bytes).findings().iter().map(Finding::to_string).collect()
}
