//! `sgf show`: boards as text and as pictures.

use std::fs;
use std::path::Path;

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
        (GAME, &["--move", "9"][..], "-: --move: there is no move 9: the line has 4 moves\n"),
        (GAME, &["--path", "3"], "-: --path: there is no variation 3: branch 1 has 2 variations"),
        (GAME, &["--game", "2"], "-: there is no game 2: the file has 1 game\n"),
        ("(;GM[6])", &[], "-: cannot draw Backgammon (GM[6]); only Go and Hex boards are supported"),
    ] {
        let run = run_with(sgf.as_bytes(), &[&["show", "-"], args].concat());
        assert_eq!((run.code, run.text()), (Some(1), ""), "{args:?}");
        assert!(run.stderr.starts_with(&format!("sgf: error: {message}")), "{}", run.stderr);
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
        false => assert!(png.code == Some(2) && png.stderr.contains("no PNG support"), "{}", png.stderr),
    }
    let missing = run(&["show", str(&game), "-o", str(&directory.join("none/board.svg"))]);
    assert_eq!(missing.code, Some(1));
}

/// The names of the files in a directory, sorted.
fn listed(directory: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const PROBLEM: &str = "(;SZ[19]PL[B]GN[Corner <1>]AB[pb][qc][rc]AW[qb][rb];B[sb];W[ra];B[qa](;W[pa])(;W[sa]))";

#[test]
#[cfg(unix)] // it makes a symbolic link
fn a_directory_gets_a_picture_of_each_game_and_a_page() {
    let top = directory("show_directory");
    let games = top.join("games");
    fs::create_dir_all(games.join("sub")).unwrap();
    fs::write(games.join("a.sgf"), GAME).unwrap();
    fs::write(games.join("sub/a.sgf"), "(;SZ[9];B[aa])").unwrap();
    fs::write(games.join("sub/Z & 1%.sgf"), format!("{PROBLEM}(;GM[6])(;SZ[5];B[aa])")).unwrap();
    fs::write(games.join("sub/no.sgf"), "no game").unwrap();
    let to = format!("{}/", str(&top.join("pictures/new")));
    let made = run(&["show", str(&games), "-o", &to]);
    let faults = format!(
        "sgf: error: {0}/sub/Z & 1%.sgf, game 2: cannot draw Backgammon (GM[6]); only Go and Hex boards are supported\n\
         sgf: 4 pictures of 4 games in {to}; 1 other without a picture\n\
         sgf: warning: {0}/sub/no.sgf: no SGF data\n",
        str(&games)
    );
    assert_eq!((made.code, made.text(), made.stderr.as_str()), (Some(1), "", &*faults));
    let to = top.join("pictures/new");
    let pictures = ["Z & 1%-0001.svg", "Z & 1%-0003.svg", "a-2.svg", "a.svg", "index.html"];
    assert_eq!(listed(&to), pictures);
    assert!(fs::read_to_string(to.join("a.svg")).unwrap().starts_with("<svg"));
    let page = fs::read_to_string(to.join("index.html")).unwrap();
    for text in [
        "<a href=\"Z%20%26%201%25-0001.svg\"><img src=\"Z%20%26%201%25-0001.svg\" alt=\"Corner &lt;1&gt;, Before the first of 4 moves: [+3B +2W]\"",
        "<strong>Ann – Bob, W+3</strong><small>Move 4 of 4: W pass</small><small>Go 9x9</small>",
        "<strong>Z &amp; 1%.sgf, game 3</strong><small>Move 1 of 1: B A5</small>",
        "/sub/Z &amp; 1%.sgf, game 3</small>",
        "<h1>games</h1>",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    // Again: its own files are replaced, and nothing else changes.
    fs::write(to.join("a.svg"), "old").unwrap();
    let again = run(&["show", str(&games), "-o", str(&to), "--exclude", "sub"]);
    assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""));
    assert_eq!(listed(&to), pictures);
    assert!(fs::read_to_string(to.join("a.svg")).unwrap().starts_with("<svg"));
    assert!(!fs::read_to_string(to.join("index.html")).unwrap().contains("Corner"));
    // An existing input with the name of a picture.
    fs::write(to.join("b.svg"), GAME).unwrap();
    let own = run(&["show", str(&to.join("b.svg")), "-o", str(&to)]);
    assert_eq!(own.code, Some(0), "{}", own.stderr);
    assert_eq!(fs::read_to_string(to.join("b.svg")).unwrap(), GAME, "a picture of b.svg is b.svg.svg");
    fs::rename(to.join("b.svg"), to.join("a.svg.sgf")).unwrap();
    fs::copy(to.join("a.svg.sgf"), to.join("c.svg")).unwrap();
    std::os::unix::fs::symlink("c.svg", to.join("c.sgf")).unwrap();
    let own = run(&["show", str(&to.join("c.sgf")), "-o", str(&to)]);
    assert_eq!(own.code, Some(2));
    assert!(own.stderr.contains("c.svg: this file is an input; write to another one"), "{}", own.stderr);
    assert_eq!(fs::read_to_string(to.join("c.svg")).unwrap(), GAME);
}

