//! `sgf edit`. The last one goes through `../shared/corpus`, where it exists.

use std::fs;

use sgf_stream::tree::Collection;

use super::{directory, run, run_with, shared, str};

/// What a file becomes, what is said about it, and the exit code.
fn edit(input: &[u8], args: &[&str]) -> (String, String, Option<i32>) {
    let run = run_with(input, &[&["edit"], args, &["-"]].concat());
    (String::from_utf8(run.stdout).unwrap(), run.stderr, run.code)
}

#[test]
fn setting_a_property_leaves_one_value() {
    for value in ["a", "b", "x"] {
        let (output, ..) = edit(b"(;FF[4]GM[1]AP[a]AP[b];B[aa])", &["--set", &format!("AP={value}")]);
        assert_eq!(output, format!("(;FF[4]GM[1]AP[{value}];B[aa])"));
    }
}

const GAME: &str = "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n(; W[aa]\n  BL[30] TR[ca] XX[1] )\n(;W[bb];B[ ]\n))\n";

#[test]
fn what_changes_is_written_anew_and_all_else_keeps_its_bytes() {
    for (args, output) in [
        (
            &["--turn", "90"][..],
            "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ic] C[good: [ca\\]]\n(; W[ia]\n  BL[30] TR[ic] XX[1] )\n(;W[hb];B[ ]\n))\n",
        ),
        (
            &["--mirror"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ga] C[good: [ca\\]]\n(; W[ia]\n  BL[30] TR[ga] XX[1] )\n(;W[hb];B[ ]\n))\n",
        ),
        (
            &["--swap-colors"],
            "(;GM[1] FF[4]\n  SZ[9] PW[Aki] PB[Bo]\n\n; W [ca] C[good: [ca\\]]\n(; B[aa]\n  WL[30] TR[ca] XX[1] )\n(;B[bb];W[ ]\n))\n",
        ),
        (
            &["--main-line"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n; W[aa]\n  BL[30] TR[ca] XX[1] )\n",
        ),
        (&["--extract", "2"], "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n;W[bb];B[ ]\n)\n"),
        (
            &["--split-variations"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n; W[aa]\n  BL[30] TR[ca] XX[1] )\n(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n;W[bb];B[ ]\n)\n",
        ),
        (
            &["--strip", "comments,marks,time,private"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Aki] PW[Bo]\n\n; B [ca]\n(; W[aa] )\n(;W[bb];B[ ]\n))\n",
        ),
        (
            &["--drop", "TR,PB", "--drop", "SZ"],
            "(;GM[1] FF[4] PW[Bo]\n\n; B [ca] C[good: [ca\\]]\n(; W[aa]\n  BL[30] XX[1] )\n(;W[bb];B[ ]\n))\n",
        ),
        (
            &["--set", "EV=a [cup]", "--set", "GM=1", "--set", "PB=Chi"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Chi] PW[Bo]EV[a [cup\\]]\n\n; B [ca] C[good: [ca\\]]\n(; W[aa]\n  BL[30] TR[ca] XX[1] )\n(;W[bb];B[ ]\n))\n",
        ),
        (
            &["--replace", "C/\\[(\\w+)\\]/$1!/", "--replace", "PB|A|O|"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Oki] PW[Bo]\n\n; B [ca] C[good: ca!]\n(; W[aa]\n  BL[30] TR[ca] XX[1] )\n(;W[bb];B[ ]\n))\n",
        ),
        (
            &["--anonymise"],
            "(;GM[1] FF[4]\n  SZ[9] PB[Black] PW[White]\n\n; B [ca] C[good: [ca\\]]\n(; W[aa]\n  BL[30] TR[ca] XX[1] )\n(;W[bb];B[ ]\n))\n",
        ),
    ] {
        let (written, said, code) = edit(GAME.as_bytes(), args);
        assert_eq!(written, output, "{args:?}");
        assert_eq!((said.as_str(), code), ("", Some(0)), "{args:?}");
    }
}

