//! Files in the place of files: `fmt --write` and `check --fix`.
#![cfg(unix)]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{command, directory, run, str};

/// What both have something to do with.
const FAULTY: &[u8] = b"(;GM[1]FF[4]SZ[19:19];B[aa]";

/// Both ways to rewrite a file.
const WAYS: [&[&str]; 4] =
    [&["fmt", "--write"], &["fmt", "--write", "--sync"], &["check", "--fix"], &["check", "--fix", "--sync"]];

fn faulty_file(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, FAULTY).unwrap();
    path
}

/// Rewrites a file, and that it is another one now.
#[track_caller]
fn rewrite(way: &[&str], path: &Path) {
    let run = run(&[way, &[str(path)]].concat());
    assert_eq!(run.code, Some(0), "{way:?}: {}", run.stderr);
    assert!(fs::read(path).unwrap().starts_with(b"(;"), "{way:?}");
    assert_ne!(fs::read(path).unwrap(), FAULTY, "{way:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn hard_links_and_symbolic_links_stay() {
    for way in WAYS {
        let folder = directory("in-place-links");
        let file = faulty_file(&folder, "a.sgf");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        fs::hard_link(&file, folder.join("b.sgf")).unwrap();
        symlink("a.sgf", folder.join("c.sgf")).unwrap();
        let before = fs::metadata(&file).unwrap();
        rewrite(way, &folder.join("c.sgf"));
        let after = fs::metadata(&file).unwrap();
        assert_eq!((after.ino(), after.nlink(), after.mode()), (before.ino(), 2, before.mode()), "{way:?}");
        assert_eq!(fs::read(folder.join("b.sgf")).unwrap(), fs::read(&file).unwrap());
        assert!(fs::symlink_metadata(folder.join("c.sgf")).unwrap().is_symlink());
        assert_eq!(names(&folder), ["a.sgf", "b.sgf", "c.sgf"], "{way:?}");
    }
    // What is written over may have been longer.
    let folder = directory("in-place-links");
    let file = folder.join("a.sgf");
    fs::write(&file, format!("(;FF[4]{}B[aa])", " ".repeat(100_000))).unwrap();
    fs::hard_link(&file, folder.join("b.sgf")).unwrap();
    rewrite(WAYS[0], &file);
    assert_eq!(fs::read(folder.join("b.sgf")).unwrap(), b"(;FF[4]B[aa])\n");
}

#[test]
fn owner_group_and_mode_stay() {
    for way in WAYS {
        let folder = directory("in-place-owner");
        let file = faulty_file(&folder, "a.sgf");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o604)).unwrap();
        let is_root = chown(&file, Some(12_345), Some(54_321)).is_ok();
        rewrite(way, &file);
        let after = fs::metadata(&file).unwrap();
        assert_eq!(after.mode() & 0o7777, 0o604, "{way:?}");
        if is_root {
            assert_eq!((after.uid(), after.gid()), (12_345, 54_321), "{way:?}");
        }
    }
}

#[test]
fn a_read_only_file_is_refused() {
    for way in WAYS {
        let folder = directory("in-place-read-only");
        let file = faulty_file(&folder, "a.sgf");
        let other = faulty_file(&folder, "b.sgf");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let run = run(&[way, &[str(&folder)]].concat());
        assert_eq!(run.code, Some(2), "{way:?}");
        assert!(run.stderr.contains("a.sgf: read-only; left unchanged"), "{way:?}: {}", run.stderr);
        assert_eq!(fs::read(&file).unwrap(), FAULTY);
        assert_ne!(fs::read(other).unwrap(), FAULTY, "the others are rewritten");
        assert_eq!(names(&folder), ["a.sgf", "b.sgf"]);
    }
}

#[test]
fn names_may_be_as_long_as_they_can_be() {
    for way in WAYS {
        for len in 246..=255 {
            let folder = directory("in-place-names");
            let name = format!("{}.sgf", "n".repeat(len - 4));
            let file = faulty_file(&folder, &name);
            assert_eq!(file.file_name().unwrap().as_bytes().len(), len);
            rewrite(way, &file);
            assert_eq!(names(&folder), [name]);
        }
    }
}

/// What has come of a program, which is given some seconds.
fn ended(mut child: Child) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it waits");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = directory("in-place-pipe");
    let pipe = folder.join("pipe.sgf");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("pipe.sgf", folder.join("link.sgf")).unwrap();
    for way in WAYS {
        for path in [&pipe, &folder.join("link.sgf"), Path::new("/dev/null")] {
            let mut command = command(&[way, &[str(path)]].concat());
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            assert_eq!(ended(child).code(), Some(2), "{way:?} {}", path.display());
        }
        let run = run(&[way, &[str(&pipe)]].concat());
        assert!(run.stderr.contains("not a regular file; cannot be rewritten"), "{}", run.stderr);
    }
}

