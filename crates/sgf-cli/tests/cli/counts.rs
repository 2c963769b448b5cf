//! Law L12: a number that several subcommands print is one number, for any input.

mod archive;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quickcheck::{Arbitrary, Gen, holds};
use serde_json::{Value, json};

use self::archive::Archive;

use super::pack::{Zipped, bzip2, gzip, tar, xz, zip, zipped, zstd};
use super::{directory, run, run_with, shared, str};

/// The number of games that each subcommand finds in a file.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    scan: u64,
    records: u64,
    records_with_moves: u64,
    check: u64,
    tree: u64,
    fmt: u64,
    fmt_exact: u64,
    fmt_lossy: u64,
}

impl Counts {
    fn all(games: u64) -> Counts {
        Counts {
            scan: games,
            records: games,
            records_with_moves: games,
            check: games,
            tree: games,
            fmt: games,
            fmt_exact: games,
            fmt_lossy: games,
        }
    }
}

/// The values that `check --summary` counts.
fn values(path: &str) -> Option<u64> {
    let json = run(&["check", "--summary", "--json", path]).json();
    json["values"].as_array()?.iter().map(|row| row["values"].as_u64()).sum()
}

/// Runs all subcommands over a file of one input.
#[track_caller]
fn count(file: &Path) -> Counts {
    let file = str(file);
    let scan = run(&["scan", "--json", file]);
    let summary = scan.json();
    let lines = |args: &[&str]| run(&[args, &[file]].concat()).lines().len() as u64;
    let check = run(&["check", "--json", "--max", "1", file]);
    let checked: Value = serde_json::from_str(check.lines().last().unwrap()).unwrap();
    let dups = run(&["dups", "--json", file]).json();
    assert_eq!(dups["games"], summary["games"], "{file}: left: dups, right: scan");
    let diff = run(&["diff", "--json", file, file]).json();
    assert_eq!((&diff["games"]["new"], &diff["same"]), (&summary["games"], &summary["games"]), "{file}: diff and scan");
    // Whatever they find, and wherever: in statistics, searches count all games.
    for args in [&["find", "X", "--statistics", "--json"][..], &["find", "X", "--statistics", "--json", "--variations"]]
    {
        let found = run(&[args, &[file]].concat()).json();
        assert_eq!(found["games"], summary["games"], "{file}: left: {args:?}, right: scan");
    }
    let index = directory("counts/index");
    let indexed = run(&["index", "--rebuild", "-o", str(&index), file]);
    assert_eq!(indexed.code, Some(0), "{file}: {}", indexed.stderr);
    let found = run(&["find", "X", "--statistics", "--json", "--index", str(&index)]).json();
    assert_eq!(found["games"], summary["games"], "{file}: left: index, right: scan");
    let openings = run(&["openings", "--json", file]).json();
    assert_eq!(openings["read"], summary["games"], "{file}: left: openings, right: scan");
    let report = run(&["report", "--json", "-", file]).json();
    let tiles = report["sections"][0]["figures"][0]["rows"].as_array().unwrap().clone();
    for what in ["games", "nodes"] {
        let row = tiles.iter().find(|tile| tile[0] == what).unwrap();
        assert_eq!(row[1], summary[what], "{file}: left: {what} of report, right: scan");
    }
    assert_eq!(values(file), summary["values"].as_u64(), "{file}: left: check, right: scan");
    let written = |args: &[&str]| {
        let written = run(&[args, &[file]].concat());
        run_with(&written.stdout, &["scan", "--json", "-"]).json()["games"].as_u64().unwrap()
    };
    Counts {
        scan: summary["games"].as_u64().unwrap(),
        records: lines(&["records"]),
        records_with_moves: lines(&["records", "--moves", "--threads", "1"]),
        check: checked["games"].as_u64().unwrap(),
        tree: lines(&["show", "--tree", "--json"]),
        fmt: written(&["fmt"]),
        fmt_exact: written(&["fmt", "--exact"]),
        fmt_lossy: written(&["fmt", "--lossy"]),
    }
}

