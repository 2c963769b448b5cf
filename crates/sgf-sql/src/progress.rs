//! A counter of the bytes and games that were read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes and games that queries have read.
///
/// Bytes are counted as they come from files and stores, before decompression. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bytes: Arc<AtomicU64>,
    games: Arc<AtomicU64>,
}

impl sgf_input::Progress for Progress {
    fn advance(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Progress {
    /// Creates a counter that starts at 0.
    pub fn none() -> Self {
        Progress::default()
    }

    /// Adds bytes that were read.
    pub fn advance(&self, bytes: u64) {
        sgf_input::Progress::advance(self, bytes);
    }

    /// Returns the number of bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn advance_games(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Returns the number of games whose start was examined.
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }
}
