//! Outputs: no run changes a file that it was not told to change.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quickcheck::holds;

use super::{Run, command, directory, run, str};

const GAME: &str = "(;GM[1]FF[4]SZ[19]PB[A]PW[B]RE[B+R];B[pd];W[dp];B[dd];W[pp])";
const PATTERN: &str = "(;AB[pd]VW[oc:qe])";
const NAMES: &str = "name,person\nA,Abe\n";

/// What a run may read: a directory with two copies of a game, a pattern, names of players, and a list of the directory.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Folder(directory(&format!("outputs/{name}")));
        fs::create_dir(folder.path("in")).unwrap();
        for file in ["in/a.sgf", "in/b.sgf"] {
            fs::write(folder.path(file), GAME).unwrap();
        }
        fs::write(folder.path("pattern"), PATTERN).unwrap();
        fs::write(folder.path("names.csv"), NAMES).unwrap();
        fs::write(folder.path("list"), format!("{}\0", folder.path("in").display())).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs a command whose words are separated by blanks. Those that begin with `./` are paths in this folder.
    fn run(&self, line: &str) -> Run {
        let words = self.words(line);
        run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn words(&self, line: &str) -> Vec<String> {
        let path = |word: &str| match word.strip_prefix("./") {
            Some(name) => str(&self.path(name)).to_owned(),
            None => word.to_owned(),
        };
        line.split(' ').map(path).collect()
    }

    /// All that is in the folder: names, kinds and modes, numbers of links, and contents.
    fn state(&self) -> Vec<(PathBuf, u32, u64, Vec<u8>)> {
        let mut state = Vec::new();
        let mut directories = vec![self.0.clone()];
        while let Some(directory) = directories.pop() {
            for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
                let found = fs::symlink_metadata(&path).unwrap();
                let content = match found.file_type() {
                    kind if kind.is_file() => fs::read(&path).unwrap(),
                    kind if kind.is_symlink() => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                    _ => Vec::new(),
                };
                let links = if found.is_dir() { 0 } else { found.nlink() };
                if found.is_dir() {
                    directories.push(path.clone());
                }
                state.push((path, found.mode(), links, content));
            }
        }
        state.sort();
        state
    }

    /// The names of temporary files.
    fn temporary(&self) -> Vec<PathBuf> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|end| end == "tmp")).collect()
    }
}

#[test]
fn what_is_read_is_no_output() {
    for (line, is_read) in [
        ("find ./pattern ./in -o ./pattern", "pattern"),
        ("find ./pattern ./in --statistics --svg ./pattern", "pattern"),
        ("openings --from ./pattern ./in --svg ./pattern", "pattern"),
        ("openings --from ./pattern ./in --sgf ./pattern", "pattern"),
        ("find X ./in --names ./names.csv -o ./names.csv", "names.csv"),
        ("find X ./in --names ./names.csv --statistics --svg ./names.csv", "names.csv"),
        ("records ./in --names ./names.csv -o ./names.csv", "names.csv"),
        ("report ./in --names ./names.csv -o ./names.csv", "names.csv"),
        ("report ./in --names ./names.csv --json ./names.csv", "names.csv"),
        ("edit ./in --names ./names.csv --merge -o ./names.csv", "names.csv"),
        ("find X --files0-from ./list -o ./list", "list"),
        ("records --files0-from ./list -o ./list", "list"),
        ("dups --files0-from ./list --merge -o ./list", "list"),
        ("names --files0-from ./list -o ./list", "list"),
    ] {
        let folder = Folder::new("read");
        let before = folder.state();
        let run = folder.run(line);
        assert_eq!(run.code, Some(2), "{line}");
        let edited = run.stderr.contains("this file exists, and may have been edited");
        assert!(run.stderr.contains("this file is an input") || edited, "{line}: {}", run.stderr);
        assert!(folder.state() == before, "{line}: {is_read}");
    }
}

#[test]
fn a_hard_link_and_a_followed_link_to_an_input_are_no_outputs() {
    let folder = Folder::new("links");
    fs::hard_link(folder.path("in/a.sgf"), folder.path("other.txt")).unwrap();
    fs::write(folder.path("c.sgf"), GAME).unwrap();
    symlink(folder.path("c.sgf"), folder.path("in/link.sgf")).unwrap();
    let before = folder.state();
    for line in ["find X ./in -o ./other.txt", "records -L ./in -o ./c.sgf"] {
        let run = folder.run(line);
        assert!(run.code == Some(2) && run.stderr.contains("this file is an input"), "{line}: {}", run.stderr);
        assert!(folder.state() == before, "{line}");
    }
    // Neither is read here.
    for line in ["records ./in -o ./c.sgf", "records ./in --exclude a.sgf -o ./in/a.sgf"] {
        assert_eq!(folder.run(line).code, Some(0), "{line}");
    }
    assert_eq!(fs::read(folder.path("other.txt")).unwrap(), fs::read(folder.path("in/a.sgf")).unwrap());
}