/// A file that takes some time to rewrite, and the program at it: it has begun to write.
fn under_way(folder: &Path, command: &mut Command) -> Child {
    let file = folder.join("a.sgf");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).arg(&file).spawn().unwrap();
    let start = Instant::now();
    while names(folder).len() == 1 {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
}

/// Whether this process ignores a signal, as in the background of a shell without job control. Where there is no
/// `/proc`, nobody knows.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

#[test]
fn a_signal_leaves_the_file_as_it_was_and_nothing_beside_it() {
    let games = b"(;GM[1]SZ[19:19]C[a];B[aa];W[bb])\n".repeat(150_000);
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if is_ignored(number) {
            eprintln!("whoever runs the tests ignores SIG{name}, and so does what they start");
            continue;
        }
        let folder = directory("in-place-signal");
        fs::write(folder.join("a.sgf"), &games).unwrap();
        let child = under_way(&folder, &mut command(&["fmt", "--write"]));
        signal(&child, name);
        assert_eq!(ended(child).signal(), Some(number), "it ends by the signal");
        assert_eq!(names(&folder), ["a.sgf"]);
        assert!(fs::read(folder.join("a.sgf")).unwrap() == games);
    }
    // What was started to ignore a signal, goes on.
    if cfg!(target_os = "linux") {
        let folder = directory("in-place-signal");
        fs::write(folder.join("a.sgf"), &games).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sgf"), "fmt", "--write"]);
        let child = under_way(&folder, &mut shell);
        signal(&child, "HUP");
        assert_eq!(ended(child).code(), Some(0));
        assert_eq!(names(&folder), ["a.sgf"]);
        assert!(fs::read(folder.join("a.sgf")).unwrap().starts_with(b"(;FF[4]GM[1]SZ[19]"));
    }
}

