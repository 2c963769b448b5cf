//! `sgf report`: its numbers, its page, and the page in a browser.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{Run, directory, run, run_with, str};
use crate::shared::path as shared;

/// The JSON and the page of some inputs.
fn report(args: &[&str], input: &[u8], dir: &Path) -> (Value, String, Run) {
    let (page, numbers) = (dir.join("report.html"), dir.join("report.json"));
    let run = run_with(input, &[&["report", "-o", str(&page), "--json", str(&numbers)], args].concat());
    let json = serde_json::from_slice(&fs::read(&numbers).unwrap()).unwrap();
    (json, fs::read_to_string(page).unwrap(), run)
}

fn figures(json: &Value) -> impl Iterator<Item = &Value> {
    json["sections"].as_array().unwrap().iter().flat_map(|section| section["figures"].as_array().unwrap())
}

fn figure<'j>(json: &'j Value, id: &str) -> &'j Value {
    figures(json).find(|figure| figure["id"] == id).unwrap_or_else(|| panic!("no {id}: {json}"))
}

fn rows(json: &Value, id: &str) -> Value {
    figure(json, id)["rows"].clone()
}

/// Two even games in several copies, handicap games, a game of Hex, and one on 9x9.
fn archive() -> Vec<u8> {
    let line = ";B[qd];W[dd];B[pq];W[dq];B[od];W[fq];B[cc];W[dc];B[cd];W[ce];B[be];W[bf];B[bd];W[cf];B[df];W[ef];B[dg];W[eg];B[dh];W[eh];B[qq];W[rq];B[qr];W[rr];B[qs];W[rs];B[pr];W[pd];B[pe];W[qe]";
    let mut all = String::new();
    for n in 0..12_u8 {
        let winner = if n < 9 { "B+2.5" } else { "W+R" };
        _ = write!(
            all,
            "(;GM[1]SZ[19]KM[6.5]PB[Shusaku]PW[Gennan]DT[{}]RE[{winner}]{line};B[a{}])",
            1840 + i32::from(n),
            (b'a' + n) as char
        );
    }
    all += &format!("(;GM[1]SZ[19]PB[Gennan]PW[Shusaku 7d]DT[1999]RE[W+T]{line};B[aa])");
    for _ in 0..11 {
        all += "(;GM[1]SZ[19]HA[2]AB[pd][dp]RE[B+R];W[dd];B[pp])";
    }
    all += "(;GM[1]SZ[9]CA[GB2312]AP[CGoban:3]RE[0];B[ee];W[ce])(;GM[11]FF[4]CA[UTF-8]SZ[11]RE[W+];B[a1])(;GM[1];B[zz]W[dd])";
    all.into_bytes()
}

#[test]
fn numbers_are_those_of_the_games() {
    let (json, page, run) = report(&["-"], &archive(), &directory("report-numbers"));
    assert_eq!((run.text(), run.stderr.as_str(), run.code), ("", "", Some(0)));
    for (id, row) in [
        ("tiles", json!(["games", 27])),
        ("tiles", json!(["inputs", 1])),
        ("tiles", json!(["first year", 1840])),
        ("games", json!(["1840s", 10, 10])),
        ("komi-19", json!([6.5, 12, 9, 3, 0, 0.75, 0.4677, 0.9111])),
        ("handicap", json!([0, 13, 9, 4, 0, 0.6923, 0.4237, 0.8732])),
        ("handicap", json!([2, 11, 11, 0, 0, 1.0, 0.7412, 1.0])),
        ("kinds", json!(["resignation", 14, 0.5385])),
        ("kinds", json!(["draw", 1, 0.0385])),
        ("margins", json!(["2", 9])),
        ("length-1", json!(["0", 11])),
        ("length-1", json!(["30", 13])),
        ("openings", json!(["R16", 13, 9, 4, 0.6923, 0.4237, 0.8732])),
        ("openings", json!(["R16 D16 Q3 D3", 13, 9, 4, 0.6923, 0.4237, 0.8732])),
        ("players", json!(["Gennan", 13, 3, 10, 1840, 1999])),
        ("players", json!(["Shusaku", 12, 9, 3, 1840, 1851])),
        ("against", json!(["Shusaku", "Gennan", 12, 9, 3])),
        ("same-person", json!([1, "Shusaku 7d", 1])),
        ("coverage", json!(["RE", 0.963, 0.963])),
        ("charsets", json!([null, "UTF-8", 25])),
        ("charsets", json!(["GB2312", "GBK", 1])),
        ("diagnostics", json!(["two-moves", "error", 1, "no", 1])),
        ("copies-sizes", json!([2, 1])),
        ("programs", json!(["CGoban", "3", 1])),
        ("games-by-kind", json!(["Hex", 1, 2, 1.0, 0, 1, null, null])),
        ("boards-of-go", json!(["9×9", 1])),
    ] {
        let rows = rows(&json, id);
        assert!(rows.as_array().unwrap().contains(&row), "{id}: {row} is not in {rows}");
    }
    assert_eq!(figure(&json, "first")["columns"], json!(["point", "all", "before 1900", "1980–1999"]));
    // The first game is also that of 1999.
    let copies = rows(&json, "copies");
    assert_eq!((&copies[0][0], &copies[0][4]), (&json!(2), &json!(31)));
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("<h2><a href=\"#wins\">Black’s share of wins</a></h2>")
    );
}

