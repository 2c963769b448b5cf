//! Memory for one game that is longer than any command keeps: each command with each shape of a game; games that are left
//! out; and short files that could take many times their length.
//!
//! The system ends a command that takes more than its bound, so nothing has to be measured while it runs. A command that kept
//! the game would need at least the room for its bytes, and for a copy of them where they grow.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{command, directory, run, run_with, str};

const MIB: usize = 1 << 20;

/// Length of a game in bytes.
const LEN: usize = 48 * MIB;

/// The bound of a command: half of the game, and what threads, their stacks and buffers take.
const BOUND: usize = 64;

/// The bound of a command that has parts of 16 MiB in memory, 8 MiB of a node, a tree of 32 MiB, or the ends of a million
/// variations at the end of a game.
const BOUND_OF_PARTS: usize = 112;

/// The bound of the checker for a million open variations, each of which takes some hundred bytes.
const BOUND_OF_DEPTH: usize = 208;

/// Why a game is left out.
const LEFT_OUT: &str = "its tree would exceed 32 MiB";

/// The commands, and their bounds in MiB. `FILE` is the game, and `COPY` another file with it.
const COMMANDS: &[(&[&str], usize)] = &[
    (&["scan", "FILE"], BOUND),
    (&["check", "FILE"], BOUND_OF_PARTS),
    (&["check", "--json", "--max", "10", "-"], BOUND_OF_PARTS),
    (&["check", "--fix", "COPY"], BOUND_OF_PARTS),
    (&["fmt", "-"], BOUND),
    (&["fmt", "--exact", "--lossy", "-"], BOUND),
    (&["fmt", "--write", "COPY"], BOUND),
    (&["edit", "--mirror", "--write", "COPY"], BOUND),
    (&["events", "FILE"], BOUND_OF_PARTS),
    (&["records", "FILE"], BOUND),
    (&["records", "--table", "games", "FILE"], BOUND),
    (&["check", "--summary", "FILE"], BOUND_OF_PARTS),
    (&["report", "--json", "-", "FILE"], BOUND),
    (&["split", "--parts", "4", "FILE"], BOUND),
    (&["split", "--games", "--to", "DIR", "FILE"], BOUND),
    (&["show", "--tree", "FILE"], BOUND_OF_PARTS),
    (&["show", "--print", "FILE"], BOUND_OF_PARTS),
    (&["dups", "FILE", "COPY"], BOUND_OF_PARTS),
    (&["dups", "-"], BOUND_OF_PARTS),
    (&["diff", "FILE", "COPY"], BOUND),
    (&["names", "FILE"], BOUND),
    (&["find", "X.O", "FILE"], BOUND_OF_PARTS),
    (&["find", "X.O", "--count", "-"], BOUND_OF_PARTS),
    (
        &["find", "(;AB[ab]AW[cd])", "--variations", "--json", "--where", "size_x=19", "-o", "OUT", "FILE"],
        BOUND_OF_PARTS,
    ),
    (&["openings", "FILE"], BOUND_OF_PARTS),
];

/// Writes a game of a shape: a start, a part again and again, and an end.
fn write(path: &Path, start: &str, part: &str, end: &str) {
    let block = part.repeat(MIB / part.len());
    let mut file = fs::File::create(path).unwrap();
    file.write_all(start.as_bytes()).unwrap();
    (0..LEN / block.len()).for_each(|_| file.write_all(block.as_bytes()).unwrap());
    file.write_all(end.as_bytes()).unwrap();
}

/// Runs a command that may take so many MiB.
fn within(bound: usize, args: &[&str], stdin: Stdio) -> Output {
    let program = command(args);
    let limited = format!("ulimit -d {}; exec \"$0\" \"$@\"", bound << 10);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &limited]).arg(program.get_program()).args(program.get_args());
    // Each thread may have a heap of its own, and each is reserved whole.
    shell.env("MALLOC_ARENA_MAX", "1").stdin(stdin).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap()
}