#[cfg(feature = "index")]
#[test]
fn an_index_that_is_searched_is_no_output() {
    let folder = Folder::new("index");
    assert_eq!(folder.run("index ./in -o ./ix").code, Some(0));
    let before = folder.state();
    let run = folder.run("find ./pattern --index ./ix --statistics --svg ./ix/sgf-index.json");
    assert!(run.code == Some(2) && run.stderr.contains("this file is an input"), "{}", run.stderr);
    assert!(folder.state() == before);
}

#[test]
fn two_outputs_need_two_places() {
    let folder = Folder::new("two");
    symlink("x", folder.path("y")).unwrap();
    let before = folder.state();
    for (line, expected) in [
        ("find X ./in --json -o -", "--json and --write would both write to standard output; name a file for --write"),
        ("find X ./in --csv -o -", "--csv and --write would both write to standard output"),
        ("find X ./in --count -o -", "--count and --write would both write to standard output"),
        ("find X ./in --statistics -o -", "--statistics and --write would both write to standard output"),
        ("find X ./in --statistics --svg -", "--statistics and --svg would both write to standard output"),
        ("find X ./in --statistics --svg ./x -o ./x", "--write and --svg must be different files"),
        ("find X ./in --statistics --svg ./y -o ./x", "--write and --svg must be different files"),
        ("find X ./in --columns PB --count", "--columns adds to the lines of games"),
        ("find X ./in --columns PB --statistics", "--columns adds to the lines of games"),
        ("find X ./in --columns PB -o ./x", "--columns adds to the lines of games"),
        ("openings ./in --json --sgf -", "--json and --sgf would both write to standard output"),
        ("openings ./in --sgf - --svg -", "--sgf and --svg would both write to standard output"),
        ("openings ./in --sgf ./x --svg ./in/../x", "--sgf and --svg must be different files"),
        ("report ./in -o ./x --json ./x", "--output and --json must be different files"),
        ("dups ./in --merge --json", "--merge and --json would both write to standard output"),
    ] {
        let run = folder.run(line);
        assert_eq!((run.code, run.text()), (Some(2), ""), "{line}");
        assert!(run.stderr.starts_with(&format!("sgf: error: {expected}")), "{line}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{line}: {}", run.stderr);
        assert!(folder.state() == before, "{line}");
    }
    // What goes to a device does not mix.
    assert_eq!(folder.run("openings ./in --sgf /dev/null --svg /dev/null").code, Some(0));
}

#[test]
fn the_extension_sets_the_format_of_rows() {
    let folder = Folder::new("extension");
    let start_of = |line: &str, file: &str| {
        let run = folder.run(line);
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
        fs::read(folder.path(file)).unwrap()
    };
    assert!(start_of("records ./in -o ./x.csv", "x.csv").starts_with(b"file,game,"));
    assert!(start_of("records ./in --append ./y.CSV", "y.CSV").starts_with(b"file,game,"));
    for file in ["x.json", "x.jsonl", "x.ndjson", "x.txt", "x"] {
        assert!(start_of(&format!("records ./in -o ./{file}"), file).starts_with(b"{\"file\":"), "{file}");
    }
    assert!(start_of("records ./in --format jsonl -o ./x.csv", "x.csv").starts_with(b"{\"file\":"));
    #[cfg(feature = "parquet")]
    assert!(start_of("records ./in -o ./x.parquet", "x.parquet").starts_with(b"PAR1"));
    #[cfg(feature = "arrow")]
    assert!(start_of("records ./in -o ./x.arrow", "x.arrow").starts_with(b"\xFF\xFF\xFF\xFF"));
    if cfg!(not(feature = "parquet")) {
        assert!(folder.run("records ./in -o ./x.parquet").stderr.contains("no parquet support"));
    }
}

#[test]
fn a_list_of_names_may_have_been_edited() {
    let folder = Folder::new("edited");
    assert_eq!(folder.run("names ./in -o ./new.csv").code, Some(0));
    let before = folder.state();
    let run = folder.run("names ./in -o ./new.csv");
    let expected = "new.csv: this file exists, and may have been edited; write to another one, or delete it first\n";
    assert!(run.code == Some(2) && run.stderr.ends_with(expected), "{}", run.stderr);
    assert!(folder.state() == before);
}

