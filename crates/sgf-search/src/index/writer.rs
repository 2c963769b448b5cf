//! Builds an index, and brings it up to date.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Int64Array, RecordBatch};
use sgf_stream::parts::LongGame;
use sgf_stream::{Parser, Reader};
use sgf_table::{ColumnError, Table, TableBuilder};

use super::batch::{Batches, BatchesBuilder, Class, IndexTable, KEYS};
use super::manifest::{self, FileEntry, LOCK, Manifest, NAME, NEW, SegmentEntry, Stamp};
use super::merge::merge;
use super::query::Index;
use super::segment::SegmentWriter;
use super::{IndexError, IndexedGames, positions};

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
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    variations: bool,
    columns: Option<Vec<String>>,
    charset: Option<String>,
    default_charset: Option<String>,
    rebuild: bool,
}

impl IndexOptions {
    /// Creates the default settings.
    pub fn new() -> Self {
        Self::default()
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
        let columns: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        TableBuilder::new(&Parser::new(), Table::Games).columns(all(&columns))?;
        self.columns = Some(columns);
        Ok(self)
    }

    /// Sets the charsets of all games, and of games that declare none.
    ///
    /// These are names. The index only notes them, so that an update reads games as the run before it did: see
    /// [`IndexWriter::charsets`].
    ///
    /// Default: none.
    #[must_use]
    pub fn charsets(mut self, all: Option<&str>, undeclared: Option<&str>) -> Self {
        (self.charset, self.default_charset) = (all.map(str::to_owned), undeclared.map(str::to_owned));
        self
    }

    /// Sets whether the index is built again, with these settings.
    ///
    /// An index that exists stays as it is until [`IndexWriter::finish`] replaces it.
    ///
    /// Default: false.
    #[must_use]
    pub fn rebuild(mut self, on: bool) -> Self {
        self.rebuild = on;
        self
    }
}

impl IndexOptions {
    /// Sets the settings of a new index.
    fn set(&self, manifest: &mut Manifest) {
        let default = || COLUMNS.map(str::to_owned).into();
        manifest.variations = self.variations;
        manifest.columns = all(&self.columns.clone().unwrap_or_else(default));
        (manifest.charset, manifest.default_charset) = (self.charset.clone(), self.default_charset.clone());
    }

