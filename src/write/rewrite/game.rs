//! The syntax of one game, repaired without loss.
//!
//! The game is parsed by itself, and copied while its events come: what has a lexeme in the source is copied from there by
//! offset, and what the parser has supplied (`(`, `;`, `)`) is added where it is missing. What a parser drops would
//! be lost, so a game in which it drops anything is left as it is, unless the caller wants it lossy.
//!
//! One thing is dropped by the parser and kept here: the value that the end of the data cuts off. The events do not have
//! it, but its fault says where it begins, and it goes on to the end.
//!
//! A repair is believed only if reading it gives what reading the source gave, without a fault
//! ([`is_same`]). Otherwise the game is left as it is.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::property::{self, List, ValueType};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Repair, Severity};
use crate::syntax::event::Event;
use crate::value::Number;

/// The byte-order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Faults of a game that are kept with their places, of each code.
const MOST_PLACES: usize = 1 << 10;

/// How a game is to be repaired.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// The stream starts with a byte-order mark.
    pub(crate) has_bom: bool,
    /// Leave out what is no SGF, rather than leave the game as it is.
    pub(crate) is_lossy: bool,
    /// A game that says FF\[4\] has no digits in its identifiers.
    pub(crate) refuses_digits: bool,
    /// The data go on after the game: another game cuts it off.
    pub(crate) goes_on: bool,
    /// The game before it has no end, and stays so: this one has to be seen to start.
    pub(crate) has_open_before: bool,
    /// It has no `;` after its `(`, and a `]` of a text outside of games stands before it, in the line in which the game
    /// before ended: with the `;`, that `]` may be the end of a value of that game, `C[x];)](;`. So it gets none.
    pub(crate) has_bracket_before: bool,
}

impl Manner {
    /// Whether the game before would still end where this one starts.
    pub(crate) fn keeps_start(&self, parser: &Parser, game: &[u8]) -> bool {
        // It is open in a node or in a value.
        let starts = |before: &[u8]| starts_after(parser, before, game);
        !self.has_bracket_before && (!self.has_open_before || starts(b"(;\n") && starts(b"(;C[\n"))
    }
}

/// Whether a game starts where `game` does, after this.
fn starts_after(parser: &Parser, before: &[u8], game: &[u8]) -> bool {
    let (mut starts, mut depth) = (0, 0_usize);
    for event in parser.slice(&[before, game].concat()).with_offsets().map_while(Result::ok) {
        match event {
            (_, Event::StartTree) if depth == 0 && starts == 0 => (starts, depth) = (1, 1),
            (at, Event::StartTree) if depth == 0 => return at == before.len() as u64,
            (_, Event::StartTree) => depth += 1,
            (_, Event::EndTree) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// The result of [`repair`].
#[derive(Debug)]
pub(crate) enum Outcome {
    /// There is nothing to repair.
    Sound,
    Repaired(Repaired),
    /// It stays as it is, because of these faults.
    Left(Vec<Fault>),
    /// It is more than a parser holds.
    Refused(Fault),
}

/// A game that was repaired.
#[derive(Debug, Default)]
pub(crate) struct Repaired {
    pub(crate) bytes: Vec<u8>,
    /// How many faults of each code were repaired.
    pub(crate) repairs: BTreeMap<Code, u64>,
    /// Bytes of the game that were left out.
    pub(crate) dropped: Vec<Dropped>,
}

/// A fault, and its offset in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) at: usize,
}

/// Bytes that were left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) code: Code,
    pub(crate) range: Range<usize>,
}

/// Repairs the syntax of a game, from its `(` to its end. The parser is one to which nobody listens, and knows the charset
/// that was detected in the stream.
pub(crate) fn repair(parser: &Parser, game: &[u8], manner: Manner) -> Outcome {
    if !manner.has_bom {
        return Game { parser, source: game, front: 0, manner }.repair();
    }
    // The mark decides how the game is read, so it stands before it, and is no part of it.
    let source = [BOM, game].concat();
    match (Game { parser, source: &source, front: BOM.len(), manner }).repair() {
        Outcome::Repaired(mut repaired) => {
            let front = BOM.len();
            repaired.dropped.iter_mut().for_each(|gone| gone.range = gone.range.start - front..gone.range.end - front);
            Outcome::Repaired(repaired)
        }
        Outcome::Left(mut faults) => {
            faults.iter_mut().for_each(|fault| fault.at = fault.at.saturating_sub(BOM.len()));
            Outcome::Left(faults)
        }
        Outcome::Refused(fault) => Outcome::Refused(Fault { at: fault.at.saturating_sub(BOM.len()), ..fault }),
        Outcome::Sound => Outcome::Sound,
    }
}

/// Whether a game, after a byte-order mark or not, has no fault of syntax but for the spelling of identifiers, and
/// nothing but white space after it.
pub(crate) fn is_sound(parser: &Parser, game: &[u8]) -> bool {
    let heard = Shared::default();
    let parsed = heard.listen_to(parser).parse(game, |_, _| {});
    parsed.is_ok() && heard.lock().is_sound()
}

/// A game that is to be repaired.
#[derive(Clone, Copy)]
struct Game<'g> {
    parser: &'g Parser,
    /// The game, after a byte-order mark if the stream has one, …
    source: &'g [u8],
    /// … which is this long.
    front: usize,
    manner: Manner,
}

