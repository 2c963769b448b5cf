//! `sgf completions`: shell completion scripts.
//!
//! `clap_complete` generates them. It completes a value as a whole, but some options take lists of names with commas
//! between them. So the script is generated with a placeholder for the names of each list, and what surrounds it becomes,
//! in each shell, what completes the name after the last comma.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Command;
use clap::builder::PossibleValuesParser;
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
    io::stdout().write_all(script(args.shell).as_bytes()).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell) -> String {
    let mut lists = Vec::new();
    let mut command = crate::help::command().mut_subcommands(|command| with_placeholders(command, &mut lists));
    // Into memory: clap_complete panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "sgf", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    for (placeholder, names) in PLACEHOLDERS.into_iter().zip(&lists) {
        let (around, within) = match shell {
            Shell::Bash => (
                format!(r#"COMPREPLY=($(compgen -W "{placeholder}" -- "${{cur}}"))"#),
                format!(r#"_sgf_list "{names}""#),
            ),
            Shell::Zsh => (format!("({placeholder})"), format!("_sequence compadd - {names}")),
            Shell::Fish => (
                format!(r#"-a "{placeholder}\t''""#),
                format!(r#"-a "(__fish_complete_list , 'string split \" \" \"{names}\"')""#),
            ),
            _ => continue, // no values of options are completed
        };
        script = script.replace(&around, &within);
    }
    if shell == Shell::Bash {
        script.insert_str(0, BASH_LIST);
    }
    script
}

/// The placeholders of the lists: clap takes no others than fixed texts.
const PLACEHOLDERS: [&str; 4] = ["SGF_LIST_A", "SGF_LIST_B", "SGF_LIST_C", "SGF_LIST_D"];

/// Completes the last name of a list.
const BASH_LIST: &str = r#"_sgf_list() {
    local front=""
    [[ "${cur}" == *,* ]] && front="${cur%,*},"
    COMPREPLY=($(compgen -P "${front}" -W "$1" -- "${cur##*,}"))
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        compopt -o nospace
    fi
}

"#;

/// Replaces the names of each list with a placeholder, and adds them to `lists`.
fn with_placeholders(command: Command, lists: &mut Vec<String>) -> Command {
    command.mut_args(|arg| {
        let is_list = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.ends_with(",…")));
        let names = arg.get_value_parser().possible_values();
        let names = names.map(|names| names.map(|name| name.get_name().to_owned()).collect::<Vec<_>>().join(" "));
        match names {
            Some(names) if is_list => {
                let number = lists.iter().position(|list| *list == names).unwrap_or_else(|| {
                    lists.push(names);
                    lists.len() - 1
                });
                match PLACEHOLDERS.get(number) {
                    Some(&placeholder) => arg.value_parser(PossibleValuesParser::new([placeholder])),
                    None => arg, // completed as a whole
                }
            }
            _ => arg,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_completed_in_each_shell_that_completes_values() {
        for (shell, expected) in [
            (Shell::Bash, "_sgf_list \"all syntax style "),
            (Shell::Zsh, "_sequence compadd - all syntax style "),
            (Shell::Fish, "__fish_complete_list , 'string split \\\" \\\" \\\"all syntax style "),
        ] {
            let script = script(shell);
            assert!(script.contains(expected), "{shell}: {script}");
            assert!(!script.contains("SGF_LIST_"), "{shell}");
            assert!(script.contains("Shift_JIS") && script.contains("black_rank"), "{shell}");
        }
    }
}
