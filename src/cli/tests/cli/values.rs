//! `sgf values`.

use serde_json::{Value, json};

use super::{run, run_with};

/// The rows by property, game and type.
fn rows(input: &[u8]) -> Vec<Value> {
    let run = run_with(input, &["values", "--json", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    serde_json::from_slice::<Vec<Value>>(&run.stdout).expect("JSON")
}

fn row(rows: &[Value], property: Value, game: Value) -> [u64; 4] {
    let found = rows.iter().find(|row| row["property"] == property && row["game"] == game);
    let row = found.unwrap_or_else(|| panic!("{property} of {game} in {rows:?}"));
    ["values", "strict", "lenient", "unread"].map(|field| row[field].as_u64().unwrap())
}

#[test]
fn values_are_counted_by_how_they_read() {
    let rows = rows(b"(;FF[4]RE[B+R]KM[6.5];B[dd];W[d4];B[zz])(;RE[b+r]KM[six];B[])");
    assert_eq!(row(&rows, json!("RE"), Value::Null), [2, 1, 1, 0]);
    assert_eq!(row(&rows, json!("KM"), json!("Go")), [2, 1, 0, 1]);
    // Beside the board is a point all the same, leniently; what people call D4 is one on a board.
    assert_eq!(row(&rows, json!("B"), Value::Null), [3, 2, 1, 0]);
    assert_eq!(row(&rows, json!("W"), Value::Null), [1, 0, 1, 0]);
    let komi = rows.iter().find(|row| row["property"] == "KM").unwrap();
    assert_eq!(komi["samples"], json!([["six", 1]]));
}

#[test]
fn a_round_is_free_text_and_a_rank_is_not() {
    let rows = rows("(;RO[Final]BR[201])(;RO[5 (final)])(;RO[ab])(;RO[제3국]WR[초단])".as_bytes());
    assert_eq!(row(&rows, json!("RO"), Value::Null), [4, 4, 0, 0]);
    assert_eq!(row(&rows, json!("BR"), Value::Null), [1, 0, 0, 1]);
    assert_eq!(row(&rows, json!("WR"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn the_game_and_the_size_of_a_root_hold_for_what_stands_before_them() {
    let rows = rows(b"(;AW[c3]GM[11];B[a1])(;AB[ss]SZ[9])");
    assert_eq!(row(&rows, json!("AW"), Value::Null), [1, 1, 0, 0]);
    assert_eq!(row(&rows, json!("AB"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn ranks_in_other_charsets_are_decoded_first() {
    let rows = rows(b"(;BR[9\xB6\xCE]CA[GB2312])");
    assert_eq!(row(&rows, json!("BR"), Value::Null), [1, 0, 1, 0]);
}

#[test]
fn identifiers_that_nobody_knows_are_counted_together() {
    let rows = rows(b"(;QQQ[1]QQQ[2]XQX[3])");
    assert_eq!(row(&rows, Value::Null, Value::Null), [3, 0, 0, 3]);
    assert_eq!(rows.last().unwrap()["samples"], json!([["QQQ", 2], ["XQX", 1]]));
}

#[test]
fn the_table_can_leave_out_what_is_sound() {
    let input = b"(;FF[4]KM[six]KM[five]KM[five]DT[1996])";
    let run = run_with(input, &["values", "--faulty", "--samples", "1", "-"]);
    let text = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("property"));
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>().join(" "), "KM Go Komi 3 0 0 3 2 × [five]");
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_counted() {
    let run = run(&["values", "tests/data/archive", "no-such-file"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no-such-file"), "{}", run.stderr);
    assert!(!run.stdout.is_empty());
}
