//! Checks the parts of files, on any thread.
//!
//! Diagnostics are formatted here as far as possible, since drawing costs more than checking: a diagnostic becomes a
//! line of JSON, or a drawing if its rule was explained before. Those that are not shown are only counted; which ones
//! these are depends on the parts before, so [`Show`](super::show::Show), which takes the results, decides.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{io, mem};

use sgf_board::Diagram;
use sgf_check::{Checker, Diagnostic, Rule, Rules, Summary};
use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parts::{LongGame, Part};

use super::Args;
use super::draw::{self, Drawer, Shown};
use super::values::{Counting, Values};
use super::window::{CONTEXT, Excerpt, SourceWindow};
use crate::input::{self, Name};
use crate::jobs::{Bytes, Games, Input, Reading, Steps, Work};
use crate::points;
use crate::tally::Tally;

/// Numbers of diagnostics to be shown, and of bytes of output, after which results are passed on.
const MANY_FINDINGS: usize = 2048;
const STEP: usize = 2 << 20;

/// How diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// They are counted (`--dry-run`).
    Totals,
    /// They are counted, and one of each rule is shown (`--summary`).
    Sums,
    /// They are counted, and the names of their files are listed (`--list`).
    Files,
    /// Each is a line of JSON.
    Json,
    /// Diagnostics are drawn, at most `max` per rule and file.
    Drawn { max: u64 },
}

impl View {
    pub(super) fn of(args: &Args) -> Self {
        match (args.summary, args.json, args.max) {
            _ if args.dry_run => View::Totals,
            _ if args.list => View::Files,
            (true, ..) => View::Sums,
            (_, true, _) => View::Json,
            (.., 0) => View::Drawn { max: u64::MAX },
            (.., max) => View::Drawn { max },
        }
    }

    /// Returns whether a diagnostic may be shown, by its number among those of its rule in its file, from 1.
    pub(super) fn shows(self, number: u64) -> bool {
        match self {
            View::Drawn { max } => number <= max,
            View::Totals | View::Sums | View::Files | View::Json => true,
        }
    }
}

/// The work of `sgf check`.
pub(super) struct Checking {
    pub(super) rules: Rules,
    pub(super) decoding: Decoding,
    pub(super) view: View,
    pub(super) drawer: Drawer,
    /// Whether diagnostics about points have boards.
    pub(super) draws_boards: bool,
    pub(super) known: Known,
}

/// The facts about diagnostics that were taken. They save work on later ones.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Mutex<Taken>>);

#[derive(Clone, Default)]
pub(super) struct Taken {
    /// The rules that were explained, or that have an example.
    pub(super) explained: BTreeSet<Rule>,
    /// The file that is being shown, and its diagnostics by rule.
    pub(super) file: Name,
    pub(super) counts: BTreeMap<Rule, u64>,
}

/// The results of a part of a file, or of a file's end.
pub(super) struct Checked {
    pub(super) file: Name,
    /// Diagnostics by rule.
    pub(super) counts: BTreeMap<Rule, u64>,
    /// Diagnostics by property, for sums.
    pub(super) properties: Tally,
    /// Values by property, for sums.
    pub(super) values: Values,
    /// Diagnostics as lines of JSON.
    pub(super) lines: Vec<u8>,
    /// Diagnostics to be shown, in order.
    pub(super) shown: Vec<Shown>,
    pub(super) summary: Summary,
    /// The first bytes of the part and its last ones, for diagnostics near the ends of other parts.
    pub(super) head: Vec<u8>,
    pub(super) tail: Vec<u8>,
    pub(super) end: Option<End>,
}

/// The end of a file.
pub(super) struct End {
    /// Whether the file could be opened.
    pub(super) is_open: bool,
    /// Whether `--fix` could rewrite the file.
    pub(super) can_be_fixed: bool,
    pub(super) detected: Option<Charset>,
    pub(super) result: io::Result<()>,
}

