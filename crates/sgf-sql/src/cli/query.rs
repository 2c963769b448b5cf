//! `sgf-sql sql`: a query, or a shell.

use std::path::Path;
use std::process::ExitCode;

use sgf_input::is_stdin;

use super::errors::Failure;
use super::output::Target;
use super::session::{Machines, Session};
use super::statements::statements;
use super::{Common, more, shell};

/// Query SGF files with SQL.
///
/// The PATHs are the tables `games`, `moves` and `properties`: a row per game, per move of a main line, and per property.
/// A PATH is a file, a directory, an archive, or a URL. Without a QUERY, an interactive shell starts.
#[derive(clap::Args)]
#[command(after_long_help = more(MORE))]
pub(super) struct Args {
    /// One or more statements, separated by `;`. A name of a file, or a word, is the first PATH instead.
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Files, directories, archives, patterns and URLs.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    #[command(flatten)]
    place: Machines,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    pub(super) common: Common,
}

const MORE: &str = r#"Examples:
  sgf sql "SELECT year(date), count(*) FROM games GROUP BY 1 ORDER BY 1" GAMES/
  sgf sql "SELECT black, white FROM games WHERE has_moves(sgf_moves, 'qddcpq')" a.sgf b.tar.gz
  sgf sql "SELECT * FROM games" GAMES/ -o games.parquet
Every root property is also a column; quote its name:
  sgf sql "SELECT \"KK\", count(*) FROM games GROUP BY 1" a.sgf
A Parquet, CSV, Arrow or JSON Lines file is a table; quote its name:
  sgf sql "SELECT black, elo FROM games JOIN 'elo.csv' ON black = name" GAMES/
The shell, in which `help` prints the commands:
  sgf sql GAMES/

Functions in addition to those of DataFusion:
  year(date), month(date), day(date)
      Numbers: use year(date) > 1960. `date > 1960` is an error.
  date_trunc('decade', date)
      The first day of a millennium, century, decade, year, quarter, month, week
      or day.
  has_moves(sgf_moves, 'qdqc')
      Whether these moves were played one after the other.
  canonical_moves(sgf_moves, size_x, size_y, n)
      The first n moves, turned and mirrored so that equal openings are equal.
  corner_moves(sgf_moves, size_x, size_y, n)
      A list: the first n moves of each corner, as they look from the corner.
  find('X./.O', 'options', 'table')
      A table of the games with a pattern; options and table may be left out.
  matches(moves, size_x, size_y, 'X./.O', 'options')
      Whether the main line has a pattern; options may be left out.
  position_hash(moves, size_x, size_y, n)
      The hash of the position after n moves.
  canonical_position(moves, size_x, size_y, n)
      A hash that is equal for positions that are turned or mirrored.

A file that cannot be read is reported on standard error, and the query continues
without it, unless --strict is set."#;

/// Returns whether a text without blanks is a query such as `SELECT(1)`.
fn is_expression(text: &str) -> bool {
    let text = text.trim();
    let end = text.find(|char: char| !char.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_keyword = ["SELECT", "VALUES", "EXPLAIN"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword));
    is_keyword && rest.starts_with(['(', '\'', '"'])
}

pub(super) async fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { query, mut paths, place, target, common } = args;
    let is_path =
        |text: &str| Path::new(text).exists() || !text.trim().contains(char::is_whitespace) && !is_expression(text);
    let query = match query {
        Some(path) if is_path(&path) => {
            paths.insert(0, path);
            None
        }
        query => query,
    };
    if let Some(list) = &common.selection.files0_from {
        if !paths.is_empty() {
            let message = "the argument '--files0-from <FILE>' cannot be used with '[PATH]...'";
            return Err(Failure::Usage(message.to_owned()));
        }
        if query.is_none() && is_stdin(list) {
            let message = "--files0-from -: the shell reads standard input; add a QUERY, or save the list to a file";
            return Err(Failure::Usage(message.to_owned()));
        }
    }
    target.check()?;
    let session = Session::new(&common, &place, paths)?;
    match query {
        None => shell::run(&session, &target, &common).await?,
        Some(query) => statements(&session, &query, &target, &common).await?,
    }
    Ok(session.finish(ExitCode::SUCCESS))
}
