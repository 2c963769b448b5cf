//! Time as a job sees it.
//!
//! All jobs here are one thread that never waits, so the time it was on a core is the time it
//! takes; what others take from that core meanwhile is not its fault. It matters: a short job
//! gets through undisturbed now and then, a long one never does, and ratios of the best times
//! would lie. Linux tells; elsewhere it is the time on the wall.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// A start.
pub(crate) struct Clock {
    wall: Instant,
    on_core: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Clock { on_core: on_core(), wall: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        match (self.on_core, on_core()) {
            (Some(start), Some(end)) => end - start,
            _ => wall,
        }
    }

    /// What kind of time this is, for people.
    pub(crate) fn kind() -> &'static str {
        if on_core().is_some() { "time on a core" } else { "time on the wall" }
    }
}

/// Makes criterion measure with a [`Clock`]. Values look as those of its own clock do.
pub(crate) struct OnCore;

impl Measurement for OnCore {
    type Intermediate = Clock;
    type Value = Duration;

    fn start(&self) -> Clock {
        Clock::start()
    }

    fn end(&self, clock: Clock) -> Duration {
        clock.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        WallTime.add(one, other)
    }

    fn zero(&self) -> Duration {
        WallTime.zero()
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// How long this thread has run.
fn on_core() -> Option<Duration> {
    // The kernel brings the figure up to date when it looks at who is to run next.
    thread::yield_now();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