/// Some files of each kind: sound and faulty ones, a large one, one without SGF, and one that would have to be transcoded.
fn many_files(folder: &Path) {
    for n in 0..300 {
        let game = match n % 5 {
            0 => format!("(;FF[4]N[{n}];B[aa])\n"),
            1 => format!("(;FF[4]N[{n}];B[d d]"),
            2 => format!("mail {n}\n(;FF[4]KO;B[d d]\n(;W[dd])"),
            3 => format!("(;FF[4]PB[Foo [3d]]N[{n}]"),
            _ => format!("(;FF[4]N[{n}]C[cut"),
        };
        fs::write(folder.join(format!("{n:03}.sgf")), game).unwrap();
    }
    let games = (0..30_000).map(|n| match n % 1000 {
        0 => format!("(;FF[4]N[{n}];B[d d]\n"),
        500 => format!("junk (;FF[4]N[{n}]foo;B[d d])\n"),
        _ => format!("(;FF[4]N[{n}]C[a comment that takes some bytes];B[dd];W[pp])\n"),
    });
    fs::write(folder.join("100 large.sgf"), games.collect::<String>()).unwrap();
    fs::write(folder.join("150 none.sgf"), "hello").unwrap();
    fs::write(folder.join("200 wide.sgf"), wide("\u{FEFF}(;FF[4]PB[\u{E9}];B[dd]")).unwrap();
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The names and contents of all files.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

#[test]
fn the_number_of_threads_does_not_show() {
    let folder = directory("in-place-threads");
    many_files(&folder);
    let before = contents(&folder);
    for way in [
        &["fmt", "--check"][..],
        &["fmt", "--check", "--exact"],
        &["fmt", "--write"],
        &["fmt", "--write", "--exact"],
        &["fmt", "--write", "--exact", "--lossy"],
        &["check", "--fix"],
        &["check", "--fix", "--lossy", "--max", "3"],
        &["check", "--fix", "--json"],
        &["check", "--fix", "--dry-run"],
    ] {
        let results = ["1", "2", "5"].map(|threads| {
            for (name, bytes) in &before {
                fs::write(folder.join(name), bytes).unwrap();
            }
            let run = run(&[way, &["--threads", threads, str(&folder)]].concat());
            (run.stdout, run.stderr, run.code, contents(&folder))
        });
        // `fmt` only warns of the file without SGF data, and refuses the one in UTF-16 in exact style.
        assert_eq!(results[0].2, Some(i32::from(way != ["fmt", "--write"])), "{way:?}");
        assert!(results[0] == results[1] && results[0] == results[2], "{way:?}: {}", results[0].1);
        let is_written = !way.contains(&"--check") && !way.contains(&"--dry-run");
        assert_eq!(results[0].3 != before, is_written, "{way:?}");
        if way == ["fmt", "--write", "--exact"] {
            // Each file has become what goes to standard output.
            for ((name, old), (_, new)) in before.iter().zip(&results[0].3).filter(|(old, new)| old != new) {
                assert!(super::run_with(old, &["fmt", "--exact", "-"]).stdout == *new, "{name}");
            }
        }
    }
}

#[test]
fn a_file_without_changes_is_not_written() {
    for way in [&["fmt", "--write", "--exact"][..], &["check", "--fix"]] {
        for games in [1, 50_000] {
            let folder = directory("in-place-unchanged");
            let file = folder.join("a.sgf");
            fs::write(&file, b"(;FF[4];B[aa]C[text])\n".repeat(games)).unwrap();
            // One that may not be written to is refused only if it would change.
            fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
            let before = fs::metadata(&file).unwrap();
            let run = run(&[way, &[str(&file)]].concat());
            assert_eq!(run.code, Some(0), "{way:?}: {}", run.stderr);
            let after = fs::metadata(&file).unwrap();
            assert_eq!((after.ino(), after.modified().unwrap()), (before.ino(), before.modified().unwrap()), "{way:?}");
        }
    }
}

#[test]
fn what_is_between_the_changes_is_copied() {
    let sound = "(;FF[4];B[aa]C[text])\n".repeat(70_000); // 1.5 MB
    let (faulty, fixed) = ("(;FF[4]SZ[9:9];B[bb]", "(;FF[4]SZ[9];B[bb])");
    let cases = [
        [&sound, faulty].concat(),
        [faulty, &sound].concat(),
        [&sound, faulty, &sound].concat(),
        [faulty, &sound, faulty, &sound, faulty].concat(),
    ];
    for input in cases {
        let folder = directory("in-place-parts");
        let file = folder.join("a.sgf");
        fs::write(&file, &input).unwrap();
        let dry = run(&["check", "--fix", "--dry-run", str(&file)]);
        let hunks = dry.lines().iter().filter(|line| line.starts_with("@@")).count();
        assert_eq!((hunks, dry.code), (input.matches(faulty).count(), Some(0)), "{}", dry.stderr);
        rewrite(&["check", "--fix"], &file);
        assert!(fs::read_to_string(&file).unwrap() == input.replace(faulty, fixed));
        assert_eq!(names(&folder), ["a.sgf"]);
    }
}

/// The end of a file may have what its start has not.
#[test]
fn large_files_in_two_bytes_are_transcoded_as_a_whole_or_not_at_all() {
    let text = format!("\u{FEFF}{}", "(;FF[4];B[aa]C[\u{E9}])\n".repeat(70_000));
    let (sound, mut bad) = (wide(&text), wide(&text));
    bad.extend_from_slice(b"\0\xD8\n\0");
    for (input, refusal) in [(&sound, "without --exact, `sgf fmt` converts it to UTF-8"), (&bad, "not valid ")] {
        let folder = directory("in-place-wide");
        let file = folder.join("a.sgf");
        fs::write(&file, input).unwrap();
        // Exact style copies it.
        let exact = run(&["fmt", "--exact", str(&file)]);
        assert!(exact.stdout == *input && exact.stderr.contains(refusal), "{}", exact.stderr);
        assert_eq!(exact.code, Some(1));
        for way in [&["fmt", "--exact", "--write"][..], &["check", "--fix"]] {
            let kept = run(&[way, &[str(&file)]].concat());
            assert!(kept.stderr.contains("UTF-16LE"), "{way:?}: {}", kept.stderr);
            assert!(fs::read(&file).unwrap() == *input, "{way:?}");
        }
        let written = run(&["fmt", "--write", str(&file)]);
        let new = fs::read(&file).unwrap();
        assert_eq!(names(&folder), ["a.sgf"]);
        if input == &sound {
            assert!(str::from_utf8(&new).is_ok_and(|new| new.matches('\u{E9}').count() == 70_000));
            assert_eq!(written.code, Some(0), "{}", written.stderr);
        } else {
            assert!(
                new == bad && written.stderr.contains("contains bytes that are invalid in its charset"),
                "{}",
                written.stderr
            );
            assert_eq!(written.code, Some(1));
        }
    }
}
