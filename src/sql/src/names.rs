//! Names of files, as the user knows them.
//!
//! DataFusion knows a file by its location in a store: `work/games/a.sgf` for `games/a.sgf`, which the user typed. The
//! column `file` and messages have what the user typed.

use std::collections::HashMap;

use object_store::path::Path;

/// The names of the files of a table in one store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// What comes before locations: `/`, or `s3://bucket/`.
    base: String,
    /// Locations of files and directories, and what the user calls them.
    roots: HashMap<String, String>,
}

impl Names {
    pub(crate) fn new(base: impl Into<String>) -> Self {
        Names { base: base.into(), roots: HashMap::new() }
    }

    /// Sets what the user calls a file, or a directory with all that is in it.
    pub(crate) fn add(&mut self, location: &Path, name: impl Into<String>) {
        self.roots.insert(location.as_ref().to_owned(), name.into());
    }

    /// Returns the name of a file: by the longest location that it begins with.
    pub(crate) fn name(&self, location: &Path) -> String {
        let location = location.as_ref();
        let mut end = location.len();
        loop {
            if let Some(root) = self.roots.get(&location[..end]) {
                let rest = location[end..].trim_start_matches('/');
                return match rest {
                    "" => root.clone(),
                    _ if root.ends_with('/') => format!("{root}{rest}"),
                    _ => format!("{root}/{rest}"),
                };
            }
            match location[..end].rfind('/') {
                Some(at) => end = at,
                None if end > 0 => end = 0,
                None => return format!("{}{location}", self.base),
            }
        }
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
