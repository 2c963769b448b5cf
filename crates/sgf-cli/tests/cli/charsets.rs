//! The charsets of games, as all commands name them. The last test goes through `../shared`, where it exists.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use sgf_stream::charset::Charset;

use super::{directory, run, run_with, shared, str};

/// 围棋是一种策略棋类 in GBK.
const GBK: &[u8] = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5\xC0\xE0";
const GBK_IN_UTF8: &str = "围棋是一种策略棋类";

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn rows(args: &[&str], input: &[u8]) -> Vec<Value> {
    let run = run_with(input, &[&["records", "--format", "jsonl"], args].concat());
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The column, the table of `scan`, and the report of one game.
#[track_caller]
fn assert_charset(game: &[u8], column: &str, in_scan: &str, is_mismatch: bool) {
    let shown = game.escape_ascii().to_string();
    assert_eq!(rows(&["--columns", "charset", "-"], game), [json!({"charset": column})], "{shown}");
    let scan = run_with(game, &["scan", "--json", "-"]).json();
    assert_eq!(scan["charset"], json!({in_scan: 1}), "{shown}");
    assert_eq!(scan["charset_mismatch"], u64::from(is_mismatch), "{shown}");
    let report = run_with(game, &["report", "--json", "-", "-"]).json();
    assert_eq!(pairs(&report).into_values().sum::<u64>(), 1, "{shown}");
    assert_eq!(pairs(&report).into_keys().next().unwrap().1, column, "{shown}");
}

/// The games of a report by the charset that CA names, and the one that was found.
fn pairs(report: &Value) -> BTreeMap<(String, String), u64> {
    let section = report["sections"].as_array().unwrap().iter().find(|section| section["id"] == "charsets").unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| ((text(&row[0]), text(&row[1])), row[2].as_u64().unwrap());
    section["figures"][0]["rows"].as_array().unwrap_or_else(|| panic!("{section}")).iter().map(row).collect()
}

#[test]
fn the_column_the_scan_and_the_report_name_one_charset() {
    let korean = "이창호".as_bytes();
    for (ca, text, column, in_scan, is_mismatch) in [
        // The declared charset is false.
        (&b"CA[ISO-2022-KR]"[..], korean, "UTF-8", "UTF-8", true),
        (b"CA[windows-1252]", korean, "UTF-8", "UTF-8", true),
        (b"CA[foo]", korean, "UTF-8", "UTF-8", true),
        (b"CA[UTF-8]", GBK, "GBK", "GBK", true),
        (b"CA[foo]", GBK, "GBK", "GBK", true),
        // ASCII contradicts nothing.
        (b"CA[ISO-2022-KR]", b"b+res", "ISO-2022-KR", "ASCII", false),
        (b"CA[gb2312]", b"b+res", "GBK", "ASCII", false),
        (b"", b"b+res", "UTF-8", "ASCII", false),
        // The declared charset is true, or there is none.
        (b"CA[gb2312]", GBK, "GBK", "GBK", false),
        (b"CA[ISO-2022-KR]", b"\x1B$)C\x0E\x30\x21\x0F", "ISO-2022-KR", "ISO-2022-KR", false),
        (b"", GBK, "GBK", "GBK", false),
        (b"", korean, "UTF-8", "UTF-8", false),
    ] {
        assert_charset(&join(&[b"(;", ca, b"PB[", text, b"];B[aa])"]), column, in_scan, is_mismatch);
        // If the root is ASCII, the texts after it tell.
        assert_charset(&join(&[b"(;", ca, b";B[aa];C[", text, b"])"]), column, in_scan, is_mismatch);
    }
    // A file that is transcoded as a whole.
    let wide: Vec<u8> = "(;CA[UTF-16]PB[Lee];B[aa])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_charset(&join(&[b"\xFF\xFE", &wide]), "UTF-16LE", "UTF-16LE", false);
}

#[test]
fn texts_are_read_in_the_charset_that_is_found() {
    for ca in ["CA[UTF-8]", "CA[foo]", ""] {
        let game = join(&[b"(;", ca.as_bytes(), b"PB[", GBK, b"])"]);
        assert_eq!(rows(&["--columns", "black", "-"], &game), [json!({"black": GBK_IN_UTF8})], "{ca}");
        // Whatever the columns are.
        let row = &rows(&["--columns", "charset,black", "-"], &game)[0];
        assert_eq!((&row["black"], &row["charset"]), (&json!(GBK_IN_UTF8), &json!("GBK")), "{ca}");
    }
    // Nothing is guessed where faults are errors.
    let game = join(&[b"(;CA[UTF-8]PB[", GBK, b"])"]);
    let strict = run_with(&game, &["records", "--strict", "--fields", "PB", "-"]);
    assert_eq!(strict.code, Some(1));
}

#[test]
fn a_text_that_is_ambiguous_alone_is_read_like_the_others() {
    let (short, long) = (&b"\xB3\xC2"[..], [GBK, GBK].concat()); // 陈
    let sentence = GBK_IN_UTF8.repeat(2);
    for (texts, decoded) in [
        ([&b"x"[..], &long, short], ["x", &*sentence, "陈"]),
        ([b"x", short, &long], ["x", "陈", &*sentence]),
        ([short, b"x", &long], ["陈", "x", &*sentence]),
        ([short, &long, b"x"], ["陈", &*sentence, "x"]),
    ] {
        let game = join(&[b"(;PB[", texts[0], b"];B[aa]C[", texts[1], b"];W[bb](;B[cc]C[", texts[2], b"])(;B[dd]))"]);
        assert_charset(&game, "GBK", "GBK", false);
        assert_eq!(rows(&["--columns", "black", "-"], &game), [json!({"black": decoded[0]})]);
        let moves = rows(&["--table", "moves", "--columns", "comment", "-"], &game);
        assert_eq!(moves, [json!({"comment": decoded[1]}), json!({}), json!({"comment": decoded[2]})]);
        let values = rows(&["--table", "properties", "--columns", "value", "-"], &game);
        let expected =
            [decoded[0], "aa", decoded[1], "bb", "cc", decoded[2], "dd"].map(|value| json!({"value": value}));
        assert_eq!(values, expected);
        let shown = run_with(&game, &["show", "--tree", "-"]);
        assert!(shown.text().starts_with(&format!("{} – ?", decoded[0])), "{}", shown.text());
        let written = run_with(&game, &["fmt", "--guess-charset", "-"]);
        decoded.iter().for_each(|text| assert!(written.text().contains(&format!("[{text}]")), "{}", written.text()));
    }
}

#[test]
fn ascii_in_a_seven_bit_charset_is_a_file_like_others() {
    let folder = directory("charsets-ascii");
    let game = b"(;FF[4]GM[1]CA[ISO-2022-KR]SZ[19:19]RE[b+res];B[aa])";
    let large = [&game[..], b"\n"].concat().repeat(2000);
    for (name, bytes) in [("a.sgf", game.to_vec()), ("large.sgf", large)] {
        let path = folder.join(name);
        fs::write(&path, &bytes).unwrap();
        let fixed = run(&["check", "--fix", str(&path)]);
        assert!(!fixed.stderr.contains("not repaired"), "{name}: {}", fixed.stderr);
        assert!(fs::read(&path).unwrap().starts_with(b"(;FF[4]GM[1]CA[ISO-2022-KR]SZ[19]RE["), "{name}");
    }
    let out = folder.join("games");
    let split = run(&["split", "--games", str(&folder.join("a.sgf")), "--to", str(&out)]);
    assert_eq!(
        (split.code, split.stderr.contains("cannot be split byte for byte")),
        (Some(0), false),
        "{}",
        split.stderr
    );
    let large = folder.join("large.sgf");
    let unrepaired = [&game[..], b"\n"].concat().repeat(2000);
    for (end, is_plain) in [(&b""[..], true), (b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E1\x388.\x0F])\n", false)] {
        fs::write(&large, [&unrepaired[..], end].concat()).unwrap();
        let out = folder.join(format!("games-{is_plain}"));
        let split = run(&["split", "--games", str(&large), "--to", str(&out)]);
        assert_eq!(split.stderr.contains("cannot be split byte for byte"), !is_plain, "{}", split.stderr);
        assert_eq!(split.code, Some(if is_plain { 0 } else { 2 }));
        let exact = run(&["fmt", "--exact", str(&large)]);
        assert_eq!((exact.code, exact.stderr.contains("left unchanged")), (Some(i32::from(!is_plain)), !is_plain));
    }
    // With a shift, it is transcoded as ever.
    let shifted = b"(;CA[ISO-2022-KR]SZ[19:19]PB[\x1B$)C\x0E1\x388.\x0F])";
    let path = folder.join("shifted.sgf");
    fs::write(&path, shifted).unwrap();
    assert!(run(&["check", "--fix", str(&path)]).stderr.contains("not repaired"));
    assert_eq!(fs::read(&path).unwrap(), shifted);
}

