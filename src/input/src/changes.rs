//! What has changed in files since a program last read them.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Name;

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

/// Files that are new, changed or gone since the last run.
///
/// ```
/// use std::collections::HashMap;
/// use sgf_input::Changes;
///
/// # let directory = std::env::temp_dir().join(format!("sgf-input changes {}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// let (first, second) = (directory.join("a.sgf"), directory.join("b.sgf"));
/// std::fs::write(&first, "(;B[dd])")?;
/// let changes = Changes::since(HashMap::new(), [first.clone()]);
/// assert_eq!((changes.new, changes.paths.len()), (1, 1));
///
/// // The next run begins with what the last one saw.
/// std::fs::write(&second, "(;B[pp])")?;
/// let changes = Changes::since(changes.seen.into_iter().collect(), [first, second.clone()]);
/// assert_eq!((changes.new, changes.unchanged, changes.paths), (1, 1, vec![second]));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// The files to read, in the order of the inputs.
    pub paths: Vec<PathBuf>,
    /// The names of the files whose old content is dropped.
    pub stale: HashSet<String>,
    /// The names of all files that exist, and how they are now.
    pub seen: Vec<(String, Seen)>,
    /// The number of files that are new.
    pub new: u64,
    /// The number of files with another content.
    pub changed: u64,
    /// The number of files that are gone.
    pub removed: u64,
    /// The number of files with the same content.
    pub unchanged: u64,
}

impl Changes {
    /// Compares files with what the last run has seen, on all cores.
    ///
    /// A file with the same size and time is not opened. One that cannot be read counts as new or changed, so that reading it
    /// reports the error. Files of the last run that are not among these stay, as long as they exist.
    pub fn since(mut before: HashMap<String, Seen>, found: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut changes = Changes::default();
        let files: Vec<(PathBuf, String, Option<Seen>)> = found
            .into_iter()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|path| {
                let name = Name::of(&path).as_str().to_owned();
                let seen = look_at(&path, before.get(&name));
                (path, name, seen)
            })
            .collect();
        let mut names = HashSet::new();
        for (path, name, seen) in files {
            if !names.insert(name.clone()) {
                continue;
            }
            let old = before.remove(&name);
            let is_same = old.as_ref().zip(seen.as_ref()).is_some_and(|(old, seen)| old.hash == seen.hash);
            match (is_same, old) {
                (true, _) => changes.unchanged += 1,
                (false, None) => changes.new += 1,
                (false, Some(_)) => changes.changed += 1,
            }
            if !is_same {
                changes.paths.push(path);
                changes.stale.insert(name.clone());
            }
            changes.seen.extend(seen.map(|seen| (name, seen)));
        }
        let mut others: Vec<(String, Seen)> = before.into_iter().collect();
        others.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, seen) in others {
            if Path::new(&name).exists() {
                changes.seen.push((name, seen));
            } else {
                changes.removed += 1;
                changes.stale.insert(name);
            }
        }
        changes
    }

    /// Returns whether a file, or the archive of a member, has changed or is gone.
    pub fn is_stale(&self, name: &str) -> bool {
        self.stale.contains(name) || Name::archives_of(name).any(|archive| self.stale.contains(archive))
    }
}

/// Returns the size, the time and the hash of a file; the hash is the old one if size and time are. `None` if it cannot be
/// read.
fn look_at(path: &Path, before: Option<&Seen>) -> Option<Seen> {
    let mut file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let (size, modified) = (metadata.len(), since.map_or(0, |since| since.as_nanos() as u64));
    if let Some(before) = before.filter(|before| (before.size, before.modified) == (size, modified)) {
        return Some(before.clone());
    }
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => hasher.update(&buffer[..len]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    let mut hash = String::new();
    hasher.finalize().iter().for_each(|byte| _ = write!(hash, "{byte:02x}"));
    Some(Seen { size, modified, hash })
}
