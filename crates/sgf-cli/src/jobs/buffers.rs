//! Buffers of output that are used again.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Length in bytes above which a buffer is not kept.
const LARGE: usize = 16 << 20;

/// Buffers that go from the threads that fill them to the one that writes them out, and back.
///
/// Without them every buffer is memory that one thread allocates and another frees. Allocators return large blocks to
/// the system, which clears each page when it is used again: that takes longer than to write events into it, and most
/// of it is under one lock for all threads.
#[derive(Clone, Default)]
pub(crate) struct Buffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl Buffers {
    /// Returns an empty buffer.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Takes a buffer that is no longer needed, and leaves an empty one.
    pub(crate) fn give_back(&self, buffer: &mut Vec<u8>) {
        let mut buffer = mem::take(buffer);
        buffer.clear();
        if (1..=LARGE).contains(&buffer.capacity()) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        }
    }
}
