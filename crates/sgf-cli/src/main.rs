//! `sgf`: SGF files on the command line.
//!
//! Each subcommand is a file or folder with its `Args`, whose doc comments are its `--help`, and a `run` that
//! returns the exit code. The other modules serve several subcommands: the package `sgf-input` finds, decompresses and opens
//! files, `jobs` reads them on all cores and transcodes what has to be, `trees` reads them as trees, `decoding` has the options
//! of charsets, `destination` opens the files that are written, `terminal` decides about colors and progress bars, `progress`
//! draws the bar, `points` makes boards of diagnostics, `visible` escapes control characters, `json` writes JSON, `tally` and
//! `tables` count and print counts, `numbers` numbers the games of a file, `condition` reads `--where`, `kept` keeps
//! games that are read twice, `help` arranges the options of `--help`, `names` has the names that options take, `near`
//! finds those that may have been meant, `failure` prints messages and turns errors into exit codes, `exit_codes`
//! says what these mean, `catalog` finds files that have changed
//! since a run before, `outside` runs `sgf-sql`
//! and other programs.

// `eprintln!` panics if standard error is closed or full; `failure` does not.
#![deny(clippy::print_stderr)]

mod catalog;
mod check;
mod completions;
mod decoding;
mod destination;
mod diff;
mod dups;
mod edit;
mod events;
mod exit_codes;
mod failure;
mod find;
mod fmt;
mod help;
mod index;
mod jobs;
mod json;
mod kept;
mod man;
mod names;
mod near;
mod numbers;
mod openings;
mod outside;
mod people;
mod points;
mod progress;
mod records;
mod report;
mod rewrite;
mod scan;
mod show;
mod split;
mod synth;
mod tables;
mod tally;
mod terminal;
mod trees;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{FromArgMatches, Parser, Subcommand};
use sgf_input::{self as input, size, visible};
use sgf_stream::internal::SimdLevel;

use failure::{Failure, TROUBLE};

/// Read, check and convert SGF (Smart Game Format) files of any size.
#[derive(Parser)]
#[command(name = "sgf", version, after_help = exit_codes::section_of_all())]
struct Cli {
    #[command(flatten)]
    terminal: terminal::Options,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Scan(scan::Args),
    #[command(hide = true)] // for programs in other languages
    Events(events::Args),
    Records(records::Args),
    Find(find::Args),
    Openings(openings::Args),
    Check(check::Args),
    Fmt(fmt::Args),
    Edit(edit::Args),
    Show(show::Args),
    Dups(dups::Args),
    Diff(diff::Args),
    Index(index::Args),
    Names(people::Args),
    Report(report::Args),
    /// Query games, moves and properties with SQL (runs `sgf-sql`).
    Sql(outside::Args),
    /// Write the games that match an SQL condition (runs `sgf-sql`).
    Filter(outside::Args),
    Split(split::Args),
    #[command(hide = true)] // a tool for tests
    Synth(synth::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Prints what is wrong with the command line, or the help that was asked for.
fn print(error: &clap::Error) -> Result<ExitCode, Failure> {
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        return Err(Failure::unknown_subcommand(name));
    }
    if error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = write!(io::stderr(), "sgf: "); // before `error: `
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(failure) if !error.use_stderr() => Err(Failure::Output(failure)),
        _ => Ok(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(TROUBLE))),
    }
}

fn main() -> ExitCode {
    choose_simd_level();
    if let Some((subcommand, args)) = outside::given() {
        return outside::run(subcommand, &args).unwrap_or_else(|failure| failure.report());
    }
    let Cli { terminal, command } = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            let other = (error.kind() == ErrorKind::InvalidSubcommand).then(outside::run_other).flatten();
            return other.unwrap_or_else(|| print(&error)).unwrap_or_else(|failure| failure.report());
        }
    };
    terminal::set(terminal);
    let reports_no_sgf = matches!(command, Command::Check(_) | Command::Events(_)); // as an error of their own
    let done = match command {
        Command::Scan(args) => scan::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Records(args) => records::run(&args),
        Command::Find(args) => find::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Edit(args) => edit::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Dups(args) => dups::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Index(args) => index::run(&args),
        Command::Names(args) => people::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Sql(args) => outside::run("sql", &args),
        Command::Filter(args) => outside::run("filter", &args),
        Command::Split(args) => split::run(&args),
        Command::Synth(args) => synth::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    failure::warn_no_input();
    failure::report_files(reports_no_sgf);
    done.unwrap_or_else(|failure| failure.report())
}

/// Parses the command line.
fn parse() -> Result<Cli, clap::Error> {
    let mut command = help::parser();
    let mut matches = command.try_get_matches_from_mut(env::args_os())?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Takes the SIMD level from `SGF_SIMD`, for benches: only speed depends on it.
fn choose_simd_level() {
    let Some(wanted) = env::var_os("SGF_SIMD") else { return };
    let levels = SimdLevel::all();
    match levels.iter().find(|level| wanted.eq_ignore_ascii_case(level.name())) {
        Some(level) => level.choose(),
        None => {
            let names: Vec<_> = levels.into_iter().map(SimdLevel::name).collect();
            let wanted = wanted.to_string_lossy();
            failure::warn(format_args!(
                "ignoring SGF_SIMD={wanted}: this machine has no such level; use one of {}",
                names.join(", ")
            ));
        }
    }
}
