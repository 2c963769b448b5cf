//! The terminal, and how much output the user wants: `--quiet`, `--color`, the progress bar.
//!
//! [`set`] is called once, before anything is printed; [`get`] returns the result. The decisions are in
//! [`Terminal`], which does not access the real terminal, so they can be tested.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

/// The options of all subcommands.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// Print results only: no progress bar, no warnings, no summaries.
    ///
    /// Inputs that cannot be read, and output that cannot be written, are still reported, and exit codes do not
    /// change.
    #[arg(long, short, global = true)]
    quiet: bool,

    /// Name every file that could not be read, was refused or has no SGF data.
    ///
    /// Without this option, the first file with a problem is named, and the others are counted.
    #[arg(long, short, global = true)]
    verbose: bool,

    /// When to use colors.
    ///
    /// `auto` uses colors if standard output is a terminal. The environment variables NO_COLOR, CLICOLOR=0 and
    /// TERM=dumb turn them off; CLICOLOR_FORCE=1 turns them on, even into a pipe.
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t)]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// The time at which a subcommand writes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    /// Lines, while it reads.
    Lines,
    /// Its results, at the end.
    AtEnd,
}

/// The facts that decide about output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminal {
    options: Options,
    /// Whether standard output is a terminal, and standard error.
    stdout: bool,
    stderr: bool,
    /// The columns of standard output.
    columns: Option<usize>,
    /// Whether it can only print lines.
    is_dumb: bool,
    no_color: Option<OsString>,
    clicolor: Option<OsString>,
    clicolor_force: Option<OsString>,
}

static TERMINAL: OnceLock<Terminal> = OnceLock::new();

/// Applies the options of the command line.
pub(crate) fn set(options: Options) {
    let _ = TERMINAL.set(Terminal::real(options));
}

/// Returns the terminal of this process.
pub(crate) fn get() -> &'static Terminal {
    TERMINAL.get_or_init(|| Terminal::real(Options::default()))
}

impl Terminal {
    fn real(options: Options) -> Self {
        // Windows has no TERM.
        let is_dumb = env::var_os("TERM").map_or(cfg!(unix), |term| term.is_empty() || term == "dumb");
        Terminal {
            options,
            stdout: io::stdout().is_terminal(),
            stderr: io::stderr().is_terminal(),
            columns: io::stdout()
                .is_terminal()
                .then(terminal_size::terminal_size)
                .flatten()
                .map(|(width, _)| width.0.into()),
            is_dumb,
            no_color: env::var_os("NO_COLOR"),
            clicolor: env::var_os("CLICOLOR"),
            clicolor_force: env::var_os("CLICOLOR_FORCE"),
        }
    }

    /// Returns whether all messages except failures are omitted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.options.quiet
    }

    /// Returns whether every file with a problem is named.
    pub(crate) fn is_verbose(&self) -> bool {
        self.options.verbose
    }

    /// Returns whether standard output is read by people.
    pub(crate) fn shows_output(&self) -> bool {
        self.stdout
    }

    /// Returns whether standard error is read by people.
    pub(crate) fn shows_messages(&self) -> bool {
        self.stderr
    }

    /// Returns the width of standard output in columns, if that is a terminal.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Returns whether standard output is colored.
    pub(crate) fn has_color(&self) -> bool {
        let is_set = |variable: &Option<OsString>| variable.as_ref().is_some_and(|value| !value.is_empty());
        let is_zero = |variable: &Option<OsString>| variable.as_ref().is_some_and(|value| value == "0");
        match self.options.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if is_set(&self.no_color) => false,
            Color::Auto if is_set(&self.clicolor_force) && !is_zero(&self.clicolor_force) => true,
            Color::Auto => self.stdout && !self.is_dumb && !is_zero(&self.clicolor),
        }
    }

    /// Returns whether to show a progress bar on standard error. It must not mix with lines of output on one
    /// terminal.
    pub(crate) fn has_bar(&self, writes: Writes) -> bool {
        let is_in_the_way = self.stdout && writes == Writes::Lines;
        self.stderr && !self.is_dumb && !self.options.quiet && !is_in_the_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(value: &str) -> Option<OsString> {
        Some(value.into())
    }

    #[test]
    fn colors_are_for_terminals_unless_the_user_overrides() {
        let pipe = Terminal::default();
        let terminal = Terminal { stdout: true, stderr: true, ..pipe.clone() };
        let with = |terminal: &Terminal, color| Terminal {
            options: Options { color, ..Options::default() },
            ..terminal.clone()
        };
        for (terminal, expected) in [
            (pipe.clone(), false),
            (terminal.clone(), true),
            (Terminal { stdout: false, ..terminal.clone() }, false),
            (Terminal { is_dumb: true, ..terminal.clone() }, false),
            (Terminal { no_color: some("1"), ..terminal.clone() }, false),
            (Terminal { no_color: some(""), ..terminal.clone() }, true),
            (Terminal { clicolor: some("0"), ..terminal.clone() }, false),
            (Terminal { clicolor: some("1"), ..terminal.clone() }, true),
            (Terminal { clicolor: some("1"), ..pipe.clone() }, false),
            (Terminal { clicolor_force: some("1"), ..pipe.clone() }, true),
            (Terminal { clicolor_force: some("0"), ..pipe.clone() }, false),
            (Terminal { clicolor_force: some(""), ..pipe.clone() }, false),
            (Terminal { clicolor_force: some("1"), no_color: some("1"), ..terminal.clone() }, false),
            (Terminal { clicolor_force: some("1"), is_dumb: true, ..terminal.clone() }, true),
            (Terminal { options: Options { quiet: true, ..Options::default() }, ..terminal.clone() }, true),
        ] {
            assert_eq!(terminal.has_color(), expected, "{terminal:?}");
            assert!(with(&terminal, Color::Always).has_color(), "{terminal:?}");
            assert!(!with(&terminal, Color::Never).has_color(), "{terminal:?}");
        }
    }

    #[test]
    fn a_bar_is_shown_only_on_a_terminal_that_gets_no_lines() {
        for (stdout, stderr, with_lines, at_end) in [
            (false, false, false, false),
            (true, false, false, false),
            (false, true, true, true), // 2>&1 of a terminal, output to a file
            (true, true, false, true),
        ] {
            let terminal = Terminal { stdout, stderr, ..Terminal::default() };
            assert_eq!(terminal.has_bar(Writes::Lines), with_lines, "{terminal:?}");
            assert_eq!(terminal.has_bar(Writes::AtEnd), at_end, "{terminal:?}");
            let quiet = Options { quiet: true, color: Color::Always, ..Options::default() };
            for none in
                [Terminal { is_dumb: true, ..terminal.clone() }, Terminal { options: quiet, ..terminal.clone() }]
            {
                assert!(!none.has_bar(Writes::Lines) && !none.has_bar(Writes::AtEnd), "{none:?}");
            }
        }
    }
}
