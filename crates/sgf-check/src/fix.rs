//! Repairs without loss. Everything else of the stream is left unchanged.
//!
//! [`write::Rewriter`](crate::Rewriter) repairs the syntax of a piece; the edits of diagnostics are then applied
//! pass by pass, because one can enable another.

use std::cell::Cell;
use std::io::{Read, Write};
use std::rc::Rc;
use std::sync::Arc;

use sgf_stream::internal::{Edit, Moves};
use sgf_stream::parts::Part;
use sgf_stream::{Code, Event, EventSink, Flow, Parser, PushParser, SyntaxError};

use super::Rules;
use super::core::Core;
use super::diagnostic::Diagnostic;
use crate::edit::{Cost, Fix};
use crate::label::CharsetFacts;
use crate::rewrite::document::Document;
use crate::rewrite::piece::Context;
use crate::rewrite::{Look, Plan, Watch, watch_with};
use crate::{RewriteError, Rewriter, Rewritten};

/// Maximum number of diagnostics that are repaired per pass. The others follow in the next pass.
const MOST_FIXES: usize = 1 << 16;

/// The plan that repairs the diagnostics of rules.
#[derive(Debug)]
struct RepairPlan {
    /// The rules whose diagnostics can have a repair.
    rules: Rules,
}

impl Rewriter {
    /// Creates a rewriter that repairs syntax errors and the diagnostics of these rules.
    ///
    /// It uses the limits and charsets of the parser, and repairs syntax errors regardless of the rules. The
    /// [page of the checker](crate#repairs) lists the repairs. [`fix`] and [`fix_slice`] use a default parser.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_check::{Rewriter, Rules};
    ///
    /// let input = b"A mail.\n(;FF[4]SZ[9:9];B[dd]\n(;FF[4];B[dd];[a comment];W[b b])";
    /// let fixer = Rewriter::with_rules(&Parser::new(), Rules::new());
    /// let (out, fixed) = fixer.rewrite_slice(input);
    /// assert_eq!(out, b"A mail.\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];[a comment];W[bb])");
    /// assert_eq!(fixed.count(), 3);
    /// assert!(fixed.left().eq([("junk-outside-tree", 1), ("value-without-ident", 1)]));
    ///
    /// let (out, fixed) = fixer.lossy(true).rewrite_slice(input);
    /// assert_eq!(out, b"\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];;W[bb])");
    /// assert!(fixed.dropped().eq([("junk-outside-tree", 1), ("value-without-ident", 1)]));
    /// ```
    pub fn with_rules(parser: &Parser, rules: Rules) -> Self {
        Rewriter::with(parser, Arc::new(RepairPlan { rules: rules.fixable() }))
    }
}

impl RepairPlan {
    fn core(&self, context: &Context<'_>) -> Core {
        let mut core = Core::new(self.rules.clone(), context.parser);
        core.set_bom(context.has_bom);
        core
    }
}

impl Plan for RepairPlan {
    fn look(&self, context: &Context<'_>, part: &Part<'_>) -> Result<Look, SyntaxError> {
        let start = part.span().start;
        let mut places = Vec::new();
        let on = |seen: Seen<'_>| places.extend(seen.repairable().map(|at| at.saturating_sub(start) as usize));
        part.parse_into(context.parser, &mut Checking { core: self.core(context), on })?;
        if context.guesses_charset && !context.has_bom && !part.bytes().is_ascii() {
            return Ok(Look::Everywhere);
        }
        Ok(Look::At(places))
    }

    fn watch<'w>(&self, context: &Context<'w>, parser: PushParser) -> Watch<'w> {
        let found = Rc::new(Cell::new(false));
        let flag = Rc::clone(&found);
        let on = move |seen: Seen<'_>| flag.set(flag.get() || seen.repairable().is_some());
        watch_with(parser, found, Checking { core: self.core(context), on })
    }

    fn refuses_digits(&self) -> bool {
        true
    }

    fn fixes(&self, context: &Context<'_>, bytes: &[u8]) -> Vec<Fix> {
        let mut fixes = Vec::new();
        let on = |seen: Seen<'_>| {
            if let Seen::Diagnostic(diagnostic) = seen
                && !diagnostic.edits.is_empty()
                && fixes.len() < MOST_FIXES
            {
                let edit = |edit: &super::diagnostic::Edit| Edit {
                    range: edit.range.start as usize..edit.range.end as usize,
                    with: edit.with.to_vec(),
                };
                let edits = diagnostic.edits.iter().map(edit).collect();
                fixes.push(Fix { code: diagnostic.rule.as_str(), is_of_rule: true, cost: Cost::Nothing, edits });
            }
        };
        let parsed = context.parser.parse_into(bytes, &mut Checking { core: self.core(context), on });
        if parsed.is_err() {
            return Vec::new(); // there is no game
        }
        if context.guesses_charset && !context.has_bom {
            fixes.extend(labels(context.parser, bytes));
        }
        fixes
    }
}

