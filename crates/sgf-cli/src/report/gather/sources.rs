//! Sums for each source: a directory, an archive or a file.

use std::collections::BTreeMap;

use sgf_check::Rule;

use super::sum::{Sum, add_fields};
use crate::input::{Name, Paths, is_stdin};
use crate::report::facts::{COVERAGE, Facts};

/// Maximum number of files that are sources of their own; more are one source together.
const MAX_FILES: usize = 12;

/// Maximum number of directories that are sources of their own.
const MAX_DIRECTORIES: usize = 200;

/// The name of the source of all files, and of directories beyond the maximum.
const FILES: &str = "(single files)";
const OTHERS: &str = "(other directories)";

/// The sums of one source.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Source {
    pub(in crate::report) games: u64,
    pub(in crate::report) nodes: u64,
    /// Bytes of the inputs, decompressed, and before they are transcoded.
    pub(in crate::report) bytes: u64,
    /// Games that were checked, and those of them without a diagnostic.
    pub(in crate::report) checked: u64,
    pub(in crate::report) clean: u64,
    /// Diagnostics in parts of files that have no games.
    pub(in crate::report) diagnostics_outside: u64,
    /// Games by year, and by years that cannot be theirs.
    pub(in crate::report) years: BTreeMap<i32, u64>,
    pub(in crate::report) odd_years: BTreeMap<i32, u64>,
    /// Games that have each property of [`COVERAGE`].
    pub(in crate::report) coverage: [u64; COVERAGE.len()],
    pub(in crate::report) diagnostics: BTreeMap<Rule, u64>,
}

impl Source {
    /// Counts a game. `is_clean`: it has no diagnostic; `None` if it was not checked.
    pub(in crate::report) fn game(&mut self, facts: &Facts, is_clean: Option<bool>) {
        self.games += 1;
        self.nodes += facts.nodes;
        self.checked += u64::from(is_clean.is_some());
        self.clean += u64::from(is_clean == Some(true));
        for (years, year) in [(&mut self.years, facts.year), (&mut self.odd_years, facts.odd_year)] {
            year.into_iter().for_each(|year| *years.entry(year).or_default() += 1);
        }
        for (n, count) in self.coverage.iter_mut().enumerate() {
            *count += u64::from(facts.present >> n & 1);
        }
    }
}

add_fields! {
    Source { games, nodes, bytes, checked, clean, diagnostics_outside, years, odd_years, coverage, diagnostics }
}

/// The name of a source, and whether it is a single file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::report) struct Key {
    pub(in crate::report) name: String,
    is_file: bool,
}

/// Which source an input belongs to.
#[derive(Debug)]
pub(in crate::report) struct Naming {
    paths: Vec<String>,
    /// Length of the directory that all paths begin with, which names need not repeat.
    common: usize,
}

/// Characters between the components of a path, and before the members of an archive.
const SEPARATORS: [char; 2] = ['/', '\\'];

impl Naming {
    pub(in crate::report) fn new(paths: &Paths) -> Self {
        Naming::of(paths.paths.iter().map(|path| Name::of(path).as_str().to_owned()).collect())
    }

    fn of(paths: Vec<String>) -> Self {
        let directories = |path: &str| path.trim_end_matches(SEPARATORS).rfind(SEPARATORS).map_or(0, |end| end + 1);
        let mut common = paths.first().map_or(0, |path| directories(path));
        if let Some((first, others)) = paths.split_first() {
            while others.iter().any(|path| !path.starts_with(&first[..common]) || directories(path) < common) {
                common = directories(&first[..common]);
            }
        }
        Naming { paths, common }
    }

    /// If one PATH is given, the first name below it. Otherwise the PATH itself.
    pub(in crate::report) fn key(&self, name: &Name) -> Key {
        let name = name.as_str();
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(SEPARATORS) || rest.starts_with('!');
        let below = |path: &str| name.strip_prefix(path).filter(|rest| path.ends_with(SEPARATORS) || is_end(rest));
        let path = self.paths.iter().filter(|path| below(path).is_some()).max_by_key(|path| path.len());
        let Some(path) = path else { return Key { name: name.to_owned(), is_file: true } };
        let rest = below(path).unwrap_or_default().trim_start_matches('!').trim_start_matches(SEPARATORS);
        if rest.is_empty() || self.paths.len() > 1 {
            let name = if is_stdin(path.as_ref()) { "standard input" } else { &path[self.common..] };
            return Key { name: name.to_owned(), is_file: rest.is_empty() };
        }
        match rest.find(SEPARATORS) {
            Some(end) => Key { name: rest[..end].trim_end_matches('!').to_owned(), is_file: false },
            None => Key { name: rest.to_owned(), is_file: true },
        }
    }
}

