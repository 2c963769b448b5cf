//! The members of a tar archive, read as a stream.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use tar::{Archive, Entry};

use super::buffered::Buffered;
use super::fault::Fault;
use super::name::Name;
use super::part::Part;
use super::{CHUNK, Visit};

/// Maximum bytes between the data of two members (headers, long names, attributes), which the crate holds in
/// memory.
const HEADERS: u64 = 1 << 20;

/// Block size: the bytes between members are a multiple of it.
const BLOCK: u64 = 512;

/// The archive, limited to the bytes that the crate may read now.
struct Guard<'g> {
    inner: &'g mut dyn BufRead,
    left: &'g Cell<u64>,
    position: &'g Cell<u64>,
}

impl Read for Guard<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left.get()).unwrap_or(usize::MAX).min(out.len());
        if most == 0 && !out.is_empty() {
            return Err(Fault::new(format!("tar: a header is longer than 1 MiB (byte {})", self.position.get())).into());
        }
        let len = self.inner.read(&mut out[..most])?;
        self.left.set(self.left.get() - len as u64);
        self.position.set(self.position.get() + len as u64);
        Ok(len)
    }
}

pub(super) fn members<E>(visit: &mut Visit<'_, E>, name: &Name, input: &mut dyn BufRead, depth: u32) -> Result<(), E> {
    let (left, position) = (&Cell::new(HEADERS), &Cell::new(0));
    let mut archive = Archive::new(Guard { inner: input, left, position });
    let mut buffer = vec![0; CHUNK];
    let mut entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return visit.unreadable(name, error),
    };
    // Bytes of the last member that only the crate can skip.
    let mut unread = 0;
    let end = loop {
        if visit.account.is_over() {
            return Ok(());
        }
        left.set(HEADERS.saturating_add(unread));
        let start = position.get();
        let mut entry = match entries.next() {
            None => break start,
            Some(Ok(entry)) => entry,
            Some(Err(error)) if Fault::of(&error).is_some() => return visit.unreadable(name, error),
            Some(Err(error)) => {
                let at = start.saturating_add(unread).div_ceil(BLOCK).saturating_mul(BLOCK);
                return visit.unreadable(name, Fault::new(format!("tar: {error} (byte {at} of the archive)")));
            }
        };
        left.set(u64::MAX);
        if let Err(fault) = visit.account.member() {
            return visit.unreadable(name, fault);
        }
        let (kind, len, path) = (entry.header().entry_type(), entry.size(), entry.path_bytes().into_owned());
        let is_wanted = visit.wants(&path);
        let is_sparse = is_wanted && is_sparse(&mut entry);
        // The zeros of a sparse file are not stored, and may be any number.
        unread = if kind.is_gnu_sparse() { entry.header().entry_size().unwrap_or(0) } else { 0 };
        let mut data = Part::new(entry, len);
        if is_sparse {
            let member = name.member(&path);
            visit.unreadable(&member, Fault::new("sparse files are not supported"))?;
        } else if is_wanted && (kind.is_file() || kind.is_contiguous()) {
            visit.account.take_error_seen();
            let member = name.member(&path);
            visit.content(
                &member,
                &mut Buffered::new(&mut data as &mut dyn Read, &mut buffer),
                depth,
                Err(crate::IN_ARCHIVE),
            )?;
            if data.has_failed() && visit.account.take_error_seen() {
                return visit.rest_is_lost(name);
            }
        }
        if unread == 0
            && let Err(error) = data.skip(&mut buffer)
        {
            return visit.unreadable(name, error);
        }
    };
    // The crate takes one block of zeros, or the end of the data, for the end.
    if position.get() - end < BLOCK {
        let message =
            format!("tar: the archive has no end mark, so it is cut off (byte {} of the archive)", position.get());
        return visit.unreadable(name, Fault::new(message));
    }
    left.set(u64::MAX);
    let mut rest = archive.into_inner();
    loop {
        match rest.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(len) if buffer[..len].iter().all(|byte| *byte == 0) => {}
            Ok(len) => {
                let at = position.get() - len as u64;
                let message = format!(
                    "tar: there is more data after the end of the archive, which is not read (byte {at} of the archive)"
                );
                return visit.unreadable(name, Fault::new(message));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return visit.unreadable(name, error),
        }
    }
}

/// Returns whether a member is sparse, in the GNU or the POSIX format.
fn is_sparse<R: Read>(entry: &mut Entry<'_, R>) -> bool {
    if entry.header().entry_type().is_gnu_sparse() {
        return true;
    }
    let Ok(Some(extensions)) = entry.pax_extensions() else { return false };
    extensions.flatten().any(|extension| extension.key_bytes().starts_with(b"GNU.sparse."))
}