    /// Returns an error if an index has other settings than those that are given.
    fn expect(&self, manifest: &Manifest) -> Result<(), IndexError> {
        if self.variations && !manifest.variations {
            return Err(IndexError::NoVariations);
        }
        if let Some(columns) = &self.columns {
            let names = |columns: &[String]| all(columns).into_iter().collect::<BTreeSet<String>>();
            if names(columns) != names(&manifest.columns) {
                let own = manifest.columns.iter().filter(|name| !KEYS.contains(&name.as_str()));
                let list = own.map(String::as_str).collect::<Vec<_>>().join(",");
                return Err(IndexError::Settings(format!("with the columns {list}")));
            }
        }
        let charsets = [
            (&self.charset, &manifest.charset, "charset"),
            (&self.default_charset, &manifest.default_charset, "default charset"),
        ];
        match charsets.into_iter().find(|(given, has, _)| given.is_some() && given != has) {
            Some((_, Some(has), what)) => Err(IndexError::Settings(format!("with the {what} {has}"))),
            Some((_, None, what)) => Err(IndexError::Settings(format!("without a {what}"))),
            None => Ok(()),
        }
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
/// Nothing changes for readers before [`finish`](Self::finish): until then, and if the program ends before that, the index is as
/// it was. A writer that is dropped removes what it has written.
pub struct IndexWriter {
    manifest: Manifest,
    table: IndexTable,
    segment: u32,
    writers: Vec<(Class, SegmentWriter)>,
    /// The games of files that are being read, by the bytes of the names of the files.
    open: BTreeMap<Vec<u8>, IndexedGames>,
    has_changed: bool,
    // These come last, so that all files are closed when files are removed.
    place: Place,
    _lock: File,
}

/// The directory of an index that is being written.
///
/// When it is dropped, it removes the files of lines and positions that do not belong to the index.
struct Place {
    directory: PathBuf,
    /// The files of lines and positions that stay.
    files: HashSet<PathBuf>,
    /// Whether there is no index yet.
    is_new: bool,
    /// Whether the directory was created for it.
    is_created: bool,
}

/// Returns the files in a directory.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, IndexError> {
    let entries = fs::read_dir(directory).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    entries.map_err(IndexError::io(directory))
}

/// Returns an error if a directory has files and is neither an index nor what an interrupted run has left of one.
fn expect_own(directory: &Path) -> Result<(), IndexError> {
    let entries = entries(directory)?;
    let has = |name| entries.contains(&directory.join(name));
    let is_own =
        |path: &PathBuf| manifest::number_of(path).is_some() || [LOCK, NEW].iter().any(|name| path.ends_with(name));
    match entries.is_empty() || has(NAME) || has(LOCK) && entries.iter().all(is_own) {
        true => Ok(()),
        false => Err(IndexError::Foreign(directory.to_owned())),
    }
}

/// Locks a directory.
fn lock(directory: &Path) -> Result<File, IndexError> {
    let path = directory.join(LOCK);
    let opened = File::options().write(true).create(true).truncate(false).open(&path);
    let lock = opened.map_err(IndexError::io(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            let error = io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing to the index");
            Err(IndexError::io(directory)(error))
        }
        Err(TryLockError::Error(error)) => Err(IndexError::io(&path)(error)),
    }
}

impl Place {
    /// Removes the files of lines and positions that do not stay. What cannot be removed stays until the next run.
    fn clean(&self) {
        let numbered =
            entries(&self.directory).unwrap_or_default().into_iter().filter(|path| manifest::number_of(path).is_some());
        for path in numbered.filter(|path| !self.files.contains(path)).chain([self.directory.join(NEW)]) {
            _ = fs::remove_file(path);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.clean();
        if self.is_new {
            _ = fs::remove_file(self.directory.join(LOCK));
        }
        if self.is_new && self.is_created {
            _ = fs::remove_dir(&self.directory); // unless others have put files into it
        }
    }
}

/// Maximum length of a game of an index in bytes: 64 MiB. A game is in memory while it is read.
pub const MAX_GAME: u64 = 64 << 20;

/// Reads games as rows of an index, on any thread. Created by [`IndexWriter::reader`].
#[derive(Clone, Debug)]
pub struct IndexReader(IndexTable);

/// Games as rows of an index. Created by [`IndexReader::read`] and [`IndexRowsBuilder::finish`].
#[derive(Debug)]
pub struct IndexRows(Batches);

impl IndexRows {
    /// Returns the numbers of the games.
    pub fn games(&self) -> IndexedGames {
        let mut games = IndexedGames::default();
        self.0.pieces.iter().for_each(|piece| games.add(piece.counts));
        games
    }
}

/// Reads the games of many small files as rows of an index. Created by [`IndexReader::builder`].
///
/// Rows that are read together take a fraction of the time and memory of rows that are read one by one.
pub struct IndexRowsBuilder(BatchesBuilder);

impl IndexRowsBuilder {
    /// Reads all games of a stream, as [`IndexReader::read`] does.
    ///
    /// # Errors
    ///
    /// Fails if reading fails. The rows of the streams before this one stay.
    pub fn read<R: BufRead>(
        &mut self,
        parser: &Parser,
        file: impl AsRef<[u8]>,
        open: impl Fn() -> Reader<R>,
    ) -> Result<(), IndexError> {
        self.read_in_steps(parser, file, open, usize::MAX, |_| true)
    }

