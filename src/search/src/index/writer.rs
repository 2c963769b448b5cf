//! Builds an index, and brings it up to date.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Int64Array, RecordBatch};
use sgf_stream::table::{ColumnError, Table};
use sgf_stream::{Parser, Reader};

use super::batch::{Batches, Class, IndexTable, KEYS};
use super::manifest::{FileEntry, Manifest, NAME, SegmentEntry, Stamp};
use super::merge::merge;
use super::query::Index;
use super::segment::{Segment, SegmentWriter};
use super::{IndexError, IndexedGames, positions};

/// The name of the file that a writer locks.
const LOCK: &str = "lock";

/// The header columns of an index, unless others are chosen: those that a search prints and counts.
const COLUMNS: [&str; 16] = [
    "PB",
    "BR",
    "PW",
    "WR",
    "DT",
    "RE",
    "black_rank_n",
    "white_rank_n",
    "date",
    "winner",
    "result",
    "komi",
    "handicap",
    "event",
    "origin",
    "move_count",
];

/// The settings of an index. An index keeps those that it was built with.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    variations: bool,
    columns: Vec<String>,
    rebuild: bool,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl IndexOptions {
    /// Creates the default settings.
    pub fn new() -> Self {
        let columns = COLUMNS.map(str::to_owned).into();
        IndexOptions { variations: false, columns, rebuild: false }
    }

    /// Sets whether variations are indexed too.
    ///
    /// Default: false. A game is left out if its lines have more than 16 million nodes, each counted in every line that has
    /// it.
    #[must_use]
    pub fn variations(mut self, on: bool) -> Self {
        self.variations = on;
        self
    }

    /// Sets the columns of the table `games` that every row has.
    ///
    /// Rows always have those of the file and of the board.
    ///
    /// Default: `PB`, `BR`, `PW`, `WR`, `DT`, `RE`, and ranks, date and result as numbers; komi, handicap, event, origin and
    /// number of moves.
    ///
    /// # Errors
    ///
    /// Fails if the table has no such column.
    pub fn columns<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self, ColumnError> {
        self.columns = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Parser::new().table(Table::Games).columns(all(&self.columns))?;
        Ok(self)
    }

    /// Sets whether an index that exists is deleted first.
    ///
    /// Default: false.
    #[must_use]
    pub fn rebuild(mut self, on: bool) -> Self {
        self.rebuild = on;
        self
    }
}

/// Returns the columns of rows, without those of lines.
fn all(columns: &[String]) -> Vec<String> {
    let mut all: Vec<String> = KEYS.map(str::to_owned).into();
    all.extend(columns.iter().filter(|name| !KEYS.contains(&name.as_str())).cloned());
    all
}

/// Adds games to an index.
///
/// Nothing changes for readers before [`finish`](Self::finish): if the program ends before that, the index is as it was.
pub struct IndexWriter {
    directory: PathBuf,
    manifest: Manifest,
    table: IndexTable,
    segment: u32,
    writers: Vec<(Class, SegmentWriter)>,
    /// The games of files that are being read.
    open: BTreeMap<String, IndexedGames>,
    _lock: File,
}

/// Reads games as rows of an index, on any thread. Created by [`IndexWriter::reader`].
#[derive(Clone, Debug)]
pub struct IndexReader(IndexTable);

/// Games as rows of an index. Created by [`IndexReader::read`].
#[derive(Debug)]
pub struct IndexRows {
    file: String,
    batches: Batches,
}

impl IndexRows {
    /// Returns the numbers of the games.
    pub fn games(&self) -> IndexedGames {
        self.batches.counts
    }
}

/// The content of an index after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The numbers of all games of the index.
    pub games: IndexedGames,
    /// Number of rows of lines, without those of files that have changed.
    pub lines: u64,
    /// Length of all files of the index in bytes.
    pub bytes: u64,
}

