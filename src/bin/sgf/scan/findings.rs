//! What the parser finds fault with: how often, and in which files.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgf_stream::{Code, Diagnostic, Parser, Position, SyntaxError};

use crate::input::Name;

/// Counts findings by code, and keeps the first in the file that is being read. Shared with the parser, whose
/// listener could be called from any thread.
#[derive(Default)]
pub(super) struct Findings(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    /// By the place of the code in [`Code::ALL`].
    counts: [u64; Code::ALL.len()],
    first: Option<Finding>,
}

/// The finding that stands for a file.
pub(super) struct Finding {
    position: Position,
    message: &'static str,
    /// It is a file without SGF data. That says more of it than anything that was found before.
    is_fatal: bool,
}

impl Finding {
    /// Of two findings in one file, the one that stands for it.
    pub(super) fn graver(first: Option<Finding>, second: Option<Finding>) -> Option<Finding> {
        match (first, second) {
            (Some(_), Some(second)) if second.is_fatal => Some(second),
            (first, second) => first.or(second),
        }
    }
}

impl Findings {
    /// The parser with a listener that counts here.
    pub(super) fn listen(&self, parser: Parser) -> Parser {
        let heard = Findings(Arc::clone(&self.0));
        parser.on_diagnostic(move |found: &Diagnostic| heard.note(found.code, found.position, found.message(), false))
    }

    /// A file without SGF data.
    pub(super) fn fatal(&self, error: &SyntaxError) {
        self.note(error.code(), error.position(), error.code().message(), true);
    }

    fn note(&self, code: Code, position: Position, message: &'static str, is_fatal: bool) {
        let mut heard = self.lock();
        heard.counts[code as usize] += 1;
        if heard.first.is_none() || is_fatal {
            heard.first = Some(Finding { position, message, is_fatal });
        }
    }

    /// The finding that stands for the file that has been read.
    pub(super) fn take_first(&self) -> Option<Finding> {
        self.lock().first.take()
    }

    /// Adds what others have found later. The file that is being read is the one that they have begun with, or
    /// that has ended in front of them.
    pub(super) fn add(&self, others: &Findings) {
        let (mut heard, mut others) = (self.lock(), others.lock());
        heard.counts.iter_mut().zip(others.counts).for_each(|(count, more)| *count += more);
        heard.first = Finding::graver(heard.first.take(), others.first.take());
    }

    /// The codes that were met, most frequent first.
    pub(super) fn counts(&self) -> Vec<(Code, u64)> {
        let counts = self.lock().counts;
        let mut met: Vec<_> = Code::ALL.iter().copied().zip(counts).filter(|&(_, count)| count > 0).collect();
        met.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.as_str().cmp(b.0.as_str())));
        met
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is wrong with a file.
#[derive(Clone)]
pub(super) struct Fault {
    pub(super) file: Name,
    /// `None` if it could not be read.
    pub(super) position: Option<Position>,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn found(file: Name, finding: &Finding) -> Self {
        Fault { file, position: Some(finding.position), message: finding.message.to_owned() }
    }

    pub(super) fn unreadable(file: &Name, error: &io::Error) -> Self {
        Fault { file: file.clone(), position: None, message: error.to_string() }
    }
}

/// The first faulty files, and how many there are.
pub(super) struct Faults {
    max: usize,
    listed: Vec<Fault>,
    faulty: u64,
    unreadable: u64,
}

impl Faults {
    /// Lists at most `max`.
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

    /// Files that were read, and in which something was found.
    pub(super) fn faulty(&self) -> u64 {
        self.faulty
    }

    /// Files and directories that could not be read.
    pub(super) fn unreadable(&self) -> u64 {
        self.unreadable
    }
}
