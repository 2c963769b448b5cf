//! The binary.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

use crate::packed::{gzip, tar};
use crate::support::{archive, ask, directory};

/// Runs the binary in a directory.
fn run(path: &str, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sgf-sql"))
        .args(args)
        .current_dir(path)
        .env("HOME", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Runs the binary, which must succeed without a word on standard error, and returns its output.
fn output(path: &str, args: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(path, args, "");
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(status.success() && stderr.is_empty(), "{args:?}: {status}\n{stderr}");
    String::from_utf8(stdout).unwrap()
}

const GAMES: &[u8] = b"(;PB[a]KM[6.5]DT[1846-09-11]RE[B+2];B[qd];W[dc])\n(;PB[\"x, y\"]KK[z])";

#[tokio::test]
async fn results_have_a_format() {
    let (_directory, path) = directory(&[("d/a.sgf", GAMES)]);
    let query = "SELECT black, komi, date, moves FROM games";
    let table = "black   komi  date        moves\n─────────────────────────────────────\n\
                 a       6.50  1846-09-11  [73, 32809]\n\"x, y\"                    []\n(2 rows)\n";
    assert_eq!(output(&path, &["sql", query, "d"]), table);
    let csv = "black,komi,date,moves\na,6.50,1846-09-11,\"[73, 32809]\"\n\"\"\"x, y\"\"\",,,[]\n";
    assert_eq!(output(&path, &["sql", query, "d", "--format", "csv"]), csv);
    let json = output(&path, &["sql", query, "d", "--format", "json"]);
    assert_eq!(json.lines().next().unwrap(), r#"{"black":"a","komi":6.50,"date":"1846-09-11","moves":[73,32809]}"#);
    for (file, args) in [("o.parquet", ["-o", "o.parquet"]), ("o.arrow", ["-o", "o.arrow"])] {
        assert_eq!(output(&path, &["sql", query, "d", args[0], args[1]]), "");
        assert!(std::fs::metadata(format!("{path}/{file}")).unwrap().len() > 0);
    }
    let ctx = SessionContext::new();
    ctx.register_parquet("o", format!("{path}/o.parquet"), ParquetReadOptions::default()).await.unwrap();
    assert_eq!(ask(&ctx, "SELECT count(*), sum(komi) FROM o").await, "2 6.50");
    let arrow = run(&path, &["sql", query, "d", "--format", "arrow"], "").stdout;
    let rows = StreamReader::try_new(&arrow[..], None).unwrap().map(|batch| batch.unwrap().num_rows());
    assert_eq!(rows.sum::<usize>(), 2);
    // The file is of the one who asked, and a query that fails leaves it as it is.
    let failed =
        run(&path, &["sql", "SELECT komi / 0 FROM games", "d", "-o", "o.parquet", "missing.sgf", "--strict"], "");
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(ask(&ctx, "SELECT count(*) FROM o").await, "2");
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 3, "no temporary file is left");
    assert_eq!(output(&path, &["sql", "SELECT count(*) AS n FROM 'o.parquet'", "--format", "csv"]), "n\n2\n");
}

#[test]
fn errors_point_at_the_query() {
    let (_directory, path) = directory(&[("a.sgf", GAMES)]);
    for (query, expected) in [
        (
            "SELECT black,\n  winer FROM games",
            "sgf-sql: error: unknown column \"winer\"; did you mean \"winner\"? (line 2, column 3)\n  \
             2 |   winer FROM games\n    |   ^^^^^\n",
        ),
        (
            "SELECT black FRM games",
            "sgf-sql: error: Expected: end of statement, found: games (line 1, column 18)\n  \
             1 | SELECT black FRM games\n    |                  ^\n",
        ),
        (
            "SELECT yeer(date) FROM games",
            "sgf-sql: error: Invalid function 'yeer'.\nDid you mean 'year'? (line 1, column 8)",
        ),
        (
            "SELECT black\nFROM games WHERE date > 1960",
            "sgf-sql: error: date is a date, and 1960 is a number; write year(date) > 1960, or a day as in '1960-12-31' \
             (line 2, column 18)\n  2 | FROM games WHERE date > 1960\n    |                  ^^^^\n",
        ),
        (
            "SELECT PB FROM games",
            "sgf-sql: error: unknown column \"pb\"; use \"PB\" in quotes for the property, or the column black (line 1, \
             column 8)\n  1 | SELECT PB FROM games\n    |        ^^\n",
        ),
        (
            "SELECT KK FROM games",
            "sgf-sql: error: unknown column \"kk\"; use \"KK\" in quotes for the property (line 1, column 8)\n",
        ),
        (
            "SELECT xyzzy FROM games",
            "sgf-sql: error: unknown column \"xyzzy\"; `sgf records --table games --list-columns` lists all (line",
        ),
        (
            "SELECT has_moves(black) FROM games",
            "sgf-sql: error: has_moves has 2 arguments, not 1; write has_moves(sgf_moves, 'qdqc')\n",
        ),
        (
            "SELECT * FROM moes",
            "sgf-sql: error: unknown table \"moes\"; did you mean \"moves\"? (add PATHs after the query",
        ),
    ] {
        let output = run(&path, &["sql", query, "a.sgf"], "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(expected) && output.status.code() == Some(2), "{stderr}");
    }
    let output = run(&path, &["filter", "--where", "winer = 'B'", "a.sgf"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let dates = run(&path, &["filter", "--where", "date = 1846", "--count", "a.sgf"], "");
    let message = "sgf-sql: error: date is a date, and 1846 is a number; write year(date) = 1846, or a day as in '1960-12-31' \
                   (line 1, column 1)\n  1 | date = 1846\n    | ^^^^\n";
    assert_eq!((String::from_utf8(dates.stderr).unwrap().as_str(), dates.status.code()), (message, Some(2)));
    assert!(
        stderr.contains("did you mean \"winner\"?") && stderr.contains("\n  1 | winer = 'B'\n    | ^^^^^"),
        "{stderr}"
    );
}

#[test]
fn an_unreadable_file_is_reported_and_not_the_end() {
    let (_directory, path) = directory(&[("a.sgf", GAMES), ("b.sgf", b"no data")]);
    let args = ["sql", "SELECT count(*) AS n FROM games", "--format", "csv", "a.sgf", "b.sgf", "missing.sgf"];
    let output = run(&path, &args, "");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b"n\n2\n"[..]));
    let stderr = String::from_utf8(output.stderr).unwrap();
    let mut lines: Vec<_> = stderr.lines().collect();
    lines.sort_unstable();
    assert!(lines.len() == 2 && lines[0].starts_with("sgf-sql: error: missing.sgf: "), "{stderr}");
    assert!(lines[1].starts_with("sgf-sql: warning: b.sgf: no SGF data"), "{stderr}");
    let output = run(&path, &[&args[..], &["--strict"]].concat(), "");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
}

/// D16: as the codes of the command.
#[test]
fn exit_codes_say_what_happened() {
    let bomb = gzip(&gzip(&gzip(&gzip(&gzip(&gzip(&gzip(&gzip(&gzip(GAMES)))))))));
    let (_directory, path) = directory(&[
        ("d/a.sgf", GAMES),
        ("d/empty.sgf", b""),
        ("d/text.sgf", b"no data"),
        ("d/x.tar", &tar(&[("b.sgf", GAMES), ("c.sgf", b"nothing")])),
        ("e/deep.sgf.gz", &bomb),
        ("e/a.sgf", GAMES),
    ]);
    let said = "sgf-sql: warning: d/empty.sgf: no SGF data, as in 2 more files; `sgf check --verbose` names all\n";
    for (args, code, expected) in [
        (&["sql", "SELECT count(*) AS n FROM games", "d", "--format", "csv"][..], 0, "n\n4\n"),
        (&["sql", "SELECT black FROM games WHERE black = 'none'", "d", "--format", "csv"], 0, "black\n"),
        (&["filter", "--where", "black = 'a'", "d", "--count"], 0, "2\n"),
        (&["filter", "--where", "black = 'none'", "d", "--count"], 1, "0\n"),
        (&["filter", "--where", "black = 'none'", "d", "--list"], 1, ""),
        (&["filter", "--where", "black = 'none'", "d"], 1, ""),
    ] {
        let Output { status, stdout, stderr } = run(&path, args, "");
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(
            (status.code(), String::from_utf8(stdout).unwrap().as_str()),
            (Some(code), expected),
            "{args:?}: {stderr}"
        );
        assert_eq!(stderr, said, "{args:?}");
        let quiet = run(&path, &[args, &["--quiet"]].concat(), "");
        assert_eq!((quiet.status.code(), quiet.stderr.len()), (Some(code), 0), "{args:?}");
    }
    // With --strict, such a file ends no query either; what is not the grammar does.
    let strict = ["sql", "SELECT count(*) AS n FROM games", "--format", "csv", "--strict"];
    for (paths, code) in [(&["d/a.sgf", "d/empty.sgf"][..], 0), (&["d"], 2)] {
        assert_eq!(run(&path, &[&strict[..], paths].concat(), "").status.code(), Some(code), "{paths:?}");
    }
    // What cannot be read may have a game. This program has no option for the limit, so the message names none.
    let filtered = run(&path, &["filter", "--where", "black = 'none'", "e"], "");
    assert_eq!(filtered.status.code(), Some(2));
    let stderr = String::from_utf8(filtered.stderr).unwrap();
    assert!(stderr.ends_with("are nested more than 8 deep\n"), "{stderr}");
}

#[test]
fn properties_are_columns_by_their_quoted_names() {
    let (_directory, path) = directory(&[("a.sgf", GAMES)]);
    let query = "SELECT \"KK\", \"KK_raw\" FROM games WHERE \"KK\" = 'z'";
    assert_eq!(output(&path, &["sql", query, "a.sgf", "--format", "json"]), "{\"KK\":\"z\",\"KK_raw\":[\"7a\"]}\n");
    assert_eq!(output(&path, &["filter", "-w", "\"KK\" = 'z'", "a.sgf"]), "(;PB[\"x, y\"]KK[z])\n");
}

#[test]
fn the_shell_reads_statements_and_commands() {
    let (_directory, path) = directory(&[("a.sgf", GAMES)]);
    let input = "SELECT count(*)\nFROM games;\n\\d\n\\d moves\nSELECT winer FROM games;\nSELECT 'after' AS x;\n\\q\nSELECT 1;\n";
    let output = run(&path, &["sql", "a.sgf"], input);
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(stdout.contains("       2\n(1 row)\ngames\nmoves\nproperties\n"), "{stdout}");
    assert!(stdout.contains("ply              integer    Number of the move in the main line, from 1."), "{stdout}");
    assert!(stdout.ends_with("after\n(1 row)\n") && stderr.contains("did you mean \"winner\"?"), "{stdout}\n{stderr}");
    assert!(output.status.success());
}

#[test]
fn words_of_the_shell_are_commands() {
    let (_directory, path) = directory(&[("a.sgf", GAMES)]);
    for end in ["exit", "quit", "EXIT;", "quit ;", r"\q", r"\quit"] {
        let output = run(&path, &["sql", "a.sgf"], &format!("SELECT 1 AS one;\n{end}\nSELECT 'after' AS x;\n"));
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(
            stdout.contains("(1 row)") && !stdout.contains("after") && stderr.is_empty(),
            "{end}: {stdout}{stderr}"
        );
        assert!(output.status.success());
    }
    for help in ["help", "HELP;", "?", r"\?", r"\h"] {
        let output = run(&path, &["sql", "a.sgf"], &format!("{help}\nSELECT 'after' AS x;\n"));
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.starts_with("End a statement with `;`.") && stdout.contains("after"), "{help}: {stdout}");
    }
    // In a statement, words are parts of it, and the user learns why nothing happens.
    let output = run(&path, &["sql", "a.sgf"], "SELECT 1 AS\nexit\n;\nSELECT 2\n\\q\n");
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(stdout.starts_with("exit") && stdout.matches("row)").count() == 1, "{stdout}");
    assert!(
        stderr.starts_with("sgf-sql: error: the statement before \"exit\" is incomplete; end it with `;`"),
        "{stderr}"
    );
}

/// What `sgf records` and `sgf sql` write, by its extension.
#[test]
fn lines_of_json_are_tables() {
    let (_directory, path) = directory(&[
        ("g.jsonl", b"{\"PB\":\"a\",\"game\":0}\n{\"PB\":\"b\",\"game\":1,\"RE\":\"B+R\"}\n"),
        ("a.sgf", GAMES),
    ]);
    let query = "SELECT \"PB\", game, \"RE\" FROM 'g.jsonl' ORDER BY game";
    assert_eq!(output(&path, &["sql", query, "--format", "csv"]), "PB,game,RE\na,0,\nb,1,B+R\n");
    let join = "SELECT count(*) AS n FROM games g JOIN 'g.jsonl' j ON g.black = j.\"PB\"";
    assert_eq!(output(&path, &["sql", join, "a.sgf", "--format", "csv"]), "n\n1\n");
    for name in ["o.jsonl", "o.ndjson", "o.json", "o.csv", "o.parquet", "o.arrow"] {
        assert_eq!(output(&path, &["sql", "SELECT black, komi FROM games", "a.sgf", "-o", name]), "");
        let sum = format!("SELECT count(*) AS n, sum(komi) AS komi FROM '{name}'");
        let sum = output(&path, &["sql", &sum, "--format", "csv"]);
        assert!(["n,komi\n2,6.5\n", "n,komi\n2,6.50\n"].contains(&sum.as_str()), "{name}: {sum}");
    }
    let stored = "CREATE EXTERNAL TABLE j STORED AS JSONL LOCATION 'g.jsonl'; SELECT count(*) AS n FROM j";
    assert_eq!(output(&path, &["sql", stored, "--format", "csv"]), "n\n2\n");
    // Among the PATHs it is read as SGF, of which it has none.
    let run = run(&path, &["sql", "SELECT count(*) FROM games", "g.jsonl"], "");
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.code() == Some(0) && stderr.contains("quote its name: SELECT … FROM 'g.jsonl'\n"), "{stderr}");
}

#[test]
fn games_are_filtered_byte_for_byte_in_order() {
    let games = archive(5_000);
    let utf16: Vec<u8> = "\u{feff}(;PB[é]RE[B+1])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let packed = gzip(&tar(&[("z.sgf", b"(;PB[z]RE[B+1])"), ("a.sgf", b"x(;PB[a]RE[B+1] )y(;PB[b]RE[W+1])")]));
    let latin: &[u8] = b"(;CA[latin1]PB[\xE9]RE[B+1]) (;PB[c]RE[W+1])";
    let (_directory, path) = directory(&[
        ("1.sgf", games.as_bytes()),
        ("2.tar.gz", &packed),
        ("3.sgf", &utf16),
        ("4.sgf", latin),
        ("5.sgf.gz", &gzip(latin)),
    ]);
    let mut expected: Vec<u8> = Vec::new();
    for game in games.lines().filter(|game| game.contains("RE[B+")) {
        expected.extend_from_slice(game.as_bytes());
        expected.push(b'\n');
    }
    expected.extend_from_slice("(;PB[z]RE[B+1])\n(;PB[a]RE[B+1] )\n(;PB[é]RE[B+1])\n".as_bytes());
    expected.extend_from_slice(b"(;CA[latin1]PB[\xE9]RE[B+1])\n(;CA[latin1]PB[\xE9]RE[B+1])\n");
    for threads in ["1", "5"] {
        let output = run(&path, &["filter", "--where", "winner = 'B'", "--threads", threads, "."], "");
        assert!(output.status.success() && output.stdout == expected, "{}", output.stdout.escape_ascii());
    }
    let count = output(&path, &["filter", "--where", "winner = 'B'", "--count", "."]);
    assert_eq!(count.trim().parse::<usize>().unwrap(), expected.iter().filter(|byte| **byte == b'\n').count());
    let list =
        output(&path, &["filter", "--where", "winner = 'B' AND file NOT LIKE '%1.sgf'", "--list", "4.sgf", "2.tar.gz"]);
    let lines: Vec<_> = list.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect();
    assert_eq!(lines[0], ["4.sgf", "0", "25"]);
    let mut members: Vec<_> = lines[1..].iter().map(|line| line[0]).collect();
    members.sort_unstable();
    assert_eq!(members, ["2.tar.gz!/a.sgf", "2.tar.gz!/z.sgf"]);
}

/// The files that games are in, by a query and by `sgf-sql filter`, which must agree.
fn files(path: &str, args: &[&str], input: &str) -> Vec<String> {
    let sql = ["sql", "SELECT DISTINCT file FROM games ORDER BY 1", "--format", "csv", "--no-header"];
    let filter = ["filter", "--list", "--where", "true"];
    let [by_sql, by_filter] = [&sql[..], &filter[..]].map(|command| {
        let Output { status, stdout, stderr } = run(path, &[command, args].concat(), input);
        let stderr = String::from_utf8(stderr).unwrap();
        // No game is a negative answer of `filter`.
        let code = i32::from(command[0] == "filter" && stdout.is_empty());
        assert!(status.code() == Some(code) && stderr.is_empty(), "{command:?} {args:?}: {status}\n{stderr}");
        let stdout = String::from_utf8(stdout).unwrap();
        let mut files: Vec<_> = stdout.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect();
        files.sort_unstable();
        files.dedup();
        files
    });
    assert_eq!(by_sql, by_filter, "{args:?}");
    by_sql
}

#[test]
fn paths_come_from_a_list_of_names() {
    let (_directory, path) = directory(&[
        ("a.sgf", GAMES),
        ("b [1].sgf", GAMES),
        ("d/c.sgf", GAMES),
        ("list", b"a.sgf\0d"),
        ("-", b"a.sgf\0"),
    ]);
    assert_eq!(files(&path, &["--files0-from", "-"], "b [1].sgf\0a.sgf\0"), ["a.sgf", "b [1].sgf"]);
    assert_eq!(files(&path, &["--files0-from", "list"], ""), ["a.sgf", "d/c.sgf"]);
    assert_eq!(files(&path, &["--files0-from", "./-"], ""), ["a.sgf"]);
    // Without names there are no games, but there are tables.
    assert_eq!(files(&path, &["--files0-from", "-"], ""), [""; 0]);
    let refused = |args: &[&str], input: &str, expected: &str| {
        for command in [&["sql", "SELECT file FROM games"][..], &["filter", "--where", "true"]] {
            let output = run(&path, &[command, args].concat(), input);
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args:?}: {stderr}");
            assert!(stderr.contains(expected), "{args:?}: {stderr}");
        }
    };
    for (list, expected) in [
        ("a.sgf\0\0", "sgf-sql: error: --files0-from: -: name 2 is empty\n"),
        ("a.sgf\0-\0", "sgf-sql: error: --files0-from: -: name 2 is `-`, but standard input is the list\n"),
        (
            "a.sgf\nd\n",
            "sgf-sql: error: --files0-from: -: the names in the list must end with NUL bytes, as `find -print0` writes them",
        ),
    ] {
        refused(&["--files0-from", "-"], list, expected);
    }
    refused(&["--files0-from", "missing"], "", "sgf-sql: error: --files0-from: missing: No such file");
    refused(&["--files0-from", "list", "a.sgf"], "", "'--files0-from <FILE>' cannot be used with '[PATH]...'");
    refused(&["--files0-from", "list", "--exclude", "[a"], "", "unclosed character class");
    // What has no white space is a PATH; and the shell needs standard input.
    let output = run(&path, &["sql", "a.sgf", "--files0-from", "list"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2), "{stderr}");
    assert!(stderr.contains("'--files0-from <FILE>' cannot be used with '[PATH]...'"), "{stderr}");
    let output = run(&path, &["sql", "--files0-from", "-"], "a.sgf\0");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && stderr.contains("the shell reads standard input"), "{stderr}");
    let shell = run(&path, &["sql", "--files0-from", "list"], "SELECT count(DISTINCT file) AS n FROM games;\n");
    assert!(String::from_utf8(shell.stdout).unwrap().contains("2\n(1 row)"));
    // `filter` needs PATHs, or a list.
    let output = run(&path, &["filter", "--where", "true"], "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && stderr.contains("<PATH>..."), "{stderr}");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_reported() {
    let (_directory, path) = directory(&[("a.sgf", GAMES), ("list", b"caf\xE9.sgf\0a.sgf\0")]);
    let args = ["sql", "SELECT count(*) AS n FROM games", "--format", "csv", "--files0-from", "list"];
    let output = run(&path, &args, "");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b"n\n2\n"[..]));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "sgf-sql: error: caf\u{FFFD}.sgf: its name is not UTF-8\n");
    let output = run(&path, &[&args[..], &["--strict"]].concat(), "");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
}

