//! The SIMD level, which selects the vector instructions of loops over blocks of bytes.
//!
//! It is detected at run time, once per parser, by `fearless_simd`, which contains the required unsafe code. A loop
//! is a generic function over `Simd`, marked `inline(always)`, that `dispatch!` compiles for every level of the
//! platform. A dispatch costs a call that is not inlined, so it encloses a whole loop and is never inside one. It
//! never encloses code that is generic over a [`Sink`](crate::syntax::tokenizer::Sink), or each user's closure would
//! be compiled once per level.
//!
//! Events, offsets and diagnostics do not depend on the level (law L9).

use std::fmt;
use std::sync::OnceLock;

use fearless_simd::{Level, Simd};

/// The vector instructions of a parser, for benchmarks that compare levels.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct SimdLevel(pub(crate) Level);

/// The level that [`SimdLevel::choose`] has set.
static CHOSEN: OnceLock<Level> = OnceLock::new();

impl SimdLevel {
    /// Returns the best level of this machine, which is the default of every parser.
    pub fn best() -> Self {
        SimdLevel(CHOSEN.get().copied().unwrap_or_else(Level::new))
    }

    /// Sets this level as the default of every parser of the process. Only the first call counts.
    pub fn choose(self) {
        _ = CHOSEN.set(self.0);
    }

    /// Returns all levels of this machine, the best last.
    pub fn all() -> Vec<SimdLevel> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let levels = [
            best.as_sse2().map(Simd::level),
            best.as_sse4_2().map(Simd::level),
            best.as_avx2().map(Simd::level),
            best.as_avx512().map(Simd::level),
        ];
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let levels = [Some(best)];
        levels.into_iter().flatten().map(SimdLevel).collect()
    }

    /// Returns the name of the level, such as `Avx2`.
    pub fn name(self) -> String {
        let name = format!("{:?}", self.0);
        name.split('(').next().unwrap_or_default().to_owned()
    }
}

/// Omits the level, so that debug output is the same on all machines.
impl fmt::Debug for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SimdLevel")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_level_is_the_last() {
        let names: Vec<_> = SimdLevel::all().into_iter().map(SimdLevel::name).collect();
        assert_eq!(names.last(), Some(&SimdLevel::best().name()));
    }
}
