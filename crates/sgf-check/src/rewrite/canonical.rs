//! The plan of canonical form: whole games are rewritten.
//!
//! A game that would lose something keeps its form, and so does one with syntax errors left. Text between games is left
//! unchanged; if it is only white space, each game ends its line.

use std::ops::Range;

use sgf_stream::internal::{BOM, Edit, Follows, Given, apply, find_head, trim};
use sgf_stream::parts::Part;
use sgf_stream::{Code, Parser, PushParser, SyntaxError};

use super::document::{Document, OddKind};
use super::piece::{Context, Piece, PieceNote, Printed};
use super::report::NoteKind;
use super::{Look, Plan, Watch, readback};
use crate::convert::{Conversion, Converted, Remark};
use crate::edit::{Cost, Fix};

#[derive(Debug)]
pub(super) struct CanonicalPlan {
    /// Streams were transcoded to UTF-8, regardless of `CA`.
    pub(super) is_transcoded: bool,
}

impl CanonicalPlan {
    fn conversion(&self, context: &Context<'_>) -> Conversion {
        Conversion {
            is_lossy: context.is_lossy,
            guesses_charset: context.guesses_charset,
            is_marked: self.is_transcoded || context.has_bom && context.parser.has_charsets(),
        }
    }
}

impl Plan for CanonicalPlan {
    fn look(&self, context: &Context<'_>, part: &Part<'_>) -> Result<Look, SyntaxError> {
        if part.is_last() && find_head(part.bytes(), 0, Follows::End) == Ok(None) {
            // It may be no SGF at all.
            part.parse(context.parser, |_, _| {})?;
        }
        Ok(Look::Everywhere)
    }

    fn watch<'w>(&self, _: &Context<'w>, _: PushParser) -> Watch<'w> {
        Box::new(|_| true) // it is not in canonical form
    }

    /// Games that keep their form declare their charset, if nothing else determines it in the output.
    fn fixes(&self, context: &Context<'_>, bytes: &[u8]) -> Vec<Fix> {
        let conversion = self.conversion(context);
        if !(context.guesses_charset || context.has_bom) {
            return Vec::new();
        }
        let document = Document::read(context.parser, bytes);
        let kept = document.games.iter().filter(|game| document.is_odd(game));
        let fix = |game: &Range<usize>| {
            let (edit, _) = conversion.relabel(context.parser, &bytes[game.clone()])?;
            let range = game.start + edit.range.start..game.start + edit.range.end;
            let edits = vec![Edit { range, ..edit }];
            Some(Fix { code: Code::CharsetMismatch.as_str(), is_of_rule: true, cost: Cost::Nothing, edits })
        };
        kept.filter_map(fix).collect()
    }

    fn prints(&self) -> bool {
        true
    }

    fn print(&self, context: &Context<'_>, piece: Piece<'_>, document: &Document<'_>) -> Option<Printed> {
        if document.games.is_empty() && (piece.is_last || !super::is_blank(document.source)) {
            return None;
        }
        // A byte-order mark goes where the games say in its place that they are in UTF-8. Of several pieces, a later one may
        // need it; and where all texts are bytes, nothing says in the output what it says.
        let is_whole = piece.is_first && piece.is_last && document.source.starts_with(BOM);
        let may_drop = is_whole && context.parser.has_charsets();
        [true, false].into_iter().filter(|drops_mark| may_drop || !drops_mark).find_map(|drops_mark| {
            let conversion = self.conversion(context);
            let printing = Printing { context, piece, document, conversion, drops_mark };
            let mut notes = Vec::new();
            let games: Vec<NewGame> = document.games.iter().map(|range| printing.game(range, &mut notes)).collect();
            // A text after a game may be taken for a part of it, if it is not on a line of its own.
            let (bytes, has_text) = [false, true].into_iter().find_map(|breaks| printing.print(&games, breaks))?;
            Some(Printed { bytes, notes, reader: has_text.then(|| printing.reader_of_output()) })
        })
    }
}

/// A piece that is being printed.
struct Printing<'p> {
    context: &'p Context<'p>,
    piece: Piece<'p>,
    document: &'p Document<'p>,
    conversion: Conversion,
    /// The byte-order mark is not written.
    drops_mark: bool,
}

/// A game in its new form.
enum NewGame {
    Canonical(Vec<u8>),
    /// It keeps its form, but for its CA.
    Kept {
        relabelled: Option<Vec<u8>>,
        /// It has no end, and what follows may be read as a part of it.
        is_open: bool,
        /// A byte-order mark may be all that tells its charset.
        needs_mark: bool,
    },
}

