//! Counted work, for law L6: what layers above the tokenizer do is linear in their input, whatever its shape.
//!
//! Loops that could be the exception (a search, a walk up a tree, bytes that are moved or counted again) say how
//! many steps they take. Only tests count them; otherwise [`note`] is nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds steps.
#[inline(always)]
pub(crate) fn note(_steps: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + _steps as u64));
}

/// How many steps something takes.
#[cfg(test)]
pub(crate) fn count(run: impl FnOnce()) -> u64 {
    let before = STEPS.with(std::cell::Cell::get);
    run();
    STEPS.with(std::cell::Cell::get) - before
}

#[cfg(test)]
mod tests;
