//! `sgf completions`: shell completion scripts.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;

/// Print a shell completion script.
///
/// For example, in bash: source <(sgf completions bash)
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Shell to complete for.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // Into memory: clap_complete panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "sgf", &mut script);
    io::stdout().write_all(&script).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}
