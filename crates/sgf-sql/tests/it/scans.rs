//! Scans: partitions, and what a query reads.

use datafusion::arrow::array::RecordBatch;

use crate::support::{TABLES, archive, ask, context_of, directory, measured, plan};

const SUMS: &str =
    "SELECT count(*), sum(\"offset\"), sum(length), sum(move_count), bit_xor(\"offset\" * 31 + length) FROM games";

const OF_MOVES: &str = "SELECT count(*), sum(ply), sum(node_offset), count(DISTINCT point) FROM moves";

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_file_do_not_depend_on_partitions() {
    let (_directory, path) = directory(&[("games.sgf", archive(20_000).as_bytes())]);
    let (games, moves) = (ask(&context_of(&path, 1), SUMS).await, ask(&context_of(&path, 1), OF_MOVES).await);
    assert!(games.starts_with("20000 "), "{games}");
    for partitions in [2, 7, 64] {
        let ctx = context_of(&path, partitions);
        assert_eq!((ask(&ctx, SUMS).await, ask(&ctx, OF_MOVES).await), (games.clone(), moves.clone()), "{partitions}");
    }
    assert!(plan(&context_of(&path, 2), SUMS).await.contains("2 groups: [["), "the file is cut");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_many_files_do_not_depend_on_partitions() {
    let content = archive(8);
    let names: Vec<_> = (0..300).map(|n| format!("{}/{n}.sgf", n % 7)).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), content.as_bytes())).collect();
    let (_directory, path) = directory(&files);
    let sums = format!("{SUMS} WHERE file LIKE '%/3/%'");
    let (all, some) = (ask(&context_of(&path, 1), SUMS).await, ask(&context_of(&path, 1), &sums).await);
    assert!(all.starts_with("2400 ") && some.starts_with("344 "), "{all}, {some}");
    for partitions in [2, 7, 64] {
        let ctx = context_of(&path, partitions);
        assert_eq!((ask(&ctx, SUMS).await, ask(&ctx, &sums).await), (all.clone(), some.clone()), "{partitions}");
    }
}

#[tokio::test]
async fn every_column_can_be_selected_alone() {
    let (_directory, path) = directory(&[("games.sgf", archive(40).as_bytes())]);
    let ctx = context_of(&path, 2);
    for table in TABLES {
        let name = table.name();
        let whole = ctx.sql(&format!("SELECT * FROM {name}")).await.unwrap().collect().await.unwrap();
        assert_eq!(whole[0].num_columns(), sgf_table::Column::all(table).len());
        for column in sgf_table::Column::all(table) {
            let alone = format!("SELECT \"{}\" FROM {name}", column.name());
            let alone = ctx.sql(&alone).await.unwrap().collect().await.unwrap();
            assert_eq!(rows(&alone), rows(&whole), "{name}.{}", column.name());
        }
    }
}

fn rows(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}

#[tokio::test]
async fn no_column_is_needed_to_count() {
    let (_directory, path) = directory(&[("games.sgf", archive(100).as_bytes())]);
    let ctx = context_of(&path, 2);
    for (query, count) in [
        ("SELECT count(*) FROM games", "100"),
        ("SELECT count(*) FROM moves", "1750"),
        ("SELECT count(*) FROM games WHERE white = 'white 3'", "14"),
        ("SELECT 1 FROM games LIMIT 1", "1"),
    ] {
        assert_eq!(ask(&ctx, query).await, count, "{query}");
    }
}

#[tokio::test]
async fn a_filter_of_heads_skips_games() {
    let (_directory, path) = directory(&[("games.sgf", archive(5_000).as_bytes())]);
    let ctx = context_of(&path, 1);
    let metrics = ["games_examined", "games_skipped"];
    // `date` and `winner` are in the root, `move_count` is not.
    let query = "SELECT black, move_count FROM games WHERE year(date) = 1846 AND winner = 'B' AND move_count > 5";
    let plan = plan(&ctx, query).await;
    assert!(plan.contains("FilterExec: move_count"), "{plan}");
    assert!(plan.contains("root filter=date@27 >= 1846-01-01 AND date@27 < 1847-01-01 AND winner@32 = B"), "{plan}");
    let (rows, counts) = measured(&ctx, query, &metrics).await;
    assert_eq!((rows.lines().count(), counts), (17, vec![5000, 4983]));
    // All that is needed is in the root: there is nothing to skip.
    let (rows, counts) = measured(&ctx, "SELECT black FROM games WHERE winner = 'W'", &metrics).await;
    assert_eq!((rows.lines().count(), counts), (1667, vec![5000, 0]));
    // A game that is not wanted has no moves.
    let (rows, counts) = measured(&ctx, "SELECT count(*) FROM moves WHERE \"offset\" < 300", &metrics).await;
    assert_eq!((rows.as_str(), counts), ("6", vec![5000, 4996]));
}

