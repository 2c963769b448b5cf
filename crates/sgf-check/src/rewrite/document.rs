//! The role of every byte of a piece for a lenient reader.
//!
//! A [`Document`] is created in one pass from the output of the tokenizer. Most bytes need no entry: it lists only the *odd
//! places*, where the parser supplied a bracket, dropped bytes, took a bracket as text, or met the end of the data. Between
//! them are lexemes and white space.

use std::collections::BTreeMap;
use std::ops::Range;

use sgf_stream::internal::is_white_space;
use sgf_stream::property::{self, List, ValueType};
use sgf_stream::{Code, CutValue, Diagnostic, Event, EventSink, Flow, Parser, Severity, work};

/// Maximum number of odd places. A piece with more of them is left unchanged.
const MOST_ODD: usize = 1 << 18;

/// A piece, and its odd places.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) source: &'a [u8],
    /// The odd places, in the order of the bytes. At one offset the order is that of the brackets.
    pub(crate) odd: Vec<Odd>,
    /// The ranges of its games, in bytes of the piece.
    pub(crate) games: Vec<Range<usize>>,
    /// The diagnostics of the parser, in the order of the bytes.
    pub(crate) faults: Vec<Fault>,
    /// The first diagnostic without a repair: the piece is left unchanged.
    pub(crate) refused: Option<Fault>,
}

/// A fault, and its offset in the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) at: usize,
}

/// A place where the bytes do not say what the reader reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Odd {
    /// In bytes of the piece.
    pub(crate) range: Range<usize>,
    pub(crate) code: Code,
    pub(crate) kind: OddKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OddKind {
    /// The reader drops these bytes.
    Skipped,
    /// The reader supplies this bracket or semicolon here.
    Supplied(u8),
    /// A missing byte: a `\` before a bracket, or a space after half a character.
    Escape(u8),
    /// The value is truncated.
    Cut(Box<Cut>),
    /// A truncated empty value, which would mean something if closed. The range includes its identifier, if it is the first
    /// of its property.
    CutEmpty,
    /// A value after a word that is not an identifier. The reader adds it to the property before it, but the author meant
    /// another property.
    Misplaced,
    /// A property with digits in its identifier, and its values. FF\[4\] does not allow it.
    Digits,
}

/// How a value that is cut off becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The range of its identifier, if it is the first value of its property.
    pub(crate) ident: Option<Range<usize>>,
    /// The bytes that close it.
    pub(crate) closer: &'static [u8],
}

impl Odd {
    /// Takes a text that goes on after white space. Returns whether it does.
    fn take(&mut self, source: &[u8], next: &Odd) -> bool {
        let is_blank = |gap: &[u8]| gap.iter().all(|byte| is_white_space(*byte));
        let goes_on = next.kind == OddKind::Skipped
            && self.kind == OddKind::Skipped
            && next.code == self.code
            && !matches!(self.code, Code::ExtraCloseParen | Code::TreeWithoutNodes)
            && source.get(self.range.end..next.range.start).is_some_and(is_blank);
        if goes_on {
            self.range.end = next.range.end;
        }
        goes_on
    }
}

impl<'a> Document<'a> {
    /// Reads a piece. The parser is lenient, and has no callback.
    pub(crate) fn read(parser: &Parser, source: &'a [u8]) -> Self {
        let document = Document { source, odd: Vec::new(), games: Vec::new(), faults: Vec::new(), refused: None };
        let mut reading = Reading {
            document,
            trees: Vec::new(),
            end: 0,
            property: None,
            digits: None,
            after_word: None,
            blanks: 0..0,
        };
        if let Err(error) = parser.parse_into(source, &mut reading)
            && error.code() != Code::NoSgfData
        {
            reading.document.refused.get_or_insert(Fault { code: error.code(), at: 0 });
        }
        let mut document = reading.document;
        if document.has_too_many() {
            document.refused.get_or_insert(Fault { code: Code::GameTooLong, at: 0 });
        }
        document.settle();
        document
    }

    /// Puts the odd places in order, and those together that are one.
    fn settle(&mut self) {
        // Sorting is stable: at one offset the order of the brackets stays.
        self.odd.sort_by_key(|odd| (odd.range.start, odd.range.end));
        self.faults.sort_by_key(|fault| fault.at);
        let source = self.source;
        let mut dropped = 0;
        self.odd.retain(|odd| {
            if odd.kind == OddKind::Skipped {
                dropped = odd.range.end;
            }
            // What a dropped value lacks does not matter.
            !(matches!(odd.kind, OddKind::Escape(_)) && odd.range.end < dropped)
        });
        // Text goes with the white space in it.
        self.odd.dedup_by(|next, odd| odd.take(source, next));
    }

