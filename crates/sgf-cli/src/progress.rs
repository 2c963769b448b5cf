//! The progress bar: by bytes, on standard error, where [`terminal`] allows it.

use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::{self, Writes};

/// Maximum bytes between two updates. A bar for fewer than 100 times as many is updated at each percent.
const STEP: u64 = 4_000_000;

/// A progress bar that all reading threads share.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// Bytes between two updates.
    step: u64,
    /// Bytes that the bar does not show yet.
    pending: AtomicU64,
}

impl Progress {
    /// Makes a bar, if one is allowed. `total`, which may not find the size, is called only then.
    pub(crate) fn new(writes: Writes, total: impl FnOnce() -> Option<u64>) -> Self {
        let mut step = STEP;
        let bar = terminal::get().has_bar(writes).then(|| {
            let total = total();
            step = step_of(total);
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
        Progress { bar, step, pending: AtomicU64::new(0) }
    }

    /// Makes a progress without a bar.
    pub(crate) const fn none() -> Self {
        Progress { bar: None, step: STEP, pending: AtomicU64::new(0) }
    }

    /// Hides the bar while `say` prints.
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

impl sgf_input::Progress for Progress {
    fn advance(&self, bytes: u64) {
        let Some(bar) = &self.bar else { return };
        if self.pending.fetch_add(bytes, Ordering::Relaxed) + bytes >= self.step {
            bar.inc(self.pending.swap(0, Ordering::Relaxed));
        }
    }
}

fn step_of(total: Option<u64>) -> u64 {
    total.map_or(STEP, |total| (total / 100).min(STEP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_moves_for_short_inputs() {
        assert_eq!([None, Some(1 << 40), Some(907_770), Some(0)].map(step_of), [STEP, STEP, 9077, 0]);
    }
}