/// Returns the repairs of `CA` in the games of a piece whose charset has to be guessed.
fn labels(parser: &Parser, bytes: &[u8]) -> Vec<Fix> {
    let document = Document::read(parser, bytes);
    let fix = |game: &std::ops::Range<usize>| {
        let facts = CharsetFacts::of(parser, &bytes[game.clone()], &|_, _| true);
        let edit = facts.label_edit(parser, facts.likely(parser)?.charset)?;
        let range = game.start + edit.range.start..game.start + edit.range.end;
        let code = Code::CharsetMismatch.as_str();
        Some(Fix { code, is_of_rule: true, cost: Cost::Nothing, edits: vec![Edit { range, ..edit }] })
    };
    document.games.iter().filter_map(fix).collect()
}

/// A diagnostic or a syntax error of a stream.
enum Seen<'s> {
    Diagnostic(&'s Diagnostic),
    /// A syntax error, at this offset.
    Fault(u64),
}

impl Seen<'_> {
    /// Returns its offset, if it has a repair.
    fn repairable(self) -> Option<u64> {
        match self {
            Seen::Diagnostic(diagnostic) => (!diagnostic.edits.is_empty()).then_some(diagnostic.span.start),
            Seen::Fault(at) => Some(at),
        }
    }
}

/// Passes events to the checker.
struct Checking<F> {
    core: Core,
    on: F,
}

impl<F: FnMut(Seen<'_>)> EventSink for Checking<F> {
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let Checking { core, on } = self;
        core.event(event, at, &mut |diagnostic| on(Seen::Diagnostic(diagnostic)));
        Flow::Continue
    }

    fn diagnostic(&mut self, fault: sgf_stream::Diagnostic) {
        // The spelling of identifiers is a matter of rules; digits are one of a game's version.
        if fault.code != Code::LowercaseInIdent {
            (self.on)(Seen::Fault(fault.position.offset));
        }
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        self.core.moves(moves, &mut |diagnostic| (self.on)(Seen::Diagnostic(diagnostic)));
        Some(Flow::Continue)
    }
}

/// Repairs a stream: see [`Rewriter::with_rules`].
///
/// ```
/// use sgf_check::{Rules, fix};
///
/// let mut out = Vec::new();
/// let fixed = fix(&Rules::new(), &b"(;FF[4] SZ[9:9]\n;B[ d d ]C[a\n comment]AB[])"[..], &mut out)?;
/// assert_eq!(out, b"(;FF[4] SZ[9]\n;B[dd]C[a\n comment])");
/// assert_eq!(fixed.count(), 3);
/// # Ok::<(), sgf_check::RewriteError>(())
/// ```
///
/// # Errors
///
/// Fails if reading or writing fails.
pub fn fix<R: Read, W: Write>(rules: &Rules, reader: R, writer: W) -> Result<Rewritten, RewriteError> {
    Rewriter::with_rules(&Parser::new(), rules.clone()).rewrite(reader, writer)
}

/// Repairs a slice: see [`Rewriter::with_rules`].
///
/// ```
/// use sgf_check::{Rules, fix_slice};
///
/// let (out, fixed) = fix_slice(&Rules::new(), b"(;FF[4];AB[aa]AW[cc]AB[bb][aa]C[cut o");
/// assert_eq!(out, b"(;FF[4];AB[aa][bb]AW[cc]C[cut o])");
/// assert_eq!(fixed.count(), 4);
/// ```
pub fn fix_slice(rules: &Rules, bytes: &[u8]) -> (Vec<u8>, Rewritten) {
    Rewriter::with_rules(&Parser::new(), rules.clone()).rewrite_slice(bytes)
}
