//! Values as decoded texts: `sgf records --table properties`, and the charsets of all commands.

use std::fs;

use serde_json::{Value, json};

use super::{run, run_with, str};

/// The texts of the properties.
fn texts(input: &[u8], args: &[&str]) -> Vec<String> {
    let command = ["records", "--table", "properties", "--columns", "value", "--quiet"];
    let run = run_with(input, &[&command, args, &["-"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let text = |line: &&str| serde_json::from_str::<Value>(line).unwrap()["value"].as_str().unwrap().to_owned();
    run.lines().iter().map(text).collect()
}

#[test]
fn texts_are_decoded_by_the_charset_of_their_game() {
    let families: &[(&str, &[u8], &str)] = &[
        ("UTF-8", "囲碁 é".as_bytes(), "囲碁 é"),
        ("ISO-8859-1", b"Wei\xDF \x80", "Weiß €"),
        ("ISO-8859-15", b"\xA4", "€"),
        ("macintosh", b"\x8A", "ä"),
        ("windows-1251", b"\xCF\xE0\xF0\xF2\xE8\xFF", "Партия"),
        ("KOI8-R", b"\xF0\xC1\xD2\xD4\xC9\xD1", "Партия"),
        ("Shift_JIS", b"\x90\x5C \x95\x5C \x83\x5D \x81\x5B", "申 表 ゾ ー"),
        ("MS_KANJI", b"\x8D\xE9\x8B\xCA", "埼玉"),
        ("EUC-JP", b"\xB0\xCF\xB8\xEB", "囲碁"),
        ("Big5", b"\xA6\x5D \xB3\x5C\xA5\x5C", "因 許功"),
        ("EUC-KR", b"\xB9\xD9\xB5\xCF", "바둑"),
        ("CP949", b"\x8C\x63", "똠"),
        ("GB2312", b"\xCE\xA7\xC6\xE5", "围棋"),
        ("GBK", b"\x81\x5B\x95\x5D", "乕昡"),
        ("GB18030", b"\x81\x30\x81\x34 \x84\x5C", "\u{84} 刓"),
        // What says GB2312 and is UTF-8.
        ("GB2312", "围棋".as_bytes(), "围棋"),
    ];
    let archive: Vec<u8> = families
        .iter()
        .flat_map(|(ca, raw, _)| [b"(;CA[", ca.as_bytes(), b"]C[", raw, b"];N[", raw, b"])\n"].concat())
        .collect();
    // All games in one file: each has its own charset.
    let expected: Vec<_> = families.iter().flat_map(|(ca, _, text)| [*ca, *text, *text]).collect();
    assert_eq!(texts(&archive, &[]), expected);
    // An unknown one is Latin-1, and bytes that are invalid in a charset become U+FFFD.
    assert_eq!(texts(b"(;C[caf\xE9]CA[fool's]N[\xE9])", &[]), ["café", "fool's", "é"]);
    assert_eq!(
        texts(b"(;CA[UTF-8]\r\nC[a\xFF\xFE\r\n\xC3\xA9\xFF]N[\xE5\x9B])", &[])[1..],
        ["a\u{FFFD}\u{FFFD}\né\u{FFFD}", "\u{FFFD}"]
    );
}

#[test]
fn values_before_ca_are_in_its_charset() {
    let input = b"(;C[\xE9\xF9];B[aa])(;PB[\xBD\xC5\xC1\xF8\xBC\xAD]Black[x]CA[EUC-KR]PW[\xC0\xCC];C[\xB9\xD9])";
    assert_eq!(texts(input, &[]), ["éù", "aa", "신진서", "x", "EUC-KR", "이", "바"]);
}

#[test]
fn a_game_without_ca_is_in_what_its_values_are_most_likely_in() {
    // The name alone would be Cyrillic; the comment says what it is.
    let game = b"(;PB[\xB3\xC2]C[\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6];B[aa])";
    assert_eq!(texts(game, &[]), ["陈", "围棋是一种", "aa"]);
    // If the root is ASCII, the values after it tell.
    let later = b"(;PB[x];B[aa]C[\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6])";
    assert_eq!(texts(later, &[]), ["x", "aa", "围棋是一种"]);
    assert_eq!(texts("(;PB[吳];C[é])".as_bytes(), &[]), ["吳", "é"]);
    // Each game for itself.
    let two = [&game[..], "(;PB[é])".as_bytes()].concat();
    assert_eq!(texts(&two, &[])[3], "é");
}

#[test]
fn texts_are_read_by_the_type_of_their_property() {
    for (value, expected) in [
        // Text, SimpleText, and what is written in it.
        ("C[a\\\nb\nc\td\\]]", "ab\nc d]"),
        ("GN[a\\\nb\nc\td\\]]", "ab c d]"),
        ("PlayerBlack[a\nb]", "a b"),
        ("DT[1996-12-27,\n28]", "1996-12-27, 28"),
        ("OT[5x30\r\nbyo-yomi]", "5x30 byo-yomi"),
        // Composed.
        ("AP[CGo\\:ban:1.6:2\n]", "CGo:ban:1.6:2 "),
        ("AP[CGo\\:ban]", "CGo:ban"),
        ("LB[dd:\\\\\n]", "dd:\\ "),
        ("AR[aa:bb]", "aa:bb"),
        ("FG[257:Dia. 1:a]", "257:Dia. 1:a"),
        ("FG[]", ""),
        ("SZ[19:17]", "19:17"),
        ("SZ[19]", "19"),
        // Of other types, and unknown.
        ("B[d\n\\d]", "d d"),
        ("AB[aa:cc]", "aa:cc"),
        ("KM[6.5\t]", "6.5 "),
        ("QQQ[a\n\\]:b]", "a\n]:b"),
    ] {
        assert_eq!(texts(format!("(;{value})").as_bytes(), &[]), [expected], "{value}");
        assert_eq!(texts(format!("(;CA[UTF-8];{value})").as_bytes(), &[])[1], expected, "{value}");
    }
}

#[test]
fn the_type_of_a_property_is_that_in_its_game_wherever_the_root_says_so() {
    // AS is a SimpleText in Lines of Action, and unknown in Go.
    assert_eq!(texts(b"(;AS[a\nb]GM[9])(;AS[a\nb])", &[]), ["a b", "9", "a\nb"]);
    // TE is the event, if GK gives SGF2 away; after the root it is a tesuji.
    let sgf2 = texts(b"(;TE[Honinbo\nfinal]GK[1];TE[a\nb])", &[]);
    assert_eq!(sgf2, ["Honinbo final", "1", "a b"]);
}

/// A text in UTF-16, with a byte-order mark.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(bytes).collect()
}

#[test]
fn files_that_are_not_made_of_ascii_are_transcoded_as_a_whole() {
    let text = "(;CA[UTF-16]C[囲碁]\nN[é])";
    let expected = run_with(text.as_bytes(), &["events", "--charset", "UTF-8", "-"]);
    assert_eq!(expected.lines()[5], r#"{"event":"value","offset":13,"raw":"囲碁"}"#);
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let marked = utf16(text, bytes);
        assert_eq!(run_with(&marked, &["events", "-"]).text(), expected.text());
        assert_eq!(run_with(&marked[2..], &["events", "-"]).text(), expected.text());
    }
    let utf32: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert_eq!(run_with(&utf32, &["events", "-"]).text(), expected.text());

    for (input, text) in [
        (&b"(;CA[HZ-GB-2312]C[~{<:Ky~}])"[..], "己所"),
        (b"(;C[~{<:Ky~}])", "己所"),
        (b"(;C[\x1B$B0O8k\x1B(B])", "囲碁"),
        (b"(;CA[ISO-2022-KR]C[\x1B$)C\x0E9Y5O\x0F])", "바둑"),
        // Brackets inside characters.
        (b"(;CA[ISO-2022-JP]C[\x1B$B![]\x5B\x1B(B])", "】毟"),
    ] {
        assert_eq!(texts(input, &[]).pop().unwrap(), text, "{}", input.escape_ascii());
    }
    // A lone half of a pair is bad; the U+FFFD in the file is not.
    let mut input = utf16("(;C[é\n?x?\u{FFFD}y];N[?])", u16::to_le_bytes);
    for unit in input.chunks_exact_mut(2).filter(|unit| unit == b"?\0") {
        unit.copy_from_slice(&0xD800_u16.to_le_bytes());
    }
    assert_eq!(texts(&input, &[]), ["é\n\u{FFFD}x\u{FFFD}\u{FFFD}y", "\u{FFFD}"]);
}

#[test]
fn the_command_line_can_say_the_charset() {
    let input = b"(;CA[GBK]C[\xB0\xA1])(;C[\xB0\xA1])";
    assert_eq!(texts(input, &["--charset", "EUC-KR"]), ["GBK", "가", "가"]);
    assert_eq!(texts(input, &["--default-charset", "EUC-KR"]), ["GBK", "啊", "가"]);
    assert_eq!(texts(input, &["--default-charset", "EUC-KR", "--charset", "Big5"])[2], "陛");
    // In front of CA it is not yet the default's turn.
    assert_eq!(texts(b"(;C[\xB0\xA1]CA[GBK])", &["--default-charset", "EUC-KR"])[0], "啊");
    let utf16 = utf16("(;C[é])", u16::to_be_bytes);
    assert_eq!(texts(&utf16[2..], &["--charset", "UTF-16BE"]), ["é"]);
    for args in [["--charset", "foo"], ["--default-charset", ""]] {
        let run = run_with(b"(;)", &[&["events"], &args[..], &["-"]].concat());
        assert_eq!((run.code, run.text()), (Some(2), ""), "{args:?}");
    }
}

/// A game in UTF-8 that says it is in another charset, as one program writes them.
const FALSE_CA: &str = "(;FF[4]CA[ISO-2022-KR]GM[1]SZ[19]AP[바둑:1]PW[구리]PB[안국현]RE[백 불계승];B[pd]C[정답도])\n";

#[test]
fn a_ca_that_is_not_true_is_no_obstacle_for_any_command() {
    let input = FALSE_CA.as_bytes();
    assert!(texts(input, &[]).contains(&"안국현".to_owned()));

    let records = run_with(input, &["records", "--format", "jsonl", "-"]);
    assert!(
        records.text().contains("\"PB\":\"안국현\"") && records.text().contains("\"PW\":\"구리\""),
        "{}",
        records.text()
    );
    assert_eq!((records.stderr.as_str(), records.code), ("", Some(0)));

    let tree = run_with(input, &["show", "--tree", "-"]);
    assert!(tree.text().starts_with("안국현 – 구리, W+Resign"), "{}", tree.text());

    let scan = run_with(input, &["scan", "--json", "-"]).json();
    assert_eq!(scan["charset"], json!({ "UTF-8": 1 }));
    assert_eq!((&scan["charset_mismatch"], &scan["ap"]), (&json!(1), &json!({ "바둑:1": 1 })));

    let values = run_with(input, &["check", "--summary", "--json", "-"]);
    assert!(!values.text().contains('\u{FFFD}'), "{}", values.text());

    let written = run_with(input, &["fmt", "-"]);
    assert!(written.text().contains("CA[UTF-8]") && written.text().contains("PB[안국현]"), "{}", written.text());
    assert_eq!(written.stderr, "");

    let check = run_with(input, &["check", "--json", "-"]);
    let line = check.lines().into_iter().find(|line| line.contains("charset-mismatch")).expect("it is reported");
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["message"], "CA declares ISO-2022-KR, but the texts are in UTF-8");
    assert_eq!((&line["offset"], &line["len"], &line["fixable"]), (&json!(9), &json!(13), &json!(true)));
}

#[test]
fn fix_mends_a_ca_that_is_not_true_and_nothing_else() {
    let folder = super::directory("false-ca");
    let path = folder.join("korean.sgf");
    fs::write(&path, FALSE_CA).unwrap();
    let allowed = "--allow=sloppy-value,bad-game-info";
    let fixed = run(&["check", "--fix", allowed, str(&path)]);
    assert_eq!(fs::read_to_string(&path).unwrap(), FALSE_CA.replace("ISO-2022-KR", "UTF-8"));
    let said = "sgf: 1 repair in 1 file: 1 charset-mismatch\n";
    assert_eq!((fixed.stderr.as_str(), fixed.code), (said, Some(0)), "{}", fixed.text());

    // A file that has to be transcoded: what is named as the way out is one.
    let path = folder.join("hz.sgf");
    fs::write(&path, b"(;FF[4]CA[HZ-GB-2312]C[~{<:Ky~}])").unwrap();
    let refused = run(&["check", "--fix", str(&path)]);
    assert!(refused.stderr.contains("`sgf fmt` converts it to UTF-8"), "{}", refused.stderr);
    let way_out = run(&["fmt", str(&path)]);
    assert!(way_out.text().contains("C[己所]"), "{}", way_out.text());
    assert_eq!((way_out.stderr.as_str(), way_out.code), ("", Some(0)));

    let path = folder.join("bad.sgf");
    fs::write(&path, b"(;FF[4]CA[HZ-GB-2312]C[~{<:Ky~}]N[~{\xFF\xFE~}])").unwrap();
    let refused = run(&["check", "--fix", str(&path)]);
    assert!(refused.stderr.contains("it is not valid "), "{}", refused.stderr);
    assert_eq!(run(&["fmt", str(&path)]).code, Some(1), "no way was named");
}

#[test]
fn check_and_scan_show_texts_as_they_are_read() {
    let chinese =
        b"(;FF[4]GM[1]AP[\xB7\xC9\xD1\xE0\xCE\xA7\xC6\xE5]GN[\xCE\xA7\xC6\xE5]CA[gb2312]RE[\xB0\xD7\xCA\xA4 x])";
    let check = run_with(chinese, &["check", "-"]);
    assert!(check.text().contains("AP[飞燕围棋]: the colon"), "{}", check.text());
    assert!(check.text().contains("AP[飞燕围棋]GN[围棋]CA[gb2312]"), "the line: {}", check.text());
    assert!(!check.text().contains('\u{FFFD}'), "{}", check.text());
    // Wherever the line is cut.
    for len in 0..4 {
        let names =
            [b"(;CA[gb2312]GM[1]SZ[x".to_vec(), vec![b'x'; len], b"]C[".to_vec(), b"\xB9\xFA".repeat(100)].concat();
        let check = run_with(&[&names, &b"])"[..]].concat(), &["check", "-"]);
        assert!(check.text().contains("国…") && !check.text().contains('\u{FFFD}'), "{}", check.text());
    }
    let json = run_with(chinese, &["check", "--json", "-"]);
    assert!(json.text().contains("AP[飞燕围棋]: the colon") && !json.text().contains('\u{FFFD}'), "{}", json.text());
    let scan = run_with(chinese, &["scan", "--json", "-"]).json();
    assert_eq!(scan["ap"], json!({ "飞燕围棋": 1 }));
}

#[test]
fn a_charset_that_is_detected_or_given_is_stepped_over_and_named() {
    let text =
        sgf_stream::charset::Charset::SHIFT_JIS.encoding().unwrap().encode("囲碁の予定表は能力のある棋士の対局です").0;
    let input = [b"(;FF[4]PB[\x83\x5C]BR[9d]C[", &text[..], b"];B[dd])\n"].concat();
    for args in [
        &["records", "--format", "jsonl"][..],
        &["show", "--tree"],
        &["check"],
        &["check", "--summary"],
        &["scan"],
        &["events"],
    ] {
        let found = run_with(&input, &[args, &["-"]].concat());
        assert!(!found.text().contains("ソ]BR") && !found.text().contains("unescaped-bracket"), "{}", found.text());
        if args[0] == "records" {
            assert!(found.text().contains("\"ソ\"") && found.text().contains("\"9d\""), "{}", found.text());
        }
        let quiet = run_with(&input, &[args, &["--quiet", "-"]].concat());
        assert_eq!(quiet.stderr, "", "{args:?} --quiet");
        let tells = found.stderr.contains("no charset declared; decoding as Shift_JIS");
        assert_eq!(tells, args[0] != "scan", "{args:?}: {}", found.stderr);
        if args[0] != "scan" {
            let given = run_with(&input, &[args, &["--charset", "sjis", "-"]].concat());
            assert_eq!((given.text(), given.stderr.as_str()), (found.text(), ""), "{args:?}");
        }
    }
    let scan = run_with(&input, &["scan", "--json", "-"]).json();
    assert_eq!(scan["charset"], json!({ "Shift_JIS": 1 }));
}
