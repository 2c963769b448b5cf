//! Values decoded as texts.
//!
//! The text of a value depends on the charset of its game and the type of its property, and both on the root: on
//! `CA`, `GM` and `FF`. The charset of a game without `CA` is detected from all its values. So from the first
//! uncertain value on, lines are held back to the end of the root, or of the game. Most values are plain: their
//! text does not depend on charset and type, so they are not held back.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem;
use std::ops::Range;

use sgf_stream::charset::{Charset, CharsetSource, TreeDecoder};
use sgf_stream::node::RootFacts;
use sgf_stream::property::{self, ValueType};
use sgf_stream::{Code, Event, Ident, LineCounter, Position, RawValue};

use super::lines::{Output, write_event, write_finding, write_value};
use super::places::{self, Places};

/// Maximum bytes of output and of values held back. A single value may be longer.
const MAX_HELD: usize = 4 << 20;

pub(super) struct Texts {
    decoder: TreeDecoder,
    strict: bool,
    places: Places,
    /// Offsets after the last value at which transcoding replaced bad bytes by a U+FFFD.
    bad: VecDeque<u64>,
    chunk_start: u64,
    facts: RootFacts,
    /// Identifier of the last property.
    ident: Vec<u8>,
    /// Whether a mismatch of `CA` has been reported in this game.
    has_mismatch: bool,
    held: Held,
}

impl Texts {
    /// Starts at the position of the first byte.
    pub(super) fn new(decoder: TreeDecoder, strict: bool, start: Position) -> Self {
        Texts {
            decoder,
            strict,
            places: Places::new(start),
            bad: VecDeque::new(),
            chunk_start: start.offset,
            facts: RootFacts::new(),
            ident: Vec::new(),
            has_mismatch: false,
            held: Held::default(),
        }
    }

    /// Notes that transcoding replaced bad bytes by a U+FFFD at an offset.
    pub(super) fn bad_at(&mut self, at: u64) {
        self.bad.push_back(at);
    }

    /// Ends a chunk of the parser.
    pub(super) fn end_chunk(&mut self, chunk: &[u8]) {
        self.places.end_chunk(chunk);
        self.chunk_start += chunk.len() as u64;
        let oldest = self.chunk_start.saturating_sub(places::KEPT as u64);
        let too_old = self.bad.partition_point(|&at| at < oldest);
        self.bad.drain(..too_old);
    }

    /// Writes, or holds back, a line that is not an event.
    pub(super) fn line(&mut self, out: &mut Output, line: impl FnOnce(&mut Vec<u8>)) {
        if self.held.values.is_empty() {
            out.write(line);
        } else {
            line(&mut self.held.lines);
            self.bound(out);
        }
    }

    fn bound(&mut self, out: &mut Output) {
        if self.held.len() > MAX_HELD {
            self.release(out);
        }
    }

    pub(super) fn event(&mut self, out: &mut Output, event: Event<'_>, offset: u64, chunk: &[u8]) {
        self.places.event(offset);
        self.decoder.observe(event, offset);
        let was_in_root = self.facts.is_in_root();
        self.facts.observe(event);
        if was_in_root && self.facts.is_final() && self.is_certain() {
            self.release(out);
        }
        match event {
            Event::StartTree if self.facts.depth() == 1 => self.has_mismatch = false,
            Event::Property(ident) => {
                self.ident.clear();
                self.ident.extend_from_slice(ident.as_bytes());
            }
            Event::Value(value) => return self.value(out, value, offset, chunk),
            _ => {}
        }
        self.line(out, |out| write_event(out, event, offset));
        if self.facts.depth() == 0 {
            self.release(out);
        }
    }

