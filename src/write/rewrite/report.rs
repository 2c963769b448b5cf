//! Reports of a rewriting: changes, notes, counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use crate::syntax::diagnostic::Position;

/// The highest number of notes of one kind about a part of a stream. Further ones are counted.
const MOST_NOTES: usize = 1 << 16;

/// The result of rewriting a stream or a part of it: its [changes](Self::changes) and findings.
///
/// Findings have codes: those of the parser ([`Code::as_str`](crate::Code::as_str)), those of rules
/// ([`Rule::as_str`](crate::check::Rule::as_str)), and those of [canonical style](super::Rewriter::canonical).
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    changes: Vec<Change>,
    notes: Vec<Note>,
    counts: BTreeMap<(Fate, &'static str), u64>,
    has_changed: bool,
    has_errors: bool,
}

/// Some bytes of a stream that were replaced: a piece, from the head of a game to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Change {
    /// The bytes that were replaced, by their offsets in the stream.
    pub range: Range<u64>,
    /// The new bytes.
    pub with: Vec<u8>,
}

/// A finding, and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Whether it was repaired, is left, or has cost content.
    pub fate: Fate,
    /// The code of the fault or rule.
    pub code: &'static str,
    /// Where it was in the stream.
    pub position: Position,
    /// The bytes of the stream that it is about: those that are left or were left out; of a repair, the first one.
    pub range: Range<u64>,
    /// More than the code says, as a sentence.
    pub message: Option<String>,
    /// Data exceed a limit, or cannot be written: no option helps.
    pub is_error: bool,
}

/// The outcome for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// It was repaired, and nothing was lost.
    Repaired,
    /// It stays, since a repair would cost content, or since the stream would be read differently.
    Left,
    /// Its bytes were left out, since [`Rewriter::lossy`](super::Rewriter::lossy) allows that.
    Dropped,
}

impl Rewritten {
    /// The changes, in the order of the stream. Empty in the result of a whole stream ([`Rewriter::rewrite`](super::Rewriter::rewrite)).
    #[doc(hidden)]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The findings, in the order of the pieces. There are at most 65,536 of each kind for a part of a
    /// stream, and none in the result of a whole one.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the output differs from the input.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether something exceeds a limit, or could not be written: it stays as it was.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Number of findings of each code that were repaired without loss.
    pub fn repairs(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(Fate::Repaired)
    }

    /// Number of findings of each code that are left, although they have a repair, or keep a game from being written. (What
    /// has no repair at all is not counted: check the output for that.)
    pub fn left(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(Fate::Left)
    }

    /// Number of stretches of the stream that were left out, by the code of their fault.
    pub fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(Fate::Dropped)
    }

    /// Number of findings that were repaired without loss.
    pub fn count(&self) -> u64 {
        self.repairs().map(|(_, count)| count).sum()
    }

    fn of(&self, fate: Fate) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().filter(move |((of, _), _)| *of == fate).map(|(&(_, code), &count)| (code, count))
    }

    /// Writes the new form of some bytes, which start at an offset of the stream: those that were rewritten.
    ///
    /// # Errors
    ///
    /// If the writer fails.
    pub fn write_to(&self, source: &[u8], offset: u64, mut out: impl Write) -> io::Result<()> {
        let mut at = 0;
        for change in &self.changes {
            let [start, end] = [change.range.start, change.range.end].map(|place| (place - offset) as usize);
            out.write_all(&source[at..start])?;
            out.write_all(&change.with)?;
            at = end;
        }
        out.write_all(&source[at..])
    }

    pub(crate) fn change(&mut self, range: Range<u64>, with: Vec<u8>) {
        self.has_changed = true;
        self.changes.push(Change { range, with });
    }

    pub(crate) fn note(&mut self, note: Note) {
        let count = self.counts.entry((note.fate, note.code)).or_default();
        *count += 1;
        self.has_errors |= note.is_error;
        if *count <= MOST_NOTES as u64 {
            self.notes.push(note);
        }
    }

    /// Takes back the changes before an offset, and says why.
    pub(crate) fn take_back(&mut self, before: u64, why: Note) {
        let old = std::mem::take(self);
        self.note(why);
        let is_kept = |start: u64| start >= before;
        old.changes
            .into_iter()
            .filter(|change| is_kept(change.range.start))
            .for_each(|change| self.change(change.range, change.with));
        old.notes.into_iter().filter(|note| is_kept(note.range.start)).for_each(|note| self.note(note));
    }

    /// Adds what follows.
    pub(crate) fn append(&mut self, later: &Rewritten) {
        self.add(later);
        self.changes.extend_from_slice(&later.changes);
        self.notes.extend_from_slice(&later.notes);
    }

    /// Adds the counts of what follows, without its changes and notes.
    #[doc(hidden)]
    pub fn add(&mut self, later: &Rewritten) {
        for (kind, count) in &later.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
        self.has_changed |= later.has_changed;
        self.has_errors |= later.has_errors;
    }
}

/// The reason why a stream was not rewritten to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The input could not be read.
    #[error(transparent)]
    Read(io::Error),
    /// The output could not be written.
    #[error(transparent)]
    Write(io::Error),
}
