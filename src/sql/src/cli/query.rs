//! `sgf-sql sql`: a query, or a shell.

use std::path::Path;
use std::process::ExitCode;

use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::DFParser;

use super::errors::Failure;
use super::output::Target;
use super::session::{Place, Session, shows_progress};
use super::spinner::Spinner;
use super::{Common, shell};

/// Query SGF files with SQL.
///
/// The PATHs are the tables `games`, `moves` and `properties`: a row for each game, for each move of a main line, and for
/// each property. A PATH is a file, a directory, an archive, or a URL. Without a query, this is a shell.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// One or more statements, separated by `;`. What names a file, or has no white space, is the first PATH instead.
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Files, directories, archives, patterns and URLs.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    pub(super) common: Common,
}

const MORE: &str = r#"Examples:
  sgf sql "SELECT year(date), count(*) FROM games GROUP BY 1 ORDER BY 1" ARCHIVE/
  sgf sql "SELECT black, white, date FROM games WHERE sgf_moves LIKE 'qddcpq%'" a.sgf b.tar.gz
  sgf sql "SELECT \"KK\", count(*) FROM games GROUP BY 1" a.sgf      (any property of the root, in quotes)
  sgf sql "SELECT * FROM games" ARCHIVE/ -o games.parquet
  sgf sql "SELECT g.black, count(*) FROM games g JOIN 'players.csv' p ON g.black = p.name GROUP BY 1" ARCHIVE/
  sgf sql ARCHIVE/                                                  (the shell: \d shows tables and columns)

A file that cannot be read is reported on standard error, and the query goes on without it, unless --strict is given."#;

pub(super) async fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { query, mut paths, place, target, common } = args;
    let is_path = |text: &str| Path::new(text).exists() || !text.trim().contains(char::is_whitespace);
    let query = match query {
        Some(path) if is_path(&path) => {
            paths.insert(0, path);
            None
        }
        query => query,
    };
    let session = Session::new(&common, &place, paths)?;
    match query {
        None => shell::run(&session, &target, &common).await?,
        Some(query) => {
            target.check()?;
            statements(&session, &query, &target, &common).await?;
        }
    }
    Ok(session.exit_code())
}

/// Runs the statements of a text, one after the other.
pub(super) async fn statements(session: &Session, text: &str, target: &Target, common: &Common) -> Result<(), Failure> {
    session.add_columns_of(text)?;
    let of_query = |error| Failure::of_query(&error, text);
    let statements = DFParser::parse_sql(text).map_err(of_query)?;
    if statements.len() > 1 && target.output.is_some() {
        let has_rows = "only one statement can be written to a file with -o";
        return Err(Failure::Usage(has_rows.to_owned()));
    }
    for statement in statements {
        let state = session.ctx.state();
        let plan = state.statement_to_plan(statement).await.map_err(of_query)?;
        let is_silent = matches!(&plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_));
        let frame = session.ctx.execute_logical_plan(plan).await.map_err(of_query)?;
        let spinner = Spinner::start(&session.progress, shows_progress(common, target.prints_meanwhile()));
        let rows = frame.execute_stream().await.map_err(of_query)?;
        if is_silent {
            continue;
        }
        target.write(rows, text, spinner).await?;
    }
    Ok(())
}
