//! Checks that an edited piece is parsed as intended.
//!
//! A reader of the copy must find the lexemes of the source, except for removed ones, at the offsets where the edits put
//! them, and otherwise only inserted ones. Their bytes need no comparison, because they were copied. The behavior of the
//! parser need not be known.

use std::collections::BTreeSet;
use std::ops::Range;

use sgf_stream::internal::{BOM, Follows, HeadScan, find_head, trim};
use sgf_stream::{Code, Event, Parser, SliceReader};

use super::document::Document;
use crate::edit::{Edited, Moved, Origins};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Semicolon,
    Close,
    Ident,
    Value,
}

/// An event, and the range of its lexeme; an empty one if the parser supplied it.
type Lexeme = (Kind, Range<usize>);

/// Returns whether a new piece can take the place of an old one: it begins with a head if that does.
pub(crate) fn keeps_head(old: &[u8], new: &[u8]) -> bool {
    let has_head = |bytes: &[u8]| find_head(bytes, 0, Follows::End) == Ok(Some(0));
    !has_head(old) || has_head(new)
}

/// Returns the number of bytes that tell that a piece begins with a head; 0 if it does not.
pub(crate) fn head_len(piece: &[u8]) -> usize {
    let mut scan = HeadScan::start();
    match scan.look(piece, Follows::End) {
        Some(true) => scan.seen(),
        _ => 0,
    }
}

/// Compares an edited piece with the intention. Returns the offset in the source where the results differ.
pub(crate) fn compare(parser: &Parser, document: &Document<'_>, edited: &Edited) -> Result<(), usize> {
    let source = document.source;
    let (mut before, mut after) = (Lexemes::new(parser, source), Lexemes::new(parser, &edited.bytes));
    let mut moved = Moved::new(&edited.edits);
    let mut insertions = edited.insertions().peekable();
    let mut closed = document.cut().filter(|(value, cut)| edited.has_insertion(value.end, cut.closer));
    let (mut at, mut brackets) = (0, 0);
    // The next lexeme of the copy that was not inserted as a whole.
    let mut next_after = || {
        after.find(|(_, place)| {
            while insertions.next_if(|inserted| inserted.end <= place.start).is_some() {}
            let is_inserted = |inserted: &Range<usize>| {
                inserted.start <= place.start && place.end <= inserted.end && !place.is_empty()
            };
            !insertions.peek().is_some_and(is_inserted)
        })
    };
    while let Some((kind, range)) = before.next() {
        let is_supplied = range.is_empty();
        if is_supplied && before.is_at_end() {
            // The value that was cut off had no event. It comes before the trees that end with it.
            if let Some((value, cut)) = closed.take() {
                at = value.start;
                let ident =
                    cut.ident.clone().map(|ident| (Kind::Ident, moved.start(ident.start)..moved.end(ident.end)));
                let value = moved.start(value.start)..moved.end(value.end) + cut.closer.len();
                for lexeme in ident.into_iter().chain([(Kind::Value, value)]) {
                    if next_after() != Some(lexeme) {
                        return Err(at);
                    }
                }
            }
        }
        at = at.max(range.start);
        if !is_supplied && moved.is_gone(&range) {
            continue;
        }
        let is_as_meant = match next_after() {
            Some((found, place)) if is_supplied => {
                brackets += place.len();
                found == kind
            }
            found => found == Some((kind, moved.start(range.start)..moved.end(range.end))),
        };
        if !is_as_meant {
            return Err(at);
        }
    }
    // Each bracket that was supplied, and then inserted, is one now.
    let inserted =
        edited.edits.iter().filter(|edit| edit.range.is_empty() && matches!(edit.with[..], [b'(' | b')' | b';']));
    if next_after().is_none() && brackets == inserted.count() { Ok(()) } else { Err(at) }
}

/// Returns whether a new piece has no syntax error that the old one lacks.
pub(crate) fn has_no_more_faults(old: &Document<'_>, new: &Document<'_>) -> bool {
    let old = old.counts();
    new.refused.is_none() && new.counts().iter().all(|(code, count)| Some(count) <= old.get(code))
}

