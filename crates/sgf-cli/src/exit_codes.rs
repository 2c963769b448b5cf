//! Exit codes: what 0, 1 and 2 mean for each command.
//!
//! The table is the only place that says so. `help` makes the last section of each `--help` from it, and
//! `tests/cli/exit_codes.rs` the section of the guide; the same test runs each command and compares its codes.

/// What the exit codes of a command mean.
pub(crate) struct ExitCodes {
    /// The command.
    pub(crate) command: &'static str,
    /// The meaning of 0.
    pub(crate) success: &'static str,
    /// The meaning of 1, a negative answer. `None` for a command that never exits with 1.
    pub(crate) negative: Option<&'static str>,
    /// The meaning of 2.
    pub(crate) trouble: &'static str,
}

const fn row(
    command: &'static str,
    success: &'static str,
    negative: Option<&'static str>,
    trouble: &'static str,
) -> ExitCodes {
    ExitCodes { command, success, negative, trouble }
}

/// Commands to which a file without SGF data is an error, with code 1. For the others it is a warning, and changes no code.
pub(crate) const NO_SGF_IS_NEGATIVE: [&str; 2] = ["check", "events"];

/// The meaning of 2 for most commands.
const TROUBLE: &str = "wrong usage, or something could not be read or written";

/// The commands, in the order of `sgf --help`.
#[rustfmt::skip]
pub(crate) const TABLE: [ExitCodes; 20] = [
    row("scan", "all input was read", None,
        "wrong usage, or something could not be read; everything else is still scanned, and `files` counts the files that \
         were read to the end"),
    row("events", "no line is an error", Some("a line is an error, or an archive has no SGF file"),
        "wrong usage, or the file could not be read"),
    row("records", "every game has a row",
        Some("a game is rejected: it exceeds a limit, or has an error and --strict is given"),
        "wrong usage, or something could not be read or written; everything else is still read"),
    row("find", "a game matches", Some("no game matches"), TROUBLE),
    row("openings", "a game has the first position", Some("no game has the first position"), TROUBLE),
    row("check", "no errors; with --fix, none are left",
        Some("a diagnostic has the severity error; with --fix, one is left"),
        "wrong usage, or something could not be read or written, such as a compressed file with --fix; everything else is \
         still checked"),
    row("fmt", "success, even if games were repaired or left unchanged; with --check, no file would change",
        Some("a file or a game was left unchanged because of an error in it; with --check, a file would change"),
        "wrong usage, or a file could not be read or written, such as a compressed file with --write"),
    row("edit", "success",
        Some("a file or a game was left unchanged because of an error in it, or because an edit does not apply to it"),
        "wrong usage, or a file could not be read or written"),
    row("show", "success",
        Some("a game or a move does not exist, or a game is skipped because it is too large or cannot be drawn"), TROUBLE),
    row("dups", "all input was read", None,
        "wrong usage, or something could not be read or written, such as a game of standard input that is too large"),
    row("diff", "no differences", Some("there are differences"), "wrong usage, or something could not be read"),
    row("index", "the index was written", None, TROUBLE),
    row("names", "the names were written", None, TROUBLE),
    row("report", "the report was written", None,
        "wrong usage, or something could not be read or written; everything else is still in the report"),
    row("sql", "success", None, "wrong usage, a query that cannot be run, or something could not be read or written"),
    row("filter", "a game matches", Some("no game matches"),
        "wrong usage, a condition that cannot be evaluated, or something could not be read or written"),
    row("split", "the ranges were printed, or the files written", None, TROUBLE),
    row("synth", "success", None, "wrong usage, or the output could not be written"),
    row("completions", "success", None, "wrong usage, or the output could not be written"),
    row("man", "success", None, "wrong usage, or the output could not be written"),
];

/// What comes after the meaning of 0 for a command that prints.
const PIPE: &str = "; also if the reader of the output closes the pipe";

/// Commands that are not for everyday use, which no list names.
const UNLISTED: [&str; 3] = ["synth", "completions", "man"];

/// A command for programs, which the guide lists, and `sgf --help` does not.
const HIDDEN: &str = "events";

/// Returns the last section of the help of a command. `None` for an unknown command.
pub(crate) fn section(command: &str) -> Option<String> {
    let codes = TABLE.iter().find(|codes| codes.command == command)?;
    let meanings =
        [Some([codes.success, PIPE].concat()), codes.negative.map(str::to_owned), Some(codes.trouble.to_owned())];
    let lines = meanings
        .iter()
        .enumerate()
        .filter_map(|(code, meaning)| Some(entry(&format!("  {code}  "), meaning.as_ref()?)));
    Some(format!("Exit codes:\n{}", lines.collect::<String>().trim_end()))
}

/// Returns the last section of `sgf --help`.
pub(crate) fn section_of_all() -> String {
    let mut text = format!("Exit codes:\n{}  1  a negative answer:\n", entry("  0  ", &["success", PIPE].concat()));
    for codes in listed().filter(|codes| codes.command != HIDDEN) {
        if let Some(negative) = codes.negative {
            text += &entry(&format!("     {:<9} ", codes.command), negative);
        }
    }
    text += &entry("  2  ", TROUBLE);
    text + "\n" + &entry("  ", &no_sgf()) + entry("  ", &never()).trim_end()
}

/// Returns the section of the guide, without its heading.
#[allow(dead_code)] // for the tests
pub(crate) fn page() -> String {
    let mut text = format!("| command | 0: success{PIPE} | 1: a negative answer | 2: trouble |\n|---|---|---|---|\n");
    for codes in listed() {
        let negative = codes.negative.unwrap_or("never");
        text += &format!("| `{}` | {} | {negative} | {} |\n", codes.command, codes.success, codes.trouble);
    }
    text + "\n" + no_sgf().as_str() + "\n"
}

fn listed() -> impl Iterator<Item = &'static ExitCodes> {
    TABLE.iter().filter(|codes| !UNLISTED.contains(&codes.command))
}

fn no_sgf() -> String {
    let commands = NO_SGF_IS_NEGATIVE.map(|command| format!("`{command}`")).join(" and ");
    format!(
        "A file without SGF data is a warning and does not change the code. For {commands} it is an error, with code 1."
    )
}

fn never() -> String {
    let commands: Vec<_> =
        listed().filter(|codes| codes.negative.is_none()).map(|codes| format!("`{}`", codes.command)).collect();
    let (last, others) = commands.split_last().expect("some commands never exit with 1");
    format!("{} and {last} never exit with 1.", others.join(", "))
}

/// Returns lines of at most 80 columns, which begin with a label or the same number of spaces.
fn entry(label: &str, text: &str) -> String {
    let indent = " ".repeat(label.len());
    format!("{label}{}\n", wrapped(text, 80 - label.len()).replace('\n', &format!("\n{indent}")))
}

/// Wraps a text between words. Only a longer word has a line of more than `most` characters.
pub(crate) fn wrapped(text: &str, most: usize) -> String {
    let (mut lines, mut width) = (String::with_capacity(text.len()), 0);
    for word in text.split(' ') {
        let len = word.chars().count();
        if width > 0 {
            lines.push(if width + 1 + len > most { '\n' } else { ' ' });
            width = if width + 1 + len > most { 0 } else { width + 1 };
        }
        lines += word;
        width += len;
    }
    lines
}
