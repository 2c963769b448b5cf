//! `sgf index`, and `sgf find --index`.

use std::fs;
use std::path::{Path, PathBuf};

use super::pack::{gzip, tar};
use super::{Run, directory, run, str};

const FIRST: &str = "(;SZ[9]PB[Ada]PW[Bo]DT[1990-05-01]RE[B+2];B[gc];W[gf];B[ec])\n(;SZ[9]PB[Cy];B[ee])\n";
const SECOND: &str = "(;SZ[9]PB[Ed]RE[W+0.5];B[aa];W[gc];B[gf];W[ab];B[ec])\n";
const THIRD: &str = "(;SZ[9]PB[Gus](;B[ee];W[gc])(;B[gc];W[ca](;B[gg])(;W[gf];B[hf])))\n(;GM[11]PB[Hex];B[a1])\n";

/// The upper right corner of a 9x9 board.
const CORNER: &str = "(;SZ[9]AB[gc]AW[gf]VW[ea:ig])";

/// Makes a directory of three files, and returns it with the directory of an index.
fn games(name: &str) -> (PathBuf, PathBuf) {
    let top = directory(&format!("index/{name}"));
    let games = top.join("games");
    fs::create_dir_all(&games).unwrap();
    fs::write(games.join("a.sgf"), FIRST).unwrap();
    fs::write(games.join("b.sgf.gz"), gzip(SECOND.as_bytes())).unwrap();
    fs::write(games.join("c.tar"), tar(&[("c.sgf", THIRD.as_bytes())])).unwrap();
    let index = top.join("index");
    let _ = fs::remove_dir_all(&index);
    (games, index)
}

fn build(games: &Path, index: &Path, args: &[&str]) -> Run {
    run(&[&["index", str(games), "-o", str(index)], args].concat())
}

/// Returns the lines of JSON of a search, without the offsets of nodes, which an index does not have.
fn lines(args: &[&str]) -> Vec<String> {
    let found = run(&[&["find", CORNER, "--json", "--columns", "PB,date,winner"], args].concat());
    let without_node = |line: &str| {
        let (front, rest) = line.split_once(",\"node_offset\":").unwrap();
        format!("{front}{}", rest.trim_start_matches(|char: char| char.is_ascii_alphanumeric()))
    };
    let mut lines: Vec<String> = found.text().lines().map(without_node).collect();
    lines.sort();
    lines
}

