//! Memory for one game that is longer than any command keeps: each command with each shape of a game; and games that are left
//! out.
//!
//! The system ends a command that takes more than its bound, so nothing has to be measured while it runs. A command that kept
//! the game would need at least the room for its bytes, and for a copy of them where they grow.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

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
    (&["tree", "FILE"], BOUND_OF_PARTS),
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
        let program = command(&args);
        let limited = format!("ulimit -d {}; exec \"$0\" \"$@\"", bound << 10);
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limited]).arg(program.get_program()).args(program.get_args());
        // Each thread may have a heap of its own, and each is reserved whole.
        shell.env("MALLOC_ARENA_MAX", "1").stdin(fs::File::open(&file).unwrap()).stdout(Stdio::null());
        let output = shell.stderr(Stdio::piped()).output().unwrap();
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
        (&["tree"][..], 1, true),
        (&["tree", "--game", "1"], 1, false),
        (&["tree", "--game", "2"], 0, true),
        (&["show", "--print"], 1, false),
        (&["show", "--print", "--game", "2"], 0, true),
    ] {
        let shown = run(&[args, &[str(&file)]].concat());
        let is_left_out = shown.stderr.contains(&format!("game 1 is skipped: {LEFT_OUT}"));
        assert_eq!((shown.code, is_left_out), (Some(code), code == 1), "{args:?}: {}", shown.stderr);
        assert_eq!((!shown.text().is_empty(), shown.stderr.lines().count()), (is_shown, code as usize), "{args:?}");
    }
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
