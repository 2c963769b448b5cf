//! The Parquet files of an index: written batch by batch, read by row groups and columns.

use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, UInt16Type};
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::IndexError;
use super::batch::{Class, FILE_BYTES, FIRST_NODE, FROM, LATER, LINE, STEPS};
use super::checked::{self, Hashes};
use super::filter::UNKNOWN;
use super::manifest::{PartEntry, SegmentEntry};

/// Approximate number of rows in a row group: what a query holds at a time, for each thread.
const GROUP_ROWS: usize = 16 << 10;

/// Approximate number of bytes in a row group, encoded.
const GROUP_BYTES: usize = 32 << 20;

/// The rows that are encoded at a time, or a few more. Each time takes as long as many rows, since there are hundreds of columns.
const BATCH_ROWS: usize = 1024;

/// Writes the rows of a class.
pub(super) struct SegmentWriter {
    path: PathBuf,
    writer: ArrowWriter<File>,
    /// Rows that are not yet encoded, and their number.
    waiting: (Vec<RecordBatch>, usize),
    rows: u64,
}

impl SegmentWriter {
    pub(super) fn create(path: PathBuf, schema: SchemaRef, class: Class) -> Result<Self, IndexError> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            // Queries read whole row groups. What is noted of each column of each group is in memory until the end.
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(None)
            .set_created_by(concat!("sgf-search ", env!("CARGO_PKG_VERSION")).to_owned());
        // Short numbers, most of which differ from their neighbors.
        let numbers = ["offset", "game", LINE, FROM, FIRST_NODE].map(ColumnPath::from);
        let later = ColumnPath::new([LATER, "list", "item"].map(str::to_owned).into());
        for path in numbers.into_iter().chain([later]).chain(class.points().into_iter().map(ColumnPath::from)) {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED)
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_compression(path, Compression::UNCOMPRESSED);
        }
        // As they are, so that reading them takes no time.
        properties = properties
            .set_column_dictionary_enabled(STEPS.into(), false)
            .set_column_encoding(STEPS.into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_compression(STEPS.into(), Compression::UNCOMPRESSED);
        let file = File::create(&path).map_err(IndexError::io(&path))?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties.build()));
        let writer = writer.map_err(IndexError::writing_parquet(&path))?;
        Ok(SegmentWriter { path, writer, waiting: (Vec::new(), 0), rows: 0 })
    }

    /// Adds rows of whole games.
    pub(super) fn write(&mut self, batch: RecordBatch) -> Result<(), IndexError> {
        self.rows += batch.num_rows() as u64;
        self.waiting.1 += batch.num_rows();
        self.waiting.0.push(batch);
        if self.waiting.1 >= BATCH_ROWS { self.encode() } else { Ok(()) }
    }

    /// Encodes the rows that wait, and ends the row group if it has enough.
    fn encode(&mut self) -> Result<(), IndexError> {
        let (batches, _) = std::mem::take(&mut self.waiting);
        let [first, ..] = &batches[..] else { return Ok(()) };
        let batch = concat_batches(&first.schema(), &batches).map_err(IndexError::writing(&self.path))?;
        drop(batches);
        let writing = IndexError::writing_parquet(&self.path);
        self.writer.write(&batch).map_err(&writing)?;
        if self.writer.in_progress_rows() >= GROUP_ROWS || self.writer.in_progress_size() >= GROUP_BYTES {
            self.writer.flush().map_err(&writing)?;
        }
        Ok(())
    }

    /// Ends the file. Returns what the list of the index has of it.
    pub(super) fn close(mut self) -> Result<PartEntry, IndexError> {
        self.encode()?;
        let footer = checked::close(self.writer, &self.path)?;
        Ok(PartEntry { rows: self.rows, footer })
    }
}

/// Columns of a row group that have been read.
#[derive(Default)]
struct Kept {
    arrays: HashMap<String, ArrayRef>,
    points: HashMap<usize, Arc<[i16]>>,
}

/// A Parquet file that is read.
pub(super) struct Segment {
    pub(super) number: u32,
    pub(super) class: Class,
    pub(super) path: PathBuf,
    pub(super) has_stale: bool,
    metadata: ArrowReaderMetadata,
    hashes: Hashes,
    /// The columns of each row group that have been read, if they are kept.
    kept: Vec<Mutex<Kept>>,
    keeps: bool,
}

