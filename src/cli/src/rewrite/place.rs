//! Replaces a file as a whole or not at all.
//!
//! The new content is written to a temporary file beside the old one, which is then renamed: even if `sgf` is killed, the
//! file has either its old or its new content. Owner, group and mode are kept. A symbolic link stays one, since the file
//! that it leads to is replaced.
//!
//! Renaming is wrong in two cases: the old file has other names (hard links), which would keep the old content; or it
//! belongs to another user, to whom the new file cannot be given. Then the old file is [overwritten](Way::Over) from the
//! temporary one. Readers may see it half written; but the whole new content is on disk before the first byte of the old
//! one is overwritten, and stays there if writing fails.
//!
//! A signal that stops the program leaves no temporary file behind ([`unfinished`]).

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use self::unfinished::{Access, Unfinished};

/// Whether a subcommand that rewrites files waits for the disk.
///
/// The default is not to wait, as in all formatters: if `sgf` is killed, a file has either its old or its new content; a
/// power failure can lose only the last few seconds of writes. Waiting takes some milliseconds per file, several times the
/// work itself.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Durability {
    /// Wait until each rewritten file is on disk.
    ///
    /// Even without this option no file is left half written if `sgf` is killed. But on some file systems a power failure
    /// in the next few seconds may leave a file empty. Waiting takes some milliseconds per file.
    #[arg(long)]
    pub(crate) sync: bool,
}

/// The new content of a file, which replaces the old one when it is complete. Until then the file does not change; if
/// this is dropped, the new content is deleted.
pub(crate) struct Replacement {
    /// The path of the file, with all links resolved.
    path: PathBuf,
    /// The old file, open for writing.
    old: File,
    metadata: Metadata,
    way: Way,
    is_durable: bool,
    new: BufWriter<File>,
    unfinished: Unfinished,
}

/// A new file, which exists only when it is complete. If this is dropped, it never does.
pub(crate) struct NewFile {
    path: PathBuf,
    new: File,
    unfinished: Unfinished,
}

impl NewFile {
    /// # Errors
    ///
    /// Fails if no temporary file can be created beside it.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let (unfinished, new) = Unfinished::beside(path, Access::Default)?;
        Ok(NewFile { path: path.to_owned(), new, unfinished })
    }

    /// Gives the file its name.
    pub(crate) fn take(self) -> io::Result<()> {
        self.unfinished.rename(&self.path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}

/// How the new content replaces the old one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The temporary file is renamed.
    Rename,
    /// The old file is overwritten.
    Over,
}

/// The reason why a file cannot be rewritten, regardless of its content: it is a pipe or a device, which must not even
/// be opened. `None` for a file that does not exist.
pub(crate) fn refusal(path: &Path) -> Option<io::Error> {
    let metadata = fs::metadata(path).ok()?;
    (!metadata.is_file() && !metadata.is_dir()).then(|| refused("not a regular file; cannot be rewritten"))
}

fn refused(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

impl Replacement {
    /// The place of a file, without new content as yet.
    ///
    /// # Errors
    ///
    /// Fails if the file is not a regular file, or read-only; if no temporary file can be created beside it.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        if let Some(why) = refusal(&path) {
            return Err(why);
        }
        // A superuser could write to it all the same, so this is asked explicitly.
        if fs::metadata(&path)?.permissions().readonly() {
            return Err(refused("read-only; left unchanged"));
        }
        let old = OpenOptions::new().write(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => refused("not writable; left unchanged"),
            _ => error,
        })?;
        let metadata = old.metadata()?;
        let (unfinished, new) = Unfinished::beside(&path, Access::Owner)?;
        let way = match has_other_names(&metadata) || !give_to_owner(&new, &metadata)? {
            true => Way::Over,
            false => Way::Rename,
        };
        Ok(Replacement { path, old, metadata, way, is_durable: false, new: BufWriter::new(new), unfinished })
    }

    /// Sets whether [`take`](Self::take) waits until the new content is on disk, so that not even a power failure
    /// costs a file. Default: false.
    #[must_use]
    pub(crate) fn durable(self, on: bool) -> Self {
        Replacement { is_durable: on, ..self }
    }

    /// Replaces the old content with the new one.
    ///
    /// # Errors
    ///
    /// Fails if that is not possible. The old file is unchanged; if it had to be overwritten, the error says where the
    /// new content is.
    pub(crate) fn take(mut self) -> io::Result<()> {
        self.new.flush()?;
        let new = self.new.get_ref();
        if self.way == Way::Rename {
            new.set_permissions(self.metadata.permissions())?;
        }
        if self.is_durable {
            new.sync_all()?;
        }
        match self.way {
            Way::Rename => {
                self.unfinished.rename(&self.path)?;
                if self.is_durable { sync_directory_of(&self.path) } else { Ok(()) }
            }
            Way::Over => self.write_over(),
        }
    }

    fn write_over(self) -> io::Result<()> {
        let Replacement { mut old, is_durable, unfinished, .. } = self;
        let written = unfinished.used(|new| {
            let mut new = File::open(new)?;
            old.seek(SeekFrom::Start(0))?;
            let len = io::copy(&mut new, &mut old)?;
            old.set_len(len)?;
            if is_durable { old.sync_all() } else { Ok(()) }
        });
        written.map_err(|(error, new)| {
            let message = format!("{error}; it may be half written, and its new content is in {}", new.display());
            io::Error::new(error.kind(), message)
        })
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false // there is no way to know
}

