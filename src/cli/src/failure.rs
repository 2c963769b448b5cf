//! The messages on standard error, and the errors that stop a subcommand, with their exit code.
//!
//! Each message has a severity after the name of the program, or after its location if that is known:
//!
//! - `sgf: error: a.sgf: …`: something could not be read, written or done ([`complain`]);
//! - `sgf: warning: …`: the result may not be what the user expects ([`warn`]);
//! - `sgf: …`: what was done ([`note`]);
//! - `a.sgf:12:7: error: …` and `a.sgf:12:7: warning: …`: see [`located`].
//!
//! `--quiet` omits all but errors.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Command;
use sgf_input::NoSgf;
use sgf_stream::{Position, Severity};

use crate::input::Name;
use crate::visible::Visible;
use crate::{help, near, terminal};

/// Exit code: something could not be read or written. (clap uses it for wrong usage too.)
pub(crate) const TROUBLE: u8 = 2;

/// An error that stops a subcommand.
pub(crate) enum Failure {
    /// An input could not be opened or read.
    Input(Name, io::Error),
    /// The threads could not be started.
    Threads(String),
    /// The arguments contradict each other, or this program was built without what they need.
    Usage(String),
    /// Standard output could not be written.
    Output(io::Error),
}

impl Failure {
    /// Returns the failure of a command line with a wrong subcommand.
    pub(crate) fn unknown_subcommand(name: &str) -> Failure {
        let program = help::command();
        let hint =
            near::hint(name, program.get_subcommands().filter(|known| !known.is_hide_set()).map(Command::get_name));
        Failure::Usage(format!("unknown subcommand '{name}'{hint} (`sgf --help` lists all)"))
    }

    /// Returns the message of a program that was built without a feature. `what` needs it.
    pub(crate) fn without_feature(what: &str, feature: &str) -> String {
        format!(
            "this build has no {what} support; run `cargo install --path src/cli --features {feature}` in the sources of \
             sgf-stream"
        )
    }

    pub(crate) fn input(name: &Name) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::Input(name.clone(), error)
    }

    /// Prints the error on standard error, and returns the exit code. A closed pipe is not an error.
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

/// The files without SGF data.
static NO_SGF: NoSgf = NoSgf::new();

/// Notes a file without SGF data. [`warn_no_sgf`] reports all of them.
pub(crate) fn note_no_sgf(name: &Name) {
    NO_SGF.note(name);
}

/// Prints a line about the files that were noted, unless `--quiet` is given. Called at the end.
pub(crate) fn warn_no_sgf() {
    if let Some((_, message)) = NO_SGF.take() {
        warn(format_args!("{message}"));
    }
}

/// The lists of paths that have no files.
static NO_INPUT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Notes that some paths have no file that could be read as SGF. [`warn_no_input`] reports it.
pub(crate) fn note_no_input(paths: &[PathBuf]) {
    let names: Vec<_> = paths.iter().map(|path| Name::of(path).to_string()).collect();
    let mut noted = NO_INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.join(", ");
    if !names.is_empty() && !noted.contains(&names) {
        noted.push(names);
    }
}

/// Prints a line about the paths that were noted, unless `--quiet` is given. Called at the end.
pub(crate) fn warn_no_input() {
    for names in NO_INPUT.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        warn(format_args!(
            "no SGF files or archives in {names}; a file that is named is read regardless of its extension"
        ));
    }
}

/// Returns the start of a message without a location: `sgf: error: `.
pub(crate) fn prefix(severity: Severity) -> String {
    format!("sgf: {severity}: ")
}

/// Returns a message about a location: `a.sgf:12:7: error: …`.
pub(crate) fn located(name: &Name, position: Position, severity: Severity, message: &str) -> String {
    format!("{name}:{}:{}: {severity}: {}", position.line, position.column, Visible(message))
}

/// Prints an error.
pub(crate) fn complain(message: fmt::Arguments<'_>) {
    print(&prefix(Severity::Error), message);
}

/// Prints a warning, unless `--quiet` is given.
pub(crate) fn warn(message: fmt::Arguments<'_>) {
    if !terminal::get().is_quiet() {
        print(&prefix(Severity::Warning), message);
    }
}

/// Prints what was done, unless `--quiet` is given.
pub(crate) fn note(message: fmt::Arguments<'_>) {
    if !terminal::get().is_quiet() {
        print("sgf: ", message);
    }
}

/// Prints a message about a location, unless it is a warning and `--quiet` is given.
pub(crate) fn print_located(name: &Name, position: Position, severity: Severity, message: &str) {
    if severity == Severity::Error || !terminal::get().is_quiet() {
        print_line(&located(name, position, severity, message));
    }
}

fn print(prefix: &str, message: fmt::Arguments<'_>) {
    print_line(&format!("{prefix}{}", Visible(&message.to_string())));
}

/// Unlike `eprintln!`, does not panic if standard error is closed.
fn print_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
