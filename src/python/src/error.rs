//! The exception of the package.

use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::prelude::*;
use sgf_input::FileError;
use sgf_search::index::IndexError;
use sgf_stream::{Error, Position, SyntaxError};

pyo3::create_exception!(
    sgf_stream,
    SgfError,
    PyValueError,
    "Bad SGF, or a value that does not fit. `file`, `offset`, `line` and `column` say where, if that is known."
);

/// Where an error is.
#[derive(Default)]
pub(crate) struct Location<'a> {
    pub(crate) file: Option<&'a str>,
    pub(crate) position: Option<Position>,
    /// The rule of the diagnostic.
    pub(crate) code: Option<&'a str>,
}

/// Creates the exception.
pub(crate) fn sgf_error(py: Python<'_>, message: impl Display, location: &Location<'_>) -> PyErr {
    let error = SgfError::new_err(message.to_string());
    let value = error.value(py);
    let position = location.position;
    let set = || -> PyResult<()> {
        value.setattr("file", location.file)?;
        value.setattr("offset", position.map(|position| position.offset))?;
        value.setattr("line", position.map(|position| position.line).filter(|line| *line > 0))?;
        value.setattr("column", position.map(|position| position.column).filter(|column| *column > 0))?;
        value.setattr("code", location.code)
    };
    match set() {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Creates the exception for a syntax error.
pub(crate) fn syntax_error(py: Python<'_>, error: &SyntaxError) -> PyErr {
    let location = Location { position: Some(error.position()), code: Some(error.code().as_str()), file: None };
    sgf_error(py, error, &location)
}

/// Creates an exception without a place.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    Python::attach(|py| sgf_error(py, error, &Location::default()))
}

/// Converts an error of a reader, for the threads that read files.
pub(crate) fn io_error(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        Error::Syntax(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        error => io::Error::other(error),
    }
}

/// Creates the exception for a file that cannot be read: that of Python where it has one.
pub(crate) fn file_error(py: Python<'_>, error: &FileError) -> PyErr {
    let (message, file) = (error.to_string(), error.file().as_str());
    if let Some(game) = error.as_game() {
        return sgf_error(py, game, &Location { file: Some(file), ..Location::default() });
    }
    let syntax = error.as_io().and_then(io::Error::get_ref).and_then(|inner| inner.downcast_ref::<SyntaxError>());
    if let Some(syntax) = syntax {
        let location =
            Location { position: Some(syntax.position()), code: Some(syntax.code().as_str()), file: Some(file) };
        return sgf_error(py, message, &location);
    }
    let kind = error.as_io().map(io::Error::kind);
    match kind {
        Some(io::ErrorKind::NotFound) => PyFileNotFoundError::new_err(message),
        Some(io::ErrorKind::PermissionDenied) => PyPermissionError::new_err(message),
        Some(io::ErrorKind::InvalidData) => {
            sgf_error(py, message, &Location { file: Some(file), ..Location::default() })
        }
        _ => PyOSError::new_err(message),
    }
}

/// Creates the exception for an index: that of Python if the disk is the reason.
pub(crate) fn index_error(error: IndexError) -> PyErr {
    let message = error.to_string().replace("--rebuild", "rebuild=True").replace("--variations", "variations=True");
    match error {
        IndexError::Io { error, .. } => io::Error::new(error.kind(), message).into(),
        _ => value_error(message),
    }
}
