//! What all subcommands have in common: the options that choose inputs, the order of `--help`, exit codes, completions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::pack::{Zipped, tar, zip, zipped};
use super::{Run, directory, run, run_with, str};

const GAME: &[u8] = b"(;GM[1]FF[4]SZ[9]PB[One];B[aa];W[bb])";

/// The subcommands that take any number of PATHs, with what they need besides.
const COMMANDS: [&[&str]; 17] = [
    &["scan"],
    &["records"],
    &["find", "X.O"],
    &["openings"],
    &["check"],
    &["check", "--fix"],
    &["fmt", "--check"],
    &["fmt", "--write"],
    &["edit", "--mirror", "--write"],
    &["edit", "--merge"],
    &["show", "--tree"],
    &["show", "--print"],
    &["dups"],
    &["names"],
    &["report", "--json", "-"],
    &["split", "--games", "--dry-run", "--to", "/nonexistent"],
    &["check", "--list"],
];

/// Returns the subcommands that read SGF files, from the help of `sgf`, so that the lists here cannot lack a new one.
pub(super) fn subcommands() -> Vec<String> {
    let run = run(&["--help"]);
    let commands = run.text().split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(' ')).map(|(name, _)| name);
    // `sgf-sql` runs two of them, and three read no SGF.
    let others = ["", "sql", "filter", "completions", "man", "help"];
    // `events` is hidden.
    names.filter(|name| !others.contains(name)).chain(["events"]).map(str::to_owned).collect()
}

#[test]
fn each_subcommand_is_in_the_lists() {
    let names = subcommands();
    assert!(names.len() >= 10, "{names:?}");
    let readme = include_str!("../../../../README.md");
    for name in names {
        // `events` reads one file, `diff` two, and `index` needs a directory of its own.
        assert!(
            ["events", "diff", "index"].contains(&&*name) || COMMANDS.iter().any(|command| command[0] == name),
            "COMMANDS lacks {name}"
        );
        assert!(
            ["diff", "index"].contains(&&*name) || WITHOUT_SGF.iter().any(|(command, _)| command[0] == name),
            "WITHOUT_SGF lacks {name}"
        );
        assert!(readme.contains(&format!("`sgf {name} ")), "the README lacks {name}");
    }
}

/// Writes files of a game, and archives, into a directory.
fn files(name: &str, names: &[&str]) -> std::path::PathBuf {
    let top = directory(&format!("command_line/{name}"));
    for name in names {
        let path = top.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let bytes = match path.extension().and_then(|extension| extension.to_str()) {
            Some("zip") => {
                zip(&[Zipped { method: 8, ..zipped("a.sgf", GAME) }, Zipped { method: 8, ..zipped("old/b.sgf", GAME) }])
            }
            Some("tar") => tar(&[("./a.sgf", GAME), ("./old/b.sgf", GAME), ("./old/c/d.sgf", GAME)]),
            _ => GAME.to_vec(),
        };
        fs::write(path, bytes).unwrap();
    }
    top
}

/// The files of the records, without the directory.
fn found(run: &Run, top: &Path) -> Vec<String> {
    let front = format!("{}/", str(top));
    run.lines().iter().skip(1).map(|line| line.strip_prefix(&front).unwrap_or(line).to_owned()).collect()
}

const FILES: [&str; 4] = ["records", "--format", "csv", "--columns=file"];

fn list(names: &[&Path]) -> Vec<u8> {
    names.iter().flat_map(|name| [str(name).as_bytes(), b"\0"].concat()).collect()
}

