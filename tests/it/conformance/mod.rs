//! The conformance cases of `../shared/conformance/cases.jsonl`, a room for the kinds that belong
//! together. Every `must` case passes; one of another level that goes another way is listed in its
//! room, with the reason. Without the folder the tests say so and pass.

mod cases;
mod check;
mod convert;
#[cfg(feature = "charset")]
mod encoding;
mod formats;
mod points;
mod structure;
mod texts;

use std::collections::BTreeSet;

use cases::Room;

const ROOMS: &[Room] = &[
    check::ROOM,
    convert::ROOM,
    #[cfg(feature = "charset")]
    encoding::ROOM,
    formats::ROOM,
    points::ROOM,
    structure::ROOM,
    texts::ROOM,
];

/// Kinds of which nothing is tested, and why.
const NOT_TESTED: &[(&str, &str)] = &[
    ("escape", "what the writer escapes is later work; no case so far"),
    ("rawvalue", "what the writer accepts as a value is later work; no case so far"),
    ("ident", "what the writer accepts as an identifier is later work; no case so far"),
    #[cfg(not(feature = "charset"))]
    ("encoding", "needs the feature charset"),
];

#[test]
fn every_kind_of_case_is_tested_or_listed_with_a_reason() {
    let tested: BTreeSet<&str> = ROOMS.iter().flat_map(|room| room.kinds).copied().collect();
    let listed: BTreeSet<&str> = NOT_TESTED.iter().map(|(kind, _)| *kind).collect();
    assert!(tested.is_disjoint(&listed), "listed in vain: {:?}", tested.intersection(&listed));

    let cases = cases::all();
    let kinds: BTreeSet<&str> = cases.iter().map(|case| &*case.kind).collect();
    let unknown: Vec<_> = kinds.iter().filter(|kind| !tested.contains(*kind) && !listed.contains(*kind)).collect();
    assert!(unknown.is_empty(), "nothing tests {unknown:?}");
}

#[test]
fn the_cases_that_are_excused_exist_and_are_no_must_cases() {
    let cases = cases::all();
    for (id, _) in ROOMS.iter().flat_map(|room| room.lists).copied().flatten() {
        let case = cases.iter().find(|case| case.id == *id);
        assert!(cases.is_empty() || case.is_some_and(|case| case.level != "must"), "{id}");
    }
}
