//! `sgf show --tree`: the shape of games.

use std::fs;

use super::{directory, run, run_with, str};

/// What it prints of some SGF.
fn tree(sgf: &str, args: &[&str]) -> String {
    let run = run_with(sgf.as_bytes(), &[&["show", "--tree", "-"], args].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{sgf}");
    run.text().to_owned()
}

const GAME: &str = "(;PB[Shusaku]BR[4d]PW[Gennan]RE[b+2]KM[0]EV[Castle\ngame]DT[1846-09-11];B[qd];W[dc];B[cq]\
    (;W[co];B[dd]C[calm\nand more](;W[ed]TE[1])(;W[de]N[joseki];B[cf]))\
    (;W[oc];B[oe];B[de];W[ed];AE[aa]AW[bb][cc:dd];;W[]))";

#[test]
fn variations_come_first_and_the_line_goes_on_below_them() {
    assert_eq!(
        tree(GAME, &[]),
        "\
Shusaku (4d) – Gennan, B+2
  Castle game, 1846-09-11
  Go 19x19, komi 0
  16 nodes; 6 moves in the main line; 2 variations; 1 comment
1-3     B R16 D17 C3
├─ 4-8     W P17 P15 B D15 E16 [+5W -1] ◦ W pass
4-5     W C5 D16*
├─ 6-7     W D15 \"joseki\" C14
6       W E16!
"
    );
}

#[test]
fn moves_have_the_colors_of_their_stones() {
    let game = "(;GM[1];B[qd];W[dc]N[here];AB[aa](;B[cq])(;B[cc]))";
    let colored = tree(game, &["--color", "always"]);
    assert!(colored.contains("\x1B[97;40mB R16\x1B[0m \x1B[30;107mD17 \"here\"\x1B[0m [+1B]"), "{colored:?}");
    // What is left without the colors is what is printed without them, wherever lines are cut.
    for width in ["20", "31", "40", "60", "100"] {
        for game in [GAME, game] {
            let mut rest = tree(game, &["--width", width, "--color", "always"]);
            while let Some((before, after)) = rest.split_once('\x1B') {
                rest = format!("{before}{}", after.split_once('m').unwrap().1);
            }
            let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
            assert_eq!(lines(&rest), lines(&tree(game, &["--width", width])), "{width}");
        }
    }
}

#[test]
fn comments_have_lines_of_their_own() {
    let text = tree(GAME, &["--comments", "--ascii", "--width", "40"]);
    assert_eq!(
        text,
        "\
Shusaku (4d) - Gennan, B+2
  Castle game, 1846-09-11
  Go 19x19, komi 0
  16 nodes; 6 moves in the main line; 2...
1-3     B R16 D17 C3
+- 4-8     W P17 P15 B D15 ... W pass
4-5     W C5 D16*
    calm and more
+- 6-7     W D15 \"joseki\" C14
6       W E16!
"
    );
    assert!(text.is_ascii());
    let long = tree(GAME, &["--comments", "--width", "20"]);
    assert!(long.lines().all(|line| line.chars().count() <= 24), "{long}");
}

#[test]
fn moves_can_be_as_in_the_file_and_levels_left_out() {
    let text = tree(GAME, &["--raw", "--depth", "0"]);
    let lines: Vec<_> = text.lines().skip(4).collect();
    assert_eq!(
        lines,
        [
            "1-3     B qd dc cq  + 1 variation with 7 nodes",
            "4-5     W co dd*  + 1 variation with 2 nodes",
            "6       W ed!"
        ]
    );
    let nested = "(;(;B[aa](;W[aa])(;W[bb](;B[ii])(;B[jj])))(;B[bb](;W[cc])(;W[dd];B[ee](;W[ff])(;W[gg]))))";
    let lines = |depth: &str| tree(nested, &["--depth", depth, "--raw"]).lines().skip(3).count();
    assert_eq!((lines("0"), lines("1"), lines("2"), lines("9")), (3, 6, 9, 10));
}

#[test]
fn runs_show_as_many_moves_as_fit_and_the_last() {
    let moves: String = (0..200).map(|n| format!(";{}[dd]", ["B", "W"][n % 2])).collect();
    let text = tree(&format!("(;{moves}C[the end])"), &["--width", "60"]);
    let line = text.lines().last().unwrap();
    assert_eq!(line, "1-200   B D16 D16 D16 D16 D16 D16 D16 … W D16*  1 comment");
    // One move that is left out needs no gap for it.
    let text = tree("(;GM[3];B[e2e4];W[e7e5];B[g1f3];W[b8c6])", &["--width", "33"]);
    assert!(text.lines().last().unwrap().chars().count() <= 33, "{text}");
}

#[test]
fn numbers_follow_mn_and_other_games_their_notation() {
    assert_eq!(
        tree("(;GM[11]SZ[11];B[a3]MN[10];W[swap-pieces];B[c4])", &[]).lines().last(),
        Some("10-12   B a3 swap-pieces c4")
    );
    assert_eq!(tree("(;GM[6];W[31hefe];B[61yg])", &[]).lines().last(), Some("1-2     W 31hefe 61yg"));
    assert_eq!(tree("(;SZ[52];B[aA])", &[]).lines().last(), Some("1       B aA"));
}

/// Options of boards, pictures and trees are refused with each other, and none is ignored.
#[test]
fn options_that_say_nothing_of_trees_are_refused() {
    const OF_TREES: &[&[&str]] = &[&["--depth", "1"], &["--comments"], &["--raw"], &["--json"]];
    const OF_BOARDS: &[&[&str]] = &[&["--move", "2"], &["--path", "1"], &["--every", "2"], &["--print"]];
    const OF_PICTURES: &[&[&str]] = &[
        &["--format", "svg"],
        &["--crop"],
        &["--numbers=2"],
        &["--thumbnail"],
        &["--no-coordinates"],
        &["--pixels", "90"],
    ];
    let to = format!("{}/", str(&directory("tree-refused")));
    let output = ["-o", &to];
    let mut refused: Vec<Vec<&str>> = vec![[&["--tree"], &output[..]].concat()];
    for of_tree in OF_TREES {
        refused.push(of_tree.to_vec());
        for other in OF_BOARDS.iter().chain(OF_PICTURES).chain([&&output[..]]) {
            refused.push([of_tree, *other].concat());
            refused.push([of_tree, *other, &output].concat());
            refused.push([of_tree, *other, &["--tree"]].concat());
        }
    }
    for other in OF_BOARDS.iter().chain(OF_PICTURES) {
        refused.push([*other, &["--tree"]].concat());
        refused.push([*other, &["--tree"], &output].concat());
    }
    for picture in OF_PICTURES {
        refused.push(picture.to_vec());
        for text in [&["--ascii"][..], &["--width", "40"], &["--print"]] {
            refused.push([*picture, text].concat());
            refused.push([*picture, text, &output].concat());
        }
    }
    for drawn in [&["--comments"][..], &["--raw"], &["--ascii"], &["--width", "40"]] {
        refused.push([&["--tree", "--json"], drawn].concat());
    }
    for args in refused {
        let run = run_with(GAME.as_bytes(), &[&["show", "-"], &args[..]].concat());
        assert_eq!((run.code, run.text()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.starts_with("sgf: error: "), "{args:?}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0);
    for accepted in [&["--comments"][..], &["--raw", "--ascii"], &["--json", "--depth", "0"], &["--width", "40"]] {
        tree(GAME, accepted);
    }
}

/// It was a command of its own.
#[test]
fn the_old_name_leads_to_the_new_one() {
    let run = run_with(GAME.as_bytes(), &["tree", "-"]);
    assert_eq!((run.code, run.text()), (Some(2), ""));
    assert_eq!(run.stderr, "sgf: error: unknown subcommand 'tree'; use `sgf show --tree` (`sgf --help` lists all)\n");
}

#[test]
fn archives_are_printed_game_by_game() {
    let archive = "(;PB[a];B[dd])(;PB[b];B[dd])(;C[no names])";
    let text = tree(archive, &[]);
    assert_eq!(
        text.lines().filter(|line| line.starts_with("game ")).collect::<Vec<_>>(),
        ["game 1: a – ?", "game 2: b – ?", "game 3"]
    );
    assert_eq!(text.matches("\n\n").count(), 2);
    assert!(tree(archive, &["--game", "2"]).starts_with("game 2: b – ?\n"));
    let missing = run_with(archive.as_bytes(), &["show", "--tree", "--game", "4", "-"]);
    assert_eq!((missing.code, missing.text()), (Some(1), ""));
    assert_eq!(missing.stderr, "sgf: error: -: there is no game 4: the file has 3 games\n");
    let folder = directory("tree");
    fs::write(folder.join("a.sgf"), archive).unwrap();
    fs::write(folder.join("b.sgf"), "(;B[aa])").unwrap();
    fs::write(folder.join("c.sgf"), "no game").unwrap();
    let all = run(&["show", "--tree", str(&folder)]);
    assert_eq!(all.code, Some(0));
    assert!(all.text().contains("a.sgf, game 2: b – ?\n") && all.text().contains("b.sgf\n"), "{}", all.text());
    assert!(all.stderr.contains("c.sgf: no SGF data"), "{}", all.stderr);
    assert_eq!(run(&["show", "--tree", "not-there.sgf"]).code, Some(2));
}

#[test]
fn texts_are_decoded_and_cannot_command_the_terminal() {
    let file = directory("tree-charset").join("gbk.sgf");
    fs::write(&file, b"(;CA[GBK]PB[\xB9\xC5\xC1\xA6]PW[a\x1B[2J\\]\x07];B[dd]C[\xE2\x80\xAEabc])").unwrap();
    let read = run(&["show", "--tree", str(&file)]);
    assert!(read.text().starts_with("古力 – a\\u{1b}[2J]\\u{7}\n"), "{}", read.text());
    let latin = run_with(b"(;PB[M\xFCller])", &["show", "--tree", "--charset", "latin1", "-"]);
    assert!(latin.text().starts_with("Müller – ?\n"), "{}", latin.text());
}

#[test]
fn json_has_every_run() {
    let run = run_with(GAME.as_bytes(), &["show", "--tree", "--json", "-"]);
    let json = run.json();
    assert_eq!(json["file"], "-");
    assert_eq!(json["root"]["PB"], "Shusaku");
    let counts = ["nodes", "moves", "variations", "depth", "comments"].map(|name| json[name].as_u64().unwrap());
    assert_eq!(counts, [16, 6, 2, 1, 1]);
    let runs = json["runs"].as_array().unwrap();
    let places: Vec<_> = runs
        .iter()
        .map(|run| ["node", "parent", "level", "nodes", "first_move"].map(|name| run[name].as_u64()))
        .collect();
    assert_eq!(
        places,
        [
            [Some(0), None, Some(0), Some(4), Some(1)],
            [Some(9), Some(3), Some(1), Some(7), Some(4)],
            [Some(4), Some(3), Some(0), Some(2), Some(4)],
            [Some(7), Some(5), Some(1), Some(2), Some(6)],
            [Some(6), Some(5), Some(0), Some(1), Some(6)],
        ]
    );
    assert_eq!(runs[0]["moves"][2], serde_json::json!(["B", "cq"]));
    let run = run_with(GAME.as_bytes(), &["show", "--tree", "--json", "--depth", "0", "-"]);
    assert_eq!(run.json()["runs"][0]["hidden"], serde_json::json!([1, 7]));
}

/// A hundred thousand levels, on lines that stay as wide as they may be.
#[test]
fn deep_trees_have_the_number_of_their_level() {
    let deep = format!("(;{}{})", "(;B[dd])(;W[pp]".repeat(100_000), ")".repeat(100_000));
    let text = tree(&deep, &["--width", "60"]);
    assert_eq!(text.lines().count(), 3 + 200_000);
    assert!(text.lines().all(|line| line.chars().count() <= 60));
    assert!(text.contains("\n⋮50000 │  ├─ 50000   W Q4\n"), "{}", &text[..2000]);
}
