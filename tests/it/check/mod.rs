//! The checker: each rule by a table, the laws, and what a hostile file costs. The last tests go through
//! `../shared/corpus`, where it is there.

mod fix;
mod laws;
mod page;
#[cfg(feature = "parallel")]
mod parts;
mod table;

use sgf_stream::Severity;
use sgf_stream::check::{self, Finding, Rule, Rules, Summary};

/// The findings: rules as words, and offsets.
fn found(rules: &Rules, bytes: &[u8]) -> Vec<(String, u64)> {
    let report = check::check_slice_with(rules.clone(), bytes);
    report.findings().iter().map(|finding| (finding.rule().to_string(), finding.offset())).collect()
}

/// A receiver of findings, as a pointer: the checker is compiled once for all of them.
pub(crate) type TakeFinding<'t> = &'t mut dyn FnMut(&Finding);

/// Law: a summary counts its findings, and those that have a repair, whatever else is in their game.
fn is_sum_of(summary: Summary, found: &[Finding]) {
    let count = |is_one: &dyn Fn(&Finding) -> bool| found.iter().filter(|finding| is_one(finding)).count() as u64;
    let of = |severity| count(&|finding| finding.severity() == severity);
    assert_eq!(
        (summary.errors, summary.warnings, summary.fixable),
        (of(Severity::Error), of(Severity::Warning), count(&Finding::is_fixable)),
        "left: the summary of {found:?}"
    );
}

/// Only this rule.
fn only(rule: Rule) -> Rules {
    Rules::none().warn(rule)
}

fn messages(bytes: &[u8]) -> Vec<String> {
    check::check_slice(bytes).findings().iter().map(Finding::to_string).collect()
}