impl Printing<'_> {
    fn game(&self, range: &Range<usize>, notes: &mut Vec<PieceNote>) -> NewGame {
        let (parser, bytes) = (self.context.parser, &self.document.source[range.clone()]);
        if self.document.is_odd(range) {
            let is_end = |kind: &OddKind| matches!(kind, OddKind::Cut(_) | OddKind::CutEmpty | OddKind::Supplied(b')'));
            let mut odd = self.document.odd_in(range);
            let is_open = bytes.last() != Some(&b')') || odd.any(|odd| is_end(&odd.kind));
            return self.kept(range, is_open, notes);
        }
        let converted = self.conversion.convert(parser, bytes);
        let remarks = match &converted {
            Ok(converted) => &converted.remarks[..],
            Err(remark) => std::slice::from_ref(remark),
        };
        notes.extend(remarks.iter().map(|remark| note(remark, range)));
        match converted {
            Ok(converted) if self.is_stable(&converted) => NewGame::Canonical(converted.bytes),
            _ => self.kept(range, false, notes),
        }
    }

    /// Returns whether a game is in canonical form, also where its texts keep a charset that is not known.
    fn is_stable(&self, converted: &Converted) -> bool {
        let keeps_texts = converted.remarks.iter().any(|remark| remark.kind() == NoteKind::Left);
        let is_marked = self.context.has_bom && !self.drops_mark;
        let conversion = Conversion { is_marked, ..self.conversion.clone() };
        let again = || conversion.convert(&self.reader_of_output(), &converted.bytes);
        !keeps_texts || again().is_ok_and(|again| again.bytes == converted.bytes)
    }

    /// Returns a game that keeps its form, but for its CA. `is_open`: it has no end, and what follows may be read as a
    /// part of it.
    fn kept(&self, range: &Range<usize>, is_open: bool, notes: &mut Vec<PieceNote>) -> NewGame {
        let bytes = &self.document.source[range.clone()];
        let relabelled = self.conversion.relabel(self.context.parser, bytes);
        if let Some((_, name)) = &relabelled {
            let code = Code::CharsetMismatch.as_str();
            let message = Some(format!("CA[{name}] was added; the rest of the game is left unchanged"));
            let range = range.start..range.start + 1;
            notes.push(PieceNote { kind: NoteKind::Repaired, code, range, message, is_error: false });
        }
        let relabelled = relabelled.map(|(edit, _)| apply(bytes, std::iter::once(&edit)));
        let is_told = || relabelled.is_some() || readback::names_charsets(self.context.parser, bytes);
        let needs_mark = !bytes.is_ascii() && !is_told();
        NewGame::Kept { needs_mark, relabelled, is_open }
    }

    /// Puts the games together with what is between them. Returns this, and whether it has text beside games in canonical style.
    /// `None` if they would be read differently.
    fn print(&self, games: &[NewGame], breaks: bool) -> Option<(Vec<u8>, bool)> {
        let source = self.document.source;
        let mut out = Vec::with_capacity(source.len() + 16);
        let (mut places, mut has_text) = (Vec::with_capacity(games.len()), false);
        let has_mark = self.piece.is_first && source.starts_with(BOM);
        // After a game, a line ends.
        let (mut at, mut is_after_game, mut is_open) = (if has_mark { BOM.len() } else { 0 }, false, false);
        let ends = std::iter::once((source.len()..source.len(), None));
        for (range, game) in self.document.games.iter().cloned().zip(games.iter().map(Some)).chain(ends) {
            let gap = &source[at..range.start];
            // White space between parts is what the second one has.
            let is_at_seam = places.is_empty() && !self.piece.meets.before || game.is_none() && !self.piece.meets.after;
            if is_at_seam && !is_open && trim(gap).is_empty() {
                out.extend_from_slice(if memchr::memchr2(b'\n', b'\r', gap).is_some() { b"\n" } else { b"" });
            } else if is_open || !trim(gap).is_empty() {
                has_text = true;
                if breaks && is_after_game && !is_open && !gap.starts_with(b"\n") && !gap.starts_with(b"\r") {
                    out.push(b'\n');
                }
                out.extend_from_slice(gap);
            } else if is_after_game {
                out.push(b'\n');
            }
            let Some(game) = game else { break };
            let start = out.len();
            out.extend_from_slice(match game {
                NewGame::Canonical(bytes) => bytes,
                NewGame::Kept { relabelled, .. } => relabelled.as_deref().unwrap_or(&source[range.clone()]),
            });
            places.push(start..out.len());
            (at, is_after_game, is_open) = (range.end, true, matches!(game, NewGame::Kept { is_open: true, .. }));
            has_text |= !matches!(game, NewGame::Canonical(_));
        }
        let reader = self.reader_of_output();
        if has_text {
            // Read again, the games are where they were put, and nothing else is odd.
            let new = Document::read(&reader, &out);
            if new.games != places || !readback::has_no_more_faults(self.document, &new) {
                return None;
            }
        }
        if self.drops_mark {
            // Without the mark, the bytes after it might be taken for one.
            let is_mistaken = out.starts_with(BOM) || out.iter().take(4).any(|byte| matches!(byte, 0 | 0xFE | 0xFF));
            let is_needed = games.iter().any(|game| matches!(game, NewGame::Kept { needs_mark: true, .. }));
            let is_forced = matches!(self.context.unmarked, Given::Forced(_));
            if is_mistaken || is_needed || !is_forced && !readback::is_same(self.context.parser, &reader, &out) {
                return None;
            }
        } else if has_mark {
            out.splice(..0, BOM.iter().copied());
        }
        Some((out, has_text))
    }

    /// Returns a parser for the output.
    fn reader_of_output(&self) -> Parser {
        let mut parser = self.context.parser.clone();
        let given = match self.context.unmarked {
            // What was converted says so, in its CA.
            Given::Forced(charset) => charset.map_or(Given::Nothing, Given::Default),
            given if self.drops_mark => given,
            _ => parser.given(),
        };
        parser.set_given(given);
        parser
    }
}

/// Returns a remark about a game as a note.
fn note(remark: &Remark, game: &Range<usize>) -> PieceNote {
    let start = game.start + remark.at.unwrap_or_default();
    PieceNote {
        kind: remark.kind(),
        code: remark.code(),
        range: start..start + 1,
        message: Some(remark.message()),
        is_error: remark.is_error(),
    }
}