/// Encodes text as UTF-16 or UTF-32: `width` is the number of bytes per unit.
fn wide(text: &str, width: usize, is_little: bool, has_mark: bool) -> Vec<u8> {
    let mark = if has_mark { "\u{FEFF}" } else { "" };
    let text = format!("{mark}{text}");
    let unit = |unit: u32| match (width, is_little) {
        (2, true) => (unit as u16).to_le_bytes().to_vec(),
        (2, false) => (unit as u16).to_be_bytes().to_vec(),
        (_, true) => unit.to_le_bytes().to_vec(),
        (_, false) => unit.to_be_bytes().to_vec(),
    };
    match width {
        2 => text.encode_utf16().flat_map(|half| unit(half.into())).collect(),
        _ => text.chars().flat_map(|c| unit(c.into())).collect(),
    }
}

#[test]
fn all_subcommands_count_the_same_games() {
    let folder = directory("counts");
    let two = "(;GM[1]FF[4]SZ[19]PB[One];B[aa];W[bb])\n(;GM[1]FF[4]PB[\u{5433}\u{6E05}\u{6E90}];B[cc])\n";
    let cut = |text: &str| [two.as_bytes(), text.as_bytes()].concat();
    let mut inputs: Vec<(String, Vec<u8>, u64)> = vec![
        ("empty".into(), b"".to_vec(), 0),
        ("blank".into(), b" \n\n".to_vec(), 0),
        ("no SGF".into(), b"hello, (world)".to_vec(), 0),
        ("one".into(), b"(;)".to_vec(), 1),
        ("two".into(), two.into(), 2),
        ("junk".into(), format!("From: me\n\n{two}bye (for now)\n{two}\n-- \nme").into(), 4),
        ("junk in trees".into(), b"(;B[aa] junk ;W[bb])(;[x];B)(;b[aa]c[dd])(;P0[x])".to_vec(), 4),
        ("cut in the root".into(), cut("(;GM[1]FF[4]"), 3),
        ("cut after a node".into(), cut("(;GM[1]FF[4];B[aa]"), 3),
        ("cut in a variation".into(), cut("(;GM[1]FF[4];B[aa](;W[bb](;B[cc])"), 3),
        ("cut in a value".into(), cut("(;GM[1]FF[4]C[what was to be sa"), 3),
        ("cut in a move".into(), cut("(;GM[1]FF[4];B[aa];W[b"), 3),
        ("cut after a backslash".into(), cut("(;GM[1]FF[4]C[x\\"), 3),
        ("cut in an identifier".into(), cut("(;GM[1]F"), 3),
        ("cut after its start".into(), cut("(;"), 3),
        ("cut by a game".into(), format!("(;FF[4]GM[1];B[aa]\n{two}").into(), 3),
        ("cut in a value by a game".into(), format!("(;FF[4]GM[1]C[well\n{two}").into(), 3),
        ("trees without nodes".into(), b"()((;B[aa])(;W[bb]))(())(;(;))".to_vec(), 3),
        ("extra brackets".into(), b"(;B[aa])));W[bb])](;)".to_vec(), 2),
        ("a long value".into(), [b"(;C[", &vec![b'a'; (1 << 20) + 1][..], b"])(;)"].concat(), 2),
        ("deep".into(), [&b"(;".repeat(1000)[..], &b")".repeat(1000), b"(;)"].concat(), 2),
        ("NUL".into(), b"(;B[aa])\0\0(;\0B[aa])\x1A".to_vec(), 2),
        ("UTF-8 with a mark".into(), format!("\u{FEFF}{two}").into(), 2),
        ("Shift_JIS".into(), b"(;CA[Shift_JIS]PB[\x83\\];B[aa])(;CA[Shift_JIS]PB[\x83\\]".to_vec(), 2),
        ("ISO-2022-JP".into(), b"(;FF[4]CA[ISO-2022-JP]PB[\x1B$B8b@6\x1B(B];B[aa])".to_vec(), 1),
    ];
    for (width, is_little, has_mark) in
        [(2, true, true), (2, false, true), (2, true, false), (2, false, false), (4, true, true), (4, false, true)]
    {
        let name = format!("{width} bytes, {is_little} {has_mark}");
        inputs.push((name.clone(), wide(two, width, is_little, has_mark), 2));
        inputs.push((format!("{name}, cut"), wide(&two[..two.len() - 3], width, is_little, has_mark), 2));
    }
    let two = two.as_bytes();
    for (name, packed) in [("gzip", gzip(two)), ("zstd", zstd(two)), ("bzip2", bzip2(two)), ("xz", xz(two))] {
        inputs.push((name.into(), packed, 2));
    }
    inputs.push(("gzip of UTF-16".into(), gzip(&wide("(;FF[4]PB[a])", 2, true, true)), 1));
    inputs.push(("tar".into(), tar(&[("README", b"(;)"), ("a.sgf", two)]), 2));
    inputs.push(("zip".into(), zip(&[Zipped { method: 8, ..zipped("a.sgf", two) }]), 2));
    for (name, bytes, games) in inputs {
        let file = folder.join("input");
        fs::write(&file, bytes).unwrap();
        assert_eq!(count(&file), Counts::all(games), "{name}");
    }
}

