//! `sgf split`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
        ("-".to_owned(), "standard input is not seekable; save it to a file first"),
        (str(&dir).to_owned(), "it is a directory; use one of the files in it"),
        (str(&dir.join("packed.sgf")).to_owned(), "it is compressed, or an archive of files; unpack it first"),
        (str(&dir.join("none.sgf")).to_owned(), "No such file or directory (os error 2)"),
    ] {
        let run = run(&["split", "--parts", "2", &file]);
        assert_eq!((run.text(), run.code), ("", Some(2)));
        assert!(run.stderr.starts_with("sgf: error: ") && run.stderr.contains(message), "{}", run.stderr);
    }
    for args in [
        &["split", "x.sgf"][..],
        &["split", "--parts", "0", "x"],
        &["split", "--bytes", "0", "x"],
        &["split", "--parts", "1", "--bytes", "1", "x"],
    ] {
        assert_eq!(run(args).code, Some(2), "{args:?}");
    }
}

/// The names and contents of all files below a directory.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            files.extend(self::files(&entry.path()).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}

const NAMED: &[u8] = b"mail (;GM[1]DT[1846-09-11]PB[Shusaku]PW[Gennan];B[qd])\n\
    (;GM[1]DT[1846-09-11]PB[SHUSAKU]PW[gennan]C[\xFF]) and (;GM[1]PB[a/../b]PW[con];B[dd];W[";

#[test]
fn each_game_becomes_a_file() {
    let dir = directory("split-games");
    let to = dir.join("to");
    let dry = run_with(NAMED, &["split", "--games", "--dry-run", "--to", str(&to), "-"]);
    let names = ["1846-09-11-Shusaku-Gennan.sgf", "1846-09-11-SHUSAKU-gennan-2.sgf", "unknown-a_.._b-con.sgf"];
    let expected: Vec<_> = names.iter().map(|name| format!("{}/{name}", str(&to))).collect();
    assert_eq!((dry.lines(), dry.code), (expected.iter().map(String::as_str).collect(), Some(0)), "{}", dry.stderr);
    assert!(!to.exists());

    let run_again = || run_with(NAMED, &["split", "--games", "--to", str(&to), "-"]);
    let run = run_again();
    assert_eq!((run.text(), run.stderr.as_str(), run.code), ("", "", Some(0)));
    let games: [&[u8]; 3] = [
        b"(;GM[1]DT[1846-09-11]PB[Shusaku]PW[Gennan];B[qd])",
        b"(;GM[1]DT[1846-09-11]PB[SHUSAKU]PW[gennan]C[\xFF])",
        b"(;GM[1]PB[a/../b]PW[con];B[dd];W[",
    ];
    let written = files(&to);
    assert_eq!(written, names.iter().zip(games).map(|(name, game)| ((*name).to_owned(), game.to_vec())).collect());

    // Nothing is overwritten.
    assert_eq!(run_again().code, Some(0));
    let all = files(&to);
    assert_eq!(all.len(), 6);
    assert!(written.iter().all(|(name, game)| all[name] == *game));
    assert_eq!(all["unknown-a_.._b-con-2.sgf"], games[2]);
    assert!(all.contains_key("1846-09-11-Shusaku-Gennan-3.sgf"));
}