impl IndexReader {
    /// Reads all games of a stream, which `open` opens as often as it is called.
    ///
    /// Large files may be read part by part.
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn read<R: BufRead>(
        &self,
        parser: &Parser,
        file: &str,
        open: impl Fn() -> Reader<R>,
    ) -> Result<IndexRows, IndexError> {
        let batches = self.0.read(parser, file, open).map_err(IndexError::writing(Path::new(file)))?;
        Ok(IndexRows { file: file.to_owned(), batches })
    }
}

impl IndexWriter {
    /// Opens an index, or creates one in an empty or new directory.
    ///
    /// An index that exists keeps its settings, unless it is to be rebuilt.
    ///
    /// # Errors
    ///
    /// Fails if the directory has other files, if another version has written the index, or if another program writes to
    /// it.
    pub fn open(directory: impl AsRef<Path>, options: &IndexOptions) -> Result<Self, IndexError> {
        let directory = directory.as_ref();
        let in_directory = IndexError::io(directory);
        fs::create_dir_all(directory).map_err(&in_directory)?;
        let is_index = directory.join(NAME).exists() || directory.join(LOCK).exists();
        let is_empty = fs::read_dir(directory).map_err(&in_directory)?.next().is_none();
        if !is_index && !is_empty {
            return Err(IndexError::Foreign(directory.to_owned()));
        }
        let path = directory.join(LOCK);
        let lock = File::create(&path).map_err(IndexError::io(&path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let error = io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing to the index");
                return Err(IndexError::io(directory)(error));
            }
            Err(TryLockError::Error(error)) => return Err(IndexError::io(&path)(error)),
        }
        let old = if options.rebuild { None } else { Manifest::read(directory)? };
        let is_new = old.is_none();
        let manifest = old.unwrap_or_else(|| Manifest::new(options.variations, all(&options.columns)));
        let columns = Parser::new().table(Table::Games).columns(&manifest.columns);
        let table = columns.map_err(|error| IndexError::damaged(&directory.join(NAME), error))?;
        let table = IndexTable::new(table, manifest.variations);
        let segment = manifest.next_segment;
        let mut writer = IndexWriter {
            directory: directory.to_owned(),
            manifest,
            table,
            segment,
            writers: Vec::new(),
            open: BTreeMap::new(),
            _lock: lock,
        };
        if is_new && is_index {
            // A new list comes first, so that no old one names files that are gone.
            writer.manifest.write(directory)?;
            writer.remove_unknown()?;
        }
        writer.segment = writer.manifest.next_segment;
        Ok(writer)
    }

