//! `sgf diff`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::pack::{Zipped, zip, zipped};
use super::{directory, run, str};

const MOVES: &str = ";B[aa];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh];B[ii];W[jj]";

fn write(top: &Path, files: &[(&str, String)]) -> PathBuf {
    for (name, content) in files {
        let path = top.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    top.to_owned()
}

/// Two versions of an archive, with a change of each kind.
fn archives(name: &str) -> (PathBuf, PathBuf) {
    let top = directory(&format!("diff/{name}"));
    let game = |root: &str, more: &str| format!("(;FF[4]GM[1]SZ[19]{root}{MOVES}{more})");
    let same = game("PB[Same]", "");
    let old = write(
        &top.join("old"),
        &[
            ("same.sgf", same.clone()),
            ("a/header.sgf", game("PB[Lee]DT[2016]", "")),
            ("moves.sgf", game("PB[Moves]", ";B[kk]")),
            ("comment.sgf", game("PB[Comment]", ";C[one]")),
            ("moved.sgf", game("PB[Moved]", "")),
            ("gone.sgf", format!("{}{}", game("PB[Gone]", ";B[qa]"), game("PB[Gone too]", ";B[qb]"))),
            ("many.sgf", format!("{same}{}{same}", game("PB[Many]", ";B[qc]"))),
        ],
    );
    let new = write(
        &top.join("new"),
        &[
            ("same.sgf", same.clone()),
            ("a/header.sgf", game("PB[Lee Sedol]DT[2016]KM[7.5]", "")),
            ("moves.sgf", game("PB[Moves]", ";B[kl];W[ll]")),
            ("comment.sgf", game("PB[Comment]", ";C[two]")),
            ("b/moved.sgf", game("PB[Moved]", "")),
            ("many.sgf", format!("{same}{}{same}{same}", game("PB[Many]WR[9p]", ";B[qc]"))),
            ("new.sgf", game("PB[New]", ";B[qd];W[qe]")),
        ],
    );
    (old, new)
}

const LINES: &str = "\
gone     gone.sgf (2 games)
new      many.sgf game 4
new      new.sgf
header   a/header.sgf: PB \"Lee\" -> \"Lee Sedol\", KM (none) -> \"7.5\"
moved    moved.sgf -> b/moved.sgf
content  comment.sgf
header   many.sgf game 2: WR (none) -> \"9p\"
moves    moves.sgf: 11 moves -> 12, the first 10 are the same
";

#[test]
fn each_kind_of_change_has_a_line() {
    let (old, new) = archives("lines");
    let found = run(&["diff", str(&old), str(&new)]);
    assert_eq!((found.text(), found.code), (LINES, Some(1)), "{}", found.stderr);
    assert_eq!(
        found.stderr,
        "sgf: 10 games before, 10 now: 3 the same, 2 new, 2 gone, 1 moved, 2 with another header, 1 with other moves, 1 \
         with other content\n"
    );
    // A slash at the end does not matter, and neither does the number of threads.
    let slashes = [format!("{}/", str(&old)), format!("{}/", str(&new))];
    let again = run(&["--quiet", "diff", "--threads", "1", &slashes[0], &slashes[1]]);
    assert_eq!((again.text(), again.stderr.as_str(), again.code), (LINES, "", Some(1)));
    for same in [&old, &new] {
        let found = run(&["diff", str(same), str(same)]);
        assert_eq!((found.text(), found.code), ("", Some(0)), "{}", found.stderr);
    }
}

#[test]
fn the_json_object_has_everything() {
    let (old, new) = archives("json");
    let found = run(&["diff", "--json", str(&old), str(&new)]);
    let all = found.json();
    assert_eq!(found.code, Some(1));
    assert_eq!(
        (&all["games"], &all["same"], &all["unreadable"]),
        (&json!({"old": 10, "new": 10}), &json!(3), &json!([]))
    );
    let changes = all["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 9);
    let place = |top: &Path, name: &str, game: u64, offset: u64| json!({"file": str(&top.join(name)), "game": game, "offset": offset});
    let nothing = json!({"old": null, "new": null, "moved": false, "header": [], "moves": null, "content": false});
    let change = |fields: serde_json::Value| {
        let mut all = nothing.clone();
        fields.as_object().unwrap().iter().for_each(|(key, value)| all[key] = value.clone());
        all
    };
    assert!(changes.contains(&change(json!({"old": place(&old, "gone.sgf", 0, 0)}))));
    assert!(changes.contains(&change(json!({"new": place(&new, "new.sgf", 0, 0)}))));
    assert!(changes.contains(&change(json!({
        "old": place(&old, "moved.sgf", 0, 0), "new": place(&new, "b/moved.sgf", 0, 0), "moved": true,
    }))));
    assert!(changes.contains(&change(json!({
        "old": place(&old, "comment.sgf", 0, 0), "new": place(&new, "comment.sgf", 0, 0), "content": true,
    }))));
    assert!(changes.contains(&change(json!({
        "old": place(&old, "moves.sgf", 0, 0),
        "new": place(&new, "moves.sgf", 0, 0),
        "moves": {"old": 11, "new": 12, "same": 10},
    }))));
    assert!(changes.contains(&change(json!({
        "old": place(&old, "a/header.sgf", 0, 0),
        "new": place(&new, "a/header.sgf", 0, 0),
        "header": [
            {"property": "PB", "old": "Lee", "new": "Lee Sedol"},
            {"property": "KM", "old": "", "new": "7.5"},
        ],
    }))));
}

#[test]
fn files_and_archives_are_compared_with_directories() {
    let top = directory("diff/archives");
    let game = format!("(;PB[One]{MOVES})");
    let folder = write(&top.join("folder"), &[("x/a.sgf", game.clone())]);
    let archive = top.join("games.zip");
    fs::write(&archive, zip(&[Zipped { method: 8, ..zipped("x/a.sgf", game.as_bytes()) }])).unwrap();
    for (old, new) in [(&folder, &archive), (&archive, &folder)] {
        let found = run(&["diff", str(old), str(new)]);
        assert_eq!((found.text(), found.code), ("", Some(0)), "{}", found.stderr);
    }
    // Two files are one pair, whatever their names are.
    let files = write(&top.join("files"), &[("a.sgf", game.clone()), ("b.sgf", game.replace("One", "Two"))]);
    let [one, two] = ["a.sgf", "b.sgf"].map(|name| files.join(name));
    let found = run(&["diff", str(&one), str(&two)]);
    let expected = format!("header   {}: PB \"One\" -> \"Two\"\n", str(&two));
    assert_eq!((found.text(), found.code), (&*expected, Some(1)), "{}", found.stderr);
}

#[test]
fn games_that_are_not_followed_on_a_board_are_compared_as_they_are_written() {
    let top = directory("diff/backgammon");
    let old = write(&top, &[("a.sgf", "(;GM[6];B[52lqac];W[31hf])".to_owned())]).join("a.sgf");
    let new = write(&top, &[("b.sgf", "(;GM[6];B[52lqac];W[31hg])".to_owned())]).join("b.sgf");
    let found = run(&["diff", str(&old), str(&new)]);
    assert_eq!(found.text(), format!("moves    {}: 2 moves -> 2\n", str(&new)));
}

#[test]
fn a_change_at_the_end_of_a_long_game_is_seen() {
    let top = directory("diff/long");
    let game = |end: &str| format!("(;PB[Long]C[{}]{MOVES};C[{end}])", "x".repeat(20 << 20));
    let old = write(&top, &[("a.sgf", game("one"))]).join("a.sgf");
    let new = write(&top, &[("b.sgf", game("two"))]).join("b.sgf");
    let found = run(&["diff", str(&old), str(&new)]);
    assert_eq!((found.text(), found.code), (&*format!("content  {}\n", str(&new)), Some(1)), "{}", found.stderr);
    assert_eq!(run(&["diff", str(&old), str(&old)]).code, Some(0));
    fs::remove_dir_all(top).unwrap();
}

#[test]
fn wrong_usage_and_unreadable_files_are_errors() {
    let (old, new) = archives("errors");
    for args in [&["diff", str(&old)][..], &["diff", str(&old), str(&new), str(&new)]] {
        let found = run(args);
        assert_eq!(found.code, Some(2));
        assert_eq!(found.stderr, "sgf: error: compares two paths: OLD and NEW\n");
    }
    let found = run(&["diff", str(&old), "-"]);
    assert_eq!(
        (found.code, &*found.stderr),
        (
            Some(2),
            "sgf: error: OLD and NEW are read twice, so neither can be standard input; save it to a file first\n"
        )
    );
    let found = run(&["diff", str(&old), "/nonexistent.sgf"]);
    assert_eq!(found.code, Some(2));
    assert!(found.stderr.contains("sgf: error: /nonexistent.sgf: No such file"), "{}", found.stderr);
    // Without games there is nothing to compare.
    let top = directory("diff/nothing");
    let empty = write(&top, &[("a.sgf", "no game".to_owned())]).join("a.sgf");
    assert_eq!(run(&["diff", str(&empty), str(&empty)]).code, Some(0));
}
