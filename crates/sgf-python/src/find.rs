//! Searches, in files and in indexes.

use std::io::{self, BufRead, Read};
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sgf_arrow::{ArrowTable, BatchBuilder};
use sgf_input::{Conditions, Exclude};
use sgf_search::arrow::{COLUMNS, HitBuilder, field};
use sgf_search::index::{Index, IndexError, IndexGame, MAX_GAME};
use sgf_search::{Hit, Pattern, Place, QuickMatch, Search};
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::{Flow, Parser, Reader as SgfReader};
use sgf_table::{Cell, Row, TableBuilder};

use crate::error::{index_error, io_error, value_error};
use crate::sources::{Paths, Sources, arguments, conditions, pool};
use crate::tables::{self, ROWS, Reader, Sending, Sent};

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
    columns: Vec<String>,
    r#where: Vec<String>,
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

/// What is read of games with hits: the columns beside those of hits, and conditions.
#[derive(Clone)]
struct Facts {
    columns: ArrowTable,
    conditions: Conditions,
    /// These columns, and those of the conditions.
    table: TableBuilder,
    /// The columns of hits, then those of their games.
    schema: SchemaRef,
}

impl Facts {
    fn new(asked: &Asked, parser: &Parser) -> PyResult<Self> {
        let conditions = conditions(&asked.r#where)?;
        let mut columns = asked.columns.clone();
        columns.retain(|name| !COLUMNS.contains(&name.as_str()));
        let arrow = ArrowTable::new(tables::builder(parser, "games", Some(columns.clone()))?);
        let beside = conditions.columns().filter(|name| !columns.iter().any(|column| column == name));
        let all = columns.iter().map(String::as_str).chain(beside).map(str::to_owned).collect();
        let table = tables::builder(parser, "games", Some(all))?;
        let of_hits = COLUMNS.map(|name| Arc::new(field(name, true)));
        let fields: Vec<_> = of_hits.into_iter().chain(arrow.schema().fields().iter().cloned()).collect();
        Ok(Facts { columns: arrow, conditions, table, schema: Arc::new(Schema::new(fields)) })
    }

    /// Returns the names of the columns that are read.
    fn names(&self) -> Vec<&str> {
        self.table.column_list().iter().map(|column| column.name()).collect()
    }

    /// Creates a batch of hits and the rows of their games.
    fn batch(&self, mut hits: HitBuilder, games: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let hits = hits.finish()?;
        let columns = hits.columns().iter().chain(games.columns()).cloned().collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }

    fn hits(&self) -> HitBuilder {
        HitBuilder::new(Arc::new(Schema::new(self.schema.fields()[..COLUMNS.len()].to_vec())))
    }
}

/// The hits of a part, with a row of its game for each.
struct Found {
    /// Each with the number and the offset of its game in the part.
    hits: Vec<(u64, u64, Hit)>,
    rows: BatchBuilder,
    /// The number of all games of the part.
    games: u64,
    read: io::Result<()>,
}

impl Found {
    fn new(facts: &Facts) -> Self {
        Found { hits: Vec::new(), rows: facts.columns.batch_builder(), games: 0, read: Ok(()) }
    }

    fn of_part(search: &Search, facts: &Facts, parser: &Parser, part: &Part<'_>) -> Self {
        let (mut found, mut matcher) = (Found::new(facts), search.matcher());
        let (matches, read) = matcher.read_part(part, parser);
        found.games = matcher.counts().games;
        found.read = found.add_with_rows(&matches, facts, parser, part.reader(parser)).and(read.map_err(io_error));
        found
    }

    /// Searches a game that is too long for a part. Its row is read if it is at most 64 MiB long, and has no values otherwise.
    fn of_long<R: Read>(search: &Search, facts: &Facts, parser: &Parser, mut game: LongGame<'_, R>) -> Self {
        let (mut found, mut matcher, mut matches) = (Found::new(facts), search.matcher(), Vec::new());
        let [for_hits, for_row] = [(); 2].map(|()| game.push(parser));
        let mut start = Vec::new();
        let kept = game.by_ref().take(MAX_GAME + 1).read_to_end(&mut start).map(|len| len as u64 <= MAX_GAME);
        let mut reader = for_hits.into_reader(start.as_slice().chain(game));
        let searched = matcher.read(&mut reader, |game| matches.push(QuickMatch::from(game)));
        found.games = matcher.counts().games;
        let added = match kept {
            Ok(true) => found.add_with_rows(&matches, facts, parser, for_row.into_reader(&start[..])),
            _ => {
                let mut wanted = matches.iter().filter(|_| facts.conditions.hold_for(|_| Cell::Null));
                wanted.try_for_each(|game| found.add(game, |_| Cell::Null))
            }
        };
        found.read = added.and(searched.map(drop).map_err(io_error));
        found
    }