#[test]
fn a_new_file_is_created_where_a_link_leads() {
    let folder = Folder::new("dangling");
    fs::create_dir(folder.path("far")).unwrap();
    symlink("far/x", folder.path("y")).unwrap();
    assert_eq!(folder.run("records ./in -o ./y").code, Some(0));
    assert!(folder.path("y").is_symlink() && folder.path("far/x").is_file());
    symlink("loop", folder.path("loop")).unwrap();
    for (output, expected) in [
        ("./loop", "symbolic links"),
        ("./none/x", "its directory does not exist"),
        ("./in", "this is a directory; name a file in it"),
        ("./none/", "this is a directory; name a file in it"),
    ] {
        let run = folder.run(&format!("records ./in -o {output}"));
        assert!(run.code == Some(2) && run.stderr.contains(expected), "{output}: {}", run.stderr);
    }
}

#[test]
fn standard_output_is_appended_to() {
    let folder = Folder::new("stdout");
    let log = folder.path("log");
    fs::write(&log, "old\n").unwrap();
    let file = OpenOptions::new().append(true).open(&log).unwrap();
    let status = command(&["records", "-o", "/dev/stdout", str(&folder.path("in"))]).stdout(file).status().unwrap();
    assert!(status.success());
    assert!(fs::read_to_string(&log).unwrap().starts_with("old\n{"));
}

