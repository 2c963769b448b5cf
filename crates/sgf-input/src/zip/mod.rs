//! The members of a zip archive.
//!
//! A file on disk is read by its [`directory`](file), which is at its end; all others as a [`stream`](stream()).

mod stream;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use rawzip::{CompressionMethod, Crc32, FileReader, ZipArchive, ZipLocator};

use super::buffered::Buffered;
use super::fault::Fault;
use super::limits::Account;
use super::name::Name;
use super::unpack::{Format, Unpacked};
use super::{CHUNK, Counted, Visit};

pub(super) use self::stream::stream;

/// Reads the members in the directory of a file. Without a directory the file is damaged, and is read from `input`
/// as a stream, as far as possible.
pub(super) fn file<E>(
    visit: &mut Visit<'_, E>,
    name: &Name,
    file: File,
    input: &mut Buffered<'_, &mut dyn Read>,
) -> Result<(), E> {
    let Some(len) = file.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len()) else {
        return visit.content(name, input, 0, Err(crate::IN_ARCHIVE));
    };
    if let Err(fault) = visit.account.nest(0) {
        return visit.unreadable(name, fault);
    }
    visit.account.set_len(len);
    let mut buffer = vec![0; CHUNK];
    let read = input.ahead(1, |_| true).len() as u64;
    let (mut file, error) = match ZipLocator::new().locate_in_file(file, &mut buffer) {
        Ok(archive) => match archive.entries(&mut buffer).next_entry().err() {
            None => {
                directory(visit, name, &archive, &mut buffer)?;
                visit.account.finish();
                return Ok(());
            }
            Some(error) => (archive.into_inner().into_inner(), error),
        },
        Err(failed) => failed,
    };
    // The stream shares its file position.
    if let Err(error) = file.seek(SeekFrom::Start(read)) {
        return visit.unreadable(name, error);
    }
    stream(visit, name, input, 1, Some(fault(error)))
}

/// Returns the error for a damaged archive.
fn fault(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => error,
        rawzip::ErrorKind::MissingEndOfCentralDirectory => {
            Fault::new("zip: there is no central directory, so the archive is cut off").into()
        }
        kind => Fault::new(format!("zip: the directory is damaged: {}", rawzip::Error::from(kind))).into(),
    }
}

/// The facts about a member that are needed to read it.
struct Member {
    name: Name,
    method: u16,
    expected: Option<Sum>,
}

fn directory<E>(
    visit: &mut Visit<'_, E>,
    name: &Name,
    archive: &ZipArchive<FileReader>,
    buffer: &mut [u8],
) -> Result<(), E> {
    let mut buffers = Buffers::new();
    let mut entries = archive.entries(buffer);
    loop {
        if visit.account.is_over() {
            return Ok(());
        }
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(()),
            Err(error) => return visit.unreadable(name, fault(error)),
        };
        if let Err(fault) = visit.account.member() {
            return visit.unreadable(name, fault);
        }
        let path = entry.file_path().as_bytes();
        if entry.is_dir() || entry.mode().is_symlink() || !visit.wants(path) {
            continue;
        }
        let (way, is_encrypted) = (entry.wayfinder(), entry.flags().is_encrypted());
        let expected = Some(Sum { crc: entry.crc32(), len: entry.uncompressed_size_hint() });
        let member = Member { name: name.member(path), method: entry.compression_method().as_u16(), expected };
        if is_encrypted {
            visit.unreadable(&member.name, Fault::new(ENCRYPTED))?;
            continue;
        }
        match archive.get_entry(way) {
            Ok(entry) => {
                let mut data = Counted { inner: entry.reader(), account: visit.account };
                member.read(visit, &mut data, &mut buffers, 1)?;
            }
            Err(error) => visit.unreadable(&member.name, fault(error))?,
        }
    }
}

const ENCRYPTED: &str = "zip: encrypted, which is not supported";

/// A buffer for compressed and one for decompressed data, for all members of an archive.
struct Buffers {
    packed: Vec<u8>,
    plain: Vec<u8>,
}

impl Buffers {
    fn new() -> Self {
        Buffers { packed: vec![0; CHUNK], plain: vec![0; CHUNK] }
    }
}

impl Member {
    /// Reads a member whose bytes are all available. `depth` includes its archive.
    fn read<E>(
        &self,
        visit: &mut Visit<'_, E>,
        data: &mut dyn Read,
        buffers: &mut Buffers,
        depth: u32,
    ) -> Result<(), E> {
        let Some(format) = format(self.method) else {
            if self.method == 0 {
                let mut stored = Stored { inner: data, account: visit.account };
                return self.plain(visit, &mut stored, &mut buffers.plain, depth);
            }
            return visit.unreadable(&self.name, unsupported(self.method));
        };
        let mut input = Buffered::new(data, &mut buffers.packed);
        let mut unpacked = Unpacked::new(format, &mut input, visit.account);
        self.plain(visit, &mut unpacked, &mut buffers.plain, depth)
    }

    fn plain<E>(&self, visit: &mut Visit<'_, E>, data: &mut dyn Read, buffer: &mut [u8], depth: u32) -> Result<(), E> {
        let mut checked = Checked { inner: data, sum: Summed::default(), expected: self.expected };
        visit.content(
            &self.name,
            &mut Buffered::new(&mut checked as &mut dyn Read, buffer),
            depth,
            Err(crate::IN_ARCHIVE),
        )
    }
}

/// Returns the format of a compression method, if it is supported. Stored members have none.
fn format(method: u16) -> Option<Format> {
    match method {
        8 => Some(Format::Deflate),
        12 => Some(Format::Bzip2),
        20 | 93 => Some(Format::Zstd),
        95 => Some(Format::Xz),
        _ => None,
    }
}

fn unsupported(method: u16) -> Fault {
    let name = CompressionMethod::new(method).name().map_or(String::new(), |name| format!(", {name}"));
    Fault::new(format!("zip: compressed by method {method}{name}, which is not supported"))
}

/// Checksum and length of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    crc: u32,
    len: u64,
}

struct Summed {
    crc: Crc32,
    len: u64,
}

impl Default for Summed {
    fn default() -> Self {
        Summed { crc: Crc32::new(), len: 0 }
    }
}

impl Summed {
    fn add(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        self.len += bytes.len() as u64;
    }

    fn sum(&self) -> Sum {
        Sum { crc: self.crc.checksum(), len: self.len }
    }
}

/// Reads stored data, which counts as unpacked, since it may be read many times.
struct Stored<'a, R> {
    inner: R,
    account: &'a Account<'a>,
}

impl<R: Read> Read for Stored<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.account.unpacked(len)?;
        Ok(len)
    }
}

/// Returns the error for a member that differs from its header.
fn differs(found: Sum, expected: Sum) -> Fault {
    match found.len == expected.len {
        true => Fault::new("zip: the data is damaged: its checksum does not match"),
        false => Fault::new(format!("zip: the data has {} bytes instead of {}", found.len, expected.len)),
    }
}

/// Reads a member, and returns an error at its end if checksum or length do not match.
struct Checked<R> {
    inner: R,
    sum: Summed,
    expected: Option<Sum>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.sum.add(&out[..len]);
        let found = self.sum.sum();
        match self.expected {
            Some(expected) if len == 0 && !out.is_empty() && found != expected => Err(differs(found, expected).into()),
            _ => Ok(len),
        }
    }
}
