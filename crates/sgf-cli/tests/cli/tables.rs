//! `sgf records --format arrow|parquet`, read by the programs that people use for such files: DuckDB, pyarrow, Polars;
//! and with Spark, straight from SGF.
//!
//! `SGF_PYTHON` names the Python that has them; default: `python3`. A test says so where they are not installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Run, directory, run, run_with, str};
use crate::shared;

/// Runs a program of Python in a folder, and returns what it prints as JSON; `None` where a module is missing.
fn python(module: &str, folder: &Path, program: &str) -> Option<Value> {
    let python = std::env::var("SGF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_module = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if !has_module.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {python} does not have {module} (SGF_PYTHON names another Python)");
        return None;
    }
    let output = Command::new(&python).args(["-c", program]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{module}: {}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

const GAMES: &str = "(;FF[4]GM[1]SZ[19]PB[Shusaku]BR[4d]KM[0]RE[B+2]DT[1846-09-11,14]PC[Osaka];B[qd];W[dc]C[dc];B[])\n\
    (;SZ[9:5]PB[\u{5433}\u{6E05}\u{6E90}]KM[6.5]RE[White resigns.]DT[next year];B[ab](;W[ie])(;W[aa]))(;PB[x]C[";

fn written(name: &str, args: &[&str]) -> std::path::PathBuf {
    let dir = directory(name);
    fs::write(dir.join("in.sgf"), format!("{GAMES}{}])", "x".repeat((16 << 20) + 1))).unwrap();
    for (format, table) in [("parquet", "games"), ("arrow", "games"), ("parquet", "moves"), ("parquet", "properties")] {
        let (input, output) = (dir.join("in.sgf"), dir.join(format!("{table}.{format}")));
        let fixed = ["records", "--format", format, "--table", table, "--output", str(&output)];
        let Run { code, stderr, .. } = run(&[&fixed, args, &[str(&input)]].concat());
        // The last game has a value that is too long: it is reported, and a row.
        assert_eq!((code, stderr.lines().count()), (Some(1), 1), "{stderr}");
        assert!(stderr.contains("[value-too-long]"), "{stderr}");
    }
    dir
}

#[test]
fn duckdb_reads_what_is_written() {
    let program = "import duckdb, json
one = lambda query: [list(map(str, row)) for row in duckdb.sql(query).fetchall()]
print(json.dumps([
  one(\"SELECT black, date, date_to, winner, result, margin, komi, len(moves), size_x, error FROM 'games.parquet'\"),
  one(\"SELECT moves, sgf_moves FROM 'games.parquet' WHERE size_y = 5\"),
  one(\"SELECT ply, color, x, y, pass, comment FROM 'moves.parquet' WHERE game = 0\"),
  one(\"SELECT node, parent, ident, value FROM 'properties.parquet' WHERE game = 1 AND node > 0\"),
  one(\"SELECT decode(value) FROM parquet_kv_metadata('games.parquet') WHERE decode(key) = 'sgf.table'\"),
]))";
    let dir = written("duckdb", &[]);
    let Some(read) = python("duckdb", &dir, program) else { return };
    let none = "None";
    let expected = serde_json::json!([
        [
            ["Shusaku", "1846-09-11", "1846-09-14", "B", "points", "2.00", "0.00", "3", "19", none],
            ["\u{5433}\u{6E05}\u{6E90}", none, none, "B", "resign", none, "6.50", "2", "9", none],
            ["x", none, none, none, none, none, none, "0", "19", "value-too-long"]
        ],
        [["[9, 32812]", "abie"]],
        [["1", "B", "16", "3", "0", none], ["2", "W", "3", "2", "0", "dc"], ["3", "B", none, none, "1", none]],
        [["1", "0", "B", "ab"], ["2", "1", "W", "ie"], ["3", "1", "W", "aa"]],
        [["games"]]
    ]);
    assert_eq!(read, expected);
}

#[test]
fn pyarrow_reads_what_is_written() {
    let program = "import json, pyarrow as pa, pyarrow.parquet as pq
stream = pa.ipc.open_stream(open('games.arrow', 'rb')).read_all()
file = pq.read_table('games.parquet')
same = all(a.to_pylist() == b.to_pylist() for a, b in zip(stream.columns, file.columns))
print(json.dumps([same, file.num_rows, file['canonical'][0].as_py().hex(), str(file.schema.field('komi').type),
  file['dates'].to_pylist()[0][1].isoformat(), stream.schema.metadata[b'sgf.schema_version'].decode()]))";
    let dir = written("pyarrow", &[]);
    let Some(read) = python("pyarrow", &dir, program) else { return };
    let canonical = run(&["records", "--columns", "canonical", str(&dir.join("in.sgf"))]);
    let canonical: Value = serde_json::from_str(canonical.lines()[0]).unwrap();
    let version = sgf_table::SCHEMA_VERSION.to_string();
    assert_eq!(read, serde_json::json!([true, 3, canonical["canonical"], "decimal128(6, 2)", "1846-09-14", version]));
}

#[test]
fn polars_reads_what_is_written() {
    let program = "import json, polars as pl
games = pl.scan_parquet('games.parquet').filter(pl.col('result') == 'resign').select('black', 'komi', 'move_count').collect()
arrow = pl.read_ipc_stream('games.arrow')
print(json.dumps([[str(cell) for cell in games.row(0)], arrow.height, arrow['result'].to_list()]))";
    let dir = written("polars", &[]);
    let Some(read) = python("polars", &dir, program) else { return };
    let row = ["\u{5433}\u{6E05}\u{6E90}", "6.50", "2"];
    assert_eq!(read, serde_json::json!([row, 3, ["points", "resign", null]]));
}

/// `examples/sgf_spark.py`: every task reads a byte range, and no game is read twice.
#[test]
fn spark_reads_each_game_once() {
    let program = "import json, os, sys
os.environ['PYSPARK_PYTHON'] = sys.executable
sys.path.insert(0, EXAMPLES)
from pyspark.sql import SparkSession
from sgf_spark import SgfDataSource
here = {'spark.ui.enabled': 'false', 'spark.driver.host': '127.0.0.1', 'spark.driver.bindAddress': '127.0.0.1'}
spark = SparkSession.builder.master('local[2]').config(map=here).getOrCreate()
spark.sparkContext.addPyFile(EXAMPLES + '/sgf_spark.py')
spark.dataSource.register(SgfDataSource)
table = spark.read.format('sgf').option('program', SGF).option('partitionBytes', 50000)
games = table.option('columns', 'file,offset,length,moves,canonical,dates,error').load(os.getcwd())
sums = games.selectExpr('count(*)', 'sum(`offset`)', 'sum(length)', 'sum(size(moves))', 'count(distinct canonical)')
print(json.dumps([list(sums.collect()[0]), table.option('table', 'moves').option('columns', 'ply').load('a.sgf').count()]))";
    let dir = directory("spark");
    fs::write(dir.join("a.sgf"), run(&["synth", "--bytes", "300000"]).stdout).unwrap();
    fs::write(dir.join("b.sgf"), "(;FF[4]GM[1];B[aa])(;FF[4]SZ[9]C[").unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let program = program
        .replace("EXAMPLES", &format!("{examples:?}"))
        .replace("SGF)", &format!("{:?})", env!("CARGO_BIN_EXE_sgf")));
    let Some(read) = python("pyspark", &dir, &program) else { return };
    let columns = ["records", "--quiet", "--columns", "offset,length,move_count", str(&dir)];
    let rows: Vec<Value> = run(&columns).lines().iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let sum = |name: &str| rows.iter().map(|row| row[name].as_i64().unwrap()).sum::<i64>();
    let [all, moves] = [rows.len(), sum("move_count") as usize];
    assert_eq!(read, serde_json::json!([[all, sum("offset"), sum("length"), moves, all], moves - 1]));
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let dir = directory("table-threads");
    fs::write(dir.join("in.sgf"), run(&["synth", "--bytes", "1200000", "--seed", "3"]).stdout).unwrap();
    for table in ["games", "moves"] {
        for format in ["parquet", "arrow"] {
            let files = ["1", "4"].map(|threads| {
                let output = dir.join(threads);
                let args = ["--threads", threads, "--format", format, "--table", table, "-o", str(&output)];
                let run = run(&[&["records"], &args[..], &[str(&dir.join("in.sgf"))]].concat());
                assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
                fs::read(output).unwrap()
            });
            assert!(files[0] == files[1], "{table} as {format}");
        }
    }
}

#[test]
fn the_same_columns_are_there_in_every_format() {
    let columns = run(&["records", "--list-columns"]);
    let names: Vec<&str> = columns.lines().into_iter().filter_map(|line| line.split(' ').next()).collect();
    let names = names[..names.len() - 3].join(","); // the last lines are about properties
    let input = b"(;PB[a]DT[1846-09-11]RE[B+2.5]KM[6.5];B[dd];W[pp])";
    let csv = run_with(input, &["records", "--format", "csv", "--columns", &names, "-"]);
    assert_eq!(csv.lines()[0], names);
    let cells = csv.lines()[1].split(',').zip(names.split(',')).filter(|(cell, _)| !cell.is_empty());
    let json = run_with(input, &["records", "--columns", &names, "-"]);
    let record: Value = serde_json::from_str(json.lines()[0]).unwrap();
    assert_eq!(record.as_object().unwrap().len(), cells.count());
    assert_eq!((&record["date"], &record["margin"]), (&Value::from("1846-09-11"), &Value::from(2.5)));
    for table in ["moves", "properties"] {
        let listed = run(&["records", "--table", table, "--list-columns"]);
        let names: Vec<&str> = listed.lines().into_iter().filter_map(|line| line.split(' ').next()).collect();
        let csv = run_with(input, &["records", "--table", table, "--format", "csv", "-"]);
        assert_eq!(csv.lines()[0].split(',').collect::<Vec<_>>(), names);
    }
    let rows = run_with(input, &["records", "--table", "moves", "--columns", "ply,color,point,x,y", "-"]);
    assert_eq!(rows.lines()[1], r#"{"ply":2,"color":"W","point":"pp","x":15,"y":15}"#);
}

#[test]
fn a_faulty_game_is_a_line_if_its_error_is_a_column() {
    let long = "x".repeat((16 << 20) + 1);
    let input = format!("(;PB[a])(;PB[b]C[{long}])");
    let run = run_with(input.as_bytes(), &["records", "--columns", "PB,error", "-"]);
    assert_eq!(run.lines(), [r#"{"PB":"a"}"#, r#"{"PB":"b","error":"value-too-long"}"#]);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1));
}

#[test]
fn rows_are_as_many_as_scan_counts() {
    let archive = "tests/data/archive";
    let properties = run(&["records", "--table", "properties", "--columns", "node", "--quiet", archive]);
    assert_eq!(Value::from(properties.lines().len()), run(&["scan", "--json", archive]).json()["properties"]);
    let Some(corpus) = shared::path("corpus") else { return };
    let scan = run(&["scan", "--json", str(&corpus)]).json();
    let games = run(&["records", "--columns", "node_count,error", "--quiet", str(&corpus)]);
    let nodes = games
        .lines()
        .into_iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["node_count"].as_u64().unwrap());
    assert_eq!(
        (Value::from(games.lines().len()), Value::from(nodes.sum::<u64>())),
        (scan["games"].clone(), scan["nodes"].clone())
    );
}