#[test]
fn an_index_finds_what_the_files_have() {
    let (games, index) = games("find");
    let built = build(&games, &index, &["--variations"]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let said: Vec<&str> = built.stderr.lines().collect();
    assert_eq!(said[0], "sgf: 3 files new, 0 changed, 0 removed, 0 unchanged");
    assert!(said[1].starts_with("sgf: 4 games in the index, "), "{said:?}");
    assert_eq!(said[2], "sgf: not indexed: 1 game other than Go, or on a board larger than 52x52");
    for (options, expected) in [(&[][..], 2), (&["--variations"], 3), (&["--variations", "--every-place"], 3)] {
        let in_files = lines(&[options, &[str(&games)]].concat());
        let in_index = lines(&[options, &["--index", str(&index)]].concat());
        assert_eq!((in_index.len(), in_index), (expected, in_files), "{options:?}");
    }
    for options in [&["--where", "date>=1990"][..], &["--where", "winner=W"], &["--where", "PB~^G", "--variations"]] {
        let count = |of: &[&str]| run(&[&["find", CORNER, "--count"], options, of].concat()).text().to_owned();
        assert_eq!(count(&[str(&games)]), count(&["--index", str(&index)]), "{options:?}");
    }
    // Text, and sums with a drawing.
    for options in [&[][..], &["--statistics", "--board"], &["--statistics", "--by", "decade"], &["--csv"]] {
        let [in_files, in_index] = [&[str(&games)][..], &["--index", str(&index)]]
            .map(|of| run(&[&["find", CORNER], options, of].concat()).text().to_owned());
        assert_eq!(in_index, in_files, "{options:?}");
    }
    let none = run(&["find", "XXXXXXX", "--index", str(&index)]);
    assert_eq!(
        (none.code, none.stderr.as_str()),
        (Some(1), "sgf: 0 of 5 games match; 1 not Go, or larger than 52x52\n")
    );
}

#[test]
fn only_files_that_changed_are_read_again() {
    let (games, index) = games("update");
    build(&games, &index, &[]);
    let again = build(&games, &index, &[]);
    assert!(again.stderr.starts_with("sgf: 0 files new, 0 changed, 0 removed, 3 unchanged\n"), "{}", again.stderr);
    fs::write(games.join("a.sgf"), format!("{SECOND}{SECOND}")).unwrap();
    fs::write(games.join("d.sgf"), FIRST).unwrap();
    fs::remove_file(games.join("c.tar")).unwrap();
    let changed = build(&games, &index, &[]);
    assert!(changed.stderr.starts_with("sgf: 1 file new, 1 changed, 1 removed, 1 unchanged\n"), "{}", changed.stderr);
    assert!(changed.stderr.contains("sgf: 5 games in the index, "), "{}", changed.stderr);
    assert_eq!(lines(&["--index", str(&index)]), lines(&[str(&games)]));
    // Ten more runs: segments are merged.
    for number in 0..10 {
        fs::write(games.join(format!("new {number}.sgf")), FIRST).unwrap();
        assert_eq!(build(&games, &index, &[]).code, Some(0));
    }
    assert_eq!(lines(&["--index", str(&index)]), lines(&[str(&games)]));
    let files = fs::read_dir(&index).unwrap().flatten().filter(|file| str(&file.path()).contains("lines-")).count();
    assert!(files <= 8, "{files}");
}

#[test]
fn what_a_run_left_that_was_killed_is_removed() {
    let (games, index) = games("killed");
    fs::create_dir_all(&index).unwrap();
    for name in ["lock", "lines-0003-9.parquet", "positions-0001.runs"] {
        fs::write(index.join(name), "left").unwrap();
    }
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    let mut names: Vec<_> = fs::read_dir(&index).unwrap().flatten().map(|file| file.file_name()).collect();
    names.sort();
    assert!(names.contains(&"positions-0001.parquet".into()), "{names:?}");
    assert!(!names.iter().any(|name| name == "lines-0003-9.parquet" || name == "positions-0001.runs"), "{names:?}");
    assert_eq!(run(&["find", CORNER, "--index", str(&index)]).code, Some(0));
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let (games, index) = games("errors");
    let fails = |run: Run, expected: &str| {
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    fails(run(&["find", CORNER, "--index", str(&index)]), "it is not an index of `sgf index`");
    fails(build(&games, &games, &[]), "it has files, but is not an index; choose an empty or a new directory");
    fails(build(&games, &index, &["--columns", "PB,nothing"]), "--columns: unknown column \"nothing\" of games");
    build(&games, &index, &[]);
    fails(run(&["find", CORNER, "--variations", "--index", str(&index)]), "the index has main lines only");
    fails(build(&games, &index, &["--variations"]), "the index has main lines only");
    fails(
        run(&["find", CORNER, "--columns", "KK", "--index", str(&index)]),
        "the index has no column 'KK'; it has file",
    );
    fails(run(&["find", CORNER, str(&games), "--index", str(&index)]), "cannot be used with");
    fails(run(&["index", "-", "-o", str(&index)]), "index compares files on disk");
    // Of another version, and damaged.
    let list = index.join("sgf-index.json");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("\"sgf_index\":1", "\"sgf_index\":0")).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "the index has version 0, this program reads 1");
    fails(build(&games, &index, &[]), "build it again with --rebuild");
    fs::write(&list, &text[..text.len() / 2]).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "the index is damaged");
    assert_eq!(build(&games, &index, &["--rebuild"]).code, Some(0));
    let lines = index.join("lines-0001-9.parquet");
    let bytes = fs::read(&lines).unwrap();
    fs::write(&lines, &bytes[..bytes.len() - 10]).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "lines-0001-9.parquet: the index is damaged");
    assert_eq!(build(&games, &index, &["--rebuild"]).code, Some(0));
    let no_sgf = games.join("no.sgf");
    fs::write(&no_sgf, "hello").unwrap();
    let built = build(&games, &index, &[]);
    assert_eq!(built.code, Some(1));
    assert!(built.stderr.contains("no.sgf:1:1: error: no SGF data"), "{}", built.stderr);
}
