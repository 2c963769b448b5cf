//! Conditions on the columns of a game: `--where` of the commands.

use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::Arc;

use regex::Regex;
use sgf_stream::{Game, Parser, property};
use sgf_table::facts::{Origin, PlayerGrade, RulesFamily, TimeClass};
use sgf_table::{Cell, Column, ColumnType, Names, PropertyValue, Row, Table, TableBuilder};

use crate::fault::{Fault, Remedy};
use crate::near;

/// Columns of the file, which a game has not by itself.
const OF_FILE: [&str; 6] = ["file", "offset", "length", "game", "diagnostic_count", "error"];

/// A condition on a column of the table `games`: `date>=1990`.
///
/// The operators are `=` (or `==`), `!=` (or `<>`), `<`, `<=`, `>`, `>=`, and `~` for a regular expression. Numbers are
/// compared as numbers, dates as far as they are given (`date=1990`), and all else as text. A value may be in single or
/// double quotes; a quote inside of it is doubled.
///
/// As in SQL, a missing value fulfills no comparison: `winner!=B` selects the games that White won. A condition without a value
/// asks for missing ones: `winner=` selects the games without a winner, and `winner!=` those with one. An empty text counts
/// as missing there.
///
/// ```
/// use sgf_input::{Condition, Conditions};
/// use sgf_stream::Parser;
///
/// let holds = |condition: &str, game: &str| {
///     let conditions = Conditions::new(vec![condition.parse::<Condition>()?]);
///     Ok::<_, sgf_input::Fault>(conditions.hold(game.as_bytes(), &Parser::new()))
/// };
/// assert!(holds("winner != 'B'", "(;RE[W+R])")? && !holds("winner!=B", "(;RE[B+R])")?);
/// assert!(!holds("winner!=B", "(;B[dd])")? && holds("winner=", "(;B[dd])")?);
/// # Ok::<(), sgf_input::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was given.
    text: String,
    column: String,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    /// The value is missing or an empty text, or neither.
    IsMissing(bool),
    Compares {
        operator: Operator,
        value: String,
        /// The value as a number, if it is one.
        number: Option<f64>,
    },
    Matches(Regex),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The operators as they are written; `None` takes a regular expression. One that begins with another one comes before it.
const OPERATORS: [(&str, Option<Operator>); 9] = [
    ("!=", Some(Operator::NotEqual)),
    ("<>", Some(Operator::NotEqual)),
    ("<=", Some(Operator::AtMost)),
    (">=", Some(Operator::AtLeast)),
    ("==", Some(Operator::Equal)),
    ("=", Some(Operator::Equal)),
    ("<", Some(Operator::Less)),
    (">", Some(Operator::Greater)),
    ("~", None),
];

/// Words that follow a column in SQL, besides operators.
const PREDICATES: [&str; 5] = ["IS", "IN", "LIKE", "BETWEEN", "NOT"];

impl FromStr for Condition {
    type Err = Fault;

