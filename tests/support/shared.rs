//! The files of `../shared`: cases, corpus, fact sheet. Where the folder is absent, a test that
//! needs it says so and passes. So it does with the real files outside of the long run: see `tests/quickcheck`.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns a file or folder of `../shared`, if it exists.
pub fn path(name: &str) -> Option<PathBuf> {
    let is_real = ["corpus", "samples"].iter().any(|folder| name.starts_with(folder));
    if is_real && !quickcheck::is_long() {
        eprintln!("skipped: `SGF_LONG=1` reads real files");
        return None;
    }
    let path = Path::new(crate::PROJECT).join("../shared").join(name);
    let there = path.exists();
    if !there {
        eprintln!("skipped: {} is not there", path.display());
    }
    there.then_some(path)
}

/// Returns the text of a file of `../shared`, if it exists.
pub fn text(name: &str) -> Option<String> {
    path(name).map(|path| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Every SGF file of `../shared/corpus`, sorted by path; none where [`path`] finds none.
pub fn corpus() -> Vec<PathBuf> {
    files("corpus")
}

/// Every SGF file of a folder of `../shared`, in the same way.
pub fn files(folder: &str) -> Vec<PathBuf> {
    path(folder).map(files_of).unwrap_or_default()
}

/// Every SGF file of a folder, sorted by path.
pub fn files_of(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf") || e.eq_ignore_ascii_case("sgfs"))
            {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "a corpus without files");
    files.sort();
    files
}
