//! Faults: their codes and their places.
//!
//! There is one list of faults, [`Code`]. Lenient parsing repairs a fault and reports it as a
//! [`Diagnostic`]; strict parsing stops at it with a [`SyntaxError`](crate::SyntaxError) that
//! carries the same code and the same place.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Bytes in front of it, from the start of the stream.
    pub offset: u64,
    /// Line, from 1. A line ends with CRLF, LFCR, CR or LF, the longest that is there.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
}

impl Position {
    /// The first byte of a stream.
    pub const START: Position = Position { offset: 0, line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The input is at fault, and a repair was found for it.
    Warning,
    /// Something was left out: a limit forbade it, or there was nothing to read.
    Error,
}

impl Severity {
    /// `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a fault can be repaired in its file, and what that costs.
///
/// A repair never costs content unless the caller asks for that: see
/// [`Fixer::lossy`](crate::check::Fixer::lossy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Repair {
    /// It is not repaired: nobody knows what is meant, or it is more than a program can hold.
    None,
    /// It is repaired, where nothing is lost by that.
    Keeps,
    /// A repair would drop something that somebody wrote. It is left as it is, with the whole of its game, unless
    /// the caller asks for a lossy repair.
    Drops,
}

impl Repair {
    /// `none`, `keeps` or `drops`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Repair::None => "none",
            Repair::Keeps => "keeps",
            Repair::Drops => "drops",
        }
    }
}

/// Writes [`Code`] and its table, so that a code cannot lack a row.
macro_rules! codes {
    ($( $(#[doc = $doc:literal])+ $variant:ident: $name:literal, $severity:ident, $repair:ident, $sgfc:expr, $expected:literal, $message:literal; )+) => {
        /// What is wrong. The number is that of SGFC, the reference implementation, for the same
        /// or the nearest fault ([`sgfc`](Code::sgfc)); the doc line of each code says what
        /// lenient parsing does about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $( $(#[doc = $doc])+ $variant, )+ }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant),+];

            /// The code as a word: `missing-semicolon`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// How much it matters to lenient parsing. (Strict parsing stops at every fault.)
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// Whether tools that repair files repair it, and whether they lose anything by that.
            pub const fn repair(self) -> Repair {
                match self { $(Code::$variant => Repair::$repair,)+ }
            }

            /// The number of the message that SGFC prints for it, where it has one.
            pub const fn sgfc(self) -> Option<u8> {
                match self { $(Code::$variant => $sgfc,)+ }
            }

            /// What the grammar expects instead.
            pub const fn expected(self) -> &'static str {
                match self { $(Code::$variant => $expected,)+ }
            }

            /// The fault and its repair, as a sentence for a person.
            pub const fn message(self) -> &'static str {
                match self { $(Code::$variant => $message,)+ }
            }
        }
    };
}

