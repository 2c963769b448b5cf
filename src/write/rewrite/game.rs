//! Repairs the syntax of one game without loss.
//!
//! The game is parsed by itself, and [`copy`](super::copy) makes the repaired copy from its events. What a parser drops
//! would be lost, so a game in which it drops anything stays unchanged, unless the caller asks for a lossy repair.
//!
//! A repair is accepted only if reading the copy gives what reading the source gave, without a fault
//! ([`is_same`](GameSource::is_same)). Otherwise the game stays unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use super::copy::{CutValue, FaultCounts, GameCopy};
use super::detection::Detection;
use crate::node::TreeOrder;
use crate::raw::BOM;
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Repair};
use crate::syntax::event::Event;
use crate::value::Number;

/// How to repair a game, and what stands around it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RepairOptions<'p> {
    /// The stream starts with a byte-order mark.
    pub(crate) has_bom: bool,
    /// Leave out what is no SGF. By default such a game stays unchanged.
    pub(crate) is_lossy: bool,
    /// A game that says FF\[4\] has no digits in its identifiers.
    pub(crate) refuses_digits: bool,
    /// Another game follows directly, and cuts this one off if it has no end.
    pub(crate) is_followed: bool,
    /// The game before has no end and stays unchanged, so the start of this one must still be found.
    pub(crate) follows_open_game: bool,
    /// The game has no `;` after its `(`, and a text outside of games that ends in `]` stands before it, in the line in
    /// which the previous game ended. With a `;`, that `]` might end a value of the previous game, `C[x];)](;`. So the
    /// game gets none.
    pub(crate) follows_bracket: bool,
    /// The detection of the stream's charset, the offset of the game, and the bytes after it that have been read.
    pub(super) detection: Option<(&'p Detection, u64, &'p [u8])>,
}

impl RepairOptions<'_> {
    /// These, where the charset that is detected in the stream no longer matters.
    pub(crate) fn without_detection(self) -> Self {
        RepairOptions { detection: None, ..self }
    }

    /// Whether a repaired game can stand in the place of the game: the stream is read in the same charset, and the game
    /// before ends where it did.
    pub(crate) fn fits(&self, parser: &Parser, game: &[u8]) -> bool {
        self.detection.is_none_or(|(detection, at, rest)| detection.allows_game(game, at, rest))
            && self.keeps_start(parser, game)
    }

    /// Whether the previous game would still end where this one starts.
    fn keeps_start(&self, parser: &Parser, game: &[u8]) -> bool {
        // The previous game is open in a node or in a value.
        let starts = |before: &[u8]| starts_after(parser, before, game);
        !self.follows_bracket && (!self.follows_open_game || starts(b"(;\n") && starts(b"(;C[\n"))
    }
}

/// Whether a reader of `before` and `game` finds a game at the start of `game`.
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
    /// The game stays unchanged because of these faults.
    Kept(Vec<GameFault>),
    /// The game exceeds a limit of the parser.
    Refused(GameFault),
}

/// A repaired game.
#[derive(Debug, Default)]
pub(crate) struct Repaired {
    pub(crate) bytes: Vec<u8>,
    /// Number of repaired faults by code.
    pub(crate) repairs: BTreeMap<Code, u64>,
    /// The bytes of the game that were left out.
    pub(crate) dropped: Vec<Dropped>,
}

/// A fault, and its offset in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameFault {
    pub(crate) code: Code,
    pub(crate) at: usize,
}

/// A range of bytes that was left out, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) code: Code,
    pub(crate) range: Range<usize>,
}

/// Repairs the syntax of a game, which reaches from its `(` to its end. The parser has no listener, and knows the charset
/// that was detected in the stream.
pub(crate) fn repair(parser: &Parser, game: &[u8], options: RepairOptions<'_>) -> Outcome {
    if !options.has_bom {
        return GameSource { parser, bytes: game, start: 0, options }.repair();
    }
    // The mark decides how the game is read, so it is put before the game, and taken off again.
    let start = BOM.len();
    match (GameSource { parser, bytes: &[BOM, game].concat(), start, options }).repair() {
        Outcome::Repaired(mut repaired) => {
            repaired.dropped.iter_mut().for_each(|gone| gone.range = gone.range.start - start..gone.range.end - start);
            Outcome::Repaired(repaired)
        }
        Outcome::Kept(mut faults) => {
            faults.iter_mut().for_each(|fault| fault.at = fault.at.saturating_sub(start));
            Outcome::Kept(faults)
        }
        Outcome::Refused(fault) => Outcome::Refused(GameFault { at: fault.at.saturating_sub(start), ..fault }),
        Outcome::Sound => Outcome::Sound,
    }
}

