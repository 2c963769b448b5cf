//! What a terminal may be given: text without commands, colors and messages as they are wanted, names as they are.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{command, directory, run, run_with, str};

/// Commands to a terminal, and characters that are not seen.
const HIDDEN: &str = "\x1B[2J\u{9B}31m\u{7F}\u{202A}\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}\u{200B}\u{FEFF}";

fn is_hidden(char: char) -> bool {
    char.is_control() && char != '\n' || HIDDEN.contains(char) && !char.is_ascii_graphic()
}

#[test]
fn hidden_characters_of_files_are_escapes_in_every_subcommand() {
    let dir = directory("terminal/hidden");
    let file = dir.join(format!("{HIDDEN}.sgf"));
    // In names, texts, values that are not of their type, versions, and between identifiers.
    let game = format!(
        "(;FF[4]GM[1]SZ[19]AP[{HIDDEN}:1]PB[{HIDDEN}]PW[w]RE[{HIDDEN}]DT[{HIDDEN}]N[{HIDDEN}]C[{HIDDEN}]KM[{HIDDEN}]\
         ;B[{HIDDEN}]C[{HIDDEN}]N[{HIDDEN}]\n;W[dd]TE[{HIDDEN}]{HIDDEN})(;CA[{HIDDEN}])"
    );
    fs::write(&file, &game).unwrap();
    let file = str(&file);
    for args in [
        &["scan"][..],
        &["check"],
        &["check", "--summary"],
        &["check", "--strict", "--max", "0"],
        &["records"],
        &["records", "--strict"],
        &["show", "--tree"],
        &["show", "--tree", "--comments", "--raw"],
        &["fmt", "--check"],
        &["events"],
        &["scan", "--json"],
        &["check", "--json"],
        &["check", "--json", "--summary"],
        &["show", "--tree", "--json"],
        &["split", "--parts", "1", "--json"],
    ] {
        let run = run(&[args, &[file]].concat());
        assert!(!run.stdout.is_empty() || !run.stderr.is_empty(), "{args:?}");
        for text in [run.text(), &run.stderr] {
            assert!(!text.chars().any(is_hidden), "{args:?}: {text:?}");
        }
    }
    // Shown, and not left out.
    let tree = run(&["show", "--tree", file]);
    assert!(tree.text().contains(r"\u{1b}[2J\u{9b}31m\u{7f}\u{202a}\u{202e}\u{2066}\u{2069}"), "{}", tree.text());
    let checked = run(&["check", file]);
    assert!(checked.text().contains(r"error[") && checked.text().contains(r"RE[\u{1b}[2J"), "{}", checked.text());
    // JSON has all of them.
    let records = run(&["records", "--fields", "file,PB", file]);
    assert_eq!(serde_json::from_str::<Value>(records.lines()[0]).unwrap(), json!({ "file": file, "PB": HIDDEN }));
    let missing = run(&["scan", &format!("{HIDDEN}.sgf")]);
    assert!(missing.stderr.starts_with(r"sgf: error: \u{1b}[2J"), "{}", missing.stderr);
}

#[test]
fn colors_are_there_where_they_are_wanted() {
    let color_of = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(args);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}");
        output.stdout.contains(&0x1B)
    };
    let file = directory("terminal/colors").join("a.sgf");
    fs::write(&file, "(;FF[4]PB[x];B[dd]W[pp])").unwrap();
    for subcommand in [&["check"][..], &["show", "--tree"]] {
        let args = [subcommand, &[str(&file)]].concat();
        for (color, variables, expected) in [
            ("auto", &[][..], false),
            ("always", &[], true),
            ("always", &[("NO_COLOR", "1")], true),
            ("never", &[("CLICOLOR_FORCE", "1")], false),
            ("auto", &[("CLICOLOR_FORCE", "1")], true),
            ("auto", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        ] {
            assert_eq!(
                color_of(&[&args[..], &["--color", color]].concat(), variables),
                expected,
                "{subcommand:?} {color}"
            );
        }
        assert!(color_of(&[&["--color=always"], &args[..]].concat(), &[]), "before the subcommand");
    }
    assert_eq!(run(&["check", "--color", "sometimes", "-"]).code, Some(2));
}

#[test]
fn quiet_leaves_results_and_what_could_not_be_done() {
    let dir = directory("terminal/quiet");
    let file = dir.join("a.sgf");
    fs::write(&file, "(;FF[4];B[dd]W[pp])(;PB[\u{FFFD}];B[dd]C[cut").unwrap();
    let file = str(&file);
    let checked = run(&["check", "--quiet", file]);
    assert!(checked.text().starts_with("error[two-moves]: ") && !checked.text().contains("help"), "{}", checked.text());
    assert!(!checked.text().contains("in 1 of 1 file"), "{}", checked.text());
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(1), ""));
    assert_eq!(run_with(b"(;FF[4];B[dd])", &["-q", "check", "-"]).text(), "");
    let summary = run(&["check", "--quiet", "--summary", file]);
    assert!(summary.text().contains("diagnostics    files  rule"), "{}", summary.text());

    let all = run(&["records", "--strict", file]);
    let quiet = run(&["records", "--strict", "-q", file]);
    assert!(!all.stderr.is_empty());
    assert_eq!((quiet.stdout, quiet.stderr.as_str(), quiet.code), (all.stdout, "", Some(1)));

    for subcommand in [&["scan"][..], &["records"], &["check"], &["show", "--tree"], &["dups"]] {
        let run = run(&[subcommand, &["-q", file, "no-such-file"]].concat());
        assert_eq!(run.code, Some(2), "{subcommand:?}");
        assert!(run.stderr.contains("sgf: error: no-such-file: "), "{subcommand:?}: {}", run.stderr);
    }
}