    /// Parses `COLUMN=VALUE`, or another operator.
    fn from_str(text: &str) -> Result<Self, Fault> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<Condition, Fault> {
    let usage = "use a column, an operator and a value, such as date>=1990 (operators: = != < <= > >= ~; without a value, = and != \
                 ask whether it is missing)";
    let end = text.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').ok_or(usage)?;
    let (column, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let read = OPERATORS.into_iter().find_map(|(sign, operator)| Some((sign, operator, rest.strip_prefix(sign)?)));
    let (sign, operator, rest) = read.ok_or(usage)?;
    if column.is_empty() || OF_FILE.contains(&column) {
        return Err(usage.into());
    }
    let Ok(table) = TableBuilder::new(&Parser::new(), Table::Games).columns([column]) else {
        let hint = column_hint(column, Table::Games);
        return Err(Fault::with_remedy(format!("unknown column '{column}'{hint}"), Remedy::ListColumns, ""));
    };
    let kind = table.column_list()[0].column_type();
    let start = text.len() - rest.trim_start().len();
    let (value, is_quoted) = value(text, start)?;
    let test = match operator {
        Some(Operator::Equal) if value.is_empty() && !is_quoted => Test::IsMissing(true),
        Some(Operator::NotEqual) if value.is_empty() && !is_quoted => Test::IsMissing(false),
        _ if value.is_empty() && !is_quoted => return Err(format!("a value is missing after {sign}").into()),
        None => Test::Matches(Regex::new(&value).map_err(|error| error.to_string())?),
        Some(_) if !is_of(kind, &value) => {
            return Err(format!("'{value}' is not {}, as the column '{column}' has", what(kind)).into());
        }
        Some(_) if !is_quoted && value.starts_with(['=', '<', '>', '~', '!']) => {
            let column = column_of(text, start);
            return Err(format!(
                "column {column}: expected a value after {sign}, found '{value}'; if that is the value, put it in quotes"
            )
            .into());
        }
        Some(operator) => Test::Compares { operator, number: value.parse().ok(), value: value.clone() },
    };
    expect_possible(column, &test, &value)?;
    Ok(Condition { text: text.to_owned(), column: column.to_owned(), test })
}

/// Returns the number of a character in a text, from 1.
fn column_of(text: &str, at: usize) -> usize {
    text[..at].chars().count() + 1
}

/// Reads the value of a condition, from this offset to the end. Returns it without its quotes, and whether it had any.
///
/// What looks like the rest of a condition in SQL is an error, since it would be read as a part of the value.
fn value(text: &str, start: usize) -> Result<(String, bool), Fault> {
    let value = text[start..].trim_end();
    let another = |at: usize| {
        let (column, found) = (column_of(text, at), text[at..].trim_end());
        let message = format!(
            "column {column}: expected the end of the condition, found '{found}'; a condition has one comparison"
        );
        Fault::with_remedy(message, Remedy::SeveralConditions, ", and a value with such words is in quotes")
    };
    let Some(quote) = value.chars().next().filter(|char| matches!(char, '\'' | '"')) else {
        return match comparison_after(value) {
            Some(at) => Err(another(start + at)),
            None => Ok((value.to_owned(), false)),
        };
    };
    let (mut inside, mut rest) = (String::new(), &value[1..]);
    loop {
        let Some((front, after)) = rest.split_once(quote) else {
            let column = column_of(text, start);
            return Err(format!(
                "column {column}: the quote {quote} is not closed; a quote inside of a value is doubled"
            )
            .into());
        };
        inside += front;
        rest = after;
        match rest.strip_prefix(quote) {
            Some(after) => rest = after,
            None => break,
        }
        inside.push(quote);
    }
    let rest = rest.trim_start();
    let at = start + value.len() - rest.len();
    match rest.split_whitespace().next() {
        None => Ok((inside, true)),
        Some(word) if is_conjunction(word) => Err(another(at)),
        Some(_) => Err(format!(
            "column {}: expected the end of the condition after the closing quote, found '{rest}'; a quote inside of a value \
             is doubled",
            column_of(text, at)
        )
        .into()),
    }
}

fn is_conjunction(word: &str) -> bool {
    ["AND", "OR"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns where another comparison begins in a value without quotes: the `AND` of `B AND black = 'A'`.
fn comparison_after(value: &str) -> Option<usize> {
    value.match_indices(char::is_whitespace).find_map(|(at, _)| {
        let rest = value[at..].trim_start();
        let (word, after) = rest.split_once(char::is_whitespace)?;
        (is_conjunction(word) && begins_with_comparison(after)).then_some(value.len() - rest.len())
    })
}

/// Returns whether a text begins with a column and an operator, perhaps after NOT and parentheses.
fn begins_with_comparison(mut text: &str) -> bool {
    loop {
        text = text.trim_start_matches(|char: char| char.is_whitespace() || char == '(');
        match text.split_at_checked(3) {
            Some((word, after)) if word.eq_ignore_ascii_case("NOT") && after.starts_with([' ', '(']) => {
                text = after;
            }
            _ => break,
        }
    }
    let after = text.trim_start_matches(|char: char| char.is_alphanumeric() || matches!(char, '_' | '\'' | '"'));
    let word = after.split_whitespace().next().unwrap_or_default();
    word.starts_with(['=', '<', '>', '~', '!']) || PREDICATES.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Checks that a column may have a value that fulfills the test, as far as its values are known.
fn expect_possible(column: &str, test: &Test, value: &str) -> Result<(), String> {
    let known = values_of(column);
    let is_same = |known: &str| {
        known == value || matches!((known.parse(), value.parse()), (Ok::<f64, _>(one), Ok(other)) if one == other)
    };
    let is_possible = match test {
        Test::Compares { operator: Operator::Equal | Operator::NotEqual, .. } => {
            known.iter().any(|known| is_same(known))
        }
        Test::Matches(regex) => known.iter().any(|known| regex.is_match(known)),
        Test::Compares { .. } | Test::IsMissing(_) => true,
    };
    if is_possible || known.is_empty() {
        return Ok(());
    }
    let hint = near::hint(value, known.iter().copied());
    let hint = if hint.is_empty() { format!("; its values are {}", known.join(", ")) } else { hint };
    Err(format!("the column '{column}' never has the value '{value}'{hint}"))
}

/// Returns all values of a column that has only some; none if they are not known.
fn values_of(column: &str) -> Vec<&'static str> {
    match column {
        "winner" => vec!["B", "W"],
        "result" => vec!["points", "resign", "time", "forfeit", "draw", "void", "unknown"],
        "date_precision" => vec!["day", "month", "year", "decade", "years"],
        "overtime" => vec!["byoyomi", "canadian", "fischer", "simple", "none"],
        "black_is_bot" | "white_is_bot" | "rated" => vec!["0", "1"],
        "black_grade" | "white_grade" => PlayerGrade::all().map(PlayerGrade::as_str).collect(),
        "rules_family" => RulesFamily::all().map(RulesFamily::as_str).collect(),
        "time_class" => TimeClass::all().map(TimeClass::as_str).collect(),
        "origin" => Origin::all().map(Origin::as_str).collect(),
        "game_type" => (0..=40).map(|number| Game::from_number(number).name()).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a column of this type can be compared with a value.
fn is_of(kind: ColumnType, value: &str) -> bool {
    match kind {
        ColumnType::Integer | ColumnType::Decimal | ColumnType::Real => value.parse().is_ok_and(f64::is_finite),
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

impl Operator {
    /// Returns whether an order of cell and value is the wanted one.
    fn accepts(self, order: Ordering) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::AtMost => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::AtLeast => order.is_ge(),
        }
    }
}

impl Condition {
    fn holds(&self, cell: &Cell<'_>) -> bool {
        let text = if cell.is_null() { String::new() } else { cell.to_string() };
        match &self.test {
            Test::IsMissing(expected) => text.is_empty() == *expected,
            _ if cell.is_null() => false,
            Test::Matches(regex) => regex.is_match(&text),
            Test::Compares { operator, value, number: of_value } => {
                let order = match (number(cell).zip(*of_value), cell) {
                    (Some((number, value)), _) => number.partial_cmp(&value),
                    (None, Cell::Date(_)) if has_days_of(&text, value) => Some(Ordering::Equal),
                    (None, _) => Some(text.as_str().cmp(value)),
                };
                order.is_some_and(|order| operator.accepts(order))
            }
        }
    }
}

/// Returns whether a day is in a year, a month or a day: `1990` has `1990-05-01`.
fn has_days_of(day: &str, value: &str) -> bool {
    day.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
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
/// # Ok::<(), sgf_input::Fault>(())
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
        let table =
            TableBuilder::new(&Parser::new(), Table::Games).columns(columns).ok().filter(|_| !conditions.is_empty());
        Conditions { conditions, table }
    }

    /// Sets the names that stand for those in the games, for [`hold`](Self::hold). Default: none.
    ///
    /// Names are replaced first, then conditions are tested: they see the columns that a table with these names has.
    #[must_use]
    pub fn names(mut self, names: impl Into<Arc<Names>>) -> Self {
        self.table = self.table.map(|table| table.names(names));
        self
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
            ("winner<>B", true),
            ("winner = 'W'", true),
            ("winner!=W", false),
            ("game_type=Go", true),
            ("black='Lee''s'", false),
            ("black='Lee and Cho = x'", false),
            ("PB~'^Lee'", true),
            ("black!='=x'", true),
            // As in SQL, a missing value fulfills no comparison.
            ("white=", true),
            ("white!=", false),
            ("white=x", false),
            ("white!=x", false),
            ("white=''", false),
            ("white~^", false),
            ("white<x", false),
            ("margin!=1", false),
            ("margin<1", false),
            ("margin>=1", false),
            ("margin=", true),
        ] {
            assert_eq!(holds(condition, GAME), expected, "{condition}");
        }
        // An empty text is a value, but counts as missing where no value is given.
        let of_empty = ["black=", "black=''", "black!=Lee", "black~^$", "black!="].map(|text| holds(text, "(;PB[])"));
        assert_eq!(of_empty, [true, true, true, true, false]);
        // Quotes and words that SQL has are parts of these values.
        for (condition, game) in [
            ("black=O'Brien", "(;PB[O'Brien])"),
            ("black='O''Brien'", "(;PB[O'Brien])"),
            ("black=\"O'Brien\"", "(;PB[O'Brien])"),
            ("black=Ann and Bob", "(;PB[Ann and Bob])"),
            ("black='Ann and x=1'", "(;PB[Ann and x=1])"),
        ] {
            assert!(holds(condition, game), "{condition}");
        }
    }

    #[test]
    fn names_are_replaced_before_conditions_are_tested() {
        let conditions = Conditions::new(vec![parse("black=Lee").unwrap(), parse("PB=Lee").unwrap()]);
        let game = &b"(;PB[Yi])"[..];
        assert!(!conditions.hold(game, &Parser::new()));
        assert!(conditions.names(Names::from_iter([("Yi", "Lee")])).hold(game, &Parser::new()));
    }

    #[test]
    fn known_values_are_those_that_columns_have() {
        for column in Column::all(Table::Games) {
            let (known, meaning) = (values_of(column.name()), column.meaning());
            // Grades and others are listed with their meanings, and numbers are not in backticks.
            let listed: Vec<&str> = meaning.split('`').skip(1).step_by(2).collect();
            if ["winner", "result", "overtime", "time_class", "rules_family"].contains(&column.name()) {
                assert!(known.iter().all(|word| listed.contains(word)), "{known:?}: {meaning}");
                assert!(listed.iter().all(|word| known.contains(word)), "{known:?}: {meaning}");
            }
            if column.name() == "date_precision" {
                assert!(known.iter().all(|word| listed.contains(word)), "{known:?}: {meaning}");
            }
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
            ("komi=nan", "'nan' is not a number"),
            ("komi=''", "'' is not a number"),
            ("komi>", "a value is missing after >"),
            ("PB~", "a value is missing after ~"),
            ("black=>Lee", "column 7: expected a value after =, found '>Lee'; if that is the value, put it in quotes"),
            (
                "winner = 'B' AND PB = 'A'",
                "column 14: expected the end of the condition, found 'AND PB = 'A''; a condition has one comparison (--where \
                 can be repeated), and a value with such words is in quotes",
            ),
            ("winner='B'or PB='A'", "column 11: expected the end of the condition, found 'or PB='A''"),
            ("winner=B AND PB=A", "column 10: expected the end of the condition, found 'AND PB=A'"),
            ("white=b or not (black is null)", "column 9: expected the end of the condition"),
            ("white=b OR NOT(black='x')", "column 9: expected the end of the condition"),
            ("white=b or black like 'A%'", "column 9: expected the end of the condition"),
            ("white=b OR ''=''", "column 9: expected the end of the condition"),
            ("\u{540d}", "use a column"),
            ("black='\u{540d}' x", "column 11: expected the end of the condition after the closing quote, found 'x'"),
            ("winner='B';", "column 11: expected the end of the condition after the closing quote, found ';'"),
            ("black='it's'", "column 11: expected the end of the condition after the closing quote, found 's''"),
            ("black='Tis", "column 7: the quote ' is not closed; a quote inside of a value is doubled"),
            ("winner IS NULL", "use a column, an operator and a value"),
            ("NOT winner=B", "use a column, an operator and a value"),
            ("winner=b", "the column 'winner' never has the value 'b'; did you mean 'B'?"),
            ("winner!=Black", "the column 'winner' never has the value 'Black'; its values are B, W"),
            ("winner~^Black", "the column 'winner' never has the value '^Black'; its values are B, W"),
            ("result=resigns", "the column 'result' never has the value 'resigns'; did you mean 'resign'?"),
            ("game_type=go", "the column 'game_type' never has the value 'go'; did you mean 'Go'?"),
            ("black_is_bot=2", "the column 'black_is_bot' never has the value '2'; did you mean '0' or '1'?"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
