//! Results of queries, in the format of the user.

use std::io::{self, BufWriter, IntoInnerError, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::{csv, json};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::WriterProperties;
use futures::StreamExt;
use sgf_input::{Inputs, Name, Output, RowFormat, is_stdin};

use super::errors::Failure;
use super::pretty::{self, Pretty};
use super::spinner::Spinner;

/// The output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// A table for people.
    Table,
    /// Comma-separated values, with a header line.
    Csv,
    /// One JSON object per line.
    #[value(alias = "jsonl")]
    Json,
    /// A Parquet file.
    Parquet,
    /// The stream format of Apache Arrow.
    Arrow,
}

impl From<RowFormat> for Format {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Jsonl => Format::Json,
            RowFormat::Csv => Format::Csv,
            RowFormat::Arrow => Format::Arrow,
            RowFormat::Parquet => Format::Parquet,
        }
    }
}

/// Where results go, and in which format.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Target {
    /// Output format. Default: according to the extension of FILE, or else `table`.
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,

    /// Write to this file instead of standard output, which is `-`. It is replaced only if the query succeeds.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Omit the header line of CSV.
    #[arg(long)]
    no_header: bool,

    /// Maximum number of rows of a table; other formats have all rows. Default: 1000.
    #[arg(long, value_name = "N", default_value_t = 1000, hide_default_value = true)]
    pub(super) max_rows: usize,
}

impl Target {
    fn format(&self) -> Format {
        let by_name = || RowFormat::of(self.output.as_ref()?).map(Format::from);
        self.format.or_else(by_name).unwrap_or(Format::Table)
    }

    fn is_stdout(&self) -> bool {
        self.output.as_deref().is_none_or(is_stdin)
    }

    /// Whether rows are printed while the query runs: tables are printed at their end.
    pub(super) fn prints_meanwhile(&self) -> bool {
        self.is_stdout() && self.format() != Format::Table
    }

    /// Returns an error if the options do not fit together, or if the output would not be readable.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let format = self.format();
        if self.no_header && format != Format::Csv {
            let format = format.to_possible_value().map_or_else(String::new, |format| format.get_name().to_owned());
            let message = format!("--no-header cannot be used with the format {format}; use --format csv");
            return Err(Failure::Usage(message));
        }
        let is_binary = matches!(format, Format::Parquet | Format::Arrow);
        if is_binary && self.is_stdout() && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "refusing to write a binary format to a terminal; use --output FILE or a pipe".to_owned(),
            ));
        }
        Ok(())
    }

    /// Writes the rows of a query, which reads these files. The spinner ends before a table is printed.
    pub(super) async fn write(
        &self,
        rows: SendableRecordBatchStream,
        query: &str,
        inputs: &Inputs,
        spinner: Spinner,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(open(self.output.as_deref(), inputs)?);
        self.write_to(rows, query, spinner, &mut out).await?;
        finish(out, self.output.as_deref())
    }

    async fn write_to(
        &self,
        mut rows: SendableRecordBatchStream,
        query: &str,
        spinner: Spinner,
        out: impl Write + Send,
    ) -> Result<(), Failure> {
        let mut writer = Writer::new(self, rows.schema(), out)?;
        while let Some(batch) = rows.next().await {
            writer.write(&batch.map_err(|error| Failure::of_query(&error, query))?)?;
        }
        drop(spinner);
        writer.finish()
    }
}

/// A writer of record batches.
enum Writer<W: Write + Send> {
    Table(Pretty, W),
    Csv(Box<csv::Writer<W>>, SchemaRef),
    Json(json::LineDelimitedWriter<W>),
    Parquet(Box<ArrowWriter<W>>),
    Arrow(StreamWriter<W>),
}

