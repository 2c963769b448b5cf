//! What has changed in the inputs since the last run, for `records --append` and `index`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::failure::{Failure, note};
use crate::input::{Name, Paths, is_stdin};
use crate::tables::{counted, grouped};

/// How a file was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) size: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: u64,
    pub(crate) hash: String,
}

/// What has changed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The files to read, in the order of the inputs.
    pub(crate) paths: Vec<PathBuf>,
    /// The names of the files whose old content is dropped.
    pub(crate) stale: HashSet<String>,
    /// How the files are now.
    pub(crate) seen: Vec<(String, Seen)>,
    new: u64,
    changed: u64,
    removed: u64,
    unchanged: u64,
}

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

impl Changes {
    /// Compares the inputs with what the last run has seen.
    pub(crate) fn since(mut before: HashMap<String, Seen>, paths: &Paths) -> Self {
        let mut changes = Changes::default();
        // What cannot be read is reported when it is read.
        let found: Vec<PathBuf> = paths.walk().map(|path| path.unwrap_or_else(|(name, _)| name.to_path())).collect();
        let files: Vec<(PathBuf, String, Option<Seen>)> = found
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
        // Files of other PATHs stay, as long as they exist.
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

    /// Returns whether this file, or the archive that has this member, has changed or is gone.
    pub(crate) fn is_stale(&self, name: &str) -> bool {
        self.stale.contains(name) || Name::archives_of(name).any(|archive| self.stale.contains(archive))
    }

    /// Prints how many files are what.
    pub(crate) fn print(&self) {
        note(format_args!(
            "{} new, {} changed, {} removed, {} unchanged",
            counted(self.new, "file"),
            grouped(self.changed),
            grouped(self.removed),
            grouped(self.unchanged)
        ));
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
