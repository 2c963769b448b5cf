//! Errors of files: those that a query can do without, and those that end it.

use std::io;

use datafusion::error::DataFusionError;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use sgf_input::reason;
use sgf_input::visible::Visible;
use thiserror::Error;

/// A file that cannot be opened, is damaged, or has no game. A query goes on without it, or without the rest of it.
///
/// It has no row: tables have a row for each game. See [`Options::on_unreadable`](crate::Options::on_unreadable).
#[derive(Clone, Debug, Error, PartialEq, Eq, PartialOrd, Ord)]
#[error("{}: {message}", Visible(.file))]
pub struct Unreadable {
    file: String,
    message: String,
    kind: UnreadableKind,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum UnreadableKind {
    /// Something may be lost.
    Damaged,
    /// It was read, and has no SGF data.
    NoSgf,
}

impl UnreadableKind {
    /// The start of the name of a metric that is a fault. Neither files nor messages have a NUL.
    fn metric(self) -> &'static str {
        match self {
            UnreadableKind::Damaged => "unreadable",
            UnreadableKind::NoSgf => "no SGF",
        }
    }
}

impl Unreadable {
    pub(crate) fn new(file: &str, message: impl ToString) -> Self {
        Unreadable { file: file.to_owned(), message: message.to_string(), kind: UnreadableKind::Damaged }
    }

    /// A file without SGF data.
    pub(crate) fn no_sgf(file: &str, message: impl ToString) -> Self {
        Unreadable { kind: UnreadableKind::NoSgf, ..Unreadable::new(file, message) }
    }

    /// Returns whether the file was read and has no SGF data. Nothing is lost then.
    pub fn has_no_sgf(&self) -> bool {
        self.kind == UnreadableKind::NoSgf
    }

    /// Returns the path or the URL of the file, as the user gave it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the cause.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Metrics of a scan on another machine, whose names are faults: metrics are what comes back from there.
#[derive(Clone)]
pub(crate) struct FaultNames {
    pub(crate) metrics: ExecutionPlanMetricsSet,
    pub(crate) partition: usize,
}

impl FaultNames {
    /// Maximum number of faults that a partition names.
    const MAX: usize = 100;

    /// Adds a fault, after `before` others.
    pub(crate) fn add(&self, fault: &Unreadable, before: usize) {
        if before < Self::MAX {
            let Unreadable { file, message, kind } = fault;
            let name = format!("{}\0{file}\0{message}", kind.metric());
            MetricBuilder::new(&self.metrics).counter(name, self.partition).add(1);
        }
    }
}

/// Marks the message of an error of a file on another machine, which comes back inside of other text.
pub(crate) const MARK: &str = "sgf-sql found: ";

/// Marks an error of a file.
pub(crate) fn marked(error: DataFusionError) -> DataFusionError {
    match error {
        DataFusionError::External(error) => DataFusionError::Execution(format!("{MARK}{error}")),
        error => error,
    }
}

#[cfg(feature = "cluster")]
impl Unreadable {
    /// Reads the fault in the name of a metric.
    pub(crate) fn of_metric(name: &str) -> Option<Self> {
        let mut parts = name.splitn(3, '\0');
        let (metric, file, message) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = [UnreadableKind::Damaged, UnreadableKind::NoSgf].into_iter().find(|kind| kind.metric() == metric)?;
        Some(Unreadable { kind, ..Unreadable::new(file, message) })
    }
}

/// An error that ends a query: reading a file failed in the middle.
#[derive(Debug, Error)]
#[error("{}: {}", Visible(.file), reason(.error))]
pub struct ReadError {
    file: String,
    error: io::Error,
}

impl ReadError {
    pub(crate) fn external(file: &str, error: io::Error) -> DataFusionError {
        DataFusionError::External(Box::new(ReadError { file: file.to_owned(), error }))
    }

    /// Returns the path or the URL of the file, as the user gave it.
    pub fn file(&self) -> &str {
        &self.file
    }
}

/// The fault of a file, before its name is known.
pub(crate) enum Fault {
    /// The file cannot be read; others can.
    Unreadable(String),
    /// The file has no SGF data, as this message says.
    NoSgf(String),
    /// Reading failed.
    Io(io::Error),
    /// No more rows are needed.
    Enough,
    /// The query cannot go on.
    Query(DataFusionError),
}

impl Fault {
    /// The fault of a file that could not be opened.
    pub(crate) fn opening(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory => {
                Fault::Unreadable(reason(&error))
            }
            _ => Fault::Io(error),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Decompressors and archives say so of damaged data.
            io::ErrorKind::InvalidData => Fault::Unreadable(reason(&error)),
            _ => Fault::Io(error),
        }
    }
}

impl From<sgf_stream::Error> for Fault {
    fn from(error: sgf_stream::Error) -> Self {
        match error {
            sgf_stream::Error::Io(error) => Fault::from(error),
            sgf_stream::Error::Syntax(error) if error.is_final() => Fault::NoSgf(error.to_string()),
            other => Fault::Unreadable(other.to_string()),
        }
    }
}

impl From<DataFusionError> for Fault {
    fn from(error: DataFusionError) -> Self {
        Fault::Query(error)
    }
}

impl From<datafusion::arrow::error::ArrowError> for Fault {
    fn from(error: datafusion::arrow::error::ArrowError) -> Self {
        Fault::Query(error.into())
    }
}
