//! The errors that stop a subcommand, and their exit code.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::input::Name;
use crate::terminal;
use crate::visible::Visible;

/// Exit code: something could not be read or written. (clap uses it for wrong usage too.)
pub(crate) const TROUBLE: u8 = 2;

/// An error that stops a subcommand.
pub(crate) enum Failure {
    /// An input could not be opened or read.
    Input(Name, io::Error),
    /// The threads could not be started.
    Threads(String),
    /// The arguments ask for what this program cannot do.
    Usage(String),
    /// Standard output could not be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn input(name: &Name) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Input(name.clone(), error)
    }

    /// Prints the error on standard error, and returns the exit code. A closed pipe is no error: the reader of the
    /// output has seen enough.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Usage(error) => complain(format_args!("{error}")),
            Failure::Threads(error) => complain(format_args!("--threads: {error}")),
            Failure::Output(error) => complain(format_args!("standard output: {error}")),
            Failure::Input(name, error) => complain(format_args!("{name}: {error}")),
        }
        ExitCode::from(TROUBLE)
    }
}

/// Prints a line about a failure on standard error. Unlike `eprintln!`, does not panic if that is closed.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "sgf: {}", Visible(&message.to_string()));
}

/// Prints a line about a finding or an action on standard error, unless `--quiet` is given.
pub(crate) fn note(message: fmt::Arguments<'_>) {
    if !terminal::get().is_quiet() {
        complain(message);
    }
}
