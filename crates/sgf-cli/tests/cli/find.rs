//! `sgf find`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::pack::{gzip, tar};
use super::{Run, directory, run, run_with, str};

/// Three games with an approach move and its answer, and one without; the third one is turned, with exchanged colors.
const GAMES: &str = "(;SZ[9]PB[Ada]PW[Bo]DT[1990-05-01]RE[B+2];B[gc];W[gf];B[ec])\n\
                     (;SZ[9]PB[Cy]PW[Dee]DT[1991]RE[W+R];B[ee])\n\
                     (;SZ[9]PB[Ed]PW[\u{00c9}va]DT[2001-01-02]RE[W+0.5];B[aa];W[gc];B[gf];W[ab];B[ec])\n\
                     (;SZ[9]PB[Gus]PW[Hal]RE[0](;B[ee];W[gc])(;B[gc];W[ca](;B[gg])(;W[gf];B[hf])))\n";

/// The upper right corner of a 9x9 board.
const CORNER: &str = "(;SZ[9]AB[gc]AW[gf]VW[ea:ig])";

fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = directory(&format!("find/{name}")).join("games.sgf");
    fs::write(&path, bytes).unwrap();
    path
}

fn find(name: &str, args: &[&str]) -> Run {
    let path = file(name, GAMES);
    run(&[&["find"], args, &[str(&path)]].concat())
}