/// Repeated properties, and identifiers with lower-case letters.
#[test]
fn repetitions_and_spelling_stay() {
    for (args, input, output) in [
        (
            &["--turn", "180"][..],
            "(;SZ[9]AB [aa]\n[ab]C[x] AddBlack[ba]\n)",
            "(;SZ[9]AB [ii]\n[ih]C[x] AddBlack[hi]\n)",
        ),
        (&["--swap-colors"], "(;AB[aa]C[x] AB[ba];Black[aa]CoMment[x])", "(;AW[aa]C[x] AW[ba];W[aa]CoMment[x])"),
        (&["--drop", "C"], "(;AB[aa]C[x] AB[ba] C[y]\nN[z])", "(;AB[aa] AB[ba]\nN[z])"),
        (&["--set", "N=q"], "(;AB[aa]N[x] AB[ba] N[y])", "(;AB[aa]N[q] AB[ba])"),
        (&["--set", "EV=q"], "(;AB[aa]N[x] AB[ba]\n)", "(;AB[aa]N[x] AB[ba]EV[q]\n)"),
    ] {
        assert_eq!(edit(input.as_bytes(), args), (output.to_owned(), String::new(), Some(0)), "{args:?}");
    }
}

#[test]
fn a_game_that_does_not_change_keeps_its_bytes() {
    let input = "mail\n( ;GM[1] C[x]\n;B[qd]) -- \n (;GM[1]\n;W [dc]TR[aa]\n) (;C[cut";
    let (written, said, code) = edit(input.as_bytes(), &["--strip", "marks"]);
    assert_eq!(written, input.replace("TR[aa]", ""));
    assert_eq!((said.as_str(), code), ("", Some(0)));
}

#[test]
fn what_cannot_be_edited_is_said() {
    for (input, args, output, said, code) in [
        // A syntax error in a game that would change.
        (
            "(;GM[1];B[aa]C[x]",
            &["--strip", "comments"][..],
            "(;GM[1];B[aa]C[x]",
            "-:1:1: error: syntax errors; repair them first, with `sgf check --fix`; the game keeps its form\n",
            1,
        ),
        (
            "(;GM[1];B[aa]C[x] junk)(;C[y])",
            &["--drop", "C"],
            "(;GM[1];B[aa]C[x] junk)(;)",
            "-:1:1: error: syntax errors; repair them first, with `sgf check --fix`; the game keeps its form\n",
            1,
        ),
        // A game that cannot be turned, and one that can.
        (
            "(;GM[11];B[a1])\n(;GM[1];B[aa])",
            &["--turn", "90"],
            "(;GM[11];B[a1])\n(;GM[1];B[sa])",
            "-:1:1: error: games of Hex cannot be turned or mirrored in this way; the game keeps its form\n",
            1,
        ),
        (
            "(;GM[1];B[aa](;W[bb])(;W[cc]))",
            &["--extract", "3"],
            "(;GM[1];B[aa](;W[bb])(;W[cc]))",
            "-:1:1: error: --extract: there is no variation 3: branch 1 has 2 variations; the game keeps its form\n",
            1,
        ),
        // A game of which one edit is made, and not the next one, between games of which both are.
        (
            "(;GM[1](;W[bb])(;W[cc]))\n(;GM[1];W[bb])\n(;GM[1](;W[bb])(;W[cc]))\n(;EV[x];W[dd])",
            &["--set", "EV=x", "--extract", "2"],
            "(;GM[1]EV[x];W[cc])\n(;GM[1];W[bb])\n(;GM[1]EV[x];W[cc])\n(;EV[x];W[dd])",
            "-:2:1: error: --extract: the path has 1 number, but the line has 0 branching nodes; the game keeps its form\n\
             -:4:1: error: --extract: the path has 1 number, but the line has 0 branching nodes; the game keeps its form\n",
            1,
        ),
        // Points off the board.
        (
            "(;SZ[9]AB[aa][zz];B[bb])",
            &["--turn", "180"],
            "(;SZ[9]AB[ii][zz];B[hh])",
            "-:1:1: warning: left 1 value unchanged that cannot be read or are off the board\n",
            0,
        ),
        // A result that would name the wrong winner.
        (
            "(;GM[1]RE[White resigns];B[aa])(;GM[1]RE[b+r.]KM[ 0.5];B[aa])",
            &["--swap-colors"],
            "(;GM[1]RE[White resigns];B[aa])(;GM[1]RE[w+r.]KM[ -0.5];W[aa])",
            "-:1:1: error: the result \"White resigns\" names the winner in words; write it as B+ or W+ first, or remove it; the game keeps its form\n",
            1,
        ),
        ("no game", &["--mirror"], "no game", "sgf: warning: -: no SGF data\n", 0),
    ] {
        let (written, told, exit) = edit(input.as_bytes(), args);
        assert_eq!((written.as_str(), exit), (output, Some(code)), "{told}");
        assert!(told.starts_with(said), "{told}");
    }
}

