//! The checker: a table of cases per rule, the laws, and the cost of a hostile file. The last tests read
//! `../shared/corpus`, if it exists.

mod fix;
mod laws;
mod page;
#[cfg(feature = "parallel")]
mod parts;
mod table;

use sgf_check as check;
use sgf_check::{Diagnostic, Rule, Rules, Summary};
use sgf_stream::Severity;

/// The findings: rules as words, and offsets.
fn found(rules: &Rules, bytes: &[u8]) -> Vec<(String, u64)> {
    let report = check::check_slice_with(rules.clone(), bytes);
    report.diagnostics().iter().map(|diagnostic| (diagnostic.rule().to_string(), diagnostic.offset())).collect()
}

/// A receiver of findings, as a pointer: the checker is compiled once for all of them.
pub(crate) type TakeDiagnostic<'t> = &'t mut dyn FnMut(&Diagnostic);

/// Law: a summary counts its findings, and those that have a repair, whatever else is in their game.
fn is_sum_of(summary: Summary, found: &[Diagnostic]) {
    let count =
        |is_one: &dyn Fn(&Diagnostic) -> bool| found.iter().filter(|diagnostic| is_one(diagnostic)).count() as u64;
    let of = |severity| count(&|diagnostic| diagnostic.severity() == severity);
    assert_eq!(
        (summary.errors, summary.warnings, summary.fixable),
        (of(Severity::Error), of(Severity::Warning), count(&Diagnostic::is_fixable)),
        "left: the summary of {found:?}"
    );
}

/// Only this rule.
fn only(rule: Rule) -> Rules {
    Rules::none().warn(rule)
}

fn messages(bytes: &[u8]) -> Vec<String> {
    check::check_slice(bytes).diagnostics().iter().map(Diagnostic::to_string).collect()
}
