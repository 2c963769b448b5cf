//! A file as a whole, or not at all.
//!
//! The new content is written to a temporary file beside the old one, which is then renamed: even if the program is killed,
//! the file has either its old or its new content. Owner, group and mode are kept. A symbolic link stays one, since the file
//! that it leads to is replaced.
//!
//! Renaming is wrong in two cases: the old file has other names (hard links), which would keep the old content; or it
//! belongs to another user, to whom the new file cannot be given. Then the old file is [overwritten](Way::Over) from the
//! temporary one. Readers may see it half written; but the whole new content is on disk before the first byte of the old
//! one is overwritten, and stays there if writing fails.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::inputs::has_other_names;
use super::temporary::{Access, Temporary};
use super::{directory_of, refused};

/// The new content of a file, which the file gets when it is complete. Until then nothing changes; if this is dropped, the
/// new content is deleted.
pub(super) struct Pending {
    /// The path of the file, with all links resolved if it exists.
    path: PathBuf,
    way: Way,
    is_durable: bool,
    new: BufWriter<File>,
    temporary: Temporary,
}

/// How the new content gets its place.
enum Way {
    /// The temporary file is renamed.
    New,
    /// The temporary file is renamed, if no file has that name.
    OnlyIfNew,
    /// It gets the permissions of the old file, and is renamed.
    Rename(Metadata),
    /// The old file is overwritten. It is open for writing.
    Over(File),
}

impl Pending {
    /// A file that does not exist.
    ///
    /// # Errors
    ///
    /// Fails if no temporary file can be created beside it.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let (temporary, new) = Temporary::beside(path, Access::Default)?;
        Ok(Pending { path: path.to_owned(), way: Way::New, is_durable: false, new: BufWriter::new(new), temporary })
    }

    /// A regular file that exists.
    ///
    /// # Errors
    ///
    /// Fails if the file is read-only; if no temporary file can be created beside it.
    pub(super) fn replacing(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        // A superuser could write to it all the same, so this is asked explicitly.
        if fs::metadata(&path)?.permissions().readonly() {
            return Err(refused("read-only; left unchanged"));
        }
        let old = OpenOptions::new().write(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => refused("not writable; left unchanged"),
            _ => error,
        })?;
        let metadata = old.metadata()?;
        let (temporary, new) = Temporary::beside(&path, Access::Owner)?;
        let way = match has_other_names(&metadata) || !give_to_owner(&new, &metadata)? {
            true => Way::Over(old),
            false => Way::Rename(metadata),
        };
        Ok(Pending { path, way, is_durable: false, new: BufWriter::new(new), temporary })
    }

    /// Fails in the end if the file exists by then.
    pub(super) fn only_if_new(self) -> Self {
        Pending { way: Way::OnlyIfNew, ..self }
    }

    /// Sets whether [`finish`](Self::finish) waits until the new content is on disk, so that not even a power failure costs a
    /// file. Default: false.
    pub(super) fn durable(self, on: bool) -> Self {
        Pending { is_durable: on, ..self }
    }

    /// Gives the file its new content.
    ///
    /// # Errors
    ///
    /// Fails if that is not possible. The old file is unchanged; if it had to be overwritten, the error says where the
    /// new content is.
    pub(super) fn finish(self) -> io::Result<()> {
        let Pending { path, way, is_durable, new, temporary } = self;
        let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Way::Rename(old) = &way {
            new.set_permissions(old.permissions())?;
        }
        if is_durable {
            new.sync_all()?;
        }
        match way {
            Way::New | Way::Rename(_) => temporary.rename(&path)?,
            Way::OnlyIfNew => temporary.rename_new(&path)?,
            Way::Over(old) => return write_over(old, new, temporary, is_durable),
        }
        if is_durable { sync_directory_of(&path) } else { Ok(()) }
    }
}

fn write_over(mut old: File, mut new: File, temporary: Temporary, is_durable: bool) -> io::Result<()> {
    let written = temporary.saved(|| {
        new.seek(SeekFrom::Start(0))?;
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

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
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
    File::open(directory_of(path))?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory_of(_: &Path) -> io::Result<()> {
    Ok(())
}
