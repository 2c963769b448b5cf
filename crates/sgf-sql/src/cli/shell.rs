//! The shell: reads statements, line by line, up to `;`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use sgf_table::Column;

use super::errors::Failure;
use super::output::Target;
use super::session::{Session, TABLES};
use super::statements::statements;
use super::{Common, complain, note};

const HELP: &str = r"End a statement with `;`. Ctrl-C drops it.
  \d             the tables
  \d TABLE       the columns of a table, and their meanings
  help, \?       this help
  exit, quit     end (or \q, or Ctrl-D)";

/// Words of SQL that are completed.
const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "HAVING",
    "JOIN",
    "DISTINCT",
    "BETWEEN",
    "IS NULL",
    "IS NOT NULL",
    "LIKE",
    "ILIKE",
    "EXPLAIN",
    "EXPLAIN ANALYZE",
    "CREATE EXTERNAL TABLE",
    "STORED AS SGF LOCATION",
    "count(*)",
    "avg(",
    "sum(",
    "min(",
    "max(",
    "year(",
    "month(",
    "day(",
    "date_trunc(",
    "has_moves(",
    "canonical_moves(",
    "corner_moves(",
    "array_length(",
    "substr(",
    "starts_with(",
];

pub(super) async fn run(session: &Session, target: &Target, common: &Common) -> Result<(), Failure> {
    let is_terminal = io::stdin().is_terminal();
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(false).build();
    let mut editor: Editor<Words, FileHistory> = Editor::with_config(config).map_err(input)?;
    editor.set_helper(Some(Words::of(session)));
    let history = history().filter(|_| is_terminal);
    if let Some(history) = &history {
        let _ = editor.load_history(history); // there is none at first
    }
    if is_terminal && !common.quiet {
        note("`help` prints the commands, `exit` ends; end a statement with `;`");
    }
    let mut statement = String::new();
    let done = loop {
        let prompt = match (is_terminal, statement.is_empty()) {
            (false, _) => "",
            (true, true) => "sgf> ",
            (true, false) => "  -> ",
        };
        let line = match editor.readline(prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                statement.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break Ok(()),
            Err(error) => break Err(input(error)),
        };
        let word = line.trim();
        match Command::of(word) {
            Some(Command::End) if statement.is_empty() || word.starts_with('\\') => {
                statement.clear();
                break Ok(());
            }
            Some(Command::Other) if statement.is_empty() || word.starts_with('\\') => {
                let _ = editor.add_history_entry(word);
                command(session, word)?;
                continue;
            }
            Some(_) => complain(format_args!(
                "the statement before {word:?} is incomplete; end it with `;`, or drop it with Ctrl-C"
            )),
            None => {}
        }
        if !statement.is_empty() {
            statement.push('\n');
        }
        statement.push_str(&line);
        if word.ends_with(';') {
            let text = std::mem::take(&mut statement);
            let _ = editor.add_history_entry(text.trim());
            tell(statements(session, &text, target, common).await)?;
        }
    };
    if !statement.trim().is_empty() {
        tell(statements(session, &statement, target, common).await)?;
    }
    if let Some(history) = &history {
        let _ = editor.save_history(history); // an unwritable home directory is not a failure
    }
    done
}

/// A line that is not SQL.
enum Command {
    /// Ends the shell.
    End,
    Other,
}

impl Command {
    fn of(line: &str) -> Option<Self> {
        match line.trim_end_matches(';').trim_end().to_ascii_lowercase().as_str() {
            r"\q" | r"\quit" | "quit" | "exit" => Some(Command::End),
            "help" | "?" => Some(Command::Other),
            other => other.starts_with('\\').then_some(Command::Other),
        }
    }
}

/// Prints the error of a statement: the shell goes on.
fn tell(done: Result<(), Failure>) -> Result<(), Failure> {
    match done {
        Err(failure @ Failure::Output(_)) => Err(failure),
        Err(failure) => {
            failure.report();
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// A command that does not end the shell.
fn command(session: &Session, command: &str) -> Result<(), Failure> {
    let mut words = command.trim_end_matches(';').split_whitespace();
    let mut out = io::stdout().lock();
    match (words.next(), words.next()) {
        (Some(r"\d"), None) => {
            for name in tables(session) {
                writeln!(out, "{name}")?;
            }
        }
        (Some(r"\d"), Some(name)) => match TABLES.iter().find(|table| table.name() == name) {
            Some(&table) => {
                for column in session.table(table, &[])?.options().column_list() {
                    writeln!(out, "{:<16} {:<10} {}", column.name(), column.column_type().name(), column.meaning())?;
                }
            }
            None => {
                writeln!(out, "{name:?} is not one of the tables games, moves and properties; use `DESCRIBE {name};`")?
            }
        },
        (Some(r"\?" | r"\h" | r"\help" | "?"), _) => writeln!(out, "{HELP}")?,
        (Some(word), _) if word.eq_ignore_ascii_case("help") => writeln!(out, "{HELP}")?,
        _ => writeln!(out, "{command:?} is not a command.\n{HELP}")?,
    }
    Ok(())
}

fn tables(session: &Session) -> BTreeSet<String> {
    let schemas =
        session.ctx.catalog_names().into_iter().filter_map(|name| session.ctx.catalog(&name)).flat_map(|catalog| {
            let schemas = catalog.schema_names().into_iter().filter(|name| name != "information_schema");
            schemas.filter_map(|name| catalog.schema(&name)).collect::<Vec<_>>()
        });
    schemas.flat_map(|schema| schema.table_names()).collect()
}

fn input(error: ReadlineError) -> Failure {
    Failure::Usage(format!("the input cannot be read: {error}"))
}

/// The file with the history: as psql and others have it, in the home directory.
fn history() -> Option<PathBuf> {
    env::home_dir().filter(|home| !home.as_os_str().is_empty()).map(|home| home.join(".sgf_sql_history"))
}

/// Completes names of columns and tables, and words of SQL.
struct Words {
    words: BTreeSet<String>,
}

impl Words {
    fn of(session: &Session) -> Self {
        let columns = TABLES.into_iter().flat_map(Column::all).map(|column| column.name().to_owned());
        let words = WORDS.iter().map(|&word| word.to_owned());
        Words { words: columns.chain(tables(session)).chain(words).collect() }
    }

    /// Returns where the word before an offset begins, and the words that begin like it.
    fn complete_at(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = &line[..at];
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let begun = before[start..].to_ascii_lowercase();
        if begun.is_empty() {
            return (at, Vec::new());
        }
        let words = self.words.iter().filter(|word| word.to_ascii_lowercase().starts_with(&begun));
        (start, words.cloned().collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete_at(line, at))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Borrowed(line)
    }
}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed() {
        let words = Words { words: ["black", "black_rank", "SELECT"].map(str::to_owned).into() };
        assert_eq!(words.complete_at("SELECT bla", 10), (7, vec!["black".to_owned(), "black_rank".to_owned()]));
        assert_eq!(words.complete_at("sel", 3), (0, vec!["SELECT".to_owned()]));
        assert_eq!(words.complete_at("max(black_", 10), (4, vec!["black_rank".to_owned()]));
        assert_eq!(words.complete_at("あbl", 5).0, 0);
        assert_eq!(words.complete_at("、bl", 5).0, 3);
        assert_eq!(words.complete_at("x ", 2), (2, Vec::new()));
    }
}
