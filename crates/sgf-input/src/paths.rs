//! The paths on a command line.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches};

use super::exclude::Exclude;
use super::limits::Limits;
use super::name::Name;
use super::select::Selection;
use super::walk::{files, is_stdin};

/// The paths to read, for all subcommands, and what is excluded from them.
#[derive(Clone)]
pub struct Paths {
    /// The PATHs, or the names in the list.
    pub paths: Vec<PathBuf>,
    /// The limits of decompression.
    pub limits: Limits,
    /// The files that are not read.
    pub exclude: Exclude,
    pub(crate) follows_links: bool,
    /// The list that the names come from.
    #[cfg_attr(not(feature = "output"), expect(dead_code))]
    pub(crate) list: Option<PathBuf>,
}

/// The options of [`Paths`].
#[derive(clap::Args)]
struct Options {
    /// Files, directories and archives to read; `-` is standard input.
    #[arg(value_name = "PATH", required_unless_present = "files0_from")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    limits: Limits,
}

impl clap::Args for Paths {
    fn augment_args(command: Command) -> Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args_for_update(command)
    }
}

impl FromArgMatches for Paths {
    /// Also reads the list of names, which become the paths.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Options { paths, selection, limits } = Options::from_arg_matches(matches)?;
        let wrong = |message: String| clap::Error::raw(ErrorKind::ValueValidation, message + "\n");
        let exclude = Exclude::new(&selection.exclude).map_err(|error| wrong(format!("--exclude: {error}")))?;
        let paths = selection.list().map_err(wrong)?.unwrap_or(paths);
        Ok(Paths { paths, limits, exclude, follows_links: selection.follow, list: selection.files0_from })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Paths::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Paths {
    /// Returns other paths with the same options.
    #[must_use]
    pub fn with_paths(&self, paths: Vec<PathBuf>) -> Paths {
        Paths { paths, ..self.clone() }
    }

    /// Returns the files of all paths, one path after the other.
    pub fn walk(&self) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
        self.paths.iter().flat_map(|path| files(path, self.follows_links, self.exclude.clone()))
    }

    /// Returns the size of all files on disk, if it can be known before reading.
    pub fn total_size(&self) -> Option<u64> {
        if self.paths.iter().any(|path| is_stdin(path)) {
            return None;
        }
        Some(self.walk().flatten().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).sum())
    }

    /// Returns what opens the files.
    pub fn opener(&self) -> super::Opener {
        super::Opener::new(self.limits).excluding(&self.exclude)
    }

    /// Returns whether it is a single file, or standard input: not a directory. A list may have one name.
    pub fn is_one_file(&self) -> bool {
        self.paths.len() == 1 && !self.paths[0].is_dir()
    }
}