#[tokio::test]
async fn a_dynamic_filter_is_a_root_filter() {
    let (_directory, path) = directory(&[("games.sgf", archive(20_000).as_bytes())]);
    let ctx = context_of(&path, 1);
    let query = "SELECT \"offset\", sgf_moves FROM games ORDER BY \"offset\" LIMIT 3";
    let (rows, counts) = measured(&ctx, query, &["games_examined", "games_skipped"]).await;
    assert_eq!(rows.lines().count(), 3);
    assert!(counts[0] == 20_000 && counts[1] > 5_000, "{counts:?}");
}

#[tokio::test]
async fn a_filter_of_files_reads_no_others() {
    let content = archive(100);
    let (_directory, path) = directory(&[("a.sgf", content.as_bytes()), ("b.sgf", content.as_bytes())]);
    let ctx = context_of(&path, 1);
    let query = format!("SELECT count(*), sum(move_count) FROM games WHERE file = '{path}/b.sgf'");
    let (rows, counts) = measured(&ctx, &query, &["games_examined"]).await;
    assert_eq!((rows.as_str(), counts), ("100 1750", vec![100]));
}

#[tokio::test]
async fn a_limit_ends_the_reading() {
    let bytes = archive(40_000);
    let (_directory, path) = directory(&[("games.sgf", bytes.as_bytes())]);
    let ctx = context_of(&path, 4);
    let (rows, counts) = measured(&ctx, "SELECT black, sgf_moves FROM games LIMIT 3", &["bytes_scanned"]).await;
    assert_eq!(rows, "black 0 \nblack 1 ab\nblack 2 acbc");
    assert!(counts[0] < bytes.len() / 3, "{counts:?} of {}", bytes.len());
}

#[tokio::test]
async fn games_are_numbered_by_their_file() {
    let (_directory, path) = directory(&[("games.sgf", archive(20_000).as_bytes())]);
    let ctx = context_of(&path, 4);
    // The number is known only from the start of a file, so no file is cut for it.
    let query = "SELECT count(game), min(game), max(game), sum(game) FROM games";
    assert_eq!(ask(&ctx, query).await, "20000 0 19999 199990000");
    assert_eq!(ask(&ctx, "SELECT black FROM games WHERE game = 19999").await, "black 19999");
    assert_eq!(ask(&ctx, "SELECT count(*) FROM moves WHERE game = 19999").await, "39");
    assert_eq!(
        ask(&ctx, "SELECT sgf_moves = repeat('x', 3), game FROM games WHERE game BETWEEN 8 AND 9").await,
        "false 8\nfalse 9"
    );
}

#[tokio::test]
async fn types_are_those_of_sql() {
    let games = "(;PB[x]KM[6.5]DT[1846-09-11,14]RE[B+2];B[qd];W[dc];B[])(;KM[6.5]DT[1846]RE[W+R]HA[2])";
    let (_directory, path) = directory(&[("games.sgf", games.as_bytes())]);
    let ctx = context_of(&path, 1);
    for (query, result) in [
        ("SELECT sum(komi), min(date), max(date_to) FROM games", "13.00 1846-01-01 1846-12-31"),
        ("SELECT month(date), day(date) FROM games WHERE winner = 'B'", "9 11"),
        (
            "SELECT array_length(moves), moves[1] % 32768 % size_x FROM games WHERE moves IS NOT NULL AND winner = 'B'",
            "3 16",
        ),
        ("SELECT unnest(dates) FROM games WHERE result = 'points'", "1846-09-11\n1846-09-14"),
        ("SELECT color, count(*) FROM moves GROUP BY color ORDER BY 1", "B 2\nW 1"),
        ("SELECT ident, value FROM properties WHERE ident = 'HA'", "HA 2"),
        ("SELECT length(encode(canonical, 'hex')) FROM games LIMIT 1", "32"),
        ("SELECT g.black, m.point FROM games g JOIN moves m USING (file, \"offset\") WHERE ply = 2", "x dc"),
    ] {
        assert_eq!(ask(&ctx, query).await, result, "{query}");
    }
}
