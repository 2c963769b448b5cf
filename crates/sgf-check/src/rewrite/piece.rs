//! One piece, from one game start to the next: read, edited, and read again.
//!
//! Lenient mode cuts the data before every game start, and reads each piece as if it were all of the data. A piece is
//! therefore rewritten without regard to its neighbors, as long as it still begins with its game start.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sgf_stream::internal::{BOM, Edit, Given, Meets, apply};
use sgf_stream::{Code, Parser, Repair, Severity};

use super::document::{Document, Fault, Odd, OddKind};
use super::effort::{Effort, MOST_READS, TooManyReads};
use super::quiet::Quiet;
use super::report::NoteKind;
use super::{Plan, readback, syntax};
use crate::edit::{Cost, Edited, Fix, Origins};

/// How often the repairs of a single game are reverted, before all are.
const MOST_TRIES: usize = 8;

/// How often new bytes are rewritten again: a repaired piece may have more game starts, and one repair can enable another.
const MOST_DEPTH: usize = 4;

/// How often the bytes of a piece are read to verify an edited piece, and to find the repairs of diagnostics.
const READS_TO_ACCEPT: usize = 5;
const READS_TO_FIND: usize = 3;

/// Why a readable piece is left unchanged.
const TOO_MANY: &str = "too many syntax errors to repair";

/// The options of rewriting, and the facts of the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'p> {
    /// Lenient, without a callback. It knows the charset that was detected in the stream.
    pub(crate) parser: &'p Parser,
    /// Whether the stream starts with a UTF-8 byte-order mark.
    pub(crate) has_bom: bool,
    /// The charset that the parser would use without the mark.
    pub(crate) unmarked: Given,
    /// Whether the most likely charset of a game is used.
    pub(crate) guesses_charset: bool,
    /// Whether content may be dropped.
    pub(crate) is_lossy: bool,
    pub(crate) plan: &'p dyn Plan,
}

/// A piece of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) bytes: &'a [u8],
    /// Whether only white space is before it in the stream.
    pub(crate) is_first: bool,
    /// Whether it ends the stream.
    pub(crate) is_last: bool,
    pub(crate) meets: Meets,
}

/// A piece that was rewritten.
#[derive(Debug, Default)]
pub(crate) struct RewrittenPiece {
    /// The new bytes; `None` if it is left unchanged.
    pub(crate) bytes: Option<Vec<u8>>,
    /// In the order of their offsets, so that lines are counted in one pass.
    pub(crate) notes: Vec<PieceNote>,
}

/// The outcome of a diagnostic.
#[derive(Clone, Debug)]
pub(crate) struct PieceNote {
    pub(crate) kind: NoteKind,
    pub(crate) code: &'static str,
    /// In bytes of the original piece.
    pub(crate) range: Range<usize>,
    pub(crate) message: Option<String>,
    pub(crate) is_error: bool,
}

/// Rewrites a piece.
pub(crate) fn rewrite(context: &Context<'_>, piece: Piece<'_>) -> RewrittenPiece {
    rewrite_within(context, piece, &Effort::of(MOST_READS, piece.bytes.len()))
}

/// Rewrites a piece, if that does not exceed the limit of reading.
pub(super) fn rewrite_within(context: &Context<'_>, piece: Piece<'_>, effort: &Effort) -> RewrittenPiece {
    rewrite_to(MOST_DEPTH, context, piece, effort).unwrap_or_else(|TooManyReads| {
        let (kind, code, range) = (NoteKind::Left, Code::GameTooLong.as_str(), 0..1);
        let note = PieceNote { kind, code, range, message: Some(TOO_MANY.to_owned()), is_error: true };
        RewrittenPiece { bytes: None, notes: vec![note] }
    })
}

