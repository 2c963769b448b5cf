//! Trees, events, errors and repairs, through every reader.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sgf_stream::{Event, OwnedEvent, Parser, RawValue};

use super::cases::{Case, List, Report, readable, room, string};
use crate::support::{Seen, every_front_end};

/// Cases whose lenient reading is another than ours, and why.
const OTHER_READINGS: List = &[(
    "sgfc/file-test",
    "the torture file has games at line starts inside an unclosed game (its line 21 has a `(` too many): the rule \
         for a missing `)` ends the open game there, which the case's rules did not have yet",
)];

/// Cases whose diagnostics have other codes than ours, and why. Codes are compared as sets.
const OTHER_CODES: List = &[
    ("sgfc/file-test", "see OTHER_READINGS"),
    ("sgfc/E_NODE_OUTSIDE_VAR", EXTRA_PAREN),
    ("sgfc/readme-66/01", EXTRA_PAREN),
];
const EXTRA_PAREN: &str = "a `)` that closes nothing has a code of its own here, extra-close-paren";

room! {
    excused: [OTHER_READINGS, OTHER_CODES];
    sound_documents_give_their_trees_in_both_modes: "tree" => tree;
    faulty_documents_are_refused_in_strict_mode_and_repaired_in_lenient_mode: "error" | "lenient" => fault;
    tokens_stand_where_the_cases_say: "events" => tokens;
}

fn strict(case: &Case) -> Seen {
    every_front_end(&case.input, &Parser::strict())
}

fn lenient(case: &Case) -> Seen {
    every_front_end(&case.input, &Parser::new())
}

/// Events as the cases write trees.
#[derive(Default)]
pub(crate) struct Trees {
    /// The nodes and the children of the trees that are open.
    open: Vec<(Vec<Value>, Vec<Value>)>,
    games: Vec<Value>,
}

impl Trees {
    pub(crate) fn push(&mut self, event: Event<'_>, text: impl FnOnce(RawValue<'_>) -> String) {
        let node = self.open.last_mut().and_then(|(nodes, _)| nodes.last_mut()?.as_array_mut());
        match event {
            Event::StartTree => self.open.push(Default::default()),
            Event::Node => self.open.last_mut().unwrap().0.push(json!([])),
            Event::Property(ident) => node.unwrap().push(json!([ident.name(), []])),
            Event::Value(value) => {
                node.unwrap().last_mut().unwrap()[1].as_array_mut().unwrap().push(text(value).into());
            }
            Event::EndTree => {
                let (nodes, children) = self.open.pop().unwrap();
                let parent = self.open.last_mut().map_or(&mut self.games, |parent| &mut parent.1);
                parent.push(json!({"nodes": nodes, "children": children}));
            }
            _ => unreachable!("no parts were asked for"),
        }
    }

    pub(crate) fn end(self) -> Value {
        assert!(self.open.is_empty(), "{} trees have no end", self.open.len());
        self.games.into()
    }
}

/// Cooked values are FF[4] Text.
fn trees(seen: &Seen, cooked: bool) -> Value {
    let mut trees = Trees::default();
    for (_, event) in &seen.events {
        trees.push(event.borrow(), |value| if cooked { value.text().into() } else { readable(value.as_bytes()) });
    }
    trees.end()
}

fn tree(case: &Case, report: &mut Report) {
    let expect = &case.expect;
    for (mode, seen) in [("strict", strict(case)), ("lenient", lenient(case))] {
        report.check(case, mode, seen.error.is_none(), || format!("{:?}", seen.error));
        report.check(case, mode, seen.findings.is_empty(), || format!("{:?}", seen.findings));
        if expect.get("trees").is_none() {
            let counts = counts(&seen);
            report.check(case, mode, counts == expect["counts"], || format!("{counts}"));
        } else if seen.error.is_none() {
            let trees = trees(&seen, expect["unescaped"] == true);
            report.check(case, mode, trees == expect["trees"], || format!("{trees}"));
        }
    }
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
    json!({"trees": nodes.len(), "nodes": nodes, "max_depth": depths})
}

fn fault(case: &Case, report: &mut Report) {
    let strict = strict(case);
    let refused = case.kind == "error" || case.expect["strict"] == "error";
    report.check(case, "strict", strict.error.is_some() == refused, || format!("{:?}", strict.error));

    let expect = if case.kind == "error" { &case.expect["lenient"] } else { &case.expect };
    if expect.is_null() {
        return;
    }
    let seen = lenient(case);
    if expect["error"] == true {
        report.check(case, "lenient", seen.error.is_some(), || "no error".into());
        return;
    }
    let trees = trees(&seen, false);
    report.check_unless(OTHER_READINGS, case, "trees", trees == expect["trees"], || format!("{trees}"));
    let found: BTreeSet<_> = seen.findings.iter().map(|f| f.0.as_str()).collect();
    let expected: BTreeSet<_> = expect["diagnostics"].as_array().unwrap().iter().map(string).collect();
    report.check_unless(OTHER_CODES, case, "diagnostics", found == expected, || format!("{found:?} for {expected:?}"));
}

fn tokens(case: &Case, report: &mut Report) {
    let seen = strict(case);
    let refused = case.expect["strict"] == "error";
    report.check(case, "strict", seen.error.is_some() == refused, || format!("{:?}", seen.error));
    if refused {
        return;
    }
    let token =
        |token: &Value| (string(&token[0]).to_owned(), string(&token[1]).to_owned(), token[2].as_u64().unwrap());
    let tokens: Vec<_> = case.expect["tokens"].as_array().unwrap().iter().map(token).collect();
    let event = |(at, event): &(u64, OwnedEvent)| match event.borrow() {
        Event::StartTree => ("(".into(), "(".into(), *at),
        Event::Node => (";".into(), ";".into(), *at),
        Event::Property(ident) => ("ident".into(), ident.spelling().into_owned(), *at),
        Event::Value(value) => ("value".into(), readable(value.as_bytes()), *at),
        _ => (")".into(), ")".into(), *at),
    };
    let events: Vec<(String, String, u64)> = seen.events.iter().map(event).collect();
    report.check(case, "tokens", tokens == events, || format!("{events:?}"));
}
