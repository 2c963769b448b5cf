//! The cases, the one reader of them, and the report of those that fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine as _;
use serde_json::Value;
use sgf_stream::Game;
use sgf_stream::value::Size;

use crate::support::shared;

/// A line of the file. What its fields mean, appendix B of the fact sheet says.
pub(crate) struct Case {
    pub(crate) id: String,
    /// `must`, `lenient` or `peer`.
    pub(crate) level: String,
    pub(crate) kind: String,
    pub(crate) game: Game,
    /// Of the board, where the case names one.
    pub(crate) size: Option<Size>,
    pub(crate) input: Vec<u8>,
    /// An object.
    pub(crate) expect: Value,
}

/// All cases, or none where the folder is absent.
pub(crate) fn all() -> Vec<Case> {
    let text = shared::text("conformance/cases.jsonl").unwrap_or_default();
    text.lines().map(|line| Case::new(&serde_json::from_str(line).expect("a case is JSON"))).collect()
}

impl Case {
    fn new(case: &Value) -> Self {
        let [id, level, kind] = ["id", "level", "kind"].map(|key| string(&case[key]).to_owned());
        assert!(["must", "lenient", "peer"].contains(&&*level), "{id}: {level}");
        assert!(case["expect"].is_object(), "{id}: nothing is expected");
        Case {
            game: case["gm"].as_i64().map_or(Game::Go, Game::from_number),
            size: size(&case["size"]),
            input: input(case),
            expect: case["expect"].clone(),
            id,
            level,
            kind,
        }
    }

    /// Whether it is excused. A `must` case cannot be.
    pub(crate) fn is_listed(&self, list: List) -> bool {
        let listed = list.iter().any(|(id, _)| *id == self.id);
        assert!(!listed || self.level != "must", "{}: a must case cannot be excused", self.id);
        listed
    }
}

pub(crate) fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no string"))
}

/// A document, or the content between the brackets.
fn input(case: &Value) -> Vec<u8> {
    match (&case["input_b64"], &case["repeat"]) {
        (Value::String(text), _) => base64::engine::general_purpose::STANDARD.decode(text).expect("base64"),
        (_, Value::Array(repeat)) => string(&repeat[0]).repeat(repeat[1].as_u64().unwrap() as usize).into_bytes(),
        _ => string(&case["input"]).into(),
    }
}

/// A number, or columns and rows.
fn size(size: &Value) -> Option<Size> {
    let side = |value: &Value| value.as_u64().map(|side| side as u32);
    match size {
        Value::Array(sides) => Size::new(side(&sides[0])?, side(&sides[1])?),
        square => Size::square(side(square)?),
    }
}

/// The bytes as the cases write them: UTF-8, or else Latin-1.
pub(crate) fn readable(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&b| char::from(b)).collect())
}

/// Cases that are read in another way than the suite's, and why.
pub(crate) type List = &'static [(&'static str, &'static str)];

/// What a room tests, and whom it excuses.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) kinds: &'static [&'static str],
    pub(crate) lists: &'static [List],
}

/// The tests of a room: the kinds of the cases that each one runs, and how it handles a case. Its lists of excused
/// cases come first.
macro_rules! room {
    (excused: [$($list:ident),*]; $($(#[$meta:meta])* $test:ident: $($kind:literal)|+ => $check:expr;)+) => {
        pub(crate) const ROOM: super::cases::Room =
            super::cases::Room { kinds: &[$($($kind),+),+], lists: &[$($list),*] };

        $(
            $(#[$meta])*
            #[test]
            fn $test() {
                super::cases::run(&[$($kind),+], $check);
            }
        )+
    };
}

pub(crate) use room;

/// Runs the cases of some kinds, and fails with all that is wrong with any of them.
pub(crate) fn run(kinds: &[&str], check: impl Fn(&Case, &mut Report)) {
    let all = all();
    let mut report = Report::default();
    for case in all.iter().filter(|case| kinds.contains(&&*case.kind)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(case, &mut report))) {
            let message = panic.downcast::<String>().map_or_else(|_| "see above".to_owned(), |message| *message);
            report.check(case, "panic", false, || message);
        }
    }
    for kind in kinds {
        let count = all.iter().filter(|case| case.kind == *kind).count();
        eprintln!("{count} cases of kind {kind}");
        assert!(all.is_empty() || count > 0, "no cases of kind {kind}");
    }
    assert!(report.wrong.is_empty(), "{} wrong:\n{}", report.wrong.len(), report.wrong.join("\n"));
}

/// Collects what went wrong, so that one run shows all of it.
#[derive(Default)]
pub(crate) struct Report {
    wrong: Vec<String>,
}

impl Report {
    pub(crate) fn check(&mut self, case: &Case, what: &str, ok: bool, details: impl FnOnce() -> String) {
        if !ok {
            self.wrong.push(format!("{} ({}): {what}: {}", case.id, case.level, details()));
        }
    }

    /// The same, but an excused case fails if it is listed in vain.
    pub(crate) fn check_unless(
        &mut self,
        list: List,
        case: &Case,
        what: &str,
        ok: bool,
        details: impl FnOnce() -> String,
    ) {
        if case.is_listed(list) {
            self.check(case, what, !ok, || "passes, though listed".to_owned());
        } else {
            self.check(case, what, ok, details);
        }
    }
}
