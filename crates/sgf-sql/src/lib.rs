//! SQL over SGF files, built on Apache DataFusion.
//!
//! | table | a row is |
//! |---|---|
//! | `games` | a game: players, dates and results as typed values, counts, its main line, hashes |
//! | `moves` | a move of a main line |
//! | `properties` | a property of any node |
//!
//! ```
//! use datafusion::prelude::SessionContext;
//! use sgf_sql::Options;
//! use sgf_table::Table;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("games.sgf");
//! # std::fs::write(&path, "(;PB[Shusaku]DT[1846-09-11]RE[B+2];B[qd])(;PB[Gennan]DT[1846-07-21])")?;
//! # let path = path.to_str().unwrap();
//! let ctx = SessionContext::new();
//! sgf_sql::register(&ctx, "games", path, Options::new(Table::Games))?;
//! let black = ctx.sql("SELECT black FROM games WHERE year(date) = 1846 AND winner = 'B'").await?;
//! assert_eq!(black.count().await?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The columns are those of [`sgf_table`]. A path is a file, a directory, a pattern such as `2020/**/*.sgf`, or
//! the URL of an `object_store`; URLs of HTTP, S3 and GCS need the features `http`, `s3` and `gcs`, or a store that is
//! registered in the context. Compressed files and archives (gzip, zstd, bzip2, xz, tar, zip) are read as they are.
//!
//! # What is read
//!
//! * Only what the columns of the query need: reading root properties is several times faster than reading moves.
//! * Filters of columns of the root (players, dates, results, `file`) are applied before the moves are read. A game that
//!   such a filter rejects is skipped. `EXPLAIN` shows them as `root filter`.
//! * Files are cut into byte ranges, at any offsets: a range contains the games that start in it. A compressed file or an
//!   archive is one partition, and so is a file in UTF-16. No file is cut if the query needs the column `game`, the
//!   number of a game in its file.
//! * `LIMIT` stops the reading.
//!
//! # Bad input
//!
//! Games with errors are rows: their column `error` is not null. A file that cannot be opened has no row. It fails the
//! query, unless a callback is set: see [`Options::on_unreadable`]. An error in the middle of a file (a store that fails, a
//! file that became shorter) fails the query.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(unreachable_pub)]

mod bytes;
#[cfg(feature = "cluster")]
pub mod cluster;
mod extract;
mod fault;
mod files;
mod find;
mod functions;
mod job;
mod names;
mod numbers;
mod options;
mod progress;
mod reading;
mod rows;
mod source;
mod stores;
mod table;

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::{SessionConfig, SessionContext};

pub use crate::extract::GamePlace;
pub use crate::fault::{ReadError, Unreadable};
pub use crate::options::Options;
pub use crate::progress::Progress;
pub use crate::source::SgfSource;
pub use crate::table::{SgfTable, SgfTableFactory};

/// Registers a table of a path or a URL, and the functions of [`register_functions`].
///
/// # Errors
///
/// Fails if the URL or the pattern cannot be read, or if the context has a table of this name.
pub fn register(ctx: &SessionContext, name: &str, path: &str, options: Options) -> Result<()> {
    register_functions(ctx);
    let options = of_session(options, ctx.state().config());
    ctx.register_table(name, Arc::new(SgfTable::new([path], options)?)).map(|_| ())
}

/// Registers `STORED AS SGF`, and the functions of [`register_functions`].
///
/// `options` are the defaults for statements that do not override them.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use sgf_sql::Options;
/// use sgf_table::Table;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let ctx = SessionContext::new();
/// sgf_sql::register_format(&ctx, Options::new(Table::Games));
/// ctx.sql("CREATE EXTERNAL TABLE plies STORED AS SGF LOCATION 'archive/' OPTIONS (table 'moves')").await?;
/// assert!(ctx.table("plies").await?.schema().has_column_with_unqualified_name("ply"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register_format(ctx: &SessionContext, options: Options) {
    register_functions(ctx);
    let factory = Arc::new(SgfTableFactory::new(options));
    ctx.state_ref().write().table_factories_mut().insert("SGF".to_owned(), factory);
}

/// Registers the functions of this package, and rejects numbers where dates are expected.
///
/// | function | result |
/// |---|---|
/// | `year(date)`, `month(date)`, `day(date)` | a number: `date_part('year', date)` |
/// | `date_trunc(unit, date)` | the first day of the unit, as a date; units are also `'decade'`, `'century'` and `'millennium'` |
/// | `has_moves(sgf_moves, 'qdqc')` | whether these moves were played one after the other: [`MoveText::contains`] |
/// | `canonical_moves(sgf_moves, size_x, size_y, n)` | the first moves, turned and mirrored: [`MoveText::canonical`] |
/// | `corner_moves(sgf_moves, size_x, size_y, n)` | a list: the first moves of each corner: [`MoveText::corners`] |
/// | `matches(moves, size_x, size_y, 'X./.O', 'options')` | whether the main line has a pattern; the options may be left out: [`Matcher::line`] |
/// | `position_hash(moves, size_x, size_y, n)` | the hash of the position after `n` moves: [`Board::hash`] |
/// | `canonical_position(moves, size_x, size_y, n)` | a hash that is equal for turned positions: [`Board::canonical_hash`] |
/// | `find('X./.O', 'options', 'table')` | a table of the games with a pattern; options and table may be left out: [`Search`] |
///
/// `find` searches the files of a table of this context, with variations and setup: those of `games`, unless it names another
/// table. Options are words, separated by blanks: `variations`, `every_place`, `keep_colors`, `no_symmetries`, `fixed`,
/// `anywhere`, `empty_rest`. In `matches` the first two make no sense.
///
/// DataFusion takes a number for days after 1970 where a date is expected, so that `date > 1960` finds games after 1975. In
/// this context, for all its tables, that is an error which names the column and shows what to write. `CAST(1960 AS DATE)`
/// is also an error.
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let ctx = SessionContext::new();
/// sgf_sql::register_functions(&ctx);
/// assert_eq!(ctx.sql("SELECT 1 WHERE has_moves('qddcpq', 'dcpq')").await?.count().await?, 1);
/// let error = ctx.sql("SELECT 1 WHERE DATE '1968-05-01' > 1960").await?.collect().await.unwrap_err();
/// assert!(error.to_string().contains("1960 is a number"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Board::canonical_hash`]: sgf_board::Board::canonical_hash
/// [`Board::hash`]: sgf_board::Board::hash
/// [`Matcher::line`]: sgf_search::Matcher::line
/// [`Search`]: sgf_search::Search
/// [`MoveText::contains`]: sgf_board::MoveText::contains
/// [`MoveText::canonical`]: sgf_board::MoveText::canonical
/// [`MoveText::corners`]: sgf_board::MoveText::corners
pub fn register_functions(ctx: &SessionContext) {
    functions::all().for_each(|function| ctx.register_udf(function));
    ctx.register_udtf("find", Arc::new(find::Find));
    numbers::reject_as_dates(ctx);
}

/// The options of a table of a session. Ballista loses dictionaries where it sends rows (55.0), so tables of a cluster have
/// none.
fn of_session(options: Options, _session: &SessionConfig) -> Options {
    #[cfg(feature = "cluster")]
    if _session.get_extension::<cluster::OnCluster>().is_some() {
        return options.dictionaries(false);
    }
    options
}

fn external(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> DataFusionError {
    DataFusionError::External(error.into())
}
