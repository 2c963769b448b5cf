//! What stops a subcommand, and the exit code that it leads to.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::input::Name;
use crate::terminal;
use crate::visible::Visible;

/// Exit code: something could not be read or written. (Wrong usage ends with it too, in clap.)
pub(crate) const TROUBLE: u8 = 2;

/// Why a subcommand could not do its work.
pub(crate) enum Failure {
    /// An input could not be opened or read.
    Input(Name, io::Error),
    /// The system has not so many threads.
    Threads(String),
    /// Standard output could not be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn input(name: &Name) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Input(name.clone(), error)
    }

    /// Says so on standard error. A closed pipe is no failure: whoever reads the output has had
    /// enough of it.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Threads(error) => complain(format_args!("--threads: {error}")),
            Failure::Output(error) => complain(format_args!("standard output: {error}")),
            Failure::Input(name, error) => complain(format_args!("{name}: {error}")),
        }
        ExitCode::from(TROUBLE)
    }
}

/// Prints a line on standard error: something could not be done. `eprintln!` would panic if that is closed.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "sgf: {}", Visible(&message.to_string()));
}

/// Prints a line on standard error, unless `--quiet` is given: something was found, or done, that the user may want to
/// know.
pub(crate) fn note(message: fmt::Arguments<'_>) {
    if !terminal::get().is_quiet() {
        complain(message);
    }
}
