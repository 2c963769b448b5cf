//! `sgf index`, and `sgf find --index`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quickcheck::{Arbitrary, Gen, holds};

use super::pack::{gzip, tar};
use super::{Run, command, directory, run, str};

const FIRST: &str = "(;SZ[9]PB[Ada]PW[Bo]DT[1990-05-01]RE[B+2];B[gc];W[gf];B[ec])\n(;SZ[9]PB[Cy];B[ee])\n";
const SECOND: &str = "(;SZ[9]PB[Ed]RE[W+0.5];B[aa];W[gc];B[gf];W[ab];B[ec])\n";
const THIRD: &str = "(;SZ[9]PB[Gus](;B[ee];W[gc])(;B[gc];W[ca](;B[gg])(;W[gf];B[hf])))\n(;GM[11]PB[Hex];B[a1])\n";

/// The upper right corner of a 9x9 board.
const CORNER: &str = "(;SZ[9]AB[gc]AW[gf]VW[ea:ig])";

/// Makes a directory of three files, and returns it with the directory of an index.
fn games(name: &str) -> (PathBuf, PathBuf) {
    let top = directory(&format!("index/{name}"));
    let games = top.join("games");
    fs::create_dir_all(&games).unwrap();
    fs::write(games.join("a.sgf"), FIRST).unwrap();
    fs::write(games.join("b.sgf.gz"), gzip(SECOND.as_bytes())).unwrap();
    fs::write(games.join("c.tar"), tar(&[("c.sgf", THIRD.as_bytes())])).unwrap();
    let index = top.join("index");
    let _ = fs::remove_dir_all(&index);
    (games, index)
}

fn build(games: &Path, index: &Path, args: &[&str]) -> Run {
    run(&[&["index", str(games), "-o", str(index)], args].concat())
}

/// Returns the lines of JSON of a search, without the offsets of nodes, which an index does not have.
fn lines(args: &[&str]) -> Vec<String> {
    let found = run(&[&["find", CORNER, "--json", "--columns", "PB,date,winner"], args].concat());
    let without_node = |line: &str| {
        let (front, rest) = line.split_once(",\"node_offset\":").unwrap();
        format!("{front}{}", rest.trim_start_matches(|char: char| char.is_ascii_alphanumeric()))
    };
    let mut lines: Vec<String> = found.text().lines().map(without_node).collect();
    lines.sort();
    lines
}

