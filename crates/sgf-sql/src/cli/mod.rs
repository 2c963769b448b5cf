//! The command line. Each subcommand has its `Args`, whose doc comments are its `--help`, and a `run`.

#[cfg(feature = "cluster")]
mod cluster;
mod errors;
mod filter;
mod output;
mod pretty;
mod query;
mod session;
mod shell;
mod spinner;
mod statements;

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::{Parser, Subcommand};
use sgf_input::{HOW, Selection};

use self::errors::Failure;

/// Query SGF (Smart Game Format) files with SQL.
#[derive(Parser)]
#[command(name = "sgf-sql", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success; also if the reader of the output closes the pipe
  1  a negative answer: `filter` found no game
  2  wrong usage, a query that cannot be run, or something could not be read or
     written

  A file without SGF data is a warning.";

#[derive(Subcommand)]
enum Command {
    Sql(query::Args),
    Filter(filter::Args),
    #[cfg(feature = "cluster")]
    Scheduler(cluster::SchedulerArgs),
    #[cfg(feature = "cluster")]
    Executor(cluster::ExecutorArgs),
}

/// Exit code: a negative answer.
const NOTHING: u8 = 1;

/// Exit code: something could not be read or written, or the query cannot be run. (clap uses it for wrong usage too.)
const TROUBLE: u8 = 2;

/// Options of all subcommands.
#[derive(clap::Args, Clone, Debug)]
struct Common {
    #[command(flatten)]
    selection: Selection,

    /// Fail at the first file that cannot be read, and parse games in strict mode.
    #[arg(long)]
    strict: bool,

    /// Decode everything in this charset, ignoring byte-order marks and CA.
    #[arg(long, value_name = "NAME")]
    charset: Option<String>,

    /// Charset of games that declare none (no CA). Default: detected from their text.
    #[arg(long, value_name = "NAME")]
    default_charset: Option<String>,

    /// Replace names of players: a CSV file that `sgf names` writes.
    #[arg(long, value_name = "FILE")]
    names: Option<std::path::PathBuf>,

    /// Number of threads. Default: one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Suppress progress and messages about unreadable files. The exit code still reports them.
    #[arg(long, short)]
    quiet: bool,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Returns the end of the `--help` of a command, which includes how inputs are found.
fn more(examples: &str) -> String {
    format!("{examples}\n\n{HOW}")
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Prints what is wrong with the command line, with the name of the program as for all messages, and ends.
fn print(error: &clap::Error) -> ! {
    if error.use_stderr() && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = write!(io::stderr(), "sgf-sql: ");
    }
    error.exit()
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let Cli { command } = Cli::try_parse().unwrap_or_else(|error| print(&error));
    let threads = match &command {
        Command::Sql(args) => args.common.threads(),
        Command::Filter(args) => args.common.threads(),
        #[cfg(feature = "cluster")]
        Command::Scheduler(_) | Command::Executor(_) => cores(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return Failure::Usage(format!("--threads: {error}")).report(),
    };
    let done = runtime.block_on(async {
        match command {
            Command::Sql(args) => query::run(args).await,
            Command::Filter(args) => filter::run(args).await,
            #[cfg(feature = "cluster")]
            Command::Scheduler(args) => cluster::schedule(args).await,
            #[cfg(feature = "cluster")]
            Command::Executor(args) => cluster::execute(args).await,
        }
    });
    // Tasks that a LIMIT has made needless are not waited for.
    runtime.shutdown_background();
    done.unwrap_or_else(|failure| failure.report())
}

/// Prints an error on standard error.
fn complain(message: impl std::fmt::Display) {
    note(format_args!("error: {message}"));
}

/// Prints a line on standard error. Unlike `eprintln!`, does not panic if that is closed.
fn note(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "sgf-sql: {message}");
}
