//! Checks the parts of files, on any thread.
//!
//! Findings are made presentable here as far as possible, since drawing costs more than checking: a finding becomes a
//! line of JSON, or a drawing if its rule was explained before. What is not to be shown is only counted; which findings
//! that is depends on the parts before, so the one who takes the results ([`Show`](super::show::Show)) has the last
//! word.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgf_stream::Parser;
use sgf_stream::board::Diagram;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::check::{Finding, Rule, Rules, StreamStart, Summary};
use sgf_stream::parts::{LongGame, Part};

use super::Args;
use super::draw::{self, Drawer, Shown};
use super::window::{CONTEXT, Excerpt, SourceWindow};
use crate::decoding::{self, Opened};
use crate::input::{self, Name};
use crate::jobs::{Bytes, InputStart, Steps, Work};
use crate::points;
use crate::tally::Tally;

/// Numbers of findings to be shown, and of bytes of output, after which results are passed on.
const MANY_FINDINGS: usize = 2048;
const STEP: usize = 2 << 20;

/// The fate of findings.
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
    /// Some of each rule in each file are drawn: so many, unless the limit is lifted.
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

    /// Returns whether a finding may be shown, by its number among those of its rule in its file, from 1.
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
    /// Whether findings about points have boards.
    pub(super) draws_boards: bool,
    pub(super) explained: Explained,
}

/// The rules that were explained, or that have an example: what is known of them is not needed again.
#[derive(Clone, Default)]
pub(super) struct Explained(Arc<Mutex<BTreeSet<Rule>>>);

/// The way to read a file, and what is known of it so far.
#[derive(Clone)]
pub(super) struct How {
    parser: Parser,
    is_transcoded: bool,
    /// Whether `--fix` could rewrite the file.
    can_be_fixed: bool,
    start: Arc<Mutex<StreamStart>>,
    pub(super) taken: Taken,
}

/// The findings by rule in the parts of a file whose results were taken.
#[derive(Clone, Default)]
pub(super) struct Taken(Arc<Mutex<BTreeMap<Rule, u64>>>);

