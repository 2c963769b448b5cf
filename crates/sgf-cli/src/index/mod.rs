//! `sgf index`: an index of archives, for `find --index` and for other programs.

#[cfg(feature = "index")]
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::catalog::Prune;
use crate::decoding::Charsets;
use crate::failure::Failure;
use crate::input::Paths;
use crate::jobs::Threads;

/// Index games for `sgf find --index`, or bring an index up to date.
///
/// The index is a directory of Parquet files with a row for each game. A further call reads only files that are new or
/// changed, by size, time and content, and drops the games of files that are gone from the directories that it reads. What is not
/// below a PATH, or cannot be read, keeps its games. Files are known by their full paths, so a call may come from any directory.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Directory of the index, which is created if it does not exist.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Index variations too, not only main lines.
    #[arg(long)]
    variations: bool,

    /// Columns of the games, beside those of the file and the board: names of `sgf records --list-columns`.
    ///
    /// Default: PB, BR, PW, WR, DT and RE; ranks, date and result as values; komi, handicap, event, origin and number of
    /// moves.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,

    /// Build the index again, with other settings and of these PATHs only.
    ///
    /// The old index stays until the new one is complete. If a PATH, a directory or a file cannot be opened, it stays.
    #[arg(long)]
    rebuild: bool,

    #[command(flatten)]
    prune: Prune,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"An index that exists keeps its --variations, --columns and charsets; use
--rebuild to change them.

The full path of a file has no symbolic links but those that --follow finds in
directories, and the name of a file itself.

Games other than Go are not indexed, nor are boards with more than 52 columns or
rows, games of more than 64 MiB, and games with too many variations."#;

#[cfg(not(feature = "index"))]
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let Args { paths: _, output: _, variations: _, columns: _, rebuild: _, prune: _, charsets: _, threads: _ } = args;
    Err(missing())
}

/// Returns the error of a build without indexes.
#[cfg(not(feature = "index"))]
pub(crate) fn missing() -> Failure {
    Failure::Usage(Failure::without_feature("index", "index"))
}

#[cfg(feature = "index")]
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    work::run(args)
}