#[test]
fn a_guess_is_written_for_those_who_believe_it() {
    let folder = directory("charsets-guess");
    let path = folder.join("a.sgf");
    let game = |head: &[u8], tail: &[u8]| join(&[b"(;", head, b"C[", GBK, tail, b"])"]);
    for (input, fixed, in_utf8) in [
        (game(b"FF[4]", b""), game(b"CA[GBK]FF[4]", b""), format!("(;FF[4]CA[UTF-8]C[{GBK_IN_UTF8}])\n")),
        (game(b"FF[4]CA[foo]", b""), game(b"FF[4]CA[GBK]", b""), format!("(;FF[4]CA[UTF-8]C[{GBK_IN_UTF8}])\n")),
        (game(b"FF[4]CA[UTF-8]", b""), game(b"FF[4]CA[GBK]", b""), format!("(;FF[4]CA[UTF-8]C[{GBK_IN_UTF8}])\n")),
        (game(b"FF[4]CA[gb2312]", b""), game(b"FF[4]CA[gb2312]", b""), format!("(;FF[4]CA[UTF-8]C[{GBK_IN_UTF8}])\n")),
    ] {
        fs::write(&path, &input).unwrap();
        assert_eq!(run(&["check", "--fix", str(&path)]).code.map(|code| code < 2), Some(true));
        assert_eq!(fs::read(&path).unwrap(), input, "nothing is guessed without the option");
        for _ in 0..2 {
            run(&["check", "--fix", "--guess-charset", str(&path)]);
            assert_eq!(fs::read(&path).unwrap().escape_ascii().to_string(), fixed.escape_ascii().to_string());
        }
        let formatted = run_with(&input, &["fmt", "--guess-charset", "-"]);
        assert!(!formatted.stderr.contains("writes it into CA"), "{}", formatted.stderr);
        assert_eq!((formatted.text(), formatted.code), (&*in_utf8, Some(0)));
    }
    // A game that stays as it is gets its CA, and so does one whose texts are in UTF-8.
    let junk =
        join(&[b"(;PB[", GBK, b"]junk PW[x];B[aa])\n(;CA[ISO-2022-KR]PB[", "구리".as_bytes(), b"]junk PW[x];B[bb])"]);
    let labelled =
        join(&[b"(;CA[GBK]PB[", GBK, b"]junk PW[x];B[aa])\n(;CA[UTF-8]PB[", "구리".as_bytes(), b"]junk PW[x];B[bb])"]);
    fs::write(&path, &junk).unwrap();
    run(&["check", "--fix", "--guess-charset", str(&path)]);
    assert_eq!(fs::read(&path).unwrap().escape_ascii().to_string(), labelled.escape_ascii().to_string());
    let first = junk.split(|byte| *byte == b'\n').next().unwrap();
    let formatted = run_with(first, &["fmt", "--guess-charset", "-"]);
    assert_eq!(
        formatted.stdout.escape_ascii().to_string(),
        join(&[b"(;CA[GBK]", &first[2..], b"\n"]).escape_ascii().to_string()
    );
    // A root without `;` gets both.
    fs::write(&path, join(&[b"(PB[", GBK, b"]FF[4];B[aa])"])).unwrap();
    run(&["check", "--fix", "--guess-charset", str(&path)]);
    assert!(fs::read(&path).unwrap().starts_with(b"(;CA[GBK]PB["));
}