/// Whether a game, with or without a byte-order mark, has no fault of syntax but the spelling of identifiers, and only
/// white space after it.
pub(crate) fn is_sound(parser: &Parser, game: &[u8]) -> bool {
    let mut faults = FaultCounts::default();
    parser.drive(game, &mut faults).is_ok() && faults.are_of_spelling()
}

/// A game to repair.
#[derive(Clone, Copy)]
pub(super) struct GameSource<'g> {
    parser: &'g Parser,
    /// The game, after a byte-order mark if the stream has one.
    pub(super) bytes: &'g [u8],
    /// The offset of the game in `bytes`.
    pub(super) start: usize,
    options: RepairOptions<'g>,
}

impl GameSource<'_> {
    fn repair(self) -> Outcome {
        let drops_digits = self.options.refuses_digits && self.says_ff4();
        match self.repair_version(drops_digits) {
            // An FF whose value the end of the data cuts off has no event. Closed, it counts.
            Outcome::Repaired(repaired)
                if self.options.refuses_digits
                    && !drops_digits
                    && GameSource { bytes: &[&self.bytes[..self.start], &repaired.bytes].concat(), ..self }
                        .says_ff4() =>
            {
                self.repair_version(true)
            }
            outcome => outcome,
        }
    }

    /// Repairs a game whose version allows digits in identifiers, or forbids them.
    fn repair_version(self, drops_digits: bool) -> Outcome {
        // Which bytes close a value that was cut off depends on its last ones: after a backslash, or in the middle of a
        // character, a bracket alone would be a part of the value.
        for closer in ["]", "\\]", " ]"] {
            let mut copy = GameCopy::new(self, drops_digits, closer);
            let parsed = self.parser.drive(self.bytes, &mut copy);
            copy.finish();
            if let Err(error) = parsed {
                return Outcome::Refused(GameFault { code: error.code(), at: self.start });
            }
            let GameCopy { out, order, faults, mut dropped, cut, empty_cut, skipped, .. } = copy;
            if let Some(fault) = faults.refused {
                return Outcome::Refused(fault);
            }
            let costs_content =
                |code: Code| code.repair() == Repair::Drops || drops_digits && code == Code::DigitInIdent;
            if !self.options.is_lossy && !dropped.is_empty() {
                let cut = empty_cut.map(|cut| GameFault { code: self.name(Code::UnterminatedValue), at: cut.at });
                return Outcome::Kept(faults.of(costs_content).chain(cut).collect());
            }
            if !self.options.is_lossy && faults.counts.keys().any(|&code| costs_content(code)) {
                return Outcome::Kept(faults.of(costs_content).collect());
            }
            if faults.are_of_spelling() && !(drops_digits && faults.counts.contains_key(&Code::DigitInIdent)) {
                return Outcome::Sound;
            }
            let is_same = self.is_same(&out, &skipped, cut.as_ref());
            let ordered = is_same.then(|| self.in_order(out, &order)).flatten();
            if let Some(out) = ordered.filter(|out| self.options.fits(self.parser, out)) {
                let is_repair = |code: &Code| {
                    !matches!(code, Code::LowercaseInIdent | Code::DigitInIdent) && code.repair() == Repair::Keeps
                };
                let repairs = faults.counts.iter().filter(|(code, _)| is_repair(code));
                let repairs = repairs.map(|(&code, &count)| (self.name(code), count)).collect();
                dropped.iter_mut().for_each(|gone| gone.code = self.name(gone.code));
                return Outcome::Repaired(Repaired { repairs, dropped, bytes: out });
            }
            if cut.is_none() {
                // A bracket that is added or taken away would make another game of it.
                return Outcome::Kept(faults.of(|code| code.repair() != Repair::None).collect());
            }
        }
        Outcome::Kept(vec![GameFault { code: self.name(Code::UnterminatedValue), at: self.bytes.len() }])
    }

    /// The code in the stream of a fault that, in the game alone, is one at the end of the data.
    fn name(&self, code: Code) -> Code {
        match code {
            Code::UnclosedTree if self.options.is_followed => Code::MissingCloseParen,
            Code::UnterminatedValue if self.options.is_followed => Code::MissingCloseBracket,
            code => code,
        }
    }

    /// Whether the root says FF\[4\]. As in the checker, the first FF that is a number counts, since an empty one goes.
    fn says_ff4(&self) -> bool {
        let (mut is_version, mut nodes) = (false, 0);
        for event in self.parser.slice(self.bytes) {
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

    /// A copy with its trees in order; `None` if it would not be read so.
    fn in_order(&self, copy: Vec<u8>, order: &TreeOrder) -> Option<Vec<u8>> {
        if !order.is_changed() {
            return Some(copy);
        }
        let start = &self.bytes[..self.start];
        let ranges = order.ranges(copy.len());
        let ordered = ranges.iter().map(|range| &copy[range.clone()]).collect::<Vec<_>>().concat();
        let (before, after) = ([start, &copy].concat(), [start, &ordered].concat());
        if !is_sound(self.parser, &after) {
            return None;
        }
        let events: Vec<_> = self.parser.slice(&before).with_offsets().collect::<Result<_, _>>().ok()?;
        let index_of = |at: usize| events.partition_point(|(offset, _)| *offset < (start.len() + at) as u64);
        let mut expected = ranges.iter().flat_map(|range| &events[index_of(range.start)..index_of(range.end)]);
        let mut read = self.parser.slice(&after);
        let is_same = read.by_ref().all(|event| expected.next().is_some_and(|(_, old)| event.as_ref() == Ok(old)));
        (is_same && expected.next().is_none()).then_some(ordered)
    }

    /// Whether a copy reads as the source does, without a fault. The lexemes at the offsets `skipped` are missing in it,
    /// and the value that was cut off is closed.
    fn is_same(&self, copy: &[u8], skipped: &[usize], mut cut: Option<&CutValue>) -> bool {
        let copy = [&self.bytes[..self.start], copy].concat();
        if !is_sound(self.parser, &copy) {
            return false;
        }
        let (mut before, mut after) = (self.parser.slice(self.bytes), self.parser.slice(&copy));
        let (mut skipped, mut depth) = (skipped.iter().peekable(), 0_usize);
        loop {
            let Ok(old) = before.next().transpose() else { return false };
            if old.is_some() && skipped.next_if(|at| **at as u64 == before.offset()).is_some() {
                continue;
            }
            let Ok(mut new) = after.next().transpose() else { return false };
            if matches!(old, Some(Event::EndTree))
                && before.offset() as usize == self.bytes.len()
                && let Some(CutValue { at, ident }) = cut.take()
            {
                if let Some(ident) = ident {
                    let is_there =
                        matches!(new, Some(Event::Property(name)) if *name.as_bytes() == self.bytes[ident.clone()]);
                    if !is_there {
                        return false;
                    }
                    let Ok(next) = after.next().transpose() else { return false };
                    new = next;
                }
                let Some(Event::Value(value)) = new else { return false };
                if !is_kept(&self.bytes[at + 1..], value.as_bytes()) {
                    return false;
                }
                let Ok(next) = after.next().transpose() else { return false };
                new = next;
            }
            let is_same = match (old, new) {
                (None, None) => return depth == 0 && cut.is_none(),
                // A second game is read differently by itself than in its place.
                (Some(Event::StartTree), _) if depth == 0 && before.offset() as usize != self.start => false,
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

/// Whether a value is the old one, but for added backslashes and a blank at its end.
fn is_kept(old: &[u8], new: &[u8]) -> bool {
    if old == new {
        return true;
    }
    // An added byte comes before a `]` or at the end: never before an equal byte.
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
