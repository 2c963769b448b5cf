//! Subcommands that are programs of their own: `sgf sql` and `sgf filter` run `sgf-sql`, which this package does not
//! build, because DataFusion takes longer to compile than everything else, and needs a newer compiler. Any other
//! `sgf NAME` runs `sgf-NAME`, as with git and cargo.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::failure::Failure;

/// The program.
const PROGRAM: &str = "sgf-sql";

/// Arguments that are passed on unchanged.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Arguments of `sgf-sql`: see its --help.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
    args: Vec<OsString>,
}

/// Returns the subcommand that is given first, before any option, with all that comes after it: options that have the same
/// names here are those of the program.
pub(crate) fn given() -> Option<(&'static str, Args)> {
    let mut args = env::args_os().skip(1);
    let first = args.next()?;
    let subcommand = ["sql", "filter"].into_iter().find(|name| first == *name)?;
    Some((subcommand, Args { args: args.collect() }))
}

/// Runs a subcommand of the program: the one beside this program, or else the one in PATH. No shell sees the arguments.
pub(crate) fn run(subcommand: &str, args: &Args) -> Result<ExitCode, Failure> {
    let beside = env::current_exe().ok().and_then(|this| Some(this.parent()?.join(name())));
    let program = beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name()));
    let mut command = Command::new(program);
    command.arg(subcommand).args(&args.args);
    let error = match execute(&mut command) {
        Ok(code) => return Ok(code),
        Err(error) => error,
    };
    Err(Failure::Usage(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "`sgf {subcommand}` needs `{PROGRAM}`, which is not installed; run `cargo install --path crates/sgf-sql` in the \
             sources of sgf-stream"
        ),
        _ => format!("{PROGRAM}: {error}"),
    }))
}

/// Runs `sgf-NAME` for a subcommand NAME that this program does not have. `None` if there is no such program.
pub(crate) fn run_other() -> Option<Result<ExitCode, Failure>> {
    let mut args = env::args_os().skip(1);
    let name = args.next()?.into_string().ok()?;
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) || name.starts_with('-') {
        return None;
    }
    let program = format!("sgf-{name}");
    match execute(Command::new(format!("{program}{}", env::consts::EXE_SUFFIX)).args(args)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        done => Some(done.map_err(|error| Failure::Usage(format!("{program}: {error}")))),
    }
}

fn name() -> String {
    format!("{PROGRAM}{}", env::consts::EXE_SUFFIX)
}

/// Becomes the program, so that signals and exit codes are its own.
#[cfg(unix)]
fn execute(command: &mut Command) -> io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn execute(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().unwrap_or(1);
    Ok(u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from))
}