impl Known {
    pub(super) fn taken(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checked {
    fn new(file: &Name) -> Self {
        Checked {
            file: file.clone(),
            counts: BTreeMap::new(),
            properties: Tally::default(),
            values: Values::default(),
            lines: Vec::new(),
            shown: Vec::new(),
            summary: Summary::default(),
            head: Vec::new(),
            tail: Vec::new(),
            end: None,
        }
    }

    /// Notes the first bytes of the part.
    fn note_start(&mut self, bytes: &[u8]) {
        let room = CONTEXT.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Notes the last bytes of the part.
    fn note_end(&mut self, bytes: &[u8]) {
        let last = &bytes[bytes.len().saturating_sub(CONTEXT)..];
        let excess = (self.tail.len() + last.len()).saturating_sub(CONTEXT);
        self.tail.drain(..excess);
        self.tail.extend_from_slice(last);
    }
}

/// Collects the diagnostics of a part.
struct Diagnostics<'w> {
    work: &'w Checking,
    checked: Checked,
    /// A copy of [`Known`], made at the first diagnostic.
    known: Option<Taken>,
}

impl<'w> Diagnostics<'w> {
    fn new(work: &'w Checking, file: &Name) -> Self {
        Diagnostics { work, checked: Checked::new(file), known: None }
    }

    /// Adds a diagnostic. `excerpt` returns the bytes around it, and `board` its board.
    fn add(
        &mut self,
        diagnostic: &Diagnostic,
        excerpt: impl FnOnce() -> Option<Excerpt>,
        board: impl FnOnce() -> Option<Diagram>,
    ) {
        let Diagnostics { work, checked, known } = self;
        let rule = diagnostic.rule();
        let Taken { explained, file, counts } = known.get_or_insert_with(|| work.known.taken().clone());
        let count = checked.counts.entry(rule).or_default();
        *count += 1;
        let ordinal = *count;
        match work.view {
            View::Json => {
                draw::write_json(&checked.file, diagnostic, &mut checked.lines);
                checked.lines.push(b'\n');
            }
            View::Sums => {
                checked.properties.add(diagnostic.property().unwrap_or_default().as_bytes());
                if ordinal == 1 && !explained.contains(&rule) {
                    checked.shown.push(Shown::new(diagnostic, ordinal, excerpt()));
                }
            }
            View::Totals | View::Files => {}
            View::Drawn { .. } => {
                let taken = counts.get(&rule).copied().filter(|_| *file == checked.file).unwrap_or_default();
                if work.view.shows(taken.saturating_add(ordinal)) {
                    let mut shown = Shown::new(diagnostic, ordinal, excerpt());
                    if explained.contains(&rule) {
                        shown.draw(&checked.file, &work.drawer, work.drawer.note(rule));
                    } else if ordinal == 1 && work.draws_boards && points::is_about_points(diagnostic) {
                        // Only the first diagnostic of a rule is explained.
                        shown.set_board(board());
                    }
                    checked.shown.push(shown);
                }
            }
        }
    }

    fn is_large(&self) -> bool {
        self.checked.shown.len() >= MANY_FINDINGS || self.checked.lines.len() >= STEP
    }

    /// Takes the results so far.
    fn take(&mut self, file: &Name) -> Checked {
        self.known = None;
        mem::replace(&mut self.checked, Checked::new(file))
    }
}

/// The board at a diagnostic in a part that starts at an offset.
fn board(bytes: &[u8], start: u64, diagnostic: &Diagnostic) -> Option<Diagram> {
    let index = |offset: u64| usize::try_from(offset.checked_sub(start)?).ok();
    let (at, end) = (index(diagnostic.offset())?, index(diagnostic.span().end)?);
    points::board(bytes, at, str::from_utf8(bytes.get(at..end)?).unwrap_or_default())
}

impl Work for Checking {
    type Done = Vec<Checked>;

    fn begin(&self) -> Vec<Checked> {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        // With --max 0 and --json, the diagnostics may take many times the bytes of the games.
        Reading { part_len: 256 << 10, notes_start: true, ..Reading::new(Parser::new(), self.decoding) }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<Checked>>) {
        match games {
            Games::Part(part) => self.part(input, part, done),
            Games::Long(game) => self.long(input, game, done),
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Vec<Checked>) {
        // Data from a pipe can be saved to a file and repaired.
        let can_be_fixed = input.is_some_and(|input| {
            input.transcoded.is_none() && (input.place.is_some() || input::is_stdin(name.as_str().as_ref()))
        });
        let detected = input.and_then(|input| input.detected());
        let end = Some(End { is_open: input.is_some(), can_be_fixed, detected, result });
        done.push(Checked { end, ..Checked::new(name) });
    }
}

impl Checking {
    fn checker<F: FnMut(&Diagnostic)>(&self, input: &Input, on_diagnostic: F) -> Checker<F> {
        // The texts of a transcoded file are in UTF-8, whatever its CA.
        let parser = if input.transcoded.is_some() { &input::limited(Parser::new()) } else { &input.parser };
        Checker::with_parser(parser, self.rules.clone(), on_diagnostic)
    }

    fn part(&self, input: &Input, part: &Part<'_>, done: &mut Steps<'_, Vec<Checked>>) {
        let (name, bytes, start) = (&input.name, part.bytes(), part.span().start);
        let mut diagnostics = Diagnostics::new(self, name);
        diagnostics.checked.note_start(bytes);
        let stream_start = input.stream_start().clone();
        let mut is_wanted = true;
        let mut checker = self.checker(input, |diagnostic: &Diagnostic| {
            if is_wanted {
                let excerpt = || Excerpt::of_part(bytes, start, part.is_last(), diagnostic.offset());
                diagnostics.add(diagnostic, excerpt, || board(bytes, start, diagnostic));
                if diagnostics.is_large() {
                    done.push(diagnostics.take(name));
                    is_wanted = done.pass_on(mem::take);
                }
            }
        });
        let summary = checker.check_part(&stream_start, part);
        drop(checker);
        diagnostics.checked.summary = summary;
        diagnostics.checked.note_end(bytes);
        if self.view == View::Sums {
            // A file without SGF has no values.
            _ = part.parse_into(&input.parser, &mut Counting::new(&mut diagnostics.checked.values, input.decoder()));
        }
        done.push(diagnostics.checked);
    }

    fn long(&self, input: &Input, game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Vec<Checked>>) {
        let name = &input.name;
        let diagnostics = RefCell::new((Diagnostics::new(self, name), SourceWindow::new(game.position().offset)));
        let mut checker = self.checker(input, |diagnostic: &Diagnostic| {
            let (diagnostics, window) = &mut *diagnostics.borrow_mut();
            diagnostics.add(diagnostic, || window.excerpt(diagnostic.offset()), || None);
        });
        let (mut values, mut parser) = (Values::default(), game.push(&input.parser));
        let mut counting = (self.view == View::Sums).then(|| Counting::new(&mut values, input.decoder()));
        let mut stream_start = input.stream_start().clone();
        let mut is_wanted = true;
        let checked = checker.check_long(&mut stream_start, game, |chunk| {
            let (diagnostics, window) = &mut *diagnostics.borrow_mut();
            diagnostics.checked.shown.iter_mut().for_each(|shown| shown.add_end(chunk));
            window.push(chunk);
            if let Some(counting) = &mut counting {
                _ = parser.chunk_into(chunk, counting);
            }
            diagnostics.checked.note_start(chunk);
            diagnostics.checked.note_end(chunk);
            if diagnostics.is_large() && is_wanted {
                done.push(diagnostics.take(name));
                window.pass_on();
                is_wanted = done.pass_on(mem::take);
            }
        });
        drop(checker);
        *input.stream_start() = stream_start;
        let (mut diagnostics, _) = diagnostics.into_inner();
        // The caller gets the error again.
        diagnostics.checked.summary = checked.unwrap_or_default();
        diagnostics.checked.values = values;
        done.push(diagnostics.checked);
    }
}