    /// Reads games as [`read`](Self::read) does. When there are `most` games and rows, `pass_on` takes them, and returns whether more are
    /// wanted. So a stream of many short games does not take many times its memory.
    ///
    /// # Errors
    ///
    /// Fails if reading fails. The rows that are not passed on yet stay.
    #[doc(hidden)]
    pub fn read_in_steps<R: BufRead>(
        &mut self,
        parser: &Parser,
        file: impl AsRef<[u8]>,
        open: impl Fn() -> Reader<R>,
        most: usize,
        mut pass_on: impl FnMut(IndexRowsBuilder) -> bool,
    ) -> Result<(), IndexError> {
        let file = file.as_ref();
        let read = self.0.read(parser, file, open, most, &mut |rows| pass_on(IndexRowsBuilder(rows)));
        read.map_err(|error| IndexError::writing(Path::new(&*String::from_utf8_lossy(file)))(error))
    }

    /// Reads a game that is too long for a part. Returns whether it is at most 64 MiB long; a longer one has no row.
    ///
    /// # Errors
    ///
    /// Fails if [`read`](Self::read) fails, but not if reading the input fails: that error comes again when the input ends.
    #[doc(hidden)]
    pub fn read_long<R: Read>(
        &mut self,
        parser: &Parser,
        file: impl AsRef<[u8]>,
        game: LongGame<'_, R>,
    ) -> Result<bool, IndexError> {
        // A reader opens it up to three times.
        let pushes = RefCell::new(Vec::from([(); 3].map(|()| game.push(parser))));
        let mut bytes = Vec::new();
        _ = game.take(MAX_GAME + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > MAX_GAME {
            return Ok(false);
        }
        let open = || pushes.borrow_mut().pop().unwrap_or_else(|| parser.push()).into_reader(&bytes[..]);
        self.read(parser, file, open).map(|()| true)
    }

    /// Returns the number of rows so far.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Returns the rows.
    ///
    /// # Errors
    ///
    /// Fails if the rows are too many for one batch.
    pub fn finish(self) -> Result<IndexRows, IndexError> {
        self.0.finish().map(IndexRows).map_err(IndexError::writing(Path::new("")))
    }
}

impl fmt::Debug for IndexRowsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexRowsBuilder").field("rows", &self.rows()).finish_non_exhaustive()
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
    /// `file` is the name of the file, as bytes. Large files may be read part by part.
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    pub fn read<R: BufRead>(
        &self,
        parser: &Parser,
        file: impl AsRef<[u8]>,
        open: impl Fn() -> Reader<R>,
    ) -> Result<IndexRows, IndexError> {
        let mut builder = self.builder();
        builder.read(parser, file, open)?;
        builder.finish()
    }

    /// Returns a builder for the rows of many streams.
    pub fn builder(&self) -> IndexRowsBuilder {
        IndexRowsBuilder(self.0.builder())
    }
}

impl IndexWriter {
    /// Opens an index, or creates one in an empty or new directory.
    ///
    /// An index that exists keeps its settings, unless it is to be rebuilt.
    ///
    /// # Errors
    ///
    /// Fails if the directory has other files and is not an index, if the index has other settings than those that are given, if
    /// another version has written it, or if another program writes to it.
    pub fn open(directory: impl AsRef<Path>, options: &IndexOptions) -> Result<Self, IndexError> {
        let directory = directory.as_ref().to_owned();
        let is_created = !directory.exists();
        fs::create_dir_all(&directory).map_err(IndexError::io(&directory))?;
        expect_own(&directory)?;
        let lock = lock(&directory)?;
        let is_new = !directory.join(NAME).exists();
        let mut place = Place { directory, files: HashSet::new(), is_new, is_created };
        let numbered = entries(&place.directory)?.into_iter().filter(|path| manifest::number_of(path).is_some());
        place.files.extend(numbered.filter(|_| !place.is_new));
        let old = if options.rebuild { None } else { Manifest::read(&place.directory)? };
        let has_changed = old.is_none();
        let manifest = match old {
            Some(manifest) => {
                options.expect(&manifest)?;
                manifest
            }
            None => {
                let last = place.files.iter().filter_map(|path| manifest::number_of(path)).max();
                let mut manifest = Manifest::new(last.unwrap_or(0));
                options.set(&mut manifest);
                manifest
            }
        };
        let columns = TableBuilder::new(&Parser::new(), Table::Games).columns(&manifest.columns);
        let table = columns.map_err(|error| IndexError::damaged(&place.directory.join(NAME), error))?;
        let table = IndexTable::new(table, manifest.variations);
        let segment = manifest.next_segment;
        let (writers, open) = (Vec::new(), BTreeMap::new());
        Ok(IndexWriter { manifest, table, segment, writers, open, has_changed, place, _lock: lock })
    }

