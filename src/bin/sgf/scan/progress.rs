//! The progress bar: by bytes, on standard error, if that is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// Bytes between two updates.
const STEP: u64 = 4_000_000;

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// Bytes that the bar has not been told of.
    untold: u64,
}

impl Progress {
    /// `total` is asked only if there is a bar; it may not know.
    pub(crate) fn new(total: impl FnOnce() -> Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let total = total();
            let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
            let template = match total {
                Some(_) => "{wide_bar} {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left",
                None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}",
            };
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Progress { bar, untold: 0 }
    }

    /// No bar.
    pub(crate) fn none() -> Self {
        Progress { bar: None, untold: 0 }
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        self.untold += bytes as u64;
        if self.untold >= STEP {
            if let Some(bar) = &self.bar {
                bar.inc(self.untold);
            }
            self.untold = 0;
        }
    }

    /// Clears the bar out of the way of what `say` says.
    pub(crate) fn suspend(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
