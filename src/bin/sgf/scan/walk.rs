//! The files that a PATH stands for.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::input;

/// One step of a walk.
pub(crate) enum Found {
    File(PathBuf),
    /// A directory, or a file that is not there.
    Unreadable(PathBuf, io::Error),
}

/// A file, standard input, or the SGF files below a directory in the order of their paths.
pub(crate) fn walk(path: &Path) -> impl Iterator<Item = Found> {
    let stdin = input::is_stdin(path).then(|| Found::File(path.to_owned()));
    // Neighbours in a directory differ in their names only. To compare whole paths saves looking for
    // the names in them, which took longer than opening the parser of a small file.
    let in_order = || WalkDir::new(path).sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()));
    let entries = stdin.is_none().then(in_order).into_iter().flatten();
    stdin.into_iter().chain(entries.filter_map(|entry| match entry {
        Ok(entry) => is_wanted(&entry).then(|| Found::File(entry.into_path())),
        Err(error) => {
            let path = error.path().unwrap_or(Path::new("")).to_owned();
            Some(Found::Unreadable(path, bare(error)))
        }
    }))
}

/// What was named is read, unless it is a directory; what was found, if it looks like SGF.
fn is_wanted(entry: &DirEntry) -> bool {
    if entry.depth() == 0 {
        return !entry.file_type().is_dir();
    }
    let looks_like_sgf = |ending: &OsStr| ending.eq_ignore_ascii_case("sgf") || ending.eq_ignore_ascii_case("sgfs");
    entry.file_type().is_file() && entry.path().extension().is_some_and(looks_like_sgf)
}

/// The error without the path, which is said elsewhere.
fn bare(error: walkdir::Error) -> io::Error {
    match error.io_error().map(|error| (error.raw_os_error(), error.kind())) {
        Some((Some(code), _)) => io::Error::from_raw_os_error(code),
        Some((None, kind)) => kind.into(),
        None => io::Error::other(error),
    }
}

/// How many bytes all of this is, as far as one can tell beforehand.
pub(crate) fn total_size(paths: &[PathBuf]) -> Option<u64> {
    let mut total = 0;
    for path in paths {
        if input::is_stdin(path) {
            return None;
        }
        for found in walk(path) {
            if let Found::File(entry) = found {
                total += fs::metadata(entry).map_or(0, |metadata| metadata.len());
            }
        }
    }
    Some(total)
}