    /// Returns the range of the value that is cut off and can be closed, and how.
    pub(crate) fn cut(&self) -> Option<(Range<usize>, &Cut)> {
        self.odd.iter().rev().find_map(|odd| match &odd.kind {
            OddKind::Cut(cut) => Some((odd.range.clone(), &**cut)),
            _ => None,
        })
    }

    /// Returns whether a strict reader accepts the bytes, except for the spelling of identifiers.
    pub(crate) fn is_sound(&self) -> bool {
        self.refused.is_none() && self.odd.iter().all(|odd| odd.kind == OddKind::Digits)
    }

    /// Returns the number of diagnostics per rule.
    pub(crate) fn counts(&self) -> BTreeMap<Code, u64> {
        let mut counts = BTreeMap::new();
        self.faults.iter().for_each(|fault| *counts.entry(fault.code).or_default() += 1);
        counts
    }

    /// Returns the odd places of a game.
    pub(crate) fn odd_in(&self, game: &Range<usize>) -> impl Iterator<Item = &Odd> {
        let (start, end) = (game.start, game.end);
        let odd = &self.odd[self.odd.partition_point(|odd| odd.range.start < start)..];
        odd.iter().take_while(move |odd| odd.range.start <= end && odd.range.end <= end)
    }

    /// Returns whether a game has odd places other than digits in identifiers.
    pub(crate) fn is_odd(&self, game: &Range<usize>) -> bool {
        self.odd_in(game).any(|odd| odd.kind != OddKind::Digits)
    }

    /// Returns whether there are more odd places than are repaired.
    pub(crate) fn has_too_many(&self) -> bool {
        self.odd.len() > MOST_ODD
    }

    /// Returns the game at an offset, or the last one before it.
    pub(crate) fn game_at(&self, at: usize) -> Option<usize> {
        self.games.partition_point(|game| game.start <= at).checked_sub(1)
    }
}

/// Receives what the tokenizer says of a piece.
struct Reading<'a> {
    document: Document<'a>,
    /// The open trees: whether each is without a `(`.
    trees: Vec<bool>,
    /// The end of the last lexeme.
    end: usize,
    /// The range of the identifier of the open property.
    property: Option<Range<usize>>,
    /// The number of the odd place that the open property is, if its identifier has digits.
    digits: Option<usize>,
    /// The end of the last word that was dropped as junk.
    after_word: Option<usize>,
    /// The last white space that was looked for.
    blanks: Range<usize>,
}

impl Reading<'_> {
    fn add(&mut self, range: Range<usize>, code: Code, kind: OddKind) {
        if self.document.odd.len() <= MOST_ODD {
            self.document.odd.push(Odd { range, code, kind });
        }
    }

    /// Returns whether the bracket or semicolon of an event exists.
    fn has(&mut self, bracket: u8, at: usize) -> bool {
        let is_there = self.document.source.get(at) == Some(&bracket) && at >= self.end;
        if is_there {
            self.end = at + 1;
        }
        is_there
    }

    fn start_tree(&mut self, at: usize) {
        if self.trees.is_empty() {
            self.document.games.push(at..at);
        }
        let is_implied = !self.has(b'(', at);
        self.trees.push(is_implied);
        self.digits = None;
        if is_implied {
            self.add(at..at, Code::NodeAfterVariation, OddKind::Supplied(b'('));
        }
    }

    fn end_tree(&mut self, at: usize) {
        let is_implied = self.trees.pop().unwrap_or_default();
        // Of several trees that end at one bracket, the first has it: all others are implied.
        let shares = at < self.end;
        if !self.has(b')', at) {
            let code = if is_implied || shares { Code::NodeAfterVariation } else { Code::UnclosedTree };
            // Before the white space at the end of the piece, and after everything else.
            let at = if shares { self.end } else { self.end.max(self.start_of_blanks(at)) };
            self.add(at..at, code, OddKind::Supplied(b')'));
        }
        if let Some(game) = self.document.games.last_mut() {
            game.end = self.end;
        }
    }

    /// Returns where the white space before an offset starts. Many trees can end at one place.
    fn start_of_blanks(&mut self, at: usize) -> usize {
        if self.blanks.end != at {
            let blanks = self.document.source[..at].iter().rev().take_while(|byte| is_white_space(**byte)).count();
            work::note(blanks);
            self.blanks = at - blanks..at;
        }
        self.blanks.start
    }

    fn lexeme(&mut self, range: Range<usize>) {
        self.end = range.end;
    }

    /// Returns whether a word that is not an identifier, followed only by white space, ends before an offset.
    fn follows_word(&mut self, at: usize) -> bool {
        let Some(end) = self.after_word.filter(|end| *end <= at) else { return false };
        let gap = &self.document.source[end..at];
        work::note(gap.len());
        let follows = gap.iter().all(|byte| is_white_space(*byte));
        if !follows {
            self.after_word = None;
        }
        follows
    }
}

