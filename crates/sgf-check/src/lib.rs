//! The checker: reports what the specification forbids but the grammar accepts.
//!
//! A file can be well-formed and still be wrong: root properties in the middle of a game, two moves in a
//! node, a point off the board, a result that no program can read. [`Checker`] reports all this while it streams
//! the games, in memory bounded by the depth of the variations. Each diagnostic has a position, a message, a severity,
//! and an explanation of what to do.
//!
//! ```
//! use sgf_check::check_slice;
//!
//! let report = check_slice(b"(;FF[4]SZ[9];B[dd]W[jj]\n;RE[Someone wins]C[a comment])");
//! let found: Vec<_> = report.diagnostics().iter().map(ToString::to_string).collect();
//! assert_eq!(found, [
//!     "line 1, column 19 (byte 18): W: the node also has a black move [two-moves]",
//!     "line 1, column 20 (byte 19): W[jj] is off the 9x9 board [point-off-board]",
//!     "line 2, column 4 (byte 27): RE[Someone wins]: expected a result such as B+3.5, W+Resign or Draw \
//!      [bad-game-info]",
//! ]);
//! ```
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.
//!
//! # Entry points
//!
//! | you have | use |
//! |---|---|
//! | a slice | [`check_slice`], or [`Checker::check`] |
//! | a file, a pipe, any `BufRead`, of any size | [`Checker::check`] |
//! | games that you read anyway, with any reader | the [`Checker`] as a [`Visitor`] |
//! | a file to be repaired | [`fix_slice`], [`fix`] |
//!
//! The first two also report syntax errors ([`Rule::Syntax`]), with lines and columns. A visitor sees events, not
//! bytes, so its diagnostics have only offsets, and syntax errors go to the callback of the parser
//! ([`Parser::on_diagnostic`](sgf_stream::Parser::on_diagnostic)).
//!
//! ```
//! use sgf_stream::Parser;
//! use sgf_check::{Checker, Rule, Rules};
//!
//! // A collection of any size, with your own rules.
//! let games = &b"(;FF[4]B[dd])\n(;FF[4];AB[aa][aa])"[..];
//! let rules = Rules::new().warn(Rule::MoveInRoot).allow(Rule::UnknownProperty);
//! let mut found = Vec::new();
//! let mut checker = Checker::with_rules(rules, |diagnostic| found.push((diagnostic.rule(), diagnostic.position().unwrap().line)));
//! let summary = checker.check(games)?;
//! assert_eq!((summary.games, summary.errors, summary.warnings), (2, 1, 1));
//! assert_eq!(found, [(Rule::MoveInRoot, 1), (Rule::DuplicatePoint, 2)]);
//!
//! // Game by game, with any reader.
//! let mut checker = Checker::new(|diagnostic| println!("{diagnostic}"));
//! let mut reader = Parser::new().reader(games);
//! while let Some(summary) = reader.read_game(&mut checker.visitor())? {
//!     println!("{} errors", summary.errors);
//! }
//! # Ok::<(), sgf_stream::Error>(())
//! ```
//!
//! # What is checked
//!
//! * **Property placement** (FF\[4\], "Property types"): root, setup, move and game info properties in the
//!   wrong node, properties that exclude each other, duplicates.
//! * **Property names**: unknown properties, those of other games and versions, private ones with the name of a
//!   standard one.
//! * **Values**, according to their types in the [registry](sgf_stream::property), on the board and in the notation of
//!   the game: Go and games with its notation, Hex, backgammon, Lines of Action, Octi, Amazons, Gess, Twixt. Formats (dates,
//!   results, sizes), ranges of numbers, keywords. Values of private properties are not checked.
//! * **Points**: duplicates in a list, or points in two lists that exclude each other.
//! * **Go positions**: moves onto stones, setup that changes nothing, missing handicap stones.
//!
//! A value that only lenient mode accepts is a warning; a value that even lenient mode rejects is an error.
//!
//! # The rules
//!
#![doc = include_str!("rules.md")]
//!
//! # Memory
//!
//! The checker keeps about a hundred bytes for each variation on the current path, and the Go position for the first
//! 1,024 nested ones. It keeps the properties and points of the current node, and up to four megabytes of a root,
//! because the properties that determine how to read the game may come last in it. Diagnostics are passed to the
//! callback node by node and not kept.
//!
//! # Repairs
//!
//! [`fix`] performs these repairs, which lose no content, and copies everything else byte for byte:
//!
//! * missing `(`, `;`, `)` and `]`, superfluous brackets, unescaped brackets in texts;
//! * a value truncated by the end of the data or the start of the next game: it is kept and closed;
//! * [sloppy](Rule::SloppyValue) values, if their [canonical form](sgf_stream::write::Writer::canonical) loses nothing:
//!   `RE[b+res]`, but not `RE[B+Offline]`;
//! * a komi in `HA` and an overtime in `TM`, which become `KM` and `OT` unless the node already has a different one;
//! * [komi in hundredths](Rule::NumberOutOfRange), if it is unambiguous under `RU`;
//! * [square boards](Rule::SquareSize) in two numbers;
//! * [empty](Rule::EmptyValue) properties and values, and, with the rule on,
//!   [empty texts](Rule::EmptyText);
//! * [split lists](Rule::DuplicateProperty), except where their order matters;
//! * [duplicate points](Rule::DuplicatePoint) in a list;
//! * [a second value](Rule::DuplicateProperty) equal to the first, where the property takes one: `SZ[19]SZ[19]`,
//!   `SZ[19][19]`;
//! * [lower-case letters](sgf_stream::Code::LowercaseInIdent) in known identifiers of games that declare FF\[4\].
//!
//! The guide lists the guarantees: no content is lost unless
//! [`Rewriter::lossy`](crate::Rewriter::lossy) allows it, junk is left unchanged and the rest of its game is
//! repaired, every change is verified before it is written, and a second run changes nothing.
//!
//! `Rewriter::guess_charset` (feature `charset`) writes the most likely charset into `CA` if `CA` is missing, unknown
//! or wrong. Without it `CA` changes only if the texts are in UTF-8.
//!
//! No pass and no empty list is invented: a truncated `W[` is left unchanged, because `W[]` would be a pass, and so
//! is `DD[`; lossy repairs drop them. Private properties are left unchanged. A rule that is [off](Rules::allow)
//! repairs nothing, except for syntax. [`Diagnostic::is_fixable`] returns whether a diagnostic has a repair that keeps
//! all content, and [`Summary::fixable`] counts the diagnostics that have one.