/// The value that the end of the data cuts off.
#[derive(Clone, Debug)]
struct Cut {
    /// The offset of its `[`.
    at: usize,
    /// Its identifier, if it is the first value of its property.
    ident: Option<Range<usize>>,
}

impl Game<'_> {
    fn repair(self) -> Outcome {
        let drops_digits = self.manner.refuses_digits && self.says_ff4();
        match self.repair_version(drops_digits) {
            // The events do not have a version that the end of the data cuts off: it is one when it is closed.
            Outcome::Repaired(repaired)
                if self.manner.refuses_digits
                    && !drops_digits
                    && Game { source: &[&self.source[..self.front], &repaired.bytes].concat(), ..self }.says_ff4() =>
            {
                self.repair_version(true)
            }
            outcome => outcome,
        }
    }

    /// Repairs a game whose version allows digits in identifiers, or does not.
    fn repair_version(self, drops_digits: bool) -> Outcome {
        // What ends a value that was cut off depends on its last bytes: after a backslash, or in the middle of a
        // character, a bracket alone would be a part of it.
        for closer in ["]", "\\]", " ]"] {
            let mut copy = Copy::of(self, drops_digits, closer);
            let parsed =
                copy.heard.listen_to(self.parser).parse(self.source, |event, at| copy.event(event, at as usize));
            copy.finish();
            if let Err(error) = parsed {
                return Outcome::Refused(Fault { code: error.code(), at: self.front });
            }
            let heard = copy.heard.lock();
            if let Some(fault) = heard.refused {
                return Outcome::Refused(fault);
            }
            let is_in_the_way =
                |code: Code| code.repair() == Repair::Drops || drops_digits && code == Code::DigitInIdent;
            let faults =
                |of: &dyn Fn(Code) -> bool| heard.places.iter().filter(|fault| of(fault.code)).copied().collect();
            if !self.manner.is_lossy && !copy.dropped.is_empty() {
                let cut = copy.no_value.as_ref();
                let cut = cut.map(|cut| Fault { code: self.name(Code::UnterminatedValue), at: cut.at });
                let mut left: Vec<Fault> = faults(&is_in_the_way);
                left.extend(cut);
                return Outcome::Left(left);
            }
            if !self.manner.is_lossy && heard.counts.keys().any(|&code| is_in_the_way(code)) {
                return Outcome::Left(faults(&is_in_the_way));
            }
            let is_clean = heard.is_sound() && !(drops_digits && heard.counts.contains_key(&Code::DigitInIdent));
            if is_clean {
                return Outcome::Sound;
            }
            if self.is_same(&copy) && self.manner.keeps_start(self.parser, &copy.out) {
                let repairs = heard.counts.iter().filter(|(code, _)| {
                    !matches!(code, Code::LowercaseInIdent | Code::DigitInIdent) && code.repair() == Repair::Keeps
                });
                let repairs = repairs.map(|(&code, &count)| (self.name(code), count)).collect();
                let mut dropped = std::mem::take(&mut copy.dropped);
                dropped.iter_mut().for_each(|gone| gone.code = self.name(gone.code));
                return Outcome::Repaired(Repaired { repairs, dropped, bytes: std::mem::take(&mut copy.out) });
            }
            if copy.cut.is_none() {
                // A bracket that is added or taken away would make another game of it.
                return Outcome::Left(faults(&|code| code.repair() != Repair::None));
            }
        }
        Outcome::Left(vec![Fault { code: self.name(Code::UnterminatedValue), at: self.source.len() }])
    }

    /// The name that a fault at the end of the data has where another game follows.
    fn name(&self, code: Code) -> Code {
        match code {
            Code::UnclosedTree if self.manner.goes_on => Code::MissingCloseParen,
            Code::UnterminatedValue if self.manner.goes_on => Code::MissingCloseBracket,
            code => code,
        }
    }

    /// Whether the root says FF\[4\]: by its first FF that is a number, as the checker has it, since an empty one goes.
    fn says_ff4(&self) -> bool {
        let (mut is_version, mut nodes) = (false, 0);
        for event in self.parser.slice(self.source) {
            match event {
                Ok(Event::Node) if nodes > 0 => return false,
                Ok(Event::Node) => nodes += 1,
                Ok(Event::Property(ident)) => is_version = ident == "FF",
                Ok(Event::Value(value)) if is_version => {
                    if let Ok(number) = Number::parse_lenient(value) {
                        return number.get() >= 4;
                    }
                }
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Whether the copy reads as the source does, with the value that was cut off, and without a fault.
    fn is_same(&self, copy: &Copy<'_>) -> bool {
        let written = [&self.source[..self.front], &copy.out].concat();
        if !is_sound(self.parser, &written) {
            return false;
        }
        let (mut before, mut after) = (self.parser.slice(self.source), self.parser.slice(&written));
        let (mut skipped, mut depth, mut cut) = (copy.skipped.iter().peekable(), 0_usize, copy.cut.as_ref());
        loop {
            let Ok(old) = before.next().transpose() else { return false };
            if old.is_some() && skipped.next_if(|at| **at as u64 == before.offset()).is_some() {
                continue;
            }
            let Ok(mut new) = after.next().transpose() else { return false };
            if matches!(old, Some(Event::EndTree))
                && before.offset() as usize == self.source.len()
                && let Some(Cut { at, ident }) = cut.take()
            {
                if let Some(ident) = ident {
                    let is_there =
                        matches!(new, Some(Event::Property(name)) if *name.as_bytes() == self.source[ident.clone()]);
                    if !is_there {
                        return false;
                    }
                    let Ok(next) = after.next().transpose() else { return false };
                    new = next;
                }
                let Some(Event::Value(value)) = new else { return false };
                if !is_kept(&self.source[at + 1..], value.as_bytes()) {
                    return false;
                }
                let Ok(next) = after.next().transpose() else { return false };
                new = next;
            }
            let is_same = match (old, new) {
                (None, None) => return depth == 0 && cut.is_none(),
                // A second game: by itself it is read otherwise than in its place.
                (Some(Event::StartTree), _) if depth == 0 && before.offset() as usize != self.front => false,
                (Some(Event::StartTree), Some(Event::StartTree)) => {
                    depth += 1;
                    true
                }
                (Some(Event::EndTree), Some(Event::EndTree)) => {
                    depth = depth.saturating_sub(1);
                    true
                }
                (Some(Event::Node), Some(Event::Node)) => true,
                (Some(Event::Property(old)), Some(Event::Property(new))) => old.as_bytes() == new.as_bytes(),
                (Some(Event::Value(old)), Some(Event::Value(new))) => is_kept(old.as_bytes(), new.as_bytes()),
                _ => false,
            };
            if !is_same {
                return false;
            }
        }
    }
}

/// Whether a value is what it was, but for a backslash here and there, and a blank at its end.
fn is_kept(old: &[u8], new: &[u8]) -> bool {
    if old == new {
        return true;
    }
    // What was added comes before a `]`, or at the end: never before an equal byte.
    let (mut left, mut added) = (old, 0);
    for &byte in new {
        match left.split_first() {
            Some((&first, rest)) if first == byte => left = rest,
            _ if matches!(byte, b'\\' | b' ') => added += 1,
            _ => return false,
        }
    }
    left.is_empty() && new.len() == old.len() + added
}

/// What the parser says.
#[derive(Debug, Default)]
struct Heard {
    counts: BTreeMap<Code, u64>,
    /// Some of each code, in order.
    places: Vec<Fault>,
    refused: Option<Fault>,
    /// Where a backslash is missing, and where a blank: since the last value.
    escapes: Vec<(usize, u8)>,
    /// Faults of what belongs to no event, since the last of that was left out.
    lost: Vec<Fault>,
    /// The `[` of the value that is cut off, and of the last value without an identifier.
    cut: Option<usize>,
    stray: Option<usize>,
}

impl Heard {
    fn is_sound(&self) -> bool {
        self.counts.keys().all(|code| matches!(code, Code::LowercaseInIdent | Code::DigitInIdent))
    }
}

#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Heard>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen_to(&self, parser: &Parser) -> Parser {
        let shared = self.clone();
        parser.clone().on_diagnostic(move |found| {
            let mut heard = shared.lock();
            let fault = Fault { code: found.code, at: found.position.offset as usize };
            let count = heard.counts.entry(fault.code).or_default();
            *count += 1;
            if *count <= MOST_PLACES as u64 {
                heard.places.push(fault);
            }
            let is_cut = matches!(fault.code, Code::UnterminatedValue | Code::MissingCloseBracket);
            if is_cut || fault.code.repair() == Repair::Drops || fault.code == Code::DigitInIdent {
                heard.lost.push(fault);
            }
            match fault.code {
                code if code.severity() == Severity::Error => heard.refused = heard.refused.or(Some(fault)),
                Code::UnescapedBracket => heard.escapes.push((fault.at, b'\\')),
                // It is found at the first byte of the character; the blank comes before the bracket.
                Code::CutCharacter => heard.escapes.push((fault.at + 1, b' ')),
                Code::ValueWithoutIdent => heard.stray = Some(fault.at),
                Code::UnterminatedValue | Code::MissingCloseBracket => heard.cut = Some(fault.at),
                _ => {}
            }
        })
    }
}