    /// Returns whether the directory has no index yet.
    pub fn is_new(&self) -> bool {
        self.place.is_new
    }

    /// Returns the files whose games are in the index, with their stamps.
    ///
    /// The names are bytes. There are none if it is rebuilt.
    pub fn files(&self) -> impl Iterator<Item = (&[u8], &Stamp)> {
        self.manifest.files.iter().map(|(name, file)| (name.as_slice(), &file.stamp))
    }

    /// Returns whether variations are indexed.
    pub fn has_variations(&self) -> bool {
        self.manifest.variations
    }

    /// Returns the names of the [charsets](IndexOptions::charsets) that games are to be read with.
    pub fn charsets(&self) -> (Option<&str>, Option<&str>) {
        (self.manifest.charset.as_deref(), self.manifest.default_charset.as_deref())
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
        let Batches { batches, pieces } = rows.0;
        self.has_changed = true;
        let mut before = Vec::new();
        for piece in &pieces {
            let games = self.open.entry(piece.file.clone()).or_default();
            before.push(games.games.saturating_sub(piece.first));
            games.add(piece.counts);
        }
        for (class, batch) in batches {
            let rows = pieces.iter().zip(&before).flat_map(|(piece, before)| {
                let rows = piece.rows.iter().find(|(of, _)| *of == class).map_or(0, |(_, rows)| *rows);
                std::iter::repeat_n(*before, rows)
            });
            self.writer(class)?.write(numbered(batch, rows))?;
        }
        Ok(())
    }

    fn writer(&mut self, class: Class) -> Result<&mut SegmentWriter, IndexError> {
        let at = match self.writers.iter().position(|(of, _)| *of == class) {
            Some(at) => at,
            None => {
                let path = Manifest::path(&self.place.directory, self.segment, class);
                self.writers.push((class, SegmentWriter::create(path, self.table.schema(class), class)?));
                self.writers.len() - 1
            }
        };
        Ok(&mut self.writers[at].1)
    }

    /// Notes that all games of a file have been written.
    ///
    /// If it is an archive, they are those of its members. The rows that it had before this run are dropped. The rows of a file
    /// without such a note are dropped, and it keeps those that it had.
    pub fn set_file(&mut self, name: impl AsRef<[u8]>, stamp: Stamp) {
        let name = name.as_ref();
        self.remove_file(name);
        self.has_changed = true;
        let games = take_games(&mut self.open, name);
        self.manifest.files.insert(name.to_vec(), FileEntry { stamp, segment: self.segment, games });
    }

    /// Drops the rows of a file.
    pub fn remove_file(&mut self, name: impl AsRef<[u8]>) {
        if let Some(old) = self.manifest.files.remove(name.as_ref()) {
            self.has_changed = true;
            if let Some(segment) = self.manifest.segments.get_mut(&old.segment) {
                segment.has_stale = true;
            }
        }
    }

    /// Ends the run: from now on, readers see the new rows. If nothing has changed, nothing is written.
    ///
    /// # Errors
    ///
    /// Fails if writing fails. Then the index is as it was.
    pub fn finish(mut self) -> Result<Written, IndexError> {
        if self.has_changed {
            self.commit()?;
        }
        self.place.files = self.manifest.paths(&self.place.directory);
        self.place.is_new = false;
        self.place.clean();
        let mut written = Written::default();
        self.manifest.files.values().for_each(|file| written.games.add(file.games));
        written.lines = self.manifest.segments.values().map(SegmentEntry::rows).sum();
        written.bytes =
            entries(&self.place.directory)?.iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum();
        Ok(written)
    }

