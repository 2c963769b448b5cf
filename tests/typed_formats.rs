//! The conformance cases of `../shared/conformance/cases.jsonl` about numbers, colors and the
//! formats of single properties. Every `must` case passes in strict mode; a `lenient` case is a
//! strict error and has its value in lenient mode; a `peer` case passes, or is listed here with
//! the reason. Without the folder the tests say so and pass.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base64::Engine as _;
use serde_json::{Map, Value, json};
use sgf_stream::Game;
use sgf_stream::value::{
    Certainty, Color, Dates, Double, FigureFlags, GameResult, Grade, Number, Rank, Real, Round, Ruleset, ValueError,
    WonBy,
};

const KINDS: [&str; 9] = ["number", "real", "double", "color", "date", "result", "rank", "round", "ruleset"];

/// Cases whose peer reads more into a value than we do, and why.
const OTHER_READINGS: &[(&str, &str)] = &[
    ("libsgfc/number/12", A_PREFIX),
    ("libsgfc/number/13", A_PREFIX),
    ("libsgfc/number/14", A_PREFIX),
    ("libsgfc/real/21", AN_EXPONENT),
    ("libsgfc/real/22", AN_EXPONENT),
    ("libsgfc/real/23", AN_EXPONENT),
    ("libsgfc/real/24", AN_EXPONENT),
    ("libsgfc/real/26", A_PREFIX),
];
const A_PREFIX: &str = "D14: a number that other characters follow is never read as its first digits";
const AN_EXPONENT: &str = "D14: FF[4] has no exponents, and no program writes them";

struct Case {
    id: String,
    level: String,
    kind: String,
    game: Game,
    input: Vec<u8>,
    expect: Map<String, Value>,
}

/// The cases of these kinds, or nothing where the folder is absent.
fn cases() -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/cases.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return Vec::new();
    };
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case is JSON"));
    cases
        .filter(|case| KINDS.contains(&string(&case["kind"]).as_str()))
        .map(|case| Case {
            id: string(&case["id"]),
            level: string(&case["level"]),
            kind: string(&case["kind"]),
            game: case["gm"].as_i64().map_or(Game::Go, Game::from_number),
            input: match &case["input_b64"] {
                Value::String(text) => base64::engine::general_purpose::STANDARD.decode(text).expect("base64"),
                _ => string(&case["input"]).into_bytes(),
            },
            expect: case["expect"].as_object().expect("an object").clone(),
        })
        .collect()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A value in the words of the cases: their key, and what it should hold. `again` says whether
/// its canonical form reads back.
struct Read {
    fields: Value,
    canonical: String,
    again: bool,
}

fn read<T: PartialEq + ToString>(
    value: Result<T, ValueError>,
    parse: impl Fn(&str) -> Result<T, ValueError>,
    fields: impl Fn(&T) -> Value,
) -> Result<Read, ValueError> {
    let value = value?;
    let canonical = value.to_string();
    let again = parse(&canonical).is_ok_and(|again| again == value);
    Ok(Read { fields: fields(&value), canonical, again })
}

/// Reads a value by its kind, strictly or leniently.
fn typed(case: &Case, lenient: bool) -> Result<Read, ValueError> {
    let (raw, game) = (&case.input, case.game);
    macro_rules! read {
        ($type:ident, $fields:expr) => {{
            let value = if lenient { $type::parse_lenient(raw) } else { $type::parse(raw) };
            read(value, |raw| $type::parse(raw), $fields)
        }};
    }
    match &*case.kind {
        "number" => read!(Number, |number| {
            let bits = FigureFlags::from_bits(u32::try_from(number.get()).unwrap_or(0));
            let named = [
                (1, FigureFlags::NO_COORDINATES),
                (2, FigureFlags::NO_NAME),
                (4, FigureFlags::HIDE_UNSHOWN_MOVES),
                (256, FigureFlags::KEEP_CAPTURED),
                (512, FigureFlags::NO_HOSHI),
                (32768, FigureFlags::IGNORE_ALL),
            ];
            let bits: Vec<i32> = named.iter().filter(|(_, flag)| bits.contains(*flag)).map(|(bit, _)| *bit).collect();
            json!({"value": number.get(), "bits": bits})
        }),
        "real" => read!(Real, |real| json!({"value": real.get()})),
        "double" => read!(Double, |double| json!({"value": double.get()})),
        "color" => read!(Color, |color| json!({"value": color.as_str()})),
        "date" => read!(Dates, |dates| {
            let one = |date: &sgf_stream::value::Date| {
                let known = [Some(date.year()), date.month().map(u16::from), date.day().map(u16::from)];
                known.into_iter().flatten().collect::<Vec<_>>()
            };
            json!({"dates": dates.iter().map(one).collect::<Vec<_>>()})
        }),
        "result" => {
            let strict = |raw: &[u8]| GameResult::parse_for(raw, game);
            let value = if lenient { GameResult::parse_lenient(raw) } else { strict(raw) };
            read(value, |raw| strict(raw.as_bytes()), result)
        }
        "rank" => read!(Rank, rank),
        "round" => read!(Round, |round| json!({"number": round.number(), "type": round.kind()})),
        "ruleset" => {
            let strict = |raw: &[u8]| Ruleset::parse_for(raw, game);
            let value = if lenient { Ruleset::parse_lenient_for(raw, game) } else { strict(raw) };
            read(value, |raw| strict(raw.as_bytes()), ruleset)
        }
        kind => unreachable!("{kind}"),
    }
}