#[test]
fn texts_are_written_in_the_charset_of_the_game() {
    let gbk = b"(;GM[1]CA[GBK]PB[\xB9\xC5\xC1\xA6];B[aa])";
    let run = run_with(gbk, &["edit", "--set", "PW=\u{53E4}", "--replace", "PB/\u{529B}/\u{53E4}/", "-"]);
    assert_eq!(run.stdout, b"(;GM[1]CA[GBK]PB[\xB9\xC5\xB9\xC5]PW[\xB9\xC5];B[aa])");
    let run = run_with(gbk, &["edit", "--set", "PW=\u{D55C}", "-"]);
    assert_eq!((&run.stdout[..], run.code), (&gbk[..], Some(1)));
    assert!(run.stderr.contains("the text cannot be written in the charset of the game (GBK)"), "{}", run.stderr);
    // Brackets that are the second byte of a character.
    let run = run_with(b"(;GM[1]CA[Big5]C[\xA5\x5C\xA5\x5D];B[aa])", &["edit", "--turn", "180", "-"]);
    assert_eq!(run.stdout, b"(;GM[1]CA[Big5]C[\xA5\x5C\xA5\x5D];B[ss])");
}

#[test]
fn wrong_usage_is_told() {
    let (_, said, code) = edit(b"(;)", &[]);
    assert_eq!(
        (said.as_str(), code),
        ("sgf: error: no edit; use an option such as --strip, --turn or --set\n", Some(2))
    );
    for args in [
        &["--turn", "45"][..],
        &["--set", "GM"],
        &["--set", "gm=1"],
        &["--replace", "C/a/b"],
        &["--replace", "C/(/b/"],
        &["--drop", "c"],
        &["--strip", "all"],
        &["--main-line", "--extract", "1"],
        &["--merge", "--write"],
        &["--mirror", "--output", "x"],
    ] {
        assert_eq!(edit(b"(;)", args).2, Some(2), "{args:?}");
    }
    let folder = directory("edit-usage");
    fs::write(folder.join("a.sgf"), "(;)").unwrap();
    assert_eq!(run(&["edit", "--mirror", str(&folder)]).code, Some(2));
    assert_eq!(run(&["edit", "--mirror", "--write", "-"]).code, Some(2));
}

#[test]
fn many_files_are_edited_in_place_or_shown() {
    let folder = directory("edit-files");
    let file = |name: &str| folder.join(name);
    for number in 0..40 {
        fs::write(file(&format!("{number}.sgf")), format!("(;GM[1]\n;B[aa]\nC[{number}]\n)\n")).unwrap();
    }
    fs::write(file("same.sgf"), "(;GM[1];B[aa])").unwrap();
    let shown = run(&["edit", "--strip", "comments", "--dry-run", str(&folder)]);
    assert_eq!((shown.text().matches("\n-C[").count(), shown.code), (40, Some(0)), "{}", shown.text());
    assert!(fs::read_to_string(file("7.sgf")).unwrap().contains("C[7]"));
    let written = run(&["edit", "--strip", "comments", "--write", str(&folder)]);
    assert_eq!(written.stderr, "sgf: 40 files changed, 1 unchanged, 0 refused\n");
    assert_eq!(fs::read_to_string(file("7.sgf")).unwrap(), "(;GM[1]\n;B[aa]\n)\n");
    assert_eq!(fs::read_to_string(file("same.sgf")).unwrap(), "(;GM[1];B[aa])");
    let again = run(&["edit", "--strip", "comments", "--write", str(&folder)]);
    assert_eq!(again.stderr, "sgf: 0 files changed, 41 unchanged, 0 refused\n");
}

