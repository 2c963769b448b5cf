//! `sgf check`. The last goes through `../shared/corpus`, where it exists.

use std::fs;

use serde_json::{Value, json};

use super::{directory, run, run_with, shared, str, with_closed_pipe};

fn check(input: &[u8], args: &[&str]) -> super::Run {
    run_with(input, &[&["check"], args, &["-"]].concat())
}

/// In Shift_JIS `\x83\x5C` is one character, and no backslash hides the colon.
#[test]
fn a_pair_is_split_in_its_charset() {
    let run = check(b"(;FF[4]CA[Shift_JIS]AP[\x83\x5C:1.0]GM[6]MI[\x83\x5C:3])", &["--json"]);
    let summary: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&summary["codes"], run.code), (&serde_json::json!({}), Some(0)));
}

#[test]
fn two_names_of_one_charset_do_not_differ() {
    for input in ["\u{FEFF}(;FF[4]CA[UTF_8])", "(;FF[4]CA[utf8])(;FF[4]CA[UTF-8])", "(;FF[4]CA[GB2312])(;FF[4]CA[GBK])"]
    {
        let run = check(input.as_bytes(), &["--strict", "--json"]);
        assert!(!String::from_utf8_lossy(&run.stdout).contains("\"charset-"), "{input}");
    }
    let run = check(b"(;FF[4]CA[UTF-8])(;FF[4]CA[GBK])", &["--strict", "--json"]);
    assert!(String::from_utf8_lossy(&run.stdout).contains("\"charset-differs\""));
}

/// It closes nothing in the grammar, which knows no brackets in text.
#[test]
fn fix_leaves_no_bracket_that_closes_nothing() {
    let file = directory("check/partners").join("a.sgf");
    for (input, output) in [
        ("((;FF[4];B[aa];W[bb])(;FF[4];B[cc];W[dd]))", "((;FF[4];B[aa];W[bb])(;FF[4];B[cc];W[dd])"),
        ("((;FF[4]B[aa]))) (;FF[4]))", "((;FF[4]B[aa]) (;FF[4])"),
        ("a (b) c (;FF[4]))", "a (b) c (;FF[4])"),
    ] {
        fs::write(&file, input).unwrap();
        run(&["check", "--fix", str(&file)]);
        assert_eq!(fs::read_to_string(&file).unwrap(), output);
    }
}

#[test]
fn a_finding_is_drawn_with_its_line_and_a_mark() {
    let run = check(b"(;FF[4]SZ[9]\n;B[dd]W[jj])\n", &["--allow", "point-off-board"]);
    let drawn = "\
error[two-moves]: W: the node also has a black move
 --> -:2:7
  |
2 | ;B[dd]W[jj])
  |       ^
  |
  = help: A node may contain only one move, because the order of two would be ambiguous. Put each move in its own node.

1 error, 0 warnings in 1 of 1 file, 1 game
";
    assert_eq!((run.text(), run.stderr.as_str(), run.code), (drawn, "", Some(1)));
}

/// Law L5: diagnostics of a node go out as they come, however many it has.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_faults_of_a_node() {
    for (head, part) in [(&b"(;"[..], &b"KM[x]\n"[..]), (b"(;FF[4];", b"TR[aa]LB[aa:x]\n")] {
        let args = &["check", "--json", "-"];
        let kib = |times| super::peak(args, std::iter::once(head).chain(std::iter::repeat_n(part, times)));
        // More than a pipe holds: the memory is looked at while the program reads.
        let (small, large) = (kib(15_000), kib(100_000));
        assert!(large < small + 16 * 1024, "{}: {small} KiB, then {large} KiB", part.escape_ascii());
    }
}

#[test]
fn nothing_wrong_is_said_so() {
    let run = check(b"(;FF[4];B[dd])(;)", &[]);
    assert_eq!((run.text(), run.code), ("no diagnostics in 2 games, 1 file\n", Some(0)));
}

#[test]
fn warnings_are_no_errors_unless_they_are_to_be() {
    let input = b"(;FF[4]KM[6.])";
    assert_eq!(check(input, &[]).code, Some(0));
    assert_eq!(check(input, &["--deny", "sloppy-value"]).code, Some(1));
    assert_eq!(check(input, &["--deny", "all"]).code, Some(1));
    assert_eq!(check(input, &["--strict"]).code, Some(1));
    assert_eq!(check(input, &["--strict", "--allow", "sloppy-value"]).code, Some(0));
    assert_eq!(check(input, &["--deny", "all", "--warn", "sloppy-value"]).code, Some(0));
    let quiet = check(input, &["--allow", "all"]);
    assert_eq!((quiet.text(), quiet.code), ("no diagnostics in 1 game, 1 file\n", Some(0)));
    // Style is off unless it is named.
    let styled = check(b"(;B[dd])", &["--warn", "style"]);
    assert!(styled.text().contains("warning[move-in-root]") && styled.text().contains("missing-version"));
    assert_eq!(styled.code, Some(0));
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let line =
        format!("(;FF[4]{};W[a\u{e9}]C[\u{6F22}\u{5B57}\t]{})", ";B[dd];W[]".repeat(50_000), ";B[];W[]".repeat(50_000));
    let run = check(line.as_bytes(), &["--max", "1", "--allow", "occupied-point,extra-values"]);
    let text = run.text();
    assert!(text.contains(&format!(" --> -:1:{}\n", 500_010)), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 180), "{text}");
    let (source, mark) = {
        let at = text.lines().position(|line| line.starts_with("1 | ")).unwrap();
        (text.lines().nth(at).unwrap(), text.lines().nth(at + 1).unwrap())
    };
    assert!(source.contains("\u{2026}") && source.contains("W[a\u{e9}]C[\u{6F22}\u{5B57} ]"), "{source}");
    let column = |text: &str, what: char| text.chars().position(|c| c == what).unwrap();
    let at = source.find("[a\u{e9}]").unwrap();
    assert_eq!(source[..at].chars().count(), column(mark, '^'), "{source}\n{mark}");
}

