//! Reporting: collects diagnostics, and passes them to the callback in order.
//!
//! Diagnostics are reported node by node, sorted by offset; a node with more than [`BATCH`] diagnostics is reported in
//! several batches.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use sgf_stream::internal::trim_end;
use sgf_stream::{Code, Ident, Parser, Position};

use super::diagnostic::{Diagnostic, Edit, Site, Summary, Texts};
use super::state::{Node, key};
use super::window::Window;
use super::{Rule, Rules};

/// Maximum number of diagnostics that are sorted at once.
const BATCH: usize = 1024;

/// Maximum number of names that are reported once per game. Further ones are reported every time.
const MAX_REPORTED: usize = 1024;

/// Maximum bytes of a property name in a diagnostic.
const MAX_NAME: u64 = 32;

/// The callback for diagnostics.
pub(super) type To<'t> = &'t mut dyn FnMut(&Diagnostic);

#[derive(Debug)]
pub(super) struct Report {
    pub(super) rules: Rules,
    /// The charset options. Without them texts are bytes.
    pub(super) decoding: Option<sgf_stream::charset::Decoding>,
    pub(super) texts: Texts,
    /// Recent bytes of a stream that the checker reads itself.
    pub(super) window: Option<Window>,
    /// Diagnostics since the last batch, and complete batches, in order.
    pending: Vec<Diagnostic>,
    ready: Vec<Diagnostic>,
    /// The games and diagnostics of the stream, or of the game that a visitor is reading.
    pub(super) summary: Summary,
    /// Hashes of the names that were reported in this game.
    reported: HashSet<u64>,
}

impl Report {
    pub(super) fn new(rules: Rules, parser: &Parser) -> Self {
        Report {
            rules,
            decoding: parser.decoding(),
            texts: Texts::default(),
            window: None,
            pending: Vec::new(),
            ready: Vec::new(),
            summary: Summary::default(),
            reported: HashSet::new(),
        }
    }

    pub(super) fn begin_game(&mut self, to: To<'_>) {
        self.flush(to);
        self.summary.games += 1;
        if !self.reported.is_empty() {
            self.reported = HashSet::new();
        }
        self.texts = Texts::default();
    }

    /// Ends a stream, or a part of it. Returns its summary.
    pub(super) fn end_stream(&mut self, to: To<'_>) -> Summary {
        self.flush(to);
        self.window = None;
        std::mem::take(&mut self.summary)
    }

    /// Returns whether a rule is on.
    pub(super) fn is_on(&self, rule: Rule) -> bool {
        self.rules.severity(rule).is_some()
    }

    /// Returns whether to report a rule for this name: once per game, if the rule is on.
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

    /// Reports a diagnostic in a node.
    pub(super) fn find(&mut self, node: &Node, rule: Rule, span: Range<u64>, message: impl Into<Cow<'static, str>>) {
        self.find_fixable(node, rule, span, message, Vec::new());
    }

    /// Reports a diagnostic in a node, with the edits that repair it, if any.
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

    /// Reports a diagnostic at a site.
    pub(super) fn find_at(&mut self, rule: Rule, site: Site, message: impl Into<Cow<'static, str>>, edits: Vec<Edit>) {
        let Some(severity) = self.rules.severity(rule) else { return };
        let is_fixable = !edits.is_empty();
        debug_assert!(!is_fixable || rule.is_fixable(), "{rule} has edits: its row says `repair: Keeps`");
        let (Site { span, position, property }, message, texts) = (site, message.into(), self.texts);
        self.keep(Diagnostic { rule, severity, span, position, property, message, edits, is_fixable, texts });
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
            // A move of a finished node: its letter is before the bracket.
            b"[" => {
                let before = trim_end(window.get(at.saturating_sub(MAX_NAME).max(node.offset), at)?);
                let letter = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |other| other + 1);
                &before[letter..]
            }
            _ => return None,
        };
        let name = Ident::new(ident).name();
        match sgf_stream::property::find(&name).next() {
            _ if name.is_empty() => None,
            Some(row) => Some(Cow::Borrowed(row.ident())),
            None => Some(Cow::Owned(name.into_owned())),
        }
    }

    /// Returns whether no diagnostic is waiting.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.ready.is_empty()
    }

    /// Reports a syntax error that the parser has found.
    pub(super) fn syntax(&mut self, fault: sgf_stream::Diagnostic) {
        let rule = Rule::Syntax(fault.code);
        let Some(severity) = self.rules.severity(rule) else { return };
        let at = fault.position.offset;
        self.keep(Diagnostic {
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

    fn keep(&mut self, diagnostic: Diagnostic) {
        self.summary.count(&diagnostic);
        self.pending.push(diagnostic);
        // Only the number of diagnostics ends a batch, so the order does not depend on the chunks.
        if self.pending.len() >= BATCH {
            self.pending.sort_by_key(|diagnostic| diagnostic.span.start);
            self.ready.append(&mut self.pending);
        }
    }

    /// Passes complete batches to the callback.
    #[inline]
    pub(super) fn hand_on(&mut self, to: To<'_>) {
        if !self.ready.is_empty() {
            self.hand_on_ready(to);
        }
    }

    fn hand_on_ready(&mut self, to: To<'_>) {
        self.ready.drain(..).for_each(|diagnostic| to(&diagnostic));
        self.ready.shrink_to(BATCH);
    }

    /// Passes all waiting diagnostics to the callback, in the order of the file.
    #[inline]
    pub(super) fn flush(&mut self, to: To<'_>) {
        if !self.is_empty() {
            self.flush_all(to);
        }
    }

    fn flush_all(&mut self, to: To<'_>) {
        self.hand_on(to);
        self.pending.sort_by_key(|diagnostic| diagnostic.span.start);
        self.pending.drain(..).for_each(|diagnostic| to(&diagnostic));
        self.pending.shrink_to(BATCH);
    }

    /// Reports that the stream has no game.
    pub(super) fn no_data(&mut self, to: To<'_>) {
        let rule = Rule::Syntax(Code::NoSgfData);
        if let Some(severity) = self.rules.severity(rule) {
            let (span, message) = (0..0, Cow::Borrowed(Code::NoSgfData.message()));
            let position = Some(Position::START);
            self.keep(Diagnostic {
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