mod board;
mod charset;
mod convert;
mod core;
mod diagnostic;
mod edit;
mod fix;
mod glance;
mod go;
mod identity;
mod label;
mod lists;
mod part;
mod places;
mod points;
mod property;
mod report;
mod rewrite;
mod rule;
mod rules;
mod state;
mod structure;
mod value;
mod window;

use std::fmt;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

pub use diagnostic::{Diagnostic, Summary};
pub use fix::{fix, fix_slice};
pub use part::StreamStart;
pub use rewrite::{Change, Note, NoteKind, RewriteError, Rewriter, Rewritten, Step};
pub use rule::{Rule, UnknownRuleError};
pub use rules::Rules;
use sgf_stream::internal::Moves;
use sgf_stream::{
    Code, Event, EventSink, Flow, Ident, Parser, PartEnd, Position, PushParser, RawValue, Skip, ValuePart, Variation,
    Visitor,
};

use self::core::Core;

/// A checker of games in a stream: see the [module](self).
///
/// It calls a callback with every [`Diagnostic`], in the order of the stream.
pub struct Checker<F> {
    parser: Parser,
    /// Its callback receives the syntax errors too.
    reports_to: Parser,
    core: Core,
    handler: F,
    detected: Option<sgf_stream::charset::Charset>,
}

impl<F: FnMut(&Diagnostic)> Checker<F> {
    /// Creates a checker with the default rules.
    pub fn new(handler: F) -> Self {
        Checker::with_rules(Rules::new(), handler)
    }

    /// Creates a checker with custom rules.
    ///
    /// To set limits or charsets, use [`with_parser`](Self::with_parser).
    pub fn with_rules(rules: Rules, handler: F) -> Self {
        Checker::with_parser(&Parser::new(), rules, handler)
    }

