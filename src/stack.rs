//! Stack for types that contain themselves.
//!
//! serde recurses wherever a type does: a tree in `$variations` is deserialized in the call for the tree around it.
//! The input decides how deep that goes, up to `max_depth`, and the type decides how much stack a level takes: from
//! 1 KiB to hundreds, and several times as much without optimization. No fixed depth is safe for every type on a
//! thread with 2 MiB, as those of tokio and rayon have, unless it refuses real files.

/// Stack that a level may take, in bytes: measured 60 KiB for 80 optional texts, without optimization.
const LEVEL: usize = 512 << 10;

/// Size of a further stack, in bytes. Memory is used only for the part that is needed.
const FURTHER: usize = 8 * LEVEL;

/// Calls a function that recurses, on a further stack if this one is nearly used up.
#[inline(always)]
pub(crate) fn ensure<T>(recurse: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEVEL, FURTHER, recurse)
}
