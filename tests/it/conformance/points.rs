//! Board sizes, points, moves and point lists.

use serde_json::{Value, json};
use sgf_stream::Game;
use sgf_stream::value::{PointList, Size, ValueError, amazons, backgammon, gess, go, hex, loa, octi};

use super::cases::{Case, List, Report, room};

room! {
    excused: [OTHER_READINGS];
    sizes_are_read_for_their_game: "size" => |case, report| outcome(case, report, size(case));
    points_are_read_on_their_board: "point" => |case, report| outcome(case, report, point(case));
    moves_are_read_in_the_notation_of_their_game: "move" => |case, report| outcome(case, report, play(case));
    point_lists_are_read_and_compressed: "pointlist" => |case, report| outcome(case, report, point_list(case));
}

/// Cases that are read in another way than the suite's, and why.
const OTHER_READINGS: List = &[];

fn outcome(case: &Case, report: &mut Report, outcome: Result<(), String>) {
    report.check_unless(OTHER_READINGS, case, "reading", outcome.is_ok(), || outcome.unwrap_err());
}

/// An error where one is expected, and else what is expected.
fn compare(expect: &Value, read: Result<Value, ValueError>) -> Result<(), String> {
    match (expect["error"] == true, read) {
        (true, Err(_)) => Ok(()),
        (false, Ok(read)) => {
            let differs = read.as_object().expect("an object").iter().find(|(key, value)| expect[key] != **value);
            differs.map_or(Ok(()), |(key, value)| Err(format!("{key} is {value}, not {}", expect[key])))
        }
        (true, Ok(read)) => Err(format!("read as {read}, though faulty")),
        (false, Err(error)) => Err(error.to_string()),
    }
}

fn size(case: &Case) -> Result<(), String> {
    let (input, expect) = (&case.input, &case.expect);
    let values = |size: Size| json!({"cols": size.columns(), "rows": size.rows()});
    let strict = Size::parse_for(input, case.game);
    if expect["strict"] == "error" {
        if let Ok(size) = strict {
            return Err(format!("strict reads it as {size}"));
        }
        return compare(expect, Size::parse_lenient(input).map(values));
    }
    compare(expect, strict.map(values))?;
    let printed = strict.map(|size| Size::parse(size.to_string()) == Ok(size));
    if printed == Ok(false) { Err("prints as another size".into()) } else { Ok(()) }
}

fn point(case: &Case) -> Result<(), String> {
    let (input, size) = (&case.input, case.size);
    let read = match case.game {
        Game::Hex => {
            hex::Point::parse_on(input, size.unwrap()).map(|point| json!({"x": point.column(), "y": point.row()}))
        }
        Game::Backgammon => backgammon::Point::parse(input).map(|point| json!({"index": point.index()})),
        _ => go::Point::parse_on(input, size.unwrap()).map(|point| json!({"x": point.x(), "y": point.y()})),
    };
    compare(&case.expect, read)?;
    // The notations of people and of other programs, which need the board.
    if let (Some(letters), Some(b'A'..=b'Z')) = (case.expect["peer_sgf"].as_str(), input.first()) {
        let (read, meant) = (go::Point::parse_on_lenient(input, size.unwrap()), go::Point::parse(letters));
        if read != meant {
            return Err(format!("lenient reads {read:?}, not {meant:?}"));
        }
    }
    Ok(())
}

fn play(case: &Case) -> Result<(), String> {
    let input = &case.input;
    let printed = match case.game {
        Game::Backgammon => backgammon::Move::parse(input).map(|m| m.to_string()),
        Game::LinesOfAction => loa::Move::parse(input).map(|m| m.to_string()),
        Game::Hex => hex::Move::parse(input).map(|m| m.to_string()),
        Game::Amazons => amazons::Move::parse(input).map(|m| m.to_string()),
        Game::Octi => octi::Move::parse(input).map(|m| m.to_string()),
        Game::Gess => gess::Move::parse(input).map(|m| m.to_string()),
        other => return Err(format!("no moves of {other} are known")),
    };
    match &printed {
        Err(_) if case.expect["error"] == true => return Ok(()),
        Err(error) => return Err(error.to_string()),
        Ok(printed) if printed.as_bytes().eq_ignore_ascii_case(input) => {}
        Ok(printed) => return Err(format!("prints as {printed}")),
    }
    compare(&case.expect, parts(input, case.game))
}

/// A move in the words of the cases.
fn parts(input: &[u8], game: Game) -> Result<Value, ValueError> {
    let text = |shown: &dyn std::fmt::Display| shown.to_string();
    Ok(match game {
        Game::Backgammon => match backgammon::Move::parse(input)? {
            backgammon::Move::Roll(roll) => {
                let steps: Vec<_> = roll.steps().iter().map(|(from, to)| json!([text(from), text(to)])).collect();
                json!({"dice": roll.dice(), "moves": steps})
            }
            cube => json!({"cube": text(&cube)}),
        },
        Game::LinesOfAction => match loa::Move::parse(input)? {
            loa::Move::Step(step) => {
                let mut parts = json!({"from": text(&step.from()), "to": text(&step.to())});
                if step.is_capture() {
                    parts["capture"] = true.into();
                }
                if !step.remark().is_empty() {
                    parts["suffix"] = step.remark().into();
                }
                parts
            }
            special => json!({"special": text(&special).to_lowercase()}),
        },
        Game::Hex => match hex::Move::parse(input)? {
            hex::Move::Play(point) => json!({"point": [point.column(), point.row()]}),
            special => json!({"special": text(&special)}),
        },
        Game::Amazons => {
            let amazons::Move { from, to, arrow } = amazons::Move::parse(input)?;
            json!({"from": text(&from), "to": text(&to), "arrow": text(&arrow)})
        }
        Game::Gess => {
            let gess::Move { from, to } = gess::Move::parse(input)?;
            json!({"from": text(&from), "to": text(&to)})
        }
        _ => json!({"opaque": text(&octi::Move::parse(input)?)}),
    })
}

fn point_list(case: &Case) -> Result<(), String> {
    // The values of a property, brackets and all.
    let text = std::str::from_utf8(&case.input).expect("these are ASCII");
    let values: Vec<_> = text.split_terminator(']').map(|value| value.trim_start_matches('[')).collect();
    let expect = &case.expect;
    let on_board = |size| PointList::<go::Point>::parse_on(&values, size);
    let strict = case.size.map_or_else(|| PointList::parse(&values), on_board);
    let refused = expect["error"] == true || expect["strict"] == "error";
    if strict.is_err() != refused {
        return Err(format!("strict: {:?}", strict.map(|list| list.len())));
    }
    let Ok(list) = strict.or_else(|_| PointList::parse_lenient(&values)) else { return Ok(()) };
    let sorted = |list: &PointList| {
        let mut points: Vec<_> = list.iter().map(|point| (point.y(), point.x())).collect();
        points.sort_unstable();
        points
    };
    let points: Vec<_> = sorted(&list).iter().map(|(y, x)| json!([x, y])).collect();
    if !expect["points"].is_null() {
        compare(expect, Ok(json!({"points": points})))?;
    }
    let compressed = list.compress();
    if compressed.len() > values.len() {
        return Err(format!("compressed to {} values", compressed.len()));
    }
    let expanded = PointList::parse(compressed.iter().map(ToString::to_string)).expect("what was compressed");
    if sorted(&expanded) == sorted(&list) { Ok(()) } else { Err("expands to other points".into()) }
}