    /// Adds games that fulfill the conditions, and reads their rows.
    fn add_with_rows<R: BufRead>(
        &mut self,
        matches: &[QuickMatch],
        facts: &Facts,
        parser: &Parser,
        games: SgfReader<R>,
    ) -> io::Result<()> {
        if facts.table.column_list().is_empty() || matches.is_empty() {
            return matches.iter().try_for_each(|game| self.add(game, |_| Cell::Null));
        }
        let (mut rows, mut next) = (facts.table.with_parser(parser).rows(games), 0);
        for game in matches {
            while next < game.number && rows.skip_game().map_err(io_error)? {
                next += 1;
            }
            next += 1;
            let mut added = Ok(());
            let on_row = |row: &Row<'_>| {
                if facts.conditions.hold_in(row) {
                    added = self.add(game, |column| row.cell(column));
                }
            };
            rows.next_game(on_row).map_err(io_error)?;
            added?;
        }
        Ok(())
    }

    fn add<'c>(&mut self, game: &QuickMatch, cell: impl Fn(usize) -> Cell<'c>) -> io::Result<()> {
        for hit in &game.hits {
            self.hits.push((game.number, game.offset, *hit));
            self.rows.push_cells(&cell).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// Searches files, or one index. An index with other paths is an error.
#[pyfunction]
pub(crate) fn find(
    py: Python<'_>,
    asked: &Bound<'_, PyAny>,
    sources: Sources,
    paths: Paths,
    limit: Option<usize>,
) -> PyResult<Reader> {
    let asked: Asked = arguments(asked)?;
    let search = asked.search()?;
    let facts = Facts::new(&asked, &sources.parser())?;
    let schema = Arc::clone(&facts.schema);
    if let Some(index) = paths.0.iter().find(|path| Index::is_at(path)) {
        if paths.0.len() > 1 {
            let message = format!("paths: {} is an index, which is searched alone", index.display());
            return Err(PyValueError::new_err(message));
        }
        if let Some(option) = sources.given_for_reading() {
            let message =
                format!("{option}: an index is searched without reading its files; it was settled when it was built");
            return Err(PyValueError::new_err(message));
        }
        if sources.exclude().has_paths() {
            let message = "exclude: for an index, use names without a '/'; it does not know where paths start";
            return Err(PyValueError::new_err(message));
        }
        let (exclude, threads) = (sources.exclude().clone(), sources.threads());
        let index = py.detach(|| Index::open(index)).map_err(index_error)?;
        let sent = Sent::start(py, move |send| in_index(&index, &search, &facts, (&exclude, limit, threads), send))?;
        return Ok(Reader::of_sent(schema, sent, limit));
    }
    let stream = sources.stream(move |input, out| {
        let (file, mut number) = (Arc::from(input.name.as_str()), 0);
        let (parser, of_parts, of_long) = (input.parser.clone(), (search.clone(), facts.clone()), input.parser.clone());
        input.each_part(
            move |part| Found::of_part(&of_parts.0, &of_parts.1, &parser, part),
            |game| Found::of_long(&search, &facts, &of_long, game),
            |mut found| {
                let mut hits = facts.hits();
                for (of_part, offset, hit) in found.hits {
                    hits.push(&file, offset, Some(number + of_part), hit);
                }
                number += found.games;
                let mut flow = ControlFlow::Continue(());
                if hits.rows() > 0 {
                    let rows = found.rows.finish().and_then(|rows| facts.batch(hits, &rows));
                    flow = out.send(rows.map_err(io::Error::other)?);
                }
                found.read.map(|()| flow)
            },
        )
    });
    Ok(Reader::new(schema, stream, limit))
}

/// Sends the hits in an index, of which there are at least as many as wanted if it has them.
fn in_index(
    index: &Index,
    search: &Search,
    facts: &Facts,
    (exclude, limit, threads): (&Exclude, Option<usize>, usize),
    send: &mut Sending<'_>,
) -> PyResult<()> {
    let names = facts.names();
    let (mut hits, mut rows, mut sent, mut added) = (facts.hits(), facts.columns.batch_builder(), 0, Ok(()));
    let mut on_game = |game: &IndexGame<'_>| -> Result<Flow, ArrowError> {
        if exclude.has_name(game.file()) || !facts.conditions.hold_for(|name| game.cell(name)) {
            return Ok(Flow::Continue);
        }
        let file = Arc::from(game.file());
        for hit in game.hits() {
            hits.push(&file, game.offset(), game.number(), *hit);
            rows.push_cells(|column| game.cell(names[column]))?;
        }
        if hits.rows() >= ROWS {
            sent += hits.rows();
            if !send(facts.batch(mem::replace(&mut hits, facts.hits()), &rows.finish()?)?) {
                return Ok(Flow::Break);
            }
        }
        Ok(if limit.is_some_and(|limit| sent + hits.rows() >= limit) { Flow::Break } else { Flow::Continue })
    };
    let on_game = |game: &IndexGame<'_>| {
        on_game(game).unwrap_or_else(|error| {
            added = Err(error);
            Flow::Break
        })
    };
    let read = pool(threads)?.install(|| index.find(search, &names, on_game));
    read.map_err(|error| match error {
        IndexError::Column(name) => {
            value_error(format_args!("the index has no column '{name}'; it has {}", index.columns().join(", ")))
        }
        error => index_error(error),
    })?;
    added.map_err(value_error)?;
    if hits.rows() > 0 {
        send(rows.finish().and_then(|rows| facts.batch(hits, &rows)).map_err(value_error)?);
    }
    Ok(())
}