#[test]
fn games_are_sorted_into_directories() {
    let to = directory("split-directories").join("a/b");
    let run = run_with(NAMED, &["split", "--games", "--name", "{black}/{n:3} {KK}.sgf", "--to", str(&to), "-"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let names: Vec<_> = files(&to).into_keys().collect();
    assert_eq!(names, ["SHUSAKU/002 unknown.sgf", "Shusaku/001 unknown.sgf", "a_.._b/003 unknown.sgf"]);
}

#[test]
fn names_tell_what_is_known_of_the_date_and_the_source() {
    let dir = directory("split-sources");
    fs::create_dir_all(dir.join("in/b")).unwrap();
    fs::write(dir.join("in/b/lee.sgf"), "(;DT[1968]PB[Lee])(;DT[1968-05]PB[Lee])(;DT[1857-06-01]PB[Lee])").unwrap();
    fs::write(dir.join("in/problems.sgf"), "(;AB[aa])(;AB[bb])").unwrap();
    let input = dir.join("in");
    let names = |options: &[&str]| {
        let args = [&["split", "--games", "--dry-run", "--to", "to"], options, &[str(&input)]].concat();
        let run = run(&args);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        run.lines().iter().map(|line| line.replace("to/", "").replace(str(&input), "IN")).collect::<Vec<_>>()
    };
    let default = ["1968-Lee-unknown.sgf", "1968-05-Lee-unknown.sgf", "1857-06-01-Lee-unknown.sgf"];
    assert_eq!(names(&[]), [&default[..], &["problems.sgf", "problems-2.sgf"]].concat());
    let by_year = ["1960s/1968 lee.sgf", "1960s/1968 lee-2.sgf", "1850s/1857 lee.sgf"];
    let unknown = ["unknown/unknown problems.sgf", "unknown/unknown problems-2.sgf"];
    assert_eq!(names(&["--name", "{decade}/{year} {stem}.sgf"]), [by_year.as_slice(), unknown.as_slice()].concat());
    let input_dir = str(&input).trim_start_matches('/').to_owned();
    let sources = ["b/lee", "b/lee-2", "b/lee-3", "problems", "problems-2"];
    let sources: Vec<_> = sources.iter().map(|name| format!("{input_dir}/{name}.sgf")).collect();
    assert_eq!(names(&["--name", "{dir}/{stem}.sgf"]), sources);
}

/// Also games that are too long to be kept in memory; and the order and the names do not depend on threads.
#[test]
fn files_hold_the_bytes_of_all_games() {
    let dir = directory("split-all");
    let mut archive = run(&["synth", "--mixed", "--bytes", "400K"]).stdout;
    archive.extend_from_slice(b"\n(;GM[1]PB[long]C[");
    archive.extend(std::iter::repeat_n(b'x', 3 << 20));
    archive.extend_from_slice(b"];B[dd])(;GM[1]PB[last])");
    fs::write(dir.join("a.sgf"), &archive).unwrap();
    let split = |threads: &str, to: &str| {
        let to = dir.join(to);
        let run = run(&[
            "split",
            "--games",
            "--name",
            "{n:6}-{black}.sgf",
            "--threads",
            threads,
            "--to",
            str(&to),
            str(&dir.join("a.sgf")),
        ]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        files(&to)
    };
    let (one, four) = (split("1", "one"), split("4", "four"));
    assert!(one == four);
    let archive_file = dir.join("a.sgf");
    let rows = run(&["records", "--columns", "offset,length,error", "--format", "csv", str(&archive_file)]);
    let expected: Vec<_> = rows.lines()[1..]
        .iter()
        .map(|row| {
            let numbers: Vec<usize> = row.split(',').take(2).map(|number| number.parse().unwrap()).collect();
            archive[numbers[0]..numbers[0] + numbers[1]].to_vec()
        })
        .collect();
    assert!(expected.len() > 20 && expected.len() == one.len());
    assert!(one.into_values().eq(expected));
}

#[test]
fn splitting_games_says_what_is_wrong() {
    let dir = directory("split-wrong");
    let to = str(&dir).to_owned();
    for (args, message) in [
        (&["--games", "-"][..], "--to"),
        (
            &["--games", "--name", "{datum}.sgf", "--to", &to, "-"],
            "unknown column {datum}; did you mean {date} or {dates}?",
        ),
        (&["--games", "--name", "../{n}", "--to", &to, "-"], "the pattern must name a file below --to"),
        (&["--parts", "2", "a.sgf", "b.sgf"], "--parts and --bytes take exactly one file"),
        (&["--games", "--to", &to, "none.sgf"], "No such file"),
    ] {
        let run = run(&[&["split"], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    let utf16: Vec<u8> = "\u{FEFF}(;GM[1]PB[x])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let run = run_with(&utf16, &["split", "--games", "--to", &to, "-"]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot be split byte for byte"), "{}", run.stderr);
}

#[test]
fn a_byte_order_mark_goes_with_each_game() {
    let to = directory("split-bom").join("to");
    let input = "\u{FEFF}(;GM[1]CA[Latin-1]PB[é])(;GM[1]PB[é])".as_bytes();
    let run = run_with(input, &["split", "--games", "--name", "{black}", "--to", str(&to), "-"]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let expected = [("é", "\u{FEFF}(;GM[1]CA[Latin-1]PB[é])"), ("é-2", "\u{FEFF}(;GM[1]PB[é])")];
    assert!(files(&to).into_iter().eq(expected.map(|(name, game)| (name.to_owned(), game.as_bytes().to_vec()))));
}

/// A first game that is too long for memory keeps its byte-order mark, and has it once.
#[test]
fn a_long_first_game_keeps_its_mark() {
    let folder = directory("split-long-bom");
    let (file, to) = (folder.join("a.sgf"), folder.join("to"));
    let node = format!(";C[{}]", "\u{E9}".repeat(500_000));
    let long = format!("\u{FEFF}(;FF[4]{})", node.repeat(12));
    fs::write(&file, format!("{long}\n(;FF[4];B[aa])")).unwrap();
    let run = run(&["split", "--games", "--name", "{n:1}.sgf", "--to", str(&to), str(&file)]);
    assert_eq!((run.code, fs::read(to.join("1.sgf")).unwrap() == long.as_bytes()), (Some(0), true));
    assert_eq!(fs::read(to.join("2.sgf")).unwrap(), "\u{FEFF}(;FF[4];B[aa])".as_bytes());
}

#[test]
fn options_of_games_are_not_ignored_with_parts() {
    for option in [&["--to", "x"][..], &["--dry-run"], &["--name", "x.sgf"]] {
        let run = run(&[&["split", "--parts", "2", "tests/data/archive/collection.sgf"], option].concat());
        assert_eq!(run.code, Some(2), "{option:?}: {}", run.stderr);
    }
    let help = run(&["split", "--help"]);
    assert!(help.text().contains("\n  {n:6}  "), "{}", help.text());
}
