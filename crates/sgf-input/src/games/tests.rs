use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use sgf_stream::de::Options;
use sgf_stream::{Code, Parser};

use super::{FileError, FileGame, Files};

/// A new directory, which is removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(files: &[(&str, &[u8])]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sgf-input games {} {n}", std::process::id()));
        let directory = Directory(path);
        fs::create_dir_all(&directory.0).unwrap();
        files.iter().for_each(|(name, bytes)| directory.add(name, bytes));
        directory
    }

    fn add(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Returns a name without the directory.
    fn short(&self, name: &crate::Name) -> String {
        name.as_str().strip_prefix(self.0.to_str().unwrap()).unwrap().trim_start_matches('/').to_owned()
    }

    /// Returns a game or an error in short.
    fn line(&self, game: Result<FileGame<Record>, FileError>) -> String {
        match game {
            Ok(game) => {
                format!(
                    "{} {} {}..{} {}",
                    self.short(&game.file),
                    game.index,
                    game.span.start,
                    game.span.end,
                    game.value.name
                )
            }
            Err(error) => {
                let printed = error.to_string();
                let message = printed.strip_prefix(&format!("{}: ", error.file())).unwrap();
                format!("{}: {message}", self.short(error.file()))
            }
        }
    }

    fn lines(&self, files: Files) -> Vec<String> {
        self.lines_with(files, Options::new())
    }

    fn lines_with(&self, files: Files, options: Options) -> Vec<String> {
        files.games_with::<Record>(options).map(|game| self.line(game)).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Record {
    #[serde(rename = "GN")]
    name: String,
    #[serde(rename = "KM")]
    komi: Option<f64>,
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// A tar archive of one member.
fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, name, bytes).unwrap();
    tar.into_inner().unwrap()
}

#[test]
fn each_game_and_each_error_has_the_name_of_its_file() {
    let directory = Directory::new(&[
        ("a.sgf", b"(;GN[1])\n(;GN[2]KM[x])(;KM[1])"),
        ("b/c.sgf.gz", &gzip(b"(;GN[3])(;GN[4]")),
        ("b/d.tar", &tar("e/f.sgf", b"(;GN[5])")),
        ("b/g.txt", b"(;GN[6])"),
        ("h.sgf", b"no game"),
        ("i.sgf", b""),
    ]);
    let expected = [
        "a.sgf 0 0..8 1",
        "a.sgf: game 2, root, KM (byte 18): expected f64, found \"x\"",
        "a.sgf: game 3, root (byte 23): missing property `GN`",
        "b/c.sgf.gz 0 0..8 3",
        "b/c.sgf.gz: game 2 (byte 15): expected `)`, found the end of the data [unclosed-tree]",
        "b/d.tar!/e/f.sgf 0 0..8 5",
    ];
    for threads in [1, 2, 9] {
        let lines = directory.lines(Files::new([&directory.0]).threads(threads));
        assert_eq!(lines[..6], expected);
        assert!(lines[6].starts_with("h.sgf: ") && lines[7].starts_with("i.sgf: ") && lines.len() == 8, "{lines:?}");
    }
    // A file that is named is read, whatever its name; paths come in their order, and again if named again.
    let paths = ["b/g.txt", "a.sgf", "b/g.txt"].map(|name| directory.0.join(name));
    let lines = directory.lines_with(Files::new(paths), Options::new().lenient_header(true).accept_truncated(true));
    let game = "b/g.txt 0 0..8 6";
    assert_eq!(lines, [game, expected[0], "a.sgf 1 9..22 2", expected[2], game]);
    let kept =
        directory.lines_with(Files::new([directory.0.join("b/c.sgf.gz")]), Options::new().accept_truncated(true));
    assert_eq!(kept, [expected[3], "b/c.sgf.gz 1 8..15 4"]);
}

#[test]
fn the_bytes_of_each_file_come_with_its_name_and_in_order() {
    let directory = Directory::new(&[
        ("a.sgf", b"x (;GN[1])\n junk (;GN[2]"),
        ("b/c.sgf.gz", &gzip(b"(;GN[3])")),
        ("b/d.tar", &tar("e/f.sgf", b"(;GN[5])")),
        ("h.sgf", b""),
    ]);
    (0..100).for_each(|n| directory.add(&format!("z/{n:03}.sgf"), format!("{n}").as_bytes()));
    let missing = directory.0.join("missing.sgf");
    let files = Files::new([missing.as_path(), directory.0.as_path()]).threads(3);
    let found: Vec<String> = files
        .map_bytes(|name, bytes| (name.clone(), bytes.to_vec()))
        .map(|file| match file {
            Ok(file) => {
                let (name, bytes) = file.value;
                assert_eq!((&*file.file, file.index, file.span), (&name, 0, 0..bytes.len() as u64));
                format!("{}: {}", directory.short(&name), String::from_utf8(bytes).unwrap())
            }
            Err(error) => format!("{}: error", directory.short(error.file())),
        })
        .collect();
    let first = [
        "missing.sgf: error",
        "a.sgf: x (;GN[1])\n junk (;GN[2]",
        "b/c.sgf.gz: (;GN[3])",
        "b/d.tar!/e/f.sgf: (;GN[5])",
        "h.sgf: ",
    ];
    assert_eq!(found[..5], first);
    assert_eq!(found[5..], (0..100).map(|n| format!("z/{n:03}.sgf: {n}")).collect::<Vec<_>>());
}

#[test]
fn a_path_that_cannot_be_read_is_an_error_and_the_others_follow() {
    let directory = Directory::new(&[("a.sgf", b"(;GN[1])"), ("b.sgf.gz", &gzip(b"(;GN[2])")[..15])]);
    let paths = ["missing", "b.sgf.gz", "a.sgf"].map(|name| directory.0.join(name));
    let games: Vec<_> = Files::new(paths).games::<Record>().collect();
    let errors: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
    assert!(errors.len() == 2 && errors.iter().all(|error| error.is_io() && error.as_game().is_none()), "{errors:?}");
    assert!(errors[0].file().as_str().ends_with("missing") && errors[1].file().as_str().ends_with("b.sgf.gz"));
    assert!(games.last().is_some_and(|game| game.as_ref().is_ok_and(|game| game.value.name == "1")));
    assert_eq!(Files::new(Vec::<PathBuf>::new()).games::<Record>().count(), 0);
}

#[test]
fn options_are_those_of_the_parser_and_of_games() {
    let directory = Directory::new(&[("a.sgf", b"x\n(;GN[1]KM[x]AB[aa])"), ("b.sgf", b"(;GN[2](;GN[3]))")]);
    let found = Arc::new(Mutex::new(Vec::new()));
    let store = Arc::clone(&found);
    let files = Files::new([&directory.0]).parser(Parser::new());
    let files = files.on_diagnostic(move |file, diagnostic| {
        store.lock().unwrap().push((file.as_str().to_owned(), diagnostic.code, diagnostic.position.line));
    });
    let lines = directory.lines_with(files, Options::new().lenient_fields(true));
    assert_eq!(lines, ["a.sgf 0 2..21 1", "b.sgf 0 0..16 2"]);
    let mut found: Vec<_> = found.lock().unwrap().drain(..).map(|(_, code, line)| (code, line)).collect();
    found.sort_by_key(|(code, _)| *code == Code::InvalidField);
    assert_eq!(found, [(Code::JunkOutsideTree, 1), (Code::InvalidField, 2)]);

    #[derive(Debug, Deserialize)]
    struct Tree {
        #[serde(rename = "$variations")]
        variations: Vec<Tree>,
    }
    let nested = |most| {
        let files = Files::new([directory.0.join("b.sgf")]);
        files.games_with::<Tree>(Options::new().max_depth(most)).next().unwrap()
    };
    assert!(nested(2).is_ok_and(|game| game.value.variations.len() == 1) && nested(1).is_err());
    let exclude = crate::Exclude::new(&["a.*".parse().unwrap()]).unwrap();
    assert_eq!(directory.lines(Files::new([&directory.0]).exclude(exclude)), ["b.sgf 0 0..16 2"]);
    let strict = Files::new([&directory.0]).parser(Parser::strict());
    assert_eq!(strict.games::<Record>().filter(Result::is_err).count(), 2);
}

/// Files of any length, for any number of threads, are those that one loop reads.
#[test]
fn order_and_content_are_those_of_a_loop() {
    fn law(counts: Vec<u16>, threads: usize) -> bool {
        let directory = Directory::new(&[]);
        let mut expected = Vec::new();
        for (n, count) in counts.iter().take(12).enumerate() {
            let name = format!("{n:02}.sgf");
            let games: Vec<String> = (0..count % 400).map(|game| format!("(;GN[{game}])")).collect();
            directory.add(&name, games.concat().as_bytes());
            let mut at = 0;
            for (game, text) in games.iter().enumerate() {
                expected.push(format!("{name} {game} {at}..{} {game}", at + text.len()));
                at += text.len();
            }
            if games.is_empty() {
                expected.push(format!("{name}: "));
            }
        }
        let short =
            |line: String| if line.contains(": ") { line[..line.find(": ").unwrap() + 2].to_owned() } else { line };
        let files = Files::new([&directory.0]).threads(threads % 5);
        let lines: Vec<_> = directory.lines(files.clone()).into_iter().map(short).collect();
        let mut unordered: Vec<_> = directory.lines(files.unordered()).into_iter().map(short).collect();
        // The games of one file are in order.
        unordered.sort_by(|a, b| a[..6].cmp(&b[..6]));
        lines == expected && unordered == expected
    }
    quickcheck::holds(40, law as fn(Vec<u16>, usize) -> bool);
}

#[test]
fn an_iterator_may_be_dropped_early() {
    let games = "(;GN[1])".repeat(10_000);
    let directory = Directory::new(&[("a.sgf", games.as_bytes()), ("b.sgf", games.as_bytes()), ("c.sgf", b"(;GN[1])")]);
    for files in [Files::new([&directory.0]), Files::new([&directory.0]).unordered()] {
        assert_eq!(files.threads(3).games::<Record>().take(100).filter(Result::is_ok).count(), 100);
    }
}

/// What waits for the caller is limited, so that a thread stops in a long file until somebody takes its games.
#[test]
fn threads_do_not_run_far_ahead_of_the_caller() {
    static READ: AtomicUsize = AtomicUsize::new(0);

    struct Counted;

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READ.fetch_add(1, Ordering::Relaxed);
            BTreeMap::<String, String>::deserialize(deserializer).map(|_| Counted)
        }
    }

    let long = "(;GN[1])".repeat(20_000);
    let files: Vec<(String, &[u8])> = (0..8).map(|n| (format!("{n}.sgf"), long.as_bytes())).collect();
    let directory = Directory::new(&files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect::<Vec<_>>());
    for files in [Files::new([&directory.0]), Files::new([&directory.0]).unordered()] {
        let before = READ.load(Ordering::Relaxed);
        let mut games = files.threads(2).games::<Counted>();
        for taken in 1..2000 {
            assert!(games.next().unwrap().is_ok());
            let read = READ.load(Ordering::Relaxed) - before;
            assert!(read <= taken + 64 * 12, "{read} games read, {taken} taken");
        }
    }
}

#[test]
fn a_panic_of_a_type_comes_to_the_caller() {
    #[derive(Debug)]
    struct Panics;

    impl<'de> Deserialize<'de> for Panics {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("as told")
        }
    }

    let directory = Directory::new(&[("a.sgf", b"(;GN[1])")]);
    let games = std::panic::AssertUnwindSafe(Files::new([&directory.0]).games::<Panics>());
    let panic = std::panic::catch_unwind(|| { games }.0.count()).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"as told"));
}

#[test]
fn paths_may_be_of_any_type() {
    let directory = Directory::new(&[("a.sgf", b"(;GN[1])")]);
    let path: &Path = &directory.0;
    assert_eq!(Files::new([path]).games::<Record>().count(), 1);
    assert_eq!(Files::new(Some(path.to_str().unwrap())).games::<Record>().count(), 1);
}
