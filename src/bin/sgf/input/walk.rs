//! The files on disk that a PATH stands for. Nothing is opened here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::limits::Limits;
use super::name::Name;

const WHAT: &str = "What to read: files, directories, archives, or `-` for standard input";

/// All that is to be said of PATHs, for a subcommand that does this with them.
pub(crate) fn long_help(what: &str) -> String {
    format!("{what}.\n\n{HOW}")
}

const HOW: &str = "\
A file named here is read whatever its name is. Compression (gzip, zstd, bzip2, xz) and archives (tar, zip) are \
recognised by content. Archives may be compressed and nested. Everything is read as a stream, and messages name a member \
of an archive as `archive.tar.gz!/dir/game.sgf`.

Directories are searched recursively. In directories and archives, files are selected by name, in upper or lower case: \
`.sgf` and `.sgfs`, also followed by `.gz`, `.zst`, `.bz2` or `.xz`; and archives, `.zip`, `.tar`, `.tar.gz`, `.tgz`, \
`.tar.zst`, `.tzst`, `.tar.bz2`, `.tbz2`, `.tbz`, `.tar.xz`, `.txz`. Symbolic links are not followed, and `._*` files, in \
which macOS keeps attributes, are ignored.";

/// What to read, for all subcommands.
#[derive(clap::Args)]
pub(crate) struct Paths {
    #[arg(required = true, value_name = "PATH", help = WHAT, long_help = long_help(WHAT))]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Paths {
    /// The files of all paths, one path after the other.
    pub(crate) fn walk(&self) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
        self.paths.iter().flat_map(|path| walk(path))
    }

    /// How many bytes all of this is on disk, as far as one can tell beforehand.
    pub(crate) fn total_size(&self) -> Option<u64> {
        if self.paths.iter().any(|path| is_stdin(path)) {
            return None;
        }
        Some(self.walk().flatten().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).sum())
    }
}

/// True for `-`, which stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file, standard input, or what there is to read below a directory, in the order of paths; or what a directory, or
/// a file that is not there, has come to.
pub(crate) fn walk(path: &Path) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
    let stdin = is_stdin(path).then(|| Ok(path.to_owned()));
    // Neighbours in a directory differ in their names only. To compare whole paths saves looking for the names in
    // them, which would be a sixth of what a small file takes beside the system calls.
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

/// What was named is read, unless it is a directory; what was found, if it looks like SGF or like an archive.
fn is_wanted(entry: &DirEntry) -> bool {
    match entry.depth() {
        0 => !entry.path().is_dir(), // what a link that was named stands for
        _ => entry.file_type().is_file() && has_wanted_name(entry.file_name().as_encoded_bytes()),
    }
}

/// Compressed SGF, and names of archives.
const COMPRESSED: [&[u8]; 4] = [b".gz", b".zst", b".bz2", b".xz"];
const SGF: [&[u8]; 2] = [b".sgf", b".sgfs"];
const ARCHIVES: [&[u8]; 7] = [b".zip", b".tar", b".tgz", b".tzst", b".tbz2", b".tbz", b".txz"];

/// Whether a file that was found, in a directory or in an archive, is to be opened. What it is, its content says.
pub(super) fn has_wanted_name(path: &[u8]) -> bool {
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

/// Whether a file is called as SGF is that is not compressed.
pub(crate) fn has_plain_name(path: &Path) -> bool {
    ends_in(path.as_os_str().as_encoded_bytes(), &SGF).is_some()
}

/// What is in front of one of these endings.
fn ends_in<'n>(name: &'n [u8], endings: &[&[u8]]) -> Option<&'n [u8]> {
    endings.iter().find_map(|ending| {
        let (front, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        (!front.is_empty() && end.eq_ignore_ascii_case(ending)).then_some(front)
    })
}

/// The error without the path, which is said elsewhere.
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