impl Segment {
    pub(super) fn open(
        path: PathBuf,
        (number, class): (u32, Class),
        entry: &SegmentEntry,
        keeps: bool,
    ) -> Result<Self, IndexError> {
        let damaged = |reason: &dyn std::fmt::Display| IndexError::damaged(&path, reason);
        let part = entry.parts.get(&class.name()).ok_or_else(|| damaged(&"it has no rows"))?;
        let mut file = File::open(&path).map_err(IndexError::io(&path))?;
        if !checked::has_footer(&mut file, part.footer).map_err(IndexError::io(&path))? {
            return Err(damaged(&"its footer is not as it was written"));
        }
        let metadata =
            ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(IndexError::reading(&path))?;
        let hashes = Hashes::of(metadata.metadata()).ok_or_else(|| damaged(&"it has no hashes"))?;
        if u64::try_from(metadata.metadata().file_metadata().num_rows()) != Ok(part.rows) {
            return Err(damaged(&"it has another number of rows"));
        }
        let kept = (0..metadata.metadata().num_row_groups()).map(|_| Mutex::default()).collect();
        let has_stale = entry.has_stale;
        let segment = Segment { number, class, path, has_stale, metadata, hashes, kept, keeps };
        let fixed = [FILE_BYTES, LINE, FROM, FIRST_NODE, LATER, STEPS].map(str::to_owned);
        let missing =
            fixed.into_iter().chain(class.points()).find(|name| segment.schema().field_with_name(name).is_err());
        match missing {
            Some(name) => Err(IndexError::damaged(&segment.path, format_args!("column {name} is missing"))),
            None => Ok(segment),
        }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    pub(super) fn groups(&self) -> usize {
        self.kept.len()
    }

    pub(super) fn rows_of(&self, group: usize) -> usize {
        usize::try_from(self.metadata.metadata().row_group(group).num_rows()).unwrap_or(0)
    }

    fn kept(&self, group: usize) -> MutexGuard<'_, Kept> {
        self.kept[group].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads columns of a row group, and keeps them if the index does.
    pub(super) fn read(&self, group: usize, names: &[&str]) -> Result<Vec<ArrayRef>, IndexError> {
        if !self.keeps {
            return self.read_once(group, names);
        }
        let mut kept = self.kept(group);
        let missing: Vec<&str> = names.iter().copied().filter(|name| !kept.arrays.contains_key(*name)).collect();
        if !missing.is_empty() {
            let arrays = self.read_once(group, &missing)?;
            kept.arrays.extend(missing.iter().map(|name| (*name).to_owned()).zip(arrays));
        }
        let column = |name: &&str| kept.arrays.get(*name).cloned();
        names.iter().map(column).collect::<Option<_>>().ok_or_else(|| self.lacks_column())
    }

    fn lacks_column(&self) -> IndexError {
        IndexError::damaged(&self.path, "a column is missing")
    }

    /// Reads columns of a row group.
    fn read_once(&self, group: usize, names: &[&str]) -> Result<Vec<ArrayRef>, IndexError> {
        let damaged = |reason: &dyn std::fmt::Display| IndexError::damaged(&self.path, reason);
        let parquet = self.metadata.metadata().file_metadata().schema_descr();
        let roots = names.iter().map(|name| self.schema().index_of(name)).collect::<Result<Vec<_>, _>>();
        let roots = roots.map_err(|error| damaged(&error))?;
        let mask = ProjectionMask::roots(parquet, roots);
        let columns = (0..parquet.num_columns()).filter(|column| mask.leaf_included(*column));
        let mut file = File::open(&self.path).map_err(IndexError::io(&self.path))?;
        let chunks = self.hashes.read(&mut file, self.metadata.metadata(), (group, columns));
        let chunks = chunks.map_err(IndexError::reading(&self.path))?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(chunks, self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(self.rows_of(group).max(1))
            .build()
            .map_err(IndexError::reading(&self.path))?;
        let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().map_err(|error| damaged(&error))?;
        match &batches[..] {
            [batch] if batch.num_rows() == self.rows_of(group) => {
                let column = |name: &&str| batch.column_by_name(name).cloned();
                names.iter().map(column).collect::<Option<_>>().ok_or_else(|| self.lacks_column())
            }
            _ => Err(damaged(&"a row group has another number of rows")),
        }
    }

    /// Reads the columns of points, in which points that change later are [`UNKNOWN`].
    pub(super) fn points(&self, group: usize, names: &[(usize, String)]) -> Result<Points, IndexError> {
        let mut columns: HashMap<usize, Arc<[i16]>> = self.kept(group).points.clone();
        let missing: Vec<&(usize, String)> = names.iter().filter(|(number, _)| !columns.contains_key(number)).collect();
        if missing.is_empty() {
            return Ok(Points { columns });
        }
        let wanted: Vec<&str> = missing.iter().map(|(_, name)| name.as_str()).chain([LATER]).collect();
        let arrays = self.read_once(group, &wanted)?;
        let damaged = || IndexError::damaged(&self.path, "a column has another type");
        let mut read: HashMap<usize, Vec<i16>> = HashMap::new();
        for ((number, _), array) in missing.iter().zip(&arrays) {
            let values = array.as_primitive_opt::<Int16Type>().ok_or_else(damaged)?;
            read.insert(*number, values.values().to_vec());
        }
        let later = arrays.last().and_then(|array| array.as_list_opt::<i32>()).ok_or_else(damaged)?;
        let points = later.values().as_primitive_opt::<UInt16Type>().ok_or_else(damaged)?.values();
        for (row, ends) in later.value_offsets().windows(2).enumerate() {
            for point in &points[ends[0] as usize..ends[1] as usize] {
                if let Some(column) = read.get_mut(&usize::from(*point)) {
                    column[row] = UNKNOWN;
                }
            }
        }
        columns.extend(read.into_iter().map(|(number, column)| (number, column.into())));
        if self.keeps {
            self.kept(group).points = columns.clone();
        }
        Ok(Points { columns })
    }

    /// Reads what lines are replayed from.
    pub(super) fn lines(&self, group: usize) -> Result<Lines, IndexError> {
        let damaged = || IndexError::damaged(&self.path, "a column has another type");
        let arrays = self.read(group, &[LINE, FROM, FIRST_NODE, STEPS])?;
        let numbers = |n: usize| -> Result<Vec<usize>, IndexError> {
            let array: &dyn Array = &arrays[n];
            let values = array.as_primitive_opt::<Int32Type>().ok_or_else(damaged)?.values();
            values.iter().map(|value| usize::try_from(*value).ok()).collect::<Option<_>>().ok_or_else(damaged)
        };
        let (line, from, first_node) = (numbers(0)?, numbers(1)?, numbers(2)?);
        let steps = arrays[3].as_binary_opt::<i32>().ok_or_else(damaged)?.clone();
        Ok(Lines { line, from, first_node, steps })
    }
}

/// Columns of points of a row group, by the numbers of the points.
pub(super) struct Points {
    columns: HashMap<usize, Arc<[i16]>>,
}

impl Points {
    pub(super) fn column(&self, point: usize) -> &[i16] {
        self.columns.get(&point).map_or(&[], |column| column)
    }
}

/// The lines of a row group.
pub(super) struct Lines {
    pub(super) line: Vec<usize>,
    pub(super) from: Vec<usize>,
    pub(super) first_node: Vec<usize>,
    steps: BinaryArray,
}

impl Lines {
    /// Returns the own operations of a line.
    pub(super) fn steps(&self, row: usize) -> impl Iterator<Item = u16> + Clone {
        let (codes, _) = self.steps.value(row).as_chunks();
        codes.iter().map(|code| u16::from_le_bytes(*code))
    }

    /// Returns the path of a node of a game: at each branch the number of the variation, from 1.
    pub(super) fn path(&self, rows: Range<usize>, node: usize) -> String {
        let mut numbers: Vec<usize> = Vec::new();
        // The line of the node, and its depth. A line goes on with the first variation at each branch.
        let mut row = rows.clone().rev().find(|row| self.first_node[*row] <= node).unwrap_or(rows.start);
        let mut depth = self.from[row] + node.saturating_sub(self.first_node[row]);
        loop {
            // The lines that branch off below this one, up to the next one that does so before it.
            let below = |depth: usize| {
                let rest = row + 1..rows.end;
                rest.take_while(move |later| self.from[*later] >= depth).filter(move |later| self.from[*later] == depth)
            };
            let branches = (self.from[row] + 1..=depth).rev().filter(|depth| below(*depth).next().is_some());
            numbers.extend(branches.map(|_| 1));
            let from = self.from[row];
            // Only the first line starts at the root.
            if row == rows.start || from == 0 {
                break;
            }
            let before = (rows.start..row).rev().take_while(|earlier| self.from[*earlier] >= from);
            numbers.push(2 + before.clone().filter(|earlier| self.from[*earlier] == from).count());
            row -= before.count() + 1;
            depth = from - 1;
        }
        numbers.reverse();
        while numbers.len() > 1 && numbers.last() == Some(&1) {
            numbers.pop();
        }
        numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
    }

    /// Returns the rows of each game.
    pub(super) fn games(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            if start == self.line.len() {
                return None;
            }
            let len = 1 + self.line[start + 1..].iter().take_while(|line| **line > 0).count();
            let rows = start..start + len;
            start += len;
            Some(rows)
        })
    }
}
