//! Clusters of processes: a scheduler and executors on this machine.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use datafusion::prelude::{SessionConfig, SessionContext};
use sgf_sql::cluster::{Address, Client, context};

use crate::packed::{gzip, tar};
use crate::support::{archive, ask, context_of, directory, register, try_ask};

/// A process of the binary, which ends with its owner.
struct Process {
    child: Child,
    /// The lines on standard error so far.
    told: Arc<Mutex<Vec<String>>>,
    address: Address,
}

impl Process {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sgf-sql"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let told = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&told);
        std::thread::spawn(move || {
            BufReader::new(err).lines().map_while(Result::ok).for_each(|line| lines.lock().unwrap().push(line));
        });
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").map(str::parse);
        let mut process = Process { child, told, address: "none:0".parse().unwrap() };
        process.address = address.unwrap_or_else(|| panic!("{args:?}: {line:?}: {}", process.told())).unwrap();
        process
    }

    fn told(&self) -> String {
        self.told.lock().unwrap().join("\n")
    }

    /// Number of games that the executor has read, as it tells.
    fn games(&self) -> u64 {
        let told = self.told.lock().unwrap();
        let games =
            told.iter().rev().find_map(|line| line.strip_prefix("sgf-sql: ")?.split_once(" games in ")?.0.parse().ok());
        games.unwrap_or(0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A scheduler and executors.
struct Cluster {
    scheduler: Process,
    executors: Vec<Process>,
}

impl Cluster {
    fn start(executors: usize) -> Self {
        Cluster::with(executors, &[])
    }

    /// Starts a cluster, with more arguments of the scheduler.
    fn with(executors: usize, args: &[&str]) -> Self {
        let scheduler = Process::start(&[&["scheduler", "--bind", "127.0.0.1:0"], args].concat());
        let address = scheduler.address.to_string();
        let executor = |_| Process::start(&["executor", "--scheduler", &address, "--slots", "1"]);
        Cluster { executors: (0..executors).map(executor).collect(), scheduler }
    }

    fn address(&self) -> String {
        self.scheduler.address.to_string()
    }

    /// A context whose queries run here.
    fn context(&self, partitions: usize) -> SessionContext {
        let client = Client::new(self.scheduler.address.clone());
        context(&client, SessionConfig::new().with_target_partitions(partitions)).unwrap()
    }

    fn context_of(&self, path: &str, partitions: usize) -> SessionContext {
        let ctx = self.context(partitions);
        register(&ctx, path);
        ctx
    }
}

/// Waits until something is so.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Counts, sums, and a hash of all games.
const SUMS: &str = "SELECT count(*), sum(\"offset\"), sum(length), sum(move_count), count(DISTINCT file), \
     bit_xor(\"offset\" * 2654435761 + length * 40503), sum((\"offset\" * 31 + length) % 1000003) FROM games";

/// The three commands of the guide, on this machine.
#[test]
fn the_commands_of_the_guide_run() {
    let guide = include_str!("../../../sgf-guide/src/cluster.md");
    let (_directory, path) = directory(&[("a.sgf", archive(500).as_bytes())]);
    let block = guide.split("```").find_map(|block| block.strip_prefix("sh\n")).unwrap();
    // The words of a command, without its comment and the name of the program.
    let words = |line: &str, address: &str| -> Vec<String> {
        let line =
            line.split(" # ").next().unwrap().replace("10.0.0.1:50050", address).replace("10.0.0.2", "127.0.0.1");
        let quoted = line.split('"').enumerate();
        let words =
            quoted.flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
        words.skip(1).map(|word| word.replace("s3://bucket/archive/", &path)).collect()
    };
    let start = |line: &str, address: &str| {
        let words = words(line, address);
        Process::start(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let [scheduler, executor, query] = block.lines().collect::<Vec<_>>()[..] else { panic!("{block}") };
    let scheduler = start(scheduler, "127.0.0.1:0");
    let address = scheduler.address.to_string();
    let _executor = start(executor, &address);
    let output = Command::new(env!("CARGO_BIN_EXE_sgf-sql")).args(words(query, &address)).output().unwrap();
    let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    assert!(output.status.success() && said[0].contains("500") && said[1].is_empty(), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_do_not_depend_on_machines() {
    let one = archive(12_000);
    let many: Vec<(String, String)> = one
        .lines()
        .collect::<Vec<_>>()
        .chunks(60)
        .enumerate()
        .map(|(n, games)| (format!("{n}.sgf"), games.concat()))
        .collect();
    let many: Vec<_> = many.iter().map(|(name, games)| (&**name, games.as_bytes())).collect();
    let cluster = Cluster::start(2);
    for files in [&[("one.sgf", one.as_bytes())][..], &many] {
        let (_directory, path) = directory(files);
        let expected = ask(&context_of(&path, 1), SUMS).await;
        for partitions in [1, 2, 7, 64] {
            assert_eq!(ask(&context_of(&path, partitions), SUMS).await, expected, "here, {partitions}");
            assert_eq!(ask(&cluster.context_of(&path, partitions), SUMS).await, expected, "there, {partitions}");
        }
    }
    wait_for("the executors have read all games of each query", || {
        cluster.executors.iter().map(Process::games).sum::<u64>() == 8 * 12_000
    });
    assert!(cluster.executors.iter().all(|executor| executor.games() > 0), "both have read games");
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_of_all_kinds_run() {
    let games = archive(3_000);
    let (_directory, path) =
        directory(&[("a.sgf", games.as_bytes()), ("b/c.sgf", b"(;CA[latin1]PB[\xE9]KK[x]DT[1846])")]);
    let cluster = Cluster::start(2);
    let (here, there) = (context_of(&path, 3), cluster.context_of(&path, 3));
    for query in [
        "SELECT year(date) / 50, winner, count(*) FROM games GROUP BY 1, 2 ORDER BY 1, 2",
        "SELECT black, file FROM games WHERE black_rank_n >= 9 AND year(date) = 1846 ORDER BY 1",
        "SELECT black, \"offset\", move_count FROM games ORDER BY move_count DESC, \"offset\" LIMIT 7",
        "SELECT black FROM games WHERE file LIKE '%c.sgf'",
        "SELECT count(*) FROM games WHERE move_count = (SELECT max(move_count) FROM games)",
        "SELECT g.winner, count(*), sum(ply) FROM games g JOIN moves m USING (file, \"offset\") GROUP BY 1 ORDER BY 1",
        "SELECT ident, count(*), max(length(value)) FROM properties GROUP BY ident ORDER BY 1",
        "SELECT count(*) FROM (SELECT * FROM games LIMIT 5)",
        "SELECT unnest(dates) AS day, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT encode(canonical, 'hex'), count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT count(*), sum(game) FROM games",
        "SELECT black, row_number() OVER (PARTITION BY winner ORDER BY \"offset\") FROM games ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT count(*) FROM games UNION ALL SELECT count(*) FROM moves ORDER BY 1",
        "SELECT sum(n) FROM (SELECT \"offset\" AS n FROM games UNION ALL SELECT length FROM games)",
        "SELECT * FROM (VALUES (1), (2)) UNION ALL SELECT * FROM (VALUES (3)) ORDER BY 1",
        "SELECT count(*) FROM games a LEFT JOIN games b ON a.\"offset\" = b.\"offset\" + b.length + 1",
        "SELECT date_trunc('decade', date), count(*) FROM games GROUP BY 1 ORDER BY 1",
        "SELECT count(*) FROM games WHERE has_moves(sgf_moves, 'bbcc')",
        "SELECT canonical_moves(sgf_moves, size_x, size_y, 4), count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT unnest(corner_moves(sgf_moves, size_x, size_y, 4)) AS m, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT encode(canonical_position, 'hex'), count(*) FROM moves GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT * FROM find('XO') ORDER BY \"offset\" LIMIT 20",
        "SELECT winner, next_point, count(*) FROM find('XOX', 'every_place') JOIN games USING (file, \"offset\") GROUP BY 1, 2 ORDER BY 1, 2",
        "SELECT count(*), sum(game) FROM find('XO', 'variations keep_colors')",
        "SELECT count(*) FROM games WHERE matches(moves, size_x, size_y, 'XOX', 'keep_colors')",
        "SELECT encode(position_hash(moves, size_x, size_y, 9), 'hex'), count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT encode(canonical_position(moves, size_x, size_y, 9), 'hex'), count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
        "SELECT 1 + 1",
    ] {
        assert_eq!(ask(&there, query).await, ask(&here, query).await, "{query}");
    }
    let pattern = try_ask(&there, "SELECT * FROM find('X%')").await.unwrap_err().to_string();
    assert!(pattern.contains("find: line 1, column 2 of the diagram"), "{pattern}");
    let error = try_ask(&there, "SELECT 1 / (move_count - move_count) FROM games").await.unwrap_err().to_string();
    let number = try_ask(&there, "SELECT count(*) FROM games WHERE date > 1960").await.unwrap_err().to_string();
    assert!(number.contains("write year(date) > 1960"), "{number}");
    assert!(error.contains("DivideByZero") && error.contains(&cluster.address()), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hits_do_not_depend_on_machines() {
    let games = archive(6_000);
    let (_directory, path) = directory(&[("a.sgf", games.as_bytes()), ("b/c.sgf", archive(50).as_bytes())]);
    let cluster = Cluster::start(2);
    for query in [
        "SELECT file, \"offset\", ply, symmetry, swapped, next_color, next_point, next_ply, elsewhere \
         FROM find('XOX', 'every_place') ORDER BY 1, 2, 3, 4, 5, 6, 7, 8",
        "SELECT file, \"offset\" FROM games WHERE matches(moves, size_x, size_y, 'XOX') ORDER BY 1, 2",
        "SELECT encode(position_hash(moves, size_x, size_y, 2), 'hex') AS h, count(*) FROM games GROUP BY 1 UNION ALL SELECT encode(canonical_position(moves, size_x, size_y, 5), 'hex') AS h, count(*) FROM games GROUP BY 1 ORDER BY 1, 2",
    ] {
        let expected = ask(&context_of(&path, 1), query).await;
        assert!(expected.lines().count() > 15, "{query}");
        for partitions in [1, 2, 7] {
            assert_eq!(ask(&context_of(&path, partitions), query).await, expected, "here, {partitions}: {query}");
            assert_eq!(
                ask(&cluster.context_of(&path, partitions), query).await,
                expected,
                "there, {partitions}: {query}"
            );
        }
    }
    assert!(cluster.executors.iter().all(|executor| executor.games() > 0), "both have searched games");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_that_is_killed_costs_nothing_but_time() {
    let games = archive(60_000);
    let (_directory, path) = directory(&[("a.sgf", games.as_bytes())]);
    let query =
        "SELECT count(*), sum(\"offset\"), bit_xor(\"offset\" * 31 + length), count(DISTINCT canonical) FROM games";
    let expected = ask(&context_of(&path, 2), query).await;
    let mut cluster = Cluster::with(2, &["--executor-timeout", "6"]);
    let there = cluster.context_of(&path, 16);
    let asked = tokio::spawn(async move { ask(&there, query).await });
    let mut killed = cluster.executors.pop().unwrap();
    tokio::task::block_in_place(|| wait_for("the executor has begun", || killed.games() > 0));
    assert!(!asked.is_finished(), "the query is too short to be disturbed");
    killed.child.kill().unwrap();
    assert_eq!(asked.await.unwrap(), expected);
    assert!(killed.games() < 60_000 && cluster.executors[0].games() > 0);
}

/// Runs the binary in a directory.
fn run(path: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sgf-sql")).args(args).current_dir(path).stdin(Stdio::null()).output().unwrap()
}

fn lines(bytes: &[u8]) -> BTreeSet<&str> {
    std::str::from_utf8(bytes).unwrap().lines().collect()
}

#[test]
fn files_that_cannot_be_read_are_reported() {
    let cluster = Cluster::start(1);
    let mut damaged = gzip(archive(3_000).as_bytes());
    damaged.truncate(damaged.len() / 2);
    let games = archive(10);
    let (_directory, path) =
        directory(&[("d/a.sgf", games.as_bytes()), ("d/no.sgf", b"no data"), ("d/damaged.sgf.gz", &damaged)]);
    let query = "SELECT file, count(*) AS n FROM games GROUP BY 1 ORDER BY 1";
    let here = ["sql", query, "d", "missing.sgf", "--format", "csv"];
    let address = cluster.address();
    let there = [&here[..], &["--cluster", &address]].concat();
    let (here, there) = (run(&path, &here), run(&path, &there));
    assert!(here.status.code() == Some(2) && lines(&here.stderr).len() == 3, "{here:?}");
    assert_eq!(there.stdout, here.stdout, "{there:?}");
    assert_eq!((there.status, lines(&there.stderr)), (here.status, lines(&here.stderr)));
    // With --strict, the first of them ends the query.
    for (file, named) in [
        ("d/damaged.sgf.gz", "sgf-sql: error: d/damaged.sgf.gz: "),
        ("missing.sgf", "sgf-sql: error: missing.sgf: No such file"),
    ] {
        let strict =
            run(&path, &["sql", "SELECT count(*) FROM games", "d/a.sgf", file, "--strict", "--cluster", &address]);
        let stderr = String::from_utf8(strict.stderr).unwrap();
        assert!(strict.status.code() == Some(2) && strict.stdout.is_empty() && stderr.starts_with(named), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    // The names of files are those that the user typed, and options go along.
    let latin = "SELECT file, black, \"KK\" FROM games WHERE \"KK\" = '\u{e9}'";
    std::fs::write(format!("{path}/latin.sgf"), b"(;PB[\xE9]KK[\xE9])").unwrap();
    let args = ["sql", latin, "./latin.sgf", "--default-charset", "latin1", "--format", "csv", "--cluster", &address];
    let output = run(&path, &args);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "file,black,KK\n./latin.sgf,\u{e9},\u{e9}\n");
}

#[cfg(unix)]
#[test]
fn paths_mean_the_same_on_a_cluster() {
    let cluster = Cluster::start(2);
    let members = tar(&[("a.sgf", b"(;PB[a])"), ("old/b.sgf", b"(;PB[b])"), ("c-draft.sgf", b"(;PB[c])")]);
    let (_directory, path) = directory(&[
        ("d/a.sgf", b"(;PB[a])"),
        ("d/old/b.sgf", b"(;PB[b])"),
        ("d/x.tar.gz", &gzip(&members)),
        ("e/c.sgf", b"(;PB[c])"),
        ("list", b"d\0e/c.sgf\0"),
    ]);
    std::os::unix::fs::symlink("../e", format!("{path}/d/link")).unwrap();
    let address = cluster.address();
    let query = "SELECT file FROM games ORDER BY 1";
    for (args, files) in [
        (&["d"][..], "d/a.sgf d/old/b.sgf d/x.tar.gz!/a.sgf d/x.tar.gz!/c-draft.sgf d/x.tar.gz!/old/b.sgf"),
        (&["--exclude", "old", "--exclude", "*-draft.sgf", "-L", "d"], "d/a.sgf d/link/c.sgf d/x.tar.gz!/a.sgf"),
        (&["--exclude", "*.gz", "--files0-from", "list"], "d/a.sgf d/old/b.sgf e/c.sgf"),
    ] {
        let here = [&["sql", query, "--format", "csv", "--no-header"], args].concat();
        let (here, there) = (run(&path, &here), run(&path, &[&here[..], &["--cluster", &address]].concat()));
        let text = String::from_utf8(there.stdout).unwrap();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            files.split_whitespace().collect::<Vec<_>>(),
            "{:?}",
            there.stderr
        );
        assert_eq!((text.as_bytes(), there.status), (&here.stdout[..], here.status));
    }
}

#[test]
fn a_scheduler_that_is_not_there_is_an_error() {
    let (_directory, path) = directory(&[("a.sgf", b"(;PB[a])")]);
    let free = || TcpListener::bind("127.0.0.1:0").unwrap();
    let ask = |address: &str| {
        let output = run(&path, &["sql", "SELECT count(*) FROM games", "a.sgf", "--cluster", address, "--wait", "1"]);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let gone = free().local_addr().unwrap().to_string();
    let error = ask(&gone);
    assert!(error.starts_with(&format!("sgf-sql: error: {gone}: the scheduler cannot be reached: ")), "{error}");
    // An executor waits for it, for some time.
    let output = run(&path, &["executor", "--scheduler", &gone, "--wait", "1"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains(&gone), "{error}");
    // A program that does not answer.
    let silent = free();
    let error = ask(&silent.local_addr().unwrap().to_string());
    assert!(error.contains("cannot be reached: no answer within 5 s"), "{error}");
    // A program that is something else.
    let other = free();
    let address = other.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in other.incoming().flatten() {
            use std::io::Write;
            let mut stream = stream;
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nServer: other\r\n\r\n");
        }
    });
    let error = ask(&address);
    assert!(
        error.contains(&address)
            && error.contains("this address belongs to another program, not to a scheduler of sgf-sql"),
        "{error}"
    );
    // A scheduler without executors.
    let cluster = Cluster::start(0);
    let error = ask(&cluster.address());
    let expected =
        format!("sgf-sql: error: {}: the scheduler has no executors: none came within 1 s\n", cluster.address());
    assert_eq!(error, expected);
    for (args, expected) in [
        (["sql", "SELECT 1", "--cluster", "nowhere"], "\"nowhere\" is not an address: expected HOST:PORT"),
        (["executor", "--quiet", "--scheduler", "nowhere"], "\"nowhere\" is not an address: expected HOST:PORT"),
    ] {
        let output = run(&path, &args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{error}");
    }
}

/// The script of the guide.
#[cfg(unix)]
#[test]
fn the_script_starts_a_cluster() {
    let (_directory, path) = directory(&[("a.sgf", archive(3_000).as_bytes())]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cluster.sh");
    let mut command = Command::new("bash");
    command.arg(script).args(["SELECT count(*) AS n FROM games", "a.sgf", "--format", "csv", "--partitions", "8"]);
    let output = command.env("SGF_SQL", env!("CARGO_BIN_EXE_sgf-sql")).current_dir(&path).output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && stdout == "n\n3000\n", "{stdout}{stderr}");
    let read = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("sgf-sql: ")?.split_once(" games in ")?.0.parse::<u64>().ok());
    assert_eq!(read.sum::<u64>(), 3_000, "{stderr}");
}
