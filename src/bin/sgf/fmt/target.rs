//! Where the output goes, if not to standard output.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::rc::Rc;

use crate::input;

/// Opens a file that is rewritten, again.
pub(crate) fn open(path: &Path) -> io::Result<BufReader<File>> {
    Ok(BufReader::with_capacity(input::CHUNK, File::open(path)?))
}

/// Compares what is written with what is read, on the way: what was read and not yet written is kept, which is little,
/// since a style holds no more than a game.
pub(crate) fn compare<R: BufRead>(original: R) -> (Original<R>, SameAs) {
    let ahead = Rc::new(RefCell::new(Some(VecDeque::new())));
    (Original { inner: original, seen: 0, ahead: Rc::clone(&ahead) }, SameAs { ahead })
}

/// What is ahead of the output; nothing if that is known to differ.
type Ahead = Rc<RefCell<Option<VecDeque<u8>>>>;

/// More than this is ahead only if something was left out.
const MOST_AHEAD: usize = 64 << 20;

/// What is read.
pub(crate) struct Original<R> {
    inner: R,
    /// How much of what the reader has there was seen.
    seen: usize,
    ahead: Ahead,
}

impl<R: BufRead> Read for Original<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R: BufRead> BufRead for Original<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let chunk = self.inner.fill_buf()?;
        let new = chunk.get(self.seen..).unwrap_or_default();
        self.seen = chunk.len();
        let mut ahead = self.ahead.borrow_mut();
        if let Some(bytes) = &mut *ahead {
            bytes.extend(new);
            if bytes.len() > MOST_AHEAD {
                *ahead = None;
            }
        }
        Ok(chunk)
    }

    fn consume(&mut self, len: usize) {
        self.seen = self.seen.saturating_sub(len);
        self.inner.consume(len);
    }
}

/// What is written.
pub(crate) struct SameAs {
    ahead: Ahead,
}

impl SameAs {
    /// Whether all that was read was written, and nothing else.
    pub(crate) fn finish(self) -> bool {
        self.ahead.borrow().as_ref().is_some_and(VecDeque::is_empty)
    }
}

impl Write for SameAs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut ahead = self.ahead.borrow_mut();
        if let Some(there) = &mut *ahead {
            let (front, back) = there.as_slices();
            let (a, b) = bytes.split_at(front.len().min(bytes.len()));
            match front.starts_with(a) && back.starts_with(b) {
                true => _ = there.drain(..bytes.len()),
                false => *ahead = None,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file beside another, whose place it takes when it is whole. Until then nothing has happened; if
/// it never is, it goes.
pub(crate) struct Place {
    file: PathBuf,
    beside: PathBuf,
    out: Option<BufWriter<File>>,
}

impl Place {
    /// A file of the same permissions. A link stays one: the file that it leads to is replaced.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let file = fs::canonicalize(path)?;
        let mut name = OsString::from(".");
        name.push(file.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", process::id()));
        let beside = file.with_file_name(name);
        let out = File::create_new(&beside)?;
        let place = Place { file, beside, out: Some(BufWriter::new(out)) };
        fs::set_permissions(&place.beside, fs::metadata(&place.file)?.permissions())?;
        Ok(place)
    }

    /// Takes the place.
    pub(crate) fn take(mut self) -> io::Result<()> {
        if let Some(mut out) = self.out.take() {
            let synced = out.flush().and_then(|()| out.get_ref().sync_all());
            if let Err(error) = synced.and_then(|()| fs::rename(&self.beside, &self.file)) {
                let _ = fs::remove_file(&self.beside);
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(bytes.len()), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}