/// Starts a run that has begun to write to a file, and waits for its input.
fn started(folder: &Folder, output: &str) -> Child {
    let before = folder.temporary().len();
    let child = command(&["records", "-o", str(&folder.path(output)), "-"]).spawn().unwrap();
    let start = Instant::now();
    while folder.temporary().len() == before {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not begin");
        thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn what_a_killed_run_leaves_the_next_one_removes() {
    let folder = Folder::new("killed");
    let other = folder.path(".sgf-notes.tmp");
    fs::write(&other, "not one of ours").unwrap();
    let mut killed = started(&folder, "x");
    let mut alive = started(&folder, "y");
    killed.kill().unwrap(); // by SIGKILL
    killed.wait().unwrap();
    assert_eq!(folder.temporary().len(), 3);
    assert_eq!(folder.run("records ./in -o ./z").code, Some(0));
    assert_eq!(folder.temporary().len(), 2, "that of the run that goes on stays");
    alive.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
    assert!(alive.wait().unwrap().success());
    assert!(fs::read_to_string(folder.path("y")).unwrap().starts_with('{'));
    assert_eq!(folder.temporary(), [other]);
}

/// What the path of an output may be. The names are those of files in the folder.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    New,
    Input,
    LinkToInput,
    HardLinkToInput,
    Pattern,
    Names,
    Mode(u32),
    Link,
    DanglingLink,
    HardLink,
    Fifo,
    Device,
    Full,
    Directory,
    Killed,
}

const TARGETS: [Target; 16] = [
    Target::New,
    Target::Input,
    Target::LinkToInput,
    Target::HardLinkToInput,
    Target::Pattern,
    Target::Names,
    Target::Mode(0o600),
    Target::Mode(0o444),
    Target::Link,
    Target::DanglingLink,
    Target::HardLink,
    Target::Fifo,
    Target::Device,
    Target::Full,
    Target::Directory,
    Target::Killed,
];

/// Commands, each with an output at the end.
const COMMANDS: [&str; 12] = [
    "records ./in --names ./names.csv -o",
    "records ./in --format csv -o",
    "find ./pattern ./in -o",
    "find ./pattern ./in --names ./names.csv --statistics --svg",
    "openings ./in --min-games 1 --sgf",
    "openings ./in --min-games 1 --from ./position --svg",
    "report ./in --names ./names.csv -o",
    "report ./in --json",
    "names ./in --all -o",
    "edit ./in --merge -o",
    "edit ./in --names ./names.csv --merge -o",
    "dups ./in --min-stones 1 --merge -o",
];

impl Target {
    /// Makes it, and returns its path and that of the file that may change.
    fn make(self, folder: &Folder, old: &str) -> (PathBuf, PathBuf) {
        let (path, file) = (folder.path("x"), folder.path("file"));
        let write = |path: &Path, mode: u32| {
            fs::write(path, old).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        match self {
            Target::New => {}
            Target::Input => return (folder.path("in/a.sgf"), folder.path("in/a.sgf")),
            Target::LinkToInput => symlink("in/a.sgf", &path).unwrap(),
            Target::HardLinkToInput => fs::hard_link(folder.path("in/a.sgf"), &path).unwrap(),
            Target::Pattern => return (folder.path("pattern"), folder.path("pattern")),
            Target::Names => return (folder.path("names.csv"), folder.path("names.csv")),
            Target::Mode(mode) => write(&path, mode),
            Target::Link => {
                write(&file, 0o640);
                symlink("file", &path).unwrap();
                return (path, file);
            }
            Target::DanglingLink => {
                symlink("file", &path).unwrap();
                return (path, file);
            }
            Target::HardLink => {
                write(&file, 0o640);
                fs::hard_link(&file, &path).unwrap();
            }
            Target::Fifo => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
            // One of our own, if we may: a wrong program would replace that of the system.
            Target::Device => {
                let made = Command::new("mknod").arg(&path).args(["c", "1", "3"]).stderr(Stdio::null()).status();
                if !made.is_ok_and(|status| status.success()) {
                    return (PathBuf::from("/dev/null"), path);
                }
            }
            Target::Full => return (PathBuf::from("/dev/full"), path),
            Target::Directory => fs::create_dir(&path).unwrap(),
            Target::Killed => write(&path, 0o644),
        }
        (path.clone(), path)
    }

    /// Whether a command has to refuse it.
    fn is_refused(self, line: &str) -> bool {
        match self {
            Target::Input | Target::LinkToInput | Target::HardLinkToInput | Target::Mode(0o444) => true,
            Target::Directory | Target::Full => true,
            Target::Pattern => line.contains("./pattern") || line.starts_with("names"),
            Target::Names => line.contains("./names.csv") || line.starts_with("names"),
            _ => false,
        }
    }
}

/// L18.
#[test]
fn no_run_changes_a_file_that_it_was_not_told_to_change() {
    fn law(command: usize, target: usize, wait: u8) -> bool {
        let (line, target) = (COMMANDS[command % COMMANDS.len()], TARGETS[target % TARGETS.len()]);
        let folder = Folder::new("law");
        fs::write(folder.path("position"), "(;SZ[19]AB[pd]VW[aa:ss])").unwrap();
        // A list of names is replaced only if it has no content.
        let old = if line.starts_with("names") { "" } else { "old" };
        let (path, file) = target.make(&folder, old);
        let before = folder.state();
        let reader = (target == Target::Fifo).then(|| {
            let path = path.clone();
            thread::spawn(move || {
                let mut bytes = Vec::new();
                File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
                bytes
            })
        });
        let words = folder.words(&format!("{line} {}", str(&path)));
        let mut child = command_of(&words);
        if target == Target::Killed {
            thread::sleep(Duration::from_millis(u64::from(wait % 40)));
            let id = child.id().to_string();
            assert!(Command::new("kill").arg(&id).status().unwrap().success());
        }
        let code = child.wait().unwrap().code();
        let case = format!("{line} {target:?}: {code:?}");
        let after = folder.state();
        let of_others = |state: &[(PathBuf, u32, u64, Vec<u8>)]| {
            // The other name of a file with two has its content.
            let is_other = |path: &PathBuf| *path != file && !(target == Target::HardLink && path.ends_with("file"));
            state.iter().filter(|(path, ..)| is_other(path)).cloned().collect::<Vec<_>>()
        };
        assert!(of_others(&before) == of_others(&after), "{case}: another file has changed");
        if target.is_refused(line) {
            assert!(before == after && code == Some(2), "{case}");
            return true;
        }
        if target == Target::Killed {
            let content = fs::read(&file).unwrap();
            let is_whole = || {
                let again = folder.path("again");
                let done = command_of(&folder.words(&format!("{line} {}", str(&again)))).wait().unwrap();
                // A report has the seconds that it took.
                done.success() && (line.starts_with("report") || fs::read(again).unwrap() == content)
            };
            assert!(content == old.as_bytes() || is_whole(), "{case}: half a file");
            return true;
        }
        assert_eq!(code, Some(0), "{case}");
        let found = path.metadata().unwrap();
        match target {
            Target::Fifo => {
                // If nothing was written there, the reader would wait for ever.
                drop(OpenOptions::new().read(true).write(true).open(&path).unwrap());
                assert!(found.file_type().is_fifo() && !reader.unwrap().join().unwrap().is_empty(), "{case}");
            }
            Target::Device => assert!(found.file_type().is_char_device(), "{case}"),
            _ => {
                let metadata = |state: &[(PathBuf, u32, u64, Vec<u8>)]| {
                    state.iter().find(|(path, ..)| *path == file).map(|(_, mode, links, _)| (*mode, *links))
                };
                assert!(metadata(&before).is_none_or(|before| Some(before) == metadata(&after)), "{case}");
                let content = fs::read(&path).unwrap();
                assert!(!content.is_empty() && content != old.as_bytes(), "{case}");
            }
        }
        true
    }
    holds(1000, law as fn(usize, usize, u8) -> bool);
}

fn command_of(words: &[String]) -> Child {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let mut command = command(&words);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}