#[test]
fn an_index_finds_what_the_files_have() {
    let (games, index) = games("find");
    let built = build(&games, &index, &["--variations"]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let said: Vec<&str> = built.stderr.lines().collect();
    assert_eq!(said[0], "sgf: 3 files new, 0 changed, 0 removed, 0 unchanged");
    assert!(said[1].starts_with("sgf: 4 games in the index, "), "{said:?}");
    assert_eq!(said[2], "sgf: not indexed: 1 game other than Go, or on a board larger than 52x52");
    for (options, expected) in [(&[][..], 2), (&["--variations"], 3), (&["--variations", "--every-place"], 3)] {
        let in_files = lines(&[options, &[str(&games)]].concat());
        let in_index = lines(&[options, &["--index", str(&index)]].concat());
        assert_eq!((in_index.len(), in_index), (expected, in_files), "{options:?}");
    }
    for options in [&["--where", "date>=1990"][..], &["--where", "winner=W"], &["--where", "PB~^G", "--variations"]] {
        let count = |of: &[&str]| run(&[&["find", CORNER, "--count"], options, of].concat()).text().to_owned();
        assert_eq!(count(&[str(&games)]), count(&["--index", str(&index)]), "{options:?}");
    }
    // Text, and sums with a drawing.
    for options in [&[][..], &["--statistics", "--board"], &["--statistics", "--by", "decade"], &["--csv"]] {
        let [in_files, in_index] = [&[str(&games)][..], &["--index", str(&index)]]
            .map(|of| run(&[&["find", CORNER], options, of].concat()).text().to_owned());
        assert_eq!(in_index, in_files, "{options:?}");
    }
    // A member of an archive, and a game that is too long for memory, also have the same lines.
    let long = format!("(;SZ[9]C[{}];B[gc];W[gf])", "x".repeat(1 << 20));
    fs::write(games.join("d.tar"), tar(&[("x/1.sgf", b"(;SZ[9];B[gc];W[gf])"), ("2.sgf", long.as_bytes())])).unwrap();
    fs::write(games.join("long.sgf"), &long).unwrap();
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    let [mut in_files, mut in_index] = [&[str(&games)][..], &["--index", str(&index)]]
        .map(|of| run(&[&["find", CORNER], of].concat()).lines().into_iter().map(str::to_owned).collect::<Vec<_>>());
    in_files.sort();
    in_index.sort();
    assert_eq!((in_index.len(), &in_index), (5, &in_files));
    for name in ["d.tar", "long.sgf"] {
        fs::remove_file(games.join(name)).unwrap();
    }
    build(&games, &index, &[]);
    // What an index does not know is not 0.
    let sums = run(&["find", "X.....X", "--statistics", "--json", "--index", str(&index)]).json();
    assert!(sums["too_small"].is_null() && sums["with_illegal_moves"] == 0, "{sums}");
    assert_eq!((&sums["games"], &sums["not_go"]), (&5.into(), &1.into()));
    let sums = run(&["find", CORNER, "--statistics", "--json", "--exclude", "*.tar", "--index", str(&index)]).json();
    assert!(sums["games"].is_null() && sums["found"] == 2, "{sums}");
    // A limit ends the search, and says so if games are left.
    for (limit, said) in
        [("1", "sgf: stopped after 1 game\n"), ("2", "sgf: 2 of 5 games match; 1 not Go, or larger than 52x52\n")]
    {
        let found = run(&["find", CORNER, "--limit", limit, "--index", str(&index)]);
        assert_eq!((found.lines().len().to_string().as_str(), &*found.stderr), (limit, said));
    }
    let none = run(&["find", "XXXXXXX", "--index", str(&index)]);
    assert_eq!(
        (none.code, none.stderr.as_str()),
        (Some(1), "sgf: 0 of 5 games match; 1 not Go, or larger than 52x52\n")
    );
}

/// What could not be replayed is told as by a search of the files, and so is more setup than a game may have.
#[test]
fn an_index_tells_of_games_with_unreadable_values() {
    let folder = directory("index/unread");
    let (games, index) = (folder.join("games"), folder.join("index"));
    fs::create_dir_all(&games).unwrap();
    let setup = "AB[aa:ss]AE[aa:ss]".repeat(1500);
    for (name, text) in [
        ("root", format!("(;SZ[19]{setup};B[aa])")),
        ("node", format!("(;SZ[19];B[pd];{setup};B[aa])")),
        ("stone", "(;SZ[19];B[pd];W[pd])".to_owned()),
        ("outside", "(;SZ[19];B[pd];W[zz])".to_owned()),
        ("good", "(;SZ[19];B[pd];W[dd])".to_owned()),
    ] {
        fs::write(games.join(name).with_extension("sgf"), text).unwrap();
    }
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    let said = |of: &[&str]| run(&[&["find", "(;AB[qq]AW[qr])"], of].concat()).stderr;
    let expected = "sgf: 0 of 5 games match; 4 with moves on stones or off the board\n";
    assert_eq!([said(&[str(&games)]), said(&["--index", str(&index)])], [expected; 2].map(str::to_owned));
}

#[test]
fn only_files_that_changed_are_read_again() {
    let (games, index) = games("update");
    build(&games, &index, &[]);
    let again = build(&games, &index, &[]);
    assert!(again.stderr.starts_with("sgf: 0 files new, 0 changed, 0 removed, 3 unchanged\n"), "{}", again.stderr);
    fs::write(games.join("a.sgf"), format!("{SECOND}{SECOND}")).unwrap();
    fs::write(games.join("d.sgf"), FIRST).unwrap();
    fs::remove_file(games.join("c.tar")).unwrap();
    let changed = build(&games, &index, &[]);
    assert!(changed.stderr.starts_with("sgf: 1 file new, 1 changed, 1 removed, 1 unchanged\n"), "{}", changed.stderr);
    assert!(changed.stderr.contains("sgf: 5 games in the index, "), "{}", changed.stderr);
    assert_eq!(lines(&["--index", str(&index)]), lines(&[str(&games)]));
    // Ten more runs: segments are merged.
    for number in 0..10 {
        fs::write(games.join(format!("new {number}.sgf")), FIRST).unwrap();
        assert_eq!(build(&games, &index, &[]).code, Some(0));
    }
    assert_eq!(lines(&["--index", str(&index)]), lines(&[str(&games)]));
    let files = fs::read_dir(&index).unwrap().flatten().filter(|file| str(&file.path()).contains("lines-")).count();
    assert!(files <= 8, "{files}");
}

#[test]
fn what_a_run_left_that_was_killed_is_removed() {
    let (games, index) = games("killed");
    fs::create_dir_all(&index).unwrap();
    for name in ["sgf-index.lock", "lines-0003-9.parquet", "positions-0001.runs"] {
        fs::write(index.join(name), "left").unwrap();
    }
    let unfinished = run(&["find", CORNER, "--index", str(&index)]);
    assert_eq!(unfinished.code, Some(2));
    assert!(unfinished.stderr.contains("it is not an index yet"), "{}", unfinished.stderr);
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    let mut names: Vec<_> = fs::read_dir(&index).unwrap().flatten().map(|file| file.file_name()).collect();
    names.sort();
    assert!(names.contains(&"positions-0001.parquet".into()), "{names:?}");
    assert!(!names.iter().any(|name| name == "lines-0003-9.parquet" || name == "positions-0001.runs"), "{names:?}");
    assert_eq!(run(&["find", CORNER, "--index", str(&index)]).code, Some(0));
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let (games, index) = games("errors");
    let fails = |run: Run, expected: &str| {
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    fails(run(&["find", CORNER, "--index", str(&index)]), "it is not an index of `sgf index`");
    fails(build(&games, &games, &[]), "it has files, but is not an index; choose an empty or a new directory");
    fails(
        build(&games, &index, &["--columns", "PB,nothing"]),
        "--columns: unknown column 'nothing' (`sgf records --list-columns` lists all)",
    );
    fails(build(&games, &index, &["--columns", "blak"]), "unknown column 'blak'; did you mean 'black'?");
    assert!(!index.exists());
    build(&games, &index, &[]);
    fails(run(&["find", CORNER, "--variations", "--index", str(&index)]), "the index has main lines only");
    fails(build(&games, &index, &["--variations"]), "the index has main lines only");
    fails(
        run(&["find", CORNER, "--columns", "KK", "--index", str(&index)]),
        "the index has no column 'KK'; it has file",
    );
    fails(run(&["find", CORNER, str(&games), "--index", str(&index)]), "cannot be used with");
    for option in [&["--charset", "GBK"][..], &["-L"], &["--max-members", "9"], &["-o", "x"]] {
        fails(run(&[&["find", CORNER, "--index", str(&index)], option].concat()), "cannot be used with");
    }
    let hex = run(&["find", CORNER, "--index", str(&index), "--game-type", "Hex"]);
    fails(hex, "--game-type: an index has only games of Go");
    let path = run(&["find", CORNER, "--index", str(&index), "--exclude", "old/*"]);
    fails(path, "--exclude: with --index, use names without a `/`");
    fails(run(&["index", "-", "-o", str(&index)]), "index compares files on disk");
    // Of another version, and damaged.
    let list = index.join("sgf-index.json");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("\"sgf_index\":3", "\"sgf_index\":0")).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "the index has version 0, this program reads 3");
    fails(build(&games, &index, &[]), "build it again with --rebuild");
    fs::write(&list, &text[..text.len() / 2]).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "the index is damaged");
    assert_eq!(build(&games, &index, &["--rebuild"]).code, Some(0));
    let lines = index.join("lines-0002-9.parquet"); // the old one was the first
    let bytes = fs::read(&lines).unwrap();
    fs::write(&lines, &bytes[..bytes.len() - 10]).unwrap();
    fails(run(&["find", CORNER, "--index", str(&index)]), "lines-0002-9.parquet: the index is damaged");
    assert_eq!(build(&games, &index, &["--rebuild"]).code, Some(0));
    // A file without SGF is a warning, once.
    fs::write(games.join("no.sgf"), "hello").unwrap();
    let built = build(&games, &index, &[]);
    assert_eq!(built.code, Some(0));
    assert!(built.stderr.contains("no.sgf: no SGF data"), "{}", built.stderr);
    let again = build(&games, &index, &[]);
    assert_eq!((again.code, again.stderr.contains("no.sgf")), (Some(0), false));
}

