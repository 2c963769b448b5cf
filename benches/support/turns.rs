//! Jobs that take turns, so that a slow minute of the machine is everybody's. The best time of
//! each counts.

use std::time::Duration;

use super::clock::Clock;

/// Something to do, and how long it took each time.
pub(crate) struct Job<'d> {
    name: String,
    /// What it reads.
    bytes: usize,
    run: Box<dyn FnMut() + 'd>,
    times: Vec<Duration>,
}

impl<'d> Job<'d> {
    pub(crate) fn new(name: impl Into<String>, bytes: usize, run: impl FnMut() + 'd) -> Self {
        Job { name: name.into(), bytes, run: Box::new(run), times: Vec::new() }
    }

    /// Bytes a nanosecond.
    fn speed(&self, time: Duration) -> f64 {
        self.bytes as f64 / time.as_nanos() as f64
    }
}

/// GB/s, which are bytes a nanosecond, by name and in the order of the jobs.
pub(crate) struct Speeds(pub(crate) Vec<(String, f64)>);

impl Speeds {
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|(job, _)| job == name).expect("a job of that name").1
    }
}

/// Runs all jobs in turn, several rounds. How far these lie apart goes to standard error.
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

/// Two or three that count.
pub(crate) fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}
