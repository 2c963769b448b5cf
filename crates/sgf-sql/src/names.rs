//! Names of files, as the user knows them.
//!
//! In DataFusion a file has a location in a store: `work/games/a.sgf` for `games/a.sgf`, which the user typed. The column
//! `file` and messages have what the user typed.

use std::collections::HashMap;

use object_store::path::Path;

/// The names of the files of a table in one store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// The text before locations: `/`, or `s3://bucket/`.
    base: String,
    /// Locations of files and directories, and what the user calls them.
    roots: HashMap<String, String>,
}

impl Names {
    pub(crate) fn new(base: impl Into<String>) -> Self {
        Names { base: base.into(), roots: HashMap::new() }
    }

    /// Sets the name that the user knows a file by, or a directory with all that is in it.
    pub(crate) fn add(&mut self, location: &Path, name: impl Into<String>) {
        self.roots.insert(location.as_ref().to_owned(), name.into());
    }

    /// Returns the name of a file: by the longest location that it begins with.
    pub(crate) fn name(&self, location: &Path) -> String {
        let location = location.as_ref();
        let Some((end, root)) = self.root(location) else { return format!("{}{location}", self.base) };
        match location[end..].trim_start_matches('/') {
            "" => root.clone(),
            rest if root.ends_with('/') => format!("{root}{rest}"),
            rest => format!("{root}/{rest}"),
        }
    }

    /// Returns the root with the longest location that a location begins with, and the length of that.
    fn root(&self, location: &str) -> Option<(usize, &String)> {
        let mut end = location.len();
        loop {
            if let Some(root) = self.roots.get(&location[..end]) {
                return Some((end, root));
            }
            end = match location[..end].rfind('/') {
                Some(at) => at,
                None if end > 0 => 0,
                None => return None,
            };
        }
    }

    /// Returns the names that some files need.
    #[cfg(feature = "cluster")]
    pub(crate) fn of<'p>(&self, locations: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut names = Names::new(&*self.base);
        for location in locations {
            if let Some((end, root)) = self.root(location.as_ref()) {
                names.roots.entry(location.as_ref()[..end].to_owned()).or_insert_with(|| root.clone());
            }
        }
        names
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Locations, and what the user calls them.
    #[cfg(feature = "cluster")]
    pub(crate) fn roots(&self) -> impl Iterator<Item = (&String, &String)> {
        self.roots.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_what_the_user_typed() {
        let mut names = Names::new("/");
        names.add(&Path::from("home/x/games"), "games");
        names.add(&Path::from("home/x/games/2020"), "./games/2020/");
        names.add(&Path::from("home/a.sgf"), "../a.sgf");
        for (location, name) in [
            ("home/x/games/a.sgf", "games/a.sgf"),
            ("home/x/games/2020/b.sgf", "./games/2020/b.sgf"),
            ("home/x/gamesb.sgf", "/home/x/gamesb.sgf"),
            ("home/a.sgf", "../a.sgf"),
            ("c.sgf", "/c.sgf"),
        ] {
            assert_eq!(names.name(&Path::from(location)), name);
        }
        let mut all = Names::new("s3://bucket/");
        assert_eq!(all.name(&Path::from("d/a.sgf")), "s3://bucket/d/a.sgf");
        all.add(&Path::default(), "/");
        assert_eq!(all.name(&Path::from("d/a.sgf")), "/d/a.sgf");
    }
}
