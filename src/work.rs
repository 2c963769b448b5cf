//! Work counters for law L6: layers above the tokenizer do work linear in their input, whatever its shape.
//!
//! Loops that could violate it (a search, a walk up a tree, bytes moved or counted again) report their number of
//! steps to [`note`]. Only tests count them; otherwise `note` does nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds `steps` to the counter of the current thread.
#[inline(always)]
pub(crate) fn note(_steps: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + _steps as u64));
}

/// Returns the number of steps noted while `run` runs.
#[cfg(test)]
pub(crate) fn count(run: impl FnOnce()) -> u64 {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests;