/// The results of a part of a file, or of a file's end.
pub(super) struct Checked {
    pub(super) file: Name,
    /// Findings by rule.
    pub(super) counts: BTreeMap<Rule, u64>,
    /// Findings by property, for sums.
    pub(super) properties: Tally,
    /// Findings as lines of JSON.
    pub(super) lines: Vec<u8>,
    /// Findings to be shown, in order.
    pub(super) shown: Vec<Shown>,
    pub(super) summary: Summary,
    /// The first bytes of the part and its last ones, for findings near the ends of other parts.
    pub(super) head: Vec<u8>,
    pub(super) tail: Vec<u8>,
    pub(super) taken: Taken,
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

impl Explained {
    pub(super) fn rules(&self) -> MutexGuard<'_, BTreeSet<Rule>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    pub(super) fn counts(&self) -> MutexGuard<'_, BTreeMap<Rule, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl How {
    fn start(&self) -> MutexGuard<'_, StreamStart> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checked {
    fn new(file: &Name, taken: Taken) -> Self {
        Checked {
            file: file.clone(),
            counts: BTreeMap::new(),
            properties: Tally::default(),
            lines: Vec::new(),
            shown: Vec::new(),
            summary: Summary::default(),
            head: Vec::new(),
            tail: Vec::new(),
            taken,
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

/// Collects the findings of a part.
struct Findings<'w> {
    work: &'w Checking,
    checked: Checked,
    /// State of the shared sums when the first finding came; kept only to save work.
    known: Option<(BTreeSet<Rule>, BTreeMap<Rule, u64>)>,
}

impl<'w> Findings<'w> {
    fn new(work: &'w Checking, file: &Name, how: &How) -> Self {
        Findings { work, checked: Checked::new(file, how.taken.clone()), known: None }
    }

    /// Adds a finding. `excerpt` returns the bytes around it, and `board` its board.
    fn add(
        &mut self,
        finding: &Finding,
        excerpt: impl FnOnce() -> Option<Excerpt>,
        board: impl FnOnce() -> Option<Diagram>,
    ) {
        let Findings { work, checked, known } = self;
        let rule = finding.rule();
        let (explained, taken) =
            known.get_or_insert_with(|| (work.explained.rules().clone(), checked.taken.counts().clone()));
        let count = checked.counts.entry(rule).or_default();
        *count += 1;
        let ordinal = *count;
        match work.view {
            View::Json => {
                draw::write_json(&checked.file, finding, &mut checked.lines);
                checked.lines.push(b'\n');
            }
            View::Sums => {
                checked.properties.add(finding.property().unwrap_or_default().as_bytes());
                if ordinal == 1 && !explained.contains(&rule) {
                    checked.shown.push(Shown::new(finding, ordinal, excerpt()));
                }
            }
            View::Totals | View::Files => {}
            View::Drawn { .. } => {
                if work.view.shows(taken.get(&rule).copied().unwrap_or_default().saturating_add(ordinal)) {
                    let mut shown = Shown::new(finding, ordinal, excerpt());
                    if explained.contains(&rule) {
                        shown.draw(&checked.file, &work.drawer, work.drawer.note(rule));
                    } else if ordinal == 1 && work.draws_boards && points::is_about_points(finding) {
                        // Only the first finding of a rule is explained.
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
        let empty = Checked::new(file, self.checked.taken.clone());
        self.known = None;
        mem::replace(&mut self.checked, empty)
    }
}

/// The board at a finding in a part that starts at an offset.
fn board(bytes: &[u8], start: u64, finding: &Finding) -> Option<Diagram> {
    let index = |offset: u64| usize::try_from(offset.checked_sub(start)?).ok();
    let (at, end) = (index(finding.offset())?, index(finding.span().end)?);
    points::board(bytes, at, str::from_utf8(bytes.get(at..end)?).unwrap_or_default())
}

impl Work for Checking {
    type How = How;
    type Done = Vec<Checked>;

    // With --max 0 and --json, the findings may take many times the bytes of the games.
    const PART_LEN: usize = 256 << 10;

    fn begin(&self) -> Vec<Checked> {
        Vec::new()
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    fn parser_of(&self, how: &How) -> Parser {
        how.parser.clone()
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let how = |parser, is_transcoded| How {
            parser,
            is_transcoded,
            can_be_fixed: false,
            start: Arc::default(),
            taken: Taken::default(),
        };
        Ok(match decoding::open(data, self.decoding)? {
            Opened::Bytes(whole, _) => (how(self.parser(), false), Box::new(whole)),
            Opened::Text(text) => (how(Parser::new(), true), text),
        })
    }

    fn start(&self, name: &Name, how: &mut How, start: InputStart<'_>) {
        // Data from a pipe can be saved to a file and repaired.
        let has_place = start.place.is_some() || input::is_stdin(name.as_str().as_ref());
        how.can_be_fixed = !how.is_transcoded && has_place;
    }

    fn cut(&self, how: &How, part: &Part<'_>) {
        // A file of one part has no other games that would have to know its first one.
        if !(part.is_last() && part.span().start == 0) {
            how.start().note(&how.parser, part);
        }
    }

    fn part(&self, name: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Vec<Checked>>) {
        let mut findings = Findings::new(self, name, how);
        let (bytes, start, before) = (part.bytes(), part.span().start, done.len());
        findings.checked.note_start(bytes);
        let stream_start = how.start().clone();
        let mut is_wanted = true;
        let mut checker = how.parser.checker(self.rules.clone(), |finding: &Finding| {
            if is_wanted {
                let excerpt = || Excerpt::of_part(bytes, start, part.is_last(), finding.offset());
                findings.add(finding, excerpt, || board(bytes, start, finding));
                if findings.is_large() {
                    done.push(findings.take(name));
                    is_wanted = done.pass_on(Vec::new);
                }
            }
        });
        let summary = checker.check_part(&stream_start, part);
        drop(checker);
        if !is_wanted {
            return done.truncate(before);
        }
        findings.checked.summary = summary;
        findings.checked.note_end(bytes);
        done.push(findings.checked);
    }

    fn long(&self, name: &Name, how: &How, game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Vec<Checked>>) {
        let findings = RefCell::new((Findings::new(self, name, how), SourceWindow::new(game.position().offset)));
        let mut checker = how.parser.checker(self.rules.clone(), |finding: &Finding| {
            let (findings, window) = &mut *findings.borrow_mut();
            findings.add(finding, || window.excerpt(finding.offset()), || None);
        });
        let mut stream_start = how.start().clone();
        let mut is_wanted = true;
        let checked = checker.check_long(&mut stream_start, game, |chunk| {
            let (findings, window) = &mut *findings.borrow_mut();
            findings.checked.shown.iter_mut().for_each(|shown| shown.add_end(chunk));
            window.push(chunk);
            findings.checked.note_start(chunk);
            findings.checked.note_end(chunk);
            if findings.is_large() && is_wanted {
                done.push(findings.take(name));
                window.pass_on();
                is_wanted = done.pass_on(Vec::new);
            }
        });
        drop(checker);
        *how.start() = stream_start;
        let (mut findings, _) = findings.into_inner();
        // The caller gets the error again.
        findings.checked.summary = checked.unwrap_or_default();
        done.push(findings.checked);
    }

    fn end(
        &self,
        name: &Name,
        how: Option<&How>,
        detected: Option<Charset>,
        result: io::Result<()>,
        done: &mut Vec<Checked>,
    ) {
        let can_be_fixed = how.is_some_and(|how| how.can_be_fixed);
        let taken = how.map(|how| how.taken.clone()).unwrap_or_default();
        let mut checked = Checked::new(name, taken);
        checked.end = Some(End { is_open: how.is_some(), can_be_fixed, detected, result });
        done.push(checked);
    }
}
