//! The file as it is, but for what a strict parser refuses: the library's [`Rewriter`].

use std::io::Write;

use sgf_stream::Event;
use sgf_stream::write::{Rewriter, WriteError};

use super::{Stop, Style};

/// Until the file has ended.
pub(super) struct Exact<W: Write>(Option<Rewriter<W>>);

impl<W: Write> Exact<W> {
    pub(super) fn new(out: W) -> Self {
        Exact(Some(Rewriter::new(out)))
    }
}

impl<W: Write> Style for Exact<W> {
    fn chunk(&mut self, chunk: &[u8]) {
        if let Some(rewriter) = &mut self.0 {
            rewriter.read(chunk);
        }
    }

    fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), Stop> {
        self.0.as_mut().map_or(Ok(()), |rewriter| rewriter.event(event, offset)).map_err(stop)
    }

    fn end(&mut self) -> Result<(), Stop> {
        self.0.take().map_or(Ok(()), |rewriter| rewriter.finish().map(|_| ())).map_err(stop)
    }
}

fn stop(error: WriteError) -> Stop {
    match error {
        WriteError::Io(error) => Stop::Output(error),
        error => Stop::Refused(error.to_string()),
    }
}