#[test]
fn a_guess_that_may_be_false_is_not_written() {
    let folder = directory("charsets-doubt");
    let path = folder.join("a.sgf");
    for (name, game) in [
        // UTF-8 that lost bytes to `?`, with and without a character that is whole.
        ("damaged", &b"(;FF[4]GN[9\xE6\xAE\xB5]PB[\xE9\x9D\x92\xE5\xB1\xB1\xE4\xBE?\xE4\xBE?])\n"[..]),
        ("all damaged", b"(;FF[4]PB[\xE4\xBE?\xE4\xBE?])\n"),
        ("half UTF-8", b"(;FF[4]PB[\xC3\xA9t\xC3\xA9]PW[\xE9t\xE9])\n"),
        ("false CA", b"(;FF[4]CA[ISO-2022-KR]PB[\xC3\xA9 \xE9t\xE9])\n"),
        // The tool does not know these charsets.
        ("cp437", b"(;FF[4]CA[cp437]PB[caf\x82])\n"),
        ("x-mac-japanese", b"(;FF[4]CA[x-mac-japanese]PB[\x95\x5C\x8E\xA6])\n"),
        ("VISCII", b"(;FF[4]CA[VISCII]PB[Nguy\xAEn])\n"),
    ] {
        fs::write(&path, game).unwrap();
        run(&["check", "--fix", "--guess-charset", str(&path)]);
        assert_eq!(fs::read(&path).unwrap().escape_ascii().to_string(), game.escape_ascii().to_string(), "{name}");
        let formatted = run_with(game, &["fmt", "--guess-charset", "-"]);
        assert!(!String::from_utf8_lossy(&formatted.stdout).contains("CA[windows"), "{name}");
        if name == "x-mac-japanese" {
            continue; // canonical form drops its 5C, which is an escape in charsets that are not known
        }
        assert_eq!(formatted.stdout.escape_ascii().to_string(), game.escape_ascii().to_string(), "{name}");
    }
}

