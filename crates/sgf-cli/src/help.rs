//! The command line as a whole: the options of the subcommands, arranged.
//!
//! Each subcommand declares its options, and those that several have are declared once. Here they get their places: what one
//! looks for comes first, the options of the subcommand; then what is read and how; and last, in a list at the end, the
//! limits of archives, which few people change.

use clap::{Arg, Command, CommandFactory};

use crate::Cli;
use crate::exit_codes;
use crate::input::{HOW, INPUTS, LIMITS};
use crate::names::{self, named};

/// Options that are about inputs, wherever they are declared.
const OF_INPUTS: [&str; 4] = ["charset", "default_charset", "guess_charset", "game_type"];

/// Options whose values are names of charsets.
const CHARSETS: [&str; 2] = ["charset", "default_charset"];

/// Options that come after those of the subcommand.
const LATE: [&str; 4] = ["threads", "quiet", "verbose", "color"];

/// Place of the first of [`LATE`] in the order of options.
const LAST: usize = 900;

/// Returns the program with all its subcommands and options.
pub(crate) fn command() -> Command {
    program().mut_subcommands(subcommand)
}

/// Like [`command`], for parsing a command line: of the subcommands, only the one that is used is arranged.
pub(crate) fn parser() -> Command {
    program().mut_subcommands(|command| command.defer(subcommand))
}

fn program() -> Command {
    Cli::command().mut_args(|arg| arranged(arg, false))
}

fn subcommand(command: Command) -> Command {
    let has_inputs = command.get_arguments().any(|arg| arg.get_id() == "files0_from");
    let limits: Vec<String> = command.get_arguments().filter(|arg| is_limit(arg)).map(limit).collect();
    let command = command.mut_args(|arg| arranged(arg, has_inputs));
    let Some(codes) = exit_codes::section(command.get_name()) else { return command };
    let before = command.get_after_long_help().map(ToString::to_string);
    let sections = before.into_iter().chain(has_inputs.then(|| HOW.to_owned())).chain([codes]);
    let mut more = sections.collect::<Vec<_>>().join("\n\n");
    if !limits.is_empty() {
        more += &format!("\n\n{LIMITS}:\n{}", limits.concat().trim_end());
    }
    command.after_long_help(more)
}

/// Returns the text after the options without the limits.
pub(crate) fn without_limits(more: &str) -> &str {
    more.split_once(&format!("\n\n{LIMITS}:\n")).map_or(more, |(front, _)| front)
}

/// Puts an option in its place, of a subcommand that has inputs or not.
fn arranged(arg: Arg, has_inputs: bool) -> Arg {
    let id = arg.get_id().as_str();
    let [is_of_inputs, is_charset] = [&OF_INPUTS[..], &CHARSETS].map(|ids| has_inputs && ids.contains(&id));
    let place = LATE.iter().position(|late| *late == id);
    let arg = match place {
        Some(place) => arg.display_order(LAST + place),
        None if is_of_inputs => arg.help_heading(INPUTS),
        None if is_limit(&arg) => arg.hide_short_help(true).hide_long_help(true),
        None => arg,
    };
    match is_charset {
        true => arg.value_parser(named(names::charset, names::charsets)).hide_possible_values(true),
        false => arg,
    }
}

pub(crate) fn is_limit(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(LIMITS)
}

/// Returns the line of a limit.
fn limit(arg: &Arg) -> String {
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    let option = format!("--{} {value}", arg.get_long().unwrap_or_default());
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let default = arg.get_default_values().first().map(|value| value.to_string_lossy()).unwrap_or_default();
    format!("  {option:<20}  {help} [{default}]\n")
}