#[track_caller]
fn every_command_is_bounded(name: &str, [start, part, end]: [&str; 3]) {
    let dir = directory(&format!("memory/{name}"));
    let (file, copy, games, out) = (dir.join("game.sgf"), dir.join("copy.sgf"), dir.join("games"), dir.join("out.sgf"));
    write(&file, start, part, end);
    let mut wrong = Vec::new();
    for (args, bound) in COMMANDS {
        let bound = if name == "nested" && args[0] == "check" { BOUND_OF_DEPTH } else { *bound };
        if args.contains(&"COPY") {
            fs::copy(&file, &copy).unwrap();
        }
        let args: Vec<&str> = args
            .iter()
            .map(|arg| match *arg {
                "FILE" => str(&file),
                "COPY" => str(&copy),
                "DIR" => str(&games),
                "OUT" => str(&out),
                arg => arg,
            })
            .collect();
        let output = within(bound, &args, fs::File::open(&file).unwrap().into());
        let said = String::from_utf8_lossy(&output.stderr);
        let is_left_out = said.contains(LEFT_OUT);
        if !matches!((output.status.code(), is_left_out), (Some(0 | 1), _) | (Some(2), true)) {
            wrong.push(format!("{args:?}, {bound} MiB: {} {said:.200}", output.status));
        }
    }
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    fs::remove_dir_all(&dir).unwrap();
}

const START: &str = "(;FF[4]GM[1]SZ[19]";

macro_rules! shapes {
    ($($test:ident: $shape:expr,)+) => {$(
        #[test]
        #[ignore = "takes minutes; .ci/run runs it"]
        fn $test() {
            every_command_is_bounded(stringify!($test), $shape);
        }
    )+};
}

shapes! {
    properties: [START, "XY[some text]ZZ[ab]KK[cd]", ")"],
    values: ["(;FF[4]GM[1]SZ[19]XY", "[some text]", ")"],
    nodes: [START, ";C[a comment]", ")"],
    moves: [START, ";B[ab];W[cd];B[ef];W[gh];B[ij];W[kl]", ")"],
    nested: [START, "(;B[ab]", ""],
    siblings: [START, "(;B[ab];W[cd])", ")"],
}

#[test]
fn a_game_whose_tree_is_too_large_is_left_out() {
    let moves: String = ('a'..='s').flat_map(|x| [format!(";B[{x}a]"), format!(";W[{x}c]")]).collect();
    let large = format!("(;FF[4]SZ[19]{moves}{})", ";".repeat(3 << 19));
    let small = format!("(;FF[4]SZ[19]{moves})");
    let dir = directory("too-large");
    let (file, copy) = (dir.join("large.sgf"), dir.join("small.sgf"));
    fs::write(&file, format!("{large}{small}")).unwrap();
    fs::write(&copy, &small).unwrap();
    // The other game is shown, if it is wanted.
    for (args, code, is_shown) in [
        (&["show", "--tree"][..], 1, true),
        (&["show", "--tree", "--game", "1"], 1, false),
        (&["show", "--tree", "--game", "2"], 0, true),
        (&["show", "--print"], 1, false),
        (&["show", "--print", "--game", "2"], 0, true),
    ] {
        let shown = run(&[args, &[str(&file)]].concat());
        let is_left_out = shown.stderr.contains(&format!("game 1 is skipped: {LEFT_OUT}"));
        assert_eq!((shown.code, is_left_out), (Some(code), code == 1), "{args:?}: {}", shown.stderr);
        assert_eq!((!shown.text().is_empty(), shown.stderr.lines().count()), (is_shown, code as usize), "{args:?}");
    }
    let edited = run_with(format!("{small}{large}{small}").as_bytes(), &["edit", "--set", "EV=x", "-"]);
    let small_edited = small.replacen("SZ[19]", "SZ[19]EV[x]", 1);
    assert!(edited.stderr.contains(&format!(": error: {LEFT_OUT}; the game keeps its form")), "{}", edited.stderr);
    assert!(edited.text() == format!("{small_edited}{large}{small_edited}"), "{:.100}", edited.text());
    // Without its tree, only a hash says that it is a copy: it stays, and it is in no group.
    let dups = run(&["dups", str(&file), str(&copy)]);
    assert!(dups.stderr.contains(&format!(": kept, and not compared with its copies: {LEFT_OUT}")), "{}", dups.stderr);
    assert_eq!((dups.text().matches("large.sgf").count(), dups.code), (1, Some(0)), "{}", dups.text());
    assert!(dups.text().ends_with("3 games, 1 group, 1 copy redundant\n"), "{}", dups.text());
    let removable = run(&["dups", "--lossy", "--print0", str(&file), str(&copy)]);
    assert_eq!(removable.text(), format!("{}\0", str(&copy)));
    let dups = run_with(format!("{large}{small}{small}").as_bytes(), &["dups", "--json", "-"]);
    assert!(dups.stderr.contains(&format!("the game at byte 0 is skipped: {LEFT_OUT}")), "{}", dups.stderr);
    assert_eq!((&dups.json()["games"], &dups.json()["copies"], dups.code), (&3.into(), &1.into(), Some(2)));
}

