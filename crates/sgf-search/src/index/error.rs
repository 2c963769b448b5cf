//! Errors of indexes.

use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;
use thiserror::Error;

use super::manifest::VERSION;

/// Error for an index.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// A file cannot be read or written.
    #[error("{}: {error}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A directory is not an index, and not empty.
    #[error("{}: it has files, but is not an index; choose an empty or a new directory", .0.display())]
    Foreign(PathBuf),
    /// A directory is not an index.
    #[error("{}: it is not an index of `sgf index`", .0.display())]
    None(PathBuf),
    /// The building of an index has not ended.
    #[error("{}: it is not an index yet: its building has not ended, or was interrupted; build it again", .0.display())]
    Unfinished(PathBuf),
    /// An index has other settings.
    #[error("the index was built {0}; to change that, build it again with --rebuild")]
    Settings(String),
    /// A file of an index is damaged.
    #[error("{}: the index is damaged ({reason}); build it again with --rebuild", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// An index was written by another version.
    #[error("{}: the index has version {found}, this program reads {VERSION}; build it again with --rebuild", .directory.display())]
    Version {
        /// The directory of the index.
        directory: PathBuf,
        /// Its version.
        found: u64,
    },
    /// A column does not exist in the index.
    #[error("the index has no column {0:?}")]
    Column(String),
    /// A column has lists, which an index does not have.
    #[error("an index has no lists, so the column '{0}' is only known for files")]
    List(String),
    /// Variations are wanted, but the index has main lines only.
    #[error("the index has main lines only; build it again with --variations --rebuild")]
    NoVariations,
    /// Games cannot be read.
    #[error(transparent)]
    Games(#[from] sgf_stream::Error),
}

impl IndexError {
    pub(super) fn io(file: &Path) -> impl Fn(io::Error) -> IndexError {
        move |error| IndexError::Io { file: file.to_owned(), error: io::Error::new(error.kind(), error.to_string()) }
    }

    pub(super) fn damaged(file: &Path, reason: impl ToString) -> IndexError {
        IndexError::Damaged { file: file.to_owned(), reason: reason.to_string() }
    }

    /// Returns the error for one of Parquet when a file is read.
    pub(super) fn reading(file: &Path) -> impl Fn(ParquetError) -> IndexError {
        move |error| IndexError::damaged(file, error)
    }

    /// Returns the error for one of Parquet when a file is written.
    pub(super) fn writing_parquet(file: &Path) -> impl Fn(ParquetError) -> IndexError {
        move |error| {
            let error = match error {
                ParquetError::External(inner) => inner.downcast().map_or_else(io::Error::other, |error| *error),
                other => io::Error::other(other),
            };
            IndexError::io(file)(error)
        }
    }

    /// Returns the error for one of Arrow when games are read or written.
    pub(super) fn writing(file: &Path) -> impl Fn(ArrowError) -> IndexError {
        move |error| match error {
            ArrowError::ExternalError(inner) => match inner.downcast::<sgf_stream::Error>() {
                Ok(error) => IndexError::Games(*error),
                Err(other) => IndexError::Io { file: file.to_owned(), error: io::Error::other(other) },
            },
            other => IndexError::Io { file: file.to_owned(), error: io::Error::other(other) },
        }
    }
}