#[test]
fn diagnostics_about_points_are_drawn() {
    let dir = directory("report-boards");
    let pictures = |sgf: &str| {
        let (_, page, _) = report(&["-"], sgf.as_bytes(), &dir);
        let diagnostics = &page[page.find("id=\"f-examples\"").unwrap()..page.find("id=\"copies\"").unwrap()];
        let square = diagnostics.matches("width=\"11\" height=\"11\"").count();
        (diagnostics.matches("<svg").count(), diagnostics.matches("<circle").count(), square)
    };
    // Nine star points, and the stone that replaced another one, with a mark.
    assert_eq!(pictures("(;GM[1]SZ[19]FF[4]CA[UTF-8]AP[a:1];B[dd];W[dd])(;GM[1]SZ[19];B[aa])"), (1, 10, 1));
    assert_eq!(pictures("(;GM[1]SZ[19]FF[4]CA[UTF-8]AP[a:1]KM[x];B[dd])"), (0, 0, 0));
    assert_eq!(pictures("(;GM[3]FF[4]CA[UTF-8]AP[a:1]KM[x];B[xx]W[xx])").0, 0);
}

#[test]
fn what_is_missing_is_said() {
    let dir = directory("report-missing");
    let missing = |input: &[u8], ids: &[(&str, &str)]| {
        let (json, ..) = report(&["-"], input, &dir);
        for (id, why) in ids {
            assert_eq!(figure(&json, id)["missing"], *why, "{id}");
        }
    };
    let none = "There are no games.";
    missing(
        b"",
        &[
            ("games", none),
            ("kinds", "There are no Go games."),
            ("coverage", none),
            ("diagnostics", "No diagnostics: all games are clean."),
        ][..3],
    );
    missing(
        b"(;GM[11]FF[4]CA[UTF-8]AP[a:1]SZ[11]RE[W+];B[a1])",
        &[
            ("games", "No game has a valid date (DT)."),
            ("komi", "Fewer than 10 even Go games have a winner (RE) and a komi (KM)."),
            ("kinds", "There are no Go games."),
            // As for `sgf openings`, White may begin.
            ("openings", "There are no even games of Go on 19×19 that have moves."),
            ("players", "No game has a player (PB, PW)."),
            ("diagnostics", "No diagnostics: all games are clean."),
            ("copies", "No game has 30 stones."),
        ],
    );
}