/// Each game has some 3,000 shorter ones that it could be a copy of.
#[test]
fn games_with_one_opening_share_the_list_of_their_lines() {
    let file = directory("one-opening").join("games.sgf");
    let game = |number: usize| {
        let moves: Vec<_> =
            (0..15 + number % 200).map(|at| format!(";B[{}];W[{}]", point(at), point(360 - at))).collect();
        let (opening, rest) = moves.split_at(15);
        format!("(;SZ[19]{};B[{}];W[]{})\n", opening.concat(), point(150 + number / 200), rest.concat())
    };
    fs::write(&file, (0..6000).map(game).collect::<String>()).unwrap();
    let dups = within(BOUND_OF_PARTS, &["dups", str(&file)], Stdio::null());
    assert_eq!((dups.status.code(), String::from_utf8_lossy(&dups.stderr).as_ref()), (Some(0), ""));
    let dups = run(&["dups", str(&file)]);
    assert_eq!(dups.text().lines().last(), Some("6,000 games, 30 groups, 5,970 copies redundant"));
}

/// A file of a length, in bytes.
type Pattern = (&'static str, fn(usize) -> String);

/// Repeats a text up to a length.
fn repeated(start: &str, part: &str, end: &str, len: usize) -> String {
    format!("{start}{}{end}", part.repeat(len / part.len()))
}

/// Joins numbered texts up to a length.
fn numbered(start: &str, part: impl Fn(usize) -> String, end: &str, len: usize) -> String {
    let mut text = start.to_owned();
    for number in 0.. {
        if text.len() >= len {
            break;
        }
        text += &part(number);
    }
    text + end
}

/// A point of 19x19.
fn point(number: usize) -> String {
    let letter = |number: usize| char::from(b'a' + (number % 19) as u8);
    format!("{}{}", letter(number), letter(number / 19))
}

/// An identifier that no other number has.
fn ident(number: usize) -> String {
    let letter = |place: u32| char::from(b'A' + (number / 26_usize.pow(place) % 26) as u8);
    format!("X{}", (0..5).map(letter).collect::<String>())
}

/// What one could send to make a command take much memory.
const PATTERNS: &[Pattern] = &[
    // Games that are short, unfinished or wrong.
    ("empty", |len| repeated("", "(;)", "", len)),
    ("empty lines", |len| repeated("", "(;)\n", "", len)),
    ("size only", |len| repeated("", "(;SZ[9])", "", len)),
    ("one move", |len| repeated("", "(;B[aa])", "", len)),
    ("unfinished", |len| repeated("", "(;SZ[19];B[aa]", "", len)),
    ("broken", |len| repeated("", "(;SZ[19];B[zz];W[aaa]AB;]", "", len)),
    ("unread setup", |len| repeated("", "(;AB[zz])", "", len)),
    ("other games", |len| repeated("", "(;GM[11]SZ[9];B[a1])", "", len)),
    ("many sizes", |len| numbered("", |n| format!("(;SZ[{}];B[aa])", n % 52 + 1), "", len)),
    ("many charsets", |len| numbered("", |n| format!("(;CA[{}]C[\u{e9}])", ["Big5", "UTF-8", "GBK"][n % 3]), "", len)),
    ("variations in each", |len| repeated("", "(;(;B[aa])(;B[bb]))", "", len)),
    ("nested in each", |len| repeated("", "(;(;B[aa](;W[bb](;B[cc]))))", "", len)),
    // Games that differ, and that do not.
    ("same", |len| repeated("", "(;SZ[19]PB[a];B[dd];W[pp];B[dp])", "", len)),
    ("lines", |len| numbered("", |n| format!("(;SZ[19];B[{}];W[{}])", point(n), point(n / 361)), "", len)),
    ("setups", |len| numbered("", |n| format!("(;SZ[19]AB[{}]AW[{}];B[aa])", point(n), point(n / 361)), "", len)),
    ("players", |len| numbered("", |n| format!("(;PB[p{n}]PW[q{}];B[{}])", n + 7, point(n)), "", len)),
    ("similar players", |len| numbered("", |n| format!("(;PB[Ann {n}]PW[ann-{n}])"), "", len)),
    ("events", |len| numbered("", |n| format!("(;EV[e{n}]DT[{}]RE[B+{n}];B[aa])", n % 3000), "", len)),
    ("values that differ", |len| numbered("", |n| format!("(;GM[1]C[{n}]XY[{n}];B[aa]N[{n}])"), "", len)),
    ("identifiers of games", |len| numbered("", |n| format!("(;SZ[19]{}[x])", ident(n)), "", len)),
    // Roots and nodes.
    ("root stones", |len| repeated("(;SZ[19]AB", "[aa]", ";B[dd])", len)),
    ("root properties", |len| repeated("(;SZ[19]", "AB[aa]", ";B[dd])", len)),
    ("root text", |len| repeated("(;SZ[19]C[", "some text \\] ", "];B[aa])", len)),
    ("root escapes", |len| repeated("(;SZ[19]GN[", "\\\\", "];B[aa])", len)),
    ("root line ends", |len| repeated("(;SZ[19]GC[", "\r\n", "];B[aa])", len)),
    ("root values", |len| numbered("(;SZ[19]XY", |n| format!("[{n}]"), ")", len)),
    ("root empty values", |len| repeated("(;SZ[19]XY", "[]", ")", len)),
    ("root rectangles", |len| repeated("(;SZ[52]", "AB[aa:ZZ]AE[aa:ZZ]", ";B[aa])", len)),
    ("identifiers", |len| numbered("(;SZ[19]", |n| ident(n) + "[x]", ")", len)),
    ("long identifier", |len| repeated("(;SZ[19]", "X", "[x])", len)),
    ("lower case", |len| repeated("(;SiZe[19]", "Black[aa]", ")", len)),
    ("node stones", |len| repeated("(;SZ[19];B[aa]", "AB[ab]", ")", len)),
    ("node moves", |len| numbered("(;SZ[19];B[aa]", |n| format!("W[{}]", point(n)), ")", len)),
    ("rectangles", |len| repeated("(;SZ[52];", "AB[aa:ZZ]AE[aa:ZZ]", ")", len)),
    ("rectangles of Hex", |len| repeated("(;GM[11]SZ[52];", "AB[a1:az52]", ")", len)),
    ("setup per move", |len| repeated("(;SZ[52]", ";B[ZZ];AE[ZZ]", ")", len)),
    ("marks", |len| repeated("(;SZ[19];B[aa]", "TR[aa:ss]CR[ab][ac]MA[bb]", ")", len)),
    ("labels", |len| numbered("(;SZ[19];B[aa]LB", |n| format!("[{}:{n}]", point(n)), ")", len)),
    ("arrows", |len| numbered("(;SZ[19];B[aa]AR", |n| format!("[{}:{}]", point(n), point(n + 1)), ")", len)),
    ("views", |len| repeated("(;SZ[19]", ";VW[aa:cc]DD[dd:ee]", ")", len)),
    ("numbers", |len| repeated("(;SZ[19]", ";B[aa]BL[1.5]OB[3]MN[1]", ")", len)),
    // Many nodes.
    ("nodes", |len| repeated("(;SZ[19]", ";", ")", len)),
    ("comments", |len| repeated("(;SZ[19]", ";C[a]", ")", len)),
    ("empty comments", |len| repeated("(;SZ[19]", ";C[]", ")", len)),
    ("moves", |len| numbered("(;SZ[19]", |n| format!(";{}[{}]", ["B", "W"][n % 2], point(n)), ")", len)),
    ("passes", |len| repeated("(;SZ[19]", ";B[];W[]", ")", len)),
    ("captures", |len| repeated("(;SZ[19]", ";B[aa];W[ab];B[sa];W[ba];B[sb];W[aa]AE[aa]", ")", len)),
    ("unread moves", |len| repeated("(;SZ[19]", ";B[zz]", ")", len)),
    ("wide moves", |len| repeated("(;SZ[19]", ";B [ aa ]\n", ")", len)),
    // Variations.
    ("siblings", |len| repeated("(;SZ[19]", "(;B[ab];W[cd])", ")", len)),
    ("empty siblings", |len| repeated("(;SZ[19]", "(;)", ")", len)),
    ("different siblings", |len| numbered("(;SZ[19]", |n| format!("(;B[{}]C[{n}])", point(n)), ")", len)),
    ("nested", |len| numbered("(;SZ[19]", |n| format!("(;B[{}]", point(n)), ")", len)),
    ("nested and closed", |len| repeated("(;SZ[19]", "(;B[aa]", &")".repeat(len / 7 + 1), len)),
    ("branch per move", |len| repeated("(;SZ[19]", "(;B[aa])(;W[bb]", &")".repeat(len / 15 + 1), len)),
    ("node after variation", |len| repeated("(;SZ[19]", "(;B[aa]);W[bb]", ")", len)),
    ("long variation", |len| repeated("(;SZ[19](;", "B[aa];W[bb];", "))", len)),
    ("trunk and siblings", |len| {
        repeated(&repeated("(;SZ[19]", ";B[aa];W[bb]", "", len / 2), "(;B[cc])(;B[dd])", ")", len / 2)
    }),
    ("info in variations", |len| numbered("(;SZ[19]", |n| format!("(;B[aa]PB[{n}]EV[{n}])"), ")", len)),
    // No games.
    ("junk", |len| repeated("", "no game here ", "", len)),
    ("openings", |len| repeated("", "(", "", len)),
    ("junk between", |len| repeated("", "(;B[aa])x\n", "", len)),
    ("brackets", |len| repeated("(;SZ[19]C[", "[", "", len)),
];

/// The length of the short file of a pattern. The other one is twice as long.
const SHORT: usize = 64 << 10;

/// What a command takes with a small file, in MiB: threads, their stacks and buffers, and parts of files.
const BASE: usize = 24;

/// The same, with an expansion of a million points.
const BASE_OF_POINTS: usize = 48;

/// What the writer of Parquet of an index reserves and does not use, which the limit counts.
const BASE_OF_INDEX: usize = 400;

/// The memory that a command may take per byte of such a file.
const TIMES: usize = 24;

/// Runs commands with files of these patterns. `FILE` is the file, `COPY` another one, `DIR` and `OUT` are new.
#[track_caller]
fn no_file_is_amplified(test: &str, base: usize, patterns: &[Pattern], lens: &[usize], commands: &[&[&str]]) {
    let dir = directory(&format!("memory/amplified-{test}"));
    let (file, copy) = (dir.join("game.sgf"), dir.join("copy.sgf"));
    let mut wrong = Vec::new();
    for (pattern, make) in patterns {
        for len in lens {
            fs::write(&file, make(*len)).unwrap();
            for command in commands {
                let out = dir.join("out");
                _ = fs::remove_dir_all(&out);
                fs::create_dir(&out).unwrap();
                if command.contains(&"COPY") {
                    fs::copy(&file, &copy).unwrap();
                }
                let paths = [("FILE", &file), ("COPY", &copy)].map(|(name, path)| (name, str(path).to_owned()));
                let args = command.iter().map(|arg| {
                    let path = paths.iter().find(|(name, _)| name == arg).map(|(_, path)| path.clone());
                    path.unwrap_or_else(|| arg.replace("OUT", str(&out)))
                });
                let args: Vec<String> = args.collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let bound = base + (TIMES * len).div_ceil(MIB);
                let output = within(bound, &args, Stdio::null());
                let said = String::from_utf8_lossy(&output.stderr);
                if !matches!(output.status.code(), Some(0..=2)) || said.contains("allocate") {
                    wrong.push(format!("{command:?}, {pattern}, {len}, {bound} MiB: {} {said:.100}", output.status));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    fs::remove_dir_all(&dir).unwrap();
}

macro_rules! amplified {
    ($($test:ident, $base:expr, $len:expr, $commands:expr;)+) => {$(
        #[test]
        #[ignore = "takes a minute; .ci/run runs it"]
        fn $test() {
            no_file_is_amplified(stringify!($test), $base, PATTERNS, &[$len, 2 * $len], $commands);
        }
    )+};
}

amplified! {
    edits, BASE, SHORT, &[
        &["edit", "--turn", "90", "FILE"],
        &["edit", "--set", "EV=x", "--write", "COPY"],
        &["edit", "--strip", "comments", "--dry-run", "FILE"],
        &["edit", "--merge", "FILE"],
    ];
    searches, BASE, SHORT, &[
        &["find", "(;AB[pd])", "FILE"],
        &["find", "(;AB[aa])", "--variations", "--statistics", "--json", "FILE"],
        &["openings", "FILE"],
        &["openings", "--size", "52", "FILE"],
    ];
    // The result grows with the square of the input.
    splits, BASE_OF_POINTS, SHORT / 8, &[&["edit", "--split-variations", "FILE"]];
    pictures, BASE_OF_POINTS, SHORT / 2, &[
        &["show", "--print", "FILE"],
        &["show", "--every", "500", "FILE"],
        &["show", "--tree", "FILE"],
    ];
    tables, BASE_OF_POINTS, SHORT / 2, &[
        &["records", "-o", "OUT/a.csv", "FILE"],
        &["records", "--table", "moves", "-o", "OUT/a.jsonl", "FILE"],
        &["records", "--table", "properties", "-o", "OUT/a.parquet", "FILE"],
        &["records", "--columns", "canonical,final_position", "FILE"],
        &["report", "--output", "OUT/a.html", "FILE"],
        &["names", "FILE"],
        &["split", "--parts", "2", "--to", "OUT/parts", "FILE"],
    ];
    indexes, BASE_OF_INDEX, SHORT, &[&["index", "-o", "OUT/index", "FILE"]];
    checks, BASE_OF_POINTS, SHORT, &[
        &["scan", "FILE"],
        &["check", "FILE"],
        &["check", "--fix", "COPY"],
        &["fmt", "FILE"],
        &["events", "FILE"],
        &["diff", "FILE", "COPY"],
        &["dups", "FILE", "COPY"],
        &["dups", "--merge", "-o", "OUT/a.sgf", "FILE"],
    ];
}

/// The patterns that took the most memory.
#[test]
fn short_games_and_long_results_take_little() {
    let names = ["empty", "unread setup", "trunk and siblings", "rectangles"];
    let patterns: Vec<Pattern> = PATTERNS.iter().copied().filter(|(name, _)| names.contains(name)).collect();
    assert_eq!(patterns.len(), names.len());
    no_file_is_amplified(
        "short",
        BASE_OF_POINTS,
        &patterns,
        &[SHORT],
        &[
            &["edit", "--turn", "90", "FILE"],
            &["edit", "--merge", "FILE"],
            &["show", "--every", "500", "FILE"],
            &["find", "(;AB[pd])", "--variations", "FILE"],
        ],
    );
}
