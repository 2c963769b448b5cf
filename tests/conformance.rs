//! The conformance cases of `../shared/conformance/cases.jsonl`: those about grammar, recovery and
//! text. Every `must` case passes; a `lenient` or `peer` case that goes another way is listed
//! here, with the reason. Without the folder the tests say so and pass.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use base64::Engine as _;
use serde_json::Value;
use sgf_stream::{Event, OwnedEvent, Parser, RawValue};
use support::{Seen, every_front_end};

/// Cases whose lenient reading is another than ours, and why.
const OTHER_READINGS: &[(&str, &str)] = &[(
    "sgfc/file-test",
    "the torture file has games at line starts inside an unclosed game (its line 21 has a `(` too many): the rule \
         for a missing `)` ends the open game there, which the case's rules did not have yet",
)];

/// Cases whose diagnostics have other codes than ours, and why. Codes are compared as sets.
const OTHER_CODES: &[(&str, &str)] = &[
    ("sgfc/file-test", "see OTHER_READINGS"),
    ("sgfc/E_NODE_OUTSIDE_VAR", EXTRA_PAREN),
    ("sgfc/readme-66/01", EXTRA_PAREN),
];
const EXTRA_PAREN: &str = "a `)` that closes nothing has a code of its own here, extra-close-paren";

struct Case {
    id: String,
    level: String,
    kind: String,
    input: Vec<u8>,
    expect: Value,
}

/// The cases of some kinds, or nothing where the folder is absent.
fn cases(kinds: &[&str]) -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/cases.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a case is JSON"))
        .filter(|case: &Value| kinds.contains(&string(&case["kind"]).as_str()))
        .map(|case| Case {
            id: string(&case["id"]),
            level: string(&case["level"]),
            kind: string(&case["kind"]),
            input: input(&case),
            expect: case["expect"].clone(),
        })
        .collect()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn input(case: &Value) -> Vec<u8> {
    let input = match &case["input_b64"] {
        Value::String(text) => base64::engine::general_purpose::STANDARD.decode(text).expect("base64"),
        _ => string(&case["input"]).into_bytes(),
    };
    match case["repeat"].as_array() {
        Some(repeat) => repeat[0].as_str().unwrap().repeat(repeat[1].as_u64().unwrap() as usize).into_bytes(),
        None => input,
    }
}

/// The bytes as the cases write them: UTF-8, or else Latin-1.
fn readable(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&b| char::from(b)).collect())
}

/// Events as the cases write trees. Cooked values are FF[4] Text.
fn trees(seen: &Seen, cooked: bool) -> Value {
    #[derive(Default)]
    struct Tree {
        nodes: Vec<Value>,
        children: Vec<Value>,
    }
    let mut open = vec![Tree::default()];
    for (_, event) in &seen.events {
        let tree = open.last_mut().unwrap();
        match event.borrow() {
            Event::StartTree => open.push(Tree::default()),
            Event::Node => tree.nodes.push(Value::Array(Vec::new())),
            Event::Property(ident) => {
                let node = tree.nodes.last_mut().unwrap().as_array_mut().unwrap();
                node.push(serde_json::json!([ident.name(), []]));
            }
            Event::Value(value) => {
                let text = if cooked { value.text().into_owned() } else { readable(value.as_bytes()) };
                let node = tree.nodes.last_mut().unwrap().as_array_mut().unwrap();
                node.last_mut().unwrap()[1].as_array_mut().unwrap().push(text.into());
            }
            Event::EndTree => {
                let tree = open.pop().unwrap();
                let parent = open.last_mut().unwrap();
                parent.children.push(serde_json::json!({"nodes": tree.nodes, "children": tree.children}));
            }
            _ => unreachable!("no parts were asked for"),
        }
    }
    Value::Array(open.pop().unwrap().children)
}

fn strict(case: &Case) -> Seen {
    every_front_end(&case.input, &Parser::strict())
}

fn lenient(case: &Case) -> Seen {
    every_front_end(&case.input, &Parser::new())
}

fn listed(list: &[(&str, &str)], case: &Case) -> bool {
    let listed = list.iter().any(|(id, _)| *id == case.id);
    assert!(!listed || case.level != "must", "{}: a must case cannot be excused", case.id);
    listed
}

/// Collects what went wrong, so that one run shows all of it.
#[derive(Default)]
struct Report {
    wrong: Vec<String>,
    cases: usize,
}

impl Report {
    fn check(&mut self, case: &Case, what: &str, ok: bool, details: impl FnOnce() -> String) {
        if !ok {
            self.wrong.push(format!("{} ({}): {what}: {}", case.id, case.level, details()));
        }
    }