fn result(result: &GameResult) -> Value {
    let mut fields = match result {
        GameResult::Draw => return json!({"result": "draw"}),
        GameResult::Void => return json!({"result": "void"}),
        GameResult::Unknown => return json!({"result": "unknown"}),
        GameResult::Win { winner, by } => {
            let by = match by {
                WonBy::Unspecified => "unspecified",
                WonBy::Score(_) => "score",
                WonBy::Resign(_) => "resign",
                WonBy::Time => "time",
                WonBy::Forfeit => "forfeit",
            };
            json!({"result": "win", "winner": winner.as_str(), "by": by})
        }
    };
    if let Some(score) = result.score() {
        fields["score"] = json!(score.get());
    }
    fields
}

fn rank(rank: &Rank) -> Value {
    let kind = match rank.grade {
        Grade::Kyu => "kyu",
        Grade::Dan => "dan",
        Grade::Pro => "pro",
    };
    let rating = rank.certainty.map(|certainty| match certainty {
        Certainty::Uncertain => "?",
        Certainty::Established => "*",
    });
    json!({"rank": rank.number, "kind": kind, "rating": rating})
}

/// In Go one name, with the library's word for GOE; in other games the parts of a name.
fn ruleset(ruleset: &Ruleset) -> Value {
    match (ruleset, ruleset.game()) {
        (_, None) => json!({"ruleset": null}),
        (Ruleset::Goe, _) => json!({"ruleset": "Ing"}),
        (_, Some(Game::Go)) => json!({"ruleset": ruleset.to_string()}),
        _ => json!({"ruleset": ruleset.to_string().split(':').collect::<Vec<_>>()}),
    }
}

/// Whether a reading is the one that is expected: all the fields that the case names.
fn agrees(read: &Result<Read, ValueError>, expect: &Map<String, Value>) -> bool {
    let Ok(read) = read else { return false };
    let named = |key: &str| !matches!(key, "strict" | "error");
    read.again
        && expect.iter().filter(|(key, _)| named(key)).all(|(key, expected)| match &**key {
            "canonical" => *expected == read.canonical,
            "lenient_value" => same(expected, &read.fields["value"]),
            key => read.fields.get(key).is_some_and(|value| same(expected, value)),
        })
}

/// Numbers compare by value: the cases write some reals as whole numbers.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

#[test]
fn typed_values_are_read_as_the_cases_say() {
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for case in cases() {
        *counts.entry((case.kind.clone(), case.level.clone())).or_default() += 1;
        let (strict, lenient) = (typed(&case, false), typed(&case, true));
        let refused = case.expect.contains_key("error") || case.expect.get("strict") == Some(&json!("error"));
        let has_value = case.expect.keys().any(|key| !matches!(&**key, "error" | "strict"));
        // A rule set that strict reading keeps as text may have a name in lenient reading.
        let kept = case.kind == "ruleset" && case.expect["ruleset"].is_null();

        let mut ok = match refused {
            true => strict.is_err(),
            false => agrees(&strict, &case.expect),
        };
        ok &= !has_value || kept || agrees(&lenient, &case.expect);
        ok &= case.level != "lenient" || refused && has_value;

        let listed = OTHER_READINGS.iter().any(|(id, _)| *id == case.id);
        assert!(!listed || case.level == "peer", "{}: only peers can be excused", case.id);
        if ok == listed {
            let show = |read: Result<Read, ValueError>| match read {
                Ok(read) => format!("{} ({}, again: {})", read.fields, read.canonical, read.again),
                Err(error) => error.to_string(),
            };
            wrong.push(format!(
                "{} ({}{}): {:?}: strict {}; lenient {}",
                case.id,
                case.level,
                if listed { ", listed in vain" } else { "" },
                String::from_utf8_lossy(&case.input),
                show(strict),
                show(lenient),
            ));
        }
        if listed {
            assert!(typed(&case, false).is_err() && typed(&case, true).is_err(), "{}", case.id);
        }
    }
    eprintln!("{counts:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let kinds = KINDS.iter().filter(|kind| counts.keys().any(|(of, _)| of == *kind)).count();
    assert!(counts.is_empty() || kinds == KINDS.len(), "{counts:?}");
}
