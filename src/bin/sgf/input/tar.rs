//! The members of a tar archive, one after the other as they come.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use tar::{Archive, Entry};

use super::buffered::Buffered;
use super::limits::Fault;
use super::name::Name;
use super::part::Part;
use super::walk::has_wanted_name;
use super::{CHUNK, Visit};

/// So much may stand between the data of two members: headers, long names, attributes. The crate holds them in memory.
const HEADERS: u64 = 1 << 20;

/// A block: what is between members is a multiple of it.
const BLOCK: u64 = 512;

/// The archive, as far as the crate may read it now.
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
    // Of the last member: data that only the crate can skip.
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
            Some(Err(error)) if Fault::is(&error) => return visit.unreadable(name, error),
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
        let is_wanted = has_wanted_name(&path);
        let is_sparse = is_wanted && is_sparse(&mut entry);
        // Such a one has zeros of any number, which are not there.
        unread = if kind.is_gnu_sparse() { entry.header().entry_size().unwrap_or(0) } else { 0 };
        let mut data = Part::new(entry, len);
        if is_sparse {
            let member = name.member(&path);
            visit.unreadable(&member, Fault::new("sparse files are not supported"))?;
        } else if is_wanted && (kind.is_file() || kind.is_contiguous()) {
            visit.account.take_told();
            let member = name.member(&path);
            visit.content(&member, &mut Buffered::new(&mut data as &mut dyn Read, &mut buffer), depth, None)?;
            if data.has_failed() && visit.account.take_told() {
                return visit.rest_is_lost(name);
            }
        }
        if unread == 0
            && let Err(error) = data.skip(&mut buffer)
        {
            return visit.unreadable(name, error);
        }
    };
    // The crate takes one block of zeros for the end, or the end of the data.
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

/// Whether a file is there without its zeros, as GNU or as POSIX would have it.
fn is_sparse<R: Read>(entry: &mut Entry<'_, R>) -> bool {
    if entry.header().entry_type().is_gnu_sparse() {
        return true;
    }
    let Ok(Some(extensions)) = entry.pax_extensions() else { return false };
    extensions.flatten().any(|extension| extension.key_bytes().starts_with(b"GNU.sparse."))
}