/// Compares the syntax errors of an edited piece with the old ones. Returns the offset of the first new one in the source:
/// the rest of a text may be parsed differently if a bracket beside it was removed.
pub(crate) fn compare_faults(parser: &Parser, document: &Document<'_>, edited: &Edited) -> Result<(), usize> {
    let new = Document::read(parser, &edited.bytes);
    let (old, counts) = (document.counts(), new.counts());
    let is_more = |code: &Code| counts.get(code) > old.get(code);
    if new.refused.is_none() && !counts.keys().any(is_more) {
        return Ok(());
    }
    let known: BTreeSet<(Code, usize)> = document.faults.iter().map(|fault| (fault.code, fault.at)).collect();
    let origins = Origins::new(&edited.edits);
    let places = new.faults.iter().filter(|fault| is_more(&fault.code)).map(|fault| (fault.code, origins.of(fault.at)));
    Err(places.filter(|place| !known.contains(place)).map(|(_, at)| at).next().unwrap_or(0))
}

/// Compares the charsets that the games of a piece declare, because the same bytes are a different text in another charset.
/// Returns the offset of the first game that declares another one.
pub(crate) fn compare_labels(parser: &Parser, document: &Document<'_>, bytes: &[u8]) -> Result<(), usize> {
    if bytes.strip_prefix(BOM).unwrap_or(bytes).is_ascii() {
        return Ok(());
    }
    let (before, after) = (labels(parser, document.source), labels(parser, bytes));
    // In ASCII, most charsets are the same.
    let is_ascii = |game: usize| document.games.get(game).is_some_and(|game| document.source[game.clone()].is_ascii());
    let differs = (0..before.len().min(after.len())).find(|&game| before[game] != after[game] && !is_ascii(game));
    let game = differs.or((before.len() != after.len()).then_some(0));
    game.map_or(Ok(()), |game| Err(document.games.get(game).map_or(0, |game| game.start)))
}

/// Returns whether two parsers read a piece in the same way.
pub(crate) fn is_same(parser: &Parser, other: &Parser, bytes: &[u8]) -> bool {
    let (read, other_read) = (Document::read(parser, bytes), Document::read(other, bytes));
    read.games == other_read.games
        && read.faults == other_read.faults
        && parser.slice(bytes).with_offsets().eq(other.slice(bytes).with_offsets())
}

/// Returns whether every game names its charset.
pub(crate) fn names_charsets(parser: &Parser, bytes: &[u8]) -> bool {
    labels(parser, bytes).iter().all(Option::is_some)
}

/// Returns the values of CA in the roots of the games, without backslashes. Blank ones are skipped.
fn labels(parser: &Parser, bytes: &[u8]) -> Vec<Option<Vec<u8>>> {
    let (mut labels, mut depth, mut nodes, mut is_label) = (Vec::new(), 0, 0, false);
    for event in parser.slice(bytes).map_while(Result::ok) {
        match event {
            Event::StartTree => {
                if depth == 0 {
                    labels.push(None);
                    nodes = 0;
                }
                depth += 1;
            }
            Event::EndTree => depth -= 1,
            Event::Node => nodes += 1,
            Event::Property(ident) => is_label = nodes == 1 && ident == "CA",
            Event::Value(value) if is_label => {
                is_label = false;
                if let Some(label) = labels.last_mut().filter(|label| label.is_none()) {
                    let bare: Vec<u8> = value.as_bytes().iter().copied().filter(|byte| *byte != b'\\').collect();
                    *label = Some(trim(&bare).to_vec()).filter(|label| !label.is_empty());
                }
            }
            _ => {}
        }
    }
    labels
}

/// The lexemes of a piece.
struct Lexemes<'a> {
    reader: SliceReader<'a>,
    source: &'a [u8],
    end: usize,
}

impl<'a> Lexemes<'a> {
    fn new(parser: &Parser, source: &'a [u8]) -> Self {
        Lexemes { reader: parser.slice(source), source, end: 0 }
    }

    /// Returns whether the last event was at the end of the data.
    fn is_at_end(&self) -> bool {
        self.reader.offset() as usize == self.source.len()
    }

    fn bracket(&mut self, bracket: u8, at: usize) -> Range<usize> {
        match self.source.get(at) == Some(&bracket) && at >= self.end {
            true => at..at + 1,
            false => at..at,
        }
    }
}

impl Iterator for Lexemes<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let event = self.reader.next()?.ok()?;
        let at = self.reader.offset() as usize;
        let (kind, range) = match event {
            Event::StartTree => (Kind::Open, self.bracket(b'(', at)),
            Event::Node => (Kind::Semicolon, self.bracket(b';', at)),
            Event::EndTree => (Kind::Close, self.bracket(b')', at)),
            Event::Property(ident) => (Kind::Ident, at..at + ident.as_bytes().len()),
            Event::Value(value) => (Kind::Value, at..at + value.as_bytes().len() + 2),
            _ => return None,
        };
        self.end = self.end.max(range.end);
        Some((kind, range))
    }
}
