//! `sgf-sql scheduler`, `sgf-sql executor`, and the options of a query that runs on a cluster.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use env_logger::Builder;
use log::LevelFilter;
use sgf_sql::Progress;
use sgf_sql::cluster::{Address, Executor, Scheduler};

use super::errors::Failure;
use super::note;

/// Run the scheduler of a cluster: it plans queries, and executors ask it for tasks.
///
/// Prints its address when it is ready, and runs until it is killed. There is no encryption and no authentication: run it
/// on a trusted network only.
#[derive(clap::Args)]
pub(super) struct SchedulerArgs {
    /// Address to listen on. Port 0 picks a free port.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    bind: Address,

    /// Time without a heartbeat after which an executor is considered lost. Minimum: 6.
    ///
    /// Its tasks are reassigned to other executors.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    executor_timeout: u64,

    #[command(flatten)]
    logging: Logging,
}

/// Run an executor of a cluster: it reads the files of its tasks.
///
/// Prints the address of its results when it is ready, and how much it has read while it works. Runs until Ctrl-C or
/// SIGTERM.
#[derive(clap::Args)]
pub(super) struct ExecutorArgs {
    /// Address of the scheduler.
    #[arg(long, value_name = "HOST:PORT")]
    scheduler: Address,

    /// Address at which this executor serves its results. Port 0 picks a free port.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:0")]
    bind: Address,

    /// Host name or IP address of this executor for others. Default: the IP address that the scheduler sees.
    #[arg(long, value_name = "HOST")]
    advertise: Option<String>,

    /// Number of tasks at the same time. Default: one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    slots: Option<u16>,

    /// Directory for intermediate results. Default: a temporary directory.
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,

    /// Memory for sorts, groups and joins, before they use the disk.
    ///
    /// Default: 70 % of the memory of the machine or container.
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,

    /// Time to wait for the scheduler.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,

    #[command(flatten)]
    logging: Logging,
}

/// The messages of a process, for standard error.
#[derive(clap::Args)]
struct Logging {
    /// Print each step.
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,

    /// Print errors only.
    #[arg(long, short)]
    quiet: bool,
}

/// Time between two lines of an executor that works.
const STEP: Duration = Duration::from_millis(500);

impl Logging {
    fn start(&self) {
        let level = match self {
            Logging { verbose: true, .. } => LevelFilter::Info,
            Logging { quiet: true, .. } => LevelFilter::Error,
            _ => LevelFilter::Warn,
        };
        start_log(Builder::new().filter_level(level));
    }
}

/// Prints warnings of this package, and none of Ballista.
pub(super) fn log_own_warnings() {
    start_log(Builder::new().filter_module("sgf_sql", LevelFilter::Warn));
}

fn start_log(logger: &mut Builder) {
    let line = |out: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| match record.level() {
        log::Level::Error => writeln!(out, "sgf-sql: error: {}", record.args()),
        log::Level::Warn => writeln!(out, "sgf-sql: warning: {}", record.args()),
        _ => writeln!(out, "sgf-sql: {}", record.args()),
    };
    let _ = logger.format(line).try_init();
}

/// Prints an address for those who wait for it.
fn listening(address: &Address) {
    let mut out = io::stdout();
    let _ = writeln!(out, "listening on {address}").and_then(|()| out.flush());
}

pub(super) async fn schedule(args: SchedulerArgs) -> Result<ExitCode, Failure> {
    args.logging.start();
    let scheduler = Scheduler::new(args.bind).executor_timeout(Duration::from_secs(args.executor_timeout));
    scheduler.run(listening).await?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn execute(args: ExecutorArgs) -> Result<ExitCode, Failure> {
    args.logging.start();
    let progress = Progress::none();
    let mut executor =
        Executor::new(args.scheduler, args.bind).wait(Duration::from_secs(args.wait)).progress(progress.clone());
    if let Some(host) = args.advertise {
        executor = executor.advertise(host);
    }
    if let Some(slots) = args.slots {
        executor = executor.slots(slots.into());
    }
    if let Some(path) = args.work_dir {
        executor = executor.work_dir(path);
    }
    if let Some(bytes) = args.memory {
        executor = executor.memory(bytes);
    }
    let told = Cell::new((0, 0));
    let tell = || {
        let (games, bytes) = (progress.games(), progress.bytes());
        if told.replace((games, bytes)) != (games, bytes) && !args.logging.quiet {
            note(format_args!("{games} games in {bytes} bytes were read"));
        }
    };
    let telling = async {
        loop {
            tokio::time::sleep(STEP).await;
            tell();
        }
    };
    tokio::select! {
        ended = executor.run(listening) => ended?,
        () = telling => {}
    }
    tell();
    Ok(ExitCode::SUCCESS)
}