    /// Creates a checker with these rules, and the limits and the charsets of a parser.
    ///
    /// Syntax errors are reported as diagnostics, even if the parser is strict.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_check::{Checker, Rules};
    ///
    /// let mut found = Vec::new();
    /// let mut checker = Checker::with_parser(&Parser::new().max_value_len(8), Rules::new(), |diagnostic| found.push(diagnostic.rule().as_str()));
    /// checker.check(&b"(;FF[4]C[longer than eight bytes])"[..])?;
    /// assert_eq!(found, ["value-too-long"]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    pub fn with_parser(parser: &Parser, rules: Rules, handler: F) -> Self {
        Checker {
            core: Core::new(rules, parser),
            parser: parser.lenient().count_lines(true),
            reports_to: parser.clone(),
            handler,
            detected: None,
        }
    }

    /// Returns the charset that was detected at the start of the last stream.
    ///
    /// See [`Reader::detected_charset`](sgf_stream::Reader::detected_charset).
    pub fn detected_charset(&self) -> Option<sgf_stream::charset::Charset> {
        self.detected
    }

    /// Checks a stream to its end: all games, and the syntax inside and between them.
    ///
    /// If the [parser](Self::with_parser) decodes texts (`Parser::charset`), diagnostics show decoded texts, and an unknown
    /// charset in `CA`, or a text that is not in the charset that `CA` declares, is reported:
    /// [`BadBytes`](sgf_stream::Code::BadBytes), [`CharsetMismatch`](sgf_stream::Code::CharsetMismatch),
    /// [`UnknownCharset`](sgf_stream::Code::UnknownCharset). By default texts are not decoded.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_check::{Checker, Rules};
    ///
    /// let mut found = Vec::new();
    /// let parser = Parser::new().charset(Decoding::new());
    /// let mut checker = Checker::with_parser(&parser, Rules::new(), |diagnostic| found.push(diagnostic.message().to_owned()));
    /// checker.check(&b"(;FF[4]CA[UTF-8]PB[\xE9])"[..])?;
    /// assert_eq!(found, ["PB: the text has bytes that are invalid in UTF-8"]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails. A stream without games is a diagnostic
    /// ([`NoSgfData`](sgf_stream::Code::NoSgfData)).
    pub fn check<R: BufRead>(&mut self, mut reader: R) -> io::Result<Summary> {
        let mut parser = self.parser.push();
        self.core.begin_part(Position::START, &StreamStart::default());
        let checked = loop {
            let chunk = match reader.fill_buf() {
                Ok(chunk) => &chunk[..chunk.len().min(CHUNK)],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(error),
            };
            let len = chunk.len();
            self.feed(&mut parser, chunk);
            if len == 0 {
                break Ok(());
            }
            reader.consume(len);
        };
        let summary = self.end_stream(&parser);
        checked.map(|()| summary)
    }

    /// Returns a visitor that checks games from any reader.
    ///
    /// It visits all variations and returns the [`Summary`] of each game: see the [module](self).
    pub fn visitor(&mut self) -> impl Visitor<Output = Summary> {
        Visiting { core: &mut self.core, handler: &mut self.handler }
    }

    /// Checks the next bytes of a stream. An empty chunk ends it.
    fn feed(&mut self, parser: &mut PushParser, chunk: &[u8]) {
        self.core.read(chunk);
        if parser.chunk_into(chunk, &mut Checking(self)).is_err() {
            // In lenient mode there is no other error, and it comes at the end.
            self.core.report.no_data(&mut self.handler);
        }
        self.core.report.hand_on(&mut self.handler);
    }

    /// Ends a stream, or a part of it. Returns its summary.
    fn end_stream(&mut self, parser: &PushParser) -> Summary {
        self.detected = parser.detected_charset();
        self.core.end_stream(&mut self.handler)
    }
}

/// Maximum number of bytes that are parsed at a time. The checker keeps them for its diagnostics.
const CHUNK: usize = 64 * 1024;

/// A sink that passes the events and syntax errors of a stream to a checker.
struct Checking<'c, F>(&'c mut Checker<F>);