#[test]
fn a_ca_that_is_changed_in_a_game_that_stays_is_said() {
    let folder = directory("charsets-said");
    let path = folder.join("a.sgf");
    let game = join(&[b"(;FF[4]CA[foo]PB[", GBK, b"];B[aa]foo[bar])\n"]);
    fs::write(&path, &game).unwrap();
    let formatted = run_with(&game, &["fmt", "--guess-charset", "-"]);
    assert!(formatted.stderr.contains("[charset-mismatch]\n"), "{}", formatted.stderr);
    assert!(formatted.stdout.starts_with(b"(;FF[4]CA[GBK]"));
    let fixed = run(&["check", "--fix", "--guess-charset", str(&path)]);
    let repaired = "sgf: 1 repair in 1 file: 1 charset-mismatch\n";
    let left = format!("1 diagnostic left in 1 file: 1 junk-in-tree (first: {}:1:", str(&path));
    assert!(fixed.stderr.contains(repaired) && fixed.stderr.contains(&left), "{}", fixed.stderr);
    assert!(fs::read(&path).unwrap().starts_with(b"(;FF[4]CA[GBK]"));
    // A second run changes nothing, and says so.
    let fixed = run(&["check", "--fix", "--guess-charset", str(&path)]);
    assert!(fixed.stderr.starts_with(&format!("sgf: {left}")), "{}", fixed.stderr);
    let formatted = run_with(&fs::read(&path).unwrap(), &["fmt", "--guess-charset", "-"]);
    assert!(
        formatted.stderr.contains("; this was left unchanged (use --lossy to drop it) [junk-in-tree]"),
        "{}",
        formatted.stderr
    );
}

