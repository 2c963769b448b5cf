//! Where the output goes, if not to standard output.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::input;

/// Compares what is written with something that is there.
pub(crate) struct SameAs {
    there: BufReader<Box<dyn Read>>,
    so_far: bool,
}

impl SameAs {
    pub(crate) fn new(there: Box<dyn Read>) -> Self {
        SameAs { there: BufReader::with_capacity(input::CHUNK, there), so_far: true }
    }

    /// Whether all of it was written, and nothing else.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        Ok(self.so_far && self.there.read(&mut [0])? == 0)
    }
}

impl Write for SameAs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut there = [0; 4096];
        let there = &mut there[..bytes.len().min(4096)];
        if self.so_far {
            self.so_far = match self.there.read_exact(there) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
                read => {
                    read?;
                    *there == bytes[..there.len()]
                }
            };
        }
        Ok(there.len())
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
