//! A reader that keeps a window of recent bytes, so that findings can be shown with their lines, also from a pipe.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use sgf_stream::check::Finding;

use super::show::Show;
use crate::input::Name;
use crate::source::Source;

/// Minimum bytes kept before the checker's position. A node is checked when it ends; if it is longer, findings near
/// its start are shown without their line.
const KEPT: usize = 4 << 20;

/// Number of bytes after a finding that must have been read before it is shown.
pub(super) const LOOKAHEAD: u64 = 256;

/// Maximum number of findings that wait for the bytes after them: one node may have a million.
const MOST_WAITING: usize = 256;

/// The checker's input.
pub(super) struct WindowReader<'s, 'd> {
    source: Source<'d>,
    chunk: Vec<u8>,
    /// Number of its bytes that the checker has consumed.
    read: usize,
    pending: Rc<RefCell<Pending<'s>>>,
}

/// The findings that wait to be shown, and the window that they are shown from.
pub(super) struct Pending<'s> {
    show: &'s mut Show,
    window: SourceWindow,
    waiting: Vec<Finding>,
    /// The error of writing to standard output.
    failure: Option<io::Error>,
}

/// The recent bytes of the input.
#[derive(Default)]
pub(super) struct SourceWindow {
    bytes: Vec<u8>,
    start: u64,
}

impl SourceWindow {
    fn push(&mut self, chunk: &[u8]) {
        if self.bytes.len() > 2 * KEPT {
            let excess = self.bytes.len() - KEPT;
            self.bytes.drain(..excess);
            self.start += excess as u64;
        }
        self.bytes.extend_from_slice(chunk);
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Returns the bytes, and the index of an offset in them.
    pub(super) fn around(&self, offset: u64) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (at <= self.bytes.len()).then_some((&self.bytes, at))
    }
}

impl<'s, 'd> WindowReader<'s, 'd> {
    pub(super) fn new(source: Source<'d>, name: &Name, show: &'s mut Show) -> (Self, Rc<RefCell<Pending<'s>>>) {
        show.start_file(name);
        let pending = Pending { show, window: SourceWindow::default(), waiting: Vec::new(), failure: None };
        let pending = Rc::new(RefCell::new(pending));
        (WindowReader { source, chunk: Vec::new(), read: 0, pending: Rc::clone(&pending) }, pending)
    }
}

impl Pending<'_> {
    /// Adds a finding.
    pub(super) fn add(&mut self, finding: &Finding) {
        if self.show.count(finding) {
            self.waiting.push(finding.clone());
            if self.waiting.len() >= MOST_WAITING {
                self.show_waiting(self.window.end());
            }
        }
    }

    /// Ends the file: shows the remaining findings.
    pub(super) fn end_file(&mut self) -> io::Result<()> {
        self.show_waiting(u64::MAX);
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.show.end_file(),
        }
    }

    /// Shows the waiting findings that are far enough before `end`.
    fn show_waiting(&mut self, end: u64) {
        let is_ready = |finding: &Finding| finding.span().start.saturating_add(LOOKAHEAD) <= end;
        let ready = self.waiting.iter().position(|finding| !is_ready(finding)).unwrap_or(self.waiting.len());
        for finding in self.waiting.drain(..ready) {
            if self.failure.is_none()
                && let Err(error) = self.show.print(&finding, &self.window)
            {
                self.failure = Some(error);
            }
        }
    }
}

impl Read for WindowReader<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for WindowReader<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.chunk.len() {
            let mut pending = self.pending.borrow_mut();
            let end = pending.window.end();
            pending.show_waiting(end);
            self.read = 0;
            self.chunk.clear();
            // The output is closed, so reading on is useless.
            if pending.failure.is_none() {
                self.chunk.extend_from_slice(self.source.next_chunk(|_| {})?);
            }
            pending.window.push(&self.chunk);
        }
        Ok(&self.chunk[self.read..])
    }

    fn consume(&mut self, len: usize) {
        self.read += len;
    }
}