#[test]
fn texts_of_files_are_harmless() {
    let dir = directory("report-escapes");
    let bad = "<script>alert(1)</script>";
    let attribute = "\" onmouseover=\"alert(2)";
    let file = dir.join("<img src=x onerror=alert(3)>.sgf");
    let mut games = String::new();
    for n in 0..12_u8 {
        _ = write!(
            games,
            "(;GM[1]PB[{bad}]PW[{attribute}]EV[{bad}]CA[{bad}]AP[{bad}:{bad}]DT[199{}]XX[{bad}{bad}]RE[B+{bad}]{};B[{bad}])",
            n % 10,
            ";B[dd];W[pp]".repeat(12)
        );
    }
    _ = write!(games, "(;GM[1]PB[a\u{202E}b]PW[{}])", bad.to_uppercase());
    fs::write(&file, games).unwrap();
    let out = directory("report-escapes-out");
    let (json, page, _) = report(&[str(&dir), "--title", bad], b"", &out);
    for (harmful, harmless) in [
        ("<script>alert", "&lt;script&gt;alert(1)"),
        ("<SCRIPT>", "&lt;SCRIPT&gt;"),
        ("\" onmouseover=", "&quot; onmouseover="),
        ("<img", "&lt;img src=x onerror=alert(3)&gt;"),
        ("\u{202E}", "a\\u{202e}b"),
    ] {
        assert!(!page.contains(harmful), "{harmful}");
        assert!(page.contains(harmless), "{harmless}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    // JSON has them as they are.
    assert!(rows(&json, "players").as_array().unwrap().iter().any(|row| row[0] == bad));
}

/// The page without the time that it took.
fn without_time(page: &str) -> String {
    let end = page.find("</strong><span>reading time").unwrap();
    let start = page[..end].rfind('>').unwrap();
    format!("{}{}", &page[..start], &page[end..])
}

#[test]
fn the_page_does_not_depend_on_threads() {
    let dir = directory("report-threads");
    let archives = dir.join("archives");
    fs::create_dir_all(archives.join("many")).unwrap();
    fs::write(archives.join("mixed.sgf"), run(&["synth", "--mixed", "--bytes", "700K"]).stdout).unwrap();
    fs::write(archives.join("plain.sgf"), run(&["synth", "--bytes", "700K"]).stdout).unwrap();
    for n in 0..40 {
        fs::write(archives.join(format!("many/{n}.sgf")), &archive()[n..]).unwrap();
    }
    let of = |threads: &str| {
        let (mut json, page, run) = report(&["--threads", threads, str(&archives)], b"", &dir);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        json.as_object_mut().unwrap().remove("seconds").unwrap();
        (json, without_time(&page))
    };
    let one = of("1");
    assert!(one.0["sections"].as_array().unwrap().len() > 10);
    for threads in ["2", "5"] {
        assert!(of(threads) == one, "{threads}");
    }
}

#[test]
fn the_help_names_all_figures() {
    let help = run(&["report", "--help"]);
    let words: BTreeSet<&str> =
        help.text().split(|char: char| char.is_whitespace() || matches!(char, ',' | ':')).collect();
    let (json, ..) = report(&["-"], &archive(), &directory("report-help"));
    for id in figures(&json).map(|figure| figure["id"].as_str().unwrap()) {
        let numbered = id.trim_end_matches(|char: char| char.is_ascii_digit());
        let numbered = if numbered.ends_with('-') { format!("{numbered}N") } else { id.to_owned() };
        assert!(words.contains(id) || words.contains(&*numbered), "{id} is not in the help");
    }
}

#[test]
fn troubles_are_told_and_on_the_page() {
    let dir = directory("report-troubles");
    let (json, page, run) = report(&["tests/data", "none.sgf"], b"", &dir);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("none.sgf: No such file"), "{}", run.stderr);
    assert!(page.contains("1 input could not be read: none.sgf"));
    assert!(rows(&json, "tiles").as_array().unwrap().contains(&json!(["inputs that could not be read", 1])));
    for (args, message) in [
        (&["report", "tests/data"][..], "--output"),
        (
            &["report", "tests/data", "-o", "-", "--json", "-"],
            "--output and --json would both write to standard output",
        ),
        (&["report", "tests/data", "-o", "none/report.html"], "its directory does not exist"),
    ] {
        let run = super::run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    let page = super::run(&["report", "tests/data", "-o", "-"]);
    assert!(page.text().ends_with("</html>") && page.stderr.is_empty());
}

/// The notes below a figure.
fn notes(json: &Value, id: &str) -> Vec<String> {
    figure(json, id)["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned()).collect()
}

/// A figure on the page, up to its numbers.
fn drawn<'p>(page: &'p str, id: &str) -> &'p str {
    let start = page.find(&format!(" id=\"f-{id}\"")).unwrap_or_else(|| panic!("no {id}"));
    let rest = &page[start..];
    &rest[..rest.find("<details class=\"numbers\"").unwrap()]
}

#[test]
fn old_games_are_counted_and_impossible_years_are_not() {
    let mut games = String::new();
    let years = [196, 1094, 1653, 3, 9999, 9999].into_iter().chain((1950..2020).flat_map(|year| [year; 5]));
    for year in years {
        _ = write!(games, "(;GM[1]SZ[19]PB[A]PW[B]DT[{year:04}]RE[B+R];B[dd];W[pp])");
    }
    let (json, page, _) = report(&["-"], games.as_bytes(), &directory("report-years"));
    let by_decade = rows(&json, "games");
    assert_eq!((&by_decade[0], &by_decade[1]), (&json!(["before 1950", 3, 3]), &json!(["1950s", 50, 50])));
    assert_eq!(by_decade.as_array().unwrap().len(), 8);
    for row in
        [["first year", "196"], ["last year", "2019"], ["dated games", "353"], ["games of impossible years", "3"]]
    {
        let found = json!([row[0], row[1].parse::<u64>().unwrap()]);
        assert!(rows(&json, "tiles").as_array().unwrap().contains(&found), "{found}: {}", rows(&json, "tiles"));
    }
    let strange =
        "3 games from years long before the first game records, or in the future (9999, 3): counted as undated.";
    assert_eq!(notes(&json, "games"), [strange]);
    assert!(!page.contains("mistake"));
    // The years of players and winners are the same.
    assert_eq!(rows(&json, "players")[0], json!(["A", 356, 356, 0, 196, 2019]));
    assert_eq!(rows(&json, "wins-over-time")[0][0], "before 1950");
    assert!(drawn(&page, "games").contains(">before 1950</span>"));
}

#[test]
fn a_chart_has_several_things_to_compare() {
    let game = |program: &str, year: i32, komi: &str| {
        format!(
            "(;GM[1]FF[4]SZ[19]CA[UTF-8]AP[{program}]PB[GnuGo 3.5.3]PW[GNU Go 3.3.5]KM[{komi}]DT[{year}]RE[B+R];B[dd];W[pp])"
        )
    };
    let dir = directory("report-one");
    let of = |games: &[String]| {
        let (json, page, _) = report(&["-"], games.concat().as_bytes(), &dir);
        (json, page)
    };
    let (json, page) = of(&vec![game("CGoban:3", 2001, "6.5"); 12]);
    for (id, sentence) in [
        ("games", "<b>2001</b>: 12 games"),
        ("komi-19", "<b>6.5</b>: 100.0 % (75.8 % to 100.0 %) of 12 games"),
        ("kinds", "<b>resignation</b>: 12 · 100.0 %"),
        ("winners", "<b>2001</b>: 12 games: Black won 12 (100.0 %)"),
        ("length-1", "<b>fewer than 10 moves</b>: 12 games"),
        ("players-over-time", "<b>2001</b>: 24 games"),
        ("charsets", "<b>UTF-8 → UTF-8</b>: 12 · 100.0 %"),
        ("programs", "<b>CGoban</b>: 12"),
        ("games-by-kind", "<b>Go</b>: 12 · 100.0 %"),
        ("boards-of-go", "<b>19×19</b>: 12"),
    ] {
        let drawn = drawn(&page, id);
        assert!(drawn.contains(&format!("<p class=\"only\">{sentence}</p>")), "{id}: {drawn}");
        assert!(!drawn.contains("<svg"), "{id}");
    }
    let why = "No program has several versions in games with a date.";
    assert_eq!(figure(&json, "versions")["missing"], why);
    assert_eq!(figure(&json, "programs-over-time")["missing"], "All games with AP and a date (DT) are of one program.");
    // Numbers in another order are another program.
    assert!(figure(&json, "same-person")["missing"].is_string());
    // The other version has no date.
    let undated = game("CGoban:4", 2001, "6.5").replace("DT[2001]", "");
    let (json, _) = of(&[game("CGoban:3", 2001, "6.5"), game("CGoban:3", 2002, "6.5"), undated]);
    assert_eq!(figure(&json, "versions")["missing"], why);
    let (json, _) = of(&[game("CGoban:3", 2001, "6.5"), game("CGoban:4", 2002, "6.5")]);
    assert_eq!(rows(&json, "versions"), json!([["2001", 1, 0], ["2002", 0, 1]]));
}

#[test]
fn intervals_are_whole() {
    // Of 12 games 6: 25.4 % to 74.6 %; of 3,000 games 1,500.
    let mut games = String::new();
    for (komi, all) in [("5.5", 12), ("6.5", 3000)] {
        for n in 0..all {
            let winner = if n % 2 == 0 { "B+R" } else { "W+R" };
            _ = write!(games, "(;GM[1]SZ[19]KM[{komi}]RE[{winner}];B[dd])");
        }
    }
    let (json, page, _) = report(&["-"], games.as_bytes(), &directory("report-intervals"));
    assert_eq!(rows(&json, "komi-19")[0], json!([5.5, 12, 6, 6, 0, 0.5, 0.2538, 0.7462]));
    let drawn = drawn(&page, "komi-19");
    assert!(drawn.contains(">20 %</span>") && drawn.contains(">80 %</span>"), "{drawn}");
    assert!(drawn.contains("class=\"range\" d=\"M250 910.4V89.6\""), "{drawn}");
}

#[test]
fn nearly_all_is_not_all() {
    let dir = directory("report-clean");
    let sources = dir.join("sources");
    let clean = "(;FF[4]GM[1]CA[UTF-8]AP[a:1]SZ[19];B[dd];W[pp])";
    for (name, games) in [
        ("nearly", clean.repeat(3000) + "(;FF[4]GM[1]CA[UTF-8]AP[a:1]SZ[19];B[dd]W[pp])"),
        ("all", clean.repeat(4)),
        // The diagnostic is at the end of the last game, or after it.
        ("open", clean.to_owned() + clean.trim_end_matches(')')),
        ("after", clean.repeat(2) + " junk"),
    ] {
        fs::create_dir_all(sources.join(name)).unwrap();
        fs::write(sources.join(name).join("a.sgf"), games).unwrap();
    }
    // Games that are clean, beside a file that has none.
    fs::create_dir_all(sources.join("beside")).unwrap();
    fs::write(sources.join("beside/a.sgf"), clean).unwrap();
    fs::write(sources.join("beside/b.sgf"), "no game").unwrap();
    let (json, page, _) = report(&[str(&sources)], b"", &dir);
    let of = |source: &str| {
        let all = rows(&json, "diagnostics-by-source");
        let row = all.as_array().unwrap().iter().find(|row| row[0] == source).unwrap().clone();
        (row[1].clone(), row[2].clone(), row[4].clone())
    };
    assert_eq!(of("nearly"), (json!(3001), json!(1), json!(0.9997)));
    assert_eq!(of("all"), (json!(4), json!(0), json!(1.0)));
    assert_eq!(of("open"), (json!(2), json!(1), json!(0.5)));
    assert_eq!(of("after"), (json!(2), json!(1), json!(0.5)));
    assert_eq!(of("beside"), (json!(1), json!(2), json!(1.0)));
    let drawn = drawn(&page, "diagnostics-by-source");
    for text in [
        "&gt; 99.9 % clean · 1 diagnostic<",
        ">all clean<",
        ">50.0 % clean · 1 diagnostic<",
        ">all clean · 2 diagnostics outside of games<",
    ] {
        assert!(drawn.contains(text), "{text}: {drawn}");
    }
    assert!(!drawn.contains("100 %") && !drawn.contains("100.0 %"));
}

/// Games of Hex: in some White begins, and some are swapped.
fn hex_archive() -> String {
    let mut games = String::new();
    for n in 0..40 {
        let line = match n % 4 {
            0 => ";B[a2];W[swap-pieces];B[f6]",
            // The same point on the turned board.
            1 => ";B[k10];W[swap-pieces];B[f6]",
            2 => ";W[C9];B[f6];W[d4]",
            _ => ";B[f6];W[de];B[c3];W[resign]",
        };
        let winner = if n % 4 == 3 { "B+" } else { "W+" };
        _ = write!(games, "(;GM[11]FF[4]CA[UTF-8]AP[HexGui:0.9]SZ[11]PB[A]PW[B]DT[20{:02}]RE[{winner}]{line})", n % 20);
    }
    games
}

#[test]
fn games_of_hex_have_statistics_of_their_own() {
    let dir = directory("report-hex");
    let (json, page, run) = report(&["-"], hex_archive().as_bytes(), &dir);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for (id, row) in [
        ("wins-other", json!(["Hex, 11×11", 40, 10, 30, 0, 0.25, 0.1419, 0.4019])),
        ("kinds-other-1", json!(["winner known, but not how", 40, 1.0])),
        ("length-1", json!(["0", 40])),
        ("first-hex-1", json!(["a2", 20, 0.5])),
        ("first-hex-1", json!(["f6", 10, 0.25])),
        ("first-hex-1", json!(["i3", 10, 0.25])),
        ("all-hex-1", json!(["a2", 10, 0.1])),
        ("all-hex-1", json!(["d5", 10, 0.1])),
        ("openings-hex", json!(["a2 swap-pieces f6", 20, 0, 20, 0.0, 0.0, 0.1611])),
        ("openings-hex", json!(["f6 d5 c3", 10, 10, 0, 1.0, 0.7225, 1.0])),
        ("openings-hex", json!(["i3 f6 h8", 10, 0, 10, 0.0, 0.0, 0.2775])),
        ("boards-of-hex", json!(["11×11", 40])),
    ] {
        let rows = rows(&json, id);
        assert!(rows.as_array().unwrap().contains(&row), "{id}: {row} is not in {rows}");
    }
    assert!(notes(&json, "wins-other").contains(&"In 10 of 40 games White plays first.".to_owned()));
    // Nothing is about Go.
    let ids: Vec<&str> = figures(&json).map(|figure| figure["id"].as_str().unwrap()).collect();
    for id in ["komi", "handicap", "wins-over-time", "kinds", "margins", "first", "all", "openings", "boards-of-go"] {
        assert!(!ids.contains(&id), "{id}");
    }
    assert!(page.contains("Larger and darker points were played more often. Hex games only."));
    assert!(drawn(&page, "first-hex-1").matches("<circle").count() == 5);
    // With Go games, both are shown, and sections on Go say how many of the games they cover.
    let both = hex_archive() + &"(;GM[1]SZ[19]RE[B+2.5];B[dd];W[pp])".repeat(30);
    let (json, page, _) = report(&["-"], both.as_bytes(), &dir);
    let titles: Vec<&str> = figures(&json).map(|figure| figure["title"].as_str().unwrap()).collect();
    for title in [
        "Kinds of results, Go",
        "Kinds of results, Hex",
        "Moves on 19×19",
        "Moves of Hex, 11×11",
        "Openings of Go",
        "Openings of Hex",
        "All moves on 19×19, 30 games",
        "All moves of Hex, 11×11, 40 games",
    ] {
        assert!(titles.contains(&title), "{title}: {titles:?}");
    }
    assert!(page.contains("Margins and winners: Go games only: 30 of 70 games."));
    assert!(page.contains("Go and Hex games only."));
}

#[test]
fn games_without_points_have_lengths_and_results() {
    let othello = "(;GM[2]RE[B+4];B[d3];W[c5])".repeat(12) + &"(;GM[2]RE[W+4];B[d3])".repeat(12);
    let (json, page, _) = report(&["-"], othello.as_bytes(), &directory("report-othello"));
    assert_eq!(rows(&json, "wins-other"), json!([["Othello", 24, 12, 12, 0, 0.5, 0.3143, 0.6857]]));
    assert_eq!(rows(&json, "kinds-other-1"), json!([["points", 24, 1.0]]));
    assert_eq!(rows(&json, "length-1"), json!([["0", 24]]));
    assert_eq!(figure(&json, "length-1")["title"], "Moves of Othello");
    assert!(page.contains("Go games only; there are none."));
}

/// Chromium, or another program of its kind, where there is one.
fn browser() -> Option<&'static str> {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    ["chromium", "chromium-browser", "google-chrome"].iter().find(is_there).copied()
}

