//! The exception of the package.

use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use sgf_input::FileError;
use sgf_search::index::IndexError;
use sgf_stream::tree::EditError;
use sgf_stream::{Code, Error, Position, SyntaxError};

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

/// Returns the syntax error of a file, if that is why it cannot be read.
fn syntax_error_of(error: &FileError) -> Option<&SyntaxError> {
    error.as_io()?.get_ref()?.downcast_ref()
}

/// Returns whether a file has no game. Nothing is lost then, so no function raises it.
pub(crate) fn is_without_game(error: &FileError) -> bool {
    syntax_error_of(error).is_some_and(|error| error.code() == Code::NoSgfData)
}

/// Creates the exception for a file that cannot be read: that of Python if the system is the reason.
pub(crate) fn file_error(py: Python<'_>, error: &FileError) -> PyErr {
    let file = error.file().as_str();
    if let Some(game) = error.as_game() {
        return sgf_error(py, game, &Location { file: Some(file), ..Location::default() });
    }
    if let Some(os) = error.as_io().and_then(|error| os_error(error, file)) {
        return os;
    }
    let message = error.without_options();
    let syntax = syntax_error_of(error);
    let position = syntax.map(SyntaxError::position);
    sgf_error(py, message, &Location { file: Some(file), position, code: syntax.map(|error| error.code().as_str()) })
}

/// Creates the exception for an error of the system, with its `errno` and `filename`. Python chooses the class by the number.
/// `None` if the error is another one.
pub(crate) fn os_error(error: &io::Error, file: &str) -> Option<PyErr> {
    // An error that was copied on its way has only its kind.
    let number = error.raw_os_error().or(match error.kind() {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::PermissionDenied => Some(13),
        _ => None,
    })?;
    let os = io::Error::from_raw_os_error(number).to_string();
    let text = os.strip_suffix(&format!(" (os error {number})")).unwrap_or(&os).to_owned();
    Some(PyOSError::new_err((number, text, file.to_owned())))
}

/// Creates the exception for an index: that of Python if the disk is the reason.
pub(crate) fn index_error(error: IndexError) -> PyErr {
    let rebuild = "build it again with rebuild=True";
    match &error {
        IndexError::Io { file, error } => {
            let name = file.display().to_string();
            os_error(error, &name).unwrap_or_else(|| PyOSError::new_err(format!("{name}: {error}")))
        }
        IndexError::Damaged { file, reason } => {
            value_error(format_args!("{}: the index is damaged ({reason}); {rebuild}", file.display()))
        }
        IndexError::Version { directory, found } => {
            let directory = directory.display();
            value_error(format_args!(
                "{directory}: the index has version {found}, which this package cannot read; {rebuild}"
            ))
        }
        IndexError::Settings(settings) => {
            value_error(format_args!("the index was built {settings}; to change that, {rebuild}"))
        }
        IndexError::NoVariations => {
            value_error("the index has main lines only; build it again with variations=True rebuild=True")
        }
        _ => value_error(error),
    }
}

/// Creates the exception for an edit of a tree, in the terms of this package. `name` is the property.
pub(crate) fn edit_error(name: &str, error: EditError) -> PyErr {
    match &error {
        EditError::Charset(charset) => value_error(format_args!(
            "{name}: the text cannot be written in the charset of the game ({charset}); call Tree.to_utf8 first"
        )),
        EditError::BadBytes { property, charset } => {
            value_error(format_args!("{property} has bytes that are invalid in {charset}; Tree.to_utf8 replaces them"))
        }
        _ => value_error(error),
    }
}
