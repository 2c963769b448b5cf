//! `sgf man`: manual pages, generated from `--help`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, Command};
use clap_mangen::Man;

use crate::failure::Failure;
use crate::help::{is_limit, without_limits};

/// Print a man page (roff).
///
/// For example: sgf man scan >sgf-scan.1, or: sgf man scan | man -l -
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subcommand that the page is about. Default: `sgf` itself.
    subcommand: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    // `--help` has the limits at its end, the page among the options.
    let shown = |arg: Arg| match is_limit(&arg) {
        true => arg.hide_long_help(false).hide_short_help(false),
        false => arg,
    };
    let program = crate::help::command().disable_help_subcommand(true);
    let mut program = program.mut_subcommands(|command| command.mut_args(shown));
    program.build();
    let command = match &args.subcommand {
        None => Some(&program),
        Some(name) => program.find_subcommand(name),
    };
    let Some(command) = command else {
        return Err(Failure::unknown_subcommand(args.subcommand.as_deref().unwrap_or_default()));
    };
    // Into memory, so that the output is complete or missing.
    let mut text = Vec::new();
    page(command, &mut text).and_then(|()| io::stdout().write_all(&text)).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    let version = concat!("sgf ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version).manual("SGF archives");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    // The text after the options is formatted by hand: `clap_mangen` would fill its lines.
    let more = command.get_after_long_help().or(command.get_after_help());
    let more = more.map(ToString::to_string).unwrap_or_default();
    out.extend_from_slice(sections(without_limits(&more)).as_bytes());
    if !command.has_subcommands() {
        out.extend_from_slice(b".SH \"SEE ALSO\"\n.BR sgf (1)\n");
    }
    Ok(())
}

/// Formats the sections of a page. A line that begins in the first column and ends in a colon is a heading; all
/// others are printed unchanged.
fn sections(help: &str) -> String {
    const BEGIN: &str = ".nf\n";
    const END: &str = ".fi\n";
    let (mut text, mut is_open) = (String::new(), false);
    for line in help.trim_end().lines() {
        let heading = line.strip_suffix(':').filter(|heading| !heading.is_empty() && !heading.starts_with(' '));
        match heading {
            Some(heading) => {
                let end = if is_open { END } else { "" };
                text += &format!("{end}.SH \"{}\"\n{BEGIN}", escaped(&heading.to_uppercase()).trim_end());
            }
            None if !is_open => text += &format!(".SH NOTES\n{BEGIN}{}", escaped(line)),
            None => text += &escaped(line.strip_prefix("  ").unwrap_or(line)),
        }
        is_open = true;
    }
    if is_open { text + END } else { text }
}

/// Escapes a line for `roff`.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
    format!("{guard}{line}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_becomes_sections_with_its_lines() {
        let help = "Output:\n  a \\n -x\n    .dot\n\nNo heading: here\nExit codes:\n  0  done\n";
        let expected = ".SH \"OUTPUT\"\n.nf\na \\en \\-x\n  .dot\n\nNo heading: here\n.fi\n.SH \"EXIT CODES\"\n.nf\n0  done\n.fi\n";
        assert_eq!(sections(help), expected);
        assert_eq!(sections("  .x\n"), ".SH NOTES\n.nf\n  .x\n.fi\n");
        assert_eq!(sections("\n"), "");
        assert_eq!(escaped(".x"), "\\&.x\n");
    }
}
