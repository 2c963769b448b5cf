//! The table of syntax errors: one row has everything that the crate says about one.
//!
//! To add a code, add a row to `faults!` and report it. Then run `UPDATE_PAGES=1 cargo test -p sgf-stream-tests --all-features --test it check::page`,
//! which rewrites the page of the rules. The enum, its docs, what `sgf check --explain` prints and what
//! `sgf_check::Rule` says about the code come from the row.

use std::fmt;
use std::str::FromStr;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The input has a syntax error, which was repaired.
    Warning,
    /// Data was lost because it exceeded a limit, or the input has no game.
    Error,
}

impl Severity {
    /// Returns `warning` or `error`.
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

/// The repair for a diagnostic: none, or one that keeps or drops content.
///
/// A repair that drops content happens only on request; see `Rewriter::lossy` of the package `sgf-check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Repair {
    /// No repair, because the intended meaning is unknown or the data exceeds a limit.
    None,
    /// A repair that keeps all content. If it would drop content in a particular case, it is not applied.
    Keeps,
    /// A repair that drops content. Without lossy mode, the content is left unchanged.
    Drops,
}

impl Repair {
    /// Returns `none`, `keeps` or `drops`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Repair::None => "none",
            Repair::Keeps => "keeps",
            Repair::Drops => "drops",
        }
    }
}

/// The default severity of a diagnostic in the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Contradictory or unreadable data.
    Error,
    /// A violation with one obvious meaning.
    Warning,
    /// A warning that is disabled unless requested, since the data is legal.
    Style,
}

/// The entry of a rule in the checker's documentation.
#[derive(Debug)]
pub struct Row {
    /// The name of the rule.
    pub name: &'static str,
    /// How severe it is.
    pub level: Level,
    /// Whether there is a repair.
    pub repair: Repair,
    /// Numbers of the corresponding SGFC messages, the closest one first.
    pub sgfc: &'static [u8],
    /// Why it is a rule, and what to do.
    pub explanation: &'static str,
}

/// The table row of a [`Code`]: a [`Row`] for the checker, and words for the parser.
#[derive(Debug)]
struct Fault {
    row: Row,
    severity: Severity,
    expected: &'static str,
    message: &'static str,
}

/// Defines [`Code`] and its table, so that every code has a row.
///
/// * doc comment: what the code means and what lenient parsing does
/// * `name`: the name of the code
/// * `severity`: for lenient parsing, which repairs nearly everything
/// * `check`: the [`Level`] for the checker, which treats lost data as an error
/// * `repair`: the [`Repair`] in tools that change files
/// * `sgfc`: numbers of SGFC's messages
/// * `expected`: what the grammar expects instead
/// * `message`: the fault and its repair, as a sentence
/// * `explanation`: why it is a problem, and how to solve it
macro_rules! faults {
    ($(
        $(#[doc = $doc:literal])+
        $code:ident {
            name: $name:literal, severity: $severity:ident, check: $check:ident, repair: $repair:ident, sgfc: [$($sgfc:literal),*],
            expected: $expected:literal,
            message: $message:literal,
            explanation: $explanation:literal,
        }
    )+) => {
        /// The kind of a diagnostic or syntax error: the rule that it reports.
        ///
        /// The docs of each code say how lenient mode handles it, and end with the numbers of the same or closest
        /// messages of SGFC, the reference implementation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $( $(#[doc = $doc])+ #[doc = concat!("\n\n`", $name, "`", $(", SGFC ", $sgfc,)* ".")] $code, )+
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Code] = &[$(Code::$code),+];
        }

        /// The table, in the order of [`Code::ALL`].
        const FAULTS: &[Fault] = &[$(
            Fault {
                row: Row {
                    name: $name,
                    level: Level::$check,
                    repair: Repair::$repair,
                    sgfc: &[$($sgfc),*],
                    explanation: $explanation,
                },
                severity: Severity::$severity,
                expected: $expected,
                message: $message,
            },
        )+];
    };
}

impl Code {
    const fn fault(self) -> &'static Fault {
        &FAULTS[self as usize]
    }

    /// Returns the row for the checker.
    #[doc(hidden)]
    pub const fn row(self) -> &'static Row {
        &self.fault().row
    }

    /// Returns the name of the code: `missing-semicolon`.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the severity in lenient mode. (In strict mode, every syntax error ends parsing.)
    pub const fn severity(self) -> Severity {
        self.fault().severity
    }

    /// Returns whether tools that change files repair it, and whether that drops content.
    pub const fn repair(self) -> Repair {
        self.row().repair
    }

    /// Returns the numbers of the corresponding SGFC messages, the closest one first.
    pub const fn sgfc(self) -> &'static [u8] {
        self.row().sgfc
    }

    /// Returns whether lenient parsing drops part of a game: the rules that `sgf check` calls errors.
    #[doc(hidden)]
    pub const fn loses_data(self) -> bool {
        matches!(self.row().level, Level::Error)
    }

    /// Returns what the grammar expects instead.
    pub const fn expected(self) -> &'static str {
        self.fault().expected
    }

    /// Describes the problem and its repair.
    pub const fn message(self) -> &'static str {
        self.fault().message
    }
}