/// Returns the names and contents of the files of an index.
fn content(index: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(index).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

#[test]
fn only_a_list_makes_a_directory_an_index() {
    let (games, index) = games("foreign");
    for files in [&["lock", "notes.txt"][..], &["lines-0001-9.parquet"], &["sgf-index.lock", "lines-up.parquet"]] {
        let _ = fs::remove_dir_all(&index);
        fs::create_dir_all(&index).unwrap();
        files.iter().for_each(|name| fs::write(index.join(name), "precious").unwrap());
        let before = content(&index);
        let refused = build(&games, &index, &["--rebuild"]);
        assert!(refused.stderr.contains("it has files, but is not an index"), "{files:?}: {}", refused.stderr);
        assert_eq!((refused.code, content(&index)), (Some(2), before), "{files:?}");
    }
    // A user's file in an index stays.
    fs::remove_dir_all(&index).unwrap();
    build(&games, &index, &[]);
    fs::write(index.join("lines-up.parquet"), "precious").unwrap();
    assert_eq!(build(&games, &index, &["--rebuild"]).code, Some(0));
    assert_eq!(fs::read(index.join("lines-up.parquet")).unwrap(), b"precious");
}

#[test]
fn an_index_changes_only_if_its_files_do() {
    let (games, index) = games("unchanged");
    build(&games, &index, &["--columns", "PB,PW"]);
    let before = content(&index);
    let again = |args: &[&str], code, expected: &str| {
        let run = build(&games, &index, args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
        assert_eq!(content(&index), before, "{args:?}");
    };
    again(&[], 0, "3 unchanged");
    again(&["--columns", "PW,PB"], 0, "3 unchanged");
    again(&["--prune"], 0, "3 unchanged");
    let columns = "the index was built with the columns PB,PW; to change that, build it again with --rebuild";
    again(&["--columns", "PB"], 2, columns);
    again(&["--charset", "GBK"], 2, "the index was built without a charset; to change that");
    again(&["--rebuild", "nosuch"], 2, "left unchanged");
    assert_eq!(build(&games, &index, &["--rebuild", "--charset", "GBK"]).code, Some(0));
    let refused = build(&games, &index, &["--charset", "Big5"]);
    assert!(refused.stderr.contains("with the charset GBK; to change that"), "{}", refused.stderr);
    // An update reads as the run before it did.
    fs::write(games.join("d.sgf"), b"(;SZ[9]PB[\xCE\xE2];B[gc];W[gf];B[ec])").unwrap();
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    assert!(lines(&["--index", str(&index)]).iter().any(|line| line.contains("\"PB\":\"吴\"")));
    // Nothing is left of an index that was not built.
    let none = index.join("none");
    assert_eq!(run(&["index", "nosuch", "-o", str(&none)]).code, Some(2));
    assert!(!none.exists());
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_several() {
    use std::os::unix::ffi::OsStrExt;

    let top = directory("index/bytes");
    let (games, index, table) = (top.join("games"), top.join("index"), top.join("table"));
    fs::create_dir_all(&games).unwrap();
    let file = |byte: u8| games.join(std::ffi::OsStr::from_bytes(&[b'a', byte, b'.', b's', b'g', b'f']));
    for (n, text) in [FIRST, SECOND].into_iter().enumerate() {
        if fs::write(file(0xE8 + n as u8), text).is_err() {
            return; // a file system that has UTF-8 only
        }
    }
    let names = |text: &str| -> BTreeSet<String> {
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["path_base64"].to_string();
        text.lines().map(value).collect()
    };
    assert_eq!(build(&games, &index, &[]).code, Some(0));
    let hits = |args: &[&str]| run(&[&["find", CORNER, "--json"], args].concat());
    assert_eq!(names(hits(&["--index", str(&index)]).text()), names(hits(&[str(&games)]).text()));
    assert_eq!(names(hits(&[str(&games)]).text()).len(), 2);
    // Rows have the same text for both.
    let append = || run(&["records", "--append", str(&table), str(&games)]).code;
    assert_eq!(append(), Some(0));
    fs::write(file(0xE8), FIRST.repeat(2)).unwrap();
    assert_eq!((append(), fs::read_to_string(&table).unwrap().lines().count()), (Some(0), 5));
    assert!(build(&games, &index, &[]).stderr.contains("0 files new, 1 changed, 0 removed, 1 unchanged"));
    assert_eq!(lines(&["--index", str(&index)]), lines(&[str(&games)]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_called_that_and_nothing_is_left_on_it() {
    let (games, index) = games("full");
    build(&games, &index, &[]);
    fs::write(games.join("d.sgf"), FIRST).unwrap();
    let before = content(&index);
    // A limit of the length of files is as good as a full disk.
    let limited = |index: &Path, stderr: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 4; exec \"$@\" 2>{stderr}");
        let sgf = env!("CARGO_BIN_EXE_sgf");
        let args = ["-c", &script, "sh", sgf, "index", str(&games), "-o", str(index)];
        std::process::Command::new("sh").args(args).output().unwrap()
    };
    for directory in [&index, &index.with_extension("new")] {
        let run = limited(directory, "&1");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(said.contains("File too large") && !said.contains("damaged"), "{said}");
        assert_eq!(run.status.code(), Some(2));
    }
    assert_eq!(content(&index), before);
    assert!(!index.with_extension("new").exists());
    // Standard error may also be full.
    fs::write(games.join("no.sgf"), "hello").unwrap();
    assert_eq!(limited(&index, "/dev/full").status.code(), Some(2));
}

/// What happens to files, of which there are six in two directories.
#[derive(Clone, Debug)]
enum Step {
    Write(usize, u8),
    /// What is written is damaged at its end, so that it can be read but in part.
    Break(usize),
    Remove(usize),
    /// A directory gets another name, or its own again.
    Move(usize),
    Update(Update),
}

/// An update of an index and of a table: of which directories, how their paths are written, and whether files are pruned.
#[derive(Clone, Debug)]
struct Update {
    directories: Vec<usize>,
    spelling: usize,
    prunes: bool,
}

impl Arbitrary for Step {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut below = |most: usize| usize::arbitrary(g) % most;
        let file = below(6);
        match below(9) {
            0..3 => Step::Write(file, below(100) as u8),
            3 => Step::Break(file),
            4 => Step::Remove(file),
            5 => Step::Move(below(2)),
            _ => Step::Update(Update {
                directories: [&[0, 1][..], &[0], &[1], &[1, 0]][below(4)].to_vec(),
                spelling: below(5),
                prunes: below(6) == 0,
            }),
        }
    }
}

/// The content of a file that is damaged.
const DAMAGED: u8 = 200;

/// Files on disk, and what an index and a table should have of them: the content of each file.
struct World {
    top: PathBuf,
    disk: BTreeMap<usize, Option<u8>>,
    is_away: [bool; 2],
    index: BTreeMap<usize, u8>,
    table: BTreeMap<usize, u8>,
}

impl World {
    fn new(name: &str) -> Self {
        let top = fs::canonicalize(directory(name)).unwrap();
        for name in ["d0", "d1", "elsewhere"] {
            fs::create_dir_all(top.join(name)).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&top, top.join("link")).unwrap();
        let (disk, index, table) = Default::default();
        World { top, disk, is_away: [false; 2], index, table }
    }

    fn file(&self, file: usize) -> PathBuf {
        let inner = if file < 4 { "" } else { "inner/" };
        self.top.join(format!("d{}/{inner}{file}.sgf.gz", file % 2))
    }

    fn write(&mut self, file: usize, content: Option<u8>) {
        if self.is_away[file % 2] {
            return;
        }
        let path = self.file(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut packed = gzip(format!("(;SZ[9]PB[{}];B[gc])", content.unwrap_or(DAMAGED)).as_bytes());
        if content.is_none() {
            let checksum = packed.len() - 8;
            packed[checksum] ^= 1;
        }
        fs::write(&path, packed).unwrap();
        self.disk.insert(file, content);
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Write(file, content) => self.write(*file, Some(*content)),
            Step::Break(file) => self.write(*file, None),
            Step::Remove(file) => {
                if !self.is_away[file % 2] && self.disk.remove(file).is_some() {
                    fs::remove_file(self.file(*file)).unwrap();
                }
            }
            Step::Move(of) => {
                let (here, away) = (self.top.join(format!("d{of}")), self.top.join(format!("away{of}")));
                let (from, to) = if self.is_away[*of] { (away, here) } else { (here, away) };
                fs::rename(from, to).unwrap();
                self.is_away[*of] ^= true;
            }
            Step::Update(update) => self.update(update),
        }
    }

    /// Runs both commands, and compares what they have then with what they should have.
    fn update(&mut self, Update { directories, spelling, prunes }: &Update) {
        let top = str(&self.top).to_owned();
        let (from, before) = match spelling {
            0 => (top.clone(), String::new()),
            1 => (format!("{top}/elsewhere"), ".././".to_owned()),
            2 => (format!("{top}/elsewhere"), format!("{top}/d0/../")),
            3 if cfg!(unix) => (top.clone(), "link/".to_owned()),
            _ => ("/".to_owned(), format!("{top}/")),
        };
        // `d0/..` needs the directory.
        let before = if self.is_away[0] { before.replace("d0/../", "") } else { before };
        let mut paths: Vec<String> = directories.iter().map(|of| format!("{before}d{of}")).collect();
        paths.extend(prunes.then(|| "--prune".to_owned()));
        let (index, table) = (format!("{top}/index"), format!("{top}/table"));
        for (args, of_index) in [(["index", "-o", &index], true), (["records", "--append", &table], false)] {
            let known = if of_index { &mut self.index } else { &mut self.table };
            let mut is_unread = false;
            for &of in directories {
                let is_here = !self.is_away[of];
                is_unread |= !is_here || self.disk.iter().any(|(file, content)| file % 2 == of && content.is_none());
                let is_empty = || fs::read_dir(self.top.join(format!("d{of}"))).unwrap().next().is_none();
                if is_here && is_empty() {
                    is_unread |= !prunes && known.keys().any(|file| file % 2 == of);
                } else if is_here {
                    known.retain(|file, _| file % 2 != of || self.disk.contains_key(file));
                    for (&file, content) in self.disk.iter().filter(|(file, _)| *file % 2 == of) {
                        match content {
                            Some(content) => _ = known.insert(file, *content),
                            // Rows are written before the end of a file is known.
                            None if !of_index => _ = known.insert(file, DAMAGED),
                            None => {}
                        }
                    }
                }
            }
            if *prunes {
                known.retain(|file, _| !self.is_away[file % 2] && self.disk.contains_key(file));
            }
            let paths = paths.iter().map(String::as_str);
            let output =
                command(&args.into_iter().chain(paths).collect::<Vec<_>>()).current_dir(&from).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(if is_unread { 2 } else { 0 }), "{args:?} {directories:?}: {said}");
        }
        let rows = |text: &str| -> BTreeSet<(String, String)> {
            let row = |line: &str| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                [&row["file"], &row["PB"]].map(|value| value.as_str().unwrap().to_owned()).into()
            };
            let rows: Vec<_> = text.lines().map(row).collect();
            assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "{rows:?}");
            rows.into_iter().collect()
        };
        let expected = |known: &BTreeMap<usize, u8>| -> BTreeSet<(String, String)> {
            known.iter().map(|(file, content)| (str(&self.file(*file)).to_owned(), content.to_string())).collect()
        };
        let hits = run(&["find", "(;SZ[9]AB[gc]VW[])", "--json", "--columns", "PB", "--index", &index]);
        assert_eq!(rows(hits.text()), expected(&self.index));
        assert_eq!(rows(&fs::read_to_string(&table).unwrap()), expected(&self.table));
    }
}