#[test]
fn files_directories_and_members_can_be_excluded() {
    let members = tar(&[("a.sgf", GAMES), ("old/b.sgf", GAMES), ("old/c/d.sgf", GAMES)]);
    let (_directory, path) = directory(&[
        ("a.sgf", GAMES),
        ("a-draft.sgf", GAMES),
        ("old/b.sgf", GAMES),
        ("new/old/c.sgf", GAMES),
        ("new/y.tar", &members),
        ("x.tar.gz", &gzip(&members)),
    ]);
    let all = [
        "./a-draft.sgf",
        "./a.sgf",
        "./new/old/c.sgf",
        "./new/y.tar!/a.sgf",
        "./new/y.tar!/old/b.sgf",
        "./new/y.tar!/old/c/d.sgf",
        "./old/b.sgf",
        "./x.tar.gz!/a.sgf",
        "./x.tar.gz!/old/b.sgf",
        "./x.tar.gz!/old/c/d.sgf",
    ];
    for (globs, left) in [
        (&[][..], &all[..]),
        (&["old", "a-*"], &["./a.sgf", "./new/y.tar!/a.sgf", "./x.tar.gz!/a.sgf"]),
        (&["/old/b.sgf", "*.gz"], &[all[0], all[1], all[2], all[3], all[5]]),
        (&["new/old", "*/c", "*.tar"], &[all[0], all[1], all[6], all[7], all[8]]),
        (&["*.sgf"], &[]),
        (&["*.SGF"], &all),
    ] {
        let mut args: Vec<_> = globs.iter().flat_map(|glob| ["--exclude", *glob]).collect();
        args.push(".");
        assert_eq!(files(&path, &args, ""), left, "{globs:?}");
    }
    // PATHs, patterns and lists: a directory that is named is searched.
    assert_eq!(files(&path, &["--exclude", "a.*", "a.sgf", "old"], ""), ["old/b.sgf"]);
    assert_eq!(files(&path, &["--exclude", "old", "old"], ""), ["old/b.sgf"]);
    assert_eq!(files(&path, &["--exclude", "a.*", "a*.sgf"], ""), ["a-draft.sgf"]);
    assert_eq!(files(&path, &["--exclude", "a*", "a*.sgf"], ""), [""; 0]);
    assert_eq!(files(&path, &["--exclude", "*-draft.sgf", "--files0-from", "-"], "a.sgf\0a-draft.sgf\0"), ["a.sgf"]);
    // So are other tables of the same run; theirs come in addition.
    let query = "CREATE EXTERNAL TABLE t STORED AS SGF LOCATION '.' OPTIONS (exclude '{old,x.*}', table 'moves'); \
                 SELECT DISTINCT file FROM t ORDER BY 1";
    let files = output(&path, &["sql", query, "--exclude", "a-*", "--format", "csv", "--no-header"]);
    assert_eq!(files, "./a.sgf\n./new/y.tar!/a.sgf\n");
    for (option, message) in
        [("exclude '[a'", "exclude: \"[a\": unclosed"), ("follow 'yes'", "follow: \"yes\" is neither")]
    {
        let query = format!("CREATE EXTERNAL TABLE t STORED AS SGF LOCATION '.' OPTIONS ({option})");
        let stderr = String::from_utf8(run(&path, &["sql", &query], "").stderr).unwrap();
        assert!(stderr.starts_with("sgf-sql: error: ") && stderr.contains(message), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_if_asked() {
    use std::os::unix::fs::symlink;
    let (_directory, path) = directory(&[("d/a.sgf", GAMES), ("e/b.sgf", GAMES), ("c.sgf", GAMES)]);
    symlink("../e", format!("{path}/d/link")).unwrap();
    symlink("../c.sgf", format!("{path}/d/c.sgf")).unwrap();
    assert_eq!(files(&path, &["d"], ""), ["d/a.sgf"]);
    for follow in ["-L", "--follow"] {
        assert_eq!(files(&path, &[follow, "d"], ""), ["d/a.sgf", "d/c.sgf", "d/link/b.sgf"]);
        assert_eq!(files(&path, &[follow, "d", "--exclude", "link"], ""), ["d/a.sgf", "d/c.sgf"]);
    }
    let query = "CREATE EXTERNAL TABLE t STORED AS SGF LOCATION 'd' OPTIONS (follow 'true'); SELECT count(*) FROM t";
    assert_eq!(output(&path, &["sql", query, "--format", "csv", "--no-header"]), "6\n");
}

#[test]
fn csv_has_a_header_line_or_not() {
    let (_directory, path) = directory(&[("a.sgf", GAMES)]);
    let query = "SELECT black, komi FROM games";
    for args in [&["--format", "csv"][..], &["-o", "o.csv"]] {
        let printed = output(&path, &[&["sql", query, "a.sgf", "--no-header"], args].concat());
        let written = std::fs::read_to_string(format!("{path}/o.csv")).unwrap_or_default();
        assert_eq!(printed + &written, "a,6.50\n\"\"\"x, y\"\"\",\n");
    }
    let none = "SELECT black FROM games WHERE false";
    assert_eq!(output(&path, &["sql", none, "a.sgf", "--format", "csv"]), "black\n");
    assert_eq!(output(&path, &["sql", none, "a.sgf", "--format", "csv", "--no-header"]), "");
    for (args, format) in [(&[][..], "table"), (&["--format", "json"], "json"), (&["-o", "o.parquet"], "parquet")] {
        for query in [&[query][..], &[]] {
            let output = run(&path, &[&["sql"], query, &["a.sgf", "--no-header"], args].concat(), "");
            let expected =
                format!("sgf-sql: error: --no-header cannot be used with the format {format}; use --format csv\n");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
            assert_eq!(output.status.code(), Some(2));
        }
    }
}

#[test]
fn help_says_how_inputs_are_found() {
    for command in ["sql", "filter"] {
        let help = output(".", &[command, "--help"]);
        for part in ["--files0-from <FILE>", "--exclude <GLOB>", "-L, --follow", "A GLOB of --exclude without a `/`"] {
            assert!(help.contains(part), "{command}: {part}\n{help}");
        }
    }
}

/// The options that a text names.
fn options_in(text: &str) -> Vec<&str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let starts = text.match_indices("--").map(|(at, _)| at).filter(|&at| !text[..at].ends_with(is_of_name));
    let names = starts.map(|at| text[at..].split(|c| !is_of_name(c)).next().unwrap_or_default());
    names.filter(|name| name[2..].starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

/// D20: whatever a help text or a message names is an option of this program.
#[cfg(feature = "cluster")]
#[test]
fn texts_name_options_that_exist() {
    let mut all = std::collections::BTreeSet::new();
    for command in ["sql", "filter", "scheduler", "executor"] {
        let help = output(".", &[command, "--help"]);
        let lines = help.lines().filter(|line| line.trim_start().starts_with('-') && line.starts_with("  "));
        let own: Vec<&str> = lines.flat_map(|line| options_in(line).into_iter().take(1)).collect();
        assert!(own.contains(&"--help"), "{help}");
        for named in options_in(&help) {
            assert!(own.contains(&named), "{command} --help: {named}");
        }
        all.extend(own.iter().map(|&option| option.to_owned()));
    }
    let mut directories = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut found = 0;
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            // Other programs also have options: `sgf records --list-columns`, `cargo install --features`.
            let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in lines.filter(|line| !line.contains("`sgf ") && !line.contains("--features")) {
                for named in options_in(line) {
                    found += 1;
                    assert!(all.contains(named), "{}: {line}", path.display());
                }
            }
        }
    }
    assert!(found > 10, "{found}");
}

/// `sql --help` lists the functions that the session has.
#[test]
fn help_lists_all_functions() {
    let help = output(".", &["sql", "--help"]);
    let plain = SessionContext::new();
    let ctx = SessionContext::new();
    sgf_sql::register_functions(&ctx);
    let (plain, state) = (plain.state(), ctx.state());
    let (scalars, tables) = (state.scalar_functions(), state.table_functions());
    let own = scalars.keys().filter(|name| !plain.scalar_functions().contains_key(*name));
    let own: Vec<&String> =
        own.chain(tables.keys().filter(|name| !plain.table_functions().contains_key(*name))).collect();
    assert!(own.len() > 6, "{own:?}");
    for name in own {
        assert!(help.contains(&format!("{name}(")), "{name}\n{help}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let (_directory, path) = directory(&[("a.sgf", archive(20_000).as_bytes())]);
    for format in ["table", "csv", "json", "arrow", "parquet"] {
        // (A table has few rows by default.)
        let script = "\"$0\" sql 'SELECT * FROM moves' a.sgf --max-rows 100000 --format $1 | head -c 1 | wc -c; \
                      echo ${PIPESTATUS[0]}";
        let output = Command::new("bash")
            .args(["-c", script, env!("CARGO_BIN_EXE_sgf-sql"), format])
            .current_dir(&path)
            .output()
            .unwrap();
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(stdout == "1\n0\n" && stderr.is_empty(), "{format}: {stdout}{stderr}");
    }
}

#[test]
fn players_have_the_names_of_a_file() {
    let names = b"name,person\na,Anna\n\"\"\"x, y\"\"\",Xaver\n";
    let (_directory, path) = directory(&[("a.sgf", GAMES), ("names.csv", names)]);
    let query = "SELECT black FROM games WHERE black LIKE '%a%' ORDER BY black";
    let found = output(&path, &["sql", query, "a.sgf", "--names", "names.csv", "--format", "csv"]);
    assert_eq!(found, "black\nAnna\nXaver\n");
    let query = "CREATE EXTERNAL TABLE t STORED AS SGF LOCATION 'a.sgf' OPTIONS (names 'names.csv'); \
                 SELECT black FROM t WHERE black = 'Anna'";
    assert_eq!(output(&path, &["sql", query, "--format", "csv"]), "black\nAnna\n");
    let missing = run(&path, &["sql", "SELECT 1", "a.sgf", "--names", "none.csv"], "");
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(said.starts_with("sgf-sql: error: none.csv: No such file"), "{said}");
}

/// D1, D2, D6 and the kinds of target of L18: the command has the rest.
#[cfg(unix)]
#[test]
fn outputs_destroy_nothing() {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    let (_directory, path) = directory(&[("d/a.sgf", GAMES), ("d/b.sgf", GAMES)]);
    let at = |name: &str| std::path::Path::new(&path).join(name);
    fs::write(at("names.csv"), "name,person\na,Abe\n").unwrap();
    fs::write(at("list"), "d\0").unwrap();
    fs::write(at("rows.csv"), "black,elo\na,2000\n").unwrap();
    symlink("d/a.sgf", at("link")).unwrap();
    fs::hard_link(at("d/a.sgf"), at("hard")).unwrap();
    let inputs = ["d/a.sgf", "d/b.sgf", "names.csv", "list", "rows.csv", "link", "hard"];
    let contents = || inputs.map(|name| fs::read(at(name)).unwrap());
    let before = contents();
    let query = "SELECT black FROM games";
    for args in [
        &["filter", "--where", "black = 'a'", "d/a.sgf", "-o", "d/a.sgf"][..],
        &["filter", "--where", "black = 'a'", "d", "-o", "d/b.sgf"],
        &["filter", "--where", "black = 'a'", "d/*.sgf", "-o", "d/b.sgf"],
        &["filter", "--where", "black = 'a'", "d", "--count", "-o", "hard"],
        &["filter", "--where", "black = 'a'", "d", "--list", "-o", "link"],
        &["sql", query, "d/a.sgf", "-o", "d/a.sgf"],
        &["sql", query, "d", "-o", "link"],
        &["sql", query, "d", "-o", "hard"],
        &["sql", query, "d", "--names", "names.csv", "-o", "names.csv"],
        &["sql", query, "--files0-from", "list", "-o", "list"],
        &["sql", "SELECT * FROM 'rows.csv'", "-o", "rows.csv"],
        &["sql", "SELECT black FROM games WHERE black IN (SELECT black FROM 'rows.csv')", "d", "-o", "rows.csv"],
    ] {
        let Output { status, stderr, .. } = run(&path, args, "");
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(status.code() == Some(2) && stderr.contains("this file is an input"), "{args:?}: {stderr}");
        assert!(contents() == before, "{args:?}");
    }
    for args in [&["sql", query, "d", "-o"][..], &["filter", "--where", "black = 'a'", "d", "-o"]] {
        let run = |output: &str| run(&path, &[args, &[output]].concat(), "");
        let mode = |name: &str| fs::metadata(at(name)).unwrap().mode() & 0o7777;
        // Links and modes stay.
        for (name, mode) in [("private", 0o600), ("read-only", 0o444)] {
            fs::write(at(name), "old").unwrap();
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        _ = fs::remove_file(at("to-private"));
        symlink("private", at("to-private")).unwrap();
        assert_eq!(run("to-private").status.code(), Some(0), "{args:?}");
        assert!(at("to-private").is_symlink() && mode("private") == 0o600, "{args:?}");
        assert_ne!(fs::read(at("private")).unwrap(), b"old", "{args:?}");
        assert_eq!(run("read-only").status.code(), Some(2), "{args:?}");
        assert_eq!((fs::read(at("read-only")).unwrap(), mode("read-only")), (b"old".to_vec(), 0o444), "{args:?}");
        fs::remove_file(at("read-only")).unwrap();
        // Devices and pipes are written to, and `-` is standard output.
        assert_eq!(run("/dev/full").status.code(), Some(2), "{args:?}");
        assert_eq!(run("/dev/null").status.code(), Some(0), "{args:?}");
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device(), "{args:?}");
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let pipe = at("pipe");
        let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
        assert_eq!(run("pipe").status.code(), Some(0), "{args:?}");
        drop(fs::OpenOptions::new().read(true).write(true).open(at("pipe")).unwrap());
        let piped = reader.join().unwrap();
        fs::remove_file(at("pipe")).unwrap();
        assert!(!piped.is_empty() && run("-").stdout == piped && !at("-").exists(), "{args:?}");
        assert!(contents() == before, "{args:?}");
    }
    assert!(fs::read_dir(&path).unwrap().all(|entry| entry.unwrap().path().extension().is_none_or(|end| end != "tmp")));
}
