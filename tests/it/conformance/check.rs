//! Rules that the grammar does not know: what SGFC says of a document, and what the checker finds in it.

use std::collections::BTreeSet;

use sgf_check::{Checker, Rule, Rules};
use sgf_stream::Parser;

use super::cases::{Case, List, Report, room, string};
use crate::check::TakeDiagnostic;

/// Numbers of SGFC messages that have no rule here, and why. The page of the module `check` has the same list.
pub(crate) const JUDGED_OTHERWISE: &[(u64, &str)] = &[
    (29, "what SGFC deletes by an option (obsolete properties) is no fault of the file: see 40 and 59"),
    (56, "whether a variation belongs one node further up is a question of taste"),
    (57, "whether a variation belongs one node further up is a question of taste"),
    (60, "a collection has as many games as one likes"),
    (64, "there is no limit to variations but that of depth"),
];

/// Cases in which the number that SGFC has for a fault is not found, and why.
const OTHER_NUMBERS: List = &[
    ("sgfc/E_PROPID_TOO_LONG", "identifiers of up to 256 letters are read; the checker says that it is unknown"),
    ("sgfc/WS_UNKNOWN_PROPERTY", "KK is known here: GoGoD's"),
    ("sgfc/readme-52/01", "VW[][aa] is in FF[4]'s form: an empty value among others"),
    ("sgfc/readme-73/01", "no byte-order mark: what SGFC takes from the command line, the checker is not told"),
    ("sgfc/file-test", "the same as E_PROPID_TOO_LONG; and its games part where ours do not: see structure"),
    #[cfg(not(feature = "charset"))]
    ("sgfc/readme-72/01", "needs the feature charset"),
];

room! {
    excused: [OTHER_NUMBERS];
    what_is_not_valid_is_found: "validate" => validate;
    what_sgfc_reports_is_found: "lenient" => sgfc;
}

fn found(case: &Case) -> BTreeSet<Rule> {
    let mut found = BTreeSet::new();
    let parser = Parser::new();
    #[cfg(feature = "charset")]
    let parser = parser.charset(sgf_stream::charset::Decoding::new());
    let take: TakeDiagnostic<'_> = &mut |finding| _ = found.insert(finding.rule());
    Checker::with_parser(&parser, Rules::strict(), take).check(&case.input[..]).unwrap();
    found
}

fn validate(case: &Case, report: &mut Report) {
    let found = found(case);
    for violation in case.expect["violations"].as_array().unwrap() {
        let rules: &[Rule] = match string(violation) {
            "root-property-outside-root" => &[Rule::RootPropertyOutsideRoot],
            "invalid-value" => &[Rule::BadRootValue, Rule::BadGameInfo, Rule::BadValue, Rule::UnknownVersion],
            other => panic!("{other}: which rule is it?"),
        };
        let is_error = |rule: &&Rule| found.contains(rule) && Rules::new().severity(**rule).is_some();
        report.check(case, string(violation), rules.iter().any(|rule| is_error(&rule)), || format!("{found:?}"));
    }
    report.check(case, "ok", case.expect["ok"] == false, || "is there a case of a valid file?".into());
}

fn sgfc(case: &Case, report: &mut Report) {
    let found = found(case);
    let numbers: BTreeSet<u64> = case.expect["peer_diagnostics"]
        .as_array()
        .map(|said| said.iter().filter_map(|said| said["code"].as_u64()).collect())
        .unwrap_or_default();
    let missing: Vec<u64> = numbers
        .into_iter()
        .filter(|number| JUDGED_OTHERWISE.iter().all(|(judged, _)| judged != number))
        .filter(|&number| !found.iter().any(|rule| rule.sgfc().iter().any(|&own| u64::from(own) == number)))
        .collect();
    report.check_unless(OTHER_NUMBERS, case, "SGFC", missing.is_empty(), || format!("{missing:?} of {found:?}"));
}

/// The table of the module's page, which `tests/it/check/page.rs` makes.
#[test]
fn the_table_of_numbers_is_true() {
    let page = include_str!("../../../crates/sgf-check/src/rules.md");
    let rows: Vec<(u64, &str)> = page
        .lines()
        .filter_map(|line| {
            let (number, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
            Some((number.parse().ok()?, rest.trim_end_matches(" |")))
        })
        .collect();
    assert!(rows.is_sorted() && rows.len() > 55, "{}", rows.len());
    let mut listed = BTreeSet::new();
    for (number, text) in &rows {
        let rules: Vec<Rule> = text.split('`').skip(1).step_by(2).map(|code| code.parse().unwrap()).collect();
        for rule in &rules {
            assert!(rule.sgfc().iter().any(|&own| u64::from(own) == *number), "{number} is not one of {rule}");
            listed.insert((*number, *rule));
        }
        let judged = JUDGED_OTHERWISE.iter().any(|(judged, _)| judged == number);
        assert_eq!(judged || *number < 6 || matches!(number, 26 | 27 | 34), rules.is_empty(), "{number}");
    }
    for rule in Rule::all() {
        for &number in rule.sgfc() {
            assert!(listed.contains(&(u64::from(number), rule)), "{number}: {rule} is not in the table");
        }
    }
}