/// Loads a page in frames of 360 and 1600 pixels, and as it is printed in frames of 602 and 720. Returns how much wider than
/// its frame each page is and which names of axes touch each other, and fails for anything that the browser writes to its
/// console.
fn widths(browser: &str, page: &str, dir: &Path) -> Value {
    let printed = page.replace("@media print {", "@media all {");
    let frames: String = [(page, 360), (page, 1600), (&printed, 602), (&printed, 720)]
        .into_iter()
        .map(|(page, width)| {
            let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
            format!("<iframe style=\"width:{width}px;border:0\" srcdoc=\"{escaped}\"></iframe>")
        })
        .collect();
    let probe = format!(
        "<!DOCTYPE html><body>{frames}<script>addEventListener('load', () => {{\
         const touching = (names) => {{\
         const seen = [...names.children].map((name) => [name.textContent, name.getBoundingClientRect()]).filter(([, box]) => box.width > 0);\
         const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;\
         const figure = names.closest('figure').getBoundingClientRect();\
         return seen.flatMap(([text, box], n) => [\
         ...seen.slice(0, n).filter(([, other]) => overlap(box, other)).map(([other]) => other + ' touches ' + text),\
         ...(box.left < figure.left || box.right > figure.right || box.bottom > figure.bottom ? [text + ' is outside'] : [])])}};\
         const roots = [...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument.documentElement);\
         for (const root of roots) for (const folded of root.querySelectorAll('details')) folded.open = true;\
         document.body.textContent = 'probe ' + JSON.stringify(roots.map((root) => [root.clientWidth, root.scrollWidth,\
         [...root.querySelectorAll('.plot .x, .plot .y')].flatMap(touching)]));\
         }})</script>"
    );
    let file = dir.join("probe.html");
    fs::write(&file, probe).unwrap();
    let profile = dir.join("profile");
    let run = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--window-size=1700,1000", "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", str(&profile)))
        .arg(format!("file://{}", str(&file)))
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&run.stderr);
    assert!(!messages.contains("CONSOLE"), "{messages}");
    let dom = String::from_utf8_lossy(&run.stdout);
    let result = dom.split_once("probe ").and_then(|(_, rest)| rest.split_once('<')).map(|(result, _)| result);
    serde_json::from_str(result.unwrap_or_else(|| panic!("{dom}\n{messages}"))).unwrap()
}

