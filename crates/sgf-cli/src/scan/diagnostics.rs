//! The diagnostics of the parser: counts per rule, and the files that have any.

use std::io;

use sgf_stream::{Code, Diagnostic, Position};

use crate::input::Name;

/// Counts diagnostics per rule, and keeps the first one in the current file.
#[derive(Default)]
pub(super) struct Diagnostics {
    /// By the index of the code in [`Code::ALL`].
    counts: [u64; Code::ALL.len()],
    first: Option<Reported>,
}

/// The diagnostic that represents a file.
pub(super) struct Reported {
    position: Position,
    message: &'static str,
    /// Whether it says that the file has no SGF data, which outranks any earlier diagnostic.
    is_fatal: bool,
}

impl Reported {
    /// Returns the one of two diagnostics in a file that represents it.
    pub(super) fn more_severe(first: Option<Reported>, second: Option<Reported>) -> Option<Reported> {
        match (first, second) {
            (Some(_), Some(second)) if second.is_fatal => Some(second),
            (first, second) => first.or(second),
        }
    }
}

impl Diagnostics {
    /// Counts a diagnostic. `position` is called if it is the first one in the current file.
    pub(super) fn fault(&mut self, fault: Diagnostic, position: impl FnOnce() -> Position) {
        self.counts[fault.code as usize] += 1;
        if self.first.is_none() {
            self.first = Some(Reported { position: position(), message: fault.message(), is_fatal: false });
        }
    }

    /// Notes a file without SGF data.
    pub(super) fn fatal(&mut self, code: Code, position: Position) {
        self.counts[code as usize] += 1;
        self.first = Some(Reported { position, message: code.message(), is_fatal: true });
    }

    /// Takes the one that represents the current file.
    pub(super) fn take_first(&mut self) -> Option<Reported> {
        self.first.take()
    }

    /// Adds the diagnostics of later parts. Their first file is the current one of `self`.
    pub(super) fn add(&mut self, others: Diagnostics) {
        self.counts.iter_mut().zip(others.counts).for_each(|(count, more)| *count += more);
        self.first = Reported::more_severe(self.first.take(), others.first);
    }

    /// Returns the codes that occurred, most frequent first.
    pub(super) fn counts(&self) -> Vec<(Code, u64)> {
        let mut met: Vec<_> = Code::ALL.iter().copied().zip(self.counts).filter(|&(_, count)| count > 0).collect();
        met.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.as_str().cmp(b.0.as_str())));
        met
    }
}

/// A line about a file: its first diagnostic, or why it could not be read.
#[derive(Clone)]
pub(super) struct Fault {
    pub(super) file: Name,
    /// `None` if the file could not be read.
    pub(super) position: Option<Position>,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn found(file: Name, reported: &Reported) -> Self {
        Fault { file, position: Some(reported.position), message: reported.message.to_owned() }
    }

    pub(super) fn unreadable(file: &Name, error: &io::Error) -> Self {
        Fault { file: file.clone(), position: None, message: error.to_string() }
    }
}

/// The first files with diagnostics, and the number of all.
pub(super) struct Faults {
    max: usize,
    listed: Vec<Fault>,
    faulty: u64,
    unreadable: u64,
}

impl Faults {
    /// Keeps at most `max` files.
    pub(super) fn new(max: usize) -> Self {
        Faults { max, listed: Vec::new(), faulty: 0, unreadable: 0 }
    }

    pub(super) fn add(&mut self, fault: Fault) {
        self.faulty += 1;
        self.list(fault);
    }

    pub(super) fn add_unreadable(&mut self, fault: Fault) {
        self.unreadable += 1;
        self.list(fault);
    }

    fn list(&mut self, fault: Fault) {
        if self.listed.len() < self.max {
            self.listed.push(fault);
        }
    }

    pub(super) fn listed(&self) -> &[Fault] {
        &self.listed
    }

    /// Returns the number of files that were read and have diagnostics.
    pub(super) fn faulty(&self) -> u64 {
        self.faulty
    }

    /// Returns the number of files and directories that could not be read.
    pub(super) fn unreadable(&self) -> u64 {
        self.unreadable
    }
}
