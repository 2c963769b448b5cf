//! The progress of a query, on standard error.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use sgf_sql::Progress;

/// Shows the bytes that are read, until it is dropped.
pub(super) struct Spinner {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The time between two updates.
const STEP: Duration = Duration::from_millis(100);

impl Spinner {
    /// Starts one, if it may be shown.
    pub(super) fn start(progress: &Progress, is_shown: bool) -> Self {
        if !is_shown {
            return Spinner { thread: None };
        }
        let (stop, stopped) = mpsc::channel();
        let progress = progress.clone();
        let before = progress.bytes();
        let show = move || {
            let bar = ProgressBar::new_spinner();
            let style =
                ProgressStyle::with_template("{spinner} {decimal_bytes} read, {decimal_bytes_per_sec}, {elapsed}");
            let bar = match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            };
            while stopped.recv_timeout(STEP) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(progress.bytes() - before);
            }
            bar.finish_and_clear();
        };
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(show);
        Spinner { thread: thread.ok().map(|thread| (stop, thread)) }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.thread.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
