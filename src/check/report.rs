//! Reporting: collects findings, and passes them to the handler in order.
//!
//! Findings are reported node by node, sorted by offset; a node with more than [`BATCH`] findings is reported in
//! several batches.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::finding::{Edit, Finding, Site, Summary, Texts};
use super::part::{Between, PartSummary};
use super::state::{Node, key};
use super::window::Window;
use super::{Rule, Rules};
use crate::raw::{is_white_space, trim_end, trim_start};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Diagnostic, Position, Repair, Severity};
use crate::syntax::event::Ident;
use crate::write::rewrite::document::says_something_empty;

/// Maximum number of findings that are sorted at once.
const BATCH: usize = 1024;

/// Maximum number of names that are reported once a game. Further ones are reported every time.
const MAX_REPORTED: usize = 1024;

/// Maximum bytes of a property name in a finding.
const MAX_NAME: u64 = 32;

/// The handler of findings.
pub(super) type To<'t> = &'t mut dyn FnMut(&Finding);

#[derive(Debug)]
pub(super) struct Report {
    pub(super) rules: Rules,
    /// The charset options. Without them texts are bytes.
    #[cfg(feature = "charset")]
    pub(super) decoding: Option<crate::charset::Decoding>,
    pub(super) texts: Texts,
    /// Recent bytes of a stream that the checker reads itself.
    pub(super) window: Option<Window>,
    /// Findings since the last batch, and complete batches, in order.
    pending: Vec<Finding>,
    ready: Vec<Finding>,
    pub(super) summary: Summary,
    /// Whether the open game has a fault for which repairs leave it as it is.
    stays: bool,
    /// Whether the open game has digits in an identifier: if it is FF\[4\], repairs leave it as it is.
    has_digits: bool,
    /// Whether the stream exceeds a limit of the parser, so that repairs refuse it.
    is_refused: bool,
    /// Whether repairs leave the last game, and the text after it, as they are.
    pub(super) is_left: bool,
    /// Whether no game is open.
    is_between: bool,
    /// Number of repairable faults of the next game that were reported before its start.
    early: u64,
    /// Whether there is text after the last game.
    has_text: bool,
    /// Offset of the end of the last game.
    pub(super) last_end: Option<u64>,
    /// The start of the open game, if a text [with a `]`](Self::is_after_bracket) stands before it.
    after_bracket: Option<u64>,
    /// Hashes of the names that were reported in this game.
    reported: HashSet<u64>,
}

impl Report {
    pub(super) fn new(rules: Rules, parser: &Parser) -> Self {
        #[cfg(not(feature = "charset"))]
        let _ = parser;
        Report {
            rules,
            #[cfg(feature = "charset")]
            decoding: parser.decoding(),
            texts: Texts::default(),
            window: None,
            pending: Vec::new(),
            ready: Vec::new(),
            summary: Summary::default(),
            stays: false,
            has_digits: false,
            is_refused: false,
            is_left: false,
            is_between: true,
            early: 0,
            has_text: false,
            last_end: None,
            after_bracket: None,
            reported: HashSet::new(),
        }
    }

    pub(super) fn begin_game(&mut self, at: u64, to: To<'_>) {
        self.flush(to);
        self.after_bracket = Some(at).filter(|&at| self.is_after_bracket(at));
        self.is_between = false;
        self.summary = Summary { games: 1, fixable: std::mem::take(&mut self.early), ..Summary::default() };
        if !self.reported.is_empty() {
            self.reported = HashSet::new();
        }
        self.texts = Texts::default();
    }

    /// Returns whether the line in which the last game ended has text before `at` whose last byte is a `]`.
    fn is_after_bracket(&self, at: u64) -> bool {
        let Some(text) = self.window.as_ref().zip(self.last_end).and_then(|(window, end)| window.get(end, at)) else {
            return false;
        };
        let last = text.iter().rposition(|byte| !is_white_space(*byte));
        last.is_some_and(|last| text[last] == b']' && memchr::memchr2(b'\r', b'\n', &text[..last]).is_none())
    }