/// The sums of all sources.
#[derive(Debug, Default)]
pub(in crate::report) struct Sources {
    all: BTreeMap<Key, Source>,
    /// There are more files than the maximum, and more directories.
    joins_files: bool,
    has_others: bool,
}

impl Sources {
    pub(in crate::report) fn get(&mut self, key: &Key) -> &mut Source {
        let key = self.fitting(key.clone());
        self.all.entry(key).or_default()
    }

    /// The key, or the one that stands for all beyond the maximum.
    fn fitting(&mut self, key: Key) -> Key {
        if self.all.contains_key(&key) {
            return key;
        }
        let of_kind = self.all.keys().filter(|other| other.is_file == key.is_file).count();
        if key.is_file && (self.joins_files || of_kind >= MAX_FILES) {
            self.join_files();
            return Key { name: FILES.to_owned(), is_file: false };
        }
        if !key.is_file && of_kind >= MAX_DIRECTORIES {
            self.has_others = true;
            return Key { name: OTHERS.to_owned(), is_file: false };
        }
        key
    }

    fn join_files(&mut self) {
        self.joins_files = true;
        let (files, mut others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.all).into_iter().partition(|(key, _)| key.is_file);
        let joined: &mut Source = others.entry(Key { name: FILES.to_owned(), is_file: false }).or_default();
        files.into_values().for_each(|file| joined.add(file));
        self.all = others;
    }

    /// The sources that have games, the largest first.
    pub(in crate::report) fn sorted(&self) -> Vec<(&str, &Source)> {
        let mut all: Vec<_> = self.all.iter().filter(|(_, source)| source.games > 0).collect();
        all.sort_by(|one, other| other.1.games.cmp(&one.1.games).then_with(|| one.0.cmp(other.0)));
        all.into_iter().map(|(key, source)| (key.name.as_str(), source)).collect()
    }

    /// The sum of all sources.
    pub(in crate::report) fn total(&self) -> Source {
        let mut total = Source::default();
        self.all.values().for_each(|source| total.add(source.clone()));
        total
    }

    /// A sentence that says what is missing.
    pub(in crate::report) fn limit(&self) -> Option<String> {
        self.has_others.then(|| format!("Only the first {MAX_DIRECTORIES} directories have numbers of their own."))
    }
}

impl Sum for Sources {
    fn add(&mut self, later: Sources) {
        if later.joins_files && !self.joins_files {
            self.join_files();
        }
        self.has_others |= later.has_others;
        for (key, source) in later.all {
            let key = self.fitting(key);
            self.all.entry(key).or_default().add(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_source_is_the_first_name_below_the_path() {
        let key = |paths: &[&str], name: &str| {
            let naming = Naming::of(paths.iter().map(|path| (*path).to_owned()).collect());
            let key = naming.key(&Name::of(Path::new(name)));
            (key.name, key.is_file)
        };
        for (paths, name, expected) in [
            (&["d"][..], "d/a/b.sgf", ("a", false)),
            (&["d/"], "d/a/b.sgf", ("a", false)),
            (&["d"], "d/b.sgf", ("b.sgf", true)),
            (&["d"], "d/a.zip!/x/b.sgf", ("a.zip", false)),
            (&["a.zip"], "a.zip!/x/b.sgf", ("x", false)),
            (&["a.sgf"], "a.sgf", ("a.sgf", true)),
            (&["-"], "-", ("standard input", true)),
            (&["d", "e"], "d/a/b.sgf", ("d", false)),
            (&["d", "dd"], "dd/b.sgf", ("dd", false)),
            (&["/x/y/d", "/x/y/e"], "/x/y/e/b.sgf", ("e", false)),
            (&["/x/y/d", "/x/z"], "/x/y/d/b.sgf", ("y/d", false)),
            (&["/x/y.sgf"], "/x/y.sgf", ("y.sgf", true)),
            (&["x", "x/y"], "x/y/b.sgf", ("x/y", false)),
        ] {
            let (name_found, is_file) = key(paths, name);
            assert_eq!((name_found.as_str(), is_file), expected, "{paths:?} {name}");
        }
    }
}
