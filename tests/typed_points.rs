//! The conformance cases of `../shared/conformance/cases.jsonl` about board sizes, points, moves
//! and point lists, and the moves and points of the games in `../shared/corpus`. Every `must` case passes; a
//! case of another level that goes another way is listed here, with the reason. Without the folder
//! the tests say so and pass.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sgf_stream::value::{
    GridPoint, Number, PointList, Size, ValueError, amazons, backgammon, gess, go, hex, loa, octi, twixt,
};
use sgf_stream::{Event, Game, Parser};

/// Cases that are read in another way than the suite's, and why.
const OTHER_READINGS: &[(&str, &str)] = &[];

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    let there = path.exists();
    if !there {
        eprintln!("skipped: {} is not there", path.display());
    }
    there.then_some(path)
}

/// Runs the cases of a kind; `check` says what is wrong with one.
fn check_cases(kind: &str, check: impl Fn(&Value, &[u8], Game) -> Result<(), String>) {
    let Some(path) = shared("conformance/cases.jsonl") else { return };
    let text = std::fs::read_to_string(path).expect("the cases can be read");
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case is JSON"));
    let mut count = 0;
    let mut faults = Vec::new();
    for case in cases.filter(|case| case["kind"] == kind) {
        count += 1;
        let id = case["id"].as_str().expect("a case has an id");
        let input = case["input"].as_str().expect("the input of these kinds is text").as_bytes();
        let game = case["gm"].as_i64().map_or(Game::Go, Game::from_number);
        let listed = OTHER_READINGS.iter().any(|(listed, _)| *listed == id);
        match check(&case, input, game) {
            Err(fault) if !listed || case["level"] == "must" => faults.push(format!("{id}: {fault}")),
            Ok(()) if listed => faults.push(format!("{id}: passes, though listed")),
            _ => {}
        }
    }
    assert!(count > 0, "no cases of kind {kind}");
    assert!(faults.is_empty(), "{} of {count} cases:\n{}", faults.len(), faults.join("\n"));
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

/// The size of the board that a case names: a number, or columns and rows.
fn size(case: &Value) -> Option<Size> {
    let side = |value: &Value| value.as_u64().map(|side| side as u32);
    match &case["size"] {
        Value::Array(sides) => Size::new(side(&sides[0])?, side(&sides[1])?),
        square => Size::square(side(square)?),
    }
}

#[test]
fn sizes() {
    check_cases("size", |case, input, game| {
        let expect = &case["expect"];
        let values = |size: Size| json!({"cols": size.columns(), "rows": size.rows()});
        let strict = Size::parse_for(input, game);
        if expect["strict"] == "error" {
            if let Ok(size) = strict {
                return Err(format!("strict reads it as {size}"));
            }
            return compare(expect, Size::parse_lenient(input).map(values));
        }
        compare(expect, strict.map(values))?;
        let printed = strict.map(|size| Size::parse(size.to_string()) == Ok(size));
        if printed == Ok(false) { Err("prints as another size".into()) } else { Ok(()) }
    });
}

#[test]
fn points() {
    check_cases("point", |case, input, game| {
        let size = size(case);
        let read = match game {
            Game::Hex => {
                hex::Point::parse_on(input, size.unwrap()).map(|point| json!({"x": point.column(), "y": point.row()}))
            }
            Game::Backgammon => backgammon::Point::parse(input).map(|point| json!({"index": point.index()})),
            _ => go::Point::parse_on(input, size.unwrap()).map(|point| json!({"x": point.x(), "y": point.y()})),
        };
        compare(&case["expect"], read)?;
        // The notations of people and of other programs, which need the board.
        if let (Some(letters), Some(b'A'..=b'Z')) = (case["expect"]["peer_sgf"].as_str(), input.first()) {
            let (read, meant) = (go::Point::parse_on_lenient(input, size.unwrap()), go::Point::parse(letters));
            if read != meant {
                return Err(format!("lenient reads {read:?}, not {meant:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn moves() {
    check_cases("move", |case, input, game| {
        let expect = &case["expect"];
        let printed = match game {
            Game::Backgammon => backgammon::Move::parse(input).map(|m| m.to_string()),
            Game::LinesOfAction => loa::Move::parse(input).map(|m| m.to_string()),
            Game::Hex => hex::Move::parse(input).map(|m| m.to_string()),
            Game::Amazons => amazons::Move::parse(input).map(|m| m.to_string()),
            Game::Octi => octi::Move::parse(input).map(|m| m.to_string()),
            Game::Gess => gess::Move::parse(input).map(|m| m.to_string()),
            other => return Err(format!("no moves of {other} are known")),
        };
        match &printed {
            Err(_) if expect["error"] == true => return Ok(()),
            Err(error) => return Err(error.to_string()),
            Ok(printed) if printed.as_bytes().eq_ignore_ascii_case(input) => {}
            Ok(printed) => return Err(format!("prints as {printed}")),
        }
        compare(expect, parts(input, game))
    });
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

#[test]
fn point_lists() {
    check_cases("pointlist", |case, input, _| {
        // The values of a property, brackets and all.
        let text = std::str::from_utf8(input).expect("these are ASCII");
        let values: Vec<_> = text.split_terminator(']').map(|value| value.trim_start_matches('[')).collect();
        let expect = &case["expect"];
        let on_board = |size| PointList::<go::Point>::parse_on(&values, size);
        let strict = size(case).map_or_else(|| PointList::parse(&values), on_board);
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
    });
}

/// Calls back with every file of a folder.
fn walk(folder: &Path, file: &mut impl FnMut(&Path)) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { file(&path) }
        }
    }
}

/// The moves and point lists of one file, read leniently.
#[derive(Default)]
struct File {
    game: Game,
    depth: usize,
    ident: Vec<u8>,
    values: Vec<Vec<u8>>,
    read: BTreeMap<Game, usize>,
    faulty: Vec<String>,
    /// Of the point lists: the values in the file, and those they compress to.
    list_values: [usize; 2],
}

impl File {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Value(value) = event {
            return self.values.push(value.as_bytes().to_vec());
        }
        self.property();
        match event {
            Event::StartTree => {
                self.game = if self.depth == 0 { Game::Go } else { self.game };
                self.depth += 1;
            }
            Event::EndTree => self.depth -= 1,
            Event::Property(ident) => self.ident = ident.name().as_bytes().to_vec(),
            _ => {}
        }
    }

    /// The property before is complete.
    fn property(&mut self) {
        let values = std::mem::take(&mut self.values);
        match self.ident.as_slice() {
            _ if values.is_empty() => {}
            b"GM" => {
                let number = Number::parse_lenient(&values[0]).map_or(0, Number::get);
                self.game = Game::from_number(number);
            }
            b"B" | b"W" => values.iter().for_each(|value| self.play(value)),
            b"AB" | b"AW" | b"AE" | b"TB" | b"TW" | b"CR" | b"MA" | b"SL" | b"SQ" | b"TR" | b"DD" | b"VW" => {
                match self.game {
                    Game::Go => self.list::<go::Point>(&values),
                    Game::Hex => self.list::<hex::Point>(&values),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn play(&mut self, value: &[u8]) {
        let result = match self.game {
            Game::Go => go::Move::parse_lenient(value).map(drop),
            Game::Hex => hex::Move::parse_lenient(value).map(drop),
            Game::Backgammon => backgammon::Move::parse_lenient(value).map(drop),
            Game::LinesOfAction => loa::Move::parse_lenient(value).map(drop),
            Game::Amazons => amazons::Move::parse_lenient(value).map(drop),
            Game::Gess => gess::Move::parse_lenient(value).map(drop),
            Game::Octi => octi::Move::parse_lenient(value).map(drop),
            Game::Twixt => twixt::Move::parse_lenient(value).map(drop),
            _ => return,
        };
        match result {
            Ok(()) => *self.read.entry(self.game).or_default() += 1,
            Err(error) => self.faulty.push(format!("{} [{}]: {error}", self.game, value.escape_ascii())),
        }
    }

    fn list<P: GridPoint>(&mut self, values: &[Vec<u8>]) {
        match PointList::<P>::parse_lenient(values) {
            Ok(list) => {
                let compressed = list.compress().len();
                self.list_values[0] += values.len();
                self.list_values[1] += compressed;
                let commas = values.concat().iter().filter(|&&b| b == b',').count();
                assert!(compressed <= values.len() + commas, "{values:?}");
            }
            Err(error) => {
                let values: Vec<_> = values.iter().map(|value| value.escape_ascii().to_string()).collect();
                self.faulty.push(format!("{} {values:?}: {error}", self.game));
            }
        }
    }
}

/// What real games hold can be read leniently, but for a few values that are no moves and points
/// at all, in files made to test parsers; and `R16`, which needs the size of the board.
#[test]
fn the_moves_and_points_of_the_corpus_are_read() {
    let Some(corpus) = shared("corpus") else { return };
    let (mut read, mut faulty, mut list_values) = (BTreeMap::<Game, usize>::new(), Vec::new(), [0, 0]);
    walk(&corpus, &mut |path| {
        let bytes = std::fs::read(path).expect("a file can be read");
        let mut file = File::default();
        // A file without a game has nothing to read.
        let _ = Parser::new().parse(&bytes, |event, _| file.event(event));
        file.read.into_iter().for_each(|(game, count)| *read.entry(game).or_default() += count);
        faulty.append(&mut file.faulty);
        (0..2).for_each(|at| list_values[at] += file.list_values[at]);
    });
    let report = format!("{read:?}, {list_values:?}, {} faulty:\n{}", faulty.len(), faulty.join("\n"));
    assert!(read[&Game::Go] > 2_000_000 && read[&Game::Hex] > 5000 && read[&Game::Backgammon] > 1000, "{report}");
    // 154,690 values, where the files have 254,842.
    assert!(list_values[1] * 3 < list_values[0] * 2, "{report}");
    assert!(faulty.iter().all(|fault| fault.starts_with("Go") || fault.starts_with("Octi")), "{report}");
    assert!(faulty.len() <= 28, "{report}");
}
