//! The error of a game or of a file, with the name of the file.

use std::fmt;
use std::io;
use std::sync::Arc;

use sgf_stream::de;

use crate::{Name, reason};

/// An error from reading the games of many files.
///
/// It displays as `games/club.sgf: game 2, root, DT (byte 190): date: expected a date, found "last Sunday"`.
#[derive(Debug)]
pub struct FileError {
    file: Arc<Name>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(io::Error),
    Game(de::Error),
}

impl FileError {
    pub(super) fn io(file: Name, error: io::Error) -> Self {
        FileError { file: file.into(), kind: Kind::Io(error) }
    }

    pub(super) fn game(file: &Arc<Name>, error: de::Error) -> Self {
        let kind = if error.is_io() { Kind::Io(error.into()) } else { Kind::Game(error) };
        FileError { file: Arc::clone(file), kind }
    }

    /// Returns the name of the file.
    ///
    /// It is that of a member if the file is in an archive, and that of a directory if this cannot be read.
    pub fn file(&self) -> &Name {
        &self.file
    }

    /// Returns whether the file, or the rest of it, cannot be read.
    ///
    /// Otherwise only one game is lost.
    pub fn is_io(&self) -> bool {
        matches!(self.kind, Kind::Io(_))
    }

    /// Returns the error of the file; `None` if only a game is lost.
    pub fn as_io(&self) -> Option<&io::Error> {
        match &self.kind {
            Kind::Io(error) => Some(error),
            Kind::Game(_) => None,
        }
    }

    /// Returns what it displays, without the names of options.
    ///
    /// For programs that do not have the options of the command: see [`reason`].
    pub fn without_options(&self) -> String {
        match &self.kind {
            Kind::Io(error) => format!("{}: {}", self.file, reason(error)),
            Kind::Game(_) => self.to_string(),
        }
    }

    /// Returns the error of the game; `None` if the file cannot be read.
    pub fn as_game(&self) -> Option<&de::Error> {
        match &self.kind {
            Kind::Game(error) => Some(error),
            Kind::Io(_) => None,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Io(error) => write!(f, "{}: {error}", self.file),
            Kind::Game(error) => write!(f, "{}: {error}", self.file),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io(error) => error.source(), // it prints as itself
            Kind::Game(error) => error.source(),
        }
    }
}

/// Returns the original I/O error; other errors become `InvalidData`.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        match error.kind {
            Kind::Io(error) => error,
            Kind::Game(_) => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}