/// A copy of a game, made while its events come.
struct Copy<'g> {
    source: &'g [u8],
    out: Vec<u8>,
    /// The source is copied, or left out, up to here.
    at: usize,
    heard: Shared,
    drops_digits: bool,
    /// The open property is left out, or what is left of its values.
    is_dropping: bool,
    /// The offsets of lexemes that are left out.
    skipped: Vec<usize>,
    closer: &'static str,
    cut: Option<Cut>,
    /// A value that is cut off before its first byte, and would say something that nobody has written.
    no_value: Option<Cut>,
    dropped: Vec<Dropped>,
}

impl<'g> Copy<'g> {
    fn of(game: Game<'g>, drops_digits: bool, closer: &'static str) -> Self {
        Copy {
            source: game.source,
            out: Vec::with_capacity(game.source.len() + 64),
            at: game.front,
            heard: Shared::default(),
            drops_digits,
            is_dropping: false,
            skipped: Vec::new(),
            closer,
            cut: None,
            no_value: None,
            dropped: Vec::new(),
        }
    }

    fn event(&mut self, event: Event<'_>, at: usize) {
        if !matches!(event, Event::Value(_)) {
            self.is_dropping = false;
        }
        match event {
            Event::StartTree => self.bracket(b'(', at),
            Event::Node => self.bracket(b';', at),
            Event::EndTree => self.bracket(b')', at),
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
    }

    /// A bracket or semicolon, which stands at `at` or was supplied there.
    fn bracket(&mut self, bracket: u8, at: usize) {
        if at >= self.at && self.source.get(at) == Some(&bracket) {
            return self.lexeme(at..at + 1);
        }
        match bracket {
            b')' if at == self.source.len() => self.cut_value(),
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
        let heard = self.heard.clone();
        for (at, byte) in heard.lock().escapes.drain(..).filter(|(at, _)| range.contains(at)) {
            self.out.extend_from_slice(&self.source[self.at..at]);
            self.out.push(byte);
            self.at = at;
        }
        self.out.extend_from_slice(&self.source[self.at..range.end]);
        self.at = range.end;
    }

    /// The data end in a value: it is kept, and closed.
    fn cut_value(&mut self) {
        let (cut, stray) = {
            let mut heard = self.heard.lock();
            (heard.cut.take(), heard.stray)
        };
        let Some(at) = cut.filter(|cut| stray != Some(*cut)) else { return };
        let ident = self.last_word(at);
        let name = ident.clone().map_or(&b""[..], |ident| &self.source[ident]);
        let is_dropped = ident.is_none() && (self.is_dropping || self.follows_word(at));
        if self.drops_digits && name.iter().any(u8::is_ascii_digit) || is_dropped {
            return;
        }
        let cut = Cut { at, ident };
        if at + 1 == self.source.len() && says_something_empty(name) {
            self.no_value = Some(cut);
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
    /// before it, and whoever wrote it meant another one.
    fn follows_word(&self, at: usize) -> bool {
        let word = self.source[self.at.min(at)..at].trim_ascii_end();
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

    /// What stands between two lexemes: white space is copied.
    fn gap(&mut self, to: usize) {
        let start = std::mem::replace(&mut self.at, to);
        let gap = &self.source[start.min(to)..to];
        let is_white = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
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
        let mut heard = self.heard.lock();
        let code =
            heard.lost.iter().find(|fault| range.contains(&fault.at)).map_or(Code::JunkInTree, |fault| fault.code);
        heard.lost.clear();
        drop(heard);
        self.dropped.push(Dropped { code, range });
    }

    fn finish(&mut self) {
        self.gap(self.source.len());
    }
}

/// Whether an empty value of this property says something: a pass, an empty list.
pub(crate) fn says_something_empty(name: &[u8]) -> bool {
    let name: String = name.iter().filter(|byte| !byte.is_ascii_lowercase()).map(|&byte| char::from(byte)).collect();
    property::find(&name).any(|row| row.list() == List::EList || row.value_type() == ValueType::Move)
}