fn rewrite_to(
    depth: usize,
    context: &Context<'_>,
    piece: Piece<'_>,
    effort: &Effort,
) -> Result<RewrittenPiece, TooManyReads> {
    let mut work = Work {
        context,
        piece,
        effort,
        bytes: Cow::Borrowed(piece.bytes),
        steps: Vec::new(),
        notes: Vec::new(),
        withheld: Vec::new(),
    };
    let source = work.read(piece.bytes)?;
    if let Some(fault) = source.refused {
        let range = fault.at..(fault.at + 1).min(piece.bytes.len());
        let message = source.has_too_many().then(|| TOO_MANY.to_owned());
        let note = PieceNote { kind: NoteKind::Left, code: fault.code.as_str(), range, message, is_error: true };
        return Ok(RewrittenPiece { bytes: None, notes: vec![note] });
    }
    // What one fix changes can make room for another.
    loop {
        let before = work.steps.len();
        if !source.is_sound() || context.is_lossy && !source.odd.is_empty() {
            work.repair_syntax()?;
        }
        work.repair_findings()?;
        if work.steps.len() == before {
            break;
        }
    }
    work.note_faults(&source)?;
    let withheld = std::mem::take(&mut work.withheld);
    withheld.into_iter().for_each(|(code, range)| work.note(NoteKind::Left, code, range));
    if depth > 0 {
        work.rewrite_again(depth - 1, source.is_sound())?;
    }
    if depth == MOST_DEPTH {
        work.print(&source)?;
    }
    let Work { bytes, mut notes, .. } = work;
    notes.sort_by_key(|note| note.range.start);
    Ok(RewrittenPiece { bytes: Some(bytes.into_owned()).filter(|bytes| bytes != piece.bytes), notes })
}

/// A piece that is being rewritten.
struct Work<'w> {
    context: &'w Context<'w>,
    piece: Piece<'w>,
    effort: &'w Effort,
    bytes: Cow<'w, [u8]>,
    /// The edits of each step from the old bytes to the new ones.
    steps: Vec<Origins>,
    notes: Vec<PieceNote>,
    /// The diagnostics of rules whose repairs were not applied, because the piece would be parsed differently: rules and
    /// locations.
    withheld: Vec<(&'static str, Range<usize>)>,
}

impl<'w> Work<'w> {
    /// Returns the offset in the old piece of an offset in the new one.
    fn origin(&self, at: usize) -> usize {
        self.steps.iter().rev().fold(at, |at, origins| origins.of(at))
    }

    fn origins(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origin(range.start);
        let end =
            range.end.checked_sub(1).filter(|last| *last >= range.start).map_or(start, |last| self.origin(last) + 1);
        start..end.max(start)
    }

    fn note(&mut self, kind: NoteKind, code: &'static str, range: Range<usize>) {
        self.notes.push(PieceNote { kind, code, range, message: None, is_error: false });
    }

