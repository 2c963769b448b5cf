//! `sgf-sql filter`: writes the games that match a condition.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::DataFusionError;
use datafusion::prelude::col;
use futures::StreamExt;
use sgf_input::is_stdin;
use sgf_sql::GamePlace;
use sgf_table::Table;

use super::errors::Failure;
use super::session::{Machines, Session, shows_progress};
use super::spinner::Spinner;
use super::{Common, NOTHING, more, output};

/// Write the games that match a condition, byte for byte.
///
/// The condition is an SQL expression over the columns of `games`, and root properties in quotes. Games are written in the
/// order of the PATHs, each with a line break after it.
#[derive(clap::Args)]
#[command(after_long_help = more(MORE))]
pub(super) struct Args {
    /// The condition, as after WHERE.
    #[arg(long = "where", short = 'w', value_name = "CONDITION")]
    condition: String,

    /// Files, directories, archives, patterns and URLs.
    #[arg(value_name = "PATH", required_unless_present = "files0_from")]
    paths: Vec<String>,

    /// Print the number of games instead.
    #[arg(long)]
    count: bool,

    /// Print file, offset and length of each game instead, separated by tabs.
    #[arg(long, conflicts_with = "count")]
    list: bool,

    /// Write to this file instead of standard output, which is `-`. It is replaced only if all games are written.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) common: Common,
}

const MORE: &str = r#"Examples:
  sgf filter --where "black_rank_n >= 9 AND year(date) = 1846 AND winner = 'B'" GAMES/ > shusaku.sgf
  sgf filter --where "starts_with(sgf_moves, 'qddcpq')" --count GAMES/
  sgf filter --where "has_moves(sgf_moves, 'qdqc') AND date >= '1960-05-01'" GAMES/
  sgf filter --where "\"RU\" = 'Japanese' OR error IS NOT NULL" --list a.tar.gz

`sgf sql --help` lists the functions for dates and moves."#;

pub(super) async fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { condition, paths, count, list, output, common } = args;
    let session = Session::new(&common, &Machines::HERE, paths)?;
    session.add_columns_of(&condition)?;
    let of_query = |error: DataFusionError| Failure::of_query(&error, &condition);
    let games = session.ctx.table(Table::Games.name()).await?;
    let filter = games.parse_sql_expr(&condition).map_err(of_query)?;
    let games = games.filter(filter).map_err(of_query)?;
    let inputs = session.inputs(games.logical_plan())?;
    let mut out = BufWriter::new(output::open(output.as_deref(), &inputs)?);
    let prints = output.as_deref().is_none_or(is_stdin) && !count && !list;
    let spinner = Spinner::start(&session.progress, shows_progress(&common, prints));
    if count {
        let count = games.count().await.map_err(of_query)?;
        drop(spinner);
        writeln!(out, "{count}")?;
        output::finish(out, output.as_deref())?;
        return Ok(session.finish(answer(count)));
    }
    let games = games.select([col("file"), col("offset"), col("length")])?;
    let mut rows = games.execute_stream().await.map_err(of_query)?;
    let mut places = Vec::new();
    while let Some(batch) = rows.next().await {
        add_places(&batch.map_err(of_query)?, &mut places)?;
    }
    let answer = answer(places.len());
    let table = session.table(Table::Games, &[])?;
    let state = session.ctx.state();
    if list {
        drop(spinner);
        for place in table.in_order(&state, places).await? {
            writeln!(out, "{}\t{}\t{}", place.file, place.offset, place.length)?;
        }
    } else {
        out = table.copy_games(&state, places, out).await.map_err(of_query)?;
        drop(spinner);
    }
    output::finish(out, output.as_deref())?;
    Ok(session.finish(answer))
}

/// Returns the exit code: whether games were found.
fn answer(games: usize) -> ExitCode {
    if games == 0 { ExitCode::from(NOTHING) } else { ExitCode::SUCCESS }
}

fn add_places(batch: &RecordBatch, places: &mut Vec<GamePlace>) -> Result<(), DataFusionError> {
    let files = cast(batch.column(0), &DataType::Utf8)?;
    let files = files.as_string::<i32>();
    let numbers = |column: usize| batch.column(column).as_primitive::<Int64Type>().values();
    for ((file, &offset), &length) in files.iter().zip(numbers(1)).zip(numbers(2)) {
        let file = file.unwrap_or_default().to_owned();
        places.push(GamePlace { file, offset: offset.cast_unsigned(), length: length.cast_unsigned() });
    }
    Ok(())
}
