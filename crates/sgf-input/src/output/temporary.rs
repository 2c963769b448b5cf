//! Temporary files, which are removed if the program ends early.
//!
//! A file is locked as long as a process writes it. `kill -9` leaves it, without a lock: the next process that creates such a
//! file in that directory removes it. Where the file system has no locks, nothing is removed.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

use super::directory_of;

/// What the names of temporary files begin and end with, and the number of letters between.
const PREFIX: &str = ".sgf-";
const SUFFIX: &str = ".tmp";
const LETTERS: usize = 6;

/// The end of the name of a complete file that could not be put in its place. Nobody removes it.
const SAVED: &str = "saved";

/// How often a file is created again that another process took for one that was left.
const TRIES: usize = 16;

/// The temporary files of this process.
#[derive(Default)]
struct Known {
    paths: Vec<PathBuf>,
    /// The hashes of the directories in which nothing is left of other processes.
    swept: HashSet<u64>,
}

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
static HASHES: LazyLock<RandomState> = LazyLock::new(RandomState::new);

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    fn forget(&mut self, path: &Path) {
        self.paths.retain(|known| known != path);
    }
}

/// The users that may read a temporary file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Its owner alone, since not everyone may be able to read the old file.
    Owner,
    /// Those that may read any file that this user creates.
    Default,
}

/// The name of a temporary file, which is removed when this is dropped.
pub(super) struct Temporary(Option<TempPath>);

impl Temporary {
    /// Creates a file in the directory of another.
    pub(super) fn beside(path: &Path, access: Access) -> io::Result<(Self, File)> {
        signals::watch();
        let directory = directory_of(path);
        let mut known = known();
        if known.swept.insert(HASHES.hash_one(directory)) {
            sweep(directory);
        }
        // The name of the file is not part of it: that may be as long as names can be.
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(LETTERS);
        #[cfg(unix)]
        if access == Access::Default {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
        }
        #[cfg(not(unix))]
        let _ = access;
        for _ in 0..TRIES {
            let (file, path) = builder.tempfile_in(directory).map_err(|error| cannot_create(&error))?.into_parts();
            if is_ours(&file) {
                known.paths.push(path.to_path_buf());
                return Ok((Temporary(Some(path)), file));
            }
        }
        Err(cannot_create(&io::ErrorKind::ResourceBusy.into()))
    }

    /// Gives the file its name, which another file may have.
    pub(super) fn rename(self, to: &Path) -> io::Result<()> {
        self.persisted(|path| path.persist(to))
    }

    /// Gives the file its name, which no file may have.
    pub(super) fn rename_new(self, to: &Path) -> io::Result<()> {
        self.persisted(|path| path.persist_noclobber(to))
    }

    fn persisted(mut self, rename: impl FnOnce(TempPath) -> Result<(), tempfile::PathPersistError>) -> io::Result<()> {
        let mut known = known(); // signals wait
        let Some(path) = self.0.take() else { return Ok(()) };
        known.forget(&path);
        rename(path).map_err(|error| error.error)
    }

    /// Calls `work`, and then removes the file. If `work` fails, or the process is killed, the file stays, and its path is
    /// returned. Signals wait until this is over.
    pub(super) fn saved(mut self, work: impl FnOnce() -> io::Result<()>) -> Result<(), (io::Error, PathBuf)> {
        let mut known = known();
        let Some(path) = self.0.take() else { return Ok(()) };
        let saved = path.with_extension(SAVED);
        known.forget(&path);
        path.persist(&saved).map_err(|error| (error.error, saved.clone()))?;
        work().map_err(|error| (error, saved.clone()))?;
        fs::remove_file(&saved).map_err(|error| (error, saved))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut known = known(); // before the file is removed
        if let Some(path) = self.0.take() {
            known.forget(&path);
        }
    }
}

/// Locks a file that this process has created. Returns false if another one has taken it for one that was left.
fn is_ours(file: &File) -> bool {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => false,
        _ => file.metadata().is_ok_and(|found| has_name(&found)),
    }
}

#[cfg(unix)]
fn has_name(found: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 0
}

#[cfg(not(unix))]
fn has_name(_: &fs::Metadata) -> bool {
    true // no file is removed while it is open
}

/// Removes the temporary files in a directory that no process writes.
fn sweep(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_temporary = is_temporary_name(entry.file_name().as_encoded_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_temporary && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            _ = fs::remove_file(entry.path()); // another process may be faster
        }
    }
}

fn is_temporary_name(name: &[u8]) -> bool {
    let letters = name.strip_prefix(PREFIX.as_bytes()).and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    letters.is_some_and(|letters| letters.len() == LETTERS && letters.iter().all(u8::is_ascii_alphanumeric))
}

fn cannot_create(error: &io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "its directory does not exist"),
        kind => io::Error::new(kind, format!("no temporary file can be created beside it: {kind}")),
    }
}

#[cfg(not(unix))]
mod signals {
    pub(super) fn watch() {}
}

/// Removes temporary files when a signal ends the program, and ends it by that signal.
#[cfg(unix)]
mod signals {
    use std::sync::Once;
    use std::{fs, process, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::known;

    pub(super) fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let ignored = ignored();
            let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
            // If this fails, a signal ends the program all the same, and leaves a file.
            let Ok(mut signals) = Signals::new(wanted) else { return };
            thread::spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    let mut known = known(); // locked to the end, so that no file is created any more
                    known.paths.drain(..).for_each(|path| _ = fs::remove_file(path));
                    _ = emulate_default_handler(signal);
                    process::exit(128 + signal);
                }
            });
        });
    }

    /// A bit for each signal that the program was told to ignore at its start, as by `nohup`. Known on Linux only.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}
