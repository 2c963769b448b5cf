//! Tables of streams, read on all cores.

use std::collections::VecDeque;
use std::fmt;
use std::io::Read;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use super::TableBuilder;
use super::arrow::external;
use crate::parallel::Tasks;
use crate::read::parts::{Next, Part, Parts};
use crate::syntax::error::Error;

impl TableBuilder {
    /// Reads the games of a stream on all cores; batches come in the order of the stream.
    ///
    /// A batch is at most a part of the stream: 512 KiB of games. A few parts a thread are held in memory, and all rows of
    /// a game that is longer than [`Parser::max_game_len`](crate::Parser::max_game_len).
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::table::Table;
    ///
    /// let archive = "(;PB[Shusaku];B[qd];W[dc])\n".repeat(50_000);
    /// let table = Parser::new().table(Table::Games).columns(["game", "black", "sgf_moves"])?;
    /// let rows = table.par_reader(archive.as_bytes()).map(|batch| Ok(batch?.num_rows()));
    /// assert_eq!(rows.sum::<Result<usize, arrow_schema::ArrowError>>()?, 50_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn par_reader<R: Read>(&self, inner: R) -> ParTableReader<R> {
        ParTableReader {
            table: self.clone(),
            parts: Some(self.parser.parts(inner)),
            tasks: Tasks::new(),
            batches: VecDeque::new(),
            schema: self.schema(),
        }
    }
}

type Batches = Vec<Result<RecordBatch, ArrowError>>;

/// Reads a table of a stream on all cores. Created by [`TableBuilder::par_reader`].
///
/// An error of reading ends it, and comes after the batches before it.
pub struct ParTableReader<R: Read> {
    table: TableBuilder,
    /// `None` after the end.
    parts: Option<Parts<R>>,
    tasks: Tasks<Batches>,
    batches: VecDeque<Result<RecordBatch, ArrowError>>,
    schema: SchemaRef,
}

impl<R: Read> ParTableReader<R> {
    /// Gives parts to the threads until they have enough to do.
    fn give(&mut self) {
        while !self.tasks.is_full()
            && let Some(parts) = &mut self.parts
        {
            match parts.next_part() {
                Ok(Some(Next::Part(part))) => {
                    let table = self.table.clone();
                    self.tasks.give(move || batches_of(&table, &part));
                }
                Ok(Some(Next::Long(game))) => {
                    let number = game.number();
                    let reader = game.reader(&self.table.parser);
                    let rows = self.table.rows(reader).first_game(number);
                    self.tasks.give_done(self.table.batches(rows).collect());
                }
                Ok(None) => self.parts = None,
                Err(error) => {
                    if let Some(part) = self.parts.take().and_then(Parts::into_rest) {
                        self.tasks.give_done(batches_of(&self.table, &part));
                    }
                    self.tasks.give_done(vec![Err(external(Error::from(error)))]);
                }
            }
        }
    }
}

fn batches_of(table: &TableBuilder, part: &Part<'_>) -> Batches {
    let rows = table.rows(part.reader(&table.parser)).first_game(part.first_game());
    table.batches(rows).collect()
}

impl<R: Read> Iterator for ParTableReader<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.batches.pop_front() {
                return Some(batch);
            }
            self.give();
            self.batches = self.tasks.next()?.into();
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