#[test]
fn pictures_replace_no_file_that_is_not_on_the_pages() {
    let top = directory("show_foreign");
    let (file, to) = (top.join("a b.sgf"), top.join("to"));
    fs::write(&file, GAME).unwrap();
    let show = |file: &Path| run(&["show", str(file), "-o", &format!("{}/", str(&to))]);
    assert_eq!(show(&file).code, Some(0));
    assert_eq!(show(&file).code, Some(0), "pictures of an earlier run are replaced");
    let (mine, other) = (to.join("mine.svg"), top.join("mine.sgf"));
    fs::write(&mine, "mine").unwrap();
    fs::write(&other, GAME).unwrap();
    let refused = show(&other);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("not a picture from an earlier run"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
}

#[test]
fn directories_with_other_things_are_refused() {
    let top = directory("show_refused");
    let file = top.join("a.sgf");
    fs::write(&file, GAME).unwrap();
    for name in [None, Some("index.html")] {
        if let Some(name) = name {
            fs::write(top.join(name), "<!DOCTYPE html><title>Mine</title>").unwrap();
        }
        let before = listed(&top);
        let refused = run(&["show", str(&file), "-o", str(&top)]);
        assert_eq!((refused.code, refused.text()), (Some(2), ""));
        assert!(
            refused.stderr.contains("the directory contains files that `sgf show` did not write"),
            "{}",
            refused.stderr
        );
        assert_eq!(listed(&top), before);
    }
    let (to, picture) = (format!("{}/to/", str(&top)), top.join("a.svg"));
    for args in [
        &["-o", &to, "--print"][..],
        &["-o", str(&picture), "--format", "svg"],
        &["--crop"],
        &["-o", &to, "--format", "gif"],
    ] {
        assert_eq!(run(&[&["show", str(&file)], args].concat()).code, Some(2), "{args:?}");
    }
    assert!(!top.join("to").exists());
    // Nothing to show: nothing is made.
    fs::write(&file, "no game").unwrap();
    assert_eq!(run(&["show", str(&file), "-o", &to]).code, Some(0));
    assert!(!top.join("to").exists());
}

#[test]
fn pages_have_so_many_pictures_and_are_linked() {
    let top = directory("show_pages");
    let to = format!("{}/to/", str(&top));
    let games = "(;SZ[2];B[aa])".repeat(1001);
    let made = run_with(games.as_bytes(), &["show", "-", "-o", &to, "--thumbnail"]);
    assert_eq!((made.code, made.stderr.as_str()), (Some(0), ""));
    let page = |name: &str| fs::read_to_string(top.join("to").join(name)).unwrap();
    for (name, pictures, links) in [
        ("index.html", 500, &["index-2.html"][..]),
        ("index-2.html", 500, &["index.html", "index-3.html"]),
        ("index-3.html", 1, &["index-2.html"]),
    ] {
        let page = page(name);
        assert_eq!(page.matches("<img ").count(), pictures, "{name}");
        let hrefs: Vec<_> = page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(links.iter().all(|link| hrefs.contains(link)), "{name}: {hrefs:?}");
    }
    assert_eq!(listed(&top.join("to")).len(), 1001 + 3);
    assert!(top.join("to/game-1001.svg").exists() && top.join("to/game-0001.svg").exists());
}

#[test]
fn problems_are_shown_before_their_first_move_and_cropped() {
    let top = directory("show_problems");
    let file = top.join("p.sgf");
    fs::write(&file, PROBLEM).unwrap();
    let text = |args: &[&str]| show(PROBLEM, &[args, &["--ascii", "--width", "120"]].concat());
    for (args, expected) in [
        (&[][..], "Before the first of 4 moves"),
        (&["--move", "first"], "Before the first of 4 moves"),
        (&["--move", "0"], "Before the first of 4 moves"),
        (&["--move", "last"], "Move 4 of 4: W Q19"),
        (&["--move", "1"], "Move 1 of 4: B T18"),
    ] {
        assert!(text(args).contains(expected), "{args:?}: {}", text(args));
    }
    assert!(show(GAME, &["--width", "80"]).contains("Move 4 of 4"), "no problem");
    assert_eq!(run(&["show", str(&file), "--move", "next"]).code, Some(2));
    let picture = |args: &[&str]| {
        let to = top.join("p.svg");
        assert_eq!(run(&[&["show", str(&file), "-o", str(&to)], args].concat()).code, Some(0), "{args:?}");
        let svg = fs::read_to_string(to).unwrap();
        let view = svg.split("viewBox=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        (view, svg.matches("r=\"11.52\"").count())
    };
    assert_eq!(picture(&[]), ("0 0 504 504".to_owned(), 5));
    // Columns P to T, rows 19 to 16, and the names around them.
    assert_eq!(picture(&["--crop"]), ("0 0 168 144".to_owned(), 5));
    assert_eq!(picture(&["--crop", "--no-coordinates"]).0, "0 0 132 108");
    let to = format!("{}/all/", str(&top));
    assert_eq!(run(&["show", str(&file), "-o", &to, "--every", "2", "--crop"]).code, Some(0));
    assert_eq!(listed(&top.join("all")), ["index.html", "p-002.svg", "p-004.svg"]);
}