    /// Begins the root of a game.
    ///
    /// After a `]`, repairs do not add the `;` of a root: see
    /// [`RepairOptions::follows_bracket`](crate::write::rewrite::game::RepairOptions::follows_bracket).
    pub(super) fn begin_root(&mut self, at: u64) {
        let Some(start) = self.after_bracket.take() else { return };
        let front = self.window.as_ref().and_then(|window| window.get(start + 1, at + 1));
        self.stays |= front.is_some_and(|front| trim_start(front) != b";");
    }

    /// Takes the findings between the last game and the next one.
    pub(super) fn take_between(&mut self) -> Between {
        Between {
            summary: std::mem::take(&mut self.summary),
            early: self.early,
            has_text: std::mem::take(&mut self.has_text),
        }
    }

    /// Ends a stream, or a part of it.
    pub(super) fn end_stream(&mut self, total: &mut PartSummary, to: To<'_>) {
        self.flush(to);
        total.end(self.take_between(), std::mem::take(&mut self.is_refused));
        (self.window, self.last_end) = (None, None);
        (self.is_left, self.is_between, self.early) = (false, true, 0);
    }

    /// Ends a game and returns its summary. `is_ff4`: FF names FF\[4\] or later.
    pub(super) fn end_game(&mut self, is_ff4: bool) -> Summary {
        let has_digits = std::mem::take(&mut self.has_digits) && is_ff4;
        self.is_left = std::mem::take(&mut self.stays) || has_digits;
        self.is_between = true;
        if self.is_left {
            self.summary.fixable = 0;
        }
        self.summary
    }

    /// Returns whether a rule is on.
    pub(super) fn is_on(&self, rule: Rule) -> bool {
        self.rules.severity(rule).is_some()
    }

    /// Returns whether to report a rule for this name: once a game, if the rule is on.
    pub(super) fn should_report(&mut self, rule: Rule, name: &[u8]) -> bool {
        if !self.is_on(rule) {
            return false;
        }
        let key = key(name) ^ (rule.index() as u64).rotate_right(16);
        self.reported.len() >= MAX_REPORTED || self.reported.insert(key)
    }

    /// Returns line and column of an offset, where they are counted.
    pub(super) fn locate(&mut self, at: u64) -> Option<Position> {
        self.window.as_mut().and_then(|window| window.locate(at))
    }

    /// Reports a finding in a node.
    pub(super) fn find(&mut self, node: &Node, rule: Rule, span: Range<u64>, message: impl Into<Cow<'static, str>>) {
        self.find_fixable(node, rule, span, message, Vec::new());
    }

    /// Reports a finding in a node, with the edits that repair it, if any.
    #[cold]
    pub(super) fn find_fixable(
        &mut self,
        node: &Node,
        rule: Rule,
        span: Range<u64>,
        message: impl Into<Cow<'static, str>>,
        edits: Vec<Edit>,
    ) {
        if self.is_on(rule) {
            let site = self.site(node, span);
            self.find_at(rule, site, message, edits);
        }
    }

    /// Returns the site of a span of a node.
    pub(super) fn site(&mut self, node: &Node, span: Range<u64>) -> Site {
        let (position, property) = (self.locate(span.start), self.property_at(node, span.start));
        Site { span, position, property }
    }

    /// Reports a finding at a site.
    pub(super) fn find_at(&mut self, rule: Rule, site: Site, message: impl Into<Cow<'static, str>>, edits: Vec<Edit>) {
        let Some(severity) = self.rules.severity(rule) else { return };
        let is_fixable = !edits.is_empty();
        let (Site { span, position, property }, message, texts) = (site, message.into(), self.texts);
        self.keep(Finding { rule, severity, span, position, property, message, edits, is_fixable, texts });
    }

