//! Reports of a rewrite: changes, notes, counts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use sgf_stream::Position;

/// Maximum number of notes of one kind about a part of a stream. Further ones are only counted.
const MOST_NOTES: usize = 1 << 16;

/// The result of rewriting a stream or a part: its [changes](Self::changes) and notes.
///
/// A note has a rule, of the parser ([`Code::as_str`](sgf_stream::Code::as_str)), of the checker
/// ([`Rule::as_str`](crate::Rule::as_str)) or of the [canonical form](super::Rewriter::canonical).
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    changes: Vec<Change>,
    notes: Vec<Note>,
    counts: BTreeMap<(NoteKind, &'static str), u64>,
    has_changed: bool,
    has_errors: bool,
}

/// The replacement of a piece of a stream, from one game start to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Change {
    /// The range of the replaced bytes in the stream.
    pub range: Range<u64>,
    /// The new bytes.
    pub with: Vec<u8>,
}

/// A diagnostic, and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Whether it was repaired, was left unchanged, or had its bytes dropped.
    pub kind: NoteKind,
    /// The name of the rule.
    pub code: &'static str,
    /// The position in the original stream.
    pub position: Position,
    /// The bytes left unchanged or dropped, or the first one of a repair.
    pub range: Range<u64>,
    /// A message, if it says more than the rule.
    pub message: Option<String>,
    /// Whether the data exceeds a limit or cannot be written, so that no option helps.
    pub is_error: bool,
}

/// The outcome of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Repaired without loss.
    Repaired,
    /// Left unchanged, because a repair would lose content or change the meaning of the stream.
    Left,
    /// Dropped, as [`Rewriter::lossy`](super::Rewriter::lossy) allows.
    Dropped,
}

impl Note {
    /// Creates a note about a game that is left unchanged, for tools of this workspace.
    #[doc(hidden)]
    pub fn left(code: &'static str, position: Position, message: Option<String>, is_error: bool) -> Self {
        Note { kind: NoteKind::Left, code, position, range: position.offset..position.offset, message, is_error }
    }
}

impl Rewritten {
    /// Creates the result of another tool of this workspace. The ranges of the changes are in order.
    #[doc(hidden)]
    pub fn made_of(
        changes: impl IntoIterator<Item = (Range<u64>, Vec<u8>)>,
        notes: impl IntoIterator<Item = Note>,
    ) -> Self {
        let mut all = Rewritten::default();
        changes.into_iter().for_each(|(range, with)| all.change(range, with));
        notes.into_iter().for_each(|note| all.note(note));
        all
    }

    /// Returns the changes, in the order of the stream.
    ///
    /// Empty in the result of a whole stream ([`Rewriter::rewrite`](super::Rewriter::rewrite)).
    #[doc(hidden)]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the notes, in the order of the pieces.
    ///
    /// There are at most 65,536 of each kind per part, and none in the result of a whole stream.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns whether the output differs from the input.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Returns whether something was left unchanged because it exceeds a limit or cannot be written.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Returns the number of diagnostics repaired without loss, per rule.
    pub fn repairs(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(NoteKind::Repaired)
    }

    /// Returns the number of diagnostics left unchanged, per rule.
    ///
    /// They have a repair, or keep a game from being written. Diagnostics without any repair are not counted: check the
    /// output for those.
    pub fn left(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(NoteKind::Left)
    }

    /// Returns the number of dropped byte ranges, per rule.
    pub fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.of(NoteKind::Dropped)
    }

    /// Returns the number of diagnostics repaired without loss.
    pub fn count(&self) -> u64 {
        self.repairs().map(|(_, count)| count).sum()
    }

    fn of(&self, kind: NoteKind) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().filter(move |((of, _), _)| *of == kind).map(|(&(_, code), &count)| (code, count))
    }

    /// Writes the new form of `source`, which starts at `offset` in the stream.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
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
        let count = self.counts.entry((note.kind, note.code)).or_default();
        *count += 1;
        self.has_errors |= note.is_error;
        if *count <= MOST_NOTES as u64 {
            self.notes.push(note);
        }
    }

    /// Reverts the changes before an offset, and notes why.
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

    /// Appends the result of the next part.
    pub(crate) fn append(&mut self, later: &Rewritten) {
        self.add(later);
        self.changes.extend_from_slice(&later.changes);
        self.notes.extend_from_slice(&later.notes);
    }

    /// Adds the counts of the next part, without its changes and notes.
    #[doc(hidden)]
    pub fn add(&mut self, later: &Rewritten) {
        for (kind, count) in &later.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
        self.has_changed |= later.has_changed;
        self.has_errors |= later.has_errors;
    }
}

/// Error that stops the rewriting of a stream.
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