#[test]
fn fmt_replaces_an_unknown_ca_where_the_texts_are_in_utf8() {
    let formatted = run_with("(;FF[4]CA[foo]PB[구리])".as_bytes(), &["fmt", "-"]);
    assert_eq!((formatted.text(), &*formatted.stderr), ("(;FF[4]CA[UTF-8]PB[구리])\n", ""));
}

#[test]
fn a_run_over_many_files_has_one_line_for_each_kind() {
    let folder = directory("charsets-notes");
    for n in 0..7 {
        fs::write(folder.join(format!("{n}.sgf")), join(&[b"(;FF[4]C[", GBK, b"];B[aa]"])).unwrap();
    }
    let note = "0.sgf: no charset declared; decoding as GBK (detected; use --default-charset to override), as in 6 more files; \
                --verbose names all; `sgf check";
    for args in [
        &["check"][..],
        &["check", "--fix"],
        &["fmt", "--check"],
        &["fmt", "--write"],
        &["fmt", "--write"],
        &["records"],
        &["records", "--diagnostics", "all"],
        &["records", "--diagnostics", "summary"],
        &["find", "X"],
        &["show", "--tree"],
    ] {
        let said = |option: &[&str]| {
            let ran = run(&[args, option, &[str(&folder)]].concat());
            let about = ran.stderr.lines().filter(|line| line.contains("no charset declared"));
            about.map(str::to_owned).collect::<Vec<_>>()
        };
        let summed = said(&[]);
        assert!(summed.len() == 1 && summed[0].contains(note), "{args:?}: {summed:?}");
        assert_eq!(said(&["--verbose"]).len(), 7, "{args:?}");
        assert!(said(&["--quiet"]).is_empty(), "{args:?}");
    }
    fs::write(folder.join("junk.sgf"), b"(;FF[4]PB[x]junk PW[y])\n").unwrap();
    fs::write(folder.join("open.sgf"), b"(;FF[4]PB[x]").unwrap();
    fs::write(folder.join("wide.sgf"), b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0)\0").unwrap();
    let ran = run(&["fmt", "--write", str(&folder)]);
    assert_eq!(ran.stderr.lines().last(), Some("sgf: 1 file changed, 8 unchanged, 1 refused"), "{}", ran.stderr);
    for n in 0..3 {
        fs::write(folder.join(format!("open{n}.sgf")), b"(;FF[4]PB[x]").unwrap();
    }
    let ran = run(&["fmt", "--write", str(&folder)]);
    let repaired = ran.stderr.lines().filter(|line| line.contains("[unclosed-tree]")).collect::<Vec<_>>();
    assert!(repaired.len() == 1 && repaired[0].ends_with("; and 2 more, in 3 files"), "{}", ran.stderr);
    // A single file tells each fault.
    fs::write(folder.join("one.sgf"), b"(;FF[4]PB[x](;B[aa](;W[bb]").unwrap();
    let ran = run(&["fmt", "--write", str(&folder.join("one.sgf"))]);
    assert_eq!(ran.stderr.lines().last(), Some("sgf: 1 file changed, 0 unchanged, 0 refused"), "{}", ran.stderr);
}

/// The name of the charset that CA names, if it is known.
fn named(ca: &str) -> Option<&'static str> {
    Charset::for_name(ca.as_bytes()).map(Charset::name)
}

