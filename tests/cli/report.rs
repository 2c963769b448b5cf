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
    let line = ";B[qd];W[dd];B[pq];W[dq];B[od];W[fq];B[cc];W[dc];B[cd];W[ce];B[be];W[bf];B[bd];W[cf];B[df];W[ef];B[dg];W[eg];B[dh];W[eh]";
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
        ("length-1", json!(["20", 13])),
        ("openings", json!(["R16", 13, 9, 4, 0.6923, 0.4237, 0.8732])),
        ("openings", json!(["R16 D16 Q3 D3", 13, 9, 4, 0.6923, 0.4237, 0.8732])),
        ("players", json!(["Gennan", 13, 3, 10, 1840, 1999])),
        ("players", json!(["Shusaku", 12, 9, 3, 1840, 1851])),
        ("against", json!(["Shusaku", "Gennan", 12, 9, 3])),
        ("same-person", json!([1, "Shusaku 7d", 1])),
        ("coverage", json!(["RE", 0.963, 0.963])),
        ("charsets", json!([null, "UTF-8", 25])),
        ("charsets", json!(["GB2312", "GBK", 1])),
        ("findings", json!(["two-moves", "error", 1, "no", 1])),
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
    assert_eq!((&copies[0][0], &copies[0][4]), (&json!(2), &json!(21)));
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("<h2><a href=\"#wins\">Black’s share of wins</a></h2>")
    );
}

#[test]
fn findings_about_points_are_drawn() {
    let dir = directory("report-boards");
    let pictures = |sgf: &str| {
        let (_, page, _) = report(&["-"], sgf.as_bytes(), &dir);
        let findings = &page[page.find("id=\"f-examples\"").unwrap()..page.find("id=\"copies\"").unwrap()];
        let square = findings.matches("width=\"11\" height=\"11\"").count();
        (findings.matches("<svg").count(), findings.matches("<circle").count(), square)
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
            ("kinds", "There are no games of Go."),
            ("coverage", none),
            ("findings", "There are none: all games are clean."),
        ][..3],
    );
    missing(
        b"(;GM[11]FF[4]CA[UTF-8]AP[a:1]SZ[11]RE[W+];B[a1])",
        &[
            ("games", "No game has a date (DT) that can be read."),
            ("komi", "Fewer than 10 even games of Go have a winner (RE) and a komi (KM)."),
            ("kinds", "There are no games of Go."),
            ("openings", "There are no even games of Go on 19×19 that Black begins."),
            ("players", "No game names a player."),
            ("findings", "There are none: all games are clean."),
            ("copies", "No game of Go or Hex has 20 moves."),
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
    let end = page.find("</strong><span>to read it").unwrap();
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
        (&["report", "tests/data", "-o", "-", "--json", "-"], "--output and --json name one file"),
        (&["report", "tests/data", "-o", "none/report.html"], "its directory is not there"),
    ] {
        let run = super::run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    let page = super::run(&["report", "tests/data", "-o", "-"]);
    assert!(page.text().ends_with("</html>") && page.stderr.is_empty());
}

/// Chromium, or another program of its kind, where there is one.
fn browser() -> Option<&'static str> {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    ["chromium", "chromium-browser", "google-chrome"].iter().find(is_there).copied()
}

/// Loads pages in frames of 360 and 1600 pixels. Returns how much wider than its frame each page is, and fails for
/// anything that the browser writes to its console.
fn widths(browser: &str, page: &str, dir: &Path) -> Value {
    let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
    let probe = format!(
        "<!DOCTYPE html><body><iframe style=\"width:360px;border:0\" srcdoc=\"{escaped}\"></iframe>\
         <iframe style=\"width:1600px;border:0\" srcdoc=\"{escaped}\"></iframe>\
         <script>addEventListener('load', () => {{\
         const roots = [...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument.documentElement);\
         for (const root of roots) for (const folded of root.querySelectorAll('details')) folded.open = true;\
         document.body.textContent = 'probe ' + JSON.stringify(roots.map((root) => [root.clientWidth, root.scrollWidth]));\
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
    let inputs = [(Some(data), ""), (corpus, ""), (None, ""), (None, "(;GM[1];B[dd])"), (None, &hex), (None, &long)];
    for (path, input) in inputs {
        let path = path.as_deref().unwrap_or("-");
        let (_, page, _) = report(&[path], input.as_bytes(), &dir);
        let input: String = input.chars().take(80).collect();
        assert_eq!(widths(browser, &page, &dir), json!([[360, 360], [1600, 1600]]), "{path} {input}");
    }
}
