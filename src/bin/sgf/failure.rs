//! What stops a subcommand, and the exit code that it leads to.

use std::io;
use std::process::ExitCode;

use crate::input::Name;

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

/// One line on standard error. `eprintln!` would panic if that is closed.
pub(crate) fn complain(message: std::fmt::Arguments<'_>) {
    use io::Write;
    let _ = writeln!(io::stderr(), "sgf: {message}");
}
