//! Searches, in files and in indexes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sgf_input::Outputs;
use sgf_search::arrow::{COLUMNS, HitBuilder, field};
use sgf_search::index::{Index, IndexError, IndexGame};
use sgf_search::{Pattern, Place, QuickMatch, Search};
use sgf_stream::parts::Next;

use crate::error::{io_error, value_error};
use crate::sources::{Paths, Sources, pool};
use crate::tables::Reader;

/// Number of hits in a batch.
const BATCH: usize = 8192;

/// How a pattern is searched.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    pattern: String,
    place: String,
    symmetries: bool,
    swap_colors: bool,
    variations: bool,
    every_place: bool,
    empty_rest: bool,
}

impl Asked {
    fn search(&self) -> PyResult<Search> {
        let pattern = Pattern::parse(&self.pattern).map_err(|error| value_error(format_args!("pattern: {error}")))?;
        let place = match self.place.as_str() {
            "sides" => Place::BySides,
            "fixed" => Place::Fixed,
            "anywhere" => Place::Anywhere,
            other => {
                let message = format!("place: use 'sides', 'fixed' or 'anywhere', not '{other}'");
                return Err(PyValueError::new_err(message));
            }
        };
        let pattern = if self.empty_rest { pattern.with_empty_rest() } else { pattern };
        let search = Search::new(pattern).place(place).symmetries(self.symmetries).swap_colors(self.swap_colors);
        Ok(search.variations(self.variations).every_place(self.every_place))
    }
}

/// Searches files, or one index.
#[pyfunction]
pub(crate) fn find(
    py: Python<'_>,
    asked: Asked,
    sources: Sources,
    paths: Paths,
    limit: Option<usize>,
) -> PyResult<Reader> {
    let search = asked.search()?;
    let schema = Arc::new(Schema::new(COLUMNS.map(|name| field(name, true)).to_vec()));
    let threads = sources.threads();
    if let [directory] = &paths.0[..]
        && let Some(found) = py.detach(|| in_index(directory, &search, &schema, threads)).map_err(value_error)?
    {
        return Ok(Reader::of_batch(found, limit));
    }
    let of_hits = Arc::clone(&schema);
    let stream = sources.stream(move |parser, name, data, out| {
        let (file, mut matcher) = (Arc::from(name.as_str()), search.matcher());
        let mut hits = HitBuilder::new(Arc::clone(&of_hits));
        let mut parts = parser.parts(data);
        let mut number = 0;
        while let Some(next) = parts.next_part()? {
            let (found, read) = match next {
                Next::Part(part) => matcher.read_part(&part, parser),
                Next::Long(game) => {
                    let mut found: Vec<QuickMatch> = Vec::new();
                    let read = matcher.read(&mut game.reader(parser), |game| found.push(game.into()));
                    (found, read.map(drop))
                }
            };
            for game in found {
                for hit in game.hits {
                    hits.push(&file, game.offset, Some(number + game.number), hit);
                }
            }
            number += matcher.counts().games;
            read.map_err(io_error)?;
            if hits.rows() >= BATCH && send(&mut hits, out)?.is_break() {
                return Ok(());
            }
        }
        if hits.rows() > 0 {
            _ = send(&mut hits, out)?;
        }
        Ok(())
    });
    Ok(Reader::new(schema, stream, limit))
}

fn send(hits: &mut HitBuilder, out: &mut Outputs<'_, RecordBatch>) -> io::Result<std::ops::ControlFlow<()>> {
    Ok(out.send(hits.finish().map_err(io::Error::other)?))
}

/// Returns the hits in an index; `None` if the directory is not an index.
fn in_index(
    directory: &Path,
    search: &Search,
    schema: &Arc<Schema>,
    threads: usize,
) -> Result<Option<RecordBatch>, String> {
    let index = match Index::open(directory) {
        Ok(index) => index,
        Err(IndexError::None(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let mut hits = HitBuilder::new(Arc::clone(schema));
    let on_game = |game: &IndexGame<'_>| {
        let file = Arc::from(game.file());
        game.hits().iter().for_each(|hit| hits.push(&file, game.offset(), game.number(), *hit));
    };
    let pool = pool(threads).map_err(|error| error.to_string())?;
    pool.install(|| index.find(search, &[], on_game)).map_err(|error| error.to_string())?;
    hits.finish().map(Some).map_err(|error| error.to_string())
}