#[test]
fn what_is_no_text_is_shown_without_harm() {
    for input in [
        &b"(;FF[4]RE[\x1B[31m\xFF\xE9\x80\x07\x08])"[..],
        b"(;RE[\xE2\x80\xAE\xEF\xBB\xBF\0])",
        b"(;RE[\xFF",
        b"\xFF\xFE(",
        b"",
        b"(",
        b"(;B[aa]\n",
        b"(;B[aa]\r\n\r",
    ] {
        let run = check(input, &[]);
        assert!(run.code.is_some_and(|code| code < 2), "{}", input.escape_ascii());
        let harmless = |c: char| !c.is_control() || c == '\n';
        assert!(run.text().chars().all(harmless), "{:?}", run.text());
    }
}

#[test]
fn many_diagnostics_of_a_kind_are_counted() {
    let input = b"(;FF[4];TE[1])".repeat(25);
    let run = check(&input, &[]);
    assert_eq!(run.text().matches("error[annotation-without-move]").count(), 10);
    assert_eq!(run.text().matches("= help").count(), 1);
    assert!(run.text().contains("-: 15 more of annotation-without-move (--max 0 shows them)"), "{}", run.text());
    assert!(run.text().ends_with("25 errors, 0 warnings in 1 of 1 file, 25 games\n"), "{}", run.text());
    let all = check(&input, &["--max", "0"]);
    assert_eq!(all.text().matches("error[annotation-without-move]").count(), 25);
}

#[test]
fn json_has_a_line_a_finding_and_one_at_the_end() {
    let run = check(b"(;FF[4];B[dd]W[pp]\nKM[6.])", &["--json"]);
    let lines: Vec<Value> = run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let diagnostic = serde_json::json!({
        "file": "-", "offset": 13, "len": 1, "line": 1, "column": 14, "severity": "error", "code": "two-moves",
        "message": "W: the node also has a black move", "fixable": false, "property": "W",
    });
    assert_eq!(lines[0], diagnostic);
    assert_eq!(
        (&lines[1]["code"], &lines[1]["fixable"], &lines[1]["line"]),
        (&"sloppy-value".into(), &true.into(), &2.into())
    );
    let end = serde_json::json!({
        "files": 1, "games": 1, "errors": 1, "warnings": 1, "codes": {"two-moves": 1, "sloppy-value": 1},
        "repaired": {}, "left": {}, "dropped": {}, "unreadable": 0,
    });
    assert_eq!((&lines[2], lines.len(), run.code), (&end, 3, Some(1)));
}

#[test]
fn codes_are_explained() {
    let run_one = run(&["check", "--explain", "setup-and-move"]);
    assert!(
        run_one.text().starts_with("setup-and-move (error; SGFC 30)\n  A node either contains a move"),
        "{}",
        run_one.text()
    );
    assert_eq!(run_one.code, Some(0));
    let all = run(&["check", "--explain", "all"]);
    for rule in sgf_check::Rule::all() {
        assert!(all.text().contains(&format!("{rule} (")), "{rule}");
    }
    assert!(all.lines().iter().all(|line| line.chars().count() <= 100));
    assert_eq!(run(&["check", "--explain", "nonsense"]).code, Some(2));
}

#[test]
fn texts_are_compared_with_their_charset() {
    let run = check(b"(;FF[4]CA[UTF-8]PB[\xE9])(;CA[klingon])", &["--json"]);
    assert!(run.text().contains("\"bad-bytes\"") && run.text().contains("\"unknown-charset\""), "{}", run.text());
    let wide: Vec<u8> = "\u{FEFF}(;FF[4];TE[1])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(check(&wide, &[]).text().contains("annotation-without-move"));
}

#[test]
fn fix_repairs_files_and_tells_what_is_left() {
    let folder = directory("check-fix");
    let path = |name: &str| folder.join(name);
    fs::write(path("good.sgf"), "(;FF[4];B[dd])\n").unwrap();
    fs::write(path("sloppy.sgf"), "(;FF[4]SZ[9:9]\n;B[ d d ]AB[]W[jj]\n").unwrap();
    fs::write(path("long.sgf"), [b"(;C[", &vec![b'a'; (16 << 20) + 1][..], b"]B[d d])\n(;FF[4];B[d d])"].concat())
        .unwrap();
    fs::write(path("refused.sgf"), "no game").unwrap();
    let before = fs::metadata(path("good.sgf")).unwrap().modified().unwrap();
    let long = String::from_utf8(fs::read(path("long.sgf")).unwrap()).unwrap();

    let fixed = run(&["check", "--fix", str(&folder)]);
    assert_eq!(fs::read_to_string(path("sloppy.sgf")).unwrap(), "(;FF[4]SZ[9]\n;B[dd]W[jj])\n");
    // A game in which something is too long stays, and the next one is repaired.
    let expected = long.replace("(;FF[4];B[d d])", "(;FF[4];B[dd])");
    assert!(fs::read_to_string(path("long.sgf")).unwrap() == expected);
    assert_eq!(fs::metadata(path("good.sgf")).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "nothing is left beside them");
    assert!(fixed.stderr.contains("refused.sgf: not repaired: no SGF data\n"), "{}", fixed.stderr);
    assert!(fixed.text().contains("error[two-moves]") && !fixed.text().contains("square-size"), "{}", fixed.text());
    let summary = "sgf: 5 repairs in 2 files: 2 sloppy-value, 1 empty-value, 1 square-size, 1 unclosed-tree\n";
    let left = format!("sgf: 1 diagnostic left in 1 file: 1 game-too-long (first: {}:1:1)\n", str(&path("long.sgf")));
    assert!(fixed.stderr.contains(&left), "{}", fixed.stderr);
    assert!(fixed.stderr.contains(summary) && fixed.stderr.contains("sgf: 1 file refused\n"), "{}", fixed.stderr);
    assert_eq!(fixed.code, Some(1));

    let again = run(&["check", "--fix", "--json", str(&path("sloppy.sgf"))]);
    let end: Value = serde_json::from_str(again.lines().last().unwrap()).unwrap();
    assert_eq!(end["repaired"], serde_json::json!({}));
    let found = run_with(b"(;)", &["check", "--fix", "-"]);
    let expected = "sgf: error: --fix cannot be used with standard input; save it to a file first\n";
    assert_eq!((found.code, &*found.stderr), (Some(2), expected));
}

