//! The copy of a game that a repair makes while the events come.
//!
//! Everything that has a lexeme in the source is copied from there by offset; what the parser has supplied (`(`, `;`, `)`) is added
//! where it is missing; and what stands between lexemes and is no white space is left out.
//!
//! A node after a variation continues the line, so its tree goes before the others of its branch: `(;a(;v);b)` becomes
//! `(;a(;b)(;v))`. The copy keeps the order of the source, in which it is compared with it; [`GameSource`] then puts it in
//! order.
//!
//! One thing that the parser drops is kept: the value that the end of the data cuts off. It has no event, but its fault
//! tells where it begins, and it reaches to the end.

use std::collections::BTreeMap;
use std::ops::Range;

use super::game::{Dropped, GameFault, GameSource};
use crate::node::TreeOrder;
use crate::property::{self, List, ValueType};
use crate::raw::{is_white_space, trim_end};
use crate::syntax::diagnostic::{Code, Diagnostic, Repair, Severity};
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// Number of faults of each code that are kept with their offsets.
const MOST_PLACES: u64 = 1 << 10;

/// The value that the end of the data cuts off.
#[derive(Clone, Debug)]
pub(super) struct CutValue {
    /// The offset of its `[`.
    pub(super) at: usize,
    /// Its identifier, if it is the first value of its property.
    pub(super) ident: Option<Range<usize>>,
}

/// The faults of a game.
#[derive(Debug, Default)]
pub(super) struct FaultCounts {
    pub(super) counts: BTreeMap<Code, u64>,
    /// The first faults of each code, in order.
    listed: Vec<GameFault>,
    /// The first fault that no repair helps against.
    pub(super) refused: Option<GameFault>,
}

impl FaultCounts {
    fn add(&mut self, fault: GameFault) {
        let count = self.counts.entry(fault.code).or_default();
        *count += 1;
        if *count <= MOST_PLACES {
            self.listed.push(fault);
        }
        if fault.code.severity() == Severity::Error {
            self.refused.get_or_insert(fault);
        }
    }

    /// Whether all faults are about the spelling of identifiers, which stays.
    pub(super) fn are_of_spelling(&self) -> bool {
        self.counts.keys().all(|code| matches!(code, Code::LowercaseInIdent | Code::DigitInIdent))
    }

    /// The listed faults whose code is `wanted`.
    pub(super) fn of(&self, wanted: impl Fn(Code) -> bool) -> impl Iterator<Item = GameFault> {
        self.listed.iter().filter(move |fault| wanted(fault.code)).copied()
    }
}

impl Sink for FaultCounts {
    fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
        Flow::Continue
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.add(GameFault { code: fault.code, at: fault.position.offset as usize });
    }
}

/// A repaired copy of a game.
pub(super) struct GameCopy<'g> {
    source: &'g [u8],
    pub(super) out: Vec<u8>,
    /// The order of the trees, by their bytes in the copy.
    pub(super) order: TreeOrder,
    /// The source is copied, or left out, up to here.
    at: usize,
    pub(super) faults: FaultCounts,
    /// The offsets at which the next value lacks a byte, and the bytes: backslashes and blanks.
    escapes: Vec<(usize, u8)>,
    /// The faults about bytes that belong to no event, since the last bytes that were left out.
    gap_faults: Vec<GameFault>,
    /// The offset of the `[` of the value that is cut off.
    cut_at: Option<usize>,
    /// The offset of the `[` of the last value without an identifier.
    stray_at: Option<usize>,
    drops_digits: bool,
    /// The open property is left out, or the rest of its values.
    is_dropping: bool,
    /// The offsets of lexemes that are left out.
    pub(super) skipped: Vec<usize>,
    closer: &'static str,
    pub(super) cut: Option<CutValue>,
    /// A value that is cut off before its first byte. Closed, it would say something that nobody has written.
    pub(super) empty_cut: Option<CutValue>,
    pub(super) dropped: Vec<Dropped>,
}

impl<'g> GameCopy<'g> {
    /// A copy without properties whose identifiers have digits, if `drops_digits`. `closer` ends a value that was cut off.
    pub(super) fn new(game: GameSource<'g>, drops_digits: bool, closer: &'static str) -> Self {
        GameCopy {
            source: game.bytes,
            out: Vec::with_capacity(game.bytes.len() + 64),
            order: TreeOrder::default(),
            at: game.start,
            faults: FaultCounts::default(),
            escapes: Vec::new(),
            gap_faults: Vec::new(),
            cut_at: None,
            stray_at: None,
            drops_digits,
            is_dropping: false,
            skipped: Vec::new(),
            closer,
            cut: None,
            empty_cut: None,
            dropped: Vec::new(),
        }
    }

    /// A bracket or semicolon, which stands at `at` or was supplied there.
    fn bracket(&mut self, bracket: u8, at: usize) {
        if at >= self.at && self.source.get(at) == Some(&bracket) {
            return self.lexeme(at..at + 1);
        }
        match bracket {
            b')' if at == self.source.len() => self.close_cut_value(),
            b')' => {}
            _ => self.gap(at),
        }
        self.out.push(bracket);
    }

    fn lexeme(&mut self, range: Range<usize>) {
        self.gap(range.start);
        self.out.extend_from_slice(&self.source[range.clone()]);
        self.at = range.end;
    }

    /// A value with its brackets, and the escapes that it lacks.
    fn value(&mut self, range: Range<usize>) {
        self.gap(range.start);
        for (at, byte) in self.escapes.drain(..).filter(|(at, _)| range.contains(at)) {
            self.out.extend_from_slice(&self.source[self.at..at]);
            self.out.push(byte);
            self.at = at;
        }
        self.out.extend_from_slice(&self.source[self.at..range.end]);
        self.at = range.end;
    }

