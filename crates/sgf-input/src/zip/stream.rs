//! A zip archive read as a stream, from a pipe or another archive, by the local headers of its members.
//!
//! Archives written to a pipe have the length of a member after it, not before. Deflate finds its own end; the end
//! of a member that is stored, encrypted or compressed otherwise cannot be found.

use std::io::{self, BufRead, Read};

use super::{Buffers, Checked, ENCRYPTED, Member, Sum, Summed, differs, format, unsupported};
use crate::Visit;
use crate::buffered::Buffered;
use crate::fault::Fault;
use crate::name::Name;
use crate::part::Part;
use crate::unpack::{Format, Unpacked};

const HEADER: usize = 30;

/// The local header of a member.
struct Local {
    flags: u16,
    method: u16,
    sum: Sum,
    packed: u64,
    path: Vec<u8>,
    is_zip64: bool,
}

/// The next record of the archive.
enum Next {
    Member(Local),
    Directory,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |&bytes| u16::from_le_bytes(bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |&bytes| u32::from_le_bytes(bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

impl Local {
    fn parse(header: &[u8; HEADER]) -> (Self, usize, usize) {
        let local = Local {
            flags: u16_at(header, 6),
            method: u16_at(header, 8),
            sum: Sum { crc: u32_at(header, 14), len: u32_at(header, 22).into() },
            packed: u32_at(header, 18).into(),
            path: Vec::new(),
            is_zip64: false,
        };
        (local, u16_at(header, 26).into(), u16_at(header, 28).into())
    }

    /// Reads the sizes that do not fit into the header from the ZIP64 field: first that of the data, then the
    /// compressed size.
    fn extend(&mut self, mut fields: &[u8]) {
        while fields.len() >= 4 {
            let (id, len) = (u16_at(fields, 0), usize::from(u16_at(fields, 2)));
            let mut field = fields.get(4..4 + len).unwrap_or_default();
            if id == 1 {
                self.is_zip64 = true;
                for size in [&mut self.sum.len, &mut self.packed] {
                    if *size == u64::from(u32::MAX) && field.len() >= 8 {
                        *size = u64_at(field, 0);
                        field = &field[8..];
                    }
                }
            }
            fields = fields.get(4 + len..).unwrap_or_default();
        }
    }

    fn is_encrypted(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns whether checksum and lengths follow the member.
    fn has_descriptor(&self) -> bool {
        self.flags & 8 != 0
    }

    /// Returns its compressed length, if the header has it.
    fn len(&self) -> Option<u64> {
        (!self.has_descriptor() || self.packed > 0).then_some(self.packed)
    }
}

fn next(input: &mut Buffered<'_, &mut dyn Read>) -> io::Result<Next> {
    let at = input.position();
    let head = input.ahead(HEADER, |_| false);
    if let Some(b"PK\x01\x02" | b"PK\x05\x06" | b"PK\x06\x06") = head.first_chunk() {
        return Ok(Next::Directory);
    }
    let fault = |what: &str| io::Error::from(Fault::new(format!("zip: {what} (byte {at} of the archive)")));
    let Some(header) = head.first_chunk::<HEADER>().copied() else {
        let error = input.take_error();
        return Err(error.unwrap_or_else(|| fault("the archive ends here, without its directory: it is cut off")));
    };
    if !header.starts_with(b"PK\x03\x04") {
        return Err(fault("no member starts here"));
    }
    input.consume(HEADER);
    let (mut local, path, extra) = Local::parse(&header);
    let mut rest = vec![0; path + extra];
    input.read_exact(&mut rest).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => fault("the archive ends in the middle of this header"),
        _ => error,
    })?;
    local.extend(&rest[path..]);
    rest.truncate(path);
    local.path = rest;
    Ok(Next::Member(local))
}

/// Reads an archive as a stream. `damage`, an error that is known already, is reported at the end, unless another
/// one was.
pub(crate) fn stream<E>(
    visit: &mut Visit<'_, E>,
    name: &Name,
    input: &mut Buffered<'_, &mut dyn Read>,
    depth: u32,
    damage: Option<io::Error>,
) -> Result<(), E> {
    let mut buffers = Buffers::new();
    loop {
        if visit.account.is_over() {
            return Ok(());
        }
        let local = match next(input) {
            Ok(Next::Member(local)) => local,
            Ok(Next::Directory) => break,
            Err(error) => return visit.unreadable(name, error),
        };
        if let Err(fault) = visit.account.member() {
            return visit.unreadable(name, fault);
        }
        let goes_on = match local.len() {
            Some(len) => known(visit, name, input, &local, len, &mut buffers, depth)?,
            None => unknown(visit, name, input, &local, &mut buffers, depth)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
    // Reads the directory to its end, so that the writer of a pipe can finish.
    if let Err(error) = io::copy(input, &mut io::sink()) {
        return visit.unreadable(name, error);
    }
    damage.map_or(Ok(()), |error| visit.unreadable(name, error))
}

/// Reads a member of known length. Returns false if the members after it cannot be read.
fn known<E>(
    visit: &mut Visit<'_, E>,
    name: &Name,
    input: &mut Buffered<'_, &mut dyn Read>,
    local: &Local,
    len: u64,
    buffers: &mut Buffers,
    depth: u32,
) -> Result<bool, E> {
    let mut data = Part::new(&mut *input, len);
    if visit.wants(&local.path) {
        let expected = (!local.has_descriptor()).then_some(local.sum);
        let member = Member { name: name.member(&local.path), method: local.method, expected };
        if local.is_encrypted() {
            visit.unreadable(&member.name, Fault::new(ENCRYPTED))?;
        } else {
            visit.account.take_error_seen();
            member.read(visit, &mut data, buffers, depth)?;
            if data.has_failed() && visit.account.take_error_seen() {
                return visit.rest_is_lost(name).map(|()| false);
            }
        }
    }
    if let Err(error) = data.skip(&mut buffers.plain) {
        visit.unreadable(name, error)?;
        return Ok(false);
    }
    if local.has_descriptor() {
        descriptor(input, local, None);
    }
    Ok(true)
}

/// Reads a member to find its end. Returns false if the end cannot be found.
fn unknown<E>(
    visit: &mut Visit<'_, E>,
    name: &Name,
    input: &mut Buffered<'_, &mut dyn Read>,
    local: &Local,
    buffers: &mut Buffers,
    depth: u32,
) -> Result<bool, E> {
    let member = name.member(&local.path);
    let why = match format(local.method) {
        _ if local.is_encrypted() => Some(ENCRYPTED.to_owned()),
        Some(Format::Deflate) => None,
        Some(_) => Some("zip: compressed by another method than deflate".to_owned()),
        None if local.method == 0 => Some("zip: not compressed".to_owned()),
        None => Some(unsupported(local.method).to_string()),
    };
    if let Some(why) = why {
        let what = "and its length is not stored before it, so the rest of the archive cannot be read as a stream";
        visit.unreadable(&member, Fault::new(format!("{why}; {what}")))?;
        return Ok(false);
    }
    visit.account.take_error_seen();
    let unpacked = Unpacked::new(Format::Deflate, input, visit.account);
    let mut data = Checked { inner: unpacked, sum: Summed::default(), expected: None };
    if visit.wants(&local.path) {
        visit.content(
            &member,
            &mut Buffered::new(&mut data as &mut dyn Read, &mut buffers.plain),
            depth,
            Err(crate::IN_ARCHIVE),
        )?;
    }
    if let Err(error) = io::copy(&mut data, &mut io::sink()) {
        if !visit.account.take_error_seen() {
            visit.unreadable(&member, error)?;
        }
        return visit.rest_is_lost(name).map(|()| false);
    }
    let found = data.sum.sum();
    match descriptor(input, local, Some(found)) {
        Some(fault) => visit.unreadable(&member, fault).map(|()| true),
        None => Ok(true),
    }
}

/// Reads the data descriptor after a member: an optional magic number, its checksum, and its two lengths, of 4 or 8
/// bytes.
///
/// If the header does not determine their size, it is the one after which another record starts.
fn descriptor(input: &mut Buffered<'_, &mut dyn Read>, local: &Local, found: Option<Sum>) -> Option<Fault> {
    let head = input.ahead(4 + 4 + 8 + 8 + 4, |_| false);
    let mark = if head.starts_with(b"PK\x07\x08") { 4 } else { 0 };
    let is_next = |at: usize| matches!(head.get(at..), Some([b'P', b'K', 1 | 3 | 5 | 6, ..]));
    let size = match local.is_zip64 {
        true => 8,
        false if !is_next(mark + 4 + 8) && is_next(mark + 4 + 16) => 8,
        false => 4,
    };
    let at = mark + 4 + size;
    let len = if size == 8 { u64_at(head, at) } else { u32_at(head, at).into() };
    let expected = Sum { crc: u32_at(head, mark), len };
    input.consume(mark + 4 + 2 * size);
    // Lengths of 4 bytes are the low 32 bits of the length.
    let same_len = |found: Sum| found.len == len || size == 4 && found.len & u64::from(u32::MAX) == len;
    found.filter(|&found| found.crc != expected.crc || !same_len(found)).map(|found| differs(found, expected))
}
