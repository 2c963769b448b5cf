//! `sgf show`: boards as text and as pictures.

use std::fs;

use super::{directory, run, run_with, str};

const GAME: &str = "(;SZ[9]PB[Ann]PW[Bob]RE[W+3];B[ee];W[ec]LB[aa:A][bb:two]TR[ee]C[A long comment, which is wrapped.]\
    (;B[cc];W[])(;B[gc]))";

fn show(sgf: &str, args: &[&str]) -> String {
    let run = run_with(sgf.as_bytes(), &[&["show", "-"], args].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{sgf}");
    run.text().to_owned()
}

#[test]
fn a_position_is_drawn_beside_what_is_known_of_it() {
    assert_eq!(
        show(GAME, &["--move", "2", "--width", "60"]),
        "   A B C D E F G H J       Ann – Bob, W+3
 9 A─┬─┬─┬─┬─┬─┬─┬─┐ 9     Go 9x9
 8 ├─┼─┼─┼─┼─┼─┼─┼─┤ 8     6 nodes; 4 moves in the main
 7 ├─┼─╋─┼(○)┼─╋─┼─┤ 7     line; 1 variation; 1 comment
 6 ├─┼─┼─┼─┼─┼─┼─┼─┤ 6
 5 ├─┼─┼─┼─▲─┼─┼─┼─┤ 5     Move 2 of 4: W E7
 4 ├─┼─┼─┼─┼─┼─┼─┼─┤ 4     2 variations go on from here
 3 ├─┼─╋─┼─┼─┼─╋─┼─┤ 3     Labels: B8 two
 2 ├─┼─┼─┼─┼─┼─┼─┼─┤ 2
 1 └─┴─┴─┴─┴─┴─┴─┴─┘ 1     A long comment, which is wrapped.
   A B C D E F G H J
"
    );
}

#[test]
fn lines_positions_and_characters_can_be_chosen() {
    let text = show(GAME, &["--path", "2", "--ascii", "--width", "20"]);
    assert!(text.contains(" 7 . . + . O .(X). . 7\n"), "{text}");
    assert!(text.contains("\n\nAnn – Bob, W+3\n") && text.contains("Move 3 of 3: B G7\nVariation 2 of 2\n"), "{text}");
    let all = show(GAME, &["--every", "2", "--ascii"]);
    let moves: Vec<_> = all.lines().filter_map(|line| line.split("Move ").nth(1)).collect();
    assert_eq!(moves, ["2 of 4: W E7", "4 of 4: W pass"]);
    let colored = show(GAME, &["--color", "always"]);
    assert!(colored.contains("\x1B[48;5;179;38;5;16m") && colored.contains("\x1B[0m"));
}

#[test]
fn hex_is_a_rhombus() {
    let text = show("(;GM[11]SZ[3];B[a1];W[b2];B[c3])", &["--width", "40"]);
    let board: Vec<_> =
        text.lines().take(5).map(|line| line.chars().take(16).collect::<String>().trim_end().to_owned()).collect();
    assert_eq!(board, ["   A B C", " 1 ● · · 1", "  2 · ○ · 2", "   3 · ·(●)3", "      A B C"]);
}

#[test]
fn what_cannot_be_shown_is_named() {
    for (sgf, args, message) in [
        (GAME, &["--move", "9"][..], "-: --move: there is no move 9: the line has 4"),
        (GAME, &["--path", "3"], "-: --path: branch 1 has 2 variations, so there is no variation 3"),
        (GAME, &["--game", "1"], "-: there is no game 1: the file has 1 game"),
        ("(;GM[6])", &[], "-: Backgammon (GM[6]) has no board here yet; Go and Hex have"),
        ("no game", &[], "-: "),
    ] {
        let run = run_with(sgf.as_bytes(), &[&["show", "-"], args].concat());
        assert_eq!((run.code, run.text()), (Some(1), ""), "{args:?}");
        assert!(run.stderr.starts_with(&format!("sgf: {message}")), "{}", run.stderr);
    }
}

#[test]
fn pictures_are_written_to_files() {
    let directory = directory("show");
    let (game, picture) = (directory.join("a.sgf"), directory.join("board.svg"));
    fs::write(&game, GAME).unwrap();
    let made = run(&["show", str(&game), "-o", str(&picture), "--numbers", "--pixels", "300"]);
    assert_eq!((made.code, made.text(), made.stderr.as_str()), (Some(0), "", ""));
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(r#"width="300""#) && svg.contains(">3</text>"), "{svg}");
    let made = run(&["show", str(&game), "-o", str(&picture), "--every", "2", "--thumbnail"]);
    assert_eq!(made.code, Some(0));
    for number in [2, 4] {
        let svg = fs::read_to_string(directory.join(format!("board-{number}.svg"))).unwrap();
        assert!(!svg.contains("<text"), "{svg}");
    }
    let png = run(&["show", str(&game), "-o", str(&directory.join("board.png"))]);
    match cfg!(feature = "png") {
        true => assert!(fs::read(directory.join("board.png")).unwrap().starts_with(b"\x89PNG")),
        false => assert!(png.code == Some(2) && png.stderr.contains("the feature png"), "{}", png.stderr),
    }
    let missing = run(&["show", str(&game), "-o", str(&directory.join("none/board.svg"))]);
    assert_eq!(missing.code, Some(1));
}