    /// The data end in a value, which is kept and closed.
    fn close_cut_value(&mut self) {
        let Some(at) = self.cut_at.take().filter(|cut| self.stray_at != Some(*cut)) else { return };
        let ident = self.last_word(at);
        let name = ident.clone().map_or(&b""[..], |ident| &self.source[ident]);
        let is_dropped = ident.is_none() && (self.is_dropping || self.follows_word(at));
        if self.drops_digits && name.iter().any(u8::is_ascii_digit) || is_dropped {
            return;
        }
        let cut = CutValue { at, ident };
        if at + 1 == self.source.len() && says_something_empty(name) {
            self.empty_cut = Some(cut);
            return;
        }
        if let Some(ident) = cut.ident.clone() {
            self.lexeme(ident);
        }
        self.value(at..self.source.len());
        self.out.extend_from_slice(self.closer.as_bytes());
        self.cut = Some(cut);
    }

    /// Whether a word that is no identifier stands before a value. Readers take such a value for one more of the property
    /// before it, and its author meant another property.
    fn follows_word(&self, at: usize) -> bool {
        let word = trim_end(&self.source[self.at.min(at)..at]);
        let is_word = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        word.last().is_some_and(is_word) && self.last_word(at).is_none()
    }

    /// The identifier before the value at `end`, if it stands after the last lexeme: the last word with an upper-case
    /// letter.
    fn last_word(&self, end: usize) -> Option<Range<usize>> {
        let gap = &self.source[self.at..end];
        let upper = gap.iter().rposition(u8::is_ascii_uppercase)?;
        let from = gap[..upper].iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        // Digits at the start are junk.
        let from = from + gap[from..].iter().position(u8::is_ascii_alphabetic)?;
        let len = gap[from..].iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(gap.len() - from);
        Some(self.at + from..self.at + from + len)
    }

    /// The bytes between two lexemes: white space is copied.
    fn gap(&mut self, to: usize) {
        let start = std::mem::replace(&mut self.at, to);
        let gap = &self.source[start.min(to)..to];
        let is_white = |byte: &u8| is_white_space(*byte);
        let Some(first) = gap.iter().position(|byte| !is_white(byte)) else {
            return self.out.extend_from_slice(gap);
        };
        // The brackets of trees without nodes say nothing.
        if gap.iter().all(|byte| is_white(byte) || matches!(byte, b'(' | b')')) {
            return self.out.extend(gap.iter().filter(|byte| is_white(byte)));
        }
        let last = gap.iter().rposition(|byte| !is_white(byte)).map_or(gap.len(), |last| last + 1);
        self.out.extend_from_slice(&gap[..first]);
        self.out.extend_from_slice(&gap[last..]);
        let range = start + first..start + last;
        let fault = self.gap_faults.iter().find(|fault| range.contains(&fault.at));
        let code = fault.map_or(Code::JunkInTree, |fault| fault.code);
        self.gap_faults.clear();
        self.dropped.push(Dropped { code, range });
    }

    /// Ends the copy, after the last event.
    pub(super) fn finish(&mut self) {
        self.gap(self.source.len());
    }
}

impl Sink for GameCopy<'_> {
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let at = at as usize;
        if !matches!(event, Event::Value(_)) {
            self.is_dropping = false;
        }
        match event {
            Event::StartTree => {
                self.bracket(b'(', at);
                self.order.start(false, self.out.len() - 1);
            }
            Event::Node => self.bracket(b';', at),
            Event::EndTree => {
                self.bracket(b')', at);
                self.order.end(self.out.len());
            }
            Event::Property(ident) => {
                self.is_dropping = self.drops_digits && ident.as_bytes().iter().any(u8::is_ascii_digit);
                match self.is_dropping {
                    true => self.skipped.push(at),
                    false => self.lexeme(at..at + ident.as_bytes().len()),
                }
            }
            Event::Value(value) => {
                self.is_dropping |= self.follows_word(at);
                match self.is_dropping {
                    true => self.skipped.push(at),
                    false => self.value(at..at + value.as_bytes().len() + 2),
                }
            }
            Event::ValuePart(_) => {}
        }
        Flow::Continue
    }

    fn implied_tree(&mut self, at: u64) -> Flow {
        self.is_dropping = false;
        self.bracket(b'(', at as usize);
        self.order.start(true, self.out.len() - 1);
        Flow::Continue
    }

    fn fault(&mut self, fault: Diagnostic) {
        let fault = GameFault { code: fault.code, at: fault.position.offset as usize };
        self.faults.add(fault);
        let is_cut = matches!(fault.code, Code::UnterminatedValue | Code::MissingCloseBracket);
        if is_cut || fault.code.repair() == Repair::Drops || fault.code == Code::DigitInIdent {
            self.gap_faults.push(fault);
        }
        match fault.code {
            _ if fault.code.severity() == Severity::Error => {}
            _ if is_cut => self.cut_at = Some(fault.at),
            Code::UnescapedBracket => self.escapes.push((fault.at, b'\\')),
            // It is reported at the first byte of the character; the blank comes before the bracket.
            Code::CutCharacter => self.escapes.push((fault.at + 1, b' ')),
            Code::ValueWithoutIdent => self.stray_at = Some(fault.at),
            _ => {}
        }
    }
}

/// Whether an empty value of this property says something: a pass, an empty list.
pub(crate) fn says_something_empty(name: &[u8]) -> bool {
    let name: String = name.iter().filter(|byte| !byte.is_ascii_lowercase()).map(|&byte| char::from(byte)).collect();
    property::find(&name).any(|row| row.list() == List::EList || row.value_type() == ValueType::Move)
}
