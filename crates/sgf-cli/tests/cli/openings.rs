//! `sgf openings`.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::{directory, run, run_with, str};

const GAMES: &str = "(;SZ[9]DT[1990]RE[B+R];B[gc];W[cg];B[cc])\n(;SZ[9]DT[2001]RE[B+R];B[cg];W[gc];B[gg])\n\
                     (;SZ[9]RE[W+R];B[cc];W[gc];B[gg])\n(;SZ[9];B[ee];W[gc])\n(;SZ[19];B[pd])\n\
                     (;SZ[9]HA[2]AB[gc][cg];W[cc])\n(;SZ[9]HA[2];B[gc];B[cg];W[cc])\n(;GM[11]SZ[9];B[g3])";

fn file(name: &str) -> PathBuf {
    let path = directory(&format!("openings/{name}")).join("games.sgf");
    fs::write(&path, GAMES).unwrap();
    path
}

#[test]
fn positions_are_folded_and_counted() {
    let path = file("tree");
    let found = run(&["openings", "--size", "9", "--min-games", "1", str(&path)]);
    assert_eq!(
        found.text(),
        "\
4 games: Black wins 66.7 % (20.8–93.9 %); 1990–2001

   move          games    share  Black wins              years
1  B G7              3   75.0 %  66.7 % (20.8–93.9 %)    1990–2001
2    W C3            2   50.0 %  100.0 % (34.2–100.0 %)  1990–2001
3      B G3          2   50.0 %  100.0 % (34.2–100.0 %)  1990–2001
4    W G3            1   25.0 %  0.0 % (0.0–79.3 %)
5      B C3          1   25.0 %  0.0 % (0.0–79.3 %)
6  B E5              1   25.0 %  -
7    W G7            1   25.0 %  -
"
    );
    assert_eq!(
        (found.code, &*found.stderr),
        (Some(0), "sgf: 4 of 8 games counted; 3 without the first position; 1 with handicap\n")
    );
    let few =
        run(&["openings", "--size", "9x9", "--min-games", "2", "--plies", "1", "--where", "date>=1995", str(&path)]);
    assert_eq!(few.lines().len(), 3, "{}", few.text());
    assert!(few.stderr.contains("3 with other values than --where"), "{}", few.stderr);
}

#[test]
fn json_has_nodes_with_parents() {
    let path = file("json");
    let tree = run(&["openings", "--size", "9", "--min-games", "1", "--json", str(&path)]).json();
    assert_eq!((&tree["games"], &tree["size"], &tree["missing"]), (&json!(4), &json!([9, 9]), &json!(0)));
    let first = &tree["nodes"][1];
    assert_eq!((&first["parent"], &first["point"], &first["color"]), (&json!(0), &json!("gc"), &json!("B")));
    assert_eq!((&first["games"], &first["black_wins"], &first["share"]), (&json!(3), &json!(2), &json!(0.75)));
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 8);
}

#[test]
fn a_game_with_variations_has_statistics_and_letters() {
    let path = file("sgf");
    let sgf = run(&["openings", "--size", "9", "--min-games", "1", "--plies", "2", "--sgf", "-", str(&path)]);
    let text = sgf.text();
    assert!(text.contains("LB[gc:A][ee:B]") && text.contains("(;B[gc]C[3 games (75.0 %)\nBlack wins 66.7 %"), "{text}");
    let checked = run_with(&sgf.stdout, &["check", "-"]);
    assert_eq!(checked.code, Some(0), "{}", checked.text());
    let tree = run_with(&sgf.stdout, &["records", "--columns", "node_count,variation_count", "-"]).json();
    assert_eq!(tree, json!({"node_count": 6, "variation_count": 2}));
    let to = directory("openings/out").join("tree.sgf");
    let both = run(&["openings", "--size", "9", "--sgf", str(&to), str(&path)]);
    assert!(both.lines().len() >= 3 && fs::read_to_string(to).unwrap().starts_with("(;FF[4]CA[UTF-8]"));
}

#[test]
fn groups_have_shares_of_their_own() {
    let path = file("by");
    let by = |more: &[&str]| {
        run(&[&["openings", "--size", "9", "--min-games", "1", "--plies", "1", "--by", "decade"], more, &[str(&path)]]
            .concat())
    };
    let text = by(&[]);
    let second = text.text().split_once("\n\n   ").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap().1;
    assert_eq!(
        second,
        "   move     1990s    2000s  unknown
   games        1        1        2
1  B G7   100.0 %  100.0 %   50.0 %
2  B E5         -        -   50.0 %
"
    );
    let json = by(&["--json"]).json();
    let names: Vec<_> = json["groups"].as_array().unwrap().iter().map(|group| group["group"].clone()).collect();
    assert_eq!(names, ["1990s", "2000s", "unknown"]);
    assert_eq!(
        (&json["nodes"][1]["groups"][1]["group"], &json["nodes"][1]["groups"][1]["games"]),
        (&json!("2000s"), &json!(1))
    );
    assert!(by(&["--sgf", "-"]).text().contains("\n1990s: 1 game (100.0 %)"));
    // A name of a group is a text of the file.
    let other = directory("openings/by-name").join("a.sgf");
    fs::write(&other, "(;SZ[9]EV[a \\] cup];B[gc])").unwrap();
    let sgf = run(&["openings", "--size", "9", "--min-games", "1", "--by", "event", "--sgf", "-", str(&other)]);
    assert!(sgf.text().contains("\na \\] cup: 1 game"), "{}", sgf.text());
    assert_eq!(run(&["openings", "--by", "nothing", str(&path)]).code, Some(2));
}