/// `sql` reads the table that `records` prints.
#[test]
fn all_commands_name_the_same_charsets_in_real_files() {
    let folders: Vec<_> = ["corpus", "samples"].into_iter().filter_map(shared::path).collect();
    let folders: Vec<&str> = folders.iter().map(|folder| str(folder)).collect();
    if folders.is_empty() {
        return;
    }
    let all = |args: &[&str]| run(&[args, &folders].concat());
    let (records, check) = (
        all(&["records", "--format", "jsonl", "--columns", "file,offset,length,charset,CA_raw"]),
        all(&["check", "--json"]),
    );
    let (scan, report) = (all(&["scan", "--json"]).json(), all(&["report", "--json", "-"]).json());
    // Diagnostics about charsets, by file and offset.
    let mut found = BTreeMap::<String, Vec<(u64, bool)>>::new();
    for line in check.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if let (Some(file), Some("charset-mismatch" | "bad-bytes" | "unknown-charset")) =
            (line["file"].as_str(), line["code"].as_str())
        {
            let is_whole = line["message"].as_str().unwrap().ends_with("but the texts are in UTF-8");
            found.entry(file.to_owned()).or_default().push((line["offset"].as_u64().unwrap(), is_whole));
        }
    }
    let (mut tables, mut games) =
        (BTreeMap::<String, Vec<(String, String)>>::new(), BTreeMap::<(String, String), u64>::new());
    for row in records.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let file = row["file"].as_str().unwrap().to_owned();
        let ca = row["CA_raw"][0].as_str().unwrap_or_default().trim().to_owned();
        let charset = row["charset"].as_str().unwrap().to_owned();
        let (start, len) = (row["offset"].as_u64().unwrap(), row["length"].as_u64().unwrap());
        let diagnostics = found.get(&file).into_iter().flatten().filter(|(at, _)| (start..start + len).contains(at));
        let diagnostics: Vec<bool> = diagnostics.map(|(_, is_whole)| *is_whole).collect();
        let is_false = !ca.is_empty() && named(&ca) != Some(&charset);
        if is_false && !named(&ca).is_some_and(|name| name.starts_with("UTF-")) {
            assert!(!diagnostics.is_empty(), "check: {file}, {start}: {ca}, {charset}");
        }
        if diagnostics.contains(&true) {
            assert!(is_false && charset == "UTF-8", "check: {file}, {start}: {ca}, {charset}");
        }
        *games.entry((ca.clone(), charset.clone())).or_default() += 1;
        tables.entry(file).or_default().push((ca, charset));
    }
    // The report cuts nothing here.
    assert_eq!(pairs(&report), games);
    let compare = |what: &str, scan: &Value, rows: &[(String, String)]| {
        let mut left = rows.to_vec();
        for (charset, games) in scan["charset"].as_object().unwrap() {
            for _ in 0..if charset == "ASCII" { 0 } else { games.as_u64().unwrap() } {
                let place = left.iter().position(|(ca, name)| name == charset && named(ca) != Some(name));
                let place = place.or_else(|| left.iter().position(|(_, name)| name == charset));
                left.swap_remove(place.unwrap_or_else(|| panic!("{what}: no game in {charset}: {left:?}")));
            }
        }
        assert_eq!(left.len() as u64, scan["charset"]["ASCII"].as_u64().unwrap_or_default(), "{what}");
        for (ca, charset) in &left {
            let expected = named(ca).unwrap_or(if ca.is_empty() { "UTF-8" } else { "windows-1252" });
            assert!(charset == expected || expected.starts_with("UTF-"), "{what}: {ca}, {charset}");
        }
    };
    compare("all", &scan, &tables.values().flatten().cloned().collect::<Vec<_>>());
    // Most files name UTF-8, and are in it.
    let is_doubtful = |rows: &[(String, String)]| {
        rows.iter().any(|(ca, name)| name != "UTF-8" || !ca.is_empty() && named(ca) != Some("UTF-8"))
    };
    for (file, rows) in tables.iter().filter(|(_, rows)| is_doubtful(rows)) {
        compare(file, &run(&["scan", "--json", file]).json(), rows);
    }
}
