//! What there is to read: one way for all subcommands.
//!
//! It has two steps. [`walk`] finds the files on disk that PATHs stand for, and opens nothing. An [`Opener`] opens one
//! of them and calls back for each input in it: once for a plain file, with every member of an archive. What a file is
//! says its content ([`kind`], [`foreign`]); compressed streams are undone by [`unpack`], archives gone through by [`tar`] and
//! [`zip`], and each of them hands what it finds to [`content`], which looks at it again: so all of it may be in each
//! other, as deep as [`limits`] allows. Nothing is unpacked to disk or kept in memory.
//!
//! For a parallel program: paths and [`Limits`] can go to any thread, [`Progress`] is shared, and each thread has an
//! `Opener` of its own.

mod buffered;
mod foreign;
mod kind;
mod limits;
mod name;
mod part;
mod tar;
mod unpack;
mod walk;
mod zip;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use self::buffered::Buffered;
use self::kind::Kind;
pub(crate) use self::limits::Limits;
use self::limits::{Account, Fault};
pub(crate) use self::name::Name;
use self::unpack::{Format, Unpacked};
pub(crate) use self::walk::{Paths, has_plain_name, is_stdin, long_help};
use crate::progress::Progress;

/// How much is read at a time, in bytes.
pub(crate) const CHUNK: usize = 256 * 1024;

/// Something to read, or something that cannot be.
pub(crate) enum Found<'a> {
    Input(Input<'a>),
    Unreadable(&'a Name, io::Error),
}

/// A file, or a member of an archive.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a Name,
    /// What is in it, unpacked. It need not be read to its end.
    pub(crate) data: &'a mut dyn BufRead,
    /// Where it is on disk, if it is there as it is.
    place: Option<&'a Path>,
}

impl<'a> Input<'a> {
    /// The file that can be rewritten. There is none for what comes from a pipe or had to be unpacked: that is decided
    /// here, for all who rewrite.
    pub(crate) fn place(&self) -> Result<&'a Path, &'static str> {
        self.place.ok_or("it is compressed, in an archive or no file, and cannot be rewritten in its place")
    }
}

/// Opens files. It has the buffer for them.
pub(crate) struct Opener {
    limits: Limits,
    buffer: Vec<u8>,
}

impl Opener {
    pub(crate) fn new(limits: Limits) -> Self {
        Opener { limits, buffer: vec![0; CHUNK] }
    }

    /// Calls back for each input that is found in a file, or in standard input. What `take` answers ends it, if it is
    /// an error.
    pub(crate) fn each<E>(
        &mut self,
        path: &Path,
        progress: &Progress,
        mut take: impl FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let name = Name::of(path);
        let account = Account::new(&self.limits, progress);
        let mut visit = Visit { account: &account, take: &mut take };
        if is_stdin(path) {
            let mut stdin = Counted { inner: io::stdin().lock(), account: &account };
            let input = &mut Buffered::new(&mut stdin as &mut dyn Read, &mut self.buffer);
            return visit.content(&name, input, 0, None);
        }
        let mut file = match File::open(path) {
            Ok(file) => Counted { inner: file, account: &account },
            Err(error) => return visit.unreadable(&name, error),
        };
        let mut input = Buffered::new(&mut file, &mut self.buffer);
        let kind = Kind::of(input.ahead(kind::HEAD, kind::is_sgf));
        // The directory of a zip archive is at its end: another reader goes there.
        let again = (kind == Some(Kind::Zip)).then(|| input.inner().inner.try_clone().ok()).flatten();
        match again {
            Some(again) => zip::file(&mut visit, &name, again, &mut input.erased()),
            None => visit.content(&name, &mut input.erased(), 0, Some(path)),
        }
    }
}

/// Opens a file that is to be read at offsets: it is on disk, and as it is there.
pub(crate) fn open_for_offsets(path: &Path) -> io::Result<File> {
    let unfit = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if is_stdin(path) {
        return unfit("standard input cannot be read at offsets: save it to a file");
    }
    match std::fs::metadata(path)? {
        found if found.is_dir() => return unfit("it is a directory: name a file"),
        found if !found.is_file() => return unfit("it is no file on disk, and cannot be read at offsets"),
        _ => {}
    }
    let file = File::open(path)?;
    let mut head = Vec::new();
    (&file).take(kind::HEAD as u64).read_to_end(&mut head)?;
    if Kind::of(&head).is_some() {
        return unfit("it is compressed, or an archive of files: unpack it first");
    }
    if let Some(what) = foreign::what(&head, &Name::of(path)) {
        return unfit(&foreign::refusal(what));
    }
    Ok(file)
}

/// A file on disk that is being gone through.
struct Visit<'v, E> {
    account: &'v Account<'v>,
    take: &'v mut dyn FnMut(Found<'_>) -> Result<(), E>,
}

impl<E> Visit<'_, E> {
    fn unreadable(&mut self, name: &Name, error: impl Into<io::Error>) -> Result<(), E> {
        (self.take)(Found::Unreadable(name, error.into()))
    }

    /// Behind an error that was told of a member: it was one of its archive.
    fn rest_is_lost(&mut self, name: &Name) -> Result<(), E> {
        match self.account.is_over() {
            true => Ok(()),
            false => self.unreadable(name, Fault::new("the rest of the archive cannot be read")),
        }
    }

    /// Looks at what a file, a member or a compressed stream holds, with so many archives and streams around it.
    fn content(
        &mut self,
        name: &Name,
        input: &mut Buffered<'_, &mut dyn Read>,
        depth: u32,
        place: Option<&Path>,
    ) -> Result<(), E> {
        let head = input.ahead(kind::HEAD, kind::is_sgf);
        let Some(kind) = Kind::of(head) else {
            if let Some(what) = foreign::what(head, name) {
                return self.unreadable(name, Fault::new(foreign::refusal(what)));
            }
            let mut data = Told { inner: input, account: self.account };
            return (self.take)(Found::Input(Input { name, data: &mut data, place }));
        };
        if let Err(fault) = self.account.nest(depth) {
            return self.unreadable(name, fault);
        }
        let format = match kind {
            Kind::Tar => return tar::members(self, name, input, depth + 1),
            Kind::Zip => return zip::stream(self, name, input, depth + 1, None),
            Kind::Gzip => Format::Gzip,
            Kind::Zstd => Format::Zstd,
            Kind::Bzip2 => Format::Bzip2,
            Kind::Xz => Format::Xz,
        };
        let mut unpacked = Unpacked::new(format, input, self.account);
        let mut buffer = vec![0; CHUNK];
        let input = &mut Buffered::new(&mut unpacked as &mut dyn Read, &mut buffer);
        self.content(name, input, depth + 1, None)
    }
}

/// Counts what is read from disk.
struct Counted<'a, R> {
    inner: R,
    account: &'a Account<'a>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.account.read(len);
        Ok(len)
    }
}

/// Knows whether whoever reads has heard of an error.
struct Told<'a, R> {
    inner: R,
    account: &'a Account<'a>,
}

impl<R: Read> Read for Told<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.inner.read(out).inspect_err(|_| self.account.tell())
    }
}

impl<R: BufRead> BufRead for Told<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf().inspect_err(|_| self.account.tell())
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
    }
}

/// What worker threads are given.
const _: fn() = || {
    fn can_be_sent<T: Send>() {}
    fn can_be_shared<T: Sync>() {}
    can_be_sent::<(Opener, Limits, Name)>();
    can_be_shared::<(Limits, Progress)>();
};
