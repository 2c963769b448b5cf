//! What has changed in the inputs since the last run, for `records --append` and `index`.

use std::path::{Path, PathBuf};

use sgf_input::Changes;

use crate::failure::{Failure, note};
use crate::input::{Paths, is_stdin};
use crate::tables::{counted, grouped};

/// Returns an error if an input, or one of these files, is standard input or output.
pub(crate) fn expect_files<'p>(
    option: &str,
    paths: &Paths,
    others: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    if others.into_iter().any(is_stdin) || paths.paths.iter().any(|path| is_stdin(path)) {
        return Err(Failure::Usage(format!("{option} compares files on disk; standard input and output have none")));
    }
    Ok(())
}

/// Returns the files of the inputs. What cannot be read is reported when it is read.
pub(crate) fn files(paths: &Paths) -> impl Iterator<Item = PathBuf> {
    paths.walk().map(|path| path.unwrap_or_else(|(name, _)| name.to_path()))
}

/// Prints how many files are what.
pub(crate) fn print(changes: &Changes) {
    note(format_args!(
        "{} new, {} changed, {} removed, {} unchanged",
        counted(changes.new, "file"),
        grouped(changes.changed),
        grouped(changes.removed),
        grouped(changes.unchanged)
    ));
}
