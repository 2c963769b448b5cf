//! `sgf-sql`: SQL over SGF files on the command line. `sgf sql` and `sgf filter` run it.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
