//! Diagnostics and positions.
//!
//! [`Code`] (in `fault`) is the list of all their kinds. In lenient mode the parser repairs a syntax error and
//! reports it as a [`Diagnostic`]; in strict mode it stops and returns a [`SyntaxError`](crate::SyntaxError) with the
//! same code and position.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use crate::syntax::fault::{Code, Severity};

/// A position in a stream: offset, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Byte offset from the start of the stream, 0-based.
    pub offset: u64,
    /// Line number, 1-based. A line ends with CRLF, LFCR, CR or LF, the longest match first.
    pub line: u64,
    /// Column in bytes, 1-based.
    pub column: u64,
}

impl Position {
    /// The position of the first byte of a stream.
    pub const START: Position = Position { offset: 0, line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

/// A report of something that the parser found and repaired in lenient mode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of diagnostic (its rule).
    pub code: Code,
    /// The position in the stream.
    pub position: Position,
    detail: Option<Arc<str>>,
}

impl Diagnostic {
    #[doc(hidden)]
    pub fn new(code: Code, position: Position) -> Self {
        Diagnostic { code, position, detail: None }
    }

    /// Creates the diagnostic of a property with more than one value.
    #[cold]
    #[doc(hidden)]
    pub fn extra_values(position: Position, name: &str, count: usize) -> Self {
        Diagnostic::new(Code::ExtraValues, position).with_detail(&format!("{name} has {count} values"))
    }

    /// Adds a detail to the fixed message.
    pub(crate) fn with_detail(self, detail: &str) -> Self {
        Diagnostic { detail: Some(detail.into()), ..self }
    }

    /// Returns details that the [message](Self::message) omits.
    ///
    /// For extra values, these are the property and the number of its values; for a value that does not fit its field,
    /// the property, the value, and what was expected. `None` for other rules.
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use std::collections::BTreeMap;
    /// use sgf_stream::{DiagnosticLog, Parser, de};
    ///
    /// let log = DiagnosticLog::new(100);
    /// let reader = Parser::new().log_to(&log).slice(b"(;BL[600]WL[ten])");
    /// let games = reader.games_with::<BTreeMap<String, f64>>(de::Options::new().lenient_fields(true));
    /// assert_eq!(games.map(|game| game.unwrap().len()).collect::<Vec<_>>(), [1]);
    /// let found = &log.take()[0];
    /// assert_eq!(found.detail(), Some("WL: expected f64, found \"ten\""));
    /// assert_eq!(
    ///     found.to_string(),
    ///     "line 1, column 12 (byte 11): the value does not fit its field and was dropped; \
    ///      WL: expected f64, found \"ten\" [invalid-field]",
    /// );
    /// # }
    /// ```
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// Returns the message with its detail.
    fn whole_message(&self) -> Cow<'static, str> {
        match &self.detail {
            None => self.message().into(),
            Some(detail) => format!("{}; {detail}", self.message()).into(),
        }
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Describes the problem and its repair.
    pub fn message(&self) -> &'static str {
        self.code.message()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.position, self.whole_message(), self.code)
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::ser::{Serialize, SerializeStruct, Serializer};

    use super::{Diagnostic, Position};

    impl Serialize for Position {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_struct("Position", 3)?;
            map.serialize_field("offset", &self.offset)?;
            map.serialize_field("line", &self.line)?;
            map.serialize_field("column", &self.column)?;
            map.end()
        }
    }

    /// Serializes a flat map: `offset`, `line`, `column`, `severity`, `code`, `message`.
    impl Serialize for Diagnostic {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_struct("Diagnostic", 6)?;
            map.serialize_field("offset", &self.position.offset)?;
            map.serialize_field("line", &self.position.line)?;
            map.serialize_field("column", &self.position.column)?;
            map.serialize_field("severity", &self.severity())?;
            map.serialize_field("code", &self.code)?;
            map.serialize_field("message", &self.whole_message())?;
            map.end()
        }
    }
}

/// A log of the first diagnostics of a run, up to a limit.
///
/// It counts the rest.
///
/// ```
/// use sgf_stream::{DiagnosticLog, Parser};
///
/// let log = DiagnosticLog::new(100);
/// let parser = Parser::new().log_to(&log);
/// parser.parse(b"(;FF[4]Black[dd]", |_event, _offset| {})?;
///
/// let codes: Vec<_> = log.take().iter().map(|d| d.code.as_str()).collect();
/// assert_eq!(codes, ["lowercase-in-ident", "unclosed-tree"]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiagnosticLog(Arc<Mutex<Stored>>);

#[derive(Debug)]
struct Stored {
    cap: usize,
    kept: Vec<Diagnostic>,
    dropped: u64,
}

impl DiagnosticLog {
    /// Creates a log that stores at most `cap` diagnostics. Clones share one log.
    pub fn new(cap: usize) -> Self {
        DiagnosticLog(Arc::new(Mutex::new(Stored { cap, kept: Vec::new(), dropped: 0 })))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Stored> {
        // A panic in another thread cannot leave the log inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, diagnostic: &Diagnostic) {
        let mut stored = self.lock();
        if stored.kept.len() < stored.cap {
            stored.kept.push(diagnostic.clone());
        } else {
            stored.dropped += 1;
        }
    }

    /// Removes and returns the stored diagnostics, in the order of their reports.
    ///
    /// The log then has room for `cap` more, and [`dropped`](Self::dropped) restarts at 0.
    pub fn take(&self) -> Vec<Diagnostic> {
        let mut stored = self.lock();
        stored.dropped = 0;
        std::mem::take(&mut stored.kept)
    }

    /// Returns the number of diagnostics dropped since the last [`take`](Self::take).
    ///
    /// Diagnostics are dropped when the log is full.
    pub fn dropped(&self) -> u64 {
        self.lock().dropped
    }
}
