//! The files on disk that a PATH names. Nothing is opened here but lists of names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::exclude::Exclude;
use super::name::Name;

/// Returns true for `-`, which stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the files of a path: itself, or the files in a directory, sorted.
///
/// Excluded files are skipped. Symbolic links in a directory are followed only if that is wanted. A missing file or an
/// unreadable directory is an error.
pub fn files(
    path: &Path,
    follows: bool,
    exclude: Exclude,
) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> + Send + use<> {
    let root = path.to_owned();
    let stdin = is_stdin(path).then(|| Ok(root.clone()));
    // Entries of a directory differ only in their names, so whole paths can be compared. Extracting the names would
    // take a sixth as long as the system calls for a small file.
    let in_order = || {
        let walk = WalkDir::new(path).follow_links(follows);
        walk.sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
    };
    let entries = stdin.is_none().then(in_order).into_iter().flat_map(move |walk| {
        let (root, exclude) = (root.clone(), exclude.clone());
        walk.into_iter().filter_entry(move |entry| !is_excluded(entry, &root, &exclude))
    });
    stdin.into_iter().chain(entries.filter_map(|entry| match entry {
        Ok(entry) => is_wanted(&entry).then(|| Ok(entry.into_path())),
        Err(error) => {
            let path = error.path().unwrap_or(Path::new("")).to_owned();
            // What a dead link led to is not known to be SGF.
            let is_dead_link = error.depth() > 0 && fs::read_link(&path).is_ok() && error.loop_ancestor().is_none();
            let is_wanted = !is_dead_link || has_wanted_name(path.as_os_str().as_encoded_bytes());
            is_wanted.then(|| Err((Name::of(&path), bare(error))))
        }
    }))
}

/// Returns whether an entry is excluded. A directory that the user named is not.
fn is_excluded(entry: &DirEntry, root: &Path, exclude: &Exclude) -> bool {
    match entry.depth() {
        0 => exclude.has(entry.path()) && !entry.path().is_dir(),
        _ => exclude.has(entry.path().strip_prefix(root).unwrap_or(entry.path())),
    }
}

/// Files named by the user are read regardless of their extension; files found in a directory are selected by it.
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

/// Extensions of archives that are not supported. They are opened so that a message names them.
const OTHER_ARCHIVES: [&[u8]; 7] = [b".7z", b".rar", b".lzh", b".lha", b".arj", b".cab", b".ace"];

/// Returns whether to open a file that was found in a directory or an archive. Its content decides what it is.
pub fn has_wanted_name(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    if name.starts_with(b"._") {
        return false;
    }
    let is_archive = |name: &[u8]| ends_in(name, &ARCHIVES).or_else(|| ends_in(name, &OTHER_ARCHIVES)).is_some();
    match ends_in(name, &COMPRESSED) {
        Some(inner) => ends_in(inner, &SGF).is_some() || ends_in(inner, &[b".tar"]).is_some(),
        None => ends_in(name, &SGF).is_some() || is_archive(name),
    }
}

/// Returns whether a file name is that of uncompressed SGF.
pub fn has_plain_name(path: &Path) -> bool {
    ends_in(path.as_os_str().as_encoded_bytes(), &SGF).is_some()
}

/// Returns whether a file name is that of a compressed file or of an archive.
pub fn has_packed_name(path: &Path) -> bool {
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
    if let Some(ancestor) = error.loop_ancestor() {
        return io::Error::other(format!("a link back to {}, which is not followed", Name::of(ancestor)));
    }
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
            "a.7z",
            "d/A.RAR",
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
