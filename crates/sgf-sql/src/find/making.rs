//! What is made of games: rows of a table, or hits.

use std::io::BufRead;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;
use sgf_arrow::BatchBuilder;
use sgf_search::arrow::HitBuilder;
use sgf_search::{Hit, Matcher, QuickMatch};
use sgf_stream::parts::Part;
use sgf_stream::{Error, Parser, Reader};

use super::Asked;

/// Makes batches of the rows of a table, or of hits.
pub(crate) enum Making {
    Rows(BatchBuilder),
    Hits(Box<Seeker>),
}

impl Making {
    /// Makes batches of the hits of a search.
    pub(crate) fn hits(asked: &Asked, schema: SchemaRef) -> Self {
        Making::Hits(Box::new(Seeker { matcher: asked.search().matcher(), builder: HitBuilder::new(schema) }))
    }

    pub(crate) fn rows(&self) -> usize {
        match self {
            Making::Rows(builder) => builder.rows(),
            Making::Hits(seeker) => seeker.builder.rows(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Making::Rows(builder) => builder.bytes(),
            Making::Hits(seeker) => seeker.builder.bytes(),
        }
    }

    /// Makes a batch of the rows so far.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch> {
        match self {
            Making::Rows(builder) => Ok(builder.finish()?),
            Making::Hits(seeker) => Ok(seeker.builder.finish()?),
        }
    }
}

/// Searches games, and makes batches of hits.
pub(crate) struct Seeker {
    matcher: Matcher,
    builder: HitBuilder,
}

impl Seeker {
    /// Searches all games of a reader. Returns those that match, also if it fails.
    pub(crate) fn read<R: BufRead>(&mut self, reader: &mut Reader<R>) -> (Vec<QuickMatch>, Result<(), Error>) {
        let mut found = Vec::new();
        let read = self.matcher.read(reader, |game| found.push(game.into()));
        (found, read.map(drop))
    }

    /// Searches the games of a part with these numbers.
    pub(crate) fn read_some(
        &mut self,
        part: &Part<'_>,
        parser: &Parser,
        numbers: &[u64],
    ) -> (Vec<QuickMatch>, Result<(), Error>) {
        let mut found = Vec::new();
        let read = self.matcher.read_some(&mut part.reader(parser), numbers, |game| found.push(game.into()));
        (found, read)
    }

    /// Searches all games of a part.
    pub(crate) fn read_part(&mut self, part: &Part<'_>, parser: &Parser) -> (Vec<QuickMatch>, Result<(), Error>) {
        self.matcher.read_part(part, parser)
    }

    /// Returns the number of games that the last reading has read.
    pub(crate) fn games(&self) -> u64 {
        self.matcher.counts().games
    }

    /// Adds a hit to the batch.
    pub(crate) fn push(&mut self, file: &Arc<str>, offset: u64, game: Option<u64>, hit: Hit) {
        self.builder.push(file, offset, game, hit);
    }
}