#[test]
fn what_a_repair_would_lose_stays_and_is_told() {
    let folder = directory("check-fix-left");
    let path = folder.join("a.sgf");
    let input = "From: a\n\n(;FF[4];B[aa];[a precious comment];W[b b])\n(;FF[4]SZ[9:9])\n";
    fs::write(&path, input).unwrap();
    let left = run(&["check", "--fix", str(&path)]);
    assert_eq!(fs::read_to_string(&path).unwrap(), input.replace("SZ[9:9]", "SZ[9]").replace("b b", "bb"));
    let note = "= note: left unchanged, because a repair would lose this; use --lossy to drop it\n";
    assert_eq!(left.text().matches(note).count(), 2, "{}", left.text());
    assert!(!left.text().contains("no diagnostics") && !left.text().contains("(--fix repairs"), "{}", left.text());
    let shown = str(&path);
    let summary = format!(
        "\
sgf: 2 repairs in 1 file: 1 sloppy-value, 1 square-size
sgf: 2 diagnostics left in 1 file: 1 junk-outside-tree (first: {shown}:1:1), \
1 value-without-ident (first: {shown}:3:15) (--lossy drops what a repair would lose)
"
    );
    assert_eq!((left.stderr.as_str(), left.code), (&*summary, Some(1)));
    // A second time nothing is done.
    let (before, changed) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    run(&["check", "--fix", str(&path)]);
    assert_eq!((fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap()), (before, changed));

    let lossy = run(&["check", "--fix", "--lossy", str(&path)]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "\n\n(;FF[4];B[aa];;W[bb])\n(;FF[4]SZ[9])\n");
    let summary = format!(
        "\
{shown}:1:1: warning: dropped [junk-outside-tree]: From: a
{shown}:3:15: warning: dropped [value-without-ident]: [a precious comment]
sgf: 2 fragments dropped in 1 file: 1 junk-outside-tree, 1 value-without-ident
"
    );
    assert_eq!((lossy.stderr.as_str(), lossy.code), (&*summary, Some(0)));
    assert_eq!(lossy.text(), "no diagnostics in 2 games, 1 file\n");
}