#[test]
fn a_picture_has_a_board_for_each_position() {
    let path = file("svg");
    let svg = run(&["openings", "--size", "9", "--min-games", "1", "--svg", "-", str(&path)]);
    let text = svg.text();
    assert_eq!((text.matches("<svg ").count(), text.matches("<path d=\"M").count() >= 7), (9, true), "{text}");
    for caption in [">A: B G7<", ">3 games (75.0 %)<", ">Black wins 66.7 %<", "<title>The first position</title>"] {
        assert!(text.contains(caption), "{caption}: {text}");
    }
    let none = run(&["openings", "--size", "13", "--svg", "-", str(&path)]);
    assert!(none.text().starts_with("<svg ") && none.code == Some(1), "{}", none.text());
    let same = run(&["openings", "--sgf", "a", "--svg", "a", str(&path)]);
    assert!(same.code == Some(2) && same.stderr.contains("--sgf and --svg must be different files"), "{}", same.stderr);
}

#[test]
fn a_tree_may_begin_with_a_position() {
    let path = file("from");
    let found = run(&["openings", "--from", "(;SZ[9]AB[gc]AW[cg])", "--min-games", "1", str(&path)]);
    assert!(found.text().starts_with("2 games: ") && found.text().contains("1  B G3          2"), "{}", found.text());
    let handicap = run(&["openings", "--from", "(;SZ[9]AB[gc][cg])", "--min-games", "1", str(&path)]);
    assert!(handicap.text().starts_with("2 games: "), "{}", handicap.text());
    let none = run(&["openings", "--from", "(;SZ[9]AB[gc][ha])", str(&path)]);
    assert_eq!((none.text(), none.code), ("", Some(1)), "{}", none.stderr);
    for wrong in ["X./..", "(;SZ[9]AB[gc];W[aa])", "(;SZ[9]AB[gc]QE[aa])"] {
        let run = run(&["openings", "--from", wrong, str(&path)]);
        assert!(
            run.code == Some(2) && run.stderr.contains("--from: the position of a whole board"),
            "{wrong}: {}",
            run.stderr
        );
    }
    assert_eq!(run(&["openings", "--size", "53", str(&path)]).code, Some(2));
}

#[test]
fn the_tree_does_not_depend_on_threads_and_says_what_is_missing() {
    let mut text = String::new();
    for n in 0..3000_u32 {
        let letter = |n: u32| char::from(b'a' + (n % 19) as u8);
        let (a, b) = (letter(n * 7), letter(n / 19));
        text += &format!("(;SZ[19]C[{}];B[pd];W[{a}{b}];B[{b}{a}])", "x".repeat(400));
    }
    let path = directory("openings/many").join("a.sgf");
    fs::write(&path, text).unwrap();
    for more in [&[][..], &["--max-positions", "100"]] {
        let runs =
            ["1", "4"].map(|threads| run(&[&["openings", "--json", "--threads", threads, str(&path)], more].concat()));
        assert_eq!(runs[0].text(), runs[1].text());
        let missing = runs[0].json()["missing"].as_u64().unwrap();
        assert_eq!((missing > 0, runs[0].stderr.contains("may be missing")), (!more.is_empty(), !more.is_empty()));
    }
}

#[test]
fn wide_characters_take_two_columns() {
    let games = "(;SZ[9]CA[UTF-8]EV[名人戦];B[gc])(;SZ[9]EV[a];B[gc])".repeat(10);
    let run = run_with(games.as_bytes(), &["openings", "--size", "9", "--min-games", "1", "--by", "EV", "-"]);
    let table: Vec<&str> = run.text().rsplit("\n\n").next().unwrap().lines().collect();
    // `名人戦` is 3 characters, and 6 columns; the share is 7.
    assert_eq!(table, ["   move         a   名人戦", "   games       10       10", "1  B G7   100.0 %  100.0 %"]);
}

#[test]
fn games_without_a_date_have_no_years() {
    let games = b"(;SZ[9]RE[B+R];B[gc])(;SZ[9]RE[W+R];B[gc])";
    let openings = ["openings", "--size", "9", "--min-games", "1"];
    let text = run_with(games, &[&openings[..], &["-"]].concat());
    assert_eq!(text.lines()[0], "2 games: Black wins 50.0 % (9.5–90.5 %)");
    let sgf = run_with(games, &[&openings[..], &["--sgf", "-", "-"]].concat());
    assert!(sgf.text().contains(";B[gc]C[2 games (100.0 %)\nBlack wins 50.0 % (9.5–90.5 %)]"), "{}", sgf.text());
}