/// Gives a new file the owner and the group of an old one. Returns false if that is not permitted.
#[cfg(unix)]
fn give_to_owner(new: &File, old: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let own = new.metadata()?;
    Ok((own.uid(), own.gid()) == (old.uid(), old.gid()) || fchown(new, Some(old.uid()), Some(old.gid())).is_ok())
}

#[cfg(not(unix))]
fn give_to_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

/// Waits until the new name is on the disk.
#[cfg(unix)]
fn sync_directory_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
}

#[cfg(not(unix))]
fn sync_directory_of(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Temporary files, which are removed if the program ends early.
mod unfinished {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use tempfile::{Builder, TempPath};

    use super::{File, Path, PathBuf, io};

    /// The paths of all temporary files.
    static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

    fn files() -> MutexGuard<'static, Vec<PathBuf>> {
        FILES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The users that may read a temporary file.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) enum Access {
        /// Its owner alone, since not everyone may be able to read the old file.
        Owner,
        /// Those that may read any file that this user creates.
        Default,
    }

    /// A temporary file, which is removed when this is dropped.
    pub(super) struct Unfinished(Option<TempPath>);

    impl Unfinished {
        /// Creates a file in the directory of another.
        pub(super) fn beside(path: &Path, access: Access) -> io::Result<(Self, File)> {
            signals::watch();
            let directory = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            // The name of the file is not part of it: that may be as long as names can be.
            let mut builder = Builder::new();
            builder.prefix(".sgf-").suffix(".tmp");
            #[cfg(unix)]
            if access == Access::Default {
                builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
            }
            #[cfg(not(unix))]
            let _ = access;
            let mut files = files();
            let (file, path) = builder.tempfile_in(directory).map_err(cannot_create)?.into_parts();
            files.push(path.to_path_buf());
            Ok((Unfinished(Some(path)), file))
        }

        /// Gives the file its name.
        pub(super) fn rename(mut self, to: &Path) -> io::Result<()> {
            let mut files = files();
            let Some(path) = self.0.take() else { return Ok(()) };
            forget(&mut files, &path);
            path.persist(to).map_err(|error| error.error)
        }

        /// Calls `work` with the file, and removes it. If `work` fails, the file stays and its path is returned. Signals
        /// wait until this is over.
        pub(super) fn used(mut self, work: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), (io::Error, PathBuf)> {
            let mut files = files();
            let Some(path) = self.0.take() else { return Ok(()) };
            forget(&mut files, &path);
            work(&path).map_err(|error| match path.keep() {
                Ok(path) => (error, path),
                Err(left) => (error, left.path.to_path_buf()),
            })
        }
    }

    impl Drop for Unfinished {
        fn drop(&mut self) {
            let mut files = files(); // before the file is removed
            if let Some(path) = self.0.take() {
                forget(&mut files, &path);
            }
        }
    }

    fn forget(files: &mut Vec<PathBuf>, path: &Path) {
        files.retain(|file| *file != path);
    }

    fn cannot_create(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("no temporary file can be created beside it: {}", error.kind()))
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

        use super::files;

        pub(super) fn watch() {
            static ONCE: Once = Once::new();
            ONCE.call_once(|| {
                let ignored = ignored();
                let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
                // If this fails, a signal ends the program all the same, and leaves a file.
                let Ok(mut signals) = Signals::new(wanted) else { return };
                thread::spawn(move || {
                    if let Some(signal) = signals.forever().next() {
                        let mut files = files(); // locked to the end, so that no file is created any more
                        files.drain(..).for_each(|file| _ = fs::remove_file(file));
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
}
