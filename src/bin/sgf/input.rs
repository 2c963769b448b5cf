//! Opening and reading what a PATH stands for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much is read at a time, in bytes.
pub(crate) const CHUNK: usize = 256 * 1024;

/// True for `-`, which stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens a file, or standard input. No buffer lies between: callers read large chunks.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if is_stdin(path) { Ok(Box::new(io::stdin().lock())) } else { Ok(Box::new(File::open(path)?)) }
}

/// Reads the next chunk into `buffer`. It is empty at the end of the input only.
pub(crate) fn next_chunk<'b>(source: &mut dyn Read, buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    loop {
        match source.read(buffer) {
            Ok(len) => return Ok(&buffer[..len]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
