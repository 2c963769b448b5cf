//! Tables of streams, read on all cores.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, Read};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use sgf_stream::Error;
use sgf_stream::parallel::Tasks;
use sgf_stream::parts::{Next, Part, Parts};
use sgf_table::Rows;

use crate::table::{ArrowTable, external};

impl ArrowTable {
    /// Reads the games of a stream on all cores, with batches in stream order.
    ///
    /// A batch is at most a part of the stream: 512 KiB of games. A few parts per thread are held in memory, and all rows
    /// of a game that is longer than [`Parser::max_game_len`](sgf_stream::Parser::max_game_len).
    ///
    /// ```
    /// use sgf_arrow::ArrowTable;
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let archive = "(;PB[Shusaku];B[qd];W[dc])\n".repeat(50_000);
    /// let table = TableBuilder::new(&Parser::new(), Table::Games).columns(["game", "black", "sgf_moves"])?;
    /// let rows = ArrowTable::new(table).par_reader(archive.as_bytes()).map(|batch| Ok(batch?.num_rows()));
    /// assert_eq!(rows.sum::<Result<usize, arrow_schema::ArrowError>>()?, 50_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn par_reader<R: Read>(&self, inner: R) -> ParTableReader<R> {
        self.reader_with(inner, Tasks::new())
    }

    /// Does the same on the threads of a pool. With one thread, the caller reads all games.
    pub fn par_reader_in<R: Read>(&self, inner: R, pool: Arc<rayon::ThreadPool>) -> ParTableReader<R> {
        self.reader_with(inner, Tasks::in_pool(pool))
    }

    fn reader_with<R: Read>(&self, inner: R, tasks: Tasks<PartBatches>) -> ParTableReader<R> {
        ParTableReader {
            table: self.clone(),
            parts: Some(self.table().parser().parts(inner)),
            tasks,
            games_before: 0,
            batches: VecDeque::new(),
            schema: self.schema(),
        }
    }
}

/// Returns the batches of a part, with games numbered from its start.
struct PartBatches {
    batches: Vec<Result<RecordBatch, ArrowError>>,
    games: u64,
}

/// An iterator over the batches of a stream, read on all cores. Created by [`ArrowTable::par_reader`].
///
/// A read error ends it, and comes after the batches before it.
pub struct ParTableReader<R: Read> {
    table: ArrowTable,
    /// `None` after the end.
    parts: Option<Parts<R>>,
    tasks: Tasks<PartBatches>,
    /// Number of games in the parts that have been taken.
    games_before: u64,
    batches: VecDeque<Result<RecordBatch, ArrowError>>,
    schema: SchemaRef,
}

impl<R: Read> ParTableReader<R> {
    /// Sends parts to the threads until they are busy.
    fn give(&mut self) {
        while !self.tasks.is_full()
            && let Some(parts) = &mut self.parts
        {
            match parts.next_part() {
                Ok(Some(Next::Part(part))) => {
                    let table = self.table.clone();
                    self.tasks.give(move || PartBatches::of(&table, &part));
                }
                Ok(Some(Next::Long(game))) => {
                    let rows = self.table.table().rows(game.reader(self.table.table().parser()));
                    self.tasks.give_done(PartBatches::of_rows(&self.table, rows));
                }
                Ok(None) => self.parts = None,
                Err(error) => {
                    if let Some(part) = self.parts.take().and_then(Parts::into_rest) {
                        self.tasks.give_done(PartBatches::of(&self.table, &part));
                    }
                    let batches = vec![Err(external(Error::from(error)))];
                    self.tasks.give_done(PartBatches { batches, games: 0 });
                }
            }
        }
    }
}

impl PartBatches {
    fn of(table: &ArrowTable, part: &Part<'_>) -> Self {
        PartBatches::of_rows(table, table.table().rows(part.reader(table.table().parser())))
    }

    fn of_rows<R: BufRead>(table: &ArrowTable, rows: Rows<R>) -> Self {
        let mut reader = table.batches(rows);
        let batches = reader.by_ref().collect();
        PartBatches { batches, games: reader.games() }
    }
}

/// Adds the number of games before a part to the column `game`, if there is one.
fn after_games(batch: RecordBatch, games: u64) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let Ok(at) = schema.index_of("game") else { return Ok(batch) };
    let mut columns = batch.columns().to_vec();
    columns[at] = Arc::new(columns[at].as_primitive::<Int64Type>().unary::<_, Int64Type>(|game| game + games as i64));
    RecordBatch::try_new(schema, columns)
}

impl<R: Read> Iterator for ParTableReader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.batches.pop_front() {
                return Some(batch);
            }
            self.give();
            let PartBatches { batches, games } = self.tasks.next()?;
            let before = self.games_before;
            self.batches = batches.into_iter().map(|batch| after_games(batch?, before)).collect();
            self.games_before += games;
        }
    }
}

impl<R: Read> RecordBatchReader for ParTableReader<R> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl<R: Read> fmt::Debug for ParTableReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParTableReader").field("table", &self.table).finish_non_exhaustive()
    }
}
