//! Games as rows of tables, for analysts, databases and reports.
//!
//! | table | a row is |
//! |---|---|
//! | [`Games`](Table::Games) | a game: typed values of its root, counts, its main line, hashes |
//! | [`Moves`](Table::Moves) | a move of a main line |
//! | [`Properties`](Table::Properties) | a property of any node |
//!
//! [`TableBuilder::new`] chooses a table, [`TableBuilder::columns`] the columns. What no column needs is skipped: columns of
//! root properties take little more time than skipping the games.
//!
//! [`TableBuilder::rows`] returns rows of [`Cell`]s. The package `sgf-arrow` reads tables as record batches of Apache Arrow,
//! from slices, readers and byte ranges, and on all cores; it also writes them as Parquet files.
//!
//! ```
//! use sgf_stream::Parser;
//! use sgf_table::{Table, TableBuilder};
//!
//! let archive = b"(;PB[Shusaku]PW[Gennan]DT[1846-09-11,14]RE[Black won by 2 points];B[qd];W[dc];B[])(;DT[next year])";
//! let parser = Parser::new();
//! let table = TableBuilder::new(&parser, Table::Games).columns(["black", "date", "winner", "margin", "sgf_moves"])?;
//!
//! let mut rows = table.rows(parser.reader(&archive[..]));
//! let mut lines = Vec::new();
//! while rows.next_game(|row| {
//!     let cells: Vec<String> = (0..row.len()).map(|column| row.cell(column).to_string()).collect();
//!     lines.push(cells.join(","));
//! })? {}
//! assert_eq!(lines, ["Shusaku,1846-09-11,B,2,qddc--", ",,,,"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cells
//!
//! Null means that the value is missing or cannot be parsed; the original text is in a companion column (`date_text`,
//! `result_text`). Values are parsed leniently, as people write them (see [`value`](sgf_stream::value)), and texts are decoded
//! in the charset of their game if the parser has a policy (`Parser::charset`).
//!
//! Every root property is also available as a column of `games`, under its identifier: `PB`, `KK`. Its text is in
//! canonical form if it is valid. `PB_raw` has the raw values, and `RE_text` and `DT_text` have the text as written if that
//! is not the canonical form.
//!
//! A game that lost data is also a row: its column `error` is not null, and the other columns have the rest.
//!
//! # Laws
//!
//! The rows of a table do not depend on the source, the sizes of chunks and batches, byte ranges or threads, and a column
//! does not depend on the others. (Only the number of the game is unknown in a byte range that does not start at 0.)

mod cell;
mod columns;
mod game;
mod line;
mod log;
mod names;
mod property;
mod row;
mod rows;
mod texts;

pub mod analysis;
pub mod facts;

use std::io::BufRead;
use std::sync::Arc;

use sgf_stream::{Game, Parser, Reader};
use thiserror::Error;

pub use self::cell::{Cell, PropertyValue};
pub use self::columns::{Column, ColumnType, Scope};
pub use self::line::MainLine;
pub use self::names::Names;
pub use self::row::Row;
pub use self::rows::Rows;
use self::rows::Shared;
use self::texts::TextPolicy;

/// The version of the columns: their names, types and meanings.
///
/// It is in the metadata of every schema, and increases with every change that a reader of older files would notice.
pub const SCHEMA_VERSION: u32 = 4;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Table {
    /// One row per game.
    Games,
    /// One row per move of a main line.
    Moves,
    /// One row per property of each node.
    Properties,
}

impl Table {
    /// Returns the name: `games`, `moves`, `properties`.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Moves => "moves",
            Table::Properties => "properties",
        }
    }
}

/// Error for a list of columns: see [`TableBuilder::columns`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The table has no such column.
    #[error("unknown column {name:?} of {table}; `Column::all` lists them")]
    Unknown {
        /// The name.
        name: String,
        /// The table.
        table: &'static str,
        /// The names that exist.
        expected: String,
    },
    /// A column is listed twice.
    #[error("column {0:?} is listed twice")]
    Twice(String),
}

/// The settings of a table and its columns. See [`TableBuilder::new`].
#[derive(Clone, Debug)]
pub struct TableBuilder {
    parser: Parser,
    shared: Arc<Shared>,
    file: Option<Arc<str>>,
}

/// Returns the policy for the texts of a table.
fn text_policy(parser: &Parser) -> TextPolicy {
    TextPolicy { decoding: parser.decoding() }
}