    fn end(self) {
        eprintln!("{} cases", self.cases);
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

#[test]
fn sound_documents_give_their_trees_in_both_modes() {
    let mut report = Report::default();
    for case in cases(&["tree"]) {
        report.cases += 1;
        let expect = &case.expect;
        for (mode, seen) in [("strict", strict(&case)), ("lenient", lenient(&case))] {
            report.check(&case, mode, seen.error.is_none(), || format!("{:?}", seen.error));
            if expect.get("trees").is_some() {
                let trees = trees(&seen, expect["unescaped"] == true);
                report.check(&case, mode, trees == expect["trees"], || format!("{trees}"));
            } else {
                let counts = counts(&seen);
                report.check(&case, mode, counts == expect["counts"], || format!("{counts}"));
            }
            report.check(&case, mode, seen.findings.is_empty(), || format!("{:?}", seen.findings));
        }
    }
    report.end();
}

/// Trees, nodes of each and depth of each in nodes, for cases too big to write out.
fn counts(seen: &Seen) -> Value {
    let (mut nodes, mut depths) = (Vec::new(), Vec::new());
    let mut open: Vec<u64> = Vec::new();
    for (_, event) in &seen.events {
        match event {
            OwnedEvent::StartTree => {
                if open.is_empty() {
                    nodes.push(0);
                    depths.push(0);
                }
                open.push(open.last().copied().unwrap_or(0));
            }
            OwnedEvent::Node => {
                *nodes.last_mut().unwrap() += 1;
                let depth = open.last_mut().unwrap();
                *depth += 1;
                let deepest: &mut u64 = depths.last_mut().unwrap();
                *deepest = (*deepest).max(*depth);
            }
            OwnedEvent::EndTree => drop(open.pop()),
            _ => {}
        }
    }
    serde_json::json!({"trees": nodes.len(), "nodes": nodes, "max_depth": depths})
}

#[test]
fn faulty_documents_are_refused_in_strict_mode_and_repaired_in_lenient_mode() {
    let mut report = Report::default();
    for case in cases(&["error", "lenient"]) {
        report.cases += 1;
        let strict = strict(&case);
        let refused = case.kind == "error" || case.expect["strict"] == "error";
        report.check(&case, "strict", strict.error.is_some() == refused, || format!("{:?}", strict.error));

        let expect = if case.kind == "error" { &case.expect["lenient"] } else { &case.expect };
        let seen = lenient(&case);
        if expect.is_null() {
            continue;
        }
        if expect["error"] == true {
            report.check(&case, "lenient", seen.error.is_some(), || "no error".into());
            continue;
        }
        if !listed(OTHER_READINGS, &case) {
            let trees = trees(&seen, false);
            report.check(&case, "trees", trees == expect["trees"], || format!("{trees}"));
        }
        if !listed(OTHER_CODES, &case) {
            let found: BTreeSet<_> = seen.findings.iter().map(|f| f.0.as_str()).collect();
            let expected: BTreeSet<_> =
                expect["diagnostics"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            report.check(&case, "diagnostics", found == expected, || format!("{found:?} for {expected:?}"));
        }
    }
    report.end();
}

#[test]
fn tokens_stand_where_the_cases_say() {
    let mut report = Report::default();
    for case in cases(&["events"]) {
        report.cases += 1;
        let seen = strict(&case);
        let refused = case.expect["strict"] == "error";
        report.check(&case, "strict", seen.error.is_some() == refused, || format!("{:?}", seen.error));
        if refused {
            continue;
        }
        let tokens: Vec<(String, String, u64)> = case.expect["tokens"]
            .as_array()
            .unwrap()
            .iter()
            .map(|token| (string(&token[0]), string(&token[1]), token[2].as_u64().unwrap()))
            .collect();
        let events: Vec<(String, String, u64)> = seen
            .events
            .iter()
            .map(|(at, event)| match event.borrow() {
                Event::StartTree => ("(".into(), "(".into(), *at),
                Event::Node => (";".into(), ";".into(), *at),
                Event::Property(ident) => ("ident".into(), ident.spelling().into_owned(), *at),
                Event::Value(value) => ("value".into(), readable(value.as_bytes()), *at),
                _ => (")".into(), ")".into(), *at),
            })
            .collect();
        report.check(&case, "tokens", tokens == events, || format!("{events:?}"));
    }
    report.end();
}

#[test]
fn texts_are_read_by_the_rules_of_ff4() {
    let mut report = Report::default();
    for case in cases(&["text", "simpletext"]) {
        report.cases += 1;
        let value = RawValue::new(&case.input);
        let text = if case.kind == "text" { value.text() } else { value.simple_text() };
        report.check(&case, "value", text == case.expect["value"].as_str().unwrap(), || format!("{text:?}"));
    }
    report.end();
}

#[test]
fn composed_values_are_split_at_the_first_bare_colon() {
    let mut report = Report::default();
    for case in cases(&["compose"]) {
        report.cases += 1;
        let (first, second) = RawValue::new(&case.input).compose().expect("a colon");
        let parts = serde_json::json!([readable(first.as_bytes()), readable(second.as_bytes())]);
        report.check(&case, "parts", parts == case.expect["parts"], || format!("{parts}"));
        if let Some(unescaped) = case.expect.get("unescaped") {
            let texts = serde_json::json!([first.text(), second.text()]);
            report.check(&case, "texts", texts == *unescaped, || format!("{texts}"));
        }
    }
    report.end();
}

#[test]
fn every_kind_named_here_has_cases() {
    let all = cases(&["tree", "error", "lenient", "events", "text", "simpletext", "compose"]);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    all.iter().for_each(|case| *kinds.entry(&case.kind).or_default() += 1);
    assert!(all.is_empty() || kinds.len() == 7, "{kinds:?}");
}
