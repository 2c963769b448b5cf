//! `sgf dups`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quickcheck::holds;
use serde_json::{Value, json};

use super::{directory, run, run_with, shared, str};

/// The letters of a coordinate.
fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}

/// A game with stones on these points.
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
    assert_eq!(groups(&directory, &[]), [(copies, "a.sgf".to_owned(), "most game information".to_owned())]);
    assert_eq!(removable(&directory, &[]), ["b-turned.sgf", "c-cut.sgf"]);
    let text = run(&["dups", &directory]);
    assert!(text.text().starts_with("4 copies of a game of 40 stones\n  best  "), "{}", text.text());
    // The colors of e-two.sgf are exchanged: that is something that a.sgf does not say.
    assert!(text.text().ends_with("\n7 games, 1 group, 2 copies redundant\n"), "{}", text.text());
    let found: Value = serde_json::from_slice(&run(&["dups", "--json", &directory]).stdout).unwrap();
    let games = found["found"][0]["games"].as_array().unwrap();
    let kinds: Vec<_> = games.iter().map(|game| game["kinds"].clone()).collect();
    assert_eq!(kinds, [json!([]), json!(["turned"]), json!(["truncated"]), json!(["colors exchanged"])]);
    assert_eq!(
        games.iter().map(|game| &game["kept"]).collect::<Vec<_>>(),
        [&json!(null), &json!(0), &json!(0), &json!(null)]
    );
    for threads in ["1", "4"] {
        assert_eq!(run(&["dups", "--threads", threads, &directory]).stdout, text.stdout);
    }
}

#[test]
fn the_best_copy_has_the_most_stones_then_information_then_the_fewest_faults() {
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
    assert_eq!((&*groups(&directory, &[])[0].1, &*groups(&directory, &[])[0].2), ("b.sgf", "fewest syntax errors"));
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
        "2 games, 0 groups, 0 copies redundant\n"
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
        [(vec!["a.sgf".to_owned(), "b.sgf".to_owned()], "b.sgf".to_owned(), "most game information".to_owned())]
    );
}