#[test]
fn games_are_merged_into_a_tree_of_each_kind() {
    let folder = directory("edit-merge");
    for (name, text) in [
        ("1.sgf", "(;GM[1]PB[a];B[qd];W[dc]C[\u{53E4}])"),
        ("2.sgf", "(;GM[1]PB[b];B[qd];W[cd])(;GM[1]SZ[9];B[ee])"),
        ("3.sgf", "(;GM[11];B[a1])"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let expected =
        "(;GM[1]CA[UTF-8];B[qd](;W[dc]C[\u{53E4}]PB[a])(;W[cd]PB[b]))\n(;GM[1]SZ[9];B[ee])\n(;GM[11];B[a1])\n";
    let merged = run(&["edit", "--merge", str(&folder)]);
    assert_eq!((merged.text(), merged.stderr.as_str(), merged.code), (expected, "", Some(0)));
    let file = folder.join("out.txt");
    let merged = run(&["edit", "--merge", "--turn", "180", "-o", str(&file), str(&folder)]);
    assert_eq!(merged.stderr.lines().last(), Some("sgf: 4 games merged into 3 trees"));
    assert!(fs::read_to_string(&file).unwrap().contains(";B[cp]"));
    assert_eq!(run(&["edit", "--merge", "/nonexistent.sgf"]).code, Some(2));
    let bad = run_with(b"(;CA[UTF-8]C[\xFF];B[aa])(;N[x];B[aa])(;N[y];B[aa])", &["edit", "--merge", "-"]);
    assert_eq!(bad.text(), "(;CA[UTF-8]C[\u{FFFD}]N[x];B[aa])\n");
    let said: Vec<_> = bad.stderr.lines().collect();
    assert_eq!(
        said,
        [
            "-:1:36: warning: N[y] is not merged; the node has N[x]",
            "sgf: warning: 1 value with bytes that are invalid in their charset; they became U+FFFD",
            "sgf: warning: 1 value not merged, because the same node of another game has another value",
        ]
    );
}

/// A handicap after the root, game info in several nodes, and several versions of FF.
#[test]
fn to_merge_the_output_again_changes_nothing() {
    let folder = directory("edit-merge-again");
    let games = "(;SZ[9]PB[a]LT[60];B[ee])\n(;SZ[9]FF[3]PB[b]HA[2];AB[cg][gc];W[ee]DT[2000])\n\
                 (;SZ[9]PB[b]HA[3];AB[cg][gc];W[ee];)\n(;SZ[9]PB[b];AB[cg][gc];W[ee]DT[2001];B[dd])\n\
                 (;SZ[9]PB[c];B[ee];C[x])\n(;GM[11];B[a1])\n";
    let [sources, once, copy] = ["sources.sgf", "once.sgf", "copy.sgf"].map(|name| folder.join(name));
    fs::write(&sources, games).unwrap();
    let merged = run(&["edit", "--merge", str(&sources)]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_eq!(
        merged.text(),
        "(;SZ[9]FF[3](;B[ee](;PB[a]LT[60])(;C[x]PB[c]))\
         (;AB[cg][gc]PB[b]HA[2];W[ee](;;DT[2000])(;B[dd]DT[2001])))\n(;GM[11];B[a1])\n"
    );
    [&once, &copy].iter().for_each(|file| fs::write(file, merged.text()).unwrap());
    for again in [&[&once][..], &[&once, &copy], &[&once, &sources], &[&once, &sources, &copy, &sources]] {
        let paths: Vec<&str> = ["edit", "--merge"].into_iter().chain(again.iter().map(|path| str(path))).collect();
        assert_eq!(run(&paths).text(), merged.text(), "{paths:?}");
    }
}

/// Law: turned and turned back, or with the colors exchanged twice, games are byte for byte as before.
#[test]
fn real_files_are_edited_and_back() {
    let mut files = 0;
    for path in shared::corpus().into_iter().step_by(40) {
        let bytes = fs::read(&path).unwrap();
        let edit = |bytes: &[u8], edit: &[&str]| {
            let run = run_with(bytes, &[&["edit"], edit, &["-"]].concat());
            (run.stdout, run.stderr)
        };
        for (there, back) in [
            (&["--turn", "90"][..], &["--turn", "270"][..]),
            (&["--turn", "180", "--mirror"], &["--turn", "180", "--mirror"]),
            (&["--swap-colors"], &["--swap-colors"]),
        ] {
            let (edited, said) = edit(&bytes, there);
            let (after, _) = edit(&edited, back);
            let is_same = after == bytes;
            // What cannot be read is told. `Black[aa]` becomes `W[aa]`, and `+6.5` becomes `-6.5`.
            let is_spelling = || {
                let read = |bytes: &[u8]| Collection::from_slice(bytes).map(|games| games.games).unwrap_or_default();
                there[0] == "--swap-colors" && read(&bytes) == read(&after) || bytes.windows(4).any(|at| at == b"KM[+")
            };
            assert!(is_same || !said.is_empty() || is_spelling(), "{}: {there:?}", path.display());
        }
        files += 1;
    }
    eprintln!("{files} files");
}

#[test]
fn a_point_keeps_the_notation_of_its_author() {
    for (args, input, output) in [
        (&["--turn", "90"][..], "(;GM[1];W[p1];B[ Q16 ]LB[dd: x])", "(;GM[1];W[a5];B[ Q4 ]LB[pd: x])"),
        (&["--mirror"], "(;GM[1]SZ[9]AB[A1:b2][aa];W[jj])", "(;GM[1]SZ[9]AB[H1:j2][ia];W[jj])"),
    ] {
        let (written, said, _) = edit(input.as_bytes(), args);
        assert_eq!((written.as_str(), said.is_empty()), (output, !input.contains("jj")), "{said}");
    }
}

/// As in a line that is split off.
#[test]
fn a_line_that_is_kept_has_its_game_info_in_the_root() {
    let input = "(;GM[1]\n;B[aa](;W[bb]PB[a] C[x])(;W[cc]PB[b]))";
    for (args, output) in [
        (&["--main-line"][..], "(;GM[1]PB[a]\n;B[aa];W[bb] C[x])"),
        (&["--extract", "2"], "(;GM[1]PB[b]\n;B[aa];W[cc])"),
        (&["--split-variations"], "(;GM[1]PB[a]\n;B[aa];W[bb] C[x])\n(;GM[1]PB[b]\n;B[aa];W[cc])"),
    ] {
        assert_eq!(edit(input.as_bytes(), args), (output.to_owned(), String::new(), Some(0)), "{args:?}");
    }
    // Without variations nothing changes.
    let input = "(;GM[1];B[aa]PB[a])";
    assert_eq!(edit(input.as_bytes(), &["--main-line"]).0, input);
}

/// All lines together are much longer than the game, so they are written in pieces.
#[test]
fn many_long_lines_are_split_off_between_games_that_stay() {
    let moves = ";B[aa] ;W[bb]".repeat(200);
    let variations: String = (0..450).map(|number| format!("(;B[cc]N[{number}];W[dd] )")).collect();
    let (before, after) = ("x (;GM[1]C[stays])\n", " y\n(;GM[1];W[ee](;B[aa])(;B[bb]))\n(;GM[1]C[stays])z");
    let line = |number| format!("(;GM[1]{moves};B[cc]N[{number}];W[dd] )");
    let lines: Vec<String> = (0..450).map(line).collect();
    let input = format!("{before}(;GM[1]{moves}{variations}){after}");
    let after = after.replace("(;GM[1];W[ee](;B[aa])(;B[bb]))", "(;GM[1];W[ee];B[aa])\n(;GM[1];W[ee];B[bb])");
    let expected = format!("{before}{}{after}", lines.join("\n"));
    assert!(expected.len() > (1 << 20) + 2 * input.len());
    let (written, said, code) = edit(input.as_bytes(), &["--split-variations"]);
    assert_eq!((written == expected, said.as_str(), code), (true, "", Some(0)), "{} bytes", written.len());
    let file = directory("many-lines").join("a.sgf");
    fs::write(&file, &input).unwrap();
    let diff = run(&["edit", "--split-variations", "--dry-run", str(&file)]);
    assert_eq!(diff.text().matches("\n+(;GM").count(), lines.len() + 2, "{}", diff.stderr);
    let replaced = run(&["edit", "--split-variations", "--write", str(&file)]);
    assert_eq!((replaced.code, fs::read_to_string(&file).unwrap() == expected), (Some(0), true), "{}", replaced.stderr);
}

/// White space keeps what is left of a variation from being read as a game.
#[test]
fn a_variation_that_would_look_like_a_game_stays_one() {
    for (input, args) in [
        ("(;GM[1](;C[x]PB[a]PW[b];B[aa])(;W[bb]))", &["--drop", "C"][..]),
        ("(;GM[1](;C[x]GM[1];B[aa])(;W[bb]))", &["--strip", "comments"]),
        ("(;GM[1](;;PB[a]PW[b];B[aa])(;W[bb]))", &["--drop-empty-nodes"]),
    ] {
        let (written, said, code) = edit(input.as_bytes(), args);
        assert_eq!((said.as_str(), code), ("", Some(0)), "{input}");
        let games = Collection::from_slice(written.as_bytes()).unwrap().games;
        assert_eq!((games.len(), games[0].leaves().count()), (1, 2), "{written}");
        assert!(!written.contains("C[x]") && written.contains(&" ".repeat(60)), "{written}");
    }
}

#[test]
fn values_passes_and_empty_nodes_are_dropped() {
    for (args, input, output) in [
        (&["--drop", "C~^bot"][..], "(;GM[1] C[bot: 1]\n;B[aa] C[good] )", "(;GM[1]\n;B[aa] C[good] )"),
        (&["--drop", "LB=aa:1,TR"], "(;LB [aa:1] [bb:2] TR[aa])", "(;LB [aa:1] [bb:2] TR[aa])"),
        (&["--drop", "LB~1$", "--drop", "TR"], "(;LB [aa:1] [bb:2] TR[aa])", "(;LB[bb:2])"),
        (&["--drop-final-passes"], "(;GM[1] ;B[aa] ;W[] ;B[tt]BL[1] )", "(;GM[1] ;B[aa])"),
        (
            &["--drop-empty-nodes"],
            "( ; GM[1] ; ; B[aa] (; W[bb]) (; ; W[cc]))",
            "( ; GM[1] ; B[aa] (; W[bb])( ; W[cc]))",
        ),
        (&["--drop", "C", "--drop-empty-nodes"], "(;GM[1];C[x];B[aa];C[y])", "(;GM[1];B[aa])"),
    ] {
        assert_eq!(edit(input.as_bytes(), args), (output.to_owned(), String::new(), Some(0)), "{args:?}");
    }
}

#[test]
fn only_one_game_of_each_file_changes() {
    let game = |text: &str| format!("(;GM[1];B[aa]C[{text}])\n");
    // Longer than a part of a file.
    let long = "x".repeat(300_000);
    let input = [game("1"), game(&long), game("3"), game("4")].concat();
    for (number, gone) in [("1", "C[1]"), ("3", "C[3]"), ("4", "C[4]")] {
        let (written, said, code) = edit(input.as_bytes(), &["--game", number, "--strip", "comments"]);
        assert_eq!((said.as_str(), code), ("", Some(0)));
        assert!(written == input.replace(gone, ""), "{number}: {}", &written[written.len() - 60..]);
    }
    assert_eq!(edit(input.as_bytes(), &["--game", "5", "--strip", "comments"]).0, input);
    let (merged, _, code) = edit(input.as_bytes(), &["--game", "4", "--merge"]);
    assert_eq!((merged.as_str(), code), ("(;GM[1];B[aa]C[4])\n", Some(0)));
}

#[test]
fn only_games_that_fulfill_all_conditions_change() {
    const GAMES: &[u8] =
        b"(;PB[Lee]DT[1999-05-01];B[aa]C[x])\n(;PB[Lee]DT[2001];B[aa]C[x])\n(;PB[Cho]DT[1999];B[aa]C[x])";
    let edit = |conditions: &[&str]| {
        let options = conditions.iter().flat_map(|condition| ["--where", condition]).collect::<Vec<_>>();
        let run = run_with(GAMES, &[&["edit", "--strip", "comments"], &options[..], &["-"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{conditions:?}");
        run.text().lines().map(|game| !game.contains("C[x]")).collect::<Vec<_>>()
    };
    assert_eq!(edit(&[]), [true, true, true]);
    assert_eq!(edit(&["black=Lee"]), [true, true, false]);
    assert_eq!(edit(&["date=1999"]), [true, false, true]);
    assert_eq!(edit(&["black=Lee", "date<2000"]), [true, false, false]);
    assert_eq!(edit(&["PB~^[LC]"]), [true, true, true]);
    assert_eq!(edit(&["black=Nobody"]), [false, false, false]);
    // As in SQL, a missing value fulfills no comparison.
    assert_eq!(edit(&["winner!=B"]), [false, false, false]);
    assert_eq!(edit(&["winner="]), [true, true, true]);
    let merged = run_with(GAMES, &["edit", "--merge", "--where", "black=Cho", "-"]);
    assert_eq!((merged.text().matches("PB[").count(), merged.code), (1, Some(0)), "{}", merged.text());
    // Names are replaced first, as in `find` and `records`.
    let names = directory("edit/where-names").join("names.csv");
    fs::write(&names, "name,person\nCho,Cho Chikun\n").unwrap();
    let args = ["edit", "--names", str(&names), "--strip", "comments", "--where", "black=Cho Chikun", "-"];
    assert_eq!(run_with(GAMES, &args).text().matches("C[x]").count(), 2);
    let args = ["edit", "--names", str(&names), "--strip", "comments", "--where", "PB=Cho", "-"];
    assert_eq!(run_with(GAMES, &args).text().matches("C[x]").count(), 3);
    let wrong = run(&["edit", "--strip", "comments", "--where", "winner = 'B' AND PB = 'A'", "-"]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("column 14: expected the end"), "{}", wrong.stderr);
    let wrong = run(&["edit", "--strip", "comments", "--where", "blakc=Lee", "-"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("unknown column 'blakc'; did you mean 'black'?"), "{}", wrong.stderr);
}

#[test]
fn players_get_the_names_of_a_file() {
    let top = directory("edit/names");
    let names = top.join("names.csv");
    fs::write(&names, "name,person\nLee Se-dol 9p,Lee Sedol\n").unwrap();
    let game = b"( ; PB[Lee Se-dol 9p] PW[Gu Li]; B[aa] (;W[bb])(;W[cc] PB [Lee Se-dol 9p]))";
    let edited = run_with(game, &["edit", "--names", str(&names), "-"]);
    let expected = "( ; PB[Lee Sedol] PW[Gu Li]; B[aa] (;W[bb])(;W[cc] PB [Lee Sedol]))";
    assert_eq!((edited.text().trim_end(), edited.code), (expected, Some(0)), "{}", edited.stderr);
    let missing = run(&["edit", "--names", "/nonexistent.csv", "-"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.starts_with("sgf: error: /nonexistent.csv: No such file"), "{}", missing.stderr);
}

/// What once panicked: the event of SGF2 met the judgment of a move.
#[test]
fn games_of_sgf2_are_merged() {
    let top = directory("edit/sgf2");
    let (one, other) = (top.join("a.sgf"), top.join("b.sgf"));
    fs::write(&one, "(;PB[a];B[dd])").unwrap();
    fs::write(&other, "(;TE[t];B[pd]TE[1])").unwrap();
    let merged = run(&["edit", "--merge", str(&one), str(&other)]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_eq!(merged.text().matches("TE[").count(), 2, "{}", merged.text());
    assert!(merged.text().contains("TE[t](;"), "{}", merged.text());
}