impl EventSink for Reading<'_> {
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let at = at as usize;
        match event {
            Event::StartTree => self.start_tree(at),
            Event::Node if !self.has(b';', at) => {
                self.add(at..at, Code::MissingSemicolon, OddKind::Supplied(b';'));
            }
            Event::EndTree => self.end_tree(at),
            Event::Property(ident) => {
                let range = at..at + ident.as_bytes().len();
                self.digits = None;
                if ident.as_bytes().iter().any(u8::is_ascii_digit) {
                    self.digits = Some(self.document.odd.len());
                    self.add(range.clone(), Code::DigitInIdent, OddKind::Digits);
                }
                self.lexeme(range.clone());
                self.property = Some(range);
            }
            Event::Value(value) => {
                let range = at..at + value.as_bytes().len() + 2;
                if self.follows_word(at) {
                    self.add(range.clone(), Code::JunkInTree, OddKind::Misplaced);
                    self.after_word = Some(range.end); // and so are the values after it
                } else if let Some(odd) = self.digits.and_then(|digits| self.document.odd.get_mut(digits)) {
                    odd.range.end = range.end;
                }
                self.lexeme(range);
            }
            _ => {}
        }
        Flow::Continue
    }

    fn diagnostic(&mut self, fault: Diagnostic) {
        let fault = Fault { code: fault.code, at: fault.position.offset as usize };
        if self.document.faults.len() <= MOST_ODD {
            self.document.faults.push(fault);
        }
        match fault.code {
            code if code.severity() == Severity::Error => _ = self.document.refused.get_or_insert(fault),
            Code::UnescapedBracket => self.add(fault.at..fault.at, fault.code, OddKind::Escape(b'\\')),
            // It is reported at the first byte of the character; the blank comes before the bracket.
            Code::CutCharacter => self.add(fault.at + 1..fault.at + 1, fault.code, OddKind::Escape(b' ')),
            _ => {}
        }
    }

    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let range = range.start as usize..range.end as usize;
        let bytes = &self.document.source[range.clone()];
        if code == Code::JunkInTree && bytes.last().is_some_and(u8::is_ascii_alphanumeric) {
            self.after_word = Some(range.end);
        }
        // A text outside of games does not have the white space after it.
        let blanks = bytes.iter().rev().take_while(|byte| is_white_space(**byte)).count();
        let odd = Odd { range: range.start..range.end - blanks, code, kind: OddKind::Skipped };
        if odd.range.is_empty() {
            return;
        }
        let source = self.document.source;
        // A long text comes in many pieces.
        if !self.document.odd.last_mut().is_some_and(|last| last.take(source, &odd)) {
            self.add(odd.range, code, odd.kind);
        }
    }

    fn cut_value(&mut self, cut: CutValue) {
        let range = |range: Range<u64>| range.start as usize..range.end as usize;
        let (ident, value) = (cut.ident.map(range), range(cut.value));
        if let Some(ident) = &ident {
            self.lexeme(ident.clone());
        }
        let name = ident.clone().or_else(|| self.property.clone());
        let source = self.document.source;
        let is_empty = source[value.start + 1..value.end].iter().all(|byte| is_white_space(*byte));
        let says_something = is_empty && name.is_some_and(|name| says_something_empty(&source[name]));
        if ident.is_none() && self.follows_word(value.start) {
            self.add(value.clone(), Code::JunkInTree, OddKind::Misplaced);
        } else {
            let (range, kind) = match says_something {
                true => (ident.map_or(value.start, |ident| ident.start)..value.end, OddKind::CutEmpty),
                false => (value.clone(), OddKind::Cut(Box::new(Cut { ident, closer: cut.closer }))),
            };
            self.add(range, Code::UnterminatedValue, kind);
        }
        self.lexeme(value);
    }
}

/// Returns whether an empty value of this property says something: a pass, an empty list.
fn says_something_empty(name: &[u8]) -> bool {
    let name: String = name.iter().filter(|byte| !byte.is_ascii_lowercase()).map(|&byte| char::from(byte)).collect();
    property::find(&name).any(|row| row.list() == List::EList || row.value_type() == ValueType::Move)
}

#[cfg(test)]
mod tests;
