//! Transcripts of pages, run again: blocks marked `console`, of commands and what they print.
//!
//! ```console
//! $ cat > game.sgf <<'EOF'
//! (;FF[4]GM[1];B[qd])
//! EOF
//! $ sgf records --format csv --columns file,moves game.sgf | tail -n 1
//! game.sgf,1
//! ```
//!
//! A command begins with `$ `. It goes on while a line ends in `\`, and to the end of a here-document. All commands of a
//! page run in one shell, so variables and `$?` work. The shell runs in a new directory with the SGF files of
//! `crates/sgf-guide/src/games`, as `games`, and of `examples`. Standard error is shown too; in a pipe, say `2>&1 |`, since otherwise
//! the order may change. A block in an HTML comment runs as well, for what readers need not see.
//!
//! Times differ from run to run: a line that ends in ` MB/s` stays as the page has it.
//!
//! Blocks marked `sh` do not run: they are for what a test cannot do, such as an installation.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the shell prints after each command.
const MARK: char = '\u{1e}';

/// A part of a page.
enum Piece {
    /// Stays as it is.
    Text(String),
    /// A command and, if it was run, the number of those before it.
    Command { lines: String, shown: String, number: Option<usize> },
}

/// Which commands to run.
pub(crate) enum Run {
    Yes,
    /// Leave its output as it is on the page.
    No,
    /// Leave this one and all after it, since they may need its results.
    Stop,
}

/// Returns the page with the output that its commands have now, when they run in `dir`. `setup` is for the shell; the variable
/// `program` is the number of Rust programs above the command.
pub(crate) fn renewed(page: &str, dir: &Path, setup: &str, which: impl Fn(&str) -> Run) -> String {
    let mut pieces = vec![];
    let (mut script, mut number, mut programs, mut stopped) = (format!("exec 2>&1\n{setup}\n"), 0, 0, false);
    let mut lines = page.split_inclusive('\n').peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        programs += usize::from(line.starts_with("```rust"));
        inside = if inside { !line.starts_with("```") } else { line == "```console\n" };
        let Some(mut text) = line.strip_prefix("$ ").filter(|_| inside).map(str::to_owned) else {
            pieces.push(Piece::Text(line.to_owned()));
            continue;
        };
        let end = text.split_once("<<").map(|(_, end)| format!("{}\n", end.trim().trim_matches('\'')));
        let complete = |text: &str| match &end {
            Some(end) => text.ends_with(&format!("\n{end}")),
            None => !text.ends_with("\\\n"),
        };
        while !complete(&text) {
            text += lines.next().expect("the end of a command");
        }
        let mut shown = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            shown += line;
        }
        let run = if stopped { Run::Stop } else { which(&text) };
        stopped |= matches!(run, Run::Stop);
        let runs = matches!(run, Run::Yes);
        if runs {
            script += &format!("program={programs}\n(exit $code)\n{text}code=$?; printf '\\036'\n");
        }
        pieces.push(Piece::Command { lines: format!("$ {text}"), shown, number: runs.then_some(number) });
        number += usize::from(runs);
    }
    if number == 0 {
        return page.to_owned();
    }
    let output = shell(&script, dir);
    let outputs: Vec<&str> = output.split(MARK).collect();
    assert_eq!(
        (outputs.len(), outputs[outputs.len() - 1]),
        (number + 1, ""),
        "{dir:?}: the shell ended early: {output}"
    );
    pieces.into_iter().map(|piece| piece.renewed(&outputs)).collect()
}

impl Piece {
    fn renewed(self, outputs: &[&str]) -> String {
        match self {
            Self::Text(text) => text,
            Self::Command { lines, shown, number: None } => lines + &shown,
            Self::Command { lines, shown, number: Some(number) } => {
                let output = steady(outputs[number], &shown);
                let ambiguous = output.lines().any(|line| line.starts_with("$ ") || line.starts_with("```"));
                assert!(!ambiguous, "a page cannot show what {lines} prints: {output}");
                let end = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
                format!("{lines}{output}{end}")
            }
        }
    }
}

/// Returns the output, with speeds as the page shows them.
fn steady(output: &str, shown: &str) -> String {
    let mut old = shown.split_inclusive('\n').filter(|line| line.ends_with(" MB/s\n"));
    let lines = output.split_inclusive('\n');
    lines.map(|line| if line.ends_with(" MB/s\n") { old.next().unwrap_or(line) } else { line }).collect()
}

/// Copies the SGF files of a directory into a new one.
pub(crate) fn copy_games(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    let files = fs::read_dir(from).unwrap().map(|file| file.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "sgf")) {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

/// Runs a script, and returns what it prints.
fn shell(script: &str, dir: &Path) -> String {
    let project = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    copy_games(&project.join("crates/sgf-guide/src/games"), &dir.join("games"));
    copy_games(&project.join("examples"), &dir.join("examples"));
    let file = dir.with_extension("sh");
    fs::write(&file, script).unwrap();
    let output = Command::new("sh").arg(file).current_dir(dir).stdin(Stdio::null()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares a page with its renewed text, or writes it if `UPDATE_PAGES` is set. An error has the first line that differs.
pub(crate) fn store(file: &Path, page: &str, new: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_PAGES").is_some() && new != page {
        fs::write(file, new).unwrap();
    } else if new != page {
        let same = page.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
        let (old, new) = (page.lines().nth(same), new.lines().nth(same));
        return Err(format!("{}:{}: {old:?} is {new:?} now", file.display(), same + 1));
    }
    Ok(())
}