/// JSON also has names that are not UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_exact_in_json() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = directory("terminal/names");
    let name: &[u8] = b"caf\xE9/\xBA\xC5.sgf";
    let path = dir.join(OsStr::from_bytes(name));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "(;FF[4];B[dd]W[pp]C[long])").unwrap();
    fs::write(dir.join("caf\u{E9}.sgf"), "(;FF[4];B[dd]W[pp])").unwrap();
    let bytes = [str(&dir).as_bytes(), b"/", name].concat();
    let exact = json!(STANDARD.encode(&bytes));
    let lossy = json!(format!("{}/caf\u{FFFD}/\u{FFFD}\u{FFFD}.sgf", str(&dir)));
    let find = |value: &Value| (value["file"] == lossy).then(|| value["path_base64"].clone());

    let args = |args: &[&str]| run(&[args, &[str(&dir)]].concat());
    let values = |run: super::Run| -> Vec<Value> {
        run.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for subcommand in [&["check", "--json"][..], &["records"], &["show", "--tree", "--json"]] {
        let lines = values(args(subcommand));
        assert_eq!(lines.iter().filter_map(find).collect::<Vec<_>>(), std::slice::from_ref(&exact), "{subcommand:?}");
        assert_eq!(lines.iter().filter(|line| line.get("path_base64").is_some()).count(), 1, "{subcommand:?}");
    }
    let scan = args(&["scan", "--json"]).json();
    assert_eq!(find(&scan["longest_value"]), Some(exact.clone()), "{scan}");
    let summary = args(&["check", "--json", "--summary"]).json();
    let directory = summary["by_directory"].as_array().unwrap().iter().find_map(|row| row.get("path_base64")).cloned();
    assert_eq!(directory, Some(json!(STANDARD.encode(&bytes[..bytes.len() - b"/\xBA\xC5.sgf".len()]))), "{summary}");
    let split = command(&["split", "--json", "--parts", "1"]).arg(&path).output().unwrap();
    assert_eq!(find(&serde_json::from_slice(&split.stdout).unwrap()), Some(exact.clone()));

    fs::write(&path, "no game").unwrap();
    let scan = args(&["scan", "--json"]).json();
    assert_eq!(find(&scan["errors"][0]), Some(exact));
    // Of CSV, where there is only text, the name is what can be shown of it.
    let csv =
        command(&["records", "--format", "csv", "--fields", "file"]).arg(dir.join("caf\u{E9}.sgf")).output().unwrap();
    assert_eq!(String::from_utf8(csv.stdout).unwrap(), format!("file\n{}/caf\u{E9}.sgf\n", str(&dir)));
}

#[test]
fn formats_that_are_not_read_are_named() {
    let dir = directory("terminal/formats");
    for (name, bytes, what) in [
        ("a.7z", &b"7z\xBC\xAF\x27\x1C\0\x04\x8D"[..], "a 7-Zip archive"),
        ("a.sgf", b"Rar!\x1A\x07\x01\0", "a RAR archive"),
        ("a.sgf.lz4", b"\x04\x22\x4D\x18\x64\x40", "a file compressed with LZ4"),
        ("a.sgf.br", b"\x0B\x02\x80(;FF[4])\x03", "a file compressed with Brotli"),
        ("a.sgf.Z", b"\x1F\x9D\x90\x28", "a file compressed with compress"),
    ] {
        let file = dir.join(name);
        fs::write(&file, bytes).unwrap();
        let file = str(&file);
        let expected = format!("sgf: error: {file}: it is {what}, which is not supported; unpack it first\n");
        for args in [
            &["scan"][..],
            &["records"],
            &["check"],
            &["show", "--tree"],
            &["events"],
            &["fmt"],
            &["fmt", "--check"],
            &["split", "--parts", "2"],
        ] {
            let run = run(&[args, &[file]].concat());
            assert_eq!((run.stderr.as_str(), run.code), (&*expected, Some(2)), "{args:?}");
        }
        let scan = run(&["scan", "--json", file]).json();
        assert_eq!((&scan["errors"][0]["line"], &scan["files"]), (&Value::Null, &json!(0)));
        fs::remove_file(file).unwrap();
    }
    let piped = run_with(b"7z\xBC\xAF\x27\x1C\0\x04\x8D", &["scan", "-"]);
    assert!(piped.stderr.starts_with("sgf: error: -: it is a 7-Zip archive"), "{}", piped.stderr);
    // A game in a file of such a name is a game.
    let file = dir.join("game.7z");
    fs::write(&file, "mail\n(;FF[4])").unwrap();
    assert_eq!(run(&["scan", "--json", str(&file)]).json()["games"], 1);
}
