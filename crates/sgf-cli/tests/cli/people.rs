//! `sgf names`, and `--names`.

use std::fs;

use super::{directory, run, run_with, str};

/// A game of so many moves on different points, between two players.
fn game(black: &str, white: &str, moves: usize, seed: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let moves = (0..moves).map(|n| {
        let point = (n * 7 + seed) % 361;
        format!(";{}[{}{}]", ["B", "W"][n % 2], letter(point % 19), letter(point / 19))
    });
    format!("(;GM[1]SZ[19]PB[{black}]PW[{white}]{})", moves.collect::<String>())
}

fn archive(name: &str) -> std::path::PathBuf {
    let top = directory(&format!("people/{name}"));
    let games = [
        game("Lee Sedol", "Gu Li", 50, 1),
        game("Lee Sedol", "Chang Hao", 50, 2),
        game("LEE Se-dol 9p", "Gu Li", 40, 3),
        // Copies of the first two.
        game("이세돌", "古力", 50, 1),
        game("이세돌", "常昊", 50, 2),
        game("Black", "White", 50, 4),
        game("BLACK", "WHITE", 50, 5),
    ];
    fs::write(top.join("games.sgf"), games.concat()).unwrap();
    top
}

const NAMES: &str = "\
name,person,games,evidence,joined_to,copies
Lee Sedol,Lee Sedol,2,,,
이세돌,Lee Sedol,2,same games,Lee Sedol,2
LEE Se-dol 9p,Lee Sedol,1,spelling,Lee Sedol,
Gu Li,Gu Li,2,,,
古力,Gu Li,1,same games,Gu Li,1
Chang Hao,Chang Hao,1,,,
常昊,Chang Hao,1,same games,Chang Hao,1
";

#[test]
fn names_of_one_person_are_found_and_used() {
    let top = archive("use");
    let found = run(&["names", str(&top)]);
    assert_eq!((found.text(), found.code), (NAMES, Some(0)), "{}", found.stderr);
    assert_eq!(found.stderr, "sgf: 7 of 11 names are spellings of 3 people\n");
    let all = run(&["names", "--all", str(&top)]);
    assert!(all.text().starts_with(NAMES) && all.text().contains("\nBLACK,BLACK,1,,,\n"), "{}", all.text());
    // To a file, which is used.
    let file = top.join("names.csv");
    assert_eq!(run(&["names", str(&top), "-o", str(&file)]).code, Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), NAMES);
    let records = |columns: &str| {
        let run =
            run(&["records", "--names", str(&file), "--format", "csv", "--no-header", "--columns", columns, str(&top)]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.lines()[2..4].join(" ")
    };
    assert_eq!(records("black,white"), "Lee Sedol,Gu Li Lee Sedol,Gu Li");
    assert_eq!(records("PB,PW,PB_raw"), "Lee Sedol,Gu Li,[LEE Se-dol 9p] Lee Sedol,Gu Li,[이세돌]");
    // The report counts one player.
    let report = run(&["report", "--names", str(&file), "--json", "-", str(&top)]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    assert!(report.text().contains("\"Lee Sedol\",5") && !report.text().contains("Se-dol"), "{}", report.text());
}

#[test]
fn a_file_of_names_may_have_other_columns_and_must_have_two() {
    let top = directory("people/file");
    let file = top.join("names.csv");
    let records = |csv: &str| {
        fs::write(&file, csv).unwrap();
        run_with(b"(;PB[Go, Seigen]PW[Kitani])", &["records", "--columns", "black,white", "--names", str(&file), "-"])
    };
    let found = records("\u{FEFF}person,why,name\nGo Seigen,,\"Go, Seigen\"\n,,Kitani\nX\n");
    assert_eq!(found.text(), "{\"black\":\"Go Seigen\",\"white\":\"Kitani\"}\n", "{}", found.stderr);
    let found = records("name,who\na,b\n");
    let expected = format!("sgf: error: {}: no column 'person' in the first line\n", str(&file));
    assert_eq!((found.code, found.stderr), (Some(2), expected));
    let found = records("name,person\nKitani,K\n\"Go Seigen,Go\nA,B\n");
    let expected =
        format!("sgf: error: {}: line 3 has a quote that nothing closes; add `\"`, or remove it\n", str(&file));
    assert_eq!((found.code, found.stderr), (Some(2), expected));
    assert_eq!(records("name,person\n\"Kitani\",\"K\"").text(), "{\"black\":\"Go, Seigen\",\"white\":\"K\"}\n");
    let missing = run(&["records", "--names", "/nonexistent.csv", "-"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.starts_with("sgf: error: /nonexistent.csv: No such file"), "{}", missing.stderr);
}

#[test]
fn an_account_that_relays_games_of_others_joins_nobody() {
    let top = directory("people/relay");
    let pairs = [("Abe", "Doi"), ("Abe", "Endo"), ("Chiba", "Doi"), ("Chiba", "Endo")];
    let games = pairs
        .iter()
        .enumerate()
        .flat_map(|(seed, (black, white))| [game(black, white, 60, seed), game("relay3", "relay4", 60, seed)]);
    let file = top.join("relay.sgf");
    fs::write(&file, games.collect::<String>()).unwrap();
    let found = run(&["names", str(&file)]);
    assert_eq!((found.lines().len(), found.code), (1, Some(0)), "{}", found.text());
}

#[test]
fn marks_of_servers_are_no_part_of_a_name() {
    let games = "(;GM[1]CA[UTF-8]PB[[p\\]김가나]PW[x];B[aa])(;GM[1]CA[UTF-8]PB[김가나]PW[y];B[bb])\
        (;GM[1]CA[UTF-8]PB[김가나 선수]PW[z];B[cc])";
    let found = run_with(games.as_bytes(), &["names", "-"]);
    assert_eq!(found.stderr, "sgf: 3 of 6 names are spellings of 1 person\n");
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let found = run(&["names", "/nonexistent.sgf"]);
    assert_eq!(found.code, Some(2));
    assert!(found.stderr.contains("/nonexistent.sgf"), "{}", found.stderr);
}
