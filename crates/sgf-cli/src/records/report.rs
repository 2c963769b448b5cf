//! Reports of games with errors, as lines on standard error.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::{Code, Diagnostic, Parser, Position, Severity, SyntaxError};

use crate::failure::{located, note_trouble, prefix};
use crate::input::Name;
use crate::numbers::{NextGame, Numbers};
use crate::tables::{counted, grouped};
use crate::visible::Visible;

/// The ways to report diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A line for each diagnostic.
    Lines,
    /// A count and the first line per rule.
    Summary,
    /// Nothing.
    Silent,
}

/// Collects the diagnostics of the parser, and formats them.
pub(super) struct Reports {
    style: Style,
    diagnostics: Arc<Mutex<Diagnostics>>,
    lines: Lines,
    sums: Sums,
    has_errors: bool,
}

/// Lines of diagnostics.
#[derive(Default)]
struct Lines {
    text: String,
    numbers: Numbers,
}

impl Lines {
    /// The lines with the numbers that games have after others of their file.
    fn after(self, before: u64) -> Lines {
        Lines { text: self.numbers.raise(self.text, before), numbers: Numbers::default() }
    }
}

/// Number of diagnostics and first line per rule. (A few errors have no rule.)
type Sums = BTreeMap<Option<&'static str>, (u64, Lines)>;

/// The first diagnostic and the count per rule in the current game. Those with a detail, such as the property, are apart.
type Diagnostics = BTreeMap<(Code, Option<String>), (Diagnostic, u64)>;

/// Returns whether a diagnostic may cost a row some data. Other repairs of the grammar do not concern rows.
fn concerns_records(code: Code) -> bool {
    let is_told = matches!(code, Code::UnclosedTree | Code::ExtraValues | Code::BadBytes | Code::UnknownCharset);
    code.severity() == Severity::Error || is_told
}

/// A place in a game of a file.
#[derive(Clone, Copy)]
pub(super) struct PlaceInFile<'a> {
    pub(super) file: &'a Name,
    /// The game; `None` if the place is in none.
    pub(super) game: Option<NextGame>,
}

impl Reports {
    pub(super) fn new(style: Style) -> Self {
        Reports { style, diagnostics: Arc::default(), lines: Lines::default(), sums: Sums::new(), has_errors: false }
    }

    /// Returns the reports of what the callback collects from here on.
    pub(super) fn later(&self) -> Self {
        Reports { diagnostics: Arc::clone(&self.diagnostics), ..Reports::new(self.style) }
    }

    /// Returns the parser with a callback that collects here.
    pub(super) fn listen(&self, parser: Parser) -> Parser {
        let diagnostics = Arc::clone(&self.diagnostics);
        parser.on_diagnostic(move |found| {
            if !concerns_records(found.code) {
                return;
            }
            let mut diagnostics = diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
            let key = (found.code, found.detail().map(str::to_owned));
            diagnostics.entry(key).or_insert_with(|| (found.clone(), 0)).1 += 1;
        })
    }

