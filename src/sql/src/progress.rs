//! A counter of the bytes that were read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes that queries have read from files and stores, before decompression. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    bytes: Arc<AtomicU64>,
}

impl Progress {
    /// A counter from 0.
    pub fn none() -> Self {
        Progress::default()
    }

    /// Adds bytes that were read.
    pub fn advance(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Number of bytes that were read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
