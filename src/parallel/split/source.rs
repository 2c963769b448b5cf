//! Random access to bytes.

use std::fs::File;
use std::io;

/// A file, or other bytes that several threads can read at any offset.
///
/// A source must not change while it is read. If it grows, it is read up to its initial length; if it shrinks,
/// reading fails.
///
/// ```
/// use std::io;
/// use sgf_stream::Parser;
/// use sgf_stream::parallel::ReadAt;
///
/// /// A file within something larger.
/// struct Member<'f> {
///     file: &'f [u8],
///     start: u64,
///     len: u64,
/// }
///
/// impl ReadAt for Member<'_> {
///     fn size(&self) -> io::Result<u64> {
///         Ok(self.len)
///     }
///
///     fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
///         let most = buffer.len().min(self.len.saturating_sub(offset) as usize);
///         self.file.read_at(&mut buffer[..most], self.start + offset)
///     }
/// }
///
/// let member = Member { file: b"HEAD(;B[dd])(;B[pp])TAIL", start: 4, len: 16 };
/// assert_eq!(Parser::new().split(&member).parts(2)?, [0..8, 8..16]);
/// # Ok::<(), io::Error>(())
/// ```
pub trait ReadAt: Sync {
    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// Fails if the size cannot be determined.
    fn size(&self) -> io::Result<u64>;

    /// Reads bytes at an offset; returns their number.
    ///
    /// It reads at least one byte, unless the buffer is empty or the data ends there.
    ///
    /// # Errors
    ///
    /// Fails if reading fails. After [`io::ErrorKind::Interrupted`] the call is retried.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Returns all bytes if they are in memory, so that they need not be copied. Default: `None`.
    #[doc(hidden)]
    fn as_bytes(&self) -> Option<&[u8]> {
        None
    }
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<const N: usize> ReadAt for [u8; N] {
    fn size(&self) -> io::Result<u64> {
        Ok(N as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.as_slice().read_at(buffer, offset)
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.as_slice().read_at(buffer, offset)
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// Reads a file on disk, but not a pipe, which has no offsets. The file's cursor is not used, but on Windows it is
/// moved.
#[cfg(any(unix, windows))]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
    }
}

impl<S: ReadAt + ?Sized> ReadAt for &S {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        (**self).read_at(buffer, offset)
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        (**self).as_bytes()
    }
}

/// Returns a range of bytes of a source, from its own memory or read into a buffer.
pub(super) fn bytes<'b, S: ReadAt + ?Sized>(
    source: &'b S,
    from: u64,
    to: u64,
    buffer: &'b mut Vec<u8>,
) -> io::Result<&'b [u8]> {
    if let Some(bytes) = source.as_bytes() {
        return slice(bytes, from, to);
    }
    buffer.resize(usize::try_from(to - from).map_err(io::Error::other)?, 0);
    let mut len = 0;
    while len < buffer.len() {
        match source.read_at(&mut buffer[len..], from + len as u64) {
            Ok(0) => return Err(shrunk()),
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(buffer)
}

/// Returns a range of bytes in memory.
pub(super) fn slice(bytes: &[u8], from: u64, to: u64) -> io::Result<&[u8]> {
    let range = usize::try_from(from).unwrap_or(usize::MAX)..usize::try_from(to).unwrap_or(usize::MAX);
    bytes.get(range).ok_or_else(shrunk)
}

#[cold]
fn shrunk() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the source became shorter while it was read")
}
