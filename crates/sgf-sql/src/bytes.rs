//! The bytes of a file, at offsets: in memory, on disk, or in a store.
//!
//! The reader of a table asks for bytes in sequence. From a store they are fetched in blocks, each while the one before
//! it is parsed. Who reads waits, so this is for threads that are not the runtime's workers.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use datafusion::physical_plan::metrics::Count;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore};
use sgf_stream::parallel::ReadAt;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::progress::Progress;

/// Files up to this length are read at once.
pub(crate) const SMALL: u64 = 1 << 20;

/// Number of bytes in a request to a store.
const BLOCK: u64 = 4 << 20;

/// Number of bytes in a request after the end of a range: nearly always, the next game start is in it.
const LOOK_AHEAD: u64 = 16 << 10;

/// Number of bytes in a request to the start of a file, which all ranges examine.
const START: u64 = 4 << 10;

/// Number of blocks that are kept. The search for game starts goes back a little.
const KEPT: usize = 3;

/// The bytes of a file. Its size is that of the time when the query was planned.
pub(crate) struct FileBytes {
    kind: Kind,
    size: u64,
    counters: Counters,
}

enum Kind {
    Memory(Bytes),
    Disk(File),
    Store(StoreBytes),
}

/// Where bytes are counted.
#[derive(Clone)]
pub(crate) struct Counters {
    pub(crate) progress: Progress,
    pub(crate) bytes: Count,
}

impl Counters {
    fn add(&self, bytes: usize) {
        self.progress.advance(bytes as u64);
        self.bytes.add(bytes);
    }
}

impl FileBytes {
    /// Opens a file on disk.
    pub(crate) fn on_disk(path: &std::path::Path, size: u64, counters: Counters) -> io::Result<Self> {
        let file = File::open(path)?;
        let kind = match size {
            0..=SMALL => {
                let mut bytes = vec![0; size as usize];
                fill(&mut bytes, |buffer, at| file.read_at(buffer, at))?;
                counters.add(bytes.len());
                Kind::Memory(bytes.into())
            }
            _ => Kind::Disk(file),
        };
        Ok(FileBytes { kind, size, counters })
    }

    /// Opens a file in a store, to read a range of it. The first bytes are fetched.
    pub(crate) fn in_store(stored: Stored, range: Range<u64>, counters: Counters) -> io::Result<Self> {
        let size = stored.size;
        if size <= SMALL {
            let bytes = stored.handle.block_on(stored.clone().fetch(0..size))?;
            counters.add(bytes.len());
            return Ok(FileBytes { kind: Kind::Memory(bytes), size, counters });
        }
        let store = StoreBytes { stored, range, blocks: Mutex::default() };
        let bytes = FileBytes { kind: Kind::Store(store), size, counters };
        bytes.read_at(&mut [0], 0)?;
        Ok(bytes)
    }
}

/// Reads to the end of a buffer.
fn fill(buffer: &mut [u8], read_at: impl Fn(&mut [u8], u64) -> io::Result<usize>) -> io::Result<()> {
    let mut len = 0;
    while len < buffer.len() {
        match read_at(&mut buffer[len..], len as u64) {
            Ok(0) => return Err(shrunk()),
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cold]
fn shrunk() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while the query ran")
}

impl ReadAt for FileBytes {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let most = self.size.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let buffer = &mut buffer[..most];
        if buffer.is_empty() {
            return Ok(0);
        }
        let len = match &self.kind {
            Kind::Memory(bytes) => return bytes[..].read_at(buffer, offset),
            Kind::Disk(file) => {
                let len = file.read_at(buffer, offset)?;
                self.counters.add(len);
                len
            }
            Kind::Store(store) => store.read_at(buffer, offset, &self.counters)?,
        };
        if len == 0 { Err(shrunk()) } else { Ok(len) }
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        match &self.kind {
            Kind::Memory(bytes) => Some(bytes),
            Kind::Disk(_) | Kind::Store(_) => None,
        }
    }
}

/// A file in a store.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) location: Path,
    pub(crate) size: u64,
    pub(crate) e_tag: Option<String>,
    pub(crate) handle: Handle,
}

impl Stored {
    async fn fetch(self, range: Range<u64>) -> io::Result<Bytes> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let len = range.end - range.start;
        let options = GetOptions { range: Some(GetRange::Bounded(range)), if_match: self.e_tag, ..Default::default() };
        let result = self.store.get_opts(&self.location, options).await.map_err(io_error)?;
        let bytes = result.bytes().await.map_err(io_error)?;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err(shrunk()) }
    }
}

/// Converts the error of a store, whose message is kept.
pub(crate) fn io_error(error: object_store::Error) -> io::Error {
    use object_store::Error;
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        Error::Precondition { .. } | Error::NotModified { .. } => {
            return io::Error::other("the file changed while the query ran");
        }
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

struct StoreBytes {
    stored: Stored,
    /// The range that is read: block by block, and a little after it.
    range: Range<u64>,
    blocks: Mutex<Blocks>,
}

/// Blocks that were fetched, with their offsets, and one that is being fetched.
#[derive(Default)]
struct Blocks {
    there: VecDeque<(u64, Bytes)>,
    next: Option<(Range<u64>, JoinHandle<io::Result<Bytes>>)>,
}

impl StoreBytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64, counters: &Counters) -> io::Result<usize> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(len) = blocks.read_at(buffer, offset) {
            return Ok(len);
        }
        let handle = &self.stored.handle;
        let (at, bytes) = match blocks.next.take() {
            Some((range, next)) if range.contains(&offset) => {
                (range.start, handle.block_on(next).map_err(io::Error::other)??)
            }
            other => {
                blocks.next = other;
                (offset, handle.block_on(self.stored.clone().fetch(self.block(offset)))?)
            }
        };
        counters.add(bytes.len());
        let end = at + bytes.len() as u64;
        if blocks.there.len() == KEPT {
            blocks.there.pop_front();
        }
        blocks.there.push_back((at, bytes));
        if self.range.contains(&end) && blocks.next.is_none() {
            let block = self.block(end);
            blocks.next = Some((block.clone(), handle.spawn(self.stored.clone().fetch(block))));
        }
        Ok(blocks.read_at(buffer, offset).unwrap_or(0))
    }

    /// The block that begins at an offset.
    fn block(&self, offset: u64) -> Range<u64> {
        let end = match offset {
            _ if offset < self.range.start => self.range.start.min(offset + START.max(offset * 3)),
            _ if offset < self.range.end => self.range.end.min(offset + BLOCK),
            // No game start is near: the longer it takes, the more is fetched.
            _ => offset + (offset - self.range.end).clamp(LOOK_AHEAD, BLOCK),
        };
        offset..end.min(self.stored.size)
    }
}

impl Blocks {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Option<usize> {
        let (at, bytes) =
            self.there.iter().rev().find(|(at, bytes)| (*at..*at + bytes.len() as u64).contains(&offset))?;
        let bytes = &bytes[(offset - at) as usize..];
        let len = bytes.len().min(buffer.len());
        buffer[..len].copy_from_slice(&bytes[..len]);
        Some(len)
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        if let Some((_, next)) = self.next.take() {
            next.abort();
        }
    }
}

/// Reads a file from its start, in sequence.
pub(crate) struct Sequential<'f> {
    pub(crate) file: &'f FileBytes,
    pub(crate) at: u64,
}

impl io::Read for Sequential<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read_at(buffer, self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}