#[test]
fn pictures_in_a_directory_can_be_png_and_of_one_game() {
    let top = directory("show_format");
    let file = top.join("a.sgf");
    fs::write(&file, format!("{GAME}{GAME}")).unwrap();
    let to = format!("{}/to/", str(&top));
    assert_eq!(run(&["show", str(&file), "-o", &to, "--game", "1"]).code, Some(0));
    assert_eq!(listed(&top.join("to")), ["a-0001.svg", "index.html"]);
    let png = run(&["show", str(&file), "-o", &to, "--format", "png"]);
    match cfg!(feature = "png") {
        true => {
            assert!(fs::read(top.join("to/a-0001.png")).unwrap().starts_with(b"\x89PNG"));
            assert!(fs::read_to_string(top.join("to/index.html")).unwrap().contains("src=\"a-0002.png\""));
        }
        false => assert!(png.code == Some(2) && png.stderr.contains("no PNG support"), "{}", png.stderr),
    }
}

#[test]
fn a_view_that_leaves_the_board_hides_nothing() {
    let text = show("(;GM[1]FF[4]SZ[19]VW[bb:tt];B[aa];W[pd];B[ad])", &["--ascii"]);
    for row in ["\n19 X . . ", "\n16(X). . ", "\n 1 . . . "] {
        assert!(text.contains(row), "{text}");
    }
}
