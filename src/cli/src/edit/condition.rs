//! `--where`: conditions on the columns of a game.

use std::cmp::Ordering;

use regex::Regex;
use sgf_stream::Parser;
use sgf_stream::table::{Cell, PropertyValue, Table, TableBuilder};
use sgf_stream::tree::GameTree;

use crate::near;

/// Columns of the file, which a game has not by itself.
const OF_FILE: [&str; 6] = ["file", "offset", "length", "game", "diagnostic_count", "error"];

/// A condition on a column.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    column: String,
    test: Test,
    value: String,
    /// The value as a number, if it is one.
    number: Option<f64>,
}

#[derive(Clone, Debug)]
enum Test {
    Compares(Comparison),
    Matches(Regex),
}

/// Returns whether an order of cell and value is the wanted one. A missing cell has none.
type Comparison = fn(Option<Ordering>) -> bool;

/// The operators that compare. One that begins with another one comes before it.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("!=", |order| order != Some(Ordering::Equal)),
    ("<=", |order| order.is_some_and(Ordering::is_le)),
    (">=", |order| order.is_some_and(Ordering::is_ge)),
    ("=", |order| order == Some(Ordering::Equal)),
    ("<", |order| order == Some(Ordering::Less)),
    (">", |order| order == Some(Ordering::Greater)),
];

/// Parses `COLUMN=VALUE`, or another operator.
pub(super) fn parse(text: &str) -> Result<Condition, String> {
    let usage = "use a column, an operator and a value, such as date>=1990 (operators: = != < <= > >= ~)";
    let end = text.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').ok_or(usage)?;
    let (column, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let compares =
        COMPARISONS.into_iter().find_map(|(operator, test)| Some((rest.strip_prefix(operator)?, Some(test))));
    let (value, compares) = compares.or_else(|| Some((rest.strip_prefix('~')?, None))).ok_or(usage)?;
    let value = unquoted(value.trim());
    if column.is_empty() || OF_FILE.contains(&column) {
        return Err(usage.to_owned());
    }
    if Parser::new().table(Table::Games).columns([column]).is_err() {
        let hint = near::column_hint(column, Table::Games);
        return Err(format!("unknown column '{column}'{hint} (`sgf records --list-columns` lists all)"));
    }
    let test = match compares {
        Some(compares) => Test::Compares(compares),
        None => Test::Matches(Regex::new(value).map_err(|error| error.to_string())?),
    };
    Ok(Condition { column: column.to_owned(), test, value: value.to_owned(), number: value.parse().ok() })
}

/// Returns a value without the quotes around it.
fn unquoted(value: &str) -> &str {
    let inside = |quote: char| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
    inside('\'').or_else(|| inside('"')).unwrap_or(value)
}

impl Condition {
    fn holds(&self, cell: &Cell<'_>) -> bool {
        let text = if cell.is_null() { String::new() } else { cell.to_string() };
        let compares = match &self.test {
            Test::Compares(compares) => compares,
            Test::Matches(regex) => return regex.is_match(&text),
        };
        // A missing value is the empty text, and neither less nor greater than another one.
        let order = match (number(cell).zip(self.number), cell) {
            (Some((number, value)), _) => number.partial_cmp(&value),
            (None, Cell::Date(_)) if has_days_of(&text, &self.value) => Some(Ordering::Equal),
            (None, Cell::Null) if !self.value.is_empty() => None,
            (None, _) => Some(text.as_str().cmp(&self.value)),
        };
        compares(order)
    }
}

/// Returns whether a day is in a year, a month or a day: `1990` has `1990-05-01`.
fn has_days_of(day: &str, value: &str) -> bool {
    !value.is_empty() && day.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn number(cell: &Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Integer(number) | Cell::Property(PropertyValue::Number(number)) => Some(*number as f64),
        Cell::Real(number) | Cell::Property(PropertyValue::Real(number)) => Some(*number),
        Cell::Decimal(hundredths) => Some(f64::from(*hundredths) / 100.0),
        _ => None,
    }
}

/// All conditions on games. They must all hold.
pub(super) struct Conditions {
    conditions: Vec<Condition>,
    /// A table with their columns, in order; `None` without conditions.
    table: Option<TableBuilder>,
}

impl Conditions {
    pub(super) fn new(conditions: Vec<Condition>) -> Self {
        let mut columns: Vec<&str> = Vec::new();
        for condition in &conditions {
            if !columns.contains(&condition.column.as_str()) {
                columns.push(&condition.column);
            }
        }
        // The columns exist, each once.
        let table = Parser::new().table(Table::Games).columns(columns).ok().filter(|_| !conditions.is_empty());
        Conditions { conditions, table }
    }

    /// Returns whether a game fulfills all conditions. The parser is that of its input.
    pub(super) fn hold(&self, game: &GameTree, parser: &Parser) -> bool {
        let Some(table) = &self.table else { return true };
        let Ok(bytes) = game.to_vec() else { return false };
        let mut rows = table.with_parser(parser).rows(parser.reader(&bytes[..]));
        let mut holds = false;
        let read = rows.next_game(|row| {
            holds = self.conditions.iter().all(|condition| {
                let column = row.columns().iter().position(|column| column.name() == condition.column);
                column.is_some_and(|column| condition.holds(&row.cell(column)))
            });
        });
        read.is_ok() && holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, game: &str) -> bool {
        let game: GameTree = game.parse().unwrap();
        Conditions::new(vec![parse(condition).unwrap()]).hold(&game, &Parser::new())
    }

    #[test]
    fn columns_are_compared_as_numbers_dates_and_texts() {
        const GAME: &str = "(;SZ[9]PB[Lee Sedol]KM[7.5]DT[2016-03-15]RE[W+R]HA[10];B[aa];W[bb])";
        for (condition, expected) in [
            ("black=Lee Sedol", true),
            ("black = 'Lee Sedol'", true),
            ("black=\"Lee\"", false),
            ("black!=Lee", true),
            ("PB~^Lee", true),
            ("PB~^Sedol", false),
            ("komi=7.5", true),
            ("komi<10", true),
            ("komi>=7.6", false),
            ("handicap>9", true),
            ("HA>9", true),
            ("move_count=2", true),
            ("date=2016", true),
            ("date=2016-03", true),
            ("date=2016-0", false),
            ("date>=2016", true),
            ("date>2016", false),
            ("date<=2016", true),
            ("date<2016-04", true),
            ("date>2015", true),
            ("winner=W", true),
            ("white=", true),
            ("white!=", false),
            ("white=x", false),
            ("white!=x", true),
            ("margin<1", false),
            ("margin>=1", false),
        ] {
            assert_eq!(holds(condition, GAME), expected, "{condition}");
        }
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for (text, expected) in [
            ("black", "use a column, an operator and a value"),
            ("=x", "use a column, an operator and a value"),
            ("black Lee", "use a column, an operator and a value"),
            ("file=a.sgf", "use a column, an operator and a value"),
            ("blakc=Lee", "unknown column 'blakc'; did you mean 'black'?"),
            ("black~(", "regex parse error"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
