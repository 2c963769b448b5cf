//! Outputs: every file that a program writes because its user named it, and standard output.
//!
//! [`Output`] opens them all. A file that exists keeps its content until the new one is complete, and a new file gets its
//! name only then ([`pending`]), so that no command reads its own output. A file that the run reads is never written to:
//! [`Inputs`] knows them. What a killed run leaves behind, the next one removes ([`temporary`]).

mod inputs;
mod pending;
mod rows;
mod temporary;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use self::inputs::{Inputs, expect_distinct};
use self::pending::Pending;
pub use self::rows::RowFormat;
use crate::walk::is_stdin;

/// A file that is being written, or standard output.
///
/// Nothing happens to a file until [`finish`](Self::finish): then it has the new content, with its old owner, group and mode,
/// and symbolic and hard links to it stay. If this is dropped, or an error or a signal ends the program, the file is as it
/// was. Pipes and devices are written to directly.
///
/// Standard output, pipes and devices are not buffered.
///
/// ```
/// use std::io::Write;
///
/// use sgf_input::{Exclude, Inputs, Output};
///
/// # let directory = std::env::temp_dir().join(format!("sgf-output {}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// let (input, output) = (directory.join("a.sgf"), directory.join("b.sgf"));
/// std::fs::write(&input, "(;B[dd])")?;
/// let inputs = Inputs::new([&input], false, Exclude::default());
/// assert!(Output::open(&input, &inputs).is_err());
///
/// let mut out = Output::open(&output, &inputs)?;
/// out.write_all(b"(;B[pp])")?;
/// assert!(!output.exists());
/// out.finish()?;
/// assert_eq!(std::fs::read(&output)?, b"(;B[pp])");
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Output(To);

enum To {
    Stdout(io::Stdout),
    /// A pipe or a device.
    Through(File),
    File(Box<Pending>),
}

impl Output {
    /// Opens standard output.
    pub fn stdout() -> Self {
        Output(To::Stdout(io::stdout()))
    }

    /// Opens a file for new content, or standard output for `-` and `/dev/stdout`.
    ///
    /// # Errors
    ///
    /// Fails if the file is one of the inputs, read-only or a directory, or if its directory does not exist or cannot be
    /// written.
    pub fn open(path: &Path, inputs: &Inputs) -> io::Result<Self> {
        if is_stdin(path) || path == Path::new("/dev/stdout") {
            return Ok(Output::stdout());
        }
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(is_directory()),
            Ok(found) if found.is_file() => {
                inputs.refuse(path)?;
                To::File(Box::new(Pending::replacing(path)?))
            }
            Ok(_) => To::Through(OpenOptions::new().write(true).open(path)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                To::File(Box::new(Pending::new(&new_file(path)?)?))
            }
            Err(error) => return Err(error),
        };
        Ok(Output(to))
    }

    /// Opens a file for new content in its place: it may be an input.
    ///
    /// With `is_durable`, [`finish`](Self::finish) waits until the new content is on disk, so that not even a power failure
    /// costs the file.
    ///
    /// # Errors
    ///
    /// Fails if it is not a regular file, or read-only; if its directory cannot be written.
    pub fn in_place(path: &Path, is_durable: bool) -> io::Result<Self> {
        match in_place_refusal(path) {
            Some(why) => Err(why),
            None => Ok(Output(To::File(Box::new(Pending::replacing(path)?.durable(is_durable))))),
        }
    }

    /// Opens a file that does not exist.
    ///
    /// If it exists in the end, [`finish`](Self::finish) fails with [`io::ErrorKind::AlreadyExists`].
    ///
    /// # Errors
    ///
    /// Fails if there is something of this name, or if the directory does not exist or cannot be written.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        match fs::symlink_metadata(path) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => Ok(Output(To::File(Box::new(Pending::new(path)?.only_if_new())))),
        }
    }

    /// Writes a file as a whole: see [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// Fails if `open` does, or if the content cannot be written.
    pub fn write(path: &Path, bytes: &[u8], inputs: &Inputs) -> io::Result<()> {
        let mut out = Output::open(path, inputs)?;
        out.write_all(bytes)?;
        out.finish()
    }

    /// Returns whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.0, To::Stdout(_))
    }

    /// Returns whether nothing is changed before [`finish`](Self::finish): not for standard output, pipes and devices.
    pub fn is_pending(&self) -> bool {
        matches!(self.0, To::File(_))
    }

    /// Ends the output: now a file has the new content.
    ///
    /// # Errors
    ///
    /// Fails if that is not possible. The old file is unchanged; if it had to be overwritten, since it has hard links, the
    /// error says where the new content is.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            To::Stdout(mut out) => out.flush(),
            To::Through(mut file) => file.flush(),
            To::File(file) => file.finish(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            To::Stdout(out) => out.write(bytes),
            To::Through(file) => file.write(bytes),
            To::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            To::Stdout(out) => out.flush(),
            To::Through(file) => file.flush(),
            To::File(file) => file.flush(),
        }
    }
}

/// Returns the reason why a file cannot be rewritten in place, regardless of its content.
///
/// It is a pipe or a device, which must not even be opened. `None` for a file that does not exist.
pub fn in_place_refusal(path: &Path) -> Option<io::Error> {
    let found = fs::metadata(path).ok()?;
    (!found.is_file() && !found.is_dir()).then(|| refused("not a regular file; cannot be rewritten"))
}

fn refused(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

fn is_directory() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "this is a directory; name a file in it")
}

/// Symbolic links that are followed, at most: as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Returns the path of the file that is created under a name: links to a file that does not exist are followed.
fn new_file(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = directory_of(&path).join(target),
            Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => return Err(is_directory()),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the directory that a path is in.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
