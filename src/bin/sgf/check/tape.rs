//! What is checked, on its way to the checker: its last stretch is kept, so that findings can be shown
//! with their lines, from a pipe as well.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use sgf_stream::check::Finding;

use super::show::Show;
use crate::input::Name;
use crate::source::Source;

/// So much is kept in front of what the checker reads, in bytes. A node is checked when it is over; of one that is
/// longer, places near its start are shown without their line.
const KEPT: usize = 4 << 20;

/// So much has to be there behind a place before it is shown.
pub(super) const BEHIND: u64 = 256;

/// So many findings wait to be shown, and those of the last [`BEHIND`] bytes: a node can have a million.
const MOST_WAITING: usize = 256;

/// The checker's input.
pub(super) struct Tape<'s, 'd> {
    source: Source<'d>,
    chunk: Vec<u8>,
    /// How much of it the checker has read.
    read: usize,
    showing: Rc<RefCell<Showing<'s>>>,
}

/// What was read last, and the findings that wait to be shown in it.
pub(super) struct Showing<'s> {
    show: &'s mut Show,
    stretch: Stretch,
    waiting: Vec<Finding>,
    /// Standard output could not be written.
    failure: Option<io::Error>,
}

/// A stretch of the input.
#[derive(Default)]
pub(super) struct Stretch {
    bytes: Vec<u8>,
    start: u64,
}

impl Stretch {
    fn push(&mut self, chunk: &[u8]) {
        if self.bytes.len() > 2 * KEPT {
            let gone = self.bytes.len() - KEPT;
            self.bytes.drain(..gone);
            self.start += gone as u64;
        }
        self.bytes.extend_from_slice(chunk);
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// What is there, and where in it an offset is.
    pub(super) fn around(&self, offset: u64) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (at <= self.bytes.len()).then_some((&self.bytes, at))
    }
}

impl<'s, 'd> Tape<'s, 'd> {
    pub(super) fn new(source: Source<'d>, name: &Name, show: &'s mut Show) -> (Self, Rc<RefCell<Showing<'s>>>) {
        show.start_file(name);
        let showing = Showing { show, stretch: Stretch::default(), waiting: Vec::new(), failure: None };
        let showing = Rc::new(RefCell::new(showing));
        (Tape { source, chunk: Vec::new(), read: 0, showing: Rc::clone(&showing) }, showing)
    }
}

impl Showing<'_> {
    /// A finding.
    pub(super) fn take(&mut self, finding: &Finding) {
        if self.show.count(finding) {
            self.waiting.push(finding.clone());
            if self.waiting.len() >= MOST_WAITING {
                self.show_waiting(self.stretch.end());
            }
        }
    }

    /// The file is over.
    pub(super) fn end_file(&mut self) -> io::Result<()> {
        self.show_waiting(u64::MAX);
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.show.end_file(),
        }
    }

    /// Shows what is in front of an offset.
    fn show_waiting(&mut self, end: u64) {
        let is_ready = |finding: &Finding| finding.span().start.saturating_add(BEHIND) <= end;
        let ready = self.waiting.iter().position(|finding| !is_ready(finding)).unwrap_or(self.waiting.len());
        for finding in self.waiting.drain(..ready) {
            if self.failure.is_none()
                && let Err(error) = self.show.print(&finding, &self.stretch)
            {
                self.failure = Some(error);
            }
        }
    }
}

impl Read for Tape<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for Tape<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.chunk.len() {
            let mut showing = self.showing.borrow_mut();
            let end = showing.stretch.end();
            showing.show_waiting(end);
            self.read = 0;
            self.chunk.clear();
            // Nobody reads the output any more: nothing needs to be read for it.
            if showing.failure.is_none() {
                self.chunk.extend_from_slice(self.source.next_chunk(|_| {})?);
            }
            showing.stretch.push(&self.chunk);
        }
        Ok(&self.chunk[self.read..])
    }

    fn consume(&mut self, len: usize) {
        self.read += len;
    }
}