/// The report compares the games that `dups` compares.
#[test]
fn report_and_dups_count_the_same_copies() {
    let folder = directory("counts-copies");
    let file = folder.join("a.sgf");
    let moves = |count: usize| -> String {
        let point =
            |n: usize| format!("{}{}", char::from(b'a' + (n % 19) as u8), char::from(b'a' + (n / 19 * 3) as u8));
        (0..count).map(|n| format!(";{}[{}]", ["B", "W"][n % 2], point(n))).collect()
    };
    for (name, game, copies) in [
        ("25 moves", format!("(;GM[1]SZ[19]{})", moves(25)), 0),
        ("29 moves and a pass", format!("(;GM[1]SZ[19]{};W[])", moves(29)), 0),
        ("30 moves", format!("(;GM[1]SZ[19]{})", moves(30)), 1),
        ("handicap", format!("(;GM[1]SZ[19]AB[ss][sr]{})", moves(28)), 1),
        ("a problem", "(;GM[1]SZ[19]AB[ss]AW[sr];B[aa];W[bb])".to_owned(), 0),
        ("a problem of 5 stones", "(;GM[1]SZ[19]AB[ss]AW[sr];B[aa];W[bb];B[cc])".to_owned(), 1),
    ] {
        fs::write(&file, game.repeat(2)).unwrap();
        let dups = run(&["dups", "--json", str(&file)]).json();
        let report = run(&["report", "--json", "-", str(&file)]).json();
        let sections = report["sections"].as_array().unwrap();
        let section = sections.iter().find(|section| section["id"] == "copies").unwrap();
        let groups = section["figures"][0]["rows"].as_array().map_or(0, Vec::len);
        assert_eq!((dups["groups"].as_u64(), groups), (Some(copies), copies as usize), "{name}");
    }
}

/// The commands read with the same limits: what is too long for one is too long for all.
#[test]
fn all_subcommands_agree_on_what_is_too_long() {
    let folder = directory("counts-long");
    let file = folder.join("a.sgf");
    let path = str(&file);
    for (name, len, faults) in [("2 MB", 2_000_000, 0), ("the limit", 16 << 20, 0), ("beyond", (16 << 20) + 1, 1)] {
        fs::write(&file, format!("(;FF[4]GM[1]PB[A]\n;C[{}];B[pd])\n", "x".repeat(len))).unwrap();
        let scan = run(&["scan", "--json", path]).json();
        assert_eq!(scan["diagnostics"]["value-too-long"].as_u64().unwrap_or(0), faults, "{name}: scan");
        let check = run(&["check", "--summary", "--json", path]).json();
        assert_eq!(check["codes"]["value-too-long"].as_u64().unwrap_or(0), faults, "{name}: check: {check}");
        let events = run(&["events", path]);
        assert_eq!(events.text().matches("\"code\":\"value-too-long\"").count() as u64, faults, "{name}: events");
        let records = run(&["records", "--columns", "diagnostic_count", path]);
        let counts: u64 = records.lines().iter().map(|line| u64::from(!line.contains(":0}"))).sum();
        assert_eq!(counts + u64::from(records.lines().is_empty()), faults, "{name}: records: {}", records.stderr);
        let report = run(&["report", "--json", "-", path]);
        assert_eq!(report.text().contains("value-too-long"), faults > 0, "{name}: report");
        let edit = run(&["edit", "--set", "EV=x", "--dry-run", path]);
        // A game with a comment beyond the limit also makes the game too long to be rewritten.
        assert_eq!(edit.code, Some(i32::from(len > 2_000_000)), "{name}: edit: {}", edit.stderr);
    }
}

