//! Stack for types that contain themselves.
//!
//! serde recurses wherever a type does: a tree in `$variations` is deserialized in the call for the tree around it.
//! The input decides how deep that goes, up to `max_depth`, and the type decides how much stack a level takes: from
//! 1 KiB to hundreds, and several times as much without optimization. No fixed depth is safe for every type on a
//! thread with 2 MiB, as those of tokio and rayon have, unless it refuses real files.
//!
//! Most types call this crate at each level, which then makes sure that there is stack for the next one. Untagged and
//! internally tagged enums do not: serde reads the whole tree into a buffer, and then makes the type from the buffer
//! alone. The stack for all levels must therefore be there before, see `de::buffer`.

/// Stack that a level may take, in bytes: measured 60 KiB for 80 optional texts, without optimization.
const LEVEL: usize = 512 << 10;

/// Stack that a level may take in types that are made from a buffer, in bytes: measured 62 KiB for five variants of 80
/// optional texts, without optimization. It is less than [`LEVEL`], since it is needed for all levels at once.
const BUFFERED_LEVEL: usize = 128 << 10;

/// Stack per byte of the type, in addition. Frames have several copies of a value: measured up to 45, without
/// optimization.
const PER_BYTE: usize = 64;

/// Maximum size of the stack for all levels, in bytes. Memory is used only for the part that is needed.
const MOST: usize = if usize::BITS >= 64 { 512 << 20 } else { 16 << 20 };

/// Number of levels that are assumed to fit if the size of the stack is unknown.
const UNKNOWN_LEVELS: usize = 32;

/// Returns the stack that a level of the type may take, in bytes.
const fn level<T>(least: usize) -> usize {
    least.saturating_add(PER_BYTE.saturating_mul(size_of::<T>()))
}

/// Calls a function that recurses to a type, on a further stack if this one is nearly used up.
#[inline(always)]
pub(crate) fn ensure<T, R>(recurse: impl FnOnce() -> R) -> R {
    let level = const { level::<T>(LEVEL) };
    stacker::maybe_grow(level, level.saturating_mul(8), recurse)
}

/// Returns the stack that a level of the type may take if it is made from a buffer, in bytes.
pub(crate) const fn buffered_level<T>() -> usize {
    level::<T>(BUFFERED_LEVEL)
}

/// Returns the number of levels that fit the rest of the stack.
pub(crate) fn levels_left(level: usize) -> usize {
    stacker::remaining_stack().map_or(UNKNOWN_LEVELS, |bytes| bytes / level)
}

/// Returns the size of a stack that fits a number of levels, or as many as possible.
pub(crate) fn size_for(levels: usize, level: usize) -> usize {
    level.saturating_mul(levels.saturating_add(1)).min(MOST)
}

/// Calls a function on another stack of this size.
pub(crate) fn larger<R>(size: usize, run: impl FnOnce() -> R) -> R {
    stacker::grow(size, run)
}