impl<F: FnMut(&Diagnostic)> EventSink for Checking<'_, F> {
    #[inline]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let Checker { core, handler, .. } = &mut *self.0;
        core.event(event, at, handler);
        Flow::Continue
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let Checker { core, handler, .. } = &mut *self.0;
        core.moves(moves, handler);
        Some(Flow::Continue)
    }

    #[cold]
    fn diagnostic(&mut self, fault: sgf_stream::Diagnostic) {
        self.0.reports_to.report(fault.clone());
        // Whether lower-case letters are a fault depends on the root's FF, so the checker reports them itself.
        if fault.code != Code::LowercaseInIdent {
            self.0.core.report.syntax(fault);
        }
    }
}

/// A visitor that checks the games of a reader.
struct Visiting<'c, F> {
    core: &'c mut Core,
    handler: &'c mut F,
}

impl<F: FnMut(&Diagnostic)> Visitor for Visiting<'_, F> {
    type Game = ();
    type Output = Summary;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Summary, ()> {
        self.core.report.summary = Summary::default(); // the game before may have no end
        self.core.begin_game(self.handler);
        ControlFlow::Continue(())
    }

    fn start_tree(&mut self, (): &mut (), variation: Variation) -> ControlFlow<Summary, Skip> {
        self.core.start_tree(variation.offset, self.handler);
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn node(&mut self, (): &mut (), offset: u64) -> ControlFlow<Summary, Skip> {
        self.core.node(offset, self.handler);
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn property(&mut self, (): &mut (), ident: Ident<'_>, offset: u64) -> ControlFlow<Summary, Skip> {
        self.core.property(ident, offset, self.handler);
        ControlFlow::Continue(Skip::No)
    }

    #[inline]
    fn value(&mut self, (): &mut (), value: RawValue<'_>, offset: u64) -> ControlFlow<Summary> {
        self.core.value(value, offset, self.handler);
        ControlFlow::Continue(())
    }

    fn moves(&mut self, (): &mut (), moves: Moves<'_>) -> ControlFlow<Summary, bool> {
        self.core.moves(moves, self.handler);
        ControlFlow::Continue(true)
    }

    fn value_part(&mut self, (): &mut (), part: ValuePart<'_>, offset: u64) -> ControlFlow<Summary> {
        if part.end != PartEnd::More {
            self.core.long_value(offset + part.bytes.len() as u64 + 1, self.handler);
        }
        ControlFlow::Continue(())
    }

    fn end_tree(&mut self, (): &mut (), _: u64) -> ControlFlow<Summary> {
        self.core.end_tree(self.handler);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> Summary {
        self.core.end_game(self.handler);
        std::mem::take(&mut self.core.report.summary)
    }
}

impl<F> fmt::Debug for Checker<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker").field("core", &self.core).finish_non_exhaustive()
    }
}

/// The diagnostics of a slice: see [`check_slice`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    summary: Summary,
}

impl Report {
    /// Maximum number of diagnostics in a report: 10,000. Further ones are only counted.
    pub const MAX_DIAGNOSTICS: usize = 10_000;

    /// Returns the diagnostics, in the order of the stream.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the number of diagnostics, including those that were not kept.
    pub fn summary(&self) -> Summary {
        self.summary
    }
}

/// Checks the games and the syntax of a slice against the default rules.
///
/// ```
/// use sgf_check::{Rule, check_slice};
///
/// let report = check_slice(b"(;FF[4]PB[Shusaku];TE[1])");
/// assert_eq!(report.diagnostics()[0].rule(), Rule::AnnotationWithoutMove);
/// assert!(check_slice(b"(;FF[4]PB[Shusaku];B[qd]TE[1])").summary().is_clean());
/// ```
pub fn check_slice(bytes: &[u8]) -> Report {
    check_slice_with(Rules::new(), bytes)
}

/// Checks the games and the syntax of a slice against the given rules.
pub fn check_slice_with(rules: Rules, bytes: &[u8]) -> Report {
    let mut diagnostics = Vec::new();
    let mut checker = Checker::with_rules(rules, |diagnostic: &Diagnostic| {
        if diagnostics.len() < Report::MAX_DIAGNOSTICS {
            diagnostics.push(diagnostic.clone());
        }
    });
    let summary = checker.check(bytes).expect("reading a slice does not fail");
    drop(checker);
    Report { diagnostics, summary }
}