#[test]
fn a_list_of_names_is_one_run() {
    let top = files("list", &["b.sgf", "a b.sgf", "x/c.sgf", "line\nbreak.sgf", "x.zip"]);
    let names: Vec<_> = ["x/c.sgf", "b.sgf", "line\nbreak.sgf", "a b.sgf"].iter().map(|name| top.join(name)).collect();
    let mut names: Vec<&Path> = names.iter().map(|name| &**name).collect();
    let piped = run_with(&list(&names), &[&FILES[..], &["--files0-from", "-"]].concat());
    assert_eq!((piped.code, piped.stderr.as_str()), (Some(0), ""));
    let expected = format!("file\n{0}/x/c.sgf\n{0}/b.sgf\n\"{0}/line\nbreak.sgf\"\n{0}/a b.sgf\n", str(&top));
    assert_eq!(piped.text(), expected);
    // From a file, without a NUL byte at its end, and with a directory among the names.
    let directory = top.join("x");
    names.push(&directory);
    let file = top.join("names");
    fs::write(&file, list(&names).strip_suffix(b"\0").unwrap()).unwrap();
    let read = run(&[&FILES[..], &["--files0-from", str(&file)]].concat());
    assert_eq!((read.text().lines().count(), read.code), (7, Some(0)));
    // The same rows as of the directory, in every subcommand that prints the same whatever the order of files is.
    let mut all: Vec<_> =
        ["a b.sgf", "b.sgf", "line\nbreak.sgf", "x.zip", "x/c.sgf"].map(|name| top.join(name)).to_vec();
    all.sort();
    let all = list(&all.iter().map(|name| &**name).collect::<Vec<_>>());
    for command in COMMANDS {
        let (whole, listed) =
            (run(&[command, &[str(&top)]].concat()), run_with(&all, &[command, &["--files0-from", "-"]].concat()));
        let is_timed = ["scan", "report"].contains(&command[0]);
        assert_eq!(whole.code, listed.code, "{command:?}: {}", listed.stderr);
        assert!(is_timed || whole.stdout == listed.stdout, "{command:?}: {}", listed.text());
    }
}