codes! {
    /// Text in front of, between or after game trees: skipped up to a `(` that is followed by
    /// `;`, or by an identifier and `[`. One report for each stretch. SGFC 6.
    JunkOutsideTree: "junk-outside-tree", Warning, Drops, Some(6),
        "\"(\" at the start of a game", "text outside of a game tree was skipped";
    /// A `)` that closes nothing: ignored.
    ExtraCloseParen: "extra-close-paren", Warning, Keeps, None,
        "\"(\" or the end of the data", "a \")\" that closes nothing was ignored";
    /// No game tree in the whole stream: an error in lenient mode too. SGFC 7.
    NoSgfData: "no-sgf-data", Error, None, Some(7),
        "\"(\" followed by \";\"", "no SGF data";
    /// Bytes inside a tree that belong to no token, or a word without an upper-case letter:
    /// skipped, without an end to the value list they stand in. SGFC 8.
    JunkInTree: "junk-in-tree", Warning, Drops, Some(8),
        "\"(\", \")\", \";\" or a property", "text that is not SGF was skipped";
    /// Lower-case letters in an identifier, as FF\[1\] to FF\[3\] allow: kept in its spelling,
    /// left out of its name. SGFC 16.
    LowercaseInIdent: "lowercase-in-ident", Warning, Keeps, Some(16),
        "an identifier of upper-case letters", "lower-case letters in the identifier were left out of its name";
    /// Digits in an identifier: kept, in its spelling and in its name. SGFC 8.
    DigitInIdent: "digit-in-ident", Warning, None, Some(8),
        "an identifier of upper-case letters", "digits in the identifier were kept";
    /// An identifier longer than the limit: the property is dropped. SGFC 11.
    IdentTooLong: "ident-too-long", Error, None, Some(11),
        "a shorter identifier", "the identifier is longer than the limit; its property was dropped";
    /// An identifier without a value: dropped. SGFC 20.
    PropertyWithoutValue: "property-without-value", Warning, Drops, Some(20),
        "\"[\" after the identifier", "the property has no value and was dropped";
    /// A value without an identifier: dropped. SGFC 54.
    ValueWithoutIdent: "value-without-ident", Warning, Drops, Some(54),
        "an identifier in front of \"[\"", "the value has no identifier and was dropped";
    /// A property where a node should start, after `(` or after a child tree: the `;` is
    /// assumed. SGFC 36 and 67.
    MissingSemicolon: "missing-semicolon", Warning, Keeps, Some(36),
        "\";\"", "a missing \";\" was assumed";
    /// A tree without nodes of its own: its children take its place, and `()` vanishes. SGFC 12
    /// and 21.
    TreeWithoutNodes: "tree-without-nodes", Warning, Keeps, Some(12),
        "\";\" after \"(\"", "the tree has no nodes of its own; its child trees took its place";
    /// A node after a child tree: it becomes the next child of the node that the tree belongs
    /// to. SGFC 66.
    NodeAfterVariation: "node-after-variation", Warning, Keeps, Some(66),
        "\"(\" or \")\" after a child tree", "the node after a variation became a variation of its own";
    /// The data end inside a tree: the open trees are closed. SGFC 9.
    UnclosedTree: "unclosed-tree", Warning, Keeps, Some(9),
        "\")\" before the end of the data", "the data end inside a tree, which was closed";
    /// A game starts inside a game, at the start of a line: the open game is closed in front of
    /// it. SGFC 9.
    MissingCloseParen: "missing-close-paren", Warning, Keeps, Some(9),
        "\")\" before the next game", "a new game starts inside this one, which was closed";
    /// The data end inside a value: it is dropped. SGFC 10.
    UnterminatedValue: "unterminated-value", Warning, Keeps, Some(10),
        "\"]\" before the end of the data", "the data end inside a value, which was dropped";
    /// A value runs into the start of the next game: it is dropped, and its game closed.
    MissingCloseBracket: "missing-close-bracket", Warning, Keeps, None,
        "\"]\" before the next game", "the value runs into the next game; it was dropped and its game closed";
    /// A `]` that should have been escaped, in a value that holds a `[`: taken as text.
    UnescapedBracket: "unescaped-bracket", Warning, Keeps, None,
        "\"\\]\"", "a \"]\" that does not end its value was taken as text";
    /// A value ends in the middle of a two-byte character, as when a program cut it to so many bytes:
    /// the `]` that seems to be the second byte ends it, since SGF follows.
    CutCharacter: "cut-character", Warning, Keeps, None,
        "the second byte of a character", "the value ends in the middle of a character";
    /// A value longer than the limit: dropped.
    ValueTooLong: "value-too-long", Error, None, None,
        "a shorter value", "the value is longer than the limit and was dropped";
    /// Trees nested deeper than the limit: the subtree is dropped.
    TreeTooDeep: "tree-too-deep", Error, None, None,
        "fewer nested trees", "the tree is nested deeper than the limit and was dropped";
    /// A node longer than a [`NodeRecord`](crate::NodeRecord) may be: the rest of its values is left
    /// out. Who reads whole nodes reports it, not the tokenizer.
    NodeTooLong: "node-too-long", Error, None, None,
        "a shorter node", "the node is longer than the limit; the rest of its values was left out";
    /// A game longer than the limit, where whole games are kept (feature `codec`): it is left out. Who
    /// keeps whole games reports it, not the tokenizer.
    GameTooLong: "game-too-long", Error, None, None,
        "a shorter game", "the game is longer than the limit and was left out";
    /// Several values where the program that reads wants one: the first is taken. The layer that
    /// makes Rust values (feature `serde`) reports it, not the tokenizer. SGFC 13.
    ExtraValues: "extra-values", Warning, None, Some(13),
        "one value", "the property has several values, of which the first was taken";
    /// A value that does not fit the field of a Rust type: the field is left out, and takes its default. Only
    /// who asks for that is told (`Games::lenient_fields`); to others it is an error. The layer that makes
    /// Rust values (feature `serde`) reports it, not the tokenizer.
    InvalidField: "invalid-field", Warning, None, None,
        "a value that fits the field", "the value does not fit the field, which was left out";
    /// `CA` names a charset that nobody knows: the texts of the tree are read as Latin-1. The
    /// layer that decodes texts (feature `charset`) reports it, not the tokenizer. SGFC 72.
    UnknownCharset: "unknown-charset", Warning, None, Some(72),
        "the name of a charset", "the charset is unknown; Latin-1 was assumed";
    /// A text is in UTF-8, and `CA` names another charset: it is read as UTF-8. The layer that decodes texts
    /// (feature `charset`) reports it, once a game, not the tokenizer.
    CharsetMismatch: "charset-mismatch", Warning, Keeps, None,
        "text in the charset that CA names", "CA names another charset, and the text is in UTF-8; it was read as UTF-8";
    /// Bytes of a text that its charset does not have: replaced by U+FFFD. The layer that
    /// decodes texts (feature `charset`) reports it, not the tokenizer. SGFC 71.
    BadBytes: "bad-bytes", Warning, None, Some(71),
        "text in its charset", "bytes that are not in the charset of the text were replaced by U+FFFD";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of [`Code::from_str`]: no code has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no diagnostic code is called {0:?}")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let code = Code::ALL.iter().find(|code| code.as_str() == name);
        code.copied().ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

/// A fault that lenient parsing met and repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What is wrong.
    pub code: Code,
    /// Where.
    pub position: Position,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, position: Position) -> Self {
        Diagnostic { code, position }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The fault and its repair, as a sentence.
    pub fn message(&self) -> &'static str {
        self.code.message()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.position, self.message(), self.code)
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::ser::{Serialize, SerializeStruct, Serializer};

    use super::{Code, Diagnostic, Position, Severity};

    impl Serialize for Position {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_struct("Position", 3)?;
            map.serialize_field("offset", &self.offset)?;
            map.serialize_field("line", &self.line)?;
            map.serialize_field("column", &self.column)?;
            map.end()
        }
    }

    /// As its word.
    impl Serialize for Code {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }

    /// As its word.
    impl Serialize for Severity {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }

    /// Flat: `offset`, `line`, `column`, `severity`, `code`, `message`.
    impl Serialize for Diagnostic {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_struct("Diagnostic", 6)?;
            map.serialize_field("offset", &self.position.offset)?;
            map.serialize_field("line", &self.position.line)?;
            map.serialize_field("column", &self.position.column)?;
            map.serialize_field("severity", &self.severity())?;
            map.serialize_field("code", &self.code)?;
            map.serialize_field("message", self.message())?;
            map.end()
        }
    }
}

/// Keeps the first diagnostics of a run, up to a cap, and counts the rest.
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
    /// A log that keeps at most `cap` diagnostics. Clones share it.
    pub fn new(cap: usize) -> Self {
        DiagnosticLog(Arc::new(Mutex::new(Stored { cap, kept: Vec::new(), dropped: 0 })))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Stored> {
        // A panic in another thread cannot leave the log half-written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, diagnostic: &Diagnostic) {
        let mut stored = self.lock();
        if stored.kept.len() < stored.cap {
            stored.kept.push(*diagnostic);
        } else {
            stored.dropped += 1;
        }
    }

    /// The diagnostics kept since the last call, in the order of their report; the log starts
    /// again with room for as many as at first.
    pub fn take(&self) -> Vec<Diagnostic> {
        let mut stored = self.lock();
        stored.dropped = 0;
        std::mem::take(&mut stored.kept)
    }

    /// How many did not fit since the last [`take`](Self::take).
    pub fn dropped(&self) -> u64 {
        self.lock().dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_that_parses_back() {
        for &code in Code::ALL {
            assert_eq!(code.as_str().parse(), Ok(code));
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        }
        assert!("nonsense".parse::<Code>().is_err());
    }
}
