//! The files on disk that a PATH names. Nothing is opened here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::limits::Limits;
use super::name::Name;

const WHAT: &str = "Files, directories and archives to read; `-` is standard input";

/// Returns the long help of PATHs for a subcommand.
pub(crate) fn long_help(what: &str) -> String {
    format!("{what}.\n\n{HOW}")
}

const HOW: &str = "\
A file given here is read whatever its name is. Compression (gzip, zstd, bzip2, xz) and archives (tar, zip) are \
recognized by content. Archives may be compressed and nested. Everything is read as a stream, and messages name a member \
of an archive as `archive.tar.gz!/dir/game.sgf`.

Directories are searched recursively. In directories and archives, files are selected by name, in upper or lower case: \
`.sgf` and `.sgfs`, also followed by `.gz`, `.zst`, `.bz2` or `.xz`; and archives, `.zip`, `.tar`, `.tar.gz`, `.tgz`, \
`.tar.zst`, `.tzst`, `.tar.bz2`, `.tbz2`, `.tbz`, `.tar.xz`, `.txz`. Symbolic links are not followed, and `._*` files, in \
which macOS keeps attributes, are ignored.";

/// The paths to read, for all subcommands.
#[derive(clap::Args)]
pub(crate) struct Paths {
    #[arg(required = true, value_name = "PATH", help = WHAT, long_help = long_help(WHAT))]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Paths {
    /// Returns the files of all paths, one path after the other.
    pub(crate) fn walk(&self) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
        self.paths.iter().flat_map(|path| walk(path))
    }

    /// Returns the size of all files on disk, if it can be known before reading.
    pub(crate) fn total_size(&self) -> Option<u64> {
        if self.paths.iter().any(|path| is_stdin(path)) {
            return None;
        }
        Some(self.walk().flatten().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).sum())
    }
}

/// Returns true for `-`, which stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the files of a path: itself, standard input, or the files in a directory, sorted.
///
/// A missing file or an unreadable directory is an error.
pub(crate) fn walk(path: &Path) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
    let stdin = is_stdin(path).then(|| Ok(path.to_owned()));
    // Entries of a directory differ only in their names, so whole paths can be compared. Extracting the names would
    // take a sixth as long as the system calls for a small file.
    let in_order = || WalkDir::new(path).sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()));
    let entries = stdin.is_none().then(in_order).into_iter().flatten();
    stdin.into_iter().chain(entries.filter_map(|entry| match entry {
        Ok(entry) => is_wanted(&entry).then(|| Ok(entry.into_path())),
        Err(error) => {
            let name = Name::of(error.path().unwrap_or(Path::new("")));
            Some(Err((name, bare(error))))
        }
    }))
}

/// Files named by the user are read whatever their name is; files found in a directory are selected by name.
fn is_wanted(entry: &DirEntry) -> bool {
    match entry.depth() {
        0 => !entry.path().is_dir(), // follows a symbolic link that the user named
        _ => entry.file_type().is_file() && has_wanted_name(entry.file_name().as_encoded_bytes()),
    }
}

/// Extensions of compressed SGF, and of archives.
const COMPRESSED: [&[u8]; 4] = [b".gz", b".zst", b".bz2", b".xz"];
const SGF: [&[u8]; 2] = [b".sgf", b".sgfs"];
const ARCHIVES: [&[u8]; 7] = [b".zip", b".tar", b".tgz", b".tzst", b".tbz2", b".tbz", b".txz"];

/// Returns whether to open a file that was found in a directory or an archive. Its content decides what it is.
pub(crate) fn has_wanted_name(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    if name.starts_with(b"._") {
        return false;
    }
    let is_archive = |name: &[u8]| ends_in(name, &ARCHIVES).is_some();
    match ends_in(name, &COMPRESSED) {
        Some(inner) => ends_in(inner, &SGF).is_some() || ends_in(inner, &[b".tar"]).is_some(),
        None => ends_in(name, &SGF).is_some() || is_archive(name),
    }
}

/// Returns whether a file name is that of uncompressed SGF.
pub(crate) fn has_plain_name(path: &Path) -> bool {
    ends_in(path.as_os_str().as_encoded_bytes(), &SGF).is_some()
}

/// Returns whether a file name is that of a compressed file or of an archive.
#[allow(dead_code)] // `sgf-sql` does not cut these
pub(crate) fn has_packed_name(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    ends_in(name, &COMPRESSED).or_else(|| ends_in(name, &ARCHIVES)).is_some()
}

/// Returns the name without its extension, if that is one of these.
fn ends_in<'n>(name: &'n [u8], endings: &[&[u8]]) -> Option<&'n [u8]> {
    endings.iter().find_map(|ending| {
        let (front, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        (!front.is_empty() && end.eq_ignore_ascii_case(ending)).then_some(front)
    })
}

/// Returns the error without the path, which the caller adds.
fn bare(error: walkdir::Error) -> io::Error {
    match error.io_error().map(|error| (error.raw_os_error(), error.kind())) {
        Some((Some(code), _)) => io::Error::from_raw_os_error(code),
        Some((None, kind)) => kind.into(),
        None => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_what_is_opened_in_a_walk() {
        for name in [
            "a.sgf",
            "A.SGF",
            "a.sgfs",
            "d/a.sgf.gz",
            "a.SGF.Zst",
            "a.sgfs.bz2",
            "a.sgf.xz",
            "a.zip",
            "a.tar",
            "a.tgz",
            "a.tar.gz",
            "a.TAR.XZ",
            "a.tbz",
            "a.tbz2",
            "a.tzst",
            "a.txz",
            "a.tar.zst",
            "a.tar.bz2",
        ] {
            assert!(has_wanted_name(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "sgf",
            ".sgf",
            "a.txt",
            "a.gz",
            "log.gz",
            "a.sgf.txt",
            "a.sgf/",
            "a.sgf.gz.gz",
            "d/._a.sgf",
            "._a.zip",
            "a.tgz.gz",
        ] {
            assert!(!has_wanted_name(name.as_bytes()), "{name}");
        }
    }
}
