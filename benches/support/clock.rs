//! A clock for jobs.
//!
//! Every job is one thread that never waits, so its time on the core is its run time, regardless of other processes
//! on that core. This matters: a short job is sometimes undisturbed, a long one never is, so ratios of best
//! wall-clock times would be wrong. Linux reports the time on the core; elsewhere wall-clock time is used.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// A start time.
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

    /// Returns a description of the clock.
    pub(crate) fn kind() -> &'static str {
        if on_core().is_some() { "time on a core" } else { "wall-clock time" }
    }
}

/// Makes criterion measure with a [`Clock`]. Values are printed like those of its own clock.
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

/// Returns the run time of this thread.
fn on_core() -> Option<Duration> {
    // The kernel updates the figure when it schedules.
    thread::yield_now();
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
