//! `sgf records`.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::iter;

use serde_json::{Value, json};

use super::{Run, directory, run, run_with, shared, str, with_closed_pipe};

/// The records of some bytes, which have no faults.
fn records(input: &[u8], args: &[&str]) -> Vec<Value> {
    let run = run_with(input, &[&["records"], args, &["-"]].concat());
    let faults = run.stderr.lines().filter(|line| !line.contains(": no charset declared; decoding as "));
    assert_eq!((run.code, faults.count()), (Some(0), 0), "{}", run.stderr);
    json_lines(&run)
}

fn json_lines(run: &Run) -> Vec<Value> {
    run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The only record of a game, with these fields.
fn record(game: &str, fields: &str) -> Value {
    let mut records = records(game.as_bytes(), &["--fields", fields]);
    assert_eq!(records.len(), 1);
    records.remove(0)
}

/// The rows of CSV, names first.
fn rows(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The rows of CSV of some bytes, which have no faults.
fn csv(input: &[u8], args: &[&str]) -> Vec<Vec<String>> {
    let run = run_with(input, &[&["records", "--format", "csv"], args, &["-"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    rows(&run.stdout)
}

const TWO_GAMES: &[u8] =
    b"(;FF[4]GM[1]SZ[19]PB[Shusaku]PW[Gennan]BR[4d]KM[0]HA[2]RE[B+2]DT[1846-09-11,14]PC[Osaka];B[qd];W[dc])\n\
    (;SZ[19:13]KM[6.5]GN[]RE[White resigns.]DT[next year])";

#[test]
fn records_as_json_lines() {
    let run = run_with(TWO_GAMES, &["records", "-"]);
    assert_eq!(
        run.lines(),
        [
            r#"{"file":"-","game":0,"offset":0,"PB":"Shusaku","BR":"4d","PW":"Gennan","KM":0.0,"HA":2,"SZ":"19","RE":"B+2","DT":"1846-09-11,14","PC":"Osaka"}"#,
            r#"{"file":"-","game":1,"offset":102,"KM":6.5,"SZ":"19:13","RE":"B+Resign","RE_text":"White resigns.","DT":"next year","DT_text":"next year","GN":""}"#,
        ]
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_header_of_csv_can_be_left_out() {
    let [with, without] = [&[][..], &["--no-header"]].map(|args| {
        let run = run_with(TWO_GAMES, &[&["records", "--format", "csv"], args, &["-"]].concat());
        assert_eq!(run.code, Some(0));
        run.stdout
    });
    let header = with.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    assert!(with[header..] == without && !without.is_empty());
    let wrong = run(&["records", "--no-header", "-"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("only CSV has a header line; use --format csv"), "{}", wrong.stderr);
}

#[test]
fn records_as_csv() {
    let run = run_with(TWO_GAMES, &["records", "--format", "csv", "-"]);
    assert_eq!(
        run.lines(),
        [
            "file,game,offset,PB,BR,PW,WR,KM,KM_text,HA,HA_text,SZ,RU,RE,RE_text,DT,DT_text,EV,RO,PC,GN",
            r#"-,0,0,Shusaku,4d,Gennan,,0.0,,2,,19,,B+2,,"1846-09-11,14",,,,Osaka,"#,
            "-,1,102,,,,,6.5,,,,19:13,,B+Resign,White resigns.,next year,next year,,,,",
        ]
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn values_have_the_types_of_their_properties() {
    for (game, fields, expected) in [
        ("(;KM[6.5])", "KM", json!({"KM": 6.5})),
        ("(;KM[-7])", "KM", json!({"KM": -7.0})),
        ("(;KM[six])", "KM,KM_text", json!({"KM_text": "six"})),
        ("(;KM[750])", "KM,KM_text", json!({"KM": 7.5, "KM_text": "750"})),
        ("(;KM[6.50]HA[02])", "KM_text,HA_text", json!({})),
        ("(;HA[ 4 ])", "HA", json!({"HA": 4})),
        ("(;KM[750])", "KM", json!({"KM": 7.5})),
        ("(;KM[375]RU[Chinese])", "KM", json!({"KM": 7.5})),
        ("(;KM[450])", "KM,KM_text,komi", json!({"KM_text": "450"})),
        ("(;KM[450]RU[Japanese])", "KM,KM_text,komi", json!({"KM": 4.5, "KM_text": "450", "komi": 4.5})),
        ("(;RU[japanese]KM[375])", "KM,KM_text,komi", json!({"KM_text": "375"})),
        ("(;RU[GOE]KM[400])", "KM", json!({})),
        ("(;KM[675]RU[Chinese])", "KM,KM_text,komi", json!({"KM_text": "675"})),
        ("(;KM[6집 반])", "KM", json!({"KM": 6.5})),
        ("(;KM[5 1/2])", "KM", json!({"KM": 5.5})),
        ("(;HA[호선 - 6집 반 공제])", "HA", json!({"HA": 0})),
        ("(;HA[호선 - 6집 반 공제])", "KM", json!({"KM": 6.5})),
        ("(;HA[호선 - 6집 반 공제]KM[0])", "HA,KM", json!({"HA": 0, "KM": 0.0})),
        ("(;HA[2])", "KM", json!({})),
        ("(;HA[four])", "HA,HA_text", json!({"HA_text": "four"})),
        ("(;HA[])", "HA,HA_text", json!({})),
        ("(;HA[호선])", "HA,HA_text", json!({"HA": 0, "HA_text": "호선"})),
        ("(;GM[21]HA[two rows])", "HA,HA_text", json!({"HA_text": "two rows"})),
        ("(;GM[21]HA[2])", "HA,HA_text", json!({"HA": 2})),
        ("(;SZ[19:19])", "SZ,SZ_text", json!({"SZ": "19", "SZ_text": "19:19"})),
        ("(;SZ[7:9])", "SZ,SZ_text", json!({"SZ": "7:9"})),
        ("(;SZ[big])", "SZ", json!({"SZ": "big"})),
        ("(;SZ[-10])", "SZ", json!({"SZ": "-10"})),
        ("(;TM[10분40초3회])", "TM,TM_text", json!({"TM": 600.0, "TM_text": "10분40초3회"})),
        ("(;TM[1800])", "TM,FF", json!({"TM": 1800.0})),
        ("(;FF[4]ST[2])", "ST,FF", json!({"ST": 2, "FF": 4})),
        // A list of points is one, and rectangles are their points.
        ("(;AB[dd][aa:ba])", "AB", json!({"AB": ["dd", "aa", "ba"]})),
        ("(;AB[])", "AB", json!({"AB": []})),
        ("(;LB[dd:a\\]][ee:])", "LB", json!({"LB": ["dd:a]", "ee:"]})),
        // Nobody knows what it is.
        ("(;XX[a][b])", "XX", json!({"XX": ["a", "b"]})),
        ("(;XX[])", "XX", json!({"XX": [""]})),
        // In Hex there is no komi.
        ("(;GM[11]KM[0.5]HA[1])", "KM,HA", json!({"KM": 0.5, "HA": 1})),
        ("(;GM[11]KM[none])", "KM,KM_text", json!({"KM_text": "none"})),
        // Texts.
        ("(;PB[a\nb\\]]C[a\nb\\]])", "PB,C", json!({"PB": "a b]", "C": "a\nb]"})),
        ("(;C[one]C[two])", "C", json!({"C": "one\n\ntwo"})),
        // FF[1] to FF[3] spell names out.
        ("(;PlayerBlack[Shusaku])", "PB", Value::Null),
        // Only the root is asked.
        ("(;PB[Shusaku];PW[Gennan])", "PB,PW", json!({"PB": "Shusaku"})),
    ] {
        if expected.is_null() {
            assert_eq!(record(game, fields), json!({"PB": "Shusaku"}), "{game}");
        } else {
            assert_eq!(record(game, fields), expected, "{game}");
        }
    }
}

#[test]
fn dates_and_results_have_one_form_and_what_is_written_is_kept() {
    for (game, expected) in [
        ("(;RE[B+R]DT[1996-12-27,1996-12-28])", json!({"RE": "B+Resign", "DT": "1996-12-27,28"})),
        ("(;RE[0]DT[1996])", json!({"RE": "Draw", "DT": "1996"})),
        ("(;RE[W+Offline])", json!({"RE": "W+", "RE_text": "W+Offline"})),
        ("(;RE[Jigo])", json!({"RE": "Draw", "RE_text": "Jigo"})),
        ("(;RE[who knows])", json!({"RE": "who knows", "RE_text": "who knows"})),
        ("(;RE[a\\\\b])", json!({"RE": "a\\b", "RE_text": "a\\b"})),
        ("(;RE[]DT[])", json!({"RE": "", "DT": ""})),
        ("(;DT[Sat Jun 22 10:50:36 PDT 2019])", json!({"DT": "2019-06-22", "DT_text": "Sat Jun 22 10:50:36 PDT 2019"})),
        ("(;DT[2019-02-30])", json!({"DT": "2019-02-30", "DT_text": "2019-02-30"})),
        // The date of a Korean server.
        ("(;FF[4]GM[1]RD[2007-05-01]GK[1])", json!({"DT": "2007-05-01"})),
        ("(;FF[4]RD[20061206])", json!({"DT": "2006-12-06", "DT_text": "20061206"})),
        ("(;DT[]RD[2007-05-01])", json!({"DT": "2007-05-01"})),
        ("(;RD[2007-05-01]DT[2001])", json!({"DT": "2001"})),
        ("(;RD[2007-05-01]DT[spring])", json!({"DT": "spring", "DT_text": "spring"})),
        ("(;RD[06-11-28])", json!({})),
        ("(;)", json!({})),
    ] {
        assert_eq!(record(game, "RE,RE_text,DT,DT_text"), expected, "{game}");
    }
    assert_eq!(record("(;RE[Jigo])", "RE_text"), json!({"RE_text": "Jigo"}));
}

#[test]
fn fields_come_in_the_order_of_the_list() {
    let game = b"(;PB[b]PW[w]XX[x]P0[zero])";
    let run = run_with(game, &["records", "--fields", "PW,XX,P0,game,PB,RE,file", "-"]);
    assert_eq!(run.text(), "{\"PW\":\"w\",\"XX\":[\"x\"],\"P0\":\"zero\",\"game\":0,\"PB\":\"b\",\"file\":\"-\"}\n");
    let rows = csv(game, &["--fields", "PW, XX, P0, game, PB, RE, file"]);
    assert_eq!(rows, [["PW", "XX", "P0", "game", "PB", "RE", "file"], ["w", "x", "zero", "0", "b", "", "-"]]);
    assert_eq!(csv(b"(;)(;)", &["--fields", "PB"]), [["PB"], [""], [""]]);
    // The names are printed even without a row.
    assert_eq!(run_with(b"", &["records", "--format", "csv", "--fields", "PB", "-"]).text(), "PB\n");
}

#[test]
fn fields_that_are_none_are_wrong_usage() {
    for (fields, message) in [
        ("pb", "unknown column 'pb'"),
        ("", "unknown column ''"),
        ("PB,", "unknown column ''"),
        ("$rest", "unknown column '$rest'"),
        ("PB,PW,PB", "column \"PB\" is listed twice"),
        ("blak", "--columns: unknown column 'blak'; did you mean 'black'? (`sgf records --list-columns` lists all)\n"),
        ("pb", "unknown column 'pb'; did you mean 'PB'? (`sgf records --list-columns` lists all)\n"),
        ("komi_txt", "; did you mean 'komi_text'? ("),
        ("xyzzy", "unknown column 'xyzzy' (`sgf records --list-columns` lists all)\n"),
    ] {
        let run = run_with(b"(;)", &["records", "--fields", fields, "-"]);
        assert_eq!((run.code, run.text()), (Some(2), ""));
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(run.stderr.len() < 200, "{}", run.stderr);
    }
    let run = run_with(b"(;)", &["records", "--table", "moves", "--columns", "colour", "-"]);
    let message =
        "unknown column 'colour'; did you mean 'color'? (`sgf records --table moves --list-columns` lists all)\n";
    assert!(run.code == Some(2) && run.stderr.ends_with(message), "{}", run.stderr);
}

#[test]
fn moves_are_those_of_the_main_line_as_they_are_written() {
    for (game, moves, csv_moves) in [
        ("(;SZ[19];B[dd];W[pp];B[])", json!([["B", "dd"], ["W", "pp"], ["B", ""]]), "B[dd] W[pp] B[]"),
        (
            "(;B[aa];W[bb](;B[cc](;W[dd])(;W[ee]))(;B[ff]))",
            json!([["B", "aa"], ["W", "bb"], ["B", "cc"], ["W", "dd"]]),
            "B[aa] W[bb] B[cc] W[dd]",
        ),
        // In the root too, two in a node, and several values.
        (
            "(;W[aa]B[bb];B[cc][dd]C[;B[no\\]])",
            json!([["W", "aa"], ["B", "bb"], ["B", "cc"], ["B", "dd"]]),
            "W[aa] B[bb] B[cc] B[dd]",
        ),
        ("(;GM[11];B[a1];W[swap-pieces])", json!([["B", "a1"], ["W", "swap-pieces"]]), "B[a1] W[swap-pieces]"),
        ("(;Black[tt];W[a\\]])", json!([["B", "tt"], ["W", "a\\]"]]), "B[tt] W[a\\]]"),
        // Setup is not a move.
        ("(;AB[dd];AW[pp];PL[B])", json!([]), ""),
    ] {
        let game = game.as_bytes();
        assert_eq!(records(game, &["--fields", "PB", "--moves"]), [json!({"moves": moves})]);
        assert_eq!(csv(game, &["--fields", "moves,PB"]), [["moves", "PB"], [csv_moves, ""]]);
    }
    let both = records(b"(;B[aa]PB[b];W[bb])", &["--fields", "moves,B,PB", "--moves"]);
    assert_eq!(both, [json!({"moves": [["B", "aa"], ["W", "bb"]], "B": "aa", "PB": "b"})]);
}

#[test]
fn a_field_of_csv_holds_commas_quotes_line_breaks_and_lists() {
    let texts = ["a,b", "say \"hi\"", "one\ntwo", ",", "\"", "\n", " a ", "", "[x", "é, 囲碁"];
    for text in texts {
        let game = format!("(;C[{text}]AB[aa:ba]XX[{text}]YY[{text}][b])");
        let rows = csv(game.as_bytes(), &["--fields", "C,AB,XX,YY,PB", "--charset", "UTF-8"]);
        let xx = if text.starts_with('[') { json!([text]).to_string() } else { text.to_owned() };
        assert_eq!(rows[1], [text, "aa ba", &xx, &json!([text, "b"]).to_string(), ""], "{text:?}");
    }
}

#[test]
fn texts_are_in_the_charset_of_their_game() {
    let input =
        b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])(;CA[Shift_JIS]PB[\x90\x5C])(;CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
    let names = |records: Vec<Value>| -> Vec<String> {
        records.iter().map(|record| record["PB"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(records(input, &[])), ["吳清源", "申", "小林"]);
    // Without CA: the most likely, or the one that is said.
    let gbk = b"(;PB[\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6])";
    assert_eq!(names(records(gbk, &[])), ["围棋是一种"]);
    assert_eq!(names(records(b"(;PB[\xE9])", &["--default-charset", "latin1"])), ["é"]);
    assert_eq!(names(records(b"(;CA[UTF-8]PB[\xE9])", &["--charset", "latin1"])), ["é"]);
    assert_eq!(names(records(b"\xEF\xBB\xBF(;CA[latin1]PB[\xC3\xA9])", &[])), ["é"]);
    // Files that have to be transcoded as a whole.
    let utf16: Vec<u8> = "\u{FEFF}(;CA[UTF-16]PB[囲碁])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(names(records(&utf16, &[])), ["囲碁"]);
    assert_eq!(names(records(b"(;CA[ISO-2022-JP]PB[\x1B$B0O8k\x1B(B])", &[])), ["囲碁"]);
    assert_eq!(run(&["records", "--charset", "none", "-"]).code, Some(2));
}

#[test]
fn faulty_games_are_reported_and_skipped() {
    let (long, too_long) = ("x".repeat((1 << 20) + 1), "x".repeat((16 << 20) + 1));
    // The second has what is too long where nobody asks for it, and is a record without moves.
    let input = format!("(;PB[a]C[{long}])\n(;PB[b];C[{too_long}])\n(;PB[c]C[{too_long}]PW[b])\n(;PB[d]\n;B[aa]");
    let run = run_with(input.as_bytes(), &["records", "--fields", "game,PB", "-"]);
    let names = [(0, "a"), (1, "b"), (3, "d")].map(|(game, name)| json!({"game": game, "PB": name}));
    assert_eq!(json_lines(&run), names);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stderr);
    assert!(lines[0].starts_with("-:3:"), "{}", lines[0]);
    assert!(
        lines[0].contains(": error: the value is longer than the limit and was dropped (game 3, byte ")
            && lines[0].ends_with(") [value-too-long]"),
        "{}",
        lines[0]
    );
    let end = input.len();
    assert_eq!(
        lines[1],
        format!(
            "-:5:7: warning: the data ends inside a game; the open trees were closed (game 4, byte {end}) [unclosed-tree]"
        )
    );
    assert_eq!(run.code, Some(1));

    let moves = run_with(input.as_bytes(), &["records", "--fields", "game,moves", "-"]);
    let expected = vec![json!({"game": 0, "moves": []}), json!({"game": 3, "moves": [["B", "aa"]]})];
    assert_eq!((json_lines(&moves), moves.code), (expected, Some(1)));
    assert_eq!(moves.stderr.lines().count(), 3, "{}", moves.stderr);
}

#[test]
fn repairs_of_the_grammar_are_no_faults() {
    let input = b"From: me\n(;PB[a])\n)(;PB[b] junk\n(;GM[1]PB[c [3d]])";
    assert_eq!(records(input, &["--fields", "PB"]), [json!({"PB": "a"}), json!({"PB": "b"}), json!({"PB": "c [3d]"})]);
}

#[test]
fn strict_takes_a_game_for_faulty_at_its_first_fault() {
    let input = b"(;PB[a])(;PB[b]pw[c])(;PB[d];B[aa])(;CA[foo]PB[e])(;CA[UTF-8]PB[\xFF])(;PB[f])";
    let run = run_with(input, &["records", "--strict", "--fields", "game,PB", "-"]);
    let expected = [(0, "a"), (2, "d"), (5, "f")].map(|(game, name)| json!({"game": game, "PB": name}));
    assert_eq!(json_lines(&run), expected);
    let codes: Vec<_> = run.stderr.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    assert!(run.stderr.lines().next().unwrap().starts_with("-:1:16: error: expected "), "{}", run.stderr);
    assert!(codes[0].starts_with('['), "{codes:?}");
    for (line, game) in run.stderr.lines().zip([2, 4, 5]) {
        assert!(line.contains(&format!("(game {game}, byte ")), "{line}");
    }
    assert_eq!(run.code, Some(1));
}

#[test]
fn strict_reports_a_fault_after_the_last_game() {
    for (input, records) in [("hello\n", 0), ("(;PB[a])\nhello\n", 1)] {
        let run = run_with(input.as_bytes(), &["records", "--strict", "--fields", "PB", "-"]);
        assert_eq!((json_lines(&run).len(), run.code), (records, Some(1)), "{}", run.stderr);
        assert!(run.stderr.contains("error: "), "{}", run.stderr);
    }
}

#[test]
fn what_a_record_has_not_is_a_warning() {
    let input = b"(;PB[a][b]PW[c][d])(;CA[UTF-8]PB[\xFF]PW[x\xFF])(;CA[foo]PB[\xE9])(;XX[a][b])";
    let run = run_with(input, &["records", "--fields", "PB,PW,XX", "-"]);
    assert_eq!(
        json_lines(&run),
        [
            json!({"PB": "a", "PW": "c"}),
            json!({"PB": "\u{FFFD}", "PW": "x\u{FFFD}"}),
            json!({"PB": "é"}),
            json!({"XX": ["a", "b"]})
        ]
    );
    assert_eq!(
        run.stderr.lines().collect::<Vec<_>>(),
        [
            "-:1:3: warning: PB has 2 values; using the first (game 1, byte 2) [extra-values]",
            "-:1:11: warning: PW has 2 values; using the first (game 1, byte 10) [extra-values]",
            "-:1:21: warning: bytes that are invalid in the charset were replaced with U+FFFD (2 times) (game 2, byte 20) [bad-bytes]",
            "-:1:44: warning: unknown charset; decoded as Latin-1 (game 3, byte 43) [unknown-charset]",
        ]
    );
    assert_eq!(run.code, Some(0));
}

#[test]
fn bad_bytes_of_a_file_that_is_transcoded_are_told_of_the_file() {
    let input = b"(;CA[ISO-2022-JP]PB[\x1B$B0O8\xFF\x1B(B])";
    let lenient = run_with(input, &["records", "--fields", "PB", "-"]);
    let message = "bytes that are invalid in the charset were replaced with U+FFFD";
    assert!(json_lines(&lenient)[0]["PB"].as_str().unwrap().starts_with('囲'));
    assert!(lenient.stderr.starts_with(&format!("sgf: warning: -: {message}")), "{}", lenient.stderr);
    assert_eq!((lenient.code, lenient.stderr.lines().count()), (Some(0), 1));
    let strict = run_with(input, &["records", "--strict", "--fields", "PB", "-"]);
    assert!(strict.stderr.starts_with(&format!("sgf: error: -: {message}")), "{}", strict.stderr);
    assert_eq!(strict.code, Some(1));
}

#[test]
fn of_an_archive_that_is_cut_every_game_comes_and_a_report_of_the_last() {
    let whole = run(&["synth", "--bytes", "300000", "--seed", "7"]).stdout;
    let all = records(&whole, &["--moves"]);
    let offsets: Vec<_> = all.iter().map(|record| record["offset"].as_u64().unwrap() as usize).collect();
    assert!(offsets.len() > 100);
    let starts_of_others = offsets[1..].iter().copied().chain([whole.len()]);
    let ends: Vec<_> =
        starts_of_others.map(|next| whole[..next].iter().rposition(|&b| b == b')').unwrap() + 1).collect();
    for cut in (100..whole.len()).step_by(whole.len() / 12) {
        for args in [&["records", "-"][..], &["records", "--moves", "-"]] {
            let run = run_with(&whole[..cut], args);
            let expected = ends.iter().filter(|&&end| end <= cut).count();
            let is_cut = offsets.iter().filter(|&&start| start + 1 < cut).count() > expected;
            let found = json_lines(&run);
            assert_eq!(found.len(), expected + usize::from(is_cut), "cut at {cut}");
            if args.len() == 3 {
                assert_eq!(found[..expected], all[..expected]);
                if let Some(last) = found.get(expected) {
                    let (came, whole) = (last["moves"].as_array().unwrap(), all[expected]["moves"].as_array().unwrap());
                    assert!(whole.starts_with(came), "cut at {cut}");
                }
            }
            assert_eq!(run.stderr.lines().count(), usize::from(is_cut), "{}", run.stderr);
            assert!(!is_cut || run.stderr.contains(": warning: the data ends inside a game"), "{}", run.stderr);
            assert_eq!(run.code, Some(0));
        }
    }
}

#[test]
fn files_directories_and_standard_input_are_read_and_what_cannot_be_is_told() {
    let dir = directory("records/all");
    fs::create_dir_all(dir.join("sub")).unwrap();
    fs::write(dir.join("sub/b.SGF"), "(;PB[b])(;PB[bb])").unwrap();
    fs::write(dir.join("a.sgf"), "(;PB[a])").unwrap();
    fs::write(dir.join("notes.txt"), "(;PB[no])").unwrap();
    let (missing, nothing) = (dir.join("missing.sgf"), dir.join("nothing"));
    fs::write(&nothing, "no game").unwrap();

    let read = run_with(b"(;PB[in])", &["records", "--fields", "file,game,PB", str(&dir), "-"]);
    let name = |name: &str| str(&dir.join(name)).to_owned();
    assert_eq!(
        json_lines(&read),
        [
            json!({"file": name("a.sgf"), "game": 0, "PB": "a"}),
            json!({"file": name("sub/b.SGF"), "game": 0, "PB": "b"}),
            json!({"file": name("sub/b.SGF"), "game": 1, "PB": "bb"}),
            json!({"file": "-", "game": 0, "PB": "in"}),
        ]
    );
    assert_eq!((read.code, read.stderr.as_str()), (Some(0), ""));

    let faulty = run(&["records", "--fields", "PB", str(&nothing), str(&dir.join("a.sgf"))]);
    assert_eq!((faulty.text(), faulty.code), ("{\"PB\":\"a\"}\n", Some(0)));
    assert_eq!(faulty.stderr, format!("sgf: warning: {}: no SGF data\n", nothing.display()));

    let unreadable = run(&["records", "--fields", "PB", str(&missing), str(&nothing), str(&dir.join("a.sgf"))]);
    assert_eq!((unreadable.text(), unreadable.code), ("{\"PB\":\"a\"}\n", Some(2)));
    assert!(unreadable.stderr.starts_with(&format!("sgf: error: {}: ", missing.display())), "{}", unreadable.stderr);
}

#[test]
fn a_pipe_that_is_closed_ends_records_quietly() {
    let input = b"(;PB[a];B[aa])".repeat(50_000);
    for format in ["jsonl", "csv"] {
        let args = ["records", "--format", format, "-"];
        assert_eq!(with_closed_pipe(&args, 0, &input), (Some(0), String::new()));
    }
}

/// The most memory that it takes to read an archive of `times` games.
#[cfg(target_os = "linux")]
fn peak(args: &[&str], times: usize) -> u64 {
    let game = format!("(;PB[Shusaku]C[{}]{})", "long ".repeat(1000), ";B[dd];W[pp]".repeat(100));
    super::peak(args, std::iter::repeat_n(game.as_bytes(), times))
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_archive() {
    for args in [&["records", "-"][..], &["records", "--moves", "--fields", "C", "--format", "csv", "-"]] {
        let one = &[args, &["--threads", "1"]].concat();
        let (small, large) = (peak(one, 2_000), peak(one, 10_000));
        assert!(large < small + 1024, "{one:?}: {small} KiB, then {large} KiB");
        // What all threads have to do is in memory, whatever the length of the archive.
        let all = peak(&[args, &["--threads", "4"]].concat(), 20_000);
        assert!(all < 16 * 1024, "{args:?}: {all} KiB with four threads");
    }
}

/// What CSV has for a value of JSON.
fn as_field(name: &str, value: Option<&Value>) -> String {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let join = |list: &[Value], text: &dyn Fn(&Value) -> String| list.iter().map(text).collect::<Vec<_>>().join(" ");
    match (name, value) {
        (_, None) => String::new(),
        (_, Some(Value::String(text))) => text.clone(),
        ("moves", Some(Value::Array(list))) => join(list, &|one| format!("{}[{}]", text(&one[0]), text(&one[1]))),
        ("AB" | "AW", Some(Value::Array(list))) => join(list, &text),
        (_, Some(Value::Array(list))) if list.len() == 1 && !text(&list[0]).starts_with('[') => text(&list[0]),
        (_, Some(other)) => other.to_string(),
    }
}

#[test]
fn over_the_corpus_every_game_is_a_record_or_reported_and_both_formats_agree() {
    let Some(corpus) = shared::path("corpus") else { return };
    let fields =
        "file,game,offset,PB,BR,PW,WR,KM,KM_text,HA,HA_text,SZ,RU,RE,RE_text,DT,DT_text,EV,RO,PC,GN,AB,AW,C,KK,AP";
    let names: Vec<_> = fields.split(',').chain(["moves"]).collect();
    let args = ["records", "--moves", "--fields", fields, str(&corpus), "--format"];
    let jsonl = run(&[&args[..], &["jsonl"]].concat());
    let csv = run(&[&args[..], &["csv"]].concat());
    // Files without SGF data are a warning.
    assert_eq!((jsonl.code, csv.code), (Some(0), Some(0)));
    assert_eq!(jsonl.stderr, csv.stderr);

    let scan = run(&["scan", "--json", str(&corpus)]).json();
    let records = json_lines(&jsonl);
    let reported: BTreeSet<_> = jsonl
        .stderr
        .lines()
        .filter_map(|line| line.split_once(": error: "))
        .filter_map(|(place, what)| {
            Some((place.rsplitn(3, ':').nth(2)?, what.split_once("(game ")?.1.split_once(',')?.0))
        })
        .collect();
    assert_eq!((records.len() + reported.len()) as u64, scan["games"].as_u64().unwrap());

    let rows = rows(&csv.stdout);
    assert_eq!((&rows[0], rows.len()), (&names.iter().map(|&name| name.to_owned()).collect(), records.len() + 1));
    let mut types: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for (row, record) in rows[1..].iter().zip(&records) {
        for (&name, field) in names.iter().zip(row) {
            let value = record.get(name);
            assert_eq!(*field, as_field(name, value), "{name} of {record}");
            types.entry(name).or_default().insert(match value {
                None | Some(Value::Null) => "",
                Some(Value::Number(_)) => "number",
                Some(Value::String(_)) => "text",
                _ => "list",
            });
        }
        let allowed = |key: &String| names.contains(&key.as_str());
        assert!(record.as_object().unwrap().keys().all(allowed));
    }
    // Nothing in there that would not fit into a column.
    assert_eq!(types["PB"], BTreeSet::from(["", "text"]));
    assert_eq!(types["AB"], BTreeSet::from(["", "list"]));
    assert_eq!(types["moves"], BTreeSet::from(["list"]));
    assert_eq!(types["offset"], BTreeSet::from(["number"]));
    assert_eq!(types["KM"], BTreeSet::from(["", "number"]));
    for (name, types) in types {
        assert!(types.iter().filter(|kind| !kind.is_empty()).count() <= 1, "{name} is {types:?}");
    }
}

#[test]
fn diagnostics_are_summed_up_where_they_would_flood_a_terminal() {
    let input =
        [&b"(;CA[nonsense]PB[a])\n"[..], b"(;RE[a][b])\n", b"(;RE[x\x1B][y])\n", b"(;PB[\xFF])(;PB[b])"].concat();
    let all = run_with(&input, &["records", "-"]);
    let summary = run_with(&input, &["records", "--diagnostics", "summary", "-"]);
    assert_eq!((summary.code, &summary.stdout), (all.code, &all.stdout));
    let lines: Vec<&str> = all.stderr.lines().collect();
    let first = |code: &str| *lines.iter().find(|line| line.ends_with(code)).unwrap();
    let expected = format!(
        "sgf: {} diagnostics; the first of each rule (--diagnostics all prints all):\n        2  {}\n",
        lines.len(),
        first("[extra-values]"),
    );
    assert!(summary.stderr.starts_with(&expected), "{}\n{}", summary.stderr, all.stderr);
    assert!(summary.stderr.contains(&format!("        1  {}\n", first("[unknown-charset]"))), "{}", summary.stderr);
    assert_eq!(run_with(&input, &["records", "--diagnostics", "all", "-"]).stderr, all.stderr);
    let sound = run_with(b"(;PB[a])", &["records", "--diagnostics", "summary", "-"]);
    assert_eq!((sound.stderr.as_str(), sound.code), ("", Some(0)));
    // What could not be read is said at once, and errors are errors.
    let missing = run(&["records", "--strict", "--diagnostics", "summary", "tests/data/archive", "no-such-file"]);
    assert!(
        missing.stderr.contains("sgf: error: no-such-file: ") && missing.stderr.contains(" error: "),
        "{}",
        missing.stderr
    );
    assert_eq!(missing.code, Some(2));
}

/// Programs share a file by ranges that nobody has to align with games.
#[test]
fn ranges_that_cover_a_file_have_each_of_its_games_once() {
    let folder = directory("records/ranges");
    let plain = run(&["synth", "--mixed", "--seed", "5", "--bytes", "40000"]).stdout;
    let wide: Vec<u8> = format!("\u{FEFF}(;CA[UTF-16]PB[{}])(;PB[囲碁])", "x".repeat(999))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (name, bytes) in [("plain.sgf", &plain), ("wide.sgf", &wide), ("empty.sgf", &Vec::new())] {
        let file = folder.join(name);
        fs::write(&file, bytes).unwrap();
        let read = |args: &[&str]| {
            let columns = ["records", "--columns", "file,offset,PB,RE,error", "--moves", "--quiet"];
            run(&[&columns[..], args, &[str(&file)]].concat())
        };
        let whole = read(&[]);
        for parts in [1, 2, 3, 17] {
            let step = bytes.len().div_ceil(parts).max(1);
            let mut found = String::new();
            for start in (0..bytes.len().max(1)).step_by(step) {
                let range = format!("{start}..{}", bytes.len().min(start + step));
                found += read(&["--range", &range]).text();
            }
            assert_eq!(found, whole.text(), "{name} in {parts}");
        }
        assert_eq!(read(&["--range", "0..0"]).text(), "", "{name}");
    }
    // Games are counted from the start of a file only.
    let file = folder.join("plain.sgf");
    let first =
        |range: &str| json_lines(&run(&["records", "--quiet", "--range", range, str(&file)]))[0]["game"].clone();
    assert_eq!((first("0..40000"), first("1..40000")), (json!(0), Value::Null));
}

#[test]
fn a_range_is_one_of_a_file_that_can_be_read_at_offsets() {
    let folder = directory("records/range");
    let (file, packed) = (folder.join("a.sgf"), folder.join("a.sgf.gz"));
    fs::write(&file, TWO_GAMES).unwrap();
    fs::write(&packed, [0x1F, 0x8B, 8, 0]).unwrap();
    for (args, message) in [
        (&["--range", "0..9999", str(&file)][..], "--range 0..9999 is beyond the end of the file ("),
        (&["--range", "0..1", str(&packed)], "it is compressed"),
        (&["--range", "0..1", "-"], "standard input is not seekable"),
        (&["--range", "0..1", str(&file), str(&packed)], "--range takes exactly one PATH"),
        (&["--range", "9..1", str(&file)], "start 9 is greater than end 1"),
        (&["--range", "9", str(&file)], "use START..END"),
    ] {
        let run = run(&[&["records"], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
}

/// The threads that read the parts of a file do not know how many games come before theirs.
#[test]
fn games_are_numbered_whatever_part_they_are_in() {
    let folder = directory("numbers");
    let files = [("a", 3), ("b", 3000), ("c", 1), ("d", 2500)];
    let comment = "x".repeat(1000);
    let mut paths = Vec::new();
    for (name, count) in files {
        let games = (0..count).map(|number| {
            let extra = if number % 1000 == 777 { "[5.5]" } else { "" };
            format!("(;GM[1]KM[6.5]{extra}C[{comment}];B[dd];W[pp])\n")
        });
        let path = folder.join(name).with_extension("sgf");
        fs::write(&path, games.collect::<String>()).unwrap();
        paths.push(path);
    }
    let expected =
        |in_each| files.iter().flat_map(move |&(_, count)| (0..count).flat_map(move |game| vec![game; in_each]));
    let paths: Vec<&str> = paths.iter().map(|path| str(path)).collect();
    for more in [&["--threads", "1"][..], &["--threads", "3"], &["--strict"]] {
        let is_strict = more == ["--strict"];
        for columns in ["game", "KM,game,error", "game,file,offset"] {
            for (table, in_each) in [("games", 1), ("moves", 2)] {
                // A faulty game has no row in JSON and CSV unless there is a column for its error, and no moves.
                let is_of_all = !is_strict || columns.contains("error");
                if !is_of_all || table == "moves" && (columns.contains("KM") || is_strict) {
                    continue;
                }
                let args = [&["records", "--table", table, "--columns", columns], more, &paths].concat();
                let found = json_lines(&run(&args));
                assert!(found.iter().map(|row| row["game"].as_i64().unwrap()).eq(expected(in_each)), "{args:?}");
                let found = rows(&run(&[&args, &["--format", "csv"][..]].concat()).stdout);
                let at = found[0].iter().position(|name| name == "game").unwrap();
                assert!(found[1..].iter().map(|row| row[at].parse::<i64>().unwrap()).eq(expected(in_each)), "{args:?}");
                #[cfg(feature = "arrow")]
                {
                    let found = run(&[&args, &["--format", "arrow"][..]].concat());
                    let found = arrow_ipc::reader::StreamReader::try_new(&found.stdout[..], None).unwrap();
                    let numbers = found.flat_map(|batch| {
                        let games = batch.unwrap().column_by_name("game").unwrap().clone();
                        arrow_array::cast::as_primitive_array::<arrow_array::types::Int64Type>(&games).values().to_vec()
                    });
                    assert!(numbers.eq(expected(in_each)), "{args:?}, as Arrow");
                }
            }
        }
        let found = run(&[&["records", "--diagnostics", "all"], more, &paths].concat());
        let games: Vec<_> =
            found.stderr.lines().filter_map(|line| line.split("(game ").nth(1)?.split(',').next()).collect();
        assert_eq!(games, ["778", "1778", "2778", "778", "1778"], "{}", found.stderr);
        let found = run(&[&["records", "--diagnostics", "summary"], more, &paths[3..]].concat());
        assert!(found.stderr.contains("(game 778, byte "), "{}", found.stderr);
    }
}

/// `--output` and its like never cost a file that is read, nor an existing one before there is something for it.
#[test]
fn an_output_is_no_input() {
    let folder = directory("records/output-is-input");
    let (game, picture, keep) = (folder.join("a.sgf"), folder.join("a.svg"), folder.join("keep.jsonl"));
    fs::write(&game, TWO_GAMES).unwrap();
    fs::write(&picture, TWO_GAMES).unwrap();
    let (file, dir, link) = (str(&game), str(&folder), folder.join("b.sgf"));
    fs::hard_link(&game, &link).unwrap();
    for args in [
        &["records", "-o", file, file][..],
        &["records", "-o", file, dir],
        &["records", "-o", str(&link), "--format", "csv", file],
        &["report", "-o", file, file],
        &["report", "-o", str(&folder.join("page.html")), "--json", file, dir],
        &["show", "-o", str(&picture), str(&picture)],
    ] {
        let run = run(args);
        assert!(run.stderr.contains("this file is an input; write to another one"), "{args:?}: {}", run.stderr);
        assert_ne!(run.code, Some(0), "{args:?}");
        assert!([&game, &picture].into_iter().all(|file| fs::read(file).unwrap() == TWO_GAMES), "{args:?}");
    }
    let missing = folder.join("missing.sgf");
    let records = |inputs: &[&str]| run(&[&["records", "-o", str(&keep)], inputs].concat());
    fs::write(&keep, "old").unwrap();
    let run = records(&[str(&missing)]);
    assert!(run.stderr.contains("keep.jsonl: left unchanged, because nothing could be read\n"), "{}", run.stderr);
    assert_eq!((run.code, fs::read_to_string(&keep).unwrap().as_str()), (Some(2), "old"));
    // What can be read is written, whatever else is missing.
    let run = records(&[file, str(&missing)]);
    assert_eq!((run.code, fs::read_to_string(&keep).unwrap().lines().count()), (Some(2), 2));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "no temporary file is left");

    // A new file has its name when it is complete: no run reads its own output, and none leaves a part of it.
    let new = folder.join("new.sgf");
    let run = super::run(&["records", "--columns", "PB", "-o", str(&new), dir]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(&new).unwrap().lines().count(), 4);
    fs::remove_file(&new).unwrap();
    for args in [&["-o", str(&new), str(&missing)][..], &["-o", str(&new), "--range", "0..999", file]] {
        assert_eq!(super::run(&[&["records"], args].concat()).code, Some(2), "{args:?}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "{args:?}");
    }
    let page = folder.join("page.html");
    for input in [dir, str(&missing)] {
        super::run(&["report", "-o", str(&page), input]);
        assert!(fs::read_to_string(&page).unwrap().contains("<html"), "{input}");
    }
    let run = super::run(&["report", "-o", str(&page), str(&missing)]);
    assert!(run.stderr.contains("page.html: left unchanged, because nothing could be read\n"), "{}", run.stderr);
}

/// The rows of one game are written while it is read, whatever its length.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_a_game() {
    for table in ["moves", "properties"] {
        let peak = |times| {
            let moves = ";B[dd];W[pp]C[hello]".repeat(500);
            let pieces = iter::once("(;FF[4]").chain(iter::repeat_n(&*moves, times)).chain(iter::once(")"));
            super::peak(&["records", "--table", table, "--threads", "2", "-"], pieces.map(str::as_bytes))
        };
        let (small, large) = (peak(1_000), peak(4_000));
        assert!(large < small + 16 * 1024, "{table}: {small} KiB, then {large} KiB");
    }
}

/// Rows that are written in steps have the numbers of their games, and what is found after a step is told.
#[test]
fn a_long_game_is_numbered_like_others() {
    let file = directory("records/long").join("a.sgf");
    let short = "(;PB[short]KM[6.5];B[aa])\n".repeat(50_000);
    let long = format!("(;PB[long]{})\n", ";B[dd];W[pp]".repeat(100_000));
    fs::write(&file, [&*short, &long, "(;PB[last];B[aa]C[x"].concat()).unwrap();
    let len = fs::metadata(&file).unwrap().len();
    for format in ["jsonl", "csv"] {
        let records = |more: &[&str]| {
            let args = ["records", "--table", "moves", "--columns", "game,ply,point,offset", "--format", format];
            run(&[&args, more, &[str(&file)]].concat())
        };
        let one = records(&["--threads", "1"]);
        let rows = String::from_utf8(one.stdout.clone()).unwrap();
        assert!(rows.lines().next_back().is_some_and(|line| line.contains("50001")));
        assert!(one.stderr.contains("game 50002"), "{}", one.stderr);
        for more in [&["--threads", "3"][..], &["--range", &format!("0..{len}")]] {
            let other = records(more);
            assert!(other.stdout == one.stdout, "{format} {more:?}");
            assert_eq!(other.stderr, one.stderr, "{more:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    for args in [&["--help"][..], &["--version"], &["records", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let help = super::command(args).stdout(full).output().unwrap();
        assert_eq!(help.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&help.stderr).contains("standard output: "), "{args:?}");
    }
    let run = run(&["records", "-o", "/dev/full", "tests/data/archive/collection.sgf"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("sgf: error: /dev/full: "), "{}", run.stderr);
}

#[test]
fn moves_are_a_column_of_games() {
    let run = run_with(TWO_GAMES, &["records", "--table", "moves", "--moves", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), "sgf: error: --moves cannot be used with --table moves\n"));
}
