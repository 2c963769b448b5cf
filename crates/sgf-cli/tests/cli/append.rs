//! `sgf records --append`.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::pack::{zip, zipped};
use super::{directory, run, str};

fn game(name: &str) -> String {
    format!("(;GM[1]PB[{name}]PW[\"x\",\ny];B[aa])\n")
}

/// The lines of a file, sorted, without those of CSV that a value breaks.
fn rows(text: &str) -> Vec<&str> {
    let mut rows: Vec<_> = text.lines().collect();
    rows.sort();
    rows
}

fn set_time(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

#[test]
fn a_file_follows_its_archive() {
    for format in ["jsonl", "csv"] {
        let top = directory(&format!("append/{format}"));
        let (games, table) = (top.join("games"), top.join("table"));
        fs::create_dir_all(&games).unwrap();
        let write = |name: &str, text: &str| fs::write(games.join(name), text).unwrap();
        write("a.sgf", &game("One"));
        write("b.sgf", &format!("{}{}", game("Two"), game("Three")));
        write("c.sgf", &game("Four"));
        let packed =
            |name: &str| zip(&[zipped("x.sgf", game(name).as_bytes()), zipped("y.sgf", game("Five").as_bytes())]);
        fs::write(games.join("z.zip"), packed("Six")).unwrap();
        let append = |expected: &str| {
            let run = run(&["records", "--format", format, "--append", str(&table), str(&games)]);
            assert_eq!((run.code, run.text(), &*run.stderr), (Some(0), "", &*format!("sgf: {expected}\n")), "{format}");
            fs::read_to_string(&table).unwrap()
        };
        let whole = || {
            let run = run(&["records", "--format", format, str(&games)]);
            run.text().to_owned()
        };
        // As without the option, then the same again.
        assert_eq!(append("4 files new, 0 changed, 0 removed, 0 unchanged"), whole());
        assert_eq!(append("0 files new, 0 changed, 0 removed, 4 unchanged"), whole());
        // A file with another time but the same content has not changed; one with the same size and other content has.
        set_time(&games.join("a.sgf"), 1_000_000_000);
        write("b.sgf", &format!("{}{}", game("Owt"), game("Three")));
        set_time(&games.join("b.sgf"), 1_000_000_000);
        fs::remove_file(games.join("c.sgf")).unwrap();
        fs::write(games.join("z.zip"), packed("Seven")).unwrap();
        write("d.sgf", &game("Eight"));
        let after = append("1 file new, 2 changed, 1 removed, 1 unchanged");
        assert_eq!(rows(&after), rows(&whole()), "{format}");
        assert!(after.contains("Owt") && !after.contains("Four"), "{after}");
        // Other paths add to it, and the rows of the others stay.
        let more = top.join("more.sgf");
        fs::write(&more, game("Nine")).unwrap();
        let run = run(&["records", "--format", format, "--append", str(&table), str(&more)]);
        assert_eq!(run.stderr, "sgf: 1 file new, 0 changed, 0 removed, 0 unchanged\n");
        let all = fs::read_to_string(&table).unwrap();
        assert!(all.starts_with(&after) && all.contains("Nine") && all.len() > after.len(), "{all}");
        let written = || fs::metadata(&table).unwrap().modified().unwrap();
        let before = written();
        assert_eq!(append("0 files new, 0 changed, 0 removed, 4 unchanged"), all);
        assert_eq!(written(), before, "an update without a change writes nothing");
    }
}

#[test]
fn a_file_that_was_killed_before_its_list_was_written_is_repaired() {
    let top = directory("append/killed");
    let (games, table) = (top.join("games"), top.join("table"));
    fs::create_dir_all(&games).unwrap();
    fs::write(games.join("a.sgf"), game("One")).unwrap();
    let append = || assert_eq!(run(&["records", "--append", str(&table), str(&games)]).code, Some(0));
    append();
    let list = fs::read(top.join("table.files")).unwrap();
    fs::write(games.join("b.sgf"), game("Two")).unwrap();
    append();
    let expected = fs::read_to_string(&table).unwrap();
    fs::write(top.join("table.files"), list).unwrap();
    append();
    assert_eq!(fs::read_to_string(&table).unwrap(), expected);
}

#[test]
fn what_cannot_be_appended_is_refused_and_nothing_is_written() {
    let top = directory("append/wrong");
    let (games, table) = (top.join("a.sgf"), top.join("table"));
    fs::write(&games, game("One")).unwrap();
    let refused = |args: &[&str], expected: &str| {
        let run = run(&[&["records", "--append", str(&table)], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    };
    refused(
        &["--format", "parquet", str(&games)],
        "--append needs --format jsonl or csv; parquet files cannot be changed",
    );
    refused(&["-"], "--append compares files on disk");
    refused(&["--columns", "PB", str(&games)], "--append needs the column file");
    refused(&["--format", "csv", "--no-header", str(&games)], "cannot be used with");
    refused(&["--output", "x", str(&games)], "cannot be used with");
    let list = top.join("table.files");
    fs::write(&list, "mine\n").unwrap();
    refused(&[str(&games)], "table.files would be overwritten, and is not a list of files");
    assert_eq!(fs::read_to_string(&list).unwrap(), "mine\n");
    fs::remove_file(&list).unwrap();
    assert!(!table.exists());
    assert_eq!(run(&["records", "--prune", str(&games)]).stderr, "sgf: error: --prune needs --append FILE\n");
    fs::write(&table, "something else\n").unwrap();
    refused(&[str(&games)], "exists, but not");
    assert_eq!(fs::read_to_string(&table).unwrap(), "something else\n");
    fs::remove_file(&table).unwrap();
    assert_eq!(run(&["records", "--append", str(&table), str(&games)]).code, Some(0));
    refused(&["--columns", "file,PB", str(&games)], "was written with another table, format, columns or names");
}

#[test]
fn a_table_is_continued_only_with_the_same_names() {
    let top = directory("append/names");
    let (games, table, names) = (top.join("a.sgf"), top.join("table"), top.join("names.csv"));
    fs::write(&games, game("One")).unwrap();
    let append = |csv: &str| {
        fs::write(&names, csv).unwrap();
        run(&["records", "--names", str(&names), "--append", str(&table), str(&games)])
    };
    let refused = |run: super::Run| {
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        let expected = format!("--append: {} was written with another table, format, columns or names", str(&table));
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    };
    assert_eq!(append("name,person\nOne,First\nTwo,Second\n").code, Some(0));
    let rows = fs::read_to_string(&table).unwrap();
    assert!(rows.contains("First"), "{rows}");
    refused(append("name,person\nOne,Uno\nTwo,Second\n"));
    refused(run(&["records", "--append", str(&table), str(&games)]));
    assert_eq!(fs::read_to_string(&table).unwrap(), rows);
    // The order and the counts of games decide nothing.
    assert_eq!(append("name,person,games\nTwo,Second,7\nOne,First,8\n").code, Some(0));
}

#[test]
fn a_table_is_continued_only_with_the_same_reading() {
    let top = directory("append/reading");
    let (games, table, list) = (top.join("a.sgf"), top.join("table"), top.join("table.files"));
    fs::write(&games, game("One")).unwrap();
    let append = |args: &[&str]| run(&[&["records", "--append", str(&table)], args, &[str(&games)]].concat());
    let options: [(&[&str], &str, &str); 4] = [
        (&["--charset", "gbk"], "without --charset", "with --charset GBK"),
        (&["--default-charset", "Big5"], "without --default-charset", "with --default-charset Big5"),
        (&["--game-type", "Hex"], "with --game-type Go", "with --game-type Hex"),
        (&["--strict"], "without --strict", "with --strict"),
    ];
    for (args, without, with) in options {
        for (first, then, before, now) in [(&[][..], args, without, with), (args, &[], with, without)] {
            _ = fs::remove_file(&table);
            assert_eq!(append(first).code, Some(0), "{args:?}");
            let rows = fs::read(&table).unwrap();
            let refused = append(then);
            let expected = format!(
                "sgf: error: --append: {} was written {before}, and this run is {now}; use the same option, or delete the file \
                 to start again\n",
                str(&table)
            );
            assert_eq!((refused.code, refused.stderr), (Some(2), expected), "{args:?}");
            assert_eq!(fs::read(&table).unwrap(), rows, "{args:?}");
            assert_eq!(append(first).code, Some(0), "{args:?}");
        }
    }
    // A list of the version before has none of them. It is continued, and gets those of the run.
    _ = fs::remove_file(&table);
    assert_eq!(append(&[]).code, Some(0));
    let text = fs::read_to_string(&list).unwrap();
    let (head, files) = text.split_once('\n').unwrap();
    let mut head: serde_json::Value = serde_json::from_str(head).unwrap();
    for name in ["charset", "default_charset", "game_type", "strict"] {
        head.as_object_mut().unwrap().remove(name).unwrap();
    }
    head["sgf_records"] = 2.into();
    fs::write(&list, format!("{head}\n{files}")).unwrap();
    assert_eq!(append(&["--strict"]).code, Some(0));
    assert_eq!(append(&[]).code, Some(2));
    head["sgf_records"] = 1.into();
    fs::write(&list, format!("{head}\n{files}")).unwrap();
    assert!(append(&[]).stderr.contains("or in another version; delete it to start again"));
}

#[test]
fn a_folder_without_sgf_files_is_a_warning() {
    let top = directory("append/empty");
    let (empty, table, index) = (top.join("empty"), top.join("table"), top.join("index"));
    fs::create_dir_all(&empty).unwrap();
    for args in [&["records", "--append", str(&table)][..], &["index", "-o", str(&index)]] {
        let run = run(&[args, &[str(&empty)]].concat());
        assert_eq!(run.code, Some(0), "{args:?}");
        let expected = format!("sgf: warning: no SGF files or archives in {};", str(&empty));
        assert!(run.stderr.contains(&expected), "{args:?}: {}", run.stderr);
    }
}
