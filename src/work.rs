//! Work counters for law L6: layers above the tokenizer do work linear in their input, for any shape.
//!
//! Loops that could violate it (a search, a walk up a tree, bytes moved or counted again) report their number of
//! steps to [`note`]. Only tests count them (those of other packages with the feature
//! `count-work`); otherwise `note` does nothing.

#[cfg(any(test, feature = "count-work"))]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    static READ: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds `steps` to the counter of the current thread.
#[inline(always)]
pub fn note(_steps: usize) {
    #[cfg(any(test, feature = "count-work"))]
    STEPS.with(|steps| steps.set(steps.get() + _steps as u64));
}

/// Adds bytes that a tokenizer has read to another counter of the current thread.
#[inline(always)]
pub fn read(_bytes: usize) {
    #[cfg(any(test, feature = "count-work"))]
    READ.with(|read| read.set(read.get() + _bytes as u64));
}

/// Returns the number of bytes that tokenizers read while `run` runs.
#[cfg(any(test, feature = "count-work"))]
pub fn count_read(run: impl FnOnce()) -> u64 {
    let before = READ.with(std::cell::Cell::get);
    run();
    READ.with(std::cell::Cell::get) - before
}

/// Returns the number of steps noted while `run` runs.
#[cfg(any(test, feature = "count-work"))]
pub fn count(run: impl FnOnce()) -> u64 {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}
