//! Reads a file, or a byte range of it, into record batches. Runs on a thread that may wait.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::error::Result;
use datafusion::physical_plan::metrics::Count;
use sgf_input::{HEAD, Name, is_packed};

use crate::bytes::{Counters, FileBytes, SMALL, Sequential, Stored};
use crate::fault::{Fault, FaultNames, ReadError, Unreadable};
use crate::reading::Reading;
use crate::rows::Rows;

/// The reading of a file, or of a byte range of it.
pub(crate) struct Job {
    pub(crate) reading: Arc<Reading>,
    /// The file as the user knows it.
    pub(crate) name: String,
    pub(crate) place: FilePlace,
    pub(crate) range: Range<u64>,
    pub(crate) batch_rows: usize,
    /// Number of rows that are needed.
    pub(crate) limit: Option<usize>,
    pub(crate) metrics: JobMetrics,
}

/// Where a file is.
pub(crate) enum FilePlace {
    Disk(PathBuf, u64),
    Store(Stored),
}

/// The counters of a scan.
#[derive(Clone)]
pub(crate) struct JobMetrics {
    pub(crate) counters: Counters,
    /// Games of which at least the start was examined.
    pub(crate) games: Count,
    /// Games of which only the root was examined, because the filter rejected them.
    pub(crate) skipped: Count,
    /// Files that could not be read, or have no game.
    pub(crate) unreadable: Count,
    /// Names of them, if the query was asked on another machine.
    pub(crate) names: Option<FaultNames>,
}

impl JobMetrics {
    pub(crate) fn add_games(&self, games: usize) {
        self.games.add(games);
        self.counters.progress.advance_games(games as u64);
    }

    fn add_unreadable(&self, fault: &Unreadable) {
        if let Some(names) = &self.names {
            names.add(fault, self.unreadable.value());
        }
        self.unreadable.add(1);
    }
}

/// A receiver of batches. It returns false if it needs no more.
pub(crate) type Emit<'e> = dyn FnMut(RecordBatch) -> bool + 'e;

/// The result of a start.
pub(crate) enum Started {
    /// All batches of a small file.
    Whole(Vec<RecordBatch>),
    /// A file that takes long. It is open.
    Long(Box<(Job, FileBytes)>),
}

impl Job {
    /// Opens the file, and reads it if it is small.
    pub(crate) fn start(self) -> Result<Started> {
        let none = || Ok(Started::Whole(Vec::new()));
        let file = match self.open() {
            Ok(file) => file,
            Err(fault) => return self.settle(Err(fault)).and_then(|()| none()),
        };
        if self.range.end - self.range.start > SMALL || self.is_packed(&file).unwrap_or(false) {
            return Ok(Started::Long(Box::new((self, file))));
        }
        let mut batches = Vec::new();
        self.run(&file, &mut |batch| {
            batches.push(batch);
            true
        })?;
        Ok(Started::Whole(batches))
    }

    /// Reads the file.
    pub(crate) fn run(&self, file: &FileBytes, emit: &mut Emit<'_>) -> Result<()> {
        let mut rows = Rows::new(self, emit);
        let done = rows.file(file);
        // Rows before a fault are not lost.
        let done = match done {
            Err(Fault::Enough | Fault::Query(_)) => done,
            done => rows.flush().and(done),
        };
        self.settle(done)
    }

    fn open(&self) -> Result<FileBytes, Fault> {
        let size = match &self.place {
            FilePlace::Disk(_, size) => *size,
            FilePlace::Store(stored) => stored.size,
        };
        if self.range.start > self.range.end || self.range.end > size {
            let Range { start, end } = self.range;
            let message = format!("the byte range {start}..{end} is beyond the end of the file ({size} bytes)");
            return Err(Fault::Io(io::Error::new(io::ErrorKind::InvalidInput, message)));
        }
        let counters = self.metrics.counters.clone();
        let opened = match &self.place {
            FilePlace::Disk(path, size) => FileBytes::on_disk(path, *size, counters),
            FilePlace::Store(stored) => FileBytes::in_store(stored.clone(), self.range.clone(), counters),
        };
        opened.map_err(Fault::opening)
    }

    /// Ends the reading: reports a fault that the query can do without, and returns another one.
    fn settle(&self, done: Result<(), Fault>) -> Result<()> {
        match done {
            Ok(()) | Err(Fault::Enough) => Ok(()),
            Err(Fault::Query(error)) => Err(error),
            Err(Fault::Io(error)) => Err(ReadError::external(&self.name, error)),
            Err(Fault::Unreadable(message)) => self.report(Unreadable::new(&self.name, message)),
            Err(Fault::NoSgf(message)) => self.report(Unreadable::no_sgf(&self.name, message)),
        }
    }

    /// Whether the file is compressed, an archive, or in a format that is not supported.
    pub(crate) fn is_packed(&self, file: &FileBytes) -> io::Result<bool> {
        let mut head = Vec::new();
        Sequential { file, at: 0 }.take(HEAD as u64).read_to_end(&mut head)?;
        Ok(is_packed(&head, &self.input_name()))
    }

    /// The name, for archives and messages.
    pub(crate) fn input_name(&self) -> Name {
        Name::of(Path::new(&self.name))
    }

    /// Reports a file that cannot be read, or a member of an archive.
    pub(crate) fn report(&self, fault: Unreadable) -> Result<()> {
        self.metrics.add_unreadable(&fault);
        self.reading.options.report(fault)
    }
}
