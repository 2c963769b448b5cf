//! The files that are not read: `--exclude`.

use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;
use std::sync::Arc;

use globset::{Candidate, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::name::in_archive;

/// A pattern of files to exclude.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What the user wrote.
    text: String,
    glob: Glob,
    /// Whether it is matched against whole paths: it has a `/`. Otherwise it is matched against names.
    is_path: bool,
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.trim_end_matches('/');
        let is_path = named.contains('/');
        let anchored = named.strip_prefix("./").unwrap_or(named).trim_start_matches('/');
        if anchored.is_empty() {
            return Err(
                "the pattern is empty; use names of files or directories, such as '*.old.sgf' or drafts".to_owned()
            );
        }
        match GlobBuilder::new(anchored).literal_separator(true).build() {
            Ok(glob) => Ok(Pattern { text: text.to_owned(), glob, is_path }),
            Err(error) => Err(error.kind().to_string()),
        }
    }
}

impl fmt::Display for Pattern {
    /// Writes the pattern as the user wrote it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The files, directories and members of archives to exclude. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Exclude(Option<Arc<Globs>>);

#[derive(Debug)]
struct Globs {
    names: GlobSet,
    paths: GlobSet,
}

impl Exclude {
    /// Creates a matcher for some patterns.
    ///
    /// # Errors
    ///
    /// Fails if the patterns are too large together.
    pub fn new(patterns: &[Pattern]) -> Result<Self, globset::Error> {
        if patterns.is_empty() {
            return Ok(Exclude::default());
        }
        let set = |is_path: bool| {
            let mut set = GlobSetBuilder::new();
            for pattern in patterns.iter().filter(|pattern| pattern.is_path == is_path) {
                set.add(pattern.glob.clone());
            }
            set.build()
        };
        Ok(Exclude(Some(Arc::new(Globs { names: set(false)?, paths: set(true)? }))))
    }

    /// Returns whether nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns whether a pattern has a `/`, so that it is compared with paths.
    pub fn has_paths(&self) -> bool {
        self.0.as_deref().is_some_and(|globs| !globs.paths.is_empty())
    }

    /// Returns whether a pattern matches the name of a file, its directories or its archives.
    ///
    /// `name` is that of an input: `games/a.tar!/b.sgf`. Patterns with a `/` exclude nothing, since the directory that their
    /// paths start from is not known.
    pub fn has_name(&self, name: &str) -> bool {
        let Some(Globs { names, .. }) = self.0.as_deref() else { return false };
        name.split("!/").flat_map(|path| path.split('/')).any(|name| names.is_match(name))
    }

    /// Returns whether a file or directory is excluded. The path starts from the directory that is searched.
    pub fn has(&self, path: &Path) -> bool {
        let Some(Globs { names, paths }) = self.0.as_deref() else { return false };
        let path = path.strip_prefix(Component::CurDir).unwrap_or(path);
        path.file_name().is_some_and(|name| names.is_match(name)) || paths.is_match(path)
    }

    /// Returns whether a member of an archive is excluded, alone or with its directory.
    pub fn has_member(&self, path: &[u8]) -> bool {
        let Some(Globs { names, paths }) = self.0.as_deref() else { return false };
        let path = in_archive(path);
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at).chain([path.len()]);
        let mut start = 0;
        for end in ends {
            let (name, front) = (&path[start..end], &path[..end]);
            if names.is_match_candidate(&Candidate::from_bytes(name))
                || paths.is_match_candidate(&Candidate::from_bytes(front))
            {
                return true;
            }
            start = end + 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names_or_paths_from_the_top() {
        for (pattern, path, file, member) in [
            ("b.sgf", "b.sgf", true, true),
            ("b.sgf", "./a/b.sgf", true, true),
            ("*.sgf", "a/b.sgf", true, true),
            ("*.SGF", "a/b.sgf", false, false),
            ("a", "a/b.sgf", false, true), // a directory is not entered, but members come with their whole paths
            ("a/", "a/b.sgf", false, true),
            ("a/*.sgf", "a/b.sgf", true, true),
            ("/b.sgf", "a/b.sgf", false, false),
            ("/b.sgf", "b.sgf", true, true),
            ("./a/b.sgf", "a/b.sgf", true, true),
            ("a/*", "a/x/b.sgf", false, true),
            ("a/**", "a/x/b.sgf", true, true),
            ("x/b.sgf", "a/x/b.sgf", false, false),
            ("**/x/b.sgf", "a/x/b.sgf", true, true),
            ("{a,b}*.sgf", "x/b2.sgf", true, true),
            ("[!b]*.sgf", "b.sgf", false, false),
            ("日*.sgf", "日本.sgf", true, true),
            ("?.sgf", "b.sgf", true, true),
            ("?.sgf", "日.sgf", false, false), // `?` is one byte in this crate, which matches names that are not UTF-8, too
        ] {
            let exclude = Exclude::new(&[pattern.parse().unwrap()]).unwrap();
            let found = (exclude.has(Path::new(path)), exclude.has_member(path.as_bytes()));
            assert_eq!(found, (file, member), "{pattern}: {path}");
        }
        for (pattern, expected) in
            [("c.sgf", true), ("b*", true), ("a", true), ("*.gz", false), ("b.tar", true), ("a/*", false)]
        {
            let exclude = Exclude::new(&[pattern.parse().unwrap()]).unwrap();
            assert_eq!(exclude.has_name("a/b.tar!/d/c.sgf"), expected, "{pattern}");
            assert_eq!(exclude.has_paths(), pattern.contains('/'), "{pattern}");
        }
        assert!(!Exclude::default().has(Path::new("a.sgf")) && !Exclude::default().has_member(b"a.sgf"));
    }

    #[test]
    fn faults_of_patterns_are_named() {
        for (pattern, message) in [("", "the pattern is empty"), ("/", "the pattern is empty"), ("[a", "unclosed")] {
            assert!(pattern.parse::<Pattern>().unwrap_err().contains(message), "{pattern}");
        }
    }
}
