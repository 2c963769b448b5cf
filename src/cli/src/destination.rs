//! The file that `--output` names, or standard output.
//!
//! A file that exists keeps its content until the new one is complete, as with `fmt --write`; a new file gets its name
//! only then, so that no command reads its own output; and a file that is read is never written to.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, warn};
use crate::input::{Name, has_wanted_name, is_stdin};
use crate::rewrite::place::{NewFile, Replacement};

pub(crate) enum Destination {
    Stdout(io::Stdout),
    /// A pipe or a device.
    File(File),
    /// A file that did not exist.
    New(NewFile),
    Replacement(Box<Replacement>),
}

impl Destination {
    /// Opens a file for writing.
    ///
    /// # Errors
    ///
    /// Fails if it is one of the inputs, or cannot be written.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf]) -> io::Result<Self> {
        if is_stdin(path) {
            return Ok(Destination::Stdout(io::stdout()));
        }
        refuse_inputs(path, inputs)?;
        if is_regular(path) {
            Replacement::beside(path).map(|file| Destination::Replacement(Box::new(file)))
        } else if fs::symlink_metadata(path).is_err() && path.file_name().is_some() {
            NewFile::beside(path).map(Destination::New)
        } else {
            File::create(path).map(Destination::File)
        }
    }

    /// Ends the file: now it has the new content.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Destination::Stdout(mut out) => out.flush(),
            Destination::File(mut file) => file.flush(),
            Destination::New(file) => file.take(),
            Destination::Replacement(file) => file.take(),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Stdout(out) => out.write(bytes),
            Destination::File(file) => file.write(bytes),
            Destination::New(file) => file.write(bytes),
            Destination::Replacement(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Stdout(out) => out.flush(),
            Destination::File(file) => file.flush(),
            Destination::New(file) => file.flush(),
            Destination::Replacement(file) => file.flush(),
        }
    }
}

/// Returns an error for a file that is one of the inputs.
pub(crate) fn refuse_inputs(path: &Path, inputs: &[PathBuf]) -> io::Result<()> {
    match is_regular(path) && inputs.iter().any(|input| is_in(path, input)) {
        true => Err(overwritten()),
        false => Ok(()),
    }
}

/// The files that are read, to be compared with many that are written.
pub(crate) struct Inputs(HashSet<Id>);

impl Inputs {
    pub(crate) fn of(paths: &[PathBuf]) -> Self {
        Inputs(paths.iter().filter(|path| is_regular(path)).filter_map(|path| id(path)).collect())
    }

    /// Returns an error for a file that is one of them.
    pub(crate) fn refuse(&self, path: &Path) -> io::Result<()> {
        match !self.0.is_empty() && id(path).is_some_and(|id| self.0.contains(&id)) {
            true => Err(overwritten()),
            false => Ok(()),
        }
    }
}

fn overwritten() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "this file is an input; write to another one")
}

fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Turns an error of writing to a file, or to standard output, into one that names it.
pub(crate) fn failure(path: Option<&Path>) -> impl Fn(io::Error) -> Failure {
    move |error| match path {
        // Whoever reads a pipe may have seen enough.
        Some(path) if !is_stdin(path) && error.kind() != io::ErrorKind::BrokenPipe => {
            Failure::Input(Name::of(path), error)
        }
        _ => Failure::Output(error),
    }
}

/// Writes a file as a whole: see [`Destination::create`].
pub(crate) fn write(path: &Path, bytes: &[u8], inputs: &[PathBuf]) -> io::Result<()> {
    let mut file = Destination::create(path, inputs)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Warns that nothing could be read, so that a file is not written.
pub(crate) fn warn_unwritten(path: &Path) {
    let what = if path.is_file() { "left unchanged" } else { "not written" };
    warn(format_args!("{}: {what}, because nothing could be read", Name::of(path)));
}

/// Whether a file is read where an input is: a file, standard input, or a directory.
fn is_in(file: &Path, input: &Path) -> bool {
    let input = if is_stdin(input) { Path::new("/dev/stdin") } else { input };
    let (Ok(file), Ok(input)) = (fs::canonicalize(file), fs::canonicalize(input)) else { return false };
    match input.is_dir() {
        true => file.starts_with(&input) && has_wanted_name(file.as_os_str().as_encoded_bytes()),
        false => is_same(&file, &input),
    }
}

fn is_same(file: &Path, other: &Path) -> bool {
    matches!((id(file), id(other)), (Some(file), Some(other)) if file == other)
}

/// Identifies a file, independent of its name.
#[cfg(unix)]
type Id = (u64, u64);

#[cfg(unix)]
fn id(path: &Path) -> Option<Id> {
    use std::os::unix::fs::MetadataExt;

    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type Id = PathBuf;

#[cfg(not(unix))]
fn id(path: &Path) -> Option<Id> {
    fs::canonicalize(path).ok()
}