#[test]
fn the_page_fits_screens_in_a_browser() {
    let Some(browser) = browser() else { return println!("no browser is installed: nothing was tested") };
    let dir = directory("report-browser");
    let hex = "(;GM[11]FF[4]PB[A]PW[B]SZ[11]RE[W+];B[a1];W[b2])".repeat(30);
    let long =
        format!("(;GM[1]PB[{0}]PW[{0}]EV[{0}]AP[{0}:{0}]CA[{0}]XX[{0}]RE[B+R];B[dd])", "W".repeat(190)).repeat(30);
    let (data, corpus) = ("tests/data".to_owned(), shared("corpus/copyleft").map(|corpus| str(&corpus).to_owned()));
    // Names of axes of all lengths: many years with an open end, and fourteen values of komi.
    let mut axes = "(;GM[1]SZ[19]DT[1094]RE[B+R];B[dd])".to_owned();
    for n in 0..600 {
        _ = write!(
            axes,
            "(;GM[1]SZ[19]KM[{}]DT[{}]RE[{}];B[dd])",
            f64::from(n % 14) * 5.5,
            1975 + n % 45,
            ["B+61.5", "W+R"][n as usize % 2]
        );
    }
    let inputs = [
        (Some(data), ""),
        (corpus, ""),
        (None, ""),
        (None, "(;GM[1];B[dd])"),
        (None, &hex),
        (None, &hex_archive()),
        (None, &long),
        (None, &axes),
    ];
    for (path, input) in inputs {
        let path = path.as_deref().unwrap_or("-");
        let (_, page, _) = report(&[path], input.as_bytes(), &dir);
        let input: String = input.chars().take(80).collect();
        let expected = json!([[360, 360, []], [1600, 1600, []], [602, 602, []], [720, 720, []]]);
        assert_eq!(widths(browser, &page, &dir), expected, "{path} {input}");
    }
}