#[test]
fn games_of_hex_are_compared_on_standard_input() {
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
    assert!(run.text().ends_with("2 games, 1 group, 1 copy redundant\n"), "{}", run.text());
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

/// The games that stay, by the names of their files, and what the best one does not say.
fn staying(directory: &str, args: &[&str]) -> Vec<(String, Value)> {
    let run = run(&[&["dups", "--json"], args, &[directory]].concat());
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let games = found["found"].as_array().unwrap().iter().flat_map(|group| group["games"].as_array().unwrap());
    let staying = games.filter(|game| game["kept"].is_null());
    let name =
        |game: &Value| Path::new(game["file"].as_str().unwrap()).file_name().unwrap().to_str().unwrap().to_owned();
    staying.map(|game| (name(game), game["says_more"].clone())).collect()
}

#[test]
fn setup_counts() {
    let directory = files(
        "setup",
        &[
            ("a.sgf", "(;GM[1]FF[4]SZ[19]AB[aa][bb][cc]AW[dd][ee];B[qq])".to_owned()),
            ("b.sgf", "(;GM[1]FF[4]SZ[19]AB[pp][pq]AW[jj][jk];B[cc])".to_owned()),
            ("c.sgf", "(;SZ[19]AW[ee]AB[cc]AB[bb][aa]AW[dd]C[Black to play];B[qq])".to_owned()),
            ("d.sgf", "(;AB[aa][bb][cc]AW[dd][ee];W[qq])".to_owned()),
            ("e.sgf", "(;AW[sa][rb][qc]AB[pd][oe];W[cq])".to_owned()),
        ],
    );
    // Identical problems are found without an option. In d.sgf it is the other side that plays.
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    for args in [&[][..], &["--min-stones", "0"]] {
        let found = groups(&directory, args);
        let reason = "most comments, marks and variations".to_owned();
        assert_eq!(found, [(names(&["a.sgf", "c.sgf", "e.sgf"]), "c.sgf".to_owned(), reason)]);
    }
    assert_eq!(removable(&directory, &[]), ["a.sgf"]);
}

/// The setup of these games has the same sum of keys, and no point in common: only a hash says that they are copies.
#[test]
fn games_whose_hashes_are_forged_are_not_copies() {
    let moves: String =
        (0..40).map(|n| format!(";{}[{}{}]", ["W", "B"][n % 2], letter(n % 19), letter(n / 19))).collect();
    let forged = |info: &str, black: &str, white: &str, moves: &str| {
        format!("(;GM[1]SZ[19]{info};B[dc];AB{black}AW{white}{moves})")
    };
    let (black, white) = ("[rg][fp][aq][ei][bh][jl][hl]", "[sp][cl][ni][pm][pk][hr][nq][ck][eg][qj][ng][dg][sn]");
    let mine = forged("", "[pp][dp]", "[pj][jj]", &moves);
    let theirs = forged("PB[x]PW[y]", black, white, &moves);
    let directory = files("forged", &[("mine.sgf", mine.clone()), ("theirs.sgf", theirs.clone())]);
    let canonical = |name: &str| {
        let path = format!("{directory}/{name}");
        run(&["records", "--columns", "canonical", "--format", "csv", &path]).text().to_owned()
    };
    assert_eq!(canonical("mine.sgf"), canonical("theirs.sgf"), "the hashes are not forged any more: forge others");
    for args in [&[][..], &["--lossy"]] {
        assert_eq!(groups(&directory, args), []);
        assert_eq!(removable(&directory, args), [""; 0]);
    }
    assert_eq!(run(&["dups", "--merge", &directory]).text(), "");
    let piped = run_with(mine.as_bytes(), &["dups", "--print0", "-", &format!("{directory}/theirs.sgf")]);
    assert_eq!(piped.text(), "");

    // Each has copies of its own, one of them truncated. The other game is in another group.
    let end = moves.len() - 6 * 3;
    fs::write(Path::new(&directory).join("mine, truncated.sgf"), forged("", "[pp][dp]", "[pj][jj]", &moves[..end]))
        .unwrap();
    fs::write(Path::new(&directory).join("theirs too.sgf"), theirs).unwrap();
    let found = groups(&directory, &[]);
    let names: Vec<_> = found.iter().map(|(names, ..)| names.join(" + ")).collect();
    assert_eq!(names, ["mine, truncated.sgf + mine.sgf", "theirs too.sgf + theirs.sgf"]);
    assert_eq!(removable(&directory, &[]), ["mine, truncated.sgf", "theirs.sgf"]);
}

#[test]
fn nothing_goes_that_says_what_no_other_game_says() {
    let base = |root: &str| game(root, points(0, 40));
    let node = |text: &str| base("PB[x]").replacen(";W", &format!("{text};W"), 1);
    let directory = files(
        "says",
        &[
            ("a-best.sgf", base("PB[x]PW[y]DT[1850-01-02,03]KM[6.5]RE[B+R]EV[Castle games]")),
            (
                "b-same.sgf",
                base(
                    "AP[x:1]CA[UTF-8]FF[4]GM[1]ST[2]SZ[19]EV[Castle\n games]KM[6.50]RE[B+Resign]DT[1850-01-02,1850-01-03]",
                ),
            ),
            ("c-round.sgf", base("PB[x]RO[3]")),
            ("d-other.sgf", base("PB[X]")),
            ("e-comment.sgf", node("C[good]N[one]")),
            ("f-mark.sgf", node("TR[aa]")),
            ("g-time.sgf", node("BL[9]")),
            ("h-variation.sgf", base("").replacen(";W", "(;W", 1).replace(')', ")(;W[ss]))")),
            ("i-private.sgf", base("XX[1]")),
            ("j-longer.sgf", game("", points(0, 40)).replace(')', ";B[]C[];W[tt])")),
            ("k-empty.sgf", base("PB[]GN[ ]RO[]C[]")),
        ],
    );
    let more = |name: &str, more: &[&str]| (name.to_owned(), json!(more));
    let expected = [
        more("a-best.sgf", &[]),
        more("c-round.sgf", &["RO"]),
        more("d-other.sgf", &["PB"]),
        more("e-comment.sgf", &["comments"]),
        more("f-mark.sgf", &["marks"]),
        more("g-time.sgf", &["times"]),
        more("h-variation.sgf", &["variations"]),
        more("i-private.sgf", &["other properties of the root"]),
    ];
    assert_eq!(staying(&directory, &[]), expected);
    assert_eq!(removable(&directory, &[]), ["b-same.sgf", "j-longer.sgf", "k-empty.sgf"]);
    assert_eq!(staying(&directory, &["--lossy"]), [more("a-best.sgf", &[])]);
    // A copy may go because of one that stays, though the best one says less.
    let directory =
        files("third", &[("a.sgf", base("PB[x]PW[y]")), ("b.sgf", base("EV[z]")), ("c.sgf", base("EV[z]"))]);
    assert_eq!(removable(&directory, &[]), ["c.sgf"]);
}

#[test]
fn texts_in_other_charsets_say_the_same() {
    let directory = files("charsets", &[("a.sgf", game("CA[UTF-8]PB[\u{53e4}\u{529b}]", points(0, 40)))]);
    let gbk = [b"(;CA[GBK]PB[\xB9\xC5\xC1\xA6]", &game("", points(0, 40)).as_bytes()[2..]].concat();
    fs::write(format!("{directory}/b.sgf"), gbk).unwrap();
    assert_eq!(removable(&directory, &[]), ["b.sgf"]);
}

#[test]
fn a_preferred_path_has_the_best_copy() {
    let best = game("PB[x]PW[y]", points(0, 40));
    let directory = files("prefer", &[("a.sgf", best), ("b.sgf", game("PB[x]", points(0, 40)))]);
    let copy = format!("{directory}/./b.sgf");
    let other_way = format!("{directory}/../prefer/b.sgf");
    let absolute = fs::canonicalize(&copy).unwrap();
    for path in [&copy, &other_way, str(&absolute), &format!("{directory}/../prefer/./b.sgf")] {
        let found = groups(&directory, &["--prefer", path]);
        assert_eq!((&*found[0].1, &*found[0].2), ("b.sgf", "preferred"), "{path}");
    }
    assert_eq!(removable(&directory, &["--prefer", &copy]), [""; 0]);
    assert_eq!(removable(&directory, &["--prefer", &copy, "--lossy"]), ["a.sgf"]);
    // One that matches nothing would keep the wrong file.
    let merged = format!("{directory}.merged.sgf");
    for path in ["elsewhere", &format!("{directory}/b"), &format!("{directory}/b.sgf!/c.sgf")] {
        for args in [&["--print0"][..], &["--json"], &["--merge", "-o", &merged]] {
            let run = run(&[&["dups", "--prefer", &copy, "--prefer", path], args, &[&directory]].concat());
            assert_eq!((run.code, run.text()), (Some(2), ""));
            assert_eq!(run.stderr, format!("sgf: error: --prefer {path}: no input matches this path\n"));
        }
    }
    assert!(!Path::new(&merged).exists());
}

#[test]
fn the_best_game_takes_what_it_lacks_from_its_copies() {
    let colors = |game: String| game.replace(";B", ";X").replace(";W", ";B").replace(";X", ";W");
    let directory = files(
        "merge",
        &[
            ("a.sgf", game("PB[x]PW[y]EV[]DT[1850]C[keep \\] this]", points(0, 40))),
            (
                "b-turned.sgf",
                game("CA[UTF-8]EV[M\u{fc}nchen: a \\[b\\]]DT[1851]", points(0, 40).map(|(x, y)| (y, 18 - x))),
            ),
            ("c.sgf", game("EV[other]RO[2]", points(0, 35))),
            ("d-colors.sgf", colors(game("PC[Tokyo]BR[5d]", points(0, 40)))),
            ("e-alone.sgf", game("PB[z]", points(3, 40))),
        ],
    );
    let merged = format!("{directory}.merged.sgf");
    let lines = run(&["dups", "--merge", "--output", &merged, &directory]);
    assert_eq!((lines.code, &*lines.stderr), (Some(0), ""));
    let written = fs::read_to_string(&merged).unwrap();
    assert!(written.contains("EV[M\u{fc}nchen: a [b\\]]") && written.contains("C[keep \\] this]"), "{written}");
    for (text, is_there) in
        [("PC[Tokyo]", true), ("RO[2]", true), ("DT[1850]", true), ("CA[UTF-8]", true), ("BR", false), ("PB[z]", false)]
    {
        assert_eq!(written.contains(text), is_there, "{text} in {written}");
    }
    let lines = lines.text().replace(&directory, "");
    for line in [
        "  takes PC: Tokyo",
        "  differs DT: 1851 in /b-turned.sgf",
        "  differs EV: other in /c.sgf",
        "  differs BR: 5d in /d-colors.sgf",
    ] {
        assert!(lines.lines().any(|other| other == line), "{line} in {lines}");
    }
    let json: Value =
        serde_json::from_slice(&run(&["dups", "--json", "--merge", "-o", &merged, &directory]).stdout).unwrap();
    assert_eq!(json["found"][0]["taken"]["RO"], json!(["2"]));
    assert_eq!(json["found"][0]["different"][0], json!({"game": 1, "property": "DT", "values": ["1851"]}));
    // To standard output, where no lines are printed; and never over an input.
    let out = run(&["dups", "--merge", &directory]);
    assert_eq!((out.text(), out.code), (&*written, Some(0)));
    assert!(out.stderr.contains("3 values not taken over"), "{}", out.stderr);
    let refused = run(&["dups", "--merge", "-o", &format!("{directory}/a.sgf"), &directory]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("this file is an input"), "{}", refused.stderr);
}

#[test]
fn line_breaks_of_a_name_become_spaces_when_it_is_merged() {
    let copy = game("GN[two\nlines]GC[two\nlines]", points(0, 40));
    let best = game("PB[x]PW[y]SO[z]", points(0, 40));
    let run = run(&["dups", "--merge", &files("name-of-lines", &[("a.sgf", best), ("b.sgf", copy)])]);
    assert!(run.text().contains("GC[two\nlines]GN[two lines]"), "{}{}", run.text(), run.stderr);
}

#[test]
fn a_game_with_bytes_outside_its_charset_keeps_them_when_it_is_merged() {
    let directory = files("bytes", &[("b.sgf", game("CA[UTF-8]EV[\u{53e4}]RO[2]", points(0, 40)))]);
    let best = [b"(;CA[UTF-8]PB[x]PW[y]SO[z]C[\xFF]", &game("", points(0, 40)).as_bytes()[2..]].concat();
    fs::write(format!("{directory}/a.sgf"), best).unwrap();
    let run = run(&["dups", "--merge", &directory]);
    let contains = |text: &[u8]| run.stdout.windows(text.len()).any(|part| part == text);
    assert!(contains(b"C[\xFF]") && contains(b"RO[2]") && contains("EV[\u{53e4}]".as_bytes()), "{:?}", run.stderr);
    let latin = [b"(;CA[US-ASCII]PB[x]PW[y]SO[z]C[\xFF]", &game("", points(0, 40)).as_bytes()[2..]].concat();
    fs::write(format!("{directory}/a.sgf"), latin).unwrap();
    assert_eq!(super::run(&["dups", "--merge", &directory]).code, Some(0));
}

#[test]
fn hex_is_compared_by_its_points() {
    let hex = |root: &str, point: fn(usize, usize) -> String| {
        let moves = (0..40).map(|n| format!(";{}[{}]", ["B", "W"][n % 2], point(n * 3 % 13, n * 5 % 13)));
        format!("(;SZ[13]{root}{})", moves.collect::<String>())
    };
    let numbered = |x: usize, y: usize| format!("{}{}", letter(x), y + 1);
    let directory = files(
        "hex",
        &[
            ("a.sgf", hex("GM[11]", numbered)),
            ("b.sgf", hex("GM[11]", |x, y| format!("{}{}", letter(x), letter(y)))),
            ("c.sgf", hex("GM[11]", |x, y| format!("{}{:02}", letter(12 - x).to_ascii_uppercase(), 13 - y))),
            ("d-mirrored.sgf", hex("GM[11]", |x, y| format!("{}{}", letter(12 - x), y + 1))),
            ("e-golem.sgf", hex("", |x, y| format!("{}{}", letter(x), letter(y))).replace(')', ";W[resign])")),
        ],
    );
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let note = run(&["dups", &directory]).stderr;
    assert!(note.contains("1 game without GM is read as Go, but has moves of Hex; use --game-type Hex"), "{note}");
    let found = groups(&directory, &["--game-type", "Hex"]);
    assert_eq!(found[0].0, names(&["a.sgf", "b.sgf", "c.sgf", "e-golem.sgf"]));
    assert_eq!(found.len(), 1);
    assert_eq!(groups(&directory, &["--game-type", "11"]), found);
    assert!(run(&["dups", &directory]).text().contains("c.sgf: 40 stones, 0 values of game information, turned"));
    let unknown = run(&["dups", "--game-type", "hexx", &directory]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("unknown game"), "{}", unknown.stderr);
}

/// `dups`, the column `canonical` and the report have one definition of a copy.
#[test]
fn the_column_and_the_report_find_the_copies_of_dups() {
    let turned = points(0, 40).map(|(x, y)| (y, 18 - x));
    let colors = |game: String| game.replace(";B", ";X").replace(";W", ";B").replace(";X", ";W");
    let setup = |root: &str| game(root, points(7, 40));
    let directory = files(
        "definition",
        &[
            ("a.sgf", game("", points(0, 40))),
            ("b.sgf", game("PB[x]", turned)),
            ("c.sgf", colors(game("", points(0, 40))).replacen(";W", ";B[tt];W", 1)),
            ("d.sgf", setup("AB[dd][pp]AW[dp]")),
            ("e.sgf", setup("AW[dp]AB[pp]C[x]").replacen(";B", ";AB[dd];B", 1)),
            ("f.sgf", setup("AB[dd][pp]AW[pd]")),
        ],
    );
    let rows = run(&["records", "--format", "csv", "--columns", "canonical", &directory]);
    let rows: Vec<&str> = rows.text().lines().skip(1).collect();
    let equal = |one: usize, other: usize| rows[one] == rows[other];
    assert_eq!((rows.len(), equal(0, 1), equal(0, 2), equal(3, 4)), (6, true, true, true));
    assert!(!equal(0, 3) && !equal(3, 5));
    let found = groups(&directory, &[]);
    let sizes: Vec<_> = found.iter().map(|(games, ..)| games.len()).collect();
    assert_eq!(sizes, [3, 2]);
    let report = format!("{directory}.json");
    assert_eq!(run(&["report", "--json", &report, "-o", &format!("{directory}.html"), &directory]).code, Some(0));
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("3 of 6 compared games are copies of another"), "{report}");
}

