//! Archives, contexts and queries for tests.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use quickcheck::Testable;
use sgf_sql::Options;
use sgf_table::Table;
use tempfile::TempDir;

/// The tables.
pub(crate) const TABLES: [Table; 3] = [Table::Games, Table::Moves, Table::Properties];

/// Makes games that differ, of about 200 bytes each.
pub(crate) fn archive(games: usize) -> String {
    let mut archive = String::new();
    for n in 0..games {
        let year = 1800 + n % 200;
        let winner = if n % 3 == 0 { "W+R" } else { "B+2.5" };
        let (white, rank) = (n % 7, n % 9 + 1);
        write!(archive, "(;FF[4]GM[1]SZ[19]PB[black {n}]PW[white {white}]BR[{rank}d]DT[{year}-02-03]RE[{winner}]")
            .unwrap();
        for ply in 0..n % 40 {
            let color = if ply % 2 == 0 { 'B' } else { 'W' };
            let point = |n: usize| char::from(b'a' + (n % 19) as u8);
            write!(archive, ";{color}[{}{}]", point(ply), point(n + ply / 19)).unwrap();
        }
        archive.push_str(")\n");
    }
    archive
}

/// A directory with files, and the path of the directory.
pub(crate) fn directory(files: &[(&str, &[u8])]) -> (TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let path = directory.path().to_str().unwrap().to_owned();
    (directory, path)
}

/// A context with so many partitions.
pub(crate) fn context(partitions: usize) -> SessionContext {
    SessionContext::new_with_config(SessionConfig::new().with_target_partitions(partitions))
}

/// Registers the three tables of a path.
pub(crate) fn register(ctx: &SessionContext, path: &str) {
    for table in TABLES {
        sgf_sql::register(ctx, table.name(), path, Options::new(table)).unwrap();
    }
}

/// A context with the three tables of a path.
pub(crate) fn context_of(path: &str, partitions: usize) -> SessionContext {
    let ctx = context(partitions);
    register(&ctx, path);
    ctx
}

/// The result of a query, as text.
pub(crate) async fn ask(ctx: &SessionContext, query: &str) -> String {
    try_ask(ctx, query).await.unwrap_or_else(|error| panic!("{query}: {error}"))
}

/// The result of a query, as text, or its error.
pub(crate) async fn try_ask(ctx: &SessionContext, query: &str) -> Result<String> {
    Ok(text(&ctx.sql(query).await?.collect().await?))
}

/// The cells of batches: rows on lines, with blanks between the cells.
pub(crate) fn text(batches: &[RecordBatch]) -> String {
    let pretty = pretty_format_batches(batches).unwrap().to_string();
    let rows = pretty.lines().skip(3).filter(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().join(" ");
    rows.map(cells).collect::<Vec<_>>().join("\n")
}

/// The result of a query, and the sums of metrics of its scans.
pub(crate) async fn measured(ctx: &SessionContext, query: &str, metrics: &[&str]) -> (String, Vec<usize>) {
    let plan = ctx.sql(query).await.unwrap().create_physical_plan().await.unwrap();
    let batches = collect(Arc::clone(&plan), ctx.task_ctx()).await.unwrap();
    (text(&batches), metrics.iter().map(|metric| sum(&plan, metric)).collect())
}

fn sum(plan: &Arc<dyn ExecutionPlan>, metric: &str) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.sum_by_name(metric)).map_or(0, |sum| sum.as_usize());
    own + plan.children().into_iter().map(|child| sum(child, metric)).sum::<usize>()
}

/// The plan of a query.
pub(crate) async fn plan(ctx: &SessionContext, query: &str) -> String {
    let plan = ctx.sql(query).await.unwrap().create_physical_plan().await.unwrap();
    datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string()
}

/// The rows of a table, read in the byte ranges of someone else: a group for each range.
pub(crate) async fn in_ranges(
    ctx: &SessionContext,
    table: &str,
    columns: &[&str],
    ranges: &[Range<u64>],
) -> Result<Vec<RecordBatch>> {
    let plan = ctx.table(table).await?.select_columns(columns)?.create_physical_plan().await?;
    collect(cut(&plan, ranges), ctx.task_ctx()).await
}

/// A scan of one file, cut into byte ranges: a group for each range.
pub(crate) fn cut(plan: &Arc<dyn ExecutionPlan>, ranges: &[Range<u64>]) -> Arc<dyn ExecutionPlan> {
    let source = plan.downcast_ref::<DataSourceExec>().expect("a scan");
    let config = source.data_source().downcast_ref::<FileScanConfig>().expect("a scan of files");
    let file: PartitionedFile = config.file_groups[0].iter().next().expect("a file").clone();
    let of_range = |range: &Range<u64>| {
        let mut file = file.clone();
        file.range = None;
        FileGroup::new(vec![file.with_range(range.start as i64, range.end as i64)])
    };
    let mut config = config.clone();
    config.file_groups = ranges.iter().map(of_range).collect();
    DataSourceExec::from_data_source(config)
}

/// Tests a law with inputs of a size that is good for archives.
pub(crate) fn holds(times: u64, law: impl Testable) {
    quickcheck::holds_of(quickcheck::inputs(60), times, law);
}
