//! Tables as Parquet files.
//!
//! Each row group is encoded by one thread, and written in order. All threads are therefore busy, regardless of the
//! columns, and the file does not depend on the number of threads.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use sgf_stream::parallel::Tasks;

/// Approximate number of rows in a row group: about as many as engines read at a time.
const GROUP_ROWS: usize = 100_000;

/// Approximate number of bytes in a row group, before encoding.
const GROUP_BYTES: usize = 24 << 20;

/// The default compression level of zstd.
const LEVEL: i32 = 3;

/// A writer of record batches as a Parquet file.
///
/// It writes row groups in the order of the batches, compressed with zstd, with the statistics that let engines skip row
/// groups and pages. They are encoded on all cores. Row groups have up to 100,000 rows or about 24 MiB; one per thread is
/// held in memory.
///
/// ```
/// use sgf_arrow::{ArrowTable, ParquetWriter};
/// use sgf_stream::Parser;
/// use sgf_table::{Table, TableBuilder};
///
/// let table = ArrowTable::new(TableBuilder::new(&Parser::new(), Table::Games).columns(["black", "date", "winner"])?);
/// let mut writer = ParquetWriter::new(Vec::new(), table.schema())?;
/// for batch in table.slice(b"(;PB[Shusaku]DT[1846-09-11]RE[B+2])(;PB[Shuei])") {
///     writer.write(batch?)?;
/// }
/// let file = writer.close()?;
/// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    factory: Arc<ArrowRowGroupWriterFactory>,
    schema: SchemaRef,
    /// The next row group.
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    /// Number of row groups so far.
    groups: usize,
    encoding: Encoding,
}

type Group = Result<Vec<ArrowColumnChunk>, ParquetError>;

impl<W: Write + Send> ParquetWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// Fails if the beginning cannot be written.
    pub fn new(out: W, schema: SchemaRef) -> Result<Self, ArrowError> {
        let metadata = schema.metadata().iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let mut metadata: Vec<KeyValue> = metadata.collect();
        metadata.sort_by(|one, other| one.key.cmp(&other.key));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_created_by(concat!("sgf-stream ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata))
            .build();
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
        let (writer, factory) = writer.into_serialized_writer()?;
        Ok(ParquetWriter {
            writer,
            factory: Arc::new(factory),
            schema,
            batches: Vec::new(),
            rows: 0,
            bytes: 0,
            groups: 0,
            encoding: Encoding::new(),
        })
    }

    /// Adds a batch with the schema of the file.
    ///
    /// # Errors
    ///
    /// Fails if the batch has another schema, or if writing fails.
    pub fn write(&mut self, batch: RecordBatch) -> Result<(), ArrowError> {
        if batch.schema_ref().fields() != self.schema.fields() {
            return Err(ArrowError::SchemaError("the columns of the batch differ from those of the file".to_owned()));
        }
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> Result<(), ArrowError> {
        while self.encoding.is_full() {
            self.append()?;
        }
        (self.rows, self.bytes) = (0, 0);
        let batches = std::mem::take(&mut self.batches);
        let (factory, schema, number) = (Arc::clone(&self.factory), Arc::clone(&self.schema), self.groups);
        self.groups += 1;
        self.encoding.give(move || encode(&factory, &schema, number, &batches));
        Ok(())
    }

    /// Writes the next row group; false if there is none.
    fn append(&mut self) -> Result<bool, ArrowError> {
        let Some(group) = self.encoding.next() else { return Ok(false) };
        let mut out = self.writer.next_row_group()?;
        for chunk in group? {
            chunk.append_to_row_group(&mut out)?;
        }
        out.close()?;
        Ok(true)
    }

    /// Ends the file, and returns the underlying writer.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn close(mut self) -> Result<W, ArrowError> {
        if self.rows > 0 {
            self.end_group()?;
        }
        while self.append()? {}
        Ok(self.writer.into_inner()?)
    }
}

/// Encodes a row group.
fn encode(factory: &ArrowRowGroupWriterFactory, schema: &SchemaRef, number: usize, batches: &[RecordBatch]) -> Group {
    let mut writers = factory.create_column_writers(number)?;
    for batch in batches {
        let mut writers = writers.iter_mut();
        for (field, array) in schema.fields().iter().zip(batch.columns()) {
            for (leaf, writer) in compute_leaves(field, array)?.iter().zip(&mut writers) {
                writer.write(leaf)?;
            }
        }
    }
    writers.into_iter().map(|writer| writer.close()).collect()
}

/// The row groups that are being encoded.
struct Encoding {
    tasks: Tasks<Group>,
    count: usize,
}

impl Encoding {
    fn new() -> Self {
        Encoding { tasks: Tasks::new(), count: 0 }
    }

    fn is_full(&self) -> bool {
        self.count >= rayon::current_num_threads()
    }

    fn give(&mut self, encode: impl FnOnce() -> Group + Send + 'static) {
        self.count += 1;
        self.tasks.give(encode);
    }

    fn next(&mut self) -> Option<Group> {
        let group = self.tasks.next()?;
        self.count -= 1;
        Some(group)
    }
}

impl<W: Write + Send> fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter").field("groups", &self.groups).field("rows", &self.rows).finish_non_exhaustive()
    }
}