/// Returns the number of groups of equal lines of each size, according to `dups` and to `report`. Truncated copies in the
/// groups of `dups` are left out, because `report` does not find them.
fn sizes_of_groups(directory: &str) -> [BTreeMap<u64, u64>; 2] {
    let mut sizes = [BTreeMap::new(), BTreeMap::new()];
    let dups = run(&["dups", "--json", directory]).json();
    for group in dups["found"].as_array().unwrap() {
        let mut by_length = BTreeMap::<u64, u64>::new();
        let games = group["games"].as_array().unwrap();
        games.iter().for_each(|game| *by_length.entry(game["stones"].as_u64().unwrap()).or_default() += 1);
        by_length.into_values().filter(|size| *size > 1).for_each(|size| *sizes[0].entry(size).or_default() += 1);
    }
    let report = run(&["report", "--json", "-", directory]).json();
    let section = report["sections"].as_array().unwrap().iter().find(|section| section["id"] == "copies").unwrap();
    let figures = section["figures"].as_array().unwrap();
    let rows = figures.iter().find(|figure| figure["id"] == "copies-sizes").map(|figure| figure["rows"].as_array());
    for row in rows.flatten().into_iter().flatten() {
        sizes[1].insert(row[0].as_u64().unwrap(), row[1].as_u64().unwrap());
    }
    let copies: u64 = sizes[1].iter().map(|(size, groups)| (size - 1) * groups).sum();
    let notes = figures[0]["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).flat_map(str::chars);
    let notes: String = notes.filter(char::is_ascii_alphanumeric).collect();
    assert!(copies == 0 || notes.contains(&format!("{copies}of")), "{copies}: {notes}");
    sizes
}

#[test]
fn the_report_has_the_groups_of_dups() {
    /// A board, a game on it, a symmetry, a length, and other differences.
    type Played = (u8, u8, u8, u8, u8);
    fn law(games: Vec<Played>) {
        let game = |(number, (seed, board, turn, len, other)): (usize, Played)| {
            let turned = move |(x, y): (usize, usize)| {
                let (x, y) = if turn & 1 > 0 { (18 - x, y) } else { (x, y) };
                let (x, y) = if turn & 2 > 0 { (x, 18 - y) } else { (x, y) };
                if turn & 4 > 0 { (y, x) } else { (x, y) }
            };
            let len = [4, 28, 30, 40][usize::from(len % 4)];
            let root = ["GM[1]", "", "GM[2]", "GM[1]AB[aa]AW[ba]", "GM[1]AB[aa][ss]"][usize::from(board % 5)];
            let text = game(&format!("{root}PB[{number}]"), points(usize::from(seed % 3), len).map(turned));
            match other % 6 {
                0 => text.replace(";B", ";X").replace(";W", ";B").replace(";X", ";W"),
                1 => text.replacen(";W", ";W[tt];W", 1),
                // Setup after the root counts.
                2 => text.replacen(";W", ";AB[sr]AW[rs];W", 1),
                3 => text.trim_end_matches(')').to_owned(),
                _ => text,
            }
        };
        let all: String = games.into_iter().enumerate().map(game).collect();
        let directory = files("report", &[("a.sgf", all.clone())]);
        let [dups, report] = sizes_of_groups(&directory);
        assert_eq!(dups, report, "{all}");
    }
    holds(200, law as fn(Vec<Played>));
    if let Some(corpus) = shared::path("corpus") {
        let [dups, report] = sizes_of_groups(str(&corpus));
        assert_eq!(dups, report);
    }
}

#[test]
fn tables_read_files_without_gm_as_the_game_of_the_option() {
    let golem = "(;SZ[13]PB[x];W[ge];B[swap];W[c4];B[resign])";
    let args = ["records", "--format", "csv", "--columns", "game_type,sgf_moves", "-"];
    let go = run_with(golem.as_bytes(), &args);
    assert!(
        go.stderr.contains("1 game without GM is read as Go, but has moves of Hex; use --game-type Hex"),
        "{}",
        go.stderr
    );
    let hex = run_with(golem.as_bytes(), &[&args[..], &["--game-type", "hex"]].concat());
    assert_eq!((hex.text(), &*hex.stderr), ("game_type,sgf_moves\nHex,ge--cd--\n", ""));
    // A game that names itself is what it says.
    let other = run_with(b"(;GM[1];B[dd])", &[&args[..], &["--game-type", "hex"]].concat());
    assert_eq!(other.text(), "game_type,sgf_moves\nGo,dd\n");
}

/// Text that no game holds, or that the parser drops, is lost with its file.
#[test]
fn a_file_with_text_that_the_parser_drops_stays() {
    let copy = || game("", points(0, 40));
    let many = format!("{}{}", game("", points(3, 40)), copy());
    let directory = files(
        "dropped",
        &[
            ("a.sgf", game("PB[x]PW[y]", points(0, 40))),
            ("b-before.sgf", format!("Played in Seoul 1999 {}", copy())),
            ("c-after.sgf", format!("{} hello world)", copy())),
            ("d-cut.sgf", copy().replace(')', ";C[unfinished bus")),
            ("e-in.sgf", copy().replacen(";W", " junk;W", 1)),
            ("f-variation.sgf", copy().replacen(";W", "(;W", 1).replace(')', ")(;W[ss] junk))")),
            ("g-value.sgf", copy().replacen(";W", ";[lost]W", 1)),
            ("h-ident.sgf", copy().replacen(";W", ";C W", 1)),
            ("i-next.sgf", format!("{}{}", copy().replace(')', ";C[unfinished\n"), game("GM[1]FF[4]", points(0, 40)))),
            ("j-copy.sgf", copy()),
            ("k-closed.sgf", copy().replace(')', "))\n")),
            ("l-many.sgf", format!("{many}\nBye!")),
        ],
    );
    let outside = json!(["text outside of games"]);
    let inside = json!(["text that is not SGF"]);
    let more = |name: &str, more: &Value| (name.to_owned(), more.clone());
    let expected = [
        more("a.sgf", &json!([])),
        more("b-before.sgf", &outside),
        more("c-after.sgf", &outside),
        more("d-cut.sgf", &inside),
        more("e-in.sgf", &inside),
        more("f-variation.sgf", &json!(["variations", "text that is not SGF"])),
        more("g-value.sgf", &inside),
        more("h-ident.sgf", &inside),
        more("i-next.sgf", &inside),
        more("l-many.sgf", &outside),
    ];
    assert_eq!(staying(&directory, &[]), expected);
    assert_eq!(removable(&directory, &[]), ["j-copy.sgf", "k-closed.sgf"]);
    assert_eq!(staying(&directory, &["--lossy"]), [more("a.sgf", &json!([]))]);
}

#[test]
fn texts_whose_bytes_are_not_in_their_charset_are_compared_by_their_bytes() {
    let with = |root: &[u8]| [b"(;CA[UTF-8]", root, &game("", points(0, 40)).as_bytes()[2..]].concat();
    let directory = files("bad-bytes", &[]);
    for (name, root) in [
        ("a.sgf", &b"PW[M\xfcller]EV[x]"[..]),
        ("b.sgf", b"PW[M\xf8ller]"),
        ("c.sgf", b"PW[M\xfcller]"),
        ("d.sgf", b"RO[\xd2\xab\xff]"),
    ] {
        fs::write(format!("{directory}/{name}"), with(root)).unwrap();
    }
    assert_eq!(removable(&directory, &[]), ["c.sgf"]);
    // They are not merged, but named.
    let merged = format!("{directory}.merged.sgf");
    let lines = run(&["dups", "--merge", "-o", &merged, &directory]);
    assert_eq!((lines.code, &*lines.stderr), (Some(0), ""));
    let lines = lines.text().replace(&directory, "");
    assert!(lines.contains("  differs PW: M\u{fffd}ller in /b.sgf\n"), "{lines}");
    assert!(
        lines.contains("  not taken RO: \u{4ab}\u{fffd} in /d.sgf: contains bytes that are invalid in its charset\n"),
        "{lines}"
    );
    assert_eq!(fs::read(&merged).unwrap(), [with(b"PW[M\xfcller]EV[x]"), b"\n".to_vec()].concat());
    let out = run(&["dups", "--merge", &directory]);
    assert!(out.stderr.contains("2 values not taken over, such as PW in "), "{}", out.stderr);
}

#[test]
fn a_game_of_which_the_parser_drops_text_is_not_merged() {
    let best = game("PB[x]PW[y]", points(0, 40)).replacen(";W", " junk;W", 1);
    let directory = files("merge-junk", &[("a.sgf", best), ("b.sgf", game("EV[z]", points(0, 40)))]);
    let out = run(&["dups", "--merge", &directory]);
    assert_eq!((out.text(), out.code), ("", Some(0)));
    assert!(out.stderr.contains("a.sgf: not merged, because text that is not SGF"), "{}", out.stderr);
    let lossy = run(&["dups", "--merge", "--lossy", &directory]);
    assert!(lossy.text().contains("EV[z]") && !lossy.text().contains("junk"), "{}", lossy.text());
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let directory = files("refused", &[("a.sgf", game("", points(0, 40))), ("b.sgf", game("", points(0, 40)))]);
    let merged = format!("{directory}.merged.sgf");
    for args in [&["--merge", "--json"][..], &["--merge", "--json", "-o", "-"], &["--print0", "-o", &merged]] {
        let run = run(&[&["dups"], args, &[&directory]].concat());
        assert_eq!((run.code, run.text()), (Some(2), ""), "{args:?}");
        assert!(!run.stderr.is_empty());
    }
    assert!(!Path::new(&merged).exists());
}

#[test]
fn a_copy_of_a_game_on_standard_input_stays_with_a_reason() {
    let directory = files("stdin-reason", &[("a.sgf", game("", points(0, 40)))]);
    let best = game("PB[x]C[y]", points(0, 40));
    let run = run_with(best.as_bytes(), &["dups", "-", &format!("{directory}/a.sgf")]);
    let lines = run.text().replace(&directory, "");
    assert!(
        lines.contains(
            "  keep  /a.sgf: 40 stones, 0 values of game information; the best one is in standard input, which is not stored\n"
        ),
        "{lines}"
    );
    assert!(lines.contains(": 40 stones, 1 value of game information, 1 other (most"), "{lines}");
    let other = super::run(&["dups", "--prefer", &format!("{directory}/a.sgf"), &format!("{directory}/a.sgf"), &{
        fs::write(format!("{directory}/b.sgf"), &best).unwrap();
        format!("{directory}/b.sgf")
    }]);
    assert!(other.text().contains("; the best one lacks its PB, comments\n"), "{}", other.text());
}