faults! {
    /// Text before, between or after game trees.
    ///
    /// It is skipped up to a `(` and a `;`, or a `(`, an identifier and a `[`, and reported once per contiguous run.
    JunkOutsideTree {
        name: "junk-outside-tree", severity: Warning, check: Warning, repair: Drops, sgfc: [6],
        expected: "`(` at the start of a game",
        message: "text outside of a game was skipped",
        explanation: "An SGF file contains games and nothing else. Many programs skip mail headers and similar text, but not \
            all do. --fix keeps it.",
    }

    /// A `)` without an open tree. It is ignored.
    ExtraCloseParen {
        name: "extra-close-paren", severity: Warning, check: Warning, repair: Keeps, sgfc: [],
        expected: "`(` or the end of the data",
        message: "a `)` that closes nothing was ignored",
        explanation: "This `)` has no matching `(`: it is superfluous, or a `(` is missing before it. --fix removes it.",
    }

    /// A stream without a game tree. This is an error even in lenient mode.
    NoSgfData {
        name: "no-sgf-data", severity: Error, check: Error, repair: None, sgfc: [7],
        expected: "`(` followed by `;`",
        message: "no SGF data",
        explanation: "The file contains no game, that is, no `(` that is followed by `;`.",
    }

    /// Bytes inside a tree that are not part of a token.
    ///
    /// A word without an upper-case letter also counts. They are skipped, and do not end a value list.
    JunkInTree {
        name: "junk-in-tree", severity: Warning, check: Error, repair: Drops, sgfc: [8],
        expected: "`(`, `)`, `;` or a property",
        message: "text that is not SGF was skipped",
        explanation: "Only white space is allowed between properties and nodes. Usually a bracket before this text is missing \
            or unescaped. Programs skip such text; --fix keeps it.",
    }

    /// Lower-case letters in an identifier, as FF\[1\] to FF\[3\] allow. Kept in its spelling, ignored in its name.
    LowercaseInIdent {
        name: "lowercase-in-ident", severity: Warning, check: Warning, repair: Keeps, sgfc: [16],
        expected: "an identifier of upper-case letters",
        message: "lower-case letters in the identifier were ignored",
        explanation: "FF[4] allows only upper-case letters in identifiers. Older versions allowed lower-case letters and ignored \
            them. --fix removes them where FF[4] has the property.",
    }

    /// Digits in an identifier. They are kept in its spelling and in its name.
    DigitInIdent {
        name: "digit-in-ident", severity: Warning, check: Warning, repair: None, sgfc: [8],
        expected: "an identifier of upper-case letters",
        message: "digits in the identifier were kept",
        explanation: "Identifiers consist of upper-case letters. Strict programs stop here. FF[4] has no equivalent spelling \
            without digits, so --fix keeps them.",
    }

    /// An identifier longer than the limit. The property is dropped.
    IdentTooLong {
        name: "ident-too-long", severity: Error, check: Error, repair: None, sgfc: [11],
        expected: "a shorter identifier",
        message: "the identifier is longer than the limit; its property was dropped",
        explanation: "No real identifier is this long. A bracket is missing, or the data is not SGF.",
    }

    /// An identifier without a value. It is dropped.
    PropertyWithoutValue {
        name: "property-without-value", severity: Warning, check: Error, repair: Drops, sgfc: [20],
        expected: "`[` after the identifier",
        message: "the property has no value and was dropped",
        explanation: "Every property has a value, even if it is empty. Programs skip an identifier without one; --fix keeps it.",
    }

    /// A value without an identifier. It is dropped.
    ValueWithoutIdent {
        name: "value-without-ident", severity: Warning, check: Error, repair: Drops, sgfc: [54],
        expected: "an identifier",
        message: "the value has no identifier and was dropped",
        explanation: "A value must follow the identifier of its property, which is missing. Programs skip such a value; --fix \
            keeps it.",
    }

    /// A property where a node should start, after `(` or after a child tree. The `;` is assumed.
    MissingSemicolon {
        name: "missing-semicolon", severity: Warning, check: Warning, repair: Keeps, sgfc: [36, 67],
        expected: "`;`",
        message: "a missing `;` was assumed",
        explanation: "Every node starts with `;`. --fix adds it.",
    }

    /// A tree without own nodes. Its children replace it, and `()` is dropped.
    TreeWithoutNodes {
        name: "tree-without-nodes", severity: Warning, check: Warning, repair: Keeps, sgfc: [12, 21],
        expected: "`;` after `(`",
        message: "the tree has no nodes of its own; its child trees took its place",
        explanation: "A tree has at least one node: `(;`. --fix removes the parentheses.",
    }

    /// A node after a child tree.
    ///
    /// It starts another variation, the next child of the node that the tree belongs to.
    NodeAfterVariation {
        name: "node-after-variation", severity: Warning, check: Warning, repair: Keeps, sgfc: [66],
        expected: "`(` or `)` after a child tree",
        message: "a node after a variation; it was read as another variation",
        explanation: "No node may follow the variations of a node. `(;a(;v);b)` is read as `(;a(;v)(;b))`, and --fix writes \
            the parentheses.",
    }

    /// The end of the input inside a tree. The open trees are closed.
    UnclosedTree {
        name: "unclosed-tree", severity: Warning, check: Warning, repair: Keeps, sgfc: [9],
        expected: "`)`",
        message: "the data ends inside a game; the open trees were closed",
        explanation: "Unexpected end of file: the file was truncated, or a `)` is missing. --fix adds it.",
    }

    /// The start of a game inside another. The open game is closed before it.
    MissingCloseParen {
        name: "missing-close-paren", severity: Warning, check: Warning, repair: Keeps, sgfc: [9],
        expected: "`)` before the next game",
        message: "a new game starts inside this one; the open game was closed",
        explanation: "A game starts inside another: a `)` is missing, or the file was truncated and another game was appended. \
            --fix adds it.",
    }

    /// The end of the input inside a value. The value is dropped.
    UnterminatedValue {
        name: "unterminated-value", severity: Warning, check: Error, repair: Keeps, sgfc: [10],
        expected: "`]`",
        message: "the data ends inside a value; the value was dropped",
        explanation: "The file ends inside a value: the file was truncated, or a `]` is missing. Programs drop the value; \
            --fix closes it, except for an empty move or list.",
    }

    /// The start of the next game inside a value. The value is dropped, and its game closed.
    MissingCloseBracket {
        name: "missing-close-bracket", severity: Warning, check: Error, repair: Keeps, sgfc: [],
        expected: "`]` before the next game",
        message: "the value runs into the next game; the value was dropped and its game closed",
        explanation: "A game starts inside a value: a `]` is missing, or the file was truncated and another game was appended. \
            Programs drop the value; --fix closes it, except for an empty move or list.",
    }

    /// An unescaped `]` that does not end its value. It is taken as text.
    UnescapedBracket {
        name: "unescaped-bracket", severity: Warning, check: Warning, repair: Keeps, sgfc: [],
        expected: "`\\]`",
        message: "a `]` that does not end its value was taken as text",
        explanation: "A `]` inside a text is written `\\]`, because a bare one ends the value. --fix adds the backslash.",
    }

    /// A value that ends in the middle of a two-byte character.
    ///
    /// Some programs truncate values like this. The `]` that could be the second byte ends the value, since SGF
    /// follows.
    CutCharacter {
        name: "cut-character", severity: Warning, check: Warning, repair: Keeps, sgfc: [],
        expected: "the second byte of a character",
        message: "the value ends in the middle of a character",
        explanation: "A program truncated the text in the middle of a character. --fix adds a space after the first byte of the \
            character.",
    }

    /// A value longer than the limit. It is dropped.
    ValueTooLong {
        name: "value-too-long", severity: Error, check: Error, repair: None, sgfc: [],
        expected: "a shorter value",
        message: "the value is longer than the limit and was dropped",
        explanation: "The value is longer than the limit (16 MiB in the tools, by default 1 MiB in the library) and was not checked.",
    }

    /// Trees nested deeper than the limit. The subtree is dropped.
    TreeTooDeep {
        name: "tree-too-deep", severity: Error, check: Error, repair: None, sgfc: [],
        expected: "fewer nested trees",
        message: "the tree is nested deeper than the limit and was dropped",
        explanation: "The variations are nested deeper than the limit and were not checked.",
    }

    /// A node longer than the limit of a [`NodeRecord`](crate::NodeRecord).
    ///
    /// The rest of its values is dropped. Only code that reads whole nodes reports it.
    NodeTooLong {
        name: "node-too-long", severity: Error, check: Error, repair: None, sgfc: [],
        expected: "a shorter node",
        message: "the node is longer than the limit; the rest of its values was dropped",
        explanation: "The node is longer than the limit and was not checked to its end.",
    }

    /// A game longer than the limit for code that buffers whole games.
    ///
    /// The game is dropped. Only that code reports it: parts of a stream, and the feature `codec`.
    GameTooLong {
        name: "game-too-long", severity: Error, check: Error, repair: None, sgfc: [],
        expected: "a shorter game",
        message: "the game is longer than the limit and was dropped",
        explanation: "The game is longer than the limit and was not checked.",
    }

    /// Several values for a Rust type that expects one. The first is taken.
    ///
    /// Only deserialization (feature `serde`) reports it.
    ExtraValues {
        name: "extra-values", severity: Warning, check: Warning, repair: Keeps, sgfc: [13],
        expected: "one value",
        message: "only the first value was used",
        explanation: "This property takes one value, but several are given. Often a `]` or an identifier is missing: \
            (;B[cc;AW[dd][ee]). --fix removes values with the same meaning as the first.",
    }

    /// A value that does not fit the field of a Rust type. The field takes its default.
    ///
    /// Only deserialization (feature `serde`) with `de::Options::lenient_fields` or `lenient_header` reports it;
    /// otherwise it is an error.
    InvalidField {
        name: "invalid-field", severity: Warning, check: Warning, repair: None, sgfc: [],
        expected: "a value that fits the field",
        message: "the value does not fit its field and was dropped",
        explanation: "The value does not fit its field in the Rust type that the game is deserialized into. `sgf check` never \
            reports this rule.",
    }

    /// An unknown charset in `CA`. The texts of the tree are decoded as Latin-1.
    ///
    /// Reported only when texts are decoded (feature `charset`).
    UnknownCharset {
        name: "unknown-charset", severity: Warning, check: Warning, repair: None, sgfc: [72],
        expected: "the name of a charset",
        message: "unknown charset; decoded as Latin-1",
        explanation: "No charset has this name. Texts are decoded as Latin-1, the default of FF[4]. Correct CA.",
    }

    /// A text that is not in the charset of `CA`, but in another, usually UTF-8.
    ///
    /// It is decoded in that charset. Reported once per game, and only when texts are decoded (feature `charset`).
    CharsetMismatch {
        name: "charset-mismatch", severity: Warning, check: Warning, repair: Keeps, sgfc: [],
        expected: "text in the charset that CA declares",
        message: "the text is not in the charset that CA declares; decoded in the charset of the text",
        explanation: "The text is not in the charset that CA declares; in most cases it is UTF-8. Programs that trust CA show \
            gibberish. Reported once per game. --fix writes CA[UTF-8] if all texts of the game are in UTF-8; with --guess-charset it writes \
            the most likely charset of other texts.",
    }

    /// Bytes of a text that are invalid in its charset. They are replaced with U+FFFD.
    ///
    /// Reported only when texts are decoded (feature `charset`).
    BadBytes {
        name: "bad-bytes", severity: Warning, check: Warning, repair: None, sgfc: [71, 70],
        expected: "text in its charset",
        message: "bytes that are invalid in the charset were replaced with U+FFFD",
        explanation: "The text has bytes that are invalid in the charset that CA (or the byte-order mark of the file) declares. \
            Correct CA, or the text.",
    }
}

impl Code {
    /// Returns whether the code concerns the bounds of a game.
    ///
    /// Such diagnostics (text between games, a missing end) are also reported for skipped games.
    #[cfg(feature = "codec")]
    pub(crate) fn is_about_bounds(self) -> bool {
        use Code::{
            ExtraCloseParen, JunkOutsideTree, MissingCloseBracket, MissingCloseParen, NoSgfData, UnclosedTree,
            UnterminatedValue,
        };
        matches!(self, ExtraCloseParen | JunkOutsideTree | MissingCloseBracket | MissingCloseParen | NoSgfData)
            || matches!(self, UnclosedTree | UnterminatedValue)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of [`Code::from_str`] for an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule {0:?}")]
pub struct UnknownCodeError(String);

impl FromStr for Code {
    type Err = UnknownCodeError;

    fn from_str(name: &str) -> Result<Self, UnknownCodeError> {
        let code = Code::ALL.iter().find(|code| code.as_str() == name);
        code.copied().ok_or_else(|| UnknownCodeError(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::ser::{Serialize, Serializer};

    use super::{Code, Severity};

    /// Serializes the name of the code.
    impl Serialize for Code {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }

    /// Serializes `warning` or `error`.
    impl Serialize for Severity {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
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
