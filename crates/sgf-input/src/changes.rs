//! What has changed in files since a program last read them.
//!
//! Such a program runs again and again, from any directory and with other spellings of a path, and what it keeps is worth
//! more than a run. So two rules:
//!
//! - A file is known by its [full path](full_path), as bytes.
//! - What cannot be read is not gone. A file is gone if a directory of this run was read and does not have the file any more.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{self, Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Name;
use crate::fault::{Fault, Remedy};

/// How a file was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its length in bytes.
    pub size: u64,
    /// The time of its last change, in nanoseconds since 1970.
    pub modified: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub hash: String,
}

/// The treatment of files of earlier runs that do not exist any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// They stay, unless a directory that was read does not have them any more.
    #[default]
    Stay,
    /// They go, wherever they were.
    Go,
}

/// Returns the full path of a file or directory, under which it is known.
///
/// It is the same from any directory and in any spelling. It is absolute, and has no `.`, `..` or symbolic links. Only a
/// file keeps its own name if that is a link, as in a directory that has it. A path that does not exist becomes absolute.
pub fn full_path(path: &Path) -> PathBuf {
    let resolved = match path.file_name().filter(|_| !path.is_dir()) {
        None => fs::canonicalize(path),
        Some(name) => {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            fs::canonicalize(directory.unwrap_or(Path::new("."))).map(|directory| directory.join(name))
        }
    };
    resolved.or_else(|_| path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// Files that are new, changed or gone since the last run.
///
/// ```
/// use sgf_input::{Changes, Missing, full_path};
///
/// # let directory = std::env::temp_dir().join(format!("sgf-input changes {}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// let directory = full_path(&directory);
/// let (first, second) = (directory.join("a.sgf"), directory.join("b.sgf"));
/// std::fs::write(&first, "(;B[dd])")?;
/// let changes = Changes::since([], &[directory.clone()], [Ok(first.clone())], Missing::Stay);
/// assert_eq!((changes.new, changes.read.len()), (1, 1));
///
/// // The next run begins with what the last one has read and kept.
/// std::fs::write(&second, "(;B[pp])")?;
/// std::fs::remove_file(&first)?;
/// let before = changes.read.into_iter().chain(changes.kept);
/// let changes = Changes::since(before, &[directory.clone()], [Ok(second.clone())], Missing::Stay);
/// assert_eq!((changes.new, changes.unchanged, changes.removed.len()), (1, 0, 1));
/// assert_eq!(changes.read[0].0.to_path(), second);
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// The files to read, in the order of the inputs, and how they are now.
    ///
    /// Their old content is to be dropped when they have been read.
    pub read: Vec<(Name, Seen)>,
    /// The files that are gone, in order. Their content is to be dropped.
    pub removed: Vec<Name>,
    /// All other files, whose content stays.
    pub kept: Vec<(Name, Seen)>,
    /// The PATHs, directories and files that cannot be read, and why.
    ///
    /// What is known of them and of what is below them stays.
    pub unread: Vec<(Name, io::Error)>,
    /// The number of files that are new.
    pub new: u64,
    /// The number of files with another content.
    pub changed: u64,
    /// The number of files with the same content.
    pub unchanged: u64,
    /// The texts of the names of the files to read, and of those that are gone.
    stale: HashSet<String>,
}

impl Changes {
    /// Compares files with what the last run has seen, on all cores.
    ///
    /// `roots` are the [full paths](full_path) of the PATHs of this run, and `found` is what was found there: files, and the
    /// names of what cannot be read. A file with the same size and time is not opened. Files of the last run that are not
    /// below a root stay, whether they exist or not, and so do those that are not among the files but exist. If
    /// a root that had files is an empty directory now, they also stay: a disk may not be mounted.
    pub fn since(
        before: impl IntoIterator<Item = (Name, Seen)>,
        roots: &[PathBuf],
        found: impl IntoIterator<Item = Result<PathBuf, (Name, io::Error)>>,
        missing: Missing,
    ) -> Self {
        let mut before: HashMap<Name, Seen> = before.into_iter().collect();
        let mut changes = Changes::default();
        let (mut names, mut files) = (HashSet::new(), Vec::new());
        for file in found {
            match file.map(|path| Name::of(&path)) {
                Ok(name) if names.insert(name.clone()) => files.push(name),
                Ok(_) => {}
                Err(unread) => changes.unread.push(unread),
            }
        }
        let looked: Vec<(Name, io::Result<Seen>)> = files
            .into_par_iter()
            .map(|name| {
                let seen = look_at(&name.to_path(), before.get(&name));
                (name, seen)
            })
            .collect();
        for (name, seen) in looked {
            match (before.remove(&name), seen) {
                (old, Err(error)) => {
                    changes.kept.extend(old.map(|old| (name.clone(), old)));
                    changes.unread.push((name, error));
                }
                (Some(old), Ok(seen)) if old.hash == seen.hash => {
                    changes.unchanged += 1;
                    changes.kept.push((name, seen));
                }
                (old, Ok(seen)) => {
                    *(if old.is_some() { &mut changes.changed } else { &mut changes.new }) += 1;
                    changes.read.push((name, seen));
                }
            }
        }
        changes.add_others(before, roots, missing);
        let stale = changes.read.iter().map(|(name, _)| name).chain(&changes.removed);
        changes.stale = stale.map(|name| name.as_str().to_owned()).collect();
        changes
    }

    /// Adds the files to read whose rows cannot be told from stale ones.
    ///
    /// Their names differ only in bytes that are not UTF-8.
    #[must_use]
    pub fn with_namesakes(mut self) -> Self {
        let is_namesake = |(name, _): &mut (Name, Seen)| self.stale.contains(name.as_str());
        self.read.extend(self.kept.extract_if(.., is_namesake));
        self
    }

    /// Adds the files of the last run that were not found in this one.
    fn add_others(&mut self, before: HashMap<Name, Seen>, roots: &[PathBuf], missing: Missing) {
        let empty: HashSet<&Path> = roots.iter().map(PathBuf::as_path).filter(|root| is_empty(root)).collect();
        let roots: HashSet<&Path> = roots.iter().map(PathBuf::as_path).collect();
        let unread: HashSet<PathBuf> = self.unread.iter().map(|(name, _)| name.to_path()).collect();
        let mut others: Vec<(Name, Seen)> = before.into_iter().collect();
        others.sort_by(|a, b| a.0.cmp(&b.0));
        let mut of_empty: HashMap<PathBuf, u64> = HashMap::new();
        for (name, seen) in others {
            let path = name.to_path();
            let is_missing = is_missing(&path);
            let goes = is_missing
                && match missing {
                    Missing::Go => true,
                    Missing::Stay => {
                        let was_read = path.ancestors().any(|directory| roots.contains(directory))
                            && !path.ancestors().any(|directory| unread.contains(directory));
                        let of = path.ancestors().find(|directory| empty.contains(directory)).filter(|_| was_read);
                        of.into_iter().for_each(|root| *of_empty.entry(root.to_owned()).or_default() += 1);
                        was_read && of.is_none()
                    }
                };
            match goes {
                true => self.removed.push(name),
                false => self.kept.push((name, seen)),
            }
        }
        let mut of_empty: Vec<(PathBuf, u64)> = of_empty.into_iter().collect();
        of_empty.sort();
        for (root, files) in of_empty {
            let s = if files == 1 { "" } else { "s" };
            let message = format!("it is empty, but had {files} file{s}; mount its disk, or drop what is missing");
            let fault = Fault::with_remedy(message, Remedy::Prune, "");
            self.unread.push((Name::of(&root), io::Error::other(fault)));
        }
    }

    /// Returns whether the old rows of a file are to be dropped.
    ///
    /// It may be a member of an archive that is stale. The argument is the [text](Name::as_str) of the name, as rows have
    /// it: see [`with_namesakes`](Self::with_namesakes).
    pub fn is_stale(&self, file: &str) -> bool {
        self.stale.contains(file) || Name::archives_of(file).any(|archive| self.stale.contains(archive))
    }

    /// Returns whether no file is read or gone.
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty()
    }
}

/// Returns whether a directory has nothing in it.
fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}

/// Returns whether there is certainly no file with this path. A link that leads nowhere is one: its disk may be missing.
fn is_missing(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

/// Returns the size, the time and the hash of a file; the hash is the old one if size and time are.
fn look_at(path: &Path, before: Option<&Seen>) -> io::Result<Seen> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let (size, modified) = (metadata.len(), since.map_or(0, |since| since.as_nanos() as u64));
    if let Some(before) = before.filter(|before| (before.size, before.modified) == (size, modified)) {
        return Ok(before.clone());
    }
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => hasher.update(&buffer[..len]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Seen { size, modified, hash: hex(&hasher.finalize()) })
}

/// Returns the hash of a content, as [`Seen`] has it: SHA-256, in 64 hexadecimal digits.
///
/// ```
/// assert!(sgf_input::content_hash(b"abc").starts_with("ba7816bf"));
/// ```
pub fn content_hash(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::new();
    bytes.iter().for_each(|byte| _ = write!(hex, "{byte:02x}"));
    hex
}