#[test]
fn a_dry_run_prints_a_diff_and_changes_nothing() {
    let folder = directory("check-fix-dry");
    let path = folder.join("a.sgf");
    let lines: String = (0..20).map(|n| format!("C[line {n}]\n")).collect::<String>().replace("]\nC[", "\n");
    let input = format!("(;FF[4]SZ[9:9]\n{lines};B[d d]\n;W[ee]\n(;[x])\n(;FF[4]GM[1];B[cut\n");
    let input = input.replace("(;[x])\n", "");
    fs::write(&path, &input).unwrap();
    let dry = run(&["check", "--fix", "--dry-run", str(&path)]);
    let shown = str(&path);
    let diff = format!(
        "\
--- {shown}
+++ {shown}
@@ -1,4 +1,4 @@
-(;FF[4]SZ[9:9]
+(;FF[4]SZ[9]
 C[line 0
 line 1
 line 2
@@ -19,6 +19,7 @@
 line 17
 line 18
 line 19]
-;B[d d]
-;W[ee]
+;B[dd]
+;W[ee])
 (;FF[4]GM[1];B[cut
+])
\\ No newline at end of file
"
    );
    assert_eq!(dry.text(), diff);
    assert_eq!(fs::read_to_string(&path).unwrap(), input);
    assert!(dry.stderr.contains("sgf: 5 repairs in 1 file: "), "{}", dry.stderr);
    // A truncated move is not a move: an error would be left.
    assert_eq!(dry.code, Some(1));

    // What the diff says is what --fix does.
    let fixed = run(&["check", "--fix", str(&path)]);
    assert_eq!(fixed.code, Some(1));
    let after = fs::read_to_string(&path).unwrap();
    assert_eq!(after, input.replace("9:9", "9").replace("d d", "dd").replace("[ee]\n", "[ee])\n") + "])");
    let again = run(&["check", "--fix", "--dry-run", str(&path)]);
    assert_eq!((again.text(), again.stderr.as_str(), again.code), ("", "", Some(1)));
    assert_eq!(run(&["check", "--dry-run", str(&path)]).code, Some(2));
    assert_eq!(run(&["check", "--lossy", str(&path)]).code, Some(2));
}

#[test]
fn what_cannot_be_read_is_code_2_and_the_rest_is_checked() {
    let folder = directory("check-missing");
    fs::write(folder.join("a.sgf"), "(;FF[4];TE[1])").unwrap();
    let run_both = run(&["check", "no-such-file", str(&folder)]);
    assert!(run_both.stderr.starts_with("sgf: error: no-such-file: "), "{}", run_both.stderr);
    assert!(run_both.text().contains("annotation-without-move"));
    assert_eq!(run_both.code, Some(2));
    assert_eq!(run(&["check"]).code, Some(2));
    assert_eq!(run(&["check", "--allow", "nonsense", "-"]).code, Some(2));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let quietly = (Some(0), String::new());
    let input = b"(;FF[4];TE[1])".repeat(300_000);
    assert_eq!(with_closed_pipe(&["check", "--max", "0", "-"], 0, &input), quietly);
    assert_eq!(with_closed_pipe(&["check", "--json", "-"], 0, &input), quietly);
}

#[test]
fn real_files_are_drawn() {
    let Some(corpus) = shared::path("corpus/permissive") else { return };
    let run = run(&["check", "--max", "1", "--strict", str(&corpus)]);
    let faults: Vec<&str> =
        run.stderr.lines().filter(|line| !line.contains(": no charset declared; decoding as ")).collect();
    assert_eq!((run.code, faults), (Some(1), vec![]));
    assert!(run.text().chars().all(|c| !c.is_control() || c == '\n'));
}

#[test]
fn a_summary_has_codes_properties_and_directories_with_an_example_of_each_code() {
    let dir = directory("check-summary");
    fs::create_dir_all(dir.join("x")).unwrap();
    fs::write(dir.join("x/a.sgf"), "(;FF[4]KM[6.];B[dd]W[pp]\n;B[ee]W[pp])".repeat(3)).unwrap();
    fs::write(dir.join("x/b.sgf"), "(;FF[4];B[dd]W[pp])").unwrap();
    fs::write(dir.join("c.sgf"), "(;FF[4];W[pp]XX[y]B[dd]TR[aa][aa]").unwrap();
    fs::write(dir.join("sound.sgf"), "(;FF[4];B[dd])").unwrap();
    let run_text = run(&["check", "--summary", str(&dir)]);
    let text = run_text.text().replace(str(&dir), "DIR");
    let first = "\
error[two-moves]: B: the node also has a white move
 --> DIR/c.sgf:1:19
  |
1 | (;FF[4];W[pp]XX[y]B[dd]TR[aa][aa]
  |                   ^
  |
  = note: the first of 8 diagnostics in 3 files
  = help: A node may contain only one move, because the order of two would be ambiguous. Put each move in its own node.
";
    assert!(text.contains(first), "{text}");
    assert_eq!(text.matches("error[two-moves]").count(), 1, "{text}");
    let tables = "
diagnostics    files  rule
          8        3  two-moves (error)
";
    assert!(text.contains(tables), "{text}");
    for line in [
        "         13        2  DIR/x",
        "          4        1  DIR",
        "         10           W",
        "          3           KM",
        "          1           XX",
        "          1           (none)",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    assert!(text.ends_with("in 3 of 4 files, 6 games (--fix repairs 5)\n"), "{text}");
    assert_eq!(run_text.code, Some(1));

    let json = run(&["check", "--summary", "--json", str(&dir)]).json();
    let codes = json["by_code"].as_array().unwrap();
    assert_eq!(
        (&codes[0]["code"], &codes[0]["diagnostics"], &codes[0]["files"]),
        (&"two-moves".into(), &8.into(), &3.into())
    );
    let example = &codes[0]["example"];
    assert_eq!((&example["line"], &example["column"], &example["property"]), (&1.into(), &19.into(), &"B".into()));
    assert_eq!(json["codes"]["two-moves"], 8);
    let properties = json["by_property"].as_array().unwrap();
    assert!(properties.contains(&serde_json::json!({"property": "KM", "diagnostics": 3})), "{json}");
    let sum =
        |list: &str| json[list].as_array().unwrap().iter().map(|row| row["diagnostics"].as_u64().unwrap()).sum::<u64>();
    let all = json["errors"].as_u64().unwrap() + json["warnings"].as_u64().unwrap();
    assert_eq!([sum("by_code"), sum("by_property"), sum("by_directory")], [all; 3]);
    let directories: Vec<_> =
        json["by_directory"].as_array().unwrap().iter().map(|row| row["directory"].clone()).collect();
    assert_eq!(directories, [format!("{}/x", str(&dir)), str(&dir).to_owned()]);

    let clean = check(b"(;FF[4];B[dd])", &["--summary"]);
    assert_eq!((clean.text(), clean.code), ("no diagnostics in 1 game, 1 file\n", Some(0)));
}

/// The memory of a summary does not grow with the number of diagnostics.
#[test]
fn a_summary_of_many_diagnostics_is_short() {
    let input: String =
        (0..20_000).map(|n| format!("(;FF[4]X{}[y];B[dd]W[pp]TE[3])", "ABCDEFGHIJ".get(n % 10..).unwrap())).collect();
    let run = check(input.as_bytes(), &["--summary"]);
    assert!(run.text().lines().count() < 60 && run.text().len() < 6000, "{}", run.text());
    let all = check(input.as_bytes(), &["--summary", "--max", "0"]);
    assert!(all.text().lines().count() > run.text().lines().count());
    let distinct: String = (0..12_000u32)
        .map(|n| {
            let letter = |n: u32| char::from_u32('A' as u32 + n % 26).unwrap();
            format!("(;FF[4]Q{}{}{}[y])", letter(n), letter(n / 26), letter(n / 676))
        })
        .collect();
    let json = check(distinct.as_bytes(), &["--summary", "--json"]).json();
    assert_eq!(json["by_property"].as_array().unwrap().len(), 10_000);
    assert!(json["dropped"]["by_property"].as_u64().unwrap() >= 2_000, "{}", json["dropped"]);
}

/// No message names a way that then refuses.
#[test]
fn the_ways_that_are_named_go_through() {
    let folder = directory("check-ways");
    let path = folder.join("a.sgf");
    let wide: Vec<u8> = "\u{FEFF}(;FF[4]SZ[9:9];B[dd]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bad_wide = b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0;\0B\0[\0a\0]\0".to_vec();
    let utf8_korean = "(;CA[ISO-2022-KR]PB[\u{AD6C}\u{B9AC}];B[d d]".as_bytes().to_vec();
    let mixed_korean = b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E1\x388.\x0F]PW[\xEA\xB5\xAC];B[d d])".to_vec();
    for input in [
        wide.clone(),
        bad_wide,
        utf8_korean.clone(),
        mixed_korean,
        b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E1\x388.\x0F];B[d d]".to_vec(),
        b"(;CA[HZ-GB-2312]PB[~{NbGeT4~}];B[d d]".to_vec(),
        b"(;CA[klingon]PB[\xE9];B[d d]".to_vec(),
        "(;CA[klingon]PB[\u{E9}];B[d d]".as_bytes().to_vec(),
        b"(;CA[UTF-8]PB[\xE9];B[d d]".to_vec(),
        b"(;CA[GBK]PB[\xE6\xA3]PW[\xC3\xA9];B[d d]".to_vec(),
        "(;CA[GBK]PB[\u{56F4}\u{68CB}];B[d d]".as_bytes().to_vec(),
        b"(;FF[4]P0[x];B[d d])".to_vec(),
        b"(;FF[4]KO;B[d d])mail".to_vec(),
        b"(;FF[3]L[aa]KI[11])".to_vec(),
        b"(;B[aa];W[".to_vec(),
        b"(;C[x];)] (A[y])".to_vec(),
        b"(;C[x];)] (FF[4]C[y])".to_vec(),
        b"(;C[x];)\n] (A[y])".to_vec(),
        b"(;B[aa]))mail".to_vec(),
        b"(A[y] mail)".to_vec(),
        b"(A[y] mail)(A[z])".to_vec(),
        b"(;B[aa] mail))(;B[bb])".to_vec(),
        b"(;B[aa]))\n)".to_vec(),
        b"hello".to_vec(),
        [b"(;B[d d])(;C[", &b"x".repeat(1 << 21)[..], b"])"].concat(),
    ] {
        let shown = input[..input.len().min(60)].escape_ascii().to_string();
        fs::write(&path, &input).unwrap();
        let way = |args: &[&str]| {
            let run = run(&[args, &[str(&path)]].concat());
            let said = format!("{shown} {args:?}:\n{}{}", String::from_utf8_lossy(&run.stdout), run.stderr);
            (run, said) // standard output may be in any charset
        };
        let (checked, said) = way(&["check"]);
        let promised = checked.text().split_once("(--fix repairs ").map(|(_, rest)| rest.split(')').next().unwrap());
        let promised: u64 = promised.map_or(0, |count| count.parse().unwrap());
        assert!(input != b"hello" || !said.contains("--lossy"), "{said}");
        let (listed, _) = way(&["check", "--json"]);
        let fixable = listed.text().matches("\"fixable\":true").count() as u64;
        assert!([0, fixable].contains(&promised), "{fixable} diagnostics have a repair: {said}");
        let (fixed, fix_said) = way(&["check", "--fix", "--json"]);
        let end: Value = serde_json::from_str(fixed.lines().last().unwrap()).unwrap();
        let repaired: u64 = end["repaired"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert!(promised > 0 || repaired == 0, "{said}{fix_said}");
        fs::write(&path, &input).unwrap();
        let (fixed, said) = way(&["check", "--fix"]);
        let makes_utf8 = fixed.stderr.contains("`sgf fmt` converts it to UTF-8");
        if fixed.stderr.contains("--lossy") {
            let (lossy, lossy_said) = way(&["check", "--fix", "--lossy"]);
            assert!(!lossy.stderr.contains(" left in "), "{said}{lossy_said}");
        }
        for style in [&["fmt"][..], &["fmt", "--exact"]] {
            fs::write(&path, &input).unwrap();
            let (written, said) = way(style);
            if makes_utf8 || written.stderr.contains("`sgf fmt` converts it to UTF-8") {
                let (utf8, said) = way(&["fmt"]);
                assert!(utf8.code == Some(0) && std::str::from_utf8(&utf8.stdout).is_ok(), "{said}");
                assert!(!utf8.stdout.is_ascii() || input.starts_with(&wide), "{said}");
            }
            if written.stderr.contains("--lossy") {
                let (lossy, lossy_said) = way(&[style, &["--lossy"]].concat());
                assert!(!lossy.stderr.contains("as it is"), "{said}{lossy_said}");
                assert!(lossy.stdout != written.stdout, "{said}{lossy_said}");
            }
        }
    }
    // What the explanations say that `fmt` converts.
    for (input, output, code) in [
        ("(;FF[4];L[aa])", "(;FF[4]\n;LB[aa:A])\n", "property-not-in-version"),
        ("(;FF[4]KI[13])", "(;FF[4]KM[6.5])\n", "superseded-property"),
    ] {
        let explained = run(&["check", "--explain", code]);
        let words: Vec<&str> = explained.text().split_whitespace().collect();
        assert!(words.join(" ").contains("`sgf fmt` converts it"), "{}", explained.text());
        assert!(check(input.as_bytes(), &[]).text().contains(code), "{input}");
        assert_eq!(run_with(input.as_bytes(), &["fmt", "-"]).text(), output);
    }
    // Nothing helps against a game that is too long.
    fs::write(
        &path,
        [&b"(;B[d d]"[..], &[b";C[", &b"x".repeat(1000)[..], b"]"].concat().repeat(18_000), b")"].concat(),
    )
    .unwrap();
    let long = run(&["check", "--fix", "--dry-run", str(&path)]);
    assert!(long.stderr.contains("1 game-too-long") && !long.stderr.contains("--lossy"), "{}", long.stderr);
    // Of what is in an archive or transcoded, nothing is repaired, and that is not promised.
    fs::write(&path, &wide).unwrap();
    assert!(!run(&["check", str(&path)]).text().contains("(--fix repairs"));
}

/// What else is in their game, or between games, does not matter. Nothing is said of files that nobody can rewrite.
#[test]
fn the_last_line_counts_the_diagnostics_that_have_a_repair() {
    let folder = directory("check-fixable");
    let path = |name: &str| folder.join(name);
    let games = "mail (;FF[4]SZ[9:9] junk KM[6.]\n;B[d d]P0[x](FF[4]KO;W[d d]))\n] (A[y]C[cut";
    fs::write(path("a.sgf"), games).unwrap();
    let said = |args: &[&str]| {
        let run = run(&[&["check"], args, &[str(&folder)]].concat());
        (run.text().to_owned(), run.stderr)
    };
    let listed = || said(&["--json"]).0.matches("\"fixable\":true").count();
    let fixable = listed();
    assert!(fixable > 4, "{fixable}");
    let promise = format!(" (--fix repairs {fixable})\n");
    for args in [&[][..], &["--max", "1"], &["--summary"], &["--threads", "1"]] {
        assert!(said(args).0.ends_with(&promise), "{fixable}: {}", said(args).0);
    }
    assert!(run_with(games.as_bytes(), &["check", "-"]).text().ends_with(&promise));
    // A transcoded file and an archive have such diagnostics, and stay as they are.
    let wide: Vec<u8> = format!("\u{FEFF}{games}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(path("wide.sgf"), wide).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, games.as_bytes()).unwrap();
    fs::write(path("packed.sgf.gz"), packed.finish().unwrap()).unwrap();
    assert_eq!(listed(), 3 * fixable);
    assert!(said(&[]).0.ends_with(&promise), "{}", said(&[]).0);
    // Nobody who has repaired his files is told to do it.
    let (text, repaired) = said(&["--fix"]);
    assert!(!text.contains("(--fix repairs") && repaired.contains(" repairs in "), "{text}{repaired}");
}

/// The row of the rule decides that, and nothing else.
#[test]
fn what_fix_keeps_says_so() {
    let file = directory("check-kept").join("a.sgf");
    for (args, notes) in [(&["--fix"][..], 4), (&[], 0), (&["--fix", "--lossy"], 0)] {
        fs::write(&file, "mail (;FF[4]KM[6.] x KO;[y]B[zz])").unwrap();
        let run = run(&[&["check"], args, &[str(&file)]].concat());
        let note = "  = note: left unchanged, because a repair would lose this; use --lossy to drop it\n";
        assert_eq!(run.text().matches(note).count(), notes, "{args:?}: {}", run.text());
    }
}

/// Each code that says `--fix repairs it`, or `--fix --lossy drops it`.
#[test]
fn what_explanations_say_of_repairs_is_so() {
    let folder = directory("check-explained");
    let path = folder.join("a.sgf");
    let cases = [
        ("duplicate-property", "(;FF[4];AB[aa]AB[bb])"),
        ("extra-values", "(;FF[4]KM[6][6])"),
        ("second-application", "(;FF[4]AP[a:1]AP[a:1])"),
        ("sloppy-value", "(;FF[4]KM[6.])"),
        ("empty-value", "(;FF[4]KM[])"),
        ("empty-text", "(;FF[4]PB[])"),
        ("square-size", "(;FF[4]SZ[9:9])"),
        ("number-out-of-range", "(;FF[4]KM[750])"),
        ("duplicate-point", "(;FF[4];AB[aa][aa])"),
        ("extra-close-paren", "(;FF[4]))"),
        ("lowercase-in-ident", "(;FF[4]CoPyright[x])"),
        ("missing-semicolon", "(FF[4])"),
        ("tree-without-nodes", "(;FF[4]())"),
        ("node-after-variation", "(;FF[4](;B[aa]);W[bb])"),
        ("unclosed-tree", "(;FF[4]"),
        ("missing-close-paren", "(;FF[4]\n(;FF[4])"),
        ("unterminated-value", "(;FF[4]C[x"),
        ("missing-close-bracket", "(;FF[4]C[x\n(;FF[4])"),
        ("unescaped-bracket", "(;FF[4]PB[Foo [3d]])"),
        ("cut-character", "(;CA[Big5]C[\u{A6}];FF[4])"),
        ("charset-mismatch", "(;FF[4]CA[latin1]C[\u{56F4}])"),
        ("junk-outside-tree", "mail (;FF[4])"),
        ("junk-in-tree", "(;FF[4] x )"),
        ("property-without-value", "(;FF[4]KO)"),
        ("value-without-ident", "(;[x]FF[4])"),
    ];
    let all = run(&["check", "--explain", "all"]);
    let ways = ["; --fix repairs it", "; --fix --lossy drops it"];
    for head in all.text().lines().filter(|line| ways.iter().any(|way| line.contains(way))) {
        let code = head.split(' ').next().unwrap();
        let (_, input) = cases.iter().find(|(known, _)| *known == code).unwrap_or_else(|| panic!("no case for {head}"));
        let mut bytes = input.as_bytes().to_vec();
        if code == "cut-character" {
            bytes = b"(;CA[Big5]C[\xA6];B[aa])".to_vec();
        }
        fs::write(&path, bytes).unwrap();
        let found = run(&["check", "--warn", "all", str(&path)]);
        assert!(found.text().contains(&format!("warning[{code}]")), "{code}: {}", found.text());
        let is_lossy = head.contains("--lossy");
        let args: &[&str] = if is_lossy { &["--fix", "--lossy"] } else { &["--fix"] };
        let fixed = run(&[&["check", "--warn", "all"], args, &[str(&path)]].concat());
        let done = if is_lossy { " dropped in " } else { " repair" };
        assert!(!fixed.text().contains(&format!("[{code}]")), "{code}: {}", fixed.text());
        assert!(fixed.stderr.contains(done) && fixed.stderr.contains(code), "{code}: {}", fixed.stderr);
    }
}

#[test]
fn diagnostics_about_points_have_a_board() {
    let game =
        "(;GM[1]FF[4]CA[UTF-8]AP[a:1]SZ[5];B[bb];W[cb];B[bb];W[aa])(;GM[1]FF[4]CA[UTF-8]AP[a:1]SZ[5];B[aa];W[aa])";
    let drawn = run_with(game.as_bytes(), &["check", "--boards", "always", "-"]);
    let board = "
      A B C D E
     5 ┌─┬─┬─┬─┐ 5
     4 ├(■)○─┼─┤ 4
     3 ├─┼─┼─┼─┤ 3
     2 ├─┼─┼─┼─┤ 2
     1 └─┴─┴─┴─┘ 1
      A B C D E
";
    let lines = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert!(lines(drawn.text()).contains(lines(board).trim()), "{}", drawn.text());
    // With the explanation of the rule only.
    assert_eq!((drawn.text().matches('┌').count(), drawn.text().matches("occupied-point").count()), (1, 2));
    for args in
        [&["check", "-"][..], &["check", "--boards", "never", "-"], &["check", "--boards", "always", "--json", "-"]]
    {
        assert!(!run_with(game.as_bytes(), args).text().contains('┌'), "{args:?}");
    }
    let other = "(;GM[1]FF[4]CA[UTF-8]AP[a:1]SZ[5]KM[x];B[bb])";
    assert!(!run_with(other.as_bytes(), &["check", "--boards", "always", "-"]).text().contains('┌'));
}

#[test]
fn what_is_found_before_a_file_breaks_off_is_summed_up() {
    let folder = directory("check/broken-gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let games = b"(;FF[4]SZ[9];B[zz])\n".repeat(2_000);
    let games: Vec<u8> = games
        .iter()
        .enumerate()
        .flat_map(|(n, &b)| if b == b'\n' { format!("{n}\n").into_bytes() } else { vec![b] })
        .collect();
    std::io::Write::write_all(&mut packed, &games).unwrap();
    let packed = packed.finish().unwrap();
    let file = folder.join("a.sgf.gz");
    fs::write(&file, &packed[..packed.len() / 2]).unwrap();
    let run = run(&["check", str(&file)]);
    assert_eq!(run.code, Some(2));
    let last = run.lines().last().copied().unwrap_or_default().to_owned();
    assert!(last.contains(" errors, ") && !last.starts_with("0 errors"), "{last}");
    let run = super::run(&["check", "--json", str(&file)]);
    let sum: Value = serde_json::from_str(run.lines().last().unwrap()).unwrap();
    assert!(sum["errors"].as_u64() > Some(0) && sum["games"].as_u64() > Some(0), "{sum}");
}

/// Its charset is known when it has ended, although a sample of four bytes would be better.
#[test]
fn a_first_game_of_three_bytes_is_repaired() {
    let folder = directory("check-three-bytes");
    let file = folder.join("game.sgf");
    for (input, output) in [("(;(;GM[1]", "(;)(;GM[1])"), ("(;", "(;)")] {
        fs::write(&file, input).unwrap();
        run(&["check", "--fix", str(&file)]);
        assert_eq!(fs::read_to_string(&file).unwrap(), output);
    }
}

#[test]
fn files_with_diagnostics_are_listed() {
    let top = super::directory("check/list");
    let names = ["a b.sgf", "bad.sgf", "clean.sgf", "cut.sgf"];
    for (name, game) in names.iter().zip(["(;FF[4]GM[1]KM[x])", "(;FF[4]GM[1]RE[x])", "(;FF[4]GM[1])", "(;FF[4]GM[1]"])
    {
        fs::write(top.join(name), game).unwrap();
    }
    let listed = |args: &[&str], end: char| {
        let run = run(&[&["check"], args, &[str(&top)]].concat());
        assert_eq!(run.stderr, "", "{args:?}");
        let front = format!("{}/", str(&top));
        let names: Vec<_> =
            run.text().split_terminator(end).map(|name| name.strip_prefix(&front).unwrap().to_owned()).collect();
        (names.join(" | "), run.code)
    };
    for (args, expected, code) in [
        (&["-l"][..], "a b.sgf | bad.sgf | cut.sgf", 1),
        (&["--list", "--only", "bad-game-info"], "a b.sgf | bad.sgf", 1),
        (&["--list", "--only", "missing-close-paren,unclosed-tree"], "cut.sgf", 0),
        (&["--list", "--only", "missing-close-paren,unclosed-tree", "--deny", "all"], "cut.sgf", 1),
        (&["--list", "--only", "missing-version"], "", 0),
        (&["--list", "--only", "two-moves"], "", 0),
        (&["-l", "--allow", "bad-game-info", "--max", "0"], "cut.sgf", 0),
    ] {
        assert_eq!(listed(args, '\n'), (expected.to_owned(), Some(code)), "{args:?}");
        assert_eq!(listed(&[args, &["-0"]].concat(), '\0'), (expected.to_owned(), Some(code)), "{args:?} -0");
    }
    // The list is one that other commands read.
    let names = run(&["check", "-l0", str(&top)]);
    let records = super::run_with(&names.stdout, &["records", "--files0-from", "-", "--columns", "file"]);
    assert_eq!(records.lines().len(), 3);
    for args in
        [&["check", "-0"][..], &["check", "-l", "--json"], &["check", "-l", "--fix"], &["check", "-l", "--summary"]]
    {
        assert_eq!(run(&[args, &[str(&top)]].concat()).code, Some(2), "{args:?}");
    }
    let formatted = run(&["fmt", "--check", "-0", str(&top)]);
    assert_eq!(formatted.text().matches('\0').count(), 4, "{}", formatted.text());
}

#[test]
fn only_the_named_rules_are_reported() {
    let game = b"(;GM[1]KM[x];B[aa]W[bb];;C[x])";
    for (args, expected) in [
        (&["--only", "two-moves"][..], &["two-moves"][..]),
        (&["--only", "two-moves,empty-node"], &["empty-node", "two-moves"]),
        (&["--only", "style", "--allow", "empty-node"], &["missing-version"]),
        (&["--only", "two-moves", "--only", "bad-game-info"], &["bad-game-info", "two-moves"]),
        (&["--only", "two-moves", "--strict"], &["two-moves"]),
        (&["--only", "two-moves", "--allow", "two-moves"], &[]),
    ] {
        let run = check(game, &[args, &["--json"]].concat());
        let totals: serde_json::Value = serde_json::from_str(run.lines().last().unwrap()).unwrap();
        let codes: Vec<_> = totals["codes"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(codes, expected, "{args:?}");
    }
}

/// The rows by property, game and type.
fn value_rows(input: &[u8]) -> Vec<Value> {
    check(input, &["--summary", "--json"]).json()["values"].as_array().expect("a list").clone()
}

fn value_row(rows: &[Value], property: Value, game: Value) -> [u64; 4] {
    let found = rows.iter().find(|row| row["property"] == property && row["game"] == game);
    let row = found.unwrap_or_else(|| panic!("{property} of {game} in {rows:?}"));
    ["values", "strict", "lenient", "unread"].map(|field| row[field].as_u64().unwrap())
}

#[test]
fn values_are_counted_by_how_they_read() {
    let rows = value_rows(b"(;FF[4]RE[B+R]KM[6.5];B[dd];W[d4];B[zz])(;RE[b+r]KM[six];B[])");
    assert_eq!(value_row(&rows, json!("RE"), Value::Null), [2, 1, 1, 0]);
    assert_eq!(value_row(&rows, json!("KM"), json!("Go")), [2, 1, 0, 1]);
    // Beside the board is a point all the same, leniently; what people call D4 is one on a board.
    assert_eq!(value_row(&rows, json!("B"), Value::Null), [3, 2, 1, 0]);
    assert_eq!(value_row(&rows, json!("W"), Value::Null), [1, 0, 1, 0]);
    let komi = rows.iter().find(|row| row["property"] == "KM").unwrap();
    assert_eq!(komi["samples"], json!([["six", 1]]));
}

#[test]
fn a_round_is_free_text_and_a_rank_is_not() {
    let rows = value_rows("(;RO[Final]BR[201])(;RO[5 (final)])(;RO[ab])(;RO[제3국]WR[초단])".as_bytes());
    assert_eq!(value_row(&rows, json!("RO"), Value::Null), [4, 4, 0, 0]);
    assert_eq!(value_row(&rows, json!("BR"), Value::Null), [1, 0, 0, 1]);
    assert_eq!(value_row(&rows, json!("WR"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn the_game_and_the_size_of_a_root_hold_for_what_stands_before_them() {
    let rows = value_rows(b"(;AW[c3]GM[11];B[a1])(;AB[ss]SZ[9])");
    assert_eq!(value_row(&rows, json!("AW"), Value::Null), [1, 1, 0, 0]);
    assert_eq!(value_row(&rows, json!("AB"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn ranks_in_other_charsets_are_decoded_first() {
    let rows = value_rows(b"(;BR[9\xB6\xCE]CA[GB2312])");
    assert_eq!(value_row(&rows, json!("BR"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn identifiers_that_nobody_knows_are_counted_together() {
    let rows = value_rows(b"(;QQQ[1]QQQ[2]XQX[3])");
    assert_eq!(value_row(&rows, Value::Null, Value::Null), [3, 0, 0, 3]);
    assert_eq!(rows.last().unwrap()["samples"], json!([["QQQ", 2], ["XQX", 1]]));
}

#[test]
fn a_summary_shows_values_that_are_not_of_their_type() {
    let input = b"(;FF[4]KM[six]KM[five]KM[five]DT[1996])(;FF[4]RE[b+r];B[dd])";
    let run = check(input, &["--summary", "--max", "1"]);
    let (_, table) = run.text().split_once("     values      strict   lenient    unread  property\n").expect("a table");
    let lines: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(lines[..3], ["3 0 0 3 KM (Go) 2 × [five] 1 × [six]", "1 more (--max 0 shows them)", ""]);
}