/// Whatever happens to files, an update has those that it can read as they are, and all others as they were.
#[test]
fn an_index_and_a_table_have_what_can_be_read_and_what_could_be() {
    let law = |steps: Vec<Step>| {
        let mut world = World::new("index/steps");
        let all = || Update { directories: vec![0, 1], spelling: 0, prunes: false };
        let first = [Step::Write(0, 0), Step::Write(5, 0), Step::Update(all())];
        first.iter().chain(steps.iter().take(12)).chain(&[Step::Update(all())]).for_each(|step| world.step(step));
    };
    holds(150, law as fn(Vec<Step>));
    // Those that random steps meet rarely.
    let update = |prunes| Step::Update(Update { directories: vec![0, 1], spelling: 4, prunes });
    law(vec![Step::Remove(0), update(false), update(true), Step::Move(1), update(false), update(true), Step::Move(1)]);
}

/// L21: the bytes of an index depend on the names, times and contents of its files, and on nothing else.
#[test]
fn an_index_does_not_depend_on_threads_directories_spellings_or_the_order_of_paths() {
    let law = |files: Vec<(u8, u8)>| {
        let mut world = World::new("index/same");
        files.iter().for_each(|(file, content)| world.write(usize::from(file % 6), Some(*content)));
        let top = world.top.clone();
        let built = [
            (top.clone(), &["d0", "d1", "--threads", "1"][..]),
            (top.join("elsewhere"), &["../d1/../d1", ".././d0", "../d1", "--threads", "3"]),
        ];
        let [one, other] = built.map(|(from, args)| {
            let index = top.join(format!("index{}", args.len()));
            let args: Vec<&str> = ["index", "-o", str(&index)].into_iter().chain(args.iter().copied()).collect();
            assert_eq!(command(&args).current_dir(from).output().unwrap().status.code(), Some(0));
            content(&index)
        });
        assert_eq!(one, other);
    };
    holds(40, law as fn(Vec<(u8, u8)>));
}
