//! Errors, as people read them: with the location in the query, and the names that may have been meant.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use sgf_input::near;
use sgf_stream::property;
use sgf_table::{Column, Table};

use super::{TROUBLE, complain};

/// An error that ends the run.
#[derive(Debug)]
pub(super) enum Failure {
    /// The arguments contradict each other, or the program was built without what they need.
    Usage(String),
    /// A query cannot be run.
    Query(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Returns the failure of a query.
    pub(super) fn of_query(error: &DataFusionError, query: &str) -> Self {
        match closed_pipe(error) {
            Some(error) => Failure::Output(error),
            None => Failure::Query(explain(error, query)),
        }
    }

    /// Prints the error on standard error, and returns the exit code. A closed pipe is not an error.
    pub(super) fn report(&self) -> ExitCode {
        match self {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Output(error) => complain(format_args!("the output cannot be written: {error}")),
            Failure::Usage(message) | Failure::Query(message) => complain(message),
        }
        ExitCode::from(TROUBLE)
    }
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Failure::of_query(&error, "")
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// Returns the error of a pipe that was closed.
fn closed_pipe(error: &DataFusionError) -> Option<io::Error> {
    let io = match error.find_root() {
        DataFusionError::External(error) => error.downcast_ref::<io::Error>()?,
        DataFusionError::IoError(error) => error,
        _ => return None,
    };
    (io.kind() == io::ErrorKind::BrokenPipe).then(|| io::ErrorKind::BrokenPipe.into())
}

/// Line and column, from 1, and the length in characters.
type WordPlace = (u64, u64, u64);

/// Explains an error of a query in lines.
pub(super) fn explain(error: &DataFusionError, query: &str) -> String {
    let mut place = error.diagnostic().and_then(|diagnostic| diagnostic.span).map(|span| {
        let len = if span.start.line == span.end.line { span.end.column.saturating_sub(span.start.column) } else { 1 };
        (span.start.line, span.start.column, len)
    });
    let mut message = match error.find_root() {
        DataFusionError::SQL(error, _) => {
            let text = error.to_string();
            let text = text.strip_prefix("sql parser error: ").unwrap_or(&text);
            let (message, at) = split_place(text);
            place = at.or(place);
            message.to_owned()
        }
        DataFusionError::SchemaError(error, _) => match &**error {
            SchemaError::FieldNotFound { field, valid_fields } => {
                let name = field.name();
                let found = find(name, query);
                place = place.or(found);
                let typed = found.and_then(|place| word_at(query, place)).unwrap_or_default();
                let names: Vec<&str> = valid_fields.iter().map(|field| field.name()).collect();
                format!("unknown column {name:?}{}", hint(name, typed, &names))
            }
            error => error.to_string(),
        },
        DataFusionError::External(error) => error.to_string(),
        DataFusionError::Plan(message)
        | DataFusionError::Execution(message)
        | DataFusionError::Configuration(message) => of_call(message).unwrap_or(message).to_owned(),
        error => error.strip_backtrace(),
    };
    // An error in a pattern is one in the call.
    place = place.or_else(|| find(SEARCHES.into_iter().find(|name| is_of(&message, name))?, query));
    if let Some(name) = message.strip_prefix("table '").and_then(|rest| rest.strip_suffix("' not found")) {
        let name = name.rsplit('.').next().unwrap_or(name).to_owned();
        place = place.or_else(|| find(&name, query));
        message = format!(
            "unknown table {name:?}{} (add PATHs after the query for the tables games, moves and properties, or use CREATE \
             EXTERNAL TABLE)",
            near_names(&name, MARKS.map(|(table, _)| table.name()))
        );
    }
    if let Some(place) = place {
        point(&mut message, query, place);
    }
    message
}

/// The functions whose messages begin with their names.
const SEARCHES: [&str; 4] = ["find", "matches", "position_hash", "canonical_position"];

fn is_of(message: &str, function: &str) -> bool {
    message.strip_prefix(function).is_some_and(|rest| rest.starts_with(": "))
}

/// Extracts the message of a function about its arguments from that of the planner.
fn of_call(message: &str) -> Option<&str> {
    let (_, message) = message.split_once("user-defined coercion failed with: Error during planning: ")?;
    Some(message.split_once(". No function matches").map_or(message, |(message, _)| message))
}

/// Splits the place off the message of the SQL parser: `… at Line: 1, Column: 8`.
fn split_place(text: &str) -> (&str, Option<WordPlace>) {
    let Some((message, place)) = text.rsplit_once(" at Line: ") else { return (text, None) };
    let place = place.split_once(", Column: ").and_then(|(line, column)| {
        let digits = column.find(|c: char| !c.is_ascii_digit()).unwrap_or(column.len());
        Some((line.parse().ok()?, column[..digits].parse().ok()?, 1))
    });
    (message, place)
}

/// Finds a word in a query.
fn find(word: &str, query: &str) -> Option<WordPlace> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let lower = query.to_ascii_lowercase();
    let (at, _) = lower
        .match_indices(&word.to_ascii_lowercase())
        .find(|&(at, found)| !lower[..at].ends_with(is_part) && !lower[at + found.len()..].starts_with(is_part))?;
    let before = &query[..at];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() as u64 + 1;
    Some((line, column, word.chars().count() as u64))
}

/// Returns the word at a place of a query.
fn word_at(query: &str, (line, column, len): WordPlace) -> Option<&str> {
    let number = |number: u64| usize::try_from(number).ok();
    let text = query.lines().nth(number(line)?.checked_sub(1)?)?;
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]).skip(number(column)?.checked_sub(1)?);
    let start = starts.next()?;
    let end = number(len)?.checked_sub(1).map_or(Some(start), |rest| starts.nth(rest))?;
    text.get(start..end)
}

