//! Diagnostics, their edits, and the summary of a game.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use sgf_stream::{Position, RawValue, Severity};

use super::Rule;

/// A violation of a rule, and its location.
///
/// It prints as one line: `line 1, column 9 (byte 8): W: the node also has a black move [two-moves]`.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub(super) rule: Rule,
    pub(super) severity: Severity,
    pub(super) span: Range<u64>,
    pub(super) position: Option<Position>,
    pub(super) property: Option<Cow<'static, str>>,
    pub(super) message: Cow<'static, str>,
    pub(super) edits: Vec<Edit>,
    pub(super) is_fixable: bool,
    pub(super) texts: Texts,
}

/// The location of a diagnostic, resolved while its bytes are still in the window.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) span: Range<u64>,
    pub(super) position: Option<Position>,
    pub(super) property: Option<Cow<'static, str>>,
}

/// Compares everything except the charset of the game.
impl PartialEq for Diagnostic {
    fn eq(&self, other: &Self) -> bool {
        let parts = |diagnostic: &Diagnostic| {
            (diagnostic.rule, diagnostic.severity, diagnostic.position, diagnostic.is_fixable)
        };
        parts(self) == parts(other)
            && (&self.span, &self.message, &self.edits) == (&other.span, &other.message, &other.edits)
    }
}

impl Eq for Diagnostic {}

impl Diagnostic {
    /// Returns the broken rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the severity, which the [`Rules`](super::Rules) determine.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the message. [`Rule::explanation`] says what to do.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the byte offset of the location.
    pub fn offset(&self) -> u64 {
        self.span.start
    }

    /// Returns the byte range of the location.
    ///
    /// It is an identifier, a value with its brackets, or one byte.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// Returns line and column of the location.
    ///
    /// `None` if they were not counted: if the checker is used as a bare [`Visitor`](sgf_stream::Visitor), or if more than
    /// eight megabytes of the node follow the location. A [`LineCounter`](sgf_stream::LineCounter) can compute them.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the name of the property that breaks the rule.
    ///
    /// `None` for syntax errors and for rules about the structure of a game, and if the checker is used as a bare
    /// [`Visitor`](sgf_stream::Visitor).
    pub fn property(&self) -> Option<&str> {
        self.property.as_deref()
    }

    /// Returns the charset of the texts at the location, if the checker knows it.
    ///
    /// See [`Parser::charset`](sgf_stream::Parser::charset).
    pub fn charset(&self) -> Option<sgf_stream::charset::TreeCharset> {
        self.texts.charset
    }

    /// Returns whether [`fix`](super::fix) repairs the diagnostic without losing content.
    pub fn is_fixable(&self) -> bool {
        self.is_fixable
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => position.fmt(f)?,
            None => write!(f, "byte {}", self.span.start)?,
        }
        write!(f, ": {} [{}]", self.message, self.rule)
    }
}

/// Serializes a flat map: `offset`, `len`, `line`, `column`, `severity`, `code`, `message`, `fixable`, `property`.
#[cfg(feature = "serde")]
impl serde::Serialize for Diagnostic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut map = serializer.serialize_struct("Diagnostic", 9)?;
        map.serialize_field("offset", &self.span.start)?;
        map.serialize_field("len", &(self.span.end - self.span.start))?;
        map.serialize_field("line", &self.position.map(|position| position.line))?;
        map.serialize_field("column", &self.position.map(|position| position.column))?;
        map.serialize_field("severity", &self.severity)?;
        map.serialize_field("code", &self.rule)?;
        map.serialize_field("message", &self.message)?;
        map.serialize_field("fixable", &self.is_fixable)?;
        map.serialize_field("property", &self.property)?;
        map.end()
    }
}

/// A replacement of some bytes of the stream. Only for streams without syntax errors, where only white space occurs
/// between lexemes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<u64>,
    pub(super) with: Vec<u8>,
}

impl Edit {
    pub(super) fn new(range: Range<u64>, with: impl Into<Vec<u8>>) -> Self {
        Edit { range, with: with.into() }
    }
}

/// The numbers of games and diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Number of games checked.
    pub games: u64,
    /// Number of diagnostics of severity error.
    pub errors: u64,
    /// Number of diagnostics of severity warning.
    pub warnings: u64,
    /// Number of diagnostics that [`fix`](super::fix) repairs; 0 for games that it leaves unchanged.
    pub fixable: u64,
}

impl Summary {
    /// Returns whether there were no diagnostics.
    pub fn is_clean(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    pub(super) fn count(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            _ => self.warnings += 1,
        }
        self.fixable += u64::from(diagnostic.is_fixable);
    }
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.fixable += other.fixable;
    }
}

/// Shows the texts of a game: as UTF-8, unless a charset was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Texts {
    pub(super) charset: Option<sgf_stream::charset::TreeCharset>,
}

impl Texts {
    /// Decodes a raw value as far as possible.
    pub(super) fn decode(self, raw: &[u8]) -> Cow<'_, str> {
        if let Some(charset) = self.charset {
            return charset.decode(RawValue::new(raw)).into_text();
        }
        String::from_utf8_lossy(raw)
    }

    /// Returns the start of a raw value, short enough for a message.
    pub(super) fn excerpt(self, raw: &[u8]) -> String {
        // A character cut in the middle would show as U+FFFD, so it is left out.
        let front = &raw[..raw.len().min(4 * (MOST + 1))];
        let front = match std::str::from_utf8(front) {
            Err(error) if error.error_len().is_none() && front.len() < raw.len() => &front[..error.valid_up_to()],
            _ => front,
        };
        excerpt(&self.decode(front))
    }
}

/// Maximum number of characters of a value in a message.
const MOST: usize = 40;

/// Returns the first characters of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    let mut chars = text.chars().map(|c| if c.is_control() || c == '\u{FEFF}' { ' ' } else { c });
    let mut text: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_cut_after_40_characters() {
        for letter in ["0", "\u{FEFF}", "é", "囲", "𝄞"] {
            let [whole, long] = [MOST, MOST + 1].map(|len| Texts::default().excerpt(letter.repeat(len).as_bytes()));
            assert_eq!((whole.chars().count(), long.chars().count()), (MOST, MOST + 1), "{letter:?}");
            assert!(!whole.ends_with('…') && long.ends_with('…'), "{letter:?}");
        }
    }
}
