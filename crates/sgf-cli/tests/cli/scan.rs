//! `sgf scan`.

use std::fs;

use serde_json::json;

use super::{Run, directory, run, run_with, str};

#[test]
fn scan_json_in_full() {
    let run = run(&["scan", "--json", "tests/data/archive"]);
    let expected = concat!(
        r#"{"files":4,"bytes":1748,"games":13,"nodes":86,"moves":71,"properties":163,"values":165,"max_depth":3,"#,
        r#""longest_value":{"bytes":72,"file":"tests/data/archive/collection.sgf","offset":516,"line":13},"#,
        r#""root":{"GM":12,"SZ":12,"FF":11,"PB":10,"PW":9,"C":6,"CA":6,"AP":2,"RE":2,"AB":1,"B":1,"BR":1,"DT":1,"#,
        r#""EV":1,"HA":1,"KM":1,"OT":1,"PC":1,"RO":1,"RU":1,"TM":1,"WR":1},"#,
        r#""other":{"B":35,"W":35,"C":3,"BL":2,"WL":2,"LB":1,"N":1,"P0":1},"#,
        r#""ff":{"4":9,"":2,"1":1,"3":1},"gm":{"1":12,"":1},"#,
        r#""ca":{"":7,"UTF-8":2,"EUC-KR":1,"ISO-8859-1":1,"Shift_JIS":1,"windows-1251":1},"#,
        r#""charset":{"ASCII":8,"EUC-KR":1,"Shift_JIS":1,"UTF-8":1,"windows-1251":1,"windows-1252":1},"#,
        r#""ap":{"":11,"no end":1,"sgf-stream:0.1":1},"sz":{"19":7,"9":4,"":1,"13":1},"#,
        r#""charset_mismatch":0,"#,
        r#""diagnostics":{"lowercase-in-ident":5,"junk-outside-tree":3,"extra-close-paren":2,"digit-in-ident":1,"#,
        r#""missing-close-paren":1,"missing-semicolon":1,"node-after-variation":1,"property-without-value":1,"#,
        r#""unclosed-tree":1,"unescaped-bracket":1,"unterminated-value":1,"value-without-ident":1},"#,
        r#""errors":[{"file":"tests/data/archive/broken.sgf","offset":34,"line":1,"column":35,"#,
        r#""message":"a `]` that does not end its value was taken as text"},"#,
        r#"{"file":"tests/data/archive/mail.SGF","offset":0,"line":1,"column":1,"#,
        r#""message":"text outside of a game was skipped"}],"seconds":"#,
    );
    let (head, seconds) = run.text().split_at(expected.len());
    assert_eq!(head, expected);
    assert!(seconds.strip_suffix("}\n").unwrap().parse::<f64>().unwrap() < 60.0);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn scan_prints_tables() {
    let run = run(&["scan", "--max-errors", "1", "tests/data/archive"]);
    for line in [
        "files                          4  2 with diagnostics",
        "games                         13",
        "moves                         71  5.5 per game",
        "deepest nesting                3  tests/data/archive/collection.sgf",
        "longest value                 72  bytes, tests/data/archive/collection.sgf, line 13, byte 516",
        "Properties in root nodes    Properties in other nodes",
        "     12  GM                      35  B",
        "      9  69.2 %  4              12  92.3 %  1               7  53.8 %  19",
        "      5  lowercase-in-ident      lower-case letters in the identifier were ignored",
        "  tests/data/archive/broken.sgf:1:35: a `]` that does not end its value was taken as text",
        "  and 1 more (--max-errors sets how many are listed)",
    ] {
        assert!(run.lines().contains(&line), "{line}\nis not in\n{}", run.text());
    }
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn what_cannot_be_read_does_not_stop_a_scan() {
    let dir = directory("unreadable");
    fs::write(dir.join("good.sgf"), "(;FF[4])").unwrap();
    fs::create_dir(dir.join("locked")).unwrap();
    let missing = dir.join("missing.sgf");
    let mut unreadable = vec![str(&missing).to_owned()];

    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dangling = dir.join("dangling.sgf");
        symlink("nowhere", &dangling).unwrap();
        unreadable.push(str(&dangling).to_owned());
        let locked = dir.join("locked");
        fs::set_permissions(&locked, PermissionsExt::from_mode(0o000)).unwrap();
        if fs::read_dir(&locked).is_err() {
            unreadable.push(str(&locked).to_owned()); // root may read it all the same
        }
    }

    let mut args = vec!["scan", "--json", "--verbose", str(&dir)];
    args.extend(unreadable.iter().map(String::as_str));
    let run = run(&args);
    #[cfg(unix)]
    fs::set_permissions(dir.join("locked"), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();

    let report = run.json();
    assert_eq!(run.code, Some(2));
    assert_eq!((&report["files"], &report["games"]), (&json!(1), &json!(1)));
    let errors = report["errors"].as_array().unwrap();
    for path in &unreadable {
        let error = errors.iter().find(|error| error["file"] == path.as_str()).unwrap();
        assert!(error["line"].is_null() && !error["message"].as_str().unwrap().is_empty());
        assert!(run.stderr.contains(&format!("sgf: error: {path}: ")), "{}", run.stderr);
    }
}

#[test]
fn a_file_without_sgf_data_counts_as_a_file_and_as_faulty() {
    let dir = directory("nothing");
    let (nul, junk, empty) = (dir.join("nul.sgf"), dir.join("junk.sgf"), dir.join("empty"));
    fs::write(&nul, vec![0; 1 << 20]).unwrap();
    fs::write(&junk, "no game in here (really)").unwrap();
    fs::write(&empty, "").unwrap();
    for path in [&nul, &junk, &empty] {
        let run = run(&["scan", "--json", str(path)]);
        let report = run.json();
        assert_eq!((run.code, &report["files"], &report["games"]), (Some(0), &json!(1), &json!(0)));
        assert_eq!(report["diagnostics"]["no-sgf-data"], 1);
        let error = json!({"file": str(path), "offset": 0, "line": 1, "column": 1, "message": "no SGF data"});
        assert_eq!(report["errors"], json!([error]));
    }
}

#[test]
fn directories_are_searched_and_named_files_are_read_whatever_their_name() {
    let dir = directory("walk");
    fs::create_dir_all(dir.join("b/c.sgf")).unwrap();
    for name in ["b/c.sgf/1.sgf", "b/2.SGF", "b/3.Sgfs", "a.sgf", "notes.txt", "sgf"] {
        fs::write(dir.join(name), "()").unwrap();
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../a.sgf", dir.join("b/link.sgf")).unwrap();
        std::os::unix::fs::symlink("..", dir.join("b/loop")).unwrap();
    }
    let names = |run: Run| -> Vec<String> {
        let report = run.json();
        let errors = report["errors"].as_array().unwrap().iter();
        errors.map(|error| error["file"].as_str().unwrap().replace(str(&dir), "")).collect()
    };
    let found = run(&["scan", "--json", str(&dir)]);
    assert_eq!(names(found), ["/a.sgf", "/b/2.SGF", "/b/3.Sgfs", "/b/c.sgf/1.sgf"]);
    let named = run_with(b"x", &["scan", "--json", str(&dir.join("notes.txt")), "-"]);
    assert_eq!(names(named), ["/notes.txt", "-"]);
    assert_eq!(names(run(&["scan", "--json", "--max-errors", "3", str(&dir)])).len(), 3);
}

#[test]
fn a_table_holds_10_000_keys_and_says_what_it_dropped() {
    let games = |count: usize| -> String {
        let ident = |n: usize| [n / 676, n / 26 % 26, n % 26].map(|digit| char::from(b'A' + digit as u8));
        (0..count).map(|n| format!("(;AP[{n}]{}[])", ident(n).iter().collect::<String>())).collect()
    };
    // AP itself is a key of the root table too.
    let full = run_with(games(9_999).as_bytes(), &["scan", "--json", "-"]).json();
    assert_eq!(full["root"].as_object().unwrap().len(), 10_000);
    assert!(full["dropped"].is_null());
    let over = run_with(games(10_001).as_bytes(), &["scan", "--json", "-"]).json();
    assert_eq!(over["root"].as_object().unwrap().len(), 10_000);
    assert_eq!(over["ap"].as_object().unwrap().len(), 10_000);
    assert_eq!((&over["root"]["AP"], &over["properties"]), (&json!(10_001), &json!(20_002)));
    assert_eq!(over["dropped"], json!({"root": 2, "ap": 1}));
}

#[test]
fn the_first_value_of_each_game_counts_and_long_ones_are_cut() {
    let long = "é".repeat(140);
    let input = format!("(;SZ[9]SZ[13];SZ[7])(;B[aa];SiZe[19]CA[])(;FF[4][3]AP[{long}])");
    let report = run_with(input.as_bytes(), &["scan", "--json", "-"]).json();
    assert_eq!(report["sz"], json!({"": 1, "19": 1, "9": 1}));
    assert_eq!(report["ff"], json!({"": 2, "4": 1}));
    assert_eq!(report["ca"], json!({"": 3}));
    assert_eq!(report["ap"], json!({"": 2, format!("{}…", "é".repeat(128)): 1}));
}

#[test]
fn the_charset_of_a_game_is_what_its_values_are_in() {
    let utf8 = "围棋".as_bytes();
    let found = |game: &[u8]| {
        let report = run_with(game, &["scan", "--json", "-"]).json();
        let table = report["charset"].as_object().unwrap();
        assert_eq!(table.len(), 1, "{table:?}");
        assert_eq!(table.values().next().unwrap(), 1);
        (table.keys().next().unwrap().clone(), report["charset_mismatch"] == 1)
    };
    let gbk = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6";
    for (ca, text, expected, mismatch) in [
        // No high bytes, whatever is declared.
        (&b""[..], &b"plain ~ \x1B"[..], "ASCII", false),
        (b"CA[GBK]", b"plain", "ASCII", false),
        (b"CA[foo]", b"plain", "ASCII", false),
        (b"CA[UTF-16]", b"plain", "ASCII", false),
        (b"CA[HZ-GB-2312]", b"plain ~", "ASCII", false),
        // UTF-8, whatever is declared.
        (b"", utf8, "UTF-8", false),
        (b"CA[]", utf8, "UTF-8", false),
        (b"CA[utf8]", utf8, "UTF-8", false),
        (b"CA[GB2312]", utf8, "UTF-8", true),
        (b"CA[ISO-8859-1]", "é".as_bytes(), "UTF-8", true),
        (b"CA[foo]", utf8, "UTF-8", true),
        // What is declared, if that is possible.
        (b"CA[GB2312]", gbk, "GBK", false),
        (b"CA[Shift_JIS]", b"\x90\x5C", "Shift_JIS", false),
        (b"CA[Big5]", b"\xA6\x5D", "Big5", false),
        (b"CA[EUC-KR]", b"\xB9\xD9\xB5\xCF", "EUC-KR", false),
        (b"CA[windows-1251]", b"\xCF\xE0\xF0", "windows-1251", false),
        (b"CA[ISO-8859-1]", b"caf\xE9", "windows-1252", false),
        (b"CA[HZ-GB-2312]", b"~{<:Ky~}", "HZ-GB-2312", false),
        (b"CA[ISO-2022-JP]", b"\x1B$B0O8k\x1B(B", "ISO-2022-JP", false),
        // `CA B1 D4 BD` could be UTF-8, and is not.
        (b"CA[GBK]", b"\xCA\xB1\xD4\xBD", "GBK", false),
        // What is most likely.
        (b"", gbk, "GBK", false),
        (b"CA[UTF-8]", gbk, "GBK", true),
        (b"CA[foo]", gbk, "GBK", true),
        (b"CA[EUC-JP]", b"\x8C\xCD\x8C\xE9\x82\xCD\x8C\xC3\x91\xE3\x82\xCC\x83\x51\x81\x5B\x83\x80", "Shift_JIS", true),
        // UTF-8 that has lost a byte.
        (b"CA[UTF-8]", "朝9段9段".as_bytes().strip_suffix(b"\xB5").unwrap(), "UTF-8", false),
    ] {
        let expected = (expected.to_owned(), mismatch);
        let shown = format!("{} {}", ca.escape_ascii(), text.escape_ascii());
        assert_eq!(found(&[b"(;", ca, b"C[", text, b"])"].concat()), expected, "{shown}");
        assert_eq!(found(&[b"(;", ca, b";B[aa](;C[", text, b"])(;B[bb]))"].concat()), expected, "{shown}");
        let is_seven_bit = text.is_ascii() && expected.0 != "ASCII";
        if !is_seven_bit && !text.contains(&b']') && !text.contains(&b'\\') {
            // CA says too late that there are shifts, or brackets in characters.
            assert_eq!(found(&[b"(;N[", text, b" ]", ca, b")"].concat()), expected, "{shown}");
        }
    }
}

#[test]
fn each_game_is_in_a_charset_of_its_own_wherever_chunks_end() {
    // Long values of ASCII, between short ones that are not: the chunks of a file end anywhere.
    let (mut input, mut high) = (Vec::new(), 0);
    for n in 0..400 {
        let text = if n % 7 == 0 { "é" } else { "e" };
        high += usize::from(n % 7 == 0);
        input.extend(format!("(;B[aa]C[{text}{}];W[bb])", "x".repeat(n * 7919 % 30_000)).into_bytes());
    }
    assert!(input.len() > 5_000_000);
    let report = run_with(&input, &["scan", "--json", "-"]).json();
    assert_eq!(report["charset"], json!({"ASCII": 400 - high, "UTF-8": high}));
    // A value in chunks of its own.
    let long = format!("(;C[é{}];B[aa])", "x".repeat(1_000_000));
    assert_eq!(run_with(long.as_bytes(), &["scan", "--json", "-"]).json()["charset"], json!({"UTF-8": 1}));
    let long = [b"(;CA[GBK]C[", b"\xC6\xE5".repeat(50_000).as_slice(), b"]N[\xC6\xE5])"].concat();
    assert_eq!(run_with(&long, &["scan", "--json", "-"]).json()["charset"], json!({"GBK": 1}));
    let long = [b"(;CA[GBK]C[x", b"\xC6\xE5".repeat(50_000).as_slice(), b"]N[\xC6\xE5])"].concat();
    assert_eq!(run_with(&long, &["scan", "--json", "-"]).json()["charset"], json!({"GBK": 1}));
    let long = format!("(;C[{}é])", "x".repeat(1_000_000));
    assert_eq!(run_with(long.as_bytes(), &["scan", "--json", "-"]).json()["charset"], json!({"UTF-8": 1}));
}

#[test]
fn scan_shows_charsets_found_next_to_those_declared() {
    let input = b"(;CA[GB2312]C[\xE5\x9B\xB2])(;CA[GB2312]C[\xCE\xA7])(;CA[GB2312])(;C[\xE5\x9B\xB2])";
    let run = run_with(input, &["scan", "-"]);
    for line in [
        "Games by CA                Games by charset               Games by AP",
        "      3  75.0 %  GB2312          2  50.0 %  UTF-8               4 100.0 %  (none)",
        "      1  25.0 %  (none)          1  25.0 %  ASCII",
        "                                 1  25.0 %  GBK",
        "                                 1  declared otherwise",
    ] {
        assert!(run.lines().contains(&line), "{line}\nis not in\n{}", run.text());
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_is_named_is_what_it_stands_for() {
    let dir = directory("link");
    fs::create_dir(dir.join("games")).unwrap();
    fs::write(dir.join("games/a.sgf"), "(;FF[4])").unwrap();
    std::os::unix::fs::symlink(dir.join("games"), dir.join("link")).unwrap();
    let run = run(&["scan", "--json", str(&dir.join("link"))]);
    assert_eq!((&run.json()["files"], run.code, run.stderr.as_str()), (&json!(1), Some(0), ""));
}

#[test]
fn the_longest_value_has_a_place() {
    let report = run_with(b"(;)", &["scan", "--json", "-"]).json();
    assert_eq!((&report["longest_value"], &report["moves"]), (&json!(null), &json!(0)));
    // Line breaks of all kinds, before the value and in it; two that are equally long.
    let input = "(;FF[4]\r\n;B[aa]\r\rC[one\ntwo])\n\r(;C[three\r\r]\n;W[pp](;B[bb]))";
    let report = run_with(input.as_bytes(), &["scan", "--json", "-"]).json();
    assert_eq!(report["longest_value"], json!({"bytes": 7, "file": "-", "offset": 18, "line": 4}));
    assert_eq!(report["moves"], 3);
    // In games too long for a part, whose values are longer than what is read at a time.
    let filler = ";B[aa]\r\n".repeat(200_000);
    for len in [1_000, 300_000, 900_000] {
        for (front, line) in [(filler.as_str(), 200_002), ("", 2)] {
            let value = "x\ny ".repeat(len / 4);
            let game = format!("\n(;FF[4]{front}C[{value}]N[a\nb]{filler})\n(;C[x])");
            let report = run_with(game.as_bytes(), &["scan", "--json", "-"]).json();
            let offset = 8 + front.len() + 1;
            assert_eq!(
                report["longest_value"],
                json!({"bytes": value.len(), "file": "-", "offset": offset, "line": line}),
                "{len}"
            );
        }
    }
}

#[test]
fn the_place_of_the_longest_value_does_not_depend_on_threads() {
    let dir = directory("scan-longest");
    for n in 0..40 {
        let breaks = "\n".repeat(n % 7);
        fs::write(dir.join(format!("{n:02}.sgf")), format!("{breaks}(;C[{}]\n)", "x".repeat(n % 10))).unwrap();
    }
    let archive: String = (0..200_000).map(|n| format!("(;B[aa]C[{}])\n", "y".repeat(n % 13))).collect();
    fs::write(dir.join("z.sgf"), archive).unwrap();
    for threads in ["1", "2", "3"] {
        let report = run(&["scan", "--json", "--threads", threads, str(&dir)]).json();
        let longest = &report["longest_value"];
        assert_eq!((&longest["bytes"], &longest["line"]), (&json!(12), &json!(13)), "{longest}");
    }
}
