//! A stream that is being repaired.
//!
//! The checker's [`Core`] sees every event, and only games in which it finds something to edit, or the parser a fault,
//! are repaired: most have neither, and are copied.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;

use super::game::{self, FixedGame};
use super::report::{Change, Fate, FixError, Fixed, Note};
use super::{Fixer, OnChange, OnNote};
use crate::check::core::Core;
use crate::check::{Rule, Rules};
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::push::PushParser;
use crate::syntax::diagnostic::{Code, Diagnostic, Position, Severity};
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;
use crate::write::rewrite::stream::{Edited, GameEditor, GamePlace, StreamCutter, excerpt};

/// The state of a repair between two chunks.
pub(super) struct FixStream<'f, 'a, W> {
    parser: PushParser,
    events: Events<'f, 'a, W>,
}

/// Receives the events and faults of the stream.
struct Events<'f, 'a, W> {
    listener: &'f Listener,
    core: Core,
    /// Number of open trees.
    depth: usize,
    cutter: StreamCutter,
    editor: Editor<'f, 'a, W>,
    written: io::Result<()>,
}

/// Repairs the games of the stream.
struct Editor<'f, 'a, W> {
    rules: &'f Rules,
    is_lossy: bool,
    guesses_charset: bool,
    on_note: &'f mut Option<OnNote<'a>>,
    on_change: &'f mut Option<OnChange<'a>>,
    out: W,
    /// The parser of the stream, to make the one for games.
    parser: &'f Parser,
    /// Reads games by themselves. It is made at the first event, when the charset was detected.
    game_parser: Option<Parser>,
    /// The parser or the checker found something to repair since the last game.
    has_findings: bool,
    /// The first fault that exceeds a limit of the parser.
    refused: Option<Diagnostic>,
    fixed: Fixed,
}

impl<'f, 'a, W: Write> FixStream<'f, 'a, W> {
    pub(super) fn new(fixer: &'f mut Fixer<'a>, out: W) -> Self {
        let Fixer { parser, listener, rules, is_lossy, guesses_charset, on_note, on_change } = fixer;
        let editor = Editor {
            rules,
            is_lossy: *is_lossy,
            guesses_charset: *guesses_charset,
            on_note,
            on_change,
            out,
            parser,
            game_parser: None,
            has_findings: false,
            refused: None,
            fixed: Fixed::default(),
        };
        let events = Events {
            listener,
            core: Core::new(rules.clone(), parser),
            depth: 0,
            cutter: StreamCutter::new(parser, *is_lossy),
            editor,
            written: Ok(()),
        };
        FixStream { parser: parser.clone().count_lines(true).push(), events }
    }

    /// Takes the next chunk; an empty one is the end.
    pub(super) fn push(&mut self, chunk: &[u8]) -> Result<(), FixError> {
        let FixStream { parser, events } = self;
        events.written = events.cutter.push(chunk, &mut events.editor);
        let is_end = chunk.is_empty();
        let mut parsed = parser.drive(chunk, is_end, events);
        if matches!(parsed, Ok(Flow::Break)) {
            // That was the first event.
            events.editor.game_parser = Some(events.editor.parser.for_excerpts_of(parser));
            parsed = parser.drive(&[], is_end, events);
        }
        mem::replace(&mut events.written, Ok(())).map_err(FixError::Write)?;
        if let Err(error) = parsed {
            return Err(FixError::Refused(Diagnostic::new(error.code(), error.position())));
        }
        events.editor.refused.clone().map_or(Ok(()), |fault| Err(FixError::Refused(fault)))
    }

    pub(super) fn finish(self) -> Result<Fixed, FixError> {
        let Events { mut cutter, mut editor, .. } = self.events;
        cutter.finish(&mut editor).map_err(FixError::Write)?;
        editor.out.flush().map_err(FixError::Write)?;
        Ok(editor.fixed)
    }
}

impl<W: Write> Sink for Events<'_, '_, W> {
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let Events { core, depth, cutter, editor, written, .. } = self;
        if written.is_ok() {
            let has_findings = &mut editor.has_findings;
            game::check(core, depth, event, at, &mut |finding| *has_findings |= !finding.edits.is_empty());
            *written = cutter.event(event, at, editor);
        }
        if editor.game_parser.is_some() { Flow::Continue } else { Flow::Break }
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.listener.report(fault.clone());
        self.editor.has_findings = true;
        if fault.code.severity() == Severity::Error {
            self.editor.refused.get_or_insert(fault);
        }
    }
}

impl<W> Editor<'_, '_, W> {
    fn note(&mut self, note: Note<'_>) {
        if let Some(handler) = &mut self.on_note {
            handler(&note);
        }
    }

