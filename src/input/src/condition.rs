//! Conditions on the columns of a game: `--where` of the commands.

use std::cmp::Ordering;
use std::str::FromStr;

use regex::Regex;
use sgf_stream::table::{Cell, Column, ColumnType, PropertyValue, Row, Table, TableBuilder};
use sgf_stream::{Parser, property};

use crate::near;

/// Columns of the file, which a game has not by itself.
const OF_FILE: [&str; 6] = ["file", "offset", "length", "game", "diagnostic_count", "error"];

/// A condition on a column of the table `games`: `date>=1990`.
///
/// The operators are `=` (or `==`), `!=`, `<`, `<=`, `>`, `>=`, and `~` for a regular expression. Numbers are compared as numbers,
/// dates as far as they are given (`date=1990`), and all else as text. A missing value is the empty text, and neither less nor
/// greater than another one.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was given.
    text: String,
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
const COMPARISONS: [(&str, Comparison); 7] = [
    ("!=", |order| order != Some(Ordering::Equal)),
    ("<=", |order| order.is_some_and(Ordering::is_le)),
    (">=", |order| order.is_some_and(Ordering::is_ge)),
    ("==", |order| order == Some(Ordering::Equal)),
    ("=", |order| order == Some(Ordering::Equal)),
    ("<", |order| order == Some(Ordering::Less)),
    (">", |order| order == Some(Ordering::Greater)),
];

impl FromStr for Condition {
    type Err = String;

    /// Parses `COLUMN=VALUE`, or another operator.
    fn from_str(text: &str) -> Result<Self, String> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<Condition, String> {
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
    let Ok(table) = Parser::new().table(Table::Games).columns([column]) else {
        let hint = column_hint(column, Table::Games);
        return Err(format!("unknown column '{column}'{hint} (`sgf records --list-columns` lists all)"));
    };
    let kind = table.column_list()[0].column_type();
    let test = match compares {
        Some(_) if !is_of(kind, value) => {
            return Err(format!("'{value}' is not {}, as the column '{column}' has", what(kind)));
        }
        Some(compares) => Test::Compares(compares),
        None => Test::Matches(Regex::new(value).map_err(|error| error.to_string())?),
    };
    let text = text.to_owned();
    Ok(Condition { text, column: column.to_owned(), test, value: value.to_owned(), number: value.parse().ok() })
}

/// Returns whether a column of this type can be compared with a value. Every column can be compared with no value.
fn is_of(kind: ColumnType, value: &str) -> bool {
    match kind {
        _ if value.is_empty() => true,
        ColumnType::Integer | ColumnType::Decimal | ColumnType::Real => value.parse::<f64>().is_ok(),
        ColumnType::Date => is_date(value),
        _ => true,
    }
}

/// Returns what a column of this type has.
fn what(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Date => "a date such as 1990, 1990-05 or 1990-05-01",
        _ => "a number",
    }
}

/// Returns whether a value is a year, a month or a day.
fn is_date(value: &str) -> bool {
    let mut parts = value.split('-');
    let mut number = |digits: usize, most: u32| {
        parts.next().map(|part| {
            let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number && part.parse().is_ok_and(|number: u32| number <= most && (digits == 4 || number > 0))
        })
    };
    let (year, month, day) = (number(4, 9999), number(2, 12), number(2, 31));
    year == Some(true) && month != Some(false) && day != Some(false) && parts.next().is_none()
}

/// Returns the end of a message about an unknown column: `; did you mean 'black'?`.
///
/// It names the columns of the table that may be meant, and is empty if none is like the name.
pub fn column_hint(name: &str, table: Table) -> String {
    let upper = name.to_ascii_uppercase();
    // The property that is meant in other letters, such as PB for `pb`.
    let is_property = table == Table::Games && upper != name && property::find(&upper).next().is_some();
    let property = is_property.then_some(upper.as_str());
    near::certain_hint(name, property, Column::all(table).iter().map(Column::name))
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

/// Conditions on games, which must all hold.
///
/// ```
/// use sgf_input::Conditions;
/// use sgf_stream::{Parser, property};
///
/// let conditions = Conditions::new(vec!["date>=1990".parse()?, "winner=B".parse()?]);
/// assert!(conditions.hold(b"(;DT[1996-05-06]RE[B+R];B[dd])", &Parser::new()));
/// assert!(!conditions.hold(b"(;DT[1989-05-06]RE[B+R];B[dd])", &Parser::new()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conditions {
    conditions: Vec<Condition>,
    /// A table with their columns, in order; `None` without conditions.
    table: Option<TableBuilder>,
}

impl Conditions {
    /// Creates a list of conditions.
    pub fn new(conditions: Vec<Condition>) -> Self {
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

    /// Returns the columns that are read, each once.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.table.iter().flat_map(|table| table.column_list().iter().map(|column| column.name()))
    }

    /// Returns the conditions as they were given, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().map(|condition| condition.text.as_str())
    }

    /// Returns whether a row, which has these columns, fulfills all conditions.
    pub fn hold_in(&self, row: &Row<'_>) -> bool {
        self.hold_for(|name| {
            let column = row.columns().iter().position(|column| column.name() == name);
            column.map_or(Cell::Null, |column| row.cell(column))
        })
    }

    /// Returns whether cells, by the names of their columns, fulfill all conditions.
    pub fn hold_for<'c>(&self, cell: impl Fn(&str) -> Cell<'c>) -> bool {
        self.conditions.iter().all(|condition| condition.holds(&cell(&condition.column)))
    }

    /// Returns whether a game fulfills all conditions. The parser is that of its input.
    pub fn hold(&self, game: &[u8], parser: &Parser) -> bool {
        let Some(table) = &self.table else { return true };
        let mut rows = table.with_parser(parser).rows(parser.reader(game));
        let mut holds = false;
        let read = rows.next_game(|row| {
            holds = self.hold_in(row);
        });
        read.is_ok() && holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, game: &str) -> bool {
        Conditions::new(vec![parse(condition).unwrap()]).hold(game.as_bytes(), &Parser::new())
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
            ("komi==7.5", true),
            ("komi == '7.5'", true),
            ("black==Lee Sedol", true),
            ("date=2016-03-15", true),
            ("date=", false),
            ("date!=", true),
            ("komi<10", true),
            ("komi>=7.6", false),
            ("handicap>9", true),
            ("HA>9", true),
            ("move_count=2", true),
            ("date=2016", true),
            ("date=2016-03", true),
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
            ("komi=abc", "'abc' is not a number, as the column 'komi' has"),
            ("move_count>>3", "'>3' is not a number"),
            ("date=foo", "'foo' is not a date such as 1990"),
            ("date>=2000-13-01", "'2000-13-01' is not a date"),
            ("date=2000-1", "'2000-1' is not a date"),
            ("date=2000-01-01-01", "is not a date"),
            ("date=200", "is not a date"),
            ("date=2016-0", "is not a date"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