    fn value(&mut self, out: &mut Output, value: RawValue<'_>, offset: u64, chunk: &[u8]) {
        let raw = value.as_bytes();
        if self.decoder.take_diagnostics().iter().any(|diagnostic| diagnostic.code == Code::UnknownCharset) {
            let bracket = self.places.of_last_event(chunk);
            self.unknown_charset(out, inside(bracket, raw, 0));
        }
        let needs = Needs::of(raw);
        if let (Needs { the_type: false, the_charset: false }, Ok(text)) = (needs, std::str::from_utf8(raw)) {
            return self.line(out, |out| write_value(out, value, offset, &[text]));
        }
        let could_change = self.facts.is_in_root() || self.held.values.is_empty();
        let bracket = self.places.of_last_event(chunk);
        let bad = self.bad_of(offset + 1, raw.len());
        self.held.push(Ident::new(&self.ident), value, needs, bracket, bad, self.facts.is_in_root());
        if could_change && self.is_certain() {
            self.release(out);
        }
        self.bound(out);
    }

    fn unknown_charset(&mut self, out: &mut Output, at: Position) {
        let code = Code::UnknownCharset;
        if self.strict {
            self.release(out);
            out.fatal(at, code, &format!("expected {}", code.expected()));
        } else {
            self.line(out, |out| write_finding(out, at, code, code.message(), None));
        }
    }

    /// Takes the indices in a value at which a U+FFFD replaced bad bytes.
    fn bad_of(&mut self, offset: u64, len: usize) -> Vec<usize> {
        let in_front = self.bad.partition_point(|&at| at < offset);
        self.bad.drain(..in_front);
        let in_it = self.bad.partition_point(|&at| at < offset + len as u64);
        self.bad.drain(..in_it).map(|at| (at - offset) as usize).collect()
    }

    /// Returns whether all facts that the held-back texts need are known.
    fn is_certain(&mut self) -> bool {
        let in_root = self.facts.is_in_root();
        if in_root && self.held.needs.the_type {
            return false;
        }
        !self.held.needs.the_charset
            || match self.decoder.tree_charset().map(|charset| charset.source()) {
                Ok(CharsetSource::Detected) => false,
                Ok(CharsetSource::Default) => !in_root,
                _ => true,
            }
    }

    /// Writes the lines that are held back, with the facts known so far.
    pub(super) fn release(&mut self, out: &mut Output) {
        if self.held.values.is_empty() {
            return;
        }
        let charset = self.decoder.tree_charset().ok();
        let mut lines = &self.held.lines[..];
        let mut written = 0;
        for held in &self.held.values {
            let raw = &self.held.raw[held.raw.clone()];
            let (in_front, behind) = lines.split_at(held.line - written);
            (lines, written) = (behind, held.line);
            out.write(|out| out.extend_from_slice(in_front));
            if charset.is_some_and(|tree| tree.is_contradicted_by(RawValue::new(raw)))
                && !mem::replace(&mut self.has_mismatch, true)
            {
                let (at, code) = (inside(held.bracket, raw, 0), Code::CharsetMismatch);
                out.write(|out| write_finding(out, at, code, code.message(), None));
            }
            let charset = charset.map_or(Charset::UTF_8, |tree| tree.charset_of(RawValue::new(raw)));
            let decoded = charset.decode(raw);
            let mut bad = held.bad.iter().copied().chain(decoded.bad_runs().map(|run| run.start));
            if self.strict
                && let Some(first) = bad.next()
            {
                out.fatal(inside(held.bracket, raw, first), Code::BadBytes, &format!("expected text in {charset}"));
                break;
            }
            let (mut lines, mut counted) = (LineCounter::new(inside(held.bracket, raw, 0)), 0);
            for at in bad {
                lines.advance(&raw[counted..at]);
                counted = at;
                let code = Code::BadBytes;
                out.write(|out| write_finding(out, lines.position(), code, code.message(), None));
            }
            let root = self.facts.root_context();
            let context = if held.in_root { root } else { root.after_root() };
            let ident = Ident::new(&self.held.idents[held.ident.clone()]);
            let value_type = property::lookup(ident, &context).map(|property| property.value_type());
            let (first, second) = read(RawValue::new(decoded.text().as_bytes()), value_type);
            let parts = [&*first, second.as_deref().unwrap_or_default()];
            let text = &parts[..if second.is_some() { 2 } else { 1 }];
            out.write(|out| write_value(out, RawValue::new(raw), held.bracket.offset, text));
        }
        out.write(|out| out.extend_from_slice(lines));
        self.held.clear();
    }
}

