//! Errors of files: those that a query can do without, and those that end it.

use std::io;

use datafusion::error::DataFusionError;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use sgf_input::visible::Visible;
use thiserror::Error;

/// A file that cannot be opened or is damaged. A query goes on without it, or without the rest of it.
///
/// It has no row: tables have a row for each game. See [`Options::on_unreadable`](crate::Options::on_unreadable).
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {message}", Visible(.file))]
pub struct Unreadable {
    pub(crate) file: String,
    pub(crate) message: String,
}

impl Unreadable {
    pub(crate) fn new(file: &str, message: impl ToString) -> Self {
        Unreadable { file: file.to_owned(), message: message.to_string() }
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
            let Unreadable { file, message } = fault;
            let name = format!("{FAULT}\0{file}\0{message}");
            MetricBuilder::new(&self.metrics).counter(name, self.partition).add(1);
        }
    }
}

/// The start of the name of a metric that is a fault. Neither files nor messages have a NUL.
const FAULT: &str = "unreadable";

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
        match (parts.next(), parts.next(), parts.next()) {
            (Some(FAULT), Some(file), Some(message)) => Some(Unreadable::new(file, message)),
            _ => None,
        }
    }
}

/// An error that ends a query: reading a file failed in the middle.
#[derive(Debug, Error)]
#[error("{}: {error}", Visible(.file))]
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
                Fault::Unreadable(error.to_string())
            }
            _ => Fault::Io(error),
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Decompressors and archives say so of damaged data.
            io::ErrorKind::InvalidData => Fault::Unreadable(error.to_string()),
            _ => Fault::Io(error),
        }
    }
}

impl From<sgf_stream::Error> for Fault {
    fn from(error: sgf_stream::Error) -> Self {
        match error {
            sgf_stream::Error::Io(error) => Fault::from(error),
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
