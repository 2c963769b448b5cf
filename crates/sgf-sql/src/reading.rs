//! The plan of reading a file: columns, and a filter.
//!
//! A filter needs columns of the root only, or the key of the game. If the wanted columns need more than the root, a part
//! of a file is read twice: first the roots of all its games, for the filter, and then the games that it
//! keeps. Both readers go over the same bytes in memory, and skip what they do not need.

use std::sync::Arc;

use datafusion::arrow::array::{Array, BooleanArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::cast::as_boolean_array;
use datafusion::error::Result;
use datafusion::physical_expr::utils::{collect_columns, conjunction_opt, reassign_expr_columns, split_conjunction};
use datafusion::physical_plan::PhysicalExpr;
use sgf_table::{Scope, Table};

use crate::find::Making;
use crate::options::Options;

/// The columns and filters that each file is read with.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) options: Options,
    /// The wanted columns, and then those that only the filter needs.
    pub(crate) columns: Vec<String>,
    /// The schema of the wanted columns.
    pub(crate) wanted: SchemaRef,
    /// The filter of the columns.
    pub(crate) filter: Option<Filter>,
    /// The root filter, if games can be skipped with it.
    pub(crate) heads: Option<Heads>,
    /// The filter of files according to their names.
    files: Option<Filter>,
}

/// The roots that a filter needs.
#[derive(Debug)]
pub(crate) struct Heads {
    pub(crate) options: Options,
    pub(crate) columns: Vec<String>,
    pub(crate) filter: Filter,
}

/// A filter of record batches.
#[derive(Clone, Debug)]
pub(crate) struct Filter(Arc<dyn PhysicalExpr>);

impl Filter {
    /// Creates the filter of an expression for batches of another schema, which has the same names.
    fn of(expr: &Arc<dyn PhysicalExpr>, schema: &Schema) -> Result<Filter> {
        Ok(Filter(reassign_expr_columns(Arc::clone(expr), schema)?))
    }

    /// Returns which rows pass.
    pub(crate) fn rows(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        let passes = self.0.evaluate(batch)?.into_array(batch.num_rows())?;
        let passes = as_boolean_array(&passes)?;
        Ok(match passes.null_count() {
            0 => passes.clone(),
            _ => passes.iter().map(|passes| Some(passes == Some(true))).collect(),
        })
    }
}

impl Reading {
    /// Plans the reading of these columns of a table, with a filter of its schema.
    pub(crate) fn new(options: &Options, wanted: &[String], filter: Option<&Arc<dyn PhysicalExpr>>) -> Result<Self> {
        let mut columns = wanted.to_vec();
        let mut of_filter = Vec::new();
        for column in filter.map(collect_columns).unwrap_or_default() {
            of_filter.push(column.name().to_owned());
        }
        of_filter.sort_unstable();
        columns.extend(of_filter.iter().filter(|name| !wanted.contains(name)).cloned());
        let schema = options.schema_of(&columns);
        let mut reading = Reading {
            options: options.clone(),
            wanted: Arc::new(schema.project(&Vec::from_iter(0..wanted.len()))?),
            columns,
            filter: None,
            heads: None,
            files: None,
        };
        let Some(filter) = filter else { return Ok(reading) };
        reading.filter = Some(Filter::of(filter, &schema)?);
        let needs_more = || options.builder(wanted).column_list().iter().any(|column| column.scope() > Scope::Root);
        // In strict mode the end of a game depends on where its first fault is.
        let is_other = options.table() != Table::Games || options.search().is_some();
        if !options.is_strict() && (is_other || needs_more()) {
            let options = options.of_games();
            let schema = options.schema_of(&of_filter);
            reading.heads = Some(Heads { filter: Filter::of(filter, &schema)?, options, columns: of_filter });
        }
        let of_files = split_conjunction(filter).into_iter().filter(|expr| {
            let columns = collect_columns(expr);
            columns.len() == 1 && columns.iter().all(|column| column.name() == FILE)
        });
        if let Some(filter) = conjunction_opt(of_files.cloned()) {
            reading.files = Some(Filter::of(&filter, &options.schema_of([FILE]))?);
        }
        Ok(reading)
    }

    /// Makes batches of the rows.
    pub(crate) fn batch_builder(&self) -> Making {
        match self.options.search() {
            Some(asked) => Making::hits(asked, self.options.schema_of(&self.columns)),
            None => Making::Rows(self.options.arrow(self.options.builder(&self.columns)).batch_builder()),
        }
    }

    /// Whether the filter may keep games of a file that is not an archive.
    pub(crate) fn wants_file(&self, name: &str) -> Result<bool> {
        let Some(filter) = &self.files else { return Ok(true) };
        let games = self.options.of_games();
        let table = games.builder([FILE]).file(name);
        let parser = sgf_stream::Parser::new();
        let (mut rows, mut builder) = (table.rows(parser.reader(&b"(;)"[..])), games.arrow(table).batch_builder());
        let mut pushed = Ok(());
        rows.next_game(|row| pushed = builder.push(row)).map_err(crate::external)?;
        pushed?;
        Ok(filter.rows(&builder.finish()?)?.true_count() > 0)
    }

    /// Makes a batch of the wanted columns from one of all columns.
    pub(crate) fn finish(&self, batch: RecordBatch) -> Result<RecordBatch> {
        let batch = match &self.filter {
            Some(filter) => filter_record_batch(&batch, &filter.rows(&batch)?)?,
            None => batch,
        };
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let columns = batch.columns()[..self.wanted.fields().len()].to_vec();
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.wanted), columns, &options)?)
    }
}

/// The column with the name of the file.
const FILE: &str = "file";