fn rows(run: &Run) -> Vec<Value> {
    run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lines_have_place_next_move_players_date_and_result() {
    let found = find("lines", &[CORNER]);
    let path = file("lines", GAMES);
    let path = str(&path);
    assert_eq!(
        found.text(),
        format!(
            "{path}:1  move 2  next B E7  Ada – Bo  1990-05-01  B+2\n\
             {path}:3  move 3  next B E7  Ed – \u{00c9}va  2001-01-02  W+0.5\n"
        )
    );
    assert_eq!((found.code, &*found.stderr), (Some(0), "sgf: 2 of 4 games match\n"));
    let one = file("alone", "(;SZ[9];B[gc];W[gf])");
    let found = run(&["find", CORNER, str(&one)]);
    assert_eq!(found.text(), format!("{}:1  move 2  no next move  ? – ?  -  -\n", str(&one)));
    // It ended with the last game, so nothing was stopped.
    let limited = run(&["find", CORNER, "--limit", "1", str(&one)]);
    assert_eq!((limited.lines().len(), &*limited.stderr), (1, "sgf: 1 of 1 game matches\n"));
    let columns = find("columns", &[CORNER, "--columns", "black, RE,komi", "--limit", "1"]);
    assert!(columns.text().ends_with(":1  move 2  next B E7  Ada  B+2  -\n"), "{}", columns.text());
    assert_eq!(columns.stderr, "sgf: stopped after 1 game\n");
}

#[test]
fn json_has_the_keys_of_the_help() {
    let found = find("json", &[CORNER, "--json", "--variations"]);
    let path = file("json", GAMES);
    let path = str(&path);
    let rows = rows(&found);
    assert_eq!(
        rows[0],
        json!({"file": path, "offset": 0, "game": 0, "ply": 2, "path": null, "symmetry": 0, "swapped": false,
            "next": {"color": "B", "point": "ec", "ply": 3, "elsewhere": 0, "played": {"color": "B", "point": "ec"}},
            "end_ply": 2, "node_offset": 47})
    );
    // The colors of the pattern are exchanged, and those of its next move too.
    let next = &rows[1]["next"];
    assert_eq!((&rows[1]["game"], &rows[1]["swapped"], &rows[1]["ply"]), (&json!(2), &json!(true), &json!(3)));
    assert_eq!((&next["color"], &next["played"]["color"], &next["elsewhere"]), (&json!("W"), &json!("B"), &json!(1)));
    assert_eq!((&rows[2]["path"], &rows[2]["game"], rows.len()), (&json!("2.2"), &json!(3), 3));
    let columns = find("json", &[CORNER, "--json", "--columns", "black,date,komi,game,winner", "--limit", "1"]);
    let row = columns.json();
    assert_eq!((&row["black"], &row["date"], &row["winner"]), (&json!("Ada"), &json!("1990-05-01"), &json!("B")));
    assert!(row["komi"].is_null() && row["game"] == 0);
}

#[test]
fn csv_has_a_header_and_the_same_columns() {
    let found = find("csv", &[CORNER, "--csv", "--columns", "white,date"]);
    let path = file("csv", GAMES);
    let (path, third) = (str(&path), GAMES.rfind("(;SZ[9]PB[Ed]").unwrap());
    assert_eq!(
        found.text(),
        format!(
            "file,game,offset,ply,path,symmetry,swapped,next_color,next_point,next_ply,elsewhere,end_ply,white,date\n\
             {path},0,0,2,,0,false,B,ec,3,0,2,Bo,1990-05-01\n\
             {path},2,{third},3,,0,true,W,ec,5,1,3,\u{00c9}va,2001-01-02\n"
        )
    );
}

#[test]
fn a_pattern_is_sgf_a_diagram_or_a_file() {
    let games = file("pattern", GAMES);
    let games = str(&games);
    let folder = directory("find/patterns");
    let (sgf, diagram) = (folder.join("a.sgf"), folder.join("a.txt"));
    let text = "-----+\n*****|\n*****|\n**X**|\n*****|\n*****|\n**O**|\n*****|";
    fs::write(&sgf, format!("\u{FEFF}{CORNER}")).unwrap();
    fs::write(&diagram, text).unwrap();
    for pattern in [CORNER, text, &text.replace('\n', "/"), str(&sgf), str(&diagram), &format!(" {CORNER}")] {
        let found = run(&["find", pattern, "--count", games]);
        assert_eq!((found.text(), found.code), ("2\n", Some(0)), "{pattern}");
    }
    assert_eq!(run_with(CORNER.as_bytes(), &["find", "-", "--count", games]).text(), "2\n");
    assert_eq!(run_with(GAMES.as_bytes(), &["find", CORNER, "--count", "-"]).text(), "2\n");
    for (args, message) in [
        (
            &["find", "foo", games][..],
            "PATTERN: 'foo' is not SGF, which begins with '(', no such file exists, and it is not a diagram: line 1, column 1 of the diagram: expected X",
        ),
        (&["find", "(;AB[aa]AW[aa])", games], "PATTERN: AB and AW of the pattern both name point aa"),
        (&["find", "(;SZ[9]AB[pd])", games], "PATTERN: point pd is not on the board of the pattern"),
        (&["find", "X./X", games], "PATTERN: row 2 of the diagram has 1 points, but row 1 has 2"),
        (&["find", "...", games], "PATTERN: the pattern has no stone and no move"),
        (&["find", "X.\nQ.", games], "PATTERN: line 2, column 1 of the diagram"),
        (&["find", "-", "-"], "standard input cannot be both the pattern and a PATH"),
        (&["find", "--jsn", CORNER, games], "unknown option '--jsn'; did you mean '--json'?"),
        (&["find", CORNER, "no-such.sgf"], "no-such.sgf: No such file"),
        (&["find", CORNER, "--where", "blakc=x", games], "unknown column 'blakc'; did you mean 'black'?"),
        (&["find", CORNER, "--columns", "blakc", games], "unknown column 'blakc'; did you mean 'black'?"),
        (&["find", CORNER, "--statistics", "--by", "blakc", games], "unknown column 'blakc'; did you mean 'black'?"),
    ] {
        let wrong = run(args);
        assert_eq!(wrong.code, Some(2), "{args:?}");
        assert!(wrong.stderr.contains(message), "{args:?}: {}", wrong.stderr);
    }
    fs::write(&sgf, "(;AB[aa:)").unwrap();
    let wrong = run(&["find", str(&sgf), games]);
    assert!(wrong.stderr.starts_with(&format!("sgf: error: PATTERN {}: ", str(&sgf))), "{}", wrong.stderr);
}

#[test]
fn options_say_where_and_how_to_look() {
    let games = "(;SZ[9];B[gc];W[gf])(;SZ[9];W[gc];B[gf])(;SZ[9];B[cc];W[cf])(;SZ[13];B[kc];W[kf])(;SZ[9];B[ee];W[eh])\
                 (;SZ[9];B[gc];W[gf];B[fd])(;SZ[9];B[gc];W[gf];B[cc];W[cf])";
    let path = file("options", games);
    for (args, expected) in [
        (&[][..], "7"),
        (&["--keep-colors"], "6"),
        (&["--no-symmetries"], "6"),
        (&["--fixed"], "5"),
        (&["--fixed", "--no-symmetries", "--keep-colors"], "3"),
        (&["--limit", "3"], "3"),
        (&["--where", "size_x=13"], "1"),
        (&["--where", "size_x=9", "--where", "move_count>2"], "2"),
    ] {
        let found = run(&[&["find", "(;SZ[9]AB[gc]AW[gf]VW[ga:if])", "--count", str(&path)], args].concat());
        let expected = match args {
            // The fifth game has it in the middle, which touches no side.
            [] => "6",
            ["--keep-colors"] | ["--no-symmetries"] => "5",
            _ => expected,
        };
        assert_eq!(found.text().trim(), expected, "{args:?}");
    }
    let count = |args: &[&str]| run(&[&["find"], args, &["--count", str(&path)]].concat()).text().trim().to_owned();
    // One that touches a side: in the middle only if it may be anywhere.
    assert_eq!((count(&["X|/.|/.|/O|"]), count(&["X|/.|/.|/O|", "--anywhere"])), ("0".to_owned(), "7".to_owned()));
    // Points that are not named may be anything, unless the rest is empty.
    let pattern = "(;SZ[9]AB[gc]AW[gf]VW[ec:if])";
    let places = |args: &[&str]| run(&[&["find", pattern, "--json", str(&path)], args].concat()).lines().len();
    assert_eq!((places(&[]), places(&["--empty-rest"])), (6, 6));
    assert_eq!((places(&["--every-place"]), places(&["--every-place", "--no-symmetries"])), (7, 5));
    let later = "(;SZ[9]AB[gc][fd]AW[gf]VW[fc:gf])";
    assert_eq!((count(&[later]), count(&[later, "--empty-rest"])), ("1".to_owned(), "1".to_owned()));
    let none = run(&["find", "XXX/OOO", str(&path)]);
    assert_eq!((none.code, none.text(), &*none.stderr), (Some(1), "", "sgf: 0 of 7 games match\n"));
}

#[test]
fn games_come_back_byte_for_byte() {
    let folder = directory("find/write");
    let (games, out) = (folder.join("games.sgf"), folder.join("out.sgf"));
    let first = "(;SZ[9]C[a \\] b]\r\n;B[gc]\t;W[gf])";
    let second = "(;SZ[9]GC[x]  ;B[gc];W[gf] (;B[aa])(;B[bb]) )";
    fs::write(&games, format!("junk\n{first}\n\n(;SZ[9];B[ee])  {second}  (;SZ[9]")).unwrap();
    let written = run(&["find", CORNER, "-o", str(&out), str(&games)]);
    assert_eq!((written.code, written.text()), (Some(0), ""));
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{first}\n{second}\n"));
    let written = run(&["find", CORNER, "--write", "-", "--limit", "1", str(&games)]);
    assert_eq!(written.text(), format!("{first}\n"));
    // Lines come too, if they are asked for.
    let both = run(&["find", CORNER, "--write", str(&out), "--json", "--where", "GC=x", str(&games)]);
    assert_eq!((both.lines().len(), fs::read_to_string(&out).unwrap()), (1, format!("{second}\n")));
    // An input is never overwritten, and UTF-16 has no bytes that could be kept.
    let refused = run(&["find", CORNER, "-o", str(&games), str(&games)]);
    assert!(refused.code == Some(2) && refused.stderr.contains("this file is an input"), "{}", refused.stderr);
    let wide: Vec<u8> = format!("\u{FEFF}{first}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&games, wide).unwrap();
    let refused = run(&["find", CORNER, "-o", str(&out), str(&games)]);
    assert!(refused.code == Some(2) && refused.stderr.contains("convert to UTF-8 first"), "{}", refused.stderr);
    assert_eq!(run(&["find", CORNER, "--count", str(&games)]).text(), "1\n");
}

#[test]
fn statistics_say_what_was_played_next_and_who_won() {
    let found = find("statistics", &[CORNER, "--statistics", "--board", "--by", "decade", "--variations"]);
    assert_eq!(
        found.text(),
        "   E F G H J\n   ---------+\n 9 * * * * *|\n 8 * * * * *|\n 7 A * X * *|\n 6 * * * * *|\n 5 * * * * *|\n 4 * * O B *|\n 3 * * * * *|\n\n\
         \u{20}  next      games    share  Black wins  White wins  elsewhere first      years\n\
         A  Black E7      1   33.3 %     100.0 %       0.0 %                0       1990\n\
         B  Black H4      1   33.3 %           -           -                0          -\n\
         A  White E7      1   33.3 %     100.0 %       0.0 %                1       2001\n\
         \u{20}  all           3  100.0 %     100.0 %       0.0 %                   1990–2001\n\n\
         group    games  Black wins  White wins      B A      B B      W A\n\
         1990s        1     100.0 %       0.0 %  100.0 %    0.0 %    0.0 %\n\
         2000s        1     100.0 %       0.0 %    0.0 %    0.0 %  100.0 %\n\
         unknown      1           -           -    0.0 %  100.0 %    0.0 %\n"
    );
}

#[test]
fn the_rank_is_that_of_the_weaker_player() {
    let games =
        "(;SZ[9]BR[3d]WR[2k];B[gc];W[gf];B[ec])(;SZ[9]BR[9p]WR[5d];B[gc];W[gf];B[ec])(;SZ[9];B[gc];W[gf];B[hf])";
    let path = file("rank", games);
    let json = run(&["find", CORNER, "--statistics", "--json", "--by", "rank", str(&path)]).json();
    let groups: Vec<_> =
        json["groups"].as_array().unwrap().iter().map(|group| group["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["2 kyu", "5 dan", "unknown"]);
    assert_eq!((&json["games"], &json["found"], &json["hits"]["games"]), (&json!(3), &json!(3), &json!(3)));
    let first = &json["continuations"][0];
    assert_eq!((&first["next"], &first["letter"]), (&json!({"color": "B", "point": "ec"}), &json!("A")));
    assert_eq!(first["groups"].as_array().unwrap().len(), 2);
    // Other columns are groups too, and a drawing is a file.
    let svg = directory("find/svg").join("a.svg");
    let args = ["find", CORNER, "--statistics", "--top", "1", "--by", "BR", "--svg", str(&svg), str(&path)];
    let found = run(&args);
    assert!(found.text().contains("1 more") && found.text().contains("\n3d "), "{}", found.text());
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(">A</text>") && !svg.contains(">B</text>"), "{svg}");
}

#[test]
fn charsets_archives_and_other_games_are_read() {
    // Shift_JIS: 本因坊.
    let japanese = b"(;SZ[9]CA[Shift_JIS]PB[\x96\x7b\x88\xf6\x96\x56];B[gc];W[gf])";
    let path = file("charset", japanese);
    let row = run(&["find", CORNER, "--json", "--columns", "black", str(&path)]).json();
    assert_eq!(row["black"], "本因坊");
    let undeclared = file("default-charset", b"(;SZ[9]PB[\xcb\xd9];B[gc];W[gf])");
    let row = run(&["find", CORNER, "--json", "--columns", "black", "--charset", "GBK", str(&undeclared)]).json();
    assert_eq!(row["black"], "速");
    let folder = directory("find/archive");
    fs::write(
        folder.join("a.tar.gz"),
        gzip(&tar(&[("x/1.sgf", GAMES.as_bytes()), ("x/2.sgf", b"(;SZ[9];B[gc];W[gf])")])),
    )
    .unwrap();
    let found = rows(&run(&["find", CORNER, "--json", str(&folder)]));
    let files: Vec<_> = found.iter().map(|row| row["file"].as_str().unwrap().rsplit('!').next().unwrap()).collect();
    assert_eq!(files, ["/x/1.sgf", "/x/1.sgf", "/x/2.sgf"]);
    let others = "(;GM[11]SZ[9];B[g3];W[g6])(;SZ[60];B[gc])(;SZ[5];B[ba])(;SZ[9];B[gc];W[gc];B[zz];W[aa];W[gf])(;SZ[9];B[gc];W[gf])";
    let path = file("others", others);
    let found = run(&["find", CORNER, "--count", str(&path)]);
    assert_eq!(
        found.stderr,
        "sgf: 1 of 5 games matches; 2 not Go, or larger than 52x52; 1 on a board too small for the pattern, or of \
         another size; 1 with moves on stones or off the board\n"
    );
    let hex = run(&["find", CORNER, "--count", "--game-type", "Hex", str(&path)]);
    assert_eq!((hex.text(), hex.code), ("0\n", Some(1)));
}

#[test]
fn numbers_count_over_parts_and_on_any_number_of_threads() {
    let filler = format!("(;SZ[9]C[{}];B[ee])", "x".repeat(3_000));
    let mut text = String::new();
    for n in 0..700 {
        text += if n % 100 == 7 { "(;SZ[9];B[gc];W[gf];B[ec])" } else { &filler };
    }
    let path = file("parts", &text);
    let all: Vec<String> = ["1", "3"]
        .iter()
        .map(|threads| run(&["find", CORNER, "--json", "--threads", threads, str(&path)]).text().to_owned())
        .collect();
    assert_eq!(all[0], all[1]);
    let numbers: Vec<u64> =
        all[0].lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [7, 107, 207, 307, 407, 507, 607]);
    let lines = run(&["find", CORNER, str(&path)]);
    assert!(lines.lines()[6].contains(":608  move 2"), "{}", lines.text());
    let three = run(&["find", CORNER, "--csv", "--limit", "3", str(&path)]);
    assert_eq!((three.lines().len(), three.lines()[3].contains(",207,")), (4, true), "{}", three.text());
}

#[test]
fn a_game_too_long_for_memory_is_read_again_from_a_file() {
    let comment = format!("C[{}]", "x".repeat(1 << 20));
    let long = format!("(;SZ[9]PB[Ada]{comment};B[gc];W[gf](;B[ec])(;B[hf];{comment}W[ff]))");
    let path = file("long", format!("(;SZ[9];B[ee])\n{long}\n(;SZ[9]PB[Bo];B[gc];W[gf])"));
    let pattern = "(;SZ[9]AB[gc][hf]AW[gf][ff]VW[ea:ig])";
    let found = rows(&run(&["find", pattern, "--json", "--variations", "--columns", "black", str(&path)]));
    assert_eq!((&found[0]["path"], &found[0]["game"], &found[0]["black"]), (&json!("2"), &json!(1), &json!("Ada")));
    assert_eq!((&found[0]["offset"], found.len()), (&json!(15), 1));
    let found = rows(&run(&["find", CORNER, "--json", str(&path)]));
    assert_eq!((&found[0]["game"], &found[1]["game"], found.len()), (&json!(1), &json!(2), 2));
    let written = run(&["find", CORNER, "-o", "-", "--where", "black~^A", str(&path)]);
    assert_eq!(written.text(), format!("{long}\n"));
}

#[test]
fn paths_are_those_of_show() {
    let game =
        "(;SZ[9];B[ee](;W[aa];B[bb](;W[cc];B[dd])(;W[ff];B[gg]))(;W[ab];B[ac])(;W[ad];B[ae](;W[af])(;W[ag];B[ah])))";
    let path = file("paths", game);
    let mut checked = 0;
    for point in ["aa", "bb", "cc", "ff", "gg", "ab", "ac", "ad", "af", "ag", "ah"] {
        let color = if run(&[
            "find",
            &format!("(;SZ[9]AB[{point}])"),
            "--variations",
            "--keep-colors",
            "--fixed",
            "--no-symmetries",
            "--count",
            str(&path),
        ])
        .text()
            == "1\n"
        {
            "B"
        } else {
            "W"
        };
        let pattern = format!("(;SZ[9]A{color}[{point}])");
        let row = run(&[
            "find",
            &pattern,
            "--variations",
            "--keep-colors",
            "--fixed",
            "--no-symmetries",
            "--json",
            str(&path),
        ])
        .json();
        let mut args = vec!["show", "--print", "--ascii", str(&path), "--move"];
        let ply = row["ply"].to_string();
        args.push(&ply);
        let taken = row["path"].as_str().map(str::to_owned);
        if let Some(taken) = &taken {
            args.extend(["--path", taken]);
        }
        let shown = run(&args);
        // The last move is in parentheses.
        let name = |point: &str| (point.as_bytes()[0] - b'a', point.as_bytes()[1] - b'a');
        let (x, y) = name(point);
        let line = shown.lines().into_iter().find(|line| line.contains('(')).unwrap();
        let at = line.find('(').unwrap();
        assert!(
            line.trim_start().starts_with(&(9 - y).to_string()) && (at - 2) / 2 == usize::from(x),
            "{point}: {shown}",
            shown = shown.text()
        );
        checked += 1;
    }
    assert_eq!(checked, 11);
}

#[test]
fn a_file_that_is_no_sgf_does_not_stop_the_search() {
    let folder = directory("find/no-sgf");
    fs::write(folder.join("a.sgf"), "no game").unwrap();
    fs::write(folder.join("b.sgf"), "(;SZ[9];B[gc];W[gf])").unwrap();
    let found = run(&["find", CORNER, str(&folder)]);
    assert_eq!((found.lines().len(), found.code), (1, Some(0)));
    assert!(found.stderr.contains("a.sgf: no SGF data"), "{}", found.stderr);
}