    fn read<'b>(&self, bytes: &'b [u8]) -> Result<Document<'b>, TooManyReads> {
        self.effort.spend(bytes.len())?;
        Ok(Document::read(self.context.parser, bytes))
    }

    /// Applies repairs of syntax until none is left.
    fn repair_syntax(&mut self) -> Result<(), TooManyReads> {
        loop {
            let bytes = self.bytes.clone();
            let document = self.read(&bytes)?;
            let fixes = syntax::fixes(&document, self.refuses_digits(&document));
            let wanted = fixes.iter().filter(|fix| fix.cost == Cost::Nothing || self.context.is_lossy);
            if !self.make(&document, wanted.collect())? {
                return Ok(());
            }
        }
    }

    /// Returns whether the identifier at an offset may have no digits.
    fn refuses_digits<'d>(&self, document: &'d Document<'_>) -> impl Fn(usize) -> bool + use<'w, 'd> {
        let (parser, plan) = (self.context.parser, self.context.plan);
        let mut is_ff4 = Vec::new();
        if plan.refuses_digits() && document.odd.iter().any(|odd| odd.kind == OddKind::Digits) {
            let game = |game: &Range<usize>| syntax::says_ff4(parser, &document.source[game.clone()]);
            is_ff4 = document.games.iter().map(game).collect();
        }
        move |at| document.game_at(at).and_then(|game| is_ff4.get(game)) == Some(&true)
    }

    /// Applies the repairs of diagnostics.
    fn repair_findings(&mut self) -> Result<(), TooManyReads> {
        let Context { parser, plan, .. } = *self.context;
        self.withheld.clear();
        loop {
            let bytes = self.bytes.clone();
            self.effort.spend(READS_TO_FIND * bytes.len())?;
            let fixes = plan.fixes(self.context, &bytes);
            if fixes.is_empty() {
                self.withheld.clear();
                return Ok(());
            }
            let document = self.read(&bytes)?;
            let quiet = Quiet::of(parser, &document);
            // The charset does not depend on what text is beside it.
            let is_label = |fix: &Fix| fix.code == Code::CharsetMismatch.as_str();
            let wanted: Vec<&Fix> = fixes.iter().filter(|fix| is_label(fix) || quiet.allows(fix)).collect();
            if !self.make(&document, wanted)? {
                self.withheld = fixes.iter().map(|fix| (fix.code, self.origins(&(fix.at()..fix.at() + 1)))).collect();
                return Ok(());
            }
        }
    }

    /// Returns where repairs may be applied: not in a game next to a part with which it could be parsed differently.
    fn is_free<'d>(&self, document: &'d Document<'_>) -> impl Fn(usize) -> bool + use<'d> {
        let Meets { before, after } = self.piece.meets;
        let (first, last) = (document.games.first(), document.games.last());
        let from = if before { 0 } else { first.map_or(usize::MAX, |game| game.end + 1) };
        let to = if after { usize::MAX } else { last.map_or(0, |game| game.start) };
        move |at| (from..to).contains(&at) || before && after
    }

    /// Returns whether the piece still begins with its head, if something is before it.
    fn keeps_head(&self, new: &[u8]) -> bool {
        self.piece.is_first || readback::keeps_head(self.piece.bytes, new)
    }

    /// Applies the repairs that are possible together. Returns whether there were any.
    fn make(&mut self, document: &Document<'_>, wanted: Vec<&Fix>) -> Result<bool, TooManyReads> {
        let is_free = self.is_free(document);
        let mut wanted: Vec<&Fix> = wanted.into_iter().filter(|fix| is_free(fix.at())).collect();
        let breaks: Vec<usize> =
            document.games.iter().map(|game| game.end).filter(|end| *end < document.source.len()).collect();
        for _ in 0..MOST_TRIES {
            if wanted.is_empty() {
                return Ok(false);
            }
            let edited = Edited::new(document.source, &wanted, &[]);
            if !self.keeps_head(&edited.bytes) {
                // The head is told by its first properties.
                let (head, count) = (readback::head_len(document.source), wanted.len());
                wanted.retain(|fix| fix.at() > head);
                if wanted.len() == count {
                    wanted.remove(0); // it is the next that the head meets
                }
                continue;
            }
            let Err(at) = self.accept(document, edited, &wanted)? else { return Ok(true) };
            let edited = Edited::new(document.source, &wanted, &breaks);
            if self.accept(document, edited, &wanted)?.is_ok() {
                return Ok(true);
            }
            // The fixes of the game in which the readings part, and of what follows it, are taken back.
            let game = document.game_at(at);
            let from = game.map_or(0, |game| document.games[game].start);
            let next = game.map_or(0, |game| game + 1);
            let to = document.games.get(next).map_or(document.source.len(), |next| next.start);
            wanted.retain(|fix| !(from..=to).contains(&fix.at()));
        }
        Ok(false)
    }

    /// Accepts an edited piece, if it is parsed as intended. Otherwise returns where the results differ.
    fn accept(
        &mut self,
        document: &Document<'_>,
        edited: Edited,
        wanted: &[&Fix],
    ) -> Result<Result<(), usize>, TooManyReads> {
        self.effort.spend(READS_TO_ACCEPT * edited.bytes.len())?;
        let is_as_meant = self.is_as_meant(document, &edited, wanted);
        if is_as_meant.is_ok() {
            self.take(edited, wanted);
        }
        Ok(is_as_meant)
    }

    /// Returns whether an edited piece is read as it was meant. Else returns where the readings part.
    fn is_as_meant(&self, document: &Document<'_>, edited: &Edited, wanted: &[&Fix]) -> Result<(), usize> {
        readback::compare(self.context.parser, document, edited)?;
        let mends_label = wanted.iter().any(|fix| fix.code == Code::CharsetMismatch.as_str());
        // The charset may be known by something else, and `CA` will say it.
        if !(mends_label || self.context.has_bom) {
            readback::compare_labels(self.context.parser, document, &edited.bytes)?;
        }
        if !self.context.is_lossy {
            readback::compare_faults(self.context.parser, document, edited)?;
        }
        Ok(())
    }

    fn take(&mut self, edited: Edited, wanted: &[&Fix]) {
        let mut notes = Vec::new();
        for (fix, _) in wanted.iter().zip(&edited.made).filter(|(_, made)| **made) {
            let at = fix.at();
            match fix.cost {
                Cost::Content => {
                    let ranges = fix.edits.iter().map(|edit| self.origins(&edit.range));
                    notes.extend(ranges.map(|range| (NoteKind::Dropped, fix.code, range)));
                }
                Cost::Nothing if fix.is_of_rule => {
                    notes.push((NoteKind::Repaired, fix.code, self.origins(&(at..at + 1))))
                }
                Cost::Nothing => {}
            }
        }
        notes.into_iter().for_each(|(kind, code, range)| self.note(kind, code, range));
        self.steps.push(Origins::new(&edited.edits));
        self.bytes = Cow::Owned(edited.bytes);
    }

    /// Notes which syntax errors are repaired, and which are left: those that the new piece still has.
    fn note_faults(&mut self, source: &Document<'_>) -> Result<(), TooManyReads> {
        if source.faults.is_empty() && source.odd.is_empty() {
            return Ok(());
        }
        let bytes = self.bytes.clone();
        let document = self.read(&bytes)?;
        let places: BTreeMap<(Code, usize), &Odd> =
            document.odd.iter().rev().map(|odd| ((odd.code, odd.range.start), odd)).collect();
        let has_digits = self.refuses_digits(&document);
        let mut left = BTreeSet::new();
        for fault in &document.faults {
            let at = self.origin(fault.at);
            left.insert((fault.code, at));
            // The spelling of identifiers stays, and is a matter of rules.
            if fault.code == Code::LowercaseInIdent || fault.code == Code::DigitInIdent && !has_digits(fault.at) {
                continue;
            }
            let odd = places.get(&(fault.code, fault.at));
            let range = self.origins(&odd.map_or(fault.at..fault.at + 1, |odd| odd.range.clone()));
            let is_error = fault.code.severity() == Severity::Error;
            let code = self.name(fault.code);
            self.notes.push(PieceNote { kind: NoteKind::Left, code, range, message: None, is_error });
        }
        let after = document.counts();
        for (code, count) in source.counts() {
            if code.repair() != Repair::Keeps || code == Code::LowercaseInIdent {
                continue;
            }
            let repaired = count.saturating_sub(after.get(&code).copied().unwrap_or_default());
            let of_code = || source.faults.iter().filter(|fault| fault.code == code);
            let (gone, rest): (Vec<&Fault>, Vec<&Fault>) =
                of_code().partition(|fault| !left.contains(&(code, fault.at)));
            let name = self.name(code);
            for fault in gone.into_iter().chain(rest).take(repaired as usize) {
                self.note(NoteKind::Repaired, name, fault.at..fault.at + 1);
            }
        }
        Ok(())
    }

    /// Rewrites the new bytes, which may be several pieces, if one change may have enabled another.
    fn rewrite_again(&mut self, depth: usize, was_sound: bool) -> Result<(), TooManyReads> {
        if matches!(self.bytes, Cow::Borrowed(_)) {
            return Ok(());
        }
        let bytes = self.bytes.clone();
        if was_sound && super::pieces(self.context.parser, &bytes).nth(1).is_none() {
            return Ok(());
        }
        let (edits, notes) = self.rewrite_parts(depth, self.context, &bytes)?;
        if !edits.is_empty() {
            self.take_parts(&bytes, &edits, notes);
        }
        Ok(())
    }

    /// Adopts the edits in the pieces of new bytes, and their remaining diagnostics.
    fn take_parts(&mut self, bytes: &[u8], edits: &[Edit], notes: Vec<PieceNote>) {
        self.notes.retain(|note| note.kind != NoteKind::Left);
        for note in notes {
            let range = self.origins(&note.range);
            self.notes.push(PieceNote { range, ..note });
        }
        self.bytes = Cow::Owned(apply(bytes, edits.iter()));
        self.steps.push(Origins::new(edits));
    }

    /// Rewrites each piece of new bytes. Returns the edits and the notes.
    fn rewrite_parts(
        &self,
        depth: usize,
        context: &Context<'_>,
        bytes: &[u8],
    ) -> Result<(Vec<Edit>, Vec<PieceNote>), TooManyReads> {
        let (mut notes, mut edits, mut is_first) = (Vec::new(), Vec::new(), self.piece.is_first);
        for range in super::pieces(context.parser, bytes) {
            let Piece { is_last, meets, .. } = self.piece;
            let (is_start, is_end) = (range.start == 0, range.end == bytes.len());
            let meets = Meets { before: !is_start || meets.before, after: !is_end || meets.after };
            let part = Piece { bytes: &bytes[range.clone()], is_first, is_last: is_last && is_end, meets };
            let rewritten = rewrite_to(depth, context, part, self.effort)?;
            is_first &= super::is_blank(rewritten.bytes.as_deref().unwrap_or(part.bytes));
            for note in rewritten.notes {
                let within = range.start + note.range.start..range.start + note.range.end;
                notes.push(PieceNote { range: within, ..note });
            }
            if let Some(with) = rewritten.bytes {
                edits.push(Edit { range, with });
            }
        }
        Ok((edits, notes))
    }

    /// Returns the code in the stream of a fault that, in the piece alone, is one at the end of the data.
    fn name(&self, code: Code) -> &'static str {
        match code {
            Code::UnclosedTree if !self.piece.is_last => Code::MissingCloseParen,
            Code::UnterminatedValue if !self.piece.is_last => Code::MissingCloseBracket,
            code => code,
        }
        .as_str()
    }

    /// Rewrites what was printed, where it is more than games in canonical style: a fix may have waited for the head of the
    /// next game, or for the end of the line.
    fn print_again(&mut self, reader: &Parser) -> Result<(), TooManyReads> {
        let bytes = self.bytes.clone();
        let has_bom = self.context.has_bom && (!self.piece.is_first || bytes.starts_with(BOM));
        let context = Context { parser: reader, has_bom, ..*self.context };
        let (edits, notes) = self.rewrite_parts(MOST_DEPTH, &context, &bytes)?;
        if !edits.is_empty() {
            self.notes.retain(|note| note.kind != NoteKind::Left);
            // Places in what was printed have none in the source.
            self.notes.extend(notes.into_iter().map(|note| PieceNote { range: 0..1, ..note }));
            self.bytes = Cow::Owned(apply(&bytes, edits.iter()));
        }
        Ok(())
    }

    /// Rewrites whole games in canonical form.
    fn print(&mut self, source: &Document<'_>) -> Result<(), TooManyReads> {
        let bytes = self.bytes.clone();
        if self.context.plan.prints()
            && !self.steps.is_empty()
            && super::pieces(self.context.parser, &bytes).nth(1).is_some()
        {
            // Each is printed by itself, as when it is read again.
            let (edits, notes) = self.rewrite_parts(MOST_DEPTH, self.context, &bytes)?;
            self.take_parts(&bytes, &edits, notes);
            return Ok(());
        }
        let read;
        let document = match self.steps.is_empty() {
            true => source,
            false => {
                read = Document::read(self.context.parser, &bytes);
                &read
            }
        };
        let Meets { before, after } = self.piece.meets;
        let is_free = before && after || document.is_sound();
        if !is_free {
            return Ok(());
        }
        let Some(printed) = self.context.plan.print(self.context, self.piece, document) else { return Ok(()) };
        for note in printed.notes {
            let range = self.origins(&note.range);
            self.notes.push(PieceNote { range, ..note });
        }
        if self.keeps_head(&printed.bytes) {
            if printed.bytes != *bytes {
                self.bytes = Cow::Owned(printed.bytes);
                if let Some(reader) = printed.reader {
                    self.print_again(&reader)?;
                }
            }
        } else {
            self.note(NoteKind::Left, "head", 0..1);
        }
        Ok(())
    }
}

/// A piece in canonical form.
pub(crate) struct Printed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) notes: Vec<PieceNote>,
    /// A parser for it, if it holds more than games in canonical style.
    pub(crate) reader: Option<Parser>,
}
