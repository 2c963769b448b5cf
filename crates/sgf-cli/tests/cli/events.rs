//! `sgf events`.

use std::fs;

use serde_json::{Value, json};
use sgf_stream::charset::Charset;
use sgf_stream::{Event, Parser};

use super::{PROJECT, run, run_with};
use crate::each_event::EachEvent;

#[test]
fn events_are_json_lines_with_diagnostics_in_between() {
    let run = run_with(b"(;FF[4]Black[dd]C[a\\]\n\"\xC3\xA9]N[\xFF])", &["events", "-"]);
    assert_eq!(
        run.lines(),
        [
            r#"{"event":"start_tree","offset":0}"#,
            r#"{"event":"node","offset":1}"#,
            r#"{"event":"property","offset":2,"ident":"FF"}"#,
            r#"{"event":"value","offset":4,"raw":"4"}"#,
            r#"{"event":"diagnostic","offset":7,"line":1,"column":8,"severity":"warning","code":"lowercase-in-ident","message":"lower-case letters in the identifier were ignored"}"#,
            r#"{"event":"property","offset":7,"ident":"Black"}"#,
            r#"{"event":"value","offset":12,"raw":"dd"}"#,
            r#"{"event":"property","offset":16,"ident":"C"}"#,
            r#"{"event":"value","offset":17,"raw":"a\\]\n\"é"}"#,
            r#"{"event":"property","offset":26,"ident":"N"}"#,
            r#"{"event":"value","offset":27,"raw_base64":"/w=="}"#,
            r#"{"event":"end_tree","offset":30}"#,
        ]
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn events_of_a_file_are_those_of_standard_input() {
    let path = "tests/data/archive/broken.sgf";
    let from_file = run(&["events", path]);
    let from_stdin = run_with(&fs::read(format!("{PROJECT}/{path}")).unwrap(), &["events", "-"]);
    assert_eq!(from_file.text(), from_stdin.text());
    assert_eq!(from_file.lines().iter().filter(|line| line.contains("diagnostic")).count(), 17);
    assert_eq!(from_file.code, Some(0));
}

#[test]
fn a_fault_in_strict_mode_is_fatal_and_the_last_line() {
    let run = run_with(b"(;B[aa]\n;W)(;)", &["events", "--strict", "-"]);
    assert_eq!(
        run.lines()[4..],
        [
            r#"{"event":"node","offset":8}"#,
            r#"{"event":"error","offset":9,"line":2,"column":2,"severity":"error","code":"property-without-value","message":"expected `[` after `W`, found `)`","fatal":true}"#,
        ]
    );
    assert_eq!(run.code, Some(1));
    assert_eq!(run_with(b"(;B[aa])", &["events", "--strict", "-"]).code, Some(0));
}

#[test]
fn a_stream_without_sgf_data_is_a_fatal_error_in_either_mode() {
    let fatal = r#"{"event":"error","offset":0,"line":1,"column":1,"severity":"error","code":"no-sgf-data","message":"no SGF data: expected `(` followed by `;`","fatal":true}"#;
    for args in [&["events", "-"][..], &["events", "--strict", "-"]] {
        let run = run_with(b"", args);
        assert_eq!((run.lines(), run.code), (vec![fatal], Some(1)));
    }
    let junk = run_with(b"no game", &["events", "-"]);
    assert!(junk.lines()[0].starts_with(
        r#"{"event":"diagnostic","offset":0,"line":1,"column":1,"severity":"warning","code":"junk-outside-tree""#
    ));
    assert_eq!((junk.lines()[1..].to_vec(), junk.code), (vec![fatal], Some(1)));
}

#[test]
fn what_a_limit_forbids_is_an_error_that_is_not_fatal() {
    let input = [b"(;C[", vec![b'x'; (16 << 20) + 1].as_slice(), b"];B[aa])"].concat();
    let run = run_with(&input, &["events", "-"]);
    let error = r#"{"event":"error","offset":3,"line":1,"column":4,"severity":"error","code":"value-too-long","message":"the value is longer than the limit and was dropped","fatal":false}"#;
    assert_eq!(run.lines().iter().filter(|&&line| line == error).count(), 1);
    assert!(run.lines().last().unwrap().contains("end_tree"));
    assert_eq!(run.code, Some(1));
}

#[test]
fn what_cannot_be_read_ends_with_2() {
    for path in ["no/such/file.sgf", "tests/data"] {
        let run = run(&["events", path]);
        assert_eq!((run.code, run.text()), (Some(2), ""));
        assert!(run.stderr.starts_with(&format!("sgf: error: {path}: ")), "{}", run.stderr);
    }
    let folder = run(&["events", "tests/data"]);
    assert_eq!(folder.stderr, "sgf: error: tests/data: it is a directory; use one of the files in it\n");
    for args in [&["events"][..], &["scan"], &["what"], &["synth", "--bytes", "4X"], &[]] {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn events_in_order_are_those_of_the_library() {
    let bytes = fs::read(format!("{PROJECT}/tests/data/archive/collection.sgf")).unwrap();
    let mut expected = Vec::new();
    Parser::strict()
        .each_event(&bytes, |event, offset| {
            expected.push(match event {
                Event::StartTree => json!({"event": "start_tree", "offset": offset}),
                Event::Node => json!({"event": "node", "offset": offset}),
                Event::Property(ident) => {
                    json!({"event": "property", "offset": offset, "ident": ident.spelling()})
                }
                Event::Value(value) => {
                    let raw = std::str::from_utf8(value.as_bytes()).unwrap();
                    json!({"event": "value", "offset": offset, "raw": raw})
                }
                _ => json!({"event": "end_tree", "offset": offset}),
            });
        })
        .unwrap();
    let run = run(&["events", "--strict", "tests/data/archive/collection.sgf"]);
    let lines: Vec<Value> = run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, expected);
}

/// The last byte of `\u{8868}` is a backslash in Shift_JIS, and hides no bracket.
#[test]
fn the_charset_tells_values_apart() {
    let text = Charset::SHIFT_JIS
        .encoding()
        .unwrap()
        .encode("\u{9ED2}\u{306E}\u{52DD}\u{3061}\u{3067}\u{3059}\u{3002}\u{8868}")
        .0;
    for root in [&b"(;C["[..], b"(;CA[Shift_JIS]C["] {
        let game = [root, &text, b"];B[aa];W[bb];B[cc])"].concat();
        let nodes = |args: &[&str]| {
            let run = run_with(&game, &[&["events"], args, &["-"]].concat());
            run.lines().iter().filter(|line| line.contains(r#""event":"node""#)).count()
        };
        assert_eq!((nodes(&[]), nodes(&["--charset", "Shift_JIS"])), (4, 4));
    }
}

#[test]
fn places_are_right_in_files_of_many_chunks() {
    let mut input = Vec::new();
    let mut expected = Vec::new();
    let mut line = 1;
    for game in 0..300 {
        let breaks = ["\n", "\r\n", "\n\r", "\r"][game % 4];
        input.extend(format!("(;C[{}]", format!("x{breaks}").repeat(game * 37 % 5000)).into_bytes());
        line += game as u64 * 37 % 5000;
        let start = input.iter().rposition(|&b| matches!(b, b'\r' | b'\n')).map_or(0, |at| at + 1);
        expected.push(json!([input.len(), line, input.len() - start + 1]));
        input.extend(b"Name[a])\nz\n");
        line += 2;
    }
    assert!(input.len() > 1_000_000);
    let run = run_with(&input, &["events", "-"]);
    let lines = run.lines().into_iter().filter(|line| line.contains("\"lowercase-in-ident\""));
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<_> = lines.map(|line| json!([line["offset"], line["line"], line["column"]])).collect();
    assert_eq!(found, expected);
}

/// It is for programs: lists of commands do not name it, and its help leads to decoded values.
#[test]
fn the_command_is_hidden_and_names_where_decoded_values_are() {
    assert!(!run(&["--help"]).text().lines().any(|line| line.trim_start().starts_with("events")));
    assert!(run(&["events", "--help"]).text().contains("`sgf records --table properties`"));
    let removed = run_with(b"(;B[aa])", &["events", "--utf8", "-"]);
    assert_eq!((removed.code, removed.text()), (Some(2), ""));
}