impl TableBuilder {
    /// Creates a reader of games as rows of a table.
    ///
    /// It has the settings of the parser, and all named columns. Select only the [columns](Self::columns) you need: content that no column needs is
    /// skipped.
    pub fn new(parser: &Parser, table: Table) -> Self {
        let (policy, columns) = (text_policy(parser), Column::all(table).into());
        let shared = Shared { table, columns, policy, default_game: Game::default(), names: Arc::default() };
        TableBuilder { parser: parser.clone(), shared: Arc::new(shared), file: None }
    }

    /// Sets the columns, in this order. Default: all of [`Column::all`].
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let table = TableBuilder::new(&Parser::new(), Table::Games).columns(["file", "date", "KK", "PB_raw"])?;
    /// assert_eq!(table.column_list()[1].meaning(), "DT: first day. For a month or a year without a day, its first day.");
    /// assert!(table.columns(["dates", "datum"]).unwrap_err().to_string().starts_with("unknown column \"datum\" of games"));
    /// # Ok::<(), sgf_table::ColumnError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a name is unknown or listed twice.
    pub fn columns<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self, ColumnError> {
        let table = self.shared.table;
        let mut columns: Vec<Column> = Vec::new();
        for name in names {
            let name = name.as_ref();
            let column = Column::find(table, name).ok_or_else(|| unknown(table, name))?;
            if columns.contains(&column) {
                return Err(ColumnError::Twice(name.to_owned()));
            }
            columns.push(column);
        }
        Arc::make_mut(&mut self.shared).columns = columns.into();
        Ok(self)
    }

    /// Returns a builder with the same columns and another parser.
    ///
    /// The next file may be in another charset.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let lenient = TableBuilder::new(&Parser::new(), Table::Games).columns(["black"])?;
    /// let parser = Parser::strict();
    /// let mut rows = lenient.with_parser(&parser).rows(parser.reader(&b"(;PB[Shusaku]"[..]));
    /// assert!(rows.next_game(|_| ())?);
    /// assert!(rows.failure().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_parser(&self, parser: &Parser) -> Self {
        let mut builder = TableBuilder { parser: parser.clone(), ..self.clone() };
        Arc::make_mut(&mut builder.shared).policy = text_policy(parser);
        builder
    }

    /// Sets the content of the column `file`. Default: null.
    #[must_use]
    pub fn file(self, name: impl Into<Arc<str>>) -> Self {
        TableBuilder { file: Some(name.into()), ..self }
    }

    /// Sets the game of files without `GM`. Default: Go. Hex files from Little Golem need it.
    ///
    /// ```
    /// use sgf_table::{Table, TableBuilder};
    /// use sgf_stream::{Game, Parser};
    ///
    /// let parser = Parser::new();
    /// let table = TableBuilder::new(&parser, Table::Games).columns(["game_type", "sgf_moves"])?.default_game(Game::Hex);
    /// let mut rows = table.rows(parser.reader(&b"(;SZ[13];W[ge];B[c4])"[..]));
    /// let mut cells = Vec::new();
    /// rows.next_game(|row| cells.extend([row.cell(0).to_string(), row.cell(1).to_string()]))?;
    /// assert_eq!(cells, ["Hex", "gecd"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn default_game(mut self, game: Game) -> Self {
        Arc::make_mut(&mut self.shared).default_game = game;
        self
    }

    /// Sets the names that stand for those in the files. Default: none.
    ///
    /// They are in the columns `black`, `white`, `PB` and `PW`.
    #[must_use]
    pub fn names(mut self, names: impl Into<Arc<Names>>) -> Self {
        Arc::make_mut(&mut self.shared).names = names.into();
        self
    }

    /// Returns the table.
    pub fn table(&self) -> Table {
        self.shared.table
    }

    /// Returns the current parser.
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Returns the columns.
    pub fn column_list(&self) -> &[Column] {
        &self.shared.columns
    }

    /// Reads rows, game by game. The reader must come from the same [`Parser`].
    pub fn rows<R: BufRead>(&self, reader: Reader<R>) -> Rows<R> {
        Rows::new(reader, self)
    }
}

#[cold]
fn unknown(table: Table, name: &str) -> ColumnError {
    let mut expected = Column::all(table).iter().map(Column::name).collect::<Vec<_>>().join(", ");
    if table == Table::Games {
        expected += ", or the identifier of a property in upper-case letters and digits, such as PB, PB_raw, DT_text or RE_text";
    }
    ColumnError::Unknown { name: name.to_owned(), table: table.name(), expected }
}
