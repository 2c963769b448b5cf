//! `sgf dups`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{directory, run, run_with, str};

/// The letters of a coordinate.
fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}

/// A game whose stones stand on these points.
fn game(root: &str, points: impl Iterator<Item = (usize, usize)>) -> String {
    let moves = points.zip(["B", "W"].into_iter().cycle());
    let moves = moves.map(|((x, y), color)| format!(";{color}[{}{}]", letter(x), letter(y)));
    format!("(;{root}{})", moves.collect::<String>())
}

/// So many points of a board of 19x19, never one twice.
fn points(seed: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).map(move |n| (n * 7 + seed) % 361).map(|n| (n % 19, n / 19))
}

/// Files in a directory of their own.
fn files(name: &str, files: &[(&str, String)]) -> String {
    let directory = directory(&format!("dups/{name}"));
    for (name, content) in files {
        fs::write(directory.join(name), content).unwrap();
    }
    str(&directory).to_owned()
}

/// The groups: for each, the names of its games, that of the best one, and why it is best.
fn groups(directory: &str, args: &[&str]) -> Vec<(Vec<String>, String, String)> {
    let run = run(&[&["dups", "--json"], args, &[directory]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let name = |game: &Value| {
        let file = Path::new(game["file"].as_str().unwrap()).file_name().unwrap().to_str().unwrap().to_owned();
        if game["offset"] == 0 { file } else { format!("{file}+{}", game["offset"]) }
    };
    let group = |group: &Value| {
        let games: Vec<String> = group["games"].as_array().unwrap().iter().map(name).collect();
        let best = games[group["best"].as_u64().unwrap() as usize].clone();
        (games, best, group["reason"].as_str().unwrap().to_owned())
    };
    found["found"].as_array().unwrap().iter().map(group).collect()
}

fn removable(directory: &str, args: &[&str]) -> Vec<String> {
    let run = run(&[&["dups", "--print0"], args, &[directory]].concat());
    let names = run.text().split_terminator('\0').map(|name| name[directory.len() + 1..].to_owned());
    names.collect()
}

#[test]
fn copies_are_found_turned_cut_short_and_with_other_headers() {
    let other = game("", points(3, 50));
    let directory = files(
        "kinds",
        &[
            ("a.sgf", game("SZ[19]PB[Shusaku]PW[Yasui]", points(0, 40))),
            ("b-turned.sgf", game("GM[1]", points(0, 40).map(|(x, y)| (y, 18 - x)))),
            ("c-cut.sgf", game("PB[Shusaku]", points(0, 33))),
            ("d-other.sgf", game("", points(0, 35).chain(points(1, 5)))),
            ("e-two.sgf", game("", points(0, 40)).replace(";B", ";X").replace(";W", ";B").replace(";X", ";W") + &other),
            ("f-variation.sgf", game("", points(0, 34)).replace(')', "(;B[ss];W[sr];B[sq])(;W[sp]))")),
        ],
    );
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let copies = names(&["a.sgf", "b-turned.sgf", "c-cut.sgf", "e-two.sgf"]);
    assert_eq!(groups(&directory, &[]), [(copies, "a.sgf".to_owned(), "most properties".to_owned())]);
    assert_eq!(removable(&directory, &[]), ["b-turned.sgf", "c-cut.sgf"]);
    let text = run(&["dups", &directory]);
    assert!(text.text().starts_with("4 copies of a game of 40 stones\n  best  "), "{}", text.text());
    assert!(text.text().ends_with("\n7 games, 1 group, 3 copies that may go\n"), "{}", text.text());
    for threads in ["1", "4"] {
        assert_eq!(run(&["dups", "--threads", threads, &directory]).stdout, text.stdout);
    }
}

#[test]
fn the_best_copy_has_the_most_stones_then_properties_then_the_fewest_faults() {
    let base = || game("", points(0, 40));
    let directory = files(
        "best",
        &[
            ("a.sgf", base()),
            ("b.sgf", game("", points(0, 41))),
            ("c.sgf", game("PB[Shusaku]PW[Yasui]", points(0, 40))),
        ],
    );
    assert_eq!(groups(&directory, &[])[0].1, "b.sgf");
    assert_eq!(groups(&directory, &[])[0].2, "most stones");
    let directory = files("faults", &[("a.sgf", format!("junk {}", base())), ("b.sgf", base())]);
    assert_eq!((&*groups(&directory, &[])[0].1, &*groups(&directory, &[])[0].2), ("b.sgf", "fewest faults"));
    let directory = files("first", &[("a.sgf", base()), ("b.sgf", base())]);
    assert_eq!((&*groups(&directory, &[])[0].1, &*groups(&directory, &[])[0].2), ("a.sgf", "first"));
}

#[test]
fn a_file_may_go_only_if_a_copy_of_each_of_its_games_stays() {
    let games = [0, 1, 2].map(|seed| game("", points(seed * 50, 40)));
    let better = [0, 1, 2].map(|seed| game("PB[x]", points(seed * 50, 40)));
    let directory = files(
        "crossed",
        &[
            ("a.sgf", better[0].clone() + &games[1]),
            ("b.sgf", games[0].clone() + &better[1]),
            ("c.sgf", games[0].clone() + &games[1]),
            ("d.sgf", games[0].clone() + "(;B[aa])"),
            ("e.sgf", String::new()),
            ("f.sgf", "no game".to_owned()),
        ],
    );
    assert_eq!(removable(&directory, &[]), ["c.sgf"]);
    // A file that is named twice is not its own copy.
    let file = format!("{directory}/a.sgf");
    assert_eq!(
        run(&["dups", &file, &file, &format!("{directory}/./a.sgf")]).text(),
        "2 games, 0 groups, 0 copies that may go\n"
    );
}

/// Nor is one whose name is not UTF-8: it would be removed with its only copy.
#[cfg(target_os = "linux")]
#[test]
fn a_file_with_any_name_is_not_its_own_copy() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    let directory = directory("dups/latin1");
    let file = directory.join(OsStr::from_bytes(b"G\xF6.sgf"));
    fs::write(&file, game("", points(0, 40))).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_sgf")).args(["dups", "--print0"]).args([&file, &file]).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]));
}

#[test]
fn short_games_are_compared_if_that_is_asked_for() {
    let directory = files(
        "short",
        &[("a.sgf", game("", points(0, 5))), ("b.sgf", game("PB[x]", points(0, 5))), ("c.sgf", game("", points(0, 4)))],
    );
    assert!(groups(&directory, &[]).is_empty());
    let found = groups(&directory, &["--min-stones", "1"]);
    assert_eq!(
        found,
        [(vec!["a.sgf".to_owned(), "b.sgf".to_owned()], "b.sgf".to_owned(), "most properties".to_owned())]
    );
}

#[test]
fn games_other_than_go_are_compared_as_they_are_written() {
    let hex = |root: &str, moves: usize| {
        let moves = (0..moves).map(|n| format!(";{}[{}{}]", ["B", "W"][n % 2], letter(n % 11), n / 11 + 1));
        format!("(;GM[11]SZ[11]{})", root.to_owned() + &moves.collect::<String>())
    };
    let input = [hex("", 40), hex("PB[x]", 40), hex("", 41), hex("", 20)].concat();
    let run = run_with(input.as_bytes(), &["dups", "--json", "-"]);
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&found["games"], &found["groups"], &found["copies"]), (&json!(4), &json!(1), &json!(1)));
    assert_eq!(found["unreadable"], json!([]));
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_compared() {
    let directory = files("missing", &[("a.sgf", game("", points(0, 40))), ("b.sgf", game("", points(0, 40)))]);
    let run = run(&["dups", &directory, &format!("{directory}/missing.sgf")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("missing.sgf"), "{}", run.stderr);
    assert!(run.text().ends_with("2 games, 1 group, 1 copy that may go\n"), "{}", run.text());
}

/// A file may go only if a copy stays: one on standard input does not, nor does the file itself under another name.
#[test]
fn what_may_go_has_a_copy_that_stays() {
    let (best, copy) = (game("SZ[19]PB[x]PW[y]", points(0, 40)), game("", points(0, 40)));
    let directory = files("stays", &[("a.sgf", copy.clone()), ("b.sgf", best.clone())]);
    let [a, b] = ["a.sgf", "b.sgf"].map(|name| format!("{directory}/{name}"));
    let goes = |paths: &[&str]| {
        let run = run_with(best.as_bytes(), &[&["dups", "--print0"], paths].concat());
        assert_eq!(run.code, Some(0));
        run.text().split_terminator('\0').map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(goes(&["-", &a]), [""; 0]);
    assert_eq!(goes(&["-", &a, &b]), [&*a]);
    assert_eq!(goes(&[&a, &a]), [""; 0]);
    assert_eq!(goes(&[&a, &directory]), [&*a]);
    assert_eq!(goes(&[&b, &directory]), [&*a]);
    #[cfg(unix)]
    {
        let link = format!("{directory}/link");
        std::os::unix::fs::symlink(&b, &link).unwrap();
        assert_eq!(goes(&[&link, &b]), [""; 0]);
    }
}