#[test]
fn lists_that_are_wrong_are_refused_before_anything_is_read() {
    let top = files("wrong", &["a.sgf"]);
    let a = top.join("a.sgf");
    for (list, expected) in [
        (&b"a.sgf\0\0b.sgf\0"[..], "--files0-from: -: name 2 is empty"),
        (b"\0", "--files0-from: -: name 1 is empty"),
        (b"a.sgf\0-\0", "--files0-from: -: name 2 is `-`, but standard input is the list"),
        (
            b"a.sgf\nb.sgf\n",
            "--files0-from: -: the names in the list must end with NUL bytes, as `find -print0` writes them",
        ),
    ] {
        let run = run_with(list, &["scan", "--files0-from", "-"]);
        assert_eq!((run.code, run.text()), (Some(2), ""), "{list:?}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    let both = run_with(b"", &["scan", "--files0-from", "-", str(&a)]);
    assert_eq!(both.code, Some(2));
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
    let missing = run(&["scan", "--files0-from", "/nonexistent/list"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("--files0-from: /nonexistent/list: No such file"), "{}", missing.stderr);
    // As of `find` that finds nothing.
    let none = run_with(b"", &[&FILES[..], &["--files0-from", "-"]].concat());
    assert_eq!((none.text(), none.stderr.as_str(), none.code), ("file\n", "", Some(0)));
    assert_eq!(run(&["scan"]).code, Some(2), "no PATH");
}

#[test]
fn files_directories_and_members_can_be_excluded() {
    let top =
        files("exclude", &["a.sgf", "a-draft.sgf", "old/b.sgf", "new/old/c.sgf", "new/d.sgf", "x.zip", "new/y.tar"]);
    let all = [
        "a-draft.sgf",
        "a.sgf",
        "new/d.sgf",
        "new/old/c.sgf",
        "new/y.tar!/a.sgf",
        "new/y.tar!/old/b.sgf",
        "new/y.tar!/old/c/d.sgf",
        "old/b.sgf",
        "x.zip!/a.sgf",
        "x.zip!/old/b.sgf",
    ];
    for (globs, left_out) in [
        (&[][..], &[][..]),
        (&["*-draft.sgf"], &["a-draft.sgf"][..]),
        (
            &["old"],
            &["new/old/c.sgf", "new/y.tar!/old/b.sgf", "new/y.tar!/old/c/d.sgf", "old/b.sgf", "x.zip!/old/b.sgf"],
        ),
        (&["/old/b.sgf"], &["new/y.tar!/old/b.sgf", "old/b.sgf", "x.zip!/old/b.sgf"]),
        (&["new/old"], &["new/old/c.sgf"]),
        (&["*.zip", "*.tar"], &all[4..7].iter().chain(&all[8..]).copied().collect::<Vec<_>>()[..]),
        (&["*/c"], &["new/y.tar!/old/c/d.sgf"]),
        (&["**/c*"], &["new/old/c.sgf", "new/y.tar!/old/c/d.sgf"]),
        (&["*.SGF"], &[]),
    ] {
        let options: Vec<_> = globs.iter().flat_map(|glob| ["--exclude", *glob]).collect();
        let run = run(&[&FILES[..], &options, &[str(&top)]].concat());
        let expected: Vec<_> = all.iter().filter(|file| !left_out.contains(file)).collect();
        assert_eq!(found(&run, &top).iter().collect::<Vec<_>>(), expected, "{globs:?}");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{globs:?}");
    }
    // A file that was named, and members that are read as a stream.
    let (a, zip) = (top.join("a.sgf"), top.join("x.zip"));
    assert_eq!(run(&[&FILES[..], &["--exclude", "a.*", str(&a)]].concat()).text(), "file\n");
    let piped = run_with(&fs::read(zip).unwrap(), &[&FILES[..], &["--exclude", "old", "-"]].concat());
    assert_eq!(piped.text(), "file\n-!/a.sgf\n");
    // In every subcommand.
    for command in COMMANDS {
        let run = run(&[command, &["--exclude", "*", str(&top)]].concat());
        let code = i32::from(["find", "openings"].contains(&command[0])); // no game matches
        assert_eq!(run.code, Some(code), "{command:?}: {}", run.stderr);
        assert!(run.stderr.contains(": no SGF files or archives in "), "{command:?}: {}", run.stderr);
        assert!(!run.text().contains("a.sgf"), "{command:?}: {}", run.text());
    }
    let wrong = run(&["scan", "--exclude", "[a", str(&a)]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("unclosed character class"), "{}", wrong.stderr);
}

#[test]
#[cfg(unix)]
fn links_are_followed_if_that_is_wanted() {
    use std::os::unix::fs::symlink;

    let top = files("links", &["in/a.sgf", "out/b.sgf", "out/c.sgf"]);
    let inside = top.join("in");
    symlink("../out", inside.join("linked")).unwrap();
    symlink("../out/b.sgf", inside.join("b.sgf")).unwrap();
    symlink("missing", inside.join("missing.txt")).unwrap();
    let plain = run(&[&FILES[..], &[str(&inside)]].concat());
    assert_eq!((found(&plain, &inside), plain.code), (vec!["a.sgf".to_owned()], Some(0)));
    let followed = run(&[&FILES[..], &["-L", str(&inside)]].concat());
    assert_eq!(found(&followed, &inside), ["a.sgf", "b.sgf", "linked/b.sgf", "linked/c.sgf"]);
    assert_eq!(
        (followed.code, followed.stderr.as_str()),
        (Some(0), ""),
        "a dead link to no SGF is none of its business"
    );
    // A loop and a dead link are reported, and the rest is read.
    symlink("..", inside.join("loop")).unwrap();
    symlink("missing.sgf", inside.join("z.sgf")).unwrap();
    let looped = run(&[&FILES[..], &["--follow", str(&inside)]].concat());
    assert_eq!(looped.code, Some(2));
    assert!(found(&looped, &inside).contains(&"linked/c.sgf".to_owned()), "{}", looped.text());
    let (at, back) = (inside.join("loop"), &top);
    let message = format!("sgf: error: {}: a link back to {}, which is not followed\n", str(&at), str(back));
    assert!(looped.stderr.contains(&message), "{}", looped.stderr);
    assert!(looped.stderr.contains("z.sgf: No such file"), "{}", looped.stderr);
}

#[test]
fn help_begins_with_the_options_of_the_subcommand_and_ends_with_limits() {
    for command in &subcommands() {
        let (long, short) = (run(&[command, "--help"]), run(&[command, "-h"]));
        let at = |text: &str| long.text().find(text).unwrap_or_else(|| panic!("{command}: {text}: {}", long.text()));
        let limits = at("\nLimits of archives and compressed files:\n");
        assert!(at("\nOptions:\n") < at("\nExit codes:\n") && at("\nExit codes:\n") < limits, "{command}");
        let lines: Vec<_> = long.text()[limits..].trim().lines().collect();
        assert_eq!(lines.len(), 6, "{command}: {lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{command}: {lines:?}");
        assert!(lines[1].starts_with("  --max-unpacked SIZE ") && lines[1].ends_with(" [1T]"), "{command}: {lines:?}");
        assert_eq!(long.text().matches("--max-unpacked").count(), 1, "{command}");
        assert!(!short.text().contains("--max-unpacked"), "{command}");
        if command != "events" {
            assert!(at("\nOptions:\n") < at("\nInputs:\n      --files0-from"), "{command}");
            let options = &long.text()[at("\nOptions:\n")..at("\nInputs:\n      --files0-from")];
            let first = options.lines().find(|line| line.trim_start().starts_with('-')).unwrap();
            assert!(!first.contains("--quiet") && !first.contains("--threads"), "{command}: {first}");
            for option in ["--exclude", "-L, --follow"] {
                assert!(short.text().contains(option), "{command}: {option}");
            }
        }
    }
}

/// Options that a text names: `--word`, but not `--word:` of a style sheet.
fn options_in(text: &str) -> Vec<String> {
    let is_part = |byte: u8| byte == b'-' || byte == b'_' || byte.is_ascii_alphanumeric();
    let starts = text.match_indices("--").map(|(at, _)| at);
    let own = starts.filter(|&at| at == 0 || !is_part(text.as_bytes()[at - 1]));
    let words = own.map(|at| text[at..].split_at(text[at..].bytes().take_while(|&byte| is_part(byte)).count()));
    let is_option = |(word, after): &(&str, &str)| {
        word.len() > 3 && word.as_bytes()[2].is_ascii_lowercase() && !after.starts_with(':')
    };
    words.filter(is_option).map(|(word, _)| word.to_owned()).collect()
}

/// Each option in a help text or a message exists, and in `sgf NAME --option` it is one of that command.
#[test]
fn help_and_messages_name_options_that_exist() {
    let help_of = |name: String| (run(&[&name, "--help"]).text().to_owned(), name);
    let helps: Vec<(String, String)> = subcommands().into_iter().map(help_of).collect();
    let declared = |help: &str| -> BTreeSet<String> {
        let is_option = |line: &&str| line.starts_with(' ') && line.trim_start().starts_with('-');
        help.lines().filter(is_option).filter_map(|line| options_in(line).into_iter().next()).collect()
    };
    let options: BTreeMap<&str, BTreeSet<String>> =
        helps.iter().map(|(help, name)| (name.as_str(), declared(help))).collect();
    assert!(options.len() == 15 && options["records"].len() > 15, "{options:?}");
    let command = regex::Regex::new("\\bsgf ([a-z]+)([^`\n]*)").unwrap();
    for (help, name) in &helps {
        let joined = help.split('`').enumerate().map(|(n, part)| {
            // A command in backticks may be broken into two lines.
            if n % 2 == 1 {
                format!("\nsgf: {}\n", part.split_whitespace().collect::<Vec<_>>().join(" "))
            } else {
                part.to_owned()
            }
        });
        for line in joined.collect::<String>().lines() {
            let of = command.captures(line).map_or(name.as_str(), |found| found.get(1).unwrap().as_str());
            let Some(known) = options.get(of) else { continue }; // `sgf sql`
            for option in options_in(line) {
                // `sgf names` writes the file of this option of others.
                let is_of_others = (name.as_str(), &*option) == ("names", "--names");
                assert!(known.contains(&option) || is_of_others, "help of {name}: {option} of `sgf {of}`: {line}");
            }
        }
    }
    let others = ["synth", "completions", "man"].map(|name| declared(run(&[name, "--help"]).text()));
    let all: BTreeSet<&String> = options.values().chain(&others).flatten().collect();
    let sources = ["src", "../sgf-input/src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let mut folders: Vec<PathBuf> = sources.into_iter().filter(|folder| folder.is_dir()).collect();
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).unwrap();
                let code = source.split("#[cfg(test)]").next().unwrap_or_default();
                // `cargo install --path crates/sgf-cli`
                let is_message = |line: &&str| {
                    let is_comment = line.trim_start().starts_with("//") && !line.trim_start().starts_with("///");
                    !is_comment && !line.contains("cargo ")
                };
                for line in code.lines().filter(is_message) {
                    for option in options_in(line).into_iter().filter(|option| option != "--version") {
                        assert!(all.contains(&option), "{}: {option}: {line}", path.display());
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// Commands that get a file without SGF, and their exit codes. `PICTURE` is a file, and `DIRECTORY` a directory.
const WITHOUT_SGF: &[(&[&str], i32)] = &[
    (&["scan"], 0),
    (&["dups"], 0),
    (&["names"], 0),
    (&["report", "--json", "-"], 0),
    (&["records"], 0),
    (&["records", "--format", "csv"], 0),
    (&["fmt"], 0),
    (&["fmt", "--exact"], 0),
    (&["fmt", "--check"], 0),
    (&["fmt", "--write"], 0),
    (&["edit", "--mirror"], 0),
    (&["edit", "--mirror", "--write"], 0),
    (&["edit", "--merge"], 0),
    (&["show", "--tree"], 0),
    (&["show"], 0),
    (&["show", "-o", "PICTURE"], 0),
    (&["show", "-o", "DIRECTORY"], 0),
    (&["split", "--parts", "2"], 0),
    (&["split", "--bytes", "1K"], 0),
    (&["split", "--games", "--to", "DIRECTORY"], 0),
    (&["split", "--games", "--dry-run", "--to", "DIRECTORY"], 0),
    // No game matches.
    (&["find", "X"], 1),
    (&["find", "X", "--statistics"], 1),
    (&["openings"], 1),
    // It is an error of theirs.
    (&["events"], 1),
    (&["events", "--strict"], 1),
    (&["check"], 1),
    (&["check", "--summary"], 1),
    (&["check", "--json"], 1),
    (&["check", "--list"], 1),
    (&["check", "--fix"], 1),
    (&["check", "--fix", "--dry-run"], 1),
];

#[test]
fn a_file_without_sgf_is_an_error_for_the_checker_and_a_warning_otherwise() {
    let top = directory("command_line/no_sgf");
    let file = top.join("a.sgf");
    let to = top.join("to");
    let picture = top.join("a.svg");
    let (to, picture) = (str(&to), str(&picture));
    for bytes in [&b""[..], b"\n", b"hello, (world)\n", &[0, 159, 146, 150, b')', 0], &b"x".repeat(2 << 20)] {
        for &(command, code) in WITHOUT_SGF {
            let place = |arg: &&'static str| match *arg {
                "PICTURE" => picture,
                "DIRECTORY" => to,
                arg => arg,
            };
            let args: Vec<&str> = command.iter().map(place).chain([str(&file)]).collect();
            fs::write(&file, bytes).unwrap();
            fs::create_dir_all(to).unwrap();
            let run = run(&args);
            let name = bytes[..bytes.len().min(9)].escape_ascii();
            assert_eq!(run.code, Some(code), "{command:?}: {name}: {}", run.stderr);
            assert_eq!(fs::read(&file).unwrap(), bytes, "{command:?}: {name}");
            let says = [&*String::from_utf8_lossy(&run.stdout), &*run.stderr].iter().any(|text| {
                text.contains("no SGF data") || text.contains("no-sgf-data") || text.contains("\"fatal\":true")
            });
            assert!(says || command.contains(&"--list"), "{command:?}: {name}: {}", run.stderr);
            let warning = format!("sgf: warning: {}: no SGF data\n", str(&file));
            let is_error = ["check", "events"].contains(&command[0]);
            assert_eq!(run.stderr.contains(&warning), !is_error, "{command:?}: {name}: {}", run.stderr);
        }
    }
    // Among others, which are split.
    let others = files("no_sgf_among", &["a.sgf", "c.sgf"]);
    fs::write(others.join("b.sgf"), b"no").unwrap();
    let split = run(&["split", "--games", "--dry-run", "--to", "x", str(&others)]);
    let message = format!("sgf: warning: {}/b.sgf: no SGF data\n", str(&others));
    assert_eq!((split.lines().len(), split.stderr, split.code), (2, message, Some(0)));
    // Many are one line, and --quiet omits it.
    for name in ["b2.sgf", "b3.sgf"] {
        fs::write(others.join(name), b"no").unwrap();
    }
    let message =
        format!("sgf: warning: {}/b.sgf: no SGF data, as in 2 more files; --verbose names all\n", str(&others));
    for command in [
        &["records"][..],
        &["find", "X", "--count"],
        &["show", "--tree"],
        &["fmt", "--check"],
        &["report", "--json", "-"],
    ] {
        let all = run(&[command, &[str(&others)]].concat());
        assert_eq!(all.stderr.matches("no SGF data").count(), 1, "{command:?}: {}", all.stderr);
        assert!(all.stderr.contains(&message), "{command:?}: {}", all.stderr);
        let quiet = run(&[command, &["--quiet", str(&others)]].concat());
        assert_eq!(quiet.stderr, "", "{command:?}");
        let each = run(&[command, &["--verbose", str(&others)]].concat());
        assert_eq!(each.stderr.matches("no SGF data\n").count(), 3, "{command:?}: {}", each.stderr);
    }
    let list = run(&["check", "--only", "no-sgf-data", "--list", str(&others)]);
    assert_eq!((list.lines().len(), list.code), (3, Some(1)), "{}", list.text());
}

/// This also applies to files that cannot be read, in every command.
#[test]
fn many_files_with_one_problem_are_one_line() {
    let folder = files("one-problem", &["a.sgf"]);
    for name in ["b.sgf.gz", "c.sgf.gz", "d.sgf.gz"] {
        fs::write(folder.join(name), b"\x1f\x8b\x08\0\0\0\0\0\0\0 broken").unwrap();
    }
    let (index, to, page) = (folder.join("index"), folder.join("to"), folder.join("r.html"));
    let (folder, index, to, page) = (str(&folder), str(&index), str(&to), str(&page));
    let commands: &[&[&str]] = &[
        &["scan"],
        &["records"],
        &["check"],
        &["fmt", "--check"],
        &["edit", "--dry-run", "--set", "EV=x"],
        &["dups"],
        &["diff", folder],
        &["names"],
        &["find", "X"],
        &["openings"],
        &["report", "-o", page],
        &["show", "--tree"],
        &["show"],
        &["split", "--games", "--to", to],
        &["index", "-o", index],
    ];
    for command in commands {
        let said = |option: &[&str]| {
            let run = run(&[command, option, &[folder]].concat());
            assert_eq!(run.code, Some(2), "{command:?}: {}", run.stderr);
            let lines = run.stderr.lines().filter(|line| line.contains(".sgf.gz"));
            lines.map(str::to_owned).collect::<Vec<String>>()
        };
        let [summed, quiet, all] = [&[][..], &["--quiet"], &["--verbose"]].map(said);
        let more = if command[0] == "diff" { ", as in 5 more files; " } else { ", as in 2 more files; " };
        assert!(
            summed.len() == 1 && summed[0].contains("b.sgf.gz") && summed[0].contains(more),
            "{command:?}: {summed:?}"
        );
        assert_eq!(quiet, summed, "{command:?}");
        assert_eq!(all.len(), if command[0] == "diff" { 6 } else { 3 }, "{command:?}: {all:?}");
    }
}

#[test]
fn a_directory_without_files_is_a_warning() {
    let empty = directory("command_line/empty");
    fs::write(empty.join("notes.txt"), "(;)").unwrap();
    for command in [
        &["scan"][..],
        &["records"],
        &["check"],
        &["dups"],
        &["names"],
        &["show", "--tree"],
        &["split", "--games", "--to", "x"],
    ] {
        let run = run(&[command, &[str(&empty)]].concat());
        let message = format!("sgf: warning: no SGF files or archives in {}; ", str(&empty));
        assert!(run.stderr.starts_with(&message), "{command:?}: {}", run.stderr);
        assert_eq!(run.code, Some(0), "{command:?}");
    }
}

#[test]
fn wrong_names_get_hints() {
    for (args, hint) in [
        (&["check", "--only", "bad-valeu", "-"][..], "unknown rule 'bad-valeu'; did you mean 'bad-value'? ("),
        (&["check", "--explain", "two-moevs"], "did you mean 'two-moves'?"),
        (&["records", "--charset", "utf8x", "-"], "unknown charset; did you mean 'UTF-8'?"),
        (&["fmt", "--default-charset", "Shift-JSI", "-"], "unknown charset; did you mean 'Shift_JIS'?"),
    ] {
        let run = run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(hint), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn completions_know_names() {
    // Bash is on every machine that runs the tests; the other shells have tests beside the code.
    let script = run(&["completions", "bash"]);
    let completes = |words: &str| {
        let program = format!(
            "{}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _sgf sgf \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\" 2>/dev/null; echo \"${{COMPREPLY[*]}}\"",
            script.text()
        );
        let output = std::process::Command::new("bash").args(["--norc", "-c", &program]).output().ok()?;
        Some(String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
    };
    for (words, expected) in [
        ("sgf check --only bad-v", "bad-value"),
        ("sgf check --only two-moves,bad-v", "two-moves,bad-value"),
        ("sgf check --explain no-s", "no-sgf-data"),
        ("sgf records --columns white,black_r", "white,black_rank white,black_rank_n"),
        ("sgf records --default-charset Shi", "Shift_JIS"),
        ("sgf records --format c", "csv"),
    ] {
        match completes(words) {
            Some(found) => assert_eq!(found, expected, "{words}"),
            None => eprintln!("no bash here"),
        }
    }
}

#[test]
fn options_that_need_another_are_refused_where_that_is_excluded() {
    for args in [
        &["fmt", "--write", "-0"][..],
        &["fmt", "--check", "--sync"],
        &["check", "--json", "-0"],
        &["check", "--summary", "-0"],
        &["check", "--fix", "-0"],
        &["check", "-l", "--lossy"],
        &["check", "-l", "--dry-run"],
        &["check", "-l", "--guess-charset"],
        &["check", "-l", "--sync"],
        &["show", "--format", "svg", "--ascii"],
        &["show", "--format", "svg", "--print"],
    ] {
        let run = run(&[args, &["no-such.sgf"]].concat());
        assert!(run.code == Some(2) && !run.stderr.contains("No such file"), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn a_file_without_sgf_is_an_error_whatever_is_looked_for() {
    let folder = directory("no-sgf");
    let path = folder.join("a.sgf");
    fs::write(&path, "no game").unwrap();
    for args in [&["--only", "two-moves"][..], &["--only", "two-moves", "--fix"], &["-l", "--only", "two-moves"]] {
        let run = run(&[&["check"], args, &[str(&path)]].concat());
        assert_eq!(run.code, Some(1), "{args:?}: {}", run.text());
        assert_eq!(run.text().contains("a.sgf"), args[0] != "-l", "{args:?}: {}", run.text());
    }
    assert_eq!(run(&["check", "--allow", "no-sgf-data", str(&path)]).code, Some(0));
}

#[test]
fn a_list_with_one_name_is_one_file() {
    let folder = directory("list-of-one");
    let (path, list) = (folder.join("a.sgf"), folder.join("list"));
    fs::write(&path, "(;FF[4];B[aa])").unwrap();
    fs::write(&list, [str(&path), "\0"].concat()).unwrap();
    let formatted = run(&["fmt", "--files0-from", str(&list)]);
    assert_eq!((formatted.text(), formatted.code), ("(;FF[4]\n;B[aa])\n", Some(0)));
}