    /// Writes all rows, and then the list.
    fn commit(&mut self) -> Result<(), IndexError> {
        let directory = &self.place.directory;
        let mut parts = BTreeMap::new();
        for (class, writer) in std::mem::take(&mut self.writers) {
            parts.insert(class.name(), writer.close()?);
        }
        if !parts.is_empty() {
            // The rows of files that could not be read to the end are also in it.
            let has_stale = !self.open.is_empty();
            self.manifest.segments.insert(self.segment, SegmentEntry { parts, has_stale });
            self.manifest.next_segment = self.segment + 1;
        }
        let used: BTreeSet<u32> = self.manifest.files.values().map(|file| file.segment).collect();
        self.manifest.segments.retain(|number, _| used.contains(number));
        merge(directory, &self.table, &mut self.manifest)?;
        self.manifest.positions += 1;
        let segments = Index::segments(directory, &self.manifest, false)?;
        let positions = self.manifest.path_of_positions(directory);
        self.manifest.positions_hash = positions::write(&positions, &segments, &self.manifest.segments_of_files())?;
        // From here on, readers see the new files.
        self.manifest.write(directory)
    }
}

/// Takes the games of a file, or of the members of an archive, from those of all files.
fn take_games<N: Ord + AsRef<[u8]> + From<Vec<u8>>>(open: &mut BTreeMap<N, IndexedGames>, name: &[u8]) -> IndexedGames {
    let mut games = open.remove(&N::from(name.to_vec())).unwrap_or_default();
    let members = [name, b"!/"].concat();
    // Members are next to each other.
    while let Some((member, _)) = open.range(N::from(members.clone())..).next()
        && member.as_ref().starts_with(&members)
    {
        let member = N::from(member.as_ref().to_vec());
        games.add(open.remove(&member).unwrap_or_default());
    }
    games
}

/// Adds the numbers of games before the pieces of files to the numbers of games of rows.
fn numbered(batch: RecordBatch, before: impl Iterator<Item = u64> + Clone) -> RecordBatch {
    let Ok(column) = batch.schema_ref().index_of("game") else { return batch };
    let is_first = before.clone().all(|before| before == 0);
    let Some(numbers) = batch.column(column).as_primitive_opt::<Int64Type>().filter(|_| !is_first) else {
        return batch;
    };
    let numbers = numbers.values().iter().zip(before).map(|(number, before)| number.saturating_add_unsigned(before));
    let mut columns = batch.columns().to_vec();
    columns[column] = Arc::new(Int64Array::from_iter_values(numbers));
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

impl fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexWriter").field("directory", &self.place.directory).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::cmp::Ordering;

    use super::*;

    thread_local!(static COMPARED: Cell<u64> = const { Cell::new(0) });

    /// A name that counts how often names are compared.
    #[derive(PartialEq, Eq)]
    struct Counted(Vec<u8>);

    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    impl From<Vec<u8>> for Counted {
        fn from(name: Vec<u8>) -> Self {
            Counted(name)
        }
    }

    impl Ord for Counted {
        fn cmp(&self, other: &Self) -> Ordering {
            COMPARED.set(COMPARED.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[test]
    fn the_work_for_a_file_does_not_grow_with_the_files() {
        let per_file = |files: u64| {
            let name = |n: u64| format!("{n}.tar").into_bytes();
            let game = IndexedGames { games: 1, ..IndexedGames::default() };
            let mut open = BTreeMap::new();
            for n in 0..files {
                open.insert(Counted(name(n)), game);
                open.insert(Counted([&name(n)[..], b"!/a.sgf"].concat()), game);
                open.insert(Counted([&name(n)[..], b"!.sgf"].concat()), game);
            }
            COMPARED.set(0);
            assert!((0..files).all(|n| take_games(&mut open, &name(n)).games == 2));
            assert_eq!(open.len() as u64, files);
            COMPARED.get() / files
        };
        let (few, many) = (per_file(100), per_file(10_000));
        assert!(many < 4 * few, "{few} comparisons of names per file, then {many}");
    }
}
