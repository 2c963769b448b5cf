//! `sgf split`.

use std::fs;

use serde_json::json;

use super::{directory, run, run_with, str};

const ARCHIVE: &[u8] = b"mail: (;FF[4]C[)]) \n\n(;B[dd]\n(;FF[4];B[cc]) and so on";

#[test]
fn split_prints_ranges() {
    let file = directory("split").join("archive.sgf");
    fs::write(&file, ARCHIVE).unwrap();
    let file = str(&file);
    for (args, lines) in [
        (&["--parts", "1"][..], "0\t53\n"),
        (&["--parts", "2"], "0\t29\n29\t53\n"),
        // No cut is at the second game: it has no head, and ends where the third one starts.
        (&["--parts", "4000000000"], "0\t29\n29\t53\n"),
        (&["--bytes", "1"], "0\t29\n29\t53\n"),
        (&["--bytes", "20"], "0\t29\n29\t53\n"),
        (&["--bytes", "1K"], "0\t53\n"),
    ] {
        let run = run(&[&["split", file], args].concat());
        assert_eq!((run.text(), run.stderr.as_str(), run.code), (lines, "", Some(0)), "{args:?}");
    }
}

#[test]
fn split_prints_json() {
    let file = directory("split-json").join("archive.sgf");
    fs::write(&file, ARCHIVE).unwrap();
    let run = run(&["split", "--json", "--parts", "2", str(&file)]);
    let parts = json!([{"start": 0, "end": 29}, {"start": 29, "end": 53}]);
    assert_eq!(run.json(), json!({"file": str(&file), "bytes": 53, "parts": parts}));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

/// What the help proposes: each part scanned by itself counts the games of the whole.
#[test]
fn parts_are_scanned_one_by_one() {
    let file = directory("split-scan").join("archive.sgf");
    let synth = run(&["synth", "--mixed", "--bytes", "3M"]);
    fs::write(&file, &synth.stdout).unwrap();
    let games = |run: super::Run| run.json()["games"].as_u64().unwrap();
    let whole = games(run(&["scan", "--json", str(&file)]));
    let split = run(&["split", "--parts", "7", str(&file)]);
    let mut sum = 0;
    for line in split.lines() {
        let (start, end) = line.split_once('\t').unwrap();
        let part = &synth.stdout[start.parse().unwrap()..end.parse().unwrap()];
        sum += games(run_with(part, &["scan", "--json", "-"]));
    }
    assert_eq!((split.lines().len(), sum), (7, whole));
}

#[test]
fn what_cannot_be_split_is_an_error() {
    let dir = directory("split-bad");
    fs::write(dir.join("packed.sgf"), b"\x1F\x8B\x08\x00 and so on").unwrap();
    for (file, message) in [
        ("-".to_owned(), "standard input cannot be read at offsets: save it to a file"),
        (str(&dir).to_owned(), "it is a directory: name a file"),
        (str(&dir.join("packed.sgf")).to_owned(), "it is compressed, or an archive of files: unpack it first"),
        (str(&dir.join("none.sgf")).to_owned(), "No such file or directory (os error 2)"),
    ] {
        let run = run(&["split", "--parts", "2", &file]);
        assert_eq!((run.text(), run.code), ("", Some(2)));
        assert!(run.stderr.starts_with("sgf: ") && run.stderr.contains(message), "{}", run.stderr);
    }
    for args in
        [&["split", "x.sgf"][..], &["split", "--parts", "0", "x"], &["split", "--parts", "1", "--bytes", "1", "x"]]
    {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}
