//! `sgf completions`: a script that teaches a shell the arguments of this program.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;

/// Print a script that completes the arguments of `sgf` in a shell.
///
/// For example, in bash: source <(sgf completions bash)
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // Through a buffer: clap_complete panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "sgf", &mut script);
    io::stdout().write_all(&script).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}