    /// Reports the diagnostics of a game. Returns false if it has lost data.
    pub(super) fn is_whole(&mut self, place: PlaceInFile<'_>) -> bool {
        let diagnostics = mem::take(&mut *self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner));
        if diagnostics.is_empty() {
            return true;
        }
        for (found, times) in diagnostics.values() {
            let said = match (found.code, found.detail()) {
                (Code::ExtraValues, Some(detail)) => format!("{detail}; using the first"),
                (_, Some(detail)) => format!("{}; {detail}", found.message()),
                (_, None) => found.message().to_owned(),
            };
            self.line(place, Some(found.position), None, found.severity(), &Times(&said, *times), found.code);
        }
        let is_whole = diagnostics.keys().all(|(code, _)| code.severity() != Severity::Error);
        self.has_errors |= !is_whole;
        is_whole
    }

    /// Reports a game, or a file, at which strict reading failed.
    pub(super) fn failure(&mut self, place: PlaceInFile<'_>, error: &SyntaxError) {
        self.has_errors = true;
        self.line(place, Some(error.position()), None, Severity::Error, &error.message(), error.code());
    }

    /// Reports a game with an error at an offset.
    pub(super) fn error(&mut self, place: PlaceInFile<'_>, offset: u64, code: Code) {
        self.has_errors = true;
        self.line(place, None, Some(offset), Severity::Error, &code.message(), code);
    }

    /// Reports texts that could not be transcoded. Their games are not known any more.
    pub(super) fn bad_bytes(&mut self, file: &Name, runs: u64, is_error: bool) {
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        self.has_errors |= is_error;
        let place = PlaceInFile { file, game: None };
        self.line(place, None, None, severity, &Times(Code::BadBytes.message(), runs), Code::BadBytes);
    }

    /// Formats a line: `a.sgf:12:7: error: what is wrong (game 3, byte 512) [rule]`. Without a location, it starts with
    /// `sgf: error: a.sgf: `.
    fn line(
        &mut self,
        place: PlaceInFile<'_>,
        position: Option<Position>,
        offset: Option<u64>,
        severity: Severity,
        message: &dyn fmt::Display,
        code: impl Into<Option<Code>>,
    ) {
        let code = code.into();
        let line = match self.style {
            Style::Lines => &mut self.lines,
            Style::Summary => {
                let (count, line) = self.sums.entry(code.map(Code::as_str)).or_default();
                *count += 1;
                if *count > 1 {
                    return;
                }
                line
            }
            Style::Silent => return,
        };
        let Lines { text, numbers } = line;
        let message = message.to_string();
        *text += &match position {
            Some(position) => located(place.file, position, severity, &message),
            None => format!("{}{}: {}", prefix(severity), place.file, Visible(&message)),
        };
        let offset = position.map(|position| position.offset).or(offset);
        // People count games from 1.
        let number = place.game.and_then(NextGame::number).map(|number| number + 1);
        if let Some(number) = number {
            *text += " (game ";
            let start = text.len();
            *text += &number.to_string();
            if place.game.and_then(NextGame::of_result).is_some() {
                numbers.note(start..text.len(), number);
            }
        }
        match (number, offset) {
            (Some(_), Some(offset)) => *text += &format!(", byte {offset})"),
            (Some(_), None) => text.push(')'),
            (None, Some(offset)) => *text += &format!(" (byte {offset})"),
            (None, None) => {}
        }
        if let Some(code) = code {
            *text += &format!(" [{code}]");
        }
        text.push('\n');
    }

    /// Reports a file or a directory that could not be read.
    pub(super) fn trouble(&mut self, file: &Name, error: &io::Error) {
        note_trouble(file, error);
    }

    /// Adds the reports of later parts. `before` games of their file come before them.
    pub(super) fn add(&mut self, others: Reports, before: u64) {
        for (code, (count, line)) in others.sums {
            self.sums.entry(code).or_insert_with(|| (0, line.after(before))).0 += count;
        }
        self.has_errors |= others.has_errors;
    }

    /// Returns the counts, most frequent first; an empty string if there are none.
    pub(super) fn summary(&self) -> String {
        let mut sums: Vec<_> = self.sums.values().collect();
        sums.sort_by_key(|(count, _)| Reverse(*count));
        let all: u64 = sums.iter().map(|(count, _)| count).sum();
        if all == 0 {
            return String::new();
        }
        let mut text =
            format!("sgf: {}; the first of each rule (--diagnostics all prints all):\n", counted(all, "diagnostic"));
        for (count, line) in sums {
            text += &format!("{:>9}  {}", grouped(*count), line.text);
        }
        text
    }

    /// Returns the lines of diagnostics, and leaves none. `before` games of their file come before them.
    pub(super) fn take_lines(&mut self, before: u64) -> String {
        mem::take(&mut self.lines).after(before).text
    }

    /// Returns whether games were skipped.
    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }
}

/// A sentence with the number of times that it applies.
struct Times<'a>(&'a str, u64);

impl fmt::Display for Times<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            1 => f.write_str(self.0),
            times => write!(f, "{} ({times} times)", self.0),
        }
    }
}
