//! Numbers, colors and the formats of single properties. Every `must` case passes in strict mode; a
//! `lenient` case is a strict error and has its value in lenient mode; a `peer` case passes, or is
//! listed here.

use serde_json::{Map, Value, json};
use sgf_stream::Game;
use sgf_stream::value::{
    Certainty, Color, Dates, Double, FigureFlags, GameResult, Grade, Number, Rank, Real, Round, Ruleset, ValueError,
    WonBy,
};

use super::cases::{Case, List, Report, room};

room! {
    excused: [OTHER_READINGS];
    typed_values_are_read_as_the_cases_say:
        "number" | "real" | "double" | "color" | "date" | "result" | "rank" | "round" | "ruleset" => typed_value;
}

/// Cases whose peer reads more into a value than we do, and why.
const OTHER_READINGS: List = &[
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
                by => unreachable!("{by:?}"),
            };
            json!({"result": "win", "winner": winner.as_str(), "by": by})
        }
        result => unreachable!("{result:?}"),
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
        grade => unreachable!("{grade:?}"),
    };
    let rating = rank.certainty.map(|certainty| match certainty {
        Certainty::Uncertain => "?",
        Certainty::Established => "*",
        certainty => unreachable!("{certainty:?}"),
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
fn agrees(read: &Result<Read, ValueError>, expect: &Value) -> bool {
    let Ok(read) = read else { return false };
    let named = |key: &str| !matches!(key, "strict" | "error");
    read.again
        && fields(expect).iter().filter(|(key, _)| named(key)).all(|(key, expected)| match &**key {
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

/// What the case says about the value.
fn fields(expect: &Value) -> &Map<String, Value> {
    expect.as_object().expect("an object")
}

fn typed_value(case: &Case, report: &mut Report) {
    let (strict, lenient) = (typed(case, false), typed(case, true));
    let expect = &case.expect;
    let refused = expect.get("error").is_some() || expect["strict"] == "error";
    let has_value = fields(expect).keys().any(|key| !matches!(&**key, "error" | "strict"));
    // A rule set that strict reading keeps as text may have a name in lenient reading.
    let kept = case.kind == "ruleset" && expect["ruleset"].is_null();

    let mut ok = match refused {
        true => strict.is_err(),
        false => agrees(&strict, expect),
    };
    ok &= !has_value || kept || agrees(&lenient, expect);
    ok &= case.level != "lenient" || refused && has_value;

    if case.is_listed(OTHER_READINGS) {
        report.check(case, "level", case.level == "peer", || "only peers can be excused here".into());
        report.check(case, "excused", strict.is_err() && lenient.is_err(), || "is read in some mode".into());
    }
    report.check_unless(OTHER_READINGS, case, "value", ok, || {
        let show = |read: Result<Read, ValueError>| match read {
            Ok(read) => format!("{} ({}, again: {})", read.fields, read.canonical, read.again),
            Err(error) => error.to_string(),
        };
        format!("{:?}: strict {}; lenient {}", String::from_utf8_lossy(&case.input), show(strict), show(lenient))
    });
}
