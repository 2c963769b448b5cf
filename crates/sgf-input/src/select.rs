//! The options that choose inputs, and the lists of names that they read.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::exclude::Pattern;
use super::name::{Name, path_of};
use super::walk::is_stdin;

/// Heading of the options that choose inputs in `--help`.
pub const INPUTS: &str = "Inputs";

/// How inputs are found: a section of each `--help`.
pub const HOW: &str = "\
Inputs:
  A file that is named as a PATH is read regardless of its extension.
  Directories are searched recursively. In them, and in archives, files are
  selected by extension, in upper or lower case: .sgf and .sgfs, optionally
  followed by .gz, .zst, .bz2 or .xz; and the archives .zip, .tar, .tar.gz,
  .tgz, .tar.zst, .tzst, .tar.bz2, .tbz2, .tbz, .tar.xz and .txz. Files called
  `._*`, in which macOS keeps attributes, are ignored. Compression and archives
  are recognized from the content, may be nested, and are read as streams.
  Messages name a member of an archive as `archive.tar.gz!/dir/game.sgf`.

  A GLOB of --exclude without a `/` is compared with the names of files,
  directories and members of archives: '*-draft.sgf', old. One with a `/` is
  compared with paths from the PATH or the top of the archive: old/2*,
  '**/old/*.sgf'. An excluded directory or archive is skipped with everything in
  it. A PATH that is a directory is always searched. A `?` is one byte, and
  upper and lower case differ.";

/// The options that choose inputs. A command with them has an argument `paths`.
#[derive(clap::Args, Clone, Debug)]
pub struct Selection {
    /// Read the PATHs from this file, NUL-terminated; `-` is standard input.
    ///
    /// `find -print0` and `sgf check -l0` write such lists.
    #[arg(long, value_name = "FILE", conflicts_with = "paths", help_heading = INPUTS)]
    pub files0_from: Option<PathBuf>,

    /// Skip files, directories and members of archives whose name or path matches. Can be repeated.
    #[arg(long, value_name = "GLOB", help_heading = INPUTS)]
    pub exclude: Vec<Pattern>,

    /// Follow symbolic links in directories.
    #[arg(long, short = 'L', help_heading = INPUTS)]
    pub follow: bool,
}

impl Selection {
    /// Returns the names in the list, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the list cannot be read. The message names the option.
    pub fn list(&self) -> Result<Option<Vec<PathBuf>>, String> {
        let read = |list: &PathBuf| names(list).map_err(|error| format!("--files0-from: {}: {error}", Name::of(list)));
        self.files0_from.as_ref().map(read).transpose()
    }
}

/// Returns the names in a list, each of which is ended by a NUL byte. The last one need not be.
fn names(list: &Path) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    match is_stdin(list) {
        true => io::stdin().lock().read_to_end(&mut bytes)?,
        false => fs::File::open(list)?.read_to_end(&mut bytes)?,
    };
    let invalid = |message: String| Err(io::Error::new(io::ErrorKind::InvalidData, message));
    if bytes.contains(&b'\n') && !bytes.contains(&0) {
        return invalid("the names in the list must end with NUL bytes, as `find -print0` writes them".to_owned());
    }
    let mut names = Vec::new();
    for name in bytes.strip_suffix(b"\0").unwrap_or(&bytes).split(|&byte| byte == 0) {
        let number = names.len() + 1;
        match name {
            b"" if bytes.is_empty() => break,
            b"" => return invalid(format!("name {number} is empty")),
            b"-" if is_stdin(list) => {
                return invalid(format!("name {number} is `-`, but standard input is the list"));
            }
            name => names.push(path_of(name)),
        }
    }
    Ok(names)
}