/// The games of each file, by the lines of a subcommand that prints a line per game.
fn by_file(lines: &[&str]) -> BTreeMap<String, u64> {
    let mut games = BTreeMap::new();
    for line in lines {
        let line: Value = serde_json::from_str(line).unwrap();
        *games.entry(line["file"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    games
}

#[test]
fn all_subcommands_count_the_same_games_in_real_files() {
    let folders: Vec<PathBuf> = ["corpus/permissive", "samples"].into_iter().filter_map(shared::path).collect();
    for folder in folders {
        let folder = str(&folder);
        let games = run(&["scan", "--json", folder]).json();
        let records = run(&["records", "--fields", "file,game", folder]);
        let with_moves = run(&["records", "--fields", "file,game", "--moves", folder]);
        let trees = run(&["show", "--tree", "--json", folder]);
        let check = run(&["check", "--json", "--max", "1", folder]);
        let checked: Value = serde_json::from_str(check.lines().last().unwrap()).unwrap();
        assert_eq!(values(folder), games["values"].as_u64());
        assert_eq!(checked["games"], games["games"]);
        assert_eq!(Some(records.lines().len() as u64), games["games"].as_u64());
        assert_eq!(by_file(&records.lines()), by_file(&trees.lines()));
        assert_eq!(records.lines().len(), with_moves.lines().len());
        let report = run(&["report", "--json", "-", folder]).json();
        let openings = run(&["openings", "--json", "--min-games", "1", "--plies", "1", folder]).json();
        assert_eq!(tile(&report, "bytes"), games["bytes"], "{folder}: left: bytes of report, right: scan");
        assert_eq!(
            cells(&report, "first", 1),
            of_black(first_moves(&openings)),
            "{folder}: left: report, right: openings"
        );
        let even = even_games(&report);
        assert!(even.is_null() || even == outcomes(&openings["nodes"][0]), "{folder}: {even}");
    }
}

/// A figure of a report: its rows, or none if it is missing.
fn figure(report: &Value, id: &str) -> Vec<Value> {
    let sections = report["sections"].as_array().unwrap();
    let mut figures = sections.iter().flat_map(|section| section["figures"].as_array().unwrap());
    let figure = figures.find(|figure| figure["id"] == id);
    figure.and_then(|figure| figure["rows"].as_array()).cloned().unwrap_or_default()
}

/// The rows of a figure, as the first cell and the number in another one.
fn cells(report: &Value, id: &str, column: usize) -> BTreeMap<String, u64> {
    let name = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    let row = |row: &Value| (name(&row[0]), row[column].as_u64().unwrap_or_default());
    figure(report, id).iter().map(row).collect()
}

/// The first moves in the output of `sgf openings --json`, as `B Q16`.
fn first_moves(openings: &Value) -> BTreeMap<String, u64> {
    let nodes = openings["nodes"].as_array().unwrap().iter().filter(|node| node["ply"] == 1);
    let name = |node: &Value| {
        let point = node["point"].as_str().map(|point| archive::point_name(archive::point_of(point)));
        format!("{} {}", node["color"].as_str().unwrap(), point.as_deref().unwrap_or("pass"))
    };
    // A pass of Black and one of White lead to one position, with the games of both.
    nodes.map(|node| (name(node), node["by_move"].as_u64().unwrap())).collect()
}

/// The first moves of Black other than passes, each with its point.
fn of_black(first_moves: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let point = |name: String| name.strip_prefix("B ").filter(|point| *point != "pass").map(str::to_owned);
    first_moves.into_iter().filter_map(|(name, games)| Some((point(name)?, games))).collect()
}

/// A number of the overview of a report.
fn tile(report: &Value, what: &str) -> Value {
    figure(report, "tiles").iter().find(|row| row[0] == what).map(|row| row[1].clone()).unwrap()
}

/// The [`outcomes`] of even games on 19x19 in a report; null if it has too few games with handicap.
fn even_games(report: &Value) -> Value {
    let row = figure(report, "handicap").into_iter().find(|row| row[0] == 0);
    row.map_or(Value::Null, |row| json!(row.as_array().unwrap()[2..5]))
}

/// Black's wins, White's, and draws.
fn outcomes(sums: &Value) -> Value {
    json!([sums["black_wins"], sums["white_wins"], sums["draws"]])
}

/// The diagnostics in the output of `sgf events`, by rule, and the number of games.
fn events(text: &str) -> (BTreeMap<String, u64>, u64) {
    let (mut rules, mut depth, mut games) = (BTreeMap::new(), 0, 0);
    for line in text.lines() {
        // Long values are not parsed: this is what tests wait for.
        if line.starts_with("{\"event\":\"start_tree\"") {
            games += u64::from(depth == 0);
            depth += 1;
        } else if line.starts_with("{\"event\":\"end_tree\"") {
            depth -= 1;
        } else if let Some((_, code)) = line.split_once("\"code\":\"").filter(|_| !line.contains("\"raw\":")) {
            *rules.entry(code.split('"').next().unwrap().to_owned()).or_default() += 1;
        }
    }
    (rules, games)
}

/// The seed of an archive. Of one that fails nothing smaller is tried, since another seed is only another archive.
#[derive(Clone, Copy, Debug)]
struct Seed(u64);

impl Arbitrary for Seed {
    fn arbitrary(g: &mut Gen) -> Seed {
        Seed(u64::arbitrary(g))
    }
}

/// One row per fact: what the archive says, and what each subcommand prints.
#[test]
fn all_subcommands_print_the_same_numbers() {
    fn law(Seed(seed): Seed) -> bool {
        // The tests of other packages read the same archives: see `archive`.
        let saved = std::env::var_os("SGF_COUNTS").map(PathBuf::from);
        let base = saved.clone().unwrap_or_else(|| directory("counts-law"));
        let folder = base.join(format!("archive-{seed}"));
        let archive = Archive::random(&mut Gen::from_size_and_seed(100, seed));
        archive.write(&folder);
        let facts = archive.facts();
        if saved.is_some() {
            fs::write(base.join(format!("archive-{seed}.json")), facts.to_string()).unwrap();
        }
        let path = str(&folder);
        let json = |args: &[&str]| run(&[args, &[path]].concat()).json();
        let lines = |args: &[&str]| -> Vec<Value> {
            let run = run(&[args, &[path]].concat());
            run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let sum = |rows: &[Value], key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();

        let scan = json(&["scan", "--json"]);
        let check = json(&["check", "--summary", "--json"]);
        let report = json(&["report", "--json", "-"]);
        let openings = json(&["openings", "--json", "--min-games", "1", "--plies", "1"]);
        let won = json(&["openings", "--json", "--min-games", "1", "--where", "winner!=B"]);
        let dups = json(&["dups", "--json"]);
        let columns = "game_type,size_x,size_y,move_count,node_count,date,winner";
        let records = lines(&["records", "--columns", columns]);
        let with_moves = lines(&["records", "--moves", "--columns", "file"]);
        let trees = lines(&["show", "--tree", "--json"]);
        let names = run(&["names", "--all", path]);
        let searched =
            |more: &[&str]| json(&[&["find", "X", "--keep-colors", "--statistics", "--json"], more].concat());
        let (found, found_won) = (searched(&[]), searched(&["--where", "winner!=B"]));
        let index = directory("counts-law-index");
        run(&["index", "--rebuild", "-o", str(&index), path]);
        let indexed = |more: &[&str]| {
            run(&[&["find", "X", "--keep-colors", "--statistics", "--json", "--index", str(&index)], more].concat())
                .json()
        };
        let (indexed, indexed_won) = (indexed(&[]), indexed(&["--where", "winner!=B"]));
        let split = base.join("split");
        let _ = fs::remove_dir_all(&split);
        run(&["split", "--games", "--to", str(&split), path]);
        let (mut rules, mut of_events, mut of_fmt, mut of_edit) = (BTreeMap::<String, u64>::new(), 0, 0, 0);
        for (bytes, is_sound) in archive.members() {
            let (of_member, games) = events(run_with(bytes, &["events", "-"]).text());
            of_member.into_iter().for_each(|(rule, count)| *rules.entry(rule).or_default() += count);
            of_events += games;
            let games = |args: &[&str]| {
                run_with(&run_with(bytes, args).stdout, &["scan", "--json", "-"]).json()["games"].as_u64().unwrap()
            };
            of_fmt += games(&["fmt", "-"]);
            of_edit += if is_sound { games(&["edit", "--set", "EV=x", "-"]) } else { 0 };
        }
        let tile = |what: &str| tile(&report, what);
        let count_by = |key: &dyn Fn(&Value) -> Option<String>| {
            let mut counts = BTreeMap::<String, u64>::new();
            records.iter().filter_map(key).for_each(|key| *counts.entry(key).or_default() += 1);
            json!(counts)
        };
        let go_board = |row: &Value| {
            let (is_go, x, y) = (row["game_type"] == "Go", &row["size_x"], &row["size_y"]);
            (is_go && x == y).then(|| format!("{x}×{y}"))
        };
        let squares = |boards: BTreeMap<String, u64>| -> BTreeMap<String, u64> {
            boards.into_iter().filter(|(name, _)| name.split_once('×').is_some_and(|(x, y)| x == y)).collect()
        };
        let years = |of: &Value| json!([of["first_year"], of["last_year"]]);
        let root = &openings["nodes"][0];
        let scan_rules: BTreeMap<String, u64> = serde_json::from_value(scan["diagnostics"].clone()).unwrap();
        let of_rules = |all: &dyn Fn(&str) -> Value| -> Value {
            scan_rules.keys().map(|rule| (rule.clone(), all(rule))).collect()
        };
        let report_rules = cells(&report, "diagnostics", 2);
        let sizes_of_groups = |groups: Vec<usize>| {
            let mut groups = groups;
            groups.sort_unstable();
            json!(groups)
        };
        let of_dups = dups["found"].as_array().unwrap().iter().map(|group| group["games"].as_array().unwrap().len());
        let of_report = figure(&report, "copies").into_iter().map(|row| row[0].as_u64().unwrap() as usize);

        let table: &[(&str, &[(&str, Value)])] = &[
            (
                "files",
                &[("scan", scan["files"].clone()), ("check", check["files"].clone()), ("report", tile("inputs"))],
            ),
            ("bytes", &[("scan", scan["bytes"].clone()), ("report", tile("bytes"))]),
            (
                "games",
                &[
                    ("scan", scan["games"].clone()),
                    ("check", check["games"].clone()),
                    ("report", tile("games")),
                    ("records", json!(records.len())),
                    ("records --moves", json!(with_moves.len())),
                    ("tree", json!(trees.len())),
                    ("events", json!(of_events)),
                    ("fmt", json!(of_fmt)),
                    ("openings", openings["read"].clone()),
                    ("find", found["games"].clone()),
                    ("find --index", indexed["games"].clone()),
                    ("dups", dups["games"].clone()),
                ],
            ),
            ("games not in UTF-16", &[("split", json!(fs::read_dir(&split).map_or(0, Iterator::count)))]),
            ("games in sound files", &[("edit", json!(of_edit))]),
            (
                "nodes",
                &[
                    ("scan", scan["nodes"].clone()),
                    ("report", tile("nodes")),
                    ("records", json!(sum(&records, "node_count"))),
                    ("tree", json!(sum(&trees, "nodes"))),
                ],
            ),
            ("values", &[("scan", scan["values"].clone()), ("check", json!(values(path)))]),
            ("moves", &[("scan", scan["moves"].clone())]),
            (
                "moves of main lines",
                &[("records", json!(sum(&records, "move_count"))), ("tree", json!(sum(&trees, "moves")))],
            ),
            (
                "game types",
                &[
                    ("report", json!(cells(&report, "games-by-kind", 1))),
                    ("records", count_by(&|row| row["game_type"].as_str().map(str::to_owned))),
                ],
            ),
            ("GM", &[("scan", scan["gm"].clone())]),
            (
                "square boards of Go",
                &[("report", json!(squares(cells(&report, "boards-of-go", 1)))), ("records", count_by(&go_board))],
            ),
            ("SZ", &[("scan", scan["sz"].clone())]),
            ("games that are cut", &[("scan", json!(scan_rules.get("unclosed-tree").copied().unwrap_or(0)))]),
            ("dated games", &[("report", tile("dated games"))]),
            ("games of impossible years", &[("report", tile("games of impossible years"))]),
            ("years", &[("report", json!([tile("first year"), tile("last year")]))]),
            (
                "games with a black stone",
                &[("find", found["found"].clone()), ("find --index", indexed["found"].clone())],
            ),
            (
                "years of games with a black stone",
                &[("find", years(&found["hits"])), ("find --index", years(&indexed["hits"]))],
            ),
            (
                "outcomes of games with a black stone",
                &[("find", outcomes(&found["hits"])), ("find --index", outcomes(&indexed["hits"]))],
            ),
            (
                "games with a black stone and winner!=B",
                &[("find", found_won["found"].clone()), ("find --index", indexed_won["found"].clone())],
            ),
            ("even games", &[("openings", openings["games"].clone())]),
            ("years of even games", &[("openings", years(root))]),
            ("outcomes of even games", &[("openings", outcomes(root)), ("report", even_games(&report))]),
            ("even games with winner!=B", &[("openings", won["games"].clone())]),
            ("first moves", &[("openings", json!(first_moves(&openings)))]),
            (
                "first moves of Black",
                &[("openings", json!(of_black(first_moves(&openings)))), ("report", json!(cells(&report, "first", 1)))],
            ),
            ("players", &[("names", json!(names.lines().len() - 1)), ("report", tile("players"))]),
            (
                "copies",
                &[("dups", sizes_of_groups(of_dups.collect())), ("report", sizes_of_groups(of_report.collect()))],
            ),
        ];
        let mut wrong = Vec::new();
        let mut expect = |fact: &str, command: &str, number: &Value, expected: &Value| {
            if number != expected {
                wrong.push(format!("{fact}: {command} says {number}, the archive {expected}"));
            }
        };
        for (fact, printed) in table {
            printed.iter().for_each(|(command, number)| expect(fact, command, number, &facts[*fact]));
        }
        // All commands report what a scan reports.
        for (command, diagnostics) in [
            ("check", of_rules(&|rule| check["codes"][rule].clone())),
            ("events", json!(rules)),
            ("report", of_rules(&|rule| json!(report_rules.get(rule)))),
        ] {
            expect("diagnostics of the syntax", command, &diagnostics, &json!(scan_rules));
        }
        // The report draws some openings only; if others are rare, those with one move.
        let of_first: BTreeMap<String, u64> = of_black(first_moves(&openings));
        for (point, games) in
            cells(&report, "openings", 1).iter().filter(|(line, _)| !line.contains(' ') && *line != "pass")
        {
            expect("openings of one move", "report", &json!(games), &json!(of_first.get(point)));
        }
        assert!(wrong.is_empty(), "{path}:\n{}", wrong.join("\n"));
        true
    }
    holds(20, law as fn(Seed) -> bool);
}
