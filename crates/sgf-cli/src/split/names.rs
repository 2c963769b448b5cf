//! The names of files, kept different from each other and from those of existing files.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The names that are taken, in upper or lower case, as hashes: two names of one hash only cost a number.
pub(crate) struct Names {
    to: PathBuf,
    /// For each name: the number of the last copy.
    taken: HashMap<u64, u32>,
    /// The directories whose files are among those.
    listed: HashSet<PathBuf>,
}

impl Names {
    pub(crate) fn new(to: &Path) -> Self {
        Names { to: to.to_owned(), taken: HashMap::new(), listed: HashSet::new() }
    }

    /// Also returns names of existing files: those in the directory itself are replaced.
    pub(crate) fn replacing(to: &Path) -> Self {
        Names { listed: HashSet::from([to.to_owned()]), ..Names::new(to) }
    }

    /// Takes a free name. `name` makes the relative path of the nth copy, from 1.
    pub(crate) fn take(&mut self, name: impl Fn(u64) -> String) -> PathBuf {
        let first = name(1);
        self.list(&first);
        let Some(last) = self.taken.get(&hash(&first)).copied() else {
            self.taken.insert(hash(&first), 1);
            return self.to.join(first);
        };
        for copy in last + 1.. {
            let path = name(copy.into());
            if !self.taken.contains_key(&hash(&path)) {
                self.taken.insert(hash(&first), copy);
                self.taken.insert(hash(&path), 1);
                return self.to.join(path);
            }
        }
        self.to.join(first) // more than four billion copies: the file is not overwritten
    }

    /// Notes the existing files.
    fn list(&mut self, path: &str) {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let place = self.to.join(directory);
        if self.listed.contains(&place) {
            return;
        }
        // A missing directory has no files. One that cannot be read is met again when a file is created.
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let path = if directory.is_empty() { name.into_owned() } else { format!("{directory}/{name}") };
            self.taken.insert(hash(&path), 1);
        }
        self.listed.insert(place);
    }
}

fn hash(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.to_lowercase().hash(&mut hasher);
    hasher.finish()
}