impl<W: Write + Send> Writer<W> {
    fn new(target: &Target, schema: SchemaRef, out: W) -> Result<Self, Failure> {
        Ok(match target.format() {
            Format::Table => Writer::Table(Pretty::new(schema, target.max_rows), out),
            Format::Csv => {
                let schema = flat(&schema);
                let mut writer = csv::WriterBuilder::new().with_header(!target.no_header).build(out);
                writer.write(&RecordBatch::new_empty(Arc::clone(&schema))).map_err(arrow)?; // the header, if there are no rows
                Writer::Csv(Box::new(writer), schema)
            }
            Format::Json => Writer::Json(json::LineDelimitedWriter::new(out)),
            Format::Parquet => {
                let zstd = Compression::ZSTD(ZstdLevel::default());
                let properties = WriterProperties::builder().set_compression(zstd).build();
                let writer = ArrowWriter::try_new(out, schema, Some(properties));
                Writer::Parquet(Box::new(writer.map_err(parquet)?))
            }
            Format::Arrow => Writer::Arrow(StreamWriter::try_new(out, &schema).map_err(arrow)?),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        match self {
            Writer::Table(pretty, _) => pretty.push(batch).map_err(arrow),
            Writer::Csv(writer, schema) => writer.write(&flattened(batch, schema).map_err(arrow)?).map_err(arrow),
            Writer::Json(writer) => writer.write(batch).map_err(arrow),
            Writer::Parquet(writer) => writer.write(batch).map_err(parquet),
            Writer::Arrow(writer) => writer.write(batch).map_err(arrow),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let mut out = match self {
            Writer::Table(pretty, mut out) => {
                pretty.print(&mut out, pretty::width())?;
                out
            }
            Writer::Csv(writer, _) => writer.into_inner(),
            Writer::Json(mut writer) => {
                writer.finish().map_err(arrow)?;
                writer.into_inner()
            }
            Writer::Parquet(writer) => writer.into_inner().map_err(parquet)?, // which finishes the file
            Writer::Arrow(writer) => writer.into_inner().map_err(arrow)?,
        };
        Ok(out.flush()?)
    }
}

/// CSV has no lists: they are text there.
fn flat(schema: &Schema) -> SchemaRef {
    let field = |field: &Arc<Field>| match field.data_type().is_nested() {
        true => Arc::new(Field::new(field.name(), DataType::Utf8, true)),
        false => Arc::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

fn flattened(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let options = FormatOptions::default();
    let column = |column: &ArrayRef| -> Result<ArrayRef, ArrowError> {
        if !column.data_type().is_nested() {
            return Ok(Arc::clone(column));
        }
        let cells = ArrayFormatter::try_new(column, &options)?;
        let cell = |row| (!column.is_null(row)).then(|| cells.value(row).to_string());
        Ok(Arc::new((0..column.len()).map(cell).collect::<StringArray>()))
    };
    RecordBatch::try_new(Arc::clone(schema), batch.columns().iter().map(column).collect::<Result<_, _>>()?)
}

fn arrow(error: ArrowError) -> Failure {
    match error {
        ArrowError::IoError(_, error) => Failure::Output(error),
        // The writer of CSV keeps the text of its error only.
        ArrowError::CsvError(message) if message.contains("Broken pipe") => {
            Failure::Output(io::ErrorKind::BrokenPipe.into())
        }
        error => Failure::Query(format!("the result cannot be written: {error}")),
    }
}

fn parquet(error: ParquetError) -> Failure {
    let failure = |error: &dyn std::fmt::Display| Failure::Query(format!("the result cannot be written: {error}"));
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => Failure::Output(*error),
            Err(other) => failure(&other),
        },
        error => failure(&error),
    }
}

/// Opens a file, or standard output. None of the inputs is written to.
pub(super) fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Output, Failure> {
    path.map_or_else(|| Ok(Output::stdout()), |path| Output::open(path, inputs)).map_err(|error| named(path, error))
}

/// Ends a file: now it has its content.
pub(super) fn finish(out: BufWriter<Output>, path: Option<&Path>) -> Result<(), Failure> {
    let finished = out.into_inner().map_err(IntoInnerError::into_error).and_then(Output::finish);
    finished.map_err(|error| named(path, error))
}

/// Returns the error of an output, with its name.
fn named(path: Option<&Path>, error: io::Error) -> Failure {
    match path {
        Some(path) if !is_stdin(path) && error.kind() != io::ErrorKind::BrokenPipe => {
            Failure::Usage(format!("{}: {error}", Name::of(path)))
        }
        _ => Failure::Output(error),
    }
}
