//! The progress of reading.

/// Counts how much has been read. All reading threads share it.
pub trait Progress: Sync {
    /// Adds bytes that were read from disk, before decompression.
    fn advance(&self, bytes: u64);
}