/// Returns the position of a byte of a value whose `[` is at `bracket`.
fn inside(bracket: Position, raw: &[u8], at: usize) -> Position {
    let mut lines = LineCounter::new(bracket);
    lines.advance(b"[");
    lines.advance(&raw[..at.min(raw.len())]);
    lines.position()
}

/// The facts that are needed to read a value.
#[derive(Clone, Copy, Default)]
struct Needs {
    /// The type: the value has escapes, a colon, or white space other than blanks.
    the_type: bool,
    /// The charset: the value has bytes beyond ASCII, or bytes that encode other characters: the NULs of UTF-16,
    /// the shifts of HZ and ISO-2022-\*.
    the_charset: bool,
}

impl Needs {
    fn of(raw: &[u8]) -> Self {
        raw.iter().fold(Needs::default(), |needs, byte| Needs {
            the_type: needs.the_type | matches!(byte, b':' | b'\\' | 0..b' '),
            the_charset: needs.the_charset | matches!(byte, 0x80..|b'~'| 0 | 0x0E | 0x0F | 0x1B),
        })
    }
}

/// Reads a decoded value by its type; returns two parts if it is composed.
fn read(value: RawValue<'_>, value_type: Option<ValueType>) -> (Cow<'_, str>, Option<Cow<'_, str>>) {
    match value_type.and_then(ValueType::parts) {
        None => (part(value, value_type), None),
        Some((first, second)) => match value.compose() {
            None => (part(value, Some(first)), None),
            Some((a, b)) => (part(a, Some(first)), Some(part(b, Some(second)))),
        },
    }
}

fn part(value: RawValue<'_>, value_type: Option<ValueType>) -> Cow<'_, str> {
    match value_type.map(ValueType::basic) {
        Some(ValueType::Text) => value.text(),
        Some(ValueType::SimpleText) => value.simple_text(),
        _ => String::from_utf8_lossy(value.as_bytes()),
    }
}

/// Lines that are held back.
#[derive(Default)]
struct Held {
    /// The lines, without the values.
    lines: Vec<u8>,
    values: Vec<HeldValue>,
    raw: Vec<u8>,
    idents: Vec<u8>,
    /// The facts that some of the values need.
    needs: Needs,
}

struct HeldValue {
    /// Index in the lines at which it is inserted.
    line: usize,
    ident: Range<usize>,
    raw: Range<usize>,
    /// Position of its `[`.
    bracket: Position,
    /// Indices in it at which a U+FFFD replaced bad bytes.
    bad: Vec<usize>,
    in_root: bool,
}

impl Held {
    fn push(
        &mut self,
        ident: Ident<'_>,
        value: RawValue<'_>,
        needs: Needs,
        bracket: Position,
        bad: Vec<usize>,
        in_root: bool,
    ) {
        let keep = |all: &mut Vec<u8>, bytes: &[u8]| {
            all.extend_from_slice(bytes);
            all.len() - bytes.len()..all.len()
        };
        let ident = keep(&mut self.idents, ident.as_bytes());
        let raw = keep(&mut self.raw, value.as_bytes());
        self.values.push(HeldValue { line: self.lines.len(), ident, raw, bracket, bad, in_root });
        self.needs.the_type |= needs.the_type;
        self.needs.the_charset |= needs.the_charset;
    }

    /// Returns the approximate memory size.
    fn len(&self) -> usize {
        self.lines.len() + self.raw.len() + self.idents.len() + self.values.len() * mem::size_of::<HeldValue>()
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.values.clear();
        self.raw.clear();
        self.idents.clear();
        self.needs = Needs::default();
    }
}
