//! Tables as Apache Arrow record batches.

use std::fmt;
use std::io::{self, BufRead};
use std::ops::Range;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use sgf_stream::Error;
use sgf_stream::parallel::{RangeReader, ReadAt};
use sgf_table::{Rows, TableBuilder};

use crate::batch::{self, BatchBuilder};

/// Default number of rows in a batch.
const BATCH_ROWS: usize = 8192;

/// Approximate number of bytes after which a batch ends, even if it has few rows.
const BATCH_BYTES: usize = 8 << 20;

/// A reader of a table as Apache Arrow record batches.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Date32Type;
/// use sgf_arrow::ArrowTable;
/// use sgf_stream::Parser;
/// use sgf_table::{Table, TableBuilder};
///
/// let archive = b"(;DT[1846-09-11]RE[B+2];B[qd])(;DT[spring]RE[?])";
/// let table = TableBuilder::new(&Parser::new(), Table::Games).columns(["date", "result"])?;
/// for batch in ArrowTable::new(table).slice(archive) {
///     let batch = batch?;
///     assert_eq!(batch.num_rows(), 2);
///     let days: Vec<_> = batch.column(0).as_primitive::<Date32Type>().iter().collect();
///     assert_eq!(days, [Some(-45_037), None]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrowTable {
    table: TableBuilder,
    batch_rows: usize,
    dictionaries: bool,
}

impl ArrowTable {
    /// Creates a reader of a table with its columns.
    pub fn new(table: TableBuilder) -> Self {
        ArrowTable { table, batch_rows: BATCH_ROWS, dictionaries: true }
    }

    /// Returns the table.
    pub fn table(&self) -> &TableBuilder {
        &self.table
    }

    /// Returns the schema of the record batches.
    ///
    /// Its metadata names the table (`sgf.table`), the version of the columns (`sgf.schema_version`, see
    /// [`SCHEMA_VERSION`](sgf_table::SCHEMA_VERSION)) and the version of this crate (`sgf.crate_version`).
    pub fn schema(&self) -> SchemaRef {
        batch::schema(self.table.table(), self.table.column_list(), self.dictionaries)
    }

    /// Returns a builder of record batches, for the rows of the table.
    pub fn batch_builder(&self) -> BatchBuilder {
        BatchBuilder::new(self.schema(), self.table.column_list())
    }

    /// Sets the number of rows after which a batch ends. Default: 8192. A batch also ends after about 8 MiB.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows.max(1);
        self
    }

    /// Sets whether columns with few different values are dictionaries. Default: true.
    ///
    /// Set it to false for programs that do not support dictionaries; the columns are then plain text.
    ///
    /// ```
    /// use arrow_schema::DataType;
    /// use sgf_arrow::ArrowTable;
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let table = ArrowTable::new(TableBuilder::new(&Parser::new(), Table::Games).columns(["event"])?).dictionaries(false);
    /// assert_eq!(table.schema().field(0).data_type(), &DataType::Utf8);
    /// let batch = table.slice(b"(;EV[Castle Game])").next().unwrap()?;
    /// assert_eq!(batch.schema(), table.schema());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dictionaries(mut self, dictionaries: bool) -> Self {
        self.dictionaries = dictionaries;
        self
    }

    /// Reads the games of a slice.
    pub fn slice<'a>(&self, bytes: &'a [u8]) -> TableReader<&'a [u8]> {
        self.reader(bytes)
    }

    /// Reads the games of a stream.
    pub fn reader<R: BufRead>(&self, inner: R) -> TableReader<R> {
        self.batches(self.table.rows(self.table.parser().reader(inner)))
    }

    /// Reads the games of a file, with its path in the column `file`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened.
    pub fn open(&self, path: impl AsRef<std::path::Path>) -> io::Result<TableReader<io::BufReader<std::fs::File>>> {
        let path = path.as_ref();
        let named = self.table.clone().file(path.to_string_lossy());
        Ok(self.batches(named.rows(named.parser().open(path)?)))
    }

    /// Reads record batches from rows of the table.
    pub fn batches<R: BufRead>(&self, rows: Rows<R>) -> TableReader<R> {
        TableReader {
            rows,
            builder: self.batch_builder(),
            schema: self.schema(),
            most: self.batch_rows,
            games: 0,
            end: End::Open,
        }
    }

    /// Reads the games that start in a byte range of a source.
    ///
    /// If each byte of the source is in exactly one range, each game is read exactly once, however the ranges were chosen: see
    /// [`Split::range`](sgf_stream::parallel::Split::range). The number of a game is known only in a range that starts at 0.
    ///
    /// ```
    /// use sgf_arrow::ArrowTable;
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let archive = b"(;FF[4]PB[a];B[dd])(;FF[4]PB[b];B[cc])(;FF[4]PB[c])".as_slice();
    /// let table = ArrowTable::new(TableBuilder::new(&Parser::new(), Table::Games).columns(["black"])?);
    /// let mut rows = 0;
    /// for start in (0..archive.len() as u64).step_by(10) {
    ///     for batch in table.range(archive, start..start + 10)? {
    ///         rows += batch?.num_rows();
    ///     }
    /// }
    /// assert_eq!(rows, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn range<'s, S: ReadAt + ?Sized>(
        &self,
        source: &'s S,
        range: Range<u64>,
    ) -> io::Result<TableReader<RangeReader<'s, S>>> {
        let range = self.table.parser().split(source).range(range)?;
        let number = (range.span().start == 0).then_some(0);
        Ok(self.batches(self.table.rows(range.reader(self.table.parser())).first_game(number)))
    }
}

/// An iterator over the record batches of a table. Created by [`ArrowTable::slice`] and others.
///
/// An error ends it: an [`ArrowError::ExternalError`] that holds an [`Error`]. Rows before it are in the batch
/// before it.
pub struct TableReader<R> {
    rows: Rows<R>,
    builder: BatchBuilder,
    schema: SchemaRef,
    /// Number of rows after which a batch ends.
    most: usize,
    /// Number of games that have been read.
    games: u64,
    end: End,
}

/// The state of a reader.
enum End {
    Open,
    /// An error that comes after the last batch.
    Failed(ArrowError),
    Over,
}

impl<R: BufRead> TableReader<R> {
    /// Returns the number of games that have been read.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Reads rows until the batch is full, or the end.
    fn fill(&mut self) -> Result<bool, ArrowError> {
        let TableReader { rows, builder, most, games, .. } = self;
        while builder.rows() < *most && builder.bytes() < BATCH_BYTES {
            let mut pushed = Ok(());
            let is_game = rows.next_game(|row| {
                if pushed.is_ok() {
                    pushed = builder.push(row);
                }
            });
            pushed?;
            if !is_game.map_err(external)? {
                return Ok(false);
            }
            *games += 1;
        }
        Ok(true)
    }
}

pub(super) fn external(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

impl<R: BufRead> Iterator for TableReader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match std::mem::replace(&mut self.end, End::Over) {
            End::Open => {}
            End::Failed(error) => return Some(Err(error)),
            End::Over => return None,
        }
        match self.fill() {
            Ok(true) => self.end = End::Open,
            Ok(false) => {}
            Err(error) if self.builder.rows() == 0 => return Some(Err(error)),
            Err(error) => self.end = End::Failed(error),
        }
        (self.builder.rows() > 0).then(|| self.builder.finish())
    }
}

impl<R: BufRead> RecordBatchReader for TableReader<R> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl<R: fmt::Debug> fmt::Debug for TableReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableReader").field("rows", &self.rows).field("builder", &self.builder).finish_non_exhaustive()
    }
}
