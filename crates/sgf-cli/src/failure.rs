//! The messages on standard error, and the errors that stop a subcommand, with their exit code.
//!
//! Each message has a severity after the name of the program, or after its location if that is known:
//!
//! - `sgf: error: a.sgf: …`: something could not be read, written or done ([`complain`]);
//! - `sgf: warning: …`: the result may not be what the user expects ([`warn`]);
//! - `sgf: …`: what was done ([`note`]);
//! - `a.sgf:12:7: error: …` and `a.sgf:12:7: warning: …`: see [`located`].
//!
//! `--quiet` omits all but errors. Problems of files are [noted](note_trouble) and reported [at the end](report_files), a line per kind.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Command;
use sgf_input::Problems;
use sgf_stream::{Code, Position, Severity};

use crate::input::Name;
use crate::visible::Visible;
use crate::{decoding, help, near, terminal};

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
        let known = program.get_subcommands().filter(|known| !known.is_hide_set()).map(Command::get_name);
        let hint = match name {
            "tree" => "; use `sgf show --tree`".to_owned(), // which was a command of its own
            _ => near::hint(name, known),
        };
        Failure::Usage(format!("unknown subcommand '{name}'{hint} (`sgf --help` lists all)"))
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

    /// Returns the message of a program that was built without a feature. `what` needs it.
    pub(crate) fn without_feature(what: &str, feature: &str) -> String {
        format!(
            "this build has no {what} support; run `cargo install --path crates/sgf-cli --features {feature}` in the sources of \
             sgf-stream"
        )
    }
}

/// The problems of files.
static PROBLEMS: Problems = Problems::new();

/// Notes a file that could not be read, or was refused. [`report_files`] reports it.
pub(crate) fn note_trouble(name: &Name, error: impl fmt::Display) {
    note_file(Severity::Error, name, error);
}

/// Notes a file without SGF data. [`report_files`] reports it, unless `--quiet` is given.
pub(crate) fn note_no_sgf(name: &Name) {
    note_warning(name, Code::NoSgfData.message());
}

/// Notes a file that is not repaired, which is a warning. [`report_files`] reports it, unless `--quiet` is given.
pub(crate) fn note_refused(name: &Name, why: impl fmt::Display) {
    note_warning(name, format_args!("not repaired: {why}"));
}

/// Notes what may be wrong with a file, which is a warning. [`report_files`] reports it, unless `--quiet` is given.
pub(crate) fn note_warning(name: &Name, said: impl fmt::Display) {
    note_file(Severity::Warning, name, said);
}

fn note_file(severity: Severity, name: &Name, said: impl fmt::Display) {
    PROBLEMS.note(severity, name, said, terminal::get().is_verbose());
}

/// Prints a line per kind of problem of files, or, with `--verbose`, per file. Called at the end. `--quiet` omits warnings;
/// `reports_no_sgf`: the command has reported files without SGF data in its own way.
pub(crate) fn report_files(reports_no_sgf: bool) {
    for problem in PROBLEMS.take() {
        let is_reported = reports_no_sgf && problem.message() == Code::NoSgfData.message();
        if problem.severity() == Severity::Warning && (is_reported || terminal::get().is_quiet()) {
            continue;
        }
        let prefix = prefix(problem.severity());
        let advice = decoding::advice(problem.message()).map_or(String::new(), |advice| format!("; {advice}"));
        for sentence in problem.sentences("--verbose names all", &advice) {
            print(&prefix, format_args!("{sentence}"));
        }
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
