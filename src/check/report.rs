//! Reporting: what was found, on its way to the handler.
//!
//! Findings go out in the order of their places, a node at a time; of a node that has more than [`BATCH`], in several
//! batches.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::finding::{Edit, Finding, Summary, Texts};
use super::state::{Node, key};
use super::window::Window;
use super::{Rule, Rules};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Diagnostic, Position, Repair, Severity};
use crate::syntax::event::Ident;
use crate::syntax::tokenizer::grammar::is_white_space;
use crate::write::rewrite::game::says_something_empty;

/// The most findings that are sorted at once.
const BATCH: usize = 1024;

/// Names that are reported once a game. Each further one is reported every time.
const MAX_TOLD: usize = 1024;

/// The most bytes of the name of a property in a finding.
const MAX_NAME: u64 = 32;

/// Receives findings.
pub(super) type To<'t> = &'t mut dyn FnMut(&Finding);

/// Where a finding is, as it can be told only while the bytes are in the window.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) span: Range<u64>,
    pub(super) position: Option<Position>,
    pub(super) property: Option<Cow<'static, str>>,
}

#[derive(Debug)]
pub(super) struct Report {
    pub(super) rules: Rules,
    /// What is to be believed about charsets. Without it texts are bytes.
    #[cfg(feature = "charset")]
    pub(super) decoding: Option<crate::charset::Decoding>,
    pub(super) texts: Texts,
    /// Of a stream that this checker reads itself: its recent bytes.
    pub(super) window: Option<Window>,
    /// What was found since the last batch, and whole batches, in order.
    pending: Vec<Finding>,
    ready: Vec<Finding>,
    pub(super) summary: Summary,
    /// The open game has a fault for which repairs leave it as it is.
    stays: bool,
    /// ... or has digits in an identifier.
    has_digits: bool,
    /// The stream has more than a parser holds, so repairs refuse all of it.
    is_refused: bool,
    /// Repairs leave the last game as it is, and what stands after it.
    is_left: bool,
    /// No game is open, …
    is_between: bool,
    /// … and so many faults that are repaired were reported of the next one, before its start.
    early: u64,
    /// There is text after the last game, …
    has_text: bool,
    /// … which ended here.
    pub(super) last_end: Option<u64>,
    /// The start of the open game, if a text [with a `]`](Self::is_after_bracket) stands before it.
    after_bracket: Option<u64>,
    /// What was reported of this game and need not be again.
    told: HashSet<u64>,
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
            told: HashSet::new(),
        }
    }

    pub(super) fn begin_game(&mut self, at: u64, to: To<'_>) {
        self.flush(to);
        self.after_bracket = Some(at).filter(|&at| self.is_after_bracket(at));
        self.is_between = false;
        self.summary = Summary { games: 1, fixable: std::mem::take(&mut self.early), ..Summary::default() };
        self.told = HashSet::new();
        self.texts = Texts::default();
    }

    /// Whether a text whose last byte is a `]` stands before this place, in the line in which a game ended.
    fn is_after_bracket(&self, at: u64) -> bool {
        let Some(text) = self.window.as_ref().zip(self.last_end).and_then(|(window, end)| window.get(end, at)) else {
            return false;
        };
        let last = text.iter().rposition(|byte| !is_white_space(*byte));
        last.is_some_and(|last| text[last] == b']' && memchr::memchr2(b'\r', b'\n', &text[..last]).is_none())
    }

    /// The root of a game begins. After a `]`, repairs do not add the `;` of a root: see
    /// [`Manner::has_bracket_before`](crate::write::rewrite::game::Manner::has_bracket_before).
    pub(super) fn begin_root(&mut self, at: u64) {
        let Some(start) = self.after_bracket.take() else { return };
        let front = self.window.as_ref().and_then(|window| window.get(start + 1, at + 1));
        self.stays |= front.is_some_and(|front| front.trim_ascii_start() != b";");
    }

    /// The findings after the game that ended last, and before the next one.
    pub(super) fn take_outside(&mut self) -> Summary {
        let mut summary = std::mem::take(&mut self.summary);
        summary.fixable -= self.early;
        if std::mem::take(&mut self.has_text) || self.is_left {
            summary.fixable = 0; // a `)` belongs to the text, or to the game
        }
        summary
    }

    /// A stream has ended. Returns `total` with the findings after its last game.
    pub(super) fn end_stream(&mut self, mut total: Summary, to: To<'_>) -> Summary {
        self.flush(to);
        total += self.take_outside();
        if std::mem::take(&mut self.is_refused) {
            total.fixable = 0;
        }
        (self.window, self.last_end) = (None, None);
        (self.is_left, self.is_between, self.early) = (false, true, 0);
        total
    }

    /// The findings of the game that has ended. `is_ff4`: it says that it is in FF\[4\] or later.
    pub(super) fn end_game(&mut self, is_ff4: bool) -> Summary {
        let has_digits = std::mem::take(&mut self.has_digits) && is_ff4;
        self.is_left = std::mem::take(&mut self.stays) || has_digits;
        self.is_between = true;
        if self.is_left {
            self.summary.fixable = 0;
        }
        self.summary
    }

    /// Whether a rule says anything.
    pub(super) fn is_on(&self, rule: Rule) -> bool {
        self.rules.severity(rule).is_some()
    }

    /// Whether something with this name is to be reported: once a game.
    pub(super) fn tells_once(&mut self, rule: Rule, name: &[u8]) -> bool {
        if !self.is_on(rule) {
            return false;
        }
        let key = key(name) ^ (rule.index() as u64).rotate_right(16);
        self.told.len() >= MAX_TOLD || self.told.insert(key)
    }

    /// Line and column of an offset, where they are counted.
    pub(super) fn locate(&mut self, at: u64) -> Option<Position> {
        self.window.as_mut().and_then(|window| window.locate(at))
    }

    /// Something was found in a node.
    pub(super) fn find(&mut self, node: &Node, rule: Rule, span: Range<u64>, message: impl Into<Cow<'static, str>>) {
        self.find_fixable(node, rule, span, message, Vec::new());
    }

    /// Something was found in a node that these edits repair, if there are any.
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

    /// The site of what stands at this place of a node.
    pub(super) fn site(&mut self, node: &Node, span: Range<u64>) -> Site {
        let (position, property) = (self.locate(span.start), self.property_at(node, span.start));
        Site { span, position, property }
    }

    /// Something was found whose site is known.
    pub(super) fn find_at(&mut self, rule: Rule, site: Site, message: impl Into<Cow<'static, str>>, edits: Vec<Edit>) {
        let Some(severity) = self.rules.severity(rule) else { return };
        let is_fixable = !edits.is_empty();
        let (Site { span, position, property }, message, texts) = (site, message.into(), self.texts);
        self.keep(Finding { rule, severity, span, position, property, message, edits, is_fixable, texts });
    }

    /// The name of the property that an identifier or a value at this offset belongs to.
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
            // A move of a node that is over: its letter stands before the bracket.
            b"[" => {
                let before = window.get(at.saturating_sub(MAX_NAME).max(node.offset), at)?.trim_ascii_end();
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

    /// Whether nothing waits to be handed on.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.ready.is_empty()
    }

    /// Whether whole batches wait to be handed on.
    #[inline]
    pub(super) fn has_batch(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The parser has met a fault.
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
            property: None, // what was skipped may be forgotten by now
            message: Cow::Borrowed(fault.message()),
            edits: Vec::new(),
            is_fixable: rule.is_fixable(),
            texts: self.texts,
        });
    }

    /// Whether a value is cut off that repairs do not close, since nobody has written it.
    fn has_no_value(&self, found: &Diagnostic) -> bool {
        let is_cut = matches!(found.code, Code::UnterminatedValue | Code::MissingCloseBracket);
        let Some(window) = self.window.as_ref().filter(|_| is_cut) else { return false };
        let at = found.position.offset;
        if !matches!(window.get(at + 1, at + 2), None | Some(b"(")) {
            return false;
        }
        let before = (0..=at.min(MAX_NAME)).rev().find_map(|len| window.get(at - len, at)).unwrap_or_default();
        let word = before.trim_ascii_end();
        let start = word.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |other| other + 1);
        says_something_empty(&word[start..])
    }

    fn keep(&mut self, finding: Finding) {
        self.summary.count(&finding);
        self.pending.push(finding);
        // When a batch is full, is a matter of what was found, and not of when it was asked for: so the order is
        // the same in any pieces.
        if self.pending.len() >= BATCH {
            self.pending.sort_by_key(|finding| finding.span.start);
            self.ready.append(&mut self.pending);
        }
    }

    /// Hands on whole batches.
    pub(super) fn hand_on(&mut self, to: To<'_>) {
        self.ready.drain(..).for_each(|finding| to(&finding));
        self.ready.shrink_to(BATCH);
    }

    /// Hands on what was found, in the order of the file.
    pub(super) fn flush(&mut self, to: To<'_>) {
        self.hand_on(to);
        self.pending.sort_by_key(|finding| finding.span.start);
        self.pending.drain(..).for_each(|finding| to(&finding));
        self.pending.shrink_to(BATCH);
    }

    /// The stream has no game.
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