    /// Returns the name of the property whose identifier or value is at this offset.
    fn property_at(&self, node: &Node, at: u64) -> Option<Cow<'static, str>> {
        let (window, property) = (self.window.as_ref()?, &node.property);
        let ident = match window.get(at, at + 1)? {
            [letter] if letter.is_ascii_alphabetic() => {
                let len = (1..MAX_NAME).find(|&len| {
                    !window.get(at + len, at + len + 1).is_some_and(|byte| byte[0].is_ascii_alphanumeric())
                });
                window.get(at, at + len.unwrap_or(MAX_NAME))?
            }
            b"[" if property.ident_len > 0 && at > property.at => match property.row {
                Some(row) => return Some(Cow::Borrowed(row.ident())),
                None => window.get(property.at, property.at + (property.ident_len as u64).min(MAX_NAME))?,
            },
            // A move of a finished node: its letter stands before the bracket.
            b"[" => {
                let before = trim_end(window.get(at.saturating_sub(MAX_NAME).max(node.offset), at)?);
                let letter = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |other| other + 1);
                &before[letter..]
            }
            _ => return None,
        };
        let name = Ident::new(ident).name();
        match crate::property::find(&name).next() {
            _ if name.is_empty() => None,
            Some(row) => Some(Cow::Borrowed(row.ident())),
            None => Some(Cow::Owned(name.into_owned())),
        }
    }

    /// Returns whether no finding is waiting.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.ready.is_empty()
    }

    /// Reports a fault that the parser has found.
    pub(super) fn syntax(&mut self, fault: Diagnostic) {
        let rule = Rule::Syntax(fault.code);
        self.stays |= rule.repair() == Repair::Drops && fault.code != Code::JunkOutsideTree;
        self.is_refused |= fault.code.severity() == Severity::Error;
        self.has_text |= fault.code == Code::JunkOutsideTree;
        self.stays |= self.has_no_value(&fault);
        self.has_digits |= fault.code == Code::DigitInIdent;
        let Some(severity) = self.rules.severity(rule) else { return };
        let is_early = self.is_between && rule.is_fixable() && fault.code != Code::ExtraCloseParen;
        self.early += u64::from(is_early);
        let at = fault.position.offset;
        self.keep(Finding {
            rule,
            severity,
            span: at..at + 1,
            position: Some(fault.position),
            property: None, // the skipped bytes may have left the window
            message: Cow::Borrowed(fault.message()),
            edits: Vec::new(),
            is_fixable: rule.is_fixable(),
            texts: self.texts,
        });
    }

    /// Returns whether a value is cut off that repairs do not close, since that would invent a value.
    fn has_no_value(&self, found: &Diagnostic) -> bool {
        let is_cut = matches!(found.code, Code::UnterminatedValue | Code::MissingCloseBracket);
        let Some(window) = self.window.as_ref().filter(|_| is_cut) else { return false };
        let at = found.position.offset;
        if !matches!(window.get(at + 1, at + 2), None | Some(b"(")) {
            return false;
        }
        let before = (0..=at.min(MAX_NAME)).rev().find_map(|len| window.get(at - len, at)).unwrap_or_default();
        let word = trim_end(before);
        let start = word.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |other| other + 1);
        says_something_empty(&word[start..])
    }

    fn keep(&mut self, finding: Finding) {
        self.summary.count(&finding);
        self.pending.push(finding);
        // Only the number of findings ends a batch, so the order does not depend on the chunks.
        if self.pending.len() >= BATCH {
            self.pending.sort_by_key(|finding| finding.span.start);
            self.ready.append(&mut self.pending);
        }
    }

    /// Passes complete batches to the handler.
    #[inline]
    pub(super) fn hand_on(&mut self, to: To<'_>) {
        if !self.ready.is_empty() {
            self.hand_on_ready(to);
        }
    }

    fn hand_on_ready(&mut self, to: To<'_>) {
        self.ready.drain(..).for_each(|finding| to(&finding));
        self.ready.shrink_to(BATCH);
    }

    /// Passes all waiting findings to the handler, in the order of the file.
    #[inline]
    pub(super) fn flush(&mut self, to: To<'_>) {
        if !self.is_empty() {
            self.flush_all(to);
        }
    }

    fn flush_all(&mut self, to: To<'_>) {
        self.hand_on(to);
        self.pending.sort_by_key(|finding| finding.span.start);
        self.pending.drain(..).for_each(|finding| to(&finding));
        self.pending.shrink_to(BATCH);
    }

    /// Reports that the stream has no game.
    pub(super) fn no_data(&mut self, to: To<'_>) {
        let rule = Rule::Syntax(Code::NoSgfData);
        if let Some(severity) = self.rules.severity(rule) {
            let (span, message) = (0..0, Cow::Borrowed(Code::NoSgfData.message()));
            let position = Some(Position::START);
            self.keep(Finding {
                rule,
                severity,
                span,
                position,
                property: None,
                message,
                edits: Vec::new(),
                is_fixable: false,
                texts: self.texts,
            });
        }
        self.flush(to);
    }
}