    /// Returns the files whose games are in the index, with their stamps.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Stamp)> {
        self.manifest.files.iter().map(|(name, file)| (name.as_str(), &file.stamp))
    }

    /// Returns whether variations are indexed.
    pub fn has_variations(&self) -> bool {
        self.manifest.variations
    }

    /// Returns a reader of games.
    pub fn reader(&self) -> IndexReader {
        IndexReader(self.table.clone())
    }

    /// Writes rows. Those of a file come in its order, since they number its games.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn write(&mut self, rows: IndexRows) -> Result<(), IndexError> {
        let IndexRows { file, batches } = rows;
        let games = self.open.entry(file).or_default();
        let before = games.games;
        games.add(batches.counts);
        for (class, batch) in batches.batches {
            let writer = self.writer(class)?;
            writer.write(&numbered(batch, before))?;
        }
        Ok(())
    }

    fn writer(&mut self, class: Class) -> Result<&mut SegmentWriter, IndexError> {
        let at = match self.writers.iter().position(|(of, _)| *of == class) {
            Some(at) => at,
            None => {
                let path = Manifest::path(&self.directory, self.segment, class);
                self.writers.push((class, SegmentWriter::create(path, self.table.schema(class), class)?));
                self.writers.len() - 1
            }
        };
        Ok(&mut self.writers[at].1)
    }

    /// Notes that all games of a file have been written.
    ///
    /// If it is an archive, they are those of its members. The rows that it had before this run are dropped.
    pub fn set_file(&mut self, name: &str, stamp: Stamp) {
        self.remove_file(name);
        let mut games = IndexedGames::default();
        self.open.retain(|file, of_file| {
            let is_its = file == name || file.strip_prefix(name).is_some_and(|rest| rest.starts_with("!/"));
            if is_its {
                games.add(*of_file);
            }
            !is_its
        });
        self.manifest.files.insert(name.to_owned(), FileEntry { stamp, segment: self.segment, games });
    }

    /// Drops the rows of a file.
    pub fn remove_file(&mut self, name: &str) {
        if let Some(old) = self.manifest.files.remove(name)
            && let Some(segment) = self.manifest.segments.get_mut(&old.segment)
        {
            segment.has_stale = true;
        }
    }

    /// Ends the run: from now on, readers see the new rows.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn finish(mut self) -> Result<Written, IndexError> {
        let mut parts = BTreeMap::new();
        for (class, writer) in std::mem::take(&mut self.writers) {
            parts.insert(class.name(), writer.close()?);
        }
        if !parts.is_empty() {
            self.manifest.segments.insert(self.segment, SegmentEntry { parts, has_stale: false });
            self.manifest.next_segment = self.segment + 1;
        }
        let used: Vec<u32> = self.manifest.files.values().map(|file| file.segment).collect();
        self.manifest.segments.retain(|number, _| used.contains(number));
        merge(&self.directory, &self.table, &mut self.manifest)?;
        self.manifest.positions += 1;
        let segments = Index::segments(&self.directory, &self.manifest, false)?;
        let positions = self.manifest.path_of_positions(&self.directory);
        self.manifest.positions_hash = positions::write(&positions, &segments, &self.manifest.segments_of_files())?;
        // From here on, readers see the new files.
        self.manifest.write(&self.directory)?;
        self.remove_unknown()?;
        let mut written = Written::default();
        self.manifest.files.values().for_each(|file| written.games.add(file.games));
        written.lines = self.manifest.segments.values().map(SegmentEntry::rows).sum();
        for entry in fs::read_dir(&self.directory).map_err(IndexError::io(&self.directory))?.flatten() {
            written.bytes += entry.metadata().map_or(0, |metadata| metadata.len());
        }
        Ok(written)
    }

    /// Removes the files of lines and positions that the list does not name.
    fn remove_unknown(&self) -> Result<(), IndexError> {
        let segments = self.manifest.segments.iter();
        let mut known: Vec<PathBuf> = segments
            .flat_map(|(number, entry)| {
                let classes = Class::ALL.into_iter().filter(|class| entry.parts.contains_key(&class.name()));
                classes.map(|class| Manifest::path(&self.directory, *number, class))
            })
            .collect();
        known.push(self.manifest.path_of_positions(&self.directory));
        for entry in fs::read_dir(&self.directory).map_err(IndexError::io(&self.directory))?.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let is_its = name.starts_with("lines-") || name.starts_with("positions-");
            if is_its && (name.ends_with(".parquet") || name.ends_with(".runs")) && !known.contains(&path) {
                Segment::remove(&path)?;
            }
        }
        Ok(())
    }
}

/// Adds the number of games before a part to the numbers of its games.
fn numbered(batch: RecordBatch, before: u64) -> RecordBatch {
    let Ok(column) = batch.schema_ref().index_of("game") else { return batch };
    let Some(numbers) = batch.column(column).as_primitive_opt::<Int64Type>().filter(|_| before > 0) else {
        return batch;
    };
    let numbers: Int64Array = numbers.unary(|number| number.saturating_add_unsigned(before));
    let mut columns = batch.columns().to_vec();
    columns[column] = Arc::new(numbers);
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

impl fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexWriter").field("directory", &self.directory).finish_non_exhaustive()
    }
}
