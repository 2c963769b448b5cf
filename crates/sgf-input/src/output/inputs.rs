//! The files that a run reads, which are not written to.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{directory_of, new_file};
use crate::exclude::Exclude;
use crate::name::Name;
use crate::walk::{files, has_wanted_name, is_stdin};

/// The files that a run reads, and does not write to.
///
/// They are the PATHs, and patterns, lists and indexes.
///
/// Files are the same if the system says so (device and inode), even if their names differ. In a directory that is read, the
/// name of a file shows in nearly all cases whether it is read. The directory is searched only if the name does not decide:
/// the file has hard links, symbolic links are followed, or it may be excluded. Nothing is opened.
#[derive(Default)]
pub struct Inputs {
    ids: HashSet<Id>,
    /// Directories in which files are read that have a wanted name.
    searched: Vec<PathBuf>,
    follows_links: bool,
    exclude: Exclude,
    /// Directories in which everything is read.
    whole: Vec<PathBuf>,
}

impl Inputs {
    /// Returns the files of these paths: see [`files`].
    pub fn new(paths: impl IntoIterator<Item = impl AsRef<Path>>, follows_links: bool, exclude: Exclude) -> Self {
        let mut inputs = Inputs { follows_links, exclude, ..Inputs::default() };
        for path in paths {
            let path = path.as_ref();
            match fs::metadata(if is_stdin(path) { Path::new(STDIN) } else { path }) {
                Ok(found) if found.is_dir() => inputs.searched.push(path.to_owned()),
                Ok(found) if found.is_file() => inputs.ids.extend(id(path, &found)),
                _ => {}
            }
        }
        inputs
    }

    /// Adds files that are read besides: a pattern, a list of names. Of a directory, everything is read: an index.
    #[must_use]
    pub fn and(mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        for path in paths {
            let path = path.as_ref();
            match fs::metadata(path) {
                Ok(found) if found.is_dir() => self.whole.extend(fs::canonicalize(path)),
                Ok(found) if found.is_file() => self.ids.extend(id(path, &found)),
                _ => {}
            }
        }
        self
    }

    /// Returns an error for a file that is read.
    ///
    /// # Errors
    ///
    /// Fails if the path is that of an input. A file that does not exist, a pipe and a device are none.
    pub fn refuse(&self, path: &Path) -> io::Result<()> {
        match fs::metadata(path) {
            Ok(found) if found.is_file() && self.has(path, &found) => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, "this file is an input; write to another one"))
            }
            _ => Ok(()),
        }
    }

    fn has(&self, path: &Path, found: &Metadata) -> bool {
        let Some(file) = id(path, found) else { return false };
        if self.ids.contains(&file) {
            return true;
        }
        let Ok(real) = fs::canonicalize(path) else { return false };
        if self.whole.iter().any(|directory| real.starts_with(directory)) {
            return true;
        }
        let may_have_any_name = self.follows_links || has_other_names(found);
        let has_wanted_name = has_wanted_name(real.as_os_str().as_encoded_bytes());
        self.searched.iter().any(|directory| {
            let is_below = || fs::canonicalize(directory).is_ok_and(|directory| real.starts_with(directory));
            let is_read =
                |other: PathBuf| fs::metadata(&other).ok().and_then(|found| id(&other, &found)).as_ref() == Some(&file);
            (may_have_any_name || has_wanted_name && is_below())
                && files(directory, self.follows_links, self.exclude.clone()).flatten().any(is_read)
        })
    }
}

#[cfg(feature = "clap")]
impl crate::Paths {
    /// Returns the files of all paths, and the list that names them.
    pub fn inputs(&self) -> Inputs {
        Inputs::new(&self.paths, self.follows_links, self.exclude.clone()).and(&self.list)
    }
}

/// Returns an error if two outputs of a run are one place. An output is the option that names it, and its path.
///
/// # Errors
///
/// Fails if they are; the sentence names both options.
///
/// ```
/// use std::path::Path;
///
/// use sgf_input::expect_distinct;
///
/// let (a, b) = (Path::new("a.svg"), Path::new("b.svg"));
/// assert!(expect_distinct(&[("--sgf", Some(a)), ("--svg", Some(b))]).is_ok());
/// let error = expect_distinct(&[("--sgf", Some(a)), ("--svg", Some(a))]).unwrap_err();
/// assert_eq!(error, "--sgf and --svg must be different files");
/// ```
pub fn expect_distinct(outputs: &[(&str, Option<&Path>)]) -> Result<(), String> {
    for (index, (option, path)) in outputs.iter().enumerate() {
        for (other, before) in &outputs[..index] {
            let (Some(path), Some(before)) = (path, before) else { continue };
            if is_stdin(path) && is_stdin(before) {
                return Err(format!(
                    "{other} and {option} would both write to standard output; name a file for {option}"
                ));
            }
            if is_same(path, before) {
                return Err(match is_stdin(before) {
                    true => format!("{option} {}: standard output goes to this file", Name::of(path)),
                    false => format!("{other} and {option} must be different files"),
                });
            }
        }
    }
    Ok(())
}

/// Whether two outputs are one place.
fn is_same(a: &Path, b: &Path) -> bool {
    let of = |path: &Path| if is_stdin(path) { PathBuf::from(STDOUT) } else { path.to_owned() };
    let (a, b) = (of(a), of(b));
    match (fs::metadata(&a), fs::metadata(&b)) {
        // Whatever goes to /dev/null does not mix.
        (Ok(found), Ok(other)) => !is_device(&found) && id(&a, &found).is_some_and(|id_a| id(&b, &other) == Some(id_a)),
        (Err(_), Err(_)) => name_of_new(&a).is_some_and(|name| name_of_new(&b) == Some(name)),
        _ => false,
    }
}

/// Returns the name that a new file gets, which all paths to it have in common.
fn name_of_new(path: &Path) -> Option<PathBuf> {
    let path = new_file(path).ok()?;
    Some(fs::canonicalize(directory_of(&path)).ok()?.join(path.file_name()?))
}

const STDIN: &str = "/dev/stdin";
const STDOUT: &str = "/dev/stdout";

/// Identifies a file, independent of its name.
#[cfg(unix)]
type Id = (u64, u64);

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "not known on other systems")]
fn id(_: &Path, found: &Metadata) -> Option<Id> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
type Id = PathBuf;

#[cfg(not(unix))]
fn id(path: &Path, _: &Metadata) -> Option<Id> {
    fs::canonicalize(path).ok()
}

#[cfg(unix)]
pub(super) fn has_other_names(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
pub(super) fn has_other_names(_: &Metadata) -> bool {
    false // there is no way to know
}

#[cfg(unix)]
fn is_device(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    found.file_type().is_char_device() || found.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}