/// Adds the line of the query, and carets below the place.
fn point(message: &mut String, query: &str, (line, column, len): WordPlace) {
    let Some(text) = usize::try_from(line).ok().and_then(|line| query.lines().nth(line.checked_sub(1)?)) else {
        return;
    };
    let column = usize::try_from(column).unwrap_or(1).max(1);
    let rest = text.chars().count().saturating_sub(column - 1).max(1);
    let len = usize::try_from(len).unwrap_or(1).clamp(1, rest);
    // Tabs stay tabs, so that the carets are below them.
    let indent: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let number = line.to_string();
    let _ = write!(
        message,
        " (line {line}, column {column})\n  {number} | {text}\n  {:width$} | {indent}{}",
        "",
        "^".repeat(len),
        width = number.len()
    );
}

/// Most names of columns in a message.
const MANY: usize = 12;

/// The tables of this program, and a column that only they have.
const MARKS: [(Table, &str); 3] =
    [(Table::Games, "sgf_moves"), (Table::Moves, "ply"), (Table::Properties, "property_offset")];

/// Returns the end of a message: the names that may be meant, in double quotes as in SQL.
fn near_names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    near::question(near::names(name, known).into_iter().map(|name| format!("{name:?}")))
}

/// Returns what a name of a column may mean. `typed` is the name as in the query, since SQL folds names to lower case.
fn hint(name: &str, typed: &str, names: &[&str]) -> String {
    let tables: Vec<Table> =
        MARKS.into_iter().filter(|(_, mark)| names.contains(mark)).map(|(table, _)| table).collect();
    let is_upper =
        |name: &str| name.len() >= 2 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if is_upper(name) {
        return "; properties are columns of games only".to_owned();
    }
    let upper = name.to_ascii_uppercase();
    let is_property = upper != name && property::find(&upper).next().is_some();
    let property = is_property.then_some(upper).or_else(|| is_upper(typed).then(|| typed.to_owned()));
    if let (Some(property), true) = (property, tables.contains(&Table::Games)) {
        let start = format!("{property}: ");
        let own = Column::all(Table::Games).into_iter().find(|column| column.meaning().starts_with(&start));
        let own = own.map_or_else(String::new, |column| format!(", or the column {}", column.name()));
        return format!("; use \"{property}\" in quotes for the property{own}");
    }
    let near = near_names(name, names.iter().copied());
    match &tables[..] {
        _ if names.is_empty() || !near.is_empty() => near,
        [table, ..] => format!("; `sgf records --table {} --list-columns` lists all", table.name()),
        [] if names.len() > MANY => format!("; the columns are {}, …", names[..MANY].join(", ")),
        [] => format!("; the columns are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_are_below_the_place() {
        let mut message = "wrong".to_owned();
        point(&mut message, "SELECT\n\twiner\nFROM games", (2, 2, 5));
        assert_eq!(message, "wrong (line 2, column 2)\n  2 | \twiner\n    | \t^^^^^");
        assert_eq!(find("winer", "SELECT winers,\n Winer"), Some((2, 2, 5)));
        assert_eq!(split_place("Expected: x at Line: 3, Column: 12"), ("Expected: x", Some((3, 12, 1))));
        // Places that the query does not have are left out.
        let mut message = "wrong".to_owned();
        point(&mut message, "SELECT", (9, 1, 1));
        assert_eq!(message, "wrong");
    }

    #[test]
    fn near_names_are_named() {
        let names = ["winner", "white", "black_rank_n", "black_rank"];
        assert_eq!(hint("winer", "winer", &names), "; did you mean \"winner\"?");
        assert_eq!(hint("rank_n", "rank_n", &names), "; did you mean \"black_rank_n\"?");
        assert_eq!(hint("zzz", "zzz", &["a", "b"]), "; the columns are a, b");
        let many: Vec<String> = (0..99).map(|n| format!("column {n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let message = hint("zzz", "zzz", &many);
        assert!(
            message.starts_with("; the columns are column 0, ") && message.ends_with(", column 11, …"),
            "{message}"
        );
    }

    #[test]
    fn a_property_without_quotes_is_explained() {
        let games = ["black", "sgf_moves", "offset"];
        for (name, typed, expected) in [
            ("pb", "PB", "; use \"PB\" in quotes for the property, or the column black"),
            ("pb", "pb", "; use \"PB\" in quotes for the property, or the column black"),
            ("kk", "KK", "; use \"KK\" in quotes for the property"),
            ("xx", "XX", "; use \"XX\" in quotes for the property"),
            ("xx", "xx", "; `sgf records --table games --list-columns` lists all"),
        ] {
            assert_eq!(hint(name, typed, &games), expected);
        }
        assert_eq!(hint("PB", "PB", &["ply"]), "; properties are columns of games only");
        assert_eq!(hint("pb", "PB", &["ply"]), "; `sgf records --table moves --list-columns` lists all");
        assert_eq!(word_at("SELECT\n  é, PB", (2, 6, 2)), Some("PB"));
        assert_eq!(word_at("SELECT", (2, 6, 2)), None);
    }
}
