//! The progress bar: by bytes, on standard error, where [`terminal`] allows it.

use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::{self, Writes};

/// Bytes between two updates.
const STEP: u64 = 4_000_000;

/// All threads that read can tell the same bar.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// Bytes that the bar has not been told of.
    untold: AtomicU64,
}

impl Progress {
    /// A bar, if there is to be one. `total`, which may not know how much there is to read, is called only then.
    pub(crate) fn new(writes: Writes, total: impl FnOnce() -> Option<u64>) -> Self {
        let bar = terminal::get().has_bar(writes).then(|| {
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
        Progress { bar, untold: AtomicU64::new(0) }
    }

    /// No bar.
    pub(crate) const fn none() -> Self {
        Progress { bar: None, untold: AtomicU64::new(0) }
    }

    /// So many bytes more were read from disk, compressed as they are.
    pub(crate) fn advance(&self, bytes: u64) {
        let Some(bar) = &self.bar else { return };
        if self.untold.fetch_add(bytes, Ordering::Relaxed) + bytes >= STEP {
            bar.inc(self.untold.swap(0, Ordering::Relaxed));
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
