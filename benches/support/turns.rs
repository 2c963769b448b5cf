//! Jobs that take turns, so that other load on the machine affects all of them. The best time of each counts.

use std::time::Duration;

use super::clock::Clock;

/// A job and its times.
pub(crate) struct Job<'d> {
    name: String,
    /// Number of bytes it reads.
    bytes: usize,
    run: Box<dyn FnMut() + 'd>,
    times: Vec<Duration>,
}

impl<'d> Job<'d> {
    pub(crate) fn new(name: impl Into<String>, bytes: usize, run: impl FnMut() + 'd) -> Self {
        Job { name: name.into(), bytes, run: Box::new(run), times: Vec::new() }
    }

    /// Returns bytes per nanosecond.
    fn speed(&self, time: Duration) -> f64 {
        self.bytes as f64 / time.as_nanos() as f64
    }
}

/// Speeds in GB/s, which are bytes per nanosecond, by name and in the order of the jobs.
pub(crate) struct Speeds(pub(crate) Vec<(String, f64)>);

impl Speeds {
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|(job, _)| job == name).expect("a job of that name").1
    }
}

/// Runs all jobs in turn, several rounds. Prints the spread of the rounds on standard error.
pub(crate) fn take_turns(mut jobs: Vec<Job<'_>>, rounds: usize) -> Speeds {
    for _ in 0..rounds {
        for job in &mut jobs {
            let clock = Clock::start();
            (job.run)();
            job.times.push(clock.elapsed());
        }
    }
    let mut speeds = Vec::new();
    for mut job in jobs {
        job.times.sort();
        let (best, middle) = (job.speed(job.times[0]), job.speed(job.times[rounds / 2]));
        eprintln!("  {:<50} best {best:7.3} GB/s, median {middle:7.3} of {rounds}", job.name);
        speeds.push((job.name, best));
    }
    Speeds(speeds)
}

/// Formats a number with two or three significant digits.
pub(crate) fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}
