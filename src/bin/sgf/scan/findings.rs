//! What the parser finds fault with: how often, and in which files.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgf_stream::{Code, Diagnostic, Parser, Position, SyntaxError};

use crate::input::Name;

/// Counts findings by code, and keeps the first of each file. Shared with the parser, whose
/// listener could be called from any thread.
#[derive(Default)]
pub(super) struct Findings(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    /// By the place of the code in [`Code::ALL`].
    counts: [u64; Code::ALL.len()],
    /// In the file that is being read.
    first: Option<(Position, &'static str)>,
}

impl Heard {
    fn hear(&mut self, code: Code) {
        self.counts[code as usize] += 1;
    }
}

impl Findings {
    /// The parser with a listener that counts here.
    pub(super) fn listen(&self, parser: Parser) -> Parser {
        let heard = Findings(Arc::clone(&self.0));
        parser.on_diagnostic(move |found: &Diagnostic| {
            let mut heard = heard.lock();
            heard.hear(found.code);
            heard.first.get_or_insert((found.position, found.message()));
        })
    }

    pub(super) fn begin_file(&self) {
        self.lock().first = None;
    }

    /// A file without SGF data. That says more of it than what was found before.
    pub(super) fn fatal(&self, error: &SyntaxError) {
        let mut heard = self.lock();
        heard.hear(error.code());
        heard.first = Some((error.position(), error.code().message()));
    }

    /// The finding that stands for the file.
    pub(super) fn first(&self) -> Option<(Position, &'static str)> {
        self.lock().first
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
pub(super) struct Fault {
    pub(super) file: Name,
    /// `None` if it could not be read.
    pub(super) position: Option<Position>,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn at(file: &Name, position: Position, message: &str) -> Self {
        Fault { file: file.clone(), position: Some(position), message: message.to_owned() }
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

    pub(super) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        self.faulty += 1;
        self.list(fault);
    }

    pub(super) fn add_unreadable(&mut self, fault: impl FnOnce() -> Fault) {
        self.unreadable += 1;
        self.list(fault);
    }

    fn list(&mut self, fault: impl FnOnce() -> Fault) {
        if self.listed.len() < self.max {
            self.listed.push(fault());
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
