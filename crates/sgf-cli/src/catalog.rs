//! What has changed in the inputs since the last run, for `records --append` and `index`.

use std::path::Path;

use sgf_input::{Changes, Missing, Seen, full_path};

use crate::failure::{Failure, note, note_no_input, note_trouble};
use crate::input::{Name, Paths, is_stdin};
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

/// What happens to files that do not exist any more.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Prune {
    /// Drop all files that do not exist any more, wherever they were.
    ///
    /// Without this option, files are dropped only if a directory of this run was read and does not have them any more. All
    /// others stay, since their disk may not be mounted.
    #[arg(long)]
    prune: bool,
}

impl Prune {
    pub(crate) fn is_given(self) -> bool {
        self.prune
    }
}

/// Finds what has changed in the inputs, under their full paths. Prints what cannot be read.
pub(crate) fn changes(before: impl IntoIterator<Item = (Name, Seen)>, paths: &Paths, prune: Prune) -> Changes {
    let full = paths.with_paths(paths.paths.iter().map(|path| full_path(path)).collect());
    let missing = if prune.prune { Missing::Go } else { Missing::Stay };
    let changes = Changes::since(before, &full.paths, full.walk(), missing);
    if changes.new + changes.changed + changes.unchanged == 0 && changes.unread.is_empty() {
        note_no_input(&paths.paths);
    }
    changes.unread.iter().for_each(|(name, error)| note_trouble(name, error));
    changes
}

/// Prints how many files are what.
pub(crate) fn print(changes: &Changes) {
    note(format_args!(
        "{} new, {} changed, {} removed, {} unchanged",
        counted(changes.new, "file"),
        grouped(changes.changed),
        grouped(changes.removed.len() as u64),
        grouped(changes.unchanged)
    ));
}