    /// The game with the charset in `CA` that is guessed, if that is wanted and changes it.
    #[cfg(feature = "charset")]
    fn labelled(&self, source: &[u8], has_bom: bool) -> Option<Vec<u8>> {
        let parser = self.game_parser.as_ref().filter(|_| self.guesses_charset && !has_bom)?;
        super::label::labelled(parser, self.parser.decoding()?, source)
    }

    #[cfg(not(feature = "charset"))]
    fn labelled(&self, _: &[u8], _: bool) -> Option<Vec<u8>> {
        let _ = self.guesses_charset;
        None
    }

    /// Reports a fault because of which a game stays unchanged.
    fn note_left(&mut self, code: Code, position: Position) {
        self.note(Note { fate: Fate::Left, rule: Rule::Syntax(code), position, shown: b"", len: 0 });
    }
}

fn count(counts: &mut BTreeMap<Rule, u64>, code: Code) {
    *counts.entry(Rule::Syntax(code)).or_default() += 1;
}

impl<W: Write> GameEditor for Editor<'_, '_, W> {
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn replace(&mut self, offset: u64, before: &[u8], after: &[u8]) -> io::Result<()> {
        self.fixed.has_changed = true;
        if let Some(handler) = &mut self.on_change {
            handler(&Change { offset, before, after });
        }
        self.out.write_all(after)
    }

    fn edit(&mut self, source: &[u8], place: &GamePlace<'_>) -> Edited {
        let has_findings = mem::take(&mut self.has_findings);
        let labelled = self.labelled(source, place.has_bom());
        let is_wanted = has_findings || labelled.is_some();
        let Some(parser) = self.game_parser.as_ref().filter(|_| is_wanted) else { return Edited::Sound };
        let mut options = place.options(self.is_lossy, true);
        let mut position = place.positions(source);
        if labelled.is_some() {
            // All games in which a charset is guessed say it now.
            options = options.without_detection();
            count(&mut self.fixed.repairs, Code::CharsetMismatch);
        }
        match game::fix(self.rules, parser, labelled.as_deref().unwrap_or(source), options) {
            FixedGame::Same => labelled.map_or(Edited::Sound, Edited::Changed),
            FixedGame::Changed { bytes, repairs, dropped } => {
                for (rule, count) in repairs {
                    *self.fixed.repairs.entry(rule).or_default() += count;
                }
                for gone in dropped {
                    count(&mut self.fixed.dropped, gone.code);
                    self.note(Note {
                        fate: Fate::Dropped,
                        rule: Rule::Syntax(gone.code),
                        position: position(gone.range.start),
                        len: gone.range.len() as u64,
                        shown: excerpt(source, gone.range),
                    });
                }
                // A root without `;` got one, and so a place for its CA.
                match self.labelled(&bytes, place.has_bom()) {
                    Some(bytes) => {
                        count(&mut self.fixed.repairs, Code::CharsetMismatch);
                        Edited::Changed(bytes)
                    }
                    None => Edited::Changed(bytes),
                }
            }
            FixedGame::Kept(faults) => {
                self.fixed.left_games += 1;
                let mut reported = Vec::new();
                for fault in faults {
                    count(&mut self.fixed.left, fault.code);
                    if !reported.contains(&fault.code) {
                        reported.push(fault.code);
                        self.note_left(fault.code, position(fault.at));
                    }
                }
                labelled.map_or(Edited::Kept, Edited::Labelled)
            }
            FixedGame::Refused(fault) => {
                self.refused.get_or_insert_with(|| Diagnostic::new(fault.code, position(fault.at)));
                Edited::Kept
            }
        }
    }

    fn long_game(&mut self, position: Position) -> bool {
        let has_findings = mem::take(&mut self.has_findings);
        if has_findings {
            self.fixed.left_games += 1;
            count(&mut self.fixed.left, Code::GameTooLong);
            self.note_left(Code::GameTooLong, position);
        }
        has_findings
    }

    fn dropped_paren(&mut self) {
        count(&mut self.fixed.repairs, Code::ExtraCloseParen);
    }

    fn outside_text(&mut self, position: Position, len: u64, shown: &[u8]) {
        let (fate, counts) = match self.is_lossy {
            true => (Fate::Dropped, &mut self.fixed.dropped),
            false => (Fate::Stays, &mut self.fixed.left),
        };
        count(counts, Code::JunkOutsideTree);
        self.note(Note { fate, rule: Rule::Syntax(Code::JunkOutsideTree), position, shown, len });
    }
}
