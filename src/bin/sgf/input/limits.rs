//! What a compressed file or an archive may cost: a few bytes can say that they are a million, and an archive can
//! hold itself.

use std::cell::Cell;
use std::fmt;
use std::io;

use crate::progress::Progress;
use crate::size::{self, Size};

/// Where `--help` has them.
const LIMITS: &str = "Limits of archives and compressed files";

/// The limits that the user can set.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most that one file may unpack to, nested archives included: a number of bytes, or with K, M, G or T.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "1T",
        hide_short_help = true, help_heading = LIMITS)]
    max_unpacked: u64,

    /// The highest compression ratio. It is only checked once a file has unpacked to more than 256M.
    #[arg(long, value_name = "N", default_value_t = 250, hide_short_help = true, help_heading = LIMITS)]
    max_ratio: u64,

    /// The deepest nesting of archives and compressed files: `a.sgf.gz` in `b.tar.gz` is nested 3 deep.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100),
        hide_short_help = true, help_heading = LIMITS)]
    max_nesting: u32,

    /// The most members that one file may have, those of nested archives included.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, hide_short_help = true, help_heading = LIMITS)]
    max_members: u64,

    /// The largest window (`zstd --long`) or dictionary (`xz`) that may be kept in memory, for each file.
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "128M",
        hide_short_help = true, help_heading = LIMITS)]
    max_window: u64,
}

/// So much may come out of a file of any size.
const START: u64 = 256 << 20;

/// So much may come out of the next member behind one that was too much: more than what is read ahead can give.
const LEAST: u64 = 4 << 20;

/// So many members may be too much, before nobody wants to see the others.
const BOMBS: u32 = 16;

/// What is wrong with a compressed file or an archive. It can be told again, as the readers above it read again.
#[derive(Clone, Debug)]
pub(super) struct Fault(String);

impl Fault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Fault(message.into())
    }

    /// Whether an error is of this kind: then it says by itself what it is about.
    pub(super) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Fault>())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

/// What one file on disk has cost so far.
pub(super) struct Account<'a> {
    limits: &'a Limits,
    progress: &'a Progress,
    /// How long it is, if that is known: members of `zip` may lie in each other, and are read again then.
    len: Cell<u64>,
    /// Bytes read from disk.
    read: Cell<u64>,
    /// Bytes that came out of decompressors, of one above the other too.
    unpacked: Cell<u64>,
    members: Cell<u64>,
    /// The ratio is that of what has come since these were read and unpacked, beyond the allowance.
    since: Cell<(u64, u64)>,
    allowance: Cell<u64>,
    is_too_much: Cell<bool>,
    /// Members that were.
    bombs: Cell<u32>,
    is_over: Cell<bool>,
    is_told: Cell<bool>,
}

impl<'a> Account<'a> {
    pub(super) fn new(limits: &'a Limits, progress: &'a Progress) -> Self {
        Account {
            limits,
            progress,
            len: Cell::new(u64::MAX),
            read: Cell::new(0),
            unpacked: Cell::new(0),
            members: Cell::new(0),
            since: Cell::new((0, 0)),
            allowance: Cell::new(START),
            is_too_much: Cell::new(false),
            bombs: Cell::new(0),
            is_over: Cell::new(false),
            is_told: Cell::new(false),
        }
    }

    pub(super) fn read(&self, bytes: usize) {
        self.read.set(self.read.get() + bytes as u64);
        self.progress.advance(bytes as u64);
    }

    pub(super) fn set_len(&self, len: u64) {
        self.len.set(len);
    }

    /// All of the file has been read, or will not be: the bar need not wait for the rest of it.
    pub(super) fn finish(&self) {
        self.progress.advance(self.len.get().saturating_sub(self.read.get()));
    }

    pub(super) fn unpacked(&self, bytes: usize) -> Result<(), Fault> {
        let unpacked = self.unpacked.get() + bytes as u64;
        self.unpacked.set(unpacked);
        let Limits { max_unpacked, max_ratio, .. } = *self.limits;
        if unpacked > max_unpacked {
            self.is_over.set(true);
            return Err(Fault(format!(
                "more than {} would be unpacked from this file (--max-unpacked)",
                Size(max_unpacked)
            )));
        }
        let (read_before, unpacked_before) = self.since.get();
        let len = self.len.get();
        let read = self.read.get().min(len) - read_before.min(len);
        let covered = read.saturating_mul(max_ratio).max(self.allowance.get());
        if unpacked - unpacked_before <= covered {
            return Ok(());
        }
        let mut message = format!("unpacks to more than {max_ratio} times its size (--max-ratio)");
        if !self.is_too_much.replace(true) {
            self.bombs.set(self.bombs.get() + 1);
        }
        if self.bombs.get() == BOMBS {
            self.is_over.set(true);
            message += &format!(", as {} before it: the rest of the file is not read", BOMBS - 1);
        }
        Err(Fault(message))
    }

    /// One more member. If the last was too much, others need not be; but they are given less.
    pub(super) fn member(&self) -> Result<(), Fault> {
        if self.is_too_much.take() {
            self.since.set((self.read.get(), self.unpacked.get()));
            self.allowance.set((self.allowance.get() / 2).max(LEAST));
        }
        self.members.set(self.members.get() + 1);
        if self.members.get() > self.limits.max_members {
            self.is_over.set(true);
            return Err(Fault(format!("more than {} members (--max-members)", self.limits.max_members)));
        }
        Ok(())
    }

    /// An archive or a compressed file, with so many around it.
    pub(super) fn nest(&self, depth: u32) -> Result<(), Fault> {
        match depth < self.limits.max_nesting {
            true => Ok(()),
            false => Err(Fault(format!(
                "archives and compressed files more than {} deep in each other (--max-nesting)",
                self.limits.max_nesting
            ))),
        }
    }

    pub(super) fn max_window(&self) -> u64 {
        self.limits.max_window
    }

    /// Whether a limit of the whole file was met.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Whoever reads the inputs has heard of an error.
    pub(super) fn tell(&self) {
        self.is_told.set(true);
    }

    /// Whether somebody has, since this was asked last.
    pub(super) fn take_told(&self) -> bool {
        self.is_told.take()
    }
}
