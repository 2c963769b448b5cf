//! Limits on decompression: a few bytes can expand to millions, and an archive can contain itself.

use std::cell::Cell;

use crate::Progress;
use crate::fault::{Fault, Remedy};
#[cfg(feature = "clap")]
use crate::size;
use crate::size::Size;

/// Heading of the limits in `--help`.
#[cfg(feature = "clap")]
pub const LIMITS: &str = "Limits of archives and compressed files";

/// The limits that the user can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Limits {
    /// Size that a file unpacks to, with nested archives.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "1T",
        help_heading = LIMITS))]
    pub max_unpacked: u64,

    /// Compression ratio, checked from 256M unpacked on.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 250, help_heading = LIMITS))]
    pub max_ratio: u64,

    /// Nesting; a.sgf.gz in b.tar.gz is nested 3 deep.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(0..=100), help_heading = LIMITS))]
    pub max_nesting: u32,

    /// Members of a file and of the archives in it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = LIMITS))]
    pub max_members: u64,

    /// Memory for a window of zstd or a dictionary of xz.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "128M",
        help_heading = LIMITS))]
    pub max_window: u64,
}

impl Default for Limits {
    /// The limits of a command line without options.
    fn default() -> Self {
        Limits { max_unpacked: 1 << 40, max_ratio: 250, max_nesting: 8, max_members: 10_000_000, max_window: 128 << 20 }
    }
}

/// Bytes that any file may unpack to, whatever its ratio.
const START: u64 = 256 << 20;

/// Minimum allowance for a member after one that exceeded the ratio: more than can be read ahead.
const LEAST: u64 = 4 << 20;

/// Maximum number of members that may exceed the ratio before the rest of the file is skipped.
const BOMBS: u32 = 16;

/// Resources that one file on disk has used.
pub(super) struct Account<'a> {
    limits: &'a Limits,
    progress: &'a dyn Progress,
    /// Length of the file, if known: members of a zip archive may overlap, and are then read again.
    len: Cell<u64>,
    /// Bytes read from disk.
    read: Cell<u64>,
    /// Bytes that came out of decompressors, at every level of nesting.
    unpacked: Cell<u64>,
    members: Cell<u64>,
    /// Bytes read and unpacked at the point from which the ratio is computed.
    since: Cell<(u64, u64)>,
    allowance: Cell<u64>,
    is_too_much: Cell<bool>,
    /// Number of members that exceeded the ratio.
    bombs: Cell<u32>,
    is_over: Cell<bool>,
    error_seen: Cell<bool>,
}

impl<'a> Account<'a> {
    pub(super) fn new(limits: &'a Limits, progress: &'a dyn Progress) -> Self {
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
            error_seen: Cell::new(false),
        }
    }

    pub(super) fn read(&self, bytes: usize) {
        self.read.set(self.read.get() + bytes as u64);
        self.progress.advance(bytes as u64);
    }

    pub(super) fn set_len(&self, len: u64) {
        self.len.set(len);
    }

    /// Ends the file, and completes its part of the progress bar.
    pub(super) fn finish(&self) {
        self.progress.advance(self.len.get().saturating_sub(self.read.get()));
    }

    pub(super) fn unpacked(&self, bytes: usize) -> Result<(), Fault> {
        let unpacked = self.unpacked.get() + bytes as u64;
        self.unpacked.set(unpacked);
        let Limits { max_unpacked, max_ratio, .. } = *self.limits;
        if unpacked > max_unpacked {
            self.is_over.set(true);
            let message = format!("more than {} would be unpacked from this file", Size(max_unpacked));
            return Err(Fault::with_remedy(message, Remedy::MaxUnpacked, ""));
        }
        let (read_before, unpacked_before) = self.since.get();
        let len = self.len.get();
        let read = self.read.get().min(len) - read_before.min(len);
        let covered = read.saturating_mul(max_ratio).max(self.allowance.get());
        if unpacked - unpacked_before <= covered {
            return Ok(());
        }
        let mut rest = String::new();
        if !self.is_too_much.replace(true) {
            self.bombs.set(self.bombs.get() + 1);
        }
        if self.bombs.get() == BOMBS {
            self.is_over.set(true);
            rest = format!(", as did {} before it: the rest of the file is not read", BOMBS - 1);
        }
        let message = format!("unpacks to more than {max_ratio} times its size");
        Err(Fault::with_remedy(message, Remedy::MaxRatio, &rest))
    }

    /// Begins a member. After a member that exceeded the ratio, the others are still read, with a smaller
    /// allowance.
    pub(super) fn member(&self) -> Result<(), Fault> {
        if self.is_too_much.take() {
            self.since.set((self.read.get(), self.unpacked.get()));
            self.allowance.set((self.allowance.get() / 2).max(LEAST));
        }
        self.members.set(self.members.get() + 1);
        if self.members.get() > self.limits.max_members {
            self.is_over.set(true);
            let message = format!("more than {} members", self.limits.max_members);
            return Err(Fault::with_remedy(message, Remedy::MaxMembers, ""));
        }
        Ok(())
    }

    /// Checks the nesting of an archive or a compressed file that is inside `depth` others.
    pub(super) fn nest(&self, depth: u32) -> Result<(), Fault> {
        let max = self.limits.max_nesting;
        match depth < max {
            true => Ok(()),
            false => {
                let message = format!("archives and compressed files are nested more than {max} deep");
                Err(Fault::with_remedy(message, Remedy::MaxNesting, ""))
            }
        }
    }

    pub(super) fn max_window(&self) -> u64 {
        self.limits.max_window
    }

    /// Returns whether a limit of the whole file was exceeded.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Records that the reader of an input has received an error.
    pub(super) fn note_error(&self) {
        self.error_seen.set(true);
    }

    /// Returns whether it has since the last call.
    pub(super) fn take_error_seen(&self) -> bool {
        self.error_seen.take()
    }
}

#[cfg(all(test, feature = "clap"))]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[test]
    fn a_command_line_without_options_has_the_default_limits() {
        let command = <Limits as clap::Args>::augment_args(clap::Command::new("sgf"));
        let matches = command.try_get_matches_from(["sgf"]).unwrap();
        assert_eq!(Limits::from_arg_matches(&matches).unwrap(), Limits::default());
    }
}
